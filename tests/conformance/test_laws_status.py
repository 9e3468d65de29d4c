"""docs/laws-status.md is honest: what it calls done, a named test carries as its mark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROW = re.compile(
    r"\| (?P<numbers>L\d{3}[L\d, -]*) \| (?P<status>\w+) \| (?P<where>.*?) \| (?P<tests>.*?) \| (?P<note>.*) \|"
)
SHOWN_ELSEWHERE = {"L004", "L133", "L141"}  # their notes say under which numbers


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


def marks_in(file: Path) -> set[str]:
    marks = re.findall(r"mark\.law\(([^)]*)\)", file.read_text(encoding="utf-8"))
    return {number for mark in marks for number in re.findall(r"L\d{3}", mark)}


def test_every_row_is_read_and_every_number_comes_once(repo: Path) -> None:
    lines = (repo / "docs" / "laws-status.md").read_text(encoding="utf-8").splitlines()
    assert len(rows(repo)) == sum(line.startswith("| L") for line in lines) > 40
    numbers = [number for row in rows(repo) for number in numbers_of(row["numbers"])]
    assert sorted(numbers) == [f"L{number:03d}" for number in range(1, 246)]
    assert {row["status"] for row in rows(repo)} <= {"done", "offered", "form", "none"}


def test_done_is_shown_by_a_test_that_is_there(repo: Path) -> None:
    for row in rows(repo):
        tests = re.findall(r"`([^`]+)`", row["tests"])
        marks: set[str] = set()
        for test in tests:
            assert (repo / test).is_file(), f"{row['numbers']}: {test} is not there"
            marks |= marks_in(repo / test)
        if row["status"] == "done":
            missing = set(numbers_of(row["numbers"])) - marks - SHOWN_ELSEWHERE
            assert not missing, f"{missing}: no named test carries the mark"
        if row["status"] == "none":
            assert not tests


@pytest.mark.parametrize("path", ["server", "speech", "braille", "config"])
def test_what_is_named_as_the_place_is_there(repo: Path, path: str) -> None:
    for row in rows(repo):
        for place in re.findall(rf"`?({path}/[a-z_/.]+)`?", row["where"]):
            assert (repo / place).exists(), f"{row['numbers']}: {place} is not there"
