"""A device asks to come in: a code or a link's secret makes it wait, and then makes it a station."""

from __future__ import annotations

from typing import Annotated

import msgspec
from aiohttp import web

from server.journal.admissions import SentAway, new_token
from server.web.door.access import ACCESS, AccessDenied, Invitation, Place
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import (
    admissions_of,
    drop_waiting,
    give_token,
    give_waiting,
    hall_arbiter_of,
    waiting_token_of,
)
from server.web.door.introductions import INTRODUCTIONS, admit_device
from server.web.door.passages import PASSAGES
from server.web.door.seat_cards import CARDS
from server.web.keys import HALL
from speech.complaint import Phrase
from speech.words.config_file import language_tags

LONG_POLL_S = 20.0


class Join(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Code in words, or the secret of a link; `label` is the name the device gives itself.

    `language`: the one that its page is in, "de"; a player's seat takes it over (`Admit`).
    """

    code: Annotated[str, msgspec.Meta(max_length=200)] = ""
    secret: Annotated[str, msgspec.Meta(max_length=100)] = ""
    label: Annotated[str, msgspec.Meta(max_length=60)] = ""
    language: Annotated[str, msgspec.Meta(max_length=35)] = ""


def page_address(place: Place) -> str:
    """Return the address of a place's page; it never holds a token."""
    if not place.table:
        return "/tables"
    seat = f"&seat={place.seat.value}" if place.seat is not None else ""
    return f"/{place.page}?table={place.table}{seat}"


async def join(request: web.Request) -> web.Response:
    """POST /api/join: introduce this device, or admit it at once where the arbiter's own link was used."""
    asked = await body_of(request, Join)
    address = request.remote or ""
    access = request.app[ACCESS]
    if asked.secret and (came := await request.app[PASSAGES].take(asked.secret)) is not None:
        token, admission = came
        response = json_answer({"state": "admitted", "page": f"/arbiter?table={admission.table}"})
        give_token(request, response, token, admission)
        return response
    hall = request.app[HALL]
    async with hall.admissions.using_link(asked.secret, hall.clock.wall_ms()) as holds:  # one from the terminal
        if holds:
            return await _admit_at_once(request, Place(table="", page="arbiter"))
    if asked.secret:
        invitation: Invitation = access.take_secret(asked.secret, address)
    else:
        invitation = await access.take_code(asked.code, address)
    try:
        return await _come_in(request, invitation, asked)
    except SentAway:  # somebody does not want this device
        raise
    except BaseException:
        access.give_back(invitation)
        raise


async def _come_in(request: web.Request, invitation: Invitation, asked: Join) -> web.Response:
    await request.app[CARDS].use(invitation)
    if invitation.admits:
        return await _admit_at_once(request, invitation.place)
    chosen = asked.language if asked.language in language_tags() else ""
    introduction = request.app[INTRODUCTIONS].introduce(invitation.place, asked.label, chosen)
    response = json_answer(
        {
            "state": "waiting",
            "id": introduction.id,
            "mark": introduction.mark,
            "role": invitation.place.page,
            "seat": invitation.place.seat,
        },
        status=202,
    )
    give_waiting(request, response, introduction.id, introduction.token)
    return response


async def _admit_at_once(request: web.Request, place: Place) -> web.Response:
    token = new_token()
    admission = await admit_device(request.app[HALL], place, token)
    response = json_answer({"state": "admitted", "page": page_address(place)})
    give_token(request, response, token, admission)
    return response


async def waiting(request: web.Request) -> web.Response:
    """GET /api/join/ID: say whether the arbiter has decided.

    Answers as soon as there is a decision or another change, and after 20 seconds at the latest; the device then asks
    again. Raises AccessDenied for a device that does not wait.
    """
    introductions = request.app[INTRODUCTIONS]
    introduction = introductions.find(request.match_info["id"])
    token = waiting_token_of(request, request.match_info["id"])
    if introduction is None or token != introduction.token:
        raise AccessDenied("not_waiting", 404, Phrase("join_again"))
    admissions = request.app[HALL].admissions
    # The device still waits until the arbiter's yes is on disk. Any change is answered; the device then asks again.
    if introduction.state != "refused" and admissions.admission_of(introduction.token) is None:
        await introductions.after(introductions.version, LONG_POLL_S)
    admission = admissions.admission_of(introduction.token)
    if introduction.state != "refused" and admission is None:
        return json_answer({"state": "waiting"})
    if admission is None:
        response = json_answer({"state": "refused"})
        drop_waiting(response, introduction.id)
        return response
    response = json_answer({"state": "admitted", "page": page_address(introduction.place)})
    give_token(request, response, introduction.token, admission)
    drop_waiting(response, introduction.id)
    return response


async def places(request: web.Request) -> web.Response:
    """GET /api/places: list the stations that this browser is admitted to.

    An arbiter of several tables finds them all on one page.
    """
    found: list[dict[str, str | None]] = []
    admissions = [one for _, one in admissions_of(request)]
    if hall_arbiter_of(request) or sum(one.role == "arbiter" for one in admissions) > 1:
        admissions = [one for one in admissions if one.role != "arbiter"]
        found.append({"role": "tables", "seat": None, "table": "", "page": "/tables"})
    for one in admissions:
        seat = f"&seat={one.seat}" if one.seat else ""
        page = f"/{one.role}?table={one.table}{seat}"
        found.append({"role": one.role, "seat": one.seat or None, "table": one.table, "page": page})
    return json_answer({"places": found})
