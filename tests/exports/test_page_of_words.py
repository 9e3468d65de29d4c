"""The page of the words holds all that matters, allows itself nothing else, and has sound where it is served."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from aiohttp.test_utils import TestClient, TestServer

from server.exports.words.correction import texts_to_correct
from server.exports.words.glossary import deviations_in, glossary_of
from server.exports.words.page import SCENES, SOUND, page_of, scene_of
from server.exports.words.proof import MAY_WAIT, chapter_with
from server.exports.words.serving import app_of
from speech.audio.sound import Sound
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags

TAGS = language_tags()


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


@pytest.mark.parametrize("tag", TAGS)
def test_the_page_has_every_text_that_matters_with_its_scene_and_loads_nothing(tag: str) -> None:
    page = page_of(tag, sound=False)
    entries = [entry for chapter in data_of(page)["chapters"] for entry in chapter["entries"]]  # type: ignore[attr-defined]
    texts = texts_to_correct(tag)
    assert {entry["key"]: entry["own"] for entry in entries} == {
        key: forms for key, forms in texts.items() if chapter_with(key) not in MAY_WAIT
    }
    scenes = {f"scene.{scene_of(entry['key'])}" for entry in entries}
    assert scenes <= load_messages(tag, part="proof").entries.keys() and len(scenes) >= len(SCENES) - 1
    assert "http" not in re.sub(r'http-equiv|"[^"]*"', "", page.split("<body>")[0])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    script = page.rsplit("<script>", 1)[1].split("</script>")[0]
    assert policy is not None and policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy[1]
    assert "unsafe" not in policy[1] and "media-src" not in policy[1] and "<script src" not in page


async def test_a_served_page_says_what_is_heard_and_answers_this_computer_alone() -> None:
    said: list[str] = []

    async def speak(text: str) -> Sound:
        said.append(text)
        return Sound(bytes(320), 16000)

    app = app_of("hu", speak)
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        shown = await client.get("/")
        text = await shown.text()
        assert shown.status == 200 and "media-src 'self'" in text and data_of(text)["sound"] == SOUND
        answered = await client.get(SOUND, params={"key": "messages.unit.hour", "at": "0"})
        assert (answered.status, answered.content_type) == (200, "audio/wav") and said == ["2 óra"]
        for key, at in (("messages.unit.hour", "9"), ("messages.unit.hour", "x"), ("report.title", "0"), ("", "")):
            assert (await client.get(SOUND, params={"key": key, "at": at})).status == 404
        assert (await client.get("/", headers={"Host": "elsewhere.example"})).status == 403


@pytest.mark.parametrize("tag", TAGS)
def test_the_glossary_is_at_hand_and_what_deviates_from_it_is_found(tag: str) -> None:
    terms = glossary_of(tag)
    assert len(terms) > 20 and all(term.english and term.own for term in terms)
    for one in deviations_in(tag):
        assert one.found in one.text and one.term.instead_of
    found = {one.found for one in deviations_in("en")}
    assert "flag fall" in found
