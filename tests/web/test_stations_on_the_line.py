"""/ws: greetings, roles and duties, resuming, bad messages, slow clients."""

from __future__ import annotations

import asyncio
import socket as sockets

import pytest

from server.game.values.words import Duty, Seat
from server.web.sockets.line import LINES, Line
from tests.waiting import until
from tests.web.open_house import House

ID = "0" * 31 + "1"


@pytest.mark.law("L182", "L049")
async def test_a_move_goes_from_typed_words_to_the_arbiter_and_a_press_completes_it(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    arbiter = await house.arbiter()
    desk, hand = await arbiter.line(), await player.line()
    assert (await desk.do({"do": "start_game"}))["outcome"]["ok"]
    await hand.until(type="started")
    assert (await hand.type("Bauer Eva vier"))["outcome"]["ok"]
    assert any(one.get("message", {}).get("type") == "understood" for one in hand.seen)
    told = await desk.until(event="announced")
    assert told["message"]["event"]["speech"]["announcement"]["to_square"] == "e4"
    assert (await hand.do({"do": "press"}))["outcome"]["ok"]
    done = await desk.until(event="completed")
    while done["message"]["picture"] is None:  # it comes with the last event of the command that changes it
        done = await desk.next()
    assert done["message"]["picture"]["running"] == "black"


@pytest.mark.law("L192")
async def test_a_tactile_player_is_sent_no_clock_and_no_board(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    hand = await player.line()
    greeting = (await hand.next())["greeting"]
    assert greeting["clock"] is greeting["board"] is greeting["picture"] is None
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    await desk.do({"do": "set_clock", "white_ms": 1000, "black_ms": 2000, "turn": "white"})
    answered = await hand.do({"do": "ask", "what": "time"})
    assert answered["outcome"]["ok"]
    types = [one.get("message", {}).get("type") for one in hand.seen]
    assert "clock_shown" not in types
    assert "answer_given" in types


@pytest.mark.law("L199", "L203")
async def test_an_assistant_may_do_what_was_granted_and_nothing_else(house: House) -> None:
    helper = await house.station("assistant", Seat.WHITE, Duty.SCORE_AND_CLOCK)
    line = await helper.line()
    assert (await line.next())["greeting"]["duties"] == ["score_and_clock"]
    refused = await line.type("Bauer Eva vier")
    assert (refused["outcome"]["ok"], refused["outcome"]["article"]) == (False, "D.2.10.2")
    assert refused["text"]
    assert (await line.do({"do": "press"}))["outcome"]["ok"]
    assert not (await line.do({"do": "start_game"}))["outcome"]["ok"]
    voice = await helper.line("/audio", after=None)
    assert (await voice.closed())[0] == 4401


async def test_the_arbiter_grants_duties_when_they_admit(house: House) -> None:
    from server.web.door.access import Place

    arbiter, helper = await house.arbiter(), house.visitor()
    invitation = house.access.invite(Place(table="demo", page="assistant", seat=Seat.BLACK))
    _, said = await helper.post("/api/join", {"secret": invitation.secret})
    status, _ = await arbiter.post(f"/api/introductions/{said['id']}", {"admit": True, "duties": ["announce"]})
    assert status == 200
    await helper.get(f"/api/join/{said['id']}")
    assert (await (await helper.line()).next())["greeting"]["duties"] == ["announce"]


async def test_nobody_but_the_arbiter_arbitrates(house: House) -> None:
    display = await house.station("display", None)
    player = await house.station("sighted", Seat.BLACK)
    for visitor in (display, player):
        line = await visitor.line()
        for body in ({"do": "start_game"}, {"do": "rule_result", "result": "1-0", "reason": "because"}):
            outcome = (await line.do(body))["outcome"]
            assert not outcome["ok"]
            assert outcome["article"]
        assert (await visitor.get("/api/introductions"))[0] == 403
    assert not house.table.state.table.started


async def test_commands_of_the_program_are_not_taken_from_the_wire(house: House) -> None:
    line = await (await house.arbiter()).line()
    for body in (
        {"do": "admit", "station": "x", "role": "arbiter"},
        {"do": "note_instant"},
        {"do": "keep_sound", "seat": "white", "utterance": "u", "sha256": None, "length_ms": 1},
        {"do": "set_\nincrement"},
    ):
        await line.send({"kind": "do", "id": ID, "body": body})
        told = (await line.until(kind="wrong"))["text"]
        assert "could not be read" in told and "\n" not in told


async def test_what_only_the_server_may_say_is_not_believed(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk, hand = await (await house.arbiter()).line(), await player.line()
    await desk.do({"do": "start_game"})
    said = {"do": "say", "announcement": {"to_square": "e4"}, "at_ms": 1, "utterance": "another's", "origin": "sensed"}
    await hand.do({**said, "text": "a lie", "words": ["cmd.resign"]})
    event = (await desk.until(event="announced"))["message"]["event"]
    assert event["origin"] == "entered"
    assert event["speech"]["utterance"] is None
    assert event["speech"]["text"] != "a lie"
    assert event["speech"]["words"] == ["file.e", "rank.4"]


async def test_a_station_resumes_after_the_last_message_it_holds(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk, hand = await (await house.arbiter()).line(), await player.line()
    await desk.do({"do": "start_game"})
    await hand.type("Bauer Eva vier")
    held = max(one["n"] for one in hand.seen if one["kind"] == "message")
    await hand.socket.close()
    await desk.do({"do": "pause"})
    await desk.do({"do": "resume"})
    again = await player.line(after=held)
    assert (await again.next())["n"] == held + 2
    missed = [await again.next(), await again.next()]
    assert [(one["n"], one["message"]["type"]) for one in missed] == [(held + 1, "paused"), (held + 2, "resumed")]
    # And hello again on the same line greets anew, without a gap and without a repetition.
    await again.send({"kind": "hello", "after": held + 2})
    assert (await again.next())["kind"] == "greeting"
    await desk.do({"do": "pause"})
    assert (await again.next())["n"] == held + 3


async def test_a_command_sent_again_gets_the_same_answer_and_happens_once(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk, hand = await (await house.arbiter()).line(), await player.line()
    await desk.do({"do": "start_game"})
    await hand.type("Bauer Eva vier")
    first = await hand.do({"do": "press"}, id=ID)
    await hand.socket.close()
    again = await player.line(after=99)
    assert await again.do({"do": "press"}, id=ID) == first
    await desk.do({"do": "pause"})
    presses = [one for one in desk.seen if one.get("message", {}).get("event", {}).get("event") == "clock_pressed"]
    assert len(presses) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"hello"',
        '{"kind":"do"}',
        '{"kind":"unknown"}',
        '{"kind":"hello","after":-1}',
        "\x00",
        "9" * 400,
        '{"kind":"do","id":"short","body":{"do":"press"}}',
        '{"kind":"typed","id":"' + ID + '","text":"' + "x" * 201 + '"}',
    ],
)
async def test_a_bad_message_gets_one_sentence_and_the_line_goes_on(house: House, text: str) -> None:
    line = await (await house.station("tactile", Seat.WHITE)).line()
    await line.next()
    await line.socket.send_str(text)
    said = await line.next()
    assert said["kind"] == "wrong"
    assert "\n" not in said["text"]
    assert "Traceback" not in said["text"]
    assert (await line.do({"do": "press"}))["outcome"]["ok"]


async def test_nothing_is_done_before_hello_and_sound_goes_elsewhere(house: House) -> None:
    line = await (await house.station("tactile", Seat.WHITE)).line(after=None)
    await line.send({"kind": "do", "id": ID, "body": {"do": "press"}})
    assert (await line.next())["text"] == "Say hello first."
    await line.socket.send_bytes(b"\x00" * 100)
    assert "/audio" in (await line.next())["text"]


async def test_an_oversized_message_closes_the_line(house: House) -> None:
    line = await (await house.station("tactile", Seat.WHITE)).line()
    await line.next()
    await line.socket.send_str("x" * 20_000)
    assert (await line.closed())[0] == 1009


async def test_a_client_that_does_not_read_is_closed_and_costs_nobody_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real connection with the smallest buffers that never reads, while the table goes on."""
    monkeypatch.setattr("server.web.sockets.line.SEND_S", 0.5)
    slow = await house.arbiter()
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    host, port = "127.0.0.1", int(house.base.rpartition(":")[2])
    await loop.sock_connect(raw, (host, port))
    cookie = "; ".join(f"{one.key}={one.value}" for one in slow.session.cookie_jar)
    await loop.sock_sendall(
        raw,
        (
            f"GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: {house.base}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Cookie: {cookie}\r\n\r\n"
        ).encode(),
    )
    hello = b'{"kind":"hello"}'
    await loop.sock_sendall(raw, bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    sinks = house.table.connections._sinks
    await until(lambda: any(sinks.values()))
    (held,) = house.app[LINES]._open
    transport = held._req.transport if held._req is not None else None
    assert transport is not None
    transport.get_extra_info("socket").setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)

    desk = await (await house.arbiter()).line()
    for number in range(4000):
        assert (await desk.do({"do": "mark_out_of_step", "note": f"{number} " + "x" * 390}))["outcome"]["ok"]
        if sum(map(len, sinks.values())) == 1:
            break
    assert sum(map(len, sinks.values())) == 1, "the slow client still holds its place"
    raw.close()


class _Deaf:
    """A socket that takes nothing: for the bound of the line alone."""

    closed_with: tuple[int, bytes] | None = None

    async def send_str(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, *, code: int, message: bytes, drain: bool) -> None:
        self.closed_with = (code, message)


async def test_what_was_asked_for_does_not_count_against_the_bound_and_the_rest_does() -> None:
    from server.protocol import Wrong

    deaf = _Deaf()
    line = Line(deaf, longest=4)  # type: ignore[arg-type]
    line.catch_up(True)
    for _ in range(100):
        line.send(Wrong("backlog"))
    line.catch_up(False)
    for _ in range(4):
        line.send(Wrong("live"))
    assert not line.too_slow
    line.send(Wrong("one too many"))
    assert line.too_slow


async def test_a_stopping_server_says_so(house: House) -> None:
    line = await (await house.arbiter()).line()
    await line.next()
    closing = asyncio.create_task(line.closed())
    await asyncio.sleep(0)
    await house.app.shutdown()
    assert (await closing)[0] == 1001
