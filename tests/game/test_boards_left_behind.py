"""Which board lacks the last move, whose own move shows it carried out, what a sound belongs to; step by step."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from server.game.state.clock import told_again
from server.game.values.adjournment import SealedMove
from server.game.values.words import Origin, Seat, SeatKind
from server.game.views.view import picture
from tests.game.core_table import CoreTable, only, play, said

W, B = Seat.WHITE, Seat.BLACK
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


def behind(table: CoreTable) -> Seat | None:
    return picture(table.state, table.now).behind


def test_the_board_that_only_lacks_the_last_move_is_named_until_it_stands_there() -> None:
    table = CoreTable()
    seen = [behind(table)]
    table.say("white", "e4")
    seen.append(behind(table))  # nothing stands anywhere yet
    table.press("white")
    seen.append(behind(table))  # on White's board: Black's lacks it
    table.done("black", cmd.Execute())
    seen.append(behind(table))
    table.enter("black", "e7e5", "e5")
    seen.append(behind(table))  # on Black's: White's lacks it
    table.press("black")
    table.say("white", "e5", act="echo")
    table.say("white", "Nf3", act="announce")
    seen.append(behind(table))
    table.press("white")
    seen.append(behind(table))
    assert seen == [None, None, B, None, W, W, B]


def test_a_board_that_differs_otherwise_is_not_merely_behind() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.done("arbiter", cmd.SetBoard(board=B, placement="8/8/8/8/8/8/8/8", turn=W))
    table.press("white")
    assert behind(table) is None


@pytest.mark.law("L200")
def test_a_players_next_move_shows_that_the_opponents_stands_on_their_board() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    for seat, text in ((W, "e4"), (B, "e5")):
        table.say(seat.value, text, act="announce")
        table.press(seat.value)
    assert table.placement(W) == E4 and table.placement(B) == E4_E5, "Black's own move carried White's out"
    assert table.ply(1).executed_ms == table.now and table.ply(2).executed_ms is None
    done = table.done("white", cmd.Execute())
    assert only(done, ev.BoardMoved) == [
        ev.BoardMoved(at=table.now, board=W, ply=2, uci="e7e5", origin=Origin.DECLARED)
    ]
    assert table.placement(W) == table.placement(B) == E4_E5


@pytest.mark.parametrize("instead", [False, True])
def test_a_sensed_own_move_carries_the_opponents_out_unless_it_corrects_one(instead: bool) -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    play(table, "e4")
    on = table.placement(B)
    table.own(cmd.SenseMove(seat=B, uci="e7e5", instead=instead, on=on))
    carried = [one for one in only(table.events, ev.Executed) if one.board is B]
    assert [(one.ply, one.origin) for one in carried] == ([] if instead else [(1, Origin.INFERRED)])


def test_a_sound_stays_with_the_move_that_it_was_said_of() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.mumble("white", "w1")
    assert table.ply(1).utterance == "w1"
    table.mumble("white", "w2")
    assert table.ply(1).utterance == "w2", "the later one, as long as nothing was understood"
    table.press("white")
    table.mumble("black", "b1")
    assert (table.ply(1).echo_utterance, table.ply(1).utterance) == ("b1", "w2")
    table.say("black", "e5", act="announce", utterance="b2")
    table.mumble("black", "b3")
    assert table.ply(2).utterance == "b2", "words were understood: a cough after them is not the announcement"
    table.press("black")
    table.mumble("black", "b4")
    assert table.ply(2).utterance == "b2", "nor is what is said after the press"


CUED = ((W, 300), (W, 10), (W, 3), (B, 300), (B, 5))


@pytest.mark.law("L192")
@pytest.mark.parametrize(
    ("seat", "all_of_them", "left"),
    [
        (W, False, ((W, 300), (B, 300), (B, 5))),
        (W, True, ((B, 300), (B, 5))),
        (B, False, ((W, 300), (W, 10), (W, 3), (B, 300))),
        (B, True, ((W, 300), (W, 10), (W, 3))),
    ],
)
def test_a_move_begins_the_countdown_anew_and_new_time_every_threshold(
    seat: Seat, all_of_them: bool, left: Any
) -> None:
    assert told_again(CUED, seat, all_of_them=all_of_them) == left


@pytest.mark.law("L192")
def test_a_threshold_is_told_once_over_a_press_and_again_after_time_was_given() -> None:
    table = CoreTable(control="60")
    table.adapt("spoken_time_automatic")
    table.done("white", cmd.AskForCues(at_s=(50,)))

    def told() -> int:
        table.own(cmd.NoteInstant())
        return sum(one.left_s == 50 for one in only(table.events, ev.TimeCued))

    table.wait(11_000)
    assert told() == 1
    table.press("white")
    table.press("black")
    table.wait(500)
    assert told() == 1, "a press tells no threshold again"
    table.done("arbiter", cmd.AddTime(seat=W, ms=5_000))
    table.wait(5_000)
    assert told() == 2


@pytest.mark.law("L216", "L217")
def test_the_opening_of_the_envelope_in_full() -> None:
    table = CoreTable(regulations=EventOptions(guidelines=("I",)), control="600+5")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt", session_left_ms=30_000))
    table.wait(10_000)
    sealed = table.done("white", cmd.SealMove(sealed="b25l", sha256="ab", utterance="w1"))
    assert list(sealed) == [
        ev.MoveSealed(at=11_000, seat=W, ply=1, sealed="b25l", sha256="ab", utterance="w1", understood=True)
    ]
    table.press("white")
    assert table.state.time.clock.reading(table.now).white_ms == 605_000 - 30_000 + 5_000
    table.done("arbiter", cmd.MarkPresent(seat=B))
    table.wait(1_000)
    content = SealedMove(announcement=said("e4"), words=("e4",), text="e4", utterance="w1")
    done = table.done("arbiter", cmd.OpenEnvelope(content=content))
    assert [type(one).__name__ for one in done if not isinstance(one, ev.Alerted)][:6] == [
        "ResumptionBegun", "EnvelopeOpened", "Announced", "Made", "Completed", "BoardMoved",
    ]  # fmt: skip
    assert only(done, ev.EnvelopeOpened) == [
        ev.EnvelopeOpened(at=12_000, seat=W, ply=1, content=content, found="played", readings=("e2e4",))
    ]
    assert only(done, ev.Made) == [ev.Made(at=12_000, seat=W, ply=1, origin=Origin.DECLARED)]
    assert only(done, ev.Completed) == [
        ev.Completed(at=12_000, seat=W, ply=1, origin=Origin.DECLARED, white_ms=580_000, black_ms=605_000)
    ]
    assert only(done, ev.ClockResumed) == [ev.ClockResumed(at=12_000)] and table.state.time.clock.running is B
    assert table.state.moves.line == ("e2e4",) and not only(done, ev.GameMended)


@pytest.mark.law("L216")
@pytest.mark.parametrize(
    ("content", "found"),
    [
        (SealedMove(uci="e2e5"), "illegal"),
        (SealedMove(utterance="w1"), "undeterminable"),
        (SealedMove(announcement=said("Nf3")), "played"),
    ],
)
def test_what_is_no_move_stops_the_clock_and_waits_for_the_arbiter(content: SealedMove, found: str) -> None:
    table = CoreTable(regulations=EventOptions(guidelines=("I",), default_time_s=60))
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    table.done("white", cmd.SealMove(sealed="b25l", sha256="ab"))
    table.press("white")
    table.done("arbiter", cmd.StartResumption())
    assert table.state.time.clock.running is B
    table.done("arbiter", cmd.MarkPresent(seat=B))
    done = table.done("arbiter", cmd.OpenEnvelope(content=content))
    assert only(done, ev.EnvelopeOpened)[0].found == found
    if found != "played":
        assert [(one.by.value, one.reason) for one in only(done, ev.ClockPaused)] == [("arbiter", "I.8")]
        (lost,) = [one for one in only(done, ev.Alerted) if one.kind == "sealed_lost"]
        assert (lost.ply, lost.grey, lost.utterance) == (1, False, content.utterance) and "0-1" in lost.detail
        assert not table.state.over and table.state.moves.line == ()
