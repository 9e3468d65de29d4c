"""A seat on the server's own devices: a spoken move arrives as announcement, its read-back comes out there, once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from virtual_cards import name_devices, pulseaudio

from speech.audio.flac import decode_flac
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resampled, write_wav
from speech.loading import load_scheme
from speech.voices.joining import trimmed
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Manner, Segment

SCRIPT = Path(__file__).with_name("device_station_script.py")
NAMES = {
    "white_mic": "mic.monitor",
    "white_ear": "ear",
    "to_white_mic": "mic",
    "ear_heard": "ear.monitor",
    "other_heard": "other.monitor",
}


async def words() -> Sound:
    scheme = load_scheme("d21", "de")
    chain = ("piece.knight", "file.f", "rank.3")
    voice = Pyttsx3Voice()
    try:
        segments = [Segment(scheme.spelling(word, "espeak"), "de") for word in chain]
        return resampled(await voice.render(segments, Manner(None, 0.85)))
    finally:
        await voice.close()


@pytest.mark.needs("portaudio", "pulseaudio")
def test_a_move_goes_in_by_the_microphone_and_its_read_back_out_by_the_headphones(
    tmp_path: Path, repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write_wav(tmp_path / "said.wav", asyncio.run(words()))
    home = tmp_path_factory.mktemp("p", numbered=True) / "h"
    with pulseaudio(home, ("mic", "ear", "other")) as environment:
        name_devices(home, NAMES)
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(tmp_path)],
            env=environment | {"PYTHONPATH": str(repo)},
            capture_output=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["level"] == "good"
    assert told["announced"] == ["Springer Felix drei"] and len(told["kept"]) == 1
    assert told["spoken"] == ["Springer Felix drei"]
    (file,) = (tmp_path / "data").rglob(f"{told['utterance']}.flac")
    spoken = trimmed(resampled(decode_flac(file.read_bytes())))
    heard = trimmed(read_wav(tmp_path / "ear.wav"))
    assert heard.duration_ms == spoken.duration_ms and heard.pcm == spoken.pcm, "once, whole, and as recorded"
    assert not read_wav(tmp_path / "other.wav").array.any()
    assert told["alert"].startswith('black: The sound device "no such card" cannot play (')
