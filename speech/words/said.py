"""The words said at the board: small frozen values without a position.

See D.2.1, L182-L187.
"""

from __future__ import annotations

import msgspec


class Said(msgspec.Struct, frozen=True):
    """Announcement as said; it is never a UCI move.

    A field is None where the player did not say it. `piece` and `promotion`: king, queen, rook, bishop, knight, pawn.
    Squares: "e4". `castling`: short, long. A promotion always names its piece (L183). `from_file`: of a pawn that
    takes, where only that is said of its departure ("e takes d5").
    """

    piece: str | None = None
    from_square: str | None = None
    to_square: str | None = None
    promotion: str | None = None
    castling: str | None = None
    from_file: str | None = None


class Heard(msgspec.Struct, frozen=True):
    """Meaning of a chain of word ids, without any look at a position.

    `kind`: move, command or none. `command`: the id without its "cmd." ("time", "repeat"). `unclear`: the part that the
    sound left open (from, to, piece, promotion), the only thing a player may be asked about in a rated game. `number`:
    the number of a move in the player's own score, or of its last moves, where a command names one. `loose`: it was
    typed in other words than the table's.
    """

    kind: str
    said: Said | None = None
    command: str | None = None
    words: tuple[str, ...] = ()
    unclear: str | None = None
    number: int | None = None
    loose: bool = False


class Token(msgspec.Struct, frozen=True):
    """One spoken word.

    It has its id, its text in the Laws' spelling, and the language of the voice that says it.
    """

    id: str
    text: str
    voice_language: str
