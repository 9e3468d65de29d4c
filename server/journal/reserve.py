"""Space on the disk is kept back for the record, and given up when the disk is full.

The reserve is a file of real blocks beside the journal. When an append finds no room, the file is deleted and the
append is tried once more. So the games can be brought to an orderly stop, and the arbiter can be told on record.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from pathlib import Path

RESERVE_BYTES = 32 * 1024 * 1024
"""A table takes about 50 kB an hour: enough for a hundred tables for six hours."""
LOW_BYTES = 512 * 1024 * 1024
"""Bytes free on the disk below which the arbiter is told beforehand."""
ENOUGH_BYTES = LOW_BYTES + 128 * 1024 * 1024
"""The arbiter is told again only after there was so much: the free room of a disk goes up and down by itself."""


class Reserve:
    """Space kept back on one disk for the record.

    `given_up`: it was given to the record, or there was never room for it.
    """

    def __init__(self, path: Path, size: int = RESERVE_BYTES) -> None:
        self.path = path
        self.size = size
        self.given_up = True

    def hold(self) -> bool:
        """Keep the space back, if the disk has as much again besides, and say whether it is kept. Blocks."""
        try:
            if self.path.is_file() and self.path.stat().st_size == self.size:
                self.given_up = False
            elif self.free() >= 2 * self.size:
                self._make()
                self.given_up = False
        except OSError:
            self.path.unlink(missing_ok=True)
        return not self.given_up

    def give_up(self) -> bool:
        """Give the space to the record, and say whether there was any. Blocks."""
        self.given_up = True
        try:
            self.path.unlink()
        except OSError:
            return False
        return True

    def free(self) -> int:
        """Return how many bytes are free on the disk, without those kept back. Raises OSError."""
        return shutil.disk_usage(self.path.parent).free

    def _make(self) -> None:
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(descriptor, 0, self.size)
            else:  # macOS: only what was written is certainly there
                for _ in range(self.size // 65_536):
                    os.write(descriptor, b"\1" * 65_536)
        finally:
            os.close(descriptor)


def is_full(wrong: BaseException) -> bool:
    """Say whether this error may mean that the disk has no room: SQLite tells some full disks as failed writes."""
    if isinstance(wrong, sqlite3.OperationalError):
        code = getattr(wrong, "sqlite_errorcode", 0) or 0
        return code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
    return isinstance(wrong, OSError) and wrong.errno in (errno.ENOSPC, errno.EDQUOT)
