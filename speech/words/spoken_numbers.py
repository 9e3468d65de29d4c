"""Numbers in words, for a voice that would misread the figures. Pure.

A number takes the gender of what is counted. The words are in `config/languages/TAG/spoken/numbers.toml`, for the
languages that need it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from speech.words.language import Origin, Review

MOST = 9_999
_DAMMA = "\u064f"
"""The ending of an Arabic number before its noun, which it has not before "and twenty"."""
_FIGURES = re.compile(r"(?<![A-Za-z\d_.:,/])\d+(?:\.\d+)*(?![\w:/])")
_HALF = re.compile(r"(?<![\w/])1/2(?![\w/])")
_NEXT_WORD = re.compile(r"[\s\u2068]+([^\W\d_]+)")


class Before(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers 0 to 19 as they are said before some nouns."""

    nouns: tuple[str, ...]
    numbers: tuple[str, ...]


class SpokenNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whole numbers as one language says them.

    `counting`: 0 to 19 where no noun of `before` follows; `tens`: 20 to 90; `hundreds`: 100 to 900; `thousands`: 1000
    to 9000; `tens_first`: "twenty and three", not "three and twenty".
    """

    origin: Origin
    review: Review
    tens_first: bool
    and_: str = msgspec.field(name="and")
    point: str = ""
    half: str = ""
    counting: tuple[str, ...] = ()
    tens: tuple[str, ...] = ()
    hundreds: tuple[str, ...] = ()
    thousands: tuple[str, ...] = ()
    before: tuple[Before, ...] = ()


def in_words(text: str, numbers: SpokenNumbers) -> str:
    """Return the text with its whole numbers said in words; "9.5" is two numbers with the word for a point.

    One half is said as such.
    """

    def say_number(found: re.Match[str]) -> str:
        follows = _NEXT_WORD.match(text, found.end())
        noun = follows[1] if follows else ""
        small = next((one.numbers for one in numbers.before if noun in one.nouns), numbers.counting)
        parts = [_number(part, small, numbers) for part in found[0].split(".")]
        return f" {numbers.point} ".join(parts)

    return _FIGURES.sub(say_number, _HALF.sub(numbers.half, text))


def _number(figures: str, small: Sequence[str], numbers: SpokenNumbers) -> str:
    if figures.startswith("0") and len(figures) > 1:
        return " ".join(small[int(figure)] for figure in figures)
    number = int(figures)
    return figures if number > MOST else _join_parts(_parts(number, small, numbers), numbers)


def _parts(number: int, small: Sequence[str], numbers: SpokenNumbers) -> list[str]:
    parts = []
    if number >= 1000:
        parts.append(numbers.thousands[number // 1000 - 1])
        number %= 1000
    if number >= 100:
        parts.append(numbers.hundreds[number // 100 - 1])
        number %= 100
    if number < 20:
        return [*parts, small[number]] if number or not parts else parts
    ten, one = numbers.tens[number // 10 - 2], number % 10
    if not one:
        return [*parts, ten]
    return [*parts, ten, small[one]] if numbers.tens_first else [*parts, small[one].rstrip(_DAMMA), ten]


def _join_parts(parts: Sequence[str], numbers: SpokenNumbers) -> str:
    """Return the parts of a number: "and" stands before the last one in some languages, before each in others."""
    if len(parts) == 1:
        return parts[0]
    if numbers.tens_first:
        return " ".join([*parts[:-1], numbers.and_ + parts[-1]])
    return f" {numbers.and_}".join(parts)
