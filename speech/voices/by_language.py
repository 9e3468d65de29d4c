"""Several engines as one voice: each language by its own engine.

The house's own engine says all other languages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from itertools import groupby

from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.complaint import Complaint
from speech.process import ChildFailed
from speech.voices.joining import join_sounds
from speech.voices.voice import ORDINARY, Manner, Segment, Voice

ASIDE_S = 60
"""An engine that failed is not asked again for so many seconds: a player does not wait for it at every phrase."""
_log = logging.getLogger(__name__)


class VoicesByLanguage:
    """`Voice` made of several engines.

    What another engine cannot say, the house's own voice says: no phrase is lost. A secret (`keep` False) is said by
    the house's own voice alone.
    """

    def __init__(self, own: Voice, others: Mapping[str, Voice]) -> None:
        self._own = own
        self._others = dict(others)
        self._aside_until: dict[str, float] = {}

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        """Return the segments said one after the other; see `Voice`."""
        if not keep or not any(segment.voice_language in self._others for segment in segments):
            return await self._own.render(segments, manner, keep=keep)
        parts = groupby(segments, lambda one: one.voice_language if one.voice_language in self._others else "")
        sounds = [await self._part(language, tuple(part), manner) for language, part in parts]
        rate = max(sound.sample_rate for sound in sounds)
        return join_sounds([resample_sound(sound, rate) for sound in sounds])

    async def _part(self, language: str, segments: Sequence[Segment], manner: Manner) -> Sound:
        now = asyncio.get_running_loop().time()
        if language and now >= self._aside_until.get(language, now):
            try:
                return await self._others[language].render(segments, manner)
            except (Complaint, ChildFailed) as wrong:
                _log.warning("The voice for %s is left aside for %d s: %s", language, ASIDE_S, wrong)
                self._aside_until[language] = asyncio.get_running_loop().time() + ASIDE_S
        return await self._own.render(segments, manner)

    async def close(self) -> None:
        """Let all engines go."""
        for voice in (self._own, *self._others.values()):
            await voice.close()
