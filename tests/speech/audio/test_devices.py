"""The sound card: what was played is what came out, once; it can be interrupted; the microphone is deaf meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from speech.audio.devices import AHEAD_S, PlayingIds, _channels_for
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resample_sound, write_wav
from speech.voices.joining import trim_silence
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment
from tests.speech.audio.virtual_cards import pulseaudio
from tests.waiting import wait_until

SCRIPT = Path(__file__).with_name("sound_card_script.py")


@pytest.fixture
def virtual_card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A PulseAudio of our own with one card whose microphone hears what its loudspeaker plays."""
    with pulseaudio(tmp_path_factory.mktemp("p", numbered=True) / "h", ("vspk",)) as environment:
        yield environment | {"PULSE_SINK": "vspk", "PULSE_SOURCE": "vspk.monitor"}


def loud(sound: Sound) -> npt.NDArray[np.int16]:
    """The samples that are not silence, in order."""
    return sound.array[sound.array != 0]


def run_script(folder: Path, repo: Path, environment: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder)],
        env=environment | {"PYTHONPATH": str(repo)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.needs("portaudio", "pulseaudio")
def test_one_ear_alone_hears_what_is_balanced_to_it(
    tmp_path: Path, repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tone = (np.sin(np.arange(8_000) * 0.2) * 8_000).astype("<i2")
    write_wav(tmp_path / "played.wav", Sound(tone.tobytes(), 16_000))
    home = tmp_path_factory.mktemp("p", numbered=True) / "h"
    with pulseaudio(home, ("both",), channels=2) as environment:
        environment |= {"PULSE_SINK": "both", "PYTHONPATH": str(repo)}
        parts = (
            "parec",
            "-d",
            "both.monitor",
            "--format=s16le",
            "--rate=16000",
            "--channels=2",
            "--raw",
            "--latency-msec=20",
        )
        # Into a file: a pipe that nobody reads is full after a second.
        with (tmp_path / "heard").open("wb") as kept, subprocess.Popen(parts, env=environment, stdout=kept) as heard:
            wait_until(lambda: (tmp_path / "heard").stat().st_size > 0, lambda: "nothing listens")
            done = subprocess.run(
                [sys.executable, str(SCRIPT.with_name("balance_on_card_script.py")), str(tmp_path)],
                env=environment,
                capture_output=True,
                timeout=60,
                check=False,
            )
            heard.terminate()
    pcm = (tmp_path / "heard").read_bytes()
    assert done.returncode == 0, done.stderr.decode()
    frames = np.frombuffer(pcm[: len(pcm) // 4 * 4], "<i2").reshape(-1, 2).astype(np.float64)
    left, right = np.abs(frames).T
    loud = np.flatnonzero(np.maximum(left, right) > 50)
    begins = [loud[0], *(after for before, after in pairwise(loud) if after - before > 8_000)]
    assert len(begins) == 3, "once each"
    for begin, ears in zip(begins, ((True, True), (True, False), (False, True)), strict=True):
        part = slice(begin, begin + 7_000)
        assert [bool(left[part].max() > 7_000), bool(right[part].max() > 7_000)] == list(ears)
        assert all(heard or not one[part].max() for heard, one in zip(ears, (left, right), strict=True))


class _OneChannel:
    """A sound card without a second ear, or one that takes nothing but two channels."""

    class PortAudioError(Exception):
        """As its own."""

    def __init__(self, channels: int, mono: bool = True) -> None:
        self._channels = channels
        self._mono = mono

    def query_devices(self, _device: object, _way: str) -> dict[str, int]:
        return {"max_output_channels": self._channels}

    def check_output_settings(self, *, device: object, channels: int, dtype: str) -> None:
        if channels == 1 and not self._mono:
            raise self.PortAudioError("invalid number of channels")


@pytest.mark.parametrize(
    ("card", "balance", "channels"),
    [
        (_OneChannel(1), 0, 1),
        (_OneChannel(1), -100, 1),
        (_OneChannel(2), 0, 1),
        (_OneChannel(2), 40, 2),
        (_OneChannel(2, mono=False), 0, 2),
    ],
)
def test_a_card_is_given_as_many_channels_as_it_takes(card: Any, balance: int, channels: int) -> None:
    assert _channels_for(card, None, balance) == channels


@pytest.mark.needs("portaudio", "pulseaudio")
async def test_what_was_played_is_what_came_out_once(tmp_path: Path, repo: Path, virtual_card: dict[str, str]) -> None:
    voice = Pyttsx3Voice()
    played = trim_silence(resample_sound(await voice.render([Segment("Springer Gustav eins schlägt Eva fünf", "de")])))
    await voice.close()
    write_wav(tmp_path / "played.wav", played)
    told: dict[str, Any] = {}

    def heard_all() -> bool:
        """A capture that lost sound on a machine that is too busy says nothing."""
        told.update(run_script(tmp_path, repo, virtual_card))
        return not any(told[name]["overflows"] for name in ("whole", "stopped", "muted"))

    wait_until(heard_all, lambda: f"this machine is too busy to hear what it plays: {told}")
    assert told["available"] is True
    assert "pulse" in told["devices"]
    assert told["ahead_s"] == pytest.approx(AHEAD_S, abs=0.01), "as much as keeps a phrase whole on a busy machine"
    whole, stopped, muted = told["whole"], told["stopped"], told["muted"]

    heard = read_wav(tmp_path / "whole.wav")
    # A loudspeaker that was served late on a busy machine is silent for a moment: what is not silence must be ours.
    assert np.array_equal(loud(heard), loud(played))
    assert whole["how"] == "played" and not whole["muted_after"]
    assert whole["first_samples"] == list(range(0, 320 * len(whole["first_samples"]), 320))
    assert played.duration_ms / 1000 <= whole["took_s"]

    part, all_of_it = loud(read_wav(tmp_path / "stopped.wav")), loud(played)
    assert stopped["how"] == "stopped" and not stopped["muted_after"]
    assert 0 < len(part) < len(all_of_it), "it fell silent before its end"
    assert np.array_equal(part, all_of_it[: len(part)])

    assert muted["how"] == "played"
    quiet = trim_silence(read_wav(tmp_path / "muted.wav"))
    assert quiet.duration_ms < 200, "the microphone heard our own voice"
    steps = {after - before for before, after in zip(muted["first_samples"], muted["first_samples"][1:], strict=False)}
    assert max(steps) * 1000 / 16000 > played.duration_ms * 0.9, "the gap shows in the sample numbers"

    assert str(told["unknown device"]).startswith('The sound device "no such card" cannot play')


WITHOUT_PORTAUDIO = """
import ctypes.util
ctypes.util.find_library = lambda name: None
from speech.audio.devices import Player, available, list_devices
from speech.complaint import Complaint
from speech.words import catalogue  # without it a phrase has no words
found = available()
print(found.ok, f"{found.reason}, {found.mend}")
try:
    list_devices()
except Complaint as wrong:
    print(wrong)
"""


def test_without_portaudio_the_mend_is_named(repo: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PORTAUDIO],
        env={**os.environ, "PYTHONPATH": str(repo)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "False PortAudio is missing, apt-get install libportaudio2" in done.stdout
    assert "this machine has no sound of its own: apt-get install libportaudio2." in done.stdout


WITHOUT_CARD = """
import asyncio
from speech.audio.devices import Player, available, capture
from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.words import catalogue  # without it a phrase has no words
there = available()
print(there.ok, there.reason)

async def main():
    player = Player()
    try:
        await player.play(Sound(bytes(640), 16000), "x")
    except Complaint as wrong:
        print(wrong, player.playing.muted)
    try:
        async with capture():
            print("captured")
    except Complaint as wrong:
        print(wrong)

asyncio.run(main())
"""


@pytest.mark.needs("portaudio")
def test_without_a_sound_card_the_sentence_is_plain(tmp_path: Path, repo: Path) -> None:
    cards = Path("/proc/asound/cards")
    if cards.exists() and "no soundcards" not in cards.read_text():
        pytest.skip("this machine has a sound card")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_CARD],
        env={
            **os.environ,
            "PYTHONPATH": str(repo),
            "PULSE_SERVER": f"unix:{tmp_path}/nothing",
            "XDG_RUNTIME_DIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "False no sound card was found"
    assert lines[1].startswith("The sound device of this system cannot play (") and lines[1].endswith(" False")
    assert lines[2].startswith("The sound device of this system cannot record (")


def test_playing_ids_are_a_set() -> None:
    playing = PlayingIds()
    assert not playing.muted
    playing.begin("a")
    playing.begin("a")
    playing.begin("b")
    playing.end("a")
    assert playing.muted and "b" in playing and "a" not in playing
    playing.end("a")
    playing.end("never begun")
    playing.end("b")
    assert not playing.muted
    playing.begin("c")
    assert playing.muted


def test_an_empty_sound_has_no_length() -> None:
    assert Sound(b"", 16000).duration_ms == 0
