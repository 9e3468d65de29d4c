"""Small print of clocks, of questions and of what players are shown, found by mutants (`make mutants`)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.clock import ChessClock
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat
from server.game.views.view import view
from tests.game.core_table import CoreTable, only, play


def clock(control: str = "40/5400+30:1800+30") -> ChessClock:
    return ChessClock.set_to(TimeControl.parse(control)).after_start(0)


@pytest.mark.parametrize(("ms", "flagged"), [(1, False), (0, True), (-1, True)])
def test_a_display_set_to_zero_has_its_flag_down(ms: int, flagged: bool) -> None:
    set_anew = clock().with_times(ms, 60_000, Seat.WHITE, 1_000)
    assert (set_anew.white.flagged, set_anew.black.flagged) == (flagged, False)


def test_no_period_is_set_beyond_the_last() -> None:
    set_anew = clock().with_times(60_000, 60_000, Seat.WHITE, 1_000, periods=(7, 1))
    assert (set_anew.white.period, set_anew.black.period) == (1, 1)


@pytest.mark.parametrize(("turn", "kept"), [(Seat.WHITE, 3_000), (Seat.BLACK, 0)])
def test_what_ran_of_this_move_stays_only_with_the_same_player(turn: Seat, kept: int) -> None:
    """For delay and Bronstein: the new player on move has used nothing of this move."""
    assert clock().with_times(60_000, 60_000, turn, 3_000).this_move_ms == kept


def test_moves_to_control_do_not_go_below_none() -> None:
    late = clock().with_times(60_000, 60_000, Seat.WHITE, 1_000, moves=(41, 39))
    assert (late.moves_to_control(Seat.WHITE), late.moves_to_control(Seat.BLACK)) == (0, 1)


@pytest.mark.parametrize("seat", list(Seat))
def test_the_answer_goes_to_who_asked_with_the_other_sides_last_words(seat: Seat) -> None:
    table = CoreTable()
    play(table, "e4 e5")
    (answered,) = only(table.done(seat.value, cmd.Ask(what="last")), ev.Answered)
    assert answered.seat is seat
    station = table.state.stations.find(seat.value)
    assert station is not None
    shown: Any = view(answered, table.state, station)
    assert shown.words == (("e5",) if seat is Seat.WHITE else ("e4",))


@pytest.mark.parametrize(("rank", "alone"), [("e7e8", True), ("e7e8q", False)])
def test_only_a_pawn_on_its_last_rank_was_not_promoted(rank: str, alone: bool) -> None:
    table = CoreTable(fen="7k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    table.enter("white", rank)
    table.press("white")
    told = [one.kind for one in only(table.events, ev.Alerted)]
    assert ("not_legal" in told) is alone


@pytest.mark.law("L067", "L074")
@pytest.mark.parametrize(
    ("corrected_after", "back_to", "times", "alerted"),
    [
        ("e4 e5", 1, "stored", True),
        ("e4 e5", 2, "stored", True),  # the times of that ply are those of its press
        ("", 0, "stored", True),
        ("e4 e5", 3, "stored", False),
        ("e4 e5", 1, "leave", False),
    ],
)
def test_the_arbiter_is_told_where_stored_times_come_back_from_before_a_correction(
    corrected_after: str, back_to: int, times: Any, alerted: bool
) -> None:
    """A correction may belong to the stored times (a wrong setting) or not (a missed press): nobody guesses."""
    table = CoreTable(control="3600+30")
    play(table, corrected_after, wait=10_000)
    table.done("arbiter", cmd.SetClock(white_ms=5_400_000, black_ms=5_400_000, turn=Seat.WHITE, reason="x"))
    play(table, "Bc4 Bc5 Nf3" if corrected_after else "e4 e5 Bc4")
    events = table.done("arbiter", cmd.RestoreTo(ply=back_to, times=times))
    wrong = [one for one in only(events, ev.Alerted) if one.kind == "clock_wrong"]
    assert [one.ply for one in wrong] == ([back_to] if alerted else [])
    assert all("the clock was set by hand since" in one.detail for one in wrong)


@pytest.mark.law("L067", "L074")
def test_after_the_times_were_left_as_they_are_later_stored_times_have_the_correction_in_them() -> None:
    table = CoreTable(control="3600+30")
    play(table, "e4 e5 Nf3 Nc6 Bb5 a6")
    table.done("arbiter", cmd.SetClock(white_ms=5_400_000, black_ms=5_400_000, turn=Seat.WHITE, reason="x"))
    table.done("arbiter", cmd.RestoreTo(ply=2, times="leave"))
    table.done("arbiter", cmd.Resume())
    play(table, "Nf3 Nc6")
    events = table.done("arbiter", cmd.RestoreTo(ply=3, times="stored"))
    assert not [one for one in only(events, ev.Alerted) if one.kind == "clock_wrong"]
