"""The arbiter's acts: starting, pausing, setting, switching, mending (Article 6.10-6.11, D.1, G13)."""

from __future__ import annotations

from server.game import acts as cmd
from server.game.acts import (
    ClockMasterChanged,
    ClockPaused,
    ClockResumed,
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
from server.game.decide.adaptations import MACHINE_ANNOUNCES, adapted, open_questions, record_adaptation
from server.game.decide.claims.draws import rule_claim
from server.game.decide.draft import Draft
from server.game.decide.endings import complete_by_end
from server.game.decide.flags import call_both_flags, call_flag
from server.game.decide.rulings.board_setting import board_of_men
from server.game.decide.rulings.conduct import locked, note
from server.game.decide.rulings.desk import reconcile
from server.game.decide.rulings.irregularities import rule_irregularity
from server.game.decide.rulings.next_game import cancel_game
from server.game.decide.rulings.restore import restore
from server.game.decide.rulings.resumption import resume, times_stand
from server.game.decide.scores import reconstruct
from server.game.decide.set_up.stations import assistant_missing, deduction_refused, delay_display
from server.game.decide.set_up.table import rule_set_up, settle_guidelines, tick_checklist
from server.game.decide.time.clock import approve_clock, correct_clock
from server.game.decide.time.schedule import wait_for
from server.game.laws.adaptations import ON
from server.game.state.state import GameState
from server.game.values.words import Mode, Role


def arbitrate(draft: Draft, body: cmd.AnyAct) -> Refusal | None:
    """Carry out an act of the arbiter (or a mend by the assistant)."""
    state, now = draft.state, draft.now
    match body:
        case cmd.StartGame():
            if state.started:
                return Refusal("already_started", "6.6")
            if open_questions(state):
                return Refusal("question_open", "D.1")
            if assistant_missing(state):
                return Refusal("assistant_needed", "D.2.11")
            draft.emit(GameStarted(at=now))
        case cmd.Pause():
            draft.emit(ClockPaused(at=now, by=Role.ARBITER, seat=None, reason=body.reason, medical=body.medical))
        case cmd.Resume():
            if not state.started:
                return Refusal("not_started", "6.6")
            if state.reconstruction is not None:
                return Refusal("reconstructing", "8.5.3")
            if state.desk is not None:
                return Refusal("desk_open", "D.2.9")
            if state.claim is not None:  # what its player says goes to the arbiter alone until the ruling
                return Refusal("claim_open", "9.5.1")
            draft.emit(ClockResumed(at=now))
        case (
            cmd.DecideGap()
            | cmd.Penalise()
            | cmd.NoteIncident()
            | cmd.RegisterDevice()
            | cmd.PermitLeaving()
            | cmd.NoteAppeal()
        ):
            return note(draft, body)
        case (
            cmd.PrepareResumption()
            | cmd.MarkPresent()
            | cmd.StartResumption()
            | cmd.OpenEnvelope()
            | cmd.RuleSealed()
            | cmd.ReplaceEnvelope()
            | cmd.AnnulGame()
        ):
            return resume(draft, body)
        case cmd.BeginReconstruction() | cmd.ReconstructMove() | cmd.UndoReconstruction() | cmd.EndReconstruction():
            return reconstruct(draft, body)
        case (
            cmd.OpenDesk()
            | cmd.ShowBoard()
            | cmd.TypeCell()
            | cmd.HearCell()
            | cmd.DecideDesk()
            | cmd.ConfirmBoard()
            | cmd.CloseDesk()
        ):
            return reconcile(draft, body)
        case cmd.ScheduleStart() | cmd.NotePresent() | cmd.RuleAbsence() | cmd.StartSession():
            return wait_for(draft, body)
        case cmd.RuleSetUp():
            return rule_set_up(draft, body)
        case cmd.RuleIrregularity():
            return rule_irregularity(draft, body)
        case cmd.RestoreTo():
            return restore(draft, body)
        case cmd.SetClock():
            if (fixed := locked(state, body.reason) or times_stand(state, body.reason)) is not None:
                return fixed
            draft.emit(
                ClockSet(
                    at=now,
                    white_ms=body.white_ms,
                    black_ms=body.black_ms,
                    turn=body.turn,
                    reason=body.reason,
                    moves=body.moves,
                    periods=body.periods,
                    by_hand=True,
                )
            )
        case cmd.CorrectClock():
            return correct_clock(draft, body)
        case cmd.ApproveClock():
            return approve_clock(draft, body)
        case cmd.AddTime():
            if (refusal := deduction_refused(state, body)) is not None:
                return refusal
            draft.emit(TimeAdded(at=now, seat=body.seat, ms=body.ms, reason=body.reason, article=body.article))
        case cmd.SetIncrement():
            if (fixed := locked(state, body.reason)) is not None:
                return fixed
            draft.emit(IncrementSet(at=now, increment_ms=body.increment_ms, article=body.article, reason=body.reason))
        case cmd.NoteRehearsal():
            draft.emit(RehearsalNoted(at=now, outcome=body.outcome, reason=body.reason, passed=body.passed))
        case cmd.DelayDisplay():
            return delay_display(draft, body)
        case cmd.SetMode():
            if body.mode is Mode.RELAY and adapted(state, MACHINE_ANNOUNCES) != ON:
                return Refusal("relay_needs_approval", "D.1")
            draft.emit(ModeChanged(at=now, mode=body.mode))
        case cmd.SettleGuidelines():
            return settle_guidelines(draft, body)
        case cmd.SetClockMaster():
            draft.emit(ClockMasterChanged(at=now, clock_master=body.clock_master))
        case cmd.RecordAdaptation():
            return record_adaptation(draft, body)
        case cmd.TickChecklist():
            return tick_checklist(draft, body)
        case cmd.Mend():
            if not 1 <= body.ply <= len(state.plies):
                return Refusal("no_such_ply", "7.1")
            draft.emit(GameMended(at=now, ply=body.ply, uci=body.uci))
        case cmd.MarkOutOfStep():
            draft.emit(OutOfStep(at=now, ply=state.made_plies, note=body.note))
        case cmd.SetBoard():
            if board_of_men(body.placement) is None:
                return Refusal("no_position", "D.2.9")
            draft.set_board(body.board, body.placement, body.turn, _carried_out(state, body))
        case cmd.CancelGame():
            return cancel_game(draft, body)
        case cmd.CallFlag():
            return call_both_flags(draft, body.seat) if body.both else call_flag(draft, body.seat)
        case cmd.RuleClaim():
            return rule_claim(draft, body)
        case cmd.RuleResult():
            complete_by_end(draft, body.result)
            draft.emit(GameEnded(at=now, result=body.result, reason=body.reason, article=body.article))
        case _:
            return Refusal("unknown_command", "12.3")
    return None


def _carried_out(state: GameState, body: cmd.SetBoard) -> int:
    """The last ply that stands on a board that the arbiter sets or sees, by whose turn it is there."""
    made, coming = state.made_plies, state.ply(state.ply_to_make)
    if body.turn is state.on_move:
        return made
    ahead = coming is not None and coming.seat is body.board and coming.own_board_moved
    return made + 1 if ahead else max(0, made - 1)
