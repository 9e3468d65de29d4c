"""The tool that changes the core finds its functions, and the tests of a file notice what it changes there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


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
