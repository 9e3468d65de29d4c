"""Whether our own voice comes back through a microphone, with echoes made here."""

from __future__ import annotations

import numpy as np
import pytest

from speech.audio.echo import TONE_DBFS, check_tones, stays_out, tones_in, voice_from_tones

TONES = check_tones()
RANDOM = np.random.default_rng(5)


def room(echo_db: float | None, *, late_ms: int = 60, noise: float = 30.0, drift: float = 1.0) -> bytes:
    """Four seconds of a microphone; the tones come back so much softer, so late, with a clock of its own."""
    samples = RANDOM.normal(0.0, noise, 64_000)
    if echo_db is not None:
        at = np.arange(0.0, TONES.samples - 1, drift)
        echo = np.interp(at, np.arange(TONES.samples), TONES.array.astype(float)) * 10 ** (echo_db / 20)
        begin = late_ms * 16
        samples[begin : begin + len(echo)] += echo
        samples[begin + 400 : begin + 400 + len(echo)] += 0.3 * echo  # and once more from a wall
    return np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()


@pytest.mark.parametrize("echo_db", [0.0, -10.0, -20.0, -30.0, -40.0])
@pytest.mark.parametrize("late_ms", [5, 60, 333, 700])
@pytest.mark.parametrize("drift", [1.0, 1.0005])
def test_an_echo_is_measured_however_late_it_comes(echo_db: float, late_ms: int, drift: float) -> None:
    found = tones_in(room(echo_db, late_ms=late_ms, drift=drift), 0)
    assert found == pytest.approx(TONE_DBFS + echo_db, abs=2.5)


def test_no_echo_is_found_in_noise_in_a_hum_in_a_knock_or_in_nothing() -> None:
    assert tones_in(room(None), 0) < -75
    assert tones_in(room(None, noise=1_000.0), 0) < -50, "of noise at -30 dBFS little stands at the tones' pitches"
    hum = 2_000 * np.sin(np.arange(64_000) * 2 * np.pi * 600 / 16_000)  # at the very pitch of a tone
    assert tones_in((np.frombuffer(room(None), "<i2") + hum).astype("<i2").tobytes(), 0) < -60
    knock = np.zeros(64_000)
    knock[6_000:6_300] = RANDOM.normal(0.0, 6_000.0, 300)
    assert tones_in(knock.astype("<i2").tobytes(), 0) < -55
    assert tones_in(b"", 0) == tones_in(bytes(2_000), 0) == tones_in(bytes(128_000), 0) == -96.0


def test_what_was_in_the_microphone_before_they_were_played_does_not_count() -> None:
    pcm = room(0.0, late_ms=100) + room(None)
    assert tones_in(pcm, 0) > -24
    assert tones_in(pcm, 32_000) < -75


def test_our_voice_is_louder_than_the_tones_and_by_what_the_player_adds() -> None:
    assert voice_from_tones(-70.0, 0) == -64.0
    assert voice_from_tones(-70.0, 12) == -52.0
    assert voice_from_tones(-2.0, 12) == 0.0
    assert stays_out(-45.0, -25.0) and not stays_out(-44.9, -25.0)
