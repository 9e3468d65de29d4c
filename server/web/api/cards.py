"""The arbiter prints a card for every seat of a round: GET and POST /cards, GET /cards.brf.

`of` says which tables: `all` of this arbiter, `round:N`, or `table:NAME`; finished games have no cards. The codes are
kept by `server/web/door/seat_cards.py`, the page is made by `server/exports/handout.py`.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from server.exports.handout import Card, CardsPage, cards_page, cards_to_emboss
from server.game.values.words import Role, Seat
from server.hall.hall import Hall
from server.web.door.access import CODE_LIFE_MS, AccessDenied, Place, page_of, spoken_code
from server.web.door.answers import read_guard
from server.web.door.cookies import arbiters_tables, check_held, note_held
from server.web.door.guards import language_of_reader
from server.web.door.seat_cards import CARDS, SeatCard, SeatCards
from server.web.keys import ADDRESSES, HALL
from server.wording.complaints import translate_phrase
from speech.complaint import Phrase
from speech.words.catalogue import known_tag

ALL = "all"
MOST_FIELDS = 8


async def cards(request: web.Request) -> web.Response:
    """GET /cards?of=OF: show the cards as they are; nothing is made.

    A browser that is not an arbiter's, and a table that is not there, are answered with one sentence to read.
    """
    try:
        return await _page(request)
    except AccessDenied as turned:
        return _turn_away(request, turned)


async def change_cards(request: web.Request) -> web.Response:
    """POST /cards, a form with `of` and `do`: make the cards that are missing, let all hold, or make all anew.

    A seat at which a device is already has no need of a card, except where all are made anew. It answers with the way
    to the page, or with one sentence to read.
    """
    try:
        of = await _carry_out_form(request)
    except AccessDenied as turned:
        return _turn_away(request, turned)
    raise web.HTTPSeeOther(f"/cards?{urlencode({'of': of})}")


def _turn_away(request: web.Request, turned: AccessDenied) -> web.Response:
    return web.Response(status=turned.status, text=translate_phrase(turned.told, language_of_reader(request)))


async def _page(request: web.Request) -> web.Response:
    of, tables = await _choose_tables(request, request.query.get("of", ALL))
    hall, kept = request.app[HALL], request.app[CARDS]
    sheet = CardsPage(
        language=language_of_reader(request), of=of, until=_until(hall, kept, tables), minutes=CODE_LIFE_MS // 60_000
    )
    page = await asyncio.to_thread(cards_page, cards_of(hall, kept, tables, _base(request)), sheet)
    check_held(request)  # no code for a device that was sent away meanwhile
    return web.Response(text=page, content_type="text/html")


async def _carry_out_form(request: web.Request) -> str:
    """Carry out the form, and return which tables it was about. Raises AccessDenied."""
    arbiters_tables(request)  # nobody else's form is waited for
    if request.content_type != "application/x-www-form-urlencoded":
        raise AccessDenied("not_so_asked", 415, Phrase("not_so_asked"))
    async with read_guard(request):
        body = await request.read()
    try:
        form = dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS))
    except ValueError:
        raise AccessDenied("not_so_asked", 400, Phrase("not_so_asked")) from None
    of, tables = await _choose_tables(request, form.get("of", ALL))
    hall, kept = request.app[HALL], request.app[CARDS]
    match form.get("do"):
        case "make":
            await kept.make(places_of(hall, tables, every=False), live_tables(hall), anew=False)
        case "anew":
            await kept.make(places_of(hall, tables, every=True), live_tables(hall), anew=True)
        case "hold":
            if not _kept_cards(kept, tables):  # there is none that could be made valid
                await kept.make(places_of(hall, tables, every=False), live_tables(hall), anew=False)
            kept.hold(_kept_cards(kept, tables))
        case _:
            raise AccessDenied("not_so_asked", 400, Phrase("not_so_asked"))
    return of


async def labels(request: web.Request) -> web.Response:
    """GET /cards.brf?of=OF: hand over a braille label for each seat, as a BRF file.

    Raises AccessDenied as `cards` does.
    """
    _, tables = await _choose_tables(request, request.query.get("of", ALL))
    found = cards_of(request.app[HALL], request.app[CARDS], tables, _base(request))
    embossed = await asyncio.to_thread(cards_to_emboss, found)
    check_held(request)
    return web.Response(
        text=embossed,
        content_type="text/plain",
        charset="us-ascii",
        headers={"Content-Disposition": 'attachment; filename="seat-cards.brf"'},
    )


def live_tables(hall: Hall) -> tuple[str, ...]:
    """Return the names of the tables whose games are not over."""
    return tuple(id for id, table in hall.tables.items() if not table.state.over)


def tables_of(hall: Hall, of: str, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tables that `of` names, in the order of their boards; none where there are none."""
    kind, _, name = of.partition(":")
    found = [
        id
        for id in among
        if id in live_tables(hall)
        and (of == ALL or (kind, name) in (("table", id), ("round", hall.tables[id].state.table.round)))
    ]
    return tuple(sorted(found, key=lambda id: hall.tables[id].state.table.board_number))


def places_of(hall: Hall, tables: tuple[str, ...], *, every: bool) -> list[Place]:
    """Return the players' places at these tables; without `every` only those at which no device is yet."""
    return [
        Place(table=id, page=page_of(hall.tables[id].state.plan(seat).kind), seat=seat)
        for id in tables
        for seat in Seat
        if every or not hall.tables[id].state.stations.at(Role.PLAYER, seat)
    ]


def cards_of(hall: Hall, kept: SeatCards, tables: tuple[str, ...], base: str) -> list[Card]:
    """Return the cards of these tables; `base`: the address for the players' devices."""
    found = []
    for id in tables:
        state = hall.tables[id].state
        for seat in Seat:
            plan, language = state.plan(seat), known_tag(state.language_of(seat))
            one = kept.of(id, seat)
            found.append(
                Card(
                    table=id,
                    seat=seat,
                    name=plan.name,
                    kind=plan.kind,
                    opponent=state.plan(seat.other).kind,
                    language=language,
                    address=base,
                    squares=() if one is None else one.squares,
                    words="" if one is None else spoken_code(one.squares, language),
                    link="" if one is None else f"{base}/#join={one.secret}",
                    chess960=state.moves.positions[0].chess960,
                )
            )
    return found


async def _choose_tables(request: web.Request, of: str) -> tuple[str, tuple[str, ...]]:
    """Return which tables are asked for, once all are taken up. Raises AccessDenied: none of this arbiter's."""
    await request.app[HALL].wait_for_all()
    tables = tables_of(request.app[HALL], of, arbiters_tables(request))
    if not tables:
        raise AccessDenied("no_table", 404, Phrase("no_such_table", name=of.partition(":")[2] or of))
    note_held(request)
    return of, tables


def _kept_cards(kept: SeatCards, tables: tuple[str, ...]) -> list[SeatCard]:
    return [one for id in tables for seat in Seat if (one := kept.of(id, seat)) is not None]


def _until(hall: Hall, kept: SeatCards, tables: tuple[str, ...]) -> str:
    """Return the time of day until which the first of the codes holds; "" where none does."""
    until = [at for one in _kept_cards(kept, tables) if (at := kept.until_ms(one)) is not None]
    if not until:
        return ""
    wall = hall.clock.wall_ms() + min(until) - hall.clock.mono_ms()
    return f"{datetime.fromtimestamp(wall / 1000).astimezone():%H:%M}"


def _base(request: web.Request) -> str:
    return request.app[ADDRESSES].for_devices(f"{request.scheme}://{request.host}")
