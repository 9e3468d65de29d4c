"""A backup is a sealed copy of a whole data folder in another folder, made while the server goes on.

The copies that arbiters' devices hold (`backup.py`) have the record of one table each; this has all of it: the record,
the admissions, sounds, voices, keys and codes. It is sealed in the same way, with a code of sixteen squares. Contents
lie in pieces that are named by what is in them, so that a later backup writes only what is new; beside them lies an
index for each backup. Phrases, logs and Vosk models are left out: they can be had again. A record on PostgreSQL is
copied into files of SQLite first, and these are what the backup has of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from filelock import FileLock, Timeout

from server.game.values.saying import saying
from server.hall.backup import LATEST_MS, CopyKey, copy_key_of, key_in, secret_of
from server.hall.copying import copy_record
from server.hall.hall import Hall
from server.journal.sqlite.reader import JournalReader
from server.journal.sqlite.schema import connect_reader, prepare_journal, write_private
from server.journal.witnessed import Mark
from server.machine.data_folder import HOLDER_NAME, LOCK_NAME, DataFolder
from server.machine.version import program_version
from server.settings import BackupSettings
from speech.complaint import Complaint, Phrase

WHOLE = "the whole folder"
"""Text in the place of a table's name in the key; no table has a name with spaces."""
FORMAT, VERSION = "anna-eins-backup", 1
KEPT = 10
"""Number of backups kept; the pieces that only older ones have are deleted."""
PIECE = 1024 * 1024
LARGEST_INDEX = 64 * 1024 * 1024
DATABASES = ("journal.sqlite", "admissions.sqlite")
BACKUP_LOCK = "backup.lock"
TAKEN = "backup.taken"
"""The folder in a data folder into which a record on PostgreSQL is copied while a backup is made."""
WAIT_S = 30.0
"""Seconds that a backup waits for another one of the same folder."""
_LEFT_OUT = frozenset({"voices", "log", "models", "journal.reserve", LOCK_NAME, HOLDER_NAME, BACKUP_LOCK, TAKEN})
_NONCE = 12
_log = logging.getLogger(__name__)
Shown = Callable[[int, int], None]
"""Called with how many files are done, and of how many."""

Seen = dict[str, tuple[int, int]]
"""Pieces that were seen to be whole, each with its size and mtime_ns then."""


class KeptFile(msgspec.Struct, frozen=True):
    """One file of a data folder: its path in it, the names of its pieces, and its state when it was read.

    `size` and `mtime_ns` tell the next backup that a file need not be read again; 0 for a database.
    """

    path: str
    pieces: tuple[str, ...]
    size: int = 0
    mtime_ns: int = 0


class Index(msgspec.Struct, frozen=True):
    """Contents of one backup, made at `wall_ms`."""

    format: str
    version: int
    program: str
    wall_ms: int
    files: tuple[KeptFile, ...]
    tables: dict[str, Mark] = {}
    """How far each table's record had come: what a later start is compared with."""


class MadeBackup(msgspec.Struct, frozen=True):
    """Result of a backup: its place, the squares of its code, how many files, and the bytes written anew."""

    place: Path
    code: tuple[str, ...]
    files: int
    new_bytes: int


class RestoredFolder(msgspec.Struct, frozen=True):
    """Result of a restoration; `missing`: files that could not be had, none of them the record."""

    wall_ms: int
    tables: tuple[str, ...]
    files: int
    missing: tuple[str, ...]


def make_backup(
    data: DataFolder,
    folder: Path,
    wall_ms: int,
    shown: Shown = lambda done, of: None,
    address: str = "",
    seen: Seen | None = None,
) -> MadeBackup:
    """Write a backup of a data folder, also of one that is in use, into `folder`, which exists.

    `address`: of the record on PostgreSQL; "" where it lies in the data folder. `seen`: pieces that earlier backups of
    this run have seen whole; they are not read again, and this one adds to them. It blocks: in a server it belongs in a
    thread. Raises Complaint: `folder` is not there, lies in the data folder or cannot be written, another backup is
    being made, or the record cannot be read.
    """
    if not folder.is_dir():
        raise Complaint(Phrase("backup.gone", folder=folder))
    if folder.resolve().is_relative_to(data.root.resolve()):
        raise Complaint(Phrase("backup.inside", folder=folder))
    with _alone(data.root), _record_of(data, address) as record:
        return _make_backup(data, record, folder, wall_ms, shown, {} if seen is None else seen)


@contextmanager
def _record_of(data: DataFolder, address: str) -> Iterator[Path]:
    """Give the folder with the files of the record: the data folder, or one for a copy of a database. Raises Complaint.

    What is in a database when its copy begins is in the copy, and the copy is proved equal to it.
    """
    if not address:
        yield data.root
        return
    taken = data.root / TAKEN
    try:
        shutil.rmtree(taken, ignore_errors=True)  # of a backup that was killed
        asyncio.run(copy_record(address, str(taken)))
        yield taken
    finally:
        shutil.rmtree(taken, ignore_errors=True)


def _make_backup(data: DataFolder, record: Path, folder: Path, wall_ms: int, shown: Shown, seen: Seen) -> MadeBackup:
    key = copy_key_of(secret_of(data.copy_secret), WHOLE)
    place = _place(folder, key)
    pieces = _Pieces(place, key, seen)
    written = 0
    try:
        (place / "pieces").mkdir(mode=0o700, parents=True, exist_ok=True)
        last = next((index for one in reversed(_indexes(place)) if (index := _read(one, key)) is not None), None)
        before = {one.path: one for one in last.files} if last is not None else {}
        files: list[KeptFile] = []
        # Before anything is copied: the copy has at least what the index says.
        marks = _marks_in(record / DATABASES[0])
        databases = [(record, record / name) for name in DATABASES if (record / name).is_file()]
        paths = [*databases, *((data.root, path) for path in _other_files(data.root))]
        for number, (root, path) in enumerate(paths):
            shown(number, len(paths))
            kept, new = _keep(pieces, root, path, before)
            files += [kept] if kept is not None else []
            written += new
        index = Index(FORMAT, VERSION, program_version(), wall_ms, tuple(files), marks)
        write_private(
            place / f"{_stamp_after(place, wall_ms)}.index", _seal_file(key, msgspec.msgpack.encode(index), "index")
        )
        _drop_old(place, key)
        shown(len(paths), len(paths))
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=place, why=wrong.strerror)) from wrong
    return MadeBackup(place, key.squares, len(files), written)


def restore_backup(
    folder: Path, code: str, root: Path, at: str = "", shown: Shown = lambda done, of: None
) -> RestoredFolder:
    """Write what a backup holds into a data folder that is empty or not there yet. `at`: not the newest but this one.

    Raises Complaint: the code is not that of a backup there, nothing of that time is there, the data folder holds
    something, a path leads out of it, or the record in the backup is damaged; then nothing is written.
    """
    key = key_in(code, WHOLE)
    place = _place(folder, key)
    if not _indexes(place):
        raise Complaint(Phrase("backup.other_code", folder=folder))
    index = _newest(place, key, at)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise Complaint(Phrase("backup.not_empty", folder=root))
    for one in index.files:
        _inside(root, one.path)
    found = {one.path: _content(place, key, one) for one in index.files if one.path in DATABASES}
    if found.get("journal.sqlite") is None:
        raise Complaint(Phrase("backup.record_damaged", others=_others(place)))
    missing = [path for path, content in found.items() if content is None]
    with DataFolder.open(root, lock=True) as data:
        try:
            for number, one in enumerate(index.files):
                shown(number, len(index.files))
                content = found[one.path] if one.path in found else _content(place, key, one)
                if content is None:
                    missing += [one.path] if one.path not in missing else []
                    continue
                target = _inside(data.root, one.path)
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_private(target, content)
        except OSError as wrong:
            raise Complaint(Phrase("files.unwritten", place=root, why=wrong.strerror)) from wrong
        prepare_journal(data.journal)
        with JournalReader.open(data.journal) as journal:
            tables = tuple(journal.tables())
    shown(len(index.files), len(index.files))
    return RestoredFolder(index.wall_ms, tables, len(index.files) - len(missing), tuple(missing))


async def keep_backups(hall: Hall, wanted: BackupSettings, address: str = "") -> None:
    """Make a backup now, and then one every so many minutes, until this is cancelled.

    `address`: of the record on PostgreSQL; "" where it lies in the data folder. What fails is told to the arbiters
    once, until a backup succeeds again; the games go on.
    """
    failing = False
    seen: Seen = {}
    due, every_ms = hall.clock.mono_ms(), wanted.every_min * 60_000
    while True:
        await hall.clock.sleep_until(due)
        slept_through = (hall.clock.mono_ms() - due) // every_ms  # backups that nobody makes up for
        try:
            await asyncio.to_thread(_backed_up, hall.data, wanted.folder, hall.clock.wall_ms(), address, seen)
            failing = False
        except Complaint as wrong:
            _log.warning("%s", wrong)
            if not failing:
                hall.note_fault(saying("backup_failed"))
            failing = True
        due += (1 + slept_through) * every_ms


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Let one backup of a data folder be made at a time: the end of one would delete what another has just written."""
    try:
        with FileLock(root / BACKUP_LOCK, timeout=WAIT_S, mode=0o600, thread_local=False):
            yield
    except Timeout as wrong:
        raise Complaint(Phrase("backup.under_way", folder=root)) from wrong


def _backed_up(data: DataFolder, folder: str, wall_ms: int, address: str, seen: Seen) -> MadeBackup:
    return make_backup(data, Path(folder).expanduser(), wall_ms, address=address, seen=seen)


def marks_of_backup(data: DataFolder, folder: str) -> dict[str, Mark]:
    """Return how far the newest backup of a data folder had come, table by table; nothing where there is none."""
    try:
        key = copy_key_of(secret_of(data.copy_secret), WHOLE)
        return _newest(_place(Path(folder).expanduser(), key), key).tables if folder else {}
    except Complaint as wrong:
        _log.info("No backup is compared with the record: %s", wrong)
        return {}


def _marks_in(path: Path) -> dict[str, Mark]:
    if not path.is_file():
        return {}
    with JournalReader.open(path) as reader:
        found = {table: Mark(*reader.last_link(table)) for table in reader.tables()}
    return {table: mark for table, mark in found.items() if mark.link}


def _place(folder: Path, key: CopyKey) -> Path:
    return folder / f"{FORMAT}-{key.id}"


def _stamp(wall_ms: int) -> str:
    return datetime.fromtimestamp(wall_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _stamp_after(place: Path, wall_ms: int) -> str:
    """Return the name of a backup that is made now: the newest, also where the time of day was set back.

    A Raspberry Pi without the internet begins with a time that is too early. Named by that alone, the new backup would
    be taken for an old one: not restored, and dropped at once where there are enough.
    """
    there = [at + 1_000 for one in _indexes(place) if (at := _wall_of(one.stem)) is not None]
    return _stamp(max([wall_ms, *there]))


def _wall_of(stamp: str) -> int | None:
    """Return the time (ms) in the name of a backup; None where it is no such name.

    >>> _wall_of("20261130T063709Z")
    1796020629000
    """
    try:
        return round(datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()) * 1_000
    except ValueError:
        return None


def _indexes(place: Path) -> list[Path]:
    return sorted(place.glob("*.index"))


def _others(place: Path) -> Phrase:
    return Phrase("backup.others", names=", ".join(one.stem for one in _indexes(place)))


def _newest(place: Path, key: CopyKey, at: str = "") -> Index:
    """Return the newest index, or that of a time. Raises Complaint where it is not there or does not open."""
    chosen = [one for one in _indexes(place) if not at or one.stem == at]
    if not chosen:
        raise Complaint(Phrase("backup.none_of", at=at, others=_others(place)))
    index = _read(chosen[-1], key)
    if index is None:
        raise Complaint(Phrase("backup.damaged", name=chosen[-1].stem, others=_others(place)))
    if index.format != FORMAT or index.version > VERSION:
        raise Complaint(Phrase("backup.newer", name=chosen[-1].stem))
    return index


def _read(file: Path, key: CopyKey) -> Index | None:
    """Return the index in a file; None where it is damaged or was changed."""
    try:
        plain = _open_sealed(key, file.read_bytes(), "index")
        index = msgspec.msgpack.decode(plain, type=Index) if plain is not None else None
        return index if index is not None and 0 <= index.wall_ms < LATEST_MS else None
    except (OSError, msgspec.DecodeError, ValueError):
        return None


def _other_files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        top = path.relative_to(root).parts[0]
        database = any(top.startswith(name) for name in DATABASES)  # with what SQLite keeps beside it
        unfinished = path.suffix in (".part", ".new")
        if not database and top not in _LEFT_OUT and not unfinished and path.is_file() and not path.is_symlink():
            yield path


class _Pieces:
    """Pieces of the backups in one place. One that a disk has spoilt is written again where its content is kept."""

    def __init__(self, place: Path, key: CopyKey, seen: Seen) -> None:
        self._folder = place / "pieces"
        self._key = key
        self._seen = seen

    def are_whole(self, names: tuple[str, ...]) -> bool:
        """Say whether all of these are there and are what their names say."""
        return all(map(self._is_whole, names))

    def keep(self, piece: bytes) -> tuple[str, int]:
        """Keep a piece; return its name, and how many bytes were written for it."""
        named = _name_of(self._key, piece)
        if self._is_whole(named):
            return named, 0
        sealed = _seal_file(self._key, piece, named)
        write_private(self._folder / named, sealed)
        return named, len(sealed)

    def _is_whole(self, named: str) -> bool:
        """Say whether a piece is whole: as it was when it was last read, or read now."""
        try:
            status = (self._folder / named).stat()
        except OSError:
            return False
        stamp = (status.st_size, status.st_mtime_ns)
        if self._seen.get(named) != stamp:
            if _piece(self._folder, self._key, named) is None:
                self._seen.pop(named, None)
                return False
            self._seen[named] = stamp
        return True


def _name_of(key: CopyKey, piece: bytes) -> str:
    return hmac.digest(key.key, hashlib.sha256(piece).digest(), "sha256").hex()


def _piece(folder: Path, key: CopyKey, named: str) -> bytes | None:
    """Return the content of a piece; None where it is missing, damaged, or not what its name says."""
    try:
        piece = _open_sealed(key, (folder / named).read_bytes(), named)
    except (OSError, ValueError):
        return None
    return piece if piece is not None and _name_of(key, piece) == named else None


def _keep(pieces: _Pieces, root: Path, path: Path, before: dict[str, KeptFile]) -> tuple[KeptFile | None, int]:
    """Return a file as it is kept, and how many bytes were written for it; None where it has gone meanwhile."""
    name = path.relative_to(root).as_posix()
    size = mtime_ns = 0
    if name in DATABASES:
        content = _snapshot(path)
    else:
        try:
            status = path.stat()
            size, mtime_ns = status.st_size, status.st_mtime_ns
            known = before.get(name)
            if (
                known is not None
                and (known.size, known.mtime_ns) == (size, mtime_ns)
                and pieces.are_whole(known.pieces)
            ):
                return known, 0
            content = path.read_bytes()
        except FileNotFoundError:
            return None, 0
    kept = [pieces.keep(content[start : start + PIECE]) for start in range(0, len(content), PIECE)]
    return KeptFile(name, tuple(named for named, _ in kept), size, mtime_ns), sum(new for _, new in kept)


def _snapshot(path: Path) -> bytes:
    """Return a database as it is at one moment, while others write it. Raises Complaint."""
    try:
        with closing(connect_reader(path)) as live, closing(sqlite3.connect(":memory:")) as taken:
            live.backup(taken)
            return taken.serialize()
    except sqlite3.Error as wrong:
        raise Complaint(Phrase("files.unread", place=path, why=wrong)) from wrong


def _drop_old(place: Path, key: CopyKey) -> None:
    for old in _indexes(place)[:-KEPT]:
        old.unlink()
    kept = [index for one in _indexes(place) if (index := _read(one, key)) is not None]
    needed = {piece for index in kept for file in index.files for piece in file.pieces}
    for piece in (place / "pieces").iterdir():
        if piece.name not in needed:
            piece.unlink()


def _content(place: Path, key: CopyKey, file: KeptFile) -> bytes | None:
    """Return the content of a file; None where a piece is missing, damaged or changed."""
    found = [_piece(place / "pieces", key, named) for named in file.pieces]
    return None if None in found else b"".join(piece for piece in found if piece is not None)


def _inside(root: Path, name: str) -> Path:
    """Return where a file goes. Raises Complaint for a path that leads out of the folder."""
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or "\\" in name
        or "\0" in name
        or PureWindowsPath(name).drive
        or not path.parts
    ):
        raise Complaint(Phrase("backup.outside", name=name))
    return root / path


def _seal_file(key: CopyKey, plain: bytes, about: str) -> bytes:
    nonce = secrets.token_bytes(_NONCE)
    packed = zlib.compress(plain, 1)
    return nonce + ChaCha20Poly1305(key.key).encrypt(nonce, packed, f"{FORMAT} {about}".encode())


def _open_sealed(key: CopyKey, sealed: bytes, about: str) -> bytes | None:
    try:
        packed = ChaCha20Poly1305(key.key).decrypt(sealed[:_NONCE], sealed[_NONCE:], f"{FORMAT} {about}".encode())
    except (InvalidTag, ValueError):
        return None
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, LARGEST_INDEX)
    except zlib.error:  # who has the code can seal anything
        return None
    return None if unpacking.unconsumed_tail else plain
