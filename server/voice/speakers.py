"""Usual speakers of a table's stations, kept while the table lives and forgotten after that.

What was taken waits here until its player confirms it; only then is its voice learnt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container, Sequence

import msgspec

from server.game.values.words import Seat, Station
from speech.audio.level import levels
from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.speakers.features import VoiceSketch, sketch_of
from speech.speakers.likeness import KnownVoice, Likeness, load_background
from speech.speakers.usual_speaker import Ruling, UsualSpeaker, Utterance
from speech.words.voice_profile import VoicePrint

MOST_WAITING = 16
"""Most utterances of a station that wait to be confirmed."""


class StationSpeaker(msgspec.Struct):
    """Speaker known at one station: its seat, the usual voice, and the voices that wait by name to be confirmed."""

    seat: Seat | None
    usual: UsualSpeaker = UsualSpeaker()
    waiting: tuple[tuple[str, VoiceSketch], ...] = ()


class WhoseVoice:
    """Usual speakers of one table's stations, by the sound of what was confirmed at each."""

    def __init__(self) -> None:
        """Begin with nothing known about anybody. Raises Complaint where config/voices.toml is wrong."""
        self._likeness = Likeness(load_background())
        self._at: dict[str, StationSpeaker] = {}

    async def rule_on(
        self,
        station: Station,
        utterance: str,
        pcm: bytes,
        enrolled: VoicePrint | None,
        opponents: VoicePrint | None = None,
        ours: Sequence[Sound] = (),
    ) -> Ruling:
        """Rule on words that could be taken (mono s16le 16 kHz), by loudness and voice alone.

        `enrolled`, `opponents`: the voice of this player and of the other, where they gave their codes. `ours`: what
        the program said beside this microphone meanwhile.
        """
        heard = await asyncio.to_thread(_utterance, pcm)
        program = await asyncio.to_thread(_voices_of, tuple(ours), self._likeness)
        there = self._at.setdefault(station.id, StationSpeaker(station.seat))
        there.seat = station.seat
        others = (*self._beside(station.seat, opponents), *program)
        ruling, there.usual = there.usual.rule_on(heard, self._likeness, enrolled, others)
        if ruling in ("usual", "new") and heard.sketch is not None:
            there.waiting = (*there.waiting, (utterance, heard.sketch))[-MOST_WAITING:]
        return ruling

    def confirm(self, seat: Seat, utterances: Container[str] | None = None) -> None:
        """Learn the voice of what this player said and has now confirmed; None: all that waits. The rest is dropped."""
        for there in self._of(seat):
            said = [sketch for name, sketch in there.waiting if utterances is None or name in utterances]
            there.usual = there.usual.with_confirmation(said, self._likeness)
            there.waiting = ()

    def drop(self, seat: Seat) -> None:
        """Learn nothing from what waits."""
        for there in self._of(seat):
            there.waiting = ()

    def accept(self, seat: Seat) -> None:
        """Take the voice that was asked again at this seat for the player's, by the arbiter's word."""
        for there in self._of(seat):
            if there.usual.doubted:
                there.usual = there.usual.with_acceptance(self._likeness)

    def forget(self, seat: Seat | None = None) -> None:
        """Know nobody any more, or nobody at a seat."""
        self._at = {} if seat is None else {id: one for id, one in self._at.items() if one.seat is not seat}

    def _of(self, seat: Seat) -> list[StationSpeaker]:
        return [one for one in self._at.values() if one.seat is seat]

    def _beside(self, seat: Seat | None, enrolled: VoicePrint | None) -> tuple[KnownVoice, ...]:
        """Return the voices of the other seat, as far as they are known."""
        if seat is None:
            return ()
        known = tuple(voice for one in self._of(seat.other) for voice in one.usual.voices)
        own = None if enrolled is None else self._likeness.of_print(enrolled)
        return known if own is None else (*known, own)


def _utterance(pcm: bytes) -> Utterance:
    return Utterance(levels(pcm).speech_dbfs, sketch_of(pcm))


def _voices_of(sounds: Sequence[Sound], likeness: Likeness) -> tuple[KnownVoice, ...]:
    sketches = [sketch_of(resample_sound(one).pcm) for one in sounds]
    return tuple(likeness.of_sketches([one]) for one in sketches if one is not None)
