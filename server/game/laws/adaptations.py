"""The adaptations to local circumstances (D.1, L175), and which value counts.

Also: what counts where nothing is recorded, and what is looked at before a game: boards, men, clock, sound, zones,
devices (2.1-2.3, 6.5, 11.2, D.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

ON, OFF = "on", "off"
APPROVED = "approved"  # how tables were told of an approval before the values were checked
SPOKEN_BEFORE_THE_CLOCK_CAP_MS = 5_000  # an announcement on the mover's time holds a clock no longer than this


class Adaptation(msgspec.Struct, frozen=True):
    """One adaptation.

    `values`: the words allowed; `default` "" where the arbiter must answer before the game.

    `fixed_at_start`: it may not change once the game has started.
    """

    name: str
    article: str
    values: tuple[str, ...]
    default: str
    needs_approval: bool
    must_answer: bool = False
    default_follows: str = ""
    text: tuple[tuple[str, str], ...] = ()
    fixed_at_start: bool = False

    @property
    def unrecorded(self) -> str:
        """Return the value that counts where nothing is recorded: an adaptation that needs approval is then off."""
        return OFF if self.needs_approval and self.default == ON else self.default

    def read(self, value: str) -> str:
        """Return a value in today's words: older records say "approved" for on."""
        return ON if value == APPROVED and ON in self.values else value


class Recorded(msgspec.Struct, frozen=True):
    """Value that the arbiter was asked about, and whether the arbiter approved it."""

    value: str
    approved: bool


def value_of(known: Mapping[str, Adaptation], recorded: Mapping[str, Recorded], name: str) -> str:
    """Return the value that counts at the table.

    The recorded value if it needs no approval or has it, else the default. "" where the arbiter has not answered yet.
    Raises ValueError for a name that is no adaptation.
    """
    if name not in known:
        raise ValueError(f'"{name}" is no adaptation')
    adaptation = known[name]
    given = recorded.get(name)
    if given is not None and (given.approved or not adaptation.needs_approval):
        return adaptation.read(given.value)
    if adaptation.default_follows and value_of(known, recorded, adaptation.default_follows) == ON:
        return ON
    return adaptation.unrecorded


def check_value(known: Mapping[str, Adaptation], name: str, value: str) -> None:
    """Raise ValueError with one plain sentence where there is no such adaptation or it has no such value."""
    if name not in known:
        raise ValueError(f'"{name}" is no adaptation; the names are {", ".join(sorted(known))}')
    if value not in known[name].values:
        raise ValueError(f'{name} cannot be "{value}"; choose one of {", ".join(known[name].values)}')


def questions_open(known: Mapping[str, Adaptation], recorded: Mapping[str, Recorded]) -> tuple[str, ...]:
    """Return the questions that the arbiter must still answer.

    They are due before a game between a tactile and a sighted player (G1).
    """
    return tuple(name for name in known if known[name].must_answer and not value_of(known, recorded, name))


Scope = Literal["board", "special_board", "table"]


class ChecklistItem(msgspec.Struct, frozen=True):
    """One thing to look at. `scope`: at each board, at each board of a player by touch, or once."""

    name: str
    article: str
    scope: Scope
    text: tuple[tuple[str, str], ...]
