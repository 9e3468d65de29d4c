"""A command's identity, and a refusal."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.game.acts.adjournment import (
    AnnulGame,
    MarkPresent,
    OpenEnvelope,
    OrderSeal,
    PrepareResumption,
    ReplaceEnvelope,
    RuleSealed,
    SealMove,
    StartResumption,
    StopSealed,
)
from server.game.acts.base import Name
from server.game.acts.clock import ApproveClock, AskForCues, ChooseClock, CorrectClock, SetUpClock
from server.game.acts.conduct import (
    AskLaw,
    NoteDeviceFound,
    NoteSupervision,
    ReadClock,
    ReleaseLaw,
    ReportLeaving,
    ReportToArbiter,
    RuleStop,
)
from server.game.acts.desk import (
    CloseDesk,
    ConfirmBoard,
    DecideDesk,
    HearCell,
    OpenDesk,
    ShowBoard,
    TypeCell,
)
from server.game.acts.endings import (
    Acknowledge,
    AnswerDraw,
    ApproveResult,
    ClaimDraw,
    ClaimTime,
    Confirm,
    OfferDraw,
    Propose,
    Resign,
    VerifyPosition,
)
from server.game.acts.moves import (
    AboutToCastle,
    Adjust,
    Ask,
    AskForSheet,
    CallArbiter,
    ClaimIrregularity,
    DemandTwoBoards,
    EnterMove,
    Execute,
    Explore,
    NoteBoard,
    NotePress,
    Press,
    ReportTouch,
    Say,
    SenseMove,
    WriteScore,
)
from server.game.acts.program import (
    Admit,
    KeepSound,
    NoteBelief,
    NoteCut,
    NoteFault,
    NoteInstant,
    NoteInterruption,
    NoteMateAnswer,
    NoteNewRun,
    NoteNextGame,
    NoteRefused,
    NoteRehearsal,
    NoteSpeaking,
    NoteSpoken,
    OpenNext,
    OpenTable,
    Revoke,
    SetSoundAside,
)
from server.game.acts.rulings import (
    DecideGap,
    NoteAppeal,
    NoteIncident,
    OpenEvidence,
    Penalise,
    PermitLeaving,
    RegisterDevice,
    RestoreTo,
    RuleClaim,
    RuleIrregularity,
    RuleSetUp,
    RuleTouch,
)
from server.game.acts.schedule import NotePresent, RuleAbsence, ScheduleStart, StartSession
from server.game.acts.scores import LendScore, ReconstructionBody, RecordScoresheet, ReturnScore
from server.game.acts.sound import (
    AllowRoom,
    AnswerRecording,
    ChooseAlerts,
    ChooseDevices,
    ChooseEar,
    ChooseTalking,
    NoteAnotherVoice,
    NoteDeviceFault,
    NoteHeadset,
    NoteMicrophoneLost,
    NoteVoice,
    PermitVoiceActivity,
)
from server.game.acts.stations import DelayDisplay, LearnPressKeys, PressKey, TellPressKeys
from server.game.acts.table import (
    AddTime,
    CallFlag,
    CancelGame,
    MarkOutOfStep,
    Mend,
    Pause,
    RecordAdaptation,
    Resume,
    RuleResult,
    SetBoard,
    SetClock,
    SetClockMaster,
    SetIncrement,
    SetMode,
    SettleGuidelines,
    StartGame,
    TickChecklist,
)

ConductBody = RuleStop | NoteDeviceFound | ReportLeaving | NoteSupervision | ReadClock | ReportToArbiter
SoundBody = ChooseTalking | ChooseEar | PermitVoiceActivity | ChooseDevices | AllowRoom | ChooseAlerts | AnswerRecording
WaitingBody = ScheduleStart | NotePresent | RuleAbsence | StartSession
StationBody = (
    Say
    | EnterMove
    | Explore
    | Press
    | LearnPressKeys
    | DelayDisplay
    | CancelGame
    | TellPressKeys
    | PressKey
    | Execute
    | WriteScore
    | Ask
    | OfferDraw
    | AnswerDraw
    | Resign
    | ClaimTime
    | ClaimDraw
    | ApproveResult
    | CallArbiter
    | Adjust
    | StartGame
    | Pause
    | Resume
    | SetClock
    | AddTime
    | SetIncrement
    | SetMode
    | SettleGuidelines
    | SetClockMaster
    | RecordAdaptation
    | Mend
    | MarkOutOfStep
    | SetBoard
    | RuleResult
    | CallFlag
    | RuleClaim
    | OpenDesk
    | ShowBoard
    | TypeCell
    | HearCell
    | DecideDesk
    | ConfirmBoard
    | CloseDesk
    | ReportTouch
    | RuleTouch
    | OpenEvidence
    | ClaimIrregularity
    | RuleIrregularity
    | RestoreTo
    | DecideGap
    | Penalise
    | NoteIncident
    | RegisterDevice
    | PermitLeaving
    | NoteAppeal
    | AskForSheet
    | AskForCues
    | SetUpClock
    | ChooseClock
    | ApproveClock
    | CorrectClock
    | AboutToCastle
    | RuleSetUp
    | Propose
    | Confirm
    | OrderSeal
    | SealMove
    | StopSealed
    | PrepareResumption
    | MarkPresent
    | StartResumption
    | OpenEnvelope
    | RuleSealed
    | ReplaceEnvelope
    | AnnulGame
    | WaitingBody
    | ReconstructionBody
    | ConductBody
    | SoundBody
    | RecordScoresheet
    | LendScore
    | ReturnScore
    | Acknowledge
    | VerifyPosition
    | AskLaw
    | ReleaseLaw
    | DemandTwoBoards
    | TickChecklist
)
OwnBody = (
    OpenTable
    | OpenNext
    | NoteNextGame
    | Admit
    | Revoke
    | KeepSound
    | NoteRefused
    | SetSoundAside
    | NoteFault
    | NoteInstant
    | NoteInterruption
    | NoteMateAnswer
    | NoteNewRun
    | NoteRehearsal
    | NoteSpeaking
    | NoteSpoken
    | NoteBelief
    | NoteCut
    | NoteVoice
    | NoteAnotherVoice
    | NoteDeviceFault
    | NoteHeadset
    | NoteMicrophoneLost
    | SenseMove
    | NoteBoard
    | NotePress
)
AnyBody = StationBody | OwnBody

PROGRAM = "program"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A command's identity: a 128-bit id from the client (32 hex digits), the table, the station, the ply it is about.

    The same id again gets the same answer, also after a crash.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    table: Name
    station: Name
    body: AnyBody
    about_ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not carried out: a code for the catalogue of texts, and the article or design rule."""

    code: str
    article: str
