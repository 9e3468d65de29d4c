"""A typed promotion without its piece is left open by its words alone, as a spoken one is (3.7.3.3, L183)."""

from __future__ import annotations

import pytest

from server.game.values.words import Seat
from server.wording.typed import heard_of_text, piece_named
from tests.game.test_who_is_told_what import full_table

KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.law("L183")
@pytest.mark.parametrize(("text", "is_open"), [
    ("e8", True), ("exd8", True), ("Bauer Eva acht", True), ("e1", True), ("bauer eva sieben eva acht", True),
    ("e8q", False), ("Springer e8", False), ("e7e8", False), ("e4", False), ("Bauer Eva acht Dame", False),
])  # fmt: skip
def test_the_words_alone_say_whether_a_promotion_is_left_open(text: str, is_open: bool) -> None:
    found = [heard_of_text(text, table.state, Seat.WHITE, "en") for table in (full_table(), full_table(fen=KINGS))]
    assert [one.unclear == "promotion" for one in found] == [is_open] * 2
    assert found[0] == found[1], "whatever stands on the board"


def test_the_answer_is_the_word_of_one_piece() -> None:
    state = full_table().state
    assert piece_named("Dame", state, Seat.WHITE) == piece_named("queen", state, Seat.WHITE, "en") == "piece.queen"
    assert piece_named("Dame e8", state, Seat.WHITE) is piece_named("qqq", state, Seat.WHITE) is None
