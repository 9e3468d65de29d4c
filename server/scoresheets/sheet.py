"""This module takes a typed or pasted score apart into a sheet, one cell a ply.

Each cell is kept as it stands on the paper. Accepted: a line a move, `N. white black`, with `-` for a blank cell (a
tab or `|` between cells that hold spaces, as spoken ones do); or PGN, whose moves are kept as written, legal or not.
The text is untrusted: bad input is a `Complaint`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import chess
import msgspec

from server.scoresheets.forms import is_blank, plain
from speech.complaint import Complaint, Phrase

MOST_MOVES = 1000
MOST_CHARACTERS = 1_000_000
LONGEST_CELL = 200
DEEPEST_VARIATION = 50

TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
NUMBER = re.compile(r"(\d{1,5})(?:([.…)\u2024\u0589]+)|:$)(.*)", re.DOTALL)
BARE_NUMBER = re.compile(r"(?!0)\d{1,5}")
MARKS = re.compile(r"\(=\)|=|e\.?p\.?|e\.|p\.|\++|#|!+|[\[(]?\d{1,2}:\d{2}(:\d{2})?[\])]?|\(\d+\)|\$\d+")
IGNORED = frozenset(["1-0", "0-1", "1/2-1/2", "½-½", "½-0", "0-½", "+/-", "-/+", "-/-", "1/2", "½", "*", "."])
"""Results of a game (`0-0` is castling wherever a move can stand), and a full stop on its own."""


class Sheet(msgspec.Struct, frozen=True):
    """A `Sheet` is one player's score.

    `cells[0]` is ply 1; None where the player wrote nothing. `start`: a FEN, None for the usual one.
    """

    cells: tuple[str | None, ...]
    start: str | None = None
    chess960: bool = False

    def cell(self, ply: int) -> str | None:
        """Return the cell of a ply (from 1), None where it is blank or the score has ended."""
        return self.cells[ply - 1] if 0 < ply <= len(self.cells) else None


def sheet_of(cells: Sequence[str | None], start: str | None = None, chess960: bool = False) -> Sheet:
    """Return a sheet of these cells; empty cells at the end are dropped."""
    kept = [None if is_blank(cell) else cell for cell in cells]
    while kept and kept[-1] is None:
        kept.pop()
    return Sheet(tuple(kept), start, chess960)


def parse_sheet(text: str, name: str | Phrase = "the score") -> Sheet:
    """Take a typed or pasted score apart. `name` is what a complaint calls it.

    Raises Complaint: too long, a number out of order, three moves under one number, a broken FEN tag, two games.
    """
    if len(text) > MOST_CHARACTERS:
        raise Complaint(Phrase("sheet_long", name=name))
    tags, body = _split_tags(text, name)
    board, chess960 = _start(tags, name)
    filling = Filling(name, board)
    for line_number, line in enumerate(_without_comments(body, bool(tags)).splitlines(), 1):
        filling.line(line_number, line)
    usual = board.fen() == chess.STARTING_FEN
    return sheet_of(filling.cells, None if usual else board.fen(), chess960)


def _split_tags(text: str, name: str | Phrase) -> tuple[dict[str, str], str]:
    """Return the PGN tags at the head, and the rest with as many lines as before."""
    tags: dict[str, str] = {}
    rest: list[str] = []
    moves = False
    for line in text.removeprefix("\ufeff").splitlines():
        tag = TAG.fullmatch(line.strip())
        if tag is None:
            moves = moves or bool(line.strip())
            rest.append(line)
        elif moves:
            raise Complaint(Phrase("sheet_games", name=name))
        else:
            tags[tag[1]] = tag[2]
            rest.append("")
    return tags, "\n".join(rest)


def _start(tags: dict[str, str], name: str | Phrase) -> tuple[chess.Board, bool]:
    chess960 = "960" in tags.get("Variant", "") or "fischer" in tags.get("Variant", "").lower()
    if "FEN" not in tags:
        return chess.Board(chess960=chess960), chess960
    try:
        board = chess.Board(tags["FEN"], chess960=chess960)
    except ValueError as wrong:
        raise Complaint(Phrase("sheet_fen", name=name, fen=repr(tags["FEN"][:90]))) from wrong
    return board, chess960


def _without_comments(body: str, pgn: bool) -> str:
    """Drop {comments}, `;` comments and, in PGN, (variations).

    Line breaks stay, so that complaints can name a line.
    """

    def hollow(match: re.Match[str]) -> str:
        return " " + "\n" * match[0].count("\n")

    body = re.sub(r"\{[^}]*\}?", hollow, body)
    body = re.sub(r";[^\n]*", " ", body)
    if not pgn:
        return body
    inner = re.compile(r"(?<!\S)\((?!=\))[^()]*(?:\(=\)[^()]*)*\)")
    for _ in range(DEEPEST_VARIATION):
        body = inner.sub(hollow, body)
    return body


def _tokens(line: str) -> Iterator[str]:
    cells = re.split(r"[\t|]", line) if "\t" in line or "|" in line else None
    if cells is None:
        yield from line.split()
        return
    for index, cell in enumerate(cells):
        bare = cell.strip()
        number = NUMBER.fullmatch(bare) if index == 0 else None
        if number is not None and number[3].strip():
            yield bare[: number.start(3)]
            bare = number[3].strip()
        if bare or index > 0:
            yield bare or "-"


class Filling:
    """A `Filling` is a sheet being filled: the cells so far, and the place where the next one goes.

    A `Complaint` names the place.
    """

    def __init__(self, name: str | Phrase, start: chess.Board) -> None:
        self.name = name
        self.offset = 2 * start.fullmove_number + (start.turn == chess.BLACK)
        self.cells: list[str | None] = []
        self.number: int | None = None
        self.under_number = 0

    def line(self, line_number: int, line: str) -> None:
        first = True
        bare = plain(line).strip().strip("|").strip()
        for token in _tokens(bare) if not bare.startswith("%") else ():
            self._token(token, Phrase("sheet_line", line=line_number, name=self.name), first)
            first = False

    def _token(self, token: str, where: Phrase, first: bool) -> None:
        while (number := NUMBER.fullmatch(token)) is not None:  # `12.Nf6`; a number may stand twice (`1.1.e4`)
            dots = (number[2] or ".").replace("…", "...")
            self.move_number(int(number[1]), black=len(dots) > 1, where=where)
            token, first = number[3], False
            if not token:
                return
        if BARE_NUMBER.fullmatch(token) and (first or int(token) == self._next_number()):
            self.move_number(int(token), black=False, where=where)
        elif token in IGNORED:
            return
        elif MARKS.fullmatch(token) and self.cells and self.cells[-1] is not None:
            self._add_mark(token, where)
        else:
            self.cell(token, where)

    def _add_mark(self, mark: str, where: Phrase) -> None:
        cell = f"{self.cells[-1]} {mark}"
        if len(cell) > LONGEST_CELL:
            raise Complaint(Phrase("sheet_marks", where=where))
        self.cells[-1] = cell

    def _next_number(self) -> int:
        return (len(self.cells) + self.offset) // 2

    def move_number(self, number: int, black: bool, where: Phrase) -> None:
        """Go to the cell of this move, White's or Black's; what the number leaves out is blank."""
        if number > MOST_MOVES:
            raise Complaint(Phrase("sheet_number_high", where=where, number=number))
        index = 2 * number - self.offset + black  # `12...Nf6`: Black's cell
        if index < 0 and number < self.offset // 2:
            raise Complaint(Phrase("sheet_number_low", where=where, number=number))
        index = max(index, 0)
        if index < len(self.cells):
            raise Complaint(Phrase("sheet_number_again", where=where, number=number))
        self.cells.extend([None] * (index - len(self.cells)))
        self.number, self.under_number = number, index - (2 * number - self.offset)

    def cell(self, token: str, where: Phrase) -> None:
        """Fill the next cell; `-` fills it with nothing."""
        if token in ("...", "..", "…"):
            # `12. ... Nf6` leaves White's cell to the line before, or blank.
            if self.number is not None and self.under_number == 0 and len(self.cells) == 2 * self.number - self.offset:
                self.cells.append(None)
                self.under_number = 1
            return
        if self.number is not None:
            self.under_number += 1
            if self.under_number > 2:
                raise Complaint(Phrase("sheet_three", where=where, number=self.number))
        if len(token) > LONGEST_CELL:
            raise Complaint(Phrase("sheet_cell", where=where, length=len(token)))
        if len(self.cells) >= 2 * MOST_MOVES:
            raise Complaint(Phrase("sheet_moves", name=self.name))
        self.cells.append(None if is_blank(token) else token)
