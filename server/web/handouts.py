"""GET /handout?language=hu: the half page for the opponent, to print. For anybody: it says what the Laws say."""

from __future__ import annotations

from aiohttp import web

from server.exports.handout import handout_page


async def handout(request: web.Request) -> web.Response:
    """The page; one sentence for a language that is not there."""
    language = request.query.get("language", "de")[:8]
    return web.Response(text=handout_page(language), content_type="text/html")
