"""The system's own voices (SAPI, NSSpeech), through pyttsx3.

They say the languages that the settings name.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase
from speech.process import Child
from speech.voices.joining import join_sounds, merge_segments
from speech.voices.phrase_cache import PhraseCache, PhraseKey
from speech.voices.voice import ORDINARY, Manner, Segment

LONGEST_TEXT = 1000
CHILD_MEMORY_BYTES = 1024 * 1024 * 1024


class _Rendered(msgspec.Struct, frozen=True):
    pcm: bytes
    sample_rate: int


class SystemVoice:
    """Voice of the system; it refuses a secret.

    The system's engines write what they say to a file.
    """

    def __init__(self, *, cache: PhraseCache | None = None, deadline_s: float = 10.0) -> None:
        self._cache = cache
        self._child = Child("speech.voices.system_voice_child", deadline_s=deadline_s, memory_bytes=CHILD_MEMORY_BYTES)

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        """Return the segments said one after the other; see `Voice`. Of the manner only the speed is used.

        Raises Complaint, ChildFailed.
        """
        if not keep:
            raise Complaint("A secret is not given to the system's voice.")
        phrases = merge_segments(segments)
        if not any(letter.isalnum() for phrase in phrases for letter in phrase.text):
            raise Complaint(Phrase("voice.nothing"))
        if any(len(phrase.text) > LONGEST_TEXT for phrase in phrases):
            raise Complaint(Phrase("voice.long", most=LONGEST_TEXT))
        return join_sounds([await self._phrase(phrase, manner) for phrase in phrases])

    async def close(self) -> None:
        """End the process."""
        await self._child.close()

    async def _phrase(self, phrase: Segment, manner: Manner) -> Sound:
        async def render() -> Sound:
            asked = {"text": phrase.text, "language": phrase.voice_language, "speed": manner.speed}
            rendered = msgspec.convert(await self._child.request(asked), _Rendered)
            return Sound(rendered.pcm, rendered.sample_rate)

        speed = round(100 * manner.speed)
        key = PhraseKey("system", phrase.voice_language, None, speed, 0, phrase.text, manner.ear)
        return await (render() if self._cache is None else self._cache.say(key, render))
