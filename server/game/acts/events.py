"""What happened at a table: frozen events. Each carries `at`, the ms of this run at which it happened.

Announced, made, completed, echoed and executed are five moments (1.3, D.2.3, 6.2.1, D.2.1), each with its time and
its origin. A board changes only by `BoardMoved` and `BoardSet`; a score only by `ScoreWritten`.
"""

from __future__ import annotations

from server.game.acts.adjournment import (
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
from server.game.acts.base import VERSION, Event
from server.game.acts.clock import (
    ClockChoiceAsked,
    ClockChoiceEnded,
    ClockKept,
    ClockPaused,
    ClockPressed,
    ClockProposed,
    ClockResumed,
    ClockSet,
    ClockSetUp,
    CuesAsked,
    FlagFell,
    IncrementSet,
    OwnClockEvent,
    PeriodBegun,
    TimeAdded,
    TimeCued,
)
from server.game.acts.conduct import (
    ClockRead,
    DeviceFound,
    LawAsked,
    LawReleased,
    LeavingReported,
    ObserverReported,
    StopRuled,
    SupervisionNoted,
)
from server.game.acts.desk import (
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
from server.game.acts.endings import (
    ClaimKindAsked,
    ClaimKindStated,
    ClaimRuled,
    DrawAnswered,
    DrawClaimed,
    DrawOffered,
    EndingEvent,
    FlagCalled,
    GameEnded,
    IntendedStated,
    MateAnswered,
    MateAsked,
    OfferAcknowledged,
    PlayConcluded,
    PositionVerified,
    ProposalSettled,
    Proposed,
    ProposingEvent,
    Resigned,
    ResultApproved,
    SaidToArbiter,
    TimeClaimed,
)
from server.game.acts.moves import (
    Announced,
    AnnouncementOwed,
    AnnouncementRepeated,
    AnnouncementSpoken,
    AnnouncementWaited,
    BeliefRevised,
    BoardMoved,
    BoardSet,
    Completed,
    Contested,
    Echoed,
    EchoRecalled,
    Executed,
    Explored,
    GameMended,
    Made,
    NotUnderstood,
    OutOfStep,
    ScoreWritten,
    SetAside,
    SoundKept,
    TrainingAsked,
)
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
from server.game.acts.rulings import (
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
from server.game.acts.schedule import (
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
from server.game.acts.scores import (
    ReconstructionBegun,
    ReconstructionEnded,
    ReconstructionEvent,
    ReconstructionMoved,
    ReconstructionUndone,
    RecordingEvent,
    ScoreDue,
    ScoreLent,
    ScoreReturned,
    ScoresheetRecorded,
    Snapshot,
)
from server.game.acts.sound import (
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
from server.game.acts.stations import DisplayDelayed, PressKeyEvent, PressKeysAsked, PressKeysTold
from server.game.acts.table import (
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
