"""Whose voice: a player known by five announcements, the same again, and other tables alone at the microphone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec
import numpy as np
import soxr

from speech.audio.level import levels
from speech.speakers.features import sketch_of
from speech.speakers.likeness import Likeness, load_background
from speech.speakers.usual_speaker import UsualSpeaker, Utterance
from tests.bench.listening.moves import Family
from tests.bench.listening.shares import rare, table
from tests.bench.listening.surroundings import RATE, Change, pcm_of, power, quieter, samples_of
from tests.bench.listening.voices import ESPEAK

WAVERING_DB = 2.0
"""Spread of how loud one player is from announcement to announcement: a guess, the voices here hardly waver."""
SPEAKERS = len(ESPEAK)
"""Of a family of eSpeak NG's: they take turns, so every fourth announcement is by the same voice."""
sketch = cache(sketch_of)
"""Each sound is looked at once."""


@cache
def likeness() -> Likeness:
    """As the server compares."""
    return Likeness(load_background())


def utterance(pcm: bytes, usual: float, chance: np.random.Generator) -> Utterance:
    """An announcement of one who speaks with the power `usual`, some of them softer, some louder."""
    level: float = levels(pcm).speech_dbfs + 10 * np.log10(usual / power(samples_of(pcm)))
    return Utterance(level + float(chance.normal(0.0, WAVERING_DB)), sketch(pcm))


def as_it_is(pcm: bytes) -> Utterance:
    """A sound whose loudness is not changed any more."""
    return Utterance(levels(pcm).speech_dbfs, sketch(pcm))


def known_by(said: Sequence[bytes], usual: float, seed: int, *, voice: bool = True) -> UsualSpeaker:
    """What is known of a player after these announcements; what is asked again is said again as it was."""
    chance, known = np.random.default_rng(seed), UsualSpeaker()
    for pcm in said:
        heard = utterance(pcm, usual, chance)
        if not voice:
            heard = msgspec.structs.replace(heard, sketch=None)
        for _ in range(3):
            ruling, known = known.rule_on(heard, likeness())
            if ruling != "doubted":
                break
    return known


def before_of(before: Sequence[bytes], place: int) -> Sequence[bytes]:
    """Five earlier announcements by the voice that says the announcement at `place`."""
    return before[place % SPEAKERS :: SPEAKERS]


def nearest_in_pitch(families: Sequence[Family], number: int, place: int) -> tuple[Family, int]:
    """Of all other voices, of the same family too, the one whose pitch is nearest, and one of its announcements."""
    mine = sketch(families[number].first[place])
    assert mine is not None
    own = _variant(families[number], place)
    found = [
        (abs(theirs.pitch - mine.pitch), other, there)
        for other, family in enumerate(families)
        for there in range(place + 1, place + 1 + SPEAKERS)
        if (other != number if own is None else _variant(family, there % len(family.first)) != own)
        and (theirs := sketch(family.first[there % len(family.first)])) is not None
    ]
    _, other, there = min(found, key=lambda one: one[0])
    return families[other], there % len(families[other].first)


def _variant(family: Family, place: int) -> int | None:
    return place % SPEAKERS if family.voice.kind in ("espeak", "accent") else None


def leaning(pcm: bytes, _seed: int) -> bytes:
    """Through a microphone that has 2 dB more of each higher octave."""
    said = samples_of(pcm)
    spectrum = np.fft.rfft(said)
    lean = (np.arange(len(spectrum)) / len(spectrum) + 0.01) ** 0.33
    return pcm_of(np.fft.irfft(spectrum * lean, len(said)) * 3.0)


def longer(pcm: bytes, _seed: int) -> bytes:
    """By a throat 5 % longer, deeper and slower: more than a cold does to most."""
    return pcm_of(soxr.resample(samples_of(pcm), RATE, round(RATE * 1.05)))


def same_player(
    families: Sequence[Family], before: Sequence[Sequence[bytes]], changes: Mapping[str, Change], usual: float
) -> str:
    """How often a known player is asked who speaks: once, and again when the player says it once more, slower."""
    ways = dict(changes) | {"another microphone": leaning, "a throat 5 % longer": longer}
    cases = [(name, name) for name in ("clean", "babble 20 dB", "white 20 dB", "room")]
    cases += [("clean", name) for name in ("babble 20 dB", "room", "another microphone", "a throat 5 % longer")]
    rows: list[list[str]] = []
    for learnt, then in cases:
        alone = total = 0
        asked = [0, 0, 0]
        for family, earlier in zip(families, before, strict=True):
            sounds = [ways[learnt](pcm, 500 + place) for place, pcm in enumerate(earlier)]
            for place, (first, second) in enumerate(zip(family.first, family.second, strict=True)):
                chance = np.random.default_rng(1000 + place)
                said = [ways[then](first, place), *(ways[then](second, 10_000 + place + more) for more in range(2))]
                heard = [utterance(pcm, usual, chance) for pcm in said]
                deaf = msgspec.structs.replace(heard[0], sketch=None)
                by_loudness = known_by(before_of(sounds, place), usual, place, voice=False)
                alone += by_loudness.rule_on(deaf, likeness())[0] == "doubted"
                known = known_by(before_of(sounds, place), usual, place)
                for turn, one in enumerate(heard):
                    ruling, known = known.rule_on(one, likeness())
                    if ruling != "doubted":
                        break
                    asked[turn] += 1
                total += 1
        rows.append([f"learnt {learnt}, heard {then}", *(rare(count, total) for count in (alone, *asked))])
    head = ("the player", "asked, by loudness alone", "asked, loudness and voice", "asked twice", "thrice")
    return table(head, rows)


def whose(families: Sequence[Family], before: Sequence[Sequence[bytes]], usual: float) -> str:
    """How often another table's words, alone at the microphone, are not asked again, whatever the ears make of them."""
    rows: list[list[str]] = []
    for title, below, in_a_room, near in (
        ("12 dB softer, in a room", 12.0, True, False),
        ("6 dB softer, in a room", 6.0, True, False),
        ("6 dB softer, as near", 6.0, False, False),
        ("6 dB softer, as near, nearest in pitch", 6.0, False, True),
        ("3 dB softer, in a room", 3.0, True, False),
        ("as loud, in a room", 0.0, True, False),
        ("as loud, as near", 0.0, False, False),
        ("as loud, as near, nearest in pitch", 0.0, False, True),
    ):
        taken = alone = total = 0
        for number, family in enumerate(families):
            for place in range(len(family.first)):
                other, there = families[(number + 3) % len(families)], (place + 7) % len(family.first)
                if near:
                    other, there = nearest_in_pitch(families, number, place)
                sound = other.first[there]
                if in_a_room:
                    sound = quieter(sound, below, place, usual)
                    heard = as_it_is(sound)
                else:
                    heard = as_it_is(sound)
                    level = heard.dbfs + 10 * float(np.log10(usual / power(samples_of(sound)))) - below
                    heard = msgspec.structs.replace(heard, dbfs=level)
                earlier = before_of(before[number], place)
                taken += known_by(earlier, usual, place).rule_on(heard, likeness())[0] != "doubted"
                deaf = msgspec.structs.replace(heard, sketch=None)
                alone += known_by(earlier, usual, place, voice=False).rule_on(deaf, likeness())[0] != "doubted"
                total += 1
        rows.append([title, str(total), rare(alone, total), rare(taken, total)])
    return table(("another table alone", "n", "not asked, by loudness alone", "not asked, loudness and voice"), rows)
