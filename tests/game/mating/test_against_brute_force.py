"""Definite answers held against a search that knows nothing but the rules: every position that can arise is visited.

The positions are random and small enough to be exhausted: kings, pawns (many of them locked), sometimes a light piece.
"""

from __future__ import annotations

import random
from collections import deque

import chess
import pytest

from server.game.mating import Budget, can_ever_mate
from server.game.mating.patterns import shut_out
from server.game.values.position import Position
from server.game.values.words import Seat

MOST = 4000


def outcomes(start: chess.Board) -> tuple[set[chess.Color], bool]:
    """Who mates somewhere among the positions that can arise from this one, and whether all of them were visited.

    Breadth first over whole FENs with python-chess's own judgement of mate; no measure, no argument, no shared code.
    """
    met = {start.epd()}
    waiting = deque([start.copy(stack=False)])
    winners: set[chess.Color] = set()
    while waiting and len(winners) < 2:
        board = waiting.popleft()
        if board.is_checkmate():
            winners.add(not board.turn)
            continue
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            name = after.epd()
            if name not in met:
                met.add(name)
                waiting.append(after)
        if len(met) > MOST:
            return winners, False
    return winners, True


PATTERNS = ((0, 2, 4, 6), (1, 3, 5, 7), (1, 3, 4, 6), (0, 2, 3, 5, 7))


def walled(dice: random.Random) -> chess.Board:
    """A wall of pawns face to face, now and then with a gap, a step or one more man; kings mostly behind it."""
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
        symbols = ["K", "k", *dice.choices("PpBn", k=dice.choice((0, 0, 0, 0, 1)))]
        for symbol, square in zip(symbols, dice.sample(empty, len(symbols)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = dice.random() < 0.5
        white, black = board.king(chess.WHITE), board.king(chess.BLACK)
        assert white is not None and black is not None
        behind = chess.square_rank(white) < height and chess.square_rank(black) > height + 1 + step
        if board.is_valid() and (behind or dice.random() < 0.02):
            return board


def hold(board: chess.Board) -> tuple[str, ...]:
    """Both answers for a position, each held against the search; empty where not all positions could be visited."""
    winners, whole = outcomes(board)
    verdicts = []
    for seat in Seat:
        color = seat is Seat.WHITE
        answer = can_ever_mate(Position.from_board(board), seat, Budget(1500))
        assert not (answer.verdict == "no" and color in winners), f"{board.fen()} {seat}: {answer}"
        assert not (whole and answer.verdict == "yes" and color not in winners), f"{board.fen()} {seat}: {answer}"
        if any(board.legal_moves):
            assert not (shut_out(board, color) and color in winners), board.fen()
        verdicts.append(answer.verdict)
    return tuple(verdicts) if whole else ()


@pytest.mark.law("L046", "L065")
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))])
def test_walls_against_every_position_that_can_arise(seed: int) -> None:
    dice = random.Random(seed)
    verdicts = [verdict for _ in range(8) for verdict in hold(walled(dice))]
    assert len(verdicts) >= 4, "too few of these could be exhausted to say anything"
    assert "no" in verdicts


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


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 3))])
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
