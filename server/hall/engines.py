"""The voice and the ears of a server are opened while it already serves, and closed with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from server.machine.data_folder import DataFolder
from server.machine.vosk_models.shelf import engines_with, model_folders
from server.settings import Settings
from speech.complaint import Complaint
from speech.hearing.hearing import Hearing
from speech.process import ChildFailed
from speech.voices.by_language import VoicesByLanguage
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.system_voice import SystemVoice
from speech.voices.voice import Voice
from speech.voices.wyoming_voice import WyomingVoice

NOWHERE: Mapping[str, str] = {}
log = logging.getLogger(__name__)


@asynccontextmanager
async def open_engines(data: DataFolder, settings: Settings) -> AsyncIterator[tuple[Hearing | None, Voice | None]]:
    """Open both engines; None stands for one that does not work here.

    That is logged and stops no game.
    """
    async with (
        open_voice(data, settings.voice_servers, settings.system_voices) as voice,
        open_ears(data, settings) as ears,
    ):
        yield ears, voice


@asynccontextmanager
async def open_ears(data: DataFolder, settings: Settings) -> AsyncIterator[Hearing | None]:
    """Open the recognisers and make them ready; None where none works here."""
    async with AsyncExitStack() as stack:
        yield await _open_ears(stack, model_folders(settings.vosk_models, data.models))


@asynccontextmanager
async def open_voice(
    data: DataFolder,
    servers: Mapping[str, str] = NOWHERE,
    of_the_system: Sequence[str] = (),
    *,
    encrypted: bool = False,
) -> AsyncIterator[Voice | None]:
    """Open the voice and make it ready; None where none works here.

    `servers`: language -> a speech server of the local network. `of_the_system`: languages that the system's own
    voices say. `encrypted`: no sound may lie in the open on the disk, so no phrase is kept there, and those
    from before are removed. Raises Complaint for an address that is not one.
    """
    async with AsyncExitStack() as stack:
        cache = None if encrypted else PhraseCache(data.voices)
        if cache is None:
            await asyncio.to_thread(PhraseCache(data.voices).empty)
        system = SystemVoice(cache=cache)
        others: dict[str, Voice] = dict.fromkeys(of_the_system, system)
        others |= {tag: WyomingVoice(address, cache=cache) for tag, address in servers.items()}
        stack.push_async_callback(system.close)
        own = await _open_voice(stack, cache)
        yield VoicesByLanguage(own, others) if own is not None and others else own


async def _open_ears(stack: AsyncExitStack, folders: Mapping[str, str]) -> Hearing | None:
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


async def _open_voice(stack: AsyncExitStack, cache: PhraseCache | None) -> Voice | None:
    voice = Pyttsx3Voice(cache=cache)
    stack.push_async_callback(voice.close)
    try:
        await voice.start()
    except (Complaint, ChildFailed) as wrong:
        log.warning("No voice works here (%s); the pages show every word.", wrong)
        return None
    return voice
