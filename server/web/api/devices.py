"""The arbiter sees the sound devices of the server's own computer here, to give them to seats."""

from __future__ import annotations

import asyncio

from aiohttp import web

from server.web.door.answers import json_answer
from server.web.door.cookies import arbiter_of
from server.web.door.guards import language_of_reader
from server.wording.complaints import translate_phrase
from speech.audio.devices import list_devices
from speech.complaint import Complaint, Phrase


async def names(request: web.Request) -> web.Response:
    """GET /api/devices: list the microphones and headphones by name.

    `text`: why there is nothing, in one sentence.
    """
    arbiter_of(request)
    try:
        found = await asyncio.to_thread(list_devices)
        wrong: str | Phrase = "" if found else Phrase("no_sound_card")
    except Complaint as complaint:
        found, wrong = (), complaint.told
    text = translate_phrase(wrong, language_of_reader(request))
    microphones = list(dict.fromkeys(one.name for one in found if one.inputs))
    headphones = list(dict.fromkeys(one.name for one in found if one.outputs))
    return json_answer({"microphones": microphones, "headphones": headphones, "text": text})
