"""Lines that say hello over and over, nest JSON thousands deep, or read another language."""

from __future__ import annotations

import gc
import weakref

import pytest

from server.game.values.words import Seat
from server.game.views.messages import Started
from server.protocol import Numbered, Outgoing, Wrong
from server.web.sockets.line import LINES, Line
from speech.audio.frames import encode_frames
from tests.waiting import until
from tests.web.open_house import House


@pytest.mark.parametrize("deep", ['{"kind":"hello","x":' + "[" * 3_500, '{"kind":"hello","x":' + '{"a":' * 750])
async def test_json_nested_thousands_deep_is_one_message_that_cannot_be_read(house: House, deep: str) -> None:
    for page, path in (("tactile", "/ws"), ("sighted", "/audio")):
        player = await house.station(page, Seat.WHITE if page == "tactile" else Seat.BLACK)
        line = await player.line(path, after=None)
        for _ in range(2):
            await line.socket.send_str(deep)
            assert (await line.next())["kind"] == "wrong"


async def test_a_refusal_is_in_the_language_that_the_station_asked_for(house: House) -> None:
    desk = await (await house.arbiter()).line(after=None)
    texts = []
    for language in (None, "de", "en", "tlh"):
        await desk.send({"kind": "hello", "after": 10_000, **({"language": language} if language else {})})
        texts.append((await desk.do({"do": "resume"}))["text"])
    english, german = "The game has not started yet. (6.6)", "Die Partie hat noch nicht begonnen. (6.6)"
    assert texts == [english, german, english, english]
    player = await (await house.station("sighted", Seat.BLACK)).line(after=None)
    await player.send({"kind": "hello", "language": "de"})
    assert (await player.do({"do": "answer_draw", "accept": True}))["text"] == german


def test_hello_over_and_over_fills_no_memory() -> None:
    line = Line(None)  # type: ignore[arg-type]
    outcome: Outgoing = Wrong("kept")
    line.send(outcome)
    for _ in range(50):
        line.catch_up(True)
        for number in range(1_000):
            line.send(Numbered(number, Started()))
        line.catch_up(False)
    waiting = list(line._waiting)
    assert len(waiting) == 1_001 and waiting[0] is outcome
    assert not line.too_slow


@pytest.mark.parametrize("path", ["/ws", "/audio"])
@pytest.mark.parametrize("how", ["closed", "cut off", "cut off with much unread"])
async def test_a_line_that_is_over_leaves_nothing_that_only_a_search_finds(house: House, path: str, how: str) -> None:
    """No search goes through what one search found before (`table/memory.py`): lines without end would fill memory."""
    player = await house.station("tactile", Seat.WHITE)
    gc.disable()
    try:
        line = await player.line(path, after=None)
        open_lines = house.app[LINES]._open
        await until(lambda: len(open_lines) == 1)
        held = [weakref.ref(one) for socket in open_lines for one in (socket, socket._req, socket._req.transport)]
        if how == "cut off with much unread":
            for utterance in (1, 2):
                for frame in encode_frames(bytes(2 * 16_000 * 16), utterance):
                    await line.socket.send_bytes(frame)
        if how == "closed":
            await line.socket.close()
        else:
            transport = line.socket._writer.transport
            assert transport is not None
            transport.abort()
        await until(lambda: all(one() is None for one in held), lambda: [one() for one in held])
    finally:
        gc.enable()
