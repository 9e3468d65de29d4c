"""Does the quick way tell the truth? A sample of `build/mutants.json` again, each in a copy of the tree.

The changed file is written out in the copy and the tests of the core run over it in a fresh interpreter, all of them,
with all their examples. Prints where the two ways differ. A random test may find with all its examples what it misses
with few: such a mutant is noticed here and survives there. The other way round must not be.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutants.run import MATING, NOT_RUN, REPO, TESTS, all_mutants
from tests.mutants.swapping import parsed

COPIED = ("server", "speech", "braille", "config", "docs", "tests", "pyproject.toml")
SECONDS = 600.0


def copied(folder: Path) -> None:
    """A copy of the tree."""
    for name in COPIED:
        source = REPO / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "mutants"))
        else:
            shutil.copy2(source, folder / name)


def noticed(folder: Path) -> bool:
    """Whether the tests of the core fail in this copy, or do not end."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    command += [f"--ignore={name}" for name in (*NOT_RUN, MATING)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    try:
        ended = subprocess.run(
            [*command, *TESTS], cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    if ended.returncode not in (0, 1, 2, 3):  # 2, 3: the mutant does not even load, or pytest stumbles over it
        raise SystemExit(f"pytest ended with {ended.returncode}: {ended.stdout.decode()[-500:]}")
    return ended.returncode != 0


def main() -> int:
    """Print how many agree, and those that do not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, default=REPO / "build" / "mutants.json")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    os.nice(15)
    rows = json.loads(asked.report.read_text(encoding="utf-8"))
    mutants = {(str(one), one.number): one for one in all_mutants([])}
    random.Random(asked.seed).shuffle(rows)
    rows = rows[: asked.sample]
    alike = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        copied(folder)
        if noticed(folder):
            raise SystemExit("The tests do not pass without any mutant: mend that first.")
        for row in rows:
            mutant = mutants[row["mutant"], row["number"]]
            target = folder / mutant.file.relative_to(REPO)
            before = target.read_text(encoding="utf-8")
            target.write_text(ast.unparse(mutant.mutation.applied(parsed(mutant.file))) + "\n", encoding="utf-8")
            slow = noticed(folder)
            target.write_text(before, encoding="utf-8")
            quick = row["found"] in ("killed", "hung")
            alike += slow is quick
            if slow is not quick:
                print(f"quick: {row['found']}, slow: {'noticed' if slow else 'survived'}: {row['mutant']}", flush=True)
    print(f"{alike} of {len(rows)} alike")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
