"""No man ever stands where its reach says it cannot, and none is captured who was said to be safe.

Every "no" that rests on locked men rests on this, so games are played from positions full of pawn chains, and each man
is followed by name.
"""

from __future__ import annotations

import random

import chess
import pytest

from server.game.mating.locked import Man, reaches


def chained(dice: random.Random) -> chess.Board:
    """A legal position with pawns standing against each other on many files, a few officers, both kings."""
    while True:
        board = chess.Board(None)
        for file in range(8):
            if dice.random() < 0.75:
                rank = dice.choice((1, 2, 2, 3, 3, 4))
                board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
                gap = dice.choice((1, 1, 1, 1, 2, 3))
                if rank + gap < 7:
                    board.set_piece_at(chess.square(file, rank + gap), chess.Piece(chess.PAWN, chess.BLACK))
        empty = [square for square in chess.SQUARES if not board.piece_at(square)]
        symbols = ["K", "k", *dice.choices("BbNnRrQq", k=dice.choice((0, 0, 1, 1, 2, 3)))]
        for symbol, square in zip(symbols, dice.sample(empty, len(symbols)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = dice.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            return board


def follow(board: chess.Board, dice: random.Random, plies: int) -> None:
    """Play at random and hold every man against its reach."""
    start = board.fen()
    at: dict[chess.Square, Man] = {man.origin.bit_length() - 1: man for man in reaches(board)}
    promoted: set[int] = set()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        hot = [move for move in moves if board.is_zeroing(move)]
        move = dice.choice(hot if hot and dice.random() < 0.4 else moves)
        gone = move.to_square
        if board.is_en_passant(move):
            gone = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        if board.is_castling(move):
            rook_from = next(
                square
                for square in chess.scan_forward(board.clean_castling_rights())
                if (square > move.from_square) == (move.to_square > move.from_square)
                and chess.square_rank(square) == chess.square_rank(move.from_square)
            )
            short = rook_from > move.from_square
            rank = chess.square_rank(move.from_square)
            king, rook = at.pop(move.from_square), at.pop(rook_from)
            at[chess.square(6 if short else 2, rank)] = king
            at[chess.square(5 if short else 3, rank)] = rook
        else:
            if gone in at:
                assert at[gone].taken, f"{start}: {chess.square_name(gone)} was said to be safe, {board.fen()} {move}"
                del at[gone]
            man = at.pop(move.from_square)
            at[move.to_square] = man
            if move.promotion:
                promoted.add(id(man))
        board.push(move)
        for square, man in at.items():
            stands = man.promoted if id(man) in promoted else man.reach
            assert stands & chess.BB_SQUARES[square], f"{start}: {chess.square_name(square)} in {board.fen()}"


@pytest.mark.parametrize("seed", range(8))
def test_men_stay_within_their_reach(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(25):
        follow(chained(dice), dice, 120)


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/R3K2R w KQkq - 0 1",
        "8/k7/8/8/4Pp2/4p3/4P3/K7 b - e3 0 1",
        "4k3/8/8/pPpPpPpP/8/8/8/4K3 w - c6 0 1",
        "4k3/p1p1p1p1/8/1P1P1P1P/8/8/8/4K3 b - - 0 1",
    ],
)
def test_men_stay_within_their_reach_from(fen: str) -> None:
    dice = random.Random(fen)
    for _ in range(12):
        follow(chess.Board(fen), dice, 80)


def test_locked_pawns_are_found_fixed_and_free_ones_not() -> None:
    men = reaches(chess.Board("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1"))
    assert all(man.fixed for man in men if man.type == chess.PAWN)
    men = reaches(chess.Board("4k3/8/8/1p1p4/1P1P3P/8/8/4K3 w - - 0 1"))
    free = next(man for man in men if man.origin == chess.BB_H4)
    assert free.promoted and not free.fixed


def test_pawns_on_one_file_do_not_pass_each_other() -> None:
    """a5 can go down to a3: a2 cannot be captured, for the black king stays behind its own wall."""
    men = reaches(chess.Board("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1"))
    black = next(man for man in men if man.origin == chess.BB_A5)
    assert black.reach == chess.BB_A5 | chess.BB_A4 | chess.BB_A3
    assert not black.promoted and black.taken
