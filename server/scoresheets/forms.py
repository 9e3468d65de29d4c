"""Every way in which the letters of a written cell can be taken (Appendix C).

No board is looked at. It reads `Bxc4`, `B:c4`, `Bf1-c4`, `ed4`, `d8Q`, `d8=Q`, `d8(Q)`, `0–0`, `exd6 e.p.`, and the
short forms that players really write, which name the thing captured: `BxN`, `dxe`, `Bxb`, `QxNd5`, `gxRQ`. A cell
whose arrival square lacks a file or a rank in any other way (`N5`, `B6`) is damaged, not short: it is unreadable here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeVar

import chess
import msgspec

from server.scoresheets.letters import Alphabet

T = TypeVar("T")


class Form(msgspec.Struct, frozen=True):
    """One way to take a cell; a field is None where nothing was written for it.

    Files and ranks are 0..7. `piece`: None means any piece; only a cell with both squares and no letter says that.
    `must_capture`: the cell is only complete as a capture. The marks x, +, ++, #, e.p. are optional in the Laws, so a
    form need not have them (C.9, C.13).
    """

    piece: chess.PieceType | None = None
    from_file: int | None = None
    from_rank: int | None = None
    to_file: int | None = None
    to_rank: int | None = None
    captured: chess.PieceType | None = None
    must_capture: bool = False
    promotion: chess.PieceType | None = None
    castling: str | None = None

    def alike(self, other: Form) -> bool:
        """Return whether both say the same thing as far as each says it (`Nf3` and `Ngxf3+` do)."""
        if self.castling or other.castling:
            return self.castling == other.castling
        return all(
            mine is None or theirs is None or mine == theirs
            for mine, theirs in (
                (self.piece, other.piece),
                (self.from_file, other.from_file),
                (self.from_rank, other.from_rank),
                (self.to_file, other.to_file),
                (self.to_rank, other.to_rank),
                (self.captured, other.captured),
                (self.promotion, other.promotion),
            )
        )


DROPPED = re.compile(
    "[\u0640\u064b-\u0652\u05b0-\u05c7\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff\u05f3]"
)
"""Tatweel, vowel signs, bidi controls, zero-width characters, how a figurine is drawn, geresh: never part of a move."""
DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
APOSTROPHES = re.compile("(?<=\\w)['\u2019\u02bc]")
DIGITS = {ord(zero) + n: str(n) for zero in "٠۰０" for n in range(10)}

BLANK = re.compile(r"(?:-+|_+|\.{2,}|…+)")
TIME = re.compile(r"(?:(?<=\s)|^|[(\[])\d{1,2}:\d{2}(?::\d{2})?[)\]]?$")
ASIDE = re.compile(
    r"\$\d{1,9}|[(\[]\s*(?:%\w{1,9}\s*)?[+-]?\d{1,4}(?:[:.,h'′]\d{1,2}){0,2}\s*(?:[^\W\d_]{1,6}\.?|['′″\"])?\s*[)\]]"
)
"""The number of a comment (NAG, PGN 8.2.4), and a time or minutes in brackets: `$14`, `(42)`, `[0:05]`, `(12 min)`."""
ASIDE_AT_END = re.compile(rf"(?:{ASIDE.pattern})$")
VERDICTS = "±∓⩲⩱∞⯹□⌓→↑⇆⇄⟳∆△▽⊙⨀⊕⯺⟪⟫"
"""Signs that annotators write behind a move, as in an Informator."""
MARK = re.compile(rf"(?:\(=\)|\+/?-|-/?\+|=|\+|#|†|‡|!|\?|\s|[{VERDICTS}]|e\.?\s*p\.?|E\.?\s*P\.?|[.,;])$")
CASTLING = re.compile(r"[0OoОо](?:-?[0OoОо]){1,2}")
COORDINATES = re.compile(r"([a-h])([1-8])([a-h])([1-8])([qrbn])?")
LONGEST = 64
"""Characters of the longest cell that can be notation, marks and clock times included."""

CAPTURES = "xX×:хХ"
FIGURINES = {
    "♔♚": chess.KING,
    "♕♛": chess.QUEEN,
    "♖♜": chess.ROOK,
    "♗♝": chess.BISHOP,
    "♘♞": chess.KNIGHT,
    "♙♟": chess.PAWN,
}
"""Figurines stand for a piece in every language; which of the two a writer takes says nothing."""
FIGURINE = {sign: kind for signs, kind in FIGURINES.items() for sign in signs}


def plain(text: str) -> str:
    """Return typed or pasted text in one shape: NFC, with ASCII digits and dashes.

    Bidi controls, vowel signs and geresh are removed.
    """
    text = DROPPED.sub("", unicodedata.normalize("NFC", text)).translate(DIGITS)
    return APOSTROPHES.sub("", DASHES.sub("-", text))


def is_blank(text: str | None) -> bool:
    """Return whether the writer left the cell empty: nothing, a dash, dots."""
    if text is None:
        return True
    bare = plain(text).strip()
    return not bare or BLANK.fullmatch(bare) is not None


@lru_cache(maxsize=4)
def _words_at_end(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=[\d\s)=+#])(?:{words})$", re.IGNORECASE)


def without_words(text: str, words: str) -> str:
    """Return a move without a word behind it that belongs to this pattern."""
    return _words_at_end(words).sub("", text)


def without_marks(text: str, words: str = "") -> str:
    """Return the move alone: no check, mate, e.p., draw offer, exclamation mark, NAG or clock time at the end.

    `words`: a pattern of the words that may stand there (`Alphabet.behind`).
    """
    bare = plain(text).strip()
    while bare:
        shorter = ASIDE_AT_END.sub("", bare)
        if shorter == bare:
            shorter = TIME.sub("", bare) if TIME.search(bare) else MARK.sub("", bare)
        if shorter == bare and words and bare[-1].isalpha():
            shorter = without_words(bare, words)
        if shorter == bare:
            break
        bare = shorter
    return bare


@lru_cache(maxsize=8192)
def forms_of_cell(text: str, alphabet: Alphabet) -> tuple[Form, ...]:
    """Return every way a cell can be taken in this alphabet; empty where it is no readable move."""
    if len(text) > LONGEST:
        return ()
    bare = without_marks(text, alphabet.behind)
    if not bare:
        return ()
    if CASTLING.fullmatch(bare):
        zeros = sum(letter != "-" for letter in bare)
        return (Form(castling="short" if zeros == 2 else "long"),)
    found = dict.fromkeys(_forms_taken_from(bare.replace(" ", ""), alphabet))
    if (squares := COORDINATES.fullmatch(bare)) is not None and squares[5]:
        from_file, from_rank, to_file, to_rank, piece = squares.groups()
        found[
            Form(
                piece=chess.PAWN,
                from_file="abcdefgh".index(from_file),
                from_rank=int(from_rank) - 1,
                to_file="abcdefgh".index(to_file),
                to_rank=int(to_rank) - 1,
                promotion="pnbrqk".index(piece) + 1,
            )
        ] = None
    return _without_idle_kings(tuple(found))


def _without_idle_kings(found: tuple[Form, ...]) -> tuple[Form, ...]:
    """Drop a king with half a departure square where another piece fits.

    There is only one king, so nobody needs to tell two apart: the Hebrew queen's `מהד7` is not taken for a king from
    the e-file.
    """
    if all(form.piece == chess.KING for form in found):
        return found
    return tuple(
        form for form in found if form.piece != chess.KING or (form.from_file is None) == (form.from_rank is None)
    )


def _forms_taken_from(text: str, alphabet: Alphabet) -> Iterator[Form]:
    """Cut the text in every way into piece, departure, sign, captured piece, arrival, promotion."""
    letters = [(letter, kind) for letter, kind in alphabet.pieces]
    pawns = [(letter, chess.PAWN) for letter in alphabet.pawns]
    if not text.isascii():
        drawn = [(sign, kind) for sign, kind in FIGURINE.items() if sign in text]
        letters += [pair for pair in drawn if pair[1] != chess.PAWN]
        pawns += [pair for pair in drawn if pair[1] == chess.PAWN]
    files = [(letter, index) for index, each in enumerate(alphabet.files) for letter in each]
    for piece, at in _one_of(text, 0, letters + pawns):
        for from_file, at_file in _one_of(text, at, files):
            for from_rank, at_rank in _rank(text, at_file):
                for sign, at_sign in _one_of(text, at_rank, [(c, c) for c in CAPTURES + "-"]):
                    takes = sign is not None and sign != "-"
                    for captured, at_captured in _one_of(text, at_sign, letters + pawns if takes else []):
                        for to_file, at_to in _one_of(text, at_captured, files):
                            for to_rank, at_end in _rank(text, at_to):
                                late = text[at_end : at_end + 1] == ":" and sign is None
                                for promotion in _promotion(text[at_end + late :], letters):
                                    form = _form(
                                        piece,
                                        (from_file, from_rank),
                                        takes or late,
                                        sign is not None,
                                        captured,
                                        (to_file, to_rank),
                                        promotion,
                                    )
                                    if form is not None:
                                        yield form


def _form(
    piece: chess.PieceType | None,
    departure: tuple[int | None, int | None],
    takes: bool,
    sign: bool,
    captured: chess.PieceType | None,
    arrival: tuple[int | None, int | None],
    promotion: chess.PieceType | None,
) -> Form | None:
    """Return the form these parts make; None where they make no notation.

    Notation is that of Appendix C or of common practice.
    """
    from_file, from_rank = departure
    to_file, to_rank = arrival
    pawn = piece in (None, chess.PAWN)
    if promotion is not None and not pawn:
        return None
    if to_file is None and to_rank is not None:
        return None
    whole = to_rank is not None
    if not whole:
        # `dxe`, `cd`, `Bxb`, `BxN`: only a capture may leave out the rank or the whole arrival square.
        pawn_pair = pawn and from_file is not None and to_file is not None and abs(from_file - to_file) == 1
        if not (takes and (to_file is not None or captured is not None)) and not (pawn_pair and not sign):
            return None
        if pawn and from_file is None:
            return None
    if pawn and from_file is None and from_rank is None and not takes:
        from_file = to_file  # C.9.2: a pawn capture names the departure file, so a bare square is a step ahead
    from_to = whole and from_file is not None and from_rank is not None
    return Form(
        piece=piece if piece is not None or from_to else chess.PAWN,
        from_file=from_file,
        from_rank=from_rank,
        to_file=to_file,
        to_rank=to_rank,
        captured=captured,
        must_capture=not whole or (pawn and takes and from_file is None),
        promotion=promotion,
    )


def _one_of(text: str, at: int, choices: list[tuple[str, T]]) -> Iterator[tuple[T | None, int]]:
    yield None, at
    for letter, meaning in choices:
        if text.startswith(letter, at):
            yield meaning, at + len(letter)


def _rank(text: str, at: int) -> Iterator[tuple[int | None, int]]:
    yield None, at
    if text[at : at + 1] in tuple("12345678"):
        yield int(text[at]) - 1, at + 1


def _promotion(rest: str, letters: list[tuple[str, chess.PieceType]]) -> Iterator[chess.PieceType | None]:
    if not rest:
        yield None
        return
    for letter, piece in letters:
        if piece != chess.KING and rest in (letter, f"={letter}", f"({letter})", f"=({letter})", f"/{letter}"):
            yield piece
