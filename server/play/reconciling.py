"""The reconciliation of two boards that have drifted apart, step by step, under the arbiter (D.2.9, L197).

The desk tells him what the scores say; here only what he does is kept. No score is written by it, no board but by his
decision, and the game goes on when both boards are confirmed square by square.
"""

from __future__ import annotations

import chess

from server.play import commands as cmd
from server.play import events as ev
from server.play.commands import Refusal
from server.play.deciding import Draft
from server.play.desk import Desk
from server.play.reconstructing import snapshot_of
from server.play.restoring import restore
from server.play.setting_squares import ask_first
from server.play.values import Origin, Role, Seat


def reconcile(draft: Draft, body: cmd.AnyBody) -> Refusal | None:
    """Open, look, read, hear, decide, confirm, close."""
    state, now = draft.state, draft.now
    desk = state.desk
    if isinstance(body, cmd.OpenDesk):
        if not state.started:
            return Refusal("not_started", "6.6")
        if desk is not None:
            return Refusal("desk_open", "D.2.9")
        if state.adjournment is not None and state.adjournment.stage != "resumed":
            return Refusal("adjourned", "I.7")  # the resumption would start a clock behind an open desk
        snapshot = snapshot_of(state, now)
        if state.clock.running is not None or state.held is not None:
            draft.emit(ev.ClockPaused(at=now, by=Role.ARBITER, seat=None, reason="desk"))
        draft.emit(ev.DeskOpened(at=now, snapshot=snapshot, reason=body.reason))
        return None
    if desk is None:
        return Refusal("no_desk", "D.2.9")
    match body:
        case cmd.ShowBoard():
            if _board(body.placement) is None:
                return Refusal("no_position", "D.2.9")
            draft.emit(ev.BoardRead(at=now, board=body.board, placement=body.placement))
        case cmd.TypeCell():
            draft.emit(ev.CellTyped(at=now, seat=body.seat, ply=body.ply, text=body.text, language=body.language))
        case cmd.HearCell():
            cell = state.cell_of(body.seat, body.ply)
            if cell is None:
                return Refusal("no_such_ply", "D.2.7")
            draft.emit(ev.CellHeard(at=now, seat=body.seat, ply=body.ply, utterance=cell.utterance))
        case cmd.DecideDesk():
            return _decide(draft, desk, body)
        case cmd.ConfirmBoard():
            return _confirm(draft, desk, body.board)
        case cmd.CloseDesk():
            draft.emit(ev.DeskClosed(at=now, reason=body.reason or "closed"))
    return None


def _decide(draft: Draft, desk: Desk, body: cmd.DecideDesk) -> Refusal | None:
    state = draft.state
    placement, turn = body.placement, body.turn or state.clock.turn
    match body.kind:
        case "adjust":
            if placement is None or _board(placement) is None:
                return Refusal("no_position", "D.2.9")
        case "back":
            if body.ply is None:
                return Refusal("no_such_ply", "D.2.9")
            turn = state.seat_of(body.ply + 1)
            reason = body.reason or "D.2.9"
            back = cmd.RestoreTo(ply=body.ply, times=body.times, placement=placement, reason=reason, agreed=True)
            refusal = restore(draft, back)
            if refusal is not None:
                return refusal
            placement = draft.state.white_board.position.placement
        case "mend":
            placement = placement or desk.board(Seat.WHITE)
            if _board(placement) is None:
                return Refusal("no_position", "D.2.9")
    assert placement is not None
    decided = ev.DeskDecided(
        at=draft.now,
        kind=body.kind,
        verdict=body.verdict,
        ply=body.ply,
        placement=placement,
        turn=turn,
        reason=body.reason,
        white=_to_set(desk.board(Seat.WHITE), placement) if body.kind != "mend" else (),
        black=_to_set(desk.board(Seat.BLACK), placement) if body.kind != "mend" else (),
    )
    draft.emit(decided)
    if body.kind == "mend":  # nobody at the table does anything (G13)
        draft.emit(ev.DeskClosed(at=draft.now, reason="mended"))
    else:
        ask_first(draft, decided)
    return None


def _confirm(draft: Draft, desk: Desk, board: Seat) -> Refusal | None:
    """Both boards confirmed: the desk is closed, and the arbiter starts the clocks when both players are ready."""
    decided = desk.decided
    if decided is None:
        return Refusal("not_decided", "D.2.9")
    kept = draft.state.board_of(board).position
    if kept.placement != decided.placement or kept.turn is not decided.turn:
        draft.emit(
            ev.BoardSet(
                at=draft.now, board=board, placement=decided.placement, turn=decided.turn, origin=Origin.ENTERED
            )
        )
    draft.emit(ev.BoardConfirmed(at=draft.now, board=board))
    now_on = draft.state.desk
    if now_on is not None and len(now_on.confirmed) == len(Seat):
        draft.emit(ev.DeskClosed(at=draft.now, reason="confirmed"))
    return None


def _board(placement: str) -> chess.BaseBoard | None:
    try:
        return chess.BaseBoard(placement)
    except ValueError:
        return None


def _to_set(shown: str, wanted: str) -> tuple[ev.SquareToSet, ...]:
    """The squares on which a board differs from what shall stand there."""
    here, there = chess.BaseBoard(shown), chess.BaseBoard(wanted)
    found = []
    for square in chess.SQUARES:
        piece = there.piece_at(square)
        if here.piece_at(square) != piece:
            name = chess.square_name(square)
            found.append(ev.SquareToSet(square=name, should_be=None if piece is None else piece.symbol()))
    return tuple(found)
