"""`anna-eins report` prints a table's report from its record, even while a server writes it."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from server.cli.export import recorded
from server.desk.answer import looked
from server.exports.exports import dated
from server.exports.report import written
from server.game.views.report import report_of
from speech.words.loading import language_tags


@click.command("report")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the records.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.option("--language", type=click.Choice(language_tags()), default="en", help="The language of the words.")
def command(table: str, data: Path | None, as_json: bool, language: str) -> None:
    """Report TABLE: rules, adaptations, people, devices, incidents, reconciliations, penalties, alerts, result."""
    sections = report_of(dated(recorded(data, table), table), looked)
    if as_json:
        text = msgspec.json.format(msgspec.json.encode({"table": table, "sections": sections}), indent=1) + b"\n"
    else:
        text = written(table, sections, language).encode("utf-8")
    click.echo(text, nl=False)
