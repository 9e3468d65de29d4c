"""Whatever the arbiter's page may be sent has words in the languages of the pages."""

from __future__ import annotations

import ast
import re
import typing
from pathlib import Path

import pytest

from server.play.ends import WORDS
from server.play.events import AnyEvent


def alert_kinds(repo: Path) -> set[str]:
    """Every kind that the core alerts the arbiter with: the constants in its calls, and the ends of a game."""
    kinds = set(WORDS)
    for path in (repo / "server" / "play").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "alert"):
                continue
            if node.args and isinstance(node.args[0], ast.Constant):
                kinds.add(str(node.args[0].value))
    return kinds


@pytest.mark.parametrize("tag", ["en", "de"])
def test_every_alert_and_every_event_has_words(repo: Path, tag: str) -> None:
    words = (repo / "server" / "web" / "static" / "words" / f"{tag}.js").read_text(encoding="utf-8")
    known = set(re.findall(r'"((?:alert|event)\.[a-z_]+)":', words))
    kinds = alert_kinds(repo)
    assert len(kinds) > 30
    events = {kind.__struct_config__.tag for kind in typing.get_args(AnyEvent)}
    assert {f"alert.{kind}" for kind in kinds} | {f"event.{event}" for event in events} <= known
