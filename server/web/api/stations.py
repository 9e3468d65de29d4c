"""The arbiter sees the stations of the table, which are connected, and can send one away (11.3.2)."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Annotated

import msgspec
from aiohttp import web

from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views.displays import delay_of
from server.machine.tasks import passing
from server.web.api.overview import GLANCE
from server.web.door.access import AccessDenied, page_of
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import arbiter_of, asker_of, hall_arbiter_of, hall_asker_of, in_order
from server.web.door.guards import language_of_reader
from server.web.door.introductions import give_tables
from server.web.keys import BOARDS, HALL
from server.web.sockets.line import LINES, NOT_ADMITTED, close
from server.wording.complaints import translate_phrase
from server.wording.details import told_in
from speech.complaint import Phrase

log = logging.getLogger(__name__)
SENT_AWAY = "The arbiter has sent this device away."


class SendAway(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Reason for sending a device away."""

    reason: Annotated[str, msgspec.Meta(max_length=400)] = ""


async def stations(request: web.Request) -> web.Response:
    """GET /api/stations: list the admitted stations of the arbiter's table, and its sensing boards.

    `delay_s`: how many seconds later than the players a display shows the game. `text` of a board says in the reader's
    language whether it can be heard and what it cannot tell.
    """
    admission = arbiter_of(request)
    table = request.app[HALL].table(admission.table)
    pages = {one.station: one.role for one in request.app[HALL].admissions.of_table(table.id)}
    of_the_hall = {one.station for one in request.app[HALL].admissions.of_table("")}
    shown = [
        {
            "station": one.id,
            "role": pages.get(one.id) or page_for(table.state, one),
            "seat": one.seat,
            "on_line": bool(table.connections.of(one.id)),
            "own": one.id == admission.station,
            "hall": one.id in of_the_hall,
            "delay_s": delay_of(table.state, one) // 1_000,
        }
        for one in table.state.stations.admitted
    ]
    boards = [
        {"name": one.name, "driver": one.driver, "text": told_in(said, language_of_reader(request))}
        for one, said in request.app[BOARDS].at_table(table.id)
    ]
    return json_answer(
        {"stations": shown, "boards": boards, "delay_s": dict(table.state.stations.display_delays).get("", 0)}
    )


def page_for(state: GameState, station: Station) -> str:
    """Return the page for a station that has no admission on file.

    Such a station is still being admitted, or stands at the server itself.
    """
    if station.role is Role.PLAYER and station.seat is not None:
        return page_of(state.plan(station.seat).kind)
    return station.role.value


async def send_away(request: web.Request) -> web.Response:
    """POST /api/stations/NAME: send a device away.

    Its token opens this table no more, the record says so, and its lines are closed. Raises AccessDenied for the
    arbiter's own station, for one that is not there, and for the hall's arbiter.
    """
    admission = arbiter_of(request)
    asked = await body_of(request, SendAway)
    hall = request.app[HALL]
    table = hall.table(admission.table)
    name = request.match_info["name"]
    station = table.state.stations.find(name)
    if station is None:
        raise AccessDenied("no_station", 404, Phrase("no_such_device"))
    if name == admission.station:
        raise AccessDenied("own_station", 409, Phrase("own_device"))
    of_the_hall = any(one.station == name and one.role == "arbiter" for one in hall.admissions.of_table(""))
    if of_the_hall and station.role is Role.ARBITER and hall_arbiter_of(request) is None:
        raise AccessDenied("hall_arbiter", 403, Phrase("hall_arbiter_stays"))
    outcome = await hall.revoke(table, name, asked.reason, asker_of(request, "arbiter"))
    if not outcome.outcome.ok:
        raise AccessDenied("not_recorded", 503, Phrase("try_again"))
    # All at once: one that takes nothing any more holds up the others for as long as it is waited for.
    lines = request.app[LINES].of(table.id, name)
    await asyncio.gather(*(close(line, NOT_ADMITTED, SENT_AWAY) for line in lines))
    request.app[GLANCE].tell()
    # Sent away at every table it would still be there: the arbiter is told, and the page of all tables lists it.
    text = translate_phrase(Phrase("hall_stays"), language_of_reader(request)) if of_the_hall else ""
    return json_answer({"station": name, "hall": of_the_hall, "text": text})


def close_lines(app: web.Application, table: str, station: str) -> None:
    """Close the lines of a device that was sent away elsewhere: from the whole hall, or from the terminal."""
    for line in app[LINES].of(table, station):
        passing("A line of a device that was sent away", partial(close, line, NOT_ADMITTED, SENT_AWAY))
    app[GLANCE].tell()


async def everybody(request: web.Request) -> web.Response:
    """GET /api/admissions: list every device that is admitted, to tables or to the whole hall, for its arbiters.

    The arbiters of the hall come first. `on_line`: whether it is connected to this server, by a line of a table, by the
    page of all tables, or because it asks. `since`: when it was admitted, in ms of the wall clock. Raises AccessDenied
    for anyone else.
    """
    own = hall_asker_of(request).name
    hall, lines, glance = request.app[HALL], request.app[LINES], request.app[GLANCE]
    shown = [
        {
            "station": all_of_it[0].station,
            "role": all_of_it[0].role,
            "seat": all_of_it[0].seat,
            "hall": not all_of_it[0].table,
            "tables": sorted((one.table for one in all_of_it if one.table), key=in_order),
            "since": all_of_it[0].admitted_wall_ms,
            "on_line": all_of_it[0].station == own
            or glance.is_open_at(all_of_it[0].station)
            or any(lines.of(one.table, one.station) for one in all_of_it),
            "own": all_of_it[0].station == own,
        }
        for all_of_it in hall.admissions.everybody()
    ]
    return json_answer({"devices": shown})


async def send_away_everywhere(request: web.Request) -> web.Response:
    """POST /api/admissions/NAME: send a device away from the whole hall and from every table.

    Tables of another arbiter of all go to the one who asks, so that none is left without an arbiter.
    Raises AccessDenied for the arbiter's own device, so that nobody locks out everybody, and for one that is not there.
    """
    hall_asker_of(request)
    asked = await body_of(request, SendAway)
    asker, name = hall_asker_of(request), request.match_info["name"]
    if name == asker.name:
        raise AccessDenied("own_station", 409, Phrase("own_device"))
    hall, token = request.app[HALL], hall_arbiter_of(request)
    theirs = {one.table for one in hall.admissions.everything_of(name)}
    if not await hall.revoke_everywhere(name, asked.reason, asker):
        raise AccessDenied("no_station", 404, Phrase("no_such_device"))
    if "" in theirs and token is not None:
        left = [id for id in theirs & hall.tables.keys() if not hall.tables[id].has_sent_away(asker.name)]
        await give_tables(hall, token, sorted(left, key=in_order))
    log.info("The device %s was sent away from the hall by %s", name, asker.name)
    request.app[GLANCE].tell()
    return json_answer({"station": name})
