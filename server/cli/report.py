"""`anna-eins report`: a table's report from its record; a server may be writing it."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from server.cli.export import recorded
from server.complaint import Complaint
from server.play.events import AnyEvent
from server.play.reporting import Dated, report_of
from server.report_text import load_words, written
from speech.loading import language_tags


@click.command("report")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the records.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.option("--language", type=click.Choice(language_tags()), default="en", help="The language of the words.")
def command(table: str, data: Path | None, as_json: bool, language: str) -> None:
    """Report TABLE: rules, adaptations, people, devices, incidents, penalties, alerts, result."""
    try:
        record = [
            Dated(msgspec.json.decode(envelope.body, type=AnyEvent), envelope.wall_ms)
            for envelope in recorded(data, table)
        ]
    except msgspec.MsgspecError as wrong:
        raise Complaint(
            f"The record of table {table!r} cannot be read ({wrong}); use the program that wrote it."
        ) from wrong
    sections = report_of(record)
    if as_json:
        text = msgspec.json.format(msgspec.json.encode({"table": table, "sections": sections}), indent=1) + b"\n"
    else:
        text = written(table, sections, load_words(), language).encode("utf-8")
    click.echo(text, nl=False)
