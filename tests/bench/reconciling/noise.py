"""Real games as two players write them down: slips of the pen, blanks, plies skipped, repeated or swapped.

What is slipped is drawn from shares of this file, stated by hand after a look at some of the HCS sheets: mostly
one sign for another that looks like it, some signs left out, some other move of the same piece. Nothing of
`config/reconciling` is read; but some costs there were changed after looking at errors that this noise had made.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess
import msgspec

LOOKS_LIKE = {
    "a": "adoe", "b": "h6d", "c": "eeed", "d": "acb", "e": "cccf", "f": "gte", "g": "qf9e", "h": "bbk4",
    "1": "772", "2": "7z3", "3": "558", "4": "99h", "5": "368", "6": "5b8", "7": "1112", "8": "36B",
    "K": "RRH", "Q": "ODB", "R": "KKB", "B": "R8E", "N": "RWK", "O": "0QD",
}  # fmt: skip


class Level(msgspec.Struct, frozen=True):
    """How noisy one score is: shares of its cells; `shifted`: share of pairs in which a score is shifted once."""

    changed: float
    blank: float
    shifted: float


HEAVY = Level(0.20, 0.02, 0.16)
LIGHT = Level(0.03, 0.01, 0.0)


class Pair(msgspec.Struct, frozen=True):
    """Two scores of one game, and what was done to them: (which score, kind, ply)."""

    moves: tuple[chess.Move, ...]
    cells: tuple[tuple[str, ...], tuple[str, ...]]
    shifts: tuple[tuple[int, str, int], ...]


def sans(moves: Sequence[chess.Move]) -> list[str]:
    """The game in SAN."""
    board, out = chess.Board(), []
    for move in moves:
        out.append(board.san_and_push(move))
    return out


def pair(moves: Sequence[chess.Move], level: Level, chance: random.Random) -> Pair:
    """Two scores of a game."""
    boards = [chess.Board()]
    for move in moves:
        board = boards[-1].copy(stack=False)
        board.push(move)
        boards.append(board)
    shifts: list[tuple[int, str, int]] = []
    scores: list[tuple[str, ...]] = []
    which = chance.randrange(2) if chance.random() < level.shifted and len(moves) > 12 else None
    for side in (0, 1):
        manner = _manner(chance)
        clean = [_in_manner(san, manner) for san in sans(moves)]
        cells = []
        for ply, cell in enumerate(clean):
            if chance.random() < level.blank:
                cells.append("-")
            elif chance.random() < level.changed:
                cells.append(changed(cell, boards[ply], moves[ply], chance))
            else:
                cells.append(cell)
        if side == which:
            cells, kind, ply = _shifted(cells, chance)
            shifts.append((side, kind, ply))
        scores.append(tuple(cells))
    return Pair(tuple(moves), (scores[0], scores[1]), tuple(shifts))


def _manner(chance: random.Random) -> tuple[bool, bool]:
    """Whether this player writes x, and +."""
    return chance.random() < 0.75, chance.random() < 0.7


def _in_manner(san: str, manner: tuple[bool, bool]) -> str:
    if not manner[0]:
        san = san.replace("x", "")
    return san if manner[1] else san.rstrip("+#")


def changed(cell: str, board: chess.Board, move: chess.Move, chance: random.Random) -> str:
    """One slip: nearly always another text than the cell's."""
    for _ in range(20):
        slipped = _slipped(cell, board, move, chance)
        if slipped != cell and slipped:
            return slipped
    return "?"


def _slipped(cell: str, board: chess.Board, move: chess.Move, chance: random.Random) -> str:
    if not cell:
        return cell
    draw = chance.random()
    at = chance.randrange(len(cell))
    if draw < 0.62:  # one sign that looks like it
        places = [place for place, sign in enumerate(cell) if sign in LOOKS_LIKE]
        at = chance.choice(places or [at])
        if not places:
            return cell
        return cell[:at] + chance.choice(LOOKS_LIKE[cell[at]]) + cell[at + 1 :]
    if draw < 0.72:  # any sign of the same kind
        for kind in ("abcdefgh", "12345678", "KQRBN"):
            if cell[at] in kind:
                return cell[:at] + chance.choice(kind) + cell[at + 1 :]
        return cell
    if draw < 0.80:  # a sign left out
        return cell[:at] + cell[at + 1 :]
    if draw < 0.84:  # a sign twice
        return cell[:at] + cell[at] + cell[at:]
    if draw < 0.92:  # two signs slip
        return _slipped(_slipped(cell, board, move, chance), board, move, chance)
    if draw < 0.97:  # another move of the same piece, or another piece there
        near = [
            each
            for each in board.legal_moves
            if each != move and (each.from_square == move.from_square or each.to_square == move.to_square)
        ]
        return board.san(chance.choice(near)) if near else cell
    return chance.choice(["?", "~~", "N", "xx", "e", "O-O" if cell[0] != "O" else "Kg1"])


def _shifted(cells: list[str], chance: random.Random) -> tuple[list[str], str, int]:
    """One ply or one whole move skipped, one written twice, an empty row, or two plies swapped; ply from 1."""
    at = chance.randrange(4, len(cells) - 6)
    draw = chance.random()
    if draw < 0.35:
        return cells[:at] + cells[at + 1 :], "missing", at + 1
    if draw < 0.55:
        return cells[:at] + cells[at + 2 :], "missing", at + 1
    if draw < 0.70:
        return [*cells[: at + 1], cells[at], *cells[at + 1 :]], "extra", at + 2
    if draw < 0.80:
        return [*cells[:at], "-", "-", *cells[at:]], "extra", at + 1
    return [*cells[:at], cells[at + 1], cells[at], *cells[at + 2 :]], "swapped", at + 1
