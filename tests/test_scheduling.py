"""`make test` comes to an end, whatever a test does to the process in which it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import scheduling
from tests.conftest import roomy_memory
from tests.waiting import PATIENCE_S

TESTS = """
import os, time
import pytest

def test_ends_its_process(): os._exit(3)

@pytest.mark.timeout(1)
def test_waits_for_ever(): time.sleep(60)

@pytest.mark.parametrize("n", range({others}))
def test_is_well(n): pass
"""


@pytest.mark.parametrize("others", [1, 9])
def test_a_test_that_ends_its_process_or_hangs_fails_and_all_others_are_run(tmp_path: Path, others: int) -> None:
    # Its processes yield to none: they already have little of a busy machine's time.
    source = Path(scheduling.__file__).read_text("utf-8")
    (tmp_path / "scheduling.py").write_text(source.replace("os.nice(YIELDING)", "pass"), "utf-8")
    (tmp_path / "test_some.py").write_text(TESTS.format(others=others), "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = needs\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "scheduling", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": "."}, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert f"2 failed, {others} passed" in ran.stdout, ran.stdout


def test_folders_lie_in_memory_only_where_it_has_room(tmp_path: Path) -> None:
    assert roomy_memory(tmp_path / "none") is None
    assert roomy_memory(tmp_path, 1 << 60) is None
    assert roomy_memory(tmp_path, 0) in (tmp_path, None)
