"""The utterances of the hall plan turned into sound.

eSpeak NG speaks in one process in fixed order; noise and rooms come from seeds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import soxr

from speech.audio.wav import HEARING_RATE
from speech.recognisers.lexicon import Way, load_all
from speech.training.common.evidence import LOUDEST, SILENCE_S, noise
from speech.training.curves.babble import with_babble
from speech.training.curves.hall_plan import HallUtterance
from speech.training.model.corpora.contents import Item
from speech.training.model.corpora.espeak import EspeakSpeaker
from speech.training.model.corpora.espeak_speech import Espeak

Samples = npt.NDArray[np.float64]


def voices_of(plan: Sequence[HallUtterance], seed: int) -> list[Samples | None]:
    """Return eSpeak NG's voices, -1 to 1 at 16 kHz, in the order of the plan.

    None where a voice cannot say it.
    """
    espeak, lexicon = Espeak(), load_all()
    speaker = EspeakSpeaker(espeak)
    return [_say_in_place(one, place, espeak, speaker, lexicon, seed) for place, one in enumerate(plan)]


def in_surroundings(plan: Sequence[HallUtterance], voices: Sequence[Samples | None], seed: int) -> list[bytes | None]:
    """Return each voice in its surroundings, mono s16le at 16 kHz."""
    others = [pcm_of(voice) for voice in voices[:: max(1, len(voices) // 60)] if voice is not None]
    return [
        None if voice is None else surround_voice(voice, one.surrounding, others, [seed, place])
        for place, (one, voice) in enumerate(zip(plan, voices, strict=True))
    ]


def beside_another(plan: Sequence[HallUtterance], sounds: Sequence[bytes | None], seed: int) -> list[bytes | None]:
    """Return the utterances of `beside_plan` from the sounds of the plan.

    None where one of the two could not be said.
    """
    found: list[bytes | None] = []
    for number, one in enumerate(plan):
        ours, theirs = (None, None) if one.beside is None else (sounds[place] for place in one.beside)
        late = float(np.random.default_rng([seed, number]).uniform(0.0, 0.3))
        found.append(None if ours is None or theirs is None else with_another(ours, theirs, one.below_db, late))
    return found


def with_another(pcm: bytes, other: bytes, below_db: float, late_s: float) -> bytes:
    """Return both at once, the other so many dB below (where they speak) and beginning later.

    `late_s`: by how many seconds.
    """
    ours, theirs = (np.frombuffer(one, "<i2").astype(np.float64) for one in (pcm, other))
    start = round(late_s * HEARING_RATE)
    mixed = np.zeros(max(len(ours), start + len(theirs)))
    mixed[: len(ours)] += ours
    mixed[start : start + len(theirs)] += theirs * (_loudness(ours) / _loudness(theirs) * 10 ** (-below_db / 20))
    return np.clip(mixed, -32768, 32767).astype("<i2").tobytes()


def _loudness(samples: Samples) -> float:
    """Return the loudness where somebody speaks: the frames of 20 ms within 30 dB of the loudest."""
    powers = (samples[: len(samples) // 320 * 320].reshape(-1, 320) ** 2).mean(axis=1)
    return float(np.sqrt(powers[powers >= powers.max() / 1000].mean() + 1e-9))


def _say_in_place(
    one: HallUtterance,
    place: int,
    espeak: Espeak,
    speaker: EspeakSpeaker,
    lexicon: Mapping[str, tuple[Way, ...]],
    seed: int,
) -> Samples | None:
    if not one.voice:
        return noise(place, np.random.default_rng([seed, place]))
    text = " ".join(one.text)
    if one.phones:
        chance = random.Random(seed * 1_000_003 + place)  # noqa: S311
        items = [Item(word, chance.choice(lexicon[word])) for word in one.text]
        asked = speaker.text_asked(items, one.voice.partition("+")[0], chance)
        if asked is None:
            return None
        text = asked[0]
    spoken = espeak.speak(text, one.voice, speed=one.speed, pitch=one.pitch)
    if spoken is None or not len(spoken.samples):
        return None
    found: Samples = soxr.resample(spoken.samples.astype(np.float64), spoken.rate, HEARING_RATE)
    return np.pad(found, round(SILENCE_S * HEARING_RATE))


def surround_voice(voice: Samples, surrounding: str, others: Sequence[bytes], seed: Sequence[int]) -> bytes:
    """Return the voice in its surroundings ("room, babble 20": each in turn)."""
    chance = np.random.default_rng(list(seed))
    ways: dict[str, Callable[[bytes, float], bytes]] = {
        "white": lambda pcm, ratio: _with_white(pcm, ratio, chance),
        "babble": lambda pcm, ratio: with_babble(pcm, others, ratio, int(chance.integers(1 << 30))),
        "room": lambda pcm, ratio: _in_a_room(pcm, chance),
    }
    pcm = pcm_of(voice)
    for part in surrounding.split(", "):
        name, _, ratio = part.partition(" ")
        if name in ways:
            pcm = ways[name](pcm, float(ratio or 0.0))
    return pcm


def pcm_of(samples: Samples) -> bytes:
    """Return samples brought to one peak, as mono s16le."""
    peak = max(1e-6, float(np.abs(samples).max()))
    return (samples * (LOUDEST / peak) * 32767).astype("<i2").tobytes()


def _with_white(pcm: bytes, ratio_db: float, chance: np.random.Generator) -> bytes:
    said = np.frombuffer(pcm, "<i2").astype(np.float64)
    hiss = chance.normal(0.0, np.sqrt((said**2).mean() / 10 ** (ratio_db / 10)), len(said))
    return np.clip(said + hiss, -32768, 32767).astype("<i2").tobytes()


def _in_a_room(pcm: bytes, chance: np.random.Generator) -> bytes:
    """Add echoes that die away in 0.2 to 0.7 s, up to two thirds as strong as the voice."""
    said = np.frombuffer(pcm, "<i2").astype(np.float64)
    decay = chance.uniform(0.2, 0.7)
    length = int(HEARING_RATE * decay)
    echo = chance.standard_normal(length) * np.exp(-6.9 * np.arange(length) / length)
    echo *= chance.uniform(0.2, 0.66) / np.sqrt((echo**2).sum())
    echo[0] = 1.0
    size = len(said) + length
    heard = np.fft.irfft(np.fft.rfft(said, size) * np.fft.rfft(echo, size), size)
    return np.clip(heard, -32768, 32767).astype("<i2").tobytes()
