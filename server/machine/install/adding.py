"""How a package that an extra needs is added depends on the installation: here it is said for this one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from server.machine.install.starter import INSTALLED_FROM

PACKAGES = {"print": "typst", "postgresql": "psycopg[binary]", "s3": "obstore", "wyoming": "zeroconf"}
"""The extras of the program, and the package that each asks for."""
PROGRAM = "anna-eins"


def command_that_adds(extra: str, prefix: Path | None = None) -> str:
    """Return the command that adds the packages of an extra to this installation, or to that in `prefix`.

    A bundle was installed where there may be no internet: another is made, on a machine that has it. The program is on
    no package index, so the package is named and not the extra.
    """
    place, package = prefix or Path(sys.prefix), PACKAGES[extra]
    if (place / INSTALLED_FROM).is_file():
        return f"{PROGRAM} bundle FOLDER --with {extra}"
    if (place / "pipx_metadata.json").is_file():
        return f"pipx inject {PROGRAM} {shell_word(package)}"
    if (place / "uv-receipt.toml").is_file():
        return f"uv tool install {PROGRAM} --with {shell_word(package)}"
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    return f"{shell_word(str(python))} -m pip install {shell_word(package)}"


def shell_word(text: str) -> str:
    """Return a part of a command as the shell of this system takes it."""
    return (f'"{text}"' if " " in text else text) if sys.platform == "win32" else shlex.quote(text)
