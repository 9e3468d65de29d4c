"""The agreement of two scores, as moves in positions (D.2.9, L196-L198).

It is exact: it goes by the place of each cell and repairs nothing. Where both scores leave the same thing open (both
write `Nd2`, and two knights can go), every line they can both mean is followed; a later cell usually settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import chess
import msgspec

from server.scoresheets.cell import Cell, legal_readings

Verdict = Literal["same_record", "differ", "illegal_in_both", "incomplete", "out_of_step"]

MOST_LINES = 64
"""The most lines followed at once; of two scores that leave more open, only the first lines are followed."""

NO_CELL = Cell(None, True, ())


class AgreedLine(msgspec.Struct, frozen=True):
    """A line that both scores can mean.

    It holds its moves from the start, and the position after them (FEN).
    """

    moves: tuple[chess.Move, ...]
    fen: str


class Agreement(msgspec.Struct, frozen=True):
    """How far two scores agree: the plies, every line they can both mean, and the verdict."""

    plies: int
    lines: tuple[AgreedLine, ...]
    verdict: Verdict


def cell_at(cells: Sequence[Cell], ply: int) -> Cell:
    """Return the cell of a ply (from 1); after the end of the score a blank one."""
    return cells[ply - 1] if ply <= len(cells) else NO_CELL


def compare_scores(first: Sequence[Cell], second: Sequence[Cell], start: chess.Board) -> Agreement:
    """Compare two scores from a position.

    The verdict is one of these. `incomplete`: the first ply that fails is blank, missing or unreadable in either score
    (so is a score that is a ply shorter than the other). `illegal_in_both`: both read alike and not legal. `differ`:
    any other failing ply. `same_record`: the scores agree to the end of both. Two empty scores are `incomplete`: there
    is no evidence.
    """
    lines: list[tuple[tuple[chess.Move, ...], chess.Board]] = [((), start.copy(stack=False))]
    plies = 0
    while plies < min(len(first), len(second)):
        following = _lines_followed(lines, first[plies], second[plies])
        if not following:
            break
        lines = following
        plies += 1
    return Agreement(
        plies,
        tuple(AgreedLine(moves, board.fen()) for moves, board in lines),
        _verdict(first, second, plies, [board for _, board in lines]),
    )


def _lines_followed(
    lines: list[tuple[tuple[chess.Move, ...], chess.Board]], mine: Cell, theirs: Cell
) -> list[tuple[tuple[chess.Move, ...], chess.Board]]:
    following: dict[str, tuple[tuple[chess.Move, ...], chess.Board]] = {}
    for moves, board in lines:
        others = set(legal_readings(board, theirs))
        for move in legal_readings(board, mine):
            if move in others:
                after = board.copy(stack=False)
                after.push(move)
                following.setdefault(after.fen(), ((*moves, move), after))
    return list(following.values())[:MOST_LINES]


def _verdict(first: Sequence[Cell], second: Sequence[Cell], plies: int, boards: list[chess.Board]) -> Verdict:
    if plies == len(first) == len(second) and plies > 0:
        return "same_record"
    mine, theirs = cell_at(first, plies + 1), cell_at(second, plies + 1)
    if not mine.readable or not theirs.readable:
        return "incomplete"
    alike = any(one.alike(other) for one in mine.forms for other in theirs.forms)
    legal = any(legal_readings(board, mine) or legal_readings(board, theirs) for board in boards)
    return "illegal_in_both" if alike and not legal else "differ"
