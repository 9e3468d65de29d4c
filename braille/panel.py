"""What a reader has under his fingers at a station: lines to pan through, then choices, and his typing. Pure.

A routing key over a word of the choices chooses it. News comes before the typing, which the
next letter shows again.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from speech.pages_of_cells import pages

LONGEST = 200  # characters of one typed line, as the server takes it
GAP = "  "  # between choices, whose words have single blanks


class Panel(msgspec.Struct, frozen=True):
    """`said`: the last message as lines; `choices`: words that a routing key chooses; `at`: the page that is shown.

    `typed`: not sent yet; `reading`: the page is shown, not the typing.
    """

    width: int
    said: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    at: int = 0
    typed: str = ""
    reading: bool = True

    @property
    def told(self) -> tuple[str, ...]:
        """The pages of what was said, the move first."""
        return tuple(page for line in self.said for page in pages(line, self.width)) or ("",)

    @property
    def menu(self) -> tuple[str, ...]:
        """The pages of choices; no choice is broken, one longer than the display is cut."""
        made: list[str] = []
        for choice in self.choices:
            word = choice[: self.width]
            if made and len(made[-1]) + len(GAP) + len(word) <= self.width:
                made[-1] += GAP + word
            else:
                made.append(word)
        return tuple(made)

    @property
    def shown(self) -> str:
        """The text that stands on the display now; of long typing its end."""
        return self.typed[-self.width :] if self.typed and not self.reading else (*self.told, *self.menu)[self.at]


def say(panel: Panel, lines: tuple[str, ...]) -> Panel:
    """Something new was said: it is shown from its beginning, and the typing is kept."""
    return replace(panel, said=lines, at=0, reading=True)


def pan(panel: Panel, pages_on: int) -> Panel:
    """So many pages on, or back where negative; not beyond the ends."""
    last = len(panel.told) + len(panel.menu) - 1
    return replace(panel, at=min(max(0, panel.at + pages_on), last), reading=True)


def write(panel: Panel, letter: str) -> Panel:
    """A letter more; more than the server takes is not held."""
    return replace(panel, typed=(panel.typed + letter)[:LONGEST], reading=False)


def erase(panel: Panel, *, all: bool = False) -> Panel:
    """The last letter, or all that was typed, is gone."""
    return replace(panel, typed="" if all else panel.typed[:-1], reading=all)


def chosen(panel: Panel, cell: int) -> str | None:
    """The choice whose word stands over this routing key (from 0), None where none does."""
    place = panel.at - len(panel.told)
    if place < 0 or not panel.reading:
        return None
    start = 0
    for word in panel.menu[place].split(GAP):
        if start <= cell < start + len(word):
            return next(choice for choice in panel.choices if choice[: panel.width] == word)
        start += len(word) + len(GAP)
    return None
