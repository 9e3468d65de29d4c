"""What a player's clock tells him unasked, and how it was set before the game (D.2.6.1)."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat


class CuesAsked(Event, frozen=True, kw_only=True):
    """A player chose at which times left (s) he is told, and whether the last ten seconds are counted."""

    seat: Seat
    at_s: tuple[int, ...]
    countdown: Literal["off", "words", "ticks"]


class TimeCued(Event, frozen=True, kw_only=True):
    """So much time (s) is left to a player who wants to be told. `way`: the time in words, a counted second, a tick.

    `late`: noticed too long afterwards to be told.
    """

    seat: Seat
    left_s: int
    way: Literal["time", "words", "ticks"]
    late: bool = False


class ClockProposed(Event, frozen=True, kw_only=True):
    """A player set the clock before the game; the arbiter has not approved it yet."""

    seat: Seat
    control: TimeControl


class ClockSetUp(Event, frozen=True, kw_only=True):
    """Both displays show this time control before the game. `seat`: the player who set it, None for the arbiter."""

    control: TimeControl
    seat: Seat | None = None


ClockChoiceEnd = Literal["chosen", "stopped", "none_left", "dropped", "lapsed"]


class ClockChoiceAsked(Event, frozen=True, kw_only=True):
    """A usual setting of the clock is read to a player before the game: `number` (from 1) of `controls`.

    He answers by `until_ms` (ms of the run): yes takes it, no goes on to the next.
    """

    seat: Seat
    controls: tuple[TimeControl, ...]
    number: int
    until_ms: int

    @property
    def control(self) -> TimeControl:
        """The setting that he is asked about."""
        return self.controls[self.number - 1]


class ClockChoiceEnded(Event, frozen=True, kw_only=True):
    """No more settings are read: one was chosen, he said stop, none was left, he did something else, he was silent."""

    seat: Seat
    outcome: ClockChoiceEnd


class ClockKept(Event, frozen=True, kw_only=True):
    """The arbiter left the clock as it was."""

    seat: Seat


OwnClockEvent = CuesAsked | TimeCued | ClockProposed | ClockSetUp | ClockKept | ClockChoiceAsked | ClockChoiceEnded
