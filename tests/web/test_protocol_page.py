"""docs/protocol.md: every tag of the wire stands there with an example that decodes."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import msgspec
import pytest

from server.game.acts import AnyEvent, OwnAct, StationAct
from server.game.views.messages import AnyMessage
from server.protocol import Incoming, Outgoing
from server.stations.microphone import Told
from server.web.api.arbiter import Decide, Invite
from server.web.api.tables import PairingFile, Round
from server.web.door.joining import Join

KINDS: dict[str, typing.Any] = {
    "incoming": Incoming,
    "outgoing": Outgoing,
    "body": StationAct,
    "own": OwnAct,
    "message": AnyMessage,
    "event": AnyEvent,
}


def lines_of(repo: Path, kind: str) -> list[str]:
    page = (repo / "docs" / "protocol.md").read_text(encoding="utf-8")
    return [line for block in re.findall(rf"```json {kind}\n(.*?)```", page, re.S) for line in block.splitlines()]


def fields(value: object, path: str = "") -> set[str]:
    """The paths of all fields."""
    if isinstance(value, dict):
        return {path}.union(*(fields(inner, f"{path}.{key}") for key, inner in value.items()))
    return {path}


@pytest.mark.parametrize("kind", KINDS)
def test_every_tag_has_an_example_that_decodes(repo: Path, kind: str) -> None:
    lines = lines_of(repo, kind)
    decoded = [msgspec.json.decode(line, type=KINDS[kind]) for line in lines]
    assert {type(one) for one in decoded} == set(typing.get_args(KINDS[kind]))
    for one, line in zip(decoded, lines, strict=True):
        assert fields(msgspec.json.decode(line)) <= fields(msgspec.json.decode(msgspec.json.encode(one))), (
            "no such field"
        )


def test_the_http_examples_are_what_the_server_takes(repo: Path) -> None:
    lines = lines_of(repo, "http")
    for kind, mark in (
        (Join, '"secret"'),
        (Join, '"label":"Anna'),
        (Decide, '"admit"'),
        (Invite, '"duties":["execute"],"language"'),
        (PairingFile, '"text":"001'),
        (Round, '"rated"'),
    ):
        (line,) = [line for line in lines if mark in line]
        msgspec.json.decode(line, type=kind)
    for line in lines:
        msgspec.json.decode(line)
    told = [msgspec.json.decode(line, type=Told) for line in lines_of(repo, "audio")]
    assert told[0].end == 42
    assert {name for one in told for name in msgspec.to_builtins(one)} == set(Told.__struct_fields__)


def test_every_address_of_the_server_is_named(repo: Path) -> None:
    from server.web.pages import PAGES

    page = (repo / "docs" / "protocol.md").read_text(encoding="utf-8")
    source = (repo / "server" / "app.py").read_text(encoding="utf-8")
    for method, path in re.findall(r'web\.(get|post)\("([^"]+)"', source):
        named = re.sub(r"{(id|name):[^/]*", lambda found: found[1].upper(), path)
        assert f"{method.upper()} {named}".rstrip("}") in page, path
    for name in PAGES:
        assert f"`/{name}`" in page
