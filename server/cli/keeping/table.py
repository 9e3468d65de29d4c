"""`anna-eins table check` proves that a record goes on from a link; `table delete` deletes a table for good.

What is deleted is its record, its sounds, its admissions, its seat cards and its game in the file of the round, while
no server runs.

A tombstone stays, with the length and the last link of its record: so a deletion is no rollback, and a rollback no
deletion. What the command cannot reach is listed.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import click
import msgspec

from server.cli.keeping.backup import DATA, RECORD
from server.cli.terminal.words import JSON, answer_text, tell, tell_facts, wrong
from server.exports.exports import events_from
from server.exports.reports.reviewing import day_of
from server.exports.table_pgn import pgn_of
from server.game.game import Game
from server.game.state.state import GameState
from server.hall.record import database_of, reader_of
from server.hall.round_files import file_name
from server.journal.admissions_file import AdmissionsFile
from server.journal.chain import links
from server.journal.entry import Entry
from server.journal.journal import Journal
from server.journal.sqlite.schema import write_private
from server.journal.sqlite.store import delete_table
from server.journal.witnessed import Mark, Witnesses, tombstones_in
from server.machine.data_folder import DataFolder, chosen_folder, witness_folder
from server.machine.identity import TABLE_NAME
from server.settings import Settings, load_settings
from server.web.door.seat_cards import drop_cards

_log = logging.getLogger(__name__)


@click.group("table", epilog="\b\nExample:\n  anna-eins table delete r1-b2")
def command() -> None:
    """Check a table against a link of its chain, or delete it for good."""


@command.command("delete", epilog="\b\nExample:\n  anna-eins table delete r1-b2 --config settings.toml")
@click.argument("name")
@click.option("--yes", is_flag=True)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE")
@JSON
@RECORD
@DATA
def delete(name: str, yes: bool, config: Path | None, as_json: bool, address: str, data: Path | None) -> None:
    """Delete a table for good: its record, its sounds, its admissions.

    With --record, of a database, by the address of the role that owns it.
    """
    settings, root = load_settings(config), chosen_folder(data)
    if not address and not (root / "journal.sqlite").is_file():
        raise wrong("no_journal", folder=str(root))
    with DataFolder.open(root, lock=True) as folder:
        if not address:
            Journal.open(folder.journal).finish()  # in this program's own form, with nothing left written ahead
        if not yes and not click.confirm(answer_text("ask.delete_table", name=name), default=False):
            raise click.Abort
        mark = _delete_table(folder, settings, name, address)
        copies = _copies(folder, settings, name, address)
    if as_json:
        tell_facts({"table": name, "events": mark.events, "last": mark.link, "copies": copies})
        return
    tell("table_deleted", name=name, events=mark.events, last=mark.link)
    tell("copies_left")
    for line in copies:
        click.echo(f"  {line}")


@command.command("check", epilog="\b\nExample:\n  anna-eins table check r1-b2 9f86d081884c7d65...")
@click.argument("name")
@click.argument("link")
@JSON
@RECORD
@DATA
def check(name: str, link: str, as_json: bool, address: str, data: Path | None) -> None:
    """Say whether the record of a table goes on from a LINK that was printed or mailed before; a server may run."""
    with reader_of(data, address) as reader:
        entries, chain = reader.record(name)
    if not entries:
        raise wrong("no_such_table", name=name)
    asked = "".join(link.split()).lower()
    at = [one.hex() for one in links(b"", entries)]
    if chain.wrong or asked not in at:
        raise wrong("link_missing", name=name, number=len(entries))
    event = at.index(asked) + 1
    if as_json:
        tell_facts({"table": name, "event": event, "events": len(entries)})
        return
    tell("link_found", name=name, event=event, number=len(entries))


def _delete_table(folder: DataFolder, settings: Settings, name: str, address: str) -> Mark:
    round = _round_of(folder, name, address)
    if address:
        mark, counts, place = _deleted_from(address, name)
    else:
        mark, place = Mark(*delete_table(folder.journal, name)), folder.witnessed_as
        admissions = AdmissionsFile.open(folder.admissions)
        try:
            admissions.delete(name)
            counts = admissions.counts()
        finally:
            admissions.close()
    tombstones = {**tombstones_in(folder.tombstones), name: mark}
    write_private(folder.tombstones, msgspec.json.format(msgspec.json.encode(tombstones), indent=1))
    if TABLE_NAME.fullmatch(name):  # the record may have any, and no other has a folder
        shutil.rmtree(folder.audio / name, ignore_errors=True)
    drop_cards(folder.seat_cards, name)
    if round:
        _write_round_anew(folder, round, address)
    places = (witness_folder(), *(Path(one).expanduser() for one in settings.witness))
    witnesses = Witnesses(place, places)
    witnesses.load()
    witnesses.delete(name, mark.events, mark.link)
    witnesses.count(*counts)
    witnesses.write()
    return mark


def _deleted_from(address: str, name: str) -> tuple[Mark, tuple[int, int], str]:
    database = database_of(address)
    from server.journal.postgresql.deleting import delete_table

    events, link, counts = delete_table(database, name)
    return Mark(events, link), counts, database.witnessed_as


def _round_of(folder: DataFolder, name: str, address: str) -> str:
    """Return the round of a table; "" where it has none, or its record cannot be followed."""
    with reader_of(folder.root, address) as reader:
        state = _state_of(reader.record(name)[0], name)
    return "" if state is None else state.table.round


def _state_of(entries: list[Entry], name: str) -> GameState | None:
    try:
        return Game.replay(events_from(entries, name)) if entries else None
    except Exception as wrong:  # a record that no program can follow is deleted all the same
        _log.warning("The record of table %s cannot be followed: %s", name, wrong)
        return None


def _write_round_anew(folder: DataFolder, round: str, address: str) -> None:
    """Write the games of a round without a table that was deleted; a round without any has no file."""
    games: list[tuple[int, str, str]] = []
    with reader_of(folder.root, address) as reader:
        for table in reader.tables():
            entries = reader.record(table)[0]
            state = _state_of(entries, table)
            if state is not None and state.table.round == round:
                games.append((state.table.board_number, table, pgn_of(state, day_of(entries))))
    file = folder.rounds / file_name(round)
    if games and file.exists():
        write_private(file, "\n".join(game for _, _, game in sorted(games)).encode())
    else:
        file.unlink(missing_ok=True)


def _copies(folder: DataFolder, settings: Settings, name: str, address: str) -> list[str]:
    """Return where something of a deleted table may still be, a line each."""
    found = [answer_text("answer.copy_browser"), answer_text("answer.copy_paper")]
    damaged = sorted(one.name for one in folder.root.glob("*.damaged*"))
    if damaged:
        found.append(answer_text("answer.copy_damaged", folder=str(folder.root), names=", ".join(damaged)))
    found.append(answer_text("answer.copy_logs", folder=str(folder.log)))
    if address:
        found.append(answer_text("answer.copy_database"))
    if settings.backup.folder:
        found.append(answer_text("answer.copy_backup", folder=settings.backup.folder))
    else:
        found.append(answer_text("answer.copy_backups"))
    if settings.sounds:
        found.append(answer_text("answer.copy_bucket", place=f"{settings.sounds}/{name}/"))
    if settings.broadcast.rounds:
        found.append(answer_text("answer.copy_broadcast", places=", ".join(settings.broadcast.rounds.values())))
    return found
