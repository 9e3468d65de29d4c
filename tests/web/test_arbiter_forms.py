"""The page has a form for every command that roles.py gives the arbiter; each form says what its command takes."""

from __future__ import annotations

import enum
import json
import re
import types
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game.decide.decide import AFTER_THE_END
from server.game.decide.roles import ARBITER
from server.wording.rules import load_incident_kinds
from speech.words.loading import language_tags
from tests.web.test_words_of_the_pages import modules_of, static, words_of

# By the server; or, as faster and slower are, by voice.
FILLED_IN = {"key", "salt", "content", "words", "utterance", "origin", "speed_by", "turn_keys", "table"}
SIMPLE: dict[str, Any] = {
    "seat": "white", "choice": None, "flag": True, "text": "a word", "word": "de", "name": "9.2", "time": 60_000,
    "seconds": 5_000, "amount": 1, "number": 1, "ply": 1, "square": "e4", "uci": "e2e4", "piece": "K",
    "placement": "8/8/8/8/8/8/8/8", "article": "9.2", "pair": (1, 1), "either": True,
}  # fmt: skip


def acts(repo: Path) -> list[dict[str, Any]]:
    text = (static(repo) / "acts_data.js").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text[text.index("export default [") + 15 : text.rindex(";")])
    return found


def by_name() -> dict[str, type]:
    return {str(kind.__struct_config__.tag): kind for kind in ARBITER}  # type: ignore[attr-defined]


def elsewhere(repo: Path) -> set[str]:
    """The commands for which the arbiter's page has parts of its own."""
    modules: set[str] = set()
    modules_of(repo, "arbiter.js", modules)
    files = [*(modules - {"acts_data.js"}), "arbiter.html"]
    text = "".join((static(repo) / name).read_text("utf-8") for name in files)
    return set(re.findall(r"\"?do\"?: ?\"([a-z_]+)\"", text))


def values_of(hint: Any) -> set[Any] | None:
    """What a field of choices may say; None for one that is no such field."""
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return set(parts)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {one.value for one in hint}
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        for part in parts:
            found = values_of(part)
            if found is not None:
                return found
    return None


def test_no_command_of_the_arbiter_is_without_a_form(repo: Path) -> None:
    forms = {one["do"] for one in acts(repo)}
    assert len(forms) == len(acts(repo)), "an act stands twice"
    assert sorted(by_name().keys() - forms - elsewhere(repo)) == []
    assert sorted(forms - by_name().keys()) == []


def test_every_form_says_what_its_command_takes(repo: Path) -> None:
    commands = by_name()
    for one in acts(repo):
        kind = commands[one["do"]]
        hints = typing.get_type_hints(kind)
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        named = {name: (sort, *more) for name, sort, *more in one["fields"]}
        assert named.keys() <= fields.keys(), one["do"]
        left = {name for name in fields.keys() - named.keys() if name not in FILLED_IN}
        assert not left, f"{one['do']}: {sorted(left)} cannot be said"
        said: dict[str, Any] = {"do": one["do"]}
        for name, (sort, *more) in named.items():
            settings = more[0] if more else {}
            if sort == "choice":
                known = values_of(hints[name])
                if one["do"] == "note_incident":
                    known = set(load_incident_kinds())
                if known is not None:
                    assert set(settings["values"]) == known, (one["do"], name)
                said[name] = settings["values"][0]
            elif not settings.get("optional") or settings.get("null"):
                said[name] = None if settings.get("null") else SIMPLE[sort]
            may_stay_away = not fields[name].required
            leaves_it_out = settings.get("optional") and not settings.get("null")
            assert may_stay_away or not leaves_it_out, f"{one['do']}: {name} must be said"
        assert isinstance(msgspec.convert(said, cmd.StationAct), kind)
        for name, values in one.get("sure", {}).items():
            assert name in named and values, one["do"]


@pytest.mark.parametrize("tag", language_tags())
def test_every_form_has_words(repo: Path, tag: str) -> None:
    known = set(words_of(repo, tag))
    for one in acts(repo):
        wanted = {f"act.{one['do']}", f"acts.{one['group']}", *(f"act_field.{name}" for name, *_ in one["fields"])}
        for _name, sort, *more in one["fields"]:
            settings = more[0] if more else {}
            if sort == "choice" and settings["words"]:
                wanted |= {settings["words"] + value for value in settings["values"]}
            if settings.get("empty"):
                wanted.add(f"act.{settings['empty']}")
        assert sorted(wanted - known) == [], one["do"]


def test_what_ends_a_game_is_asked_twice(repo: Path) -> None:
    sure = {one["do"] for one in acts(repo) if "sure" in one}
    assert {"call_flag", "rule_absence", "rule_claim", "penalise", "rule_sealed", "annul_game", "restore_to"} <= sure


def test_after_the_end_the_page_offers_what_the_core_still_takes(repo: Path) -> None:
    offered = {act["do"] for act in acts(repo) if act.get("after")}
    taken = {name for name, kind in by_name().items() if kind in AFTER_THE_END}
    assert offered == taken & {act["do"] for act in acts(repo)}
