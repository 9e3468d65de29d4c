"""A score is read in the language of its seat, of its opponent or in English: as a whole, not cell by cell."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.desk.answer import BothScores, desk_answer
from server.desk.comparing import compare_both_scores
from server.desk.sheets import sheets_answer, sheets_of
from server.game import acts as cmd
from server.game.state.desk import Desk
from server.game.values.words import Seat
from tests.desk.test_desk_answer import table_at_the_desk
from tests.game.core_table import CoreTable

MOVES = ("e4", "e5", "Nf3", "Nc6", "Bc4")
ENGLISH = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"
GERMAN = "1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5"


def at_the_desk(white: str, black: str) -> CoreTable:
    table = table_at_the_desk(*MOVES)
    for seat, tag in ((Seat.WHITE, white), (Seat.BLACK, black)):
        table.done("arbiter", cmd.ChooseEar(seat=seat, language=tag))
    return table


def typed(table: CoreTable, seat: Seat, *cells: str, language: str = "") -> Desk:
    for ply, text in enumerate(cells, 1):
        table.done("arbiter", cmd.TypeCell(seat=seat, ply=ply, text=text, language=language))
    assert isinstance(table.state.desk, Desk)
    return table.state.desk


def understood(table: CoreTable, seat: Seat) -> list[str]:
    desk = table.state.desk
    assert isinstance(desk, Desk)
    lines = desk_answer(table.state, desk, tuple(range(1, len(MOVES) + 1))).lines
    return [(line.white if seat is Seat.WHITE else line.black).understood for line in lines if line.ply <= len(MOVES)]


@pytest.mark.law("L165")
def test_an_english_score_of_a_german_seat_is_readable_and_its_b_is_a_bishop() -> None:
    table = at_the_desk("de", "de")
    for seat in Seat:
        desk = typed(table, seat, *MOVES)
        assert BothScores(table.state, desk).languages[seat] == "en"
        assert understood(table, seat) == list(MOVES)


@pytest.mark.parametrize(
    ("own", "other", "cells", "read_in"),
    [
        ("de", "en", ("e4", "e5", "Sf3", "Sc6", "Lc4"), "de"),
        ("en", "de", ("e4", "e5", "Sf3", "Sc6", "Lc4"), "de"),  # in the opponent's letters
        ("hu", "he", ("e4", "e5", "Nf3", "Nc6", "Bc4"), "en"),
        ("hu", "en", ("e4", "e5", "Hf3", "Hc6", "Fc4"), "hu"),
        ("hu", "en", ("e4", "Bd1"), "hu"),  # both can read it: the player's own letters count
    ],
)
def test_the_languages_of_both_seats_are_tried(own: str, other: str, cells: tuple[str, ...], read_in: str) -> None:
    table = at_the_desk(own, other)
    scores = replace(table.state.scores, white=())
    state = replace(table.state, scores=scores)
    desk = typed(table, Seat.WHITE, *cells)
    assert BothScores(replace(state, desk=desk), desk).languages[Seat.WHITE] == read_in


def test_a_language_that_the_arbiter_names_counts_for_its_cell() -> None:
    table = at_the_desk("hu", "hu")
    typed(table, Seat.WHITE, "e4", "e5", "Hf3", "Hc6")
    table.done("arbiter", cmd.TypeCell(seat=Seat.WHITE, ply=5, text="Lc4", language="de"))
    typed(table, Seat.BLACK, "e4", "e5", "Hf3", "Hc6", "Fc4")
    assert understood(table, Seat.WHITE) == list(MOVES)


def test_whole_scores_are_read_in_the_seats_languages_first() -> None:
    table = at_the_desk("ar", "de")
    assert isinstance(table.state.desk, Desk)
    state, desk = table.state, table.state.desk
    found = sheets_answer(state, desk, compare_both_scores(sheets_of(state, desk, (ENGLISH, GERMAN))))
    assert found.languages == ("ar", "de"), "the letters of Arabic and English are the same; the seat's is named"
    assert compare_both_scores(sheets_of(state, desk, (GERMAN, ENGLISH))).languages == ("de", "ar")
