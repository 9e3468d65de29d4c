"""`anna-eins reconcile` compares two written scores as moves in positions (D.2.9)."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Collection
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from braille.brf import read_pages
from braille.loading import load_profile
from server.desk.comparing import Compared, Comparison, Scores
from server.desk.loading import writings
from server.desk.sheets import witness_of
from server.game.acts import AnyEvent, TableOpened, event_in
from server.game.game import Game
from server.game.values.clock import ChessClock
from server.hall.record import reader_of
from server.journal.failure import JournalFailed
from server.scoresheets.braille import is_dotted, parse_dotted
from server.scoresheets.reconcile.compare import ClockReading, Reconciliation, starting_board
from server.scoresheets.reconcile.witness import Witness
from server.scoresheets.sheet import MOST_CHARACTERS, Sheet, parse_sheet
from speech.complaint import Complaint

SENTENCES = {
    "same_record": "The scores agree to the end: the player whose board deviates adjusts it, the clocks stay.",
    "differ": "The scores differ: both boards go back to the last agreement, the arbiter readjusts the clocks.",
    "illegal_in_both": "Both scores have the same illegal move: the arbiter decides.",
    "incomplete": "One score has no readable move there: the game is reconstructed under the arbiter (8.5.3).",
    "out_of_step": "Both boards and both scores agree, only the server is wrong: the arbiter mends the server.",
}

SHIFTS = {
    "missing": "leaves out a move",
    "extra": "has a cell too many",
    "swapped": "has two moves in the wrong order",
}


def read_file(path: str, which: str) -> Sheet:
    """Return a score from a file: BRF by its name, else text, in letters or in braille cells.

    Raises Complaint: it is not there, too long, not text, or not a score.
    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(4 * MOST_CHARACTERS + 1)
    except (OSError, ValueError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else None
        raise Complaint(f"Cannot read {path!r} ({why or 'it is no file'}); name a file with a score.") from wrong
    if len(raw) > 4 * MOST_CHARACTERS:
        raise Complaint(f"{path} is longer than a score can be; give one game.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise Complaint(f"{path} is not UTF-8 text; save it as UTF-8 and try again.") from wrong
    if path.lower().endswith(".brf"):
        return parse_dotted(read_pages(text), load_profile("ukaaf"), which)
    if is_dotted(text):
        return parse_dotted(tuple(tuple(page.splitlines()) for page in text.split("\f")), load_profile("ukaaf"), which)
    return parse_sheet(text, which)


def events_of(data: Path | None, table: str) -> tuple[AnyEvent, ...]:
    """Return the record of a table.

    Raises Complaint: there is no journal, it cannot be read, or it has no such table.
    """
    try:
        with reader_of(data) as journal:
            bodies = [envelope.body for envelope in journal.read(table)]
    except JournalFailed as wrong:
        raise Complaint(f"{wrong} Leave out --journal, or mend the file.") from wrong
    if not bodies:
        raise Complaint(f"The journal has no table {table!r}; check its name.")
    try:
        return tuple(event_in(body) for body in bodies)
    except msgspec.DecodeError as wrong:
        raise Complaint(f"The journal's events of table {table!r} are of a form not known here ({wrong}).") from wrong


def clock_in(events: tuple[AnyEvent, ...], table: str, ply: int) -> ClockReading:
    """Return what both clocks showed when `ply` was completed; ply 0 is before the game.

    Raises Complaint where there is no reading of that ply.
    """
    if ply == 0:
        for event in events:
            if isinstance(event, TableOpened):
                shown = ChessClock.set_to(event.control).reading(0)
                return ClockReading(shown.white_ms, shown.black_ms)
    readings = Game.readings(Game.replay(events))
    kept = readings[ply - 1] if 0 < ply <= len(readings) else None
    if kept is None:
        raise Complaint(f"The journal of table {table!r} has no clock reading of ply {ply}; leave out --journal.")
    return ClockReading(kept.white_ms, kept.black_ms)


def witness_in(events: tuple[AnyEvent, ...]) -> Witness:
    """Return the server's moves, and the sound of each cell that was dictated, announced or echoed."""
    return witness_of(Game.replay(events))


def chosen_languages(languages: str | None, known: Collection[str]) -> tuple[str | None, str | None]:
    """Return the two languages of `--languages`, or None where they must be recognised.

    One language serves for both. Raises Complaint for one that is not there.
    """
    if languages is None:
        return None, None
    tags = [tag.strip() for tag in languages.split(",")]
    for tag in tags:
        if tag not in known:
            raise Complaint(f"There is no language {tag!r}; choose from {', '.join(known)}.")
    if len(tags) > 2:
        raise Complaint("--languages takes one language for both scores, or two: White's and Black's.")
    return tags[0], tags[-1]


@click.command("reconcile", epilog="\b\nExample:\n  anna-eins reconcile white.pgn black.pgn --languages de,en")
@click.argument("first")
@click.argument("second")
@click.option("--languages")
@click.option("--boards", nargs=2, metavar="FEN FEN")
@click.option("--journal", metavar="TABLE")
@click.option("--data", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True)
def command(
    first: str,
    second: str,
    languages: str | None,
    boards: tuple[str, str] | None,
    journal: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Compare two written scores as moves in positions; FIRST is White's."""
    known = tuple(writings())
    white, black = chosen_languages(languages, known)
    sheets = (read_file(first, "the first score"), read_file(second, "the second score"))
    for path, sheet in zip((first, second), sheets, strict=True):
        if not sheet.cells:
            raise Complaint(f"{path} holds no move; name a file with a score.")
    start = starting_board(*sheets)
    events = events_of(data, journal) if journal is not None else None
    scores = Scores(
        sheets=sheets,
        languages=((white,) if white else known, (black,) if black else known),
        start=start.fen(en_passant="fen"),
        chess960=start.chess960,
        boards=boards,
        witness=witness_in(events) if events is not None else None,
    )
    compared = asyncio.run(_compared(scores))
    answer, tags = compared.found, compared.languages
    if events is not None and journal is not None:
        answer = msgspec.structs.replace(answer, clock=clock_in(events, journal, answer.agree_plies))
    if as_json:
        whole = msgspec.to_builtins(answer) | {"languages": list(tags)}
        click.echo(msgspec.json.encode(whole).decode())
    else:
        show(answer, sheets, tags, Console())


async def _compared(scores: Scores) -> Compared:
    """Compare them in a child that may work only so long. Raises Complaint."""
    comparison = Comparison()
    try:
        return await comparison.compare(scores)
    finally:
        await comparison.close()


def show(answer: Reconciliation, sheets: tuple[Sheet, Sheet], languages: tuple[str, ...], console: Console) -> None:
    """Print the answer in plain sentences and a small table."""

    def say(sentence: str) -> None:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)

    say(SENTENCES[answer.verdict])
    agreed = f"after {named(answer.agree_plies)}" if answer.agree_plies else "at the start"
    say(f"The record ends {agreed}." if answer.verdict == "same_record" else f"The agreement ends {agreed}.")
    say(f"White's score was read in {languages[0]}, Black's in {languages[1]}.")
    say(f"Position by the Laws: {answer.position}")
    for name, board in zip(("White's", "Black's"), answer.boards, strict=False):
        faults = "; ".join(
            f"{square.square} has {square.is_ or 'nothing'}, should have {square.should_be or 'nothing'}"
            for square in board.squares
        )
        say(f"{name} board deviates: {faults}." if board.deviates else f"{name} board shows this position.")
    for name, sheet, undone in zip(("White's", "Black's"), sheets, answer.back, strict=True):
        if undone:
            say(f"Back on {name} board, {len(undone)} plies: {steps(sheet, undone)}.")
    if answer.clock is not None:
        say(f"Clocks then: White {answer.clock.white} ms, Black {answer.clock.black} ms.")
    for shift in answer.shifts:
        whose = "White's" if shift.score == "first" else "Black's"
        say(f"{whose} score {SHIFTS[shift.kind]} at {named(shift.ply)}.")
    for each in answer.listen:
        say(f"To be listened to before it counts: {named(each.ply)}, {each.side}, {each.clip}.")
    if answer.gaps:
        say(f"For the arbiter's decision: {', '.join(answer.gaps)}.")
    if answer.questions:
        table = Table("Ply", "White's score", "Black's score", "Possible moves", title="Open", title_justify="left")
        for question in answer.questions:
            cells = (isolated(question.first), isolated(question.second))
            table.add_row(Text(number(question.ply)), *map(Text, cells), ", ".join(question.candidates) or "none")
        console.print(table)


def number(ply: int) -> str:
    """Return the move number of a ply: `12.` for White, `12...` for Black."""
    return f"{(ply + 1) // 2}{'.' if ply % 2 else '...'}"


def named(ply: int) -> str:
    """Return a ply in words."""
    return f"{'White' if ply % 2 else 'Black'}'s move {(ply + 1) // 2} (ply {ply})"


def steps(sheet: Sheet, undone: tuple[str | None, ...]) -> str:
    """Return the moves to take back, the last one first, as written and as squares.

    The middle of a long list is left out.
    """
    last = len(sheet.cells)
    each = [f"{number(last - i)}{isolated(sheet.cell(last - i))} ({uci or 'unclear'})" for i, uci in enumerate(undone)]
    return ", ".join(each if len(each) <= 8 else [*each[:6], "and so on to", each[-1]])


def isolated(cell: str | None) -> str:
    """Return a cell for display, kept apart from the text direction around it (Hebrew, Arabic)."""
    if cell is None:
        return "-"
    right_to_left = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in cell)
    return f"\u2068{cell}\u2069" if right_to_left else cell
