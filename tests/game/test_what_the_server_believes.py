"""What a ply is believed to be, source by source, and what stands on a board by words alone.

Two knights can go to d2 from b1 and f3; where words leave that open, a later source settles it, and only one of theirs.
"""

from __future__ import annotations

from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.belief import belief_question, most_probable_line
from server.game.game import Game
from server.game.state.line import (
    PlyRecord,
    announced_on,
    believed_line,
    believed_move,
    hand_differs,
    has_same_grounds,
)
from server.game.values.position import Position
from server.game.values.words import Seat
from tests.game.core_table import only, played, said

TWO_KNIGHTS = Position.from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")


def record(**known: Any) -> PlyRecord:
    return PlyRecord(index=1, seat=Seat.WHITE, **known)


@pytest.mark.parametrize(
    ("known", "uci"),
    [
        ({}, None),
        ({"seen_on_other_board": "b1c3"}, "b1c3"),
        ({"announcement": said("Nd2")}, None),
        ({"announcement": said("Nd2"), "seen_on_other_board": "f3d2"}, "f3d2"),
        ({"announcement": said("Nd2"), "seen_on_other_board": "b1c3"}, None),
        ({"announcement": said("Nd2"), "echo": said("Nb1d2")}, "b1d2"),
        ({"announcement": said("Nd2"), "echo": said("Nb1d2"), "echo_agrees": False}, None),
        ({"announcement": said("Nd2"), "repeated": said("Nf3d2")}, "f3d2"),
        ({"announcement": said("Nd2"), "repeated": said("Nf3d2"), "seen_on_other_board": "b1d2"}, "b1d2"),
        ({"echo": said("Nc3")}, "b1c3"),
        ({"announcement": said("Nc3"), "echo": said("Nh4")}, "b1c3"),
        ({"announcement": said("Nc3"), "entered": "f3h4"}, "f3h4"),
        ({"announcement": said("Nc3"), "entered": "f3h4", "mended": "e1e2"}, "e1e2"),
        ({"announcement": said("Nc3"), "entered": "f3h4", "believed": "f3h4", "unknown": True}, None),
    ],
)
def test_a_mend_outweighs_an_entry_an_entry_the_words_the_words_an_echo(known: dict[str, Any], uci: str | None) -> None:
    assert believed_move(record(**known), TWO_KNIGHTS) == uci


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("announcement", said("Nc3")), ("repeated", said("Nc3")), ("echo", said("Nc3")), ("echo_agrees", True),
        ("entered", "b1c3"), ("seen_on_other_board", "b1c3"), ("mended", "b1c3"), ("unknown", True),
        ("believed", "b1c3"),
    ],
)  # fmt: skip
def test_a_belief_rests_on_words_hands_and_mends_and_not_on_times(name: str, value: Any) -> None:
    assert has_same_grounds(record(made_ms=1, utterance="u1"), record(completed_ms=2))
    assert not has_same_grounds(record(**{name: value}), record())


@pytest.mark.parametrize(
    ("known", "own_board", "other_board"),
    [
        ({"announcement": said("Nd2")}, None, None),
        ({"announcement": said("Nd2"), "seen_on_other_board": "f3d2"}, "f3d2", None),
        ({"announcement": said("Nd2"), "seen_on_other_board": "b1c3"}, None, None),
        ({"announcement": said("Nd2"), "echo": said("Nb1d2")}, "b1d2", "b1d2"),
        ({"announcement": said("Nd2"), "repeated": said("Nf3d2")}, "f3d2", "f3d2"),
        ({"announcement": said("Nc3"), "echo": said("Nh4"), "echo_agrees": False}, "b1c3", "f3h4"),
        ({"announcement": said("Nc3"), "seen_on_other_board": "f3h4"}, "b1c3", "b1c3"),
        ({"announcement": said("Nb1d2"), "echo": said("Nd2")}, "b1d2", "b1d2"),
    ],
)
def test_each_board_follows_the_words_said_to_it(
    known: dict[str, Any], own_board: str | None, other_board: str | None
) -> None:
    made = record(**known)
    assert announced_on(made, TWO_KNIGHTS, by_echo=False) == own_board
    assert announced_on(made, TWO_KNIGHTS, by_echo=True) == other_board


@pytest.mark.law("L182", "L189")
@pytest.mark.parametrize(
    ("known", "same", "other"),
    [
        ({}, "b1d2 f3d2", ""),
        ({"announcement": said("Nd2")}, "b1d2 f3d2", "b1c3"),
        ({"announcement": said("Nd2"), "repeated": said("Nf3d2")}, "f3d2", "b1d2"),
        ({"announcement": said("Nc3")}, "b1c3", "b1d2 f3c3"),
        ({"echo": said("Nc3")}, "b1c3", "f3h4"),  # nothing was heard of the announcement
        ({"announcement": said("Nc3"), "echo": said("Nh4"), "echo_agrees": False}, "b1c3", "f3h4"),
    ],
)
def test_which_move_of_the_hand_is_another_than_the_announced_one(known: dict[str, Any], same: str, other: str) -> None:
    assert not any(hand_differs(record(**known), uci, TWO_KNIGHTS) for uci in same.split())
    assert all(hand_differs(record(**known), uci, TWO_KNIGHTS) for uci in other.split())


@pytest.mark.parametrize(
    ("known", "on_words"),
    [
        ({}, True),
        ({"announcement": said("Nc3")}, True),
        ({"announcement": said("Nc3"), "echo_agrees": False}, True),
        ({"announcement": said("Nc3"), "echo_agrees": True}, False),
        ({"echo": said("Nc3")}, True),
        ({"entered": "b1c3"}, False),
        ({"mended": "b1c3"}, False),
        ({"announcement": said("Nc3"), "echo_agrees": True, "entered": "f3h4", "hand_differs": True}, False),
        ({"announcement": said("Nc3"), "echo_agrees": False, "entered": "f3h4", "hand_differs": True}, False),
    ],
)
def test_a_move_rests_on_words_alone_until_a_hand_a_mend_or_the_echo_confirms_it(
    known: dict[str, Any], on_words: bool
) -> None:
    assert record(**known).rests_on_words is on_words


def test_who_repeats_the_announcement_in_as_many_words_or_in_fewer_has_said_nothing_new() -> None:
    twice = record(announcement=said("Nd2"), repeated=said("Nf3d2"))
    assert [twice.has_said(said(text)) for text in ("Nd2", "Nf3d2", "Nb1d2", "Nc3")] == [True, True, False, False]
    assert not record().has_said(said("Nd2"))


@pytest.mark.parametrize("turn", ["w", "b"])
def test_whose_turn_a_board_thinks_it_is_does_not_matter_to_the_words(turn: str) -> None:
    """A board that missed a move stands with the other side to move; White's words move White's men."""
    behind = Position.from_fen(f"1n2k3/8/8/8/8/8/8/1N2K3 {turn} - - 0 1")
    white = record(announcement=said("Nc3"))
    black = PlyRecord(index=2, seat=Seat.BLACK, announcement=said("Nc6"))
    assert announced_on(white, behind, by_echo=False) == "b1c3"
    assert announced_on(black, behind, by_echo=False) == "b8c6"


def test_the_thread_ends_where_a_move_is_not_known_and_mends_are_kept_beyond() -> None:
    start = Position.from_fen(chess.STARTING_FEN)
    plies = (
        PlyRecord(index=1, seat=Seat.WHITE, announcement=said("e4")),
        PlyRecord(index=2, seat=Seat.BLACK),
        PlyRecord(index=3, seat=Seat.WHITE, mended="g1f3"),
    )
    line, positions = believed_line(start, plies)
    assert line == ("e2e4", None, "g1f3") and len(positions) == 2
    broken = (PlyRecord(index=1, seat=Seat.WHITE, mended="e4e5"),)
    assert believed_line(start, broken) == ((None,), (start,)), "from an empty square nothing is moved"


@pytest.mark.law("L197")
def test_a_move_that_the_arbiter_makes_unknown_is_unknown_and_so_is_all_that_follows() -> None:
    """Whatever was said of it (G13): until it is mended with a move."""
    table = played("e4", "e5", "Nf3")
    line = table.state.moves.line
    table.done("arbiter", cmd.Mend(ply=2, uci=None))
    assert table.state.moves.line == ("e2e4", None, None) and table.state.position is None
    table.say("black", "Nc6", act="announce")
    assert table.state.moves.line[1:] == (None, None, None)
    question = belief_question(table.state)
    plies = () if question is None else most_probable_line(question)
    about = "" if question is None else question.digest
    noted = tuple(cmd.PlyBelieved(ply=one.ply, uci=one.uci, confidence=one.confidence) for one in plies)
    table.own(cmd.NoteBelief(about=about, plies=noted))
    assert not only(table.events, ev.BeliefRevised), "nothing that was heard makes it known again"
    assert Game.replay(table.events) == table.state
    table.done("arbiter", cmd.Mend(ply=2, uci="e7e5"))
    assert table.state.moves.line == (*line, "b8c6")


def test_an_older_record_without_the_mark_gave_the_ply_back_to_its_words() -> None:
    table = played("e4", "e5")
    table.done("arbiter", cmd.Mend(ply=2, uci="d7d5"))
    old = Game.replay([*table.events, ev.GameMended(at=table.now, ply=2, uci=None)])
    assert old.moves.line == ("e2e4", "e7e5")
