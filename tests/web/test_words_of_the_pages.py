"""The words of the pages: every page and whatever it may be sent, in all six languages."""

from __future__ import annotations

import ast
import json
import re
import typing
from functools import cache
from pathlib import Path

import aiohttp
import pytest
from babel import Locale

from server.game.acts import AnyEvent
from server.game.decide.endings import WORDS
from server.web.pages import load_files
from server.wording.pages import RARE_PARTS, page_words, part_words
from speech.words.catalogue import load_messages, places_of
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from tests.web.open_house import House

REVIEWED = ("en", "de")
MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")
COUNTED = ("hour", "minute", "second")


@cache
def alert_kinds(repo: Path) -> set[str]:
    """Every kind that the core alerts the arbiter with: the constants in its calls, and the ends of a game."""
    kinds = set(WORDS)
    for path in (repo / "server" / "game").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if ".alert(" in source else ():
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "alert"):
                continue
            if node.args and isinstance(node.args[0], ast.Constant):
                kinds.add(str(node.args[0].value))
    return kinds


def static(repo: Path) -> Path:
    return repo / "server" / "web" / "static"


def modules_of(repo: Path, name: str, found: set[str]) -> None:
    """A module and all that it imports."""
    if name in found:
        return
    found.add(name)
    for imported in re.findall(r'"/static/([\w/-]+\.js)"', (static(repo) / name).read_text("utf-8")):
        modules_of(repo, imported, found)


@pytest.mark.parametrize("tag", language_tags())
def test_every_alert_and_every_event_has_words(repo: Path, tag: str) -> None:
    known = set(page_words(tag))
    kinds = alert_kinds(repo)
    assert len(kinds) > 30
    events = {kind.__struct_config__.tag for kind in typing.get_args(AnyEvent)}
    assert sorted(({f"alert.{kind}" for kind in kinds} | {f"event.{event}" for event in events}) - known) == []


@pytest.mark.parametrize("tag", language_tags())
def test_every_page_is_whole_in_every_language(tag: str) -> None:
    """The same keys in all six: who adds a word adds it to each, as a proposal where nobody reviewed it."""
    english, words = page_words("en"), page_words(tag)
    counted = {f"{unit}.{form}" for unit in COUNTED for form in ("one", "other")}
    assert len(english) > 900
    assert sorted(set(english) - counted - set(words)) == []
    forms = {f"{unit}.{form}" for unit in COUNTED for form in {*Locale(tag).plural_form.tags, "other"}}
    assert forms <= set(words), "a plural form of CLDR is missing"
    spelt = {f"spelt.{recorded}" for recorded in load_scheme("d21", tag).spelt_otherwise}
    assert spelt and spelt <= set(words)
    scheme = load_scheme("d21", tag)
    legend = {f"legend.{file}": f"{scheme.text(f'file.{file}')} " for file in "abcdefgh" if tag in ("ar", "he", "hy")}
    assert sorted(set(words) - set(english) - forms - spelt - set(legend)) == []
    assert all(words[key].startswith(name) for key, name in legend.items())
    for key, text in words.items():
        if key in forms:
            assert places_of(text) <= {"count"}
        elif key not in spelt and key not in legend:
            assert places_of(text) == places_of(english[key]), key
            assert text or key == "letter.pawn", key
        assert not re.search("[\u0640\u200e\u200f\u2066-\u2069]", text), "the pages add marks of direction themselves"


@pytest.mark.parametrize("tag", language_tags())
def test_a_page_is_sent_the_words_of_the_catalogue(tag: str) -> None:
    file = load_files()[f"/static/words/{tag}.json"]
    assert json.loads(file.body) == page_words(tag) and file.type == "application/json"


async def test_the_words_are_sent_compressed_and_once(house: House) -> None:
    address = house.base + "/static/words/he.json"
    async with aiohttp.ClientSession() as session:
        async with session.get(address) as answer:
            assert answer.status == 200 and await answer.json() == page_words("he")
            assert answer.headers["Content-Encoding"] in ("gzip", "deflate")
            assert answer.headers["Cache-Control"] == "no-cache"
            kept = {"If-None-Match": answer.headers["ETag"]}
        async with session.get(address, headers=kept) as again:
            assert again.status == 304 and await again.read() == b""


def test_every_word_that_a_page_names_is_there(repo: Path) -> None:
    known, folder = {*page_words("en")}.union(*(part_words(part, "en") for part in RARE_PARTS)), static(repo)
    text = "".join(one.read_text("utf-8") for one in (*folder.glob("*/*.html"), *folder.glob("*/*.js")))
    named = {*re.findall(r'data-t(?:-label)?="([^"]+)"', text), *re.findall(r"\bt\(\"([\w.-]+)\"", text)}
    assert len(named) > 300 and sorted(named - known) == []


@pytest.mark.parametrize("tag", language_tags())
def test_a_man_on_a_board_is_one_text_of_colour_and_piece(repo: Path, tag: str) -> None:
    """In most languages they agree, so that no page and no report may put one beside the other."""
    words = page_words(tag)
    for piece in MEN:
        assert words[f"piece.{piece}"].lower() in words[f"piece.white.{piece}"].lower()
    men = {words[f"piece.{colour}.{piece}"] for colour in ("white", "black") for piece in MEN}
    assert len(men) == 12
    joined = {f"{words[colour]} {words[f'piece.{piece}']}" for colour in ("white", "black") for piece in MEN}
    assert tag == "en" or not men & joined
    for script in static(repo).glob("*/*.js"):
        for line in script.read_text("utf-8").splitlines():
            colour = re.search(r"""\bt\((?:\w+\.)*colour\)|"white" : "black"\)|\bt\("(?:white|black)"\)""", line)
            assert not (colour and re.search(r"\bt\(`piece\.", line)), f"{script.name} joins them: {line.strip()}"
    report = (repo / "server" / "exports" / "reports" / "report.py").read_text("utf-8")
    for line in report.splitlines():
        joins = "COLOR_NAMES" in line and re.search(r"f[\"']piece\.\{chess\.piece_name", line)
        assert not joins, f"the report joins them: {line.strip()}"


def test_what_a_page_says_before_its_words_are_there_is_what_the_catalogue_says(repo: Path) -> None:
    script = (static(repo) / "core" / "language.js").read_text("utf-8")
    assert f"server_gone: {json.dumps(page_words('en')['server_gone'])}" in script


@pytest.mark.parametrize("tag", [tag for tag in language_tags() if tag not in REVIEWED])
def test_a_proposal_says_so_and_is_not_english(tag: str) -> None:
    states = {message.review for message in load_messages(tag, part="pages").entries.values()}
    assert states <= {"needs native review", "reviewed"}
    english, words = page_words("en"), page_words(tag)
    alike = {key for key, said in words.items() if said and english.get(key) == said}
    assert {key for key in alike if not key.startswith(("letter.", "spelt."))} == set()
