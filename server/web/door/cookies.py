"""A station's token is kept in a cookie: HttpOnly, SameSite=Strict; Secure and of this host alone over https."""

from __future__ import annotations

import re
from typing import Any

from aiohttp import web

from server.journal.admissions import Admission
from server.table.intake import Asker
from server.web.door.access import AccessDenied
from server.web.door.guards import Handler
from server.web.door.servers import comes_from_another, page_key_of
from server.web.keys import HALL
from speech.complaint import Phrase

PREFIX = "anna-eins."
WAITING = "anna-eins-waiting."
SECURE = "__Host-"
"""Over https each name begins with this, and browsers then take the cookie from this host alone, over https alone."""
KEPT_S = 30 * 24 * 3600


def give_token(request: web.Request, response: web.StreamResponse, token: str, admission: Admission) -> None:
    """Set the cookie of an admitted station.

    One browser may hold several stations under different names.
    """
    parts = (admission.role, admission.seat, admission.table)
    name = PREFIX + ".".join(re.sub(r"[^A-Za-z0-9_-]", "_", part) for part in parts if part)
    _set(request, response, name, token, KEPT_S)


def give_waiting(request: web.Request, response: web.StreamResponse, id: str, token: str) -> None:
    """Set the cookie of a device that waits for the arbiter; it lasts an hour."""
    _set(request, response, WAITING + id, token, 3600)


def drop_waiting(response: web.StreamResponse, id: str) -> None:
    """Remove the cookie of a device that waits no longer."""
    for name in (WAITING + id, SECURE + WAITING + id):
        response.del_cookie(name, path="/", secure=name.startswith(SECURE))


def waiting_token_of(request: web.Request, id: str) -> str:
    """Return the token with which a device waits; "" where it is not this device that waits."""
    return request.cookies.get(SECURE + WAITING + id) or request.cookies.get(WAITING + id, "")


def admissions_of(request: web.Request) -> list[tuple[str, Admission]]:
    """Return every valid admission to a table that this browser holds, with its token."""
    return [(token, one) for token, one in _all_of(request) if one.table]


def token_of(request: web.Request) -> str:
    """Return the first valid token that this browser holds; "" where it is not admitted."""
    return next((token for token, _ in _all_of(request)), "")


def hall_arbiter_of(request: web.Request) -> str | None:
    """Return the token of the hall's arbiter, who opens tables; None for everyone else."""
    return next((token for token, one in _all_of(request) if not one.table and one.role == "arbiter"), None)


def arbiters_tokens(request: web.Request) -> list[tuple[str, Admission]]:
    """Return this browser's admissions as an arbiter, also before a table is opened, each with its token."""
    return [(token, one) for token, one in _all_of(request) if one.role == "arbiter"]


def _all_of(request: web.Request) -> list[tuple[str, Admission]]:
    if comes_from_another(request):  # nobody but the page itself, which has the key, speaks for its station
        tokens = [page_key_of(request)]
    else:
        tokens = [token for name, token in request.cookies.items() if name.removeprefix(SECURE).startswith(PREFIX)]
    return [(token, one) for token in tokens for one in request.app[HALL].admissions.admissions_of(token)]


Held = tuple[tuple[str, Admission], ...]
"""Admissions of a browser, each with its token."""
_HELD: Any = getattr(web, "RequestKey", lambda name, _: name)("HELD", tuple)  # an older aiohttp has plain names


def note_held(request: web.Request) -> None:
    """Note all that this browser is admitted to now; `check_held` compares with it later."""
    request[_HELD] = tuple(_all_of(request))


def check_held(request: web.Request) -> None:
    """Raise AccessDenied where this browser has lost anything that it was admitted to when its body began to come.

    Who has waited, for the body or for anything else, asks this at the instant at which a request is carried out.
    """
    admissions = request.app[HALL].admissions
    held: Held = request.get(_HELD, ())
    if any(one not in admissions.admissions_of(token) for token, one in held):
        raise AccessDenied("sent_away", 403, Phrase("sent_away"))


def asker_of(request: web.Request, *pages: str) -> Asker:
    """Return the station of one of these pages that a request speaks for, to be named in the record for what it asks.

    It may ask as long as it stands: it is looked at again when the table carries that out. Raises AccessDenied where
    this browser has no such station.
    """
    admission = station_of(request, *pages)
    if admission is None:
        raise AccessDenied("sent_away", 403, Phrase("sent_away"))
    return _asker(request, admission)


def hall_asker_of(request: web.Request) -> Asker:
    """Return the arbiter of the hall whom a request speaks for, as `asker_of` does.

    Raises AccessDenied for everyone else.
    """
    found = next((one for _, one in _all_of(request) if not one.table and one.role == "arbiter"), None)
    if found is None:
        raise AccessDenied("not_the_hall_arbiter", 403, Phrase("only_hall_arbiter"))
    return _asker(request, found)


def _asker(request: web.Request, admission: Admission) -> Asker:
    admissions = request.app[HALL].admissions
    tokens = [token for token, one in _all_of(request) if one == admission]
    return Asker(admission.station, lambda: any(admission in admissions.admissions_of(token) for token in tokens))


def station_of(request: web.Request, *pages: str) -> Admission | None:
    """Return the station that a request speaks for, None where this browser has no such station.

    `?page=` says which and, where one browser holds several, `&seat=` and `&table=`.
    """
    wanted = {key: request.query[key] for key in ("page", "seat", "table") if request.query.get(key)}
    for _, admission in admissions_of(request):
        have = {"page": admission.role, "seat": admission.seat, "table": admission.table}
        if all(have[key] == value for key, value in wanted.items()) and (not pages or admission.role in pages):
            return admission
    return None


def arbiter_of(request: web.Request) -> Admission:
    """Return the arbiter's admission. Raises AccessDenied for everyone else."""
    admission = station_of(request, "arbiter")
    if admission is None:
        raise AccessDenied("not_the_arbiter", 403, Phrase("only_arbiter"))
    return admission


def arbiters_tables(request: web.Request) -> tuple[str, ...]:
    """Return the names of the open tables at which this browser is the arbiter, in order.

    Empty for the hall's arbiter before a table is opened, and where other servers lead all of them. Raises AccessDenied
    for a browser that is not an arbiter's.
    """
    hall = request.app[HALL]
    own = {one.table for _, one in admissions_of(request) if one.role == "arbiter"}
    found = own & hall.tables.keys()
    led_elsewhere = hall.sharing is not None and not own.isdisjoint(hall.sharing.elsewhere)
    if not found and not led_elsewhere and hall_arbiter_of(request) is None:
        raise AccessDenied("not_the_arbiter", 403, Phrase("only_arbiter"))
    return tuple(sorted(found, key=in_order))


def in_order(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sorting key that puts r1-b2 before r1-b10.

    >>> sorted(["r1-b10", "demo", "r1-b2"], key=in_order)
    ['demo', 'r1-b2', 'r1-b10']
    """
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name))


@web.middleware
async def with_its_tables(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request only once the tables are taken up at which its browser is admitted.

    The hall's arbiter waits for the table that a request names, and not for all the others.
    """
    hall = request.app[HALL]
    if hall.waiting:
        named = request.query.get("table", "")
        own = {one.table for _, one in admissions_of(request)}
        await hall.wait_for(*({named} & own if hall_arbiter_of(request) is not None else own))
    return await handler(request)


def _set(request: web.Request, response: web.StreamResponse, name: str, token: str, seconds: int) -> None:
    secure = request.scheme == "https"
    name = SECURE + name if secure else name
    response.set_cookie(name, token, max_age=seconds, path="/", httponly=True, samesite="Strict", secure=secure)
