"""What is wrong with a file, a code or a wish that somebody gave on a page is told in the language of the page."""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from server.hall.foreign_files.pairings import read_pairings
from server.wording.complaints import translate_phrase
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import load_messages, places_of
from speech.words.config_file import language_tags
from speech.words.messages import FIRST_STRONG, ONLY, without_isolation
from tests.web.open_house import Visitor, open_house
from tests.web.test_all_tables import hall_arbiter

LETTERS = {"ar": "\u0600-\u06ff", "he": "\u0590-\u05ff", "hy": "\u0530-\u058f"}
# Rooms whose complaints a page can show: there they are phrases.
ROOMS = (
    *(
        "hall/foreign_files/pairings.py",
        "hall/rounds.py",
        "voice/rehearsal.py",
        "stations/enrolment.py",
        "scoresheets/sheet.py",
    ),
    *(f"web/door/{name}.py" for name in ("access", "answers", "cookies", "guards", "introductions", "joining")),
    *(f"web/api/{name}.py" for name in ("arbiter", "desk", "devices", "record", "rehearsal", "sounds", "stations")),
    *(f"web/api/{name}.py" for name in ("tables", "voice")),
)


def calls(path: Path) -> Iterator[ast.Call]:
    """Every call in a file."""
    return (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))


def called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


@cache
def phrases_of_the_code(repo: Path) -> dict[str, set[frozenset[str]]]:
    """Every phrase that the program can make: its key, and the places of each way in which it is made."""
    made: dict[str, set[frozenset[str]]] = {}
    for path in (repo / "server").rglob("*.py"):
        if not re.search(r"from speech\.complaint import .*\bPhrase\b", path.read_text("utf-8")):
            continue  # another thing of that name
        for call in calls(path):
            if called(call) == "Phrase":
                (key,) = call.args
                if not isinstance(key, ast.Constant) or "." in str(key.value):
                    continue  # of the part complaints, which no page is sent
                made.setdefault(str(key.value), set()).add(frozenset(one.arg or "**" for one in call.keywords))
    return made


def test_the_phrases_of_the_program_are_those_of_the_catalogue(repo: Path) -> None:
    made = phrases_of_the_code(repo)
    assert len(made) > 70
    entries = load_messages("en").entries
    known = {key.removeprefix("complaint."): one for key, one in entries.items() if key.startswith("complaint.")}
    assert made == {key: {frozenset(places_of(one.forms[ONLY]))} for key, one in known.items()}


@pytest.mark.parametrize("room", ROOMS)
def test_a_complaint_that_a_page_shows_is_a_phrase(repo: Path, room: str) -> None:
    for call in calls(repo / "server" / room):
        if called(call) in ("Complaint", "AccessDenied"):
            told = call.args[-1]
            assert not isinstance(told, ast.JoinedStr | ast.Constant), f"{room}, line {call.lineno}: make it a phrase"


@pytest.mark.parametrize("tag", [tag for tag in language_tags() if tag != "en"])
def test_no_complaint_is_english_elsewhere(repo: Path, tag: str) -> None:
    for key, ways in phrases_of_the_code(repo).items():
        (places,) = ways
        phrase = Phrase(key, **dict.fromkeys(places, 7))
        told = without_isolation(translate_phrase(phrase, tag))
        assert told != str(phrase), key
        if tag in LETTERS:
            assert re.search(f"[{LETTERS[tag]}]", told), key
    english, own = load_messages("en", part="complaints"), load_messages(tag, part="complaints")
    for key, entry in own.entries.items():
        for told in entry.forms.values():
            if not re.search(r"[^\W\d_]{2}", re.sub(r"\{.*?\}", "", told)):
                continue  # places and signs alone
            assert told not in english.entries[key].forms.values(), key
            assert tag not in LETTERS or re.search(f"[{LETTERS[tag]}]", told), key


def test_what_stands_in_a_sentence_is_told_in_the_language_too_and_keeps_its_direction() -> None:
    where = Phrase("sheet_line", line=3, name=Phrase("white_score"))
    again = Phrase("sheet_number_again", where=where, number=12)
    assert str(again).startswith("line 3 of White's score is numbered 12 again")
    assert str(Complaint(again)) == str(again)
    assert translate_phrase(again, "de").startswith("Zeile 3, Mitschrift von Weiß: noch einmal")
    assert f"{FIRST_STRONG}r1-b2" in translate_phrase(Phrase("table_open", name="r1-b2"), "ar")
    with pytest.raises(Complaint) as told:
        read_pairings("001    1      Mayer\n001 x")
    assert translate_phrase(told.value.told, "hu").startswith("A TRF 2. sorából")
    assert str(told.value) == "Line 2 of this TRF has no starting rank in columns 5 to 8."
    assert translate_phrase(Complaint("{braces} stand as they are").told, "hu") == "{braces} stand as they are"


async def asked(visitor: Visitor, path: str, body: Any, **headers: str) -> str:
    answered = await visitor.session.post(visitor.house.base + path, json=body, headers=headers)
    return str((await answered.json())["text"])


async def test_the_page_names_the_language_and_else_the_browser(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        wrong = {"file": base64.b64encode(b"001    1").decode()}
        assert "no name in columns" in await asked(chief, "/api/pairings", wrong)
        assert "keinen Namen" in await asked(chief, "/api/pairings", wrong, **{"Accept-Language": "de-AT,de;q=0.9"})
        assert "no name" in await asked(chief, "/api/pairings", wrong, **{"Accept-Language": "tlh, x"})
        chief.session.cookie_jar.update_cookies({"language": "he"})
        told = await asked(chief, "/api/pairings", wrong, **{"Accept-Language": "de"})
        assert re.search(f"[{LETTERS['he']}]", told) and "TRF" in told
        stranger = house.visitor()
        stranger.session.cookie_jar.update_cookies({"language": "hu"})
        assert "versenybíró" in await asked(stranger, "/api/rehearsal?page=arbiter", {"do": "begin"})


async def test_a_refusal_that_is_found_while_a_command_is_filled_in_is_in_the_pages_language(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        line = await chief.line("/ws?page=arbiter&table=demo", after=None)
        await line.send({"kind": "hello", "after": 0, "language": "ar"})
        answered = await line.do({"do": "release_law", "seat": "white", "article": "3.8"})
        assert not answered["outcome"]["ok"] and answered["outcome"]["code"] == "no_law_words"
        assert re.search(f"[{LETTERS['ar']}]", answered["text"]) and f"{FIRST_STRONG}3.8" in answered["text"]
