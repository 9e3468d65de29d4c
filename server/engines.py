"""The voice and the ears of a server, opened while it already serves and closed with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.data_folder import DataFolder
from server.listening import Ears
from server.web.settings import Settings
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Voice


@asynccontextmanager
async def open_engines(data: DataFolder, settings: Settings) -> AsyncIterator[tuple[Ears | None, Voice | None]]:
    """The engines that work here; None for one that does not, which stops no game."""
    voice = Pyttsx3Voice(cache=PhraseCache(data.voices))
    try:
        yield None, voice
    finally:
        await voice.close()
