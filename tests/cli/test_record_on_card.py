"""`anna-eins record` on virtual sound cards: a volunteer answers each prompt, then the folder is measured."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from server.cli import main
from server.cli.measure import ALL
from server.cli.say import command as say
from speech.audio.flac import decode_flac
from speech.audio.level import levels
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resample_sound, write_wav
from speech.recording.folder import RecordingFolder
from speech.words.catalogue import load_messages
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
            *("--only", "announcements", "--announcements", str(PROMPTS), "--microphone", "annamic", "--seed", "3"),
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
    for number in range(1, PROMPTS + 1):
        played = span_ms(read_wav(tmp_path / f"{number}.wav"))
        kept = span_ms(decode_flac((folder / f"p01-00{number}.flac").read_bytes()))
        assert kept == pytest.approx(played, abs=20), "all of it, and nothing else"
    # What is measured is what was said: the sounds as they were played get the same figures.
    same = tmp_path / "played"
    same.mkdir()
    said_lines = [f"{number}.wav\tp01\tde\t{line[3]}\t\n" for number, line in enumerate(lines[1:], 1)]
    (same / "table.tsv").write_text("\t".join(lines[0]) + "\n" + "".join(said_lines), encoding="utf-8")
    for number in range(1, PROMPTS + 1):
        shutil.copy(tmp_path / f"{number}.wav", same)
    found, wanted = (figures_of(place, tmp_path / "data", capfd) for place in (folder, same))
    assert list(found) == ["p01", ALL] and found["p01"]["n"] == PROMPTS and found["p01"]["right"] >= 1
    assert found == wanted


def figures_of(folder: Path, data: Path, capfd: Any) -> dict[str, dict[str, int]]:
    """What `anna-eins measure` counts in a folder."""
    capfd.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["measure", str(folder), "--json", "--data", str(data)])
    assert ended.value.code == 0
    found: dict[str, dict[str, int]] = json.loads(capfd.readouterr().out)
    return found


def span_ms(sound: Sound) -> float:
    """From the first loud sample to the last."""
    loud = np.flatnonzero(np.abs(sound.array.astype(int)) > 200)
    return float(loud[-1] - loud[0]) * 1000 / sound.sample_rate


def answered(wav: Path, said: str, environment: dict[str, str]) -> None:
    """Say it into the microphone's card, as loud as a person would."""
    if not wav.exists():
        assert CliRunner().invoke(say, [said, "--out", str(wav), "--language", "de"]).exit_code == 0
        sound = resample_sound(read_wav(wav))
        assert levels(sound.pcm).clipped == 0
        write_wav(wav, sound)
    subprocess.run(["paplay", "--device=said", str(wav)], env=environment, check=True, timeout=60)


def at_a_terminal() -> None:
    """The child has the terminal to itself, and Ctrl-C as everybody has it: tests in the background have it ignored."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.needs("portaudio", "pulseaudio")
def test_at_a_terminal_one_key_stops_and_so_does_control_c(
    tmp_path: Path, repo: Path, virtual_card: dict[str, str]
) -> None:
    """The same command goes on afterwards, and nobody is asked for a consent twice."""
    words = load_messages("de", part="recording")
    for turn, (key, status, told) in enumerate((("0", 0, "lead.left"), ("\x03", 130, "lead.interrupted"))):
        here, there = pty.openpty()
        command = [
            *(sys.executable, "-c", "from server.cli import main; main()", "record", str(tmp_path / "kit"), "--quiet"),
            *("--only", "letters"),
        ]
        with subprocess.Popen(
            command,
            env=virtual_card | {"PYTHONPATH": str(repo)},
            stdin=there,
            stdout=there,
            stderr=there,
            start_new_session=True,
            preexec_fn=at_a_terminal,
        ) as guide:
            os.close(there)
            shown, agreed = "", False
            while part := read_terminal(here):
                shown += part
                if words.text("consent.ask", yes="ja") in shown and not agreed:
                    agreed = os.write(here, b"ja\n") > 0
                if "1 von 16: " in shown and key:
                    os.write(here, key.encode())
                    key = ""
        os.close(here)
        assert guide.returncode == status, shown
        assert (words.text("consent.title") in shown) == (turn == 0)
        assert words.text(told, number=0, of=16) in shown.replace("\r\n", "\n"), shown
    assert (tmp_path / "kit" / "table.tsv").read_text("utf-8").count("\n") == 1


def read_terminal(descriptor: int) -> str:
    """What a terminal shows next; nothing where its program has ended."""
    try:
        return os.read(descriptor, 4096).decode("utf-8", "replace")
    except OSError:
        return ""


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
