"""The core's legality counted: how many games of n moves there are from positions whose counts are known (Article 3).

Standard positions and counts: the perft results that are common knowledge among chess programmers. Chess960: start
positions by their Scharnagl number and positions from play in it, which every perft suite of Chess960 holds.
"""

from __future__ import annotations

import chess
import pytest

from server.game.laws.chess960 import start_position
from server.game.laws.legality import is_legal, legal_moves
from server.game.values.position import Position

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` legal moves the core plays from a position, by its own `after`."""
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move.uci()), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        pytest.param(chess.STARTING_FEN, (20, 400, 8_902), id="start"),
        pytest.param(KIWIPETE, (48, 2_039), id="kiwipete"),
        pytest.param("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812), id="position 3"),
        pytest.param("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264), id="position 4"),
        pytest.param("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", (6, 264), id="mirrored"),
        pytest.param("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486), id="position 5"),
        pytest.param(
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2_079), id="position 6"
        ),
        pytest.param("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", (6,), id="en passant would uncover the king"),
    ],
)
def test_as_many_games_as_are_known(fen: str, counts: tuple[int, ...]) -> None:
    position = Position.from_fen(fen)
    assert tuple(perft(position, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        pytest.param("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528), id="suite 1"),
        pytest.param("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", (21, 807), id="suite 2"),
        pytest.param("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", (20, 479), id="suite 3"),
        pytest.param("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", (22, 593), id="suite 4"),
        pytest.param("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", (28, 1_120), id="suite 5"),
    ],
)
def test_as_many_games_of_chess960_as_are_known(fen: str, counts: tuple[int, ...]) -> None:
    position = Position.from_fen(fen, chess960=True)
    assert tuple(perft(position, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("number", [0, 1, 356, 518, 627, 959])
def test_from_a_start_position_of_chess960_the_core_and_the_library_count_alike(number: int) -> None:
    """python-chess counts on a board that it pushes and pops, the core on frozen positions written out as FENs."""
    board = chess.Board.from_chess960_pos(number)
    position = start_position(number)
    assert position == Position.from_board(board) and position.chess960
    pushed = 0
    for move in board.legal_moves:
        board.push(move)
        pushed += board.legal_moves.count()
        board.pop()
    assert perft(position, 2) == pushed >= 324


def test_the_standard_start_is_number_518() -> None:
    number_518 = start_position(518)
    assert (perft(number_518, 1), perft(number_518, 2)) == (20, 400)


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KIWIPETE])
def test_every_other_move_is_illegal(fen: str) -> None:
    """All departures, arrivals and promotions there are: only those that are counted are legal."""
    position = Position.from_fen(fen)
    counted = {move.uci() for move in legal_moves(position)}
    every = {
        chess.Move(origin, arrival, promotion).uci()
        for origin in chess.SQUARES
        for arrival in chess.SQUARES
        for promotion in (None, chess.QUEEN, chess.KNIGHT)
        if origin != arrival
    }
    assert {uci for uci in every if is_legal(position, uci)} == counted
