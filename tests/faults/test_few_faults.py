"""A few of the faults of `make faults`, by the same tools: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.kills import lost_or_twice
from tests.faults.run import KINDS
from tests.faults.soak import scaled
from tests.faults.tally import Tally, shown


@pytest.mark.law("L066")
@pytest.mark.skipif(sys.platform != "linux", reason="these faults are made by Linux")
def test_a_few_faults_of_each_kind_break_nothing(repo: Path) -> None:
    """In a process of its own, because the tool forks and limits itself."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.faults.run", "--few"],
        cwd=repo,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for kind, (_, _, few) in KINDS.items():
        assert f"| {few} | 0 of {few} " in ended.stderr, (kind, ended.stderr)


@pytest.mark.law("L066")
@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("kind", [pytest.param("servers-killed", marks=pytest.mark.thorough), "servers-outage"])
def test_a_hall_that_servers_share_goes_on_after_a_fault(kind: str, repo: Path) -> None:
    """One play with real servers: the one that leads is killed; the database is away for six seconds.

    That another goes on for a killed one, `test_standby` and `test_several_servers` of the hall show too.
    A hundred of each fault are `make faults`.
    """
    ended = subprocess.run(
        [sys.executable, "-m", "tests.faults.run", "--only", kind, "--count", "1"],
        cwd=repo,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "| 1 | 0 of 1 " in ended.stderr, ended.stderr


async def test_a_few_tables_keep_time_by_a_scaled_clock() -> None:
    row, broken = await scaled(tables=4, hours=0.05, minutes=2, seed=1)
    assert broken == [] and row[1].endswith("4 clocks running")
    assert row[2:4] == ["0.00", "0 (1)"], "no drift; the one flag that was due fell at its millisecond"


def test_a_record_that_lost_a_command_is_not_passed(tmp_path: Path, repo: Path) -> None:
    """The tool itself notices what it looks for."""
    appended = "import asyncio, sys; from pathlib import Path; from tests.faults.disk import append_until_full\n"
    appended += "asyncio.run(append_until_full(Path(sys.argv[1]), None, True, print))"
    path = tmp_path / "journal.sqlite"
    said = subprocess.run(
        [sys.executable, "-c", appended, str(path)], cwd=repo, capture_output=True, text=True, timeout=60, check=True
    ).stdout.splitlines()
    acknowledged = {line.split()[2]: (line.split()[0], int(line.split()[1])) for line in said[:-1]}
    assert lost_or_twice(path, acknowledged) == []
    never = "f" * 32
    told = lost_or_twice(path, acknowledged | {never: ("t1", 26)})
    assert told == [f"command {never} of t1 was acknowledged and is lost", f"command {never} has lost its answer"]
    tally = Tally("x")
    for _ in tally.trials(2, 1):
        tally.check(tally.tried == 1, "wrong")
    assert shown("none", [tally]) == 1 and tally.row()[2].startswith("1 of 2")
