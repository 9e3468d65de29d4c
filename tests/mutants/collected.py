"""The tests as pytest collected them: run one of them, know what it covers, run those that should notice a mutant."""

from __future__ import annotations

import gc
import pickle
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.children import Report, outcomes

Lines = dict[str, dict[int, list[int]]]  # file -> line -> tests
LOADING = "loading"
SPARE_SECONDS = 10.0  # over ten times what a test took; then a mutant hangs


@dataclass
class Reach:
    """What every test covers and how long it takes; what ran when the tests were only being collected."""

    names: list[str]
    passed: list[bool]
    seconds: list[float]
    lines: Lines
    at_import: dict[str, set[int]] = field(default_factory=dict)

    def tests_of(self, file: Path, lines: range) -> set[int]:
        """The tests that run any of these lines."""
        there = self.lines.get(str(file), {})
        return {test for line in lines for test in there.get(line, ()) if self.passed[test]}

    def in_turn(self, tests: set[int]) -> list[int]:
        """First some of every test, then its other parameters; the quick ones first."""
        seen: Counter[str] = Counter()
        turns: list[tuple[bool, int, float, int]] = []
        for test in sorted(tests, key=lambda one: (self.seconds[one], one)):
            base = self.names[test].split("[")[0]
            turns.append((self.seconds[test] > 1.0, seen[base] // 3, self.seconds[test], test))
            seen[base] += 1
        return [test for *_, test in sorted(turns)]


class LastFault:
    """Which kind of exception failed a test: an assertion, or any other."""

    def __init__(self) -> None:
        self.kind = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None:
            asserted = call.excinfo.errisinstance((AssertionError, pytest.fail.Exception))
            self.kind = "assertion" if asserted else call.excinfo.typename


def few_parameters(items: Sequence[pytest.Item], most: int) -> list[pytest.Item]:
    """Of every test at most so many of its parameters, evenly drawn."""
    alike: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        alike[item.nodeid.split("[")[0]].append(item)
    return [item for some in alike.values() for item in some[:: 1 + (len(some) - 1) // most]]


def few_examples(items: Sequence[pytest.Item], examples: int) -> None:
    """Hypothesis with few examples, always the same ones, no database, no deadline and no shrinking."""
    from hypothesis import HealthCheck, Phase, settings

    for item in items:
        function = getattr(item, "function", None)
        if function is not None and getattr(function, "is_hypothesis_test", False):
            before = function._hypothesis_internal_use_settings or settings.default
            assert before is not None
            function._hypothesis_internal_use_settings = settings(
                before,
                max_examples=min(before.max_examples, examples),
                derandomize=True,
                database=None,
                deadline=None,
                phases=(Phase.explicit, Phase.generate),
                suppress_health_check=list(HealthCheck),
            )


def caches_of_ours() -> list[Any]:
    """What was remembered while tests were collected was computed without a mutant: these are to be cleared."""
    return [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper) and _is_ours(one)]


def _is_ours(one: Any) -> bool:
    module = str(getattr(one, "__module__", "") or "")
    return module.startswith(("server", "speech", "braille", "core_table", "tests")) or "." not in module


def forget(caches: Sequence[Any]) -> None:
    for one in caches:
        one.cache_clear()


def reach(
    items: Sequence[pytest.Item],
    caches: Sequence[Any],
    rooms: Sequence[Path],
    prepare: Callable[[], object],
    seconds: float,
) -> Reach:
    """Every test once under coverage, in a child, so that this process stays as it was.

    What `prepare` runs (reading the rule sets, which tests do once for all) counts as reached by every test.
    """

    def job(report: Report) -> None:
        tracer = coverage.Coverage(data_file=None, config_file=False, include=[f"{room}/*" for room in rooms])
        passed, took = [], []
        forget(caches)
        tracer.start()
        tracer.switch_context(LOADING)
        prepare()
        of_the_core = [one for one in caches if one.__module__.startswith("server.game")]
        for number, item in enumerate(items):
            forget(of_the_core)
            tracer.switch_context(str(number))
            begun = time.process_time()
            following = items[number + 1] if number + 1 < len(items) else None
            reports = runtestprotocol(item, log=False, nextitem=following)
            took.append(time.process_time() - begun)
            passed.append(all(one.passed for one in reports))
        tracer.stop()
        data = tracer.get_data()
        lines: Lines = {}
        for file in data.measured_files():
            contexts = data.contexts_by_lineno(file)
            lines[file] = {
                line: list(range(len(items))) if LOADING in known else [int(one) for one in known]
                for line, known in contexts.items()
            }
        target.write_bytes(pickle.dumps((passed, took, lines)))
        report.write("done")

    import tempfile

    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        target = Path(folder) / "reach"
        for _, said, status in outcomes([("reach", job)], 1, seconds):
            if said != "done":
                raise SystemExit(f"The tests did not run through under coverage ({status}): {said}")
        passed, took, lines = pickle.loads(target.read_bytes())
    return Reach([item.nodeid for item in items], passed, took, lines)


def noticing(
    items: Sequence[pytest.Item],
    tests: Sequence[int],
    reached: Reach,
    caches: Sequence[Any],
    fault: LastFault,
    change: Callable[[], bool],
) -> Callable[[Report], None]:
    """A job: make the change, run these tests until one fails."""

    def job(report: Report) -> None:
        if not change():
            report.write({"found": "not here"})
            return
        gc.enable()
        forget(caches)
        for place, test in enumerate(tests):
            report.write({"found": "hung", "test": test})  # stands if the alarm ends this process
            alarm_in(reached.seconds[test])
            following = items[tests[place + 1]] if place + 1 < len(tests) else None
            reports = runtestprotocol(items[test], log=False, nextitem=following)
            if any(one.failed for one in reports):
                report.write({"found": "killed", "test": test, "by": fault.kind})
                return
        report.write({"found": "survived"})

    return job


def alarm_in(seconds: float) -> None:
    """End this process when a test that took so long uses far more of its own time now, whatever else runs here."""
    signal.setitimer(signal.ITIMER_PROF, SPARE_SECONDS + 10 * seconds)


def import_lines(tracer: coverage.Coverage) -> dict[str, set[int]]:
    """The lines that ran while the tests were imported and collected."""
    data = tracer.get_data()
    found: dict[str, set[int]] = defaultdict(set)
    for file in data.measured_files():
        found[file] |= set(data.lines(file) or ())
    return dict(found)
