"""/audio: a station's microphone. Binary frames (speech/audio/frames.py) in, complaints as JSON out.

An utterance ends with the text message {"end": ID}, with the first frame of another one, after a second without
frames, after 30 seconds, or with the connection. A bad frame ends its utterance, never the connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque

import msgspec
from aiohttp import WSMsgType, web

from server.complaint import Complaint
from server.fault import record_fault
from server.hall import Hall
from server.journal.admissions import Admission
from server.play.values import Duty
from server.tables import Table
from server.web.cookies import station_of
from server.web.introductions import ARTICLE_OF
from server.web.keys import HALL, LINES
from server.web.lines import FAULT, NOT_ADMITTED, Line, close
from server.web.pace import Pace
from server.wire import UNREADABLE, Taken, Wrong
from speech.audio.frames import UtteranceAssembly, decode_frame

LARGEST_MESSAGE = 4 * 1024
QUIET_S = 1.0
MOST_WAITING = 4
SAMPLES_A_MS = 16
FRAMES_A_SECOND = 1_000.0  # a station that was cut off catches up faster than it speaks

log = logging.getLogger(__name__)


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The talk key was let go."""

    end: int


async def audio(request: web.Request) -> web.WebSocketResponse:
    """One station's microphone, until it closes."""
    socket = web.WebSocketResponse(heartbeat=15.0, max_msg_size=LARGEST_MESSAGE, compress=False)
    await socket.prepare(request)
    admission = station_of(request)
    table = request.app[HALL].tables.get(admission.table) if admission is not None else None
    if admission is None or table is None or not _may_speak(admission):
        await close(socket, NOT_ADMITTED, "This device has no voice at the table.")
        return socket
    lines = request.app[LINES]
    lines.add(socket)
    line = Line(socket)
    carrying = asyncio.create_task(line.carry())
    microphone = Microphone(request.app[HALL], table, admission.station, line)
    hearing = asyncio.create_task(microphone.hear_all())
    try:
        await _listen(socket, microphone)
    except Exception as fault:  # an opened socket can be answered by no status any more
        log.error("%s", record_fault(fault))
        await close(socket, FAULT, "The server made a mistake; connect again.")
    finally:
        await microphone.finish()
        await microphone.close()
        await hearing
        lines.discard(socket)
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
    return socket


async def _listen(socket: web.WebSocketResponse, microphone: Microphone) -> None:
    pace = Pace(burst=1_500, a_second=FRAMES_A_SECOND)
    while True:
        try:
            message = await socket.receive(timeout=QUIET_S if microphone.speaking else None)
        except TimeoutError:
            await microphone.finish()
            continue
        if message.type is WSMsgType.BINARY:
            await microphone.take(message.data)
        elif message.type is WSMsgType.TEXT:
            await microphone.take_text(message.data)
        else:
            return
        await pace.step()


def _may_speak(admission: Admission) -> bool:
    if admission.role == "assistant":
        return ARTICLE_OF[Duty.ANNOUNCE] in admission.duties
    return admission.role in ("tactile", "sighted")


class Microphone:
    """One connection's utterances, heard one after the other: an echo comes before the move that follows it."""

    def __init__(self, hall: Hall, table: Table, station: str, line: Line) -> None:
        self._hall = hall
        self._table = table
        self._station = station
        self._line = line
        self._now: UtteranceAssembly | None = None
        self._first_ms = 0
        self._over: deque[int] = deque(maxlen=64)
        self._spoken: asyncio.Queue[tuple[UtteranceAssembly, int] | None] = asyncio.Queue(MOST_WAITING)

    @property
    def speaking(self) -> bool:
        """Whether an utterance is under way."""
        return self._now is not None

    async def take(self, data: bytes) -> None:
        """One binary message."""
        try:
            frame = decode_frame(data)
        except Complaint as wrong:
            self._complain(str(wrong))
            await self.finish()
            return
        if frame.utterance in self._over:
            return
        if self._now is None or self._now.utterance != frame.utterance:
            await self.finish()
            self._now = UtteranceAssembly(frame.utterance)
            # A frame comes when its sound is over: the utterance began that much earlier.
            self._first_ms = max(0, self._hall.clock.mono_ms() - frame.end_sample // SAMPLES_A_MS)
        fed = self._now.feed(data)
        if fed.outcome == "ended":
            self._complain(fed.reason or "This utterance is over.")
            await self.finish()

    async def take_text(self, text: str) -> None:
        """The end of an utterance."""
        try:
            end = msgspec.json.decode(text, type=End)
        except UNREADABLE:
            self._complain('Here only sound is taken, and {"end": ID} when it is over.')
            return
        if self._now is not None and self._now.utterance == end.end:
            await self.finish()

    async def finish(self) -> None:
        """The utterance is over and waits to be heard; where many wait, this waits too and nothing is lost."""
        done, self._now = self._now, None
        if done is None:
            return
        self._over.append(done.utterance)
        if done.received_samples:
            await self._spoken.put((done, self._first_ms))

    async def close(self) -> None:
        """Nothing more will be said."""
        await self._spoken.put(None)

    async def hear_all(self) -> None:
        """Have every utterance kept and understood, until `close`."""
        while (spoken := await self._spoken.get()) is not None:
            utterance, first_ms = spoken
            try:
                await self._hall.hear(self._table, self._station, utterance.utterance, utterance.sound.pcm, first_ms)
            except Complaint as wrong:
                self._complain(str(wrong))
            else:
                self._line.send(Taken(utterance.utterance))

    def _complain(self, text: str) -> None:
        self._line.send(Wrong(text))
