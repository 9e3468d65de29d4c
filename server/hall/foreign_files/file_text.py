"""The bytes of a file that people send become text, whatever program wrote it.

This code is pure. UTF-8, UTF-16 and UTF-32 are known by their form. Every other file is in a one-byte code page, and
that is told by what it holds: the letters of each word belong to one language, that of the player's federation where
the file names it (`config/code_pages.toml`). Where two pages fit and give different names, a person is asked.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec

from speech.complaint import Complaint, Phrase
from speech.words.config_file import read_settings

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
NO_TEXT = re.compile("[\0-\x08\x0e-\x19\x1c-\x1f]")
ORDERS = re.compile("[\x1b\x80-\x9f]")
"""Signs that a terminal would obey; each is read as a space."""
MOST_NAMED = 4
"""Most code pages that are offered to a person."""
_MOST_LINES = 1_000
"""Most lines with letters beyond ASCII by which the code page is told."""
_WORD = re.compile(r"[^\W\d_]+(?:['’‘´·][^\W\d_]+)*")
_SURER = 0.25
"""Lead that one page needs over the next of its script, per letter (log units)."""
_FEDERATION = slice(48, 51)
_OWN_SCRIPT = range(0x370, 0x1E00)
"""Letters that are no Latin letters: a word has them alone."""


class CodePages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code pages that are tried, and the letters that tell them apart.

    `signs`: what may stand beside letters; `beside`: those that may touch one; `within`: that may stand between two.
    """

    pages: tuple[str, ...]
    seldom: tuple[str, ...]
    signs: str
    beside: str
    within: str
    letters: dict[str, str]
    federations: dict[str, tuple[str, ...]]

    @property
    def all(self) -> tuple[str, ...]:
        """Return the names of every page that is tried."""
        return (*self.pages, *self.seldom)


class FileText(msgspec.Struct, frozen=True):
    """Text of a file; `sample`: a word that another code page would spell otherwise, or ""."""

    text: str
    encoding: str
    sample: str = ""

    @property
    def page(self) -> str:
        """Return the name of the code page as people know it.

        >>> FileText("", "cp1250").page, FileText("", "iso8859_2").page, FileText("", "cp852").page
        ('Windows-1250', 'ISO-8859-2', 'DOS 852')
        """
        named = {"cp125": "Windows-125", "iso8859_": "ISO-8859-", "koi8_": "KOI8-", "cp": "DOS "}
        start = next((one for one in named if self.encoding.startswith(one)), "")
        return f"{named[start]}{self.encoding[len(start) :].upper()}" if start else self.encoding


class CodePageUnclear(Complaint):
    """Several code pages fit; `choices`: each with a word as it would be spelt."""

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        self.choices = tuple(choices)
        self.named = ", ".join(f"{sample} ({page})" for page, sample in choices)
        super().__init__(Phrase("code_page_unclear", choices=self.named))


@cache
def code_pages() -> CodePages:
    """Return the code pages of the program. Raises `Complaint` where the file is wrong."""
    return read_settings("code_pages.toml", CodePages)


def file_text(raw: bytes, page: str | None = None) -> FileText:
    """Return the text of a file. `page`: the code page that a person named.

    Raises `CodePageUnclear` where it could be read in several ways, `Complaint` where it is no text.
    """
    if page is not None:
        found = _text(raw, page) if page in code_pages().all else None
        if found is None:
            raise Complaint(Phrase("code_page_wrong", page=page))
        return found
    found, known = _unicode(raw)
    if found is not None:
        return found
    if known:
        raise Complaint(Phrase("file_no_text"))
    fitting = _fitting(raw, code_pages())
    if not fitting:
        raise Complaint(Phrase("file_no_text"))
    if len(fitting) > 1:
        raise CodePageUnclear(fitting[:MOST_NAMED])
    chosen, sample = fitting[0]
    text = _text(raw, chosen)
    assert text is not None, "a page fits only where it can be read"
    return msgspec.structs.replace(text, sample=sample)


def likely_text(raw: bytes) -> FileText | None:
    """Return the text of a file as it most probably is, and its encoding, which is told; None where it is no text."""
    try:
        return file_text(raw)
    except CodePageUnclear as unclear:
        page, sample = unclear.choices[0]
        text = _text(raw, page)
        return None if text is None else msgspec.structs.replace(text, sample=sample)
    except Complaint:
        return None


def _unicode(raw: bytes) -> tuple[FileText | None, bool]:
    """Return the text where its form is one of Unicode's, and whether it must be."""
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return _text(raw[len(mark) :], encoding), True
    if b"\0" in raw:
        even, odd = raw[::2].count(0), raw[1::2].count(0)
        return _text(raw, "utf-16-le" if odd > even else "utf-16-be"), True
    return _text(raw, "utf-8"), bool(NO_TEXT.search(raw.decode("latin-1")))


def _text(raw: bytes, encoding: str) -> FileText | None:
    try:
        text = raw.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
    return None if NO_TEXT.search(text) else FileText(ORDERS.sub(" ", text), encoding)


class _Fit(msgspec.Struct, frozen=True, order=True):
    """How well a page fits: the least is the best."""

    strange: int
    """Words of no language."""
    foreign: int
    """Words of none of the languages of their player's federation, else of the tournament's."""
    languages: int
    """Number of languages needed for the words of players whose federation is not known."""
    seldom: bool


def _fitting(raw: bytes, known: CodePages) -> list[tuple[str, str]]:
    """Return the pages that fit best, each with a word that tells it from the others: one for each way to read it."""
    lines = [line for line in re.split(rb"[\r\n]", raw) if not line.isascii()]
    lines = list(dict.fromkeys(lines))[:_MOST_LINES]
    held = bytes(sorted(set(raw)))
    read: dict[str, str] = {}
    for page in known.all:
        try:
            held.decode(page)
            text = "\n".join(line.decode(page) for line in lines)
        except (UnicodeDecodeError, LookupError):
            continue
        if text not in read.values():
            read[page] = text
    if not read:
        return []
    home = re.search(rb"^032 ([A-Z]{3})\b", raw, re.MULTILINE)
    fits = {
        page: _fit(text, known, home[1].decode() if home else "", page in known.seldom) for page, text in read.items()
    }
    best = min(fits.values())
    left = _likeliest({page: read[page] for page in read if fits[page] == best}, known)
    others = [text for page, text in read.items() if page not in left[:1]]
    return [(page, _sample(read[page], [read[one] for one in left if one != page] or others)) for page in left]


def _fit(text: str, known: CodePages, home: str, seldom: bool) -> _Fit:
    strange = foreign = 0
    spoken: list[frozenset[str]] = []
    for line in text.split("\n"):
        own = line[_FEDERATION].strip() if line.startswith("001 ") else ""
        wanted = known.federations.get(own or home)
        strange += _odd_signs(line, known)
        for word in _WORD.findall(line):
            if word.isascii() or not any(one.isalpha() for one in word if not one.isascii()):
                continue
            languages = _languages_of(word, known.letters)
            if not languages:
                strange += 1
            elif wanted is None:
                spoken.append(languages)
            else:
                foreign += not languages & {*wanted}
    return _Fit(strange, foreign, _languages_needed(spoken), seldom)


def _odd_signs(line: str, known: CodePages) -> int:
    """Return how many signs stand in a line that are no letters, or stand where no sign does."""
    odd = 0
    for place, one in enumerate(line):
        if one.isascii() or one.isalpha():
            continue
        beside = (line[place - 1 : place].isalpha(), line[place + 1 : place + 2].isalpha())
        may = known.within if all(beside) else known.beside if any(beside) else known.signs
        odd += one not in may
    return odd


def _languages_of(word: str, letters: Mapping[str, str]) -> frozenset[str]:
    """Return the languages that have every letter of a word; none where small and capital letters stand wildly."""
    for place, one in enumerate(word):
        if one.isascii() or place == 0:
            continue
        before, after = word[place - 1], word[place + 1 : place + 2]
        if one.isupper() and (before.islower() or (before.isupper() and after.islower())):
            return frozenset()
        if one.islower() and place > 1 and word[place - 2 : place].isupper():
            return frozenset()
    small = word.lower()
    own = any(ord(one) in _OWN_SCRIPT for one in small)
    wanted = {one for one in small if one.isalpha() and (own or not one.isascii())}
    return frozenset(language for language, has in letters.items() if wanted <= {*has})


def _languages_needed(words: Iterable[frozenset[str]]) -> int:
    """Return how many languages have all words between them, the commonest taken first."""
    left, needed = list(words), 0
    while left:
        counted = sorted({one for languages in left for one in languages})
        best = max(counted, key=lambda one: sum(one in languages for languages in left))
        left = [languages for languages in left if best not in languages]
        needed += 1
    return needed


def _likeliest(read: Mapping[str, str], known: CodePages) -> list[str]:
    """Return the pages that remain, the likeliest first: of one script by how common its letters are."""
    ranks = {
        one: math.log(place + 1)
        for has in known.letters.values()
        for place, one in enumerate(has)
        if ord(one) in _OWN_SCRIPT
    }
    rare = {page: [ranks[one] for one in text.lower() if one in ranks] for page, text in read.items()}
    if len(read) < 2 or not all(rare.values()):
        return list(read)
    mean = {page: sum(found) / len(found) for page, found in rare.items()}
    ordered = sorted(read, key=lambda page: mean[page])
    return ordered[:1] if mean[ordered[1]] - mean[ordered[0]] >= _SURER else ordered


def _sample(text: str, others: Sequence[str]) -> str:
    """Return the word that most of the other readings spell otherwise, the first of these."""
    words = [word for word in dict.fromkeys(text.split()) if not word.isascii()]
    best = max(words, key=lambda word: sum(word not in other for other in others), default="")
    return best.strip(",;.\"'()[]")
