"""The page has a form for every command that the arbiter may give; each form says what its command takes."""

from __future__ import annotations

import enum
import re
import types
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts.forms import forms
from server.game.values.words import Role
from server.wording.pages import page_words
from server.wording.rules import load_incident_kinds
from speech.words.config_file import language_tags
from tests.web.open_house import open_house
from tests.web.test_words_of_the_pages import modules_of, static

# By the server or by a card; or, as faster and slower are, by voice.
FILLED_IN = {
    "key",
    "salt",
    "content",
    "words",
    "utterance",
    "origin",
    "speed_by",
    "turn_keys",
    "table",
    "line",
    "numbers",
}
SIMPLE: dict[str, Any] = {
    "seat": "white", "buttons": "white",
    "choice": None, "flag": True, "text": "a word", "word": "de", "name": "9.2", "time": 60_000,
    "seconds": 5_000, "amount": 1, "number": 1, "ply": 1, "square": "e4", "uci": "e2e4", "piece": "K",
    "placement": "8/8/8/8/8/8/8/8", "article": "9.2", "pair": (1, 1), "either": True,
}  # fmt: skip


def acts() -> list[dict[str, Any]]:
    """The forms as the page is given them."""
    found: list[dict[str, Any]] = msgspec.json.decode(
        msgspec.json.encode(forms({"note_incident.kind": tuple(load_incident_kinds())}))
    )
    return found


def by_name() -> dict[str, type[cmd.Act]]:
    return {
        str(kind.__struct_config__.tag): kind
        for kind in cmd.acts()
        if Role.ARBITER in kind.rights.by and Role.DISPLAY not in kind.rights.by
    }


def elsewhere(repo: Path) -> set[str]:
    """The commands for which the arbiter's page has parts of its own."""
    modules: set[str] = set()
    modules_of(repo, "entry/arbiter.js", modules)
    files = [*modules, "pages/arbiter.html"]
    text = "".join((static(repo) / name).read_text("utf-8") for name in files)
    # The page of all tables shows them to spectators, all at once (`POST /api/spectators`).
    return set(re.findall(r"\"?do\"?: ?\"([a-z_]+)\"", text)) | {"show_to_spectators"}


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
    forms = {one["do"] for one in acts()}
    assert len(forms) == len(acts()), "an act stands twice"
    assert sorted(by_name().keys() - forms - elsewhere(repo)) == []
    assert sorted(forms - by_name().keys()) == []


def test_every_form_says_what_its_command_takes(repo: Path) -> None:
    commands = by_name()
    for one in acts():
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
    known = set(page_words(tag))
    for one in acts():
        wanted = {f"act.{one['do']}", f"acts.{one['group']}", *(f"act_field.{name}" for name, *_ in one["fields"])}
        for _name, sort, *more in one["fields"]:
            settings = more[0] if more else {}
            if sort == "choice" and settings["words"]:
                wanted |= {settings["words"] + value for value in settings["values"]}
            if settings.get("empty"):
                wanted.add(f"act.{settings['empty']}")
        assert sorted(wanted - known) == [], one["do"]


def test_what_ends_a_game_is_asked_twice(repo: Path) -> None:
    sure = {one["do"] for one in acts() if "sure" in one}
    assert {"call_flag", "rule_absence", "rule_claim", "penalise", "rule_sealed", "annul_game", "restore_to"} <= sure


def test_after_the_end_the_page_offers_what_the_core_still_takes(repo: Path) -> None:
    offered = {act["do"] for act in acts() if act.get("after")}
    taken = {name for name, kind in by_name().items() if kind.rights.after_the_end}
    assert offered == taken & {act["do"] for act in acts()}


async def test_the_page_asks_the_server_for_them(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as house:
        arbiter = await house.arbiter()
        assert await arbiter.get("/api/forms") == (200, {"acts": acts()})


def test_a_new_act_has_a_form_by_its_class_alone() -> None:
    """What a field takes is seen in its type; only what cannot be seen there is said."""
    found = {one["do"]: one for one in acts()}
    assert found["rule_stop"] == {
        "group": "clock", "do": "rule_stop", "article": "6.11.4",
        "fields": [["valid", "flag", {"value": True}], ["reason", "text", {}]],
    }  # fmt: skip
    assert found["penalise"]["after"] and found["penalise"]["sure"]["penalty"][0] == "loss"
    assert found["note_incident"]["fields"][0][2]["values"] == list(load_incident_kinds())
