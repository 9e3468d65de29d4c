"""Pointed Hebrew respelt as eSpeak NG's Hebrew voice can read it. Pure.

The voice reads few of the ways in which points stand on a letter; at any other it names the letters one by one. So each
word is taken apart into its sounds, a consonant and the vowel after it, and written again with the letters and points
that the voice says so. A word without points stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

SHEVA, DAGESH, PATAH, SEGOL, TSERE, QAMATS = "\u05b0", "\u05bc", "\u05b7", "\u05b6", "\u05b5", "\u05b8"
_VOWELS = {
    **dict.fromkeys("\u05b2\u05b7\u05b8", "a"),
    **dict.fromkeys("\u05b1\u05b5\u05b6", "e"),
    "\u05b4": "i",
    **dict.fromkeys("\u05b3\u05b9\u05ba\u05c7", "o"),
    "\u05bb": "u",
}
_SIN, _SHIN = "\u05c2", "\u05c1"
_HARD = {"ב": "b", "כ": "k", "ך": "k", "פ": "p", "ף": "p"}
_SOUNDS = {
    **{"א": "'", "ב": "v", "ג": "g", "ד": "d", "ה": "h", "ו": "v", "ז": "z", "ח": "x", "ט": "t", "י": "y", "כ": "x"},
    **{"ך": "x", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "s", "ע": "'", "פ": "f", "ף": "f", "צ": "ts"},
    **{"ץ": "ts", "ק": "k", "ר": "r", "ש": "sh", "ת": "t"},
}
_SOFTENED = {"g": "j", "ts": "ch", "z": "zh"}
"""The sounds that a geresh makes of others, as in ג׳ון."""
_LETTERS = {
    **{"'": "א", "v": "ב", "g": "ג", "d": "ד", "h": "ה", "z": "ז", "x": "ח", "t": "ט", "y": "י", "k": "ק", "l": "ל"},
    **{"m": "מ", "n": "נ", "s": "ס", "f": "פ", "ts": "צ", "r": "ר", "sh": "ש\u05c1", "j": "ג'", "ch": "צ'", "zh": "ז'"},
    **{"b": "ב\u05bc", "p": "פ\u05bc"},
}
_POINTS = {"": "", "a": "\u05b7", "e": "\u05b6", "i": "\u05b4", "o": "ו\u05b9", "u": "ו\u05bc"}
# Words whose qamats is an o: "kol", "khokhma", and what is made of them.
_SMALL_QAMATS = re.compile(r"^([ושבלמהכ]\W*)?(כ\u05bc?\u05b8\u05bc?ל(?!\W*[א-ת]))")
_PREFIXES = "ובכלמשה"
_WORD = re.compile(r"[א-ת][א-ת\u0591-\u05c7]*(?:[׳'][א-ת\u0591-\u05c7]*)*")
_ALONE = re.compile(r"(?<![א-ת\u05b0-\u05c7])([ובכלמשה][\u05b0-\u05c2\u05c7]+)[\s\u05be-]+(?=[א-ת])")
"""A prefix that stands alone, as before a number: the voice would say the name of the letter."""
_POINTED = re.compile(r"[\u05b0-\u05bc\u05c1\u05c2\u05c7]")


class Letter(msgspec.Struct, frozen=True):
    """One letter with its points; `soft`: a geresh follows it."""

    base: str
    marks: frozenset[str]
    soft: bool = False

    @property
    def vowel(self) -> str:
        """Return the vowel that stands on it, "" where none does."""
        return next((_VOWELS[mark] for mark in self.marks if mark in _VOWELS), "")

    @property
    def bare(self) -> bool:
        """Return whether nothing stands on it."""
        return not self.marks


Syllable = tuple[str, str]
"""A consonant and the vowel after it, "" where there is none."""


def for_hebrew_voice(text: str) -> str:
    """Return the text with each pointed word spelled for eSpeak NG's Hebrew voice.

    >>> for_hebrew_voice("\u05de\u05b7\u05d8 12")
    '\u05de\u05b7\u05d8 12'
    """
    plain = _ALONE.sub(r"\1", unicodedata.normalize("NFD", text)).replace("\u05be", " ")
    return _WORD.sub(lambda word: _spell_word(word[0]) if _POINTED.search(word[0]) else word[0], plain)


def syllables(word: str) -> tuple[Syllable, ...]:
    """Return the sounds of one pointed word."""
    return tuple(_syllables(_letters(word)))


def _spell_word(word: str) -> str:
    found = syllables(word)
    return "".join(_write_syllable(found, place) for place in range(len(found)))


def _write_syllable(found: tuple[Syllable, ...], place: int) -> str:
    """Return one syllable in the letters that the voice reads so beside its neighbours."""
    consonant, vowel = found[place]
    before = found[place - 1][1] if place else ""
    follows = found[place + 1][0] if place + 1 < len(found) else ""
    letter, point = _LETTERS[consonant], _POINTS[vowel]
    if not vowel:
        # Without a sheva the voice reads "nh" as "na", "by" as "bi" and "ng" as one sound.
        apart = (follows in ("h", "y") and consonant != "y") or (consonant, follows) == ("n", "g")
        return letter + SHEVA if apart else letter
    if consonant == "y" and vowel == before == "i":
        return _LETTERS["'"] + point
    if not follows and vowel in "aei" and consonant in ("h", "y"):
        point += "י" if vowel == "i" else "ה"  # it cannot end a word with a vowel on these letters
    if letter[-1] == "'" and vowel in ("a", "e"):
        return letter[0] + point + letter[1]
    if vowel == "e" and consonant in ("b", "p", "m"):
        point = TSERE  # with a segol it would add a sound, or lose the next
    if (consonant, vowel, follows) == ("'", "a", "y"):
        point = QAMATS
    return letter + point


def _letters(word: str) -> list[Letter]:
    word = unicodedata.normalize("NFD", word)
    small = _SMALL_QAMATS.match(word)
    found: list[Letter] = []
    for place, one in enumerate(word):
        if "א" <= one <= "ת":
            found.append(Letter(one, frozenset()))
        elif one in "׳'" and found:
            found[-1] = msgspec.structs.replace(found[-1], soft=True)
        elif found and one not in "\u05bd\u05bf":
            mark = "\u05c7" if one == "\u05b8" and small and small.start(2) <= place < small.end(2) else one
            found[-1] = msgspec.structs.replace(found[-1], marks=found[-1].marks | {mark})
    return found


def _syllables(letters: list[Letter]) -> Iterator[Syllable]:
    last = len(letters) - 1
    vowel_before = ""  # the vowel that sounds last, "" where a consonant does
    for place, letter in enumerate(letters):
        before = letters[place - 1] if place else None
        after = letters[place + 1] if place < last else None
        if before is None and (_is_shuruk(letters, place) or _is_u_for_and(letters)):
            yield "'", "u"
            continue
        if before is not None and _is_silent(letters, place, vowel_before):
            continue
        consonant, vowel = _consonant(letter), letter.vowel
        if place and place == last and PATAH in letter.marks and letter.base in "חעה":  # the a sounds before it
            yield from (("'", "a"), (consonant, "")) if consonant == "x" else (("'", "a"),)
            return
        if not vowel and after is not None and _takes_vowel(letter):
            vowel = "u" if _is_shuruk(letters, place + 1) else "o" if _is_holam(after) else ""
        if not vowel and SHEVA in letter.marks:
            vowel = _sheva(letters, place)
        yield consonant, vowel
        vowel_before = vowel


def _is_silent(letters: list[Letter], place: int, vowel_before: str) -> bool:
    """Return whether a letter is no consonant here, but a sign of the vowel before it, or nothing."""
    letter, before = letters[place], letters[place - 1]
    after = letters[place + 1] if place + 1 < len(letters) else None
    if _takes_vowel(before) and (_is_shuruk(letters, place) or _is_holam(letter)):
        return True
    if not letter.bare:
        return False
    starts = after is not None and (_is_shuruk(letters, place + 1) or _is_holam(after))
    match letter.base:
        case "א":
            return not starts
        case "ה":
            return after is None
        case "ו":
            return before.base == "ו"  # a doubled vav is one consonant
        case "י":
            doubled = before.base == "י" and not before.bare
            ending = after is not None and after.base == "ו" and after.bare and vowel_before == "a"  # "av": "his"
            return not starts and (vowel_before in ("", "i") or doubled or ending or SEGOL in before.marks)
    return False


def _is_shuruk(letters: list[Letter], place: int) -> bool:
    """Return whether the vav here is the vowel u: it has a dot and no vowel, and the letter before it has none either.

    Of two such the first is the consonant.
    """
    if letters[place].base != "ו" or letters[place].marks != {DAGESH}:
        return False
    if place + 1 < len(letters) and letters[place + 1].base == "ו" and letters[place + 1].marks == {DAGESH}:
        return False
    return place == 0 or _takes_vowel(letters[place - 1])


def _is_u_for_and(letters: list[Letter]) -> bool:
    """Return whether "and" is said "u": before a letter with a sheva, and before b, v, m and p."""
    if len(letters) < 3 or letters[0].base != "ו" or letters[0].marks != {SHEVA}:
        return False
    return SHEVA in letters[1].marks or letters[1].base in "במפ"


def _is_holam(letter: Letter) -> bool:
    return letter.base == "ו" and letter.vowel == "o"


def _takes_vowel(letter: Letter) -> bool:
    return not letter.vowel and SHEVA not in letter.marks


def _consonant(letter: Letter) -> str:
    if letter.base == "ש" and _SIN in letter.marks:
        return "s"
    if DAGESH in letter.marks and letter.base in _HARD:
        return _HARD[letter.base]
    sound = _SOUNDS[letter.base]
    return _SOFTENED.get(sound, sound) if letter.soft else sound


def _sheva(letters: list[Letter], place: int) -> str:
    """Return "e" where a sheva sounds in the Hebrew of today, else "".

    It sounds after a prefix, on l, m, n, r, y at the beginning, where another went before, and between two like sounds.
    """
    letter, after = letters[place], letters[place + 1] if place + 1 < len(letters) else None
    if after is None:
        return ""
    if _consonant(letter) == _consonant(after) and not after.bare:
        return "e"
    if place == 0:
        return "e" if letter.base in "ובכלמנרי" and _opens(letters) else ""
    before = letters[place - 1]
    if SHEVA in before.marks and not (place == 1 and before.base not in _PREFIXES):
        return "e" if place > 1 or before.base in _PREFIXES else ""
    return ""


def _opens(letters: list[Letter]) -> bool:
    """Return whether the sheva of the first letter sounds."""
    first, second = letters[0], letters[1]
    if first.base in "למנריו":
        return True
    return first.base in "בכ" and DAGESH in first.marks and second.base not in "ריל"
