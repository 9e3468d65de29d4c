"""Sentences spoken with the voices of SVOX Pico, which read X-SAMPA.

The voices do not say where the phones lie, so a model that is there lays them. Needs `ttspico`
(speech/training/requirements.txt; it is compiled where it is installed).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from speech.recognisers.lexicon import VOWELS, load_all
from speech.training.model.corpora.contents import Item, accent_now_and_then, as_spoken, draw_sentence
from speech.training.model.corpora.corpus import RATE, CorpusWriter
from speech.training.model.corpora.voices.festival_voices import HumanVoice

FARTHEST = 2.0
"""An utterance whose phones fit the sound so much worse than any would (log units a frame) is given up."""


def pico_corpus(stem: Path, voice: HumanVoice, count: int, seed: int, model: Path) -> int:
    """Write `count` utterances; return how many were given up.

    `model`: the folder of the model that lays the phones.
    """
    from ttspico import TtsEngine

    from speech.training.model.corpora.laying import Layer

    lexicon = load_all()
    chance = random.Random(seed)  # noqa: S311
    engine = TtsEngine(voice.name)
    layer = Layer(model)
    writer = CorpusWriter(stem)
    lost = done = 0
    while done < count:
        own = accent_now_and_then(chance)
        items = as_spoken(draw_sentence(chance, lexicon), own, chance)
        ways = voice.phones_said(chance, own)
        engine.pitch = round(100 * min(1.5, max(0.6, chance.lognormvariate(0.0, 0.18))))
        engine.rate = chance.randint(70, 170)
        data = engine.speak(pico_text(items, ways, chance)) or b""
        samples = np.frombuffer(data, "<i2").astype(np.float32) / np.float32(32768)
        said = [one for one in items if any(ways[phone] for phone in one.phones)]
        # Some phones the voice's language lacks altogether (an h): nothing is laid for them.
        kept = [Item(one.token, tuple(phone for phone in one.phones if ways[phone])) for one in said]
        if len(samples) < RATE // 4 or not kept:
            lost += 1
            continue
        sounded, gap = layer.lay(samples, kept)
        if not np.isfinite(gap) or gap > FARTHEST:
            lost += 1
            if lost > 5 * count:
                break
            continue
        writer.add(voice.speaker, samples, RATE, sounded)
        done += 1
    writer.close()
    return lost


def pico_text(items: Sequence[Item], ways: Mapping[str, Sequence[str]], chance: random.Random) -> str:
    """Return the utterance as Pico reads it.

    Each word is phonemes, its first vowel's syllable stressed; pauses are breaks.

    >>> asked([Item("", ("d", "a", "m", "@"))], {"d": ["d"], "a": ["a:"], "m": ["m"], "@": ["@"]}, random.Random(1))
    '<phoneme alphabet=\'xsampa\' ph=\'"da:.m@\'/>'
    """
    parts: list[str] = []
    for item in items:
        if item.pause:
            parts.append(f"<break time='{round(1000 * item.pause)}ms'/>")
        starts = syllables(item.phones)
        told = "".join(
            ("." if place in starts and place else "") + "".join(ways[phone]) for place, phone in enumerate(item.phones)
        )
        stress = '"' if chance.random() < 0.9 else ""
        parts.append(f"<phoneme alphabet='xsampa' ph='{stress}{told}'/>")
    return " ".join(parts)


def syllables(phones: Sequence[str]) -> frozenset[int]:
    """Return where syllables begin: with the last consonant before each vowel except the first.

    >>> sorted(syllables(("S", "p", "r", "I", "N", "6")))
    [0, 4]
    """
    vowels = [place for place, phone in enumerate(phones) if phone in VOWELS]
    return frozenset({0, *(max(place - 1, before + 1) for before, place in itertools.pairwise(vowels))})
