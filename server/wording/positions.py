"""Positions are put into a listener's words: all the men, or the answer to a question in training.

Also the squares that players set on their boards as the arbiter decided (D.2.9): all of them, or the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import chess

from server.game.acts import SquareToSet
from server.game.views.messages import PositionTold, SquareToSetNow
from speech.announcements.announce import text_of
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.said import Token
from speech.words.scheme import Scheme


def position_tokens(placement: str, scheme: Scheme, *, by_square: bool) -> tuple[tuple[str, tuple[Token, ...]], ...]:
    """Return a placement as words: for each side its name and its men, each piece with its square.

    `by_square`: from a1 on, for checking a set-up (L010); else the king first, the pawns last.
    """
    board = chess.BaseBoard(placement)
    found = []
    for colour, phrase in ((chess.WHITE, "white_men"), (chess.BLACK, "black_men")):
        men = [(square, piece) for square, piece in sorted(board.piece_map().items()) if piece.color is colour]
        if not by_square:
            men.sort(key=lambda man: -man[1].piece_type)
        words = [
            word
            for square, piece in men
            for word in (f"piece.{chess.piece_name(piece.piece_type)}", *scheme.square(chess.square_name(square)))
        ]
        found.append((scheme.phrase(phrase), scheme.tokens(words)))
    return tuple(found)


def position_text(placement: str, scheme: Scheme, *, by_square: bool) -> str:
    """Return a placement as a line for each side, each piece with its square."""
    lines = []
    for name, tokens in position_tokens(placement, scheme, by_square=by_square):
        men = [text_of(tokens[start : start + 3]) for start in range(0, len(tokens), 3)]
        lines.append(f"{name} {', '.join(men)}.")
    return "\n".join(lines)


def explored_told(message: PositionTold, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return what a question about the position found, as text and for the voice."""
    tongue = scheme.listener.tag
    groups: list[tuple[str, list[tuple[str, ...]]]] = []
    for phrase, men in (("white_men", message.white), ("black_men", message.black)):
        if men:
            groups.append((scheme.phrase(phrase), [_man(man, scheme) for man in men]))
    if message.squares:
        groups.append(("", [scheme.square(square) for square in message.squares]))
    if message.takes:
        groups.append(("", [(*_man(man, scheme), "word.takes", *scheme.square(to)) for man, to in message.takes]))
    if message.words:
        groups.append(("", [message.words]))
    if not groups:
        text = scheme.phrase("empty_square" if message.about == "square" else "nothing_there")
        return text, (Segment(text, tongue),)
    lines, segments = [], list[Segment]()
    for head, told in groups:
        tokens = [scheme.tokens(word for word in words if word in scheme.words) for words in told]
        lines.append(f"{head} {', '.join(map(text_of, tokens))}.".strip())
        segments += [Segment(head, tongue)] if head else []
        segments += respelling.segments_of(_in_turn(tokens), scheme)
    return "\n".join(lines), tuple(segments)


def _man(man: str, scheme: Scheme) -> tuple[str, ...]:
    """Return a man such as "Ng1" as words: the piece and its square."""
    kind = chess.Piece.from_symbol(man[0]).piece_type
    return (f"piece.{chess.piece_name(kind)}", *scheme.square(man[1:]))


def _in_turn(told: Iterable[Sequence[Token]]) -> tuple[Token, ...]:
    return tuple(token for tokens in told for token in tokens)


Told = tuple[str, tuple[Segment, ...]]


def squares_told(squares: Sequence[SquareToSet], scheme: Scheme, opening: str = "") -> Told:
    """Say which squares to set: "Bitte stellen: Eva sechs leer, Eva fünf Schwarz: Bauer."

    `opening` replaces the first words.
    """
    opening = opening or scheme.phrase("set_board")
    told, segments = [], [Segment(opening, scheme.listener.tag)]
    for one in squares:
        text, said = _square(one.square, one.should_be, scheme)
        told.append(text)
        segments += said
    return f"{opening} {', '.join(told)}.", tuple(segments)


def next_square_told(message: SquareToSetNow, scheme: Scheme) -> Told:
    """Say the next square to set, as in "Feld eins von zwei: Eva sechs leer. Sagen Sie ja, ..."."""
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
