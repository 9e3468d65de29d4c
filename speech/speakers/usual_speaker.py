"""This module knows who usually speaks at a station; what is probably another's voice is asked again.

The player is never shut out. A microphone at a board hears the next tables too, 6 to 12 dB below its own player. While
the key is held and nobody speaks into it, another table's announcement is all there is, and as clear as any. Loudness
and voice are weighed together: at the usual loudness only a voice that is altogether strange is asked again, a softer
one sooner. All of it is a function of the sounds alone, and kept in memory for a game, except for what a player
enrolled. Pure.
"""

from __future__ import annotations

import math
import statistics
from typing import Literal

import msgspec

from speech.speakers.features import VoiceSketch
from speech.speakers.likeness import KnownVoice, Likeness
from speech.words.voice_profile import VoicePrint

KNOWN_AFTER = 3
"""After so many utterances a player's level, or voice, is known."""
REMEMBERED = 9
"""How many levels are kept."""
SAME_DB = 3.0
"""If the player says it again within this of the sound that was asked again, in the same voice, they speak more softly
now."""
UNKNOWN_DBFS = -90.0
"""Below this no level was measured."""
MOST_VOICES = 3
"""The most voices of one station: two people may share a microphone, and one may have a cold."""
MOST_DOUBTED = 2
"""The most questions in a row to one strange voice; then it is taken and learnt."""

Ruling = Literal["usual", "doubted", "another"]
"""Taken as the player's ("usual"); asked again ("doubted"); taken after questions, as a voice that is new at this
station, and the arbiter is told ("another")."""


class Utterance(msgspec.Struct, frozen=True):
    """An `Utterance` is its level (dBFS of the speech) and its voice, where enough of it is voiced."""

    dbfs: float
    sketch: VoiceSketch | None


class UsualSpeaker(msgspec.Struct, frozen=True):
    """A `UsualSpeaker` is what is known at a station.

    `levels`: of the last utterances taken; `voices`: who spoke there. `doubted`: what was asked again since the last
    that was taken; `strange`: whether the last of it was in a voice that is rather none of these.
    """

    levels: tuple[float, ...] = ()
    voices: tuple[KnownVoice, ...] = ()
    doubted: tuple[Utterance, ...] = ()
    strange: bool = False

    def ruled(
        self, heard: Utterance, likeness: Likeness, enrolled: VoicePrint | None = None
    ) -> tuple[Ruling, UsualSpeaker]:
        """Return what must be done with the utterance, and what is known then.

        `enrolled`: the player's own voice, where the player gave its code.
        """
        own = None if enrolled is None else likeness.of_print(enrolled)
        odds = self._voice_odds(heard, likeness, own)
        voice = 0.0 if odds is None else odds
        base = likeness.judging.base if odds is None else likeness.judging.base_of_known
        if base + self._level_odds(heard, likeness) + voice >= 0.0:
            return "usual", self._after_taking(heard, likeness)
        if voice >= 0.0:
            before = () if self.strange else self.doubted[-1:]
            again = any(abs(one.dbfs - heard.dbfs) <= SAME_DB for one in before)
            if again or len(self.doubted) >= MOST_DOUBTED:
                return "usual", self._after_taking(heard, likeness, softer=True)
        elif len(self.doubted) > MOST_DOUBTED or (
            len(self.doubted) == MOST_DOUBTED and self._same_as_doubted(heard, likeness)
        ):
            return "another", self._with_another(heard, likeness)
        return "doubted", msgspec.structs.replace(
            self, doubted=(*self.doubted, heard)[-MOST_DOUBTED - 1 :], strange=voice < 0.0
        )

    def _voice_odds(self, heard: Utterance, likeness: Likeness, enrolled: KnownVoice | None) -> float | None:
        """Return the odds that it is a voice of this station; None where none is known."""
        voices = self.voices if sum(one.count for one in self.voices) >= KNOWN_AFTER else ()
        if enrolled is not None:
            voices = (*voices, enrolled)
        if heard.sketch is None or not voices:
            return None
        odds = max(likeness.odds(one, heard.sketch) for one in voices)
        return max(-likeness.judging.most_against, min(likeness.judging.most_for, odds))

    def _level_odds(self, heard: Utterance, likeness: Likeness) -> float:
        """Return the odds that somebody so much softer than usual is the player."""
        told = likeness.judging
        if heard.dbfs >= UNKNOWN_DBFS and len(self.levels) >= KNOWN_AFTER:
            softer = min(0.0, heard.dbfs - statistics.median(self.levels))
        else:
            softer = told.unknown_db
        own, others = told.own_db, told.others_spread_db
        there = (softer - told.others_db) / others
        return math.log(others / own) - (softer / own) ** 2 / 2.0 + there**2 / 2.0

    def _same_as_doubted(self, heard: Utterance, likeness: Likeness) -> bool:
        """Return whether this is the voice that was asked again before."""
        before = [one.sketch for one in self.doubted if one.sketch is not None]
        if heard.sketch is None or not before:
            return True
        return likeness.odds(likeness.of_sketches(before), heard.sketch) >= 0.0

    def _after_taking(self, heard: Utterance, likeness: Likeness, *, softer: bool = False) -> UsualSpeaker:
        """Learn from an utterance that was taken.

        One of the voices of this station said it, or one that is heard for the first time.
        """
        levels = self.levels
        if heard.dbfs >= UNKNOWN_DBFS:
            levels = (heard.dbfs,) * KNOWN_AFTER if softer else (*levels, heard.dbfs)[-REMEMBERED:]
        return UsualSpeaker(levels, self._voices_with(heard.sketch, likeness))

    def _voices_with(self, sketch: VoiceSketch | None, likeness: Likeness) -> tuple[KnownVoice, ...]:
        voices = self.voices
        if sketch is None:
            return voices
        odds = [likeness.odds(one, sketch) for one in voices]
        best = max(range(len(odds)), key=odds.__getitem__, default=None)
        if best is not None and odds[best] >= 0.0:
            return tuple(likeness.more(one, sketch) if place == best else one for place, one in enumerate(voices))
        if sum(one.count for one in voices) < KNOWN_AFTER and len(voices) < MOST_VOICES:
            return (*voices, likeness.of_sketches([sketch]))
        return voices  # the player sounds different for once: nothing is learnt from it

    def _with_another(self, heard: Utterance, likeness: Likeness) -> UsualSpeaker:
        """Add a voice that insisted: from now on it is one of this station's, in place of the rarest."""
        said = (*self.doubted, heard)
        fresh = likeness.of_sketches([one.sketch for one in said if one.sketch is not None])
        kept = sorted(self.voices, key=lambda one: one.count)[-MOST_VOICES + 1 :]
        levels = [one.dbfs for one in said if one.dbfs >= UNKNOWN_DBFS]
        level = statistics.median(levels) if levels else None
        return UsualSpeaker(
            self.levels if level is None else (level,) * KNOWN_AFTER, (*kept, fresh) if fresh.count else self.voices
        )
