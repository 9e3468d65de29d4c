"""Prose in cells: the profile's own table against liblouis, and liblouis through ctypes."""

from __future__ import annotations

import random
import string
import sys
import threading

import pytest

from braille.letters import spell, unwritable
from braille.loading import load_profile, load_prose_tables
from braille.prose import Liblouis, prose_writer
from speech.complaint import Complaint

UKAAF = load_profile("ukaaf")
GERMAN = load_profile("de")

HEADINGS = [
    "Anna Eins - Bella Zwei",
    "Paris, FRA, 1924.05.12",
    "Müller, O. - Gómez, P.",
    "É. Lüders",
    "ABC-DEF 12.5 (round 3)",
    "4a 4k 4A x2",
    "O'Neill a/b & 1-0 = 3+2",
]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Anna", "⠠⠁⠝⠝⠁"),
        ("FIDE", "⠠⠠⠋⠊⠙⠑"),
        ("4a4k", "⠼⠙⠰⠁⠼⠙⠅"),
        ("ü Ü", "⠘⠒⠥⠀⠠⠘⠒⠥"),
        ("u\u0308", "⠘⠒⠥"),
        ("1 ½", "⠼⠁⠀⠿"),
    ],
)
def test_uncontracted_prose(text: str, cells: str) -> None:
    assert spell(text, UKAAF.letters) == cells


def test_what_the_table_lacks_is_named() -> None:
    assert unwritable("Łódź פ Ձ פ", UKAAF.letters) == "פՁ"
    assert unwritable("Anna 12 - (a/b)", UKAAF.letters) == ""


@pytest.mark.needs("liblouis")
def test_our_english_is_that_of_liblouis() -> None:
    library = Liblouis.find()
    for text in HEADINGS:
        assert spell(text, UKAAF.letters) == library.translate(text, "en-ueb-g1.ctb"), text
    chance = random.Random(8)
    for _ in range(200):
        words = [
            chance.choice(string.ascii_uppercase)
            + "".join(chance.choices(string.ascii_lowercase, k=chance.randint(1, 9)))
            for _ in range(3)
        ]
        text = ", ".join(words) + f" {chance.randint(0, 3000)}"
        assert spell(text, UKAAF.letters) == library.translate(text, "en-ueb-g1.ctb"), text


@pytest.mark.needs("liblouis")
def test_our_german_is_that_of_liblouis() -> None:
    library = Liblouis.find()
    for text in ("Anna Eins, Bella Zwei", "Lüders, Größe, Jäger", "Bonn, 12.5", "Runde 3"):
        assert spell(text, GERMAN.letters) == library.translate(text, "de-g0.utb"), text


@pytest.mark.needs("liblouis")
@pytest.mark.parametrize("language", ["en", "de", "hu", "ar", "he", "hy"])
def test_liblouis_writes_every_language_in_six_dots(language: str) -> None:
    names = {"hy": "Տիգրան 12 Anna", "he": "אנה", "ar": "آنا", "hu": "Jenő", "de": "Jörg", "en": "Zoë"}
    notes: list[str] = []
    cells = prose_writer(language, UKAAF, load_prose_tables(), notes)(names[language])
    assert cells and all("\u2800" <= cell <= "\u283f" for cell in cells)
    assert "⠿" not in cells and notes == []
    assert Liblouis.find().version


@pytest.mark.needs("liblouis")
def test_a_name_in_a_foreign_script_is_marked_and_said() -> None:
    notes: list[str] = []
    prose = prose_writer("en", UKAAF, load_prose_tables(), notes)
    assert prose("Jenő B.") == "⠠⠚⠑⠝⠿⠀⠠⠃⠲"
    assert len(notes) == 1 and "six dots" in notes[0]


@pytest.mark.needs("liblouis")
def test_liblouis_says_what_it_cannot_do_and_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    library = Liblouis.find()
    with pytest.raises(Complaint, match="no usable table"):
        library.translate("a", "no-such-table.ctb")
    with pytest.raises(Complaint, match="six dots"):
        library.translate("ő", "en-ueb-g1.ctb")
    assert capfd.readouterr().err == ""


@pytest.mark.needs("liblouis")
def test_liblouis_from_many_threads() -> None:
    library = Liblouis.find()
    tables = list(load_prose_tables().values())
    alone = {table: library.translate("Anna 12", table) for table in tables if "hy" not in table and "he" not in table}
    wrong: list[str] = []

    def work() -> None:
        for _ in range(30):
            for table, cells in alone.items():
                if library.translate("Anna 12", table) != cells:
                    wrong.append(table)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_without_liblouis_the_reader_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("braille.prose._NAMES", ("libno-such-thing.so",))
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    with pytest.raises(Complaint, match=r"liblouis is not on this machine.*apt-get install liblouis20"):
        Liblouis.find()
    notes: list[str] = []
    prose = prose_writer("he", UKAAF, load_prose_tables(), notes)
    assert prose("Anna") == "⠠⠁⠝⠝⠁"
    assert notes == []
    assert prose("אנה") == prose("אנה") == "⠿⠿⠿"
    assert len(notes) == 1 and "liblouis" in notes[0]


def test_english_headings_are_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("braille.prose.Liblouis.find", lambda: pytest.fail("liblouis was asked for"))
    prose = prose_writer("en", UKAAF, load_prose_tables())
    assert prose("Müller") == spell("Müller", UKAAF.letters)
    assert sys.modules["braille.prose"]
