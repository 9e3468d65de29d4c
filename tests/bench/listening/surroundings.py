"""What is put under a voice: white noise, babble, a room, another table; noises alone. Functions of sound and seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from speech.training.curves.babble import with_babble

RATE = 16_000
Samples = npt.NDArray[np.float64]
Change = Callable[[bytes, int], bytes]


def samples_of(pcm: bytes) -> Samples:
    """As numbers."""
    return np.frombuffer(pcm, "<i2").astype(np.float64)


def pcm_of(samples: Samples) -> bytes:
    """As mono s16le; what is too loud is cut."""
    return np.clip(samples, -32768, 32767).astype("<i2").tobytes()


def power(samples: Samples) -> float:
    """Mean square of where somebody speaks: the frames of 20 ms within 30 dB of the loudest."""
    frames = samples[: len(samples) // 320 * 320].reshape(-1, 320)
    levels = (frames**2).mean(axis=1)
    return float(levels[levels >= levels.max() / 1000].mean()) + 1e-9


def white(ratio_db: float) -> Change:
    """White noise so many dB below the speech."""

    def change(pcm: bytes, seed: int) -> bytes:
        said = samples_of(pcm)
        wanted = power(said) / 10 ** (ratio_db / 10)
        return pcm_of(said + np.random.default_rng(seed).normal(0.0, wanted**0.5, len(said)))

    return change


def babble(others: Sequence[bytes], ratio_db: float) -> Change:
    """Six other people announce, together so many dB below the speech."""
    return lambda pcm, seed: with_babble(pcm, others, ratio_db, seed)


def room(pcm: bytes, seed: int) -> bytes:
    """Echoes that die away in 0.5 s, half as strong as the voice."""
    chance, said = np.random.default_rng(seed), samples_of(pcm)
    time = np.arange(8000) / RATE
    echo = chance.standard_normal(8000) * np.exp(-6.9 * time / 0.5)
    echo *= 0.5 / np.sqrt((echo**2).sum())
    echo[0] = 1.0
    size = len(said) + len(echo)
    return pcm_of(np.fft.irfft(np.fft.rfft(said, size) * np.fft.rfft(echo, size), size))


def clean(pcm: bytes, _seed: int) -> bytes:
    """As it is."""
    return pcm


def beside(pcm: bytes, other: bytes, below_db: float, seed: int) -> bytes:
    """Another table's announcement so many dB below ours, at the same time, beginning up to 0.3 s off."""
    ours, theirs = samples_of(pcm), samples_of(other)
    theirs *= np.sqrt(power(ours) / power(theirs) / 10 ** (below_db / 10))
    late = int(np.random.default_rng(seed).integers(0, int(0.3 * RATE)))
    out = np.zeros(max(len(ours), len(theirs) + late))
    out[: len(ours)] += ours
    out[late : late + len(theirs)] += theirs
    return pcm_of(out)


def quieter(pcm: bytes, by_db: float, seed: int, usual: float) -> bytes:
    """The announcement alone, so many dB below the usual power of a speaker, in a room: somebody two metres away."""
    said = samples_of(room(pcm, seed))
    return pcm_of(said * np.sqrt(usual / power(said) / 10 ** (by_db / 10)))


def thought_before(pcm: bytes, thought: bytes, preroll_s: float = 0.3) -> bytes:
    """The end of something thought aloud, as much as the pre-roll keeps, then the announcement."""
    return thought[-int(preroll_s * RATE) * 2 :] + pcm


def noises(count: int, seed: int) -> list[bytes]:
    """Hiss, rumble, hum, taps and a ticking clock, 1 to 3 s, at many levels."""
    chance = np.random.default_rng(seed)
    found: list[bytes] = []
    for number in range(count):
        size = int(chance.uniform(1.0, 3.0) * RATE)
        time = np.arange(size) / RATE
        hiss = chance.standard_normal(size)
        if number % 5 == 1:
            hiss = np.cumsum(hiss) - np.linspace(0, hiss.sum(), size)
        elif number % 5 == 2:
            hiss = sum(np.sin(2 * np.pi * 50 * n * time + n) / n for n in range(1, 8)) + 0.05 * hiss
        elif number % 5 >= 3:
            taps = np.zeros(size)
            every = 0.5 if number % 5 == 4 else 0.0
            place = 0.2
            while place * RATE < size - 800:
                start = int(place * RATE)
                ring = np.sin(2 * np.pi * chance.uniform(900, 4000) * time[:800]) + chance.standard_normal(800)
                taps[start : start + 800] += ring * np.exp(-time[:800] / 0.01)
                place += every or 0.05 + chance.exponential(0.2)
            hiss = taps + 0.001 * hiss
        level = 10 ** chance.uniform(1.0, 3.7)
        found.append(pcm_of(hiss / np.sqrt((hiss**2).mean()) * level))
    return found
