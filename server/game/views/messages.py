"""The frozen messages that a station may be sent. Only `views` makes them.

They are answers, a seat's own sound, the position (in training alone), press buttons, clock, game and pictures.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.acts import AnyEvent, Snapshot
from server.game.acts import SquareToSet as SquareToSet
from server.game.values.pairing import OwnPairing
from server.game.values.words import ClockMaster, EarChoice, Mode, Seat, Talking, snake_case
from server.game.views.table import AdaptationShown as AdaptationShown
from server.game.views.table import CheckShown as CheckShown
from server.game.views.table import TableShown as TableShown


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """Base of all messages to a station."""


class OutcomeShown(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a command: done, or refused with the article. It says nothing about the position."""

    id: str
    ok: bool
    code: str = ""
    article: str = ""


class SoundShown(Message, frozen=True, kw_only=True):
    """A seat's sound, for its own stations.

    How the microphone is opened, whether voice activity may open it, whether the microphone (`device`) and the
    headphones (`headphones`) are the server's own, and whether the player's voice is known. `headset`: a check has
    shown that this station's microphone does not hear our own voice. `word`: slower or faster, where the player asked
    for it; it is said in the new way. `consent`: the player's answer whether the voice may be kept, None without one;
    `keeps_sound`: whether it is kept. The greeting has it as `sound`.
    """

    talking: Talking
    voice_activity: bool
    device: bool
    known_voice: bool
    headphones: bool = False
    ear: EarChoice = EarChoice()
    headset: bool = False
    word: str = ""
    consent: bool | None = None
    keeps_sound: bool = True


class LinkShown(Message, frozen=True, kw_only=True):
    """A player's `microphone`, or the `devices` at the server, are lost, or the `line` is back: said first of all."""

    what: str


class PositionTold(Message, frozen=True, kw_only=True):
    """The answer to a question about the position, for the asker alone, at a table for training.

    Men are FEN letter and square, "Ng1". `takes`: pairs of who may take, and on which square. `words`: of the last
    move. `text`: all of it in the asker's words.
    """

    about: str
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    text: str = ""


class PressKeysShown(Message, frozen=True, kw_only=True):
    """The state of the press buttons, for a device.

    `learn`: White's button must be pressed, then Black's. `known`: these keys press the clock. `none`: no key does.
    """

    stage: Literal["learn", "known", "none"]
    white: str = ""
    black: str = ""


class ClockShown(Message, frozen=True, kw_only=True):
    """The two displays, for those who see a clock.

    `at`: ms of this run, so that a running display can be drawn. `told`: what those who see no clock are told of the
    same thing in words, where it is no move. `age_ms`: how old the reading of another clock is that counts; the times
    are None where nobody has read it.
    """

    white_ms: int | None
    black_ms: int | None
    running: Seat | None
    first_flag: Seat | None
    at: int
    told: Started | Paused | Resumed | TimeGiven | ClockCorrected | ClockMasterShown | None = None
    age_ms: int | None = None


class AnswerGiven(Message, frozen=True, kw_only=True):
    """The answer to a question, for the asker alone, with only what was asked; the rest is None.

    Saying the own time first is left to the voice. `age_ms`: how old the reading of another clock is; then the time
    used is not known. `own_runs`: with the times, whether the asker's own time runs; None while both stand.
    `flag_first`: whose display reached zero first, "own" or "opponent". `to_control`: moves still to make in the
    period. `period`: of `periods`, from 1, where there are several. `control`: how the clock is set. `score`: its cells
    by half-move; only those of `move` where that is given. `words` of `help`: the commands that can be said now.
    `refused`, `article`: the last refusal, or "". `text`: the words in the asker's spelling. `placement`: the men of
    the asker's own board, or of the start position.
    """

    what: str
    own_ms: int | None = None
    opponent_ms: int | None = None
    own_used_ms: int | None = None
    opponent_used_ms: int | None = None
    moves: int | None = None
    own_runs: bool | None = None
    flag_first: str = ""
    to_control: int | None = None
    period: int | None = None
    periods: int | None = None
    control: str = ""
    age_ms: int | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    score: tuple[str, ...] = ()
    placement: str = ""
    move: int | None = None
    refused: str = ""
    article: str = ""
    more: bool = False
    took_ms: tuple[int | None, ...] = ()  # of the half-moves of `move`, in a released game
    pairing: OwnPairing | None = None  # of the asker's game or of the next one; None: it is not paired yet


class ReviewShown(Message, frozen=True, kw_only=True):
    """The arbiter has released the finished game to its players for review, or has taken that back."""

    released: bool


class PairingShown(Message, frozen=True, kw_only=True):
    """A player's own device is told of its pairing. `changed`: it was told another one for this round before."""

    pairing: OwnPairing
    changed: bool = False


class FlagShown(Message, frozen=True, kw_only=True):
    """A tactile player is told that a display stands at zero, if `flag_cue_private` is approved.

    The player learns it at the instant at which the sighted player's display marks it. It is not a call of the flag
    (6.8).
    """

    own: bool


class TimeCue(Message, frozen=True, kw_only=True):
    """A tactile player who asked for it is told the time left (s).

    Only if `spoken_time_automatic` is recorded. `way`: `time` is said in words, `words` counts a second, `ticks` ticks.
    """

    left_s: int
    way: str


class ClockSetting(Message, frozen=True, kw_only=True):
    """The clock before the game is `proposed` by a player, `set`, or `kept`; `own`: by this seat.

    To a player who sets it by voice: `asked`, yes or no, about this setting; `unset`: the player took none, and nothing
    is changed. `control`: the time control in the TRF26 form.
    """

    stage: str
    own: bool
    control: str


class TimeGiven(Message, frozen=True, kw_only=True):
    """The arbiter gave a side time (ms; below zero: took it), for a player who does not see the clock.

    It is the jump that a display shows (7.5.5, 9.5.3, 12.9), and says nothing of the time that is left (D.2.10.4).
    """

    own: bool
    ms: int


class IncrementShown(Message, frozen=True, kw_only=True):
    """Every move brings this increment from now on (ms; III.4); for both players."""

    increment_ms: int


class ClockMasterShown(Message, frozen=True, kw_only=True):
    """Another clock counts from now on, or ours again, for a player who does not see the clock."""

    clock_master: ClockMaster


class ClockCorrected(Message, frozen=True, kw_only=True):
    """The arbiter has set the clock (6.10.2); for a player who does not see it.

    The times, own first, are told only where the arbiter recorded `spoken_time_automatic`: otherwise the player asks
    (D.2.10.4).
    """

    own_ms: int | None = None
    opponent_ms: int | None = None
    own_runs: bool | None = None


class Understood(Message, frozen=True, kw_only=True):
    """The words that were heard or typed, read back from the sound alone. `doubtful`: not beyond doubt.

    `echo`: the words may be an echo or the player's own move, by words alone, and were taken for the echo.
    """

    words: tuple[str, ...]
    text: str
    utterance: str | None
    doubtful: bool = False
    echo: bool = False


class Question(Message, frozen=True, kw_only=True):
    """A question on what the sound left open. `ask`: from, to, piece, promotion or repeat.

    `either`: which of two announcements it was (word ids; `text`: the question); where a piece, a promotion or which of
    the men is asked for, one announcement for each answer there is. `resign`, `claim_time`, `claim_draw`,
    `draw_offer`, `draw_accept`, `draw_decline`: whether the player said so (yes or no). `intended`: which move they
    intend (or no for none; 9.2.1). `claim_increment`, `claim_cannot_win`, `claim_no_effort`: which claim it is, in a
    quickplay finish (yes or no). In training alone: `which` of the men of kind `piece` that stand on `choices`, or that
    no legal move fits (`illegal`). `answers`: each of `either` in the asker's words. `within_ms`: so long a yes counts.
    """

    ask: str
    utterance: str | None
    piece: str = ""
    choices: tuple[str, ...] = ()
    either: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    answers: tuple[str, ...] = ()
    within_ms: int | None = None


class NoTaken(Message, frozen=True, kw_only=True):
    """A player is told that their no was taken. `what`: the proposal, or `intended`: they named no move (9.2.1)."""

    what: str


class ActTaken(Message, frozen=True, kw_only=True):
    """A player is told what they have done: called the `arbiter`, for `medical` help, claimed a `flag`, or `approved`.

    `claim`: claimed a draw in a quickplay finish (III.5). `result`: the one that they have approved.
    """

    what: Literal["arbiter", "medical", "flag", "claim", "approved"]
    result: str = ""


class NotDone(Message, frozen=True, kw_only=True):
    """The reason, in one sentence, why a spoken command was refused; the position has no part in it."""

    code: str
    article: str
    text: str = ""


class Relayed(Message, frozen=True, kw_only=True):
    """The opponent's announcement in relay, in canonical words. `again`: repeated after a wrong echo."""

    words: tuple[str, ...]
    text: str
    again: bool = False


class ScoreLine(Message, frozen=True, kw_only=True):
    """One cell of the station's own score."""

    index: int
    text: str
    source: str


class OpponentScore(Message, frozen=True, kw_only=True):
    """A player who must complete a score is shown the opponent's cells, if the arbiter agrees (8.5.2).

    `lent` False: it is given back.
    """

    lent: bool
    cells: tuple[str, ...] = ()


class BoardShown(Message, frozen=True, kw_only=True):
    """A sighted player is shown their own board, by their entries and by the geometry of the words.

    `before`: how it stood before its last move, where a move made it what it is; "": it was set.
    """

    placement: str
    before: str = ""


class BoardToSet(Message, frozen=True, kw_only=True):
    """A player is told what to set on their own board by the arbiter's decision (D.2.9), no more."""

    squares: tuple[SquareToSet, ...]


class SquareToSetNow(Message, frozen=True, kw_only=True):
    """A tactile player is told the next square of `board_to_set`; yes (`confirm`) asks for the one after.

    It is `number` of `of`. No, or "repeat", says it again. `square` None: the player has said yes to the last one.
    """

    square: str | None
    should_be: str | None = None
    number: int = 0
    of: int = 0


class Started(Message, frozen=True, kw_only=True):
    """The game has started. `appointed`: by itself at the appointed time, so nobody has said so (6.6)."""

    appointed: bool = False


class Paused(Message, frozen=True, kw_only=True):
    """Both clocks stand. `medical`: it is a medical pause (12.2.6); for whom, only the arbiter's record says."""

    medical: bool = False


class Resumed(Message, frozen=True, kw_only=True):
    """The game goes on."""


class ModeShown(Message, frozen=True, kw_only=True):
    """The part that the program plays at the table. `in_game`: it was switched during the game."""

    mode: Mode
    in_game: bool = False


class GuidelinesShown(Message, frozen=True, kw_only=True):
    """Whether a quickplay finish is played here (III.2.1), for the players before the start.

    They are told when they are admitted, and when the arbiter settles it. `unsupervised`: no arbiter is there, so a
    claim ends play (III.6).
    """

    quickplay: bool
    unsupervised: bool = False


class SessionShown(Message, frozen=True, kw_only=True):
    """A session of play of this length begins (I.14): announced to all in the same words."""

    length_ms: int


class RulingShown(Message, frozen=True, kw_only=True):
    """Both players are told the same about a ruling on one of them; `own`: about this seat.

    `what`: claim_correct, claim_wrong, claim_postponed (9.5, III.4, III.5); a kind of irregularity (4.3, 7.5); or a
    penalty by its name (12.9). It never says what the ruling rests on, nor that the arbiter found nothing.
    """

    own: bool
    what: str
    article: str


class DrawOffer(Message, frozen=True, kw_only=True):
    """A draw is offered; `own`: by this seat; `by_claim`: by claiming a draw (9.1.2.3).

    `acknowledge`: the station shows it and sends `acknowledge` when its hearing-impaired player has seen it (D.2.11).
    """

    own: bool
    by_claim: bool = False
    acknowledge: bool = False


class ClaimShown(Message, frozen=True, kw_only=True):
    """A claim has ended play where no arbiter is there (III.6.1); `own`: by this seat.

    The opponent gets the claimant's board and, where the claim is that no effort is made, the claimant's score, and
    sends `verify_position`. `text`: the same in the opponent's spelling.
    """

    own: bool
    ground: str
    placement: str = ""
    score: tuple[str, ...] = ()
    text: str = ""


class LawRead(Message, frozen=True, kw_only=True):
    """A short text on an article (11.9), never the Laws themselves, if the arbiter releases it.

    `text` in `language`, filled in where the message leaves the server.
    """

    article: str
    text: str = ""
    language: str = ""


class NextGameShown(Message, frozen=True, kw_only=True):
    """A new game replaces this one; the station goes to its `table` and to this `seat` by itself."""

    table: str
    seat: Seat | None


class DrawReply(Message, frozen=True, kw_only=True):
    """The offer was accepted or rejected; `own`: by this seat; `by_move`: by a move made instead of a word."""

    accepted: bool
    own: bool = False
    by_move: bool = False


class ResignationShown(Message, frozen=True, kw_only=True):
    """A player (`own`: this seat) resigned; the clocks stand. The result follows, or the arbiter gives it (5.1.2)."""

    own: bool


class Ended(Message, frozen=True, kw_only=True):
    """The game is over."""

    result: str
    reason: str
    article: str


class OfferMark(msgspec.Struct, frozen=True, kw_only=True):
    """A draw offer that both scores should hold as (=) at this ply (8.1.5).

    `white`, `black`: written, missing, or not kept here.
    """

    ply: int
    white: str
    black: str


class ScoreShown(msgspec.Struct, frozen=True, kw_only=True):
    """A player's score for the arbiter (8.2): its kind, and each cell's source and sound."""

    sheet: str
    sources: tuple[str | None, ...]
    utterances: tuple[str | None, ...]
    owing: bool = False
    lent: bool = False


class ReconstructionShown(msgspec.Struct, frozen=True, kw_only=True):
    """The further board of a reconstruction (8.5.3).

    Shown are the record from before, the moves so far, what stands there, and which moves are not legal.
    """

    snapshot: Snapshot
    line: tuple[str, ...]
    placement: str
    not_legal: tuple[int, ...]


class ClaimLooked(msgspec.Struct, frozen=True, kw_only=True):
    """An open claim of a draw and what the record shows (9.2-9.5, 11.12), for the arbiter alone.

    `same`: the half-moves after which the same position stood as stands now, or will stand after the `intended` move; 0
    is the initial position, the last is the intended move itself. `quiet`: how many half-moves up to there had no pawn
    move and no capture. `known` False: the server does not know the position, or which move is intended, or that move
    is not legal.
    """

    seat: Seat
    kind: str
    intended: str = ""
    awaits: bool = False
    known: bool = False
    same: tuple[int, ...] = ()
    quiet: int = 0


class EndShown(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game, and which result each player has approved; None: not yet (8.7)."""

    result: str
    reason: str
    article: str
    white: str | None = None
    black: str | None = None


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """The picture for the arbiter alone: both boards, the server's game, both scores, the clock.

    `obliged`: the moves (UCI) left to the player on move by a touch or by the illegal move being replaced, and the
    article. `exempt`: who need not record now (8.4). `white_sheet`, `black_sheet`: where each score's cells come
    from, with the sounds' names (8.2). `offers`: which score lacks the mark of a draw offer (8.1.5). `points`: of
    White and Black by the event's scheme, once there is a result (10.1). `ended`: how the game ended, once it has.
    `behind`: the board that lacks only the last move. `claim`: of a draw, not ruled on yet. `complained`: the ply
    complained of last, before which a take-back ends by default. `age_ms`: how old the reading of another clock is
    that counts; the times are None where nobody has read it.
    """

    white_board: str
    black_board: str
    game: str | None
    made_plies: int
    line: tuple[str | None, ...]
    white_score: tuple[str | None, ...]
    black_score: tuple[str | None, ...]
    white_ms: int | None
    black_ms: int | None
    running: Seat | None
    mode: Mode
    out_of_step: bool
    behind: Seat | None = None
    first_flag: Seat | None = None
    points: tuple[str, str] | None = None
    obliged: tuple[str, ...] = ()
    obliged_by: str = ""
    exempt: tuple[Seat, ...] = ()
    white_sheet: ScoreShown | None = None
    black_sheet: ScoreShown | None = None
    offers: tuple[OfferMark, ...] = ()
    reconstruction: ReconstructionShown | None = None
    claim: ClaimLooked | None = None
    ended: EndShown | None = None
    complained: int = 0
    age_ms: int | None = None


class AdjournmentShown(Message, frozen=True, kw_only=True):
    """The progress of an adjournment.

    `ordered`: a move must be sealed; `sealed`: the game is adjourned; `resumed`: the envelope was opened. `own`: by
    this seat; that player is warned that an unclear dictation can lose the game (I.8).
    """

    stage: str
    own: bool


class Recorded(Message, frozen=True, kw_only=True):
    """An event, for the arbiter, with the picture where it changed.

    `told`: what the program says in it, in each language. `alerts`: how often what is to be settled has changed.
    `wall_ms`: the time of day when it happened.
    """

    event: AnyEvent
    picture: Picture | None = None
    told: dict[str, str] | None = None
    alerts: int = 0
    wall_ms: int = 0


class BoardsShown(Message, frozen=True, kw_only=True):
    """The two boards as anybody at the table sees them, for an observer (12.4)."""

    white: str
    black: str


class Shown(Message, frozen=True, kw_only=True):
    """The position after the last completed move and its announcement, for a display (6.12.1).

    The position is the mover's own board; None where it is not known which move was made on it.
    """

    placement: str | None
    words: tuple[str, ...]
    text: str


AnyMessage = (
    Understood
    | Question
    | NotDone
    | ActTaken
    | Relayed
    | ClockShown
    | AnswerGiven
    | PairingShown
    | ReviewShown
    | PositionTold
    | PressKeysShown
    | ScoreLine
    | OpponentScore
    | BoardShown
    | BoardToSet
    | SquareToSetNow
    | Started
    | Paused
    | Resumed
    | ModeShown
    | DrawOffer
    | DrawReply
    | Ended
    | FlagShown
    | TimeCue
    | ClockSetting
    | ClockCorrected
    | ClockMasterShown
    | TimeGiven
    | NoTaken
    | IncrementShown
    | RulingShown
    | NextGameShown
    | AdjournmentShown
    | SessionShown
    | GuidelinesShown
    | ResignationShown
    | Recorded
    | ClaimShown
    | LawRead
    | Shown
    | BoardsShown
    | SoundShown
    | LinkShown
)


class Greeting(msgspec.Struct, frozen=True, kw_only=True):
    """The first message to a station: its place, its own score, and what it may always see.

    `names`: White's and Black's. `table`: the rules and the set-up, for the arbiter. `training`: the position may be
    asked about. `chess960`: castling is announced beforehand (II.3.2.7). `delay_s`: how much later a display shows
    everything. `next_game`: this game is cancelled, and where the new one is played; `follows`: the cancelled game
    before this one. `quickplay`, `unsupervised`: what may be asked for in a quickplay finish, and whether an arbiter is
    there (III). `before`: how the boards shown stood before their last move, White's first. `offer_unread`: the offer
    that stands is still to be acknowledged here, as `acknowledge` of it says (D.2.11).
    """

    station: str
    role: str
    seat: Seat | None
    seat_kind: str | None
    duties: tuple[str, ...]
    mode: Mode
    rated: bool
    started: bool
    result: str | None
    language: str
    scheme: str
    names: tuple[str, str]
    own_score: tuple[str, ...]
    clock: ClockShown | None
    picture: Picture | None
    shown: Shown | None
    board: str | None
    table: TableShown | None = None
    boards: BoardsShown | None = None
    sound: SoundShown | None = None
    training: bool = False
    chess960: bool = False
    press_keys: PressKeysShown | None = None
    delay_s: int = 0
    next_game: NextGameShown | None = None
    follows: str = ""
    quickplay: bool = False
    unsupervised: bool = False
    before: tuple[str, ...] = ()
    offer_unread: bool = False
