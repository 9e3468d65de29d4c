"""`make mutants`: do the tests of the core notice small wrong changes in it?

Each mutant is one change in a copy of the tree in a temporary folder, with the tests of the core run over it until the
first failure. A mutant that passes them all survives: a rule that no test holds, or a change that makes no difference.
Not part of `make test`. `--sample 0` takes every mutant (hours); a sample is drawn by `--seed`, so it can be repeated.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from mutations import Mutation, mutations

REPO = Path(__file__).resolve().parents[2]
CORE = Path("server/play")
NOT_MUTATED = ("mating",)  # has a corpus and a brute force of its own
COPIED = ("server", "speech", "braille", "config", "docs", "tests", "pyproject.toml")
TESTS = ("tests/conformance", "tests/play")
TESTS_OF_RULES = ("tests/play_rules", *TESTS)  # for a mutant in server/play/rules
NOT_RUN = ("tests/conformance/test_laws_status.py", "tests/conformance/test_perft.py")


@dataclass(frozen=True)
class Mutant:
    """One change in one file."""

    file: Path
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.file}:{self.mutation.line} {self.mutation.text}"


def all_mutants(files: list[str]) -> list[Mutant]:
    """Every mutant of the core, or of the named files."""
    chosen = [Path(name) for name in files] or sorted(
        path.relative_to(REPO)
        for path in (REPO / CORE).rglob("*.py")
        if not set(path.relative_to(REPO / CORE).parts) & set(NOT_MUTATED)
    )
    return [Mutant(file, one) for file in chosen for one in mutations(_parsed(REPO / file))]


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@contextmanager
def copies(number: int) -> Iterator[list[Path]]:
    """Copies of the tree, one a job."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        made = [Path(folder) / str(index) for index in range(number)]
        for one in made:
            for name in COPIED:
                source = REPO / name
                if source.is_dir():
                    shutil.copytree(source, one / name, ignore=shutil.ignore_patterns("__pycache__", "mutants"))
                else:
                    shutil.copy2(source, one / name)
        yield made


def tests_pass(folder: Path, timeout: float, tests: tuple[str, ...]) -> bool | None:
    """Whether these tests pass in a copy; None where they did not end in time."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    command += [f"--ignore={name}" for name in NOT_RUN]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    try:
        ended = subprocess.run(
            [*command, *tests], cwd=folder, env=environment, capture_output=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    if ended.returncode not in (0, 1, 2, 3):  # 2, 3: the mutant does not even load, or pytest stumbles over it
        raise SystemExit(f"pytest ended with {ended.returncode}: {ended.stdout.decode()[-500:]}")
    return ended.returncode == 0


def outcome(mutant: Mutant, folder: Path, timeout: float) -> str:
    """`killed`, `timeout` or `survived`."""
    target = folder / mutant.file
    before = target.read_text(encoding="utf-8")
    target.write_text(mutant.mutation.applied(ast.parse(before)), encoding="utf-8")
    try:
        tests = TESTS_OF_RULES if "rules" in mutant.file.parts else TESTS
        passed = tests_pass(folder, timeout, tests)
    finally:
        target.write_text(before, encoding="utf-8")
    return "timeout" if passed is None else "survived" if passed else "killed"


def main() -> int:
    """Run a sample of mutants and print the score and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="only these files of server/play")
    parser.add_argument("--sample", type=int, default=60, help="how many mutants; 0: all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no further mutant after so long; 0: no end")
    asked = parser.parse_args()
    mutants = all_mutants(asked.files)
    total = len(mutants)
    random.Random(asked.seed).shuffle(mutants)
    chosen = mutants[: asked.sample] if asked.sample else mutants
    with copies(asked.jobs) as folders, ThreadPoolExecutor(asked.jobs) as pool:
        begun = time.monotonic()
        if tests_pass(folders[0], 600, TESTS_OF_RULES) is not True:
            raise SystemExit("The tests do not pass without any mutant: mend that first.")
        unmutated = time.monotonic() - begun
        timeout = 30 + 5 * unmutated
        print(f"{total} mutants, {len(chosen)} drawn with seed {asked.seed}; tests alone {unmutated:.0f} s", flush=True)
        free: Queue[Path] = Queue()
        for folder in folders:
            free.put(folder)

        def one(mutant: Mutant) -> str:
            if asked.minutes and time.monotonic() - begun > 60 * asked.minutes:
                return "not run"
            folder = free.get()
            try:
                found = outcome(mutant, folder, timeout)
            finally:
                free.put(folder)
            if found != "killed":
                print(f"{found}: {mutant}", flush=True)
            return found

        found = list(pool.map(one, chosen))
    run = len(found) - found.count("not run")
    noticed = found.count("killed") + found.count("timeout")
    share = f"{100 * noticed / run:.0f} %" if run else "none run"
    print(
        f"score {noticed}/{run} ({share}), {found.count('timeout')} of them by timeout; "
        f"{found.count('survived')} survived, {found.count('not run')} not run, of {total} mutants in {CORE}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
