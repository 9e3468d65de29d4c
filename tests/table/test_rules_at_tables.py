"""A table opened in a hall carries the rules of its edition in its record."""

from __future__ import annotations

from pathlib import Path

import chess
import msgspec
import pytest

from server.demo.pacing import FastPace
from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.values.time_control import TimeControl
from server.game.values.words import SeatKind, SeatPlan
from server.hall.hall import Hall
from server.machine.data_folder import DataFolder
from speech.complaint import Complaint
from tests.hall.test_round_files import opened
from tests.table.open_hall import Played, reopened

PLAN = SeatPlan(SeatKind.SIGHTED, "", "en")
OPENING = cmd.OpenTable(white=PLAN, black=PLAN, control=TimeControl.parse("5400+30"), start_fen=chess.STARTING_FEN)


async def test_the_rules_travel_in_the_record_and_come_back_from_it(tmp_path: Path) -> None:
    older = msgspec.structs.replace(
        OPENING, rule_set="fide2018", regulations=EventOptions(overrides=(("illegal_loses_at", 3),))
    )
    with DataFolder.open(tmp_path, lock=True) as data:
        pace = FastPace()
        hall = await Hall.open(data, pace.clock)
        usual, table = await hall.open_table(OPENING, "usual"), await hall.open_table(older, "older")
        assert (usual.state.table.rules.name, usual.state.table.rules.options.resign_no_mate) == ("fide2023", "draw")
        options = table.state.table.rules.options
        assert (options.resign_no_mate, options.illegal_loses_at) == ("loss", 3), "as the event plays it"
        await hall.close()
        hall = await Hall.open(data, pace.clock)
        assert hall.table("older").state.table.rules.options == options
        await hall.close()


async def test_an_edition_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path, lock=True) as data:
        hall = await Hall.open(data, FastPace().clock)
        with pytest.raises(Complaint, match="no rule set"):
            await hall.open_table(msgspec.structs.replace(OPENING, rule_set="fide1997"))
        with pytest.raises(Complaint, match="regulations"):
            regulations = EventOptions(overrides=(("illegal_loses_at", 0),))
            await hall.open_table(msgspec.structs.replace(OPENING, regulations=regulations))
        await hall.close()


@pytest.mark.parametrize(
    ("written", "set_to"),
    [
        ("900+10", "900+10"),
        ("15 minutes + 10 seconds", "900+10"),
        ("G/60;d5", "3600d5"),
        ("40/90, SD/30; +30", "40/5400+30:1800+30"),
        ("Rapid", "900+10"),
        ("25", "1500"),
    ],
)
async def test_the_arbiter_sets_a_clock_as_people_write_it(tmp_path: Path, written: str, set_to: str) -> None:
    """One reader for all time controls (6.3.1)."""
    async with reopened(tmp_path) as (hall, clock):
        await opened(hall, 1)
        game = Played(hall, clock, hall.table("r5-b1"))
        await game.done("arbiter", cmd.SetUpClock(control=written))
        assert game.table.state.time.clock.control.text == set_to
        assert not (await game.do("arbiter", cmd.SetUpClock(control="half an hour"))).outcome.ok
