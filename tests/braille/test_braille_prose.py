"""Prose in cells: the profile's own table against liblouis, and liblouis through ctypes."""

from __future__ import annotations

import random
import string
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from braille.cells import Written, cells_of_move
from braille.letters import spell, unwritable
from braille.loading import load_profile, load_prose, load_prose_tables, national_profile, prose_table
from braille.profile import BLANK, Profile
from braille.prose import Liblouis, prose_writer, splice_chess
from braille.typed import well_formed
from server.cli.score import command as score
from server.wording.typed import moves_of_any_text
from server.wording.typed_braille import written_short
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
    names = {"hy": "«Տիգրան»։ Ի՞նչ 12 Anna", "he": "אנה", "ar": "آنا", "hu": "Jenő", "de": "Jörg", "en": "Zoë"}
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


TEXTS = {
    "ueb": "After Nf3 the players and O-O, then Rxf4+ everything",
    "de": "Nach Nf3 sind die Spieler und O-O, dann Rxf4+ alles",
    "hu": "Az Nf3 után a lépés O-O, majd Rxf4+ vége",
    "ar": "بعد Nf3 ثم O-O, ثم Rxf4+ النهاية",
    "he": "אחרי Nf3 ואז O-O, ואז Rxf4+ סוף",
    "hy": "հետո Nf3 և O-O, ապա Rxf4+ վերջ",
}


@pytest.mark.needs("liblouis")
@pytest.mark.parametrize("grade", sorted(load_prose().grades))
@pytest.mark.parametrize("profile", [UKAAF, GERMAN])
def test_chess_cells_stand_untouched_in_prose_of_every_table(grade: str, profile: Profile) -> None:
    table, text, library = prose_table(grade), TEXTS[grade.split("-")[0]], Liblouis.find()
    notes: list[str] = []
    prose = prose_writer("en", profile, load_prose_tables(), notes, table=table)
    cells = splice_chess(text, profile, prose)
    words = cells.split(BLANK)
    moves = [
        cells_of_move(move, profile) for move in (Written("knight", to_square="f3"), Written("king", castling="short"))
    ]
    assert moves[0] in words and any(word.startswith(moves[1]) for word in words)
    assert cells_of_move(Written("rook", to_square="f4", capture=True, check=True), profile) in words
    assert all("\u2800" <= cell <= "\u283f" for cell in cells)
    first, last = text.split(" Nf3 ")[0], text.split("Rxf4+ ")[1]
    assert cells.startswith(prose(first)) and cells.endswith(prose(last))
    if not notes:  # Armenian capitals have eight dots in its table: those words are our own, and it is said
        assert prose(last) == library.translate(last, table)
    assert library.translate("Nf3", "en-ueb-g2.ctb") not in cells or grade == "ueb-g1"


@pytest.mark.needs("liblouis")
def test_a_reader_chooses_the_grade() -> None:
    for language, low, high in (("en", "ueb-g1", "ueb-g2"), ("de", "de-g0", "de-g2"), ("hu", "hu-g1", "hu-g2")):
        text = TEXTS["ueb" if language == "en" else language]
        short, long = (
            prose_writer(language, UKAAF, load_prose_tables(), table=prose_table(name))(text) for name in (high, low)
        )
        assert len(short) < len(long), (low, high)
    with pytest.raises(Complaint, match="ueb-g2"):
        prose_table("g3")


@pytest.mark.needs("liblouis")
def test_a_score_with_contracted_headings(tmp_path: Path) -> None:
    game = tmp_path / "one.pgn"
    game.write_text('[White "Anna and Bella"]\n[Event "the e4 people"]\n\n1. e4 e5 2. Nf3 *\n', "utf-8")
    shown = CliRunner().invoke(score, [str(game), "--format", "braille", "--prose", "ueb-g2"]).output
    plain = CliRunner().invoke(score, [str(game), "--format", "braille"]).output
    assert shown != plain and "⠮" in shown and "⠯" in shown  # "the", "and"
    assert "⠑⠲" in shown.split("⠮")[1] and "⠂⠀⠑⠲⠀⠑⠢⠀⠆⠀⠎⠋⠒" in shown and "⠂⠀⠑⠲⠀⠑⠢⠀⠆⠀⠎⠋⠒" in plain


@pytest.mark.needs("liblouis")
@pytest.mark.parametrize("many", [150, pytest.param(400, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("language", ["en", "de", "hu"])
def test_what_a_screen_reader_makes_of_cells_is_read_as_the_move_they_write(language: str, many: int) -> None:
    library, prose = Liblouis.find(), load_prose()
    profile = load_profile(national_profile(language))
    moves = [move for move in written_short() if well_formed(move)]
    chance, asked, understood, wrong = random.Random(4), 0, 0, []
    for move in chance.sample(moves, many):
        cells = cells_of_move(move, profile)
        bare = msgspec.structs.replace(move, capture=False, check=False, mate=False)
        for grade in prose.typing[language]:
            text = library.back_translate(cells, prose.grades[grade])
            found = moves_of_any_text(text, language)
            asked += 1
            understood += bare in found
            if found and bare not in found:
                wrong.append((grade, cells, text, found))
    print(f"{language}: {understood} of {asked} back-translated moves understood, {len(wrong)} as another one")
    assert understood >= 0.9 * asked and not wrong, wrong[:5]


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
