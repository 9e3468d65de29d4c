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
# Where the part left open belongs in the chain: words that were half heard stand there, or none.
_GAPS = {
    "piece": re.compile(r"(?P<gap>\?)(F?fr)?x?fr(m?p|e)?c?"),
    "from": re.compile(r"p?F?(?P<gap>f\??|\??r|\?\??|)x?fr(m?p|e)?c?"),
    "to": re.compile(r"p?(F?fr)?x?(?P<gap>f\??|\??r|\?\??|)(m?p|e)?c?"),
    "promotion": re.compile(r".*rm?(?P<gap>[?p]?)c?"),
}
# The shapes of a whole answer to the question about such a part, and of one that was heard in part.
_ANSWERS = {
    **dict.fromkeys(("from", "to"), (re.compile("fr"), re.compile(r"[fr?]{1,3}"))),
    **dict.fromkeys(("piece", "promotion"), (re.compile("p"), re.compile(r"[p?]{1,2}"))),
}
_GRAMMAR = announcement_grammar(FILE_NAMES)


def _shape(word: str) -> str:
    return _SHAPES.get(word) or _SHAPES.get(word.split(".")[0], "?")


def _shapes(words: Sequence[str]) -> str:
    return "".join(_shape(word) for word in words)


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
    shape = _shapes(chain)
    if "f" in shape or "r" in shape or "p" in shape:
        for part, pattern in _OPEN:
            if pattern.fullmatch(shape):
                return Heard("none", words=chain, unclear=part)
    return Heard("none", words=chain)


def gap_of(words: Sequence[str], unclear: str | None) -> tuple[int, int] | None:
    """Return where the part that a chain left open begins and ends in it; None where it leaves no such part open.

    >>> gap_of(("piece.knight", "?", "file.f", "rank.3"), "from")
    (1, 2)
    """
    found = _GAPS[unclear].fullmatch(_shapes(words)) if unclear in _GAPS else None
    return None if found is None else found.span("gap")


def answers_part(words: Sequence[str], unclear: str, *, whole: bool = True) -> bool:
    """Return whether words answer by themselves which part was meant: a bare square, or a lone piece.

    `whole`: all of it was heard; else at least nothing but it.

    >>> answers_part(("file.f", "rank.3"), "to"), answers_part(("piece.queen",), "promotion")
    (True, True)
    """
    exact, loose = _ANSWERS[unclear]
    return (exact if whole else loose).fullmatch(_shapes(words)) is not None


def complete_chain(words: Sequence[str], unclear: str, answer: Sequence[str]) -> tuple[str, ...] | None:
    """Return the chain with an answer in the place of the part that it left open, by words alone.

    None where the answer is not of that form, or no announcement comes of both; a promotion may still be open.

    >>> complete_chain(("piece.knight",), "to", ("file.f", "rank.3"))
    ('piece.knight', 'file.f', 'rank.3')
    """
    gap = gap_of(words, unclear)
    if gap is None or not answers_part(answer, unclear):
        return None
    chain = (*words[: gap[0]], *answer, *words[gap[1] :])
    meant = understand(chain)
    return chain if meant.kind == "move" or meant.unclear == "promotion" != unclear else None


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
