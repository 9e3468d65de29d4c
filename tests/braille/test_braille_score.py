"""A whole score: the layout of its pages (golden), wrapping, reading back, printed letters."""

from __future__ import annotations

import random

import chess
import pytest

from braille import brf
from braille.cells import written_move
from braille.letters import spell
from braille.loading import load_profile
from braille.printed import move_text, text_lines
from braille.profile import BLANK
from braille.score import Played, braille_lines, brf_pages, collapse_space, move_lines, names, occasion, wrap
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.loading import load_language
from tests.braille.reading import read_moves

UKAAF = load_profile("ukaaf")

# The sample game of Appendix C, C.13.
SAMPLE = "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1"

GOLDEN_BRF = (
    ",A4 ,MILLER ,- ,B4 ,O',NEILL          #A\r\n"
    ",A4 ,MILLER ,- ,B4 ,O',NEILL\r\n"
    ",LAWS1 ,APPENDIX ,C\r\n"
    "#AIIB\r\n"
    "\r\n"
    "1 E4 E5 2 SF3 SF6 3 D4 E;D4 4 E5 SE4\r\n"
    "5 Q;D4 D5 6 E;D6>EP S;D6 7 LG5 SC6\r\n"
    '8 Q^E3 LE7 9 SBD2 OO 10 OOO RE8 11 KB1"7\r\n'
    "#A/B-#A/B\r\n"
    "\f"
)


def prose(text: str) -> str:
    return spell(text, UKAAF.letters)


def played(sans: str, **fields: object) -> Played:
    board = chess.Board(str(fields.get("start_fen") or chess.STARTING_FEN))
    for san in sans.split():
        board.push_san(san)
    headers = {"White": "A. Miller", "Black": "B. O'Neill", "Event": "Laws, Appendix C", "Date": "1992.??.??"}
    return Played(**{"headers": headers, "moves": tuple(move.uci() for move in board.move_stack), **fields})  # type: ignore[arg-type]


SAMPLE_GAME = played(SAMPLE, result="1/2-1/2", draw_offers=(20,))


@pytest.mark.law("L173", "L174", "L194")
def test_golden_page() -> None:
    text = brf.document(brf_pages(SAMPLE_GAME, UKAAF, prose))
    assert text == GOLDEN_BRF


def test_golden_page_reads_back() -> None:
    (page,) = brf.read_pages(GOLDEN_BRF)
    score = read_moves("\n".join(page[5:]), UKAAF)
    assert (score.moves, score.result, score.draw_offers) == (SAMPLE_GAME.moves, "1/2-1/2", (20,))


def test_a_long_game_fills_pages_of_25_lines_of_40_cells() -> None:
    chance = random.Random(5)
    board = chess.Board()
    while len(board.move_stack) < 400 and any(board.legal_moves):
        board.push(chance.choice(list(board.legal_moves)))
    game = Played(headers={}, moves=tuple(move.uci() for move in board.move_stack), result="*")
    pages = brf_pages(game, UKAAF, prose, first_page=7)
    assert len(pages) > 2
    assert [len(page) for page in pages[:-1]] == [25] * (len(pages) - 1)
    assert all(len(line) <= 40 for page in pages for line in page)
    assert [page[0].split(BLANK)[-1] for page in pages] == [prose(str(7 + number)) for number in range(len(pages))]
    lines = [line for page in pages for line in page[1:]]
    assert read_moves("\n".join(lines[lines.index("") :]), UKAAF).moves == game.moves
    # Never inside a move, never a number without its move: every line but the last begins with what began a group.
    for line in lines[lines.index("") + 1 :]:
        assert not line.startswith(BLANK) and not line.endswith(BLANK)
        assert line.split(BLANK)[-1].strip("⠂⠆⠒⠲⠢⠖⠶⠦⠔⠴"), f"a lone move number ends {line}"


def test_groups_are_cut_only_where_they_cannot_fit() -> None:
    assert wrap(["⠁" * 20, "⠃" * 19, "⠉"]) == ("⠁" * 20 + BLANK + "⠃" * 19, "⠉")
    assert wrap(["⠁" * 20, "⠃" * 20]) == ("⠁" * 20, "⠃" * 20)
    assert wrap(["⠁" * 85]) == ("⠁" * 40, "⠁" * 40, "⠁" * 5)
    assert wrap([]) == ()


def test_an_unusual_start_is_shown_and_black_may_begin() -> None:
    fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 31"
    game = played("e1=Q+ Kb2", start_fen=fen)
    lines = braille_lines(game, UKAAF, prose)
    assert "⠲⠥⠒⠀⠲⠴⠀⠲⠯⠒⠀⠅⠶" in lines
    assert lines[-1] == "⠒⠂⠀⠤⠘⠑⠂⠟⠀⠒⠆⠀⠅⠃⠆" or lines[-1] == "⠒⠂⠀⠤⠘⠑⠂⠟⠀⠅⠃⠆"
    assert read_moves(lines[-1], UKAAF, chess.Board(fen)).moves == game.moves


@pytest.mark.parametrize(
    ("cells", "part"),
    [
        ("⠂ ⠑⠲ ⠑⠢ ⠒ ⠎⠋⠒", "Move number 3 stands where 2"),
        ("⠂ ⠑⠲ ⠑⠲", "No legal move"),
        ("⠂ ⠑⠲ ⠐⠔ ⠑⠢", "after the end"),
        ("⠂ ⠑⠲ ⠿⠿", "not a move"),
    ],
)
def test_a_broken_score_is_said_in_one_sentence(cells: str, part: str) -> None:
    with pytest.raises(Complaint, match=part):
        read_moves(cells, UKAAF)


def test_a_record_that_breaks_off_shows_no_result() -> None:
    game = played("e4 e5", result="1-0", broken_off=True)
    assert move_lines(game, UKAAF)[-1].endswith("⠐⠠⠤")
    assert read_moves("\n".join(move_lines(game, UKAAF)), UKAAF).broken_off
    assert text_lines(game, load_language("en").notation)[-1] == "..."


def test_headings_are_cleaned() -> None:
    assert collapse_space("a\x1b[31m\u202eb\n\tc\u2069") == "a [31m b c"
    assert len(collapse_space("x" * 5000)) < 210
    assert names(Played(headers={"White": "?", "Black": " "}, moves=())) == ("NN", "NN")
    assert occasion(Played(headers={"Event": "?", "Site": "-", "Date": "????.??.??", "Round": "3"}, moves=())) == ("3",)


@pytest.mark.law("L164", "L165", "L166", "L167", "L168", "L169", "L170", "L171", "L172", "L174")
@pytest.mark.parametrize(
    ("tag", "fen", "san", "text"),
    [
        ("en", chess.STARTING_FEN, "Nf3", "Nf3"),
        ("de", chess.STARTING_FEN, "Nf3", "Sf3"),
        ("hu", chess.STARTING_FEN, "Nf3", "Hf3"),
        ("hy", chess.STARTING_FEN, "Nf3", "Ձf3"),
        ("he", chess.STARTING_FEN, "Nf3", "פו3"),
        ("ar", chess.STARTING_FEN, "Nf3", "Nf3"),
        ("de", "1n2k3/P1P5/8/8/8/8/p5p1/2K2N2 w - - 0 1", "axb8=Q+", "axb8D+"),
        ("de", "1n2k3/P1P5/8/8/8/8/p5p1/2K2N2 w - - 0 1", "c8=R+", "c8T+"),
        ("he", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "Qe5+", "מהה5+"),
        ("he", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2", "מה2"),
        ("hu", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "exd6 e.p."),
        ("en", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", "0-0-0"),
        ("de", "k7/8/2N3N1/8/8/8/8/4K3 w - - 0 1", "Nce5", "Sce5"),
        ("de", "4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "N1c3", "S1c3"),
        ("de", "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "Re8#", "Te8#"),
    ],
)
def test_printed_letters_of_each_language(tag: str, fen: str, san: str, text: str) -> None:
    board = chess.Board(fen)
    assert move_text(written_move(board, board.parse_san(san)), load_language(tag).notation) == text


def test_golden_print() -> None:
    lines = text_lines(SAMPLE_GAME, load_language("de").notation)
    assert lines[:5] == (
        "A. Miller – B. O'Neill",
        "Laws, Appendix C, 1992",
        "",
        "  1. e4             e5",
        "  2. Sf3            Sf6",
    )
    assert lines[8] == "  6. exd6 e.p.      Sxd6"
    assert lines[-3:] == (" 10. 0-0-0          Te8", " 11. Kb1 (=)", "½-½")


@pytest.mark.parametrize("tag", language_tags())
def test_right_to_left_prints_isolate_every_piece_of_notation(tag: str) -> None:
    language = load_language(tag)
    text = "\n".join(text_lines(SAMPLE_GAME, language.notation, language.direction))
    if language.direction == "ltr":
        assert "\u2068" not in text
        return
    outside = "".join(part.split("\u2069")[-1] for part in text.split("\u2068"))
    assert set(outside) <= set(" \n,–\u200f"), "something stands outside the marks of isolation"
    assert "\u2068½-½\u2069" in text and "\u206811.\u2069" in text
    assert text.count("\u2068") == text.count("\u2069") > 30
