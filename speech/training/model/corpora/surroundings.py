"""The hall around a voice, and another size of throat.

There are rooms, microphones, neighbours, keyboards, clocks and hiss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import soxr
from scipy.signal import fftconvolve, firwin2

from speech.training.model.corpora.corpus import RATE, Samples, Sounded

Chance = np.random.Generator


class AtMicrophone(msgspec.Struct, frozen=True):
    """Samples as a microphone gives them, and the phones in them."""

    samples: Samples
    sounded: tuple[Sounded, ...]


def white(count: int, chance: Chance) -> Samples:
    """Return hiss."""
    return chance.standard_normal(count).astype(np.float32)


def coloured_noise(count: int, chance: Chance) -> Samples:
    """Return a rush whose power falls with the frequency, as of a fan or a street."""
    spectrum = np.fft.rfft(chance.standard_normal(count))
    slope = np.maximum(np.arange(len(spectrum)), 4.0) ** -chance.uniform(0.3, 1.1)
    rush: Samples = np.fft.irfft(spectrum * slope, count).astype(np.float32)
    return rush


def hum(count: int, chance: Chance) -> Samples:
    """Return the hum of the mains and its overtones, with some hiss."""
    time = np.arange(count) / RATE
    tones = [np.sin(2 * np.pi * 50 * n * time + chance.uniform(0, 6)) * chance.uniform(0, 1 / n) for n in range(1, 8)]
    humming: Samples = (np.sum(tones, axis=0) + 0.05 * chance.standard_normal(count)).astype(np.float32)
    return humming


def _knocks(count: int, chance: Chance, gaps: Callable[[], float]) -> Samples:
    """Return short bursts, each with a ring of its own."""
    out = np.zeros(count + RATE // 4, np.float32)
    decay, tone = chance.uniform(0.002, 0.02), chance.uniform(800, 5000)
    place = chance.uniform(0, 0.4)
    while place * RATE < count:
        length = int(RATE * decay * 6)
        time = np.arange(length) / RATE
        ring = np.sin(2 * np.pi * tone * chance.uniform(0.9, 1.1) * time) + chance.standard_normal(length)
        out[int(place * RATE) :][:length] += (ring * np.exp(-time / decay) * chance.uniform(0.3, 1.0)).astype(
            np.float32
        )
        place += gaps()
    return out[:count] + 1e-4 * white(count, chance)


def keyboard(count: int, chance: Chance) -> Samples:
    """Return the sound of somebody typing."""
    return _knocks(count, chance, lambda: float(chance.exponential(0.15) + 0.04))


def clock(count: int, chance: Chance) -> Samples:
    """Return the sound of a ticking clock."""
    period = chance.uniform(0.25, 1.0)
    return _knocks(count, chance, lambda: float(period))


NOISES: tuple[Callable[[int, Chance], Samples], ...] = (
    white,
    white,
    coloured_noise,
    coloured_noise,
    hum,
    keyboard,
    clock,
)


def babble(count: int, chance: Chance, voices: Sequence[Samples]) -> Samples:
    """Return other tables: one to eight voices that announce too."""
    out = np.zeros(count, np.float32)
    for _ in range(int(chance.integers(1, 9))):
        voice = voices[int(chance.integers(len(voices)))]
        voice = np.tile(voice, -(-count // max(1, len(voice))) + 1)
        start = int(chance.integers(len(voice) - count + 1))
        out += voice[start : start + count] * np.float32(chance.uniform(0.3, 1.0))
    return out


def _room(samples: Samples, chance: Chance) -> Samples:
    """Add echoes that die away in 0.1 to 0.7 s to the direct sound, which stays where it was."""
    decay = chance.uniform(0.1, 0.7)
    length = int(RATE * min(decay, 0.5))
    time = np.arange(length) / RATE
    tail = chance.standard_normal(length) * np.exp(-6.9 * time / decay)
    tail[: int(RATE * chance.uniform(0.001, 0.01))] = 0
    strength = chance.uniform(0.05, 0.9) / np.sqrt((tail**2).sum())
    tail = tail * strength
    tail[0] = 1.0
    echoing: Samples = fftconvolve(samples, tail.astype(np.float32))[: len(samples)].astype(np.float32)
    return echoing


def _microphone(samples: Samples, chance: Chance) -> Samples:
    """Make some frequencies louder and some softer, up to 8 dB."""
    marks = np.array([0, 150, 400, 1000, 2500, 5000, 7000, 8000]) / 8000
    gains = 10 ** (np.cumsum(chance.normal(0, 2.0, len(marks))).clip(-8, 8) / 20)
    if chance.random() < 0.15:
        gains[0] = gains[-1] = 0.05
    taken: Samples = fftconvolve(samples, firwin2(129, marks, gains), mode="same").astype(np.float32)
    return taken


def surround_utterance(
    samples: Samples, sounded: Sequence[Sounded], chance: Chance, voices: Sequence[Samples]
) -> AtMicrophone:
    """Return the utterance by another throat, in a room, through a microphone, among noise.

    Some utterances stay as they are.
    """
    speed = 1.0
    if chance.random() < 0.75:
        speed = float(np.exp(chance.uniform(-0.17, 0.17)))
        samples = soxr.resample(samples, RATE * speed, RATE, quality="LQ")
    before, after = (int(RATE * chance.uniform(0.05, 0.4)) for _ in range(2))
    samples = np.pad(samples, (before, after))
    shift = before / RATE
    places = tuple(Sounded(one.phone, one.token, one.start / speed + shift, one.end / speed + shift) for one in sounded)
    power = float((samples**2).mean()) + 1e-9
    if chance.random() < 0.6:
        samples = _room(samples, chance)
    if chance.random() < 0.6:
        samples = _microphone(samples, chance)
    if chance.random() < 0.8:
        talk = chance.random() < 0.5
        noise = (
            babble(len(samples), chance, voices)
            if talk
            else NOISES[int(chance.integers(len(NOISES)))](len(samples), chance)
        )
        ratio = 10 ** (-chance.uniform(4 if not talk else 6, 32) / 10)
        samples = samples + noise * np.sqrt(power * ratio / (float((noise**2).mean()) + 1e-9))
    if chance.random() < 0.05:
        samples = np.clip(samples, *(np.array([-1, 1]) * 0.4 * np.abs(samples).max()))
    return AtMicrophone(samples.astype(np.float32), places)


def nothing_said(chance: Chance, voices: Sequence[Samples]) -> Samples:
    """Return 1 to 3 s of a noise without a voice in front; now and then of other tables."""
    count = int(RATE * chance.uniform(1.0, 3.0))
    if chance.random() < 0.2:
        return babble(count, chance, voices)
    return NOISES[int(chance.integers(len(NOISES)))](count, chance)
