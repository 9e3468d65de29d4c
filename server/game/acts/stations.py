"""The two press buttons of a table, and how much later displays and spectators see the game.

See 6.12.1. The two buttons press the clock. Both are on one device, one within reach of each player: a physical press
for players who have no station.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import EVERYBODY, Act, Event
from server.game.values.words import Role

Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_+-]{1,40}\Z")]
At = Literal["display", "server"]
"""Where two buttons may be: never at a player's own device, whose program could press for the opponent."""


class LearnPressKeys(
    Act,
    by=Role.ARBITER,
    part="press_keys.sheet",
    article="6.2.1",
    form={"at": {"label": "press_keys.at", "words": "press_keys.at.", "empty": "press_keys.at.none"}},
):
    """The arbiter says at which device the two buttons are.

    Each is then pressed there once, White's first. `at`: a display, or the server's own machine; None: there are no
    buttons any more. They are never at a player's own device: from there only that player's own press is taken.
    """

    at: At | None


class TellPressKeys(Act, by=EVERYBODY):
    """Both buttons were pressed at that device.

    Each key is named by its place on a keyboard ("F13", "NumpadAdd").
    """

    white: Key
    black: Key


class PressKey(Act, by=EVERYBODY):
    """One of the two buttons was pressed: it is that player's press of the clock (6.2.1, L049)."""

    key: Key


Seconds = Annotated[int, msgspec.Meta(ge=0, le=3_600)]
Display = Annotated[str, msgspec.Meta(max_length=64)]


class DelayDisplay(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    part="delay",
    article="11.3",
    form={"delay_s": {"sort": "delay", "label": "delay"}, "station": {"sort": "display", "label": "title.display"}},
):
    """The arbiter has a display show the game as it was `delay_s` seconds ago, and never anything later.

    `station`: this display alone, for example the one at the table for an opponent who does not hear; "": all that have
    no delay of their own, also those that are added later.
    """

    delay_s: Seconds
    station: Display = ""


class ShowToSpectators(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    part="spectators_may_see",
    article="11.3",
    form={
        "show": {"label": "spectators_may_see", "value": True},
        "delay_s": {"sort": "delay", "label": "delay", "when": {"show": (True,)}},
    },
):
    """The arbiter shows this table on the spectators' page, as it was `delay_s` seconds ago, or shows it there no more.

    Where all displays of the table are delayed more, that delay holds here too. A table for training is never shown.
    """

    show: bool
    delay_s: Seconds = 0


class PressKeysAsked(Event):
    """The arbiter wants both buttons pressed once at this device (a display, the server's own).

    None: there are no such buttons any more. Earlier records name a player's device too, which presses no more.
    """

    where: Literal["white", "black", "display", "server"] | None


class PressKeysTold(Event):
    """Both buttons were pressed: it is known which key belongs to which player."""

    where: Literal["white", "black", "display", "server"]
    white: str
    black: str


class DisplayDelayed(Event):
    """A display shows the game `delay_s` seconds late from now on.

    It stays so when the display comes back. `station` "": all displays without a delay of their own.
    """

    station: str
    delay_s: int


class ShownToSpectators(Event):
    """The spectators' page shows this table from now on, `delay_s` seconds late, or (`show` False) shows it no more."""

    show: bool
    delay_s: int
