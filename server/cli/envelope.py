"""`anna-eins envelope` prints the label of an adjourned game's envelope (I.2).

It can be printed, embossed or read out.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click
import msgspec

from braille import brf
from braille.loading import load_profile, load_prose_tables
from braille.prose import prose_writer
from server.cli.export import record_of
from server.cli.terminal.words import wrong
from server.exports.envelope_label import Occasion, label_cells, label_lines, label_sentences
from server.game.acts import Adjourned
from speech.words.config_file import language_tags

PROFILE = "ukaaf"
ADJOURNED = str(Adjourned.__struct_config__.tag)


@click.command("envelope", epilog="\b\nExample:\n  anna-eins envelope demo --format brf")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "braille", "brf", "speech"]),
    default="text",
    show_default=True,
)
@click.option("--language", default="en", show_default=True, metavar=f"[{'|'.join(language_tags())}]")
@click.option("--resumption", default="", metavar="TIME")
@click.option("--venue", default="")
def command(table: str, data: Path | None, form: str, language: str, resumption: str, venue: str) -> None:
    """Print the label of the envelope of TABLE, the newest where it was adjourned more than once."""
    last = next((one for one in reversed(record_of(data, table)) if one.kind == ADJOURNED), None)
    if last is None:
        raise wrong("not_adjourned", table=table)
    label = msgspec.json.decode(last.body, type=Adjourned).label
    when = datetime.fromtimestamp(last.wall_ms / 1000).astimezone()
    occasion = Occasion(table, when, resumption, venue)
    notes: list[str] = []
    match form:
        case "text":
            text = "\n".join(label_lines(label, occasion, language)) + "\n"
        case "speech":
            text = "\n".join(label_sentences(label, occasion, language)) + "\n"
        case _:
            profile = load_profile(PROFILE)
            prose = prose_writer(language, profile, load_prose_tables(), notes)
            lines = label_cells(label, occasion, language, profile, prose)
            text = "\n".join(lines) + "\n" if form == "braille" else "\r\n".join(map(brf.to_brf, lines)) + "\r\n"
    # Bytes, so that cells and letters come out as UTF-8 whatever the terminal's own encoding is.
    click.echo(text.encode("utf-8"), nl=False)
    for note in notes:
        click.echo(note, err=True)
