"""Real synthesised speech for the real recogniser."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.hearing.hearing import Hearing
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Manner, Segment
from speech.words.grammar import announcement_grammar
from speech.words.scheme import Scheme

# Speakers that are not reserved for measuring (f5, m7, klatt2 and Storm are).
SPEAKERS = (None, "f2", "f3", "m1", "m2", "m3", "m5", "m8", "klatt3", "edward", "Michael", "adam")

Phrase = tuple[Sequence[Segment], Manner]


def announcements(count: int, seed: int) -> list[tuple[str, ...]]:
    """Announcements as players make them: mostly piece and square, some with departure, capture or castling."""
    chance = random.Random(seed)
    grammar = announcement_grammar()
    found: list[tuple[str, ...]] = []

    def square() -> list[str]:
        return [f"file.{chance.choice('abcdefgh')}", f"rank.{chance.choice('12345678')}"]

    pieces = [f"piece.{name}" for name in ("king", "queen", "rook", "bishop", "knight", "pawn")]
    while len(found) < count:
        draw = chance.random()
        words = [] if draw < 0.2 else [chance.choice(pieces)]
        if draw < 0.05:
            words = [f"castle.{chance.choice(['short', 'long'])}"]
        elif draw < 0.55:
            words += square()
        elif draw < 0.75:
            words += ["word.takes", *square()]
        elif draw < 0.95:
            words += [*square(), *square()]
        else:
            words = ["piece.pawn", f"file.{chance.choice('abcdefgh')}", "rank.8", "piece.queen"]
        if grammar.accepts(words):
            found.append(tuple(words))
    return found


def phrase(words: Sequence[str], scheme: Scheme, variant: str | None = None, speed: float = 0.85) -> Phrase:
    """Word ids as something to say."""
    return [Segment(scheme.spelling(word, "espeak"), scheme.voice_language(word)) for word in words], Manner(
        variant, speed
    )


async def rendered(phrases: Sequence[Phrase]) -> list[bytes]:
    """Each phrase as mono s16le at 16 kHz, in order, by one fresh worker (its sound depends on what came before)."""
    voice = Pyttsx3Voice()
    try:
        return [sound_16k(await voice.render(segments, manner)) for segments, manner in phrases]
    finally:
        await voice.close()


def heard_by(ears: Hearing, engine: str) -> Hearing:
    """Give the hearing that has this engine of these ears alone; all of them where it is "auto"."""
    if engine == "auto":
        return ears
    alone = ears.engine(engine)
    assert alone is not None, f"{engine} is not in use"
    return Hearing([alone], patient=True)


def sound_16k(sound: Sound) -> bytes:
    return resample_sound(sound).pcm


def with_noise(pcm: bytes, ratio_db: float, seed: int = 1) -> bytes:
    """White noise added, so many dB below the speech."""
    samples = np.frombuffer(pcm, "<i2").astype(np.float64)
    power = (samples**2).mean() / 10 ** (ratio_db / 10)
    noise = np.random.default_rng(seed).normal(0.0, power**0.5, len(samples))
    return np.clip(samples + noise, -32768, 32767).astype("<i2").tobytes()
