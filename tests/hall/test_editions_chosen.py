"""Every edition of the Laws is chosen by each door, takes effect at the table, and stands on what is signed (L001)."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli import group
from server.exports.exports import events_from
from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Role, Seat, Station
from server.hall.event_profile import check_profile, load_profile
from server.hall.hall import Hall
from server.machine import rated_sheet
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from server.wording.rules import editions, load_rule_set, titles_of_edition
from speech.complaint import Complaint
from speech.words.config_file import Source, language_tags
from tests.table.open_hall import Played, reopened
from tests.web.open_house import open_house
from tests.web.test_all_tables import PGN, hall_arbiter

NAMES = "fide2023, fide2018, fide2017h2, short"


async def imported(folder: Path, *options: str) -> str:
    """The output of `import` into a data folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "round.pgn").write_text(PGN, "utf-8")
    arguments = ["import", str(folder / "round.pgn"), "--data", str(folder / "data"), *options]
    done = await asyncio.to_thread(CliRunner().invoke, group, arguments)
    if done.exception is not None:
        raise done.exception
    return done.output


async def rule_sets(root: Path) -> set[str]:
    with DataFolder.open(root, lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        try:
            return {table.state.table.rule_set for table in hall.tables.values()}
        finally:
            await hall.close()


@pytest.mark.law("L001")
@pytest.mark.parametrize("door", ["option", "event", "config", "kept"])
async def test_a_round_is_imported_under_any_edition(tmp_path: Path, door: str) -> None:
    for name in editions():
        folder, file = tmp_path / name, tmp_path / f"{name}.toml"
        file.write_text(f'edition = "{name}"\n', "utf-8")
        if door == "kept":
            with DataFolder.open(folder / "data", lock=True) as data:
                data.event_profile.write_text(file.read_text("utf-8"), "utf-8")
        options = {"option": ["--edition", name], "kept": []}.get(door, [f"--{door}", str(file)])
        await imported(folder, *options)
        assert await rule_sets(folder / "data") == {name}


@pytest.mark.law("L001")
async def test_an_edition_that_is_not_there_is_one_sentence_that_names_those_there_are(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    file.write_text('edition = "fide1997"\n', "utf-8")
    asked: list[Any] = [lambda: load_settings(file), lambda: load_profile(file), lambda: load_rule_set("fide1997")]
    for ask in asked:
        with pytest.raises(Complaint, match=NAMES) as told:
            ask()
        assert "\n" not in str(told.value)
    with pytest.raises(Complaint, match=NAMES):
        await imported(tmp_path / "look", "--edition", "fide1997", "--look")
    async with open_house(tmp_path / "data", settings=Settings(port=0)) as house:
        chief = await hall_arbiter(house)
        table = {"name": "t", "white": {"name": "Ida"}, "black": {"name": "Jo"}}
        for body in (
            {"tables": [{**table, "edition": "fide1997"}]},
            {"tables": [table], "profile": {"edition": "fide1997"}},
        ):
            status, said = await chief.post("/api/tables", body)
            assert status == 400 and NAMES in said["text"] and not house.hall.has("t")


@pytest.mark.law("L001")
async def test_the_page_and_its_api_open_tables_under_any_edition(tmp_path: Path) -> None:
    settings = Settings(port=0, edition="fide2018", event={"overrides": {"illegal_loses_at": 3}})
    async with open_house(tmp_path / "data", settings=settings) as house:
        chief = await hall_arbiter(house)
        said = (await chief.get("/api/event"))[1]
        assert (said["editions"], said["profile"]["edition"]) == (list(editions()), "fide2018")
        table = {"white": {"name": "Ida"}, "black": {"name": "Jo"}}
        asked = [{**table, "name": name, "edition": name} for name in editions()]
        assert (await chief.post("/api/tables", {"tables": [*asked, {**table, "name": "kept"}]}))[0] == 201
        for name in editions():
            known = house.hall.tables[name].state.table
            assert (known.rule_set, known.rules.options.illegal_loses_at) == (name, 3), "as the event plays it"
        assert house.hall.tables["kept"].state.table.rule_set == "fide2018"
        status, said = await chief.post("/api/event", {"profile": {"edition": "short"}})
        assert status == 200 and said["profile"]["edition"] == "short"
        assert (await chief.post("/api/tables", {"tables": [{**table, "name": "later"}]}))[0] == 201
        assert house.hall.tables["later"].state.table.rule_set == "short"


# Of each edition: what a wrong claim of a draw gives the opponent in rapid play (9.5.3), what reversed colours lead to
# before ten moves (7.3), and how many illegal moves lose (7.5.5).
EFFECTS = {
    "fide2023": (60_000, "new_game", 2),
    "fide2018": (120_000, "new_game", 2),
    "fide2017h2": (None, "arbiter", 2),
    "short": (None, "continue", 3),
}


def test_of_each_edition_it_is_written_what_takes_effect() -> None:
    assert set(EFFECTS) == set(editions()), "write into EFFECTS what the new edition gives"


@pytest.mark.law("L001", "L077", "L084", "L111", "L153", "L245")
@pytest.mark.parametrize("name", EFFECTS)
async def test_each_edition_takes_effect_at_a_table_that_was_imported(tmp_path: Path, name: str) -> None:
    """What the editions differ in is ruled at the live table as the one that was chosen has it."""
    bonus, colours, loses_at = EFFECTS[name]
    await imported(tmp_path, "--edition", name, "--control", "15+10")
    async with reopened(tmp_path / "data") as (hall, clock):
        game = Played(hall, clock, hall.table("r3-b1"))
        assert game.table.state.table.rules == load_rule_set(name)
        for station in (
            Station("white", Role.PLAYER, Seat.WHITE),
            Station("black", Role.PLAYER, Seat.BLACK),
            Station("arbiter", Role.ARBITER),
        ):
            await game.table.admit(station)
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.done("arbiter", cmd.RuleSetUp(what="colours", names="keep"))
        await game.done("white", cmd.ClaimDraw(kind="repetition"))
        before = game.table.state.time.clock.remaining(Seat.BLACK, clock.mono_ms())
        await game.done("arbiter", cmd.RuleClaim(ruling="wrong"))
        given = game.table.state.time.clock.remaining(Seat.BLACK, clock.mono_ms()) - before
        assert given == (bonus or 0)
        alerts = {one.kind for one in await events_of(hall) if isinstance(one, ev.Alerted)}
        assert ("bonus_unstated" in alerts) is (bonus is None)
        await game.done("arbiter", cmd.Resume())
        for count in range(1, loses_at + 1):
            await game.type("white", "e2 e5", act="announce")
            await game.press("white")
            ruled = cmd.RuleIrregularity(ply=game.table.state.made_plies, seat=Seat.WHITE, kind="illegal")
            await game.done("arbiter", ruled)
            (*_, ruling) = [one for one in await events_of(hall) if isinstance(one, ev.IrregularityRuled)]
            assert ruling.loses is (count == loses_at), f"{count} of {loses_at}"
            if count < loses_at:
                await game.done("arbiter", cmd.RestoreTo(ply=0))
                await game.do("arbiter", cmd.Resume())
        (set_up,) = [one for one in await events_of(hall) if isinstance(one, ev.SetUpRuled)]
        assert set_up.says == colours


async def events_of(hall: Hall) -> list[ev.AnyEvent]:
    """What stands on the record of the table."""
    return list(events_from(await hall.journal.read("r3-b1"), "r3-b1"))


@pytest.mark.law("L001", "L226")
async def test_chess960_is_refused_under_an_edition_without_it(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="Guidelines II"):
        await imported(tmp_path / "short", "--edition", "short", "--chess960", "draw")
    await imported(tmp_path / "fide", "--chess960", "draw")
    with DataFolder.open(tmp_path / "fide" / "data", lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        starts = {table.state.moves.positions[0] for table in hall.tables.values()}
        await hall.close()
    assert len(hall.tables) == 2 and len(starts) == 1, "drawn once for the round"
    assert starts.pop().chess960


@pytest.mark.law("L001", "L134")
async def test_the_edition_stands_on_the_rated_sheet_and_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(rated_sheet, "engines_on_path", lambda: ())
    monkeypatch.setattr(rated_sheet, "engine_packages", lambda say: ())
    config = tmp_path / "event.toml"
    config.write_text('edition = "fide2018"\n[event.overrides]\nillegal_loses_at = 3\n', "utf-8")
    sheet = ["doctor", "--rated", "--data", str(tmp_path / "data"), "--config", str(config)]
    title = titles_of_edition("fide2018")
    before = await asyncio.to_thread(CliRunner().invoke, group, sheet)
    assert before.exit_code == 0 and f"{title['en']} (fide2018)" in before.output
    assert "illegal_loses_at = 3" in before.output
    await imported(tmp_path, "--edition", "short")
    after = await asyncio.to_thread(CliRunner().invoke, group, sheet)
    assert f"{title['en']} (fide2018)" in after.output and "short: r3-b1, r3-b2" in after.output
    for tag in language_tags():
        report = await asyncio.to_thread(
            CliRunner().invoke, group, ["report", "r3-b1", "--data", str(tmp_path / "data"), "--language", tag]
        )
        assert titles_of_edition("short")[tag] in report.output


def test_an_edition_is_one_file_of_the_folder(tmp_path: Path, repo: Path) -> None:
    """A new edition is a file with its options, articles and titles: it is listed and loaded."""
    shutil.copytree(repo / "config" / "languages", tmp_path / "languages")
    folder = tmp_path / "rules" / "editions"
    folder.mkdir(parents=True)
    for path in (repo / "config" / "rules" / "editions").iterdir():
        (folder / path.name).write_text(path.read_text("utf-8"), "utf-8")
    text = (folder / "fide2023.toml").read_text("utf-8")
    (folder / "fide2027.toml").write_text(
        text.replace("in_force_from = 2023-01-01", 'text.en = "FIDE 2027"\nin_force_from = 2027-01-01'), "utf-8"
    )
    assert editions(tmp_path) == ("fide2027", *editions())
    assert load_rule_set("fide2027", tmp_path).options == load_rule_set("fide2023").options
    named = [
        path
        for path in (repo / "server").rglob("*.py")
        if any(f'"{name}"' in path.read_text("utf-8") for name in editions() if name != "short")
    ]
    allowed = {"settings.py", "table.py", "program.py"}  # the one where nobody chose; the words of older records
    assert {path.name for path in named} <= allowed
    with pytest.raises(Complaint, match=NAMES):
        check_profile(Source("event.toml", {"edition": "fide2027"}))
