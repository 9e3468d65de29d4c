"""The profiles as data: what is unconfirmed, and that a fault names the file and the key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from braille.loading import load_profile, load_prose_tables, profile_names
from braille.profile import unconfirmed
from speech.complaint import Complaint


@pytest.fixture
def folder(tmp_path: Path, repo: Path) -> Path:
    shutil.copytree(repo / "config/braille", tmp_path / "braille")
    return tmp_path


def change(folder: Path, old: str, new: str) -> None:
    file = folder / "braille/ukaaf.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_the_profiles_there_are() -> None:
    assert profile_names() == ("de", "ukaaf")
    assert load_prose_tables()["en"] == "en-ueb-g1.ctb"


def test_what_no_source_confirmed_is_marked() -> None:
    marked = unconfirmed(load_profile("ukaaf"))
    for path in ("castle_short", "castle_long", "en_passant", "draw_offer", "capture", "mate"):
        assert f"signs.{path}" in marked
    assert "results.1-0" in marked and "pieces.knight" in marked
    assert "signs.black_first" not in marked


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('title = "', "title = ", "config/braille/ukaaf.toml is not readable as TOML"),
        ('title = "UKAAF Braille Chess Code and Layout, 2015"', "title = 5", "ukaaf.toml: .*title"),
        ('king = { cells = "⠅"', 'king = { cell = "⠅"', "ukaaf.toml: .*pieces"),
        ('king = { cells = "⠅"', 'kong = { cells = "⠅"', "key pieces: it must have exactly king, queen"),
        ('capture = { cells = "⠰"', 'capture = { cells = "x"', "key signs.capture.cells: .*Unicode braille"),
        ('capture = { cells = "⠰"', 'capture = { cells = ""', "key signs.capture.cells: it is empty"),
        ('queen = { cells = "⠟"', 'queen = { cells = "⠙"', r"key (files\.d|pieces\.queen): .*could be misread"),
        ('mate = { cells = "⠜⠍"', 'mate = { cells = "⠜"', r"key signs.mate: its cells begin like those of"),
        ('e = "⠑"', 'x = "⠑"', "key files: it must have exactly a, b"),
        ('king = { cells = "⠥"', 'king = { cells = "⠅"', r"key black\.king"),
    ],
)
def test_a_fault_names_the_file_and_the_key(folder: Path, old: str, new: str, part: str) -> None:
    change(folder, old, new)
    with pytest.raises(Complaint, match=part) as wrong:
        load_profile("ukaaf", folder)
    assert "\n" not in str(wrong.value)


def test_an_unknown_profile_names_those_there_are() -> None:
    for name in ("nemeth", "../languages/de", "prose", ""):
        with pytest.raises(Complaint, match="choose one of: de, ukaaf"):
            load_profile(name)
