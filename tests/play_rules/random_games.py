"""Positions from random play, drawn by hypothesis, for the properties."""

from __future__ import annotations

import chess
from hypothesis import strategies as st

from server.play.position import Position


@st.composite
def games(draw: st.DrawFn, plies: int = 60, *, chess960: bool | None = None) -> tuple[Position, ...]:
    """The positions of a random legal game, the initial one first; Chess960 in half of them unless said."""
    other = draw(st.booleans()) if chess960 is None else chess960
    board = chess.Board.from_chess960_pos(draw(st.integers(0, 959))) if other else chess.Board()
    positions = [Position.from_board(board)]
    for _ in range(draw(st.integers(0, plies))):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        board.push(moves[draw(st.integers(0, len(moves) - 1))])
        positions.append(Position.from_board(board))
    return tuple(positions)
