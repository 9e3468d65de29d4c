"""Announcements by voices that read the German words as their own language writes them.

A Turk who reads "şpringır" says neither our phones nor German ones. Our model has learnt no such spelling: these voices
are strangers in what they say, though eSpeak NG's throats are known to it. The languages that are measured in this
manner (`tests/bench/listening/unknown_voices/readers.py`: Arabic, Armenian, Hebrew, Hungarian, English) do not speak
here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt
import soxr

from speech.audio.wav import HEARING_RATE
from speech.training.common.evidence import SILENCE_S
from speech.training.common.planned_utterances import MOVE_WORDS, drawn_announcement
from speech.training.curves.hall_plan import READ, SURROUNDINGS, HallUtterance
from speech.training.model.corpora.espeak import HELD_OUT
from speech.training.model.corpora.espeak_speech import Espeak

Samples = npt.NDArray[np.float64]

RESPELLED = {
    "tr": (
        "Anna Bella Tsezar Davit Eva Feliks Gustaf Hektor ayns tsvay dray fiir fünf zeks ziibın aht "
        "könih daame turm loyfır şpringır bauır şlekt"
    ),
    "pl": (
        "Anna Bella Cezar Dawid Ewa Feliks Gustaw Hektor ajns cwaj draj fir fynf zeks ziben acht "
        "kenig dame turm lojfer szpringer bauer szlekt"
    ),
    "ru": (
        "Анна Белла Цезар Давид Эва Феликс Густав Хектор айнс цвай драй фир фюнф зекс зибен ахт "
        "кёниг даме турм лойфер шпрингер бауэр шлект"
    ),
    "it": (
        "Anna Bella Zesar David Eva Felix Gustav Ettor ains zvai drai fir funf secs siben act "
        "chenig dame turm loifer springher bauer sclect"
    ),
    "fr": (
        "Anna Bella Tsézar David Éva Félix Goustaf Hector aïns tsvaï draï fir funf zèx zibeune akt "
        "keunig damé tourm loïfeur chpringueur baoueur chlèkt"
    ),
    "es": (
        "Ana Bela Zésar David Eva Félix Gustaf Jéctor ains tsvai drai fir funf secs siben ajt "
        "kenig dame turm loifer springuer báuer shlekt"
    ),
}
"""`MOVE_WORDS`, as each language writes what it hears."""


def readers_plan(size: int, seed: int) -> list[HallUtterance]:
    """Return `size` announcements by each language's voice, each said twice; only of `MOVE_WORDS`."""
    chance = random.Random(seed)  # noqa: S311
    found: list[HallUtterance] = []
    for language, respelled in RESPELLED.items():
        spelled = dict(zip(MOVE_WORDS, respelled.split(), strict=True))
        for turn in range(size):
            words = drawn_announcement(chance, "file", only=MOVE_WORDS)
            text = tuple(spelled[word] for word in words)
            voice = f"{READ}+{language}+{HELD_OUT[turn % len(HELD_OUT)]}"
            where, speed, pitch = chance.choice(SURROUNDINGS), chance.randint(115, 190), chance.randint(30, 70)
            one = HallUtterance("announcement", words, "d21", "de", voice, where, text, speed=speed, pitch=pitch)
            slower = round(speed * chance.uniform(0.85, 1.0))
            found += [one, msgspec.structs.replace(one, speed=slower, again=len(found))]
    return found


def readers_sounds(plan: Sequence[HallUtterance]) -> list[Samples | None]:
    """Return the sounds, -1 to 1 at 16 kHz, in the order of the plan; None where there is no such voice."""
    espeak = Espeak()
    found: list[Samples | None] = []
    for one in plan:
        voice = one.voice.removeprefix(f"{READ}+")
        spoken = espeak.speak(" ".join(one.text), voice, speed=one.speed, pitch=one.pitch)
        if spoken is None or not len(spoken.samples):
            found.append(None)
            continue
        samples = soxr.resample(spoken.samples.astype(np.float64), spoken.rate, HEARING_RATE)
        found.append(np.pad(samples, round(SILENCE_S * HEARING_RATE)))
    return found
