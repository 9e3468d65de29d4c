"""The data folder holds all that a server keeps.

It is private to its owner, and one server at a time may use it.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout
from platformdirs import user_state_path

from speech.complaint import Complaint, Phrase
from speech.models.whisper import in_home, users_folder

LOCK_NAME = "anna-eins.lock"
HOLDER_NAME = "anna-eins.pid"
"""File that names the process which holds the lock; Windows lets nobody else read the locked file itself."""
WITNESS_VARIABLE = "ANNA_EINS_WITNESS"
_OURS = frozenset({LOCK_NAME, HOLDER_NAME, "journal.sqlite", "audio", "tls", "models", "profiles"})


def chosen_folder(given: Path | None = None) -> Path:
    """Return the data folder to use.

    `--data`, else `$ANNA_EINS_DATA`, else the user's data folder of this platform. Raises Complaint where the system
    names no such folder.
    """
    if given is not None:
        return given.expanduser().absolute()
    return users_folder()


def witness_folder() -> Path:
    """Return the folder of this machine's user, outside of every data folder, in which records are witnessed.

    `$ANNA_EINS_WITNESS`, else the one of this platform. Raises Complaint where the system names no such folder.
    """
    if named := os.environ.get(WITNESS_VARIABLE):
        return Path(named).expanduser().absolute()
    folder = in_home(lambda: user_state_path("anna-eins", appauthor=False) / "witness")
    if folder is None:
        raise Complaint(Phrase("folder.no_witness", variable=WITNESS_VARIABLE))
    return folder


class DataFolder:
    """Data folder of one server: made private, and with `lock` held until `close`.

    The lock also ends with the process.

    >>> with DataFolder.open(chosen_folder(), lock=True) as folder:
    ...     journal = Journal.open(folder.journal)
    """

    def __init__(self, root: Path, lock: FileLock | None = None) -> None:
        """Take a folder that exists; use `DataFolder.open`."""
        self.root = root
        self._lock = lock

    @property
    def journal(self) -> Path:
        """Return the file with the events of all tables."""
        return self.root / "journal.sqlite"

    @property
    def witnessed_as(self) -> str:
        """Return the name under which this record is witnessed: its real place, by whatever link it is reached."""
        return str(self.journal.resolve())

    @property
    def reserve(self) -> Path:
        """Return the file that keeps space back for the journal."""
        return self.root / "journal.reserve"

    @property
    def admissions(self) -> Path:
        """Return the file with the admissions of the stations."""
        return self.root / "admissions.sqlite"

    @property
    def audio(self) -> Path:
        """Return the folder of sound as evidence, with a folder for each table."""
        return self.root / "audio"

    @property
    def voices(self) -> Path:
        """Return the folder with the cache of spoken phrases."""
        return self.root / "voices"

    @property
    def models(self) -> Path:
        """Return the folder with the models that were fetched or added."""
        return self.root / "models"

    @property
    def profiles(self) -> Path:
        """Return the folder with players' voice profiles, a file for each voice and language."""
        return self.root / "profiles"

    @property
    def log(self) -> Path:
        """Return the folder of the logs."""
        return self.root / "log"

    @property
    def rounds(self) -> Path:
        """Return the folder with the games of each round as PGN, rewritten at every move."""
        return self.root / "rounds"

    @property
    def tombstones(self) -> Path:
        """Return the file that says of each deleted table how long its record was, and its last link."""
        return self.root / "deleted.json"

    @property
    def event_profile(self) -> Path:
        """Return the file with the event's profile, which holds for every round that is opened."""
        return self.root / "event.toml"

    @property
    def seat_cards(self) -> Path:
        """Return the file with the codes that stand on printed seat cards and were not used yet."""
        return self.root / "seat-cards.json"

    @property
    def boards(self) -> Path:
        """Return the folder with the keys of bridges to sensing boards."""
        return self.root / "boards"

    @property
    def evidence_key(self) -> Path:
        """Return the file with the key that signs the test of the device; a test that was left lies beside it."""
        return self.root / "approval" / "evidence.key"

    @property
    def copy_secret(self) -> Path:
        """Return the file with the secret from which the codes of the tables' copies are made."""
        return self.root / "copies.key"

    @property
    def tls(self) -> Path:
        """Return the folder with the certificate and its key."""
        return self.root / "tls"

    @classmethod
    def open(cls, root: Path, *, lock: bool) -> Self:
        """Make the folder and its subfolders (mode 0700) or check them; with `lock` take it for this process.

        Raises:
            Complaint: it cannot be made or written, is open to other users, or another server holds it.
        """
        root = root.absolute()
        try:
            _make_private(root)
            held = _take(root) if lock else None
            folder = cls(root, held)
            for place in (folder.audio, folder.voices, folder.log, folder.tls, folder.models, folder.profiles):
                place.mkdir(mode=0o700, exist_ok=True)
                place.chmod(0o700)
        except OSError as wrong:
            raise Complaint(Phrase("folder.unusable", folder=root, why=wrong.strerror)) from wrong
        return folder

    def close(self) -> None:
        """Let the folder go, so that another server may take it."""
        if self._lock is not None:
            (self.root / HOLDER_NAME).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _make_private(root: Path) -> None:
    if not root.exists():
        root.parent.mkdir(parents=True, exist_ok=True)
        root.mkdir(mode=0o700, exist_ok=True)
        return
    if not root.is_dir():
        raise Complaint(Phrase("folder.none", folder=root))
    # On Windows a user's folders are private by their access lists, which a mode does not show.
    if sys.platform != "win32":
        status = root.stat()
        if not stat.S_IMODE(status.st_mode) & 0o077:
            return
        names = {entry.name for entry in root.iterdir()}
        # Closing a folder that holds other things would lock other people out of them.
        if names and not names & _OURS:
            raise Complaint(Phrase("folder.open_to_others", folder=root))
        if status.st_uid != os.getuid():
            raise Complaint(Phrase("folder.of_another", folder=root))
        root.chmod(0o700)


def _take(root: Path) -> FileLock:
    # The system lets go of the lock when the process ends, however it ends; the file stays.
    lock = FileLock(root / LOCK_NAME, timeout=0, mode=0o600, thread_local=False)
    holder = root / HOLDER_NAME
    try:
        lock.acquire()
    except Timeout as wrong:
        pid = _read(holder)
        told = Phrase("folder.in_use", folder=root)
        if pid.isdigit():
            told = Phrase("folder.in_use_by", process=Phrase("folder.process", number=pid), folder=root)
        raise Complaint(told) from wrong
    holder.write_text(f"{os.getpid()}\n", "ascii")
    return lock


def _read(holder: Path) -> str:
    try:
        return holder.read_text("ascii", "replace")[:32].strip()
    except OSError:
        return ""
