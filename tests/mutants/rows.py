"""`make mutants ARGS=--rows`: for every requirement that is called done, a wrong change that its own tests notice.

The rows come from docs/laws-status.md. Of a number's marked tests and the lines they run, those come first that lie in
the files the row names and that few other numbers' tests run; mutants there are tried against this number's tests
alone, until one is killed by an assertion (or, where none is, by another exception). The table goes to
`build/mutants-rows.md`.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.children import outcomes
from tests.mutants.collected import LastFault, Reach, caches_of_ours, few_examples, few_parameters, noticing, reach
from tests.mutants.mutations import Mutation, enumerations, mutations
from tests.mutants.swapping import Swapper, parsed

REPO = Path(__file__).resolve().parents[2]
CORE = REPO / "server" / "game"
ROOMS = ("server", "speech", "braille")
ROW = re.compile(r"\| (L\d{3}[L\d, -]*) \| done \| (.*?) \| (.*?) \|.*\|")
PARAMETERS = 4  # of one test at most, evenly drawn
EACH_ROUND, MOST = 4, 80
SECONDS = 120.0


@dataclass
class Number:
    """One requirement: where it lives, which tests show it, and what was found."""

    number: str
    places: list[Path]
    files: list[str]
    tests: set[int] = field(default_factory=set)
    queue: list[tuple[Path, Mutation, int]] = field(default_factory=list)  # the file, the change, the other numbers
    tried: int = 0
    killed: str = ""
    by_other: str = ""


def done_numbers() -> list[Number]:
    """Every number that docs/laws-status.md calls done."""
    found = []
    for line in (REPO / "docs" / "laws-status.md").read_text(encoding="utf-8").splitlines():
        if row := ROW.fullmatch(line):
            places = [REPO / one for one in re.findall(r"(?:server|speech|braille)/[a-z_0-9/.]+", row[2])]
            for number in _numbers(row[1]):
                found.append(Number(number, places, re.findall(r"`(tests/[^`]+)`", row[3])))
    return found


def _numbers(text: str) -> list[str]:
    found = []
    for part in text.split(", "):
        first, _, last = part.partition("-")
        found += [f"L{number:03d}" for number in range(int(first[1:]), int((last or first)[1:]) + 1)]
    return found


class ByNumber:
    """Within pytest, after collection: learn what every marked test runs, then look for a mutant a number."""

    def __init__(self, numbers: Sequence[Number], workers: int, examples: int, tell: Callable[[str], None]) -> None:
        self.numbers, self.workers, self.examples, self.tell = numbers, workers, examples, tell
        self.fault = LastFault()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        named = {file for number in self.numbers for file in number.files}
        wanted = {number.number for number in self.numbers}
        marked = [one for one in items if _marks(one) & wanted and one.nodeid.split("::")[0] in named]
        items[:] = few_parameters(marked, PARAMETERS)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = session.items
        few_examples(items, self.examples)
        for number in self.numbers:
            number.tests = {place for place, item in enumerate(items) if number.number in _marks(item)}
        files = sorted(path for room in ROOMS for path in (REPO / room).rglob("*.py"))
        gc.unfreeze()  # what the collection of the tests froze: gc.get_objects() leaves it out
        swappers = {file: Swapper(file) for file in files}
        caches = caches_of_ours()
        gc.collect()
        gc.freeze()
        self.tell(f"{len(items)} tests carry the marks of {len(self.numbers)} numbers")
        reached = reach(items, caches, [REPO / room for room in ROOMS], lambda: None, 1800)
        for name, passed in zip(reached.names, reached.passed, strict=True):
            if not passed:
                self.tell(f"not used, skipped or failing: {name}")
        self._queue(reached, files)
        jobs = {(number.number, place): number for number in self.numbers for place in range(len(number.queue))}
        while batch := [
            (number, place)
            for number in self.numbers
            if not number.killed
            for place in range(number.tried, min(number.tried + EACH_ROUND, len(number.queue)))
        ]:
            work = []
            for number, place in batch:
                file, mutation, _ = number.queue[place]
                tests = reached.tests_of(file, mutation.lines) & number.tests
                change = _change(swappers[file], mutation)
                job = noticing(items, reached.in_turn(tests), reached, caches, self.fault, change)
                work.append(((number.number, place), job))
            for key, said, status in outcomes(work, self.workers, SECONDS):
                self._note(jobs[key], key[1], said, status, reached)
            for number in self.numbers:
                number.tried = min(number.tried + EACH_ROUND, len(number.queue))
            self.tell(f"{sum(bool(one.killed) for one in self.numbers)} of {len(self.numbers)} numbers")
        return True

    def _queue(self, reached: Reach, files: Sequence[Path]) -> None:
        enums = enumerations([parsed(path) for path in files])
        numbers_of: dict[int, set[str]] = defaultdict(set)
        for number in self.numbers:
            for test in number.tests:
                numbers_of[test].add(number.number)
        queues: dict[str, list[tuple[Path, Mutation, int]]] = defaultdict(list)
        for file in files:
            known = reached.lines.get(str(file), {})
            if not known:
                continue
            within = {one.number for one in self.numbers if file.is_relative_to(CORE) or _is_within(file, one.places)}
            for mutation in mutations(parsed(file), enums):
                tests = reached.tests_of(file, mutation.lines) if mutation.in_function else set()
                meant = {number for test in tests for number in numbers_of[test]}
                for shown in meant & within:
                    queues[shown].append((file, mutation, len(meant) - 1))
        for number in self.numbers:
            places = number.places
            queue = sorted(queues[number.number], key=lambda one: (not _is_within(one[0], places), one[2]))
            number.queue = queue[:MOST]

    def _note(self, number: Number, place: int, said: dict[str, Any] | None, status: int, reached: Reach) -> None:
        if said is None or "fault" in said:
            raise SystemExit(f"{number.number}: the child failed ({status}): {said}")
        file, mutation, others = number.queue[place]
        if said["found"] == "killed":
            text = (
                f"{file.relative_to(REPO)}:{mutation.line} {mutation.text} | {reached.names[said['test']]} | {others}"
            )
            if said["by"] == "assertion":
                number.killed = number.killed or text
            else:
                number.by_other = number.by_other or f"{text} (by {said['by']})"


def _is_within(file: Path, places: Sequence[Path]) -> bool:
    return any(file == place or file.is_relative_to(place) for place in places)


def _marks(item: pytest.Item) -> set[str]:
    return {number for mark in item.iter_markers("law") for number in mark.args}


def _change(swapper: Swapper, mutation: Mutation) -> Callable[[], bool]:
    return lambda: swapper.swap(mutation)


def show_rows(workers: int, examples: int, out: Path, tell: Callable[[str], None]) -> int:
    """Run, print the table and write it; 0 where every done number has its mutant."""
    numbers = done_numbers()
    files = sorted({file for number in numbers for file in number.files})
    plugin = ByNumber(numbers, workers, examples, tell)
    arguments = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", f"--rootdir={REPO}"]
    kept = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    pytest.main([*arguments, *files], plugins=[plugin, plugin.fault])
    sys.stdout.flush()
    os.dup2(kept, 1)
    lines = ["| No | killed mutant | by the test | numbers whose tests run the line too |", "|---|---|---|---|"]
    for number in numbers:
        lines.append(f"| {number.number} | {number.killed or number.by_other or 'none found | - | -'} |")
    without = [one for one in numbers if not one.killed and not one.by_other]
    only_other = [one.number for one in numbers if not one.killed and one.by_other]
    summary = f"{len(numbers) - len(without)} of {len(numbers)} numbers called done have a mutant that their tests kill"
    lines += ["", summary, f"by another exception than an assertion: {', '.join(only_other) or 'none'}"]
    lines += [f"none found: {one.number} ({len(one.tests)} tests, {len(one.queue)} mutants tried)" for one in without]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    return int(bool(without))
