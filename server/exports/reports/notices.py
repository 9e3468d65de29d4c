"""The boards of a round for other programs: a table (CSV), a calendar file (RFC 5545), and a text for a message.

This code is pure, and nothing is sent by it: the organiser hands the files on. Times of day are those of the hall.
"""

from __future__ import annotations

import csv
import io
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

import msgspec

from server.game.state.state import GameState
from server.wording.words import scheme_of
from speech.complaint import Complaint, Phrase

FORMS = {"csv": "text/csv", "ics": "text/calendar", "txt": "text/plain"}
"""The forms of a file of a round, with their media types."""
HEAD = ("round", "board", "table", "white", "black", "result", "starts", "way")
LONGEST_LINE = 75
"""Octets of a line in a calendar file, without its end (RFC 5545, 3.1)."""
_NAMESPACE = uuid.UUID("3d6c6a0e-5f0a-4b7e-9d11-6c1d6a0c9f40")
_FORMULA = re.compile(r"[=+\-@\t\r]")


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A board of a round as it is handed on; `result`: "*" while the game is not over."""

    event: str
    round: str
    board: int
    table: str
    white: str
    black: str
    result: str
    starts: str
    way: str


def boards_of(round: str, tables: Mapping[str, GameState]) -> tuple[Board, ...]:
    """Return the boards of a round in their order. Raises Complaint where no table is of this round."""
    found = [
        Board(
            event=state.table.event_name,
            round=round,
            board=state.table.board_number,
            table=name,
            white=state.table.white.name,
            black=state.table.black.name,
            result=(state.ending.result or "*").replace("½", "1/2"),
            starts=state.table.starts,
            way=state.table.way,
        )
        for name, state in tables.items()
        if state.table.round == round and state.table.next_game is None
    ]
    if not found:
        raise Complaint(Phrase("no_such_round", round=round))
    return tuple(sorted(found, key=lambda one: (one.board, one.table)))


def day_asked(written: str, wall_ms: int) -> date:
    """Return the day that a person names, as 2026-12-05, or today. Raises Complaint where it is none."""
    if not written:
        return datetime.fromtimestamp(wall_ms / 1000, UTC).astimezone().date()
    try:
        return date.fromisoformat(written)
    except ValueError as wrong:
        raise Complaint(Phrase("no_day", text=written[:40])) from wrong


def in_form(boards: Sequence[Board], form: str, language: str, day: date, wall_ms: int) -> bytes:
    """Return the file of a round in one of `FORMS`, in UTF-8. `day`: on which it is played."""
    if form == "csv":
        rows = ((b.round, b.board or "", b.table, b.white, b.black, b.result, b.starts, b.way) for b in boards)
        return rows_as_csv((HEAD, *rows))
    if form == "ics":
        return calendar(boards, language, day, wall_ms).encode()
    return text(boards, language).encode()


def rows_as_csv(rows: Iterable[Sequence[object]]) -> bytes:
    """Return a table with commas, its lines as RFC 4180 ends them, in UTF-8 with the mark that spreadsheets look for.

    A name that a spreadsheet would compute gets an apostrophe before it.
    """
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    for row in rows:
        writer.writerow([_no_formula(str(cell)) for cell in row])
    return b"\xef\xbb\xbf" + made.getvalue().encode()


def _no_formula(cell: str) -> str:
    """Return a cell as it is shown; results such as "+/-" are no formula.

    >>> _no_formula("=1+1"), _no_formula("+/-"), _no_formula("Adler")
    ("'=1+1", '+/-', 'Adler')
    """
    return f"'{cell}" if _FORMULA.match(cell) and not re.fullmatch(r"[+\-](?:/[+\-])?", cell) else cell


def text(boards: Sequence[Board], language: str) -> str:
    """Return the pairings of a round as a text that can be put into a message, a line for each board."""
    scheme = scheme_of("d21", language)
    head = scheme.phrase("pairing_round", round=boards[0].round)
    lines = [f"{boards[0].event}. {head}" if boards[0].event else head]
    for one in boards:
        told = [scheme.phrase("pairing_board", board=one.board)] if one.board else []
        told.append(f"{one.white} – {one.black}.")
        told += [scheme.phrase("pairing_time", time=one.starts)] if one.starts else []
        lines.append(" ".join([*told, one.way] if one.way else told))
    return "\n".join(lines) + "\n"


def calendar(boards: Sequence[Board], language: str, day: date, wall_ms: int) -> str:
    """Return a calendar file with an entry for each board; without a time of day it is of the whole day."""
    scheme = scheme_of("d21", language)
    stamp = f"{datetime.fromtimestamp(wall_ms / 1000, UTC):%Y%m%dT%H%M%SZ}"
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Anna Eins//Pairings//EN", "CALSCALE:GREGORIAN"]
    for one in boards:
        told = [scheme.phrase("pairing_round", round=one.round)]
        told += [scheme.phrase("pairing_board", board=one.board)] if one.board else []
        start = f":{day:%Y%m%d}T{one.starts.replace(':', '')}00" if one.starts else f";VALUE=DATE:{day:%Y%m%d}"
        name = uuid.uuid5(_NAMESPACE, "\n".join((one.event, one.round, one.table)))
        lines += ["BEGIN:VEVENT", f"UID:{name}", f"DTSTAMP:{stamp}", f"DTSTART{start}"]
        lines.append(f"SUMMARY:{_text_escaped(' '.join([*told, f'{one.white} – {one.black}']))}")
        lines += [f"LOCATION:{_text_escaped(one.way)}"] if one.way else []
        lines += [f"DESCRIPTION:{_text_escaped(one.event)}"] if one.event else []
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _fold_line(line))


def _text_escaped(value: str) -> str:
    r"""Return a text as a calendar file has it (RFC 5545, 3.3.11).

    >>> _escaped("Adler, Anna; room\\2")
    'Adler\\, Anna\\; room\\\\2'
    """
    plain = re.sub(r"[\0-\x08\x0b-\x1f\x7f]", " ", value.replace("\r\n", "\n").replace("\r", "\n"))
    return re.sub(r"([\\;,])", r"\\\1", plain).replace("\n", "\\n")


def _fold_line(line: str) -> Iterator[str]:
    """Yield the parts of a line, none too long and no letter cut; each but the first begins with a space."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > LONGEST_LINE:
            yield part
            part = " "
        part += letter
    yield part
