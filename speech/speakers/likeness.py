"""How much likelier one voice made a sound than any voice. Pure but for reading.

It is a ratio against many voices, from two covariances (Ioffe, "Probabilistic Linear Discriminant Analysis", 2006):
along axes on which the utterances of one voice differ by 1, voices differ by `between`. It is fitted by
`speech/training/voices/fit.py` and kept in config/voices.toml. What it rests on is synthetic: a cold, a yawn and a
telephone are not in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt

from speech.speakers.features import SIZE, VERSION, VoiceSketch
from speech.words.config_file import read_source
from speech.words.voice_profile import VoicePrint

REMEMBERED = 9
"""A voice is the mean of so many utterances; each later one moves it by a tenth."""


class Timbres(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spread of the timbres of many voices.

    `mean`: the middle of all voices; `axes`: rows that make one voice's spread 1; `between`: the voices' variances.
    `features`: the version of `speech.speakers.features` that this is for.
    """

    features: int
    mean: tuple[float, ...]
    between: tuple[float, ...]
    axes: tuple[tuple[float, ...], ...]


class Pitches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spread of the pitches of many voices, in logarithms of Hz.

    `mean`, `others`: of all voices; `own`: the spread of one voice from utterance to utterance. `astray`: the share of
    utterances whose pitch was measured an octave off or wavers as never before; then it is spread by `wide`.
    """

    mean: float
    others: float
    own: float
    astray: float
    wide: float


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights for the logarithm of the odds that it is the same voice.

    It is `base` + `timbre` and `pitch` times the two ratios.
    """

    base: float
    timbre: float
    pitch: float


class WhoseVoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`WhoseVoice` says how loudness and voice are judged together (`speech.speakers.usual_speaker`).

    `base`: the logarithm of the odds that it is the player, before anything is heard, less what a wrong move costs more
    than a question; `base_of_known`: the same where the player's voice is known: its odds are seldom as low as 0;
    `base_of_few`: where it is known by few utterances; `base_beside`: where those are known who may be heard beside
    the player. `apart`: by how much it must be likelier the player than one of these; `apart_of_few`: where
    the player is known by few utterances; `apart_unknown`: where the player's own voice is not known yet. `alike`: from
    these odds on the two voices are too alike to be told apart.
    `strange`: at or below this it is taken for another's. `sure`: below this it is read back where nobody is known who
    may be heard beside the player. `most_for_loudness`:
    loudness counts for the player no more than this: another may sit as near.
    `own_db`: how much the player's loudness wavers; `others_db`, `others_spread_db`: how far below the player other
    tables are. `unknown_db`: taken for the loudness while the player's is not known. `most_for`, `most_against`: the
    voice's odds count no more than this.
    """

    base: float
    base_of_known: float
    base_of_few: float
    base_beside: float
    apart: float
    apart_of_few: float
    apart_unknown: float
    alike: float
    strange: float
    sure: float
    most_for_loudness: float
    own_db: float
    others_db: float
    others_spread_db: float
    unknown_db: float
    most_for: float
    most_against: float


class Background(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of config/voices.toml."""

    judging: WhoseVoice
    provenance: dict[str, str]
    weights: Weights
    pitch: Pitches
    timbre: Timbres


class KnownVoice(msgspec.Struct, frozen=True):
    """Knowledge of one voice.

    It says on how many utterances that rests, where their middle lies, and their last pitches.
    """

    count: int
    place: tuple[float, ...]
    pitches: tuple[float, ...]


@cache
def load_background() -> Background:
    """Return the voices to compare with. Raises Complaint where config/voices.toml is wrong."""
    source = read_source("voices.toml")
    found = source.in_shape(Background)
    timbre = found.timbre
    sizes = {len(timbre.mean), *(len(axis) for axis in timbre.axes)}
    if sizes != {SIZE} or len(timbre.axes) != len(timbre.between) or timbre.features != VERSION:
        raise source.complain("timbre", f"it does not fit {SIZE} numbers of version {VERSION}")
    return found


def print_of(sketches: Sequence[VoiceSketch]) -> VoicePrint | None:
    """Return the voice print of some readings; None where there are none."""
    if not sketches:
        return None
    timbre = np.mean([one.timbre for one in sketches], axis=0)
    pitch = float(np.median([one.pitch for one in sketches]))
    return VoicePrint(VERSION, tuple(round(float(one), 4) for one in timbre), round(pitch, 4), len(sketches))


class Likeness:
    """Comparison of voices with one background."""

    def __init__(self, background: Background) -> None:
        """Make the arrays of the background."""
        self.judging = background.judging
        self._weights, self._pitch = background.weights, background.pitch
        self._mean = np.array(background.timbre.mean)
        self._axes = np.array(background.timbre.axes)
        self._between = np.array(background.timbre.between)

    def of_sketches(self, sketches: Sequence[VoiceSketch]) -> KnownVoice:
        """Return a voice that said these utterances."""
        known = KnownVoice(0, (0.0,) * len(self._between), ())
        for one in sketches:
            known = self.more(known, one)
        return known

    def of_print(self, kept: VoicePrint) -> KnownVoice | None:
        """Return a voice of a profile; None where it was made by other features.

        It counts as three utterances at most, because it is from another day and perhaps another microphone.
        """
        if kept.features != VERSION or len(kept.timbre) != len(self._mean) or not kept.readings:
            return None
        place = self._place(VoiceSketch(kept.timbre, kept.pitch))
        return KnownVoice(min(3, kept.readings), tuple(float(one) for one in place), (kept.pitch,))

    def more(self, known: KnownVoice, heard: VoiceSketch) -> KnownVoice:
        """Return the voice with one more utterance."""
        count = min(known.count, REMEMBERED)
        place = (np.array(known.place) * count + self._place(heard)) / (count + 1)
        pitches = (*known.pitches, heard.pitch)[-REMEMBERED:]
        return KnownVoice(known.count + 1, tuple(float(one) for one in place), pitches)

    def odds(self, known: KnownVoice, heard: VoiceSketch) -> float:
        """Return the logarithm of the odds that this voice said it, where another is as likely beforehand."""
        weights = self._weights
        return weights.base + weights.timbre * self.timbre(known, heard) + weights.pitch * self.pitch(known, heard)

    def timbre(self, known: KnownVoice, heard: VoiceSketch) -> float:
        """Return the ratio by timbre alone."""
        place, between, count = self._place(heard), self._between, max(1, min(known.count, REMEMBERED))
        expected = between / (between + 1.0 / count) * np.array(known.place)
        spread = 1.0 + between / count / (between + 1.0 / count)
        mine = np.log(spread) + (place - expected) ** 2 / spread
        anybody = np.log(1.0 + between) + place**2 / (1.0 + between)
        return float((anybody - mine).sum() / 2.0)

    def pitch(self, known: KnownVoice, heard: VoiceSketch) -> float:
        """Return the ratio by pitch alone."""
        told = self._pitch
        astray = told.astray * _normal(heard.pitch - told.mean, told.wide**2)
        spread = told.own**2 * (1.0 + 1.0 / max(1, len(known.pitches)))
        middle = float(np.median(known.pitches)) if known.pitches else told.mean
        mine = (1.0 - told.astray) * _normal(heard.pitch - middle, spread) + astray
        anybody = (1.0 - told.astray) * _normal(heard.pitch - told.mean, told.others**2 + told.own**2) + astray
        return math.log(mine / anybody)

    def alike(self, one: KnownVoice, other: KnownVoice) -> float:
        """Return the logarithm of the odds that two known voices are one, by timbre and pitch."""
        if not one.count or not other.count:
            return 0.0
        near = 1.0 / min(one.count, REMEMBERED) + 1.0 / min(other.count, REMEMBERED)
        far = near + 2.0 * self._between
        away = (np.array(one.place) - np.array(other.place)) ** 2
        timbre = float((np.log(far / near) - away * (1.0 / near - 1.0 / far)).sum() / 2.0)
        pitch = self.pitch(one, VoiceSketch((), float(np.median(other.pitches)))) if other.pitches else 0.0
        return self._weights.base + self._weights.timbre * timbre + self._weights.pitch * pitch

    def _place(self, heard: VoiceSketch) -> npt.NDArray[np.float64]:
        return np.asarray(self._axes @ (np.array(heard.timbre) - self._mean))


def _normal(away: float, variance: float) -> float:
    return math.exp(-away * away / (2.0 * variance)) / math.sqrt(2.0 * math.pi * variance)
