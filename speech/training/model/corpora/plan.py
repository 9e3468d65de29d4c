"""The share of each voice in the corpora, and its seeds. Data.

A training of the model is made of nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from speech.recognisers.own.recipe import Recipe
from speech.training.common import people
from speech.training.model.corpora.voices.festival_voices import FLITE, TUNING, VOICES, HumanVoice
from speech.training.model.corpora.voices.pico_voices import PICO, PICO_TUNING

ESPEAK = "espeak"
ESPEAK_TUNING = "espeak-tuning"
READERS = "espeak-readers"
"""Voices of other languages that read the German words as those write them."""
TAKES, TAKES_TUNING = "people-takes", "people-takes-tuning"
"""Single words by the people who train and by those who tune: not trained on as they are: parts are made of them."""
RANKS, LETTERS, ALONE, TALK = "people-ranks", "people-letters", "people-alone", "people-talk"
RANKS_TUNING = "people-ranks-tuning"
SPEAKERS: Mapping[str, tuple[str, ...]] = {TAKES: people.TRAINING, TALK: people.TRAINING, TAKES_TUNING: people.TUNING}
"""Speakers of a corpus of people."""
TAKEN_FROM: Mapping[str, str] = {RANKS: TAKES, LETTERS: TAKES, ALONE: TAKES, RANKS_TUNING: TAKES_TUNING}
"""Whose takes the others are made of."""


class Part(msgspec.Struct, frozen=True):
    """One corpus.

    `copies`: how many times each utterance is heard in other surroundings; `share`: of the training.
    """

    name: str
    count: int
    seed: int
    copies: float = 2.0
    share: float = 1.0


_COUNTS = {"kal": 900, "lj": 900, "ph": 600, "machac": 600, "krb": 600, "nsh": 600, "ona": 700, "pico-gl": 1800}
_SHARES = {"lj": 1.3, "ona": 1.3, FLITE.speaker: 1.3, "pico-gl": 3.0, "pico-lh": 1.6, "pico-kh": 1.6, "pico-nk": 1.4}
SYNTHESISED = 1.5
"""Factor on the shares of flite, festival and Pico, beside readers and people's letters."""


def _synthetic_parts(voices: Iterable[HumanVoice], count: int, seed: int) -> tuple[Part, ...]:
    """Return a corpus for each voice. `count`: of utterances, where `_COUNTS` has none; `seed`: of the first one."""
    return tuple(
        Part(
            voice.speaker,
            _COUNTS.get(voice.speaker, count),
            seed + place,
            share=SYNTHESISED * _SHARES.get(voice.speaker, 1.0),
        )
        for place, voice in enumerate(voices)
    )


TRAINING: tuple[Part, ...] = (
    Part(ESPEAK, 8000, 3011, copies=1.05, share=5.0),
    *_synthetic_parts((FLITE,), 900, 2005),
    *_synthetic_parts(VOICES, 700, 2100),
    *_synthetic_parts(PICO, 1000, 2200),
    Part(READERS, 2400, 2305, share=3.5),
    Part(RANKS, 3500, 2301, share=5.0),
    Part(LETTERS, 3000, 2302, share=6.0),
    Part(ALONE, 1800, 2303, share=4.5),
    Part(TALK, 2400, 2304, share=3.5),
)
HELD_OUT: tuple[Part, ...] = (
    Part(ESPEAK_TUNING, 300, 12, copies=1.0),
    Part(TUNING.speaker, 300, 100 + len(VOICES), copies=1.0),
    Part(PICO_TUNING.speaker, 300, 120, copies=1.0),
    Part(RANKS_TUNING, 300, 121, copies=1.0),
)
"""Parts that tune the decoder and the confidence and never train. Those reserved for measuring are in neither list."""

PARTS = {part.name: part for part in (*TRAINING, *HELD_OUT)}
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "eSpeak NG": (ESPEAK, ESPEAK_TUNING, READERS),
    "festival": (*(voice.speaker for voice in VOICES), TUNING.speaker),
    "flite": (FLITE.speaker,),
    "Pico": (*(voice.speaker for voice in PICO), PICO_TUNING.speaker),
}
"""The corpora of each synthesiser: any of them can be left out of a training whole, to measure it as never met."""
LEAST = 20
"""No corpus has fewer utterances, however small the plan is."""
RECIPE = Recipe(steps=9000, seed=31)


class Plan(msgspec.Struct, frozen=True):
    """Corpora of one training: all of the above, or fewer.

    `family`: the synthesiser that is left out whole ("": none). `size`: so much of each corpus.
    """

    family: str = ""
    size: float = 1.0

    @property
    def training(self) -> tuple[Part, ...]:
        """Return the corpora that train."""
        return self._parts_left(TRAINING)

    @property
    def held_out(self) -> tuple[Part, ...]:
        """Return the corpora that tune."""
        return self._parts_left(HELD_OUT)

    @property
    def parts(self) -> Mapping[str, Part]:
        """Return all corpora by name.

        Those of people's words are there whoever is left out: the announcements these stand in are drawn from the rest.
        """
        return {part.name: part for part in (*self.training, *self.held_out)}

    def leaves_out(self, name: str) -> bool:
        """Return whether the family that is left out speaks a corpus by itself."""
        return name in FAMILIES.get(self.family, ())

    def _parts_left(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        return tuple(
            msgspec.structs.replace(part, count=max(LEAST, round(part.count * self.size)))
            for part in parts
            if not self.leaves_out(part.name)
        )


def family_of(speaker: str) -> str:
    """Return the family of who speaks, as the lines of a corpus name them; "" for a person.

    >>> family_of("espeak de+f1 with hd00 and hd01"), family_of("dita"), family_of("hd00")
    ('eSpeak NG', 'festival', '')
    """
    voice = speaker.partition(" with ")[0].partition(" ")[0]
    return next((family for family, names in FAMILIES.items() if voice in names), "")
