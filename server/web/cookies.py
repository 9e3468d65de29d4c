"""The station's token as a cookie: HttpOnly, SameSite=Strict, Secure where the page came over https."""

from __future__ import annotations

import re

from aiohttp import web

from server.journal.admissions import Admission
from server.web.access import Turned
from server.web.keys import HALL

PREFIX = "anna-eins."
WAITING = "anna-eins-waiting."
KEPT_S = 30 * 24 * 3600


def give_token(request: web.Request, response: web.StreamResponse, token: str, admission: Admission) -> None:
    """The cookie of an admitted station; one browser may hold several stations under different names."""
    parts = (admission.role, admission.seat, admission.table)
    name = PREFIX + ".".join(re.sub(r"[^A-Za-z0-9_-]", "_", part) for part in parts if part)
    _set(request, response, name, token, KEPT_S)


def give_waiting(request: web.Request, response: web.StreamResponse, id: str, token: str) -> None:
    """The cookie of a device that waits for the arbiter."""
    _set(request, response, WAITING + id, token, 3600)


def drop_waiting(response: web.StreamResponse, id: str) -> None:
    """The device waits no longer."""
    response.del_cookie(WAITING + id, path="/")


def admissions_of(request: web.Request) -> list[tuple[str, Admission]]:
    """Every standing admission that this browser holds, with its token."""
    found = []
    for name, token in request.cookies.items():
        if name.startswith(PREFIX):
            admission = request.app[HALL].admissions.admission_of(token)
            if admission is not None:
                found.append((token, admission))
    return found


def station_of(request: web.Request, *pages: str) -> Admission | None:
    """The station that a request speaks for: `?page=` and, where one browser holds several, `&seat=`, `&table=`."""
    wanted = {key: request.query[key] for key in ("page", "seat", "table") if request.query.get(key)}
    for _, admission in admissions_of(request):
        have = {"page": admission.role, "seat": admission.seat, "table": admission.table}
        if all(have[key] == value for key, value in wanted.items()) and (not pages or admission.role in pages):
            return admission
    return None


def arbiter_of(request: web.Request) -> Admission:
    """The arbiter's admission. Raises Turned for everyone else."""
    admission = station_of(request, "arbiter")
    if admission is None:
        raise Turned("not_the_arbiter", 403, "Only the arbiter may do this.")
    return admission


def _set(request: web.Request, response: web.StreamResponse, name: str, token: str, seconds: int) -> None:
    response.set_cookie(
        name, token, max_age=seconds, path="/", httponly=True, samesite="Strict", secure=request.scheme == "https"
    )
