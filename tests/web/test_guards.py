"""Foreign hosts and origins, sizes, headers."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from server.web.door.guards import FOR_ALL, HEADERS, allowed_hosts, guard
from tests.web.open_house import House


async def status_of(house: House, method: str, path: str, headers: dict[str, str], **more: object) -> int:
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, house.base + path, headers=headers, **more) as answer,
    ):  # type: ignore[arg-type]
        body = await answer.text()
        if answer.status >= 400:
            assert "Traceback" not in body
            assert '"text"' in body
        return answer.status


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "localhost.evil.example", "192.0.2.1", ""])
async def test_a_foreign_host_is_refused(house: House, host: str) -> None:
    for path in ("/", "/ws", "/api/places", "/static/pages/style.css"):
        assert await status_of(house, "GET", path, {"Host": host}) in (400, 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://localhost", "http://localhost:1", "http://127.0.0.1:80", ""]
)
async def test_a_foreign_origin_is_refused(house: House, origin: str) -> None:
    assert await status_of(house, "POST", "/api/join", {"Origin": origin}, json={"code": "a1 a1 a1"}) == 403
    with pytest.raises(aiohttp.WSServerHandshakeError) as told:
        async with aiohttp.ClientSession() as session:
            await session.ws_connect(house.base + "/ws", headers={"Origin": origin})
    assert told.value.status == 403


async def test_a_browser_that_names_another_site_is_refused_even_without_origin(house: House) -> None:
    crossing = {"Sec-Fetch-Site": "cross-site"}
    assert await status_of(house, "POST", "/api/join", crossing, json={"code": "a1 a1 a1"}) == 403
    assert await status_of(house, "GET", "/", crossing) == 200  # following a link here is no attack


async def test_the_arbiter_cannot_be_made_to_admit_from_elsewhere(house: House) -> None:
    arbiter = await house.arbiter()
    foreign = {"Origin": "http://evil.example"}
    assert (await arbiter.post("/api/invitations", {"role": "arbiter"}, foreign))[0] == 403


async def test_bodies_are_small_and_json(house: House) -> None:
    own = {"Origin": house.base}
    assert await status_of(house, "POST", "/api/join", own, json={"code": "x" * 100_000}) == 413
    assert await status_of(house, "POST", "/api/join", own, data="code=a1") == 415
    assert await status_of(house, "POST", "/api/join", own, json={"code": 5}) == 400
    assert await status_of(house, "POST", "/api/join", own, json={"kode": "a1"}) == 400
    json = {**own, "Content-Type": "application/json"}
    assert await status_of(house, "POST", "/api/join", json, data=b"\xff\xfe{") == 400
    assert await status_of(house, "POST", "/api/join", json, data=b"{") == 400
    assert await status_of(house, "POST", "/api/join", json, data=b'{"code":' + b"[" * 15_000) == 400
    assert await status_of(house, "GET", "/nothing", {}) == 404
    assert await status_of(house, "GET", "/static/../settings.py", {}) == 404
    assert await status_of(house, "DELETE", "/api/join", own) == 405
    assert await status_of(house, "GET", "/sound/" + "0" * 32, {}) == 404


async def test_a_person_who_opens_a_wrong_address_reads_a_page_in_their_language(house: House) -> None:
    """A program gets JSON there; a screen reader would read its braces aloud."""
    browser = {"Accept": "text/html,application/xhtml+xml", "Accept-Language": "ar-EG,en;q=.5"}
    async with aiohttp.ClientSession() as session:
        async with session.get(house.base + "/nothing", headers=browser) as answer:
            page = await answer.text()
            assert (answer.status, answer.content_type) == (404, "text/html")
            assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
        async with session.get(house.base + "/nothing", headers={"Accept-Language": "ar"}) as answer:
            told = (await answer.json())["text"]
    assert '<html lang="ar" dir="rtl">' in page and f"<h1>{told}</h1>" in page and '<a href="/">' in page


@pytest.mark.parametrize("path", ["/static/pages/style.css", "/static/core/language.js"])
async def test_a_part_of_a_page_carries_what_is_heeded_there(house: House, path: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(house.base + path) as answer:
        assert {name: answer.headers.get(name) for name in FOR_ALL} == {name: HEADERS[name] for name in FOR_ALL}
        assert answer.headers["X-Content-Type-Options"] == "nosniff", "it is never taken for a document"
        assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["/", "/tactile", "/static/pages/icon.svg", "/static/words/en.json", "/api/places", "/nothing"]
)
async def test_every_answer_carries_the_headers(house: House, path: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(house.base + path) as answer:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "form-action 'none'" in policy, "a browser sends no form itself, before its script is there"
        assert "http" not in policy
        assert answer.headers["Cache-Control"] in ("no-store", "no-cache")


async def test_files_are_not_sent_again(house: House) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(house.base + "/static/pages/style.css") as answer:
            etag = answer.headers["ETag"]
        async with session.get(house.base + "/static/pages/style.css", headers={"If-None-Match": etag}) as answer:
            assert answer.status == 304


async def test_a_fault_tells_a_browser_neither_its_kind_nor_a_place_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def faulty(_: web.Request) -> web.StreamResponse:
        raise RuntimeError("a secret")

    request = make_mocked_request("GET", "/", headers={"Host": "localhost"})
    answer = await guard(frozenset({"localhost"}))(request, faulty)
    assert isinstance(answer, web.Response) and answer.text is not None
    assert answer.status == 500 and '"fault"' in answer.text
    assert not any(one in answer.text for one in ("RuntimeError", "secret", str(tmp_path)))
    (details,) = tmp_path.iterdir()
    assert "a secret" in details.read_text("utf-8") and str(details) in caplog.text


def test_all_interfaces_is_no_name_to_be_called_by() -> None:
    hosts = allowed_hosts(["0.0.0.0", "::", "Hall.Local", "192.0.2.7"])
    assert hosts == {"localhost", "127.0.0.1", "::1", "hall.local", "192.0.2.7"}
