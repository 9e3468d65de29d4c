"""A language that is one folder beside the program speaks in the ear, on paper and in the terminal, without English."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE_S
from tests.wording.pseudo_language import ACCENTED, PSEUDO, WAYS, accented, english_in, in_a_folder

LOCALES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def said_in(tag: str, languages: dict[str, str], repo: Path) -> Any:
    environment = {name: value for name, value in os.environ.items() if name not in LOCALES}
    done = subprocess.run(
        [sys.executable, "-m", "tests.wording.pseudo_words", tag],
        cwd=repo, env=environment | languages | {"LANG": f"{tag}_XX.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("tag", PSEUDO)
def test_a_folder_is_a_language_in_the_ear_on_paper_and_in_the_terminal(tag: str, tmp_path: Path, repo: Path) -> None:
    said = said_in(tag, in_a_folder(tmp_path, repo), repo)
    assert set(PSEUDO) < set(said["tags"]) and said["own"] == tag
    assert said["not_understood"] == []
    assert said["met"] == {}, "\n".join(f"{place}: {words}" for place, words in said["met"].items())


def test_a_sentence_that_is_left_in_english_shows(tmp_path: Path, repo: Path) -> None:
    """One sentence for the ear and one of the terminal, as if the code had them and no catalogue."""
    languages = in_a_folder(tmp_path, repo)
    words = tmp_path / ACCENTED / "words"
    for file, sentence in (("messages.toml", "Please repeat."), ("commands.toml", "Serve the tables")):
        text = (words / file).read_text("utf-8")
        assert accented(sentence) in text
        (words / file).write_text(text.replace(accented(sentence), sentence), "utf-8")
    met = said_in(ACCENTED, languages, repo)["met"]
    assert met["ear Question"] == ["Please", "repeat"]
    assert met["help serve"] == ["Serve", "tables", "the"]


@pytest.mark.parametrize("tag", PSEUDO)
def test_what_a_translator_leaves_is_left(tag: str) -> None:
    say = WAYS[tag]
    kept = ("{word}", "`anna-eins serve --lan`", "https://x.org/a;", "Ctrl+Enter", "Nf3", "D.2.9", "config/a.toml")
    text = f"Type {' or '.join(kept)}"
    assert all(one in say(text) for one in kept)
    assert english_in(say(text)) == [] and english_in(text) == ["Type", *["or"] * 6]


def test_accented_english_is_a_third_longer() -> None:
    text = "The game has not been released by its arbiter; the clocks are stopped until then."
    assert 1.25 < len(accented(text)) / len(text) < 1.4
