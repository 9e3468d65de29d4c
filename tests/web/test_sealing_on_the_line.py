"""An adjournment over real WebSockets: the code for the arbiter, the words for the sealer, nothing for anyone else."""

from __future__ import annotations

import json

import pytest

from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.web.door.access import Place
from tests.web.open_house import House, TestLine, Visitor

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


async def adjourning(house: House) -> dict[str, Visitor]:
    """The visitors of a table whose event has adjournments."""
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE),
        black=SeatPlan(SeatKind.SIGHTED),
        control=TimeControl.parse("5400"),
        start_fen=START,
        regulations=EventOptions(guidelines=("I",)),
    )
    await house.hall.open_table(body, "hanging")
    people = {}
    for page, seat in (("arbiter", None), ("tactile", Seat.WHITE), ("sighted", Seat.BLACK)):
        place = Place(table="hanging", page=page, seat=seat)
        secret = house.access.invite(place, admits=True).secret
        people[page] = house.visitor()
        status, said = await people[page].post("/api/join", {"secret": secret})
        assert status == 200, said
        people[page].page = said["page"]
    return people


async def start(desk: TestLine) -> None:
    """What is to be settled before the game, and the start."""
    settled = {"do": "record_adaptation", "name": "sighted_press_without_announcement", "value": "ignore"}
    for body in (settled, {"do": "start_game"}):
        assert (await desk.do(body))["outcome"]["ok"]


def seen(line: TestLine) -> str:
    """Everything that came but the code, whose squares are any squares."""
    return json.dumps([said for said in line.seen if said["kind"] != "seal_code"], ensure_ascii=False)


@pytest.mark.law("L208", "L211", "L217")
async def test_an_adjournment_from_the_order_to_the_reply(house: House) -> None:
    people = await adjourning(house)
    desk, white, black = [await people[page].line() for page in ("arbiter", "tactile", "sighted")]
    await start(desk)
    await desk.send({"kind": "do", "id": "1" * 32, "body": {"do": "order_seal"}})
    code = await desk.until(kind="seal_code")
    assert len(code["squares"]) == 16
    await white.until(type="adjournment_shown", stage="ordered", own=True)
    await black.until(type="adjournment_shown", stage="ordered", own=False)
    await white.send({"kind": "typed", "id": "2" * 32, "text": "Springer Felix drei"})
    assert (await white.until(kind="sealed_words"))["text"] == "Springer Felix drei"
    assert (await white.do({"do": "press"}))["outcome"]["ok"]
    await black.until(type="adjournment_shown", stage="sealed")
    assert (await desk.do({"do": "mark_present", "seat": "black"}))["outcome"]["ok"]
    wrong = await desk.do({"do": "open_envelope", "code": "a1 " * 16})
    assert wrong["outcome"]["code"] == "wrong_seal_code" and "(I.3)" in wrong["text"]
    for line in (desk, black):
        assert not any(trace in seen(line) for trace in ("Springer", "Felix", "rank.3", '"f3"'))
    assert (await desk.do({"do": "open_envelope", "code": code["words"]}))["outcome"]["ok"]
    await black.until(type="adjournment_shown", stage="resumed")
    assert (await black.do({"do": "enter_move", "uci": "g8f6"}))["outcome"]["ok"]
    again = await people["tactile"].line()
    await again.until(type="adjournment_shown", stage="resumed")
    assert "sealed_words" not in seen(again)
    for line in (desk, white, black, again):
        await line.socket.close()
