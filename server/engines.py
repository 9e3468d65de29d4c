"""The voice and the ears of a server, opened while it already serves and closed with it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from server.data_folder import DataFolder
from server.listening import Ears
from server.models.shelf import model_folders
from server.models.using import engines_with
from server.web.settings import Settings
from speech.children import ChildFailed
from speech.complaint import Complaint
from speech.hearing import Hearing
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Voice

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_engines(data: DataFolder, settings: Settings) -> AsyncIterator[tuple[Ears | None, Voice | None]]:
    """Both engines; None for one that does not work here, which is logged and stops no game."""
    async with open_voice(data) as voice, open_ears(data, settings) as ears:
        yield ears, voice


@asynccontextmanager
async def open_ears(data: DataFolder, settings: Settings) -> AsyncIterator[Ears | None]:
    """The recognisers, ready; None where none works here."""
    async with AsyncExitStack() as stack:
        yield await _open_ears(stack, model_folders(settings.vosk_models, data.models))


@asynccontextmanager
async def open_voice(data: DataFolder) -> AsyncIterator[Voice | None]:
    """The voice, ready; None where none works here."""
    async with AsyncExitStack() as stack:
        yield await _open_voice(stack, data)


async def _open_ears(stack: AsyncExitStack, folders: Mapping[str, str]) -> Ears | None:
    try:
        hearing = Hearing(engines_with("auto", None, folders))
        stack.push_async_callback(hearing.close)
        await hearing.start()
    except (Complaint, ChildFailed) as wrong:
        log.warning("No recogniser works here (%s); moves can be typed, and the sound is kept.", wrong)
        return None
    for fault in hearing.faults:
        log.warning("A recogniser is left out: %s", fault)
    return hearing


async def _open_voice(stack: AsyncExitStack, data: DataFolder) -> Voice | None:
    voice = Pyttsx3Voice(cache=PhraseCache(data.voices))
    stack.push_async_callback(voice.close)
    try:
        await voice.start()
    except (Complaint, ChildFailed) as wrong:
        log.warning("No voice works here (%s); the pages show every word.", wrong)
        return None
    return voice
