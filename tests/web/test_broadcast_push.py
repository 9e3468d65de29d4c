"""A round's games go to a broadcast address: a real HTTP server that fails, stalls and talks nonsense."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import chess.pgn
import pytest
from aiohttp import web

from server.game import acts as cmd
from server.settings import BroadcastSettings
from server.web import broadcast_push
from server.web.broadcast_push import BroadcastPush, Outbox, bearer_token
from speech.complaint import Complaint
from tests.hall.test_round_files import opened
from tests.table.open_hall import Played, reopened
from tests.waiting import PATIENCE_S, until

TOKEN = "lip_secret"
GOOD = {"games": [{"tags": {}, "moves": 1}]}


class Site:
    """A broadcast's site: answers in turn what it is told to; `came`: the games that were sent."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.came: list[str] = []
        self.headers: list[tuple[str, str]] = []
        self.elsewhere = 0

    async def take(self, request: web.Request) -> web.StreamResponse:
        self.came.append(await request.text())
        self.headers.append((request.headers["Content-Type"], request.headers["Authorization"]))
        match self.answers.pop(0) if self.answers else "good":
            case "fails":
                return web.Response(status=503, text="busy")
            case "stalls":
                await asyncio.sleep(60)
            case "nonsense":
                return web.Response(body=b"\xff<html>")
            case "list":
                return web.json_response([1])
            case "refuses":
                return web.json_response({"games": [{"tags": {}, "error": "no such board"}]})
            case "in pieces":
                pieces = web.StreamResponse()
                await pieces.prepare(request)
                await pieces.write(b'{"games": [')
                await asyncio.sleep(0.05)  # so that they arrive one after the other
                await pieces.write(b"{}]}")
                return pieces
            case "sends elsewhere":
                raise web.HTTPFound("/elsewhere")
        return web.json_response(GOOD)

    async def strange(self, request: web.Request) -> web.Response:
        self.elsewhere += 1
        return web.json_response(GOOD)


@asynccontextmanager
async def sited(site: Site) -> AsyncIterator[str]:
    app = web.Application()
    app.add_routes([web.post("/push", site.take), web.route("*", "/elsewhere", site.strange)])
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/push"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def pushing(url: str, told: list[str]) -> AsyncIterator[BroadcastPush]:
    settings = BroadcastSettings(rounds={"5": url}, delay_s=0)
    push = BroadcastPush(settings, TOKEN, told.append, asyncio.get_running_loop().time, rest_s=0.001)
    task = asyncio.create_task(push.run())
    try:
        yield push
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_fails_stalls_and_talks_nonsense_is_tried_again_and_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    site, told = Site("fails", "stalls", "nonsense", "list", "refuses", "sends elsewhere"), list[str]()
    post = aiohttp.ClientSession.post

    def impatient(session: aiohttp.ClientSession, *what: Any, **more: Any) -> Any:
        """Only where the site stalls is it waited for shortly."""
        answer_s = 0.5 if site.answers[:1] == ["stalls"] else PATIENCE_S
        return post(session, *what, **more, timeout=aiohttp.ClientTimeout(total=answer_s))

    monkeypatch.setattr(aiohttp.ClientSession, "post", impatient)
    async with sited(site) as url, pushing(url, told) as push:
        push.put("4", "not a round that is broadcast")
        push.put("5", "first")
        await until(lambda: len(told) == 2)
        push.put("5", "second")
        await until(lambda: site.came[-1] == "second")
    assert site.came == ["first"] * 7 + ["second"] and site.elsewhere == 0, "the token goes nowhere else"
    assert set(site.headers) == {("text/plain; charset=utf-8", f"Bearer {TOKEN}")}
    assert "status 503" in told[0] and "is sent again" in told[1]
    assert TOKEN not in f"{told}{caplog.text}"


async def test_an_answer_that_comes_in_pieces_is_read_to_its_end() -> None:
    site, told = Site("in pieces"), list[str]()
    async with sited(site) as url, pushing(url, told) as push:
        push.put("5", "games")
        await until(lambda: push._boxes["5"].sent == "games")
    assert site.came == ["games"] and told == []


async def test_a_site_that_is_away_is_told_in_one_sentence() -> None:
    told: list[str] = []
    async with pushing("http://127.0.0.1:1/push", told) as push:
        push.put("5", "games")
        await until(lambda: bool(told))
    assert len(told) == 1 and "cannot be reached" in told[0]


def test_nothing_is_sent_before_its_time() -> None:
    box = Outbox(900)
    box.put("one", 0.0)
    box.put("two", 100.0)
    assert (box.due(899.0), box.next_at()) == (None, 900.0)
    assert (box.due(999.0), box.next_at()) == ("one", 1_000.0)
    box.sent = "one"
    assert box.due(999.0) is None
    for number in range(3_000):
        box.put(f"{number}", 1_000.0)
    assert (box.due(1_500.0), box.due(1_900.0)) == ("two", "2999"), "the newest when its time has come, never earlier"


def test_what_comes_late_is_put_in_its_order_and_nothing_old_follows_what_is_newer() -> None:
    box = Outbox(900)
    box.put("now", 1_000.0)
    box.put("before", 500.0)
    box.put("long before", -5_000.0)
    assert [box.due(now) for now in (1_000.0, 1_400.0, 1_900.0)] == ["long before", "before", "now"]
    box.sent = "now"
    box.put("as it was", 700.0)
    assert box.due(2_000.0) is None


async def test_a_server_that_starts_again_sends_what_was_not_sent_each_by_its_delay(tmp_path: Path) -> None:
    """Also the last moves and the result of a game that ended within the delay before the restart."""
    async with reopened(tmp_path) as (hall, clock):
        await opened(hall, 1)
        game = Played(hall, clock, hall.table("r5-b1"))
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        for seat, words in (("white", "Eva vier"), ("black", "Eva fünf")):
            await game.pass_time(60_000)
            await game.type(seat, words)
            await game.press(seat)
            if seat == "white":
                await game.type("black", words)  # the echo
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="over"))
    clock.advance(6_000)
    async with reopened(tmp_path, clock) as (hall, _):
        push = BroadcastPush(BroadcastSettings(rounds={"5": "x"}, delay_s=90), TOKEN, print, lambda: 1_000.0)
        await push.catch_up(hall.round_before)
    box = push._boxes["5"]
    started, moved, answered, ended = [box.due(now) or "" for now in (1_000.0, 1_027.0, 1_083.0, 1_090.0)]
    assert 'Board "1"' in started and "e4" not in started, "what is older than the delay is due at once"
    assert "e4" in moved and "e5" not in answered, "nothing is due before its time"
    assert "e5" in ended and '[Result "1-0"]' in ended


async def test_the_games_of_a_real_round_arrive_with_their_clocks(tmp_path: Path) -> None:
    site, told = Site(), list[str]()
    async with sited(site) as url, pushing(url, told) as push, reopened(tmp_path) as (hall, clock):
        hall.on_round(push.put)
        await opened(hall, 1)
        game = Played(hall, clock, hall.table("r5-b1"))
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.type("white", "Eva vier")
        await game.pass_time(7_000)
        await game.press("white")
        await until(lambda: bool(site.came) and "[%clk 1:30:" in site.came[-1])
    read = chess.pgn.read_game(io.StringIO(site.came[-1]))
    assert read is not None and [move.uci() for move in read.mainline_moves()] == ["e2e4"]
    assert read.headers["Round"] == "5" and told == []


def test_the_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(broadcast_push.TOKEN_VARIABLE, raising=False)
    assert bearer_token(BroadcastSettings()) == "", "off unless an address is named"
    rounds = {"5": "https://example.org/push"}
    with pytest.raises(Complaint, match="has no token"):
        bearer_token(BroadcastSettings(rounds=rounds))
    monkeypatch.setenv(broadcast_push.TOKEN_VARIABLE, "from the environment")
    assert bearer_token(BroadcastSettings(rounds=rounds)) == "from the environment"
    file = tmp_path / "token"
    file.write_text("from-a-file\n")
    assert bearer_token(BroadcastSettings(rounds=rounds, token_file=str(file))) == "from-a-file"
    with pytest.raises(Complaint, match="cannot be read"):
        bearer_token(BroadcastSettings(rounds=rounds, token_file=str(tmp_path / "none")))
    for url in ("http://example.org/push", "ftp://x", "https://me:secret@example.org/push"):
        with pytest.raises(Complaint, match="https://") as wrong:
            bearer_token(BroadcastSettings(rounds={"5": url}))
        assert "secret" not in str(wrong.value)
