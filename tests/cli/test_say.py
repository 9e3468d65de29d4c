"""`anna-eins say`: the contract of the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import wave
from pathlib import Path

import pytest

RUN = "from server.cli import main; main()"


def say(repo: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", RUN, "say", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(repo)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_phrase_becomes_a_file_and_the_next_one_another(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "speech.py").write_text("raise SystemExit('decoy')", encoding="utf-8")
    first = say(repo, tmp_path, "Cesar fuenf", "--out", "one.wav")
    second = say(repo, tmp_path, "Springer Gustav eins schlägt Hector drei", "--out", "two.wav", "--language", "de")
    for done in (first, second):
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lengths = []
    for name in ("one.wav", "two.wav"):
        with wave.open(str(tmp_path / name)) as sound:
            assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
            lengths.append(sound.getnframes() / sound.getframerate())
    assert 0.5 < lengths[0] < 1.5 < lengths[1] < 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["", "--out", "a.wav"], "There is nothing to say"),
        (["Turm", "--out", "a.wav", "--language", "tlh"], 'The voice "tlh" is not known'),
        (["Turm", "--out", "a.wav", "--speed", "9"], "The speed 9 is out of range"),
        (["Turm", "--out", "a.wav", "--variant", "nobody"], 'The voice variant "nobody" is not known'),
        (["Turm", "--out", "missing/a.wav"], "cannot be written"),
        (["Turm"], "Missing option '--out'"),
        (["Turm", "--out", "."], "is a directory"),
        (["x " * 600, "--out", "a.wav"], "say it in parts"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    repo: Path, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = say(repo, tmp_path, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert done.stdout == "" and list(tmp_path.iterdir()) == []
