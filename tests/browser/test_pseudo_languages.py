"""A language is one folder: two that nobody speaks, beside the program and not in it, and every page is walked in them.

What is left in English shows, for every letter of theirs has an accent or stands in another script. The one is a third
longer, and nothing of it may be cut off at 320 px (WCAG 1.4.10); the other runs from right to left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S
from tests.wording.pseudo_language import ACCENTED, MIRRORED, in_a_folder

pytestmark = pytest.mark.needs("chromium")

WALK_S = 4 * PATIENCE_S


@pytest.mark.parametrize("tag", [ACCENTED, pytest.param(MIRRORED, marks=pytest.mark.thorough)])
def test_a_folder_is_a_language_and_no_page_keeps_a_word_of_english(tmp_path: Path, repo: Path, tag: str) -> None:
    languages = in_a_folder(tmp_path / "languages", repo)
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.pseudo_walk", tag],
        cwd=repo, env=os.environ | languages, capture_output=True, text=True, timeout=WALK_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    walked = json.loads(done.stdout)
    assert walked["seen"] > 10_000
    assert walked["met"] == {}, "\n".join(f"{place}: {texts}" for place, texts in walked["met"].items())
