"""The player's braille display: the lines to read, and the typing there. Pure.

There are lines to pan through, then choices, and the player's typing. A routing key over a word of the choices
chooses it. News is shown before the typing; the next letter brings the typing back.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from speech.announcements.cells import pages

LONGEST = 200  # characters of one typed line, as the server takes it
GAP = "  "  # between choices, whose words have single blanks


class Panel(msgspec.Struct, frozen=True):
    """State of a display of `rows` lines of `width` cells.

    `said`: the last message as lines; `at`: the page at its top. `choices`: words that a routing key chooses; `first`:
    those that are due now, which stand before the others. `typed`: not sent yet; `reading`: the page is shown, not the
    typing.
    """

    width: int
    said: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    at: int = 0
    typed: str = ""
    reading: bool = True
    rows: int = 1
    first: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """Return the pages of what was said, the move first; an empty line is one as well."""
        return tuple(page for line in self.said for page in (pages(line, self.width) or ("",))) or ("",)

    @property
    def menu(self) -> tuple[str, ...]:
        """Return the pages of choices; no choice is broken, one longer than the display is cut."""
        made: list[str] = []
        for choice in dict.fromkeys((*self.first, *self.choices)):
            word = choice[: self.width]
            if made and len(made[-1]) + len(GAP) + len(word) <= self.width:
                made[-1] += GAP + word
            else:
                made.append(word)
        return tuple(made)

    @property
    def shown(self) -> str:
        """Return the text that stands on the display now, row after row; of long typing its end."""
        cells = self.width * self.rows
        if self.typed and not self.reading:
            return self.typed[-cells:]
        here = (*self.told, *self.menu)[self.at : self.at + self.rows]
        return "".join(page.ljust(self.width) for page in here).rstrip(" ")


def say(panel: Panel, lines: tuple[str, ...], *, first: tuple[str, ...] = (), at: int = 0) -> Panel:
    """Show something new from its beginning (or from page `at`); the typing is kept."""
    return replace(panel, said=lines, at=at, reading=True, first=first)


def pan(panel: Panel, pages_on: int) -> Panel:
    """Move so many displays on, or back where the number is negative; never beyond the ends."""
    last = len(panel.told) + len(panel.menu) - 1
    return replace(panel, at=min(max(0, panel.at + pages_on * panel.rows), last), reading=True)


def top(panel: Panel) -> Panel:
    """Go to what was said last, from its beginning."""
    return replace(panel, at=0, reading=True)


def bottom(panel: Panel) -> Panel:
    """Go to the choices, from their beginning."""
    return replace(panel, at=min(len(panel.told), len(panel.told) + len(panel.menu) - 1), reading=True)


def write(panel: Panel, letter: str) -> Panel:
    """Add a letter to the typing; more than the server takes is not kept."""
    return replace(panel, typed=(panel.typed + letter)[:LONGEST], reading=False)


def erase(panel: Panel, *, all: bool = False) -> Panel:
    """Remove the last letter, or all that was typed."""
    return replace(panel, typed="" if all else panel.typed[:-1], reading=all)


def choice_at(panel: Panel, cell: int) -> str | None:
    """Return the choice whose word stands over this routing key (from 0), None where none does."""
    row, cell = divmod(cell, panel.width)
    place = panel.at + row - len(panel.told)
    if not 0 <= place < len(panel.menu) or row >= panel.rows or not panel.reading:
        return None
    start, before = 0, sum(len(page.split(GAP)) for page in panel.menu[:place])
    for at, word in enumerate(panel.menu[place].split(GAP), before):  # two may be cut to the same word
        if start <= cell < start + len(word):
            return tuple(dict.fromkeys((*panel.first, *panel.choices)))[at]
        start += len(word) + len(GAP)
    return None
