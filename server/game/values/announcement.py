"""An announcement as the core knows it: as it was said, without a position."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Square = Annotated[str, msgspec.Meta(pattern=r"^[a-h][1-8]\Z")]


class Announcement(msgspec.Struct, frozen=True):
    """Announcement as it was said (D.2.1, L182-L187). None: not said. It is never a UCI move.

    `piece`, `promotion`: king, queen, rook, bishop, knight, pawn; squares "e4"; `castling`: short, long.
    """

    piece: Literal["king", "queen", "rook", "bishop", "knight", "pawn"] | None = None
    from_square: Square | None = None
    to_square: Square | None = None
    promotion: Literal["queen", "rook", "bishop", "knight"] | None = None
    castling: Literal["short", "long"] | None = None

    @property
    def complete(self) -> bool:
        """Return whether it names a move at all.

        That is castling and nothing else, or an arrival square that differs from the departure square. It is judged by
        form alone: what a player is told may not depend on the position.
        """
        rest = (self.piece, self.from_square, self.to_square, self.promotion)
        if self.castling is not None:
            return rest[1:] == (None, None, None) and self.piece in (None, "king")
        return self.to_square is not None and self.to_square != self.from_square

    @property
    def piece_meant(self) -> str | None:
        """Return the piece that is meant: a bare arrival square names a pawn (C.4), castling the king."""
        if self.castling is not None:
            return "king"
        if self.piece is not None:
            return self.piece
        return "pawn" if self.from_square is None or self.promotion is not None else None

    @property
    def leaves_promotion_open(self) -> bool:
        """Return whether a pawn goes to a last rank and its new piece is not said (3.7.3.3, L183): by form alone.

        >>> Announcement(to_square="e8").leaves_promotion_open
        True
        """
        arrives = self.to_square is not None and self.to_square[1] in "18"
        return arrives and self.piece_meant == "pawn" and self.promotion is None

    def agrees_with(self, other: Announcement) -> bool:
        """Return whether an echo may stand for this announcement: the two contradict each other in nothing.

        A short echo of a long announcement agrees; a different square, piece, promotion or castling does not.

        >>> Announcement(piece="knight", to_square="f3").agrees_with(
        ...     Announcement(piece="knight", from_square="g1", to_square="f3"))
        True
        >>> Announcement(to_square="e4").agrees_with(Announcement(to_square="e3"))
        False
        """
        if self.castling != other.castling or self.promotion != other.promotion or self.to_square != other.to_square:
            return False
        if None not in (self.from_square, other.from_square) and self.from_square != other.from_square:
            return False
        mine, theirs = self.piece_meant, other.piece_meant
        return mine is None or theirs is None or mine == theirs

    def says_all_of(self, other: Announcement) -> bool:
        """Return whether these words agree with others and leave nothing out that the others say.

        >>> Announcement(piece="knight", to_square="f3").says_all_of(
        ...     Announcement(piece="knight", from_square="g1", to_square="f3"))
        False
        """
        return (
            self.agrees_with(other)
            and (other.from_square is None or self.from_square is not None)
            and (other.piece_meant is None or self.piece_meant is not None)
        )
