"""The parts of a cell of a scoresheet: a move as it was written, and each sign that has words of its own (8.1)."""

from __future__ import annotations

import pytest

from server.game.laws.scoresheet import parts_of_cell

CELLS = {
    "Nf3": [("text", "Nf3")],
    "Springer Felix drei": [("text", "Springer"), ("text", "Felix"), ("text", "drei")],
    "Nf3+": [("text", "Nf3"), ("check", "+")],
    "Nf3 +": [("text", "Nf3"), ("check", "+")],
    "Qh7#": [("text", "Qh7"), ("mate", "#")],
    "Qh7++": [("text", "Qh7"), ("mate", "++")],
    "Qh7‡": [("text", "Qh7"), ("mate", "‡")],
    "Qh7†": [("text", "Qh7"), ("check", "†")],
    "e4(=)": [("text", "e4"), ("offer", "(=)")],
    "e4=": [("text", "e4"), ("offer", "=")],
    "e4+= 0:45": [("text", "e4"), ("check", "+"), ("offer", "="), ("time", "0:45")],
    "e8=Q": [("text", "e8=Q")],
    "exd6e.p.": [("text", "exd6"), ("en_passant", "e.p.")],
    "exd6 ep": [("text", "exd6"), ("en_passant", "ep")],
    "exd6e.p.+": [("text", "exd6"), ("en_passant", "e.p."), ("check", "+")],
    "O-O": [("short", "O-O")],
    "0-0-0": [("long", "0-0-0")],
    "0-0": [("short", "0-0")],
    "O-O+": [("short", "O-O"), ("check", "+")],
    "O-O-O (=)": [("long", "O-O-O"), ("offer", "(=)")],
    "1-0": [("text", "1-0")],
    "½-½": [("text", "½-½")],
    "e4!?": [("text", "e4")],
    "–": [("text", "–")],
    "e4 !?": [("text", "e4"), ("text", "!?")],
    "½:½": [("text", "½:½")],
    "1/2-1/2": [("text", "1/2-1/2")],
    "": [],
}


@pytest.mark.law("L089", "L090")
def test_a_cell_is_its_move_and_the_signs_that_are_said() -> None:
    assert {cell: list(parts_of_cell(cell)) for cell in CELLS} == CELLS
