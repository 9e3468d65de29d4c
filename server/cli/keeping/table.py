"""`anna-eins table check` proves that a record goes on from a link; `table delete` deletes a table for good.

What is deleted is its record, its sounds and its admissions, while no server runs.

A tombstone stays, with the length and the last link of its record: so a deletion is no rollback, and a rollback no
deletion. What the command cannot reach is listed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click
import msgspec

from server.cli.keeping.backup import DATA, RECORD
from server.cli.terminal.words import tell, told, wrong
from server.hall.record import reader_of
from server.journal.admissions_file import AdmissionsFile
from server.journal.chain import links
from server.journal.journal import Journal
from server.journal.schema import write_private
from server.journal.sqlite_store import delete_table
from server.journal.witnessed import Mark, Witnesses, tombstones_in
from server.machine.data_folder import DataFolder, chosen_folder, witness_folder
from server.machine.identity import TABLE_NAME
from server.settings import Settings, load_settings


@click.group("table", epilog="\b\nExample:\n  anna-eins table delete r1-b2")
def command() -> None:
    """Check a table against a link of its chain, or delete it for good."""


@command.command("delete", epilog="\b\nExample:\n  anna-eins table delete r1-b2 --config settings.toml")
@click.argument("name")
@click.option("--yes", is_flag=True)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE")
@DATA
def delete(name: str, yes: bool, config: Path | None, data: Path | None) -> None:
    """Delete a table for good: its record, its sounds, its admissions."""
    settings, root = load_settings(config), chosen_folder(data)
    if not (root / "journal.sqlite").is_file():
        raise wrong("no_journal", folder=str(root))
    with DataFolder.open(root, lock=True) as folder:
        Journal.open(folder.journal)._finish()  # in this program's own form, with nothing left written ahead
        if not yes and not click.confirm(told("ask.delete_table", name=name), default=False):
            raise click.Abort
        mark = _deleted(folder, settings, name)
    tell("table_deleted", name=name, events=mark.events, last=mark.link)
    tell("copies_left")
    for line in _copies(settings, root, name):
        click.echo(f"  {line}")


@command.command("check", epilog="\b\nExample:\n  anna-eins table check r1-b2 9f86d081884c7d65...")
@click.argument("name")
@click.argument("link")
@RECORD
@DATA
def check(name: str, link: str, address: str, data: Path | None) -> None:
    """Say whether the record of a table goes on from a LINK that was printed or mailed before; a server may run."""
    with reader_of(data, address) as reader:
        entries, chain = reader.record(name)
    if not entries:
        raise wrong("no_such_table", name=name)
    asked = "".join(link.split()).lower()
    at = [one.hex() for one in links(b"", entries)]
    if chain.wrong or asked not in at:
        raise wrong("link_missing", name=name, number=len(entries))
    tell("link_found", name=name, event=at.index(asked) + 1, number=len(entries))


def _deleted(folder: DataFolder, settings: Settings, name: str) -> Mark:
    mark = Mark(*delete_table(folder.journal, name))
    tombstones = {**tombstones_in(folder.tombstones), name: mark}
    write_private(folder.tombstones, msgspec.json.format(msgspec.json.encode(tombstones), indent=1))
    if TABLE_NAME.fullmatch(name):  # the record may have any, and no other has a folder
        shutil.rmtree(folder.audio / name, ignore_errors=True)
    admissions = AdmissionsFile.open(folder.admissions)
    try:
        admissions.delete(name)
        counts = admissions.counts()
    finally:
        admissions.close()
    places = (witness_folder(), *(Path(one).expanduser() for one in settings.witness))
    witnesses = Witnesses(folder.witnessed_as, places)
    witnesses.load()
    witnesses.delete(name, mark.events, mark.link)
    witnesses.count(*counts)
    witnesses.write()
    return mark


def _copies(settings: Settings, root: Path, name: str) -> list[str]:
    """Return where something of a deleted table may still be, a line each."""
    found = [
        told("answer.copy_browser"),
        told("answer.copy_paper"),
        told("answer.copy_rounds", folder=str(root / "rounds")),
    ]
    if settings.backup.folder:
        found.append(told("answer.copy_backup", folder=settings.backup.folder))
    else:
        found.append(told("answer.copy_backups"))
    if settings.sounds:
        found.append(told("answer.copy_bucket", place=f"{settings.sounds}/{name}/"))
    if settings.broadcast.rounds:
        found.append(told("answer.copy_broadcast", places=", ".join(settings.broadcast.rounds.values())))
    return found
