"""One move written in braille cells and read back (Appendix C; L168 to L174).

The form is like SAN, in the signs of a profile. A move first becomes a `Written` (what a score would write), then
cells; reading goes the same way back. Only the step between a `Written` and a legal move looks at a position, so a
live announcement can be shown in cells as it was said, by building its `Written` without a board.
"""

from __future__ import annotations

import re
from functools import lru_cache

import chess
import msgspec

from braille.profile import BLANK, DIGITS, FILES, MEN, PIECES, PROMOTIONS, RANKS, Profile, Sign, Signs
from speech.complaint import Complaint, Phrase

_SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?([+#])?")
_BY_LETTER = dict(zip("KQRBN", PIECES, strict=True)) | {"": "pawn"}
PIECE_TYPES = dict(zip(MEN, (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN), strict=True))


class Written(msgspec.Struct, frozen=True):
    """Move as a score writes it.

    `piece`, `promotion`: king .. pawn; `castling`: short, long; squares: "e4". `check` is False on a mating move.
    `from_file`, `from_rank`: what was written to tell two like pieces apart, and the departure file of a pawn that
    takes.
    """

    piece: str = "pawn"
    from_file: str | None = None
    from_rank: str | None = None
    to_square: str | None = None
    promotion: str | None = None
    castling: str | None = None
    capture: bool = False
    check: bool = False
    mate: bool = False
    en_passant: bool = False
    draw_offer: bool = False


def written_move(board: chess.Board, move: chess.Move, *, draw_offer: bool = False) -> Written:
    """Return the move as SAN writes it on this board. Raises Complaint where the move is not legal there."""
    if not move or not board.is_legal(move):
        raise Complaint(Phrase("braille.not_legal", move=move.uci()))
    san = board.san(move)
    found = written_in_print(san)
    assert found is not None, f"python-chess wrote {san}"
    return msgspec.structs.replace(found, en_passant=board.is_en_passant(move), draw_offer=draw_offer)


def written_in_print(text: str) -> Written | None:
    """Read a move as PGN writes it ("Nbd7", "exd8=Q+", "O-O"); None for anything else.

    No position is looked at.

    >>> written_in_print("O-O+")
    Written(piece='king', castling='short', check=True)
    """
    bare, check, mate = text.rstrip("+#"), text.endswith("+"), text.endswith("#")
    if bare in ("O-O", "O-O-O"):
        return Written("king", castling="short" if bare == "O-O" else "long", check=check, mate=mate)
    parts = _SAN.fullmatch(text)
    if parts is None:
        return None
    letter, from_file, from_rank, taken, to_square, promoted, _ = parts.groups()
    return Written(
        piece=_BY_LETTER[letter or ""],
        from_file=from_file,
        from_rank=from_rank,
        to_square=to_square,
        promotion=_BY_LETTER[promoted] if promoted else None,
        capture=taken is not None,
        check=check,
        mate=mate,
    )


def cells_of_move(move: Written, profile: Profile) -> str:
    """Return the cells of a written move, without blanks.

    >>> cells_of(Written("rook", to_square="f4", capture=True, check=True), ukaaf)  # Rxf4+
    '⠗⠸⠋⠲'
    """
    signs = profile.signs
    if move.castling:
        castle = signs.castle_short if move.castling == "short" else signs.castle_long
        start, target = (signs.check.cells if move.check and signs.check else ""), castle.cells
    else:
        assert move.to_square is not None, "a move goes to a square or castles"
        start = profile.pieces[move.piece].cells if move.piece != "pawn" else ""
        start += profile.files[move.from_file] if move.from_file else ""
        start += profile.digits[move.from_rank] if move.from_rank else ""
        if move.capture:
            start += (signs.capture_check if move.check and signs.capture_check else signs.capture).cells
        elif move.check and signs.check:
            start += signs.check.cells
        target = profile.files[move.to_square[0]] + profile.digits[move.to_square[1]]
        target += profile.pieces[move.promotion].cells if move.promotion else ""
    after = signs.en_passant.cells if move.en_passant else ""
    after += signs.mate.cells if move.mate else ""
    after += signs.check_after.cells if move.check and not signs.check else ""
    after += signs.draw_offer.cells if move.draw_offer else ""
    return start + target + after


def write_move(board: chess.Board, move: chess.Move, profile: Profile, *, draw_offer: bool = False) -> str:
    """Return the cells of a legal move on this board. Raises Complaint where the move is not legal."""
    return cells_of_move(written_move(board, move, draw_offer=draw_offer), profile)


def _any(*spellings: str) -> str:
    return "(?:" + "|".join(re.escape(cells) for cells in sorted(spellings, key=len, reverse=True)) + ")"


def _spellings(sign: Sign | None) -> tuple[str, ...]:
    return (sign.cells, *sign.also) if sign else ()


# A whole score is read in one profile, and what a player types is tried in several, row after row.
@lru_cache(maxsize=64)
def _pattern(
    files: tuple[str, ...], ranks: tuple[str, ...], pieces: tuple[tuple[str, Sign], ...], signs: Signs
) -> re.Pattern[str]:
    piece = _any(*(cells for _, sign in pieces for cells in _spellings(sign)))
    promotion = _any(*(cells for name, sign in pieces if name in PROMOTIONS for cells in _spellings(sign)))
    file, rank = _any(*files), _any(*ranks)
    before = _any(*_spellings(signs.capture), *_spellings(signs.check), *_spellings(signs.capture_check))
    return re.compile(
        f"(?:(?P<castling_check>{_any(*_spellings(signs.check))})?"
        f"(?P<castling>{_any(*_spellings(signs.castle_short), *_spellings(signs.castle_long))})"
        f"|(?P<piece>{piece})?(?P<from_file>{file})?(?P<from_rank>{rank})?(?P<before>{before})?"
        f"(?P<to_file>{file})(?P<to_rank>{rank})(?P<promotion>{promotion})?)"
        f"(?P<en_passant>{_any(*_spellings(signs.en_passant))})?"
        f"(?P<mate>{_any(*_spellings(signs.mate))})?(?P<check_after>{_any(*_spellings(signs.check_after))})?"
        f"(?P<draw_offer>{_any(*_spellings(signs.draw_offer))})?"
    )


def read_cells(cells: str, profile: Profile) -> Written:
    """Return the move that a row of cells writes, without any look at a position.

    Raises Complaint where it is no move.
    """
    signs = profile.signs
    files = {profile.files[file]: file for file in FILES}
    ranks = {profile.digits[rank]: rank for rank in RANKS}
    found = _pattern(tuple(files), tuple(ranks), tuple(profile.pieces.items()), signs).fullmatch(
        cells.strip(f"{BLANK} ")
    )
    if found is None:
        raise Complaint(Phrase("braille.no_move", cells=cells[:40], profile=profile.name))
    part = found.groupdict()
    pieces = {spelling: name for name, sign in profile.pieces.items() for spelling in _spellings(sign)}
    before = part["before"] or part["castling_check"] or ""
    castling = None
    if part["castling"]:
        castling = "short" if part["castling"] in _spellings(signs.castle_short) else "long"
    return Written(
        piece="king" if castling else pieces[part["piece"]] if part["piece"] else "pawn",
        from_file=files[part["from_file"]] if part["from_file"] else None,
        from_rank=ranks[part["from_rank"]] if part["from_rank"] else None,
        to_square=None if castling else files[part["to_file"]] + ranks[part["to_rank"]],
        promotion=pieces[part["promotion"]] if part["promotion"] else None,
        castling=castling,
        capture=before in (*_spellings(signs.capture), *_spellings(signs.capture_check)),
        check=before in (*_spellings(signs.check), *_spellings(signs.capture_check)) or bool(part["check_after"]),
        mate=bool(part["mate"]),
        en_passant=bool(part["en_passant"]),
        draw_offer=bool(part["draw_offer"]),
    )


def write_number(number: int, profile: Profile) -> str:
    """Return a number in the digits of the code, without a number sign.

    It serves for move numbers and for runs of empty squares.
    """
    return "".join(profile.digits[digit] for digit in str(number))


def read_number(cells: str, profile: Profile) -> int | None:
    """Return the number that a row of digits writes; None where it is anything else.

    A move number's full stop may follow.
    """
    digits = {profile.digits[digit]: digit for digit in DIGITS}
    cells = cells.removesuffix(profile.number_after)
    if not cells or any(cell not in digits for cell in cells):
        return None
    return int("".join(digits[cell] for cell in cells))
