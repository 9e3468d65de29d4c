"""An assistant on the line, with each of the six duties alone and with all (D.2.10): what it lets them do, and know."""

from __future__ import annotations

from typing import Any

import pytest

from server.game.values.words import Duty, Seat
from tests.web.open_house import House, TestLine

ACTS: dict[Duty, dict[str, Any]] = {
    Duty.EXECUTE: {"kind": "do", "body": {"do": "execute", "board": "black"}},
    Duty.ANNOUNCE: {"kind": "typed", "text": "Bauer Eva fuenf", "seat": "black"},
    Duty.SCORE_AND_CLOCK: {"kind": "do", "body": {"do": "write_score", "index": 1, "text": "e4"}},
    Duty.INFORM: {"kind": "do", "body": {"do": "ask", "what": "time"}},
    Duty.CLAIM_AND_REPORT: {
        "kind": "do",
        "body": {"do": "report_touch", "seat": "black", "square": "e7", "how": "touched"},
    },
    Duty.ADJOURN: {"kind": "do", "body": {"do": "stop_sealed"}},
}


async def asked(line: TestLine, number: int, act: dict[str, Any]) -> dict[str, Any]:
    id = f"{number:032x}"
    await line.send({**act, "id": id})
    outcome: dict[str, Any] = (await line.until(kind="outcome", id=id))["outcome"]
    return outcome


@pytest.mark.law("L199", "L200", "L201", "L204", "L205")
async def test_each_duty_alone_lets_an_assistant_do_its_acts_and_no_other(house: House) -> None:
    """The opponent's move is the opponent's; a touch is reported while the clocks run; a move is sealed."""
    desk = await (await house.arbiter()).line()
    helpers = {duty: await (await house.station("assistant", Seat.WHITE, duty)).line() for duty in Duty}
    every = await (await house.station("assistant", Seat.WHITE, *Duty)).line()
    await desk.do({"do": "settle_guidelines", "adjournments": True, "quickplay": False})
    await desk.do({"do": "start_game"})
    white = await (await house.station("tactile", Seat.WHITE)).line()
    await white.type("Bauer Eva vier")
    await white.do({"do": "press"})
    number = 0
    for granted, line in (*helpers.items(), (None, every)):
        for duty, act in ACTS.items():
            outcome = await asked(line, (number := number + 1), act)
            may = granted in (None, duty)
            assert (outcome["code"] == "not_your_duty") is not may, (granted, duty, outcome)
    state = house.table.state
    assert state.moves.plies[1].text == "Bauer Eva fuenf" and state.moves.plies[1].seat is Seat.BLACK
    assert state.time.clock.running is Seat.BLACK, "who reports a touch stops no clock"
    # Only who carries moves between the players is shown those of the other.
    await asked(every, 900, {"kind": "do", "body": {"do": "ask", "what": "time"}})
    told = {
        duty: [one for one in line.seen if one.get("message", {}).get("type") == "relayed"]
        for duty, line in helpers.items()
    }
    assert {duty for duty, seen in told.items() if seen} <= {Duty.EXECUTE, Duty.ANNOUNCE}
    # A claim in a word is asked about; without the duty nothing more is learnt than that it is none of theirs.
    flag = {"kind": "typed", "text": "Zeitüberschreitung"}
    assert (await asked(every, 904, flag))["code"] == "sure_flag"
    assert (await asked(helpers[Duty.INFORM], 905, flag))["code"] == "not_your_duty"
    assert house.table.state.time.clock.running is Seat.BLACK, "nothing was claimed"
    # A move to be sealed is typed with the duty of adjournment alone, and the envelope closed.
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await black.do({"do": "press"})
    assert (await desk.do({"do": "order_seal"}))["outcome"]["ok"]
    words = {"kind": "typed", "text": "Springer Felix drei"}
    assert (await asked(helpers[Duty.ANNOUNCE], 901, words))["code"] == "not_your_duty"
    assert (await asked(helpers[Duty.ADJOURN], 902, words))["ok"]
    assert (await asked(helpers[Duty.ADJOURN], 903, ACTS[Duty.ADJOURN]))["ok"]
    adjournment = house.table.state.adjournment
    assert adjournment is not None and adjournment.stage == "sealed"
