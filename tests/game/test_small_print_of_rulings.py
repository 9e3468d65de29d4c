"""Small print of the arbiter's acts and of assistants that mutants (`make mutants`) showed no test to hold."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.words import Duty, Origin, Role, Seat, SeatKind
from tests.game.core_table import CoreTable, only, play

EMPTY = "8/8/8/8/8/8/8/8"


def test_a_game_starts_once() -> None:
    table = CoreTable()
    assert table.do("arbiter", cmd.StartGame()) == Refusal("already_started", "6.6")


def test_who_paused_and_why_is_on_record() -> None:
    table = CoreTable()
    (paused,) = only(table.done("arbiter", cmd.Pause(reason="a dispute")), ev.ClockPaused)
    assert (paused.by, paused.seat, paused.reason) == (Role.ARBITER, None, "a dispute")


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("ms", [60_000, -60_000])
def test_time_is_given_to_or_taken_from_the_seat_that_is_named(seat: Seat, ms: int) -> None:
    table = CoreTable()
    before = {one: table.state.time.clock.remaining(one, table.now) for one in Seat}
    (given,) = only(table.done("arbiter", cmd.AddTime(seat=seat, ms=ms, reason="x", article="12.9")), ev.TimeAdded)
    assert (given.seat, given.ms, given.reason, given.article) == (seat, ms, "x", "12.9")
    assert table.state.time.clock.remaining(seat, table.now) - before[seat] == ms
    assert table.state.time.clock.remaining(seat.other, table.now) == before[seat.other]


def test_a_new_increment_comes_with_every_later_move() -> None:
    table = CoreTable(control="600")
    (new,) = only(table.done("arbiter", cmd.SetIncrement(increment_ms=5_000)), ev.IncrementSet)
    assert (new.increment_ms, new.article) == (5_000, "III.4")
    before = table.state.time.clock.remaining(Seat.WHITE, table.now)
    play(table, "e4")
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == before + 5_000


def test_a_board_is_set_by_entry_and_only_to_what_is_a_placement() -> None:
    table = CoreTable()
    wrong = cmd.SetBoard(board=Seat.WHITE, placement="8/8", turn=Seat.WHITE)
    assert table.do("arbiter", wrong) == Refusal("no_position", "D.2.9")
    (stands,) = only(
        table.done("arbiter", cmd.SetBoard(board=Seat.BLACK, placement=EMPTY, turn=Seat.BLACK)), ev.BoardSet
    )
    assert (stands.board, stands.placement, stands.turn, stands.origin) == (
        Seat.BLACK, EMPTY, Seat.BLACK, Origin.ENTERED,
    )  # fmt: skip
    assert table.placement(Seat.BLACK) == EMPTY != table.placement(Seat.WHITE)


def test_a_mend_of_a_ply_that_is_not_there_is_refused() -> None:
    table = CoreTable()
    assert table.do("arbiter", cmd.Mend(ply=1, uci="e2e4")) == Refusal("no_such_ply", "7.1")


def test_two_tactile_players_may_both_have_assistants_and_nobody_is_told_of_one_too_many() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.assistant(Seat.WHITE, Duty.EXECUTE)
    table.assistant(Seat.BLACK, Duty.EXECUTE)
    assert not [one for one in only(table.events, ev.Alerted) if one.kind == "second_assistant"]


def test_the_arbiter_hears_of_a_second_assistant_against_a_sighted_player() -> None:
    """The sighted player's was there first (D.2.11): told as a fact, with both seats by name."""
    table = CoreTable()
    table.assistant(Seat.BLACK, Duty.EXECUTE)
    assert not [one for one in only(table.events, ev.Alerted) if one.kind == "second_assistant"]
    table.assistant(Seat.WHITE, Duty.EXECUTE)
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "second_assistant"]
    assert told.detail.startswith("White now has an assistant; Black already had assistant-black") and not told.grey


def test_presence_is_noted_seat_by_seat() -> None:
    table = CoreTable(started=False)
    for seat in Seat:
        table.done("arbiter", cmd.NotePresent(seat=seat, present=True))
    assert set(table.state.schedule.attendance or ()) == set(Seat)
    table.done("arbiter", cmd.NotePresent(seat=Seat.WHITE, present=False))
    assert table.state.schedule.attendance == (Seat.BLACK,)


@pytest.mark.parametrize("kind", ["increment", "quickplay"])
def test_a_claim_in_a_quickplay_finish_rests_on_no_recognised_word(kind: str) -> None:
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",)))
    table.wait(1_700_000)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    if kind == "quickplay":
        table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
        table.done("arbiter", cmd.Resume())
        table.done("white", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    told = [one for one in only(table.events, ev.Alerted) if one.kind == "draw_claimed"]
    assert told and not any(one.grey for one in told)
    claims = [(one.seat, one.kind) for one in only(table.events, ev.DrawClaimed)]
    assert claims[-1] == (Seat.WHITE, kind)
