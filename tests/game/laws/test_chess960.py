"""Chess960: the 960 positions, dice, and castling by its two sides (Guidelines II)."""

from __future__ import annotations

import itertools

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game.laws.chess960 import (
    DICE,
    from_dice,
    from_letters,
    number_of,
    start_position,
)
from server.game.values.position import Position
from server.game.values.words import Seat
from tests.game.laws.castling_path import Side, castling_move, final_squares, squares_in_the_way
from tests.game.laws.games_at_random import games

SIDES: tuple[Side, Side] = ("c", "g")


@pytest.mark.law("L226")
def test_the_960_positions() -> None:
    seen = set()
    for number in range(960):
        position = start_position(number)
        ranks = position.placement.split("/")
        white = ranks[7]
        assert ranks[0] == white.lower() and ranks[1:7] == ["pppppppp", "8", "8", "8", "8", "PPPPPPPP"]
        assert white.index("B") % 2 != white.rindex("B") % 2
        assert white.index("R") < white.index("K") < white.rindex("R")
        assert number_of(position) == number and position.chess960
        assert from_letters(white) == position
        seen.add(white)
    assert len(seen) == 960
    assert start_position(518).placement == chess.STARTING_BOARD_FEN
    for number in (-1, 960):
        with pytest.raises(ValueError, match="from 0 to 959"):
            start_position(number)


@pytest.mark.law("L226")
def test_dice_reach_every_position_equally_often() -> None:
    throws = itertools.product(*(range(1, faces + 1) for faces, _ in DICE))
    counts: dict[str, int] = {}
    for throw in throws:
        placement = from_dice(throw).placement
        counts[placement] = counts.get(placement, 0) + 1
    assert len(counts) == 960 and set(counts.values()) == {2}  # the two knights are alike


@pytest.mark.law("L226")
@pytest.mark.parametrize(
    ("throws", "letters"),
    [
        ((1, 1, 1, 1, 1), "BBQNNRKR"),
        ((4, 4, 6, 5, 4), "RKRNNQBB"),
        ((2, 3, 2, 1, 4), "NQRBBKRN"),  # free beside the bishops: a b c f g h; the queen takes b, the knights a and h
    ],
)
def test_the_throws_count_the_free_squares_from_a(throws: tuple[int, ...], letters: str) -> None:
    assert from_dice(throws) == from_letters(letters)


@pytest.mark.law("L226")
@pytest.mark.parametrize(
    ("throws", "said"),
    [
        ((1, 1, 1, 1), "five throws are needed, here are 4"),
        ((5, 1, 1, 1, 1), "throw 1 places the bishop on a light square"),
        ((1, 5, 1, 1, 1), "throw 2 places the bishop on a dark square"),
        ((1, 1, 7, 1, 1), "throw 3 places the queen and must be from 1 to 6"),
        ((1, 1, 1, 6, 1), "throw 4 .* throw again instead of 6"),
        ((1, 1, 1, 1, 5), "throw 5"),
        ((1, 1, 0, 1, 1), "throw 3"),
    ],
)
def test_a_throw_without_a_square_is_thrown_again(throws: tuple[int, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_dice(throws)


@pytest.mark.law("L226")
@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ("RNBQKBN", "eight pieces"),
        ("RNBKQRNN", "eight pieces"),
        ("RBQBKNNR", "different colours"),
        ("KRBNNBRQ", "between"),
    ],
)
def test_letters_that_are_no_start_position(letters: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_letters(letters)


def combination(king: int, rook: int, seat: Seat) -> Position:
    """King and one rook alone on their first rank, with the right to castle; the other king far away."""
    board = chess.Board(None, chess960=True)
    color = chess.WHITE if seat is Seat.WHITE else chess.BLACK
    rank = 0 if color == chess.WHITE else 7
    board.set_piece_at(chess.square(king, rank), chess.Piece(chess.KING, color))
    board.set_piece_at(chess.square(rook, rank), chess.Piece(chess.ROOK, color))
    board.set_piece_at(chess.square(king, 7 - rank), chess.Piece(chess.KING, not color))
    for file in range(8):  # a wall, so that no king looks at the other
        board.set_piece_at(chess.square(file, 3), chess.Piece(chess.PAWN, chess.WHITE))
    board.turn = color
    board.castling_rights = chess.BB_SQUARES[chess.square(rook, rank)]
    return Position.from_board(board)


COMBINATIONS = [
    (king, rook, seat, side)
    for seat in Seat
    for king in range(1, 7)
    for side in SIDES
    for rook in (range(king) if side == "c" else range(king + 1, 8))
]


@pytest.mark.law("L228", "L230")
def test_all_84_pairs_of_king_and_rook_castle_to_their_squares() -> None:
    assert len(COMBINATIONS) == 84
    for king, rook, seat, side in COMBINATIONS:
        position = combination(king, rook, seat)
        rank = 0 if seat is Seat.WHITE else 7
        uci = castling_move(position, side)
        assert uci == chess.square_name(chess.square(king, rank)) + chess.square_name(chess.square(rook, rank))
        board = position.board()
        assert board.is_legal(chess.Move.from_uci(uci)) and squares_in_the_way(position, side) == ()
        after = position.after(uci).board()
        king_to, rook_to = final_squares(side, rank)
        color = board.turn
        assert after.king(color) == king_to and after.pieces(chess.ROOK, color) == chess.SquareSet([rook_to])
        assert chess.square_name(king_to)[0] == side
        other: Side = "g" if side == "c" else "c"
        assert castling_move(position, other) is None and squares_in_the_way(position, other) is None


@pytest.mark.law("L231")
def test_what_must_be_vacant_and_what_may_stay_filled() -> None:
    # King b1, rook a1: castling to the c-side needs c1 and d1, nothing else.
    position = Position.from_fen("4k3/8/8/8/8/8/8/RK1NN2R w A - 0 1", chess960=True)
    assert squares_in_the_way(position, "c") == ("d1",)
    free = Position.from_fen("4k3/8/8/8/8/8/8/RK2NN1R w A - 0 1", chess960=True)
    assert squares_in_the_way(free, "c") == () and free.board().is_legal(chess.Move.from_uci("b1a1"))
    # King f1, rook b1: a1 may stay filled, c1 is on both ways.
    wide = Position.from_fen("4k3/8/8/8/8/8/8/NRN2K2 w B - 0 1", chess960=True)
    assert squares_in_the_way(wide, "c") == ("c1",)
    # The king's and the rook's final square is each other's: they do not hinder themselves.
    swap = Position.from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    assert squares_in_the_way(swap, "g") == ()


@pytest.mark.law("L231")
@settings(max_examples=100, deadline=None)
@given(games(50, chess960=True), st.sampled_from(SIDES))
def test_vacancy_and_attack_make_a_castling_legal(game: tuple[Position, ...], side: Side) -> None:
    """In the last position of a game in which that side's right was left: the initial one at the latest."""
    position, uci = next((one, uci) for one in reversed(game) if (uci := castling_move(one, side)) is not None)
    board, move = position.board(), chess.Move.from_uci(uci)
    king_to, rook_to = final_squares(side, chess.square_rank(move.from_square))
    walk = chess.SquareSet(chess.between(move.from_square, king_to)) | chess.SquareSet([move.from_square, king_to])
    attacked = any(board.attackers(not board.turn, square) for square in walk)
    after = board.copy(stack=False)
    king, rook = after.remove_piece_at(move.from_square), after.remove_piece_at(move.to_square)
    assert king is not None and rook is not None
    after.set_piece_at(king_to, king)
    after.set_piece_at(rook_to, rook)
    free = squares_in_the_way(position, side) == ()
    assert board.is_legal(move) == (free and not attacked and not after.attackers(not board.turn, king_to))
