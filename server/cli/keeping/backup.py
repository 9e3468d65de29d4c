"""`anna-eins backup` copies a data folder, sealed, while its server runs; `anna-eins restore` brings it back."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from time import time_ns

import click

from server.cli.keeping.progress import shown
from server.hall.copying import copy_record
from server.hall.folder_backup import DATABASES, make_backup, restore_backup
from server.hall.record import RECORD_VARIABLE
from server.machine.data_folder import DataFolder, chosen_folder
from server.web.door.access import spoken_code
from speech.complaint import Complaint

RECORD = click.option(
    "--record",
    "address",
    default="",
    envvar=RECORD_VARIABLE,
    metavar="ADDRESS",
    help="The record on PostgreSQL: postgresql://NAME@HOST/DATABASE.",
)
DATA = click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The data folder.")


@click.command("backup", epilog="\b\nExample:\n  anna-eins backup /media/stick/backups")
@click.argument("folder", type=click.Path(path_type=Path))
@RECORD
@DATA
def backup(folder: Path, address: str, data: Path | None) -> None:
    """Copy the data folder, sealed, into FOLDER on another disk; its server may go on meanwhile.

    The same FOLDER can be named again: only what is new is then written, and the last ten backups are kept.
    """
    root = chosen_folder(data)
    if not address and not (root / "journal.sqlite").is_file():
        raise Complaint(
            f"There is no journal in {root}: name the data folder with --data, or a record on PostgreSQL with --record."
        )
    if not root.is_dir():
        raise Complaint(f"There is no data folder {root}: name the one of the hall with --data.")
    with shown("Backing up") as progress:
        made = make_backup(DataFolder(root), folder, time_ns() // 1_000_000, progress, address)
    click.echo(f"{made.files} files are backed up in {made.place} ({made.new_bytes // 1000} kB were new).")
    click.echo("Without this code nobody can restore it, so write it down and keep it elsewhere:")
    click.echo(f"  {' '.join(made.code)}")
    click.echo(f"  {spoken_code(made.code, 'de')}")


@click.command("restore", epilog="\b\nExample:\n  anna-eins restore /media/stick/backups --data anna-eins-data")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--code", metavar="SQUARES", help="The code of the backup; else asked for.")
@click.option("--at", default="", metavar="TIME", help="Not the newest one, but that of 20260131T120000Z (UTC).")
@RECORD
@DATA
def restore(folder: Path, code: str | None, at: str, address: str, data: Path | None) -> None:
    """Write the newest backup in FOLDER into a data folder that is empty or not there yet.

    With --record, the record goes on from there into a database that `record prepare` made ready.
    """
    root = chosen_folder(data)
    squares = code if code is not None else click.prompt("The code of the backup, sixteen squares")
    with shown("Restoring") as progress:
        made = restore_backup(folder, squares, root, at, progress)
    if address:
        _move_record(root, address)
    until = datetime.fromtimestamp(made.wall_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    click.echo(f"{made.files} files are restored to {root}, as they were at {until}.")
    if made.tables:
        click.echo(
            f"Tables: {', '.join(made.tables)}. Before a game goes on, compare boards, scores and clocks with it."
        )
    if made.missing:
        click.echo(f"These were damaged or missing in the backup: {', '.join(made.missing)}.", err=True)


def _move_record(root: Path, address: str) -> None:
    """Move a restored record into a database; its files go when both are proved equal. Raises Complaint.

    Where that fails, the files stay, and `anna-eins record copy` can try again.
    """
    try:
        asyncio.run(copy_record(str(root), address))
    except Complaint as wrong:
        raise Complaint(
            f"All is restored to {root}, but the record is not in the database: {wrong} "
            f"Then try: anna-eins record copy {root} ADDRESS"
        ) from wrong
    for name in DATABASES:
        for file in root.glob(f"{name}*"):
            file.unlink()
    click.echo("The record is in the database.")
