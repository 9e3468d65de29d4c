"""The hall's arbiter: one link for all tables, one more for each that is opened, and nobody else's."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from server.app import invite_arbiter
from server.game import acts as cmd
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.hall.hall import Hall
from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.web.door.access import Place
from server.web.door.introductions import give_table
from server.web.sockets.line import NOT_ADMITTED
from tests.hall.test_file_text import lines
from tests.table.open_hall import WrittenVoice
from tests.waiting import PATIENCE_S
from tests.web.open_house import House, Visitor, open_house

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


async def open_tables(house: House, *names: str) -> None:
    for name in names:
        body = cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE, name=f"White {name}"),
            black=SeatPlan(SeatKind.SIGHTED, name=f"Black {name}"),
            control=TimeControl.parse("300"),
            start_fen=START,
        )
        await house.hall.open_table(body, name)


async def hall_arbiter(house: House) -> Visitor:
    visitor = house.visitor()
    secret = invite_arbiter(house.app, house.base).partition("#join=")[2]
    status, said = await visitor.post("/api/join", {"secret": secret})
    assert (status, said["page"]) == (200, "/tables")
    return visitor


@pytest.mark.law("L135")
async def test_one_link_opens_all_tables_and_outlives_the_server(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as first:
        await open_tables(first, "r1-b10", "r1-b2")
        chief = await hall_arbiter(first)
        status, said = await chief.get("/api/overview")
        assert status == 200 and said["hall"]
        assert [line["table"] for line in said["tables"]] == ["demo", "r1-b2", "r1-b10"]
        assert said["tables"][1]["links"] == {"white": None, "black": None}
        desk = await chief.line("/ws?page=arbiter&table=r1-b10")
        assert (await desk.do({"do": "note_supervision", "games": 3}))["outcome"]["ok"]
        cookies = {cookie.key: cookie.value for cookie in chief.session.cookie_jar}
        assert len(cookies) == 1
        assert [one["page"] for one in (await chief.get("/api/places"))[1]["places"]] == ["/tables"]
    async with open_house(tmp_path / "data") as second:
        again = second.visitor()
        again.session.cookie_jar.update_cookies(cookies)
        assert len((await again.get("/api/overview"))[1]["tables"]) == 3
        await again.line("/ws?page=arbiter&table=r1-b2")
        assert [one.role for one in second.hall.tables["r1-b2"].state.stations.admitted] == ["arbiter"]


@pytest.mark.law("L135")
async def test_who_has_one_table_sees_no_other(house: House) -> None:
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    chief = await hall_arbiter(house)
    await open_tables(house, "later")
    for visitor in (arbiter, chief):
        _, said = await visitor.get("/api/overview")
        assert [line["table"] for line in said["tables"]] == ["demo"]
        line = await visitor.line("/ws?page=arbiter&table=later", after=None)
        assert (await line.closed())[0] == NOT_ADMITTED
    assert (await player.get("/api/overview"))[0] == 403
    assert (await arbiter.get("/api/overview"))[1]["hall"] is False
    (token,) = [cookie.value for cookie in chief.session.cookie_jar]
    await give_table(house.hall, token, "later")
    assert [line["table"] for line in (await chief.get("/api/overview"))[1]["tables"]] == ["demo", "later"]
    # What the arbiter has at one table may be taken away there, and the rest stands.
    (station,) = [one.id for one in house.hall.tables["later"].state.stations.admitted]
    assert await house.hall.admissions.revoke("later", station, 0) == 1
    assert [line["table"] for line in (await chief.get("/api/overview"))[1]["tables"]] == ["demo"]


@pytest.mark.law("L135")
async def test_the_overview_answers_when_something_changes_and_tells_links_and_grey_alerts(house: House) -> None:
    chief = await hall_arbiter(house)
    said = (await chief.get("/api/overview"))[1]
    waiting = asyncio.create_task(chief.get(f"/api/overview?version={said['version']}"))
    await asyncio.sleep(0)
    arbiter, player = await house.arbiter(), await house.station("tactile", Seat.WHITE)
    line = (await asyncio.wait_for(waiting, PATIENCE_S))[1]["tables"][0]
    assert line["table"] == "demo"
    hand, desk = await player.line(), await arbiter.line()
    (line,) = (await chief.get("/api/overview"))[1]["tables"]
    assert line["links"] == {"white": True, "black": None}
    await desk.do({"do": "start_game"})
    await hand.type("Springer Felix vier")
    await hand.do({"do": "press"})
    await desk.until(event="alerted")
    await hand.socket.close()
    while (await chief.get("/api/overview"))[1]["tables"][0]["links"]["white"]:
        await asyncio.sleep(0.01)
    (line,) = (await chief.get("/api/overview"))[1]["tables"]
    assert line["alerts"] >= line["grey"] > 0 and (line["last_alert"], line["running"]) == ("unresolved", "black")
    assert not line["at_once"], "it rests on recognised words alone"
    await desk.do({"do": "note_device_found", "seat": "black", "device": "telephone"})
    (after,) = (await chief.get("/api/overview"))[1]["tables"]
    assert (after["alerts"], after["grey"]) == (line["alerts"] + 1, line["grey"]), "seen by the arbiter, not heard"
    assert (after["urgent"], after["at_once"]) == ("device_found", True)
    # What is settled on record is counted no more, no matter who settled it on which device.
    await desk.do({"do": "settle_alert", "numbers": list(range(1, after["given"] + 1)), "how": "put_off"})
    await desk.do({"do": "settle_alert", "numbers": [after["given"]], "how": "acknowledged"})
    (settled,) = (await chief.get("/api/overview"))[1]["tables"]
    assert (settled["alerts"], settled["urgent"], settled["put_off"]) == (0, "", line["alerts"])
    assert settled["given"] == after["given"]
    invitation = house.access.invite(Place(table="demo", page="tactile", seat=Seat.WHITE))
    await house.visitor().post("/api/join", {"code": " ".join(invitation.squares)})
    assert (await chief.get("/api/overview"))[1]["tables"][0]["waiting"] == 1
    assert (await chief.get("/api/overview?version=99999999999999999999"))[0] == 200


async def test_what_the_watch_reads_is_said_to_an_arbiter_and_to_nobody_else(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", voice=WrittenVoice()) as house:
        chief, player = await hall_arbiter(house), await house.station("tactile", Seat.WHITE)
        said = {"text": "demo: Draw claimed", "language": "en"}
        heard = await chief.session.post(f"{house.base}/api/overview/spoken", json=said, headers=chief.own)
        assert (heard.status, heard.content_type) == (200, "audio/mpeg") and await heard.read()
        for visitor in (player, house.visitor()):
            assert (await visitor.post("/api/overview/spoken", said))[0] == 403
        for wrong in ({"text": "", "language": "en"}, {"text": "x" * 501, "language": "en"}):
            assert (await chief.post("/api/overview/spoken", wrong))[0] == 400


PGN = """[Event "Open"]
[White "Anna Fried"]
[Black "Hector Horn"]
[Round "3.1"]
[TimeControl "5400+30"]

[Event "Open"]
[White "Bela Nagy"]
[Black "Cesar Coe"]
[Round "3.2"]
"""


async def test_a_round_is_looked_at_and_then_opened_by_the_halls_arbiter_alone(house: House) -> None:
    chief, arbiter = await hall_arbiter(house), await house.arbiter()
    status, said = await chief.post("/api/pairings", {"file": base64.b64encode(PGN.encode()).decode()})
    assert status == 200 and said["round"] == 3
    assert [(one["name"], one["white"], one["taken"]) for one in said["tables"]] == [
        ("r3-b1", "Anna Fried", False),
        ("r3-b2", "Bela Nagy", False),
    ]
    assert set(house.hall.tables) == {"demo"}, "looking opens nothing"
    tables = [
        {
            **{key: one[key] for key in ("name", "event", "round", "board", "control")},
            "white": {"name": one["white"], "kind": "tactile", "language": "hu"},
            "black": {"name": one["black"]},
        }
        for one in said["tables"]
    ]
    for visitor in (arbiter, house.visitor()):
        for path, body in (
            ("/api/pairings", {"file": base64.b64encode(PGN.encode()).decode()}),
            ("/api/tables", {"tables": tables}),
        ):
            assert (await visitor.post(path, body))[0] == 403
    wrong = [tables[0], {**tables[1], "control": "soon"}]
    status, said = await chief.post("/api/tables", {"tables": wrong})
    assert status == 400 and set(house.hall.tables) == {"demo"}, "all or none"
    status, said = await chief.post("/api/tables", {"tables": tables})
    assert (status, said) == (201, {"tables": ["r3-b1", "r3-b2"]})
    assert (
        house.hall.tables["r3-b1"].state.table.white.language == "hu" and house.hall.tables["r3-b1"].state.table.rated
    )
    await chief.line("/ws?page=arbiter&table=r3-b2")
    assert (await chief.post("/api/pairings", {"file": base64.b64encode(PGN.encode()).decode()}))[1]["tables"][0][
        "taken"
    ]
    status, said = await chief.post("/api/tables", {"tables": tables})
    assert status == 400 and "already open" in said["text"]
    assert [line["table"] for line in (await arbiter.get("/api/overview"))[1]["tables"]] == ["demo"]


def paired(*names: str, **fields: Any) -> dict[str, Any]:
    one = {"round": 1, "white": {"name": "Anna", "kind": "tactile"}, "black": {"name": "Hector"}}
    return {"tables": [{**one, "name": name} for name in names], **fields}


def refusing(monkeypatch: pytest.MonkeyPatch, table: str, kind: str) -> pytest.MonkeyPatch:
    """Let the record of one table take no event of a kind."""
    append = Journal.append

    async def fails(self: Journal, entries: Sequence[Entry], *more: Any) -> None:
        if any((one.table, one.kind) == (table, kind) for one in entries):
            raise JournalFailed("The disk is full.")
        await append(self, entries, *more)

    monkeypatch.setattr(Journal, "append", fails)
    return monkeypatch


@pytest.mark.parametrize("name", ["no name", "../x", "aux", "Zürich"])
async def test_no_table_of_a_round_is_open_where_one_of_its_names_cannot_be(house: House, name: str) -> None:
    chief = await hall_arbiter(house)
    assert (await chief.post("/api/tables", paired("r1-b1", name)))[0] == 400
    assert set(house.hall.tables) == {"demo"}, "all or none"


@pytest.mark.law("L135")
async def test_a_round_that_stopped_half_way_has_its_arbiter_and_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    chief, other = await hall_arbiter(house), await hall_arbiter(house)

    async def seen() -> list[str]:
        return [line["table"] for line in (await chief.get("/api/overview"))[1]["tables"]]

    with monkeypatch.context() as patched:
        refusing(patched, "r1-b2", "table_opened")
        assert (await chief.post("/api/tables", paired("r1-b1", "r1-b2")))[0] == 400
    assert await seen() == ["demo", "r1-b1"]
    assert (await other.post("/api/tables", paired("r1-b1", "r1-b2")))[0] == 400, "it is another arbiter's"
    changed = paired("r1-b1", "r1-b2")
    changed["tables"][0]["white"] = {"name": "Bella"}
    assert (await chief.post("/api/tables", changed))[0] == 400, "it is another game's"
    for other_game in (paired("r1-b1", profile={"control": "3+2"}), paired("r1-b1")):
        if "profile" not in other_game:
            other_game["tables"][0]["white"]["kind"] = "sighted"
        other_game["tables"].append(paired("r1-b2")["tables"][0])
        assert (await chief.post("/api/tables", other_game))[0] == 400, "of another time, or on another board"
    with monkeypatch.context() as patched:
        refusing(patched, "r1-b2", "station_admitted")
        assert (await chief.post("/api/tables", paired("r1-b1", "r1-b2")))[0] == 503
    assert await seen() == ["demo", "r1-b1"]
    status, said = await chief.post("/api/tables", paired("r1-b1", "r1-b2", "r1-b3"))
    assert (status, said) == (201, {"tables": ["r1-b1", "r1-b2", "r1-b3"]})
    assert await seen() == ["demo", "r1-b1", "r1-b2", "r1-b3"]
    assert (await chief.post("/api/tables", paired("r1-b1", "r1-b2")))[0] == 400, "nothing is left of it"


async def test_a_round_that_stopped_half_way_keeps_the_position_that_was_drawn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    chief = await hall_arbiter(house)
    asked = paired("r1-b1", "r1-b2", profile={"chess960": "draw", "event": {"guidelines": ["II"]}})
    with monkeypatch.context() as patched:
        refusing(patched, "r1-b2", "table_opened")
        assert (await chief.post("/api/tables", asked))[0] == 400
    answer = await chief.post("/api/tables", asked)
    assert answer[0] == 201, answer
    one, other = (house.hall.tables[name].state.moves.positions[0] for name in ("r1-b1", "r1-b2"))
    assert one == other


async def test_a_profile_that_the_record_of_a_table_did_not_take_is_put_there_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    chief = await hall_arbiter(house)
    name, value = "sighted_press_without_announcement", "note"
    asked = paired("r1-b1", "r1-b2", profile={"adaptations": {name: value}, "display_delay_s": 60})
    with monkeypatch.context() as patched:
        refusing(patched, "r1-b1", "adaptation_recorded")
        assert (await chief.post("/api/tables", asked))[0] == 400
    assert set(house.hall.tables) == {"demo", "r1-b1"}
    assert (await chief.post("/api/tables", asked))[0] == 201
    for table in ("r1-b1", "r1-b2"):
        kinds = [one.kind for one in await house.hall.journal.read(table)]
        assert (kinds.count("adaptation_recorded"), kinds.count("display_delayed")) == (1, 1)


async def test_a_file_that_is_no_pairing_gets_one_sentence(house: House) -> None:
    chief = await hall_arbiter(house)
    for text in ("", "nonsense", "001 x", '[White "A"]', "\x00" * 99):
        status, said = await chief.post("/api/pairings", {"file": base64.b64encode(text.encode()).decode()})
        assert status == 400 and len(said["text"].split()) > 4 and "Traceback" not in said["text"], text
    status, said = await chief.post("/api/pairings", {"file": "x" * 6_100_000})
    assert status == 413
    assert (await chief.post("/api/tables", {"tables": []}))[0] == 400


@pytest.mark.law("L207")
async def test_the_arbiter_is_shown_what_holds_the_start(house: House) -> None:
    chief = await hall_arbiter(house)
    body = {"white": {"name": "Anna", "kind": "tactile"}, "black": {"name": "Hector"}, "name": "one"}
    assert (await chief.post("/api/tables", {"tables": [body]}))[0] == 201
    greeting = await (await chief.line("/ws?page=arbiter&table=one")).next()
    shown = greeting["greeting"]["table"]
    assert shown["sound_needs_consent"] and not shown["assistant_needed"]
    consents = [(one["seat"], one["ok"]) for one in shown["checklist"] if one["item"] == "voice_recording"]
    assert consents == [("white", None), ("black", None)]
    assert {one["item"] for one in shown["checklist"]} >= {"spare_queens", "talk_key_tried", "press_tried"}
    (question,) = [one for one in shown["adaptations"] if one["must_answer"]]
    assert not question["recorded"]


async def test_the_page_that_looked_while_tables_were_opened_looks_once_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table is opened, and then given to the arbiter; a page that looked in between has not seen it yet."""
    chief = await hall_arbiter(house)
    versions = []

    async def given(hall: Hall, token: str, name: str) -> None:
        await give_table(hall, token, name)
        versions.append((await chief.get("/api/overview"))[1]["version"])

    monkeypatch.setattr("server.web.api.tables.give_table", given)
    ida, jo = {"name": "Ida", "kind": "tactile"}, {"name": "Jo", "kind": "sighted"}
    assert (await chief.post("/api/tables", {"tables": [{"white": ida, "black": jo}]}))[0] == 201
    said = (await chief.get("/api/overview"))[1]
    assert len(versions) == 1 and said["version"] > versions[-1]
    assert "Ida" in [one["white"] for one in said["tables"]]


async def test_the_page_of_the_hall_is_told_the_choices(house: House) -> None:
    chief = await hall_arbiter(house)
    file = base64.b64encode(lines(["Peña, Ana", "Muñoz, Luis"]).encode("cp1252")).decode()
    status, said = await chief.post("/api/pairings", {"file": file})
    assert (status, said["pages"]) == (409, [["cp1252", "Peña"], ["cp1250", "Peńa"]]) and "Peńa" in said["text"]
    status, said = await chief.post("/api/pairings", {"file": file, "page": "cp1252"})
    assert (status, said["tables"][0]["white"]) == (200, "Peña, Ana")
    status, said = await chief.post("/api/pairings", {"file": file, "page": "rot13"})
    assert status == 400 and "code page" in said["text"]
