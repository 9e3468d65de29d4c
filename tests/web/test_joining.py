"""Codes introduce, the arbiter admits, tokens stay in cookies."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from server.game.values.words import Seat
from server.journal.admissions import LINK, Admission, SentAway, new_token
from server.journal.failure import JournalFailed
from server.machine.clock import ScriptedClock
from server.web.door import access, joining
from server.web.door.access import Access, AccessDenied, Place, spoken_code, squares_of
from server.web.door.introductions import INTRODUCTIONS
from server.web.door.passages import PASSAGES
from speech.words.config_file import language_tags
from tests.waiting import until
from tests.web.open_house import House, open_house
from tests.web.test_all_tables import hall_arbiter, open_tables

WHITE = Place(table="demo", page="tactile", seat=Seat.WHITE)


@pytest.mark.parametrize(
    "text",
    [
        "Anna vier, Hector acht, Cesar drei",
        "anna vier hektor acht caesar drei",
        "a4 h8 c3",
        "A4, H8, C3",
        "Anna four Hector eight Cesar three",
        "Alfa vier Hotel acht Charlie drei",
    ],
)
def test_a_code_is_three_squares_in_any_words(text: str) -> None:
    assert squares_of(text) == ("a4", "h8", "c3")


@pytest.mark.parametrize(
    "text", ["", "a4 h8", "a4 h8 c3 d4", "Springer Felix drei", "hello", "a9 h8 c3", "\x00" * 200, "x" * 999]
)
def test_what_is_no_code_is_told_apart_from_a_wrong_one(text: str) -> None:
    with pytest.raises(AccessDenied) as told:
        squares_of(text)
    assert told.value.code == "not_a_code"


def test_a_spoken_code_is_read_back() -> None:
    for language in ("de", "en", "hu"):
        assert squares_of(spoken_code(("a4", "h8", "c3"), language)) == ("a4", "h8", "c3")


async def test_a_device_that_asks_between_the_yes_and_the_disk_waits_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    arbiter, player, written = await house.arbiter(), house.visitor(), asyncio.Event()
    _, said = await player.post("/api/join", {"code": " ".join(house.access.invite(WHITE).squares)})
    admit = house.hall.admissions.admit

    async def slow(token: str, admission: Admission) -> None:
        await written.wait()
        await admit(token, admission)

    monkeypatch.setattr(house.hall.admissions, "admit", slow)
    monkeypatch.setattr(joining, "LONG_POLL_S", 0.01)
    admitting = asyncio.create_task(arbiter.post(f"/api/introductions/{said['id']}", {"admit": True}))
    introductions = house.app[INTRODUCTIONS]
    await until(lambda: not introductions.waiting("demo"))
    assert await player.get(f"/api/join/{said['id']}") == (200, {"state": "waiting"})
    written.set()
    await admitting
    assert (await player.get(f"/api/join/{said['id']}"))[1]["state"] == "admitted"


async def test_from_a_code_to_a_station(house: House) -> None:
    arbiter = await house.arbiter()
    invitation = house.access.invite(WHITE)
    player = house.visitor()
    status, said = await player.post(
        "/api/join", {"code": spoken_code(invitation.squares, "de"), "label": "Anna's phone"}
    )
    assert (status, said["state"], said["role"], said["seat"]) == (202, "waiting", "tactile", "white")

    # Introduced is not admitted: no line, no sound, no desk.
    line = await player.line(after=None)
    assert (await line.closed())[0] == 4401
    assert (await player.get("/api/introductions"))[0] == 403
    assert (await player.get("/api/places"))[1] == {"places": []}

    status, door = await arbiter.get("/api/introductions")
    assert [(one["mark"], one["label"]) for one in door["waiting"]] == [(said["mark"], "Anna's phone")]
    waiting = asyncio.create_task(player.get(f"/api/join/{said['id']}"))
    status, _ = await arbiter.post(f"/api/introductions/{said['id']}", {"admit": True})
    assert status == 200
    assert (await waiting)[1] == {"state": "admitted", "page": "/tactile?table=demo&seat=white"}

    line = await player.line()
    greeting = await line.next()
    assert greeting["greeting"]["role"] == "player"
    assert greeting["greeting"]["seat"] == "white"
    assert (await arbiter.post(f"/api/introductions/{said['id']}", {"admit": True}))[1]["code"] == "already_decided"


async def test_a_code_is_good_once_and_its_link_goes_with_it(house: House) -> None:
    invitation = house.access.invite(WHITE)
    assert (await house.visitor().post("/api/join", {"code": " ".join(invitation.squares)}))[0] == 202
    status, said = await house.visitor().post("/api/join", {"code": " ".join(invitation.squares)})
    assert (status, said["code"]) == (403, "wrong_code")
    assert (await house.visitor().post("/api/join", {"secret": invitation.secret}))[0] == 403


async def test_a_code_expires_after_ten_minutes(scripted_house: House, scripted: ScriptedClock) -> None:
    early, late = scripted_house.access.invite(WHITE), scripted_house.access.invite(WHITE)
    visitor = scripted_house.visitor()
    scripted.advance(10 * 60_000 - 1)
    assert (await visitor.post("/api/join", {"code": " ".join(early.squares)}))[0] == 202
    scripted.advance(1)
    assert (await visitor.post("/api/join", {"code": " ".join(late.squares)}))[0] == 403
    assert (await visitor.post("/api/join", {"secret": late.secret}))[0] == 403


async def test_five_wrong_tries_lock_an_address_for_ten_minutes(scripted_house: House, scripted: ScriptedClock) -> None:
    visitor = scripted_house.visitor()
    invitation = scripted_house.access.invite(WHITE)
    wrong = "a1 a1 a1" if invitation.squares != ("a1", "a1", "a1") else "a2 a2 a2"
    for _ in range(5):
        assert (await visitor.post("/api/join", {"code": wrong}))[1]["code"] == "wrong_code"
    status, said = await visitor.post("/api/join", {"code": " ".join(invitation.squares)})
    assert (status, said["code"]) == (429, "too_many_tries")
    assert "from any device behind it" in said["text"] and "links and QR codes still work" in said["text"]
    assert (await visitor.post("/api/join", {"secret": "wrong"}))[1]["code"] == "wrong_code", "no link is locked"
    arbiter = scripted_house.visitor()  # the same address
    assert (await arbiter.post("/api/join", {"secret": scripted_house.arbiter_secret()}))[0] == 200
    scripted.advance(10 * 60_000)
    fresh = scripted_house.access.invite(WHITE)
    assert (await visitor.post("/api/join", {"code": " ".join(fresh.squares)}))[0] == 202


async def test_links_go_on_at_a_locked_address_and_one_touch_of_the_arbiter_opens_its_codes(house: House) -> None:
    arbiter, visitor = await house.arbiter(), house.visitor()
    _, door = await arbiter.get("/api/introductions")
    assert (door["locked"], door["closed"]) == ([], False)
    told = asyncio.create_task(arbiter.get(f"/api/introductions?version={door['version']}"))
    invitation, by_link = house.access.invite(WHITE), house.access.invite(WHITE)
    wrong = next(f"{one} {one} {one}" for one in ("a1", "a2", "a3") if (one,) * 3 not in house.access._by_code)
    for _ in range(5):
        await visitor.post("/api/join", {"code": wrong})
    assert (await told)[1]["locked"] == ["127.0.0.1"], "the arbiter's page is told at once"
    assert (await visitor.post("/api/join", {"code": " ".join(invitation.squares)}))[0] == 429
    assert (await visitor.post("/api/join", {"secret": by_link.secret}))[0] == 202
    assert (await visitor.post("/api/codes", {}))[0] == 403, "the arbiter alone opens them"
    assert (await arbiter.post("/api/codes", {}))[0] == 200
    assert (await arbiter.get("/api/introductions"))[1]["locked"] == []
    assert (await visitor.post("/api/join", {"code": " ".join(invitation.squares)}))[0] == 202


async def test_what_is_no_code_is_counted_and_then_not_even_read(
    scripted_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, squares = [], access.squares_of
    monkeypatch.setattr(access, "squares_of", lambda text: squares(read.append(text) or text))
    visitor = scripted_house.visitor()
    said = await asyncio.gather(*(visitor.post("/api/join", {"code": "anna " * 12}) for _ in range(60)))
    assert [code for code, _ in sorted(said, key=lambda one: one[0])] == [400] * 20 + [429] * 40
    assert len(read) == 20


async def test_a_long_text_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "words_of_text", lambda *_: 1 / 0)
    for text in ("Anna vier " * 20, "a " * 32, "x" * 65):
        with pytest.raises(AccessDenied) as told:
            squares_of(text)
        assert told.value.code == "not_a_code"


async def test_every_spoken_code_is_short_enough() -> None:
    for language in language_tags():
        for square in (file + rank for file in "abcdefgh" for rank in "12345678"):
            assert squares_of(spoken_code((square, square, square), language)) == (square, square, square)


async def test_wrong_codes_of_many_addresses_close_codes_for_a_while_and_no_link() -> None:
    clock = ScriptedClock()
    door, told = Access(clock), []
    door.on_siege = lambda: told.append(door.besieged)
    own = door.invite(Place(table="demo", page="arbiter"), admits=True, lasting=True)
    for number in range(access.TRIES_IN_ALL):
        with pytest.raises(AccessDenied):
            door.take_secret("no", f"192.0.{number // 200}.{number % 200}")
    assert told == [True], "the arbiters are told once"
    invitation = door.invite(WHITE)
    with pytest.raises(AccessDenied) as refused:
        await door.take_code(" ".join(invitation.squares), "198.51.100.1")
    assert refused.value.code == "codes_closed"
    assert door.take_secret(invitation.secret, "198.51.100.1") == invitation
    assert door.take_secret(own.secret, "192.0.0.1") == own
    for opened in (partial(clock.advance, access.LOCKED_MS), door.open_again):
        for number in range(access.TRIES_IN_ALL if not door.besieged else 0):
            with pytest.raises(AccessDenied):
                door.take_secret("no", f"192.0.{number // 200}.{number % 200}")
        assert door.besieged
        opened()
        later = door.invite(WHITE)
        assert await door.take_code(" ".join(later.squares), "198.51.100.1") == later


async def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    door = Access(ScriptedClock())
    for last in range(5):
        with pytest.raises(AccessDenied, match="not known"):
            await door.take_code("a1 a1 a1", f"2001:db8::{last + 1:x}")
    with pytest.raises(AccessDenied, match="Too many"):
        await door.take_code("a1 a1 a1", "2001:db8::ffff")
    assert door.locked == ("2001:db8::/64",)
    with pytest.raises(AccessDenied, match="not known"):
        await door.take_code("a1 a1 a1", "2001:db8:1::1")


async def test_the_arbiter_refuses_and_the_device_is_told(house: House) -> None:
    arbiter, player = await house.arbiter(), house.visitor()
    invitation = house.access.invite(WHITE)
    _, said = await player.post("/api/join", {"secret": invitation.secret})
    await arbiter.post(f"/api/introductions/{said['id']}", {"admit": False})
    assert (await player.get(f"/api/join/{said['id']}"))[1] == {"state": "refused"}
    assert (await player.line(after=None)) is not None
    assert (await (await player.line(after=None)).closed())[0] == 4401
    # Who does not hold the waiting device's cookie learns nothing of it.
    assert (await house.visitor().get(f"/api/join/{said['id']}"))[0] == 404


async def test_the_arbiters_link_is_good_once(house: House) -> None:
    secret = house.arbiter_secret()
    assert (await house.visitor().post("/api/join", {"secret": secret}))[0] == 200
    assert (await house.visitor().post("/api/join", {"secret": secret}))[0] == 403


def fail_once(monkeypatch: pytest.MonkeyPatch, of: Any, name: str, fault: Exception) -> None:
    """Let a function fail at its next call, and work at all later ones."""
    works, left = getattr(of, name), [fault]

    def once(*what: Any, **more: Any) -> Any:
        if left:
            raise left.pop()
        return works(*what, **more)

    monkeypatch.setattr(of, name, once)


@pytest.mark.parametrize("which", ["of a table", "of the hall", "from the terminal", "from another server"])
async def test_a_link_by_which_nobody_came_in_still_holds_and_then_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    admissions = house.hall.admissions
    match which:
        case "of a table" | "of the hall":
            table = "demo" if which == "of a table" else ""
            place = Place(table=table, page="arbiter")
            secret = house.access.invite(place, admits=True, lasting=True).secret
        case "from the terminal":
            secret = new_token()
            await admissions.admit(secret, Admission("", "link-1", LINK, "", (), house.hall.clock.wall_ms()))
        case _:
            (cookie,) = (await house.arbiter()).session.cookie_jar
            secret = house.app[PASSAGES].make(cookie.value, "demo")
    fail_once(monkeypatch, admissions, "admit", JournalFailed("The disk is full."))
    assert (await house.visitor().post("/api/join", {"secret": secret}))[0] == 503
    status, said = await house.visitor().post("/api/join", {"secret": secret})
    assert (status, said["state"]) == (200, "admitted")
    assert (await house.visitor().post("/api/join", {"secret": secret}))[0] == 403
    assert house.access.locked == () and not house.access.besieged


async def test_who_was_sent_away_while_coming_in_has_no_second_try(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = house.arbiter_secret()
    fail_once(monkeypatch, house.hall.admissions, "admit", SentAway())
    assert (await house.visitor().post("/api/join", {"secret": secret}))[0] >= 400
    assert (await house.visitor().post("/api/join", {"secret": secret}))[0] == 403


async def test_two_who_come_by_one_link_from_the_terminal_are_one(house: House) -> None:
    token = new_token()
    await house.hall.admissions.admit(token, Admission("", "link-1", LINK, "", (), house.hall.clock.wall_ms()))
    both = await asyncio.gather(*(house.visitor().post("/api/join", {"secret": token}) for _ in range(2)))
    assert sorted(status for status, _ in both) == [200, 403]


async def test_one_table_whose_record_fails_keeps_the_arbiter_out_of_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await open_tables(house, "r1-b1")
    fail_once(monkeypatch, house.table, "admit", JournalFailed("The disk is full."))
    chief = await hall_arbiter(house)
    assert [line["table"] for line in (await chief.get("/api/overview"))[1]["tables"]] == ["r1-b1"]
    assert "demo was not given" in caplog.text


async def test_a_wrong_code_is_logged_with_its_address_and_without_what_was_tried(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await house.visitor().post("/api/join", {"secret": "not-a-secret-of-ours"}))[0] == 403
    assert "wrong code or link came from 127.0.0.1" in caplog.text and "not-a-secret" not in caplog.text


async def test_the_token_is_in_a_cookie_alone(house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with house.visitor().session.post(
        f"{house.base}/api/join", json={"secret": house.arbiter_secret()}, headers={"Origin": house.base}
    ) as answer:
        cookie = answer.headers["Set-Cookie"]
        token = next(iter(answer.cookies.values())).value
        assert token not in await answer.text()
        assert token not in str(answer.url)
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie  # plain http on this computer
    assert len(token) == 32
    for file in (tmp_path / "data").rglob("*"):
        if file.is_file():
            assert token.encode() not in file.read_bytes(), file
    assert token not in caplog.text


async def test_the_arbiter_makes_codes_links_and_qr_codes(house: House) -> None:
    arbiter = await house.arbiter()
    status, said = await arbiter.post("/api/invitations", {"role": "player", "seat": "white"})
    assert status == 201
    assert said["page"] == "tactile"
    assert squares_of(said["words"]) == tuple(said["code"])
    assert said["link"].startswith(f"{house.base}/#join=")
    assert said["qr"].startswith("<svg")
    assert "style=" not in said["qr"]
    assert (await arbiter.post("/api/invitations", {"role": "player"}))[0] == 400
    assert (await house.visitor().post("/api/invitations", {"role": "display"}))[0] == 403
    status, joined = await house.visitor().post("/api/join", {"secret": said["link"].partition("#join=")[2]})
    assert (status, joined["state"]) == (202, "waiting")


async def test_an_admission_outlives_the_server(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as first:
        player = await first.station("tactile", Seat.WHITE)
        cookies = {cookie.key: cookie.value for cookie in player.session.cookie_jar}
    async with open_house(tmp_path / "data") as second:
        again = second.visitor()
        again.session.cookie_jar.update_cookies(cookies)
        greeting = await (await again.line()).next()
        assert greeting["greeting"]["seat"] == "white"
        assert (await again.get("/api/places"))[1]["places"][0]["page"] == "/tactile?table=demo&seat=white"


@pytest.mark.law("L135")
async def test_the_overview_is_for_the_arbiter_of_these_tables_alone(house: House) -> None:
    arbiter = await house.arbiter()
    status, said = await arbiter.get("/api/overview")
    assert status == 200 and [line["table"] for line in said["tables"]] == ["demo"]
    assert said["tables"][0]["running"] is None and said["tables"][0]["full_supervision"]
    player = await house.station("tactile", Seat.WHITE)
    assert (await player.get("/api/overview"))[0] == 403
    assert (await house.visitor().get("/api/overview"))[0] == 403


@pytest.mark.law("L139")
async def test_the_arbiter_appoints_an_observer_who_reports_to_them_alone(house: House) -> None:
    arbiter = await house.arbiter()
    status, said = await arbiter.post("/api/invitations", {"role": "observer", "seat": "white", "duties": ["announce"]})
    assert (status, said["page"]) == (201, "observer")
    observer = await house.station("observer", None)
    assert observer.page == "/observer?table=demo"
    line, desk = await observer.line(), await arbiter.line()
    greeting = (await line.next())["greeting"]
    assert (greeting["role"], greeting["seat"], greeting["picture"]) == ("observer", None, None)
    assert greeting["boards"]["white"] == greeting["boards"]["black"]
    assert (await line.do({"do": "report_to_arbiter", "kind": "noise", "text": "a drill"}))["outcome"]["ok"]
    assert "a drill" in (await desk.until(event="alerted", kind="observer_report"))["message"]["told"]["en"]
    refused = await line.do({"do": "pause"})
    assert (refused["outcome"]["code"], refused["outcome"]["article"]) == ("observer_only_reports", "12.4")
