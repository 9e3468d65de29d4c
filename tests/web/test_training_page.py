"""What the training page asks the server: tasks, answers by voice, a private file, and never at a rated game."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from server.game import acts as cmd
from server.game.values.words import Seat
from server.machine.clock import ScriptedClock
from server.machine.strongbox import Strongbox
from server.stations.practice import PracticeFile
from server.web.door.access import Place
from server.web.visitors.ears import MOST_BYTES, SAID_BY_ONE
from tests.table.open_hall import WrittenEars, WrittenVoice
from tests.waiting import until
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import hall_arbiter, open_tables

FIRST = "kind=names&seed=a&number=0&language=de"
ASKED = ("/api/training", f"/api/training/task?{FIRST}", f"/api/training/sound?{FIRST}")


async def say(visitor: Visitor, path: str, words: str) -> tuple[int, Any]:
    """The page sends a sound, which these ears read as words."""
    sound = words.encode("utf-16-le")
    async with visitor.session.post(visitor.house.base + path, data=sound, headers=visitor.own) as answer:
        return answer.status, await answer.json()


async def player_of(house: House, table: str, page: str = "sighted", seat: Seat = Seat.WHITE) -> Visitor:
    """A device at a seat of a table."""
    visitor = house.visitor()
    place = Place(table=table, page=page, seat=seat)
    status, _ = await visitor.post("/api/join", {"secret": house.access.invite(place, admits=True).secret})
    assert status == 200
    return visitor


async def test_any_device_practises_and_a_players_progress_is_a_private_file(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", ears=WrittenEars(), voice=WrittenVoice()) as house:
        house.hall.box = box = Strongbox(os.urandom(32))
        anybody, anna = house.visitor(), await house.station("tactile", Seat.WHITE)
        assert (await anybody.get("/api/training?language=de"))[1]["name"] == ""
        status, task = await anybody.get(f"/api/training/task?{FIRST}")
        assert status == 200 and task["lines"] and all(len(line) <= 40 for line in task["lines"])
        assert "Gesprochen" in task["hint"]
        file = next(one for one in "12345678" if one in task["text"])
        word = ("Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector")[int(file) - 1]
        said = await say(anna, f"/api/training/heard?{FIRST}", f"{word} vier")
        assert said == (200, {"text": word, "sure": True, "aside": "", "told": f"Verstanden: {word}."})
        doubted = (await say(anna, f"/api/training/heard?{FIRST}", f"~{word} vier"))[1]
        assert (doubted["text"], doubted["sure"]) == (word, False) and "ja" in doubted["told"]
        assert (await say(anna, f"/api/training/heard?{FIRST}", "?"))[1]["text"] == ""
        for visitor, right in ((anybody, True), (anna, True), (anna, False)):
            given = {"text": word if right else "nichts"}
            status, told = await visitor.post(f"/api/training/answer?{FIRST}", given)
            assert (status, told["right"]) == (200, right), told
        assert (await anna.get("/api/training?language=de"))[1]["scores"] == ["Namen der Linien: 1 von 2 richtig."]
        kept = PracticeFile(house.hall.data, "Anna", box)
        assert kept.read().of("names").asked == 2 and b"names" not in kept.path.read_bytes(), "as the terminal keeps it"
        assert len(list(kept.path.parent.iterdir())) == 1, "nothing is kept of a device at no seat"
        async with anna.session.get(f"{house.base}/api/training/sound?{FIRST}") as heard:
            assert (heard.status, heard.content_type) == (200, "audio/mpeg")


@pytest.mark.law("L141")
async def test_no_device_of_a_rated_game_opens_it_until_the_game_is_over(house: House) -> None:
    await open_tables(house, "r1-b1")
    kept_out = [await player_of(house, "r1-b1"), await player_of(house, "r1-b1", "assistant", Seat.BLACK)]
    table = house.hall.table("r1-b1")
    assert table.state.table.rated
    for visitor in kept_out:
        for path in ASKED:
            status, said = await visitor.get(path)
            assert (status, said["code"]) == (403, "training_not_now")
        assert (await visitor.post(f"/api/training/answer?{FIRST}", {"text": "a"}))[0] == 403
        assert (await say(visitor, f"/api/training/heard?{FIRST}", "Anna vier"))[0] == 403
    await table.own(table.program_command(cmd.RuleResult(result="1-0", reason="forfeit")))
    for visitor in kept_out:
        assert (await visitor.get(ASKED[1]))[0] == 200


@pytest.mark.law("L141", "L072")
async def test_a_game_that_another_server_of_the_hall_leads_counts_as_not_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_tables(house, "r1-b1")
    assert (await (await hall_arbiter(house)).post("/api/spectators", {"show": True, "delay_s": 0}))[0] == 200
    player = await player_of(house, "r1-b1")
    monkeypatch.delitem(house.hall.tables, "r1-b1")
    monkeypatch.setattr(house.hall, "has", lambda id: id == "r1-b1")
    for path, code in ((ASKED[0], "training_not_now"), ("/api/hall", "players_stay_out")):
        status, said = await player.get(path)
        assert (status, said["code"]) == (403, code)
    monkeypatch.setattr(house.hall, "has", lambda _: False)
    assert (await player.get(ASKED[0]))[0] == 200, "a table that is gone keeps nobody out"


async def test_what_is_asked_is_bounded_and_a_wrong_address_gets_a_sentence(
    tmp_path: Path, scripted: ScriptedClock
) -> None:
    async with open_house(tmp_path / "data", scripted) as house:
        visitor = house.visitor()
        for wrong in ("kind=chess&seed=a&number=0", "kind=names&seed=A!&number=0", "kind=names&seed=a&number=-1", ""):
            status, said = await visitor.get(f"/api/training/task?{wrong}")
            assert status == 400 and said["text"].endswith("."), said
        assert (await visitor.post(f"/api/training/answer?{FIRST}", {"text": "a" * 61}))[0] == 400
        status, said = await say(visitor, f"/api/training/heard?{FIRST}", "Anna vier")
        assert (status, said["code"]) == (503, "no_ears_here")
        house.hall.use(ears=WrittenEars())
        assert (await say(visitor, f"/api/training/heard?{FIRST}", "a" * (MOST_BYTES // 2 + 1)))[0] == 413
        for _ in range(SAID_BY_ONE - 2):
            assert (await say(visitor, f"/api/training/heard?{FIRST}", "Anna vier"))[0] == 200
        assert (await say(visitor, f"/api/training/heard?{FIRST}", "Anna vier"))[0] == 429
        scripted.advance(10_000)
        assert (await say(visitor, f"/api/training/heard?{FIRST}", "Anna vier"))[0] == 200
        async with visitor.session.get(f"{house.base}/api/training/sound?{FIRST}") as heard:
            assert heard.status == 204, "there is no voice here"


async def test_a_visitor_chooses_a_board_by_voice_and_asks_and_nothing_flows_back(
    tmp_path: Path, scripted: ScriptedClock
) -> None:
    async with open_house(tmp_path / "data", scripted, ears=WrittenEars(), voice=WrittenVoice()) as house:
        chief = await hall_arbiter(house)
        boards = [
            {"name": f"r1-b{n}", "round": 1, "board": n, "white": {"name": f"W{n}"}, "black": {"name": f"B{n}"}}
            for n in (1, 9)
        ]
        assert (await chief.post("/api/tables", {"tables": boards}))[0] == 201
        visitor, path = house.visitor(), "/api/visitors/heard?language=de"
        assert (await chief.post("/api/spectators", {"show": True, "delay_s": 0}))[0] == 200
        await until(lambda: all(one.state.stations.spectators is not None for one in house.hall.tables.values()))
        before = {id: len(await house.hall.journal.read(id)) for id in house.hall.tables}
        for words, table in (("mein Zug eins", "r1-b1"), ("mein Zug neun", "r1-b9"), ("mein Zug acht", "")):
            said = (await say(visitor, path, words))[1]
            assert (said["do"], said["table"], said["heard"]) == ("board", table, f"Verstanden: {words}.")
        for words, wish in (
            ("letzter Zug", ("ask", "last", 0)),
            ("Zugzahl", ("ask", "moves", 0)),
            ("Aufstellung", ("ask", "position", 0)),
            ("Eva vier", ("ask", "e4", 0)),
            ("mein Zug zwölf", ("after", "", 12)),
            ("nächster Eintrag", ("step", "1", 0)),
            ("nein", ("all", "", 0)),
            ("Partieformular", ("results", "", 0)),
            ("Ich gebe auf", ("nothing", "", 0)),
            ("?", ("nothing", "", 0)),
        ):
            scripted.advance(10_000)
            said = (await say(visitor, f"{path}&at=board", words))[1]
            assert (said["do"], said["about"], said["number"]) == wish, words
        assert "mein Zug drei" in (await visitor.get("/api/visitors/told?about=help&language=de"))[1]["text"]
        table = house.hall.table("r1-b9")
        assert {id: len(await house.hall.journal.read(id)) for id in house.hall.tables} == before, "nothing flows back"
        await table.own(table.program_command(cmd.RuleResult(result="0-1", reason="forfeit")))
        told = (await visitor.get("/api/visitors/told?about=results&language=de"))[1]["text"]
        assert told.startswith("Brett 9, W9 – B9: ") and told.endswith("Partie beendet: Schwarz gewinnt.")
        async with visitor.session.get(f"{house.base}/api/visitors/sound?about=results&language=de") as heard:
            assert (heard.status, heard.content_type) == (200, "audio/mpeg")
        player = await player_of(house, "r1-b1")
        assert (await say(player, path, "Anna eins"))[1]["code"] == "players_stay_out"
