"""`anna-eins record` on virtual sound cards: a volunteer answers each prompt, then the folder is measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli import main
from server.cli.measure import ALL
from server.cli.say import command as say
from speech.audio.level import levels
from speech.audio.wav import read_wav, resampled, write_wav
from speech.recording.folder import RecordingFolder
from tests.speech.audio.test_devices import virtual_card as virtual_card
from tests.speech.audio.virtual_cards import name_devices, pulseaudio

SCRIPT = Path(__file__).with_name("record_on_card_script.py")
PROMPTS = 2


@pytest.mark.needs("portaudio", "pulseaudio", "vosk")
def test_a_volunteer_is_recorded_and_the_folder_is_measured(
    tmp_path: Path, repo: Path, tmp_path_factory: pytest.TempPathFactory, capfd: Any
) -> None:
    """Each prompt is answered by a voice through the microphone's card; no word of the program's comes in."""
    home, folder = tmp_path_factory.mktemp("p", numbered=True) / "h", tmp_path / "kit"
    with pulseaudio(home, ("said", "heard")) as environment:
        name_devices(home, {"annamic": "said.monitor", "annaear": "heard"})
        command = [
            *(sys.executable, "-u", "-c", "from server.cli import main; main()", "record", str(folder), "--quiet"),
            *("--only", "announcements", "--announcements", str(PROMPTS), "--microphone", "annamic", "--seed", "2"),
        ]
        with subprocess.Popen(
            command,
            env=environment | {"PYTHONPATH": str(repo)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as guide:
            assert guide.stdin is not None and guide.stdout is not None and guide.stderr is not None
            guide.stdin.write("ja\n")
            guide.stdin.flush()
            shown = []
            for line in guide.stdout:
                shown.append(line.strip())
                number, _, said = line.strip().partition(f" von {PROMPTS}: ")
                if said:
                    answered(tmp_path / f"{number}.wav", said, environment)
            told = guide.stderr.read()
        assert guide.returncode == 0, told
    lines = [line.split("\t") for line in (folder / "table.tsv").read_text("utf-8").splitlines()]
    assert lines[0] == ["file", "person", "language", "said", "note"]
    assert [line[:3] for line in lines[1:]] == [[f"p01-00{n}.flac", "p01", "de"] for n in range(1, PROMPTS + 1)]
    assert "answer: ja" in (folder / "consent.txt").read_text("utf-8")
    plan = RecordingFolder(folder, "p01").plan()
    assert plan is not None and [line[3] for line in lines[1:]] == [prompt.said for prompt in plan.prompts]
    capfd.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["measure", str(folder), "--json", "--data", str(tmp_path / "data")])
    found = json.loads(capfd.readouterr().out)
    assert ended.value.code == 0 and list(found) == ["p01", ALL]
    assert (found["p01"]["n"], found["p01"]["right"], found["p01"]["accepted_wrong"]) == (PROMPTS, PROMPTS, 0)


def answered(wav: Path, said: str, environment: dict[str, str]) -> None:
    """Say it into the microphone's card, as loud as a person would."""
    if not wav.exists():
        assert CliRunner().invoke(say, [said, "--out", str(wav), "--language", "de"]).exit_code == 0
        sound = resampled(read_wav(wav))
        assert levels(sound.pcm).clipped == 0
        write_wav(wav, sound)
    subprocess.run(["paplay", "--device=said", str(wav)], env=environment, check=True, timeout=60)


@pytest.mark.needs("portaudio", "pulseaudio")
def test_our_own_voice_is_never_recorded(tmp_path: Path, repo: Path, virtual_card: dict[str, str]) -> None:
    """The card's microphone hears all that its loudspeaker plays; nobody else speaks, so the take is empty."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path / "kit")],
        env=virtual_card | {"PYTHONPATH": str(repo)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    judgement, peak, length = done.stdout.split()
    assert judgement == "empty" and float(peak) < -60 and int(length) >= 40_000
    assert not [*(tmp_path / "kit").glob("*.flac")]
