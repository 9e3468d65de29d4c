"""How a ruling on the set-up changes the state: names, castling rights, the start of the game (7.3, A.5.1.2)."""

from __future__ import annotations

from msgspec.structs import replace

from server.game.acts.events import SetUpRuled
from server.game.state.line import believed_line
from server.game.state.state import BoardState, GameState
from server.game.values.position import Position
from server.game.values.words import Seat


def set_up_ruled(state: GameState, event: SetUpRuled) -> GameState:
    """The names of reversed colours are exchanged; a wrong set-up that stands loses rights on every board."""
    if event.names is not None:
        white, black = (replace(state.plan(seat), name=name) for seat, name in zip(Seat, event.names, strict=True))
        state = replace(state, white=white, black=black, names_swapped=True)
    if event.castling is None:
        return state
    start = state.positions[0]
    left = replace(start, castling=event.castling).board().castling_rights
    if event.board is None:
        begun = replace(start, placement=event.placement, castling=event.castling, en_passant="-")
        line, positions = believed_line(begun, state.plies)
        state = replace(state, line=line, positions=positions)
    else:
        state = replace(state, positions=tuple(limited(position, left) for position in state.positions))
    for seat in Seat if event.board is None else (event.board,):
        board = state.board_of(seat)
        changed = BoardState(limited(board.position, left), limited(board.before, left))
        name = "white_board" if seat is Seat.WHITE else "black_board"
        state = replace(state, **{name: changed})
    return state


def limited(position: Position, rights: int) -> Position:
    """The position with no castling but with the rooks on these squares (a bit board)."""
    board = position.board()
    board.castling_rights &= rights
    return replace(position, castling=board.fen().split()[2])
