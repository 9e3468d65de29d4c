"""The ways in which people write at the end of a score that the game is over.

That is a result in figures (`1-0`, `1:0`, `½:½`, `0,5-0,5`, `+:-`), or words of any language in which scores are read
(`remis`, `Black resigns`, `poddał się`; `config/reconciling/endings.toml`). `0-0` is castling wherever castling is a
move (`server/scoresheets/language.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from server.scoresheets.forms import is_blank, plain
from speech.words.spelling import typed_form

HALVES = {"1": 1.0, "0": 0.0, "o": 0.0, "½": 0.5, "1/2": 0.5, "0.5": 0.5, "0,5": 0.5, ".5": 0.5, ",5": 0.5}
SIDE = r"1/2|[01½]|0?[.,]5|[oOОо]"
FIGURES = re.compile(rf"({SIDE})([-:=/])({SIDE})")
FORFEITS = frozenset(["+/-", "-/+", "-/-", "+:-", "-:+", "-:-", "+--", "--+"])
ALONE = frozenset(["1/2", "½", "*"])
AROUND = ".,;:!?()[]\"'„“”«»‚‘’*"
"""Signs that may stand around a result or a word."""
SPACED = re.compile(rf"(?<![^\s(\[])(?:(?:{SIDE}) +[-:] +(?:{SIDE})|[+-] +: +[+-])(?![^\s)\].,;!])")
SPACED_CASTLING = re.compile(r"(?<!\S)([0OoОо]) *- *([0OoОо])(?: *- *([0OoОо]))?(?!\S)")
ZEROS = "0-0"


class EndingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of one language at the end of a score; `ends` say that the game is over, `beside` stand beside them.

    `between`: words that look like moves and count between two others alone. `behind`: words behind a move, such as
    that it gives check.
    """

    ends: tuple[str, ...]
    beside: tuple[str, ...]
    between: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()


class Endings:
    """Test of whether words at the end of a score say that the game is over, in any language."""

    def __init__(self, languages: Iterable[EndingWords]) -> None:
        self.phrases: set[tuple[str, ...]] = set()
        self.words: set[str] = set()
        self.between: set[str] = set()
        self.behind: set[str] = set()
        spelt = set[str]()
        for each in languages:
            self.behind.update(fold_word(word) for phrase in each.behind for word in phrase.split())
            self.between.update(map(fold_word, each.between))
            spelt.update(form for phrase in each.behind for form in (phrase.strip(AROUND), fold_word(phrase)))
            phrases = [tuple(map(fold_word, phrase.split())) for phrase in each.ends]
            self.phrases.update(phrases)
            self.words.update(word for phrase in phrases for word in phrase)
            self.words.update(fold_word(word) for text in each.beside for word in text.split())
        self.words -= self.between
        self.pattern = "|".join(re.escape(each).replace("\\ ", r"\s+") for each in sorted(spelt))
        self.longest = max(map(len, self.phrases), default=0)

    def stands_in(self, token: str) -> bool:
        """Return whether a token holds nothing but results, such words, and signs around them."""
        return all(is_result(word) or fold_word(word) in self.words or not word.strip(AROUND) for word in token.split())

    def stands_between(self, before: str, token: str, after: str) -> bool:
        """Return whether a token may be a move by itself, and is a word where words stand on both sides of it."""
        return fold_word(token) in self.between and fold_word(before) in self.words and fold_word(after) in self.words

    def stands_behind(self, token: str) -> bool:
        """Return whether a token is a word that people write behind a move: `check`, `en`, `passant`.

        A lone letter may be what is left of the next move.
        """
        return len(token) > 1 and fold_word(token) in self.behind

    def over(self, tokens: Sequence[str]) -> bool:
        """Return whether these tokens, in this order, say that the game is over."""
        words = [word for token in tokens for word in token.split()]
        if any(is_result(word) for word in words):
            return True
        bare = [fold_word(word) for word in words]
        return any(
            tuple(bare[at : at + length]) in self.phrases
            for at in range(len(bare))
            for length in range(1, self.longest + 1)
        )


NO_ENDINGS = Endings(())
"""For a score whose cells are known one by one, as one on record: a word there is what its player wrote as a move."""


def fold_word(word: str) -> str:
    """Return a word without capitals, accents and the signs around it."""
    return typed_form(plain(word)).replace("ł", "l").strip(AROUND)


def result_of(token: str) -> str | None:
    """Return a result in figures as PGN writes it, None for what is none.

    `0-0` is castling, `0:0` is a result (both have lost); `+:-` is a win without play.
    """
    bare = token.lstrip("([").rstrip(".,;!?)]#").replace("\u2044", "/")
    if bare in ALONE:
        return "*" if bare == "*" else "1/2-1/2"
    if bare in FORFEITS:
        return f"{bare[0]}/{bare[-1]}"
    figures = FIGURES.fullmatch(bare)
    if figures is None or figures[0] in ("0-0", "0=0"):
        return None
    sides = [figures[at].translate(ROUND) for at in (1, 3)]
    points = sum(HALVES[side] for side in sides)
    letters = any(ord(sign) in ROUND for sign in figures[0])
    if points == 1.0 or (not letters and points in (0.0, 0.5)):
        return "-".join({1.0: "1", 0.5: "1/2", 0.0: "0"}[HALVES[side]] for side in sides)
    return None


def is_result(token: str) -> bool:
    """Return whether a token is a result in figures."""
    return result_of(token) is not None


ROUND = {ord(letter): "0" for letter in "oOОо"}
"""The letter O where a nought is meant: `1-O`; two of them are castling."""


def close_up(line: str) -> str:
    """Return a line whose results and castlings hold no spaces: `1 : 0`, `½ - ½`, `0 - 0 - 0`."""

    def without_spaces(found: re.Match[str]) -> str:
        return found[0].replace(" ", "")

    def result(found: re.Match[str]) -> str:
        bare = without_spaces(found)
        return bare if is_result(bare) or bare == ZEROS else found[0]

    if " -" in line or "- " in line or " :" in line:
        line = SPACED.sub(result, SPACED_CASTLING.sub(without_spaces, line))
    return line


def is_neutral(token: str) -> bool:
    """Return whether a token says nothing by itself: a blank cell, or signs alone."""
    return is_blank(token) or not token.strip(AROUND)
