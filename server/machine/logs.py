"""The log of a server: a file of a bounded size, with older ones beside it, and warnings on the terminal too.

No log holds what was said, moved or typed in a game; `server/machine/tasks.py` says how faults come into it.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from speech.complaint import Complaint, Phrase

LARGEST = 2_000_000
OLDER = 5
"""A log file of `LARGEST` bytes is put aside as `.1`; so many of these are kept."""
QUIET = ("aiohttp.access", "asyncio")
"""Loggers that would log each request, and each slow step of the program."""


class _PrivateFile(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return open(handle, "a", encoding="utf-8")  # noqa: PTH123  a descriptor is no path


def keep_log(file: Path, level: str) -> None:
    """Write the log of this process to a file from now on, times in UTC; `level`: "debug", "info", "warning", "error".

    Raises Complaint where the file cannot be written.
    """
    try:
        kept = _PrivateFile(file, maxBytes=LARGEST, backupCount=OLDER, encoding="utf-8")
    except OSError as wrong:
        raise Complaint(Phrase("files.log_unwritten", file=file, why=wrong.strerror)) from wrong
    form = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    form.converter = time.gmtime
    kept.setFormatter(form)
    told = logging.StreamHandler(sys.stderr)
    told.setLevel(logging.WARNING)
    told.setFormatter(logging.Formatter("%(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[kept, told], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
