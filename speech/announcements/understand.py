"""The announcement in a chain of word ids or in typed text (D.2.1, L182-L187). Pure.

What is understood depends on the words alone, never on a position. A chain of word ids is a move or a command exactly
where `speech.words.grammar` accepts it. Otherwise it is neither, and only the part that the words left open is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from speech.words.grammar import FILE_NAMES, announcement_grammar
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme
from speech.words.spelling import split_words

# A word that was there but was not understood may stand in a chain as this id.
UNKNOWN = "?"

# One letter for each kind of word, so that what is left open can be told by the shape of the chain.
_SHAPES = {
    "file": "f",
    "letter": "f",
    "nato": "f",
    "spelling": "f",
    "rank": "r",
    "digit": "n",
    "piece": "p",
    "castle": "C",
    "cmd": "K",
    "word.takes": "x",
    "word.to": "x",
    "word.from": "F",
    "word.ep": "e",
    "word.check": "c",
    "word.mate": "c",
    "word.promotes": "m",
}
# Tried in this order: the first that fits the whole chain names the part left open.
_OPEN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("piece", re.compile(r"\?(F?fr)?x?fr(m?p|e)?c?")),
    ("from", re.compile(r"p?(F(f|r|\?)?|F?(f\??|\??r|f\?|\?r|\?\??))x?fr(m?p|e)?c?")),
    ("to", re.compile(r"p?(F?fr)?x?(f\??|\??r|\?\??)(m?p|e)?c?|p?(F?fr)?x|p?Ffr|p")),
)
_GRAMMAR = announcement_grammar(FILE_NAMES)


def _shape(word: str) -> str:
    return _SHAPES.get(word) or _SHAPES.get(word.split(".")[0], "?")


def _parts_said(words: Sequence[str]) -> Said:
    """Return the parts of a chain that the grammar accepts."""
    piece = promotion = castling = of_file = None
    squares: list[str] = []
    file = ""
    for place, word in enumerate(words):
        kind, name = word.split(".")
        if kind == "castle":
            castling = name
        elif kind == "piece" and squares:
            promotion = name
        elif kind == "piece":
            piece = name
        elif kind in FILE_NAMES and words[place + 1] == "word.takes":
            of_file = name
        elif kind in FILE_NAMES:
            file = name
        elif kind == "rank":
            squares.append(file + name)
    departure = squares[0] if len(squares) == 2 else None
    return Said(piece, departure, squares[-1] if squares else None, promotion, castling, of_file)


def _without_promotion(words: tuple[str, ...]) -> Said | None:
    """Return the announcement where only the promotion piece is missing from `words` (L183).

    It may also be there and not have been understood.
    """
    last = max((place for place, word in enumerate(words) if word.startswith("rank.")), default=-1)
    before, after = words[: last + 1], words[last + 1 :]
    if after[:1] == ("word.promotes",):
        after = after[1:]
    if after and (after[0] == UNKNOWN or after[0] in ("piece.king", "piece.pawn")):
        after = after[1:]
    if before and _GRAMMAR.accepts((*before, "piece.queen", *after)):
        return _parts_said(before)
    return None


def understand(words: Sequence[str]) -> Heard:
    """Return the meaning of a chain of word ids.

    A whole announcement or command has kind "move" or "command". Otherwise the kind is "none" and, where the words left
    just one part open, `unclear` names it; for a missing promotion piece `said` holds the rest. The id "?" stands for a
    word that was there and was not understood.
    """
    chain = tuple(words)
    if _GRAMMAR.accepts(chain):
        if chain[0].startswith("cmd."):
            number = "".join(word.partition(".")[2] for word in chain[1:])
            command = chain[0].removeprefix("cmd.")
            return Heard("command", command=command, words=chain, number=int(number) if number else None)
        return Heard("move", said=_parts_said(chain), words=chain)
    rest = _without_promotion(chain)
    if rest is not None:
        return Heard("none", said=rest, words=chain, unclear="promotion")
    shape = "".join(_shape(word) for word in chain)
    if "f" in shape or "r" in shape or "p" in shape:
        for part, pattern in _OPEN:
            if pattern.fullmatch(shape):
                return Heard("none", words=chain, unclear=part)
    return Heard("none", words=chain)


def words_of_text(text: str, *schemes: Scheme) -> tuple[str, ...]:
    """Return the word ids of a text, in any spelling that the schemes know (the first scheme first).

    The text is typed or a transcript. Plain squares are understood too ("e2 e4", "e2-e4", "e2xe4", "0-0"). Capitals,
    umlauts or their ASCII forms, vowel signs and punctuation make no difference. Raises Complaint at a word that no
    scheme knows.
    """
    return split_words(text, schemes)


def said_of_text(text: str, *schemes: Scheme) -> Heard:
    """Return the meaning of a spelt transcript ("Springer Gustav eins Felix drei").

    Raises Complaint at an unknown word.
    """
    return understand(words_of_text(text, *schemes))
