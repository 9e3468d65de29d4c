"""An installed station: its manifest in the seat's language, and a worker that keeps nothing of anybody's."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import msgspec
import pytest

from server.web.installable import (
    ICONS,
    POLICY,
    WORKER,
    kept_files,
    manifest,
    version_of,
    with_version,
    worker_script,
)
from server.web.pages import File, load_files
from speech.words.config_file import language_tags
from tests.web.open_house import open_house
from tests.web.test_words_of_the_pages import static


@pytest.mark.parametrize(
    ("language", "name", "direction"),
    [
        ("en", "White – Tactile board – Anna Eins", "ltr"),
        ("de", "Weiß – Tastbrett – Anna Eins", "ltr"),
        ("he", "לבן", "rtl"),
        ("xx", "White – Tactile board – Anna Eins", "ltr"),
    ],
)
def test_a_station_is_named_in_its_seats_language(language: str, name: str, direction: str) -> None:
    found = manifest("tactile", "demo", "white", language)
    assert str(found["name"]).startswith(name) and found["dir"] == direction
    assert found["start_url"] == found["id"] == "/tactile?table=demo&seat=white"
    assert found["lang"] == (language if language in language_tags() else "en")


async def test_the_manifest_and_the_worker_are_served_each_under_its_policy(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as house:
        session = house.visitor().session
        asked = f"{house.base}/station.webmanifest?page=sighted&table=demo&seat=black&language=hu"
        async with session.get(asked) as answer:
            assert answer.status == 200 and answer.content_type == "application/manifest+json"
            assert msgspec.json.decode(await answer.read())["lang"] == "hu"
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy, "a manifest and a worker of this server, and of no other"
            assert "worker-src" not in policy and "manifest-src" not in policy
        for wrong in ("page=arbiter", "page=tactile&table=../x", "page=tactile&seat=green", ""):
            async with session.get(f"{house.base}/station.webmanifest?{wrong}") as answer:
                assert answer.status == 404, wrong
        async with session.get(f"{house.base}/service-worker.js") as answer:
            assert answer.status == 200 and answer.content_type == "text/javascript"
            assert answer.headers["Content-Security-Policy"] == POLICY
            assert answer.headers["Cache-Control"] == "no-cache"


def test_what_a_station_keeps_is_the_same_for_everyone_and_whole() -> None:
    files = load_files()
    kept = kept_files(files)
    assert len(kept) == len(set(kept)) and set(kept) <= files.keys()
    assert {one for one in kept if not one.startswith("/static/")} == {"/tactile", "/sighted"}
    # All that its scripts import is kept with them.
    for path in kept:
        if path.endswith(".js"):
            named = re.findall(r'^(?:import|export)\b.* from "([^"]+)"', files[path].body.decode(), re.MULTILINE)
            assert set(named) <= set(kept), path
    for page in ("/tactile", "/sighted"):
        named = re.findall(r'(?:src|href)="(/static/[^"]+)"', files[page].body.decode())
        assert named and set(named) <= set(kept), page


def test_another_file_is_another_version_of_the_pages_and_of_the_worker() -> None:
    files = load_files()
    version = version_of(files)
    changed = {**files, "/static/pages/style.css": File(b"body {}", "text/css", '"other"')}
    assert version_of(dict(reversed(files.items()))) == version
    assert version_of(changed) != version
    assert worker_script(files, version) != worker_script(files, version_of(changed))
    marked = with_version(files, version)
    for page in ("/tactile", "/sighted"):
        assert f'<meta name="version" content="{version}">'.encode() in marked[page].body
        assert marked[page].etag != files[page].etag
    assert {path for path in files if marked[path] != files[path]} == {"/tactile", "/sighted"}
    assert worker_script(files, version).endswith(files[WORKER].body)


def test_the_icons_are_as_large_as_they_are_said_to_be(repo: Path) -> None:
    for address, sizes, type, _ in ICONS:
        drawn = (static(repo) / address.removeprefix("/static/")).read_bytes()
        if type == "image/png":
            width, height = struct.unpack(">II", drawn[16:24])
            assert sizes == f"{width}x{height}", address
