"""Pip fetches packages and builds them; it installs nothing here."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from speech.complaint import Complaint, Phrase

_STANDARD_ERROR = 2


@contextmanager
def pip_here() -> Iterator[list[str]]:
    """Give a pip: this Python's own, else one in an environment for this alone (`uvx` and `pipx` may bring none).

    Raises Complaint where none can be made.
    """
    if find_spec("pip") is not None:
        yield [sys.executable, "-m", "pip"]
        return
    with tempfile.TemporaryDirectory(prefix="anna-eins-pip-") as place:
        try:
            venv.create(place, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as wrong:
            raise Complaint(Phrase("bundle.no_pip", package="python3-venv")) from wrong
        yield [str(Path(place) / ("Scripts" if sys.platform == "win32" else "bin") / "python"), "-m", "pip"]


def run_pip(command: Sequence[str], *, scratch: Path | None = None) -> None:
    """Run pip; `scratch`: the folder for what it needs meanwhile. Raises Complaint with its last word where it fails.

    What it says of its progress goes to standard error.
    """
    environment = dict(os.environ)
    if scratch is not None:
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    done = subprocess.run(
        command,
        stdout=_STANDARD_ERROR,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
        env=environment,
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        why = said[-1].removeprefix("ERROR: ").rstrip(".") if said else f"pip ended with {done.returncode}"
        raise Complaint(Phrase("bundle.not_fetched", why=why))
