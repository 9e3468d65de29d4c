"""`anna-eins reconcile` compares two written scores as moves in positions (D.2.9)."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import chess
import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from braille.brf import read_pages
from braille.loading import load_profile
from server.cli.terminal.language import own_language
from server.cli.terminal.words import answer_text
from server.desk.comparing import Compared, Comparison, Scores
from server.desk.loading import load_endings, score_writings
from server.desk.sheets import witness_of
from server.game.acts import AnyEvent, TableOpened, event_in
from server.game.game import Game
from server.game.values.clock import ChessClock
from server.hall.foreign_files.file_text import likely_text
from server.hall.record import reader_of
from server.journal.failure import JournalFailed
from server.scoresheets.braille import is_dotted, parse_dotted
from server.scoresheets.language import Unread, languages_told, read_sheet, unread, without_result
from server.scoresheets.reconcile.compare import ClockReading, Reconciliation, starting_board
from server.scoresheets.reconcile.witness import Witness
from server.scoresheets.sheet import MOST_CHARACTERS, Sheet, parse_sheet
from server.wording.pages import page_words
from speech.complaint import Complaint, Phrase, told_by

SIDES = ("white", "black")


def read_file(path: str, which: str) -> Sheet:
    """Return a score from a file: BRF by its name, else text, in letters or in braille cells; a file may be empty.

    Raises Complaint: it is not there, too long, not text, or not a score.
    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(4 * MOST_CHARACTERS + 1)
    except (OSError, ValueError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else None
        raise Complaint(Phrase("scores.unread", file=repr(path), why=why or Phrase("scores.no_file"))) from wrong
    if len(raw) > 4 * MOST_CHARACTERS:
        raise Complaint(Phrase("sheet_long", name=path))
    read = likely_text(raw)
    if read is None:
        raise Complaint(Phrase("scores.no_text", file=path))
    text = read.text
    if read.sample:
        click.echo(answer_text("compared.read_as", file=path, encoding=read.page), err=True)
    if path.lower().endswith(".brf"):
        return parse_dotted(read_pages(text), load_profile("ukaaf"), which)
    if is_dotted(text):
        return parse_dotted(tuple(tuple(page.splitlines()) for page in text.split("\f")), load_profile("ukaaf"), which)
    return parse_sheet(text, which, load_endings())


def events_of(data: Path | None, table: str) -> tuple[AnyEvent, ...]:
    """Return the record of a table.

    Raises Complaint: there is no journal, it cannot be read, or it has no such table.
    """
    try:
        with reader_of(data) as journal:
            bodies = [envelope.body for envelope in journal.read(table)]
    except JournalFailed as wrong:
        raise Complaint(Phrase("scores.no_journal", why=told_by(wrong))) from wrong
    if not bodies:
        raise Complaint(Phrase("scores.no_table", table=repr(table)))
    try:
        return tuple(event_in(body) for body in bodies)
    except msgspec.DecodeError as wrong:
        raise Complaint(Phrase("scores.other_form", table=repr(table), why=wrong)) from wrong


def clock_in(events: tuple[AnyEvent, ...], table: str, ply: int) -> ClockReading:
    """Return the reading of both clocks when `ply` was completed; ply 0 is before the game.

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
        raise Complaint(Phrase("scores.no_reading", table=repr(table), ply=(ply + 1) // 2))
    return ClockReading(kept.white_ms, kept.black_ms)


def witness_in(events: tuple[AnyEvent, ...]) -> Witness:
    """Return the server's moves, and the sound of each cell that was dictated, announced or echoed."""
    return witness_of(Game.replay(events))


def language_of_score(sheet: Sheet, which: str, start: chess.Board, tags: Sequence[str]) -> str:
    """Return the language in which a score is written, as the whole of it tells.

    Raises Complaint where several read it equally well and not alike: then a person has to say.
    """
    known = score_writings()
    told_in = languages_told(sheet, start, {tag: known[tag] for tag in tags})
    if len(told_in) > 1:
        read = [read_sheet(sheet, known[tag]) for tag in told_in]
        ply = next(ply for ply, cells in enumerate(zip(*read, strict=True)) if len({cell.forms for cell in cells}) > 1)
        raise Complaint(
            Phrase(
                "scores.which_language",
                name=which,
                languages=", ".join(told_in),
                cell=sheet.cells[ply],
                line=sheet.lines[ply] if sheet.lines else ply // 2 + 1,
            )
        )
    return told_in[0]


def chosen_languages(languages: str | None, known: Collection[str]) -> tuple[str | None, str | None]:
    """Return the two languages of `--languages`, or None where they must be recognised.

    One language serves for both. Raises Complaint for one that is not there.
    """
    if languages is None:
        return None, None
    tags = [tag.strip() for tag in languages.split(",")]
    for tag in tags:
        if tag not in known:
            raise Complaint(Phrase("scores.no_language", tag=tag, known=", ".join(known)))
    if len(tags) > 2:
        raise Complaint(Phrase("scores.two_languages"))
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
    known = tuple(score_writings())
    white, black = chosen_languages(languages, known)
    names = ("the first score", "the second score")
    written = (read_file(first, names[0]), read_file(second, names[1]))
    start = starting_board(*written)
    tags = (
        white or language_of_score(written[0], names[0], start, known),
        black or language_of_score(written[1], names[1], start, known),
    )
    ways = score_writings()
    sheets = (without_result(written[0], start, ways[tags[0]]), without_result(written[1], start, ways[tags[1]]))
    events = events_of(data, journal) if journal is not None else None
    scores = Scores(
        sheets=sheets,
        languages=((tags[0],), (tags[1],)),
        start=start.fen(en_passant="fen"),
        chess960=start.chess960,
        boards=boards,
        witness=witness_in(events) if events is not None else None,
    )
    compared = asyncio.run(_compare_in_child(scores))
    answer = compared.found
    left = (unread(sheets[0], ways[tags[0]]), unread(sheets[1], ways[tags[1]]))
    if events is not None and journal is not None:
        answer = msgspec.structs.replace(answer, clock=clock_in(events, journal, answer.agree_plies))
    if as_json:
        whole = msgspec.to_builtins(answer) | {
            "languages": list(tags),
            "endings": [sheet.ending for sheet in sheets],
            "unread": [msgspec.to_builtins(cells) for cells in left],
            "passed": [msgspec.to_builtins(sheet.passed) for sheet in sheets],
        }
        click.echo(msgspec.json.encode(whole).decode())
    else:
        show(answer, sheets, tags, Console())
        for line in said_of_sheets(sheets, written, left):
            Console().print(line, markup=False, highlight=False, soft_wrap=True)


async def _compare_in_child(scores: Scores) -> Compared:
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

    say(answer_text(f"compared.{answer.verdict}"))
    what = "record" if answer.verdict == "same_record" else "agreement"
    if answer.agree_plies:
        say(answer_text(f"compared.{what}_ends", move=ply_in_words(answer.agree_plies)))
    else:
        say(answer_text("compared.record_empty" if what == "record" else "compared.agreement_none"))
    say(answer_text("compared.languages", white=languages[0], black=languages[1]))
    say(answer_text("compared.position", fen=answer.position))
    nothing = answer_text("compared.nothing")
    for side, board in zip(SIDES, answer.boards, strict=False):
        squares = "; ".join(
            answer_text(
                "compared.square", square=one.square, **{"is": one.is_ or nothing}, wanted=one.should_be or nothing
            )
            for one in board.squares
        )
        deviates = answer_text(f"compared.{side}_board_wrong", squares=squares)
        say(deviates if board.deviates else answer_text(f"compared.{side}_board_right"))
    for side, sheet, undone in zip(SIDES, sheets, answer.back, strict=True):
        if undone:
            say(answer_text(f"compared.{side}_back", number=len(undone), moves=steps(sheet, undone)))
    if answer.clock is not None:
        say(answer_text("compared.clocks", white=answer.clock.white, black=answer.clock.black))
    for shift in answer.shifts:
        side = "white" if shift.score == "first" else "black"
        say(answer_text(f"compared.{side}_{shift.kind}", move=ply_in_words(shift.ply)))
    for each in answer.listen:
        side = answer_text(f"compared.{each.side}")
        say(answer_text("compared.listen", move=ply_in_words(each.ply), side=side, clip=each.clip))
    if answer.gaps:
        words = page_words(own_language())
        say(answer_text("compared.gaps", names="; ".join(words[f"choice.gap.{one}"] for one in answer.gaps)))
    if answer.questions:
        headings = (answer_text(f"compared.{one}") for one in ("ply", "white_score", "black_score", "possible"))
        table = Table(*headings, title=answer_text("compared.open"), title_justify="left")
        for question in answer.questions:
            cells = (cell_isolated(question.first), cell_isolated(question.second))
            possible = ", ".join(question.candidates) or answer_text("compared.none")
            table.add_row(Text(number(question.ply)), *map(Text, cells), possible)
        console.print(table)


def said_of_sheets(
    sheets: tuple[Sheet, Sheet], written: tuple[Sheet, Sheet], left: tuple[tuple[Unread, ...], tuple[Unread, ...]]
) -> Iterator[str]:
    """Yield a sentence for each thing in the scores that is no move: not read, passed over, or the ending."""
    for side, sheet, whole, cells in zip(SIDES, sheets, written, left, strict=True):
        if not sheet.cells:
            yield answer_text(f"compared.{side}_empty")
        for one in cells:
            yield answer_text(
                f"compared.{side}_unread", line=one.line, text=cell_isolated(one.text), move=ply_in_words(one.ply)
            )
        for passed in sheet.passed:
            yield answer_text(f"compared.{side}_passed", line=passed.line, text=passed.text)
        if len(sheet.cells) < len(whole.cells):
            yield answer_text(f"compared.{side}_zeros")
        elif sheet.ending is not None:
            yield answer_text(f"compared.{side}_ending", text=cell_isolated(sheet.ending))


def number(ply: int) -> str:
    """Return the move number of a ply: `12.` for White, `12...` for Black."""
    return f"{(ply + 1) // 2}{'.' if ply % 2 else '...'}"


def ply_in_words(ply: int) -> str:
    """Return a ply in words."""
    return answer_text("compared.white_move" if ply % 2 else "compared.black_move", number=(ply + 1) // 2)


def steps(sheet: Sheet, undone: tuple[str | None, ...]) -> str:
    """Return the moves to take back, the last one first, as written and as squares.

    The middle of a long list is left out.
    """
    last = len(sheet.cells)
    unclear = answer_text("compared.unclear")
    each = [
        f"{number(last - i)}{cell_isolated(sheet.cell(last - i))} ({uci or unclear})" for i, uci in enumerate(undone)
    ]
    return ", ".join(each if len(each) <= 8 else [*each[:6], answer_text("compared.and_so_on"), each[-1]])


def cell_isolated(cell: str | None) -> str:
    """Return a cell for display, kept apart from the text direction around it (Hebrew, Arabic)."""
    if cell is None:
        return "-"
    right_to_left = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in cell)
    return f"\u2068{cell}\u2069" if right_to_left else cell
