"""The sound devices of the server's own machine, for the arbiter who gives them to seats."""

from __future__ import annotations

import asyncio

from aiohttp import web

from server.web.answers import answer
from server.web.cookies import arbiter_of
from speech.audio.devices import MEND_CARD, list_devices
from speech.complaint import Complaint


async def names(request: web.Request) -> web.Response:
    """What can hear and what can play, by name; `text`: why there is nothing, in one sentence."""
    arbiter_of(request)
    try:
        found = await asyncio.to_thread(list_devices)
        text = "" if found else f"No sound card was found; {MEND_CARD}."
    except Complaint as wrong:
        found, text = (), str(wrong)
    microphones = list(dict.fromkeys(one.name for one in found if one.inputs))
    headphones = list(dict.fromkeys(one.name for one in found if one.outputs))
    return answer({"microphones": microphones, "headphones": headphones, "text": text})
