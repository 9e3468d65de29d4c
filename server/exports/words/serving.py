"""The page of the words is served to this computer alone here, and its sounds are made when they are asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from server.exports.words.page import SOUND, heard_of, page_of
from server.exports.words.proof import chapters_of
from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.complaint import Complaint

HERE = "127.0.0.1"
NAMES = ("127.0.0.1", "localhost")
"""Names by which a browser of this computer may ask: a page elsewhere cannot make a name of its own lead here."""
Speak = Callable[[str], Awaitable[Sound]]
"""A text becomes a sound, in the voice of the language. Raises Complaint where there is no voice."""


def app_of(language: str, speak: Speak) -> web.Application:
    """Return the application that serves the page of a language. Raises Complaint where there is no such language."""
    page = page_of(language, sound=True)
    heard = {item.key: heard_of(item) for items in chapters_of(language).values() for item in items}

    async def show(request: web.Request) -> web.Response:
        return web.Response(text=page, content_type="text/html", headers={"X-Content-Type-Options": "nosniff"})

    async def sound(request: web.Request) -> web.Response:
        texts = heard.get(request.query.get("key", ""), [])
        number = request.query.get("at", "")
        if not number.isdecimal() or int(number) >= len(texts):
            raise web.HTTPNotFound
        try:
            return web.Response(body=wav_bytes(await speak(texts[int(number)])), content_type="audio/wav")
        except Complaint:
            raise web.HTTPServiceUnavailable from None

    @web.middleware
    async def only_here(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if request.url.host not in NAMES:
            raise web.HTTPForbidden
        return await handler(request)

    app = web.Application(middlewares=[only_here])
    app.add_routes([web.get("/", show), web.get(SOUND, sound)])
    return app
