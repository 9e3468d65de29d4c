"""Reads the scripts of the pages with TypeScript's `tsc`, by the types in tests/web/types; part of `make check`.

python -m tests.web.page_types

Where there is no `tsc` it says so and passes, but where `ANNA_EINS_REQUIRE` names it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import PROBES, REPO, required

PROJECT = Path(__file__).resolve().parent / "types"


def complaints(static: Path = REPO / "server" / "web" / "static") -> str:
    """What `tsc` finds wrong with the scripts of a folder, or why it could not look; needs `tsc`."""
    tsc = shutil.which("tsc")
    assert tsc is not None
    if static.is_relative_to(REPO):
        return _run(tsc, PROJECT)
    project = static.parent / "tsconfig.json"
    there = {
        "extends": str(PROJECT / "tsconfig.json"),
        "compilerOptions": {"baseUrl": str(static)},
        "include": [str(PROJECT / "*.d.ts"), f"{static}/**/*.js"],
    }
    project.write_text(json.dumps(there), "utf-8")
    return _run(tsc, project)


def _run(tsc: str, project: Path) -> str:
    ran = subprocess.run([tsc, "--project", project], capture_output=True, text=True, check=False, cwd=REPO)
    found = ran.stdout + ran.stderr
    return found or (f"tsc ended with status {ran.returncode} and said nothing\n" if ran.returncode else "")


if __name__ == "__main__":
    present, reason = PROBES["tsc"]
    if present():
        found = complaints()
        print(found, end="")
        sys.exit(1 if found else 0)
    print(f"The types of the pages were not checked: {reason}")
    sys.exit(1 if "tsc" in required() else 0)
