"""What the desk is measured against: comparing texts, and a plain beam over legal moves with both scores by index."""

from __future__ import annotations

from collections.abc import Sequence

import chess

WIDTH = 60


def by_text(first: Sequence[str], second: Sequence[str]) -> list[chess.Move]:
    """Move by move the text of both, or of the first that is legal SAN; the end where neither is."""
    board, out = chess.Board(), []
    for ply in range(max(len(first), len(second))):
        for score in (first, second):
            try:
                move = board.parse_san(score[ply] if ply < len(score) else "-")
            except ValueError:
                continue
            board.push(move)
            out.append(move)
            break
        else:
            break
    return out


def plain_beam(first: Sequence[str], second: Sequence[str]) -> list[chess.Move]:
    """At each index every legal move of every line, by the edit distance of its SAN to both cells; the best kept."""
    lines: list[tuple[int, list[chess.Move], chess.Board]] = [(0, [], chess.Board())]
    for ply in range(max(len(first), len(second))):
        cells = [score[ply] for score in (first, second) if ply < len(score) and score[ply] != "-"]
        grown = []
        for cost, moves, board in lines:
            for move in board.legal_moves:
                san = board.san(move)
                grown.append((cost + sum(distance(cell, san) for cell in cells), moves, board, move))
        if not grown:
            break
        grown.sort(key=lambda each: each[0])
        lines = []
        for cost, moves, board, move in grown[:WIDTH]:
            after = board.copy(stack=False)
            after.push(move)
            lines.append((cost, [*moves, move], after))
    return lines[0][1]


def distance(one: str, other: str) -> int:
    """Edit distance."""
    row = list(range(len(other) + 1))
    for at, sign in enumerate(one, 1):
        before, row = row, [at]
        for place, letter in enumerate(other, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (sign != letter)))
    return row[-1]
