"""A fault of the program itself goes to a log with its traceback, and the person gets one sentence."""

from __future__ import annotations

import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path


def record_fault(fault: BaseException, folder: Path | None = None) -> str:
    """Write the traceback to a log file and return one sentence that names the file."""
    place = folder or Path(tempfile.gettempdir())
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix=f"anna-eins-{stamp}-", suffix=".log", dir=place, delete=False, encoding="utf-8"
        ) as log:
            traceback.print_exception(fault, file=log)
            name = log.name
    except OSError:
        return f"Anna Eins met a fault of its own ({type(fault).__name__}) and could not write a log."
    return f"Anna Eins met a fault of its own ({type(fault).__name__}); the details are in {name}."
