"""Typed and pasted scores: lines, PGN, braille; and what is refused."""

from __future__ import annotations

import contextlib
import time

import chess
import pytest

from braille.brf import brf_page, document
from braille.loading import load_profile
from braille.score import Played, move_lines
from server.scoresheets.braille import is_dotted, parse_dotted
from server.scoresheets.cell import Writing, legal_readings, take
from server.scoresheets.sheet import parse_sheet, sheet_of
from speech.complaint import Complaint

SAMPLE = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5 Nb3 Qxd1 Rxd1"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("1. e4 e5\n2. Nf3 Nc6\n", ("e4", "e5", "Nf3", "Nc6")),
        ("1.e4 e5 2.Nf3 Nc6 1-0", ("e4", "e5", "Nf3", "Nc6")),
        ("e4 e5 Nf3 Nc6 *", ("e4", "e5", "Nf3", "Nc6")),
        ("1 e4 e5\n2 Nf3 Nc6", ("e4", "e5", "Nf3", "Nc6")),
        ("1) e4 e5\n2) Nf3 –", ("e4", "e5", "Nf3")),
        ("1. e4 -\n2. - Nc6", ("e4", None, None, "Nc6")),
        ("1. e4 e5\n4. Nf3 Nc6", ("e4", "e5", None, None, None, None, "Nf3", "Nc6")),
        ("1. e4 e5\n2. Nf3\n2... Nc6", ("e4", "e5", "Nf3", "Nc6")),
        ("1. e4 e5\n2. ... Nc6", ("e4", "e5", None, "Nc6")),
        ("1. e4 (=) 0:05 e5 +\n2. exd6 e.p. 0-0", ("e4 (=) 0:05", "e5 +", "exd6 e.p.", "0-0")),
        ("1.\tEva vier\tEva fuenf\n2.\tSpringer Felix drei\t", ("Eva vier", "Eva fuenf", "Springer Felix drei")),
        ("| 1. | e4 | e5 |\n| 2. | | Nc6 |", ("e4", "e5", None, "Nc6")),
        ("\ufeff1. e4 {a {good} move} e5 ; he sighed\n\n2. Nf3", ("e4", "e5", "Nf3")),
        ("1. ה4 ה5\n2. פו3 פג6", ("ה4", "ה5", "פו3", "פג6")),
        ("", ()),
        ("1. - -\n2. - -\n", ()),
    ],
)
def test_lines(text: str, cells: tuple[str | None, ...]) -> None:
    if "{good}" in text:
        text = text.replace("{good}", "good")
    assert parse_sheet(text).cells == cells


def test_pgn_keeps_illegal_and_national_moves() -> None:
    text = (
        '[Event "Hall"]\n[White "A"]\n\n1. e4 {[%clk 1:29:00]} e5 $1 2. Hf3 (2. f4 exf4 (2... d5 3. exd5)) (2. d4) '
        "2... Ke4 (=) 3. d8(V) ½-½\n"
    )
    assert parse_sheet(text).cells == ("e4", "e5 $1", "Hf3", "Ke4 (=)", "d8(V)")


def test_a_start_position_and_black_to_move_first() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20"
    sheet = parse_sheet(f'[SetUp "1"]\n[FEN "{fen}"]\n\n20... Kd7 21. e4 Kd6')
    assert (sheet.start, sheet.cells) == (fen, ("Kd7", "e4", "Kd6"))
    assert parse_sheet(f'[FEN "{fen}"]\n\n20. ... Kd7 21. e4').cells == ("Kd7", "e4")
    fischer = chess.Board.from_chess960_pos(12)
    sheet = parse_sheet(f'[Variant "Chess960"]\n[FEN "{fischer.fen()}"]\n\n1. e4')
    assert sheet.chess960


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. e4 e5\n1. d4 d5", "numbered 1 again"),
        ("2. e4 e5\n1. d4 d5", "numbered 1 again"),
        ("1. e4 e5 Nf3", "more than two moves under number 1"),
        ("99999. e4 e5", "99999"),
        ('[FEN "nonsense"]\n\n1. e4', "not a position"),
        ('[Event "a"]\n\n1. e4\n\n[Event "b"]\n\n1. d4', "more than one game"),
        ("x" * 1_000_001, "longer than a score"),
        ("e4 " * 3000, "more moves than any game"),
        ("1. " + "N" * 5000, "longer than any move"),
        ("1. e4" + " +" * 400_000, "more symbols after one move"),
        ('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20"]\n\n3. e4', "lower than the first"),
    ],
)
def test_refusals_are_one_sentence(text: str, words: str) -> None:
    with pytest.raises(Complaint, match=words) as complaint:
        parse_sheet(text, "the first score")
    assert "\n" not in str(complaint.value)


def test_unkind_text_is_taken_apart_quickly() -> None:
    for text in ("(" * 80_000, '[A "b"]\n\n' + "( " * 80_000, "{" * 200_000, "\n" * 200_000, '[A "' + '" ' * 80_000):
        started = time.process_time()
        with contextlib.suppress(Complaint):
            parse_sheet(text)
        assert time.process_time() - started < 2


def test_cells_beyond_the_end_are_blank() -> None:
    sheet = sheet_of(["e4", "-", None])
    assert sheet.cells == ("e4",)
    assert (sheet.cell(1), sheet.cell(2), sheet.cell(0)) == ("e4", None, None)


def test_braille_pages_with_heads_and_headings(ways: dict[str, Writing]) -> None:
    profile = load_profile("ukaaf")
    board, moves = chess.Board(), []
    for san in SAMPLE.split():
        moves.append(board.push_san(san).uci())
    lines = move_lines(Played(headers={}, moves=tuple(moves), result="1-0"), profile)
    heading = ("⠠⠁⠝⠝⠁⠀⠤⠀⠠⠃⠕⠃", "")
    pages = (brf_page((*heading, *lines[:2]), "⠠⠁", "⠂"), brf_page(lines[2:], "⠠⠁", "⠆"))
    for given in (pages, (lines,), ((*heading, *lines),)):
        sheet = parse_dotted(given, profile, "the first score")
        board = chess.Board()
        for cell, uci in zip(sheet.cells, moves, strict=True):
            assert [move.uci() for move in legal_readings(board, take(cell, ways["en"]))] == [uci]
            board.push_uci(uci)
    assert "⠎" not in document(pages), "the file itself is braille ASCII"


def test_braille_with_a_blank_cell_and_what_cannot_be_read(ways: dict[str, Writing]) -> None:
    profile = load_profile("ukaaf")
    sheet = parse_dotted((("⠂⠀⠑⠲⠀⠤⠀⠆⠀⠿⠿⠀⠑⠢",),), profile, "it")
    assert sheet.cells == ("⠑⠲", None, "⠿⠿", "⠑⠢")
    assert not take("⠿⠿", ways["en"]).readable
    assert is_dotted("⠂⠀⠑⠲\n")
    assert not is_dotted("1. ⠑⠲")
    with pytest.raises(Complaint, match="move number 1"):
        parse_dotted((("⠑⠲",),), profile, "it")


def test_numbers_without_end_are_no_fault_of_the_programs_own() -> None:
    assert parse_sheet("1." * 30_000, "the score").cells == ()
    assert parse_sheet("1." * 2_000 + "e4 e5", "the score").cells == ("e4", "e5")
