"""What `material.why_never` claims, shown by going through the placements; and what it must not claim."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest

from server.game.mating.answer import why_never

# One square of each kind under the eight symmetries of an empty board (no pawns, no castling).
TRIANGLE = [chess.square(file, rank) for file in range(4) for rank in range(file + 1)]


def kings() -> Iterator[tuple[chess.Square, chess.Square]]:
    """Every placement of a black king, up to symmetry, and a white king not beside it."""
    for black in TRIANGLE:
        for white in chess.SQUARES:
            if chess.square_distance(black, white) > 1:
                yield black, white


def placed(**men: tuple[chess.Square, ...]) -> chess.Board:
    """A board with these men, Black to move: names as `K`, `N`, `k`, `q`."""
    board = chess.Board(None)
    for symbol, squares in men.items():
        for square in squares:
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = chess.BLACK
    return board


def uncovered(board: chess.Board) -> list[chess.Square]:
    """The squares beside the black king that White does not strike."""
    king = board.king(chess.BLACK)
    assert king is not None
    around = chess.scan_forward(chess.BB_KING_ATTACKS[king] & ~board.occupied_co[chess.WHITE])
    empty = board.occupied ^ chess.BB_SQUARES[king]
    return [square for square in around if not board.attackers_mask(chess.WHITE, square, empty)]


def test_a_knight_alone_mates_no_king_shut_in_by_queens() -> None:
    """Every knight's check; every square left to the king must hold a queen: more queens only make more captures.

    A queen elsewhere could only stand in a queen's way to the knight, and then takes it itself.
    """
    tried = 0
    for black, white in kings():
        for knight in chess.SquareSet(chess.BB_KNIGHT_ATTACKS[black]) - {white}:
            board = placed(k=(black,), K=(white,), N=(knight,))
            shut = [square for square in uncovered(board) if square != knight]
            board = placed(k=(black,), K=(white,), N=(knight,), q=tuple(shut))
            assert board.is_check() and not board.is_checkmate(), board.fen()
            assert why_never(board, chess.WHITE)
            tried += 1
    assert tried > 2500


@pytest.mark.parametrize("screen", ["q", "r", "b"])
def test_bishops_of_one_colour_mate_no_king_shut_in_by_heavy_men_or_bishops_of_that_colour(screen: str) -> None:
    """A check along a diagonal leaves the squares of the other colour beside the king to the white king or a screen.

    The bishops' best case: every square of their own colour is theirs, by taking all of them as struck. What is left
    must be screened by queens or rooks (a bishop of the bishops' colour cannot stand there at all). One bishop gives
    check from every square of its lines; the mate fails since a screen takes it, comes between, or a square stays open.
    """
    tried = 0
    for black, white in kings():
        colour = chess.BB_DARK_SQUARES if chess.BB_SQUARES[black] & chess.BB_DARK_SQUARES else chess.BB_LIGHT_SQUARES
        lines = chess.Board.empty()
        lines.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        diagonals = chess.BB_DIAG_ATTACKS[black][chess.BB_DIAG_MASKS[black] & lines.occupied]
        for bishop in chess.scan_forward(diagonals & ~chess.BB_SQUARES[white]):
            board = placed(k=(black,), K=(white,), B=(bishop,))
            other = [square for square in uncovered(board) if not chess.BB_SQUARES[square] & colour]
            if screen == "b":
                assert other, "a square of the other colour stays open"
                assert not board.is_checkmate()
            else:
                own = [square for square in uncovered(board) if square not in other]
                board = placed(k=(black,), K=(white,), B=(bishop,), **{screen: tuple(other)})
                # Squares of the bishops' colour that this bishop does not strike: struck by others, at best.
                moves = [m for m in board.legal_moves if m.to_square not in own or m.from_square != black]
                assert moves, board.fen()
            assert why_never(board, chess.WHITE)
            tried += 1
    assert tried > 3000


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("8/8/8/8/8/1NK5/8/k1n5 b - - 0 1", "two knights in it"),
        ("k7/pN6/8/8/8/8/8/K7 b - - 0 1", "a pawn can shut its king in"),
        ("kr6/8/8/8/8/8/8/KN6 w - - 0 1", "a rook can shut its king in"),
        ("kb6/8/8/8/8/8/8/KB6 w - - 0 1", "bishops of both colours"),
        ("kn6/8/8/8/8/8/8/KB6 w - - 0 1", "a knight can shut its king in"),
        ("k7/8/8/8/8/8/8/KNN5 w - - 0 1", "two knights mate a king that helps"),
        ("k7/8/8/8/8/8/8/KBB5 w - - 0 1", "two bishops of different colours"),
        ("k7/8/8/8/8/8/P7/K7 w - - 0 1", "a pawn promotes"),
    ],
)
def test_material_alone_does_not_settle(fen: str, why: str) -> None:
    assert not why_never(chess.Board(fen), chess.WHITE), why


@pytest.mark.parametrize("seed_men", ["KNvkq", "KBvkr", "KBvkb", "KNvk", "KBvk"])
def test_python_chess_agrees_about_these_men(seed_men: str) -> None:
    """The well-known rule as python-chess has it, on one placement each."""
    white, black = seed_men.split("v")
    board = chess.Board(None)
    for square, symbol in zip((chess.A1, chess.C1, chess.E8, chess.B8), white + black, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    assert bool(why_never(board, chess.WHITE)) == board.has_insufficient_material(chess.WHITE)
