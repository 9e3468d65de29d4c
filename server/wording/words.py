"""The translation between the core's announcements and the words of speech; nothing else knows both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

import chess
import msgspec

from server.game.decide.adaptations import recorded_values
from server.game.laws.scoresheet import is_cell, without_marks
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.candidates import MOST_CANDIDATES, Candidate
from server.game.values.position import Position, passed_pawn
from server.game.values.words import Seat
from server.wording.refusals import Refused
from speech.announcements.announce import announce, said_of, text_of, words_of_announcement
from speech.announcements.clock_phrases import time_told
from speech.announcements.understand import said_of_text
from speech.complaint import Complaint
from speech.hearing.evidence import PossibleAnnouncement
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.loading import load_scheme
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme
from speech.words.scheme_changes import NO_CHANGES, SchemeChanges

PROMOTIONS: dict[str, Literal["queen", "rook", "bishop", "knight"]] = {
    "q": "queen",
    "r": "rook",
    "b": "bishop",
    "n": "knight",
}
PROMOTED = {piece: letter for letter, piece in PROMOTIONS.items()}
# Which parts of a scheme each adaptation of the words (D.2.1) changes.
CHANGED_BY = {
    "file_names": ("file_names",),
    "rank_language": ("ranks", "letters"),  # one voice says the whole square
    "piece_and_castling_words": ("pieces", "castling", "connecting"),
}


@cache
def scheme_of(name: str, language: str, changes: SchemeChanges = NO_CHANGES) -> Scheme:
    """Return the scheme of an arbiter's choice for a listener's language, loaded once."""
    return load_scheme(name, language, changes=changes)


def scheme_for(state: GameState, seat: Seat | None) -> Scheme:
    """Return the scheme of a seat in its language, as this table has adapted it (D.2.1).

    In it the seat is heard, spoken to and read. d21 in English for stations without a seat.
    """
    if seat is None:
        return scheme_of("d21", "en")
    return scheme_of(state.plan(seat).scheme, state.language_of(seat), changes_of(state))


def check_ear(state: GameState, language: str) -> None:
    """Check that both players could be spoken to in this language. Raises Complaint where not."""
    for plan in (state.table.white, state.table.black):
        scheme_of(plan.scheme, language, changes_of(state))


def short_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the end of an announcement: where to, and what a pawn becomes; castling as it is."""
    squares = [place for place, word in enumerate(words) if word.startswith("rank.")]
    return tuple(words[max(0, squares[-1] - 1) :]) if squares else tuple(words)


def changes_of(state: GameState) -> SchemeChanges:
    """Return what this table says differently from its schemes (D.1): only what is on record."""
    if not state.table.adaptations:
        return NO_CHANGES
    settled = recorded_values(state, CHANGED_BY)
    return SchemeChanges(**{part: settled[name] for name, parts in CHANGED_BY.items() for part in parts})


def check_words(state: GameState, name: str, value: str) -> None:
    """Check that the words of both players can still be told apart. Raises Complaint where not."""
    known = next((one for one in state.table.known_adaptations if one.name == name), None)
    if name not in CHANGED_BY or known is None or value not in known.values:
        return  # nothing about words, or the core will refuse it
    changes = msgspec.structs.replace(changes_of(state), **dict.fromkeys(CHANGED_BY[name], value))
    for seat in Seat:
        scheme_of(state.plan(seat).scheme, state.language_of(seat), changes)


def announcement_of(said: Said) -> Announcement:
    """Return what speech recognised, as the core takes it."""
    return Announcement(said.piece, said.from_square, said.to_square, said.promotion, said.castling)  # type: ignore[arg-type]


def said_by(announcement: Announcement) -> Said:
    """Return what the core holds, as speech takes it."""
    return Said(
        announcement.piece,
        announcement.from_square,
        announcement.to_square,
        announcement.promotion,
        announcement.castling,
    )


def candidates_of(ways: Sequence[PossibleAnnouncement]) -> tuple[Candidate, ...]:
    """Return what an utterance may have been, as the core keeps it."""
    return tuple(Candidate.of(announcement_of(way.said), way.cost) for way in ways)[:MOST_CANDIDATES]


def canonical(announcement: Announcement, scheme: Scheme) -> tuple[tuple[str, ...], str]:
    """Return the canonical words (ids) and recorded text of an announcement; nothing is added to what was said."""
    words = tuple(token.id for token in words_of_announcement(said_by(announcement), scheme))
    return words, scheme.as_recorded(words)


def text_in(words: Sequence[str], scheme: Scheme) -> str:
    """Return word ids as one line of text; ids that the scheme lacks (another language's) are left out."""
    return text_of(scheme.token(word) for word in words if word in scheme.words)


def move_entered(position: Position, uci: str, scheme: Scheme) -> tuple[Announcement, tuple[str, ...], str]:
    """Return the announcement, word ids and recorded text of a move entered on a player's own board.

    Where the server's board has no piece on the departure square, the squares alone are said: the server may be the
    one that is wrong (G13), and the player hears nothing of it. Raises Complaint where a promotion names no piece
    (L017: no silent queen).
    """
    board = position.board()
    move = chess.Move.from_uci(uci)
    piece = board.piece_at(move.from_square)
    if piece is None:
        bare = Announcement(from_square=uci[:2], to_square=uci[2:4], promotion=PROMOTIONS.get(uci[4:]))
        return bare, *canonical(bare, scheme)
    board.turn = piece.color
    if piece.piece_type == chess.PAWN and chess.square_rank(move.to_square) in (0, 7) and move.promotion is None:
        raise Refused("name_the_piece", "3.7.3.3", scheme.language)
    if passed_pawn(board, move, piece) is not None:
        board.ep_square = move.to_square  # by its form: the same words whether en passant is legal or not
    words = tuple(token.id for token in announce(board, move, scheme))
    return announcement_of(said_of(board, move)), words, scheme.as_recorded(words)


def meaning_typed(text: str, own: Scheme) -> Heard:
    """Return what typed words mean. Raises Complaint at an unknown word.

    They are read in the seat's scheme, or else wholly in its player's own language ("knight f3").
    """
    return said_of_text(text, own, scheme_of("national", own.language))


def cell_words(text: str, own: Scheme) -> tuple[str, ...]:
    """Return the word ids of a score's cell that is written in words, without its marks.

    () where it is not in words of this program.
    """
    rest = without_marks(text)
    if not rest or is_cell(text):
        return ()
    try:
        heard = meaning_typed(rest, own)
    except Complaint:
        return ()
    return heard.words if heard.kind in ("move", "command") else ()


def time_in_words(ms: int, scheme: Scheme) -> str:
    """Return a time in words, never as digits with colons: "eine Stunde 5 Minuten".

    Under ten minutes with seconds.
    """
    return time_told(ms, scheme.messages)


def segments_of(words: Sequence[str], scheme: Scheme) -> tuple[Segment, ...]:
    """Return word ids for the voices; ids that the scheme lacks (another language's) are left out."""
    return respelling.segments_of(scheme.tokens(word for word in words if word in scheme.words), scheme)
