"""The voice of every language through pyttsx3 and eSpeak NG, in its own process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

import msgspec
from msgspec.structs import replace

from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase
from speech.process import Child
from speech.voices.joining import join_sounds, merge_segments
from speech.voices.phrase_cache import PhraseCache, PhraseKey
from speech.voices.voice import ORDINARY, Manner, Segment
from speech.voices.vowels import for_espeak, load_vowels
from speech.words.config_file import language_tags
from speech.words.loading import load_language

WORDS_A_MINUTE = 175
"""eSpeak NG's rate at speed 1.0."""
SLOWEST, FASTEST = 0.5, 3.0
LONGEST_TEXT = 1000
"""Characters of one phrase; pyttsx3 reads ten times its length from memory, so a page of text is not given to it."""
CHILD_MEMORY_BYTES = 512 * 1024 * 1024


class _Rendered(msgspec.Struct, frozen=True):
    pcm: bytes
    sample_rate: int


class Pyttsx3Voice:
    """Voice of pyttsx3 and eSpeak NG.

    `voices` gives another eSpeak NG voice than the language's own for a tag ("en" -> "en-us", "de" -> "de+f2"). eSpeak
    NG's samples depend a little on what its process said before: for measurements take a new `Pyttsx3Voice` without a
    cache and render in a fixed order, then the same bytes come out every time.
    """

    def __init__(
        self,
        *,
        cache: PhraseCache | None = None,
        voices: Mapping[str, str] | None = None,
        deadline_s: float = 10.0,
    ) -> None:
        self._cache = cache
        self._voices = {tag: load_language(tag).voice for tag in language_tags()} | dict(voices or {})
        self._engine = " ".join(f"{package} {_version(package)}" for package in ("pyttsx3", "espeakng-loader"))
        self._child = Child("speech.voices.pyttsx3_child", deadline_s=deadline_s, memory_bytes=CHILD_MEMORY_BYTES)

    @property
    def child(self) -> Child:
        """Return the process, for callers that count restarts."""
        return self._child

    async def start(self) -> None:
        """Load the engine now instead of at the first phrase. Raises `speech.process.ChildFailed`."""
        await asyncio.gather(self._child.start(), asyncio.to_thread(load_vowels))

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        """Return the segments said one after the other, each in the voice of its language; see `Voice`."""
        rate = _rate(manner)
        phrases = merge_segments(tuple(replace(segment, text=_speakable(segment.text)) for segment in segments))
        if not any(letter.isalnum() for phrase in phrases for letter in phrase.text):
            raise Complaint(Phrase("voice.nothing"))
        for phrase in phrases:
            if len(phrase.text) > LONGEST_TEXT:
                raise Complaint(Phrase("voice.long", most=LONGEST_TEXT))
        cache = self._cache if keep else None
        told = [replace(phrase, text=for_espeak(phrase.text, phrase.voice_language)) for phrase in phrases]
        return join_sounds([await self._phrase(phrase, manner, rate, cache) for phrase in told])

    async def close(self) -> None:
        """End the process."""
        await self._child.close()

    async def _phrase(self, phrase: Segment, manner: Manner, rate: int, cache: PhraseCache | None) -> Sound:
        voice, _, own_variant = self._voices.get(phrase.voice_language, phrase.voice_language).partition("+")
        variant = manner.variant or own_variant or None
        rate = min(round(rate * phrase.pace), WORDS_A_MINUTE * round(FASTEST))
        key = PhraseKey(self._engine, voice, variant, rate, manner.pitch, phrase.text, manner.ear)

        async def render() -> Sound:
            answer = await self._child.request(
                {"text": phrase.text, "voice": voice, "variant": variant, "rate": rate, "pitch": manner.pitch}
            )
            rendered = msgspec.convert(answer, _Rendered)
            return Sound(rendered.pcm, rendered.sample_rate)

        return await (render() if cache is None else cache.say(key, render))


def _rate(manner: Manner) -> int:
    if not SLOWEST <= manner.speed <= FASTEST:
        raise Complaint(Phrase("voice.speed", speed=f"{manner.speed:g}", least=f"{SLOWEST:g}", most=f"{FASTEST:g}"))
    if not 0 <= manner.pitch <= 99:
        raise Complaint(Phrase("voice.pitch", pitch=manner.pitch))
    return round(WORDS_A_MINUTE * manner.speed)


def _speakable(text: str) -> str:
    """Return the text without control characters: a zero byte would end it inside eSpeak NG."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # a slim install: the child says so when it is started
        return "none"
