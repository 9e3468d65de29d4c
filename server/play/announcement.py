"""The core's own announcement: what was said, without a position."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Square = Annotated[str, msgspec.Meta(pattern=r"^[a-h][1-8]$")]


class Announcement(msgspec.Struct, frozen=True):
    """An announcement as said (D.2.1, L182-L187). None where not said; never a UCI move.

    `piece`, `promotion`: king, queen, rook, bishop, knight, pawn; squares "e4"; `castling`: short, long.
    """

    piece: Literal["king", "queen", "rook", "bishop", "knight", "pawn"] | None = None
    from_square: Square | None = None
    to_square: Square | None = None
    promotion: Literal["queen", "rook", "bishop", "knight"] | None = None
    castling: Literal["short", "long"] | None = None

    @property
    def piece_meant(self) -> str | None:
        """The piece that is meant: a bare arrival square names a pawn (C.4), castling the king."""
        if self.castling is not None:
            return "king"
        if self.piece is not None:
            return self.piece
        return "pawn" if self.from_square is None or self.promotion is not None else None

    def agrees_with(self, other: Announcement) -> bool:
        """Whether an echo may stand for this announcement: nothing that both say differs.

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
