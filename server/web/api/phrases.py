"""Phrases that a page keeps for the time when no server can say them: fetched when it is loaded, spoken by itself."""

from __future__ import annotations

import asyncio

from aiohttp import web

from server.web.door.access import Turned
from server.web.keys import HALL
from speech.audio.mp3 import encode_mp3
from speech.complaint import Complaint
from speech.process import ChildFailed
from speech.voices.voice import Segment
from speech.words.messages_loading import load_messages, message_tags

PHRASES = {name: f"say.{name}" for name in ("connection_lost", "microphone_lost", "sound_lost")}


async def phrase(request: web.Request) -> web.Response:
    """One of them in a language of the pages, as MP3, 204 where none can be said; anyone may have them."""
    name, _, language = request.match_info["name"].partition("-")
    voice = request.app[HALL].voice
    if name not in PHRASES or language not in message_tags():
        raise Turned("no_sound", 404, "There is no such phrase.")
    if voice is None:
        return web.Response(status=204)  # not yet: it is loaded after the server
    try:
        sound = await voice.render([Segment(load_messages(language).text(PHRASES[name]), language)])
    except (Complaint, ChildFailed):
        return web.Response(status=204)
    return web.Response(body=await asyncio.to_thread(encode_mp3, sound), content_type="audio/mpeg")
