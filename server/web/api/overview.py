"""GET /api/overview shows all the tables at which this browser is the arbiter, and no other (12.2).

What the page of all tables reads out is said in the server's own voice where the arbiter asks for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from aiohttp import web

from server.desk.settling import load_settling
from server.game.values.words import Role, Seat
from server.game.views.overview import overview
from server.hall.hall import Hall
from server.table.table import Observer, Table
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import (
    admissions_of,
    arbiters_tables,
    arbiters_tokens,
    hall_arbiter_of,
    hall_asker_of,
    in_order,
)
from server.web.door.introductions import INTRODUCTIONS, Changes
from server.web.door.passages import tables_elsewhere
from server.web.keys import HALL
from speech.audio.mp3 import encode_mp3
from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.voices.voice import Segment
from speech.words.config_file import language_tags

_log = logging.getLogger(__name__)
LONG_POLL_S = 20.0
SHARED_POLL_S = 2.0
ASKS_AGAIN_MS = 5_000
"""A page of all tables that is open asks again within this time."""


async def tables(request: web.Request) -> web.Response:
    """GET /api/overview: show one line for each of the arbiter's tables.

    With `?version=N` it answers when something has changed since then, or after 20 s; where other servers lead some of
    the tables, after two. These tables are shown too, but with `?alone=1`. Raises AccessDenied for a browser that is
    not an arbiter's.
    """
    arbiters_tables(request)
    hall, glance = request.app[HALL], request.app[GLANCE]
    shared = hall.sharing is not None and bool(hall.sharing.elsewhere) and not request.query.get("alone")
    with glance.open_at({one.station for _, one in arbiters_tokens(request)}):
        await glance.after(_number(request.query.get("version", "")), SHARED_POLL_S if shared else LONG_POLL_S)
    ids = arbiters_tables(request)  # tables or the arbiter may have come or gone meanwhile
    version = glance.version
    states = tuple((id, hall.tables[id].state) for id in ids)
    ahead = {id: hall.tables[id].ahead_ms for id in ids}
    lines = overview(states, hall.clock.mono_ms(), load_settling().kinds, ahead)
    doors = request.app[INTRODUCTIONS]
    shown = [
        {
            **msgspec.to_builtins(line),
            "links": links(hall.tables[line.table]),
            "waiting": len(doors.waiting(line.table)),
        }
        for line in lines
    ]
    shut = sorted(shut_to(request), key=in_order)
    said = {
        "version": version,
        "hall": hall_arbiter_of(request) is not None,
        "tables": shown,
        "shut": shut,
        "shorter": [msgspec.to_builtins(one) for one in hall.rolled_back.values()] if hall_arbiter_of(request) else [],
        "to_come": len(_own(request) & {*hall.waiting}),
    }
    if hall.sharing is not None and said["hall"]:
        said["uneven"] = len(hall.sharing.uneven)
    if shared:
        others, silent = await tables_elsewhere(request)
        every = sorted((*shown, *others), key=lambda line: in_order(str(line["table"])))
        said |= {"tables": every, "elsewhere": True, "silent": silent}
    return json_answer(said)


def shut_to(request: web.Request) -> set[str]:
    """Return the tables of this arbiter that are shut because their record is not whole."""
    return _own(request) & request.app[HALL].shut.keys()


def _own(request: web.Request) -> set[str]:
    return {one.table for _, one in admissions_of(request) if one.role == "arbiter"}


class GoesOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The arbiter of the hall says that a table continues with a record that is older than its witness."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


async def go_on(request: web.Request) -> web.Response:
    """POST /api/tables/shorter: continue with a table whose record is shorter than its witness, on record.

    Raises AccessDenied, Complaint.
    """
    asker = hall_asker_of(request)
    asked = await body_of(request, GoesOn)
    await request.app[HALL].go_on_with(asked.table, asker)
    request.app[GLANCE].tell()
    return json_answer({"table": asked.table})


class Evenly(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The arbiter of the hall says that each server shall lead as many tables as the others."""


async def share_out(request: web.Request) -> web.Response:
    """POST /api/tables/evenly: move tables, while their clocks run, so that each server leads as many as the others.

    Raises AccessDenied, Complaint: not now, since a clock that runs could stop.
    """
    asker = hall_asker_of(request)
    await body_of(request, Evenly)
    sharing = request.app[HALL].sharing
    if sharing is None:
        raise Complaint(Phrase("servers.no_other"))
    count = await sharing.share_out()
    _log.info("%d tables are moved so that the servers lead as many each, by %s", count, asker.name)
    request.app[GLANCE].tell()
    return json_answer({"moving": count})


class TextToSpeak(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Text that the page of all tables reads out, and the language of the voice."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2,3}\Z")]


async def speak_overview(request: web.Request) -> web.Response:
    """POST /api/overview/spoken: say what the arbiter's page shows, as MP3, for the arbiter's own headphones.

    Answers with status 204 where no voice can say it. Raises AccessDenied for a browser that is not an arbiter's, so
    that nothing of it ever reaches a player's device.
    """
    arbiters_tables(request)
    asked = await body_of(request, TextToSpeak)
    voice = request.app[HALL].voice
    if voice is None or asked.language not in language_tags():
        return web.Response(status=204)
    try:
        sound = await voice.render([Segment(asked.text, asked.language)], keep=False)
    except (Complaint, ChildFailed):
        return web.Response(status=204)
    return web.Response(body=await asyncio.to_thread(encode_mp3, sound), content_type="audio/mpeg")


def links(table: Table) -> dict[str, bool | None]:
    """Say for each seat whether a station of its player is connected; None where there is no station."""
    found: dict[str, bool | None] = {}
    for seat in Seat:
        stations = table.state.stations.at(Role.PLAYER, seat)
        found[seat.value] = any(table.connections.of(one.id) for one in stations) if stations else None
    return found


class Glance(Changes):
    """A glance wakes the waiting overview pages when a table changes or a station comes or goes."""

    def __init__(self, hall: Hall) -> None:
        super().__init__()
        self._clock = hall.clock
        self._waiting = Counter[str]()  # stations whose page of all tables waits for an answer
        self._answered: dict[str, int] = {}  # when one was last answered
        hall.on_table(self._watch)
        if hall.sharing is not None:
            hall.sharing.on_change.append(self.tell)

    @contextmanager
    def open_at(self, stations: Collection[str]) -> Iterator[None]:
        """Know that the page of all tables is open at these stations while it waits, and shortly after."""
        self._waiting.update(stations)
        try:
            yield
        finally:
            self._waiting.subtract(stations)
            self._waiting += Counter()  # without those that wait no longer
            self._answered.update(dict.fromkeys(stations, self._clock.mono_ms()))

    def is_open_at(self, station: str) -> bool:
        """Return whether the page of all tables is open at this station."""
        answered = self._answered.get(station)
        return self._waiting[station] > 0 or (answered is not None and self._clock.mono_ms() - answered < ASKS_AGAIN_MS)

    def _watch(self, table: Table) -> None:
        table.observers.append(
            Observer("The overview of the tables", change=self.tell, line=lambda _station: self.tell())
        )
        self.tell()


GLANCE = web.AppKey("GLANCE", Glance)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
