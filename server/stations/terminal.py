"""A terminal is a station of lines: what comes is printed, a typed line is sent, an empty one presses the clock.

It takes the place of a braille display where there is none, for any screen reader and any braille line beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from braille.panel import Panel
from server.stations.braille_display import BrailleDisplay, Pressed
from speech.announcements.cells import pages

CELLS = 40
"""Characters of a line: as many as a braille display has beside a screen reader."""
MANY = 6
"""So many choices are heard again each time."""


class TerminalDisplay:
    """Lines of forty characters that are printed one after another; nothing is pressed at it but what is typed."""

    width, rows = CELLS, 1

    def __init__(self, tell: Callable[[str], None]) -> None:
        """`tell`: prints a line. `typed`: something was typed and is not answered yet."""
        self._tell = tell
        self._told: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._said: tuple[str, ...] | None = None
        self.typed = False

    def show_panel(self, panel: Panel) -> None:
        """Print what was said and the choices, each whole; the same once more only where something was typed.

        A long list of choices is printed once, and not again with each sentence about a wrong answer.
        """
        choices = tuple(dict.fromkeys((*panel.first, *panel.choices)))
        news, self._said = panel.said is not self._said, panel.said
        if not news or not (self.typed or (panel.told, choices) != self._told) or not any((*panel.told, *choices)):
            return
        known = len(choices) > MANY and choices == self._told[1]
        before = () if self.typed else self._told[0]  # what came in the same instant stands above it already
        lines = panel.told[len(before) :] if before and panel.told[: len(before)] == before else panel.told
        self._told, self.typed = (panel.told, choices), False
        for line in lines:
            self._tell(line)
        for choice in () if known else choices:
            for place, part in enumerate(pages(choice, CELLS - 2)):
                self._tell(f"{' ' if place else '-'} {part}")

    def key(self, wait_ms: int = 0) -> Pressed | None:
        """Return None: a terminal has no keys but those of a line."""
        return None

    def show(self, text: str) -> None:
        """Print a text that no station says: the square by which a device is admitted."""
        self._tell(text)

    def __enter__(self) -> TerminalDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""


Display = BrailleDisplay | TerminalDisplay
"""Display on which a station of text may show its lines."""
