"""A seat on the server's own devices: a spoken move arrives as announcement, its read-back comes out there, once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from speech.audio.flac import decode_flac
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resampled, write_wav
from speech.voices.joining import trimmed
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Manner, Segment
from speech.words.loading import load_scheme
from tests.speech.audio.virtual_cards import name_devices, pulseaudio

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


def alike(one: Sound, other: Sound) -> float:
    """How well two sounds match where they match best, 1 for the same."""
    count = min(len(one.array), len(other.array)) - 60
    piece = other.array[30 : 30 + count].astype(np.float64)
    found = [one.array[lag : lag + count].astype(np.float64) for lag in range(60)]
    return max(float(part @ piece / np.sqrt((part @ part) * (piece @ piece))) for part in found)


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
            timeout=200,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["level"], told["headset"]) == ("good", "proven"), "the tones went into the ear and not the microphone"
    assert told["announced"] == ["Springer Felix drei"] and len(told["kept"]) == 1
    assert told["spoken"] == ["Springer Felix drei"]
    heard = trimmed(read_wav(tmp_path / "ear.wav"))
    # The voice says the same words a little differently each time; what came out is one of those on record. The sink
    # has another rate, so its samples are not ours to the last bit.
    on_record = [decode_flac(file.read_bytes()) for file in (tmp_path / "data").rglob("told-*.flac")]
    spoken = max((trimmed(resampled(sound)) for sound in on_record), key=lambda sound: alike(heard, sound))
    assert abs(heard.duration_ms - spoken.duration_ms) <= 5, "once, and whole: from its first sound to its last"
    assert alike(heard, spoken) > 0.95, "as recorded (another phrase is far below; a busy machine drops a block)"
    assert not read_wav(tmp_path / "other.wav").array.any()
    assert told["alert"].startswith('Black: The sound device "no such card" cannot play (')
