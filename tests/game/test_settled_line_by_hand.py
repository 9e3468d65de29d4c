"""The game as it is settled at the desk (D.2.9), by hand: its position, which record is whose, what names a ply."""

from __future__ import annotations

from itertools import product
from typing import Any

import chess
import pytest
from msgspec.structs import replace

from server.game import acts as ev
from server.game.decide.rulings.settled_line import SettledLine, line_of_moves, line_to_position, records_kept
from server.game.decide.scores import snapshot_of
from server.game.laws.touch import Touch, TouchHow
from server.game.state.apply import apply
from server.game.state.desk import Desk, Setting
from server.game.state.endings import OpenClaim, Pending
from server.game.state.line import PlyRecord, believed_line
from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.words import Origin, Seat
from tests.game.core_table import CoreTable, altered, fields_of, said

W, B = Seat.WHITE, Seat.BLACK
START = Position.from_fen(chess.STARTING_FEN)
BASE = CoreTable().state
FILES = "abcdefgh"
PAWNS = tuple(f"{file}{start}{file}{start + step}" for file in FILES for start, step in ((2, 1), (7, -1)))
"""a2a3 a7a6 b2b3 b7b6 ...: sixteen plies of which each is another move."""


def record(index: int, uci: str | None, *, how: str = "announcement", seat: Seat | None = None) -> PlyRecord:
    """A ply of which this move is known by one source; None: nothing was understood."""
    words = None if uci is None else Announcement(from_square=uci[:2], to_square=uci[2:4])
    known: dict[str, Any] = {} if uci is None else {how: words}
    if how in ("mended", "entered", "seen_on_other_board") and uci is not None:
        known = {how: uci}
    seat = seat or (W if index % 2 else B)
    return PlyRecord(index, seat, made_ms=index, completed_ms=index, **known)


def state_of(*moves: str | None, start: Position = START) -> GameState:
    plies = tuple(record(index, uci) for index, uci in enumerate(moves, 1))
    return with_plies(plies, start=start)


def with_plies(plies: tuple[PlyRecord, ...], *, start: Position = START) -> GameState:
    line, positions = believed_line(start, plies)
    return altered(BASE, {"moves.plies": plies, "moves.line": line, "moves.positions": positions})


def settled(*moves: str, start: Position = START) -> SettledLine:
    line = line_of_moves(start, moves)
    assert line is not None
    return line


# The line


@pytest.mark.law("L197")
def test_a_line_is_what_each_side_can_carry_out_in_turn() -> None:
    position = START.after("e2e4").after("e7e5")
    assert line_of_moves(START, ("e2e4", "e7e5")) == SettledLine(2, ("e2e4", "e7e5"), position)
    assert line_of_moves(START, ()) == SettledLine(0, (), START)
    assert line_of_moves(START, ("e2e4", "e2e4")) is None, "nothing stands there"
    assert line_of_moves(START, ("e3e4",)) is None
    assert line_of_moves(START, ("e7e5",)) is None, "it is White's turn"
    assert line_of_moves(START, ("e2e4", "d2d4")) is None, "it is Black's turn"
    black = Position.from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
    assert line_of_moves(black, ("e8d8",)) == SettledLine(1, ("e8d8",), black.after("e8d8"))


@pytest.mark.law("L197")
def test_the_line_to_a_placement_is_the_servers_own_or_has_another_last_move_or_is_not_known() -> None:
    moves = ("e2e4", "e7e6", "d2d4")
    state = state_of(*moves)
    own = state.moves.positions
    for ply in range(4):
        assert line_to_position(state, ply, own[ply].placement) == SettledLine(ply, moves[:ply], own[ply])
    other = START.after("e2e4").after("e7e5")
    assert line_to_position(state, 2, other.placement) == SettledLine(2, ("e2e4", "e7e5"), other)
    assert line_to_position(state, 0, other.placement) is None, "before the first move no other position stood"
    bare = "4k3/8/8/8/8/8/8/4K3"
    found = line_to_position(state, 2, bare)
    assert found == SettledLine(2, None, Position.from_fen(f"{bare} w - - 0 2"))
    found = line_to_position(state, 3, bare)
    assert found == SettledLine(3, None, Position.from_fen(f"{bare} b - - 0 2"))


@pytest.mark.law("L197")
def test_a_position_alone_goes_on_from_the_last_one_that_is_known() -> None:
    state = state_of("e2e4", None, "d2d4")
    assert len(state.moves.positions) == 2
    castle = "r3k2r/8/8/8/8/8/8/R3K2R"
    for ply, turn, number in ((1, "b", 1), (2, "w", 2), (3, "b", 2), (4, "w", 3), (5, "b", 3)):
        wanted = Position.from_fen(f"{castle} {turn} KQkq - 0 {number}")
        assert line_to_position(state, ply, castle) == SettledLine(ply, None, wanted)
    after = START.after("e2e4").after("c7c5").placement
    assert line_to_position(state, 2, after) == SettledLine(2, ("e2e4", "c7c5"), START.after("e2e4").after("c7c5")), (
        "one legal move leads there"
    )
    first = START.after("e2e4")
    assert line_to_position(state_of(None), 1, first.placement) == SettledLine(1, ("e2e4",), first)
    black = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R b - - 7 40")
    state = state_of("a8b8", "a1b1", start=black)
    for ply, turn, number in ((1, "w", 41), (2, "b", 41), (3, "w", 42)):
        wanted = Position.from_fen(f"4k3/8/8/8/8/8/8/4K3 {turn} - - 0 {number}")
        found = line_to_position(state, ply, wanted.placement)
        assert found == SettledLine(ply, None, wanted), "the moves are numbered on from 40"


@pytest.mark.law("L197")
def test_the_right_to_castle_is_as_it_was_then_and_not_as_a_later_move_left_it() -> None:
    state = state_of("a1b1", "e8d8", "e1e2", start=Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9"))
    castle = "r3k2r/7P/8/8/8/8/8/R3K2R"
    for ply, turn, rights, number in ((1, "b", "Kkq", 9), (2, "w", "K", 10), (3, "b", "-", 10)):
        wanted = Position.from_fen(f"{castle} {turn} {rights} - 0 {number}")
        assert line_to_position(state, ply, castle) == SettledLine(ply, None, wanted)


@pytest.mark.law("L197")
def test_where_a_move_on_the_way_is_not_known_the_moves_are_not() -> None:
    anchor = START.after("e2e4").after("e7e5")
    plies = (record(1, None), replace(record(2, None), anchor=anchor), record(3, "d2d4"))
    state = with_plies(plies)
    assert state.moves.line == (None, None, "d2d4")
    assert line_to_position(state, 2, anchor.placement) == SettledLine(2, None, anchor)
    after = anchor.after("d2d4")
    assert line_to_position(state, 3, after.placement) == SettledLine(3, None, after)
    other = anchor.after("g1f3")
    assert line_to_position(state, 3, other.placement) == SettledLine(3, None, other)


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    ("heard", "right"),
    [
        (("e2e4", "e7e6", "d2d4"), ("e2e4", "e7e5", "d2d4")),
        (("e2e4", "e7e6", "d2d4"), ("e2e3", "e7e6", "d2d4")),
        (("e2e4", "e7e6", "d2d4", "d7d5", "b1c3"), ("e2e4", "e7e6", "d2d3", "d7d5", "b1c3")),
        (("e1e3", "e7e6", "d2d4"), ("e2e4", "e7e6", "d2d4")),  # the one that was no legal move is the other one
    ],
)
def test_one_move_before_the_last_may_be_another_where_all_others_can_be_played_as_they_are(
    heard: tuple[str, ...], right: tuple[str, ...]
) -> None:
    wanted = settled(*right)
    assert line_to_position(state_of(*heard), len(heard), wanted.position.placement) == wanted


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    ("heard", "played"),
    [
        (("e2e4", "e7e6", "d2d4"), ("e2e3", "e7e5", "d2d4")),  # two are others
        (("e1e3", "e7e6", "d2d4"), ("e1e3", "e7e5", "d2d4")),  # the line rests on a move that is not legal
    ],
)
def test_where_more_than_one_move_was_another_the_position_stands_alone(
    heard: tuple[str, ...], played: tuple[str, ...]
) -> None:
    position = START
    for uci in played:
        position = position.after(uci)
    found = line_to_position(state_of(*heard), len(heard), position.placement)
    assert found is not None and found.moves is None and found.position.placement == position.placement


@pytest.mark.law("L197")
def test_nobody_guesses_which_move_it_was_where_two_lead_there() -> None:
    """The pawn was replaced by some piece, which was captured at once."""
    start = Position.from_fen("7r/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    taken = start.after("a7a8q").after("h8a8").placement
    found = line_to_position(state_of("e1e2", "h8a8", start=start), 2, taken)
    assert found is not None and (found.moves, found.position.placement) == (None, taken)


@pytest.mark.law("L197")
def test_a_line_that_is_shorter_than_the_position_has_no_moves_to_it() -> None:
    right = START.after("e2e3").placement
    found = line_to_position(state_of("e2e4"), 3, right)
    assert found is not None and (found.ply, found.moves) == (3, None)


@pytest.mark.law("L197")
@pytest.mark.parametrize("found", [None, START.after("e2e4").after("e7e5")])
def test_a_line_in_which_a_ply_changes_is_as_it_would_be_read_from_the_start(found: Position | None) -> None:
    """Nobody knows the second ply; after the fourth the arbiter has found the position, or has not."""
    known = (record(1, "e2e4"), record(2, None), record(3, "g1f3"), record(4, None), record(5, "f1c4"))
    plies = tuple(replace(one, anchor=found) if one.index == 4 else one for one in known)
    moves = with_plies(plies).moves
    for place, uci in product(range(5), ("a2a3", "a7a6", None)):
        mended = replace(plies[place], mended=uci, unknown=uci is None)
        after = moves.with_record(mended)
        assert after.plies == (*plies[:place], mended, *plies[place + 1 :])
        assert (after.line, after.positions) == believed_line(START, after.plies)


# Which record belongs to which move


@pytest.mark.law("L194", "L197")
@pytest.mark.parametrize(
    ("heard", "moves", "records"),
    [
        ((), ("e2e4",), (0,)),
        (("e2e4", "e7e5"), ("e2e4", "e7e5"), (1, 2)),
        (("e2e4", "e7e6"), ("e2e4", "e7e5"), (1, 2)),  # misheard
        (("e2e4", None), ("e2e4", "e7e5"), (1, 2)),
        (("e2e4", None), ("d2d4",), (1,)),  # Black's record is about no move of White's
        ((None, None), ("e2e4", "e7e5"), (1, 2)),
        (("e2e4", "e7e5", "d2d4"), ("e2e4",), (1,)),
        (("e2e4", "e7e5", "d2d4", "d7d5"), ("e2e4", "e7e5"), (1, 2)),
        (("e2e4",), ("e2e4", "e7e5"), (1, 0)),
        (("e2e4", "e7e5", "f1c4", "g8f6"), ("e2e4", "e7e5", "d2d3", "d7d6", "f1c4", "g8f6"), (1, 2, 0, 0, 3, 4)),
        (("e2e4", "e7e5", "g1f3", "b8c6", "f1c4"), ("e2e4", "e7e5", "f1c4"), (1, 2, 5)),
        (("a2a3", "a7a6", "b2b3", "h7h6", "c2c3"), ("a2a3", "h7h6"), (1, 4)),
        (("a2a3", "a7a6"), (), ()),
        # two that were misheard in a row stay where they are, three do not
        (("a2a3", "a7a6"), ("h2h3", "h7h6"), (1, 2)),
        (("b2b3", "b7b6", "c2c3"), ("h2h3", "h7h6", "b2b3"), (0, 0, 1)),
        # of two ways that cost the same the one that stays closer to the numbers
        (("b2b3", "b7b6", "c2c3"), ("h2h3",), (1,)),
        (("b2b3", "b7b6", None, None), ("h2h3", "h7h6", "b2b3", "b7b6"), (1, 2, 3, 4)),
        (("b2b3", "b7b6", "c2c3", None), ("h2h3", "h7h6", "b2b3", "b7b6"), (0, 0, 1, 2)),
    ],
)
def test_a_record_goes_with_the_move_that_it_says(
    heard: tuple[str | None, ...], moves: tuple[str, ...], records: tuple[int, ...]
) -> None:
    assert records_kept(state_of(*heard), settled(*moves), back=False) == records


@pytest.mark.law("L194")
@pytest.mark.parametrize("how", ["announcement", "repeated", "echo", "mended", "entered", "seen_on_other_board"])
def test_whatever_source_says_the_move_the_record_is_about_it(how: str) -> None:
    """Two plies were missed at the start: the three records that say the later moves move on by two."""
    later = ("a2a3", "a7a6", "b2b3")
    plies = tuple(record(index, uci, how=how) for index, uci in enumerate(later, 1))
    assert records_kept(with_plies(plies), settled("h2h3", "h7h6", *later), back=False) == (0, 0, 1, 2, 3)
    state = with_plies(tuple(record(index, uci, how=how) for index, uci in enumerate(("h2h4", "h7h5", "g2g4"), 1)))
    assert records_kept(state, settled("h2h3", "h7h6", "g2g3"), back=False) == (1, 2, 3)


LATER = (*PAWNS, *(f"{one[0]}{3 if one[1] == '2' else 6}{one[0]}{4 if one[1] == '2' else 5}" for one in PAWNS))
KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8") * 3


@pytest.mark.parametrize(
    ("heard", "missed", "known", "records"),
    [
        # as many plies as were heard: eight were missed at the start, and the last eight counted twice, or ten
        (16, 8, 8, (*(0,) * 8, *range(1, 9))),
        (26, 10, 16, tuple(range(1, 27))),
        # one more than was heard
        (25, 10, 16, (*range(1, 26), 0)),
        # ten more than were heard: all that was heard moves on by ten
        (16, 10, 16, (*(0,) * 10, *range(1, 17))),
    ],
)
def test_a_record_is_looked_for_four_moves_away_and_no_farther_than_the_numbers_differ(
    heard: int, missed: int, known: int, records: tuple[int, ...]
) -> None:
    """So far away nobody takes a record for another ply's."""
    state = state_of(*LATER[:heard])
    assert records_kept(state, settled(*KNIGHTS[:missed], *PAWNS[:known]), back=False) == records


@pytest.mark.law("L198")
@pytest.mark.parametrize(
    ("heard", "moves", "records"),
    [
        (("e2e4", "e7e5", "d2d4", "d7d5"), ("e2e4", "e7e5"), (1, 2, 3, 4)),
        (("e2e4", "e7e6", "d2d4", "d7d5"), ("e2e4", "e7e5"), (1, 2, 3, 4)),
        (("e2e4", "e7e5", "d2d4"), ("e2e4", "e7e5", "d2d4"), (1, 2, 3)),
        # what comes after the moves is left out anyway: nothing is gained by taking it for one of them
        (("a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6"), ("a2a3", "h7h6"), (1, 2, 3, 4, 5, 6)),
        (("h2h4", "h7h5", "a2a3", "a7a6", "b2b3"), ("a2a3", "a7a6"), (3, 4, 5)),
        (("a2a3", "a7a6", "b2b3", "h7h6", "c2c3"), ("a2a3", "h7h6"), (1, 2, 3, 4, 5)),
        # of two ways that cost the same the one that stays closer to the numbers
        ((None, "a7a6", "a2a3", "c7c6"), ("a2a3", "c7c6"), (1, 2, 3, 4)),
        (("a2a3", "a7a6"), (), (1, 2)),
    ],
)
def test_going_back_keeps_what_came_after_behind_the_line(
    heard: tuple[str | None, ...], moves: tuple[str, ...], records: tuple[int, ...]
) -> None:
    assert records_kept(state_of(*heard), settled(*moves), back=True) == records


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    ("seat", "made", "kept"),
    [(W, False, (1, 2, 3)), (B, False, (1, 2)), (W, True, (1, 2))],
    ids=["announced", "the other side's", "made"],
)
def test_only_an_announcement_of_the_coming_move_stays_behind_the_line(
    seat: Seat, made: bool, kept: tuple[int, ...]
) -> None:
    third = PlyRecord(3, seat, announcement=said("d4"), made_ms=3 if made else None)
    state = with_plies((record(1, "e2e4"), record(2, "e7e6"), third))
    assert records_kept(state, settled("e2e4", "e7e6"), back=False) == kept


@pytest.mark.law("L197")
def test_where_only_the_position_is_known_each_ply_keeps_its_number() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    state = state_of("e2e4", "e7e6", "d2d4", "d7d5")
    for ply, back, records in (
        (4, False, (1, 2, 3, 4)),
        (2, False, (1, 2)),
        (2, True, (1, 2, 3, 4)),
        (6, False, (1, 2, 3, 4, 0, 0)),
    ):
        assert records_kept(state, SettledLine(ply, None, position), back=back) == records


# What the settled line does with everything that names a ply


def ply_of(touch: ev.TouchReported) -> tuple[int, str]:
    return touch.ply, touch.because


def touch(ply: int) -> ev.TouchReported:
    return ev.TouchReported(
        at=0, number=ply, seat=W if ply % 2 else B, ply=ply, square="a2", how="lifted", origin=Origin.ENTERED
    )


HEARD = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6")
CELLS = tuple(
    ScoreCell(text, source)
    for text, source in (("1", "announcement"), ("2", "echo"), ("3", "station"), ("4", "echo"), ("5", "announcement"))
)


def full() -> GameState:
    claim = OpenClaim(W, 6, "repetition")
    return altered(
        state_of(*HEARD),
        {
            "scores.white": CELLS,
            "scores.black": (None, ScoreCell("two", "entry"), None, ScoreCell("four", "announcement")),
            "rulings.ruled": ((1, W), (4, B), (5, W)),
            "rulings.touches": tuple(touch(ply) for ply in (2, 4, 6, 7)),
            "draws.offers_at": (1, 3, 4, 6),
            "draws.offer_marks": ((W, 2), (B, 6)),
            "draws.offer_after": 6,
            "rulings.adjusting": (W, 7),
            "rulings.castling_meant": (W, 7),
            "rulings.replacing": (7, (Touch("e1", TouchHow.LIFTED, False),)),
            "scores.due_through": 4,
            "ending.pending": (Pending(W, "resign", 1, 2, 6),),
            "draws.claim": claim,
            "draws.postponed": (replace(claim, ply=2),),
            "draws.intended": replace(claim, ply=3),
            "moves.out_of_step": True,
            "rulings.ends_told": (("fivefold", 2, False), ("stalemate", 3, True), ("checkmate", 6, False)),
            "moves.discarded": ((record(1, "d2d4"),),),
        },
    )


def settle(state: GameState, moves: tuple[str, ...] | None, records: tuple[int, ...], **more: Any) -> GameState:
    ply = more.pop("ply", len(records))
    fen = more.pop("fen", "")
    return apply(state, ev.LineSettled(at=99, ply=ply, moves=moves, records=records, fen=fen))


NUMBERED = [
    "rulings.ruled",
    "rulings.touches",
    "draws.offers_at",
    "draws.offer_marks",
    "draws.offer_after",
    "rulings.adjusting",
    "rulings.castling_meant",
    "rulings.replacing",
    "scores.due_through",
    "ending.pending",
    "draws.claim",
    "draws.postponed",
    "draws.intended",
    "scores.white",
    "scores.black",
]


@pytest.mark.law("L197")
def test_where_every_record_stays_at_its_move_nothing_else_is_touched() -> None:
    before = full()
    moves = (*HEARD[:3], "b8a6", *HEARD[4:])
    after = settle(before, moves, (1, 2, 3, 4, 5, 6))
    old, new = fields_of(before), fields_of(after)
    assert {name: new[name] for name in NUMBERED} == {name: old[name] for name in NUMBERED}
    assert after.moves.line == moves and after.moves.positions[-1] == settled(*moves).position
    assert (after.moves.out_of_step, after.moves.discarded, after.moves.set_aside) == (
        False,
        before.moves.discarded,
        (),
    )
    assert after.rulings.ends_told == (("fivefold", 2, False), ("stalemate", 3, True)), (
        "what rested on ply 4 is another game"
    )
    assert [(one.settled, one.mended, one.anchor) for one in after.moves.plies] == [
        (True, move, None) for move in moves
    ]
    same = settle(before, HEARD, (1, 2, 3, 4, 5, 6))
    assert same.rulings.ends_told == before.rulings.ends_told


@pytest.mark.law("L194", "L197")
def test_two_plies_that_were_missed_move_on_what_names_a_later_one() -> None:
    before = full()
    moves = (*HEARD[:2], "a2a3", "a7a6", *HEARD[2:])
    after = settle(before, moves, (1, 2, 0, 0, 3, 4, 5, 6))
    assert [one.index for one in after.moves.plies] == list(range(1, 9)) and after.moves.line == moves
    missed = PlyRecord(3, W, completed_ms=99, made_ms=99, settled=True, mended="a2a3")
    assert after.moves.plies[2] == missed and after.moves.plies[3] == replace(missed, index=4, seat=B, mended="a7a6")
    assert after.moves.plies[4] == replace(before.moves.plies[2], index=5, settled=True, mended="g1f3")
    assert (after.moves.discarded, after.moves.gone) == (before.moves.discarded, before.moves.gone)
    assert (after.rulings.ruled_gone, after.rulings.let_go) == ((), ()), "no line was taken back"
    assert after.rulings.ruled == ((1, W), (6, B), (7, W))
    assert [ply_of(one) for one in after.rulings.touches] == [(2, ""), (6, ""), (8, ""), (9, "")]
    assert (
        after.draws.offers_at == (1, 5, 6, 8)
        and after.draws.offer_marks == ((W, 2), (B, 8))
        and after.draws.offer_after == 8
    )
    assert (after.rulings.adjusting, after.rulings.castling_meant) == (None, None)
    assert before.rulings.replacing is not None and after.rulings.replacing == (9, before.rulings.replacing[1])
    assert after.scores.due_through == 6 and [one.after for one in after.ending.pending] == [8]
    assert after.draws.claim is not None and after.draws.claim.ply == 8
    assert [one.ply for one in after.draws.postponed] == [2]
    assert after.draws.intended is not None and after.draws.intended.ply == 5
    assert after.scores.white == (CELLS[0], CELLS[1], CELLS[2], None, None, CELLS[3], CELLS[4])
    assert [one and one.text for one in after.scores.black] == [None, "two", None, None, None, "four"]
    assert after.rulings.ends_told == (("fivefold", 2, False),)
    nothing = altered(before, {"draws.offer_after": 0, "scores.due_through": 0, "scores.white": (), "scores.black": ()})
    after = settle(nothing, moves, (1, 2, 0, 0, 3, 4, 5, 6))
    assert (after.draws.offer_after, after.scores.due_through, after.scores.white, after.scores.black) == (0, 0, (), ())
    two = altered(state_of(*HEARD[:2]), {"scores.white": CELLS[:3]})
    assert settle(two, HEARD[:4], (1, 2, 0, 0)).scores.white == CELLS[:3], "the last two were missed"


@pytest.mark.law("L194", "L197")
def test_two_plies_that_were_counted_too_much_fall_out_and_what_named_them_names_the_ply_before() -> None:
    before = full()
    moves = (*HEARD[:2], *HEARD[4:])
    after = settle(before, moves, (1, 2, 5, 6))
    assert after.moves.line == moves and after.moves.discarded == (*before.moves.discarded, before.moves.plies[2:4])
    assert [[(one.ply, one.uci) for one in line] for line in after.moves.gone] == [[(3, "g1f3"), (4, "b8c6")]]
    assert after.rulings.ruled == ((1, W), (3, W)), "what was ruled of a ply that fell out went with it"
    assert (after.rulings.ruled_gone, after.rulings.let_go) == (((2, 4),), ((),))
    assert [ply_of(one) for one in after.rulings.touches] == [(2, ""), (0, "restored"), (4, ""), (5, "")]
    assert after.draws.offers_at == (1, 2, 4), "each offer once"
    assert after.draws.offer_marks == ((W, 2), (B, 4)) and after.draws.offer_after == 4
    assert before.rulings.replacing is not None and after.rulings.replacing == (5, before.rulings.replacing[1])
    assert after.scores.due_through == 2 and [one.after for one in after.ending.pending] == [4]
    assert after.draws.claim is not None and after.draws.claim.ply == 4
    assert [one.ply for one in after.draws.postponed] == [2]
    assert after.draws.intended is not None and after.draws.intended.ply == 2
    assert after.scores.white == (CELLS[0], CELLS[1], CELLS[2]), "what the player wrote stays where it was written"
    assert [one and one.text for one in after.scores.black] == [None, "two"]
    gone = settle(
        altered(
            before, {"rulings.replacing": (3, ()), "draws.claim": None, "draws.postponed": (), "draws.intended": None}
        ),
        moves,
        (1, 2, 5, 6),
    )
    assert (gone.rulings.replacing, gone.draws.claim, gone.draws.postponed, gone.draws.intended) == (
        None,
        None,
        (),
        None,
    )
    none = settle(altered(before, {"rulings.replacing": None}), moves, (1, 2, 5, 6))
    assert none.rulings.replacing is None


@pytest.mark.law("L197")
def test_where_the_last_plies_fall_out_the_next_one_is_the_next() -> None:
    before = full()
    after = settle(before, HEARD[:4], (1, 2, 3, 4))
    assert after.moves.discarded == (*before.moves.discarded, before.moves.plies[4:])
    assert after.rulings.ruled == ((1, W), (4, B)), "White's new fifth ply has not been ruled on"
    assert after.draws.offer_after == 4 and after.draws.offers_at == (1, 3, 4)
    assert [ply_of(one) for one in after.rulings.touches] == [(2, ""), (4, ""), (0, "restored"), (5, "")]
    assert before.rulings.replacing is not None and after.rulings.replacing == (5, before.rulings.replacing[1])
    assert (after.scores.white, after.scores.black) == (before.scores.white, before.scores.black), (
        "as after a restoration"
    )
    assert settle(before, (), ()).scores.white == before.scores.white, "also where the game begins anew"
    assert after.rulings.ends_told == (("fivefold", 2, False), ("stalemate", 3, True))


@pytest.mark.law("L197")
def test_a_position_alone_is_the_anchor_of_its_last_ply_and_the_moves_before_stay_as_they_were_heard() -> None:
    before = full()
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 4"
    after = settle(before, None, (1, 2, 3, 4, 5, 6), fen=fen)
    assert after.moves.plies[:5] == before.moves.plies[:5]
    assert after.moves.plies[5] == replace(before.moves.plies[5], settled=True, anchor=Position.from_fen(fen))
    assert after.moves.line == (*HEARD[:5], None) and after.moves.positions[-1] == Position.from_fen(fen)
    behind = settle(before, None, (1, 2, 3, 4, 5, 6), fen=fen, ply=4)
    assert behind.moves.plies[4:] == before.moves.plies[4:] and behind.moves.plies[3].anchor == Position.from_fen(fen)
    assert behind.moves.plies[2] == before.moves.plies[2]


@pytest.mark.law("L197")
def test_a_move_that_was_announced_and_settled_is_made_when_it_is_settled() -> None:
    announced = PlyRecord(3, W, announcement=said("Nf3"))
    state = with_plies((record(1, "e2e4"), record(2, "e7e5"), announced))
    after = settle(state, HEARD[:3], (1, 2, 3))
    assert after.moves.plies[2] == replace(announced, made_ms=99, settled=True, mended="g1f3")
    assert after.moves.plies[0].made_ms == 1 and after.made_plies == 3


def test_an_anchor_of_an_earlier_desk_is_no_longer_needed_where_the_move_is_settled() -> None:
    anchor = START.after("e2e4")
    state = with_plies((replace(record(1, None), anchor=anchor, settled=True),))
    assert settle(state, ("d2d4",), (1,)).moves.plies[0].anchor is None


# The desk and the boards as values


PLACEMENT = "4k3/8/8/8/8/8/8/4K3"
SQUARES = (ev.SquareToSet(square="e1", should_be="K"), ev.SquareToSet(square="e2", should_be=None))


def at_the_desk() -> GameState:
    return replace(BASE, desk=Desk(snapshot_of(BASE, 0)))


def asked(seat: Seat) -> ev.SquareAsked:
    return ev.SquareAsked(at=0, seat=seat, number=1, of=2, square="e1", should_be="K")


def setting(**more: Any) -> Setting:
    fields: dict[str, Any] = {"because": "restored", "ply": 2, "placement": PLACEMENT, "turn": W} | more
    return Setting(**fields)


@pytest.mark.parametrize("seat", list(Seat))
def test_what_the_arbiter_saw_typed_and_heard_is_on_the_desk_once(seat: Seat) -> None:
    state = at_the_desk()
    desk = state.desk
    assert desk is not None and (desk.placement_seen(seat), desk.board(seat)) == (None, chess.STARTING_BOARD_FEN)
    state = apply(state, ev.BoardRead(at=1, board=seat, placement=PLACEMENT))
    desk = state.desk
    assert desk is not None and desk.boards == ((PLACEMENT, None) if seat is W else (None, PLACEMENT))
    assert (desk.placement_seen(seat), desk.board(seat), desk.placement_seen(seat.other)) == (
        PLACEMENT,
        PLACEMENT,
        None,
    )
    state = apply(state, ev.BoardRead(at=1, board=seat.other, placement=chess.STARTING_BOARD_FEN))
    desk = state.desk
    assert (
        desk is not None
        and desk.placement_seen(seat) == PLACEMENT
        and desk.placement_seen(seat.other) == chess.STARTING_BOARD_FEN
    )
    for who, ply, text in ((seat, 1, "d4"), (seat.other, 1, "d5"), (seat, 2, "Nf6"), (seat, 1, "e4")):
        state = apply(state, ev.CellTyped(at=1, seat=who, ply=ply, text=text, language="en"))
    desk = state.desk
    assert desk is not None
    assert [(one.seat, one.ply, one.text, one.language) for one in desk.cells] == [
        (seat.other, 1, "d5", "en"),
        (seat, 2, "Nf6", "en"),
        (seat, 1, "e4", "en"),
    ]
    typed = desk.cell_typed(seat, 1)
    assert typed is not None and typed.text == "e4" and desk.cell_typed(seat.other, 2) is None
    for _ in range(2):
        for who, ply in ((seat, 1), (seat.other, 1), (seat, 2)):
            state = apply(state, ev.CellHeard(at=1, seat=who, ply=ply, utterance="u"))
    assert state.desk is not None and state.desk.heard == ((seat, 1), (seat.other, 1), (seat, 2))
    emptied = apply(state, ev.CellTyped(at=1, seat=seat, ply=1, text="  ", language="en"))
    assert emptied.desk is not None and emptied.desk.cell_typed(seat, 1) is None and len(emptied.desk.cells) == 2


def test_what_happens_at_a_desk_that_is_not_open_changes_nothing() -> None:
    decided = ev.DeskDecided(at=1, kind="adjust", verdict="", ply=0, placement=PLACEMENT, turn=W, reason="")
    for event in (
        ev.BoardRead(at=1, board=W, placement=PLACEMENT),
        ev.CellTyped(at=1, seat=W, ply=1, text="e4", language=""),
        ev.CellHeard(at=1, seat=W, ply=1, utterance=None),
        decided,
        ev.BoardConfirmed(at=1, board=W),
        ev.BoardSaidSet(at=1, seat=W),
        asked(W),
    ):
        assert apply(BASE, event) == BASE, event


@pytest.mark.law("L197")
@pytest.mark.parametrize("kind", ["adjust", "back", "mend"])
@pytest.mark.parametrize("ply", [None, 1])
def test_a_decision_stands_on_the_desk_and_both_boards_are_set_but_not_where_only_the_server_was_wrong(
    kind: str, ply: int | None
) -> None:
    before = altered(at_the_desk(), {"moves.plies": state_of(*HEARD).moves.plies})
    event = ev.DeskDecided(
        at=1, kind=kind, verdict="", ply=ply, placement=PLACEMENT, turn=B, reason="", white=SQUARES, black=SQUARES[:1]
    )
    after = apply(before, event)
    assert after.desk is not None and after.desk.decided == event
    wanted = Setting("desk", 6 if ply is None else ply, PLACEMENT, B, SQUARES, SQUARES[:1])
    assert after.setting == (None if kind == "mend" else wanted)
    if after.setting is not None:
        assert [after.setting.squares(seat) for seat in Seat] == [SQUARES, SQUARES[:1]]
    closed = apply(after, ev.DeskClosed(at=2, reason="closed"))
    assert (closed.desk, closed.setting) == (None, None)


@pytest.mark.law("L080", "L197")
@pytest.mark.parametrize("seat", list(Seat))
def test_one_board_that_was_read_is_set_anew_and_the_other_stays_as_far_as_it_was(seat: Seat) -> None:
    both = (asked(W), asked(B))
    old = setting(white=SQUARES, black=SQUARES, asked=both, said=(W, B), confirmed=(W, B))
    event = ev.BoardsToSet(
        at=1, because="restored", ply=3, placement=PLACEMENT, turn=B, white=SQUARES[:1], black=SQUARES[1:], read=seat
    )
    new = Setting("restored", 3, PLACEMENT, B, SQUARES[:1], SQUARES[1:])
    after = apply(replace(BASE, setting=old), event)
    other = seat.other
    left = (None, both[1]) if seat is W else (both[0], None)
    assert after.setting == replace(new, asked=left, said=(other,), confirmed=(other,))
    assert apply(BASE, event).setting == new
    assert apply(replace(BASE, setting=old), replace(event, read=None)).setting == new


@pytest.mark.law("L080")
@pytest.mark.parametrize("seat", list(Seat))
def test_a_players_word_and_the_arbiters_confirmation_end_the_question_and_the_last_one_the_setting(seat: Seat) -> None:
    both = (asked(W), asked(B))
    state = replace(BASE, setting=setting(white=SQUARES, black=SQUARES, asked=both))
    left = (None, both[1]) if seat is W else (both[0], None)
    told = apply(state, ev.BoardSaidSet(at=1, seat=seat))
    assert told.setting == setting(white=SQUARES, black=SQUARES, asked=left, said=(seat,))
    assert apply(told, ev.BoardSaidSet(at=2, seat=seat)) == told
    again = apply(told, asked(seat))
    assert again.setting == setting(white=SQUARES, black=SQUARES, asked=both, said=(seat,))
    confirmed = apply(state, ev.BoardConfirmed(at=1, board=seat))
    assert confirmed.setting == setting(white=SQUARES, black=SQUARES, asked=left, confirmed=(seat,))
    assert confirmed.setting is not None and confirmed.setting.awaited == (seat.other,)
    assert apply(confirmed, ev.BoardConfirmed(at=2, board=seat)) == confirmed
    assert apply(confirmed, ev.BoardConfirmed(at=2, board=seat.other)).setting is None


@pytest.mark.law("L197")
@pytest.mark.parametrize("because", ["desk", "restored"])
def test_at_the_desk_both_boards_are_confirmed_else_those_that_deviate(because: str) -> None:
    one = setting(because=because, white=SQUARES)
    assert one.awaited == ((W, B) if because == "desk" else (W,))
    state = apply(replace(BASE, setting=one), ev.BoardConfirmed(at=1, board=W))
    if because == "restored":
        assert state.setting is None
        return
    state = apply(state, ev.BoardConfirmed(at=1, board=B))
    assert state.setting is not None and state.setting.awaited == (), "the desk is closed by an event of its own"
    assert apply(BASE, ev.DeskOpened(at=1, snapshot=snapshot_of(BASE, 0), reason="")).setting is None
