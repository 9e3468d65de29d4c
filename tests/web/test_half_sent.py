"""A request that was half sent before its sender was sent away is not carried out when its other half comes.

Its rights are looked at when it begins and once more when all of it is there; so it is for every address that takes a
body, and for the lines of stations.
"""

from __future__ import annotations

import asyncio
import base64
import json
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from server.game import acts as cmd
from server.game.values.words import Role, Seat
from server.table.table import Observer
from server.web.door import answers, entrance
from server.web.door.access import Place
from server.web.door.introductions import INTRODUCTIONS
from server.web.sockets.line import LINES
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, Visitor
from tests.web.test_all_tables import hall_arbiter

PLAYER = {"white": {"name": "A"}, "black": {"name": "B"}}
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
BODIES: dict[str, tuple[str, Any]] = {
    "/api/join": ("hall", {"code": "a4 h8 c3"}),
    "/api/passage": ("hall", {"table": "demo"}),
    "/api/elsewhere": ("hall", {"table": "demo"}),
    "/api/introductions/{id}": ("hall", {"admit": True}),
    "/api/codes": ("hall", {}),
    "/api/invitations": ("hall", {"role": "arbiter"}),
    "/api/stations/{name}": ("hall", {}),
    "/api/admissions/{name}": ("hall", {}),
    "/api/overview/spoken": ("hall", {"text": "x", "language": "en"}),
    "/api/pairings": ("hall", {"file": base64.b64encode(b'[White "A"]\n[Black "B"]\n[Round "1.1"]\n').decode()}),
    "/api/tables": ("hall", {"tables": [PLAYER]}),
    "/api/tables/pairing": ("hall", {"table": "demo", "white": "A", "black": "B", "board": 1}),
    "/api/tables/released": ("hall", {"round": "1"}),
    "/api/tables/shorter": ("hall", {"table": "demo"}),
    "/api/tables/evenly": ("hall", {}),
    "/api/event": ("hall", {"profile": {"name": "Open"}}),
    "/api/review": ("hall", {"released": True}),
    "/api/spectators": ("hall", {"show": True}),
    "/api/visitors/heard": ("hall", b"\0" * 3_200),
    "/api/training/answer?kind=names&seed=abcdefgh&number=1": ("hall", {"text": "a4"}),
    "/api/training/heard?kind=names&seed=abcdefgh&number=1": ("hall", b"\0" * 3_200),
    "/cards": ("hall", "of=all&do=make"),
    "/api/desk/sheets": ("hall", {"white": "e4"}),
    "/api/boards/{name}": ("hall", {"kind": "placement"}),
    "/api/rehearsal": ("hall", {"do": "skip", "reason": "late"}),
    "/api/voice": ("player", {"do": "leave"}),
}
"""For every address that takes a body: who asks there, and with what."""


class Half:
    """A request of which all but the last octet was sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, last: bytes) -> None:
        self._reader, self._writer, self._last = reader, writer, last

    async def finish(self) -> tuple[int, str]:
        """Send the rest, and return the status and the body of the answer."""
        self._writer.write(self._last)
        async with asyncio.timeout(PATIENCE_S):
            head = await self._reader.readuntil(b"\r\n\r\n")
            found = [line for line in head.decode().split("\r\n") if line.lower().startswith("content-length")]
            body = await self._reader.readexactly(int(found[0].partition(":")[2]) if found else 0)
        return int(head.split()[1]), body.decode()


@asynccontextmanager
async def half_sent(visitor: Visitor, path: str, body: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Half]:
    """Send all of a request but its last octet, and go on once the server waits for that."""
    kind = FORM if isinstance(body, str) else "application/octet-stream" if isinstance(body, bytes) else JSON
    raw = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    waits, reading = asyncio.Event(), entrance.reading

    def read(request: Any) -> Any:
        waits.set()
        return reading(request)

    monkeypatch.setattr(answers, "reading", read)
    base = urlsplit(visitor.house.base)
    cookies = "; ".join(f"{one.key}={one.value}" for one in visitor.session.cookie_jar)
    connection = await asyncio.open_connection(base.hostname, base.port)
    reader, writer = connection
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: {base.netloc}\r\nOrigin: {visitor.house.base}\r\nCookie: {cookies}\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(raw)}\r\n\r\n".encode()
    )
    writer.write(raw[:-1])
    async with asyncio.timeout(PATIENCE_S):
        await waits.wait()
    try:
        yield Half(reader, writer, raw[-1:])
    finally:
        monkeypatch.setattr(answers, "reading", reading)
        writer.close()


def kept(house: House) -> tuple[Any, ...]:
    """What the server keeps: events of each table, admissions, codes, the event's profile, printed cards."""
    data = house.hall.data
    files = [file for file in (data.event_profile, data.seat_cards) if file.exists()]
    return (
        {id: table.seq for id, table in house.hall.tables.items()},
        dict(house.hall.admissions._standing),
        len(house.access._by_secret),
        [file.read_bytes() for file in files],
    )


async def send_everybody_away(house: House) -> None:
    for standing in tuple(house.hall.admissions._standing.values()):
        for one in standing:
            await house.hall.admissions.revoke(one.table, one.station, 0)


def test_every_address_that_takes_a_body_is_tried(house: House) -> None:
    routes = {
        one.resource.canonical for one in house.app.router.routes() if one.method == "POST" and one.resource is not None
    }
    assert {path.partition("?")[0] for path in BODIES} == routes, "an address that takes a body is not tried below"


@pytest.mark.law("L122")
@pytest.mark.parametrize("path", BODIES)
async def test_what_a_device_half_sent_is_not_done_after_it_was_sent_away(
    house: House, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    who, body = BODIES[path]
    chief = await hall_arbiter(house)
    player = await house.station("tactile", Seat.WHITE)
    display = house.app[INTRODUCTIONS].introduce(Place(table="demo", page="display"), "a telephone")
    (white,) = house.table.state.stations.at(Role.PLAYER, Seat.WHITE)
    if "boards" in path:
        monkeypatch.setattr("server.web.api.boards._bridge", lambda request: _NoBoard())
    named = path.replace("{id}", display.id).replace("{name}", white.id)
    async with half_sent(player if who == "player" else chief, named, body, monkeypatch) as half:
        await send_everybody_away(house)
        before = kept(house)
        status, said = await half.finish()
    assert (status, json.loads(said)["code"] if said.startswith("{") else said) in (
        (403, "sent_away"),
        (403, "This device was removed meanwhile; nothing was done."),
    )
    await house.table.own(house.table.program_command(cmd.NoteInstant()))  # what was asked for would come before this
    assert kept(house)[1:] == before[1:]
    assert kept(house)[0] == before[0]


class _NoBoard:
    def post(self, body: bytes) -> None:
        raise AssertionError("it was read after its sender was sent away")


async def test_a_body_of_a_sender_who_stays_is_carried_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    chief = await hall_arbiter(house)
    async with half_sent(chief, "/api/event", {"profile": {"name": "Open"}}, monkeypatch) as half:
        status, _ = await half.finish()
    assert status == 200 and "Open" in house.hall.data.event_profile.read_text("utf-8")


async def test_what_waits_in_the_queue_of_a_table_is_not_done_for_who_was_sent_away(house: House) -> None:
    """As an act that comes whole, and whose sender is sent away while the table is busy with another."""
    chief, asked = await hall_arbiter(house), asyncio.Event()
    house.table.observers.append(Observer("The test", arrival=asked.set))
    async with house.table._writing:
        asking = asyncio.create_task(
            chief.post("/api/tables/pairing", {"table": "demo", "white": "X", "black": "Y", "board": 7})
        )
        async with asyncio.timeout(PATIENCE_S):
            await asked.wait()
        await send_everybody_away(house)
    assert (await asking)[0] == 409
    assert house.table.state.table.board_number != 7


@pytest.mark.law("L122")
async def test_half_a_message_on_a_line_is_not_done_after_the_device_was_sent_away(house: House) -> None:
    """A frame of the WebSocket is cut in two; its line is closed with the admission, and its end is read by nobody."""
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    desk, hand = await arbiter.line(), await player.line()
    await desk.do({"do": "start_game"})
    text = json.dumps({"kind": "do", "id": "ab" * 16, "body": {"do": "press"}}).encode()
    frame = struct.pack("!BBI", 0x81, 0x80 | len(text), 0) + text  # masked with zeros
    assert hand.socket._conn is not None and hand.socket._conn.transport is not None
    transport = hand.socket._conn.transport
    transport.write(frame[:-1])
    (station,) = [one.id for one in house.table.state.stations.admitted if one.seat is Seat.WHITE]
    status, _ = await arbiter.post(f"/api/stations/{station}", {})
    before = house.table.seq
    transport.write(frame[-1:])
    await desk.do({"do": "note_supervision", "games": 3})
    kinds = [one.kind for one in (await house.hall.journal.read("demo", before))]
    assert status == 200 and "clock_pressed" not in kinds
    await until(lambda: not house.app[LINES].of("demo", station))
