"""A seat on the server's own devices: a spoken move arrives as announcement, its read-back comes out there, once."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from speech.audio.flac import decode_flac
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resample_sound, write_wav
from speech.voices.joining import trim_silence
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Manner, Segment
from speech.words.loading import load_scheme
from tests.speech.audio.virtual_cards import name_devices, pulseaudio
from tests.waiting import wait_until

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
        return resample_sound(await voice.render(segments, Manner(None, 0.85)))
    finally:
        await voice.close()


PIECE = 1_600
"""Samples: a tenth of a second."""
LATE = 8_000
"""So much later than expected a piece may come: a busy machine lets a moment pass between two blocks."""


def whole(heard: Sound, spoken: Sound) -> float:
    """The share of the loud pieces of what was spoken that are heard in their order, each at most `LATE`."""
    sound, place, found = heard.array.astype(np.float64), 0, []
    for start in range(0, len(spoken.array) - PIECE, PIECE):
        piece = spoken.array[start : start + PIECE].astype(np.float64)
        if piece @ piece < PIECE * 300**2:
            continue
        within = sound[max(0, place - PIECE) : place + PIECE + LATE]
        if len(within) < PIECE:
            found.append(False)
            continue
        energy = np.concatenate(([0.0], np.cumsum(within**2)))
        loud = np.sqrt((energy[PIECE:] - energy[:-PIECE]) * (piece @ piece)) + 1.0
        likeness = np.correlate(within, piece, "valid") / loud
        found.append(bool(likeness.max() > 0.95))
        if found[-1]:
            place = max(0, place - PIECE) + int(likeness.argmax()) + PIECE
    return sum(found) / len(found)


@pytest.mark.needs("portaudio", "pulseaudio")
def test_a_move_goes_in_by_the_microphone_and_its_read_back_out_by_the_headphones(
    tmp_path: Path, repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, said = tmp_path_factory.mktemp("p", numbered=True) / "h", asyncio.run(words())
    told: dict[str, Any] = {}

    def heard_all() -> bool:
        """A capture that lost sound on a machine that is too busy says nothing."""
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        write_wav(tmp_path / "said.wav", said)
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(tmp_path)],
            env=environment | {"PYTHONPATH": str(repo)},
            capture_output=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        told.update(json.loads(done.stdout.splitlines()[-1]))
        return not told["lost"]

    with pulseaudio(home, ("mic", "ear", "other")) as environment:
        name_devices(home, NAMES)
        wait_until(heard_all, lambda: f"this machine is too busy to hear what it plays: {told}")
    assert (told["level"], told["headset"]) == ("good", "proven"), "the tones went into the ear and not the microphone"
    assert told["announced"] == ["Springer Felix drei"] and len(told["kept"]) == 1
    assert told["spoken"] == ["Springer Felix drei"]
    heard = trim_silence(read_wav(tmp_path / "ear.wav"))
    # The voice says the same words a little differently each time; what came out is one of those on record. The sink
    # has another rate, so its samples are not ours to the last bit.
    on_record = [decode_flac(file.read_bytes()) for file in (tmp_path / "data").rglob("told-*.flac")]
    spoken = max((trim_silence(resample_sound(sound)) for sound in on_record), key=lambda sound: whole(heard, sound))
    assert whole(heard, spoken) > 0.7, "as recorded, from its first sound to its last"
    assert -5 <= heard.duration_ms - spoken.duration_ms <= LATE // 16, "once"
    assert not read_wav(tmp_path / "other.wav").array.any()
    assert told["alert"].startswith('Black: The sound device "no such card" cannot play (')


@pytest.mark.needs("portaudio", "pulseaudio")
def test_headphones_that_are_torn_out_are_told_once_and_heard_again_when_they_are_back(
    tmp_path: Path, repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("p", numbered=True) / "h"
    with pulseaudio(home, ("ear",)) as environment:
        name_devices(home, {"white_ear": "ear", "ear_heard": "ear.monitor"})
        done = subprocess.run(
            [sys.executable, str(SCRIPT.with_name("torn_card_script.py")), str(tmp_path), "1", "1"],
            env=environment | {"PYTHONPATH": str(repo)},
            capture_output=True,
            timeout=200,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told["alerts"]) == 1 and "white_ear" in told["alerts"][0]
    assert told["told_again"] == 0 and told["sounds"]
