"""What is wrong with a file, a code or a wish that somebody gave on a page is told in the language of the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from server.hall.pairings import read_pairings
from server.wording.complaints import known_phrases, translated
from speech.complaint import Complaint, Phrase
from speech.words.loading import language_tags
from speech.words.messages import FIRST_STRONG, without_isolation
from tests.web.open_house import Visitor, open_house
from tests.web.test_all_tables import hall_arbiter

# Rooms whose complaints a page can show; each is written so that it is found in the catalogue.
ROOMS = (
    *("hall/pairings.py", "hall/rounds.py", "voice/rehearsal.py", "stations/enrolment.py", "scoresheets/sheet.py"),
    *(f"web/door/{name}.py" for name in ("access", "answers", "cookies", "guards", "introductions", "joining")),
    *(f"web/api/{name}.py" for name in ("arbiter", "desk", "devices", "record", "rehearsal", "sounds", "stations")),
    *(f"web/api/{name}.py" for name in ("tables", "voice")),
)
RAISED = {"Complaint": 0, "Turned": 2, "Phrase": 0}
LETTERS = {"ar": "\u0600-\u06ff", "he": "\u0590-\u05ff", "hy": "\u0530-\u058f"}


def said_in(repo: Path) -> set[str]:
    """The English words of every complaint in those rooms."""
    found = set()
    for room in ROOMS:
        for node in ast.walk(ast.parse((repo / "server" / room).read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED):
                continue
            words = node.args[RAISED[node.func.id]]
            assert not isinstance(words, ast.JoinedStr), f"{room}, line {node.lineno}: give the values apart"
            if isinstance(words, ast.Constant):
                found.add(str(words.value))
    return found


def test_every_complaint_that_a_page_shows_is_in_the_catalogue(repo: Path) -> None:
    found = said_in(repo)
    assert len(found) > 50
    assert sorted(found - known_phrases().keys()) == []


@pytest.mark.parametrize("tag", [tag for tag in language_tags() if tag != "en"])
def test_no_complaint_is_english_elsewhere(repo: Path, tag: str) -> None:
    for words in said_in(repo):
        places = re.findall(r"\{(\w+)\}", words)
        told = without_isolation(translated(Phrase(words, **dict.fromkeys(places, 7)), tag))
        assert told != str(Phrase(words, **dict.fromkeys(places, 7))), words
        if tag in LETTERS:
            assert re.search(f"[{LETTERS[tag]}]", told), words


def test_what_stands_in_a_sentence_is_told_in_the_language_too_and_keeps_its_direction() -> None:
    where = Phrase("line {line} of {name}", line=3, name=Phrase("White's score"))
    words = "{where} is numbered {number} again; number the lines as on the sheet, with - for a blank cell."
    assert str(Phrase(words, where=where, number=12)).startswith("line 3 of White's score is numbered 12 again")
    assert translated(Phrase(words, where=where, number=12), "de").startswith(
        "Zeile 3, Mitschrift von Weiß: noch einmal"
    )
    arabic = translated(Phrase("Table {name} is open already; choose another name.", name="r1-b2"), "ar")
    assert f"{FIRST_STRONG}r1-b2" in arabic
    with pytest.raises(Complaint) as told:
        read_pairings("001\n001 x")
    assert translated(told.value.phrase, "hu").startswith("A TRF 2. sorában")
    assert translated(Phrase("{braces} stand as they are"), "hu") == "{braces} stand as they are"


async def asked(visitor: Visitor, path: str, body: Any, **headers: str) -> str:
    answered = await visitor.session.post(visitor.house.base + path, json=body, headers=headers)
    return str((await answered.json())["text"])


async def test_the_page_names_the_language_and_else_the_browser(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as house:
        chief = await hall_arbiter(house)
        wrong = {"text": "001    1"}
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
