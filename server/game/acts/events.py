"""What happened at a table: frozen events. Each carries `at`, the ms of this run at which it happened.

Announced, made, completed, echoed and executed are five moments (1.3, D.2.3, 6.2.1, D.2.1), each with its time and
its origin. A board changes only by `BoardMoved` and `BoardSet`; a score only by `ScoreWritten`.
"""

from __future__ import annotations

from server.game.acts.adjourning import (
    Adjourned,
    AdjournmentEvent,
    EnvelopeMissing,
    EnvelopeOpened,
    MoveSealed,
    PresenceMarked,
    ResumptionBegun,
    ResumptionPrepared,
    SealedRuled,
    SealOrdered,
)
from server.game.acts.announcing import AnnouncementSpoken, AnnouncementWaited, Explored, TrainingAsked
from server.game.acts.conduct_2 import (
    ClockRead,
    DeviceFound,
    LawAsked,
    LawReleased,
    LeavingReported,
    ObserverReported,
    StopRuled,
    SupervisionNoted,
)
from server.game.acts.desk_2 import (
    DESK_EVENTS,
    BoardConfirmed,
    BoardRead,
    BoardSaidSet,
    BoardsToSet,
    CellHeard,
    CellTyped,
    DeskClosed,
    DeskDecided,
    DeskEvent,
    DeskOpened,
    LineSettled,
    SquareAsked,
    SquareToSet,
    StillDiffers,
)
from server.game.acts.ending import (
    ClaimKindAsked,
    ClaimKindStated,
    ClaimRuled,
    DrawAnswered,
    DrawClaimed,
    DrawOffered,
    EndingEvent,
    FlagCalled,
    GameEnded,
    OfferAcknowledged,
    Resigned,
    ResultApproved,
    TimeClaimed,
)
from server.game.acts.event import VERSION, Event
from server.game.acts.mating import MateAnswered, MateAsked
from server.game.acts.moving import (
    Announced,
    AnnouncementOwed,
    AnnouncementRepeated,
    BeliefRevised,
    BoardMoved,
    BoardSet,
    Completed,
    Contested,
    Echoed,
    EchoRecalled,
    Executed,
    GameMended,
    Made,
    NotUnderstood,
    OutOfStep,
    ScoreWritten,
    SetAside,
    SoundKept,
)
from server.game.acts.opening import (
    AdaptationRecorded,
    ChecklistTicked,
    ClockMasterChanged,
    GameStarted,
    GuidelinesSettled,
    Interrupted,
    ModeChanged,
    NextGameOpened,
    NextGameOrdered,
    OpeningEvent,
    RehearsalNoted,
    SetUpRuled,
    StationAdmitted,
    StationRevoked,
    TableOpened,
    TwoBoardsDemanded,
)
from server.game.acts.own_clock import (
    ClockChoiceAsked,
    ClockChoiceEnded,
    ClockKept,
    ClockProposed,
    ClockSetUp,
    CuesAsked,
    OwnClockEvent,
    TimeCued,
)
from server.game.acts.pressing import PressKeyEvent, PressKeysAsked, PressKeysTold
from server.game.acts.proposing_2 import IntendedStated, ProposalSettled, Proposed, ProposingEvent, SaidToArbiter
from server.game.acts.questions import (
    Adjusting,
    Answered,
    ArbiterCalled,
    AskingEvent,
    CastlingMeant,
    CommandRefused,
    RecordingExempted,
    SheetAsked,
    SpeechCut,
    SpokenPrivately,
)
from server.game.acts.reconstructing_2 import (
    ReconstructionBegun,
    ReconstructionEnded,
    ReconstructionEvent,
    ReconstructionMoved,
    ReconstructionUndone,
    Snapshot,
)
from server.game.acts.recording import RecordingEvent, ScoreDue, ScoreLent, ScoreReturned, ScoresheetRecorded
from server.game.acts.ruling import (
    Alerted,
    AppealNoted,
    Decided,
    DeviceRegistered,
    EvidenceOpened,
    IncidentNoted,
    IrregularityRuled,
    Keeps,
    LeaveRuled,
    Penalised,
    Restored,
    RulingEvent,
    TouchReported,
    TouchRuled,
)
from server.game.acts.showing_2 import DisplayDelayed
from server.game.acts.sounding import (
    AlertsChosen,
    DevicesChosen,
    EarChosen,
    HeadsetChecked,
    RoomAllowed,
    SoundEvent,
    SoundLost,
    TalkingChosen,
    VoiceActivityPermitted,
    VoiceBound,
)
from server.game.acts.timing import (
    ClockPaused,
    ClockPressed,
    ClockResumed,
    ClockSet,
    FlagFell,
    IncrementSet,
    PeriodBegun,
    TimeAdded,
)
from server.game.acts.unsupervised import PlayConcluded, PositionVerified
from server.game.acts.waiting import (
    AbsenceRuled,
    DefaultTimeOver,
    InstantsVoided,
    LowTime,
    PresenceNoted,
    SessionEnded,
    SessionStarted,
    StartScheduled,
    WaitingEvent,
)

ConductEvent = StopRuled | DeviceFound | LeavingReported | SupervisionNoted | ClockRead | ObserverReported

AnyEvent = (
    OpeningEvent
    | Announced
    | SetAside
    | SoundKept
    | NotUnderstood
    | AnnouncementRepeated
    | Contested
    | Made
    | Completed
    | ClockPressed
    | Echoed
    | EchoRecalled
    | Executed
    | BoardMoved
    | BoardSet
    | ScoreWritten
    | ClockPaused
    | ClockResumed
    | ClockSet
    | TimeAdded
    | IncrementSet
    | PeriodBegun
    | FlagFell
    | GameMended
    | OutOfStep
    | AnnouncementOwed
    | ProposingEvent
    | AskingEvent
    | WaitingEvent
    | OwnClockEvent
    | ReconstructionEvent
    | DeskEvent
    | ConductEvent
    | RulingEvent
    | AdjournmentEvent
    | EndingEvent
    | SoundEvent
    | PlayConcluded
    | PositionVerified
    | LawAsked
    | LawReleased
    | RecordingEvent
    | MateAsked
    | MateAnswered
    | AnnouncementSpoken
    | AnnouncementWaited
    | BeliefRevised
    | TrainingAsked
    | Explored
    | PressKeyEvent
    | DisplayDelayed
)

__all__ = [
    "DESK_EVENTS",
    "VERSION",
    "AbsenceRuled",
    "AdaptationRecorded",
    "Adjourned",
    "AdjournmentEvent",
    "Adjusting",
    "Alerted",
    "AlertsChosen",
    "Announced",
    "AnnouncementOwed",
    "AnnouncementRepeated",
    "AnnouncementSpoken",
    "AnnouncementWaited",
    "Answered",
    "AnyEvent",
    "AppealNoted",
    "ArbiterCalled",
    "BeliefRevised",
    "BoardConfirmed",
    "BoardMoved",
    "BoardRead",
    "BoardSaidSet",
    "BoardSet",
    "BoardsToSet",
    "CastlingMeant",
    "CellHeard",
    "CellTyped",
    "ChecklistTicked",
    "ClaimKindAsked",
    "ClaimKindStated",
    "ClaimRuled",
    "ClockChoiceAsked",
    "ClockChoiceEnded",
    "ClockKept",
    "ClockMasterChanged",
    "ClockPaused",
    "ClockPressed",
    "ClockProposed",
    "ClockRead",
    "ClockResumed",
    "ClockSet",
    "ClockSetUp",
    "CommandRefused",
    "Completed",
    "Contested",
    "CuesAsked",
    "Decided",
    "DefaultTimeOver",
    "DeskClosed",
    "DeskDecided",
    "DeskEvent",
    "DeskOpened",
    "DeviceFound",
    "DeviceRegistered",
    "DevicesChosen",
    "DisplayDelayed",
    "DrawAnswered",
    "DrawClaimed",
    "DrawOffered",
    "EarChosen",
    "EchoRecalled",
    "Echoed",
    "EndingEvent",
    "EnvelopeMissing",
    "EnvelopeOpened",
    "Event",
    "EvidenceOpened",
    "Executed",
    "Explored",
    "FlagCalled",
    "FlagFell",
    "GameEnded",
    "GameMended",
    "GameStarted",
    "GuidelinesSettled",
    "HeadsetChecked",
    "IncidentNoted",
    "IncrementSet",
    "InstantsVoided",
    "IntendedStated",
    "Interrupted",
    "IrregularityRuled",
    "Keeps",
    "LawAsked",
    "LawReleased",
    "LeaveRuled",
    "LeavingReported",
    "LineSettled",
    "LowTime",
    "Made",
    "MateAnswered",
    "MateAsked",
    "ModeChanged",
    "MoveSealed",
    "NextGameOpened",
    "NextGameOrdered",
    "NotUnderstood",
    "ObserverReported",
    "OfferAcknowledged",
    "OutOfStep",
    "Penalised",
    "PeriodBegun",
    "PlayConcluded",
    "PositionVerified",
    "PresenceMarked",
    "PresenceNoted",
    "PressKeysAsked",
    "PressKeysTold",
    "ProposalSettled",
    "Proposed",
    "ReconstructionBegun",
    "ReconstructionEnded",
    "ReconstructionMoved",
    "ReconstructionUndone",
    "RecordingExempted",
    "RehearsalNoted",
    "Resigned",
    "Restored",
    "ResultApproved",
    "ResumptionBegun",
    "ResumptionPrepared",
    "RoomAllowed",
    "RulingEvent",
    "SaidToArbiter",
    "ScoreDue",
    "ScoreLent",
    "ScoreReturned",
    "ScoreWritten",
    "ScoresheetRecorded",
    "SealOrdered",
    "SealedRuled",
    "SessionEnded",
    "SessionStarted",
    "SetAside",
    "SetUpRuled",
    "SheetAsked",
    "Snapshot",
    "SoundEvent",
    "SoundKept",
    "SoundLost",
    "SpeechCut",
    "SpokenPrivately",
    "SquareAsked",
    "SquareToSet",
    "StartScheduled",
    "StationAdmitted",
    "StationRevoked",
    "StillDiffers",
    "StopRuled",
    "SupervisionNoted",
    "TableOpened",
    "TalkingChosen",
    "TimeAdded",
    "TimeClaimed",
    "TimeCued",
    "TouchReported",
    "TouchRuled",
    "TrainingAsked",
    "TwoBoardsDemanded",
    "VoiceActivityPermitted",
    "VoiceBound",
]
