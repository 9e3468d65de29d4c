"""Written words turned into word ids. Pure.

One normal form serves for capitals, umlauts, vowel signs and digits of every script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from speech.complaint import Complaint
from speech.words.grammar import FILE_NAMES
from speech.words.scheme import Scheme

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−־"), "-")
_DIGITS = {0x0660 + digit: str(digit) for digit in range(10)} | {0x06F0 + digit: str(digit) for digit in range(10)}
# Tatweel, Arabic and Hebrew vowel signs, marks of direction, apostrophes and geresh, the Armenian marks of stress, of a
# call and of a question, which stand inside a word (ո՞ր): without weight in a spelling.
_DROPPED = dict.fromkeys(
    [
        0x0640,
        *range(0x064B, 0x0653),
        *(point for point in range(0x05B0, 0x05C8) if point not in (0x05BE, 0x05C0, 0x05C3, 0x05C6)),
        0x200E,
        0x200F,
        *range(0x2066, 0x206A),
        0x055B,
        0x055C,
        0x055E,
        *map(ord, "'’‘`´׳״"),
    ]
)
_PUNCTUATION = re.compile(r"[.,;!?¡¿…\"“”„«»()\[\]{}/։՝․،؛؟]")
_EN_PASSANT = re.compile(r"(?<!\w)e\.\s?p\.?(?!\w)")
_EXPANSIONS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_ARABIC = str.maketrans("أإآٱةىؤئ", "ااااهيوي")
_DIGIT_WORDS = {digit: f"rank.{digit}" for digit in "12345678"} | {digit: f"digit.{digit}" for digit in "09"}
_SYMBOLS = {
    "x": "word.takes",
    "×": "word.takes",
    ":": "word.takes",
    "+": "word.check",
    "#": "word.mate",
    "++": "word.mate",
    "ep": "word.ep",
} | _DIGIT_WORDS
_CASTLING = {2: "castle.short", 3: "castle.long"}


class UnknownWord(Complaint):
    """Word that no scheme knows.

    `word`: as read; `example`: how a move is said, "" where there is no scheme.
    """

    def __init__(self, word: str, example: str) -> None:
        super().__init__(f'"{word}" is not known; a move is given like this: "{example}".')
        self.word, self.example = word, example


def normal_form(text: str) -> str:
    """Return the text in its normal form.

    It is NFC, without capitals, vowel signs, marks of direction and apostrophes, with European digits and plain
    hyphens.
    """
    plain = unicodedata.normalize("NFC", text).translate(_DASHES).translate(_DIGITS).translate(_DROPPED)
    return unicodedata.normalize("NFC", plain.casefold())


def bare_form(form: str) -> str:
    """Return the form as a hurried typist writes it: no accents, one kind of Arabic alif."""
    letters = unicodedata.normalize("NFD", form.translate(_ARABIC))
    return "".join(letter for letter in letters if unicodedata.category(letter) != "Mn")


def typed_form(text: str) -> str:
    """Return a text as words are compared that people type: in its normal form, bare, without blanks around it.

    >>> typed_form(" Zurück "), typed_form("إلى")
    ('zuruck', 'الى')
    """
    return bare_form(normal_form(text.strip()))


def ascii_form(form: str) -> str:
    """Return a normal form with its umlauts as two letters: "laeufer"."""
    return form.translate(_EXPANSIONS)


def phrase_form(text: str, *, hyphens: bool = False) -> str:
    """Return the words of a text in their normal form, without punctuation; with its hyphens only where asked for."""
    plain = _PUNCTUATION.sub(" ", normal_form(text))
    return " ".join((plain if hyphens else plain.replace("-", " ")).split())


def spellings_of(spoken: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return every way to write the words: form -> word id. `spoken`: word id -> its forms.

    Raises ValueError where two ids have a form in common; of the looser forms (ASCII for umlauts, no accents) those
    that would stand for two words are left out. A name of one file in two alphabets (Gustav) is the first one's.
    """
    exact: dict[str, str] = {}
    loose: dict[str, set[str]] = {}
    for word, forms in spoken.items():
        for form in forms:
            phrase = phrase_form(form)
            first = exact.setdefault(phrase, word)
            if first != word:
                if not _same_file(first, word):
                    raise ValueError(f'"{form}" stands for both {first} and {word}')
                continue
            for looser in (ascii_form(phrase), bare_form(phrase)):
                loose.setdefault(looser, set()).add(word)
    return {form: next(iter(words)) for form, words in loose.items() if len(words) == 1} | exact


def _same_file(one: str, other: str) -> bool:
    """Return whether both words name the same file, in whatever alphabet.

    >>> _same_file("file.g", "spelling.g"), _same_file("file.g", "spelling.h"), _same_file("piece.g", "rank.g")
    (True, False, False)
    """
    (kind, _, name), (other_kind, _, other_name) = one.partition("."), other.partition(".")
    return kind in FILE_NAMES and other_kind in FILE_NAMES and name == other_name


def _words_of_notation(token: str, files: Mapping[str, str]) -> list[str] | None:
    """Return the word ids of a token of notation ("e2-e4", "0-0", "x", "5"), or None."""
    castling = token.rstrip("+#")
    if re.fullmatch(r"[0o](-?[0o]){1,2}", castling):
        words = [_CASTLING[len(castling.replace("-", ""))]]
        ending = _SYMBOLS.get(token[len(castling) :])
        return [*words, ending] if ending else words if castling == token else None
    if token in _SYMBOLS:
        return [_SYMBOLS[token]]
    if re.fullmatch(r"[1-9][0-9]{1,2}", token):
        return [_DIGIT_WORDS[digit] for digit in token]
    square = f"[{''.join(files)}][1-8]"
    if not re.fullmatch(rf"[x×:]?{square}([-x×:]?{square})?([x×:]|\+\+|\+|#)?", token):
        return None
    words = []
    for part in re.findall(rf"{square}|\+\+|[x×:+#]", token):
        words += [_SYMBOLS[part]] if part in _SYMBOLS else [f"letter.{files[part[0]]}", f"rank.{part[1]}"]
    return words


def split_words(text: str, schemes: Sequence[Scheme]) -> tuple[str, ...]:
    """Return the word ids of `text`, each piece taken as long as possible. Raises UnknownWord."""
    files = {letter: letter for letter in "abcdefgh"}
    for scheme in schemes:
        files |= dict(zip(scheme.listener.notation.files, "abcdefgh", strict=True))
    prepared = _PUNCTUATION.sub(" ", _EN_PASSANT.sub(" ep ", normal_form(text)))
    # Word ids of notation are settled at once; what lies between them is looked up as phrases.
    words: list[str] = []
    waiting: list[str] = []
    for token in prepared.split():
        found = None if any(token in scheme.written_forms for scheme in schemes) else _words_of_notation(token, files)
        if found is None:
            waiting += token.strip("-:").replace("-", " ").split()
            continue
        words += _phrases(waiting, schemes)
        words += found
        waiting = []
    return (*words, *_phrases(waiting, schemes))


def _phrases(waiting: Sequence[str], schemes: Sequence[Scheme]) -> list[str]:
    words: list[str] = []
    place = 0
    longest = max((scheme.longest_form for scheme in schemes), default=1)
    while place < len(waiting):
        for length in range(min(longest, len(waiting) - place), 0, -1):
            phrase = " ".join(waiting[place : place + length])
            found = _look_up(phrase, schemes) or _SYMBOLS.get(phrase)
            if found is not None:
                words.append(found)
                place += length
                break
        else:
            known = (
                " ".join(schemes[0].text(word) for word in ("piece.knight", *schemes[0].square("f3")))
                if schemes
                else ""
            )
            raise UnknownWord(waiting[place], known)
    return words


def _look_up(phrase: str, schemes: Sequence[Scheme]) -> str | None:
    for form in (phrase, bare_form(phrase)):
        for scheme in schemes:
            if form in scheme.written_forms:
                return scheme.written_forms[form]
    return None
