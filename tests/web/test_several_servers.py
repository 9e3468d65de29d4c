"""A station of one server is let in at another server of the hall with its key, and nobody else is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from server.game import acts as cmd
from server.game.values.words import Seat
from server.hall.servers.sharing import HandedIn
from server.web.door import passages
from server.web.door.access import Place
from server.web.door.passages import PASSAGES
from server.web.sockets.line import ELSEWHERE, NOT_ADMITTED
from speech.audio.frames import encode_frames
from tests.postgresql import Cluster
from tests.table.open_hall import WrittenEars, turn
from tests.waiting import PATIENCE_S
from tests.web.open_house import TestLine
from tests.web.test_all_tables import hall_arbiter
from tests.web.two_servers import sharing_of, two_servers

pytestmark = pytest.mark.needs("postgresql")
PLACE = "?page=sighted&seat=black&table=demo"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server here is silent because this machine is busy."""
    monkeypatch.setattr(passages, "ASKED_S", PATIENCE_S)


async def test_a_station_goes_on_at_the_server_that_leads_its_table_now(tmp_path: Path, cluster: Cluster) -> None:
    async with two_servers(tmp_path, cluster) as both:
        first, origin = both.first, {"Origin": both.first.base}
        player = await first.station("sighted", Seat.BLACK)
        line = await player.line(f"/ws{PLACE}")
        told = await line.until(kind="servers")
        assert {first.base, both.base} == set(told["addresses"]) and told["led"] == ""

        page = await player.session.get(first.base + player.page)
        policy = page.headers["Content-Security-Policy"]
        there = both.base.replace("http", "ws")
        assert f"connect-src 'self' {first.base} {both.base}" in policy or (both.base in policy and there in policy)

        await both.moved()
        moved = await line.until(kind="servers", led=both.base)
        assert (await line.closed())[0] == ELSEWHERE
        for key in (moved["key"], told["key"]):
            socket = await player.session.ws_connect(
                f"{both.base}/ws{PLACE}", headers=origin, protocols=("anna-eins", key)
            )
            again = TestLine(socket)
            await again.send({"kind": "hello", "after": 0})
            await again.until(kind="greeting")
            assert (await again.do({"do": "call_arbiter"}))["outcome"]["ok"], "with the key, and without any cookie"
            await again.socket.close()

        back = await player.line(f"/ws{PLACE}", after=None)  # a page that is loaded anew at the first server
        assert (await back.until(kind="servers"))["led"] == both.base
        assert (await back.closed())[0] == ELSEWHERE

        asked = {"Authorization": f"Bearer {told['key']}", **origin}
        voice = f"{both.base}/api/voice{PLACE}"
        async with player.session.get(voice, headers=asked) as answer:
            assert answer.status == 200 and answer.headers["Access-Control-Allow-Origin"] == first.base
        async with player.session.options(voice, headers=origin) as answer:
            assert answer.status == 204 and "Authorization" in answer.headers["Access-Control-Allow-Headers"]
        strangers = {"Origin": "http://localhost:1", "Authorization": asked["Authorization"]}
        for method, headers, status in (
            ("GET", {"Origin": "http://localhost:1"}, 403),
            ("GET", strangers, 403),
            ("OPTIONS", {"Origin": "http://localhost:1"}, 403),
            ("GET", {**origin, "Authorization": "Bearer " + "0" * 32}, 403),
            ("GET", {**origin, "Authorization": "Bearer x"}, 403),
            ("GET", origin, 403),
        ):
            async with player.session.request(method, voice, headers=headers) as answer:
                assert answer.status == status, (method, headers)
                assert "Access-Control-Allow-Origin" not in answer.headers or headers["Origin"] == first.base
        socket = await player.session.ws_connect(f"{both.base}/ws{PLACE}", headers=origin)
        assert (await TestLine(socket).closed())[0] == NOT_ADMITTED, "a cookie of the same name does not count there"

        (station,) = (one for one in both.second.tables["demo"].state.stations.admitted if one.seat is Seat.BLACK)
        await both.second.revoke(both.second.tables["demo"], station.id)
        socket = await player.session.ws_connect(f"{both.base}/ws{PLACE}", headers=origin, protocols=("anna-eins", key))
        assert (await TestLine(socket).closed())[0] == NOT_ADMITTED, "who was sent away has no key any more"


@pytest.mark.law("L122")
async def test_who_is_sent_away_from_the_whole_hall_is_gone_at_every_server(tmp_path: Path, cluster: Cluster) -> None:
    async with two_servers(tmp_path, cluster) as both:
        first = both.first
        stolen, chief = await hall_arbiter(first), await hall_arbiter(first)
        (name,) = [one["station"] for one in (await stolen.get("/api/admissions"))[1]["devices"] if one["own"]]
        line = await stolen.line("/ws?page=arbiter&table=demo")
        key = (await line.until(kind="servers"))["key"]
        await both.moved()
        ways: dict[str, Any] = {"headers": {"Origin": first.base}, "protocols": ("anna-eins", key)}
        there = TestLine(await stolen.session.ws_connect(f"{both.base}/ws?page=arbiter&table=demo", **ways))
        await there.send({"kind": "hello", "after": 0})
        await there.until(kind="greeting")
        assert (await chief.post(f"/api/admissions/{name}", {"reason": "stolen"}))[0] == 200
        assert (await there.closed())[0] == NOT_ADMITTED, "its line at the other server is closed as well"
        table = both.second.tables["demo"]
        await turn(lambda: table.state.stations.find(name) is None)
        assert (await stolen.get("/api/overview"))[0] == 403
        assert not both.second.admissions.admissions_of(key)
        for hall in (first.hall, both.second):  # also what another server gave at the same moment
            await hall.admissions.reload()
            assert name not in [one[0].station for one in hall.admissions.everybody()]


@pytest.mark.law("L194")
async def test_a_microphone_goes_along_and_half_an_announcement_is_no_move(tmp_path: Path, cluster: Cluster) -> None:
    async with two_servers(tmp_path, cluster, ears=WrittenEars()) as both:
        first, place = both.first, "?page=tactile&seat=white&table=demo"
        player = await first.station("tactile", Seat.WHITE)
        assert (await first.table.own(first.table.program_command(cmd.StartGame()))).outcome.ok
        words, voice = "Springer Gustav eins Felix drei", await player.line(f"/audio{place}", after=None)
        half = len("Springer Gustav eins ")
        for frame in encode_frames(words[:half].encode("utf-16-le"), 7):
            await voice.socket.send_bytes(frame)
        line = await player.line(f"/ws{place}")
        await line.until(kind="servers")
        await both.moved()
        assert (await voice.closed())[0] == ELSEWHERE, "its line is closed too, so that the page opens it at the other"
        key = (await line.until(kind="servers", led=both.base))["key"]

        async def there() -> aiohttp.ClientWebSocketResponse:
            ways = {"headers": {"Origin": first.base}, "protocols": ("anna-eins", key)}
            return await player.session.ws_connect(f"{both.base}/audio{place}", **ways)

        async def recorded(kind: str) -> list[str]:
            async with asyncio.timeout(PATIENCE_S):
                while kind not in (kinds := [one.kind for one in await both.second.journal.read("demo")]):
                    await asyncio.sleep(0.02)
            return kinds

        rest = await there()
        for frame in encode_frames(words[half:].encode("utf-16-le"), 7, half):
            await rest.send_bytes(frame)
        await rest.send_str('{"end": 7}')
        kinds = await recorded("not_understood")
        assert kinds.count("sound_kept") == 1 and "announced" not in kinds, "what went to the first is its own half"
        for frame in encode_frames(words.encode("utf-16-le"), 8):
            await rest.send_bytes(frame)
        await rest.send_str('{"end": 8}')
        assert "announced" in await recorded("announced"), "and what is said whole counts"


async def test_servers_ask_one_another_over_https_to_their_common_certificate_alone(
    tmp_path: Path, cluster: Cluster
) -> None:
    async with two_servers(tmp_path, cluster, lan=True) as both:
        first = both.first
        chief = await first.arbiter()
        await both.moved()
        (led,) = sharing_of(first.hall).elsewhere.values()
        assert led.addresses and all(one.startswith("https://") for one in led.addresses)
        line = (await chief.get("/api/overview"))[1]["tables"]
        assert [(one["table"], one["at"]) for one in line] == [("demo", led.addresses[0])]
        _, there = await chief.post("/api/elsewhere", {"table": "demo"})
        address, _, once = there["page"].partition("/#join=")
        assert address == led.addresses[0]
        sure = aiohttp.Fingerprint(first.app[PASSAGES].fingerprint or b"")
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            ways: dict[str, Any] = {"headers": {"Origin": address}, "ssl": sure}
            async with browser.post(f"{address}/api/join", json={"secret": once}, **ways) as answer:
                assert answer.status == 200 and (await answer.json())["page"] == "/arbiter?table=demo"
            cookie = answer.headers["Set-Cookie"]
            assert "Secure" in cookie and cookie.startswith("__Host-")

        assert await first.app[PASSAGES].ask(both.base, "/api/overview?alone=1", ["x"]) is None, "never in the open"
        first.app[PASSAGES].fingerprint = bytes(32)  # as if a stranger answered at this address
        assert (await chief.get("/api/overview"))[1]["silent"] == ["demo"]


async def slow(common: Callable[[], Awaitable[HandedIn]]) -> HandedIn:
    """How a database that answers late is known."""
    return msgspec.structs.replace(await common(), uncertain_ms=900)


async def test_one_page_shows_all_tables_and_leads_to_each(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path, cluster) as both:
        first = both.first
        chief = first.visitor()
        secret = first.access.invite(Place(table="", page="arbiter"), admits=True, lasting=True).secret
        assert (await chief.post("/api/join", {"secret": secret}))[1]["page"] == "/tables"
        players = [{"name": name, "kind": kind} for name, kind in (("Anna", "tactile"), ("Hector", "sighted"))]
        wanted = [{"white": players[0], "black": players[1], "name": f"t{number}"} for number in (1, 2, 3)]
        assert (await chief.post("/api/tables", {"tables": wanted}))[0] == 201
        # There was one table at the first server: a new one goes to the second, one stays, one goes.
        await turn(lambda: set(both.second.tables) == {"t1", "t3"} and set(first.hall.tables) == {"demo", "t2"})
        _, said = await chief.get("/api/overview")
        assert [(one["table"], one.get("at", "")) for one in said["tables"]] == [
            *(("demo", ""), ("t1", both.base), ("t2", ""), ("t3", both.base))
        ]
        assert said["silent"] == [] and said["elsewhere"]
        assert {one["table"] for one in (await chief.get("/api/overview?alone=1"))[1]["tables"]} == {"demo", "t2"}

        _, there = await chief.post("/api/elsewhere", {"table": "t1"})
        address, _, once = there["page"].partition("/#join=")
        assert address == both.base and once
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            own = {"Origin": both.base}
            async with browser.post(f"{both.base}/api/join", json={"secret": once}, headers=own) as answer:
                assert (await answer.json())["page"] == "/arbiter?table=t1"
            seen: dict[str, Any] = {"silent": ["demo"]}
            async with asyncio.timeout(PATIENCE_S):
                while seen["silent"]:  # until the first server has heard of the new token
                    async with browser.get(f"{both.base}/api/overview") as answer:
                        seen = await answer.json()
            assert [one["table"] for one in seen["tables"]] == ["demo", "t1", "t2", "t3"], "whichever server it asks"
            assert [one.get("at", "") for one in seen["tables"]] == [first.base, "", first.base, ""]
            async with browser.post(f"{both.base}/api/join", json={"secret": once}, headers=own) as answer:
                assert answer.status == 403, "the link works once"

        stranger = await first.station("sighted", Seat.BLACK)
        for path in ("/api/elsewhere", "/api/passage"):
            assert (await stranger.post(path, {"table": "t1"}))[0] == 403
        assert (await chief.post("/api/passage", {"table": "t1"}))[0] == 403, "it is not led here"
        demo_alone = await first.arbiter()
        assert (await demo_alone.post("/api/elsewhere", {"table": "t1"}))[0] == 403

        # As after the second server came back without a table: it is offered its share while the clocks run.
        for table in ("t1", "t3"):
            await both.moved(table, back=True)
        demo = first.table
        assert (await demo.own(demo.program_command(cmd.StartGame()))).outcome.ok
        await turn(lambda: len(sharing_of(first.hall).uneven) == 2)
        assert (await chief.get("/api/overview"))[1]["uneven"] == 2
        for who, status in ((stranger, 403), (demo_alone, 403)):
            assert (await who.post("/api/tables/evenly", {}))[0] == status
        common = sharing_of(first.hall)._common
        with monkeypatch.context() as patched:
            patched.setattr(sharing_of(first.hall), "_common", lambda: slow(common))
            status, told = await chief.post("/api/tables/evenly", {})
            assert status == 400 and "a running clock would become inexact" in told["text"]
        with monkeypatch.context() as patched:
            look = sharing_of(first.hall)._leases.servers_seen
            patched.setattr(
                sharing_of(first.hall)._leases, "servers_seen", lambda: msgspec.structs.replace(look(), silent=(99,))
            )
            status, told = await chief.post("/api/tables/evenly", {})
            assert status == 400 and "is not responding" in told["text"]
        assert len(first.hall.tables) == 4, "and nothing has moved"
        await turn(lambda: len(sharing_of(first.hall).uneven) == 2)
        assert await chief.post("/api/tables/evenly", {}) == (200, {"moving": 2})
        await turn(lambda: len(first.hall.tables) == len(both.second.tables) == 2)
        moved = (first.hall.tables | both.second.tables)["demo"]
        assert moved.clock_runs and "interrupted" not in [one.kind for one in await first.hall.journal.read("demo")]
        await turn(lambda: not sharing_of(first.hall)._changing)
        status, told = await chief.post("/api/tables/evenly", {})
        assert status == 400 and told["text"] == "Each server leads its share already."
        assert (await chief.get("/api/overview"))[1]["uneven"] == 0
        for name in sorted(first.hall.tables.keys() - {"demo", "t2"}):
            await both.moved(name)
        for name in sorted(both.second.tables.keys() - {"t1", "t3"}):
            await both.moved(name, back=True)

        first.app[PASSAGES].fingerprint = bytes(32)  # as if the other server's certificate were another one
        _, said = await chief.get("/api/overview")
        assert [one["table"] for one in said["tables"]] == ["demo", "t2"] and said["silent"] == ["t1", "t3"]
        assert (await chief.post("/api/elsewhere", {"table": "t1"}))[0] == 503
