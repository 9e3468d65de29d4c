"""Some of the messages and files of `make fuzz`, by the same tools."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_some_hostile_messages_and_files_of_each_kind_are_answered_in_one_sentence(repo: Path) -> None:
    """In a process of its own, because what is logged there counts as a fault."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", "--messages", "1200", "--files", "60", "--seed", "7"],
        cwd=repo,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "message | 1200 | 0 of 1200" in ended.stderr
