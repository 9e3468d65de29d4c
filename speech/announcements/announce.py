"""A move as its announcement, and announcements as words.

The words are those of D.2.1 (L170, L183-L187). Pure. Two like pieces that can arrive are told apart by geometry: what
stands in the way counts, pins and checks do not, because leaving out the departure square (as SAN does) would betray
the pin. Check is never said.
"""

from __future__ import annotations

from collections.abc import Iterable

import chess

from speech.words.said import Said, Token
from speech.words.scheme import Scheme


def rivals(board: chess.Board, move: chess.Move) -> chess.SquareSet:
    """Return the departure squares of the other like pieces that can arrive, by geometry.

    They have the same kind and colour. Raises ValueError where no piece stands on the departure square.
    """
    piece = board.piece_at(move.from_square)
    if piece is None:
        raise ValueError(f"there is no piece on {chess.square_name(move.from_square)}")
    like = board.pieces(piece.piece_type, piece.color) - chess.SquareSet.from_square(move.from_square)
    return chess.SquareSet(square for square in like if move.to_square in board.attacks(square))


def _castles(board: chess.Board, move: chess.Move) -> bool:
    """Return whether the squares are how castling is written.

    In Chess960 that is king to own rook alone: a king that goes two squares is a king move there, legal or not
    (II.3.2.6; L228).
    """
    if board.chess960 and board.piece_at(move.to_square) != chess.Piece(chess.ROOK, board.turn):
        return False
    return board.is_castling(move)


def said_of(board: chess.Board, move: chess.Move) -> Said:
    """Return the full announcement of `move`.

    The piece is always named; the departure square is named where another like piece can arrive and for every capture
    by a pawn; the promotion piece is always named. `move` need not be legal. Raises ValueError where no piece stands on
    its departure square.
    """
    if _castles(board, move):
        return Said(castling="short" if board.is_kingside_castling(move) else "long")
    others = rivals(board, move)
    piece = board.piece_type_at(move.from_square)
    assert piece is not None
    by_pawn = piece == chess.PAWN
    departure = board.is_capture(move) if by_pawn else bool(others)
    return Said(
        piece=chess.piece_name(piece),
        from_square=chess.square_name(move.from_square) if departure else None,
        to_square=chess.square_name(move.to_square),
        promotion=chess.piece_name(move.promotion) if move.promotion else None,
    )


def _words(said: Said, scheme: Scheme, takes: bool = False, passing: bool = False) -> tuple[str, ...]:
    if said.castling is not None:
        return (f"castle.{said.castling}",)
    words: list[str] = []
    if said.piece is not None:
        words.append(f"piece.{said.piece}")
    if said.from_square is not None:
        words += scheme.square(said.from_square)
    if takes:
        words.append("word.takes")
    if said.to_square is not None:
        words += scheme.square(said.to_square)
    if passing:
        words.append("word.ep")
    if said.promotion is not None:
        words.append(f"piece.{said.promotion}")
    return tuple(words)


def announce(board: chess.Board, move: chess.Move, scheme: Scheme) -> tuple[Token, ...]:
    """Return the machine's full announcement of `move`.

    It is as `said_of`, with the capture and en passant said (L016, L170). Raises ValueError where no piece stands on
    the departure square.
    """
    said = said_of(board, move)
    passing = board.is_en_passant(move)
    takes = said.castling is None and (passing or board.is_capture(move))
    return scheme.tokens(_words(said, scheme, takes, passing))


def words_of_announcement(said: Said, scheme: Scheme) -> tuple[Token, ...]:
    """Return the canonical words of an announcement; nothing is added that was not said."""
    return scheme.tokens(_words(said, scheme))


def text_of(tokens: Iterable[Token]) -> str:
    """Return the tokens as one line of text, in logical order."""
    return " ".join(token.text for token in tokens)
