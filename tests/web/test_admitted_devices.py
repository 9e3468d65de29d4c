"""Every admission is listed, named and revocable by another arbiter of all tables, and what a device did has its name.

A stolen device of the arbiter of all tables was sent away at every table and kept the whole hall: its link to it was
seen by nobody, and what it did stood in the record as the program's.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web

from server.cli.keeping.devices import _new_link
from server.game import acts as cmd
from server.game.values.words import Seat
from server.hall import hall as hall_module
from server.hall.record import admissions_in
from server.journal.admissions import Admission, SentAway, new_token
from server.journal.failure import JournalFailed
from server.table.intake import Asker
from server.web.api.overview import ASKS_AGAIN_MS, GLANCE
from server.web.api.stations import SENT_AWAY
from server.web.sockets.line import LINES, NOT_ADMITTED
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import hall_arbiter
from tests.web.test_joining import fail_once

ROUND = {"tables": [{"white": {"name": "A"}, "black": {"name": "B"}, "name": "r1-b1", "round": 1}]}


async def devices_of(visitor: Visitor) -> list[dict[str, object]]:
    status, said = await visitor.get("/api/admissions")
    assert status == 200
    return list(said["devices"])


async def own_name(visitor: Visitor) -> str:
    (one,) = [one for one in await devices_of(visitor) if one["own"]]
    return str(one["station"])


@pytest.mark.law("L122", "L135")
async def test_a_stolen_device_of_the_hall_is_sent_away_from_all_of_it_at_once_and_for_good(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as first:
        stolen, chief = await hall_arbiter(first), await hall_arbiter(first)
        await first.station("tactile", Seat.WHITE)
        name = await own_name(stolen)
        assert (await stolen.post("/api/tables", ROUND))[0] == 201
        line, other = (
            await stolen.line("/ws?page=arbiter&table=demo"),
            await stolen.line("/ws?page=arbiter&table=r1-b1"),
        )
        for table in ("demo", "r1-b1"):  # at every table: the hall is not unseen after it
            if table == "demo":
                status, said = await chief.post(f"/api/stations/{name}?page=arbiter&table={table}", {})
                assert (status, said["hall"]) == (200, True) and "Admitted devices" in said["text"]
                assert await line.closed() == (NOT_ADMITTED, SENT_AWAY)
        shown = await devices_of(chief)
        assert [one["station"] for one in shown if one["hall"]] == [name, await own_name(chief)]
        assert shown[0]["tables"] == ["r1-b1"] and shown[0]["on_line"] and not shown[0]["own"]
        assert {one["role"] for one in shown} == {"arbiter", "tactile"} and all(one["since"] for one in shown)

        assert (await chief.post(f"/api/admissions/{name}", {"reason": "stolen"}))[0] == 200
        assert await other.closed() == (NOT_ADMITTED, SENT_AWAY)
        await until(lambda: not first.app[LINES].of("r1-b1", name))
        cookies = {cookie.key: cookie.value for cookie in stolen.session.cookie_jar}
        for path in ("/api/overview", "/api/admissions", "/api/event", "/api/bulletin/1.pgn"):
            assert (await stolen.get(path))[0] == 403, path
        for path, body in (("/api/tables", ROUND), ("/api/event", {"profile": {"name": "X"}})):
            assert (await stolen.post(path, body))[0] == 403, path
        assert [one["station"] for one in await devices_of(chief) if one["hall"]] == [await own_name(chief)]
        gone = [one for one in await first.hall.journal.read("r1-b1") if one.kind == "station_revoked"]
        assert [one.station for one in gone] == [await own_name(chief)] and b"stolen" in gone[0].body
    async with open_house(tmp_path / "data") as second:
        again = second.visitor()
        again.session.cookie_jar.update_cookies(cookies)
        assert (await again.get("/api/overview"))[0] == 403
        assert name not in {one.id for one in second.hall.tables["r1-b1"].state.stations.admitted}


async def test_what_the_arbiter_of_all_does_stands_in_the_record_in_their_own_name(house: House) -> None:
    chief, second = await hall_arbiter(house), await hall_arbiter(house)
    name, other = await own_name(chief), await own_name(second)
    await chief.post("/api/event", {"profile": {"display_delay_s": 30}})
    assert (await chief.post("/api/tables", ROUND))[0] == 201
    changed = {"table": "r1-b1", "white": "C", "black": "D", "board": 2}
    assert (await second.post("/api/tables/pairing", changed))[0] == 200
    assert (await second.post("/api/spectators", {"show": True, "delay_s": 60}))[0] == 200
    by = {one.kind: one.station for one in await house.hall.journal.read("r1-b1")}
    assert {by[kind] for kind in ("table_opened", "display_delayed", "station_admitted")} == {name}
    assert {by[kind] for kind in ("pairing_changed", "shown_to_spectators")} == {other}
    player = await house.station("tactile", Seat.WHITE)
    assert player.page
    admitted = [one for one in await house.hall.journal.read("demo") if one.kind == "station_admitted"]
    assert admitted[-1].station.startswith("arbiter-"), "the arbiter who let the player in"


async def test_only_the_arbiter_of_all_sees_the_list_and_nobody_sends_themselves_away(house: House) -> None:
    chief, arbiter, player = (
        await hall_arbiter(house),
        await house.arbiter(),
        await house.station("tactile", Seat.WHITE),
    )
    name = await own_name(chief)
    for visitor in (arbiter, player, house.visitor()):
        assert (await visitor.get("/api/admissions"))[0] == 403
        assert (await visitor.post(f"/api/admissions/{name}", {}))[0] == 403
    assert (await chief.post(f"/api/admissions/{name}", {}))[0] == 409
    assert (await chief.post("/api/admissions/nobody", {}))[0] == 404
    assert [one["on_line"] for one in await devices_of(chief) if one["own"]] == [True], "it is asking"
    (white,) = [one for one in await devices_of(chief) if one["role"] == "tactile"]
    hand = await player.line()
    assert (await chief.post(f"/api/admissions/{white['station']}", {}))[0] == 200
    assert (await hand.closed())[0] == NOT_ADMITTED
    assert house.table.state.stations.find(str(white["station"])) is None


async def test_who_has_only_the_page_of_all_tables_open_is_connected(house: House) -> None:
    """Its page asks again and again and has no line of a table."""
    chief, other = await hall_arbiter(house), await hall_arbiter(house)

    async def connected() -> list[object]:
        return [one["on_line"] for one in await devices_of(chief) if not one["own"]]

    assert await connected() == [False], "it was let in, and has opened nothing yet"
    asking = asyncio.create_task(other.get(f"/api/overview?version={house.app[GLANCE].version}"))
    async with asyncio.timeout(PATIENCE_S):
        while await connected() != [True]:
            await asyncio.sleep(0.01)
    house.app[GLANCE].tell()
    await asking
    assert await connected() == [True], "it asks again at once"
    house.app[GLANCE]._answered = {one: at - ASKS_AGAIN_MS for one, at in house.app[GLANCE]._answered.items()}
    assert await connected() == [False]


async def test_a_link_to_another_server_that_is_under_way_brings_nobody_back(house: House) -> None:
    await hall_arbiter(house)
    admissions = house.hall.admissions
    (hall,) = admissions.of_table("")
    fresh = new_token()
    admitting = asyncio.create_task(admissions.admit(fresh, hall))
    await asyncio.sleep(0)
    await house.hall.revoke_everywhere(hall.station, "")
    with pytest.raises(SentAway):
        await admitting
    with pytest.raises(SentAway):
        await admissions.admit(new_token(), hall)
    assert admissions.admissions_of(fresh) == () and admissions.everybody() == ()
    await admissions.reload()
    assert admissions.everybody() == ()


async def test_from_the_terminal_a_device_is_sent_away_and_a_new_arbiter_let_in_while_the_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the only arbiter of all, whose device is in the wrong hands: nobody is locked out for good."""
    monkeypatch.setattr(hall_module, "ADMISSIONS_S", 0.02)
    async with open_house(tmp_path / "data") as house:
        stolen = await hall_arbiter(house)
        name, line = await own_name(stolen), await stolen.line("/ws?page=arbiter&table=demo")
        terminal = await asyncio.to_thread(admissions_in, house.hall.data.root)
        try:
            assert [one[0].station for one in terminal.everybody()] == [name]
            await terminal.revoke_everywhere(name, 1)
            assert await line.closed() == (NOT_ADMITTED, SENT_AWAY)
            assert (await stolen.get("/api/admissions"))[0] == 403
            token = await _new_link(terminal)
        finally:
            await terminal.close()
        async with asyncio.timeout(PATIENCE_S):
            while house.hall.admissions.admission_of(token) is None:
                await asyncio.sleep(0.01)
        again = house.visitor()
        again.session.cookie_jar.update_cookies({"anna-eins.arbiter": token})
        assert (await again.get("/api/admissions"))[0] == 403, "a link is no admission yet"
        status, said = await again.post("/api/join", {"secret": token})
        assert (status, said["page"]) == (200, "/tables")
        assert [one["own"] for one in await devices_of(again)] == [True]
        assert (await house.visitor().post("/api/join", {"secret": token}))[0] == 403, "it was good once"
        gone = [one for one in await house.hall.journal.read("demo") if one.kind == "station_revoked"]
        assert len(gone) == 1 and house.table.state.stations.find(name) is None


async def test_a_link_from_the_terminal_holds_for_ten_minutes(house: House) -> None:
    for wall_ms, holds in ((house.hall.clock.wall_ms() - 11 * 60_000, False), (house.hall.clock.wall_ms(), True)):
        token = new_token()
        await house.hall.admissions.admit(token, Admission("", f"link-{token[:6]}", "link", "", (), wall_ms))
        status, _ = await house.visitor().post("/api/join", {"secret": token})
        assert (status == 200) is holds


def stands(house: House, name: str) -> bool:
    return any(one.station == name for one in house.hall.admissions.of_table(""))


async def test_two_who_send_one_another_away_at_the_same_instant_do_not_lock_the_hall(house: House) -> None:
    one, other = await hall_arbiter(house), await hall_arbiter(house)
    names = await own_name(one), await own_name(other)
    hall = house.hall
    askers = [Asker(name, partial(stands, house, name)) for name in names]

    async def send(name: str, asker: Asker) -> bool:
        return asker.stands() and await hall.revoke_everywhere(name, "", asker)

    done = await asyncio.gather(send(names[1], askers[0]), send(names[0], askers[1]))
    assert [*done] == [True, False]
    assert [at.station for at in hall.admissions.of_table("")] == [names[0]]


@pytest.mark.law("L122")
@pytest.mark.parametrize("everywhere", [False, True], ids=["at one table", "everywhere"])
async def test_nothing_is_done_and_nothing_told_from_the_instant_on_however_slow_the_disk_is(
    house: House, monkeypatch: pytest.MonkeyPatch, everywhere: bool
) -> None:
    """The list of admissions is a file of its own: while it is slow, the table's record takes what comes."""
    chief, stolen = await hall_arbiter(house), await hall_arbiter(house)
    name, line = await own_name(stolen), await stolen.line("/ws?page=arbiter&table=demo")
    await line.next()
    store, writes, goes_on = house.hall.admissions._store, threading.Event(), threading.Event()
    for kind in ("revoke", "revoke_everywhere"):
        kept = getattr(store, kind)

        def slow(*values: object, kept: Callable[..., None] = kept) -> None:
            writes.set()
            goes_on.wait(PATIENCE_S)
            kept(*values)

        monkeypatch.setattr(store, kind, slow)
    path = f"/api/admissions/{name}" if everywhere else f"/api/stations/{name}?page=arbiter&table=demo"
    sending = asyncio.create_task(chief.post(path, {}))
    try:
        assert await asyncio.to_thread(writes.wait, PATIENCE_S)
        command = cmd.Command(id="ab" * 16, table="demo", station=name, body=cmd.StartGame())
        outcome = await house.table.submit(command)
        assert outcome.outcome.code == "not_admitted"
        assert await line.closed() == (NOT_ADMITTED, SENT_AWAY)
    finally:
        goes_on.set()
    assert (await sending)[0] == 200
    assert house.table.state.stations.find(name) is None


@pytest.mark.law("L122")
async def test_what_waits_in_the_queue_of_a_table_is_not_done_for_a_line_that_was_sent_away(house: House) -> None:
    arbiter, stolen = await house.arbiter(), await hall_arbiter(house)
    assert arbiter.page
    name = await own_name(stolen)
    async with house.table._writing:
        command = cmd.Command(id="cd" * 16, table="demo", station=name, body=cmd.StartGame())
        waiting = asyncio.create_task(house.table.submit(command))
        await asyncio.sleep(0)
        going = asyncio.create_task(house.hall.revoke_everywhere(name, "stolen"))
        await asyncio.sleep(0)
    assert (await waiting).outcome.code == "not_admitted"
    assert await going


@pytest.mark.law("L122")
async def test_the_record_says_who_was_sent_away_as_soon_as_it_takes_anything(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk was full, and who sent the device away was sent away too meanwhile: it is done, and so it is noted."""
    monkeypatch.setattr(hall_module, "RECORDS_AGAIN_S", 0.01)
    chief, second, stolen = await hall_arbiter(house), await hall_arbiter(house), await hall_arbiter(house)
    names = [await own_name(one) for one in (chief, second, stolen)]
    house.table.hold()
    assert (await second.post(f"/api/admissions/{names[2]}", {"reason": "stolen"}))[0] == 200
    assert (await chief.post(f"/api/admissions/{names[1]}", {}))[0] == 200
    assert (await stolen.get("/api/admissions"))[0] == 403
    house.table.go_on()
    async with asyncio.timeout(PATIENCE_S):
        while {*names[1:]} & {one.id for one in house.table.state.stations.admitted}:
            await asyncio.sleep(0.01)
    gone = [one for one in await house.hall.journal.read("demo") if one.kind == "station_revoked"]
    assert {one.station for one in gone} == {names[0], names[1]}


@pytest.mark.law("L122")
async def test_who_was_sent_away_at_one_table_does_nothing_there_for_the_whole_hall(tmp_path: Path) -> None:
    """They keep the rest of the hall; also after a restart, for the record knows it."""
    changed = {"table": "demo", "white": "C", "black": "D", "board": 7}
    async with open_house(tmp_path / "data") as first:
        chief, other = await hall_arbiter(first), await hall_arbiter(first)
        name = await own_name(other)
        assert (await other.post("/api/tables", ROUND))[0] == 201
        assert (await chief.post(f"/api/stations/{name}?page=arbiter&table=demo", {}))[0] == 200
        cookies = {cookie.key: cookie.value for cookie in other.session.cookie_jar}
    async with open_house(tmp_path / "data") as second:
        again = second.visitor()
        again.session.cookie_jar.update_cookies(cookies)
        status, said = await again.post("/api/tables/pairing", changed)
        assert (status, said["code"]) == (409, "not_admitted")
        assert (await again.post("/api/tables/pairing", {**changed, "table": "r1-b1"}))[0] == 200
        before = second.table.seq
        assert (await again.post("/api/spectators", {"show": True, "delay_s": 60}))[0] == 200
        assert (await again.post("/api/tables/released", {"round": second.table.state.table.round or "1"}))[0] == 200
        assert [one.kind for one in await second.hall.journal.read("demo", before)] == []
        assert second.hall.tables["r1-b1"].state.stations.spectators is not None


@pytest.mark.law("L135")
async def test_the_tables_of_an_arbiter_who_is_sent_away_go_to_the_one_who_did_it(house: House) -> None:
    """Those that were opened after the other one came were nobody else's: a round would be without an arbiter."""
    stolen, chief = await hall_arbiter(house), await hall_arbiter(house)
    name = await own_name(stolen)
    assert (await stolen.post("/api/tables", ROUND))[0] == 201
    assert [one["table"] for one in (await chief.get("/api/overview"))[1]["tables"]] == ["demo"]
    assert (await chief.post(f"/api/admissions/{name}", {}))[0] == 200
    assert [one["table"] for one in (await chief.get("/api/overview"))[1]["tables"]] == ["demo", "r1-b1"]
    assert (await (await chief.line("/ws?page=arbiter&table=r1-b1")).next())["kind"] == "greeting"


@pytest.mark.law("L135")
async def test_one_table_whose_record_fails_leaves_no_other_without_an_arbiter(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    stolen, chief = await hall_arbiter(house), await hall_arbiter(house)
    name = await own_name(stolen)
    another = {**ROUND["tables"][0], "name": "r1-b2"}
    assert (await stolen.post("/api/tables", {"tables": [*ROUND["tables"], another]}))[0] == 201
    fail_once(monkeypatch, house.hall.tables["r1-b1"], "admit", JournalFailed("The disk is full."))
    assert (await chief.post(f"/api/admissions/{name}", {}))[0] == 200
    assert [one["table"] for one in (await chief.get("/api/overview"))[1]["tables"]] == ["demo", "r1-b2"]


async def test_no_two_devices_of_the_hall_have_one_name(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name a device is sent away from the whole hall; another one would go with it."""
    real, short = secrets.token_hex, iter(["aaaaaa", "aaaaaa", "bbbbbb"])
    monkeypatch.setattr(secrets, "token_hex", lambda octets: next(short) if octets == 3 else real(octets))
    first, second = await hall_arbiter(house), await hall_arbiter(house)
    assert (await own_name(first), await own_name(second)) == ("arbiter-aaaaaa", "arbiter-bbbbbb")


HANDED = {
    "/cards": "server.web.api.cards.cards_page",
    "/cards.brf": "server.web.api.cards.cards_to_emboss",
    "/api/bulletin/1.pgn": "server.web.api.tables.bulletin_from",
}
"""Pages that take a while to be written, and the function that writes each."""


@pytest.mark.law("L122")
@pytest.mark.parametrize("path", HANDED)
async def test_a_device_that_is_sent_away_while_pages_are_written_is_handed_none_of_them(
    house: House, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The codes of the seat cards let anybody in."""
    chief, stolen = await hall_arbiter(house), await hall_arbiter(house)
    name = await own_name(stolen)
    begun, goes_on = threading.Event(), threading.Event()

    def slow(*values: object) -> object:
        begun.set()
        goes_on.wait(PATIENCE_S)
        return "codes"

    async def asked() -> int:
        async with stolen.session.get(house.base + path) as answer:
            return answer.status

    monkeypatch.setattr(HANDED[path], slow)
    monkeypatch.setattr("server.web.api.tables.in_form", lambda *_: b"codes")
    asking = asyncio.create_task(asked())
    try:
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        assert (await chief.post(f"/api/admissions/{name}", {}))[0] == 200
    finally:
        goes_on.set()
    assert await asking == 403


@pytest.mark.law("L122")
@pytest.mark.parametrize("path", ["/api/record", "/evidence/told-0"])
async def test_a_device_that_is_sent_away_while_the_record_is_read_is_handed_nothing_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    chief, stolen = await house.arbiter(), await house.arbiter()
    begun, goes_on = asyncio.Event(), asyncio.Event()
    read = house.hall.journal.read

    async def slow(*values: object) -> object:
        begun.set()
        await goes_on.wait()
        return await read("demo") if path == "/api/record" else web.Response(text="sound")

    if path == "/api/record":
        monkeypatch.setattr(house.hall.journal, "read", slow)
    monkeypatch.setattr("server.web.api.sounds.kept_sound", slow)
    asking = asyncio.create_task(stolen.get(path))
    await asyncio.wait_for(begun.wait(), PATIENCE_S)
    shown = (await chief.get("/api/stations"))[1]["stations"]
    (station,) = [one["station"] for one in shown if one["role"] == "arbiter" and not one["own"]]
    assert (await chief.post(f"/api/stations/{station}", {}))[0] == 200
    goes_on.set()
    assert (await asking)[0] == 403
