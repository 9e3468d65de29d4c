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


NOBODY_ELSES: tuple[dict[str, Any], ...] = (
    {"do": "resign"},
    {"do": "offer_draw"},
    {"do": "answer_draw", "accept": True},
    {"do": "claim_draw", "kind": "repetition"},
    {"do": "approve_result", "result": "1-0"},
    {"do": "confirm", "yes": True},
    {"do": "choose_ear", "language": "hu"},
    {"do": "ask", "what": "position"},
)
"""Acts of the player that no duty covers."""
DONE: dict[Duty, tuple[dict[str, Any], ...]] = {
    Duty.EXECUTE: ({"do": "execute", "board": "black"}, {"do": "execute", "board": "white"}),
    Duty.ANNOUNCE: ({"text": "e5", "seat": "black"}, {"text": "e5", "seat": "white"}),
    Duty.SCORE_AND_CLOCK: (),
    Duty.INFORM: tuple({"do": "ask", "what": what} for what in ("time", "opponent_time", "moves", "last")),
    Duty.CLAIM_AND_REPORT: (ACTS[Duty.CLAIM_AND_REPORT]["body"], {"do": "call_arbiter", "reason": ""}),
    Duty.ADJOURN: (),
}
"""The whole duty from the start to Black's first move; what is left comes when that move is completed."""
MOVES = {"understood", "relayed", "draw_offer"}
HEARD: dict[Duty, set[str]] = {
    Duty.EXECUTE: MOVES,
    Duty.ANNOUNCE: MOVES,
    Duty.SCORE_AND_CLOCK: MOVES - {"relayed"},
    Duty.INFORM: MOVES - {"relayed"},
    Duty.CLAIM_AND_REPORT: MOVES - {"relayed"} | {"act_taken"},
    Duty.ADJOURN: MOVES - {"relayed"},
}
"""What is read out beside the clock, the guidelines and what was asked for: no other's words without the duty."""


@pytest.mark.law("L199", "L200", "L201", "L202", "L203", "L204", "L205")
@pytest.mark.parametrize("duty", Duty)
async def test_a_duty_alone_is_done_whole_and_heard_in_the_assistants_own_language(house: House, duty: Duty) -> None:
    """The seat is German, the page Hungarian: all that is told is Hungarian, the moves as D.2.1 says."""
    desk = await (await house.arbiter()).line()
    line = await (await house.station("assistant", Seat.WHITE, duty)).line(after=None)
    await line.send({"kind": "hello", "after": 0, "language": "hu"})
    number = 0

    async def do(**act: Any) -> dict[str, Any]:
        nonlocal number
        number += 1
        return await asked(line, number, {"kind": "do", "body": act} if "do" in act else {"kind": "typed", **act})

    assert (await do(do="ask", what="set_up"))["ok"], "a check of the set-up is open to every duty"
    await desk.do({"do": "settle_guidelines", "adjournments": True, "quickplay": False})
    await desk.do({"do": "start_game"})
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    await white.type("Bauer Eva vier")
    by_clock = (await do(do="press")) if duty is Duty.SCORE_AND_CLOCK else (await white.do({"do": "press"}))["outcome"]
    assert by_clock["ok"]
    await black.type("Bauer Eva vier")
    acts = DONE[duty]
    if duty is not Duty.ANNOUNCE:
        if duty is Duty.EXECUTE:
            assert (await do(**acts[0]))["ok"]
            acts = acts[1:]
        await black.type("Bauer Eva fuenf")
    await black.do({"do": "offer_draw"})
    for act in acts:
        assert (await do(**act))["ok"], act
    if duty is Duty.CLAIM_AND_REPORT:
        assert (await desk.do({"do": "resume"}))["outcome"]["ok"]
    for body in NOBODY_ELSES:
        assert not (await do(**body))["ok"], body
    assert house.table.state.draws.offer_by is Seat.BLACK and house.table.state.ending.result is None
    await black.do({"do": "press"})
    if duty is Duty.SCORE_AND_CLOCK:
        assert (await do(do="write_score", index=2, text="e5"))["ok"], "the opponent's move, in the player's score"
    assert (await desk.do({"do": "order_seal"}))["outcome"]["ok"]
    sealed = [(await do(text="huszár f3"))["ok"], (await do(do="stop_sealed"))["ok"]]
    assert sealed == [duty is Duty.ADJOURN] * 2
    if duty is not Duty.ADJOURN:
        await white.type("Springer Felix drei")
        await white.do({"do": "stop_sealed"})
        await line.until(type="adjournment_shown", stage="sealed")
    told = [(one["message"], one["lines"]) for one in line.seen if one["kind"] == "message"]
    assert {one["type"] for one, _ in told} - {
        "clock_shown", "guidelines_shown", "answer_given", "score_line", "adjournment_shown", "not_done",
    } == HEARD[duty]  # fmt: skip
    answers = {one["what"]: (one["text"], " ".join(lines)) for one, lines in told if one["type"] == "answer_given"}
    assert answers["set_up"][0].startswith("Világos: Turm Anna eins, ")
    assert answers.keys() == {"set_up"} | ({"time", "opponent_time", "moves", "last"} if duty is Duty.INFORM else set())
    if duty is Duty.INFORM:
        assert answers["moves"][1] == "Befejezett lépések: 1." and answers["last"][0] == "Bauer Eva fünf"
    # Nothing of it is silent by ear, and nothing is German but the words of D.2.1.
    for one, lines in told:
        if one["type"] not in ("clock_shown", "score_line"):
            assert lines, one
    assert ["Az ellenfele döntetlent ajánl."] in [lines for one, lines in told if one["type"] == "draw_offer"]
    assert told[-1][1] == ["A borítékja lezárva.", "A játszma függőben marad."]
