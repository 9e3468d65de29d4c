"""`make mutants`: do the tests of the core notice small wrong changes in it?

One process collects the tests and learns which of them runs which line. For every mutant it forks a child in which the
changed function stands, and there only the tests that reach the line are run, until one fails. What cannot be changed
in a running process (defaults, class bodies, constants) is imported anew in a child that has seen nothing of the core.
Not part of `make test`. The report goes to `build/mutants.json`.

Why not mutmut (3.8.1 was tried): it changes no function that has a decorator, which is every rule (`@decides`) and
property of the core, and nothing outside functions, where half of the lines of acts, state and laws stand (fields,
defaults, tables). What it can do, the bodies of plain functions, is a part of the same loop here.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import pickle
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

import chess  # noqa: F401  (imported before the children are forked, as are msgspec and hypothesis)
import coverage
import hypothesis  # noqa: F401
import msgspec  # noqa: F401
import pytest

from tests.mutants.afresh import noticing_afresh
from tests.mutants.children import Report, outcomes
from tests.mutants.collected import (
    LastFault,
    Reach,
    caches_of_ours,
    few_examples,
    few_parameters,
    import_lines,
    noticing,
    reach,
)
from tests.mutants.mutations import Mutation, enumerations, mutations
from tests.mutants.naming import names_of, tests_naming
from tests.mutants.rows import show_rows
from tests.mutants.swapping import Swapper, parsed

REPO = Path(__file__).resolve().parents[2]
CORE = Path("server/game")
TESTS = ("tests/game", "tests/conformance")
MATING = "tests/game/mating"  # a corpus and a brute force of its own, for server/game/mating alone
NOT_RUN = ("tests/conformance/test_laws_status.py",)
EXAMPLES = 60
PARAMETERS = 40  # of one test at most, evenly drawn; all of them in the tests of mating
TOLD = os.dup(2)
SECONDS = 900.0  # of its own time that any mutant may take: all the tests of the core take a tenth of it


@dataclass(frozen=True)
class Mutant:
    """One change in one file, with its number in it."""

    file: Path
    number: int
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.file.relative_to(REPO)}:{self.mutation.line} {self.mutation.text}"


@dataclass
class Found:
    """What became of the mutants, and what the second pass needs."""

    reached: Reach
    outcome: dict[int, dict[str, Any]] = field(default_factory=dict)  # by the mutant's place in the list


def all_mutants(files: Sequence[str]) -> list[Mutant]:
    """Every mutant of the core, or of the named files."""
    core = sorted((REPO / CORE).rglob("*.py"))
    enums = enumerations([parsed(path) for path in core])
    chosen = [REPO / name for name in files] or [path for path in core if "mating" not in path.parts]
    return [Mutant(file, number, one) for file in chosen for number, one in enumerate(mutations(parsed(file), enums))]


class WithinOneProcess:
    """The first pass, within pytest: every mutant that a running process can take."""

    def __init__(self, mutants: Sequence[Mutant], workers: int, examples: int, target: Path) -> None:
        self.mutants, self.workers, self.examples, self.target = mutants, workers, examples, target
        self.fault = LastFault()
        self.tracer = coverage.Coverage(data_file=None, config_file=False, include=[f"{REPO / CORE}/*"])
        self.tracer.start()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        mating = [item for item in items if item.nodeid.startswith(MATING)]
        items[:] = few_parameters([item for item in items if item not in mating], PARAMETERS) + mating

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.tracer.stop()
        items = session.items
        few_examples(items, self.examples)
        gc.unfreeze()  # the collection of the tests froze what it made, and gc.get_objects() leaves that out
        swappers = {file: Swapper(file) for file in {mutant.file for mutant in self.mutants}}
        if not any(swapper.known for swapper in swappers.values()):
            raise SystemExit("The core was imported from elsewhere.")
        caches = caches_of_ours()
        gc.collect()
        gc.freeze()  # no child copies what it does not change; from here gc finds no functions and no caches
        begun = time.monotonic()
        reached = reach(items, caches, [REPO / CORE], _read_rules, 900)
        reached.at_import = import_lines(self.tracer)
        tell(f"{len(items)} tests run once in {time.monotonic() - begun:.0f} s, {reached.passed.count(False)} not used")
        found = Found(reached)
        jobs: list[tuple[int, Callable[[Report], None]]] = []
        for place, mutant in enumerate(self.mutants):
            tests = reached.tests_of(mutant.file, mutant.mutation.lines)
            ran_early = reached.at_import.get(str(mutant.file), set()) & set(mutant.mutation.lines)
            if not mutant.mutation.in_function:
                found.outcome[place] = {"found": "afresh"}
            elif not tests and not ran_early:
                found.outcome[place] = {"found": "no test"}
            else:
                change = _change(swappers[mutant.file], mutant.mutation)
                order = reached.in_turn(tests)
                jobs.append((place, noticing(items, order, reached, caches, self.fault, change)))
        follow(jobs, self.workers, found, self.mutants)
        for place, mutant in enumerate(self.mutants):
            early = reached.at_import.get(str(mutant.file), set()) & set(mutant.mutation.lines)
            if found.outcome[place]["found"] in ("not here", "survived" if early else "not here"):
                found.outcome[place] = {"found": "afresh"}
        self.target.write_bytes(pickle.dumps(found))
        return True


def _read_rules() -> None:
    from tests.game.laws.all_rules import load_rules

    load_rules()


def _change(swapper: Swapper, mutation: Mutation) -> Callable[[], bool]:
    return lambda: swapper.swap(mutation)


def follow(
    jobs: Sequence[tuple[int, Callable[[Report], None]]], workers: int, found: Found, mutants: Sequence[Mutant]
) -> None:
    """Run the jobs and note what each says; a child that ended by itself with no word is an error of ours."""
    begun, told = time.monotonic(), time.monotonic()
    for done, (place, said, status) in enumerate(outcomes(jobs, workers, SECONDS), 1):
        if said is None or "fault" in said:
            raise SystemExit(f"{mutants[place]}: the child failed ({status}): {said and said['fault']}")
        found.outcome[place] = said
        if said["found"] in ("survived", "hung"):
            tell(f"{said['found']}: {mutants[place]}")
        if time.monotonic() - told > 30 or done == len(jobs):
            told = time.monotonic()
            counts = Counter(one["found"] for one in found.outcome.values())
            tell(f"{done}/{len(jobs)} in {told - begun:.0f} s: {dict(counts)}")


def tell(text: str) -> None:
    """To the caller, also while pytest holds back what is printed."""
    os.write(TOLD, f"{text}\n".encode())


def first_pass(mutants: Sequence[Mutant], asked: argparse.Namespace) -> Found:
    """In a child, for this process must not import the core."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        target = Path(folder) / "found"
        pid = os.fork()
        if not pid:
            arguments = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", f"--rootdir={REPO}"]
            of_mating = any("mating" in mutant.file.parts for mutant in mutants)
            arguments += [f"--ignore={name}" for name in (NOT_RUN if of_mating else (*NOT_RUN, MATING))]
            plugin = WithinOneProcess(mutants, asked.jobs, asked.examples, target)
            rooms = tuple(asked.tests) or TESTS
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            try:
                ended = int(pytest.main([*arguments, *rooms], plugins=[plugin, plugin.fault]))
            finally:
                sys.stdout.flush()
                os._exit(ended if "ended" in locals() else 70)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if not target.exists():
            raise SystemExit(f"The tests could not be collected ({status}).")
        found: Found = pickle.loads(target.read_bytes())
        return found


def second_pass(mutants: Sequence[Mutant], found: Found, asked: argparse.Namespace) -> None:
    """Every mutant that needs the core imported anew."""
    reached = found.reached
    core = sorted((REPO / CORE).rglob("*.py"))
    files = {name.split("::")[0] for name in reached.names}
    texts = {name: (REPO / name).read_text(encoding="utf-8") for name in files}
    jobs = []
    for place, mutant in enumerate(mutants):
        if found.outcome[place]["found"] != "afresh":
            continue
        if mutant.mutation.in_function:
            tests = reached.tests_of(mutant.file, mutant.mutation.lines)
        else:
            tests = tests_naming(names_of(parsed(mutant.file), mutant.mutation), core, reached, texts)
            tests = tests or {test for known in reached.lines.get(str(mutant.file), {}).values() for test in known}
        if not tests:
            found.outcome[place] = {"found": "no test"}
            continue
        order = reached.in_turn(tests)
        names = {reached.names[test]: reached.seconds[test] for test in order}
        jobs.append((place, noticing_afresh(REPO, mutant.file, mutant.mutation, names, asked.examples)))
    follow(jobs, asked.jobs, found, mutants)


def main() -> int:
    """Run the mutants and print the score and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="only these files; else server/game without mating")
    parser.add_argument("--sample", type=int, default=0, help="only so many, drawn by --seed; 0: all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", action="store_true", help="for every requirement done, a mutant its tests kill")
    parser.add_argument("--only", choices=("bodies", "constants"), help="what is within functions, or what is not")
    parser.add_argument("--again", type=Path, help="only those that survived in this report")
    parser.add_argument("--tests", nargs="*", default=(), help="only these tests; else all tests of the core")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="at most so many examples of a random test")
    parser.add_argument("--out", type=Path, default=REPO / "build" / "mutants.json")
    asked = parser.parse_args()
    os.nice(15)
    os.chdir(REPO)
    sys.path.insert(0, str(REPO))
    if asked.rows:
        return show_rows(asked.jobs, asked.examples, asked.out.with_name("mutants-rows.md"), tell)
    mutants = all_mutants(asked.files)
    if asked.only:
        mutants = [mutant for mutant in mutants if mutant.mutation.in_function is (asked.only == "bodies")]
    if asked.again:
        before = {
            row["mutant"] for row in json.loads(asked.again.read_text()) if row["found"] in ("survived", "no test")
        }
        mutants = [mutant for mutant in mutants if str(mutant) in before]
    total = len(mutants)
    if asked.sample:
        random.Random(asked.seed).shuffle(mutants)
        mutants = mutants[: asked.sample]
    begun = time.monotonic()
    found = first_pass(mutants, asked)
    second_pass(mutants, found, asked)
    seconds = time.monotonic() - begun
    write_report(mutants, found, asked.out)
    counts = Counter(found.outcome[place]["found"] for place in range(len(mutants)))
    noticed = counts["killed"]
    low, high = wilson(noticed, len(mutants))
    print(
        f"score {noticed}/{len(mutants)} ({100 * noticed / max(1, len(mutants)):.1f} %, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f}); "
        f"not noticed: {counts['survived']} survived, {counts['hung']} hung, "
        f"{counts['no test']} on lines that no test runs; "
        f"{total} mutants in all, {seconds / 60:.0f} minutes"
    )
    return 0


def wilson(noticed: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, noticed / of
    middle, half = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)


def write_report(mutants: Sequence[Mutant], found: Found, out: Path) -> None:
    """Every mutant with what became of it, and the survivors in words."""
    out.parent.mkdir(parents=True, exist_ok=True)
    rows = []
    for place, mutant in enumerate(mutants):
        said = dict(found.outcome[place])
        test = said.get("test")
        said["test"] = found.reached.names[test] if isinstance(test, int) else test
        rows.append({"mutant": str(mutant), "number": mutant.number, **said})
        if said["found"] == "no test":
            print(f"no test: {mutant}")
    out.write_text("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
