"""Speech into a private ear: rendered, kept as evidence, logged as text and sound, and offered to the station."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict

from server.play import commands as cmd
from server.play.messages import AnyMessage
from server.play.values import Mode, Role, SeatKind, Station
from server.sound_evidence import EvidenceFile, SoundEvidence
from server.tables import Table
from server.wire import SoundReady
from server.wording import scheme_for, spoken
from speech.audio.sound import Sound
from speech.children import ChildFailed
from speech.complaint import Complaint
from speech.voices.voice import Voice

KEPT_SOUNDS = 64
LONGEST_QUEUE = 64
_log = logging.getLogger(__name__)


class Teller:
    """One table's voice to its tactile players: one ear a seat, one phrase after the other, never two at once."""

    def __init__(self, table: Table, evidence: SoundEvidence, voice: Voice | None) -> None:
        self.voice = voice
        self._table = table
        self._evidence = evidence
        self._queues: dict[str, asyncio.Queue[tuple[Station, int, AnyMessage]]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._sounds: OrderedDict[str, tuple[str, Sound]] = OrderedDict()
        table.on_message = self.take

    def take(self, station: Station, number: int, message: AnyMessage) -> None:
        """A message went to a station; if it is for a tactile player's ear, it will be spoken."""
        if self.voice is None or station.role is not Role.PLAYER or station.seat is None:
            return
        if self._table.state.plan(station.seat).kind is not SeatKind.TACTILE:
            return
        queue = self._queues.get(station.id)
        if queue is None:
            queue = self._queues[station.id] = asyncio.Queue(LONGEST_QUEUE)
            self._tasks.append(asyncio.create_task(self._speak(queue)))
        if queue.full():  # what is stale is better dropped than said late
            queue.get_nowait()
            queue.task_done()
        queue.put_nowait((station, number, message))

    def sound(self, station_id: str, sound_id: str) -> Sound | None:
        """The sound offered to this station under this id, None for any other."""
        owner, sound = self._sounds.get(sound_id, ("", None))
        return sound if owner == station_id else None

    async def finished(self) -> None:
        """Return when all that was taken so far has been said, or could not be."""
        for queue in tuple(self._queues.values()):
            await queue.join()

    async def close(self) -> None:
        """Say nothing more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _speak(self, queue: asyncio.Queue[tuple[Station, int, AnyMessage]]) -> None:
        while True:
            station, number, message = await queue.get()
            try:
                await self._say(station, number, message)
            except Exception:  # the text has gone out already; one phrase that fails may not silence the ear
                _log.exception("A phrase for station %s could not be said", station.id)
            finally:
                queue.task_done()

    async def _say(self, station: Station, number: int, message: AnyMessage) -> None:
        assert self.voice is not None and station.seat is not None
        state = self._table.state
        scheme = scheme_for(state, station.seat)
        said = spoken(message, scheme, read_back=state.mode is Mode.RELAY)
        if said is None:
            return
        text, segments = said
        try:
            sound = await self.voice.render(segments)
        except (Complaint, ChildFailed) as wrong:
            _log.warning("No voice for station %s: %s", station.id, wrong)
            return  # the text has gone out already, and the station says it by its own means
        sound_id = secrets.token_hex(16)
        kept = await self._evidence.keep(self._table.id, f"told-{sound_id}", sound.pcm, sound.sample_rate)
        self._sounds[sound_id] = (station.id, sound)
        while len(self._sounds) > KEPT_SOUNDS:
            self._sounds.popitem(last=False)
        noted = await self._table.own(
            self._table.program_command(
                cmd.NoteSpoken(
                    seat=station.seat,
                    text=text,
                    utterance=f"told-{sound_id}",
                    sha256=kept.sha256 if isinstance(kept, EvidenceFile) else None,
                    length_ms=sound.duration_ms,
                )
            )
        )
        if not noted.outcome.ok:
            return  # nothing is said into a private ear that the record does not hold
        self._table.push(station.id, SoundReady(number, sound_id, text, sound.duration_ms))
