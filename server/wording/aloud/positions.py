"""Positions are put into a listener's words: all the men, or the answer to a question in training.

Also the squares that players set on their boards as the arbiter decided (D.2.9): all of them, or the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import chess

from server.game.acts import SquareToSet
from server.game.decide.questions import by_kind
from server.game.views.messages import BoardShown, BoardsShown, BoardToSet, PositionTold, Shown, SquareToSetNow
from server.wording.aloud.says import Told, in_listeners_voice, says, silent
from server.wording.pages import page_words
from speech.announcements.announce import text_of
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.said import Token
from speech.words.scheme import Scheme

silent(BoardShown, BoardsShown, Shown)


def position_tokens(placement: str, scheme: Scheme, *, by_square: bool) -> tuple[tuple[str, tuple[Token, ...]], ...]:
    """Return a placement as words: for each side its name and its men, each piece with its square.

    `by_square`: from a1 on, for checking a set-up (L010); else the king first, the pawns last, file by file.
    """
    board = chess.BaseBoard(placement)
    found = []
    for colour, phrase in ((chess.WHITE, "white_men"), (chess.BLACK, "black_men")):
        men = [(square, piece) for square, piece in sorted(board.piece_map().items()) if piece.color is colour]
        if not by_square:
            men.sort(key=by_kind)
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


def men_written(placement: str, language: str) -> tuple[str, str]:
    """Return a placement as it is written down for its readers, a line for each side, in their own words alone.

    The king comes first, and each kind once with all its squares. Raises ValueError where it is no placement.

    >>> men_written("4k3/8/8/8/8/8/8/R3K2R", "en")
    ('White: king e1, rook a1 h1', 'Black: king e8')
    """
    board, words = chess.BaseBoard(placement), page_words(language)

    def side(colour: chess.Color) -> str:
        kinds = (kind for kind in reversed(chess.PIECE_TYPES) if board.pieces(kind, colour))
        men = (
            f"{words[f'piece.{chess.piece_name(kind)}']} {' '.join(map(chess.square_name, board.pieces(kind, colour)))}"
            for kind in kinds
        )
        return f"{words[chess.COLOR_NAMES[colour]]}: {', '.join(men)}"

    return side(chess.WHITE), side(chess.BLACK)


MEN_AT_ONCE = 2
"""Men or squares that are said in one phrase, and one capture."""
WORDS_OF_A_MAN = 3


def position_in_pieces(placement: str, scheme: Scheme, *, by_square: bool) -> tuple[Told, ...]:
    """Return a placement phrase by phrase: how many men there are, then they, each piece with its square."""
    sides = [
        (name, [tokens[start : start + 3] for start in range(0, len(tokens), 3)])
        for name, tokens in position_tokens(placement, scheme, by_square=by_square)
    ]
    counted = scheme.messages.text("ear.men", count=sum(len(men) for _, men in sides))
    return ((counted, in_listeners_voice(counted, scheme)), *_groups_in_pieces(sides, scheme))


def _groups_in_pieces(groups: Iterable[tuple[str, Sequence[Sequence[Token]]]], scheme: Scheme) -> tuple[Told, ...]:
    """Return groups, each with its head before its first members, a few members in a phrase."""
    pieces: list[Told] = []
    for head, members in groups:
        at_once = MEN_AT_ONCE if all(len(one) <= WORDS_OF_A_MAN for one in members) else 1
        for start in range(0, len(members), at_once):
            some = members[start : start + at_once]
            begins = head if not start else ""
            text = f"{begins} {', '.join(map(text_of, some))}.".strip()
            said = [Segment(begins, scheme.listener.tag)] if begins else []
            pieces.append((text, (*said, *respelling.segments_of(_in_turn(some), scheme))))
    return tuple(pieces)


def explored_in_pieces(message: PositionTold, scheme: Scheme) -> tuple[Told, ...]:
    """Return what a question about the position found, phrase by phrase."""
    groups = [(head, [_tokens(words, scheme) for words in told]) for head, told in _groups_found(message, scheme)]
    return _groups_in_pieces(groups, scheme) if groups else (explored_told(message, scheme),)


def _tokens(words: Iterable[str], scheme: Scheme) -> tuple[Token, ...]:
    return scheme.tokens(word for word in words if word in scheme.words)


def _groups_found(message: PositionTold, scheme: Scheme) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Return what was found, in groups of words, each with what is said before it."""
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
    return groups


@says(PositionTold)
def explored_told(message: PositionTold, scheme: Scheme) -> Told:
    """Return what a question about the position found, as text and for the voice."""
    tongue = scheme.listener.tag
    groups = _groups_found(message, scheme)
    if not groups:
        text = scheme.phrase("empty_square" if message.about == "square" else "nothing_there")
        return text, (Segment(text, tongue),)
    lines, segments = [], list[Segment]()
    for head, told in groups:
        tokens = [_tokens(words, scheme) for words in told]
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


@says(BoardToSet)
def _board_to_set(message: BoardToSet, scheme: Scheme) -> Told:
    return squares_told(message.squares, scheme)


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


def letters_said(text: str) -> int:
    """Return how many letters a text is to a voice, which says each figure as a word.

    >>> letters_said("59 s")
    10
    """
    return len(text) + 3 * sum(letter.isdigit() for letter in text)


def squares_in_pieces(squares: Sequence[SquareToSet], scheme: Scheme) -> tuple[Told, ...]:
    """Say which squares to set, one after the other."""
    opening = scheme.phrase("set_board")
    told = (_square(one.square, one.should_be, scheme) for one in squares)
    return (opening, in_listeners_voice(opening, scheme)), *((f"{text}.", tuple(said)) for text, said in told)


@says(SquareToSetNow)
def _next_square(message: SquareToSetNow, scheme: Scheme) -> Told:
    """Say the next square to set, as in "Feld eins von zwei: Eva sechs leer. Sagen Sie ja, ..."."""
    pieces = next_square_in_pieces(message, scheme)
    return " ".join(text for text, _ in pieces), tuple(segment for _, said in pieces for segment in said)


def next_square_in_pieces(message: SquareToSetNow, scheme: Scheme) -> tuple[Told, ...]:
    """Say the next square to set, phrase by phrase: the square, then what to say when it stands."""
    tongue = scheme.listener.tag
    if message.square is None:
        text = scheme.phrase("board_said_set")
        return ((text, (Segment(text, tongue),)),)
    opening = scheme.phrase("square_of", number=message.number, of=message.of)
    closing = scheme.phrase("stands_so", yes=scheme.listener.words["cmd.yes"].text)
    text, said = _square(message.square, message.should_be, scheme)
    first = in_listeners_voice(opening, scheme)
    whole = f"{opening} {text}."
    square = (
        ((whole, (*first, *said)),)
        if letters_said(whole) <= scheme.listener.phrase
        else ((opening, first), (f"{text}.", tuple(said)))
    )
    return *square, (closing, in_listeners_voice(closing, scheme))


def _square(square: str, should_be: str | None, scheme: Scheme) -> tuple[str, list[Segment]]:
    """Say what belongs on a square: "Eva fünf: schwarzer Bauer"."""
    words = scheme.square(square)
    if should_be is None:
        what = scheme.phrase("empty_square")
    else:
        man = chess.Piece.from_symbol(should_be)
        colour = "white" if man.color else "black"
        what = page_words(scheme.listener.tag)[f"piece.{colour}.{chess.piece_name(man.piece_type)}"]
    return f"{_text(words, scheme)}: {what}", [*_segments(words, scheme), *in_listeners_voice(what, scheme)]


def _text(words: Sequence[str], scheme: Scheme) -> str:
    return text_of(scheme.tokens(words))


def _segments(words: Sequence[str], scheme: Scheme) -> tuple[Segment, ...]:
    return respelling.segments_of(scheme.tokens(words), scheme)
