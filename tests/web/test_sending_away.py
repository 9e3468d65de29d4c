"""The arbiter sends a device away: its token, its lines and its commands count no more, and the record says so."""

from __future__ import annotations

import asyncio

import pytest

from server.game.values.words import Role, Seat, Station
from server.web.api.record import EXPORTS
from server.web.api.stations import SENT_AWAY
from server.web.door.access import Place
from server.web.door.introductions import INTRODUCTIONS
from server.web.sockets.line import NOT_ADMITTED
from tests.waiting import until
from tests.web.open_house import House
from tests.web.test_all_tables import hall_arbiter


@pytest.mark.law("L122")
async def test_a_device_is_sent_away_at_once(house: House) -> None:
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    desk, hand, voice = await arbiter.line(), await player.line(), await player.line("/audio", after=None)
    shown = (await arbiter.get("/api/stations"))[1]["stations"]
    (player_device,) = [one for one in shown if one["role"] == "tactile"]
    assert player_device["on_line"] and player_device["seat"] == "white"
    assert (await player.post(f"/api/stations/{player_device['station']}", {}))[0] == 403
    (own,) = [one["station"] for one in shown if one["own"]]
    assert (await arbiter.post(f"/api/stations/{own}", {}))[0] == 409
    assert (await arbiter.post("/api/stations/nobody", {}))[0] == 404

    status, _ = await arbiter.post(f"/api/stations/{player_device['station']}", {"reason": "a telephone"})
    assert status == 200
    for line in (hand, voice):
        assert await line.closed() == (NOT_ADMITTED, SENT_AWAY)
    event = (await desk.until(event="station_revoked"))["message"]["event"]
    assert event["station"] == player_device["station"] and event["reason"] == "a telephone"
    assert (await (await player.line(after=None)).closed())[0] == NOT_ADMITTED
    assert (await player.get("/api/places"))[1]["places"] == []
    assert house.table.state.stations.find(player_device["station"]) is None
    again = await house.station("tactile", Seat.WHITE)
    assert (await (await again.line()).next())["greeting"]["seat"] == "white"


async def test_an_arbiters_device_that_is_sent_away_while_it_waits_is_told_of_nobody_at_the_door(house: House) -> None:
    arbiter, other = await house.arbiter(), await house.arbiter()
    version = (await other.get("/api/introductions"))[1]["version"]
    asking = asyncio.create_task(other.get(f"/api/introductions?version={version}"))
    shown = (await arbiter.get("/api/stations"))[1]["stations"]
    for one in shown:
        if one["role"] == "arbiter" and not one["own"]:
            assert (await arbiter.post(f"/api/stations/{one['station']}", {}))[0] == 200
    house.app[INTRODUCTIONS].introduce(Place(table="demo", page="display"), "a telephone")
    assert (await asking)[0] == 403


async def test_the_halls_arbiter_is_sent_away_by_their_own_devices_alone(house: House) -> None:
    chief, arbiter = await hall_arbiter(house), await house.arbiter()
    (station,) = [one.station for one in house.hall.admissions.of_table("")]
    assert (await arbiter.post(f"/api/stations/{station}", {}))[0] == 403
    assert (await chief.get("/api/overview"))[0] == 200


@pytest.mark.law("L092")
async def test_the_record_is_handed_over_to_the_arbiter_alone(house: House) -> None:
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    desk, hand = await arbiter.line(), await player.line()
    await desk.do({"do": "start_game"})
    await hand.type("Bauer Eva vier")
    await hand.do({"do": "press"})
    found = {}
    for what in ("game", "scores", "fair-play", "report-text"):
        async with arbiter.session.get(f"{house.base}/api/exports/{what}?language=de") as answer:
            assert answer.status == 200 and "attachment" in answer.headers["Content-Disposition"]
            found[what] = await answer.text()
        assert (await player.get(f"/api/exports/{what}"))[0] == 403
    assert "1. e4" in found["game"] and "Bauer Eva vier" in found["scores"] and "Anna" in found["report-text"]
    assert (await arbiter.get("/api/exports/secrets"))[0] == 404


async def test_an_arbiters_device_that_is_sent_away_while_the_record_is_written_is_handed_nothing(house: House) -> None:
    arbiter, other = await house.arbiter(), await house.arbiter()
    async with house.app[EXPORTS]:  # others' exports are written first
        asking = asyncio.create_task(other.get("/api/exports/game"))
        await until(lambda: bool(house.app[EXPORTS]._waiters))
        shown = (await arbiter.get("/api/stations"))[1]["stations"]
        for one in shown:
            if one["role"] == "arbiter" and not one["own"]:
                assert (await arbiter.post(f"/api/stations/{one['station']}", {}))[0] == 200
    assert (await asking)[0] == 403


async def test_a_station_that_no_device_of_the_network_holds_is_named_by_its_page(house: House) -> None:
    """As at the server's own headset, or while a device is only being admitted: the list has words for it."""
    arbiter = await house.arbiter()
    for seat in Seat:
        await house.table.admit(Station(f"server-{seat}", Role.PLAYER, seat))
    await house.table.admit(Station("screen", Role.DISPLAY))
    shown = {one["station"]: one["role"] for one in (await arbiter.get("/api/stations"))[1]["stations"]}
    assert shown["server-white"] == "tactile" and shown["server-black"] == "sighted" and shown["screen"] == "display"
