"""The usual speaker of a station; a sound probably of another's voice is asked again, never recorded.

A microphone at a board hears the other player as well, who may be as near to it as its own. While the key is held and
its player is silent, the other's announcement is all there is, and as clear as any. Loudness and voice are weighed
together: loudness may tell against a sound, and little for it. Where the other player's voice is known too, a sound
must be clearly rather the player's than theirs, however loud it is; so must a sound be that came while the program
itself spoke beside the microphone.

A voice is learnt only from what its player then confirmed, by the press of the clock or in the rehearsal. A strange
voice is contested and never learnt, however often it speaks; only the arbiter, or another rehearsal, makes it the
usual one. All of it is a function of the sounds alone, and kept in memory for a game, except for what a player
enrolled. Pure.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
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
"""The most questions in a row to a voice that may be the player's; then it is taken and read back."""

Ruling = Literal["usual", "new", "doubted", "strange", "another"]
"""Taken as the player's ("usual"); taken, but read back, because their voice is not known yet or not told apart clearly
("new"); asked again ("doubted"); asked again, contested, and the arbiter is told ("strange"); taken after questions,
read back, and the arbiter is told ("another")."""


class Utterance(msgspec.Struct, frozen=True):
    """Level of an utterance (dBFS of the speech) and its voice, where enough of it is voiced."""

    dbfs: float
    sketch: VoiceSketch | None


class Likely(msgspec.Struct, frozen=True):
    """`Likely` is what a voice tells, in logarithms of odds.

    `own`: that it is the player rather than anybody; 0 where their voice is not known. `apart`: that it is the player
    rather than the likeliest of those who are known beside them; None where nobody is.
    """

    own: float
    apart: float | None

    @property
    def least(self) -> float:
        """Return the lesser of the two."""
        return self.own if self.apart is None else min(self.own, self.apart)

    def with_more(self, others: Sequence[Likely]) -> Likely:
        """Return the joint likelihood of several sounds of one voice."""
        apart = None if self.apart is None else self.apart + sum(one.apart or 0.0 for one in others)
        return Likely(self.own + sum(one.own for one in others), apart)


class UsualSpeaker(msgspec.Struct, frozen=True):
    """Knowledge of who usually speaks at a station.

    `levels`: of the last utterances taken; `voices`: who spoke there and confirmed it. `doubted`: what was asked again
    since the last that was taken; `strange`: whether the last of it was in a voice that is rather none of these.
    """

    levels: tuple[float, ...] = ()
    voices: tuple[KnownVoice, ...] = ()
    doubted: tuple[Utterance, ...] = ()
    strange: bool = False

    @property
    def count(self) -> int:
        """Return on how many confirmed utterances the voices of this station rest."""
        return sum(one.count for one in self.voices)

    def rule_on(
        self,
        heard: Utterance,
        likeness: Likeness,
        enrolled: VoicePrint | None = None,
        others: Sequence[KnownVoice] = (),
    ) -> tuple[Ruling, UsualSpeaker]:
        """Return the ruling on an utterance, and the knowledge after it.

        `enrolled`: the player's own voice, where the player gave its code. `others`: who else may be heard here.
        """
        told = likeness.judging
        own = None if enrolled is None else likeness.of_print(enrolled)
        mine = self.voices if own is None else (*self.voices, own)
        unlike = [one for one in others if all(likeness.alike(one, voice) < told.alike for voice in mine)]
        few = self.count < KNOWN_AFTER and own is None
        known = heard.sketch is not None and bool(mine)
        wanted = (told.apart_of_few if few else told.apart) if known else told.apart_unknown
        likely = self._likely(heard, likeness, own, unlike)
        before = [self._likely(one, likeness, own, unlike) for one in self.doubted]
        nearest = self._likely(heard, likeness, own, others)
        if known and before and not self.strange and min(one.least for one in (*before, nearest)) >= 0.0:
            # Said again, and each time rather the player: both sounds count together. Once contested, none is added.
            nearest = nearest.with_more([self._likely(one, likeness, own, others) for one in self.doubted])
        base = self._base(likely, likeness, own, known=known) + self._level_odds(heard, likeness)
        mine_enough = base + max(-told.most_against, min(told.most_for, nearest.own)) >= 0.0
        there = likely.apart is None or likely.apart >= wanted
        unsure = few or (not others and likely.own < told.sure)
        taken: Ruling = "new" if heard.sketch is not None and unsure else "usual"
        if mine_enough and (nearest.apart is None or nearest.apart >= wanted):
            return taken, self._after_taking(heard)
        if likely.least <= told.strange:
            return "strange", self._with_doubted(heard, strange=True)
        if mine_enough and there and self.doubted and not self.strange:
            return "new", self._after_taking(heard)  # of two voices that are alike; the question was answered
        if likely.own >= 0.0 and there:
            last = () if self.strange else self.doubted[-1:]
            if any(abs(one.dbfs - heard.dbfs) <= SAME_DB for one in last) or len(self.doubted) >= MOST_DOUBTED:
                return taken, self._after_taking(heard, softer=True)
        elif len(self.doubted) >= MOST_DOUBTED:
            if self.strange or sum(one.least for one in (*before, likely)) < 0.0:
                return "strange", self._with_doubted(heard, strange=True)
            return "another", self._after_taking(heard)
        return "doubted", self._with_doubted(heard, strange=likely.least < 0.0)

    def with_confirmation(self, said: Sequence[VoiceSketch], likeness: Likeness) -> UsualSpeaker:
        """Return the knowledge once the player has confirmed their words."""
        known = self
        for sketch in said:
            known = msgspec.structs.replace(known, voices=known._voices_with(sketch, likeness))
        return known

    def with_acceptance(self, likeness: Likeness) -> UsualSpeaker:
        """Return the knowledge once the arbiter says that the voice which was asked again last is the player's.

        It is one of this station's from now on, in place of the rarest, and as loud as it was.
        """
        fresh = likeness.of_sketches([one.sketch for one in self.doubted if one.sketch is not None])
        levels = [one.dbfs for one in self.doubted if one.dbfs >= UNKNOWN_DBFS]
        kept = sorted(self.voices, key=lambda one: one.count)[-MOST_VOICES + 1 :]
        return UsualSpeaker(
            (statistics.median(levels),) * KNOWN_AFTER if levels else self.levels,
            (*kept, fresh) if fresh.count else self.voices,
        )

    def _base(self, likely: Likely, likeness: Likeness, enrolled: KnownVoice | None, *, known: bool) -> float:
        """Return the odds before this sound: the less is known of who speaks here, the more it must tell."""
        told = likeness.judging
        if not known:
            return told.base
        if likely.apart is not None:
            return told.base_beside
        return told.base_of_known if enrolled is not None or self.count >= KNOWN_AFTER else told.base_of_few

    def _likely(
        self, heard: Utterance, likeness: Likeness, enrolled: KnownVoice | None, others: Sequence[KnownVoice]
    ) -> Likely:
        """Return how likely it is the usual voice."""
        if heard.sketch is None:
            return Likely(0.0, None)
        voices = self.voices if enrolled is None else (*self.voices, enrolled)
        own = max((likeness.odds(one, heard.sketch) for one in voices), default=0.0)
        beside = max((likeness.odds(one, heard.sketch) for one in others), default=None)
        return Likely(own, None if beside is None else own - beside)

    def _level_odds(self, heard: Utterance, likeness: Likeness) -> float:
        """Return the odds that somebody so much softer than usual is the player."""
        told = likeness.judging
        if heard.dbfs >= UNKNOWN_DBFS and len(self.levels) >= KNOWN_AFTER:
            softer = min(0.0, heard.dbfs - statistics.median(self.levels))
        else:
            softer = told.unknown_db
        own, others = told.own_db, told.others_spread_db
        there = (softer - told.others_db) / others
        odds = math.log(others / own) - (softer / own) ** 2 / 2.0 + there**2 / 2.0
        return min(told.most_for_loudness, odds)

    def _with_doubted(self, heard: Utterance, *, strange: bool) -> UsualSpeaker:
        doubted = (*self.doubted, heard)[-MOST_DOUBTED - 1 :]
        return msgspec.structs.replace(self, doubted=doubted, strange=strange)

    def _after_taking(self, heard: Utterance, *, softer: bool = False) -> UsualSpeaker:
        """Remember how loud an utterance was that was taken; whose voice it is, only what follows can tell."""
        levels = self.levels
        if heard.dbfs >= UNKNOWN_DBFS:
            levels = (heard.dbfs,) * KNOWN_AFTER if softer else (*levels, heard.dbfs)[-REMEMBERED:]
        return UsualSpeaker(levels, self.voices)

    def _voices_with(self, sketch: VoiceSketch, likeness: Likeness) -> tuple[KnownVoice, ...]:
        """Return the voices with what one of them said; what is like none of them is not learnt."""
        voices = self.voices
        odds = [likeness.odds(one, sketch) for one in voices]
        best = max(range(len(odds)), key=odds.__getitem__, default=None)
        if best is None:
            return (likeness.of_sketches([sketch]),)
        if odds[best] < 0.0:
            return voices  # the player sounds different for once
        return tuple(likeness.more(one, sketch) if place == best else one for place, one in enumerate(voices))
