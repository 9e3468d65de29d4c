"""Reading a whole score: its language, whether it is all in capitals, and how it ends.

The letters belong to the player (C.3, L165), so one language serves for a whole score. Nobody but the score tells it:
where two languages read it equally well and not alike, the answer has both, and a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import chess
import msgspec

from server.scoresheets.cell import Cell, Writing, legal_readings, take
from server.scoresheets.endings import ZEROS
from server.scoresheets.forms import CAPTURES, without_marks
from server.scoresheets.letters import in_capitals
from server.scoresheets.sheet import Sheet

MOST_LINES = 4
"""The most readings of a score that are followed while its language is told."""
CAPITAL_SQUARE = re.compile(r"[A-HАСЕ][1-8]")


class Unread(msgspec.Struct, frozen=True):
    """Cell that says no move: its ply, its line (0 where it has none) and what stands there."""

    ply: int
    line: int
    text: str


def is_in_capitals(sheet: Sheet) -> bool:
    """Return whether the whole score is written in capitals, squares too; the sign of a capture does not count."""
    cells = [without_marks(cell) for cell in sheet.cells if cell is not None]
    letters = "".join(cells).translate(dict.fromkeys(map(ord, CAPTURES)))
    return not any(letter.islower() for letter in letters) and any(map(CAPITAL_SQUARE.search, cells))


def read_sheet(sheet: Sheet, writing: Writing) -> tuple[Cell, ...]:
    """Return every cell of a sheet, taken without a board.

    In a score all in capitals `B` is a piece and the b-file, and both stay open; elsewhere no case is folded.
    """
    if is_in_capitals(sheet):
        writing = msgspec.structs.replace(writing, alphabet=in_capitals(writing.alphabet))
    return tuple(take(text, writing) for text in sheet.cells)


def unread(sheet: Sheet, writing: Writing) -> tuple[Unread, ...]:
    """Return the cells that say no move in this writing, and are not blank."""
    return tuple(
        Unread(ply, sheet.lines[ply - 1] if ply <= len(sheet.lines) else 0, cell.text)
        for ply, cell in enumerate(read_sheet(sheet, writing), 1)
        if cell.text is not None and not cell.readable
    )


def languages_told(sheet: Sheet, start: chess.Board, writings: Mapping[str, Writing]) -> tuple[str, ...]:
    """Return the language that a score is written in, as the whole of it tells.

    What counts is how many cells can be read and how many of them are legal. More than one, in the order given: they
    read it equally well, and not alike.
    """
    read = {language: read_sheet(sheet, writing) for language, writing in writings.items()}
    readable = {language: sum(cell.readable for cell in cells) for language, cells in read.items()}
    most, told = -1, dict[str, int]()
    for language in sorted(read, key=lambda language: -readable[language]):
        if 2 * readable[language] >= most:
            told[language] = readable[language] + _legal(read[language], start)
            most = max(most, told[language])
    best = [language for language in read if told.get(language) == most]
    forms = [tuple(cell.forms for cell in read[language]) for language in best]
    return tuple(language for at, language in enumerate(best) if forms[at] not in forms[:at])


def likely_writing(sheet: Sheet, start: chess.Board, writings: Mapping[str, Writing]) -> str:
    """Return the language a score seems to be written in, of equals the first."""
    return languages_told(sheet, start, writings)[0]


def _legal(cells: Sequence[Cell], start: chess.Board) -> int:
    """Return how many cells are legal moves; behind one that is none the turn passes."""
    boards, legal = [start.copy(stack=False)], 0
    for cell in cells:
        following = [(board, move) for board in boards for move in legal_readings(board, cell)][:MOST_LINES]
        legal += bool(following)
        if following:
            boards = [board.copy(stack=False) for board, _ in following]
            for board, (_, move) in zip(boards, following, strict=True):
                board.push(move)
        else:
            for board in boards:
                board.push(chess.Move.null())
    return legal


def without_result(sheet: Sheet, start: chess.Board, writing: Writing) -> Sheet:
    """Return a score whose last cell `0-0` is its ending where castling is impossible there: both players have lost."""
    if not sheet.zeros:
        return sheet
    if _may_castle(read_sheet(sheet, writing)[:-1], start):
        return msgspec.structs.replace(sheet, zeros=False)
    ending = " ".join(part for part in (ZEROS, sheet.ending) if part)
    cells = sheet.cells[:-1]
    while cells and cells[-1] is None:
        cells = cells[:-1]
    return msgspec.structs.replace(sheet, cells=cells, lines=sheet.lines[: len(cells)], ending=ending, zeros=False)


def _may_castle(cells: Sequence[Cell], start: chess.Board) -> bool:
    """Return whether short castling may be the next move of a score.

    Where its line cannot be followed to the end, it may unless that player has moved the king before.
    """
    boards = {start.fen(): start.copy(stack=False)}
    for cell in cells:
        following = {}
        for board in list(boards.values())[:MOST_LINES]:
            for move in legal_readings(board, cell):
                after = board.copy(stack=False)
                after.push(move)
                following[after.fen()] = after
        if not following:
            return not any(_moves_king(each) for each in cells[len(cells) % 2 :: 2])
        boards = following
    return any(
        board.is_kingside_castling(move) for board in boards.values() for move in board.generate_castling_moves()
    )


def _moves_king(cell: Cell) -> bool:
    return cell.readable and all(form.castling is not None or form.piece == chess.KING for form in cell.forms)
