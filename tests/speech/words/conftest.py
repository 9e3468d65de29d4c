"""Positions to announce in: seeded playouts (standard and Chess960) and positions made for one rule each."""

from __future__ import annotations

import random

import chess
import pytest

# Positions that playouts reach too seldom: pins, promotions, en passant, three and more like pieces, castling.
MADE = (
    ("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", False),
    ("4k3/P6P/8/8/8/8/p5p1/4K2R w - - 0 1", False),
    ("rn2k1nr/P6P/8/8/8/8/8/4K3 w - - 0 1", False),
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", False),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", False),
    ("7k/8/Q1Q5/8/Q1Q5/8/8/K7 w - - 0 1", False),
    ("k7/8/2N1N3/1N3N2/8/1N3N2/2N1N3/K7 w - - 0 1", False),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False),
    ("1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", True),
    ("5krr/8/8/8/8/8/8/5KRR w Gg - 0 1", True),
    ("rk6/8/8/8/8/8/8/RK5R w HAa - 0 1", True),
    ("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1", True),
)


def playouts(games: int, plies: int, seed: int) -> list[chess.Board]:
    """Every position of `games` random games of at most `plies` plies; every third game is Chess960."""
    chance = random.Random(seed)
    boards: list[chess.Board] = []
    for game in range(games):
        board = chess.Board.from_chess960_pos(chance.randrange(960)) if game % 3 == 2 else chess.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            boards.append(board.copy(stack=False))
            # Pawns first now and then, so that games come to promotions and en passant.
            pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
            board.push(chance.choice(pawns if pawns and chance.random() < 0.4 else moves))
    return boards


@pytest.fixture(scope="session")
def boards() -> list[chess.Board]:
    return [*(chess.Board(fen, chess960=wide) for fen, wide in MADE), *playouts(games=12, plies=130, seed=20180101)]
