"""/audio: a station's microphone. Binary frames (speech/audio/frames.py) in, complaints as JSON out.

An utterance ends with the text message {"end": ID}, with the first frame of another one, after a second without
frames, after 30 seconds, or with the connection. A bad frame ends its utterance, never the connection.
"""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec
from aiohttp import WSMsgType, web

from server.complaint import Complaint
from server.hall import Hall
from server.journal.admissions import Admission
from server.play.values import Duty
from server.tables import Table
from server.web.cookies import station_of
from server.web.introductions import ARTICLE_OF
from server.web.keys import HALL, LINES
from server.web.lines import NOT_ADMITTED, Line, close
from server.web.pace import Pace
from server.wire import Wrong
from speech.audio.frames import UtteranceAssembly, decode_frame

LARGEST_MESSAGE = 4 * 1024
QUIET_S = 1.0
MOST_AT_ONCE = 4
FRAMES_A_SECOND = 150.0


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
    try:
        await _listen(socket, microphone)
    finally:
        microphone.finish()
        lines.discard(socket)
        await microphone.settled()
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
    return socket


async def _listen(socket: web.WebSocketResponse, microphone: Microphone) -> None:
    pace = Pace(burst=600, a_second=FRAMES_A_SECOND)
    while True:
        try:
            message = await socket.receive(timeout=QUIET_S if microphone.speaking else None)
        except TimeoutError:
            microphone.finish()
            continue
        if message.type is WSMsgType.BINARY:
            microphone.take(message.data)
        elif message.type is WSMsgType.TEXT:
            microphone.take_text(message.data)
        else:
            return
        await pace.step()


def _may_speak(admission: Admission) -> bool:
    if admission.role == "assistant":
        return ARTICLE_OF[Duty.ANNOUNCE] in admission.duties
    return admission.role in ("tactile", "sighted")


class Microphone:
    """One connection's utterances, one after the other; finished ones go to the hall in the background."""

    def __init__(self, hall: Hall, table: Table, station: str, line: Line) -> None:
        self._hall = hall
        self._table = table
        self._station = station
        self._line = line
        self._now: UtteranceAssembly | None = None
        self._first_ms = 0
        self._over: deque[int] = deque(maxlen=64)
        self._hearing: set[asyncio.Task[None]] = set()

    @property
    def speaking(self) -> bool:
        """Whether an utterance is under way."""
        return self._now is not None

    def take(self, data: bytes) -> None:
        """One binary message."""
        try:
            frame = decode_frame(data)
        except Complaint as wrong:
            self._complain(str(wrong))
            self.finish()
            return
        if frame.utterance in self._over:
            return
        if self._now is None or self._now.utterance != frame.utterance:
            self.finish()
            self._now = UtteranceAssembly(frame.utterance)
            # The first frame is complete when its sound has ended: the utterance began one frame earlier.
            self._first_ms = self._hall.clock.mono_ms() - frame.end_sample // 16
        fed = self._now.feed(data)
        if fed.outcome == "ended":
            self._complain(fed.reason or "")
            self.finish()

    def take_text(self, text: str) -> None:
        """The end of an utterance."""
        try:
            end = msgspec.json.decode(text, type=End)
        except (msgspec.MsgspecError, UnicodeError):
            self._complain('Here only sound is taken, and {"end": ID} when it is over.')
            return
        if self._now is not None and self._now.utterance == end.end:
            self.finish()

    def finish(self) -> None:
        """The utterance is over: what came of it is heard."""
        done, self._now = self._now, None
        if done is None:
            return
        self._over.append(done.utterance)
        if not done.received_samples:
            return
        if len(self._hearing) >= MOST_AT_ONCE:
            self._complain("Too many utterances at once; wait until the last one is understood.")
            return
        task = asyncio.create_task(
            self._hall.hear(self._table, self._station, done.utterance, done.sound.pcm, self._first_ms)
        )
        self._hearing.add(task)
        task.add_done_callback(self._heard)

    async def settled(self) -> None:
        """Wait until everything that was said is recorded."""
        await asyncio.gather(*self._hearing, return_exceptions=True)

    def _heard(self, task: asyncio.Task[None]) -> None:
        self._hearing.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            if isinstance(fault, Complaint):
                self._complain(str(fault))
            else:
                asyncio.get_running_loop().call_exception_handler({"message": "hearing failed", "exception": fault})

    def _complain(self, text: str) -> None:
        self._line.send(Wrong(text))
