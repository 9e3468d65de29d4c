"""The words as data: complete in every language and scheme, honest about their origin, refused where broken."""

from __future__ import annotations

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from speech.complaint import Complaint
from speech.words.config_file import config_root, language_tags, names_in
from speech.words.language import FILES, RANKS, WORD_IDS
from speech.words.loading import load_language, load_scheme

SCHEMES = ("d21", "letters", "national")
LAWS = {
    "file": ("Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"),
    "rank": ("eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben", "acht"),
}
LAWS_PIECES = {
    "king": "Koenig",
    "queen": "Dame",
    "rook": "Turm",
    "bishop": "Laeufer",
    "knight": "Springer",
    "pawn": "Bauer",
}


@pytest.fixture
def config_copy(tmp_path: Path) -> Path:
    """A copy of the installed words that a test may break."""
    for folder in ("languages", "schemes"):
        shutil.copytree(str(files("config") / folder), tmp_path / folder)
    return tmp_path


def broken(root: Path, file: str, pattern: str, replacement: str) -> None:
    path = root / file
    text, changes = re.subn(pattern, replacement, path.read_text("utf-8"), count=1, flags=re.MULTILINE)
    assert changes == 1
    path.write_text(text, "utf-8")


def test_there_are_six_languages_and_three_schemes() -> None:
    assert language_tags() == ("ar", "de", "en", "he", "hu", "hy")
    assert tuple(names_in(config_root(None), "schemes")) == SCHEMES


@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_has_every_word_in_every_language(name: str, language: str) -> None:
    scheme = load_scheme(name, language)
    assert tuple(scheme.words) == WORD_IDS
    for word in WORD_IDS:
        assert scheme.text(word) == scheme.forms_spoken(word)[0]
        assert scheme.spelling(word, "espeak") and scheme.spelling(word, "no such engine")
        assert scheme.voice_language(word) in ("de", language)
        assert not re.search("[\u0640\u200e\u200f\u2066-\u2069]", "".join(scheme.forms_spoken(word))), (
            "logical order, no marks"
        )
    assert "5" in scheme.phrase("moves_completed", count=5)
    assert "{" not in scheme.phrase("time_own", time="x") + scheme.phrase("time_opponent", time="x")


@pytest.mark.law("L184", "L185", "L186", "L187")
@pytest.mark.parametrize("language", ["de", "en", "hu"])
def test_the_default_scheme_has_the_words_of_the_laws_in_their_spelling(language: str) -> None:
    scheme = load_scheme("d21", language)
    assert tuple(scheme.text(f"file.{file}") for file in FILES) == LAWS["file"]
    assert tuple(scheme.as_recorded([f"rank.{rank}"]) for rank in RANKS) == LAWS["rank"]
    assert {piece: scheme.as_recorded([f"piece.{piece}"]) for piece in LAWS_PIECES} == LAWS_PIECES
    assert (scheme.text("castle.short"), scheme.text("castle.long")) == ("Kurze Rochade", "Lange Rochade")
    moves = [word for word in WORD_IDS if not word.startswith("cmd.")]
    assert {scheme.voice_language(word) for word in moves} == {"de"}
    assert scheme.voice_language("cmd.time") == language
    assert "zwo" in scheme.forms_spoken("rank.2") and "fünf" in scheme.forms_spoken("rank.5")


@pytest.mark.law("L185")
@pytest.mark.parametrize("name", ["d21", "national"])
def test_readers_see_umlauts_and_the_record_keeps_the_laws_spelling(name: str) -> None:
    scheme = load_scheme(name, "de")
    words = ("piece.king", "piece.bishop", "file.e", "rank.5")
    assert [scheme.text(word) for word in words] == ["König", "Läufer", "Eva", "fünf"]
    assert scheme.as_recorded(words) == "Koenig Laeufer Eva fuenf"
    assert scheme.spelt_otherwise == {"Koenig": "König", "Laeufer": "Läufer", "fuenf": "fünf"}
    assert scheme.as_spelt("Koenig Eva fuenf, Koenigsmann") == "König Eva fünf, Koenigsmann", "whole words only"
    for word in words:
        assert {scheme.text(word), scheme.as_recorded([word])} <= set(scheme.forms_spoken(word)), (
            "both are read and heard"
        )
    assert [scheme.spelling(word, "espeak") for word in words] == ["König", "Läufer", "Eva", "fünf"]
    english = load_scheme("d21", "en")
    if name == "d21":
        assert english.spelt_otherwise == scheme.spelt_otherwise and english.as_recorded(words) == scheme.as_recorded(
            words
        )
    assert english.spelling("piece.king", "espeak") == scheme.spelling("piece.king", "espeak")


@pytest.mark.law("L185")
def test_another_script_shows_the_german_words_and_the_german_voice_says_them() -> None:
    scheme = load_scheme("d21", "ar")
    assert (scheme.text("rank.5"), scheme.voice_language("rank.5")) == ("فونف", "de")
    assert scheme.spelling("rank.5", "espeak") == "fünf"
    assert scheme.spelling("rank.4", "espeak") == "vier"
    assert scheme.text("piece.king") == "كونيغ", "ours: seed 001 gives the Latin spelling only"
    assert load_scheme("national", "ar").text("piece.king") == "ملك"
    assert load_scheme("national", "ar").voice_language("rank.5") == "ar"


@pytest.mark.parametrize("language", language_tags())
def test_what_we_proposed_never_claims_a_source(language: str) -> None:
    words = load_language(language)
    reviews = {(word.origin, word.review) for word in (*words.words.values(), *words.transliteration.values())}
    assert "proposal" in {origin for origin, _ in reviews} and ("proposal", "source") not in reviews
    assert load_language("de").words["file.a"].origin == "laws-en"


def test_the_notation_belongs_to_the_language() -> None:
    hungarian, hebrew = load_language("hu"), load_language("he")
    assert hungarian.notation.pieces["rook"] == "B" and hungarian.direction == "ltr"
    assert hebrew.notation.pieces["queen"] == "מה" and hebrew.notation.files[4] == "ה" and hebrew.direction == "rtl"


@pytest.mark.needs("shared")
@pytest.mark.parametrize("language", language_tags())
def test_what_is_said_to_come_from_the_laws_is_in_the_reference(language: str, shared: Path) -> None:
    reference = json.loads((shared / "reference" / "languages.json").read_text("utf-8"))
    known: set[str] = set()

    def gather(value: Any) -> None:
        if isinstance(value, dict):
            for part in value.values():
                gather(part)
        elif isinstance(value, list):
            for part in value:
                gather(part)
        elif isinstance(value, str):
            known.add(value)

    gather(reference["languages"][language])
    gather(reference["announcement_scheme"])
    words = load_language(language)
    claimed = [
        word
        for table in (words.words, words.transliteration)
        for word in table.values()
        if word.origin in ("seed", "seed-base-form", "laws-en")
    ]
    assert len(claimed) > 20
    # A command is written small where the Laws begin a sentence with it.
    unknown = [word.text for word in claimed if not any(word.text.casefold() in text.casefold() for text in known)]
    assert unknown == []


@pytest.mark.parametrize(
    ("file", "pattern", "replacement", "names"),
    [
        ("languages/de/language.toml", r"^5 = .*$", "", ("languages/de/language.toml", "words.rank.5", "missing")),
        (
            "languages/de/language.toml",
            r"^knight = \{.*$",
            "night = {}",
            ("languages/de/language.toml", "words.piece.night", "spelling"),
        ),
        (
            "languages/de/language.toml",
            r"^help = .*$",
            "help = { text = 5 }",
            ("languages/de/language.toml", "words.cmd.help", "text"),
        ),
        (
            "languages/de/language.toml",
            r'origin = "standard"',
            'origin = "rumour"',
            ("languages/de/language.toml", "origin"),
        ),
        (
            "languages/de/language.toml",
            r'text = "Bauer"',
            'text = " "',
            ("languages/de/language.toml", "words.piece.pawn", "empty"),
        ),
        (
            "languages/de/language.toml",
            r"^\[words.nato\]$",
            "[words.navy]",
            ("languages/de/language.toml", "words.navy"),
        ),
        (
            "languages/de/language.toml",
            r"^files = .*$",
            'files = ["a"]',
            ("languages/de/language.toml", "notation.files", "eight"),
        ),
        (
            "languages/de/language.toml",
            r"^king = \"K\"$",
            "",
            ("languages/de/language.toml", "notation.pieces", "king"),
        ),
        (
            "languages/de/language.toml",
            r'^direction = "ltr"$',
            'direction = "up"',
            ("languages/de/language.toml", "direction", "up"),
        ),
        ("languages/de/language.toml", r"^\[words.file\]$", "[words.file", ("languages/de/language.toml", "TOML")),
        (
            "languages/de/language.toml",
            r'text = "drei"',
            'text = "Zwei"',
            ("schemes/d21.toml", "Zwei", "rank.2", "rank.3"),
        ),
        ("schemes/d21.toml", r"^ranks = .*$", "", ("schemes/d21.toml", "language.ranks", "missing")),
        ("schemes/d21.toml", r"^ranks = .*$", 'ranks = "xx"', ("schemes/d21.toml", "language.ranks", "xx")),
        ("schemes/d21.toml", r"^ranks = .*$", 'rangs = "de"', ("schemes/d21.toml", "language.rangs")),
        ("schemes/d21.toml", r"^file_names = .*$", 'file_names = "flag"', ("schemes/d21.toml", "file_names")),
        (
            "languages/de/pronunciations/espeak.toml",
            "rank.5",
            "rank.9",
            ("de/pronunciations/espeak.toml", 'spellings."rank.9"'),
        ),
        ("languages/de/pronunciations/espeak.toml", r'= "fünf"', "= 5", ("de/pronunciations/espeak.toml", "spellings")),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_the_key(
    config_copy: Path, file: str, pattern: str, replacement: str, names: tuple[str, ...]
) -> None:
    assert load_scheme("d21", "de", config_copy).text("rank.5") == "fünf"
    broken(config_copy, file, pattern, replacement)
    with pytest.raises(Complaint) as complaint:
        load_scheme("d21", "de", config_copy)
    for name in names:
        assert name in str(complaint.value), str(complaint.value)
    assert "\n" not in str(complaint.value)


@pytest.mark.parametrize(
    ("scheme", "language"), [("d21", "xx"), ("d22", "de"), ("d21", "../de"), ("", "de"), ("d21", "")]
)
def test_an_unknown_language_or_scheme_names_those_there_are(scheme: str, language: str) -> None:
    with pytest.raises(Complaint) as complaint:
        load_scheme(scheme, language)
    assert "national" in str(complaint.value) or "hu" in str(complaint.value)
