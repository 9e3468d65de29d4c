"""A station of one server is let in at another server of the hall with its key, and nobody else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game.values.words import Seat
from server.web.sockets.line import ELSEWHERE, NOT_ADMITTED
from tests.postgresql import Cluster
from tests.web.open_house import TestLine
from tests.web.two_servers import two_servers

pytestmark = pytest.mark.needs("postgresql")
PLACE = "?page=sighted&seat=black&table=demo"


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
