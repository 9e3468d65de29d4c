"""docs/protocol.md is whole: every tag of the wire stands in it, with an example that decodes."""

from __future__ import annotations

import re
import tomllib
import typing
from pathlib import Path

import msgspec
import pytest

from server.game.acts import AnyEvent, OwnAct, StationAct
from server.game.views.messages import AnyMessage
from server.protocol import Incoming, Outgoing
from server.stations.microphone import DeviceReport
from server.web.api.arbiter import Decide, Invite
from server.web.api.tables import PairingFile, Round
from server.web.door.joining import Join
from tests.web.protocol_page import VALUES, Examples, fields_of, page, parts_of_values, sentences, tag_of

KINDS: dict[str, typing.Any] = {
    "incoming": Incoming,
    "outgoing": Outgoing,
    "body": StationAct,
    "own": OwnAct,
    "message": AnyMessage,
    "event": AnyEvent,
}


@pytest.fixture(scope="module")
def written() -> str:
    """The page as `make docs` writes it."""
    return page()


def test_every_kind_stands_under_its_name_with_its_sentences_and_fields(written: str) -> None:
    kinds = [kind for union in KINDS.values() for kind in typing.get_args(union)]
    for kind in kinds:
        lines = "\n".join(fields_of(kind))
        assert f"\n#### `{tag_of(kind)}`\n\n{sentences(kind)}\n" in written
        assert f"\n{lines}\n" in written and lines.count("\n- ") + bool(lines) == len(kind.__struct_fields__)
    for kind in parts_of_values():
        assert f"\n#### Part `{kind.__name__}`\n\n{sentences(kind)}\n" in written
    linked = {found.lower() for found in re.findall(r"\]\(#part-(\w+)\)", written)}
    assert linked == {kind.__name__.lower() for kind in parts_of_values()}


def test_the_table_of_values_names_only_what_there_is() -> None:
    values = tomllib.loads(VALUES.read_text("utf-8"))
    kinds = {kind.__name__: kind for union in KINDS.values() for kind in typing.get_args(union)}
    kinds |= {kind.__name__: kind for kind in parts_of_values()}
    for name, of in values["of"].items():
        assert of.keys() <= set(kinds[name].__struct_fields__), name
    assert values["more"].keys() <= kinds.keys()
    named = {field for kind in kinds.values() for field in kind.__struct_fields__}
    assert values["any"].keys() | set(values["by_the_server"]) <= named


def test_a_field_that_nobody_gave_a_value_has_one_all_the_same() -> None:
    """A new act is on the page before anybody has thought of its example."""
    announces = {"Speech": {"announcement": "@"}}  # an event that announces a move is none without it
    bare = Examples({"by_the_server": [], "any": {}, "of": announces, "more": {}})
    for union in KINDS.values():
        for kind in typing.get_args(union):
            (line,) = bare.lines(kind)
            assert type(msgspec.json.decode(line, type=union)) is kind


def lines_of(written: str, kind: str) -> list[str]:
    return [line for block in re.findall(rf"```json {kind}\n(.*?)```", written, re.S) for line in block.splitlines()]


def fields(value: object, path: str = "") -> set[str]:
    """The paths of all fields."""
    if isinstance(value, dict):
        return {path}.union(*(fields(inner, f"{path}.{key}") for key, inner in value.items()))
    return {path}


@pytest.mark.parametrize("kind", KINDS)
def test_every_tag_has_an_example_that_decodes(written: str, kind: str) -> None:
    lines = lines_of(written, kind)
    decoded = [msgspec.json.decode(line, type=KINDS[kind]) for line in lines]
    assert {type(one) for one in decoded} == set(typing.get_args(KINDS[kind]))
    for one, line in zip(decoded, lines, strict=True):
        assert fields(msgspec.json.decode(line)) <= fields(msgspec.json.decode(msgspec.json.encode(one))), (
            "no such field"
        )


def test_the_http_examples_are_what_the_server_takes(written: str) -> None:
    lines = lines_of(written, "http")
    for kind, mark in (
        (Join, '"secret"'),
        (Join, '"label":"Anna'),
        (Decide, '"admit"'),
        (Invite, '"duties":["execute"],"language"'),
        (PairingFile, '"file":"MDAx'),
        (Round, '"rated"'),
    ):
        (line,) = [line for line in lines if mark in line]
        msgspec.json.decode(line, type=kind)
    for line in lines:
        msgspec.json.decode(line)
    told = [msgspec.json.decode(line, type=DeviceReport) for line in lines_of(written, "audio")]
    assert told[0].end == 42
    assert {name for one in told for name in msgspec.to_builtins(one)} == set(DeviceReport.__struct_fields__)


def test_every_address_of_the_server_is_named(repo: Path, written: str) -> None:
    from server.web.pages import PAGES

    source = (repo / "server" / "web" / "routes.py").read_text(encoding="utf-8")
    for method, path in re.findall(r'web\.(get|post)\("([^"]+)"', source):
        named = re.sub(r"{(id|name|language|role|file|ply|round|form):[^/]*", lambda found: found[1].upper(), path)
        assert f"{method.upper()} {named}".rstrip("}") in written, path
    for name in PAGES:
        assert f"`/{name}`" in written
