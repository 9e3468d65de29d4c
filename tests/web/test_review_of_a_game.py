"""Who may see the review of a game, and when: its players after the arbiter's release, each their own seat."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from server.app import START_FEN
from server.exports.reports.reviewing import Reviews
from server.game import acts as cmd
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.web.api.review import REVIEWS
from server.web.api.spectators import SPOKEN_TO_ONE
from tests.game.core_table import CoreTable
from tests.waiting import PATIENCE_S
from tests.web.open_house import House, Visitor


class CountingChild:
    """In place of the process that makes reviews: it answers when it is let, and notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = asyncio.Event()

    async def request(self, question: dict[str, Any], *, again: bool) -> dict[str, object]:
        self.asked.append(f"{question['asked']['seat']} {question['asked']['file']}")
        await self.go.wait()
        return {"made": b"x"}


async def test_reviews_are_made_one_at_a_time_for_a_person_once_for_all_who_ask_and_kept() -> None:
    async def no_record(_table: str) -> list[Any]:
        return []

    reviews, state, child = Reviews(no_record), CoreTable().state, CountingChild()
    reviews._child = child  # type: ignore[assignment]
    asked = [
        asyncio.create_task(reviews.file(person, "t1", state, seat, name))
        for person, seat in (("anna", Seat.WHITE), ("anna", Seat.WHITE), ("hector", Seat.BLACK))
        for name in ("game.pgn", "score.brf", "clocks.wav")
    ]
    async with asyncio.timeout(PATIENCE_S):
        while len(child.asked) < 2:
            await asyncio.sleep(0)
    await asyncio.sleep(0.1)  # a third would have been asked for by then
    assert child.asked == ["white game.pgn", "black game.pgn"], "nine questions of two people, and each has one in work"
    child.go.set()
    await asyncio.gather(*asked)
    assert len(child.asked) == 6 == reviews.made, "a question that is asked again makes nothing"
    await reviews.file("anna", "t1", CoreTable().state, Seat.WHITE, "score.brf")
    assert len(child.asked) == 7, "the table has changed meanwhile"
    assert reviews._turns == {}


async def other_game_begins(house: House, player: Visitor) -> None:
    """The device of a player belongs to another table too, and the game there begins."""
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE),
        black=SeatPlan(SeatKind.SIGHTED),
        control=TimeControl.parse("300"),
        start_fen=START_FEN,
    )
    other = await house.hall.open_table(body, "other")
    (token,) = [one.value for one in player.session.cookie_jar if house.hall.admissions.admissions_of(one.value)]
    await house.hall.admissions.extend(token, "other")
    settled = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore")
    for one in (settled, cmd.StartGame()):
        done = await other.own(other.program_command(one))
        assert done.outcome.ok, done.text


@pytest.mark.law("L092", "L141")
async def test_a_player_reviews_the_own_seat_after_the_release_and_nobody_else_does(house: House) -> None:
    arbiter, white = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    black, stranger = await house.station("sighted", Seat.BLACK), house.visitor()
    desk, hand = await arbiter.line(), await white.line()
    await desk.do({"do": "start_game"})
    await hand.type("Eva zwei Eva vier")
    await hand.do({"do": "press"})
    assert (await arbiter.post("/api/review", {}))[0] == 409, "the game is not over"
    await (await black.line()).do({"do": "write_score", "index": 1, "text": "e3"})
    looks = "/api/review?shown=1&language=en"
    assert (await white.get(looks))[0] == 403
    await desk.do({"do": "rule_result", "result": "1-0", "reason": "resignation"})
    own = {"Accept-Language": "de", **white.own}
    # What displays have shown is looked through when the result is approved, and nothing that is the opponent's (8.7).
    assert (await white.get(looks))[0] == 403, "the result waits to be approved"
    await hand.do({"do": "approve_result", "result": "0-1"})
    assert (await white.get(looks))[0] == 403, "and that is another result"
    await hand.do({"do": "approve_result", "result": "1-0"})
    status, said = await white.get(looks)
    ply, placement = said["plies"][0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    assert (status, said["summary"], said["sounds"]) == (200, ["Result: 1-0."], False)
    assert (ply["own"], ply["other"], ply["differs"], ply["placement"]) == ("Eva zwei Eva vier", "", False, placement)
    assert [ply[name] for name in ("used_ms", "white_ms", "black_ms", "utterance")] == [None, None, None, ""]
    told = (await white.get("/api/review/told?shown=1&ply=1&language=en"))[1]["text"]
    assert told == "1. White: Eva two Eva four."
    assert "pawn" in (await white.get("/api/review/told?shown=1&ply=1&about=e4&language=en"))[1]["text"]
    for name in ("game.pgn", "score.brf", "clocks.wav", "sound/1"):
        assert (await white.get(f"/api/review/{name}?shown=1"))[0] == 403, name
    assert (await black.get(looks))[0] == 403 and (await stranger.get(looks))[0] == 403
    status, said = await white.get("/api/review", own)
    assert (status, said["text"]) == (
        403,
        "Der Schiedsrichter hat diese Partie noch nicht zur Nachbereitung freigegeben.",
    )
    assert (await white.post("/api/review", {}))[0] == 403 and (await stranger.post("/api/review", {}))[0] == 403
    assert (await arbiter.get("/api/review"))[0] == 200, "the arbiter looks before releasing it"
    assert (await arbiter.post("/api/review", {"released": True}))[0] == 200
    status, said = await white.get("/api/review?language=en")
    assert (status, said["seat"], said["plies"][0]["ply"], said["sounds"]) == (200, "white", 1, False)
    assert (await black.get("/api/review"))[1]["seat"] == "black", "each player the own seat, whatever is asked for"
    assert (await black.get("/api/review?seat=white"))[0] == 403
    assert (await stranger.get("/api/review"))[0] == 403
    assert "White: Eva zwei Eva vier." in (await white.get("/api/review/told?ply=1&language=en"))[1]["text"]
    assert (await white.get("/api/review/told?ply=9"))[0] == 404
    spoken = [
        (await white.session.get(f"{house.base}/api/review/spoken?ply=1")).status for _ in range(3 * SPOKEN_TO_ONE)
    ]
    assert spoken[0] == 204 and 429 in spoken, "without a voice there is nothing to say, and too often is too often"
    for name, begins in (("game.pgn", b"[Event "), ("score.brf", b""), ("clocks.wav", b"RIFF")):
        answer = await white.session.get(f"{house.base}/api/review/{name}")
        assert answer.status == 200 and (await answer.read()).startswith(begins)
    assert (await white.get("/api/review/other"))[0] == 404
    reviews, paths = house.app[REVIEWS], ("", "/told?ply=1", "/game.pgn", "/score.brf", "/clocks.wav")
    made = reviews.made
    many = [white.session.get(f"{house.base}/api/review{paths[at % 5]}", params={"language": "en"}) for at in range(40)]
    answers = await asyncio.gather(*many)
    assert [one.status for one in answers] == [200] * 40
    assert reviews.made == made, "what was made once is kept: forty requests make nothing"
    assert (await white.get("/api/review/sound/1"))[0] == 404, "the event allows the players no copies (8.3)"
    await other_game_begins(house, white)
    status, said = await white.get("/api/review?language=en", {"Accept-Language": "en"})
    assert (status, said["text"]) == (403, "Your other game is in progress: this one can be reviewed after it.")
    for path in ("told?ply=1", "told?shown=1", "spoken?ply=1", "game.pgn", "sound/1"):
        assert (await white.get(f"/api/review/{path}"))[0] == 403, path
    assert (await black.get("/api/review"))[0] == 200, "whose own games are all over"
    await arbiter.post("/api/review", {"released": False})
    assert (await black.get("/api/review"))[0] == 403
