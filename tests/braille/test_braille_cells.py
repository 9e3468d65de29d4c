"""Moves to cells and back: the published vectors, every legal move of many positions, real games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import chess
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille import brf
from braille.cells import (
    Written,
    cells_of_move,
    read_cells,
    read_number,
    write_move,
    write_number,
    written_move,
)
from braille.loading import load_profile, profile_names
from braille.profile import RESULTS, Profile, has_eight_dots
from braille.score import Played, move_lines
from speech.complaint import Complaint
from tests.braille.reading import match, read_move, read_moves

UKAAF = load_profile("ukaaf")
PROFILES = [load_profile(name) for name in profile_names()]

VECTORS = [
    ("8/8/8/8/8/8/8/K3kR2 w - - 0 1", "Rf4", "⠗⠋⠲"),
    (chess.STARTING_FEN.replace(" w ", " b "), "d5", "⠙⠢"),
    ("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "cxd5", "⠉⠰⠙⠢"),
    ("8/8/4k3/8/5P2/8/8/4K3 w - - 0 1", "f5+", "⠘⠋⠢"),
    ("5k2/8/8/8/5p2/8/8/4KR2 w - - 0 1", "Rxf4+", "⠗⠸⠋⠲"),
    ("k7/8/2N3N1/8/8/8/8/4K3 w - - 0 1", "Nce5", "⠎⠉⠑⠢"),
    ("4k3/8/8/1N6/8/8/8/1N1NK3 w - - 0 1", "Nb1c3", "⠎⠃⠂⠉⠒"),
    ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "N1c3", "⠎⠂⠉⠒"),
    ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "Re8#", "⠗⠑⠦⠜⠍"),
    ("4k3/8/8/8/8/5N2/8/4K3 w - - 0 2", "Ne5", "⠎⠑⠢"),
]

# Positions that random games seldom reach: promotions with and without captures and mates, castling on both sides,
# castling with check and mate, en passant with check and mate, three queens that reach one square.
SPECIAL = [
    "1n2k3/P1P5/8/8/8/8/p5p1/2K2N2 w - - 0 1",
    "1n2k3/P1P5/8/8/8/8/p5p1/2K2N2 b - - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    "3k4/8/8/8/2R1R3/8/8/R3K3 w Q - 0 1",
    "7k/R3P3/8/8/8/8/8/6K1 w - - 0 1",
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/4k3/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "Q6Q/8/8/8/8/8/k7/Q3K3 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/Q3R1K1 w - - 0 1",
    "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1",
]


def positions(seed: int, games: int, *, every: int = 6) -> Iterator[chess.Board]:
    """Positions of seeded games that prefer captures, promotions and castling, which shapes odd material."""
    chance = random.Random(seed)
    for _ in range(games):
        board = chess.Board()
        for ply in range(160):
            moves = list(board.legal_moves)
            if not moves:
                break
            if ply % every == 0:
                yield board.copy(stack=False)
            rare = [move for move in moves if move.promotion or board.is_castling(move) or board.is_en_passant(move)]
            pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
            pool = rare if rare and chance.random() < 0.7 else pawns if pawns and chance.random() < 0.4 else moves
            board.push(chance.choice(pool))


@pytest.mark.law("L168", "L169", "L170", "L171")
@pytest.mark.parametrize(("fen", "san", "cells"), VECTORS)
def test_published_vectors(fen: str, san: str, cells: str) -> None:
    board = chess.Board(fen)
    move = board.parse_san(san)
    assert write_move(board, move, UKAAF) == cells
    assert read_move(cells, board, UKAAF) == move


@pytest.mark.parametrize(("number", "cells"), [(2, "⠆"), (8, "⠦"), (12, "⠂⠆"), (90, "⠔⠴"), (134567, "⠂⠒⠲⠢⠖⠶")])
def test_numbers_are_lower_digits(number: int, cells: str) -> None:
    assert write_number(number, UKAAF) == cells
    assert read_number(cells, UKAAF) == number
    assert read_number(cells + "⠁", UKAAF) is None
    assert read_number("", UKAAF) is None


@cache
def all_signs() -> list[tuple[chess.Board, list[tuple[chess.Move, Written]]]]:
    """Each legal move of the positions as SAN writes it there, whatever the code."""
    boards = [chess.Board(fen) for fen in SPECIAL] + list(positions(seed=1749, games=2))
    return [(board, [(move, written_move(board, move)) for move in board.legal_moves]) for board in boards]


@pytest.mark.law("L164", "L166", "L168", "L172", "L174", "L194")
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_every_legal_move_is_one_row_of_cells_and_comes_back(profile: Profile) -> None:
    kinds: set[str] = set()
    for board, moves in all_signs():
        rows: dict[str, chess.Move] = {}
        for move, sign in moves:
            cells = write_move(board, move, profile)
            assert cells not in rows, f"{cells} writes {rows[cells]} and {move} in {board.fen()}"
            rows[cells] = move
            assert read_cells(cells, profile) == sign
            assert read_move(cells, board, profile) == move
            if not has_eight_dots(profile):
                assert read_move(brf.from_brf(brf.to_brf(cells)), board, profile) == move
            offered = write_move(board, move, profile, draw_offer=True)
            assert read_cells(offered, profile) == msgspec.structs.replace(sign, draw_offer=True)
            names = ("promotion", "castling", "en_passant", "mate", "check")
            kinds |= {name for name in names if getattr(sign, name)}
            kinds |= {f"{name} with mate" for name in names[:3] if getattr(sign, name) and sign.mate}
            kinds |= {f"{name} with check" for name in names[:3] if getattr(sign, name) and sign.check}
    assert kinds >= {"promotion", "castling", "en_passant", "mate", "check", "promotion with mate"}
    assert kinds >= {"castling with mate", "castling with check", "en_passant with check", "promotion with check"}


@pytest.mark.needs("shared")
@pytest.mark.law("L163", "L194")
@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_real_games_through_cells_and_brf(shared: Path, profile: Profile) -> None:
    """Every fortieth of the real games; tests/bench/braille_round_trip.py does all."""
    games = (shared / "data/games/real-games.san").read_text("utf-8").splitlines()
    assert len(games) == 250
    for game in games[::40]:
        board = chess.Board()
        for san in game.split():
            board.push_san(san)
        moves = tuple(move.uci() for move in board.move_stack)
        lines = move_lines(Played(headers={}, moves=moves, result="1/2-1/2"), profile)
        assert max(len(line) for line in lines) <= 40
        if not has_eight_dots(profile):
            text = brf.document([lines[start : start + 25] for start in range(0, len(lines), 25)])
            assert tuple(line for page in brf.read_pages(text) for line in page) == lines
        score = read_moves("\n".join(lines), profile)
        assert score.moves == moves
        assert score.result == "1/2-1/2"


def test_computer_braille_is_print_a_cell_a_character() -> None:
    board = chess.Board("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    computer, german, hebrew = (load_profile(name) for name in ("computer", "computer-de", "computer-he"))
    for san, english, euro in (
        ("exd6", "⠑⠭⠙⠖⠑⠨⠏⠨", "⠑⠭⠙⠫⠑⠄⠏⠄"),  # exd6e.p.
        ("Rxa8+", "⡗⠭⠁⠦⠬", "⡞⠭⠁⠳⠖"),  # Rxa8+, Txa8+
        ("O-O", "⡕⠤⡕", "⡕⠤⡕"),
        ("O-O-O", "⡕⠤⡕⠤⡕", "⡕⠤⡕⠤⡕"),
    ):
        move = board.parse_san(san)
        assert write_move(board, move, computer) == english
        assert write_move(board, move, german) == euro
        assert read_move(euro, board, german) == move
    assert write_move(board, board.parse_san("Rxa8+"), hebrew) == "⠮⢱⠁⠦⠬"
    lines = move_lines(Played(headers={}, moves=("e2e4", "e7e5"), result="0-0", draw_offers=(1,)), computer)
    assert lines == ("⠂⠨⠀⠑⠲⠀⠑⠢⠷⠿⠾⠀⠴⠤⠴",)  # 1. e4 e5(=) 0-0
    assert read_moves(lines[0], computer).result == "0-0"
    with pytest.raises(Complaint, match="six-dot braille code"):
        brf.to_brf(write_move(board, board.parse_san("Rxa8+"), computer))


def test_a_game_from_a_black_move_and_a_break_in_every_profile() -> None:
    start = "4k3/8/8/8/8/8/4p3/K7 b - - 3 17"
    played = Played(headers={}, moves=("e2e1q", "a1b2"), start_fen=start, broken_off=True)
    for profile in PROFILES:
        back = read_moves("\n".join(move_lines(played, profile)), profile, chess.Board(start))
        assert (back.moves, back.broken_off, back.result) == (played.moves, True, None)
        for result in RESULTS:
            lines = move_lines(Played(headers={}, moves=("e2e1q",), start_fen=start, result=result), profile)
            assert read_moves("\n".join(lines), profile, chess.Board(start)).result == result


@given(st.sampled_from(PROFILES), st.text(alphabet=[chr(number) for number in range(0x2800, 0x2900)], max_size=7))
def test_any_cells_of_eight_dots_are_a_move_or_a_sentence(profile: Profile, cells: str) -> None:
    try:
        move = read_cells(cells, profile)
    except Complaint as wrong:
        assert str(wrong).endswith(".")
    else:
        assert read_cells(cells_of_move(move, profile), profile) == move or move.mate


@given(st.text(alphabet=[chr(number) for number in range(0x2800, 0x2840)], max_size=7))
def test_any_cells_are_a_move_or_a_sentence(cells: str) -> None:
    """Reading never fails in another way, and what it reads it writes in cells that read the same again."""
    try:
        move = read_cells(cells, UKAAF)
    except Complaint as wrong:
        assert str(wrong).endswith(".")
    else:
        # "+" after a move is read and written before it; on a mating move check is not written besides mate.
        again = read_cells(cells_of_move(move, UKAAF), UKAAF)
        assert again.to_square == move.to_square and again.piece == move.piece and again.mate == move.mate


@pytest.mark.law("L169", "L174")
@pytest.mark.parametrize(
    ("fen", "cells", "uci"),
    [
        ("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "⠉⠙⠢", "c4d5"),  # cd5
        ("8/8/4k3/8/5P2/8/8/4K3 w - - 0 1", "⠋⠢", "f4f5"),  # f5 without its check
        ("8/8/4k3/8/5P2/8/8/4K3 w - - 0 1", "⠋⠢⠜⠏", "f4f5"),  # the official page's suffix for "+"
        ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "⠗⠑⠂⠑⠦", "e1e8"),  # the long form, without its mate
        ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "⠗⠘⠑⠦", "e1e8"),  # mate written as check
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "⠑⠰⠙⠖", "e5d6"),  # en passant without e.p.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "⠑⠰⠙⠖⠑⠏", "e5d6"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "⠕⠤⠕", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "⠴⠤⠴⠤⠴", "e1c1"),
    ],
)
def test_optional_signs_may_be_left_out(fen: str, cells: str, uci: str) -> None:
    assert read_move(cells, chess.Board(fen), UKAAF).uci() == uci


@pytest.mark.parametrize(
    ("fen", "cells", "part"),
    [
        (chess.STARTING_FEN, "⠎⠙⠆⠿", "not a move"),
        (chess.STARTING_FEN, "", "not a move"),
        (chess.STARTING_FEN, "⠑⠔", "not a move"),  # e9
        (chess.STARTING_FEN, "⠑⠢", "No legal move"),  # e5
        ("k7/8/2N3N1/8/8/8/8/4K3 w - - 0 1", "⠎⠑⠢", "More than one"),
        (chess.STARTING_FEN, "⠰⠑⠲", "capture"),
        (chess.STARTING_FEN, "⠘⠑⠲", "check"),
        (chess.STARTING_FEN, "⠑⠲⠜⠍", "mate"),
        ("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "⠉⠰⠙⠢⠜⠑⠏", "en passant"),
        ("1n2k3/P1P5/8/8/8/8/p5p1/2K2N2 w - - 0 1", "⠁⠦", "No legal move"),  # a8 without its new piece
        ("1n2k3/P1P5/8/8/8/8/p5p1/2K2N2 w - - 0 1", "⠁⠦⠅", "not a move"),  # a king is no promotion
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(fen: str, cells: str, part: str) -> None:
    with pytest.raises(Complaint, match=part):
        read_move(cells, chess.Board(fen), UKAAF)


def test_an_illegal_move_has_no_cells() -> None:
    for uci in ("e2e5", "0000", "e7e5"):
        with pytest.raises(Complaint, match="not a legal move"):
            write_move(chess.Board(), chess.Move.from_uci(uci), UKAAF)


@pytest.mark.law("L173")
def test_a_draw_offer_follows_its_move() -> None:
    board = chess.Board()
    move = chess.Move.from_uci("e2e4")
    cells = write_move(board, move, UKAAF, draw_offer=True)
    assert cells == "⠑⠲⠐⠶"
    assert read_cells(cells, UKAAF) == Written(to_square="e4", draw_offer=True)
    assert match(read_cells(cells, UKAAF), board) == move


def test_chess960_castling() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", chess960=True)
    for san, cells in (("O-O", "⠕⠕"), ("O-O-O", "⠕⠕⠕")):
        move = board.parse_san(san)
        assert write_move(board, move, UKAAF) == cells
        assert read_move(cells, board, UKAAF) == move


def test_german_letters_keep_queen_and_d_file_apart() -> None:
    german = load_profile("de")
    board = chess.Board("4k3/8/8/2p5/3P4/8/8/2Q1K3 w - - 0 1")
    pawn, queen = (write_move(board, board.parse_san(san), german) for san in ("dxc5", "Qxc5"))
    assert (pawn, queen) == ("⠙⠰⠉⠢", "⠨⠙⠰⠉⠢")
