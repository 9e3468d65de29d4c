"""The squares that a player sets on his board as the arbiter decided (D.2.9), in words: all, or the next one."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from server.game.acts.events import SquareToSet
from server.game.views.messages import SquareToSetNow
from speech.announcements.announce import text_of
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.scheme import Scheme

Told = tuple[str, tuple[Segment, ...]]


def squares_told(squares: Sequence[SquareToSet], scheme: Scheme, opening: str = "") -> Told:
    """ "Bitte stellen: Eva sechs leer, Eva fünf Schwarz: Bauer.", or with another opening."""
    opening = opening or scheme.phrase("set_board")
    told, segments = [], [Segment(opening, scheme.listener.tag)]
    for one in squares:
        text, said = _square(one.square, one.should_be, scheme)
        told.append(text)
        segments += said
    return f"{opening} {', '.join(told)}.", tuple(segments)


def next_square_told(message: SquareToSetNow, scheme: Scheme) -> Told:
    """ "Feld eins von zwei: Eva sechs leer. Sagen Sie ja, wenn es so steht." """
    tongue = scheme.listener.tag
    if message.square is None:
        text = scheme.phrase("board_said_set")
        return text, (Segment(text, tongue),)
    opening = scheme.phrase("square_of", number=message.number, of=message.of)
    closing = scheme.phrase("stands_so", yes=scheme.listener.words["cmd.yes"].text)
    text, said = _square(message.square, message.should_be, scheme)
    return f"{opening} {text}. {closing}", (Segment(opening, tongue), *said, Segment(closing, tongue))


def _square(square: str, should_be: str | None, scheme: Scheme) -> tuple[str, list[Segment]]:
    tongue = scheme.listener.tag
    words = scheme.square(square)
    piece: tuple[str, ...] = ()
    if should_be is None:
        what = scheme.phrase("empty_square")
    else:
        man = chess.Piece.from_symbol(should_be)
        what = scheme.phrase("white_men" if man.color else "black_men")
        piece = (f"piece.{chess.piece_name(man.piece_type)}",)
    segments = [*_segments(words, scheme), Segment(what, tongue), *_segments(piece, scheme)]
    return " ".join([_text(words, scheme), what, *([_text(piece, scheme)] if piece else [])]), segments


def _text(words: Sequence[str], scheme: Scheme) -> str:
    return text_of(scheme.tokens(words))


def _segments(words: Sequence[str], scheme: Scheme) -> tuple[Segment, ...]:
    return respelling.segments_of(scheme.tokens(words), scheme)
