"""Where the folders of tests lie: in memory, where the machine has much of it, else where the system puts them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
ROOM = 8 << 30
"""Bytes that must be free there, and in the machine; a whole run needs less."""


def roomy_memory(place: Path = MEMORY, room: int = ROOM) -> Path | None:
    """Return the folder in memory where it has room, and programs of a test may be started from it; else None."""
    if sys.platform != "linux" or not os.access(place, os.W_OK | os.X_OK):
        return None
    if os.statvfs(place).f_flag & os.ST_NOEXEC:
        return None
    free = min(shutil.disk_usage(place).free, psutil.virtual_memory().available)
    return place if free >= room else None
