"""Commands and events of the clock (Article 6).

The cues that the clock gives a player unasked (D.2.6.1) are here too.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Count, Event, Ms, Text
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat
from server.game.values.written_control import LONGEST_CONTROL

CueAt = Literal[600, 300, 120, 60, 30]


class AskForCues(Act, by=Role.PLAYER):
    """The player wants to be told the time unasked, where the arbiter recorded `spoken_time_automatic`.

    Without that record it is refused (D.2.6.1). `at_s`: at which times left (s). `countdown`: the last ten seconds as
    words or ticks. With neither there are no cues.
    """

    at_s: Annotated[tuple[CueAt, ...], msgspec.Meta(max_length=5)] = ()
    countdown: Literal["off", "words", "ticks"] = "off"


class SetUpClock(Act, by=(Role.PLAYER, Role.ARBITER), group="clock", article="6.3.1"):
    """The clock is set before the game.

    By the arbiter, or by a player alone, and then the arbiter approves it (D.2.6.1, 6.3.1), or has done so beforehand
    by the adaptation `player_sets_clock`. `control`: by name, as people write it ("15 minutes + 10 seconds"), or in
    the TRF26 form ("5400+30", "40/6000+30:900+30"), which the server makes of it.
    """

    control: Annotated[str, msgspec.Meta(max_length=LONGEST_CONTROL)]


class ChooseClock(Act, by=Role.PLAYER):
    """A player wants to hear the usual clock settings before the game, to say yes to one.

    The usual settings are those of `config/rules/clocks.toml`, read one after the other: `confirm` with yes takes one
    as `set_up_clock` does, with no it goes on, and `ask` with `last` repeats it. `stop`, or half a minute of silence:
    no more of them are read, and nothing is set. The player may say or type it: "set the clock", yes, no, repeat, stop
    (D.2.6.1).

    `controls`: those settings in the TRF26 form, given by the server, never a client.
    """

    stop: bool = False
    controls: tuple[str, ...] = ()


class CorrectClock(
    Act,
    by=Role.ARBITER,
    part="correct_clock",
    article="6.10.2",
    form={
        "seat": {"label": "side"},
        "ms": {"label": "take_time"},
        "completed": {"label": "counter"},
        "turn": {"hidden": True},
    },
):
    """The arbiter corrects one side of the clock at once: its time, and its count of `completed` moves.

    See 6.10.2. The other side stays as it is, and what it uses meanwhile stays used. `turn`: whose time runs or will
    run; None leaves that as it is too.
    """

    seat: Seat
    ms: Ms
    completed: Count | None = None
    turn: Seat | None = None
    reason: Text = ""


class ApproveClock(Act, by=Role.ARBITER, part="approve_clock", article="6.3.1", form={"approved": {"value": True}}):
    """The arbiter approves the clock as a player has set it, or leaves it as it was (6.3.1)."""

    approved: bool


class CuesAsked(Event):
    """A player chose at which times left (s) to be told, and whether the last ten seconds are counted."""

    seat: Seat
    at_s: tuple[int, ...]
    countdown: Literal["off", "words", "ticks"]


class TimeCued(Event):
    """A player who wants to be told is told the time left (s).

    `way`: the time in words, a counted second, or a tick.

    `late`: it was noticed too late to be told.
    """

    seat: Seat
    left_s: int
    way: Literal["time", "words", "ticks"]
    late: bool = False


class ClockProposed(Event):
    """A player set the clock before the game; the arbiter has not approved it yet."""

    seat: Seat
    control: TimeControl


class ClockSetUp(Event):
    """Both displays show this time control before the game.

    `seat`: the player who set it; None for the arbiter.
    """

    control: TimeControl
    seat: Seat | None = None


ClockChoiceEnd = Literal["chosen", "stopped", "none_left", "dropped", "lapsed"]


class ClockChoiceAsked(Event):
    """A usual setting of the clock is read to a player before the game: `number` (from 1) of `controls`.

    The player answers by `until_ms` (ms of the run): yes takes it, no goes on to the next.
    """

    seat: Seat
    controls: tuple[TimeControl, ...]
    number: int
    until_ms: int

    @property
    def control(self) -> TimeControl:
        """Return the setting that the player is asked about."""
        return self.controls[self.number - 1]


class ClockChoiceEnded(Event):
    """No more settings are read to the player.

    One was chosen, the player said stop, none was left, the player did something else, or was silent.
    """

    seat: Seat
    outcome: ClockChoiceEnd


class ClockKept(Event):
    """The arbiter left the clock as it was."""

    seat: Seat


class ClockPressed(Event):
    """The clock was pressed. A press is never refused (L052).

    `effective`: it stopped the presser's running time. `held`: it takes effect when the machine's announcement has been
    heard; until then the mover's clock runs (`mover`) or none does (`none`).
    """

    seat: Seat
    ply: int
    effective: bool
    held: str = ""


class ClockPaused(Event):
    """Both clocks stand (6.11), stopped by a player who seeks the arbiter (6.11.2) or by the arbiter.

    `medical`: stopped by the arbiter for medical attention to this player (12.2.6).
    """

    by: Role
    seat: Seat | None
    reason: str
    medical: Seat | None = None


class ClockResumed(Event):
    """The arbiter restarts the game (6.11.3, L070)."""


class ClockSet(Event):
    """The arbiter set both times, and if given both move counters and periods, White's first (6.10, 7.1).

    `by_hand`: the arbiter chose the times, so the players are told of it. `anew`: a move begins with these times, so
    its delay begins too, and the arbiter is told again when a time falls to a low-time threshold that it is above now.
    `move_ms`: how long the time of `turn` had run in its move, where the clock goes back to a move that was pressed
    (G1).
    """

    white_ms: int
    black_ms: int
    turn: Seat
    reason: str
    moves: tuple[int, int] | None = None
    periods: tuple[int, int] | None = None
    by_hand: bool = False
    anew: bool = False
    move_ms: int | None = None


class TimeAdded(Event):
    """The arbiter gave a side time, or took some (below zero): 7.5.5, 9.5.3, 12.5, 12.9."""

    seat: Seat
    ms: int
    reason: str
    article: str = ""


class IncrementSet(Event):
    """Every move brings this increment to both players from now on (Guidelines III.4)."""

    increment_ms: int
    article: str = "III.4"
    reason: str = ""


class PeriodBegun(Event):
    """A display reached zero and the time of the next period was added (time controls that add at zero)."""

    seat: Seat


class FlagFell(Event):
    """A display reached zero at this instant.

    This is not a call of the flag: nothing ends by it (6.8, L064).
    """

    seat: Seat
