"""`anna-eins report` makes a table's report from its record, even while a server writes it: text, HTML, PDF or JSON."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from server.cli.export import record_of, write_out
from server.cli.terminal.words import wrong
from server.desk.comparing import made_within_limits
from server.exports.exports import events_dated, report_from
from server.exports.reports.sheet import identity_of
from server.game.views.report import report_of
from speech.words.config_file import language_tags


@click.command("report", epilog="\b\nExample:\n  anna-eins report demo --format pdf --out report.pdf --language de")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "html", "pdf", "json"]),
    default="text",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--language", type=click.Choice(language_tags()), default="en")
def command(table: str, data: Path | None, form: str, as_json: bool, out: Path | None, language: str) -> None:
    """Report TABLE, to sign: rules, people, devices, pauses, claims, incidents, reconciliations, penalties, result.

    Times of day are those of this machine.
    """
    if form == "pdf" and not as_json and out is None:
        raise wrong("pdf_file")
    entries = record_of(data, table)
    if as_json or form == "json":
        shown = {
            "table": table,
            "sections": made_within_limits(lambda explain: report_of(events_dated(entries, table), explain)),
            "record": identity_of(table, entries),
        }
        made = msgspec.json.format(msgspec.json.encode(shown), indent=1) + b"\n"
    else:
        made = made_within_limits(
            lambda explain: report_from(entries, table, language, form, zone=None, explain=explain)
        )
    write_out(made, out)
