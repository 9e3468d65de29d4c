"""Sounds lie ready here for one station each, to be fetched over HTTP or played at the server.

Only the newest are kept.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict

from server.game import acts as cmd
from server.game.values.words import Seat
from server.machine.tasks import passing
from server.protocol import SoundReady
from server.table.envelope import Private
from server.table.evidence.evidence import EvidenceFile, EvidenceNotKept, SoundEvidence
from server.table.table import Table
from speech.audio.sound import Sound
from speech.complaint import Complaint

KEPT_SOUNDS = 64
TAIL_MS = 700
"""Time after its length in which a sound may still be heard at the table: it began later than it was offered."""
_log = logging.getLogger(__name__)


class OfferedSounds:
    """Sounds of one table that may be fetched: id -> the station it is for, and the sound."""

    def __init__(self, table: Table, evidence: SoundEvidence) -> None:
        self._table = table
        self._evidence = evidence
        self._sounds: OrderedDict[str, tuple[str, Sound]] = OrderedDict()
        self._opening: set[asyncio.Task[None]] = set()
        self._offered: dict[str, int] = {}

    def hold(self, id: str, station_id: str, sound: Sound) -> None:
        """Keep a sound ready under this id, for this station alone."""
        self._sounds[id] = (station_id, sound)
        self._sounds.move_to_end(id)
        self._offered[id] = self._table.clock.mono_ms()
        while len(self._sounds) > KEPT_SOUNDS:
            self._offered.pop(self._sounds.popitem(last=False)[0])

    def beside(self, station_id: str, first_ms: int, length_ms: int) -> tuple[Sound, ...]:
        """Return the sounds of other stations that may have sounded in this time (ms of this run)."""
        state = self._table.state

        def stays_in(other: str) -> bool:
            station = state.stations.find(other)
            return station is not None and station.seat is not None and state.sound.of(station.seat).proven(other)

        return tuple(
            sound
            for id, (other, sound) in self._sounds.items()
            if other != station_id
            and self._offered[id] <= first_ms + length_ms
            and first_ms <= self._offered[id] + sound.duration_ms + TAIL_MS
            and not stays_in(other)
        )

    def find(self, station_id: str, sound_id: str) -> Sound | None:
        """Return the sound offered to this station under this id, None for any other."""
        owner, sound = self._sounds.get(sound_id, ("", None))
        return sound if owner == station_id else None

    def give(self, station_id: str, text: str, sound: Sound) -> str:
        """Offer a sound outside the game to one station alone, and return its id.

        A prompt, the player's own voice played back, the tones of a check.
        """
        id = secrets.token_hex(16)
        self.hold(id, station_id, sound)
        self._table.push(station_id, SoundReady(0, id, text, sound.duration_ms), newest=True)
        return id

    def give_out(self, opened: Private) -> None:
        """Open the sound of an opened envelope and offer it to the arbiter (I.8)."""
        giving = passing("The sound of an envelope", lambda: self._give_out(opened), self._table.note_fault)
        self._opening.add(giving)
        giving.add_done_callback(self._opening.discard)

    async def _give_out(self, opened: Private) -> None:
        if opened.utterance is None or opened.opened is None or opened.seat is None:
            return
        try:
            found = await self._evidence.unseal(self._table.id, opened.utterance, opened.opened)
        except (Complaint, OSError) as wrong:
            _log.warning("The sound of an envelope at table %s cannot be read: %s", self._table.id, wrong)
            return
        if found is None:
            return
        sound, kept = found
        await self._note_open(opened.seat, opened.utterance, kept)
        for station in opened.stations:
            id = secrets.token_hex(16)
            self.hold(id, station, sound)
            self._table.push(station, SoundReady(0, id, opened.utterance, sound.duration_ms))

    async def _note_open(self, seat: Seat, utterance: str, kept: EvidenceFile | EvidenceNotKept) -> None:
        """Put the hash of an open sound on record, so that nobody puts another beside its sealed file."""
        if isinstance(kept, EvidenceFile):
            body = cmd.KeepSound(seat=seat, utterance=utterance, sha256=kept.sha256, length_ms=kept.length_ms)
        else:
            body = cmd.KeepSound(seat=seat, utterance=utterance, sha256=None, length_ms=0, fault=kept.reason)
        await self._table.own(self._table.program_command(body))

    async def finish(self) -> None:
        """Return when every opened envelope has been given out."""
        await asyncio.gather(*self._opening)
