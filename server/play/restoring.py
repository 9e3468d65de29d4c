"""Restoration of an earlier position: the game goes back to after a ply (7.1, 7.5.1, 7.6; L074, L080, L085).

The plies after it are kept as a discarded line. Both boards go back, the move counters with them; the times as the
arbiter chooses. Scores are the players' own and stay as they are.
"""

from __future__ import annotations

from server.play import commands as cmd
from server.play.chess_clock import ChessClock, ClockReading
from server.play.commands import Refusal
from server.play.deciding import Draft
from server.play.events import BoardSet, ClockSet, Restored
from server.play.irregularities import illegal, stands
from server.play.position import Position
from server.play.state import GameState
from server.play.values import Origin, Seat


def restore(draft: Draft, body: cmd.RestoreTo) -> Refusal | None:
    """Take the game back to after ply `body.ply` (0: the start)."""
    state = draft.state
    if body.ply > state.made_plies:
        return Refusal("no_such_ply", "7.1")
    if state.claim is not None:  # it is about what would be taken back
        return Refusal("claim_open", "9.5.1")
    if not body.agreed and _takes_back_what_stands(state, body.ply):
        return Refusal("illegal_move_stands", state.rules.article("basic_illegal") or "A.5.2")
    placement = _placement(state, body)
    if placement is None:
        return Refusal("position_not_known", "7.5.1")
    times = _times(state, body, draft.now)
    if times is None:
        return Refusal("no_stored_times", "7.1")
    seat = state.seat_of(body.ply + 1)
    moves = _moves_made(state, body.ply)
    periods = _periods(state.clock, moves) if body.times == "stored" else None
    draft.emit(Restored(at=draft.now, ply=body.ply, discarded=state.line[body.ply :], reason=body.reason))
    for board in Seat:
        draft.emit(BoardSet(at=draft.now, board=board, placement=placement, turn=seat, origin=Origin.ENTERED))
    draft.emit(
        ClockSet(
            at=draft.now,
            white_ms=times.white_ms,
            black_ms=times.black_ms,
            turn=seat,
            reason="restored",
            moves=moves,
            periods=periods,
        )
    )
    return None


def _takes_back_what_stands(state: GameState, ply: int) -> bool:
    """Whether one of the plies to be discarded is an illegal move that stands (A.5.2): only by agreement."""
    for index in range(ply + 1, state.made_plies + 1):
        uci = state.line[index - 1]
        known = uci is not None and len(state.positions) >= index
        if known and stands(state, index) and illegal(state.positions[index - 1], uci or ""):
            return True
    return False


def _placement(state: GameState, body: cmd.RestoreTo) -> str | None:
    """What stood after that ply: as the server believes, else as the arbiter says (the last identifiable position)."""
    if len(state.positions) > body.ply:
        return state.positions[body.ply].placement
    if body.placement is None:
        return None
    try:
        Position.from_fen(f"{body.placement} w - - 0 1")
    except ValueError:
        return None
    return body.placement


def _times(state: GameState, body: cmd.RestoreTo, now: int) -> ClockReading | None:
    """The times left as they are, or those of that ply (7.1)."""
    if body.times == "leave":
        clock = state.clock
        return ClockReading(clock.remaining(Seat.WHITE, now), clock.remaining(Seat.BLACK, now), None)
    if body.ply == 0:
        return ChessClock.set_to(state.clock.control).reading(0)
    record = state.plies[body.ply - 1]
    if record.white_ms is None or record.black_ms is None:
        return None
    return ClockReading(record.white_ms, record.black_ms, None)


def _moves_made(state: GameState, ply: int) -> tuple[int, int]:
    """The move counters at that ply."""
    white = sum(state.seat_of(index) is Seat.WHITE for index in range(1, ply + 1))
    return white, ply - white


def _periods(clock: ChessClock, moves: tuple[int, int]) -> tuple[int, int] | None:
    """The periods that those moves had reached, where periods end by moves."""
    if clock.control.add_at != "control":
        return None

    def reached(made: int) -> int:
        period = 0
        while period < len(clock.control.periods) - 1:
            through = clock.control.moves_through(period)
            if through is None or made < through:
                break
            period += 1
        return period

    return reached(moves[0]), reached(moves[1])
