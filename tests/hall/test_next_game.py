"""A cancelled game and the new one instead: one act of the arbiter, and everybody goes on (L075, L077)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.exports.exports import events_from, pgn_from, report_from
from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.rulings.next_game import beginning
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.words import Role, Seat, SeatKind, Talking
from server.game.views import messages as msg
from server.journal.admissions import Admission, new_token
from server.table.table import Table
from tests.table.open_hall import STATIONS, Ear, Played, played, reopened, turn

NEXT = "t1-game2"


async def cancelled(game: Played, *, exchanged: bool = False) -> Table:
    """A move is played, settings are chosen, devices hold their tokens; then the arbiter cancels the game."""
    await game.done("arbiter", cmd.ChooseTalking(seat=Seat.WHITE, talking=Talking.TOGGLED))
    await game.done("white", cmd.ChooseEar(speed=140))
    await game.done("arbiter", cmd.RecordAdaptation(name="flag_cue_private", value="approved"))
    await game.done("arbiter", cmd.TickChecklist(item="voice_recording", seat=Seat.WHITE))
    await game.type("white", "e2 e4")
    await game.press("white")
    await game.pass_time(60_000)
    await game.done("arbiter", cmd.CancelGame(exchanged=exchanged, reason="a bishop stood wrong"))
    await turn(lambda: bool(game.ears["white"].of(msg.NextGameShown)))
    return game.hall.table(NEXT)


@pytest.mark.law("L075")
async def test_the_new_game_has_the_players_settings_and_stations_and_fresh_clocks(tmp_path: Path) -> None:
    async with played(tmp_path, regulations=EventOptions(sound_needs_consent=True)) as game:
        new = (await cancelled(game)).state
        old = game.table.state
        assert (old.ending.result, old.ending.reason, old.table.next_game is not None) == ("*", "cancelled", True)
        assert old.time.clock.running is None
        assert (new.table.white, new.table.black, new.table.regulations, new.table.rules) == (
            old.table.white,
            old.table.black,
            old.table.regulations,
            old.table.rules,
        )
        assert (
            not new.table.started and new.moves.plies == () and new.ending.result is None and new.table.follows == "t1"
        )
        assert new.time.clock.reading(0).white_ms == new.time.clock.reading(0).black_ms == 5_430_000
        assert {one.id for one in new.stations.admitted} == {one.id for one in STATIONS}
        assert new.sound.of(Seat.WHITE).talking is Talking.TOGGLED and new.sound.of(Seat.WHITE).ear.speed == 140
        assert [(one.name, one.value) for one in new.table.adaptations] == [
            (one.name, one.value) for one in old.table.adaptations
        ]
        assert [(one.item, one.seat) for one in new.table.ticks] == [("voice_recording", Seat.WHITE)]
        # It is played like any other: the arbiter starts it, and the same devices move.
        table = game.hall.table(NEXT)
        next_game = Played(game.hall, game.clock, table)
        next_game._count = 10_000
        for station in STATIONS:
            next_game.attach(station.id)
        await next_game.done("arbiter", cmd.StartGame())
        await next_game.type("white", "d2 d4")
        await next_game.press("white")
        assert table.state.made_plies == 1 and game.table.state.made_plies == 1


@pytest.mark.law("L075", "L077")
async def test_with_colours_exchanged_the_players_take_their_devices_with_them(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        new = (await cancelled(game, exchanged=True)).state
        old = game.table.state
        assert (new.table.white, new.table.black) == (
            old.table.black,
            old.table.white,
        ) and new.table.black.kind is SeatKind.TACTILE
        white = new.stations.find("white")
        assert white is not None and white.seat is Seat.BLACK
        assert new.sound.of(Seat.BLACK).ear.speed == 140 and new.sound.of(Seat.WHITE).ear.speed == 100
        assert game.ears["white"].of(msg.NextGameShown) == [msg.NextGameShown(table=NEXT, seat=Seat.BLACK)]
        assert game.ears["display"].of(msg.NextGameShown) == [msg.NextGameShown(table=NEXT, seat=None)]


@pytest.mark.law("L075")
async def test_the_players_are_told_and_a_device_that_was_away_finds_the_way(tmp_path: Path) -> None:
    async with played(tmp_path, language="en") as game:
        await cancelled(game)
        await game.told()
        said = [one.text for one in game.ears["white"].sounds]
        assert said[-2:] == ["The game is cancelled.", "A new game will be played. You have White."]
        late = Ear()
        game.table.attach("black", 0, late)
        greeted = late.received[0]
        assert greeted.greeting.next_game == msg.NextGameShown(table=NEXT, seat=Seat.BLACK)  # type: ignore[union-attr]
        assert (await game.do("white", cmd.OfferDraw())).outcome.code == "game_over"


@pytest.mark.law("L075")
async def test_tokens_open_the_new_table_also_after_a_restart(tmp_path: Path) -> None:
    tokens = {name: new_token() for name in ("white", "arbiter")}
    async with played(tmp_path) as game:
        for name, token in tokens.items():
            seat = name if name == "white" else ""
            await game.hall.admissions.admit(
                token, Admission("t1", name, "tactile" if seat else "arbiter", seat, (), 0)
            )
        await cancelled(game, exchanged=True)
        found = [(one.table, one.seat) for one in game.hall.admissions.admissions_of(tokens["white"])]
        assert found == [("t1", "white"), (NEXT, "black")]
    async with reopened(tmp_path) as (hall, _):
        found = [(one.table, one.seat) for one in hall.admissions.admissions_of(tokens["white"])]
        assert sorted(found) == [("t1", "white"), (NEXT, "black")]
        assert [one.table for one in hall.admissions.admissions_of(tokens["arbiter"])].count(NEXT) == 1
        assert set(hall.tables) == {"t1", NEXT} and hall.table(NEXT).state.table.follows == "t1"


@pytest.mark.law("L075")
async def test_what_a_crash_left_half_done_is_done_at_the_next_start(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        game.hall._following.add("t1")  # the server dies before the new table is there
        await game.done("arbiter", cmd.CancelGame())
        assert NEXT not in game.hall.tables
    async with reopened(tmp_path) as (hall, _):
        await turn(lambda: (ordered := hall.table("t1").state.table.next_game) is not None and ordered.open)
        assert {one.id for one in hall.table(NEXT).state.stations.admitted} == {one.id for one in STATIONS}


@pytest.mark.law("L075")
async def test_the_old_game_stays_on_record_and_both_reports_name_each_other(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await cancelled(game)
        old, new = await game.hall.journal.read("t1"), await game.hall.journal.read(NEXT)
        assert "1. e4" in pgn_from(old, "t1") and pgn_from(old, "t1").rstrip().endswith("*")
        report = report_from(old, "t1", "en").decode()
        assert NEXT in report and "Cancelled" in report
        assert "cancelled game at table t1" in report_from(new, NEXT, "en").decode()
        events = events_from(new, NEXT)
        assert Game.replay(events).table.follows == "t1"
        assert isinstance(events[0], ev.TableOpened) and msgspec.json.encode(events[0])


@pytest.mark.law("L075")
async def test_only_the_arbiter_and_only_a_game_that_has_begun(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        assert (await game.do("white", cmd.CancelGame())).outcome.code == "only_the_arbiter"
        second = await cancelled(game)
        again = Played(game.hall, game.clock, second)
        again._count = 10_000
        assert (await again.do("arbiter", cmd.CancelGame())).outcome.code == "not_started"
        assert (await game.do("arbiter", cmd.CancelGame())).outcome.code == "game_over"
        await again.done("arbiter", cmd.StartGame())
        await again.done("arbiter", cmd.CancelGame())
        await turn(lambda: "t1-game3" in game.hall.tables and game.hall.tables["t1-game3"].state.table.opened)
        assert game.hall.table("t1-game3").state.table.follows == NEXT
        assert all(one.role is not Role.PLAYER or one.seat for one in second.state.stations.admitted)
        assert beginning("t1", game.table.state, 0)[0].follows == "t1"  # type: ignore[union-attr]


@pytest.mark.law("L075", "L238")
async def test_the_new_game_has_the_clock_and_the_position_of_the_start(tmp_path: Path) -> None:
    """An increment that was given in the cancelled game is not given in the new one."""
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.SetIncrement(increment_ms=5_000))
        new = (await cancelled(game)).state
        assert new.time.clock.control == game.table.state.table.begun[1]  # type: ignore[index]
        assert [one.increment_ms for one in new.time.clock.control.periods] == [30_000]


@pytest.mark.law("L075")
async def test_a_table_that_has_the_name_already_is_left_alone(tmp_path: Path) -> None:
    """The stations of the cancelled game are let into its own new table only, and the report names that one."""
    async with played(tmp_path) as game:
        old = game.table.state
        foreign = await game.hall.open_table(
            cmd.OpenTable(
                white=old.table.white,
                black=old.table.black,
                start_fen=old.moves.positions[0].fen,
                control=old.time.clock.control,
            ),
            NEXT,
        )
        await game.hall.admissions.admit(token := new_token(), Admission("t1", "white", "tactile", "white", (), 0))
        assert await cancelled(game) is foreign and foreign.state.stations.admitted == ()
        assert [one.table for one in game.hall.admissions.admissions_of(token)] == ["t1", "t1-game3"]
        assert game.hall.table("t1-game3").state.table.follows == "t1"
        assert game.ears["white"].of(msg.NextGameShown) == [msg.NextGameShown(table="t1-game3", seat=Seat.WHITE)]
        assert "t1-game3" in report_from(await game.hall.journal.read("t1"), "t1", "en").decode()


@pytest.mark.law("L075")
async def test_a_shut_table_that_has_the_name_is_left_alone(tmp_path: Path) -> None:
    """Its record has events, so that a new game of that name could never be written."""
    async with played(tmp_path) as game:
        game.hall.shut[NEXT] = "event 2 was changed"
        await game.done("arbiter", cmd.CancelGame(exchanged=False, reason="a bishop stood wrong"))
        await turn(lambda: bool(game.ears["white"].of(msg.NextGameShown)))
        assert set(game.hall.tables) == {"t1", "t1-game3"}


@pytest.mark.law("L075")
async def test_what_fails_is_told_once_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0
    async with played(tmp_path) as game:
        carry = game.hall.admissions.carry

        async def failing(*given: Any) -> None:
            nonlocal tried
            tried += 1
            if tried <= 2:
                raise OSError("the disk is full")
            await carry(*given)

        monkeypatch.setattr(game.hall.admissions, "carry", failing)
        assert (await cancelled(game)).state.table.follows == "t1"
        assert tried == 3 and set(game.hall.tables) == {"t1", NEXT}
        faults = [one for one in events_from(await game.hall.journal.read("t1"), "t1") if "OSError" in str(one)]
        assert len(faults) == 1
