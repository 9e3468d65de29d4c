"""This keeps whose voice is usual at each station, while its table lives, and forgets it after that."""

from __future__ import annotations

import asyncio

from server.game.values.words import Station
from speech.audio.level import levels
from speech.speakers.features import sketched
from speech.speakers.likeness import Likeness, load_background
from speech.speakers.usual_speaker import Ruling, UsualSpeaker, Utterance
from speech.words.voice_profile import VoicePrint


class WhoseVoice:
    """This knows the usual speakers of one table's stations, by the sound of what was taken from each."""

    def __init__(self) -> None:
        """Begin with nothing known about anybody. Raises Complaint where config/voices.toml is wrong."""
        self._likeness = Likeness(load_background())
        self._usual: dict[str, UsualSpeaker] = {}

    async def ruled(self, station: Station, pcm: bytes, enrolled: VoicePrint | None) -> Ruling:
        """Rule on words that could be taken (mono s16le 16 kHz), by loudness and voice alone."""
        heard = await asyncio.to_thread(_utterance, pcm)
        usual = self._usual.get(station.id, UsualSpeaker())
        ruling, self._usual[station.id] = usual.ruled(heard, self._likeness, enrolled)
        return ruling


def _utterance(pcm: bytes) -> Utterance:
    return Utterance(levels(pcm).speech_dbfs, sketched(pcm))
