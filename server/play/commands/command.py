"""A command's identity, and a refusal."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.play.commands.adjourning import (
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
from server.play.commands.body import Name
from server.play.commands.conduct import (
    AskLaw,
    NoteDeviceFound,
    NoteSupervision,
    ReadClock,
    ReleaseLaw,
    ReportLeaving,
    ReportToArbiter,
    RuleStop,
)
from server.play.commands.desk import (
    CloseDesk,
    ConfirmBoard,
    DecideDesk,
    HearCell,
    OpenDesk,
    ShowBoard,
    TypeCell,
)
from server.play.commands.ending import (
    Acknowledge,
    AnswerDraw,
    ApproveResult,
    ClaimDraw,
    ClaimTime,
    OfferDraw,
    Resign,
    VerifyPosition,
)
from server.play.commands.leading import (
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
from server.play.commands.own import (
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
from server.play.commands.own_clock import ApproveClock, AskForCues, ChooseClock, CorrectClock, SetUpClock
from server.play.commands.playing import (
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
    Press,
    ReportTouch,
    Say,
    WriteScore,
)
from server.play.commands.pressing import LearnPressKeys, PressKey, TellPressKeys
from server.play.commands.proposing import Confirm, Propose
from server.play.commands.reconstructing import ReconstructionBody
from server.play.commands.recording import LendScore, RecordScoresheet, ReturnScore
from server.play.commands.ruling import (
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
from server.play.commands.sensing import NoteBoard, NotePress, SenseMove
from server.play.commands.showing import DelayDisplay
from server.play.commands.sounding import (
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
from server.play.commands.waiting import NotePresent, RuleAbsence, ScheduleStart, StartSession

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
