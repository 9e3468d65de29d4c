"""The voice of this machine, offered to others: text with its language goes in, sound comes out in pieces."""

from __future__ import annotations

from typing import Any

import msgspec

from speech.audio.sound import BYTES_PER_SAMPLE
from speech.complaint import Complaint
from speech.voices.voice import Manner, Segment, Voice
from speech.words.config_file import language_tags
from speech.wyoming.peer import ServerInfo
from speech.wyoming.service import Send
from speech.wyoming.wire import WyomingEvent

LONGEST_TEXT = 1000
"""Characters of one phrase."""
PIECE_SAMPLES = 8_000
"""Sound goes out in pieces of so many samples."""


class _Wanted(msgspec.Struct, frozen=True):
    language: str = "de"
    speaker: str | None = None


class _Synthesize(msgspec.Struct, frozen=True):
    text: str
    voice: _Wanted | None = None


def info_of_voice(program: str) -> dict[str, Any]:
    """Return the answer to `describe`; `program`: the version of the program."""
    from_us = {"attribution": {"name": "eSpeak NG", "url": ""}, "installed": True, "version": program}
    voices = [
        {"name": tag, "description": f"The voice for {tag}", "languages": [tag], "speakers": None, **from_us}
        for tag in language_tags()
    ]
    return {"tts": [{"name": "anna-eins", "description": "Spoken chess", "voices": voices, **from_us}]}


def about_voice(program: str) -> ServerInfo:
    """Return the description for our own clients."""
    return ServerInfo(program)


class VoiceConversation:
    """Phrases that one client wants said."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    async def take(self, event: WyomingEvent, send: Send) -> None:
        """Say the phrase of a `synthesize`; see `Conversation`."""
        if event.type != "synthesize":
            return
        try:
            asked = msgspec.convert(event.data, _Synthesize)
        except msgspec.ValidationError:
            raise Complaint("A phrase has a text and perhaps a voice with its language.") from None
        wanted = asked.voice or _Wanted()
        if wanted.language not in language_tags():
            raise Complaint(f"The voice here says: {', '.join(language_tags())}.")
        if len(asked.text) > LONGEST_TEXT:
            raise Complaint(f"A phrase may have {LONGEST_TEXT} characters; say it in parts.")
        sound = await self._voice.render([Segment(asked.text, wanted.language)], Manner(variant=wanted.speaker))
        form = {"rate": sound.sample_rate, "width": BYTES_PER_SAMPLE, "channels": 1}
        await send(WyomingEvent("audio-start", form))
        step = PIECE_SAMPLES * BYTES_PER_SAMPLE
        for start in range(0, len(sound.pcm), step):
            await send(WyomingEvent("audio-chunk", form, sound.pcm[start : start + step]))
        await send(WyomingEvent("audio-stop"))

    async def close(self) -> None:
        """Do nothing: a phrase is said whole or not at all."""
