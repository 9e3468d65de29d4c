"""Which ply a ruling is about where one of that number stands and others were taken back (7.5, A.5, L080)."""

from __future__ import annotations

import chess
import pytest
from msgspec.structs import replace

from server.game.decide.rulings.irregular_ply import done_as_asked, ply_ruled_on
from server.game.state.line import PlyRecord
from server.game.state.moves import PlyGone
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat
from tests.game.core_table import CoreTable, altered

W, B = Seat.WHITE, Seat.BLACK
START = Position.from_fen(chess.STARTING_FEN)
LAST_RANK = Position.from_fen("8/P3k3/8/8/8/8/p7/R3K3 w - - 0 1")
PLY = PlyRecord(1, W, made_ms=1, completed_ms=1)
BASE = CoreTable().state


def with_lines(*gone: tuple[str | None, Position | None], ruled: tuple[int, ...] = ()) -> GameState:
    """A table at which no ply is made and ply 1 was taken back so often, each time another move."""
    return altered(
        BASE,
        {
            "moves.discarded": tuple((PLY,) for _ in gone),
            "moves.gone": tuple((PlyGone(1, uci, before),) for uci, before in gone),
            "rulings.ruled_gone": tuple((line, 1) for line in ruled),
        },
    )


def line_of(state: GameState, kind: str, line: int | None = None) -> int | None:
    about = ply_ruled_on(state, 1, W, kind, line)
    return about.line if about is not None else None


LEGAL, ILLEGAL, UNKNOWN = ("e2e4", START), ("e1e3", START), (None, START)
PAWN, PROMOTED, ROOK = ("a7a8", LAST_RANK), ("a7a8q", LAST_RANK), ("a1a8", LAST_RANK)


@pytest.mark.law("L080")
@pytest.mark.parametrize(
    ("kind", "fits", "other"),
    [
        ("illegal", ILLEGAL, LEGAL),
        ("illegal", UNKNOWN, LEGAL),
        ("illegal", (None, None), LEGAL),
        ("no_move", UNKNOWN, LEGAL),
        ("no_move", ("e2e4", None), ILLEGAL),
        ("unpromoted", PAWN, PROMOTED),
        ("unpromoted", PAWN, ROOK),
        ("unpromoted", PAWN, LEGAL),
        ("unpromoted", PAWN, UNKNOWN),
        ("two_hands", LEGAL, UNKNOWN),
        ("touch", LEGAL, UNKNOWN),
    ],
)
def test_of_the_plies_taken_back_it_is_the_last_that_may_be_this_irregularity(
    kind: str, fits: tuple[str | None, Position | None], other: tuple[str | None, Position | None]
) -> None:
    assert line_of(with_lines(fits, other), kind) == 1
    assert line_of(with_lines(other, fits), kind) == 2
    assert line_of(with_lines(other, fits, fits), kind) == 3
    assert line_of(with_lines(fits, fits, other), kind) == 2
    assert line_of(with_lines(other, other), kind) == 2, "none of them, as far as the server knows: the last"


@pytest.mark.law("L080")
def test_a_black_pawn_on_the_first_rank_may_be_one_that_was_not_replaced() -> None:
    black = PlyRecord(2, B, made_ms=1, completed_ms=1)
    before = replace(LAST_RANK, turn=B)
    state = altered(
        BASE,
        {
            "moves.discarded": ((black,), (black,)),
            "moves.gone": ((PlyGone(2, "a2a1", before),), (PlyGone(2, "e7d7", before),)),
        },
    )
    about = ply_ruled_on(state, 2, B, "unpromoted")
    assert about is not None and (about.line, about.number, about.uci, about.before) == (1, 2, "a2a1", before)


@pytest.mark.law("L080", "L083")
def test_one_that_is_ruled_on_gives_way_to_one_that_is_not() -> None:
    assert line_of(with_lines(ILLEGAL, ILLEGAL, ruled=(2,)), "illegal") == 1
    assert line_of(with_lines(ILLEGAL, LEGAL, ruled=(1,)), "illegal") == 2, "not ruled on, though it was legal"
    assert line_of(with_lines(LEGAL, ILLEGAL, ruled=(2,)), "illegal") == 1
    assert line_of(with_lines(ILLEGAL, ILLEGAL, ruled=(1, 2)), "illegal") == 2, "all of them: the last"
    for line in (1, 2):
        assert line_of(with_lines(ILLEGAL, ILLEGAL), "illegal", line) == line, "the one that the arbiter names"
    assert line_of(with_lines(ILLEGAL), "illegal", 5) is None
    assert ply_ruled_on(with_lines(ILLEGAL), 1, B, "illegal") is None, "White made it"
    assert ply_ruled_on(with_lines(ILLEGAL), 3, W, "illegal") is None


@pytest.mark.law("L028", "L080")
def test_a_ply_is_ruled_on_once_it_is_pressed_and_for_a_touch_once_it_is_made() -> None:
    made = replace(PLY, completed_ms=None)
    assert (done_as_asked(made, "touch"), done_as_asked(made, "illegal")) == (True, False)
    assert done_as_asked(PLY, "touch") and done_as_asked(PLY, "illegal")
    state = altered(with_lines(ILLEGAL, ILLEGAL), {"moves.discarded": ((PLY,), (made,))})
    assert (line_of(state, "illegal"), line_of(state, "touch")) == (1, 2)


def test_the_present_line_and_one_that_never_was_hold_nothing_that_was_taken_back() -> None:
    moves = with_lines(LEGAL, ILLEGAL).moves
    assert [gone and gone.uci for gone in (moves.gone_of(line, 1) for line in range(4))] == [None, "e2e4", "e1e3", None]
    assert moves.gone_of(1, 2) is None
