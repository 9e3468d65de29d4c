"""`anna-eins backup` copies a data folder, sealed, while its server runs; `anna-eins restore` brings it back."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from time import time_ns

import click
import msgspec

from server.cli.keeping.progress import progress_bar
from server.cli.terminal.words import JSON, answer_text, in_own_words, tell, tell_facts, wrong
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
)
DATA = click.option("--data", type=click.Path(path_type=Path), metavar="DIR")


@click.command("backup", epilog="\b\nExample:\n  anna-eins backup /media/stick/backups")
@click.argument("folder", type=click.Path(path_type=Path))
@JSON
@RECORD
@DATA
def backup(folder: Path, as_json: bool, address: str, data: Path | None) -> None:
    """Copy the data folder, sealed, into FOLDER on another disk; its server may go on meanwhile.

    The same FOLDER can be named again: only what is new is then written, and the last ten backups are kept.
    """
    root = chosen_folder(data)
    if not address and not (root / "journal.sqlite").is_file():
        raise wrong("no_journal", folder=str(root))
    if not root.is_dir():
        raise wrong("no_data", folder=str(root))
    with progress_bar(answer_text("answer.backing_up")) as progress:
        made = make_backup(DataFolder(root), folder, time_ns() // 1_000_000, progress, address)
    if as_json:
        code = " ".join(made.code)
        tell_facts({"folder": str(made.place), "files": made.files, "new_bytes": made.new_bytes, "code": code})
        return
    tell("backed_up", files=made.files, place=str(made.place), kb=made.new_bytes // 1000)
    tell("keep_code")
    click.echo(f"  {' '.join(made.code)}")
    click.echo(f"  {spoken_code(made.code, 'de')}")


@click.command("restore", epilog="\b\nExample:\n  anna-eins restore /media/stick/backups --data anna-eins-data")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--code", metavar="SQUARES")
@click.option("--at", default="", metavar="TIME")
@JSON
@RECORD
@DATA
def restore(folder: Path, code: str | None, at: str, as_json: bool, address: str, data: Path | None) -> None:
    """Write the newest backup in FOLDER into a data folder that is empty or not there yet.

    With --record, the record goes on from there into a database that `record prepare` made ready.
    """
    root = chosen_folder(data)
    squares = code if code is not None else click.prompt(answer_text("ask.backup_code"))
    with progress_bar(answer_text("answer.restoring")) as progress:
        made = restore_backup(folder, squares, root, at, progress)
    if address:
        _move_record(root, address)
    if as_json:
        tell_facts({"folder": str(root), **msgspec.structs.asdict(made)})
        return
    until = datetime.fromtimestamp(made.wall_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    tell("restored", files=made.files, root=str(root), until=until)
    if made.tables:
        tell("restored_tables", tables=", ".join(made.tables))
    if made.missing:
        tell("restored_lacks", missing=", ".join(made.missing), err=True)


def _move_record(root: Path, address: str) -> None:
    """Move a restored record into a database; its files go when both are proved equal. Raises Complaint.

    Where that fails, the files stay, and `anna-eins record copy` can try again.
    """
    try:
        asyncio.run(copy_record(str(root), address))
    except Complaint as refused:
        command = f"anna-eins record copy {root} {answer_text('put_in.ADDRESS')}"
        raise wrong("not_in_database", folder=str(root), why=in_own_words(refused.told), command=command) from refused
    for name in DATABASES:
        for file in root.glob(f"{name}*"):
            file.unlink()
    tell("in_database")
