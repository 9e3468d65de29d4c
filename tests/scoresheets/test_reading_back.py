"""The reader against every way a move may be written, in positions of random play and in every language."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoresheets.cell import Writing, legal_readings, take
from server.scoresheets.letters import Alphabet, san_in_letters
from speech.words.config_file import language_tags
from tests.scoresheets.spelling_out import meant, some_text, texts_of

SHARP = [
    chess.STARTING_FEN,
    "r3k2r/1PP2pp1/8/3pP3/4n3/2N5/P1p1P1pp/R3K2R w KQkq d6 0 1",
    "4k3/PPPP4/8/8/8/8/pppp4/4K3 w - - 0 1",
    "k7/8/2N1N3/8/3N4/8/1R3R2/K2R4 w - - 0 1",
    "4k3/8/4r3/8/2n1N1n1/8/4R3/4K3 b - - 0 1",
]
LANGUAGES = language_tags()


def position(seed: int) -> chess.Board:
    """A position of random play from the start or from a sharp set-up."""
    chance = random.Random(seed)
    board = chess.Board(chance.choice(SHARP))
    for _ in range(chance.randrange(60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
    return board


@pytest.mark.law("L164", "L165", "L168", "L170", "L172")
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9), language=st.sampled_from(LANGUAGES))
def test_san_in_every_language_reads_back_to_exactly_that_move(
    ways: dict[str, Writing], seed: int, language: str
) -> None:
    board, way = position(seed), ways[language]
    for move in board.legal_moves:
        text = san_in_letters(board.san(move), way.alphabet)
        assert legal_readings(board, take(text, way)) == (move,), text


@pytest.mark.law("L169", "L171", "L174")
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), language=st.sampled_from(LANGUAGES))
def test_a_cell_means_exactly_the_moves_that_can_be_written_like_it(
    ways: dict[str, Writing], seed: int, language: str
) -> None:
    board, way = position(seed), ways[language]
    spelt: dict[str, set[chess.Move]] = {}
    for move in board.legal_moves:
        for text in texts_of(board, move, way.alphabet):
            spelt.setdefault(text, set()).add(move)
    chance = random.Random(seed)
    for text in chance.sample(sorted(spelt), min(150, len(spelt))):
        assert set(legal_readings(board, take(text, way))) == spelt[text], (board.fen(), text)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**9), text=st.text("abcdefgh12345678KQRBNPxO0-=+() ", max_size=9))
def test_no_text_means_more_than_could_be_written_like_it(ways: dict[str, Writing], seed: int, text: str) -> None:
    board, way = position(seed), ways["en"]
    found = set(legal_readings(board, take(text, way)))
    allowed = {
        move
        for move in board.legal_moves
        if {text, text.strip(" +=-()"), text.replace(" ", "").rstrip("+=")} & _generous(board, move, way.alphabet)
    }
    assert found <= allowed | meant(board, text, way.alphabet), (board.fen(), text)


def _generous(board: chess.Board, move: chess.Move, alphabet: Alphabet) -> set[str]:
    texts = texts_of(board, move, alphabet)
    pawns = {"P" + text for text in texts if board.piece_type_at(move.from_square) == chess.PAWN}
    sign_alone = {"x" + text for text in texts if len(text) == 2} | {"Px" + chess.square_name(move.to_square)}
    left_open = {text[:-1] for text in texts if move.promotion and text[-1:] in "QRBN"}
    return texts | pawns | sign_alone | left_open


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_at_all_is_taken_without_a_fault(ways: dict[str, Writing], text: str) -> None:
    for way in ways.values():
        cell = take(text, way)
        assert cell.blank or cell.text == text


def test_the_spelling_is_unambiguous_where_it_says_so(ways: dict[str, Writing]) -> None:
    chance = random.Random(5)
    for seed in range(30):
        board = position(seed)
        for move in list(board.legal_moves)[:4]:
            text = some_text(board, move, ways["hu"].alphabet, chance)
            assert legal_readings(board, take(text, ways["hu"])) == (move,), text
