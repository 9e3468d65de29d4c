"""Over the line: the language of the door is the seat's, so page and seat do not differ in what they say and read."""

from __future__ import annotations

from typing import Any

from server.game.values.words import Seat
from server.web.door.access import Place
from tests.web.open_house import House, TestLine, Visitor


async def come_in(house: House, page: str, seat: Seat, language: str) -> tuple[Visitor, TestLine]:
    """A player whose page at the door was in this language, admitted and greeted."""
    arbiter, player = await house.arbiter(), house.visitor()
    squares = house.access.invite(Place(table="demo", page=page, seat=seat)).squares
    status, said = await player.post("/api/join", {"code": " ".join(squares), "language": language})
    assert status == 202
    assert (await arbiter.post(f"/api/introductions/{said['id']}", {"admit": True}))[0] == 200
    assert (await player.get(f"/api/join/{said['id']}"))[1]["state"] == "admitted"
    line = await player.line(after=None)
    await line.send({"kind": "hello", "after": 0, "language": language})
    return player, line


async def greeted(line: TestLine) -> Any:
    return (await line.until(kind="greeting"))["greeting"]


async def test_an_english_page_at_a_seat_set_up_in_german_is_english_throughout(house: House) -> None:
    assert house.table.state.plan(Seat.WHITE).language == "de"
    _, white = await come_in(house, "tactile", Seat.WHITE, "en")
    greeting = await greeted(white)
    assert greeting["language"] == "en" and greeting["sound"]["ear"]["language"] == "en"
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    assert (await white.type("help"))["outcome"]["ok"]
    answer = next(one["message"] for one in white.seen if one.get("message", {}).get("type") == "answer_given")
    assert "time" in answer["text"] and "Zeit" not in answer["text"]
    assert (await white.type("Nf3"))["outcome"]["ok"]
    assert (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]["piece"] == "knight"


async def test_english_letters_are_known_at_a_german_seat_and_a_b_is_asked_about(house: House) -> None:
    _, white = await come_in(house, "tactile", Seat.WHITE, "de")
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    asked = await white.type("Bc4")
    assert not asked["outcome"]["ok"] and "Bauer Cesar vier; Läufer Cesar vier" in asked["text"]
    assert (await white.type("Nf3"))["outcome"]["ok"]
    said = (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]
    assert (said["piece"], said["to_square"]) == ("knight", "f3"), "nothing was taken of what was asked about"


async def test_an_unknown_language_at_the_door_chooses_nothing(house: House) -> None:
    _, black = await come_in(house, "sighted", Seat.BLACK, "tlh")
    greeting = await greeted(black)
    assert (greeting["language"], greeting["sound"]["ear"]["language"]) == ("en", "")


async def test_a_choice_at_the_station_is_the_seats_and_another_page_of_it_follows(house: House) -> None:
    _, black = await come_in(house, "sighted", Seat.BLACK, "hu")
    _, second = await come_in(house, "sighted", Seat.BLACK, "en")
    assert (await greeted(second))["language"] == "hu", "the first device's choice is kept"
    assert (await black.do({"do": "choose_ear", "language": "ar"}))["outcome"]["ok"]
    shown = (await second.until(type="sound_shown"))["message"]
    while shown["ear"]["language"] != "ar":
        shown = (await second.until(type="sound_shown"))["message"]
    assert house.table.state.language_of(Seat.BLACK) == "ar"
