"""What each event leaves on the record of its move: the whole record is compared, and what beside it changes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.apply import apply
from server.game.state.desk import Setting
from server.game.state.endings import OpenClaim
from server.game.state.line import PlyRecord
from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.values.candidates import UtteranceHeard
from server.game.values.speech import Speech
from server.game.values.words import Origin, Seat, SeatKind
from tests.game.core_table import CoreTable, altered, said
from tests.game.test_words_on_record import HEARD, INFERRED, announced, echoed, made, sound, weighed

W, B = Seat.WHITE, Seat.BLACK
SENSED, ENTERED = Origin.SENSED, Origin.ENTERED
TWO_TACTILE: dict[str, Any] = {"white": SeatKind.TACTILE, "black": SeatKind.TACTILE}


def after(*events: ev.AnyEvent, state: GameState | None = None, **options: Any) -> GameState:
    state = CoreTable(**options).state if state is None else state
    for event in events:
        state = apply(state, event)
    return state


def moved(board: Seat, uci: str, origin: Origin, ply: int = 1, **more: Any) -> ev.BoardMoved:
    return ev.BoardMoved(at=1_000, board=board, ply=ply, uci=uci, origin=origin, **more)


def executed(ply: int = 1, at: int = 1_000) -> ev.Executed:
    return ev.Executed(at=at, board=B if ply % 2 else W, ply=ply, origin=INFERRED)


def repeated(text: str, **more: Any) -> ev.AnnouncementRepeated:
    joins = more.pop("joins", False)
    words = Speech(**{"words": (text,), "text": text, "announcement": said(text), **more})
    return ev.AnnouncementRepeated(at=1_000, seat=W, ply=1, speech=words, joins=joins)


def not_understood(seat: Seat, ply: int, utterance: str | None, **more: Any) -> ev.NotUnderstood:
    return ev.NotUnderstood(at=1_000, seat=seat, ply=ply, speech=Speech(utterance=utterance, **more))


def heard(seat: Seat, text: str, utterance: str, *, aside: bool = False) -> UtteranceHeard:
    return UtteranceHeard(seat, utterance, weighed(text), aside)


SLIP = PlyRecord(
    index=1,
    seat=W,
    announcement=said("Nf3"),
    words=("Nf3",),
    text="Nf3",
    announced_origin=HEARD,
    utterance="u1",
    announced_ms=1_000,
    utterances=(heard(W, "Nf3", "u1"),),
)


@pytest.mark.law("L182")
def test_an_announcement_is_kept_with_its_words_its_sound_and_its_time() -> None:
    state = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")))
    assert state.moves.plies == (SLIP,) and state.moves.line == ("g1f3",)
    by_board = after(announced(W, 1, "e4", by_board=True, origin=ENTERED, at=1_200))
    assert by_board.moves.plies == (
        PlyRecord(
            1,
            W,
            announcement=said("e4"),
            words=("e4",),
            text="e4",
            announced_origin=ENTERED,
            announced_ms=1_200,
            announced_by_board=True,
        ),
    )


@pytest.mark.law("L195")
def test_after_a_correction_nothing_is_left_of_what_answered_the_slip() -> None:
    state = after(
        announced(W, 1, "Nf3", **sound("Nf3", "u1")),
        repeated("Ng1f3", **sound("Ng1f3", "u2")),
        echoed(B, 1, "Nf3", **sound("Nf3", "u3")),
        executed(),
        moved(B, "g1f3", SENSED),
        ev.BeliefRevised(at=1_000, ply=1, uci="g1h3", confidence=0.9),
        announced(W, 1, "Nc3", replaces=True, at=2_000, **sound("Nc3", "u4")),
    )
    corrected = replace(
        SLIP,
        announcement=said("Nc3"),
        words=("Nc3",),
        text="Nc3",
        utterance="u4",
        announced_ms=2_000,
        utterances=(heard(W, "Nc3", "u4"),),
    )
    assert state.moves.plies == (corrected,) and state.moves.line == ("b1c3",)


@pytest.mark.law("L195")
@pytest.mark.parametrize(("differs", "entered"), [(False, "b1c3"), (True, None), (None, None)])
def test_the_move_of_the_hand_counts_for_a_correction_where_it_is_what_the_new_words_say(
    differs: bool | None, entered: str | None
) -> None:
    state = after(
        announced(W, 1, "Nf3"),
        moved(W, "b1c3", ENTERED, differs=True),
        announced(W, 1, "Nc3", replaces=True, differs=differs),
        white=SeatKind.SIGHTED,
    )
    record = state.moves.plies[0]
    assert (record.entered, record.placed, record.hand_differs) == (entered, "b1c3", differs is True)


@pytest.mark.law("L182")
def test_fuller_words_are_held_against_the_echo_that_was_there() -> None:
    """The echo named a departure that the first words left open; the fuller ones name another."""
    first = after(announced(W, 1, "Nf3"), echoed(B, 1, "Ng1f3"))
    fuller = apply(first, announced(W, 1, "Nd2f3"))
    assert fuller.moves.plies[0].echo == said("Ng1f3") and fuller.moves.plies[0].echo_agrees is False
    same = apply(first, announced(W, 1, "Ng1f3"))
    assert same.moves.plies[0].echo_agrees is True


@pytest.mark.law("L182")
def test_a_repetition_is_kept_where_it_says_more() -> None:
    first = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")))
    second = (heard(W, "Nf3", "u1"), heard(W, "Ng1f3", "u2"))
    fuller = apply(first, repeated("Ng1f3", **sound("Ng1f3", "u2")))
    assert fuller.moves.plies == (replace(SLIP, repeated=said("Ng1f3"), utterances=second),)
    shorter = apply(fuller, repeated("Nf3"))
    assert shorter == fuller
    older = ev.AnnouncementRepeated(at=1_000, seat=W, ply=1, speech=Speech(utterance="u2"))
    assert apply(first, older) == first, "an older record does not tell the words"
    unheard = after(made(W, 1))
    assert apply(unheard, repeated("Nf3")) == unheard


@pytest.mark.law("L182")
def test_an_echo_is_kept_with_its_words_its_sound_and_its_time_and_recalled_whole() -> None:
    first = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")))
    second = apply(first, echoed(B, 1, "Nc3", agrees=False, origin=ENTERED, at=2_000, **sound("Nc3", "u2")))
    assert second.moves.plies == (
        replace(
            SLIP,
            echo=said("Nc3"),
            echo_words=("Nc3",),
            echo_text="Nc3",
            echo_agrees=False,
            echo_utterance="u2",
            echo_origin=ENTERED,
            echoed_ms=2_000,
            utterances=(heard(W, "Nf3", "u1"), heard(B, "Nc3", "u2")),
        ),
    )
    assert apply(second, ev.EchoRecalled(at=1_000, seat=B, ply=1)) == first


@pytest.mark.law("L182", "L194")
def test_a_sound_without_words_stays_with_the_move_that_it_is_about() -> None:
    start = CoreTable(**TWO_TACTILE).state
    ways = {"candidates": weighed("e4")}
    own = apply(start, not_understood(W, 1, "u1", **ways))
    assert own.moves.plies == (PlyRecord(1, W, utterance="u1", utterances=(heard(W, "e4", "u1"),)),)
    again = apply(own, not_understood(W, 1, "u2"))
    assert again.moves.plies[0].utterance == "u2"
    assert apply(own, not_understood(B, 1, "u2", **ways)).moves.plies == (
        replace(own.moves.plies[0], echo_utterance="u2", utterances=(heard(W, "e4", "u1"), heard(B, "e4", "u2"))),
    )
    for nothing in (
        not_understood(B, 1, "u1", **ways),  # nothing is known of the first move yet
        not_understood(B, 2, "u1", **ways),
        not_understood(W, 3, "u1", **ways),
        not_understood(W, 1, None, **ways),
    ):
        assert apply(start, nothing) == start


@pytest.mark.law("L194")
def test_a_sound_after_the_words_were_known_is_evidence_and_no_more() -> None:
    known = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")), echoed(B, 1, "Nf3"))
    own = apply(known, not_understood(W, 1, "u2", candidates=weighed("e4")))
    assert own.moves.plies == (replace(known.moves.plies[0], utterances=(heard(W, "Nf3", "u1"), heard(W, "e4", "u2"))),)
    other = apply(known, not_understood(B, 1, "u2", candidates=weighed("e4")))
    assert other.moves.plies == (
        replace(known.moves.plies[0], utterances=(heard(W, "Nf3", "u1"), heard(B, "e4", "u2"))),
    )
    unheard = after(made(W, 1), ev.Completed(at=1_000, seat=W, ply=1, origin=INFERRED, white_ms=1, black_ms=2))
    assert apply(unheard, not_understood(W, 1, "u2")).moves.plies == unheard.moves.plies, (
        "it was pressed without a sound"
    )


@pytest.mark.law("L194")
@pytest.mark.parametrize("ply", [0, 3])
def test_what_was_set_aside_of_no_move_changes_nothing(ply: int) -> None:
    state = after(announced(W, 1, "Nf3"))
    assert (
        apply(state, ev.SetAside(at=1_000, seat=W, ply=ply, speech=Speech(utterance="u", candidates=weighed("e4"))))
        == state
    )


@pytest.mark.law("L194")
def test_what_was_set_aside_waits_for_its_move_or_stays_with_it() -> None:
    first = after(announced(W, 1, "Nf3"))
    own = apply(first, ev.SetAside(at=1_000, seat=W, ply=1, speech=Speech(utterance="u", candidates=weighed("e4"))))
    assert own.moves.plies == (replace(first.moves.plies[0], utterances=(heard(W, "e4", "u", aside=True),)),)
    waits = apply(first, ev.SetAside(at=1_000, seat=B, ply=2, speech=Speech(utterance="u", candidates=weighed("e5"))))
    assert waits == altered(first, {"moves.set_aside": (heard(B, "e5", "u", aside=True),)})
    taken = after(made(W, 1), announced(B, 2, "e5"), state=waits)
    assert taken.moves.plies[1].utterances == (heard(B, "e5", "u", aside=True),) and taken.moves.set_aside == ()


@pytest.mark.law("L195")
def test_other_words_after_the_press_are_kept_as_left_over() -> None:
    state = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")))
    words = ev.Contested(at=1_000, seat=W, ply=1, speech=Speech(announcement=said("d4"), words=("d4",), text="d4"))
    assert apply(state, words).moves.plies == (replace(SLIP, contested=True, left_over=words),)


@pytest.mark.law("L005", "L190")
def test_a_move_is_made_and_completed_at_its_times_with_what_the_clock_then_shows() -> None:
    state = after(
        announced(W, 1, "Nf3", **sound("Nf3", "u1")),
        ev.Made(at=2_000, seat=W, ply=1, origin=INFERRED),
        ev.Completed(at=3_000, seat=W, ply=1, origin=INFERRED, white_ms=7, black_ms=8),
        executed(at=4_000),
    )
    assert state.moves.plies == (
        replace(
            SLIP,
            made_ms=2_000,
            completed_ms=3_000,
            white_ms=7,
            black_ms=8,
            used_ms=2_000,
            periods=(0, 0),
            executed_ms=4_000,
        ),
    )


@pytest.mark.law("L182", "L189")
@pytest.mark.parametrize(
    ("origin", "kind", "uci", "known"),
    [
        (ENTERED, SeatKind.TACTILE, "g1f3", {"entered": "g1f3", "placed": "g1f3"}),
        (ENTERED, SeatKind.TACTILE, "b1c3", {"entered": "b1c3", "placed": "b1c3"}),
        (SENSED, SeatKind.TACTILE, "g1f3", {"entered": "g1f3", "placed": "g1f3"}),
        (SENSED, SeatKind.TACTILE, "b1c3", {"placed": "b1c3"}),  # the board does not overrule the words
        (SENSED, SeatKind.SIGHTED, "b1c3", {"entered": "b1c3", "placed": "b1c3"}),
        (INFERRED, SeatKind.TACTILE, "g1f3", {}),  # it followed the words: nothing was seen
    ],
)
def test_a_piece_moved_on_the_movers_own_board(origin: Origin, kind: SeatKind, uci: str, known: dict[str, str]) -> None:
    state = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")), moved(W, uci, origin), white=kind)
    assert state.moves.plies == (replace(SLIP, own_board_moved=True, **known),)
    start = CoreTable().state.moves.positions[0]
    assert (state.moves.white_board.position, state.moves.white_board.before) == (start.after(uci), start)
    assert state.moves.black_board.position == start


@pytest.mark.parametrize(
    ("origin", "seen"), [(ENTERED, "b1c3"), (SENSED, "b1c3"), (INFERRED, None), (Origin.DECLARED, None)]
)
def test_a_piece_moved_on_the_other_board(origin: Origin, seen: str | None) -> None:
    state = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")), moved(B, "b1c3", origin))
    assert state.moves.plies == (replace(SLIP, seen_on_other_board=seen),)
    start = CoreTable().state.moves.positions[0]
    assert (state.moves.black_board.position, state.moves.black_board.before) == (start.after("b1c3"), start)
    assert state.moves.white_board.position == start


def test_a_board_that_missed_a_move_moves_for_the_side_of_the_move_that_is_made_on_it() -> None:
    state = after(announced(W, 1, "Nf3"), made(W, 1), announced(B, 2, "Nf6"), moved(W, "g8f6", INFERRED, ply=2))
    board = state.moves.white_board
    assert board.before.turn is B and board.before.placement == CoreTable().state.moves.positions[0].placement
    assert board.position == board.before.after("g8f6")


@pytest.mark.law("L086", "L194")
def test_a_cell_is_written_where_it_belongs_and_marks_whose_words_it_was() -> None:
    state = after(announced(W, 1, "Nf3", **sound("Nf3", "u1")), made(W, 1), announced(B, 2, "Nf6"))

    def written(seat: Seat, index: int, source: str) -> GameState:
        return apply(state, ev.ScoreWritten(at=1, seat=seat, index=index, text="x", source=source, utterance="u"))

    cell = ScoreCell("x", "announcement", "u")
    own = written(W, 1, "announcement")
    assert (own.scores.white, own.scores.black) == ((cell,), ())
    assert own.moves.plies == (replace(state.moves.plies[0], scored_own=True), state.moves.plies[1])
    echo = written(B, 2, "echo")
    assert (echo.scores.white, echo.scores.black) == ((), (None, ScoreCell("x", "echo", "u")))
    assert echo.moves.plies == (state.moves.plies[0], replace(state.moves.plies[1], scored_echo=True))
    station = written(W, 1, "station")
    assert station.moves.plies == state.moves.plies and station.scores.white == (ScoreCell("x", "station", "u"),)
    beyond = written(W, 4, "announcement")
    assert beyond.moves.plies == state.moves.plies and beyond.scores.white == (None, None, None, cell)
    twice = after(ev.ScoreWritten(at=1, seat=W, index=1, text="y", source="station"), state=beyond)
    assert twice.scores.white == (ScoreCell("y", "station"), None, None, cell)


@pytest.mark.law("L101")
@pytest.mark.parametrize(
    ("offer", "stands"),
    [
        ({"draws.offer_by": W, "draws.offer_delivered": True, "draws.offer_after": 1}, False),
        (
            {"draws.offer_by": W, "draws.offer_delivered": True, "draws.offer_after": 2},
            True,
        ),  # announced before the offer
        ({"draws.offer_by": W, "draws.offer_delivered": False, "draws.offer_after": 1}, True),  # Black does not know it
        ({"draws.offer_by": B, "draws.offer_delivered": True, "draws.offer_after": 1}, True),  # Black's own
    ],
)
def test_the_opponents_next_move_rejects_an_offer_that_has_reached_them(offer: dict[str, Any], stands: bool) -> None:
    before = altered(after(announced(W, 1, "e4"), made(W, 1), announced(B, 2, "e5")), offer)
    now = apply(before, made(B, 2))
    plies = (before.moves.plies[0], replace(before.moves.plies[1], made_ms=1_000))
    assert now == altered(before, {"moves.plies": plies, "draws.offer_by": offer["draws.offer_by"] if stands else None})


@pytest.mark.law("L197")
@pytest.mark.parametrize(("because", "stands"), [("desk", True), ("restored", False)])
def test_a_move_made_shows_that_the_boards_stand_unless_the_desk_has_them(because: str, stands: bool) -> None:
    start = CoreTable().state
    setting = Setting(because, 0, start.moves.positions[0].placement, W)
    now = apply(replace(start, setting=setting), made(W, 1))
    assert now.setting == (setting if stands else None)


@pytest.mark.law("L104")
@pytest.mark.parametrize(("seat", "ply", "stands"), [(W, 2, False), (W, 3, True), (W, 4, True), (B, 2, True)])
def test_the_claimants_next_move_completed_ends_what_was_intended(seat: Seat, ply: int, stands: bool) -> None:
    """Of whom and after which ply the claim was; White completes ply 3."""
    state = after(*(made(W if number % 2 else B, number) for number in (1, 2, 3)))
    claim = OpenClaim(seat, ply, "repetition", said("Nf3"), "Nf3")
    completed = ev.Completed(at=1_000, seat=W, ply=3, origin=INFERRED, white_ms=1, black_ms=2)
    assert apply(altered(state, {"draws.intended": claim}), completed).draws.intended == (claim if stands else None)


@pytest.mark.parametrize("kind", [ev.BeliefRevised, ev.GameMended])
def test_what_was_told_of_a_ply_whose_move_is_known_otherwise_is_told_anew(kind: Any) -> None:
    state = after(announced(W, 1, "e4"), made(W, 1), announced(B, 2, "e5"), made(B, 2), announced(W, 3, "Nf3"))
    told = (("stalemate", 1, False), ("stalemate", 2, False), ("stalemate", 3, False))
    more = {"confidence": 0.9} if kind is ev.BeliefRevised else {}
    now = apply(altered(state, {"rulings.ends_told": told}), kind(at=1, ply=2, uci="e7e6", **more))
    assert now.rulings.ends_told == told[:1] and now.moves.line == ("e2e4", "e7e6", "g1f3")
