"""A station's microphone sends its sound to /audio.

Binary frames (speech/audio/frames.py) come in, at the pace of their seat (voice/intake.py), complaints go out as JSON.
An utterance ends with the text message {"end": ID}, with the first frame of another one, after a second without frames,
after 30 seconds, or with the connection. A bad frame ends its utterance, never the connection.
"""

from __future__ import annotations

import asyncio
import logging

from aiohttp import WSMsgType, web

from server.game.values.words import Duty
from server.journal.admissions import Admission
from server.machine.faults import record_fault
from server.machine.tasks import lasting, passing
from server.stations.microphone import Microphone
from server.web.door.cookies import station_of
from server.web.door.servers import SPOKEN
from server.web.keys import HALL
from server.web.pace import PINGS, PINGS_A_SECOND, Pace
from server.web.sockets.line import FAULT, LINES, NOT_ADMITTED, Line, close, next_message

LARGEST_MESSAGE = 4 * 1024
QUIET_S = 1.0

log = logging.getLogger(__name__)


async def audio(request: web.Request) -> web.WebSocketResponse:
    """Serve one station's microphone until its connection closes."""
    socket = web.WebSocketResponse(
        heartbeat=15.0, max_msg_size=LARGEST_MESSAGE, compress=False, autoping=False, protocols=(SPOKEN,)
    )
    await socket.prepare(request)
    admission = station_of(request)
    table = request.app[HALL].tables.get(admission.table) if admission is not None else None
    if admission is None or table is None or not _may_speak(admission):
        await close(socket, NOT_ADMITTED, "This device has no voice at the table.")
        return socket
    lines = request.app[LINES]
    lines.add(socket, table.id, admission.station)
    line = Line(socket, told=table.note_fault)
    carrying = passing("The line of a microphone", line.carry, table.note_fault)
    microphone = Microphone(request.app[HALL], table, admission.station, line.send)
    hearing = lasting("A microphone", microphone.hear_all, table.note_fault)
    try:
        await _listen(socket, microphone)
    except Exception as fault:  # once the socket is open, no HTTP status can be sent
        log.error("%s", record_fault(fault))
        await close(socket, FAULT, "The server made a mistake; connect again.")
    finally:
        await microphone.finish(cut=True)
        await microphone.close()
        await hearing
        lines.discard(socket)
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
    return socket


async def _listen(socket: web.WebSocketResponse, microphone: Microphone) -> None:
    pings = Pace(PINGS, PINGS_A_SECOND)
    while True:
        try:
            message = await next_message(socket, pings, QUIET_S if microphone.speaking else None)
        except TimeoutError:
            await microphone.broke_off()
            continue
        if message is None:
            return
        if message.type is WSMsgType.BINARY:
            await microphone.take(message.data)
        else:
            await microphone.take_text(message.data)


def _may_speak(admission: Admission) -> bool:
    if admission.role == "assistant":
        return Duty.ANNOUNCE.article in admission.duties
    return admission.role in ("tactile", "sighted")
