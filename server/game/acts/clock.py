"""What a player may have his clock do for him: tell the time unasked, and be set before the game (D.2.6.1)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Count, Ms, Text
from server.game.values.words import Seat

CueAt = Literal[600, 300, 120, 60, 30]


class AskForCues(Body, frozen=True, kw_only=True):
    """The player wants to be told his time unasked, where the arbiter recorded `spoken_time_automatic`.

    `at_s`: at which times left (s); `countdown`: the last ten seconds as words or ticks. Nothing of both: no cues.
    """

    at_s: Annotated[tuple[CueAt, ...], msgspec.Meta(max_length=5)] = ()
    countdown: Literal["off", "words", "ticks"] = "off"


class SetUpClock(Body, frozen=True, kw_only=True):
    """The clock is set before the game: by the arbiter, or by a player alone, and then the arbiter approves it.

    `control`: in the TRF26 form ("5400+30", "40/6000+30:900+30").
    """

    control: Annotated[str, msgspec.Meta(max_length=80)]


class ChooseClock(Body, frozen=True, kw_only=True):
    """Before the game a player wants the usual settings of the clock read to him, to say yes to one; `stop`: no more.

    `controls`: those settings in the TRF26 form, given by the server, never a client.
    """

    stop: bool = False
    controls: tuple[str, ...] = ()


class CorrectClock(Body, frozen=True, kw_only=True):
    """The arbiter corrects one side of the clock at once: its time, and its counter of moves `completed` (6.10.2).

    The other side stays as it is. `turn`: whose time runs or will run on; None leaves that too.
    """

    seat: Seat
    ms: Ms
    completed: Count | None = None
    turn: Seat | None = None
    reason: Text = ""


class ApproveClock(Body, frozen=True, kw_only=True):
    """The arbiter approves the clock as a player has set it, or leaves it as it was (6.3.1)."""

    approved: bool
