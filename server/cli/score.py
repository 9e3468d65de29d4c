"""`anna-eins score` prints a game as a score: in a language's letters, in braille, or to emboss."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from braille import brf
from braille.loading import changed_profile, load_profile, load_prose_tables, prose_table
from braille.printed import text_lines
from braille.profile import Profile
from braille.prose import prose_writer, splice_chess
from braille.score import braille_lines, brf_pages
from server.cli.terminal.words import answer_text, wrong
from server.desk.loading import load_endings, score_writings
from server.exports.pgn_reader import PgnReading, read_games
from server.hall.foreign_files.file_text import likely_text
from speech.complaint import Complaint, Phrase
from speech.words.loading import load_language

MAX_BYTES = 8 * 1024 * 1024
PROFILE = "ukaaf"


def read_text(path: Path) -> str:
    """Return the text of a file: UTF-8 or UTF-16, else Latin-1 as the PGN standard has it.

    Raises Complaint for what is not text.
    """
    try:
        if path.is_dir():
            raise wrong("is_folder", place=str(path))
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError as absent:
        raise wrong("no_file", place=str(path)) from absent
    except (OSError, ValueError) as failed:
        raise wrong("not_read", place=str(path), why=getattr(failed, "strerror", None) or str(failed)) from failed
    if len(raw) > MAX_BYTES:
        raise wrong("too_long", place=str(path), most=MAX_BYTES // 1024**2)
    if not raw.strip():
        raise wrong("empty_file", place=str(path))
    read = likely_text(raw)
    if read is None:
        raise wrong("not_text", place=str(path))
    return read.text


def _printer(
    form: str, language: str, profile: Profile, notes: list[str], table: str | None
) -> Callable[[PgnReading], str]:
    """Return how one game is printed.

    Raises Complaint for a language or profile that is not there.
    """
    listener = load_language(language)
    if form == "text":
        return lambda game: "\n".join(text_lines(game.played, listener.notation, listener.direction)) + "\n\n"
    write = prose_writer(language, profile, load_prose_tables(), notes, table=table)

    def prose(text: str) -> str:
        return splice_chess(text, profile, write)

    if form == "braille":
        return lambda game: "\n".join(braille_lines(game.played, profile, prose)) + "\n\n"
    pages = 0

    def emboss(game: PgnReading) -> str:
        nonlocal pages
        made = brf_pages(game.played, profile, prose, first_page=pages + 1)
        pages += len(made)
        return brf.document(made)

    return emboss


@click.command("score", epilog="\b\nExample:\n  anna-eins score game.pgn --format brf --language en")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "braille", "brf"]),
    default="text",
    show_default=True,
)
@click.option("--language", default="en", show_default=True)
@click.option("--profile", default=PROFILE, show_default=True)
@click.option("--prose", default=None)
@click.option("--letters", default=None)
@click.option("--signs", type=click.Path(path_type=Path), metavar="FILE")
def command(
    file: Path, form: str, language: str, profile: str, prose: str | None, letters: str | None, signs: Path | None
) -> None:
    """Print the games of a PGN FILE as scores."""
    code = load_profile(profile) if signs is None else changed_profile(profile, read_text(signs))
    notes: list[str] = []
    show = _printer(form, language, code, notes, prose_table(prose) if prose is not None else None)
    faults: list[Phrase] = []
    printed = 0
    known = score_writings()
    if letters is not None and letters not in known:
        raise Complaint(Phrase("scores.no_language", tag=letters, known=", ".join(known)))
    tried = known if letters is None else {letters: known[letters]}
    for game in read_games(read_text(file), load_endings(), tried):
        if not game.played.headers and not game.played.moves:
            continue
        printed += 1
        if game.fault is not None:
            faults.append(game.fault)
        if game.languages:
            notes.append(answer_text("answer.read_in_letters", number=printed, language=game.languages[0]))
        if game.ending is not None:
            notes.append(answer_text("answer.game_ends", number=printed, text=game.ending))
        # Bytes, so that cells and letters come out as UTF-8 whatever the terminal's own encoding is.
        click.echo(show(game).encode("utf-8"), nl=False)
    for note in notes:
        click.echo(note, err=True)
    if not printed:
        raise wrong("no_pgn", file=str(file))
    if faults:
        raise Complaint(
            faults[0] if len(faults) == 1 else Phrase("scores.faults", fault=faults[0], number=len(faults) - 1)
        )
