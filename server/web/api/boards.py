"""A bridge reports on its board at /api/boards/NAME, by POST or over a WebSocket (docs/boards.md)."""

from __future__ import annotations

from aiohttp import WSMsgType, web

from server.boards.boards import Bridged
from server.boards.drivers.bridge import LARGEST_MESSAGE
from server.web.door.access import AccessDenied
from server.web.door.answers import read_guard
from server.web.keys import BOARDS
from server.web.sockets.line import LINES
from speech.complaint import Complaint, Phrase

HEARTBEAT_S = 5.0


async def post(request: web.Request) -> web.Response:
    """Take one message, with the board's own key as `Authorization: Bearer KEY`.

    Answers with status 204, or with one sentence about what was wrong.
    """
    _bridge(request)
    if request.content_length is not None and request.content_length > LARGEST_MESSAGE:
        raise AccessDenied("too_long", 413, Phrase("too_long"))
    async with read_guard(request):
        body = await request.read()
    _bridge(request).post(body)  # its key may have been changed meanwhile
    return web.Response(status=204)


async def line(request: web.Request) -> web.WebSocketResponse:
    """Take the same messages over the bridge's own WebSocket.

    A message that cannot be read is answered by one sentence.
    """
    found = _bridge(request)
    socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=LARGEST_MESSAGE, compress=False)
    await socket.prepare(request)
    lines = request.app[LINES]
    lines.add(socket, "", f"board {request.match_info['name']}")
    try:
        with found.line():
            async for message in socket:
                if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                text = message.data.encode() if isinstance(message.data, str) else message.data
                try:
                    found.post(text)
                except Complaint as wrong:
                    await socket.send_json({"text": str(wrong)})
    finally:
        lines.discard(socket)
    return socket


def _bridge(request: web.Request) -> Bridged:
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    found = request.app[BOARDS].bridge(request.match_info["name"], key.strip()) if kind.lower() == "bearer" else None
    if found is None:
        raise AccessDenied(
            "wrong_key", 403, "No board of that name has this key; see the boards folder of the data folder."
        )
    return found
