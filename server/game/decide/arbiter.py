"""The arbiter's acts: starting, pausing, setting, switching, mending (Article 6.10-6.11, D.1, G13)."""

from __future__ import annotations

from server.game import acts as cmd
from server.game.acts import (
    ClockMasterChanged,
    ClockPaused,
    ClockSet,
    GameEnded,
    GameMended,
    GameStarted,
    IncrementSet,
    ModeChanged,
    OutOfStep,
    Refusal,
    RehearsalNoted,
    TimeAdded,
)
from server.game.decide.adaptations import MACHINE_ANNOUNCES, adaptation_value, open_questions
from server.game.decide.claims.flags import call_both_flags, call_flag
from server.game.decide.draft import Draft
from server.game.decide.endings import complete_by_end
from server.game.decide.rule import decides
from server.game.decide.rulings.board_setting import board_of_men
from server.game.decide.set_up.stations import assistant_missing, deduction_refused
from server.game.decide.time.clock import settings_refusal, times_refusal
from server.game.laws.adaptations import ON
from server.game.state.state import GameState
from server.game.values.words import Mode, Role


@decides(cmd.StartGame)
def start(draft: Draft) -> Refusal | None:
    """Start the game, once every question of the preparation is answered (6.6, D.1, D.2.11)."""
    state = draft.state
    if state.table.started:
        return Refusal("already_started", "6.6")
    if open_questions(state):
        return Refusal("question_open", "D.1")
    if assistant_missing(state):
        return Refusal("assistant_needed", "D.2.11")
    draft.emit(GameStarted(at=draft.now))
    return None


@decides(cmd.Pause)
def pause(draft: Draft, body: cmd.Pause) -> None:
    """Stop both clocks (6.11.3, 12.2.6)."""
    draft.emit(ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason=body.reason, medical=body.medical))


@decides(cmd.SetClock)
def set_clock(draft: Draft, body: cmd.SetClock) -> Refusal | None:
    """Set both clocks by hand (6.10.2)."""
    state = draft.state
    if (fixed := settings_refusal(state, body.reason) or times_refusal(state, body.reason)) is not None:
        return fixed
    periods = body.periods
    if periods is None and body.moves is not None:
        periods = state.time.clock.control.periods_reached(body.moves)
    draft.emit(
        ClockSet(
            at=draft.now,
            white_ms=body.white_ms,
            black_ms=body.black_ms,
            turn=body.turn,
            reason=body.reason,
            moves=body.moves,
            periods=periods,
            by_hand=True,
        )
    )
    return None


@decides(cmd.AddTime)
def add_time(draft: Draft, body: cmd.AddTime) -> Refusal | None:
    """Give or take time (7.5.5, 12.9)."""
    if (refusal := deduction_refused(draft.state, body)) is not None:
        return refusal
    draft.emit(TimeAdded(at=draft.now, seat=body.seat, ms=body.ms, reason=body.reason, article=body.article))
    return None


@decides(cmd.SetIncrement)
def set_increment(draft: Draft, body: cmd.SetIncrement) -> Refusal | None:
    """Add an increment to every move from now on (III.4)."""
    if (fixed := settings_refusal(draft.state, body.reason)) is not None:
        return fixed
    draft.emit(IncrementSet(at=draft.now, increment_ms=body.increment_ms, article=body.article, reason=body.reason))
    return None


@decides(cmd.NoteRehearsal)
def note_rehearsal(draft: Draft, body: cmd.NoteRehearsal) -> None:
    """Note how the rehearsal before the game ended."""
    draft.emit(RehearsalNoted(at=draft.now, outcome=body.outcome, reason=body.reason, passed=body.passed))


@decides(cmd.SetMode)
def set_mode(draft: Draft, body: cmd.SetMode) -> Refusal | None:
    """Settle who announces: the players, or the machine, which needs an adaptation (D.1)."""
    if body.mode is Mode.RELAY and adaptation_value(draft.state, MACHINE_ANNOUNCES) != ON:
        return Refusal("relay_needs_approval", "D.1")
    draft.emit(ModeChanged(at=draft.now, mode=body.mode))
    return None


@decides(cmd.SetClockMaster)
def set_clock_master(draft: Draft, body: cmd.SetClockMaster) -> None:
    """Settle which clock leads (6.1)."""
    draft.emit(ClockMasterChanged(at=draft.now, clock_master=body.clock_master))


@decides(cmd.Mend)
def mend(draft: Draft, body: cmd.Mend) -> Refusal | None:
    """Put the server's own game right at one ply (G13)."""
    if not 1 <= body.ply <= len(draft.state.moves.plies):
        return Refusal("no_such_ply", "7.1")
    draft.emit(GameMended(at=draft.now, ply=body.ply, uci=body.uci, unknown=body.uci is None))
    return None


@decides(cmd.MarkOutOfStep)
def mark_out_of_step(draft: Draft, body: cmd.MarkOutOfStep) -> None:
    """Note that the server's own game is not the one that is played (G13)."""
    draft.emit(OutOfStep(at=draft.now, ply=draft.state.made_plies, note=body.note))


@decides(cmd.SetBoard)
def set_board(draft: Draft, body: cmd.SetBoard) -> Refusal | None:
    """Set one board as it stands, or must stand (D.2.9)."""
    if board_of_men(body.placement) is None:
        return Refusal("no_position", "D.2.9")
    draft.set_board(body.board, body.placement, body.turn, _carried_out(draft.state, body))
    return None


@decides(cmd.CallFlag)
def call_flags(draft: Draft, body: cmd.CallFlag) -> Refusal | None:
    """Call one flag, or both (6.8, III.3.1)."""
    return call_both_flags(draft, body.seat) if body.both else call_flag(draft, body.seat)


@decides(cmd.RuleResult)
def rule_result(draft: Draft, body: cmd.RuleResult) -> None:
    """End the game with a result that the arbiter rules."""
    complete_by_end(draft, body.result, by=(body.article, body.reason))
    draft.emit(GameEnded(at=draft.now, result=body.result, reason=body.reason, article=body.article))


def _carried_out(state: GameState, body: cmd.SetBoard) -> int:
    """The last ply that stands on a board that the arbiter sets or sees, by whose turn it is there."""
    made, coming = state.made_plies, state.ply(state.ply_to_make)
    if body.turn is state.on_move:
        return made
    ahead = coming is not None and coming.seat is body.board and coming.own_board_moved
    return made + 1 if ahead else max(0, made - 1)
