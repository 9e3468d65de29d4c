"""Players teach the server their voice here, use it by its code, or have it forgotten.

Only the players themselves may do this, each for their own voice.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from aiohttp import web

from server.game.decide.set_up.sound import outside_the_game
from server.game.values.words import Seat, station_of_devices
from server.hall.live_table import LiveTable
from server.web.door.access import AccessDenied, spoken_code, squares_of
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import asker_of, station_of
from server.web.keys import ENROLLING, HALL
from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed


class Voice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player's wish for their voice.

    `say`: speak this prompt to me. `learn`: learn my voice from what I read. `use`: take the voice of this code.
    `leave`: use no voice profile here. `forget`: delete it.
    """

    do: Literal["say", "learn", "use", "leave", "forget"]
    code: Annotated[str, msgspec.Meta(max_length=100)] = ""
    prompt: Annotated[int, msgspec.Meta(ge=1, le=999)] = 1


async def state(request: web.Request) -> web.Response:
    """GET /api/voice: show the prompts to read and how far the player is.

    `read`: the prompts that were read. `known`: whether a voice is in use at the seat. `outside`: whether now is a
    time outside the game, when a voice may be learnt.
    """
    table, seat = _place(request)
    enrolling = request.app[ENROLLING]
    return json_answer(
        {
            "prompts": enrolling.prompts(table, seat),
            "read": list(enrolling.read(table, seat)),
            "known": bool(table.state.sound.of(seat).profile),
            "outside": outside_the_game(table.state),
        }
    )


async def change_voice(request: web.Request) -> web.Response:
    """POST /api/voice: do what the player wants.

    Raises AccessDenied with one sentence.
    """
    table, seat = _place(request)
    body = await body_of(request, Voice)
    asker = asker_of(request, "tactile", "sighted")
    enrolling, code = request.app[ENROLLING], ""
    try:
        match body.do:
            case "say":
                await enrolling.say(table, seat, _station(request), body.prompt)
            case "learn":
                code = await enrolling.learn(table, seat, asker)
            case "use":
                code = "".join(squares_of(body.code))
                await enrolling.use(table, seat, code, asker)
            case "leave":
                await table.listener.bind_voice(seat, "", asker)
            case "forget":
                if not await enrolling.forget(table, seat, asker):
                    raise Complaint(Phrase("no_voice_here"))
    except ChildFailed as wrong:
        raise AccessDenied("voice", 503, Phrase("voice_failed")) from wrong
    except Complaint as wrong:
        raise AccessDenied("voice", 409, wrong.told) from wrong
    squares = (code[:2], code[2:4], code[4:])
    words = spoken_code(squares, table.state.language_of(seat)) if code else ""
    return json_answer({"known": bool(code), "code": code, "words": words})


def _place(request: web.Request) -> tuple[LiveTable, Seat]:
    """Return the player's table and seat.

    Raises AccessDenied for everyone else, the player's assistant included.
    """
    admission = station_of(request, "tactile", "sighted")
    table = request.app[HALL].tables.get(admission.table) if admission is not None else None
    if admission is None or table is None or not admission.seat:
        raise AccessDenied("not_the_player", 403, Phrase("only_player"))
    return table, Seat(admission.seat)


def _station(request: web.Request) -> str:
    """Return where the player listens: this page, or the server's headphones if the player wears those."""
    admission = station_of(request, "tactile", "sighted")
    assert admission is not None
    state = request.app[HALL].tables[admission.table].state
    device = station_of_devices(Seat(admission.seat)).id
    wears = state.sound.of(Seat(admission.seat)).devices.headphones is not None
    return device if wears and state.stations.find(device) is not None else admission.station
