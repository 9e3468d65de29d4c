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
    longest = sorted(marks, key=len, reverse=True)
    found = "|".join(rf"(?<![^\W\d_]){re.escape(word)}" if word[0].isalpha() else re.escape(word) for word in longest)
    return re.compile(rf"(?:{found})(?![^\W\d_])"), marks


class _Part(msgspec.Struct):
    """One number of a time control, and what stands beside it."""

    number: int = 0
    unit_ms: int = 0  # 0: no unit
    after_plus: bool = False
    each: bool = False
    kind: Kind | None = None


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
    last_extra, apart = None, False  # an increment after all periods, and whether a sign of its own stood before it
    from_first = "<first>" in marks
    place = 0
    while place < len(marks):
        mark = marks[place]
        if mark in (":", ";", ",", "<next>"):
            apart = True
            place += 1
        elif mark == "<rest>":
            time_follows = _mark(marks, place + 1) == "/"
            if found[-1].base_ms is not None and time_follows:
                found.append(_Written())
            found[-1].rest = True
            place += 2 if time_follows else 1
        elif mark == "<first>" or (mark == "/" and found[-1].base_ms is not None):
            place += 1
        else:
            part, place = _part(marks, place)
            if part is None:  # a number of moves
                moves = int(marks[place - 2])
                if found[-1].moves is not None or (apart and found[-1].base_ms is not None):
                    found.append(_Written())
                found[-1].moves, apart = moves, False
                continue
            if part.kind is not None or part.each or (part.after_plus and part.unit_ms in (0, 1_000)):
                if apart or found[-1].base_ms is None or from_first:
                    last_extra = _extra(part)
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
    return tuple(_finish_periods(found, last_extra))


def _mark(marks: list[str], place: int) -> str:
    """Return the mark at a place, "" behind the last one."""
    return marks[place] if place < len(marks) else ""


def _part(marks: list[str], place: int) -> tuple[_Part | None, int]:
    """Return the number that stands at a place, with its signs and units, and the place after it.

    None where it is a number of moves.
    """
    part = _Part()
    while (mark := _mark(marks, place)) in ("+", "<plus>", "<each>", *_KINDS):
        part.after_plus = part.after_plus or mark in ("+", "<plus>")
        part.each = part.each or mark == "<each>"
        part.kind = _KINDS.get(mark, part.kind)
        place += 1
    if not mark.isdecimal():
        raise _NotOne
    part.number, place = int(mark), place + 1
    following = _mark(marks, place)
    of_moves = following == "<moves>" or (
        following == "/" and not part.after_plus and _mark(marks, place + 1) != "<rest>"
    )
    if of_moves and part.kind is None:
        return None, place + 1
    if following in _UNIT_MS:
        part.unit_ms, place = _UNIT_MS[following], place + 1
        if following == "<hours>":
            place = _add_minutes(part, marks, place)
    while (mark := _mark(marks, place)) in ("<each>", *_KINDS):
        part.each = part.each or mark == "<each>"
        part.kind = _KINDS.get(mark, part.kind)
        if mark in _KINDS and _mark(marks, place + 1).isdecimal():
            part.kind = None  # the sign of the number after it
            break
        place += 1
    return part, place


def _add_minutes(hours: _Part, marks: list[str], place: int) -> int:
    """Add the minutes behind a number of hours, 1h30, where there are any; return the place behind them."""
    apart = _mark(marks, place) == "<plus>"
    start = place + 1 if apart else place
    more, unit = _mark(marks, start), _mark(marks, start + 1)
    of_minutes = unit in ("'", "<minutes>")
    of_its_own = apart or unit in _UNIT_MS or unit == "<moves>"
    if not more.isdecimal() or (of_its_own and not of_minutes):
        return place
    hours.number, hours.unit_ms = hours.number * 60 + int(more), 60_000
    return start + 2 if of_minutes else start + 1


def _base(part: _Part) -> int:
    """Return the time of a period, ms: a bare number below 180 is minutes."""
    unit = part.unit_ms or (60_000 if part.number < SHORTEST_SECONDS else 1_000)
    if not part.number:
        raise _NotOne
    return part.number * unit


def _extra(part: _Part) -> tuple[int, Kind]:
    return part.number * (part.unit_ms or 1_000), part.kind or "fischer"


def _finish_periods(found: list[_Written], for_all: tuple[int, Kind] | None) -> Iterator[ClockPeriod]:
    if any(one.rest and one.moves for one in found):
        raise _NotOne
    for one in found:
        if one.base_ms is None:
            raise _NotOne
        extra, kind = one.extra or for_all or (0, "fischer")
        yield ClockPeriod(one.moves, one.base_ms, extra, kind if extra else "fischer")
