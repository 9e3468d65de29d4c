"""docs/laws-status.md is honest: what it calls done is shown by a test that runs, with the number as its mark.

What counts is what pytest collects and would run, not what stands in the files: `tests/laws_shown.py` notes it as it is
collected, and what this session was not asked to collect is collected in a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.laws_shown import SHOWN, Shown

ROW = re.compile(
    r"\| (?P<numbers>L\d{3}[L\d, -]*) \| (?P<status>\w+) \| (?P<where>.*?) \| (?P<tests>.*?) \| (?P<note>.*) \|"
)
COLLECTING = """
import json, sys, pytest
from tests.laws_shown import SHOWN
class Told:
    def pytest_collection_finish(self, session):
        print("shown:" + json.dumps(session.config.stash[SHOWN]))
options = ["--collect-only", "-q", "-s", "-p", "no:cacheprovider"]
sys.exit(pytest.main([*options, *sys.argv[1:]], plugins=[Told()]))
"""


def numbers_of(text: str) -> list[str]:
    found = []
    for part in text.split(", "):
        first, _, last = part.partition("-")
        end = int((last or first)[1:])
        found += [f"L{number:03d}" for number in range(int(first[1:]), end + 1)]
    return found


def rows(repo: Path) -> list[re.Match[str]]:
    lines = (repo / "docs" / "laws-status.md").read_text(encoding="utf-8").splitlines()
    return [found for line in lines if (found := ROW.fullmatch(line))]


def files_of(row: re.Match[str]) -> list[str]:
    return re.findall(r"`([^`]+)`", row["tests"])


def collected_whole(config: pytest.Config, repo: Path, file: str) -> bool:
    """Whether this session was asked for every test of the file."""
    if config.getoption("lf", False) or any("::" in argument for argument in config.args):
        return False
    asked = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    return any((repo / file).is_relative_to(place) for place in asked) and file in config.stash[SHOWN]


def shown_by(config: pytest.Config, repo: Path, files: set[str]) -> Shown:
    """What the tests of these files show that would run here."""
    here = {file for file in files if collected_whole(config, repo, file)}
    found = {file: config.stash[SHOWN][file] for file in here}
    if missing := sorted(files - here):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        command = [sys.executable, "-c", COLLECTING, f"--rootdir={repo}", *missing]
        ended = subprocess.run(command, cwd=repo, env=environment, capture_output=True, text=True, check=False)
        told = [line for line in ended.stdout.splitlines() if line.startswith("shown:")]
        assert told, f"{ended.stdout[-1000:]}{ended.stderr[-1000:]}"
        found |= {file: shown for file, shown in json.loads(told[0].removeprefix("shown:")).items() if file in missing}
    return found


def test_every_row_is_read_and_every_number_comes_once(repo: Path) -> None:
    lines = (repo / "docs" / "laws-status.md").read_text(encoding="utf-8").splitlines()
    assert len(rows(repo)) == sum(line.startswith("| L") for line in lines) > 40
    numbers = [number for row in rows(repo) for number in numbers_of(row["numbers"])]
    assert sorted(numbers) == [f"L{number:03d}" for number in range(1, 246)]
    assert {row["status"] for row in rows(repo)} <= {"done", "offered", "form", "none"}


def test_done_is_shown_by_a_test_that_runs_and_no_file_is_named_for_nothing(
    request: pytest.FixtureRequest, repo: Path
) -> None:
    """A test that needs something of the machine counts for the file it is in, but no number rests on it alone."""
    shown = shown_by(request.config, repo, {file for row in rows(repo) for file in files_of(row)})
    wrong = []
    for row in rows(repo):
        numbers, here = set(numbers_of(row["numbers"])), {file: shown.get(file, {}) for file in files_of(row)}
        wrong += [f"{file} shows nothing of {row['numbers']}" for file in here if not numbers & set(here[file])]
        anywhere = {number for marks in here.values() for number, everywhere in marks.items() if everywhere}
        if row["status"] == "done":
            wrong += [f"{number}: no test that runs in a named file has the mark" for number in numbers - anywhere]
        if row["status"] == "none" and here:
            wrong.append(f"{row['numbers']} is not done and names tests")
    assert not wrong, "\n".join(wrong)


def test_what_is_skipped_or_must_fail_or_is_only_text_shows_nothing(tmp_path: Path, repo: Path) -> None:
    """The test of this test: five functions carry marks, one of them shows its number on every machine."""
    (tmp_path / "test_five.py").write_text(
        "import pytest\n"
        "@pytest.mark.law('L001')\ndef test_runs(): pass\n"
        "@pytest.mark.skip\n@pytest.mark.law('L002')\ndef test_skipped(): pass\n"
        "@pytest.mark.xfail\n@pytest.mark.law('L003')\ndef test_fails(): assert False\n"
        "@pytest.mark.law('L004')\ndef not_a_test(): pass\n# @pytest.mark.law('L005')\n"
        "@pytest.mark.needs('chromium')\n@pytest.mark.law('L006')\ndef test_needs(): pass\n"
    )
    command = [sys.executable, "-c", COLLECTING, "-p", "tests.laws_shown", "-c", str(repo / "pyproject.toml")]
    command += ["--rootdir", str(tmp_path), str(tmp_path)]
    ended = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    (told,) = [line for line in ended.stdout.splitlines() if line.startswith("shown:")]
    assert json.loads(told.removeprefix("shown:")) == {"test_five.py": {"L001": True, "L006": False}}


@pytest.mark.parametrize("path", ["server", "speech", "braille", "config"])
def test_what_is_named_as_the_place_is_there(repo: Path, path: str) -> None:
    for row in rows(repo):
        for place in re.findall(rf"`?({path}/[a-z0-9_/.]+)`?", row["where"]):
            assert (repo / place).exists(), f"{row['numbers']}: {place} is not there"
