"""The arbiter admits and refuses devices over HTTP, and makes codes, links and QR codes for new ones."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec
from aiohttp import web

from server.exports.qr import qr_svg
from server.game.acts.forms import forms as forms_of_acts
from server.game.values.words import Duty, Seat
from server.web.door.access import ACCESS, CODE_LIFE_MS, AccessDenied, Place, page_of, spoken_code
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import arbiter_of, asker_of
from server.web.door.introductions import INTRODUCTIONS
from server.web.keys import ADDRESSES, HALL
from server.wording.rules import load_incident_kinds
from speech.complaint import Phrase
from speech.words.config_file import language_tags
from speech.words.loading import GERMAN

LONG_POLL_S = 20.0


class Decide(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arbiter's decision to admit or to refuse a waiting device.

    `duties` replaces those of the invitation (D.2.10, granted one by one). `under`: the article that allows an
    assistant who is not one of Appendix D. `provided_by`: who brought that assistant. `language`: the arbiter's, for
    the sentence of a refusal.
    """

    admit: bool
    duties: tuple[Duty, ...] | None = None
    under: Literal["", "4.9", "6.2.6", "8.1.6"] = ""
    provided_by: Literal["", "player", "organiser", "arbiter"] = ""
    language: str = "en"


class OpenCodes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The arbiter has codes read again from every address; it has no fields."""


class Invite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Place for which a new code is made.

    With `role` player, the kind of the seat decides which page the player gets.
    """

    role: Literal["player", "assistant", "arbiter", "display", "observer"]
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()
    language: str = "de"


async def get_forms(_request: web.Request) -> web.Response:
    """Answer with the forms of all that an arbiter can do: nothing about a table, so they are for everybody."""
    given = json_answer({"acts": _forms()})
    given.enable_compression()
    return given


@cache
def _forms() -> list[dict[str, Any]]:
    return forms_of_acts({"note_incident.kind": tuple(load_incident_kinds())})


async def introductions(request: web.Request) -> web.Response:
    """GET /api/introductions?version=N: list the waiting devices of the arbiter's table, and where codes are locked.

    Answers as soon as something has changed since version N, or after 20 seconds.
    """
    arbiter_of(request)
    waiting = request.app[INTRODUCTIONS]
    try:
        version = int(request.query.get("version", "0"))
    except ValueError:
        version = 0
    await waiting.after(version, LONG_POLL_S)
    admission = arbiter_of(request)  # while this waited, the arbiter may have been sent away
    now = request.app[HALL].clock.mono_ms()
    devices = [
        {
            "id": one.id,
            "role": one.place.page,
            "seat": one.place.seat,
            "duties": one.place.duties,
            "mark": one.mark,
            "label": one.label,
            "waited_ms": now - one.came_ms,
        }
        for one in waiting.waiting(admission.table)
    ]
    access = request.app[ACCESS]
    return json_answer(
        {"version": waiting.version, "waiting": devices, "locked": access.locked, "closed": access.besieged}
    )


async def open_codes(request: web.Request) -> web.Response:
    """POST /api/codes: read codes from every address again, also those that wrong tries have locked."""
    arbiter_of(request)
    await body_of(request, OpenCodes)
    request.app[ACCESS].open_again()
    return json_answer({"locked": [], "closed": False})


async def decide(request: web.Request) -> web.Response:
    """POST /api/introductions/ID: admit or refuse a device of the arbiter's own table.

    Raises AccessDenied where the device does not wait, or waits at another table.
    """
    admission = arbiter_of(request)
    asked = await body_of(request, Decide)
    waiting = request.app[INTRODUCTIONS]
    introduction = waiting.find(request.match_info["id"])
    if introduction is None or introduction.place.table != admission.table:
        raise AccessDenied("not_waiting", 404, Phrase("waits_no_more"))
    if asked.admit:
        await waiting.admit(
            introduction,
            asked.duties,
            under=asked.under,
            provided_by=asked.provided_by,
            language=asked.language,
            asker=asker_of(request, "arbiter"),
        )
    else:
        waiting.refuse(introduction)
    return json_answer({"state": introduction.state})


async def invite(request: web.Request) -> web.Response:
    """POST /api/invitations: make a new code, link and QR code for a place at the arbiter's table.

    Raises AccessDenied where a player or an assistant is invited without a seat.
    """
    admission = arbiter_of(request)
    asked = await body_of(request, Invite)
    hall = request.app[HALL]
    if asked.role in ("player", "assistant") and asked.seat is None:
        raise AccessDenied("no_seat", 400, Phrase("name_the_seat"))
    page: str = asked.role
    if asked.role == "player" and asked.seat is not None:
        page = page_of(hall.table(admission.table).state.plan(asked.seat).kind)
    place = Place(
        table=admission.table,
        page=page,
        seat=asked.seat if asked.role in ("player", "assistant") else None,
        duties=asked.duties if asked.role == "assistant" else (),
    )
    invitation = request.app[ACCESS].invite(place)
    base = request.app[ADDRESSES].for_devices(f"{request.scheme}://{request.host}")
    link = f"{base}/#join={invitation.secret}"
    return json_answer(
        {
            "code": list(invitation.squares),
            "words": spoken_code(invitation.squares, asked.language if asked.language in language_tags() else GERMAN),
            "link": link,
            "qr": qr_svg(link),
            "page": page,
            "minutes": CODE_LIFE_MS // 60_000,
        },
        status=201,
    )
