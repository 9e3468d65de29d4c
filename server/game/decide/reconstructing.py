"""Reconstruction of the game on a further board, under the arbiter's control (8.5.3, 8.6, 11.11; L097, L098, L132).

Neither player's board, neither score and nothing the server believes is changed by it. Both players help: each writes
his own score meanwhile, by his own act.
"""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.decide.draft import Draft
from server.game.state.state import GameState
from server.game.values.position import legal
from server.game.values.words import Role, Seat


def reconstruct(draft: Draft, body: cmd.AnyBody) -> Refusal | None:
    """Begin, play on the further board, take back, end."""
    state, now = draft.state, draft.now
    work = state.reconstruction
    if isinstance(body, cmd.BeginReconstruction):
        if not state.started:
            return Refusal("not_started", "6.6")
        if work is not None:
            return Refusal("reconstructing", "8.5.3")
        snapshot = snapshot_of(state, now)
        if state.clock.running is not None or state.held is not None:
            draft.emit(ev.ClockPaused(at=now, by=Role.ARBITER, seat=None, reason="reconstruction"))
        draft.emit(ev.ReconstructionBegun(at=now, snapshot=snapshot, reason=body.reason))
        return None
    if work is None:
        return Refusal("not_reconstructing", "8.5.3")
    match body:
        case cmd.ReconstructMove():
            try:
                work.positions[-1].after(body.uci)
            except ValueError:
                return Refusal("no_such_move", "8.5.3")
            draft.emit(ev.ReconstructionMoved(at=now, uci=body.uci, legal=legal(work.positions[-1], body.uci)))
        case cmd.UndoReconstruction():
            if not work.line:
                return Refusal("no_such_move", "8.5.3")
            draft.emit(ev.ReconstructionUndone(at=now))
        case cmd.EndReconstruction():
            return _end(draft, body)
    return None


def snapshot_of(state: GameState, now: int) -> ev.Snapshot:
    """The position, the times, whose clock ran and the moves, as 8.5.3 has them put down first."""
    clock, position = state.clock, state.position
    reading = clock.reading(now)
    return ev.Snapshot(
        white_board=state.white_board.position.placement,
        black_board=state.black_board.position.placement,
        game=position.placement if position is not None else None,
        made_plies=state.made_plies,
        white_ms=reading.white_ms,
        black_ms=reading.black_ms,
        running=reading.running,
        turn=clock.turn,
        moves=(clock.white.moves, clock.black.moves),
        periods=(clock.white.period, clock.black.period),
        white_score=tuple(cell.text if cell else None for cell in state.white_score),
        black_score=tuple(cell.text if cell else None for cell in state.black_score),
    )


def _end(draft: Draft, body: cmd.EndReconstruction) -> Refusal | None:
    """Both move counters from what was shown, or the next period (8.6); the clocks stand until the arbiter starts them.

    The times are left; the next period's are added to whoever has not had them.
    """
    now, turn, clock = draft.now, draft.state.clock.turn, draft.state.clock.paused(draft.now)
    if body.completed_plies is None:
        following = min(clock.white.period, clock.black.period) + 1
        if following >= len(clock.control.periods):
            return Refusal("no_next_period", "8.6")
        through = clock.control.moves_through(following - 1)
        assert through is not None, "every period but the last has a number of moves"
        clock = clock.in_period(following)
        moves = (through, through) if turn is Seat.WHITE else (through + 1, through)
    else:
        white = sum(draft.state.seat_of(ply) is Seat.WHITE for ply in range(1, body.completed_plies + 1))
        moves = (white, body.completed_plies - white)
        clock = clock.with_moves(*moves)
    article = "8.6" if body.completed_plies is None else "8.5.3"
    draft.emit(
        ev.ReconstructionEnded(at=now, completed_plies=body.completed_plies, evidence=body.evidence, article=article)
    )
    draft.emit(
        ev.ClockSet(
            at=now,
            white_ms=clock.white.remaining_ms,
            black_ms=clock.black.remaining_ms,
            turn=turn,
            reason="reconstructed",
            moves=moves,
            periods=(clock.white.period, clock.black.period),
            by_hand=True,
        )
    )
    return None
