"""Every move that a player may mean by what they typed in braille. Pure.

Six-key chords and BrlAPI bring cells; a page gets the text that a screen reader made of cells by its own table. Both
are matched against every way to write a well-formed move in the player's own codes, never against a position. Where
there are several meanings all of them are returned, and the player is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from braille.brf import from_brf
from braille.cells import Written, read_cells
from braille.letters import spell, unwritable
from braille.profile import BLANK, FILES, RANKS, Letters, Profile
from speech.complaint import Complaint

_CASTLING = re.compile(r"^(?:([oO0])(-\1){1,2}|([oO0])\3{1,2})(?![-oO0])")
_PROMOTED = re.compile(r"(?<=[18])\w(?=\W*$)")


class Codes(msgspec.Struct, frozen=True):
    """Braille codes of one player.

    `dotted`: those in whose cells the player writes moves; `printed`: the one with the player's print letters.
    `tables`: tables of one cell a character, by which cells become print and print cells; `prose`: the player's
    uncontracted prose, and that of English.
    """

    dotted: tuple[Profile, ...]
    printed: Profile
    tables: tuple[Letters, ...]
    prose: tuple[Letters, ...]


def moves_of_cells(cells: str, codes: Codes, *, capitals: bool = False) -> tuple[Written, ...]:
    """Return every move that a row of cells may write, in the order of the codes.

    Marks of capture, check and mate are left aside. `capitals`: the player's capitals tell a piece from a file, so that
    a small letter is never a piece.
    """
    row = cells.strip(f"{BLANK} \r\n").replace(" ", BLANK)
    found = [*_moves_dotted(row, codes)]
    for text in texts_of_cells(row, codes):
        found += _moves_printed(text, codes, capitals=capitals)
    return _meanings(found)


def moves_of_text(text: str, codes: Codes, *, capitals: bool = False) -> tuple[Written, ...]:
    """Return every move that a text may write.

    It is read as print in the player's letters, and as what a screen reader made of the player's cells.
    """
    found = [*_moves_printed(text, codes, capitals=capitals)]
    for row in cells_of_text(text, codes):
        found += _moves_dotted(row, codes)
    return _meanings(found)


def cells_of_text(text: str, codes: Codes) -> tuple[str, ...]:
    """Return the cells that may have become this text in a screen reader.

    Each table that can write all of the text gives one answer.
    """
    tables = (*codes.tables, *codes.prose)
    rows = [spell(text, table) for table in tables if not unwritable(text, table)]
    rows += _of_ascii(text)
    return tuple(dict.fromkeys(rows))


def _of_ascii(text: str) -> tuple[str, ...]:
    """Six-dot computer braille, which has one case."""
    try:
        return (from_brf(text),) if text in (text.lower(), text.upper()) else ()
    except Complaint:
        return ()


def texts_of_cells(cells: str, codes: Codes) -> tuple[str, ...]:
    """Return the text that a row of cells spells, letter by letter, in each table that has all of its cells."""
    found: list[str | None] = [_one_a_cell(cells, table) for table in codes.tables]
    found += [text_of_prose(cells, table) for table in codes.prose]
    return tuple(dict.fromkeys(text for text in found if text))


def _moves_dotted(row: str, codes: Codes) -> Iterator[Written]:
    for profile in codes.dotted:
        try:
            yield read_cells(row, profile)
        except Complaint:
            continue


def _moves_printed(text: str, codes: Codes, *, capitals: bool) -> Iterator[Written]:
    """Yield the moves that a text in print may mean, in the player's letters.

    Without any capital, as in six dots, a letter may be a piece or a file, unless the player's capitals tell the two
    apart.
    """
    plain = _CASTLING.sub(lambda found: "O-O-O" if len(found[0].replace("-", "")) == 3 else "O-O", text.strip())
    plain = re.sub(r"=(?!\))", "", plain)  # e8=Q; but (=) is a draw offer
    spellings = [plain]
    if plain and plain == plain.lower() and not capitals:
        first = plain[:1].upper() + plain[1:]
        spellings += [first, _PROMOTED.sub(lambda found: found[0].upper(), plain)]
    for spelling in dict.fromkeys(spellings):
        if spelling and not unwritable(spelling, codes.printed.letters):
            try:
                yield read_cells(spell(spelling, codes.printed.letters), codes.printed)
            except Complaint:
                continue


def _meanings(found: list[Written]) -> tuple[Written, ...]:
    """Return each meaning once, without its marks.

    A move is left out where its piece could never come from the departure that was written.
    """
    bare = (msgspec.structs.replace(one, capture=False, check=False, mate=False, en_passant=False) for one in found)
    return tuple(dict.fromkeys(one for one in bare if well_formed(one)))


def well_formed(move: Written) -> bool:
    """Return whether its piece can come from what is written of its departure, on an empty board."""
    if move.from_file is None and move.from_rank is None:
        return True
    return bool(departures(move, black=False) or departures(move, black=True))


def _one_a_cell(cells: str, table: Letters) -> str | None:
    characters = {cell: character for group in (table.punctuation, table.digits) for character, cell in group.items()}
    characters |= {cell: character for character, cell in table.alphabet.items()}
    characters[BLANK] = " "
    return "".join(characters[cell] for cell in cells) if all(cell in characters for cell in cells) else None


def text_of_prose(cells: str, table: Letters) -> str | None:
    """Return the text whose `spell` is this row of cells; None where there is none.

    This reads uncontracted prose back.

    >>> text_of_prose("⠑⠼⠙", ukaaf.letters)
    'e4'
    """
    signs = sorted(
        [
            *((cell, character) for character, cell in table.alphabet.items()),
            *((cell, mark) for mark, cell in table.punctuation.items()),
        ],
        key=lambda sign: -len(sign[0]),
    )
    digits = {cell: digit for digit, cell in table.digits.items()}
    text, place, number, capital, word = "", 0, False, False, False
    while place < len(cells):
        rest = cells[place:]
        if rest[0] in (BLANK, " "):
            text, place, number, word = text + " ", place + 1, False, False
        elif table.number and rest.startswith(table.number):
            number, place = True, place + len(table.number)
        elif number and rest[0] in digits:
            text, place = text + digits[rest[0]], place + 1
        elif table.letter_again and rest.startswith(table.letter_again):
            number, place = False, place + len(table.letter_again)
        elif table.capital_word and rest.startswith(table.capital_word):
            word, number, place = True, False, place + len(table.capital_word)
        else:
            sign = next(((cell, mark) for cell, mark in signs if rest.startswith(cell)), None)
            if sign is None and table.capital and rest.startswith(table.capital):
                capital, number, place = True, False, place + len(table.capital)
                continue
            if sign is None:
                return None
            cell, mark = sign
            number = number and mark in table.in_numbers
            text, place, capital = text + (mark.upper() if capital or word else mark), place + len(cell), False
    return text


def departures(move: Written, *, black: bool) -> tuple[str, ...]:
    """Return the squares that this move may have come from; () where it names no departure.

    Only how its piece moves counts. A pawn's departure file is enough: White's c-pawn takes on d5 from c4, Black's from
    c6. `black`: it is Black's move.

    >>> departures(Written("knight", from_file="b", to_square="d7"), black=True)
    ('b6', 'b8')
    """
    if move.to_square is None or (move.from_file is None and move.from_rank is None):
        return ()
    to_file, to_rank = FILES.index(move.to_square[0]), RANKS.index(move.to_square[1])
    found = []
    for file in move.from_file or FILES:
        for rank in move.from_rank or RANKS:
            along, up = FILES.index(file) - to_file, RANKS.index(rank) - to_rank
            if _comes(move.piece, along, up, black=black) or (move.from_file and move.from_rank):
                found.append(file + rank)
    return tuple(found)


def _comes(piece: str, along: int, up: int, *, black: bool) -> bool:
    straight, oblique = (along == 0) != (up == 0), abs(along) == abs(up) != 0
    match piece:
        case "king":
            return max(abs(along), abs(up)) == 1
        case "queen":
            return straight or oblique
        case "rook":
            return straight
        case "bishop":
            return oblique
        case "knight":
            return {abs(along), abs(up)} == {1, 2}
    return abs(along) <= 1 and up == (1 if black else -1)
