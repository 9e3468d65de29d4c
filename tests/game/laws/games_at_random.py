"""Positions from random play, drawn by hypothesis, for the properties."""

from __future__ import annotations

import chess
from hypothesis import strategies as st

from server.game.values.position import Position


@st.composite
def games(draw: st.DrawFn, plies: int = 60, *, chess960: bool | None = None) -> tuple[Position, ...]:
    """The positions of a random legal game, the initial one first; Chess960 in half of them unless said."""
    other = draw(st.booleans()) if chess960 is None else chess960
    board = chess.Board.from_chess960_pos(draw(st.integers(0, 959))) if other else chess.Board()
    positions = [Position.from_board(board)]
    for choice in draw(st.lists(st.integers(0, 255), max_size=plies)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
        positions.append(Position.from_board(board))
    return tuple(positions)
