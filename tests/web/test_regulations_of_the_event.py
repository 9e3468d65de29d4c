"""The event's profile and regulations, by each way that opens a table: settings, the page of all tables, import."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from server.cli import group
from server.game.laws.event_options import EventOptions
from server.game.state.state import GameState
from server.hall.event_profile import SAMPLE, EventProfile, as_toml, check_profile, kept_profile, load_profile
from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from speech.complaint import Complaint
from speech.words.config_file import source_of
from tests.web.open_house import open_house
from tests.web.test_all_tables import PGN, hall_arbiter

EVENT = """
[event]
guidelines = ["I", "III"]
default_time_s = 900
"""


def one(name: str, **more: Any) -> dict[str, Any]:
    return {"tables": [{"name": name, "white": {"name": "Ida"}, "black": {"name": "Jo"}, "control": "1800"}], **more}


@pytest.mark.law("L208", "L232", "L240")
async def test_tables_are_opened_as_the_settings_say_and_the_arbiter_may_say_otherwise(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(EVENT, "utf-8")
    settings = load_settings(tmp_path / "event.toml", port=0)
    async with open_house(tmp_path / "data", settings=settings) as house:
        chief = await hall_arbiter(house)
        status, said = await chief.get("/api/event")
        event = said["profile"]["event"]
        assert (status, event["guidelines"], event["unsupervised"]) == (200, ["I", "III"], False)
        assert (await house.visitor().get("/api/event"))[0] == 403
        assert (await chief.post("/api/tables", one("as-set")))[0] == 201
        other = {"event": {**event, "guidelines": ["III"], "unsupervised": True}}
        assert (await chief.post("/api/tables", one("other", profile=other)))[0] == 201
        status, said = await chief.post("/api/tables", one("wrong", profile={"event": {"guidelines": ["IV"]}}))
        assert status == 400 and "key event.guidelines[1]" in said["text"]
        regulations = {name: house.hall.tables[name].state.table.regulations for name in ("as-set", "other")}
        assert (regulations["as-set"].guidelines, regulations["as-set"].default_time_s) == (("I", "III"), 900)
        assert regulations["as-set"].sound_needs_consent, "as on every table that is opened here"
        assert (regulations["other"].guidelines, regulations["other"].unsupervised) == (("III",), True)
        assert house.table.state.table.regulations.guidelines == (), "the table to try things on is of no event"


@pytest.mark.law("L208", "L232")
async def test_a_server_without_such_settings_has_neither(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", settings=Settings(port=0)) as house:
        chief = await hall_arbiter(house)
        event = (await chief.get("/api/event"))[1]["profile"]["event"]
        assert (event["guidelines"], event["unsupervised"], event["sound_needs_consent"]) == ([], False, True)
        assert (await chief.post("/api/tables", one("plain")))[0] == 201
        assert house.hall.tables["plain"].state.table.regulations.guidelines == ()


@pytest.mark.law("L232")
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('[event]\nguidelines = ["IV"]', r"event\.guidelines"),
        ("[event]\nquickplay = true", r"event\.quickplay"),
        ("[event.overrides]\nillegal_loses_at = 0", r"event\.overrides\.illegal_loses_at"),
        ("event = 3", "event"),
    ],
)
def test_a_wrong_regulation_is_named_with_its_file(tmp_path: Path, text: str, path: str) -> None:
    file = tmp_path / "event.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(Complaint, match=rf"event\.toml: .*{path}|event\.toml.*{path}"):
        load_settings(file)


@pytest.mark.law("L208", "L232", "L240")
@pytest.mark.parametrize(
    ("given", "guidelines", "unsupervised"),
    [
        ([], (), False),
        (["--adjournments"], ("I",), False),
        (["--quickplay", "--unsupervised"], ("III",), True),
        (["--config", "EVENT"], ("I", "III"), False),
        (["--config", "EVENT", "--no-adjournments"], ("III",), False),
    ],
)
async def test_a_round_is_imported_with_them(
    tmp_path: Path, given: list[str], guidelines: tuple[str, ...], unsupervised: bool
) -> None:
    (tmp_path / "event.toml").write_text(EVENT, "utf-8")
    (tmp_path / "round.pgn").write_text(PGN, "utf-8")
    more = [str(tmp_path / "event.toml") if one == "EVENT" else one for one in given]
    found = await asyncio.to_thread(
        CliRunner().invoke, group, ["import", str(tmp_path / "round.pgn"), "--data", str(tmp_path / "data"), *more]
    )
    assert found.exit_code == 0, found.output
    for state in await opened_tables(tmp_path / "data"):
        settled = state.table.regulations
        assert (settled.guidelines, settled.unsupervised) == (guidelines, unsupervised)


async def opened_tables(root: Path) -> list[GameState]:
    with DataFolder.open(root, lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        try:
            assert hall.tables
            return [table.state for table in hall.tables.values()]
        finally:
            await hall.close()


PROFILE = """
name = "City Open"
control = "Schnellschach"
rated = false
language = "hu"
sighted_language = "en"
display_delay_s = 300

[event]
guidelines = ["I"]
supervision = "basic"
sound_needs_consent = false

[adaptations]
sighted_press_without_announcement = "note"
"""


def holds(state: GameState) -> None:
    """The table is as PROFILE has it."""
    table = state.table
    assert state.time.clock.control.text == "900+10", "a name in any language"
    assert (table.white.language, table.black.language) == ("hu", "en")
    settled = table.regulations
    assert (settled.guidelines, settled.supervision, settled.sound_needs_consent) == (("I",), "basic", False)
    assert not table.rated
    assert state.stations.display_delays == (("", 300),)
    assert [(one.name, one.value) for one in table.adaptations if one.approved] == [
        ("sighted_press_without_announcement", "note")
    ]


async def test_a_profile_is_loaded_once_kept_and_holds_for_each_new_round(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", settings=Settings(port=0)) as house:
        chief = await hall_arbiter(house)
        assert (await house.visitor().post("/api/event", {"text": PROFILE}))[0] == 403
        status, said = await chief.post("/api/event", {"text": PROFILE.replace("basic", "none"), "file": "city.toml"})
        assert status == 400 and 'city.toml, key event.supervision: it cannot be "none"' in said["text"]
        status, said = await chief.post("/api/event", {"text": PROFILE, "file": "city.toml"})
        assert (status, said["profile"]["name"]) == (200, "City Open")
        status, wrong = await chief.post("/api/event", {"profile": {"event": {"low_time_s": None}}})
        assert status == 400 and "key low_time_s" in wrong["text"], "nothing of JSON that TOML has not"
        assert [one["names"]["hu"] for one in said["controls"] if one["control"] == "3+2"] == ["Villám"]
    async with open_house(tmp_path / "data", settings=Settings(port=0)) as house:  # after a restart too
        chief = await hall_arbiter(house)
        body = one("kept")
        body["tables"][0]["white"]["kind"] = "tactile"
        del body["tables"][0]["control"]
        assert (await chief.post("/api/tables", body))[0] == 201
        holds(house.hall.tables["kept"].state)
        assert house.hall.tables["kept"].state.table.event_name == "City Open"
        async with chief.session.get(house.base + "/api/event.toml") as answer:
            saved = await answer.text()
        assert (
            check_profile(source_of(saved.encode(), "saved")).regulations == kept_profile(house.hall.data).regulations
        )
        assert "# how late a player may come" in saved, "with the remarks of the sample"


async def test_a_round_is_imported_with_a_profile_and_an_option_goes_before_it(tmp_path: Path) -> None:
    (tmp_path / "city.toml").write_text(PROFILE, "utf-8")
    (tmp_path / "round.pgn").write_text(PGN, "utf-8")
    (tmp_path / "kept").mkdir(0o700)
    (tmp_path / "kept" / "event.toml").write_text(PROFILE, "utf-8")
    named = ["--event", str(tmp_path / "city.toml")]
    other = [*named, "--control", "blitz", "--rated", "--language", "he"]
    for data, more in (("named", named), ("kept", []), ("other", other)):
        given = ["import", str(tmp_path / "round.pgn"), "--tactile", "Anna", "--data", str(tmp_path / data), *more]
        found = await asyncio.to_thread(CliRunner().invoke, group, given)
        assert found.exit_code == 0, found.output
    for data in ("named", "kept"):
        holds((await opened_tables(tmp_path / data))[0])
    state = (await opened_tables(tmp_path / "other"))[0]
    assert (state.time.clock.control.text, state.table.rated, state.table.black.language) == ("180+2", True, "he")


def test_the_sample_settles_nothing_and_every_profile_is_read_back() -> None:
    sample = check_profile(source_of(files("config").joinpath(SAMPLE).read_bytes(), SAMPLE))
    assert replace(sample, event={}) == EventProfile() and sample.regulations == EventProfile().regulations
    assert set(sample.event) | {"low_time_s", "overrides", "voice_days"} == set(EventOptions.__struct_fields__), (
        "each has its line"
    )
    profile = EventProfile(
        name=r'"Städte" \ 2026',
        event={"low_time_s": [300], "overrides": {"illegal_bonus": {"blitz_full_s": 60}}},
        adaptations={"spoken_time_automatic": "on"},
    )
    again = check_profile(source_of(as_toml(profile).encode(), "again"))
    assert again.regulations == profile.regulations
    assert replace(again, event={}) == replace(profile, event={})


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('control = "soon"', "control"),
        ("rated = 1", "rated"),
        ('language = "xx"', "language"),
        ('scheme = "d22"', "scheme"),
        ("display_delay_s = -1", "display_delay_s"),
        ('colour = "red"', "colour"),
        ('[adaptations]\nrank_language = "xx"', "adaptations.rank_language"),
        ('[adaptations]\nmusic = "on"', "adaptations.music"),
        ("[event]\nquickplay = true", "event.quickplay"),
    ],
)
def test_a_wrong_profile_is_one_sentence_with_file_and_key(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "city.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(Complaint, match=rf"city\.toml, key {re.escape(key)}: .*\.$") as told:
        load_profile(file)
    assert "\n" not in str(told.value)
