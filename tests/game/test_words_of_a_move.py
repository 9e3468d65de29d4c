"""What an announcement names, and whether two of them may be of one move: by form alone, never by the position."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.claims.proposals import private_ear
from server.game.values.announcement import Announcement
from server.game.values.speech import Speech
from server.game.values.words import Origin, Seat
from tests.game.core_table import CoreTable, said


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("named", "complete", "piece"),
    [
        ({}, False, "pawn"),
        ({"piece": "knight"}, False, "knight"),
        ({"from_square": "e2"}, False, None),
        ({"to_square": "e4"}, True, "pawn"),  # a bare square names a pawn (C.4)
        ({"from_square": "e2", "to_square": "e4"}, True, None),
        ({"from_square": "e2", "to_square": "e2"}, False, None),
        ({"from_square": "e7", "to_square": "e8", "promotion": "queen"}, True, "pawn"),
        ({"piece": "knight", "from_square": "g1", "to_square": "f3"}, True, "knight"),
        ({"castling": "short"}, True, "king"),
        ({"castling": "long", "piece": "king"}, True, "king"),
        ({"castling": "long", "piece": "rook"}, False, "king"),
        ({"castling": "short", "from_square": "e1"}, False, "king"),
        ({"castling": "short", "to_square": "g1"}, False, "king"),
        ({"castling": "short", "promotion": "queen"}, False, "king"),
    ],
)
def test_what_an_announcement_names(named: dict[str, Any], complete: bool, piece: str | None) -> None:
    words = Announcement(**named)
    assert (words.complete, words.piece_meant) == (complete, piece)


@pytest.mark.law("L182", "L195")
@pytest.mark.parametrize(
    ("one", "other", "agree", "one_says_all", "other_says_all"),
    [
        ("e4", "e4", True, True, True),
        ("e4", "e3", False, False, False),
        ("e4", "e2e4", True, False, False),  # which pawn, and that it is one: each leaves something out
        ("Nf3", "Ng1f3", True, False, True),
        ("Ng1f3", "g1f3", True, True, False),
        ("Nf3", "g1f3", True, False, False),
        ("Nf3", "Bf3", False, False, False),
        ("Nf3", "f3", False, False, False),
        ("Ng1f3", "Nd2f3", False, False, False),
        ("g1f3", "d2f3", False, False, False),
        ("e8=Q", "e8=N", False, False, False),
        ("e8=Q", "e8", False, False, False),
        ("e7e8=Q", "e8=Q", True, True, False),
        ("O-O", "O-O", True, True, True),
        ("O-O", "O-O-O", False, False, False),
        ("O-O", "Kg1", False, False, False),
    ],
)
def test_whether_two_announcements_may_be_of_one_move(
    one: str, other: str, agree: bool, one_says_all: bool, other_says_all: bool
) -> None:
    first, second = said(one), said(other)
    assert first.agrees_with(second) is second.agrees_with(first) is agree
    assert (first.says_all_of(second), second.says_all_of(first)) == (one_says_all, other_says_all)


@pytest.mark.law("L104", "L109")
@pytest.mark.parametrize("text", ["Nc3", None])
def test_what_a_claimant_says_goes_to_the_arbiter_alone_whole(text: str | None) -> None:
    """Once the intended move is stated, or while the sound names no move."""
    table = CoreTable()
    assert not private_ear(table.state, Seat.WHITE)
    table.done("white", cmd.Propose(what="claim_draw"))
    assert private_ear(table.state, Seat.WHITE) and not private_ear(table.state, Seat.BLACK)
    if text:
        table.say("white", "Nf3")
    words = said(text) if text else None
    heard = cmd.Say(announcement=words, words=("a",), text="b", unclear="file", utterance="u1", origin=Origin.HEARD)
    table.wait(500)
    assert table.done("white", heard) == (
        ev.SaidToArbiter(
            at=table.now,
            seat=Seat.WHITE,
            speech=Speech(announcement=words, words=("a",), text="b", unclear="file", utterance="u1"),
        ),
    )


@pytest.mark.law("L183")
@pytest.mark.parametrize(
    ("words", "open"),
    [
        ("e8", True), ("e1", True), ("e7", False), ("e8=Q", False), ("Ne8", False), ("O-O", False), ("e7e8", False),
    ],
)  # fmt: skip
def test_a_pawn_on_a_last_rank_without_its_new_piece_leaves_it_open(words: str, open: bool) -> None:
    """Of two squares alone nobody knows that a pawn goes there: it is not asked about."""
    assert said(words).leaves_promotion_open is open
