"""A cell on a board: the notations of Appendix C, one by one."""

from __future__ import annotations

import chess
import pytest

from server.scoresheets.cell import Writing, legal_readings, take
from server.scoresheets.forms import forms_of_cell, is_blank, plain
from server.scoresheets.letters import Alphabet, alphabet_of
from speech.words.language import FILES, Notation
from speech.words.said import Said

RUY = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
CAPTURES = "4k2r/6P1/8/3p1n2/2P1P3/8/8/R2QK2R w KQk - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
PROMOTING = "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1"


def read(way: Writing, fen: str, text: str) -> set[str]:
    return {move.uci() for move in legal_readings(chess.Board(fen), take(text, way))}


@pytest.mark.law("L163", "L164", "L165", "L168", "L171", "L174")
@pytest.mark.parametrize(
    ("language", "text", "uci"),
    [
        ("en", "Bxc6", "b5c6"),
        ("en", "Bb5xc6+", "b5c6"),
        ("en", "Bb5-c6", "b5c6"),
        ("en", "B:c6", "b5c6"),
        ("en", "BXc6", "b5c6"),
        ("en", "B×c6", "b5c6"),
        ("en", "Bc6++", "b5c6"),
        ("en", "BxN", "b5c6"),
        ("en", "BxNc6", "b5c6"),
        ("en", "b5c6", "b5c6"),
        ("de", "Lxc6", "b5c6"),
        ("de", "LxS", "b5c6"),
        ("hu", "Fxc6", "b5c6"),
        ("hu", "Hxe5", "f3e5"),
        ("hy", "Փxc6", "b5c6"),
        ("hy", "Ձf3xe5", "f3e5"),
        ("ar", "Bxc6", "b5c6"),
        ("ar", "Bxc٦", "b5c6"),
        ("he", "רxג6", "b5c6"),
        ("he", "ר ב5 ג6", "b5c6"),
        ("he", "פx\u2067ה5\u2069", "f3e5"),
        ("he", "פxה'5", "f3e5"),
        ("en", "0-0", "e1g1"),
        ("en", "O-O", "e1g1"),
        ("hu", "0–0", "e1g1"),
        ("he", "00", "e1g1"),
        ("en", "o-o (=)", "e1g1"),
        ("en", "d4 (=)", "d2d4"),
        ("hu", "d4=", "d2d4"),
        ("en", "d4 1:23:45", "d2d4"),
        ("en", "d4 [1:23]", "d2d4"),
        ("en", "d2–d4!?", "d2d4"),
        ("en", "e1g1", "e1g1"),
    ],
)
def test_one_move(ways: dict[str, Writing], language: str, text: str, uci: str) -> None:
    assert read(ways[language], RUY, text) == {uci}


@pytest.mark.law("L165")
def test_the_letter_b_is_a_bishop_a_rook_or_a_pawn_by_the_players_own_letters(ways: dict[str, Writing]) -> None:
    fen = "4k3/8/8/8/8/2B5/1P6/1R2K3 w - - 0 1"
    assert read(ways["en"], fen, "Bb4") == {"c3b4"}
    assert read(ways["hu"], fen, "Ba1") == {"b1a1"}
    assert read(ways["de"], fen, "Bb4") == {"b2b4"}
    assert read(ways["en"], fen, "b4") == {"b2b4"}, "nothing folds case"
    assert read(ways["en"], fen, "bb4") == {"b2b4"}


@pytest.mark.law("L166")
def test_pawn_letters_are_read_and_never_printed(ways: dict[str, Writing], alphabets: dict[str, Alphabet]) -> None:
    assert read(ways["en"], RUY, "Pd4") == {"d2d4"}
    assert read(ways["de"], RUY, "Bd4") == {"d2d4"}
    assert read(ways["hy"], RUY, "զd4") == {"d2d4"}
    assert all(alphabet.letter_of(chess.PAWN) == "" for alphabet in alphabets.values())


@pytest.mark.law("L167")
def test_hebrew_files_and_the_queen_that_may_be_a_king(ways: dict[str, Writing]) -> None:
    fen = "7k/8/8/8/8/3P4/8/3KQ3 w - - 0 1"
    assert read(ways["he"], fen, "ד4") == {"d3d4"}
    assert read(ways["he"], fen, "d4") == {"d3d4"}
    assert read(ways["he"], fen, "מהה3") == {"e1e3"}
    assert read(ways["he"], fen, "מה2") == {"d1e2"}, "before a digit it is a king going to the e-file"
    both = "7k/8/8/8/8/8/8/4KQ2 w - - 0 1"
    assert read(ways["he"], both, "מה1ד2") == {"e1d2"}, "settled by legality: the queen cannot go to d2"
    assert {form.piece for form in forms_of_cell("מה1ד2", ways["he"].alphabet)} == {chess.KING, chess.QUEEN}


@pytest.mark.law("L169", "L171")
@pytest.mark.parametrize("text", ["cxd5", "cd5", "c:d5", "c4d5", "cxd", "cd", "cd5:", "c4xd5", "cd5+", "cxP", "cxPd5"])
def test_a_pawn_capture_names_its_file(ways: dict[str, Writing], text: str) -> None:
    assert read(ways["en"], CAPTURES, text) == {"c4d5"}
    assert "c4d5" not in read(ways["en"], CAPTURES, "d5"), "C.9.2: without its file it is no capture"


@pytest.mark.law("L169", "L174")
@pytest.mark.parametrize("text", ["exd6 e.p.", "exd6e.p.", "ed6 e. p.", "exd6 ep", "exd6", "e5xd6 e.p.+", "exd"])
def test_en_passant_may_be_added(ways: dict[str, Writing], text: str) -> None:
    assert read(ways["en"], PASSING, text) == {"e5d6"}


@pytest.mark.law("L170")
def test_ambiguity_is_kept_until_the_cell_settles_it(ways: dict[str, Writing]) -> None:
    assert read(ways["en"], TWO_KNIGHTS, "Nd2") == {"b1d2", "f3d2"}
    for text, uci in (("Nbd2", "b1d2"), ("N1d2", "b1d2"), ("Nf3d2", "f3d2"), ("N3d2", "f3d2"), ("Nf3-d2", "f3d2")):
        assert read(ways["en"], TWO_KNIGHTS, text) == {uci}


@pytest.mark.law("L172")
def test_promotion_with_and_without_a_sign(ways: dict[str, Writing]) -> None:
    for text in ("d8Q", "d8=Q", "d8(Q)", "d8Q+", "d7-d8Q", "d7d8q"):
        assert read(ways["en"], PROMOTING, text) == {"d7d8q"}
    assert read(ways["de"], PROMOTING, "d8S") == {"d7d8n"}
    assert read(ways["he"], PROMOTING, "ד8מה") == {"d7d8q"}
    assert read(ways["en"], PROMOTING, "d8") == {"d7d8q", "d7d8r", "d7d8b", "d7d8n"}, "the piece is left open"
    assert read(ways["en"], CAPTURES, "gxRQ") == {"g7h8q"}


@pytest.mark.law("L173")
def test_a_draw_offer_is_no_part_of_the_move(ways: dict[str, Writing]) -> None:
    way = ways["en"]
    assert take("Kb1 (=)", way).forms == take("Kb1=", way).forms == take("Kb1", way).forms


@pytest.mark.parametrize(
    "text", ["N5", "B6", "Nc", "Qd+", "QP2#", "?", "Nf9", "xx", "e4e", "K" * 30, "=", "e", "O-O-O-O"]
)
def test_what_is_no_move_is_unreadable(ways: dict[str, Writing], text: str) -> None:
    cell = take(text, ways["en"])
    assert not cell.readable
    assert not cell.blank


@pytest.mark.parametrize("text", ["", " ", "-", "–", "—", "...", "…", "___", None])
def test_blank_cells(ways: dict[str, Writing], text: str | None) -> None:
    assert is_blank(text)
    assert take(text, ways["en"]).blank


def test_castling_is_never_a_kings_step(ways: dict[str, Writing]) -> None:
    assert read(ways["en"], RUY, "Kg1") == set()
    assert read(ways["en"], RUY, "Ke1g1") == {"e1g1"}
    assert read(ways["en"], RUY, "0-0-0") == set()


def test_chess960_castling_by_its_sign_only() -> None:
    english = Notation("laws-en", {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N"}, FILES)
    way = Writing(alphabet_of("en", english))
    board = chess.Board("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", chess960=True)
    assert [move.uci() for move in legal_readings(board, take("0-0", way))] == ["e1g1"]
    assert [move.uci() for move in legal_readings(board, take("0-0-0", way))] == ["e1b1"]
    assert legal_readings(board, take("Kg1", way)) == ()


def test_the_spoken_form_of_a_tactile_player(ways: dict[str, Writing]) -> None:
    way = ways["de"]
    start = chess.STARTING_FEN
    assert read(way, start, "Springer Gustav eins Felix drei") == {"g1f3"}
    assert read(way, start, "Springer Felix drei") == {"g1f3"}
    assert read(way, start, "Eva vier") == {"e2e4"}
    assert read(way, RUY, "Kurze Rochade") == {"e1g1"}
    assert read(way, CAPTURES, "Caesar vier David fuenf") == {"c4d5"}
    assert read(way, CAPTURES, "David fünf") == {"c4d5", "e4d5"}, "spoken, the departure may be left out"
    assert not take("guten Morgen", way).readable
    handed_in = Writing(way.alphabet, spoken=lambda text: Said(piece="knight", to_square="f3"))
    assert read(handed_in, start, "anything said") == {"g1f3"}


def test_braille_cells(ways: dict[str, Writing]) -> None:
    assert read(ways["en"], chess.STARTING_FEN, "⠎⠋⠒") == {"g1f3"}
    assert read(ways["en"], CAPTURES, "⠉⠰⠙⠢") == {"c4d5"}
    assert read(ways["de"], chess.STARTING_FEN, "⠑⠲") == {"e2e4"}


def test_text_is_made_plain() -> None:
    assert plain("א\u05f3 ב\u05b7\u200f12 – ٣") == "א ב12 - 3"
