"""A Wyoming speech server of the local network, used as a voice.

Off unless the configuration names its address. Only what anybody may hear goes there: a secret phrase is
refused. A server that is not on the local network is not asked, whatever the configuration says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from speech.audio.sound import Sound
from speech.audio.stretching import stretch_sound
from speech.complaint import Complaint, Phrase
from speech.voices.joining import join_sounds, merge_segments
from speech.voices.phrase_cache import PhraseCache, PhraseKey
from speech.voices.voice import ORDINARY, Manner, Segment
from speech.wyoming.address import Address
from speech.wyoming.peer import Peer
from speech.wyoming.wire import WyomingEvent

LONGEST_SOUND_S = 60
LONGEST_TEXT = 1000
LOWEST_RATE, HIGHEST_RATE = 8_000, 48_000


class _Format(msgspec.Struct, frozen=True):
    rate: int
    width: int
    channels: int


class WyomingVoice:
    """`Voice` for one language or more, as the server's own voices give them."""

    def __init__(
        self, address: str, *, cache: PhraseCache | None = None, key: bytes | None = None, deadline_s: float = 3.0
    ) -> None:
        """`key`: what this machine and that one share, for an address that begins with "tls://"."""
        self._address = Address.parse(address)
        self._key = key
        self._cache = cache
        self._deadline_s = deadline_s

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        """Return the segments said one after the other; see `Voice`. Of the manner only the speed is used.

        Raises `Complaint` too where the server cannot be reached, is slow, or is not of this network.
        """
        if not keep:
            raise Complaint("A secret is not given to another machine.")
        phrases = merge_segments(segments)
        if not any(letter.isalnum() for phrase in phrases for letter in phrase.text):
            raise Complaint(Phrase("voice.nothing"))
        if any(len(phrase.text) > LONGEST_TEXT for phrase in phrases):
            raise Complaint(Phrase("voice.long", most=LONGEST_TEXT))
        sounds = [await self._phrase(phrase, manner.ear) for phrase in phrases]
        return stretch_sound(join_sounds(sounds), 1 / manner.speed)

    async def close(self) -> None:
        """Do nothing: no connection is held open between two phrases."""

    async def _phrase(self, phrase: Segment, ear: str) -> Sound:
        engine = f"wyoming {self._address.host}:{self._address.port}"
        key = PhraseKey(engine, phrase.voice_language, None, 0, 0, phrase.text, ear)

        async def render() -> Sound:
            try:
                async with asyncio.timeout(self._deadline_s):
                    return await self._ask_voice(phrase)
            except TimeoutError:
                raise Complaint(Phrase("speech_server.silent", host=self._address.host)) from None

        return await (render() if self._cache is None else self._cache.say(key, render))

    async def _ask_voice(self, phrase: Segment) -> Sound:
        peer = await Peer.open(self._address, self._key)
        try:
            asked = {"text": phrase.text, "voice": {"language": phrase.voice_language}}
            await peer.send(WyomingEvent("synthesize", asked))
            return await _sound_from(peer)
        finally:
            peer.close()


async def _sound_from(peer: Peer) -> Sound:
    """Return the sound between audio-start and audio-stop: mono, 16 bit."""
    form: _Format | None = None
    pcm = bytearray()
    while (event := await peer.read()).type != "audio-stop":
        if event.type == "error":
            raise Complaint("The speech server cannot say this.")
        if event.type == "audio-start":
            form = _format(event)
        elif event.type == "audio-chunk":
            if form is None or _format(event) != form:
                raise Complaint("The speech server's sound changes its form.")
            pcm += event.payload
            if len(pcm) > LONGEST_SOUND_S * form.rate * 2:
                raise Complaint(f"The speech server's sound is longer than {LONGEST_SOUND_S} s.")
    if form is None or not pcm or len(pcm) % 2:
        raise Complaint(Phrase("voice.no_sound"))
    return Sound(bytes(pcm), form.rate)


def _format(event: WyomingEvent) -> _Format:
    try:
        form = msgspec.convert({key: event.data.get(key) for key in ("rate", "width", "channels")}, _Format)
    except msgspec.ValidationError:
        raise Complaint("The speech server does not say what its sound is.") from None
    if form.width != 2 or form.channels != 1 or not LOWEST_RATE <= form.rate <= HIGHEST_RATE:
        raise Complaint("The speech server's sound must be mono, 16 bit, 8 to 48 kHz.")
    return form
