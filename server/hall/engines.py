"""The voice and the ears of a server are opened while it already serves, and closed with it.

Those on other machines (`speech/wyoming`) are imported only where the settings name some: the rest works without them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from server.machine.data_folder import DataFolder
from server.machine.install.adding import command_that_adds
from server.machine.models.shelf import engines_with, model_folders
from server.settings import Settings
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import FETCHING, Hearing
from speech.process import ChildFailed
from speech.voices.by_language import VoicesByLanguage
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.system_voice import SystemVoice
from speech.voices.voice import Voice

if TYPE_CHECKING:
    from speech.wyoming.ear_elsewhere import EarElsewhere, Opinion

NOWHERE: Mapping[str, str] = {}
log = logging.getLogger(__name__)


@asynccontextmanager
async def open_engines(data: DataFolder, settings: Settings) -> AsyncIterator[tuple[Hearing | None, Voice | None]]:
    """Open both engines; None stands for one that does not work here.

    That is logged and stops no game.
    """
    async with (
        open_voice(data, settings.voice_servers, settings.system_voices, key=shared_key_of(settings)) as voice,
        open_ears(data, settings) as ears,
    ):
        yield ears, voice


@asynccontextmanager
async def open_ears(data: DataFolder, settings: Settings) -> AsyncIterator[Hearing | None]:
    """Open the recognisers and make them ready; None where none works here.

    Raises Complaint for an address that is not one, and for a key that cannot be read.
    """
    key = await asyncio.to_thread(shared_key_of, settings)
    ears: list[EarElsewhere] = []
    opinions: list[Opinion] = []
    if settings.ears or settings.second_opinions:
        from speech.wyoming.ear_elsewhere import EarElsewhere, Opinion

        opinions = [Opinion(EarElsewhere(address, key)) for address in settings.second_opinions]
        ears = [EarElsewhere(address, key) for address in await _addresses(settings.ears)]
    async with AsyncExitStack() as stack:
        yield await _open_ears(stack, data.models, settings.vosk_models, ears, opinions)


def shared_key_of(settings: Settings) -> bytes | None:
    """Return the key that other machines share with this one; None where none is named. Raises Complaint."""
    if not settings.speech_key:
        return None
    from speech.wyoming.key import read_key

    return read_key(Path(settings.speech_key).expanduser())


def check_elsewhere(settings: Settings) -> None:
    """Check what the settings say of ears and voices on other machines, before the server starts. Raises Complaint."""
    shared_key_of(settings)
    named = *settings.ears, *settings.second_opinions, *settings.voice_servers.values()
    if not named:
        return
    from speech.wyoming.address import Address
    from speech.wyoming.discovery import MDNS, check_installed

    if MDNS in settings.ears:
        check_installed(command_that_adds("wyoming"))
    for address in named:
        if address != MDNS and Address.parse(address).tls and not settings.speech_key:
            raise Complaint(Phrase("speech_server.needs_key", address=address))


async def _addresses(named: Sequence[str]) -> list[str]:
    """Return the addresses of ears elsewhere, with those that announce themselves where "mdns" is named."""
    from speech.wyoming.discovery import MDNS, check_installed, discover_ears

    found = [address for address in named if address != MDNS]
    if MDNS in named:
        try:
            check_installed(command_that_adds("wyoming"))
            found += [str(one) for one in await discover_ears()]
        except Complaint as wrong:
            log.warning("No ears are looked for: %s", wrong)
    return list(dict.fromkeys(found))


@asynccontextmanager
async def open_voice(
    data: DataFolder,
    servers: Mapping[str, str] = NOWHERE,
    of_the_system: Sequence[str] = (),
    *,
    encrypted: bool = False,
    key: bytes | None = None,
) -> AsyncIterator[Voice | None]:
    """Open the voice and make it ready; None where none works here.

    `servers`: language -> a speech server of the local network. `of_the_system`: languages that the system's own
    voices say. `encrypted`: no sound may lie in the open on the disk, so no phrase is kept there, and those
    from before are removed. `key`: what the servers share with this machine. Raises Complaint for an address that is
    not one.
    """
    async with AsyncExitStack() as stack:
        cache = None if encrypted else PhraseCache(data.voices)
        if cache is None:
            await asyncio.to_thread(PhraseCache(data.voices).empty)
        system = SystemVoice(cache=cache)
        others: dict[str, Voice] = dict.fromkeys(of_the_system, system)
        if servers:
            from speech.wyoming.voice_elsewhere import WyomingVoice

            others |= {tag: WyomingVoice(address, cache=cache, key=key) for tag, address in servers.items()}
        stack.push_async_callback(system.close)
        own = await _open_voice(stack, cache)
        yield VoicesByLanguage(own, others) if own is not None and others else own


async def _open_ears(
    stack: AsyncExitStack,
    shelf: Path,
    named: Mapping[str, str],
    elsewhere: Sequence[EarElsewhere],
    opinions: Sequence[Opinion],
) -> Hearing | None:
    try:
        engines = engines_with("auto", None, model_folders(named, shelf), shelf)
        if elsewhere:
            from speech.wyoming.ear_elsewhere import with_help

            engines = with_help(engines, elsewhere)
        hearing = Hearing(engines, opinions=opinions)
        stack.push_async_callback(hearing.close)
        await hearing.start()
    except (Complaint, ChildFailed) as wrong:
        log.warning("No recogniser works here (%s); moves can be typed, and the sound is kept.", wrong)
        return None
    for fault in hearing.faults:
        log.warning("A recogniser is left out: %s", fault)
    if len(hearing.engines) == 1:
        log.warning("Only one ear listens (%s); `%s` brings the second.", *hearing.engines, FETCHING)
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
