"""What may stand in a cell of a scoresheet (8.1.4, L089): moves, clock times, offers, claims, results; no other notes.

By form alone, in any script, and never by whether the move is right or even whole: a slip of the pen is the player's
own. Words of an announcement are not known here; the edge knows them (`WriteScore.words`).
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 64
OFFER = "(=)"

_SIGNS = "x×:хХ-"
_LATIN = r"(?:gy|[A-Za-z♔-♟])?[a-hA-H]?[1-8]?"
_OTHER = r"[^\W\d_A-Za-z]{0,3}[a-hA-H]?[1-8]?"
_END = r"(?:[=/(]{0,2}[^\W\d_]{1,2}\)?)?"
_SUFFIX = r"(?:e\.?p\.?)?[+#†‡!?=x×:]*(?:\(=\))?"
_MOVE = re.compile(
    rf"(?:{_LATIN}|{_OTHER})(?P<sign>[{_SIGNS}])?(?:{_LATIN}|{_OTHER}){_END}{_SUFFIX}",
)
_RANK = re.compile("[1-8]")
_CASTLING = re.compile(rf"[0OoОо](?:-?[0OoОо]){{1,2}}{_SUFFIX}")
# Two files (`ed`), or a piece and a file where the rank was left out (`Nc`): damaged, but no note.
_PAIR = re.compile(rf"(?:[a-h]|[A-Z])[a-h](?:[=/(]?[A-Z]\)?)?{_SUFFIX}")
_MARK = re.compile(
    r"\(=\)|\((?:\+|#|!|\?)\)|[=+#†‡!?]+|e\.?p\.?|-+|_+|\.{2,}|…+"
    r"|1-0|0-1|½-½|½:½|1/2-1/2|0-0|1:0|0:1|0[.,]5-0[.,]5|\*",
)
_TIME = re.compile(r"[(\[]?(?:\d{1,3}[:.]\d{2}(?:[:.]\d{2})?|\d{1,3}['′])[)\]]?")
# The article of a claim, as players note it: 9.2, 9.2.1, III.4.
_CLAIM = re.compile(r"(?:9\.[23](?:\.\d)?|III\.[45])")
_BRAILLE = re.compile("[\u2800-\u28ff]{1,24}")


def plain(text: str) -> str:
    """The text in one shape: composed, ASCII digits and dashes, without vowel signs, tatweel or direction marks."""
    kept = []
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category in ("Cf", "Mn") or letter in "\u0640\u05f3":
            continue
        if category == "Nd":
            letter = str(unicodedata.digit(letter))
        elif category == "Pd" or letter == "\u2212":
            letter = "-"
        kept.append(letter)
    return "".join(kept)


def _is_move(token: str) -> bool:
    if _CASTLING.fullmatch(token):
        return True
    found = _MOVE.fullmatch(token)
    if found is None or not any(letter.isalnum() for letter in token):
        return False
    return found["sign"] is not None or bool(_RANK.search(token) or _PAIR.fullmatch(token))


def _is_mark(token: str) -> bool:
    return any(form.fullmatch(token) for form in (_MARK, _TIME, _CLAIM))


def unmarked(text: str) -> str:
    """What is left of a cell without its marks: an offer, clock times, claims, check signs of their own.

    >>> unmarked("Springer Felix drei (=) 0:45")
    'Springer Felix drei'
    """
    return " ".join(token for token in text.split() if not _is_mark(plain(token)))


def is_cell(text: str) -> bool:
    """Whether this may stand in a scoresheet by its form; an empty text takes a cell back.

    >>> is_cell("Nf3 (=)"), is_cell("gxRQ"), is_cell("my knight is weak")
    (True, True, False)
    """
    if len(text) > LONGEST:
        return False
    tokens = plain(text).split()
    moves = [token for token in tokens if not _is_mark(token)]
    return all(_is_move(token) or _BRAILLE.fullmatch(token) for token in moves) and len(moves) <= 3


def marks_offer(text: str) -> bool:
    """Whether a cell holds the mark of a draw offer (8.1.5): (=), or = at its end."""
    return OFFER in text or text.rstrip().endswith("=")
