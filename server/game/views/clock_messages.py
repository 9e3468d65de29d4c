"""What a station is told of the clock: displays, answers on request, cues, settings and corrections."""

from __future__ import annotations

from server.game.values.words import ClockMaster, Seat
from server.game.views.message import Message


class ClockShown(Message, frozen=True, kw_only=True):
    """The two displays, for those who see a clock. `at`: ms of this run, so that a running display can be drawn."""

    white_ms: int
    black_ms: int
    running: Seat | None
    first_flag: Seat | None
    at: int


class AnswerGiven(Message, frozen=True, kw_only=True):
    """To the asker alone, and only what he asked: the rest is None. Own time first is the voice's business.
    `age_ms`: how old the reading of another clock is; then nothing is known of the time used.

    `own_runs`: with the times, whether his own time runs; None while both stand. `flag_first`: whose display came to
    zero first, "own" or "opponent". `to_control`: moves still to make in the period. `period`: of `periods`, from 1,
    where there are several.
    `score`: its cells by half-move; of `move` alone where that is given.
    `words` of `help`: the commands that can be said now. `refused`, `article`: the last refusal, or "".
    `text`: the words in the asker's spelling. `placement`: the men of his own board, or of the start position.
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
    age_ms: int | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    score: tuple[str, ...] = ()
    placement: str = ""
    move: int | None = None
    refused: str = ""
    article: str = ""
    more: bool = False


class FlagShown(Message, frozen=True, kw_only=True):
    """To a tactile player, where the arbiter approved `flag_cue_private`: a display stands at zero.

    He learns it at the instant at which the sighted display marks it. Not a call of the flag (6.8).
    """

    own: bool


class TimeCue(Message, frozen=True, kw_only=True):
    """To a tactile player who asked for it, where the arbiter recorded `spoken_time_automatic`: his own time left (s).

    `way`: `time` is said in words, `words` is a counted second, `ticks` is a tick.
    """

    left_s: int
    way: str


class ClockSetting(Message, frozen=True, kw_only=True):
    """The clock before the game: `proposed` by a player, `set`, or `kept` as it was; `own`: by this seat.

    To a player who sets it by voice: `asked`, yes or no, about this setting; `unset`: he took none, nothing is changed.

    `control`: the time control in the TRF26 form.
    """

    stage: str
    own: bool
    control: str


class TimeGiven(Message, frozen=True, kw_only=True):
    """To a player who does not see the clock: the arbiter gave a side so much time (ms), below zero: took it.

    It is the jump that a display shows (7.5.5, 9.5.3, 12.9), and no word of the time that is left (D.2.10.4).
    """

    own: bool
    ms: int


class IncrementShown(Message, frozen=True, kw_only=True):
    """To both players: from now on every move brings so much time (ms; III.4)."""

    increment_ms: int


class ClockMasterShown(Message, frozen=True, kw_only=True):
    """To a player who does not see the clock: another clock counts from now on, or ours again."""

    clock_master: ClockMaster


class ClockCorrected(Message, frozen=True, kw_only=True):
    """To a player who does not see the clock: the arbiter has set it (6.10.2).

    The times, own first, only where the arbiter recorded `spoken_time_automatic`: otherwise he asks (D.2.10.4).
    """

    own_ms: int | None = None
    opponent_ms: int | None = None
    own_runs: bool | None = None
