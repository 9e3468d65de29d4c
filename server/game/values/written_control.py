"""Time controls are read as people and files write them, in signs or in words.

`40/90+30`, `1500 + 10`, `15 minutes + 10 seconds`, `G/60;d5`, `40/90, SD/30; +30`: the words are data
(`config/rules/written_controls.toml`). A number without a unit is minutes below 180, else seconds. What is not
understood to its end, or could mean two things, is refused with one sentence: nothing of a time control is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from server.game.values.time_control import SHORTEST_SECONDS, ClockPeriod, Kind, TimeControl

LONGEST_CONTROL = 200
"""Most characters of a time control, wherever it is written; a longer text is refused."""
SHOWN = 80
"""Characters of it that a complaint shows."""

_LIKE = str.maketrans("′’‘´`″”“|", "'''''\"\"\"+")
_MARK = re.compile(r"\s*(?:(?P<number>\d{1,6})|(?P<word><[a-z]+>)|(?P<sign>''|[+/:;,'\"*()]))")
_UNIT_MS = {"<hours>": 3_600_000, "<minutes>": 60_000, "'": 60_000, "<seconds>": 1_000, '"': 1_000, "''": 1_000}
_KINDS: Mapping[str, Kind] = {"<delay>": "delay", "<bronstein>": "bronstein", "<increment>": "fischer"}
_NO_EXTRA: tuple[int, Kind] = (0, "fischer")


class ControlWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words that people use in a time control, by what they stand for."""

    hours: tuple[str, ...]
    minutes: tuple[str, ...]
    seconds: tuple[str, ...]
    moves: tuple[str, ...]
    each: tuple[str, ...]
    rest: tuple[str, ...]
    first: tuple[str, ...]
    delay: tuple[str, ...]
    bronstein: tuple[str, ...]
    increment: tuple[str, ...]
    plus: tuple[str, ...]
    next: tuple[str, ...]
    empty: tuple[str, ...]


@cache
def _marks_of(words: ControlWords) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds any of the words, the longest first, and the mark of each."""
    marks = {word: f"<{name}>" for name in ControlWords.__struct_fields__ for word in getattr(words, name)}
    found = "|".join(re.escape(word) for word in sorted(marks, key=len, reverse=True))
    return re.compile(rf"(?:{found})(?![^\W\d_])"), marks


class _Part(msgspec.Struct):
    """One number of a time control, and what stands beside it."""

    number: int = 0
    unit_ms: int = 0  # 0: no unit
    of_moves: bool = False
    after_plus: bool = False
    each: bool = False
    kind: Kind | None = None

    def add_sign(self, mark: str) -> None:
        """Note a sign or a word that stands beside the number."""
        self.after_plus = self.after_plus or mark in ("+", "<plus>")
        self.each = self.each or mark == "<each>"
        self.kind = _KINDS.get(mark, self.kind)


class _Written(msgspec.Struct):
    """One period as far as it has been read."""

    moves: int | None = None
    base_ms: int | None = None
    extra: tuple[int, Kind] | None = None
    rest: bool = False


def control_written(text: str, words: ControlWords) -> TimeControl:
    """Return the time control that a text states. Raises ValueError with one plain sentence."""
    told = " ".join(text.split())
    shown = f"'{told[:SHOWN]}'"
    none = f"{shown} is not a time control; write minutes+seconds per move, for example 90+30."
    if len(told) > LONGEST_CONTROL:
        raise ValueError(none)
    try:
        periods = _periods(told, words)
    except _NotRead as wrong:
        raise ValueError(f"{shown} is not a time control: {wrong}") from None
    except _NotOne:
        raise ValueError(none) from None
    control = TimeControl(periods, in_advance=any(period.kind == "bronstein" for period in periods))
    if control.fault is not None:
        raise ValueError(f"{shown} is not a time control: {control.fault}")
    return control


class _NotOne(Exception):
    """The text is no time control."""


class _NotRead(Exception):
    """The text is one that is not played here, or that can mean two things; the words say which."""


def _marks_in(text: str, words: ControlWords) -> Iterator[str]:
    finds, marks = _marks_of(words)
    folded = unicodedata.normalize("NFC", text.translate(_LIKE)).casefold()
    folded = finds.sub(lambda found: f" {marks[found[0]]} ", folded).rstrip(" .")
    at = 0
    while at < len(folded):
        found = _MARK.match(folded, at)
        if found is None:
            raise _NotOne
        at = found.end()
        mark = found["number"] or found["word"] or found["sign"]
        if mark not in ("<empty>", "(", ")"):
            yield mark


def _periods(text: str, words: ControlWords) -> tuple[ClockPeriod, ...]:
    """Return the periods, read from left to right."""
    marks = list(_marks_in(text, words))
    if marks[:1] == ["*"]:
        raise _NotRead("an hourglass is not played here.")
    found: list[_Written] = [_Written()]
    for_all, apart = _NO_EXTRA, False  # an increment after all periods, and whether a sign of its own stood before it
    from_first = "<first>" in marks
    while marks:
        mark = marks.pop(0)
        if mark in (":", ";", ",", "<next>"):
            apart = True
        elif mark == "<rest>":
            if _mark(marks, 0) == "/":
                marks.pop(0)
                if found[-1].base_ms is not None:
                    found.append(_Written())
            found[-1].rest = True
        elif mark != "<first>" and (mark != "/" or found[-1].base_ms is None):
            part = _part(mark, marks)
            if part.of_moves:
                if found[-1].moves is not None or (apart and found[-1].base_ms is not None):
                    found.append(_Written())
                found[-1].moves = part.number
            elif part.kind is not None or part.each or (part.after_plus and part.unit_ms in (0, 1_000)):
                if apart or found[-1].base_ms is None or from_first:
                    for_all = _extra(part)
                elif found[-1].extra is not None:
                    raise _NotOne
                else:
                    found[-1].extra = _extra(part)
                    if part.each and found[0].extra is None:
                        raise _NotRead("say whether the increment is given from the first move on.")
            else:
                if found[-1].base_ms is not None:
                    found.append(_Written())
                found[-1].base_ms = _base(part)
            apart = False
    return tuple(_finish_periods(found, for_all))


def _mark(marks: list[str], place: int) -> str:
    """Return the mark at a place, "" behind the last one."""
    return marks[place] if place < len(marks) else ""


def _part(mark: str, marks: list[str]) -> _Part:
    """Return the number that begins with a mark, with its signs and units, which are taken from the marks behind it."""
    part = _Part()
    while mark in ("+", "<plus>", "<each>", *_KINDS):
        part.add_sign(mark)
        mark = marks.pop(0) if marks else ""
    if not mark.isdecimal():
        raise _NotOne
    part.number, following = int(mark), _mark(marks, 0)
    counts = following == "<moves>" or (following == "/" and not part.after_plus and _mark(marks, 1) != "<rest>")
    if counts and part.kind is None:
        marks.pop(0)
        part.of_moves = True
        return part
    if following in _UNIT_MS:
        part.unit_ms = _UNIT_MS[marks.pop(0)]
        if following == "<hours>":
            _add_minutes(part, marks)
    while _mark(marks, 0) in ("<each>", *_KINDS):
        if marks[0] in _KINDS and _mark(marks, 1).isdecimal():
            part.kind = None  # the sign of the number after it
            break
        mark = marks.pop(0)
        part.add_sign(mark)
    return part


def _add_minutes(hours: _Part, marks: list[str]) -> None:
    """Add the minutes behind a number of hours, 1h30, where there are any, and take them from the marks."""
    apart = _mark(marks, 0) == "<plus>"
    more, unit = _mark(marks, apart), _mark(marks, apart + 1)
    of_minutes = unit in ("'", "<minutes>")
    of_its_own = apart or unit in _UNIT_MS or unit == "<moves>"
    if more.isdecimal() and (of_minutes or not of_its_own):
        hours.number, hours.unit_ms = hours.number * 60 + int(more), 60_000
        del marks[: apart + 1 + of_minutes]


def _base(part: _Part) -> int:
    """Return the time of a period, ms: a bare number below 180 is minutes."""
    unit = part.unit_ms or (60_000 if part.number < SHORTEST_SECONDS else 1_000)
    if not part.number:
        raise _NotOne
    return part.number * unit


def _extra(part: _Part) -> tuple[int, Kind]:
    ms = part.number * (part.unit_ms or 1_000)
    return (ms, part.kind or "fischer") if ms else _NO_EXTRA


def _finish_periods(found: list[_Written], for_all: tuple[int, Kind]) -> Iterator[ClockPeriod]:
    if any(one.rest and one.moves for one in found):
        raise _NotOne
    for one in found:
        if one.base_ms is None:
            raise _NotOne
        yield ClockPeriod(one.moves, one.base_ms, *(one.extra or for_all))
