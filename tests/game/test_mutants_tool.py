"""The tool that changes the core finds its functions, and the tests of a file notice what it changes there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.mutants.mutations import mutations
from tests.mutants.naming import names_of
from tests.mutants.swapping import parsed


def test_a_few_mutants_of_a_file_are_noticed_by_its_tests(repo: Path, tmp_path: Path) -> None:
    report = tmp_path / "mutants.json"
    asked = ["server/game/laws/results.py", "--tests", "tests/game/laws/test_results_and_duties.py", "--sample", "4"]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.mutants.run", *asked, "--jobs", "1", "--out", str(report)],
        cwd=repo,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    assert [one["found"] for one in json.loads(report.read_text("utf-8"))] == ["killed"] * 4


def test_constants_of_one_line_are_looked_for_by_each_name(repo: Path) -> None:
    module = parsed(repo / "server/game/laws/draws.py")
    limits = [one for one in mutations(module, {}) if one.text == "number: 3 -> 4" and not one.in_function]
    assert [names_of(module, one) for one in limits] == [{"THREEFOLD", "FIVEFOLD"}]
