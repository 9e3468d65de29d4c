"""Sentences for times and everything else on a chess clock. Pure.

Times are said by magnitude, never as digits with colons: hours and minutes, under ten minutes minutes and seconds.
Plural forms are those of the catalogue.
"""

from __future__ import annotations

from functools import partial, reduce

import msgspec

from speech.words.messages import ONLY, Messages

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000


def time_told(ms: int, messages: Messages) -> str:
    """Return a length of time in words: "1 hour 5 minutes", "59 seconds".

    `ms`: milliseconds, rounded down; below zero it counts as zero.

    >>> from speech.words.catalogue import load_messages
    >>> time_told(3_905_000, load_messages("en"))
    '1 hour 5 minutes'
    """
    ms = max(0, ms)
    parts = [(ms // HOUR, "hour"), (ms % HOUR // MINUTE, "minute")]
    if ms < 10 * MINUTE:
        parts.append((ms % MINUTE // SECOND, "second"))
    said = [messages.text(f"unit.{unit}", count=count) for count, unit in parts if count]
    return reduce(partial(_after, messages), said) if said else messages.text("unit.second", count=0)


def _after(messages: Messages, first: str, then: str) -> str:
    """Return a length of time and a shorter one after it: with "and" between, where the language has it there."""
    key = "unit.and_figure" if then[0].isdigit() else "unit.and"
    return messages.entries[key].forms[ONLY].format(first=first, then=then)


def time_short(ms: int, messages: Messages) -> str:
    """Return a length of time as briefly as it is said: "1 hour 2", "9 minutes 59", "59 seconds".

    >>> from speech.words.catalogue import load_messages
    >>> [time_short(ms, load_messages("en")) for ms in (3_720_000, 605_000, 599_000, 1_000)]
    ['1 hour 2', '10 minutes', '9 minutes 59', '1 second']
    """
    ms = max(0, ms)
    if ms >= HOUR:
        whole, rest, unit, then = ms // HOUR, ms % HOUR // MINUTE, "hour", "then_minutes"
    elif ms >= MINUTE:
        whole, rest, unit, then = ms // MINUTE, ms % MINUTE // SECOND, "minute", "then_seconds"
        rest = rest if ms < 10 * MINUTE else 0
    else:
        whole, rest, unit, then = ms // SECOND, 0, "second", ""
    said = messages.text(f"unit.{unit}", count=whole)
    return _after(messages, said, messages.text(f"ear.{then}", count=rest)) if rest else said


class ClockFacts(msgspec.Struct, frozen=True):
    """Facts on a clock that may be told, in ms.

    A field is None where it was not asked for or is not known. `runs`: "own" or "opponent", "" where both stand;
    `flag_first`: the same, "" where no flag fell. `age_ms`: how old a reading of another clock is.
    """

    own_ms: int | None = None
    opponent_ms: int | None = None
    runs: str | None = None
    moves: int | None = None
    to_control: int | None = None
    period: int | None = None
    periods: int | None = None
    flag_first: str = ""
    age_ms: int | None = None


def clock_told(facts: ClockFacts, messages: Messages) -> tuple[str, ...]:
    """Return the facts as sentences, own time first."""
    told = []
    for whose, ms in (("own", facts.own_ms), ("opponent", facts.opponent_ms)):
        if ms is not None:
            key = f"clock.{whose}_runs" if facts.runs == whose else f"say.time_{whose}"
            told.append(messages.text(key, time=time_told(ms, messages)))
    if facts.runs == "":
        told.append(messages.text("clock.stand"))
    if facts.flag_first:
        told.append(messages.text(f"clock.{facts.flag_first}_flag_first"))
    if facts.age_ms is not None:
        told.append(messages.text("clock.read_ago", time=time_told(facts.age_ms, messages)))
    if facts.moves is not None:
        told.append(messages.text("say.moves_completed", count=facts.moves))
    if facts.to_control is not None:
        told.append(messages.text("clock.to_control", count=facts.to_control))
    if facts.period is not None and facts.periods is not None:
        told.append(messages.text("clock.period", number=facts.period, periods=facts.periods))
    return tuple(told)


class PeriodTold(msgspec.Struct, frozen=True):
    """Period of a time control.

    `moves` None: all the rest; times in ms; `kind`: fischer, delay or bronstein.
    """

    moves: int | None
    base_ms: int
    increment_ms: int = 0
    kind: str = "fischer"


EXTRA = {"fischer": "bonus", "delay": "delay", "bronstein": "given_back"}


def control_told(periods: tuple[PeriodTold, ...], messages: Messages) -> str:
    """Return a time control as a sentence.

    For instance "40 moves in 1 hour 30 minutes, 30 seconds more a move, then 30 minutes ...".
    """
    told = []
    extras = {(period.increment_ms, period.kind) for period in periods}
    once = len(extras) == 1  # the same in every period: said once, at the end
    for number, period in enumerate(periods):
        time = time_told(period.base_ms, messages)
        if period.moves is not None:
            told.append(messages.text("clock.moves_in", count=period.moves, time=time))
        else:
            told.append(messages.text("clock.rest_in" if number else "clock.all_in", time=time))
        if period.increment_ms and (not once or number == len(periods) - 1):
            extra = time_told(period.increment_ms, messages)
            told.append(messages.text(f"clock.{EXTRA[period.kind]}", time=extra))
    return messages.comma.join(told) + "."
