"""Definite answers held against a search that knows nothing but the rules: every position that can arise is visited.

The positions are random and small enough to be exhausted: kings, pawns (many of them locked), sometimes a light piece.
"""

from __future__ import annotations

import random
from collections import deque

import chess
import pytest

from server.play.mating import Budget, can_ever_mate
from server.play.mating.walls import shut_out
from server.play.position import Position
from server.play.values import Seat

MOST = 5000


def outcomes(start: chess.Board) -> set[chess.Color] | None:
    """Who mates somewhere among all positions that can arise from this one; None where there are too many of them.

    Breadth first over whole FENs with python-chess's own judgement of mate; no measure, no argument, no shared code.
    """
    met = {start.epd()}
    waiting = deque([start.copy(stack=False)])
    winners: set[chess.Color] = set()
    while waiting:
        board = waiting.popleft()
        if board.is_checkmate():
            winners.add(not board.turn)
            if len(winners) == 2:
                return winners
            continue
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            name = after.epd()
            if name not in met:
                met.add(name)
                waiting.append(after)
        if len(met) > MOST:
            return None
    return winners


PATTERNS = ((0, 2, 4, 6), (1, 3, 5, 7), (1, 4, 7), (0, 3, 6), (0, 1, 3, 4, 6, 7), (1, 2, 4, 6, 7))


def walled(dice: random.Random) -> chess.Board:
    """A wall of pawns face to face, now and then with a gap, a step or a spare pawn; the kings anywhere."""
    while True:
        board = chess.Board(None)
        height = dice.choice((2, 3, 3, 4))
        step = dice.choice((0, 0, 0, 1))
        for file in dice.choice(PATTERNS):
            rank = min(5, height + step * (file % 2))
            board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
            if dice.random() < 0.97:
                board.set_piece_at(chess.square(file, rank + 1), chess.Piece(chess.PAWN, chess.BLACK))
        empty = [square for square in chess.SQUARES if not board.piece_at(square)]
        symbols = ["K", "k", *dice.choices("PpBn", k=dice.choice((0, 0, 0, 1)))]
        for symbol, square in zip(symbols, dice.sample(empty, len(symbols)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = dice.random() < 0.5
        if board.is_valid():
            return board


def hold(board: chess.Board) -> tuple[str, ...]:
    """Both answers for a position, each held against the exhausted search; empty where it cannot be exhausted."""
    winners = outcomes(board)
    if winners is None:
        return ()
    verdicts = []
    for seat in Seat:
        color = seat is Seat.WHITE
        answer = can_ever_mate(Position.from_board(board), seat, Budget(2000))
        if answer.verdict != "unknown":
            assert answer.verdict == ("yes" if color in winners else "no"), f"{board.fen()} {seat}: {answer}"
        if any(board.legal_moves):
            assert not (shut_out(board, color) and color in winners), board.fen()
        verdicts.append(answer.verdict)
    return tuple(verdicts)


@pytest.mark.law("L046", "L065")
@pytest.mark.parametrize("seed", range(6))
def test_walls_against_every_position_that_can_arise(seed: int) -> None:
    dice = random.Random(seed)
    verdicts = [verdict for _ in range(12) for verdict in hold(walled(dice))]
    assert len(verdicts) >= 6, "too few of these could be exhausted to say anything"


# Three men: small enough to go through every position that can arise, captures and promotions included.
@pytest.mark.parametrize(
    ("men", "white", "black"),
    [("K k N", False, False), ("K k B", False, False), ("K k b", False, False), ("K k", False, False)],
)
def test_bare_and_light_endings(men: str, white: bool, black: bool) -> None:
    dice = random.Random(men)
    for _ in range(3):
        board = chess.Board(None)
        while not board.is_valid() or not any(board.legal_moves):
            board = chess.Board(None)
            for symbol, square in zip(men.split(), dice.sample(chess.SQUARES, len(men.split())), strict=True):
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        for seat, can in ((Seat.WHITE, white), (Seat.BLACK, black)):
            assert (can_ever_mate(Position.from_board(board), seat).verdict == "yes") is can


def small(dice: random.Random) -> chess.Board:
    """Four or five men anywhere."""
    while True:
        board = chess.Board(None)
        symbols = ["K", "k", *dice.choices("PpPpNnBbRrQq", k=dice.choice((2, 2, 3)))]
        for symbol, square in zip(symbols, dice.sample(chess.SQUARES, len(symbols)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = dice.random() < 0.5
        if board.is_valid():
            return board


@pytest.mark.parametrize("seed", range(4))
def test_no_argument_speaks_against_a_mate_that_can_be_shown(seed: int) -> None:
    """Every position of a line to mate is one in which the winner can mate: no argument may say otherwise there."""
    dice = random.Random(seed)
    shown = 0
    for _ in range(15):
        board = small(dice)
        for seat in Seat:
            color = seat is Seat.WHITE
            answer = can_ever_mate(Position.from_board(board), seat, Budget(3000))
            played = board.copy()
            for uci in answer.witness:
                assert not shut_out(played, color), played.fen()
                played.push(chess.Move.from_uci(uci))
            if answer.verdict == "yes":
                assert played.is_checkmate() and played.turn != color
                shown += 1
    assert shown >= 8
