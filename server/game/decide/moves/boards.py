"""Moves entered at a station and moves carried out on a board (4.7, D.2.1, D.2.10.1)."""

from __future__ import annotations

import chess

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.decide.adaptations import machine_announces_for
from server.game.decide.draft import Draft
from server.game.decide.moves.speech import announce_from_board
from server.game.state.resolving import resolve
from server.game.state.state import GameState, PlyRecord
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.words import Origin, Role, Seat, Station


def corrected_by_entry(state: GameState, seat: Seat) -> PlyRecord | None:
    """The seat's own made move that a further entry puts right: not pressed yet, and nothing replied to it."""
    last = state.ply(state.made_plies)
    if last is None or last.seat is not seat or last.completed or state.ply(state.ply_to_make) is not None:
        return None
    return last


def enter(draft: Draft, seat: Seat, body: cmd.EnterMove) -> Refusal | None:
    """A move released on the player's own board, and shown at the player's station (4.7).

    It says what stands on that board and no more. Where the program carries the announcements (relay) it is also how a
    sighted player announces, unless that player announced by word: then the arbiter is told where the two differ.
    """
    state = draft.state
    if not state.started:
        return Refusal("not_started", "6.6")
    if body.announcement is None or not body.announcement.complete:
        return Refusal("no_announcement", "D.2.1")
    ply = state.ply_to_make
    wrong = corrected_by_entry(state, seat)
    if wrong is not None:
        ply = wrong.index
        if wrong.placed is not None:
            draft.set_back(seat, Origin.ENTERED)
    elif seat is not state.on_move:
        if state.ply(ply) is None:
            draft.alert("entry_out_of_turn", ply, f"{body.uci} entered by the player not on move")
            return None
        draft.make(ply, Origin.INFERRED)  # his own entry means that the opponent's move was made
        ply = draft.state.ply_to_make
    if board_announces_now(draft.state, seat, ply):
        announce_from_board(draft, seat, ply, cmd.Say(announcement=body.announcement, words=body.words, text=body.text))
    record = draft.state.ply(ply)
    if record is None or not record.made:
        draft.make(ply, Origin.ENTERED)
    uci = _as_announced(draft.state, seat, seat, body.announcement, body.uci)
    try:
        draft.place(seat, ply, uci, Origin.ENTERED)
    except ValueError:
        draft.alert("board_not_followed", ply, f"{uci} cannot be moved on the {seat.value} board")
    return None


def board_announces_now(state: GameState, seat: Seat, ply: int) -> bool:
    """Whether a move seen on this player's own board is announced by that: only where the program announces for the
    player, and not where the player has said or typed an announcement. A board touched is no announcement (1.3, D.2.1).
    """
    record = state.ply(ply)
    said = record is not None and record.announcement is not None and not record.announced_by_board
    return machine_announces_for(state, seat) and not said


def _as_announced(state: GameState, on: Seat, mover: Seat, announcement: Announcement | None, uci: str) -> str:
    """Castling on a board is shown in more than one way, the king on his rook among them: it is the one announced.

    In Chess960 there is only that way, and it names the rook.
    """
    board = state.board_of(on).position.board()
    if announcement is None or announcement.castling is None or board.chess960:
        return uci
    board.turn = chess.WHITE if mover is Seat.WHITE else chess.BLACK
    return resolve(announcement, board).uci or uci


def _king_onto_own_rook(position: Position, uci: str) -> bool:
    board = position.board()
    king, rook = (board.piece_at(chess.parse_square(square)) for square in (uci[:2], uci[2:4]))
    return (
        king is not None
        and rook is not None
        and king.color is rook.color
        and (king.piece_type, rook.piece_type) == (chess.KING, chess.ROOK)
    )


def carry_out(draft: Draft, seat: Seat, station: Station | None, body: cmd.Execute) -> Refusal | None:
    """The opponent's move carried out on a board: a player's own, an assistant's either (D.2.1, D.2.10.1)."""
    free = station is None or station.role is Role.ASSISTANT
    board = body.board if free and body.board is not None else seat
    waiting = [record for record in draft.state.plies[-2:] if record.seat is not board and record.executed_ms is None]
    if not waiting:
        return Refusal("nothing_to_execute", "D.2.1")
    record, uci = waiting[0], body.uci
    if uci is not None and _king_onto_own_rook(draft.state.board_of(board).position, uci):
        uci = _as_announced(draft.state, board, record.seat, record.announcement, uci)
    draft.execute(record, board, uci, Origin(body.origin))
    if uci is not None and draft.state.plies[record.index - 1].seen_on_other_board == uci:
        draft.compare_board(board, record.index, uci, draft.state.board_of(board).before)
    return None
