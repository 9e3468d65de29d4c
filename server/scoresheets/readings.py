"""Readings of one typed move in a player's own letters, and in the English ones of SAN and UCI beside them. Pure.

The two alphabets alone decide whether a move can be confused, never a position (design, Silence): `B` is a bishop in
English and the pawn that German players write, so `Bc4` typed at a German seat has two readings, while `Nf3` has one.
"""

from __future__ import annotations

import chess
from msgspec.structs import replace

from braille.cells import Written
from server.scoresheets.forms import ASIDE, TIME, Form, forms_of_cell, plain
from server.scoresheets.letters import Alphabet
from speech.words.language import FILES


def readings(text: str, own: Alphabet, english: Alphabet, *, capitals: bool = False) -> tuple[Written, ...]:
    """Return every move that typed letters may mean, each once: those of the player's language first; () for no move.

    Capitals are pieces, as in SAN; the promotion of a UCI move is a small letter. Without any capital a first letter
    that neither alphabet reads so is taken as an English piece ("nf3"). `capitals`: the player says that their capitals
    are pieces of their own language, so that English is asked only where that reads nothing.

    >>> from speech.words.language import Notation
    >>> german = Alphabet("de", (("L", chess.BISHOP),), pawns=("B",))
    >>> english = Alphabet("en", (("B", chess.BISHOP),), pawns=("P",))
    >>> [one.piece for one in readings("Bc4", german, english)], [one.piece for one in readings("Lc4", german, english)]
    (['pawn', 'bishop'], ['bishop'])
    """
    mine = _read(text, replace(own, pawns=()))
    if mine and capitals:
        return mine
    found = tuple(dict.fromkeys((*mine, *_read(text, own), *_read(text, english))))
    bare = text.strip()
    if not found and bare == bare.lower():
        found = _read(bare[:1].upper() + bare[1:], english)
    return found


def _read(text: str, alphabet: Alphabet) -> tuple[Written, ...]:
    """Return the moves of a text in one alphabet; a clock time or a NAG beside a move makes it no typed move."""
    if TIME.search(plain(text).strip()) or ASIDE.search(plain(text)):
        return ()
    offer = "(=)" in plain(text)
    written = (_as_announceable(form) for form in forms_of_cell(text, alphabet))
    return tuple(replace(one, draw_offer=offer) for one in written if one is not None)


def _as_announceable(form: Form) -> Written | None:
    """Return a form as a move that can be announced; None for a short form, which names no arrival square."""
    if form.castling is not None:
        return Written("king", castling=form.castling)
    if form.to_file is None or form.to_rank is None or form.captured is not None:
        return None
    pawn = form.piece == chess.PAWN or (form.piece is None and form.promotion is not None)
    if form.piece is None and not pawn:
        return None  # two squares without a letter: the words of an announcement say the same
    ahead = pawn and form.from_rank is None and form.from_file == form.to_file
    return Written(
        chess.PIECE_NAMES[form.piece or chess.PAWN] or "",
        from_file=FILES[form.from_file] if form.from_file is not None and not ahead else None,
        from_rank=str(form.from_rank + 1) if form.from_rank is not None else None,
        to_square=chess.square_name(chess.square(form.to_file, form.to_rank)),
        promotion=chess.PIECE_NAMES[form.promotion] if form.promotion is not None else None,
    )
