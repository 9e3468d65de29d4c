"""`anna-eins say`: the contract of the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import wave
from pathlib import Path

import pytest

from server.cli import main
from server.cli.say import speak_text
from server.exports.handout import SPOKEN, instruction_lines
from speech.voices.voice import Manner
from speech.words.config_file import language_tags

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


@pytest.mark.law("L229")
@pytest.mark.parametrize("language", language_tags())
async def test_what_stands_on_a_seat_card_can_be_listened_to(language: str) -> None:
    lengths = {}
    for name in SPOKEN:
        sound = await speak_text(" ".join(instruction_lines(name, language)), language, Manner())
        lengths[name] = sound.duration_ms / 1000
    assert 10 < lengths["chess960_castling"] < 25 < lengths["opponent"] < 60


def test_an_instruction_becomes_a_file(repo: Path, tmp_path: Path) -> None:
    given = ["--instruction", "chess960_castling", "--out", "castling.wav", "--language", "en"]
    assert (say(repo, tmp_path, *given).returncode, say(repo, tmp_path, "Turm", *given).returncode) == (0, 2)
    with wave.open(str(tmp_path / "castling.wav")) as sound:
        assert sound.getnframes() / sound.getframerate() > 10


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["", "--out", "a.wav"], "There is nothing to speak"),
        (["Turm", "--out", "a.wav", "--language", "tlh"], 'eSpeak NG does not know the voice "tlh"'),
        (["Turm", "--out", "a.wav", "--speed", "9"], "The speed 9 is out of range"),
        (["Turm", "--out", "a.wav", "--variant", "nobody"], 'eSpeak NG does not know the voice variant "nobody"'),
        (["Turm", "--out", "missing/a.wav"], "cannot be written"),
        (["Turm", "--out", "a.mp3"], "must end in .wav or .flac"),
        (["Turm"], "This option is missing: '--out'"),
        (["Turm", "--out", "."], "is a folder"),
        (["x " * 600, "--out", "a.wav"], "speak it in parts"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["say", *arguments])
    told = capfd.readouterr()
    assert end.value.code == 2
    assert sentence in told.err
    assert told.err.count("\n") == 1 and "Traceback" not in told.err
    assert told.out == "" and list(tmp_path.iterdir()) == []
