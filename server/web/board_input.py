"""POST /api/boards/NAME: what a bridge says of its board (docs/boards.md)."""

from __future__ import annotations

from aiohttp import web

from server.boards.bridge import LARGEST_MESSAGE
from server.web.access import Turned
from server.web.keys import BOARDS


async def post(request: web.Request) -> web.Response:
    """One message, with the board's own key as `Authorization: Bearer KEY`; 204, or one sentence."""
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    found = request.app[BOARDS].bridge(request.match_info["name"], key.strip()) if kind.lower() == "bearer" else None
    if found is None:
        raise Turned("wrong_key", 403, "No board of that name has this key; see the boards folder of the data folder.")
    if request.content_length is not None and request.content_length > LARGEST_MESSAGE:
        raise Turned("too_long", 413, "This is too long.")
    found.post(await request.read())
    return web.Response(status=204)
