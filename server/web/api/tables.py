"""The hall's arbiter opens tables: one by hand, or a round from a pairing file (TRF16, TRF26, PGN)."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from aiohttp import web

from server.game.laws.event_options import Guideline
from server.hall.pairings import read_pairings, table_name
from server.hall.rounds import MOST_TABLES, USUAL_CONTROL, Wanted, holding, open_round
from server.web.door.access import Turned
from server.web.door.answers import answer, large_body_of
from server.web.door.cookies import hall_arbiter_of
from server.web.door.introductions import give_table
from server.web.keys import HALL, SETTINGS
from speech.complaint import Phrase

LONGEST_FILE = 6_000_000
LONGEST_ROUND = 500_000


class PairingFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """This holds the text of a pairing file; `round` None means the last round that is paired."""

    text: str
    round: Annotated[int, msgspec.Meta(ge=1, le=60)] | None = None


class Round(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """These are the tables to open.

    `guidelines`, `unsupervised`: None means as in the event's settings.
    """

    tables: Annotated[tuple[Wanted, ...], msgspec.Meta(min_length=1, max_length=MOST_TABLES)]
    rated: bool = True
    guidelines: Annotated[tuple[Guideline, ...], msgspec.Meta(max_length=3)] | None = None
    unsupervised: bool | None = None


async def regulations(request: web.Request) -> web.Response:
    """GET /api/regulations: show what the event's settings say about new tables.

    Raises Turned.
    """
    _token(request)
    event = request.app[SETTINGS].regulations
    return answer({"guidelines": list(event.guidelines), "unsupervised": event.unsupervised})


async def look(request: web.Request) -> web.Response:
    """POST /api/pairings: show what is paired in this file; nothing is opened.

    Raises Turned, Complaint.
    """
    _token(request)
    asked = await large_body_of(request, PairingFile, LONGEST_FILE)
    pairings = await asyncio.to_thread(read_pairings, asked.text, asked.round)
    there = request.app[HALL].tables
    shown = [
        {
            "name": table_name(one),
            "white": one.white,
            "black": one.black,
            "event": one.event,
            "round": one.round,
            "board": one.board,
            "control": one.control or USUAL_CONTROL,
            "taken": table_name(one) in there,
        }
        for one in pairings
    ]
    return answer({"round": pairings[0].round, "tables": shown})


async def open_tables(request: web.Request) -> web.Response:
    """POST /api/tables: open the tables and give them to the hall's arbiter.

    Raises Turned, Complaint.
    """
    token = _token(request)
    asked = await large_body_of(request, Round, LONGEST_ROUND)
    hall = request.app[HALL]
    event = request.app[SETTINGS].regulations
    event = holding(
        event,
        event.guidelines if asked.guidelines is None else asked.guidelines,
        unsupervised=event.unsupervised if asked.unsupervised is None else asked.unsupervised,
    )
    names = await open_round(hall, asked.tables, rated=asked.rated, regulations=event)
    for name in names:
        await give_table(hall, token, name)
    return answer({"tables": list(names)}, status=201)


def _token(request: web.Request) -> str:
    token = hall_arbiter_of(request)
    if token is None:
        raise Turned("not_the_hall_arbiter", 403, Phrase("only_hall_arbiter"))
    return token
