"""The profiles as data: what is unconfirmed, and that a fault names the file and the key."""

from __future__ import annotations

import shutil
from pathlib import Path

import chess
import pytest

from braille.cells import write_move
from braille.loading import (
    changed_profile,
    computer_profile,
    load_profile,
    load_prose_tables,
    national_profile,
    profile_names,
)
from braille.profile import codes_agree, has_eight_dots, signs_to_confirm
from speech.complaint import Complaint
from tests.braille.reading import read_move


@pytest.fixture
def folder(tmp_path: Path, repo: Path) -> Path:
    for one in ("braille", "languages"):
        shutil.copytree(repo / "config" / one, tmp_path / one)
    return tmp_path


def file_of(name: str) -> str:
    """Return where a profile stands below `config`: one of a language is named like its tag."""
    tag = name.removeprefix("computer-")
    if tag in ("computer", "ukaaf"):
        return f"braille/{name}.toml"
    return f"languages/{tag}/braille/{'six' if tag == name else 'eight'}_dots.toml"


def change(folder: Path, old: str, new: str, name: str = "ukaaf") -> None:
    file = folder / file_of(name)
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_the_profiles_there_are() -> None:
    six = ("ar", "de", "en", "he", "hu", "hy", "ukaaf")
    eight = tuple(f"computer{tag}" for tag in ("", "-de", "-he", "-hu", "-hy"))
    assert set(profile_names()) == {*six, *eight}
    for name in six:
        assert not has_eight_dots(load_profile(name)), name
    for name in eight:
        assert has_eight_dots(load_profile(name)), name
    assert load_prose_tables()["en"] == "en-ueb-g1.ctb"


def test_what_no_source_confirmed_is_marked() -> None:
    marked = signs_to_confirm(load_profile("ukaaf"))
    for path in ("castle_short", "castle_long", "en_passant", "draw_offer", "capture", "mate"):
        assert f"signs.{path}" in marked
    assert "results.1-0" in marked and "pieces.knight" in marked
    assert "signs.black_first" not in marked


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('title = "', "title = ", "config/braille/ukaaf.toml is not valid TOML"),
        ('title = "UKAAF Braille Chess Code and Layout, 2015"', "title = 5", "ukaaf.toml, key title: expected text"),
        ('king = { cells = "⠅"', 'king = { cell = "⠅"', r"ukaaf.toml, key pieces\.king\.cell: "),
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
        with pytest.raises(Complaint, match=r"choose one of: ar, computer, .*, ukaaf"):
            load_profile(name)


def test_a_language_has_its_profiles() -> None:
    assert [national_profile(tag) for tag in ("de", "hy", "fr")] == ["de", "hy", "ukaaf"]
    assert [computer_profile(tag) for tag in ("de", "en", "ar")] == ["computer-de", "computer", "computer"]


def test_a_profile_holds_only_what_differs_from_its_base() -> None:
    german, base = load_profile("de"), load_profile("ukaaf")
    assert german.base == "ukaaf" and german.files == base.files and german.signs == base.signs
    assert german.pieces["queen"].cells == "⠨⠙" and german.results["1-0"] == base.results["1-0"]
    assert german.results["1/2-1/2"] != base.results["1/2-1/2"]
    assert german.letters.accents == {} != base.letters.accents  # prose is taken whole, not mixed


def test_what_is_proposed_for_a_language_is_marked() -> None:
    for name in ("de", "hu", "he", "hy", "computer-he", "computer-hu", "computer-hy"):
        assert {f"pieces.{piece}" for piece in ("king", "queen", "rook", "bishop", "knight")} <= set(
            signs_to_confirm(load_profile(name))
        ), name


def test_codes_that_give_one_cell_two_meanings_do_not_agree() -> None:
    ukaaf = load_profile("ukaaf")
    agreeing = {name for name in profile_names() if codes_agree(load_profile(name), ukaaf)}
    assert agreeing == set(profile_names()) - {"he", "computer-he"}
    assert not codes_agree(ukaaf, load_profile("he"))


@pytest.mark.parametrize(
    ("name", "old", "new", "part"),
    [
        ("de", 'base = "ukaaf"', 'base = "nemeth"', "languages/de/braille/six_dots.toml, key base"),
        ("de", 'base = "ukaaf"', 'base = "de"', "languages/de/braille/six_dots.toml, key base"),
        ("ukaaf", "[digits]", 'base = "de"\n[digits]', "ukaaf.toml, key base"),  # de, whose base ukaaf is
        ("hu", 'king = { cells = "⠨⠅"', 'king = { cells = "⠃"', r"six_dots.toml, key (files\.b|pieces\.king)"),
        ("computer", '"x" = "⠭"\n', "", 'computer.toml, key print.signs.capture: .*no cell for "x"'),
        ("computer", '"k" = "⠅"', '"k" = "⠅⠅"', r"computer.toml, key characters\.k"),
        ("computer", 'capital = "⡀"', 'capital = ""', "computer.toml, key capital"),
        ("computer", 'capture = "x"', 'capture = "K"', r"computer.toml, key .*could be misread"),
        ("computer", 'number_after = "."\n', "", "computer.toml, key print.number_after"),
        ("computer-de", 'queen = "D"', 'queen = "d"', r"eight_dots.toml, key (files\.d|pieces\.queen)"),
        ("computer-de", 'queen = "D"', "queen = 5", "eight_dots.toml, key print.pieces"),
    ],
)
def test_a_fault_of_a_derived_profile_names_its_file(folder: Path, name: str, old: str, new: str, part: str) -> None:
    change(folder, old, new, name)
    with pytest.raises(Complaint, match=part) as wrong:
        load_profile(name if name != "ukaaf" else "de", folder)
    assert "\n" not in str(wrong.value)


def test_what_is_unconfirmed_is_switched_by_an_organiser_who_knows_better() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    plain = load_profile("ukaaf")
    own = changed_profile("ukaaf", '[signs]\ncastle_short = { cells = "⠕⠤⠕" }\n[pieces]\nknight = { cells = "⠝" }\n')
    castles = chess.Move.from_uci("e1g1")
    assert (write_move(board, castles, plain), write_move(board, castles, own)) == ("⠕⠕", "⠕⠤⠕")
    assert read_move("⠕⠤⠕", board, own) == castles
    left = set(signs_to_confirm(plain)) - set(signs_to_confirm(own))
    assert left == {"signs.castle_short", "pieces.knight"}, "what was switched is confirmed by its reader"
    for changes, wrong in (
        ('[pieces]\nknight = { cells = "⠗" }', "The file of changed signs, key .*begin like"),
        ('[pieces]\nknight = { cells = "N" }', "The file of changed signs, key pieces.knight.cells"),
        ("[pieces", "TOML"),
        ('base = "de"', "contains only signs"),
    ):
        with pytest.raises(Complaint, match=wrong):
            changed_profile("ukaaf", changes)
    with pytest.raises(Complaint, match="no braille code"):
        changed_profile("klingon", "")
