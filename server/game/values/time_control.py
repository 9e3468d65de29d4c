"""A time control is a value in the TRF26 form: `moves/seconds+increment` periods joined by `:`.

See 6.3.1, L057.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Kind = Literal["fischer", "delay", "bronstein"]
SIGNS: dict[str, Kind] = {"+": "fischer", "d": "delay", "b": "bronstein"}
PERIOD = re.compile(
    r"(?:(?P<moves>\d{1,3})/)?(?P<base>\d{1,6})(?P<minutes>['′])?(?:(?P<sign>[+db])(?P<extra>\d{1,4}))?"
)
MOST_PERIODS = 9
SHORTEST_SECONDS = 180
"""No game over the board is given less: a smaller number that a person writes for a period is minutes."""


class ClockPeriod(msgspec.Struct, frozen=True):
    """One period of a time control.

    It has the moves to make (None: all the rest), the base time and the extra time per move in ms, and says how the
    extra counts. `fischer`: it is added for the coming move and kept (6.3.2). `delay`: the main time begins to run only
    after it. `bronstein`: what was used of it is given back at the press; the time never grows.
    """

    moves: int | None
    base_ms: int
    increment_ms: int = 0
    kind: Kind = "fischer"


class TimeControl(msgspec.Struct, frozen=True):
    """Time control of one or more periods.

    `add_at`: the time of the next period is added when the last move of a period is pressed (`control`), or when a
    display reaches zero (`zero`). `count_moves`: with `zero`, time is added only to a player who has made the required
    moves (a forced move counter); without it both sides get the next period when the first of them reaches zero, and
    the flag shown calls for a count (6.4). `freeze`: both displays stand when a flag falls in the last period.
    `in_advance`: a Bronstein display holds the extra of the coming move, so that the main time is used only after it
    (6.3.2); in older records it did not, and the flag fell before the extra had passed.
    """

    periods: tuple[ClockPeriod, ...]
    add_at: Literal["control", "zero"] = "control"
    count_moves: bool = True
    freeze: bool = False
    in_advance: bool = False

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `5400+30`, `40/6000+30:900+30`, `1500d5` (delay) or `1500b5` (Bronstein).

        With minutes, `90'+30`. Raises ValueError with one plain sentence.

        >>> TimeControl.parse("5400+30").periods[0].increment_ms
        30000
        >>> TimeControl.parse("40/90'+30:30'+30") == TimeControl.parse("40/5400+30:1800+30")
        True
        """
        periods = []
        told = " ".join(text.split())
        for part in text.split(":"):
            found = PERIOD.fullmatch(part.strip())
            if found is None or int(found["base"]) == 0:
                raise ValueError(f"'{told}' is not a time control; write minutes+seconds per move, for example 90+30.")
            moves = int(found["moves"]) if found["moves"] else None
            kind = SIGNS[found["sign"] or "+"]
            base_ms = int(found["base"]) * (60_000 if found["minutes"] else 1000)
            periods.append(ClockPeriod(moves, base_ms, int(found["extra"] or 0) * 1000, kind))
        control = cls(tuple(periods), in_advance=any(period.kind == "bronstein" for period in periods))
        fault = control.fault
        if fault is not None:
            raise ValueError(f"'{told}' is not a time control: {fault}")
        return control

    @classmethod
    def as_people_write(cls, text: str) -> TimeControl:
        """Read a time control that a person wrote: numbers below 180 are minutes, so `90+30` is 90 minutes and 30 s.

        Raises ValueError with one plain sentence.

        >>> TimeControl.as_people_write("90+30").text, TimeControl.as_people_write("40/90+30:1800+30").text
        ('5400+30', '40/5400+30:1800+30')
        """
        return cls.parse(":".join(_in_minutes(part.strip()) for part in text.split(":")))

    @property
    def fault(self) -> str | None:
        """Return the fault of this time control; None where it has none."""
        if not 1 <= len(self.periods) <= MOST_PERIODS:
            return f"it has {len(self.periods)} periods; give 1 to {MOST_PERIODS}."
        if any(period.moves is None for period in self.periods[:-1]):
            return "every period but the last needs a number of moves."
        if any(period.base_ms < 0 or period.increment_ms < 0 or period.moves == 0 for period in self.periods):
            return "times are not negative, and a period has at least one move."
        return None

    def moves_through(self, period: int) -> int | None:
        """Return how many moves must be made from the start to the end of a period; None in an endless one."""
        total = 0
        for one in self.periods[: period + 1]:
            if one.moves is None:
                return None
            total += one.moves
        return total

    def periods_reached(self, moves: tuple[int, int]) -> tuple[int, int] | None:
        """Return the periods that White and Black are in after so many moves; None where periods end at zero."""
        if self.add_at != "control":
            return None
        ends = [self.moves_through(period) for period in range(len(self.periods) - 1)]
        white, black = (sum(through is not None and made >= through for through in ends) for made in moves)
        return white, black

    def with_increment(self, increment_ms: int) -> TimeControl:
        """Return the same periods with another Fischer increment (Guidelines III.4: 5 s for both)."""
        periods = tuple(
            msgspec.structs.replace(period, increment_ms=increment_ms, kind="fischer") for period in self.periods
        )
        return msgspec.structs.replace(self, periods=periods)

    @property
    def text(self) -> str:
        """Return the TRF26 form (`d` and `b` are our own additions)."""
        sign = {kind: mark for mark, kind in SIGNS.items()}
        return ":".join(
            (f"{p.moves}/" if p.moves else "")
            + str(p.base_ms // 1000)
            + (f"{sign[p.kind]}{p.increment_ms // 1000}" if p.increment_ms else "")
            for p in self.periods
        )


def _in_minutes(period: str) -> str:
    """Return a period with the mark of minutes where its number can only be minutes."""
    found = PERIOD.fullmatch(period)
    if found is None or found["minutes"] or int(found["base"]) >= SHORTEST_SECONDS:
        return period
    end = found.end("base")
    return f"{period[:end]}'{period[end:]}"
