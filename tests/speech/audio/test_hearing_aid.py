"""Louder, lower, faster, one ear: by level and by spectrum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speech.audio.hearing_aid import CEILING, PLAIN, Shape, both_ears, louder, shape_sound
from speech.audio.sound import Sound
from speech.audio.stretching import lower_pitch, stretch_sound
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment

RATE = 22_050


def tone(pitch: float, *, amplitude: float = 3_000, seconds: float = 1.0, rate: int = RATE) -> Sound:
    samples = amplitude * np.sin(2 * np.pi * pitch * np.arange(int(rate * seconds)) / rate)
    return Sound(np.rint(samples).astype("<i2").tobytes(), rate)


def pitch_of(sound: Sound) -> float:
    samples = sound.array.astype(float)
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.fft.rfftfreq(len(samples), 1 / sound.sample_rate)[spectrum.argmax()])


def db(sound: Sound) -> float:
    middle = sound.array.astype(float)[len(sound.array) // 4 : len(sound.array) * 3 // 4]
    return float(20 * np.log10(np.sqrt((middle**2).mean())))


@pytest.mark.parametrize("gain", [3, 6, 12])
def test_so_many_db_more_where_there_is_room(gain: int) -> None:
    quiet = tone(440, amplitude=1_000)
    assert db(louder(quiet, gain)) - db(quiet) == pytest.approx(gain, abs=0.05)


@given(
    st.lists(st.integers(-32_768, 32_767), min_size=1, max_size=3_000),
    st.sampled_from([1, 6, 12]),
    st.sampled_from([8_000, 16_000, 22_050]),
)
@settings(max_examples=100, deadline=None)
def test_the_limiter_is_never_passed(samples: list[int], gain: int, rate: int) -> None:
    out = louder(Sound(np.array(samples, "<i2").tobytes(), rate), gain)
    assert len(out.array) == len(samples)
    assert int(np.abs(out.array.astype(int)).max()) <= CEILING + 1


def test_a_peak_is_turned_down_without_a_click_and_what_is_far_from_it_keeps_its_gain() -> None:
    samples = tone(300, amplitude=1_500, seconds=2).array.astype(float)
    samples[RATE - 200 : RATE + 200] *= 15
    whole = Sound(np.rint(samples).astype("<i2").tobytes(), RATE)
    out = louder(whole, 12).array.astype(float)
    factor = 10 ** (12 / 20)
    far = slice(RATE // 4, RATE // 2)
    assert np.abs(out[far] - samples[far] * factor).max() < 2
    assert np.abs(out).max() <= CEILING + 1
    loudest = slice(RATE - 200, RATE + 200)
    used = out[loudest] / np.where(np.abs(samples[loudest]) > 500, samples[loudest], np.nan)
    assert np.nanmax(np.abs(np.diff(used[~np.isnan(used)]))) < 0.1, "the gain moves without a jump"


@pytest.mark.parametrize("semitones", [3, 7, 12])
def test_everything_is_so_much_lower_and_as_long_as_before(semitones: int) -> None:
    for pitch in (250.0, 1_000.0, 3_000.0):
        out = lower_pitch(tone(pitch), semitones)
        assert len(out.array) == RATE
        assert pitch_of(out) == pytest.approx(pitch / 2 ** (semitones / 12), rel=0.02)
        assert db(out) == pytest.approx(db(tone(pitch)), abs=1.5)


@pytest.mark.parametrize("factor", [0.34, 0.5, 1.5, 2.0])
def test_faster_and_slower_keep_the_pitch(factor: float) -> None:
    out = stretch_sound(tone(440), factor)
    assert len(out.array) == round(RATE * factor)
    assert pitch_of(out) == pytest.approx(440, rel=0.02)
    assert db(out) == pytest.approx(db(tone(440)), abs=1.5)


async def test_a_voice_an_octave_lower_has_nothing_left_above_half_its_range() -> None:
    voice = Pyttsx3Voice()
    said = await voice.render([Segment("Springer Gustav eins Felix drei", "de")])
    await voice.close()
    low = shape_sound(said, Shape(lower=12))

    def share_above(sound: Sound, hz: float) -> float:
        power = np.abs(np.fft.rfft(sound.array.astype(float))) ** 2
        return float(power[np.fft.rfftfreq(len(sound.array), 1 / sound.sample_rate) > hz].sum() / power.sum())

    assert low.duration_ms == said.duration_ms
    for hz in (1_000, 1_500, 2_500):
        assert share_above(low, hz) == pytest.approx(share_above(said, 2 * hz), rel=0.35, abs=0.005)
    assert share_above(low, RATE / 4) < 0.002


@pytest.mark.parametrize(("balance", "left", "right"), [(0, 1, 1), (-100, 1, 0), (100, 0, 1), (-50, 1, 0.5)])
def test_the_balance_takes_from_the_other_ear(balance: int, left: float, right: float) -> None:
    one = tone(440)
    ears = both_ears(one, balance)
    assert ears.shape == (len(one.array), 2)
    for channel, share in ((0, left), (1, right)):
        assert np.abs(ears[:, channel] - one.array * share).max() <= 1


def test_nothing_asked_for_is_nothing_done() -> None:
    one = tone(440)
    assert shape_sound(one, PLAIN) is one and shape_sound(Sound(b"", RATE), Shape(gain_db=12, lower=12)).pcm == b""
    for wrong in (lambda: lower_pitch(one, 13), lambda: lower_pitch(one, -1), lambda: stretch_sound(one, 9)):
        with pytest.raises(ValueError, match="by 0"):
            wrong()
    assert lower_pitch(Sound(one.pcm[:200], RATE), 5).samples == 100, "also what is shorter than a piece"
