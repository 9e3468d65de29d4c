"""GET /api/overview: all the tables at which this browser is the arbiter, and no other."""

from __future__ import annotations

import msgspec
from aiohttp import web

from server.play.overview import overview
from server.web.access import Turned
from server.web.answers import answer
from server.web.cookies import admissions_of
from server.web.keys import HALL


async def tables(request: web.Request) -> web.Response:
    """One line a table (12.2). Raises Turned for a browser that is nobody's arbiter."""
    hall = request.app[HALL]
    ids = sorted({one.table for _, one in admissions_of(request) if one.role == "arbiter"} & hall.tables.keys())
    if not ids:
        raise Turned("not_the_arbiter", 403, "Only the arbiter may do this.")
    lines = overview(tuple((id, hall.tables[id].state) for id in ids), hall.clock.mono_ms())
    return answer({"tables": [msgspec.to_builtins(line) for line in lines]})
