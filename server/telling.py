"""Speech into a private ear: rendered, kept as evidence, logged as text and sound, and offered to the station."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from typing import Any

from server.enveloping import Private, sealing_key
from server.play import commands as cmd
from server.play.announcement_wait import on_movers_time
from server.play.messages import AnyMessage, Relayed
from server.play.values import Mode, Role, SeatKind, Station
from server.sound_evidence import EvidenceFile, SoundEvidence
from server.tables import Table
from server.wire import SealedWords, SoundReady
from server.wording import scheme_for, spoken
from speech.audio.sound import Sound
from speech.children import ChildFailed
from speech.complaint import Complaint
from speech.voices.voice import Voice

KEPT_SOUNDS = 64
LONGEST_QUEUE = 64
SEALED = "(sealed)"
"""What the record says was spoken, where it may not say it."""
_log = logging.getLogger(__name__)


class Teller:
    """One table's voice to its tactile players: one ear a seat, one phrase after the other, never two at once."""

    def __init__(self, table: Table, evidence: SoundEvidence, voice: Voice | None) -> None:
        self.voice = voice
        self._table = table
        self._evidence = evidence
        self._queues: dict[str, asyncio.Queue[tuple[Station, int, AnyMessage | SealedWords]]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._sounds: OrderedDict[str, tuple[str, Sound]] = OrderedDict()
        self._opening: set[asyncio.Task[None]] = set()
        table.on_message = self.take
        table.on_opened = self.give_out

    def take(self, station: Station, number: int, message: AnyMessage | SealedWords) -> None:
        """A message went to a station; if it is for a tactile player's ear, it will be spoken."""
        if self.voice is None or station.role is not Role.PLAYER or station.seat is None:
            return
        if self._table.state.plan(station.seat).kind is not SeatKind.TACTILE:
            return
        queue = self._queues.get(station.id)
        if queue is None:
            queue = self._queues[station.id] = asyncio.Queue(LONGEST_QUEUE)
            self._tasks.append(asyncio.create_task(self._speak(queue)))
        self._note_speaking(station, number, message)
        if queue.full():  # what is stale is better dropped than said late
            queue.get_nowait()
            queue.task_done()
        queue.put_nowait((station, number, message))

    def _note_speaking(self, station: Station, number: int, message: AnyMessage | SealedWords, **more: Any) -> None:
        """An announcement is on its way, goes into the ear now, or will not come: before any press that arrives later.

        One of which nothing more is told ends at the cap.
        """
        if isinstance(message, Relayed) and station.seat is not None and on_movers_time(self._table.state):
            self._table.note(cmd.NoteSpeaking(seat=station.seat, utterance=f"{station.id}-{number}", **more))

    def give_out(self, opened: Private) -> None:
        """An envelope was opened: the sound of what was sealed lies open, and the arbiter may hear it (I.8)."""
        giving = asyncio.create_task(self._give_out(opened))
        self._opening.add(giving)
        giving.add_done_callback(self._opening.discard)

    async def _give_out(self, opened: Private) -> None:
        if opened.utterance is None or opened.opened is None:
            return
        try:
            sound = await self._evidence.unseal(self._table.id, opened.utterance, opened.opened)
        except (Complaint, OSError) as wrong:
            _log.warning("The sound of an envelope at table %s cannot be read: %s", self._table.id, wrong)
            return
        if sound is None:
            return
        for station in opened.stations:
            self._offer(station, 0, opened.utterance, sound)

    def _offer(self, station_id: str, number: int, text: str, sound: Sound) -> None:
        """A sound lies ready for one station."""
        sound_id = self._held(station_id, sound)
        self._table.push(station_id, SoundReady(number, sound_id, text, sound.duration_ms))

    def _held(self, station_id: str, sound: Sound) -> str:
        sound_id = secrets.token_hex(16)
        self._sounds[sound_id] = (station_id, sound)
        while len(self._sounds) > KEPT_SOUNDS:
            self._sounds.popitem(last=False)
        return sound_id

    def sound(self, station_id: str, sound_id: str) -> Sound | None:
        """The sound offered to this station under this id, None for any other."""
        owner, sound = self._sounds.get(sound_id, ("", None))
        return sound if owner == station_id else None

    async def finished(self) -> None:
        """Return when all that was taken so far has been said, or could not be."""
        await asyncio.gather(*self._opening)
        for queue in tuple(self._queues.values()):
            await queue.join()

    async def close(self) -> None:
        """Say nothing more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _speak(self, queue: asyncio.Queue[tuple[Station, int, AnyMessage | SealedWords]]) -> None:
        while True:
            station, number, message = await queue.get()
            try:
                await self._say(station, number, message)
            except Exception as fault:  # the text has gone out already; one phrase that fails may not silence the ear
                told = None if isinstance(message, SealedWords) else fault  # a fault may quote what it failed at
                _log.error("A phrase for station %s could not be said", station.id, exc_info=told)
            finally:
                queue.task_done()

    async def _say(self, station: Station, number: int, message: AnyMessage | SealedWords) -> None:
        assert self.voice is not None and station.seat is not None
        state = self._table.state
        scheme = scheme_for(state, station.seat)
        said = spoken(message, scheme, read_back=state.mode is Mode.RELAY)
        if said is None:
            return
        text, segments = said
        secret = isinstance(message, SealedWords)
        seal = sealing_key(state, station.seat) if secret else None
        if secret and seal is None:
            return  # the envelope was opened meanwhile
        try:
            sound = await (self.voice.render(segments, keep=False) if secret else self.voice.render(segments))
        except (Complaint, ChildFailed) as wrong:
            _log.warning("No voice for station %s: %s", station.id, SEALED if secret else wrong)
            self._note_speaking(station, number, message, over=True)
            return  # the text has gone out already, and the station says it by its own means
        sound_id = self._held(station.id, sound)
        kept = await self._evidence.keep(self._table.id, f"told-{sound_id}", sound.pcm, sound.sample_rate, seal)
        noted = await self._table.own(
            self._table.program_command(
                cmd.NoteSpoken(
                    seat=station.seat,
                    text=SEALED if secret else text,
                    utterance=f"told-{sound_id}",
                    sha256=kept.sha256 if isinstance(kept, EvidenceFile) else None,
                    length_ms=0 if secret else sound.duration_ms,
                )
            )
        )
        if not noted.outcome.ok:
            self._note_speaking(station, number, message, over=True)
            return  # nothing is said into a private ear that the record does not hold
        self._note_speaking(station, number, message, length_ms=sound.duration_ms)
        self._table.push(station.id, SoundReady(number, sound_id, text, sound.duration_ms))
