"""A simulated player's mouth turns words into sound of that player's voice, kept as files.

It is played aloud if wished: `loudspeaker` gives the room's loudspeaker for a demonstration in real time, where there
is a sound card.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from server.demo.pacing import Pace
from server.demo.station_client import StationClient
from server.wording.words import segments_of
from speech.audio.devices import Player, available
from speech.audio.sound import Sound
from speech.audio.wav import resample_sound, write_wav
from speech.voices.voice import Manner, Voice
from speech.words.scheme import Scheme

BREATH_MS = 200
SLOWER = 0.75


class PlayersWords(msgspec.Struct, frozen=True):
    """Words that a player said, and their sound."""

    words: tuple[str, ...]
    sound: Sound


class Mouth:
    """One player's voice at that player's own microphone."""

    def __init__(
        self,
        client: StationClient,
        voice: Voice,
        variant: str,
        scheme: Scheme,
        pace: Pace,
        folder: Path,
        aloud: Aloud | None,
    ) -> None:
        self._client = client
        self._voice = voice
        self._variant = variant
        self._scheme = scheme
        self._pace = pace
        self._folder = folder
        self._aloud = aloud
        self._count = 0

    async def say(self, words: Sequence[str], label: str, *, slower: bool = False) -> PlayersWords:
        """Say words (ids) into the microphone; return when the server has listened to the end."""
        manner = Manner(variant=self._variant, speed=SLOWER if slower else 1.0)
        sound = resample_sound(await self._voice.render(segments_of(words, self._scheme), manner))
        breath = bytes(2 * sound.sample_rate * BREATH_MS // 1000)
        sound = Sound(breath + sound.pcm + breath, sound.sample_rate)
        self._count += 1
        write_wav(self._folder / f"{self._count:03}-{label}.wav", sound)
        if self._aloud is not None:
            await self._aloud(sound)  # time passes while it sounds
        else:
            await self._pace.passes(sound.duration_ms)
        await self._client.say(sound)
        return PlayersWords(tuple(words), sound)


Aloud = Callable[[Sound], Awaitable[object]]


def loudspeaker() -> tuple[Aloud | None, str]:
    """Return a function that plays a sound to its end.

    Or None and one sentence that says why it stays quiet.
    """
    found = available()
    if not found.ok:
        return None, f"It stays quiet: {found.reason} {found.mend}".strip()
    player = Player()

    async def aloud(sound: Sound) -> None:
        await player.play(sound, secrets.token_hex(4))

    return aloud, ""
