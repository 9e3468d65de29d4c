"""Vowelled Arabic respelt as eSpeak NG's Arabic voice can read it. Pure.

The voice loses the vowel of a doubled letter, and reads the article wrongly after some prefixes. So each word is
taken apart into its sounds and written again: a doubled letter as two, the article as it is said, and before a pause
without the ending that is not said there. A word without vowel signs stays as it is.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec

FATHA, DAMMA, KASRA, SHADDA, SUKUN, LONG = "\u064e", "\u064f", "\u0650", "\u0651", "\u0652", "\u0670"
TANWIN = {"\u064b": FATHA, "\u064c": DAMMA, "\u064d": KASRA}
_SHORT = {FATHA, DAMMA, KASRA}
_SIGNS = "\u064b-\u0652\u0670"
_WORD = re.compile(rf"[ء-غف-ي][ء-غف-ي{_SIGNS}]*")
_VOWELLED = re.compile(f"[{_SIGNS}]")
_PAUSE = re.compile(r"\s*(?:[.:،؛؟!?,;()\[\]\"»«\u2013\u2014-]|$|\n)")
_SUN = frozenset("تثدذرزسشصضطظلن")
# Words that are written without the sign of their long a.
_UNWRITTEN = re.compile(f"^([وفبلك][{_SIGNS}]?)?([هذل])\u064e(?=ذ\u064e?ا|ذ\u0650ه|ل\u0650ك|ؤ\u064fل|ك\u0650ن)")
_GLUED = {"و": FATHA, "ف": FATHA, "ب": KASRA, "ل": KASRA, "ك": FATHA}
"""Letters written together with the next word, as with a number in words, and the vowel of each."""
_HAMZA = {FATHA: "أ", DAMMA: "أ", KASRA: "إ"}


class Letter(msgspec.Struct, frozen=True):
    """One letter with its signs; `vowel` one of the three, `nun` where the ending is doubled."""

    base: str
    vowel: str = ""
    doubled: bool = False
    nun: bool = False
    still: bool = False
    long: bool = False

    @property
    def bare(self) -> bool:
        """Return whether it has no sign."""
        return not (self.vowel or self.doubled or self.still or self.long)


def for_arabic_voice(text: str) -> str:
    """Return the text with each vowelled word spelled for eSpeak NG's Arabic voice."""
    plain = unicodedata.normalize("NFC", text)

    def spell_found(found: re.Match[str]) -> str:
        if not _VOWELLED.search(found[0]):
            return found[0]
        return _spell_word(found[0], pause=_PAUSE.match(plain, found.end()) is not None)

    return _WORD.sub(spell_found, plain)


def _spell_word(word: str, *, pause: bool) -> str:
    letters = _letters(_UNWRITTEN.sub(lambda one: f"{one[1] or ''}{one[2]}{FATHA}{LONG}", word))
    if letters[0].bare and letters[0].base in _GLUED and len(letters) > 1 and letters[1].base != "ا":
        letters[0] = msgspec.structs.replace(letters[0], vowel=_GLUED[letters[0].base])
    if pause:
        letters = _at_a_pause(letters)
    opening, letters = _opening(letters)
    return opening + _write_letters(letters, first=not opening)


def _letters(word: str) -> list[Letter]:
    found: list[Letter] = []
    for one in word:
        if re.match(f"[{_SIGNS}]", one) is None:
            found.append(Letter(one))
        elif found:
            found[-1] = _sign_letter(found[-1], one)
    # The alef that carries the ending "-an" is no letter of its own, whichever of the two bears the sign.
    if len(found) > 1 and found[-1].base in "اى" and (found[-1].nun or found[-2].nun):
        found[-2] = msgspec.structs.replace(found[-2], vowel=FATHA, nun=True)
        found.pop()
    return found


def _sign_letter(letter: Letter, sign: str) -> Letter:
    if sign in _SHORT:
        return msgspec.structs.replace(letter, vowel=sign)
    if sign in TANWIN:
        return msgspec.structs.replace(letter, vowel=TANWIN[sign], nun=True)
    if sign == SHADDA:
        return msgspec.structs.replace(letter, doubled=True)
    if sign == LONG:
        return msgspec.structs.replace(letter, vowel=FATHA, long=True)
    return msgspec.structs.replace(letter, still=True)


def _at_a_pause(letters: list[Letter]) -> list[Letter]:
    """Return the letters without the ending that is not said before a pause; "-an" is a long a there."""
    if len(letters) < 2:
        return letters
    last = letters[-1]
    if last.base == "ة":
        return [*letters[:-1], Letter("ة")]
    if last.nun and last.vowel == FATHA:
        return [*letters[:-1], msgspec.structs.replace(last, nun=False, long=True)]
    if last.vowel and not last.long and len(letters) > 2:
        return [*letters[:-1], msgspec.structs.replace(last, vowel="", nun=False)]
    return letters


def _opening(letters: list[Letter]) -> tuple[str, list[Letter]]:
    """Return the prefixes and the article before the word itself, as they are said, and the rest."""
    place, said = 0, ""
    if _is_prefix(letters, place, "وف"):
        said, place = letters[0].base + FATHA, 1
    if _is_prefix(letters, place, "بكل"):
        vowel = letters[place].vowel or (FATHA if letters[place].base == "ك" else KASRA)
        with_article = _article(letters, place + 1)
        if letters[place].base == "ل" and _doubles_lam(letters, place + 1):
            rest = letters[place + 2 :]
            return said + "ل" + KASRA + _assimilate_article(rest), _plain_first(rest)
        if with_article:
            said, place = said + letters[place].base + vowel, place + 1
    if _article(letters, place):
        rest = letters[place + 2 :]
        return (said or "أ" + FATHA) + _assimilate_article(rest), _plain_first(rest)
    if said and place == 1 and _joins(letters, place):
        return said, letters[place + 1 :]  # "wa-ntaha": the alef is not said after a prefix
    return said, letters[place:]


def _is_prefix(letters: list[Letter], place: int, of: str) -> bool:
    if len(letters) < place + 3 or letters[place].base not in of or letters[place].doubled:
        return False
    if letters[place].base in "وف":
        return (
            letters[place].vowel in ("", FATHA)
            and not letters[place].still
            and (
                _article(letters, place + 1)
                or _joins(letters, place + 1)
                or (_is_prefix(letters, place + 1, "بكل") and _opens_article(letters, place + 1))
            )
        )
    return _opens_article(letters, place)


def _opens_article(letters: list[Letter], place: int) -> bool:
    return _article(letters, place + 1) or (letters[place].base == "ل" and _doubles_lam(letters, place + 1))


def _article(letters: list[Letter], place: int) -> bool:
    """Return whether the article stands here; "iltizam" begins with the same letters, but with an i or a still l."""
    if len(letters) < place + 4 or letters[place].base != "ا" or letters[place + 1].base != "ل":
        return False
    alef, lam = letters[place], letters[place + 1]
    if lam.doubled:  # "allati": the l is the article's and the word's
        return False
    return alef.vowel in ("", FATHA) and (
        lam.bare or lam.still or (lam.vowel == KASRA and letters[place + 2].base == "ا")
    )


def _doubles_lam(letters: list[Letter], place: int) -> bool:
    """Return whether the article stands here without its alef, as after "li"."""
    return (
        len(letters) > place + 2
        and letters[place].base == "ل"
        and not letters[place].vowel
        and (letters[place].still or letters[place + 1].doubled or letters[place].bare)
        and letters[place].doubled is False
    )


def _joins(letters: list[Letter], place: int) -> bool:
    """Return whether an alef that only begins a word stands here: the next letter is still."""
    if len(letters) < place + 3 or letters[place].base != "ا":
        return False
    return letters[place + 1].still or letters[place + 1].doubled


def _assimilate_article(rest: list[Letter]) -> str:
    """Return the l of the article as it sounds before the word."""
    first = rest[0].base
    return (first if first in _SUN else "ل") + SUKUN


def _plain_first(rest: list[Letter]) -> list[Letter]:
    """Return the word after its article: its first letter is not doubled again, an alef is a hamza."""
    first = msgspec.structs.replace(rest[0], doubled=False)
    if first.base == "ا":
        first = Letter("إ", first.vowel or KASRA)
    return [first, *rest[1:]]


def _write_letters(letters: list[Letter], *, first: bool) -> str:
    told: list[str] = []
    before = Letter("")
    for place, letter in enumerate(letters):
        last = place == len(letters) - 1
        if place == 0 and first and letter.base == "ا":
            letter = Letter(_HAMZA[letter.vowel or KASRA], letter.vowel or KASRA)
        if place and letter.base == "ا" and letter.bare and last and before.base == "و" and before.bare:
            continue  # the silent alef of the plural
        told.append(_letter(letter, before, last=last))
        before = letter
    return "".join(told)


def _letter(letter: Letter, before: Letter, *, last: bool) -> str:
    base, vowel = letter.base, letter.vowel
    if base in "اى" and not vowel and not letter.doubled:
        return base if before.vowel == FATHA else FATHA + base
    if base == "و" and letter.bare and before.base and before.vowel in ("", DAMMA) and not before.still:
        return "و" if before.vowel else DAMMA + "و"
    if base == "ي" and letter.bare and before.base and before.vowel in ("", KASRA) and not before.still:
        return "ي" if before.vowel else KASRA + "ي"
    if base == "ة":
        base = "ه" if not vowel and not letter.still else "ت"
        told = base if before.vowel or before.base in "اى" else FATHA + base
    else:
        told = base + SUKUN + base if letter.doubled else base
    if not vowel:
        return told + (SUKUN if base == "ك" and last else "")
    return told + vowel + ("ا" if letter.long else "") + ("ن" if letter.nun else "")
