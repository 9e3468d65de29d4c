"""Which command each role may give, and the article that refuses the others (D.2.10, D.2.11, L199-L206)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.state.state import GameState
from server.game.values.words import Duty, Role, Seat, Station

PLAYER = (
    cmd.Say,
    cmd.EnterMove,
    cmd.Press,
    cmd.Execute,
    cmd.WriteScore,
    cmd.Ask,
    cmd.Explore,
    cmd.OfferDraw,
    cmd.AnswerDraw,
    cmd.Resign,
    cmd.ClaimTime,
    cmd.ClaimDraw,
    cmd.ApproveResult,
    cmd.CallArbiter,
    cmd.Adjust,
    cmd.ClaimIrregularity,
    cmd.AskForSheet,
    cmd.AskForCues,
    cmd.SetUpClock,
    cmd.ChooseClock,
    cmd.ReportLeaving,
    cmd.Propose,
    cmd.Confirm,
    cmd.AboutToCastle,
    cmd.SealMove,
    cmd.StopSealed,
    cmd.ReturnScore,
    cmd.Acknowledge,
    cmd.DemandTwoBoards,
    cmd.VerifyPosition,
    cmd.AskLaw,
    cmd.ChooseTalking,
    cmd.ChooseEar,
    cmd.AnswerRecording,
)
ARBITER = (
    cmd.DemandTwoBoards,
    cmd.Ask,  # the set-up alone
    cmd.ReportTouch,
    cmd.RuleTouch,
    cmd.OpenEvidence,
    cmd.RuleIrregularity,
    cmd.RestoreTo,
    cmd.DecideGap,
    cmd.Penalise,
    cmd.NoteIncident,
    cmd.RegisterDevice,
    cmd.PermitLeaving,
    cmd.NoteAppeal,
    cmd.RuleSetUp,
    cmd.StartGame,
    cmd.Pause,
    cmd.Resume,
    cmd.SetClock,
    cmd.SetUpClock,
    cmd.ApproveClock,
    cmd.CorrectClock,
    cmd.AddTime,
    cmd.SetIncrement,
    cmd.SetMode,
    cmd.SettleGuidelines,
    cmd.SetClockMaster,
    cmd.RecordAdaptation,
    cmd.TickChecklist,
    cmd.Mend,
    cmd.MarkOutOfStep,
    cmd.SetBoard,
    cmd.RuleResult,
    cmd.CallFlag,
    cmd.CancelGame,
    cmd.RuleClaim,
    cmd.OrderSeal,
    cmd.PrepareResumption,
    cmd.MarkPresent,
    cmd.StartResumption,
    cmd.OpenEnvelope,
    cmd.RuleSealed,
    cmd.ReplaceEnvelope,
    cmd.AnnulGame,
    cmd.ScheduleStart,
    cmd.RuleStop,
    cmd.NoteDeviceFound,
    cmd.NoteSupervision,
    cmd.ReadClock,
    cmd.NotePresent,
    cmd.RuleAbsence,
    cmd.StartSession,
    cmd.BeginReconstruction,
    cmd.ReconstructMove,
    cmd.UndoReconstruction,
    cmd.EndReconstruction,
    cmd.CloseDesk,
    cmd.ConfirmBoard,
    cmd.DecideDesk,
    cmd.HearCell,
    cmd.OpenDesk,
    cmd.ShowBoard,
    cmd.TypeCell,
    cmd.RecordScoresheet,
    cmd.LendScore,
    cmd.ReleaseLaw,
    cmd.ChooseTalking,
    cmd.ChooseEar,
    cmd.PermitVoiceActivity,
    cmd.AllowRoom,
    cmd.ChooseAlerts,
    cmd.ChooseDevices,
    cmd.LearnPressKeys,
    cmd.DelayDisplay,
)
OBSERVER = (cmd.ReportTouch, cmd.ReportToArbiter)  # 12.4
DUTY_OF: dict[type, tuple[Duty, str]] = {
    cmd.Execute: (Duty.EXECUTE, "D.2.10.1"),
    cmd.Say: (Duty.ANNOUNCE, "D.2.10.2"),
    cmd.Acknowledge: (Duty.ANNOUNCE, "D.2.10.2"),
    cmd.Mend: (Duty.ANNOUNCE, "D.2.10.2"),
    cmd.WriteScore: (Duty.SCORE_AND_CLOCK, "D.2.10.3"),
    cmd.Press: (Duty.SCORE_AND_CLOCK, "D.2.10.3"),
    cmd.Ask: (Duty.INFORM, "D.2.10.4"),
    cmd.ClaimTime: (Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    cmd.ReportTouch: (Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    cmd.ClaimIrregularity: (Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    cmd.AskLaw: (Duty.INFORM, "D.2.10.4"),
    cmd.ReadClock: (Duty.INFORM, "D.2.10.4"),
    cmd.NotePresent: (Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    cmd.CallArbiter: (Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    cmd.SealMove: (Duty.ADJOURN, "D.2.10.6"),
    cmd.StopSealed: (Duty.ADJOURN, "D.2.10.6"),
}
OWN = (
    cmd.OpenTable,
    cmd.Admit,
    cmd.Revoke,
    cmd.KeepSound,
    cmd.NoteRefused,
    cmd.SetSoundAside,
    cmd.NoteFault,
    cmd.NoteInstant,
    cmd.NoteInterruption,
    cmd.NoteMateAnswer,
    cmd.NoteRehearsal,
    cmd.NoteNewRun,
    cmd.NoteNextGame,
    cmd.OpenNext,
    cmd.NoteSpeaking,
    cmd.NoteSpoken,
    cmd.NoteCut,
    cmd.NoteBelief,
    cmd.NoteVoice,
    cmd.NoteAnotherVoice,
    cmd.NoteDeviceFault,
    cmd.NoteHeadset,
    cmd.NoteMicrophoneLost,
    cmd.SenseMove,
    cmd.NoteBoard,
    cmd.NotePress,
)


def refused(station: Station | None, body: cmd.AnyBody) -> Refusal | None:
    """Why this station may not give this command; None where it may. `station` None is the program itself."""
    if station is None:
        return None
    if isinstance(body, OWN):
        return Refusal("not_for_stations", "11.3.1")
    if isinstance(body, cmd.TellPressKeys | cmd.PressKey):
        return None  # where the two buttons are is the arbiter's to say (`set_up/stations.py`)
    match station.role:
        case Role.PLAYER:
            return None if isinstance(body, PLAYER) else Refusal("only_the_arbiter", "12.3")
        case Role.ARBITER:
            return None if isinstance(body, ARBITER) else Refusal("only_the_player", "12.6")
        case Role.ASSISTANT if isinstance(body, cmd.Ask) and body.what == "set_up":
            return None if station.duties else Refusal("not_your_duty", "D.2.10")
        case Role.ASSISTANT:
            duty, article = DUTY_OF.get(type(body), (None, "D.2.10"))
            return None if duty is not None and duty in station.duties else Refusal("not_your_duty", article)
        case Role.DISPLAY:
            return Refusal("display_only_shows", "6.12.1")
        case Role.OBSERVER:
            return None if isinstance(body, OBSERVER) else Refusal("observer_only_reports", "12.4")


def seat_spoken_for(state: GameState, station: Station | None, named: Seat | None) -> Seat:
    """For which seat a station acts: its own; an assistant may name the other (D.2.10.1, D.2.10.2)."""
    if station is None or station.seat is None:
        return named or state.on_move
    if station.role is Role.ASSISTANT and named is not None:
        return named
    return station.seat
