"""A typed or pasted score taken apart into a sheet, one cell a ply.

Each cell is kept as it stands on the paper. Accepted: a line a move, `N. white black`, with `-` for a blank cell (a
tab or `|` between cells that hold spaces, as spoken ones do); or PGN, whose moves are kept as written, legal or not.
What follows the last move and says that the game is over is no cell (`endings.py`). The text is untrusted: bad input
is a `Complaint`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import chess
import msgspec

from server.scoresheets.endings import (
    AROUND,
    NO_ENDINGS,
    ZEROS,
    Endings,
    close_up,
    is_neutral,
    is_result,
)
from server.scoresheets.forms import ASIDE, CASTLING, VERDICTS, is_blank, plain
from speech.complaint import Complaint, Phrase

MOST_MOVES = 1000
MOST_CHARACTERS = 1_000_000
LONGEST_CELL = 200
DEEPEST_VARIATION = 50

TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
LOOSE_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
"""A tag whose value holds quotation marks that nothing sets apart."""
LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")
NUMBER = re.compile(r"(\d{1,5})(?:([.…)\u2024\u0589]+)|:$)(.*)", re.DOTALL)
BARE_NUMBER = re.compile(r"(?!0)\d{1,5}")
CLOCK = r"[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?"
MARKS = re.compile(
    rf"\(=\)|=|[eE]\.?[pP]\.?|[eE]\.|[pP]\.|\++|#|!+|!\?|\?!|\+-|-\+|[{VERDICTS}]+|{CLOCK}|(?:{ASIDE.pattern})+"
)
ASIDES = re.compile(rf"(?:{ASIDE.pattern}|[{VERDICTS}]|{CLOCK})+")
TABLE = re.compile(r'\s*"?(?!0)\d{1,4}\.?"?[^\S\t]*(;|,(?!\s*[1-9]))')
"""The head of a line in which something else than a tab parts the cells; behind a tab such a sign is a cell."""
MINUTES = re.compile(r"(?<!\S)(\d{1,3})['′’](?:\d{1,2}(?:''|[\"″”])?)?(?!\S)")
IGNORED = frozenset(["1-0", "0-1", "1/2-1/2", "½-½", "½-0", "0-½", "+/-", "-/+", "-/-", "1/2", "½", "*", "."])
"""Results of a game (`0-0` is castling wherever a move can stand), and a full stop on its own."""


class Passed(msgspec.Struct, frozen=True):
    """Result in figures before the last move, which the reader passes over; where it stands."""

    line: int
    text: str


class Sheet(msgspec.Struct, frozen=True):
    """One player's score.

    `cells[0]` is ply 1; None where the player wrote nothing. `start`: a FEN, None for the usual one. `lines`: of each
    cell the line it stands in, 0 where it has none. `ending`: how the score says that the game is over. `zeros`: its
    last cell is `0-0`, which may be a result. `passed`: results before the last move.
    """

    cells: tuple[str | None, ...]
    start: str | None = None
    chess960: bool = False
    lines: tuple[int, ...] = ()
    ending: str | None = None
    zeros: bool = False
    passed: tuple[Passed, ...] = ()

    def cell(self, ply: int) -> str | None:
        """Return the cell of a ply (from 1), None where it is blank or the score has ended."""
        return self.cells[ply - 1] if 0 < ply <= len(self.cells) else None


def sheet_of(cells: Sequence[str | None], start: str | None = None, chess960: bool = False) -> Sheet:
    """Return a sheet of these cells; empty cells at the end are dropped."""
    kept = [None if is_blank(cell) else cell for cell in cells]
    while kept and kept[-1] is None:
        kept.pop()
    return Sheet(tuple(kept), start, chess960)


class Token(NamedTuple):
    """A cell, a number or a mark, with its line; `first` in it or not."""

    line: int
    text: str
    first: bool


def parse_sheet(text: str, name: str | Phrase = "the score", endings: Endings = NO_ENDINGS) -> Sheet:
    """Take a typed or pasted score apart. `name` is what a complaint calls it.

    `endings`: what may say at its end that the game is over; without them every word is a cell. Raises Complaint: too
    long, a number out of order, three moves under one number, a broken FEN tag, an open comment, two games.
    """
    if len(text) > MOST_CHARACTERS:
        raise Complaint(Phrase("sheet_long", name=name))
    tags, body = _split_tags(text, name)
    board, chess960 = _start(tags, name)
    if not tags:
        body = "\n".join(map(_with_cells_apart, body.split("\n")))
    tokens = [
        token
        for number, line in enumerate(_without_comments(body, bool(tags), name).split("\n"), 1)
        for token in _tokens_in(number, line, endings is not NO_ENDINGS)
    ]
    over, behind = _over(tokens, endings)
    kept = tokens[:over]
    zeros = endings is not NO_ENDINGS and bool(kept) and kept[-1].text.strip(AROUND) == ZEROS
    filling = Filling(name, board)
    for token in kept[: len(kept) - zeros]:
        filling.token(token, endings)
    if zeros:
        filling.last_zeros(kept[-1])
    ending = " ".join(token.text for token in tokens[over:behind])
    usual = board.fen() == chess.STARTING_FEN
    made = sheet_of(filling.cells, None if usual else board.fen(), chess960)
    return msgspec.structs.replace(
        made,
        lines=tuple(filling.lines.get(at, 0) for at in range(len(made.cells))),
        ending=ending if ending not in ("", "*") else None,
        zeros=zeros,
        passed=tuple(filling.passed),
    )


def _tokens_in(number: int, line: str, ends: bool) -> Iterator[Token]:
    bare = plain(MINUTES.sub(r"(\1)", line)).strip(" \r|")
    if bare.startswith("%"):
        return
    if "(" in bare or "[" in bare:
        bare = ASIDE.sub(lambda found: found[0].replace(" ", ""), bare)
    for at, text in enumerate(_tokens(close_up(bare) if ends else bare)):
        yield Token(number, text, at == 0)


def _result_before_words(tokens: Sequence[Token], end: int, endings: Endings) -> int:
    """Return where a result in figures stands behind which only words follow, such as a signature; else `end`."""
    at = end
    for index in range(end - 1, -1, -1):
        text = tokens[index].text
        if is_result(text):
            at = index
        elif any(map(str.isdigit, text)) or CASTLING.fullmatch(text.strip(AROUND)):
            break
    return at if endings is not NO_ENDINGS else end


def _with_cells_apart(line: str) -> str:
    """Return a line of a table that a spreadsheet wrote (`1;e4;e5`, `"1","e4","e5"`) with tabs between its cells."""
    found = TABLE.match(line)
    if found is None:
        return line
    return "\t".join(cell.strip().strip('"') for cell in line.rstrip(f" \r{found[1]}").split(found[1]))


def _over(tokens: Sequence[Token], endings: Endings) -> tuple[int, int]:
    """Return where the score begins to say that the game is over, and where it has said so.

    Numbers of empty lines may follow. Both are behind the last token where it says nothing.
    """

    def is_number(text: str) -> bool:
        number = NUMBER.fullmatch(text)
        return BARE_NUMBER.fullmatch(text) is not None or (number is not None and not number[3])

    def without_number(text: str) -> str:
        number = NUMBER.fullmatch(text) if not is_result(text) else None
        return number[3] if number is not None else text

    def is_empty(text: str) -> bool:
        return is_number(text) or is_neutral(text)

    end = len(tokens)
    while end and is_empty(tokens[end - 1].text):
        end -= 1
    at = _result_before_words(tokens, end, endings)
    while at and (
        is_empty(tokens[at - 1].text)
        or endings.stands_in(without_number(tokens[at - 1].text))
        or (1 < at < end and endings.stands_between(*(token.text for token in tokens[at - 2 : at + 1])))
    ):
        at -= 1
    while at < end and is_empty(tokens[at].text) and (tokens[at].first or not BARE_NUMBER.fullmatch(tokens[at].text)):
        at += 1
    said = [without_number(token.text) for token in tokens[at:end]]
    return (at, end) if endings.over(said) else (len(tokens), len(tokens))


def _split_tags(text: str, name: str | Phrase) -> tuple[dict[str, str], str]:
    """Return the PGN tags at the head, and the rest with as many lines as before."""
    tags: dict[str, str] = {}
    rest: list[str] = []
    moves = False
    for line in LINE_END.split(text.removeprefix("\ufeff")):
        found = _tags_of(line.strip())
        if not found:
            moves = moves or bool(line.strip())
            rest.append(line)
        elif moves:
            raise Complaint(Phrase("sheet_games", name=name))
        else:
            tags |= found
            rest.append("")
    return tags, "\n".join(rest)


def _tags_of(line: str) -> dict[str, str]:
    """Return the PGN tags of a line that holds nothing else."""
    if not line.startswith("["):
        return {}
    if not TAG.sub("", line).strip():
        return {tag[1]: re.sub(r"\\(.)", r"\1", tag[2]) for tag in TAG.finditer(line)}
    loose = LOOSE_TAG.fullmatch(line)
    return {loose[1]: re.sub(r"\\(.)", r"\1", loose[2])} if loose is not None else {}


def _start(tags: dict[str, str], name: str | Phrase) -> tuple[chess.Board, bool]:
    chess960 = "960" in tags.get("Variant", "") or "fischer" in tags.get("Variant", "").lower()
    if "FEN" not in tags:
        return chess.Board(chess960=chess960), chess960
    try:
        board = chess.Board(tags["FEN"], chess960=chess960)
    except ValueError as wrong:
        raise Complaint(Phrase("sheet_fen", name=name, fen=repr(tags["FEN"][:90]))) from wrong
    return board, chess960


def _without_comments(body: str, pgn: bool, name: str | Phrase) -> str:
    """Drop {comments}, `;` comments and, in PGN, (variations).

    Line breaks stay, so that complaints can name a line. Raises Complaint for a comment that is never closed.
    """

    def hollow(match: re.Match[str]) -> str:
        if match[0][0] == "{" and match[0][-1] != "}":
            line = body.count("\n", 0, match.start()) + 1
            raise Complaint(Phrase("sheet_comment", where=Phrase("sheet_line", line=line, name=name)))
        return " " + "\n" * match[0].count("\n")

    body = re.sub(r"\{[^}]*\}?|;[^\n]*", hollow, body)
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
    """Sheet being filled: the cells so far, and the place where the next one goes.

    A `Complaint` names the place.
    """

    def __init__(self, name: str | Phrase, start: chess.Board) -> None:
        self.name = name
        self.offset = 2 * start.fullmove_number + (start.turn == chess.BLACK)
        self.cells: list[str | None] = []
        self.lines: dict[int, int] = {}
        self.passed: list[Passed] = []
        self.number: int | None = None
        self.under_number = 0

    def token(self, token: Token, endings: Endings = NO_ENDINGS) -> None:
        """Take one token of a typed score: a number, a mark, a result to pass over, or a cell."""
        where = Phrase("sheet_line", line=token.line, name=self.name)
        text, first, ends = token.text, token.first, endings is not NO_ENDINGS
        while not (ends and is_result(text)) and (number := NUMBER.fullmatch(text)) is not None:
            # `12.Nf6`; a number may stand twice (`1.1.e4`)
            dots = (number[2] or ".").replace("…", "...")
            self.move_number(int(number[1]), black=len(dots) > 1, where=where)
            text, first = number[3], False
            if not text:
                return
        if BARE_NUMBER.fullmatch(text) and (first or int(text) == self._next_number()):
            self.move_number(int(text), black=False, where=where)
        elif text in IGNORED or (ends and is_result(text)):
            if text not in (".", "*"):
                self.passed.append(Passed(token.line, text))
        elif self.cells and self.cells[-1] is not None and (MARKS.fullmatch(text) or endings.stands_behind(text)):
            self._add_mark(text, where)
        elif not (ends and ASIDES.fullmatch(text)):  # a time beside a blank cell
            self.lines[len(self.cells)] = token.line
            self.cell(text, where)

    def last_zeros(self, token: Token) -> None:
        """Fill the next cell with `0-0`, the last sign of a score: castling, or both have lost.

        It may stand behind Black's move: whether it is a move is known once the score is read.
        """
        number = NUMBER.fullmatch(token.text)
        if number is None and self.under_number == 2:
            self.number = None
        self.token(token)

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
