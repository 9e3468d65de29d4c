"""Time controls as values, in the TRF26 form: `moves/seconds+increment` periods joined by `:` (6.3.1, L057)."""

from __future__ import annotations

import re

import msgspec

PERIOD = re.compile(r"(?:(?P<moves>\d{1,3})/)?(?P<seconds>\d{1,6})(?:\+(?P<increment>\d{1,4}))?")


class ClockPeriod(msgspec.Struct, frozen=True):
    """One period: moves to make (None: all the rest), base time and increment in ms, and how the increment counts."""

    moves: int | None
    base_ms: int
    increment_ms: int = 0
    kind: str = "fischer"


class TimeControl(msgspec.Struct, frozen=True):
    """Any number of periods. First light plays one period with Fischer increment; the type is ready for more."""

    periods: tuple[ClockPeriod, ...]

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `5400+30` or `40/6000+30:900+30`. Raises ValueError with one plain sentence.

        >>> TimeControl.parse("5400+30").periods[0].increment_ms
        30000
        """
        periods = []
        for part in text.split(":"):
            found = PERIOD.fullmatch(part.strip())
            if found is None or int(found["seconds"]) == 0:
                raise ValueError(f"'{text}' is no time control; write seconds+increment, for example 5400+30.")
            moves = int(found["moves"]) if found["moves"] else None
            periods.append(ClockPeriod(moves, int(found["seconds"]) * 1000, int(found["increment"] or 0) * 1000))
        return cls(tuple(periods))

    @property
    def text(self) -> str:
        """The TRF26 form."""
        return ":".join(
            (f"{p.moves}/" if p.moves else "")
            + str(p.base_ms // 1000)
            + (f"+{p.increment_ms // 1000}" if p.increment_ms else "")
            for p in self.periods
        )
