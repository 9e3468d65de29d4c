"""The likely game behind two scores, after the plies they agree on: a proposal for people, never the law's answer.

A small beam over what the cells say, taken by index and unrepaired: a move both scores can mean counts most, a move
that only one of them can mean counts less, and of the lines the best supported wins. The line ends where neither
score can be read.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.scoresheets.agreeing import Agreement, cell_at
from server.scoresheets.reading import Cell, legal_readings

BEAM = 8

# Confidences are stated, not measured: the order is what they are for.
AGREED = 0.99
AGREED_OPEN = 0.8
ONE_SCORE = 0.6
CONTESTED = 0.5
AFTER_A_GUESS = 0.95


class Likely(msgspec.Struct, frozen=True):
    """The likely game, a confidence for each ply, and the plies at which a person's answer would help.

    `open_plies`: (ply, the moves either score can mean there).
    """

    moves: tuple[chess.Move, ...]
    confidence: tuple[float, ...]
    open_plies: tuple[tuple[int, tuple[chess.Move, ...]], ...]


class _Branch(msgspec.Struct, frozen=True):
    moves: tuple[chess.Move, ...]
    confidence: tuple[float, ...]
    open_plies: tuple[tuple[int, tuple[chess.Move, ...]], ...]
    board: chess.Board
    support: float
    guessed: bool


def likely_game(first: Sequence[Cell], second: Sequence[Cell], agreement: Agreement, start: chess.Board) -> Likely:
    """Continue the agreed plies as far as either score can be read."""
    beam = [_agreed(line.moves, agreement, start) for line in agreement.lines[:BEAM]]
    best = beam[0]
    for ply in range(agreement.plies + 1, max(len(first), len(second)) + 1):
        grown: dict[str, _Branch] = {}
        for branch in beam:
            for longer in _grown(branch, ply, cell_at(first, ply), cell_at(second, ply)):
                key = longer.board.fen()
                if key not in grown or grown[key].support < longer.support:
                    grown[key] = longer
        if not grown:
            return _ended(best, ply, first, second)
        beam = sorted(grown.values(), key=lambda branch: -branch.support)[:BEAM]
        best = beam[0]
    return Likely(best.moves, best.confidence, best.open_plies)


def _agreed(moves: tuple[chess.Move, ...], agreement: Agreement, start: chess.Board) -> _Branch:
    board = start.copy(stack=False)
    open_plies: list[tuple[int, tuple[chess.Move, ...]]] = []
    confidence: list[float] = []
    for ply, move in enumerate(moves, 1):
        others = tuple(dict.fromkeys(line.moves[ply - 1] for line in agreement.lines))
        if len(others) > 1:
            open_plies.append((ply, others))
        confidence.append(AGREED if len(others) == 1 else AGREED_OPEN)
        board.push(move)
    return _Branch(moves, tuple(confidence), tuple(open_plies), board, 0.0, False)


def _grown(branch: _Branch, ply: int, mine: Cell, theirs: Cell) -> list[_Branch]:
    one, other = legal_readings(branch.board, mine), legal_readings(branch.board, theirs)
    common = tuple(move for move in one if move in other)
    if common:
        candidates, certain = common, AGREED if len(common) == 1 else AGREED_OPEN
    else:
        candidates = one + other
        certain = CONTESTED if one and other else ONE_SCORE if len(candidates) == 1 else CONTESTED
    if branch.guessed:
        certain *= AFTER_A_GUESS
    longer = []
    for move in candidates:
        board = branch.board.copy(stack=False)
        board.push(move)
        is_open = len(candidates) > 1
        longer.append(
            _Branch(
                (*branch.moves, move),
                (*branch.confidence, round(certain, 3)),
                (*branch.open_plies, (ply, candidates)) if is_open else branch.open_plies,
                board,
                branch.support + (1.0 if common else 0.4),
                branch.guessed or not common,
            )
        )
    return longer


def _ended(best: _Branch, ply: int, first: Sequence[Cell], second: Sequence[Cell]) -> Likely:
    candidates: tuple[chess.Move, ...] = ()
    open_plies = best.open_plies
    if not any(asked == ply for asked, _ in open_plies) and (cell_at(first, ply).text or cell_at(second, ply).text):
        open_plies = (*open_plies, (ply, candidates))
    return Likely(best.moves, best.confidence, open_plies)
