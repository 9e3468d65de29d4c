"""The tables of the journal's file, and how it is opened.

The file is private, checked when it is opened, written ahead (WAL) and fully synchronous.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from server.journal.sqlite.written_ahead import commits_cut_off
from speech.complaint import Complaint, Phrase

APPLICATION_ID = 0x416E6E61  # "Anna"
SCHEMA_VERSION = 2
"""1: the events without a chain. 2: each event has its link, each other row its digest."""

CHAINED_SINCE = 2
OLDEST_SQLITE = (3, 37, 0)
"""STRICT tables came with 3.37."""

BUSY_MS = 1_000
"""How long a lock held by another program is waited for before the append fails."""

BINARY = getattr(os, "O_BINARY", 0)
"""How `os.open` is told that a file is no text: on Windows it is one without this."""

Connect = Callable[[Path], sqlite3.Connection]


class Damaged(Complaint):
    """The file is no longer whole, or is not what its name says; what can be read of it may be saved (`salvage.py`)."""


_log = logging.getLogger(__name__)

_TABLES = """
CREATE TABLE runs (
    run TEXT PRIMARY KEY CHECK (run <> ''),
    started_mono_ms INTEGER NOT NULL,
    started_wall_ms INTEGER NOT NULL,
    program_version TEXT NOT NULL
) STRICT;

CREATE TABLE outcomes (
    command TEXT PRIMARY KEY CHECK (length(command) = 32 AND command NOT GLOB '*[^0-9a-f]*'),
    "table" TEXT NOT NULL,
    station TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    "table" TEXT NOT NULL CHECK ("table" <> ''),
    seq INTEGER NOT NULL CHECK (seq >= 1),
    run TEXT NOT NULL REFERENCES runs (run),
    command TEXT NOT NULL CHECK (command = '' OR (length(command) = 32 AND command NOT GLOB '*[^0-9a-f]*')),
    station TEXT NOT NULL,
    seat TEXT NOT NULL,
    origin TEXT NOT NULL,
    mono_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY ("table", seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE witnesses (
    number INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (run),
    mono_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX witnesses_of_run ON witnesses (run, number);

-- Without a gap, from whatever process. This also stops INSERT OR REPLACE, which asks no DELETE trigger.
CREATE TRIGGER events_gapless BEFORE INSERT ON events
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE "table" = NEW."table")
BEGIN SELECT RAISE(ABORT, 'seq is not the next of its table'); END;

CREATE TRIGGER outcomes_once BEFORE INSERT ON outcomes
WHEN EXISTS (SELECT 1 FROM outcomes WHERE command = NEW.command)
BEGIN SELECT RAISE(ABORT, 'the command has its outcome already'); END;

CREATE TRIGGER runs_once BEFORE INSERT ON runs
WHEN EXISTS (SELECT 1 FROM runs WHERE run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'the run is recorded already'); END;

CREATE TRIGGER witnesses_in_order BEFORE INSERT ON witnesses
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM witnesses)
BEGIN SELECT RAISE(ABORT, 'number is not the next witness'); END;
"""

# What form 2 adds. Rows of form 1 keep NULL there: the record is only added to.
_CHAIN = """
ALTER TABLE events ADD COLUMN link BLOB;
ALTER TABLE outcomes ADD COLUMN digest BLOB;
ALTER TABLE witnesses ADD COLUMN digest BLOB;
ALTER TABLE runs ADD COLUMN digest BLOB;
"""


def _refusals() -> str:
    return "\n".join(
        f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;"
        for table in ("events", "outcomes", "witnesses", "runs")
        for act in ("UPDATE", "DELETE")
    )


def connect_writer(path: Path) -> sqlite3.Connection:
    """Return a connection for the one writer thread.

    It uses WAL, every commit is on disk before it returns, and foreign keys are on.
    """
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: past the drive's own cache; no effect elsewhere
        connection.execute("PRAGMA foreign_keys = ON")
        # The writer checkpoints after it has acknowledged, so that no commit waits for it.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write; it reads while the writer writes."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        timeout=BUSY_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
    )


def prepare_journal(path: Path, connect: Connect = connect_writer) -> None:
    """Make the journal's file (mode 0600) or check the one that is there.

    Raises:
        Complaint: the folder cannot be written, or the file is damaged, of a newer program or not a journal.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise Complaint(
            Phrase("record.old_sqlite", version=sqlite3.sqlite_version, oldest=".".join(map(str, OLDEST_SQLITE)))
        )
    try:
        make_private(path)
        cut_off = commits_cut_off(path.with_name(path.name + "-wal"))
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=path, why=wrong.strerror)) from wrong
    if cut_off > 1:  # before SQLite opens it, and deletes what it does not understand
        raise damage_of(path, f"what was written ahead was changed, and {cut_off} commits stand behind that place")
    try:
        with closing(connect(path)) as connection:
            _make_or_check(connection, path)
        sync_folder(path.parent)
    except sqlite3.OperationalError as wrong:
        raise Complaint(Phrase("record.locked", file=path, why=wrong)) from wrong
    except (sqlite3.DatabaseError, UnicodeError) as wrong:  # what SQLite says may quote damaged bytes
        raise damage_of(path, "SQLite cannot read it" if isinstance(wrong, UnicodeError) else str(wrong)) from wrong


def make_private(path: Path) -> None:
    """Create the file with mode 0600, or take other people's access from one that is there.

    Raises OSError.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def write_private(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file whole or not at all: private from its first byte, and on disk when this returns.

    `new`: it never replaces what is there. Raises OSError, FileExistsError among them; then nothing is left of it.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.new")
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not new or not _link_name(part, path):
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def _link_name(part: Path, path: Path) -> bool:
    """Give a new file its name; False where the file system, as of a memory stick, knows no links."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on disk; Windows does so by itself. Raises OSError."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_form(connection: sqlite3.Connection, path: Path) -> int:
    """Return the form of a journal. Raises Complaint unless the file is one, in a form this program reads."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise Damaged(f"{path} is not a journal of Anna Eins: choose another folder with --data.")
    if version > SCHEMA_VERSION:
        raise Complaint(Phrase("record.newer", record=path, form=version, most=SCHEMA_VERSION))
    return int(version)


def _make_or_check(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(connection):
            for statement in _statements(_TABLES + _refusals() + _CHAIN):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        else:
            form = check_form(connection, path)
            _check(connection, path, form)
            if form < SCHEMA_VERSION:
                for statement in _statements(_CHAIN):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _is_empty(connection: sqlite3.Connection) -> bool:
    numbers = [
        connection.execute(question).fetchone()[0]
        for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_schema")
    ]
    return not any(numbers)


def _check(connection: sqlite3.Connection, path: Path, form: int) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise damage_of(path, str(verdict).splitlines()[-1])
    _mend_form(connection, path, form)


def _mend_form(connection: sqlite3.Connection, path: Path, form: int) -> None:
    """Put the refusals to change the record back where somebody took them away or the disk changed them.

    Raises Complaint where a table is not as this program makes it.
    """
    with closing(sqlite3.connect(":memory:")) as ours:
        for statement in _statements(_TABLES + _refusals() + (_CHAIN if form >= CHAINED_SINCE else "")):
            ours.execute(statement)
        right = _form_of(ours)
    for kind, name in _form_of(connection).keys() | right.keys():
        found, due = _form_of(connection).get((kind, name)), right.get((kind, name))
        if found == due:
            continue
        if kind != "trigger":
            raise damage_of(path, f"its {kind} {name} is not in order")
        _log.warning("The refusal %s of the journal %s was changed; it is as it was made.", name, path)
        if found is not None:
            connection.execute('DROP TRIGGER "{}"'.format(name.replace('"', '""')))
        if due is not None:
            connection.execute(due)


def _form_of(connection: sqlite3.Connection) -> dict[tuple[str, str], str | None]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    return {(kind, name): sql for kind, name, sql in rows}


def damage_of(path: Path, detail: str) -> Damaged:
    """Return the complaint about a file that is no longer whole."""
    return Damaged(
        f"The journal {path} is damaged ({detail.rstrip('.')}): keep the whole folder as it is for the arbiter, and "
        "go on in another folder (--data) with the copies that the arbiter's pages hold (--restore-from)."
    )


def _statements(script: str) -> list[str]:
    # `executescript` would commit the transaction around it.
    statements: list[str] = []
    collected = ""
    for line in script.splitlines(keepends=True):
        collected += line
        if sqlite3.complete_statement(collected):
            statements.append(collected)
            collected = ""
    return statements
