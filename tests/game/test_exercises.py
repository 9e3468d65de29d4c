"""Exercises: every task has one right answer that geometry or the rules of mate give, and a wrong one is wrong."""

from __future__ import annotations

import tomllib
from importlib import resources

import chess
import pytest

from server.game.exercises import (
    KINDS,
    Kind,
    Progress,
    Reply,
    Score,
    Task,
    is_light,
    is_right,
    mating_moves,
    on_move,
    piece_on,
    task_of,
    with_task,
)
from server.game.state.line import resolve
from server.game.values.announcement import Announcement
from server.game.values.words import Seat

POSITIONS = tuple(
    tomllib.loads(resources.files("config").joinpath("games", "endings.toml").read_text("utf-8"))["positions"]
)


def test_every_position_of_the_file_is_legal_and_can_be_mated_at_once() -> None:
    for fen in POSITIONS:
        assert chess.Board(fen).is_valid() and mating_moves(fen), fen


ROWS = tuple(f"{'8/' * row}kqrbnKQR{'/8' * (7 - row)} w - - 0 1" for row in range(8))
OF_OLD = {
    "names": Task(kind="names", square="c4"),
    "colours": Task(kind="colours", square="h3"),
    "reading": Task(kind="reading", fen=ROWS[1], square="b7"),
    "announcing": Task(kind="announcing", piece="rook", move="a2c2"),
    "endings": Task(kind="endings", fen=ROWS[7], square="g1"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_tasks_are_the_same_for_the_same_seed_and_vary(kind: Kind) -> None:
    tasks = [task_of(kind, "seed", number, POSITIONS) for number in range(40)]
    assert len({(one.square, one.fen, one.move) for one in tasks}) > 5
    assert task_of(kind, "seed", 7, ROWS) == OF_OLD[kind], "who gives a seed again has the same exercise again"


def test_what_is_right_and_what_is_wrong() -> None:
    name, colour = Task(kind="names", square="c5"), Task(kind="colours", square="e4")
    assert is_right(name, Reply(file="c")) and not is_right(name, Reply(file="d")) and not is_right(name, Reply())
    assert is_light("e4") and is_right(colour, Reply(light=True)) and not is_right(colour, Reply(light=None))
    assert sum(is_light(chess.square_name(at)) for at in chess.SQUARES) == 32
    reading = Task(kind="reading", fen=POSITIONS[0], square="a1")
    assert piece_on(reading) == "rook"
    assert is_right(reading, Reply(piece="rook")) and not is_right(reading, Reply(piece="king"))
    announcing = Task(kind="announcing", piece="knight", move="g1f3")
    right = Announcement(piece="knight", to_square="f3")
    assert is_right(announcing, Reply(announcement=right))
    promoting = Task(kind="announcing", piece="pawn", move="e7e8q")
    assert is_right(promoting, Reply(announcement=Announcement(to_square="e8", promotion="queen")))
    assert is_right(announcing, Reply(announcement=Announcement("knight", "g1", "f3")))
    assert not is_right(announcing, Reply(announcement=Announcement("knight", "e1", "f3")))
    assert not is_right(announcing, Reply(announcement=Announcement("bishop", None, "f3")))
    ending = Task(kind="endings", fen=POSITIONS[0])
    assert is_right(ending, Reply(announcement=Announcement("rook", None, "a8")))
    assert not is_right(ending, Reply(announcement=Announcement("rook", None, "a7"))), "no mate"
    assert not is_right(ending, Reply(announcement=Announcement("queen", None, "a8"))), "no such piece"
    assert resolve(Announcement("rook", None, "a8"), chess.Board(POSITIONS[0])).uci in mating_moves(POSITIONS[0])


def test_progress_counts_each_kind_apart() -> None:
    progress = with_task(with_task(Progress(), "names", right=True), "names", right=False)
    assert progress.of("names") == Score(asked=2, right=1) and progress.of("colours") == Score()


def test_results_stand_in_the_order_of_the_kinds_and_only_of_those_that_were_had() -> None:
    progress = with_task(
        with_task(with_task(Progress(), "endings", right=True), "names", right=False), "names", right=True
    )
    assert progress.in_order() == (("names", Score(2, 1)), ("endings", Score(1, 1)))
    assert Progress().in_order() == ()


def test_a_name_or_a_colour_is_asked_of_a_square_without_a_position() -> None:
    for kind in ("names", "colours"):
        task = task_of(kind, "seed", 1, POSITIONS)
        assert task == Task(kind=kind, square=task.square) and task.square in chess.SQUARE_NAMES


def test_the_piece_of_an_announcement_moves_as_its_name_says_and_all_four_come_up() -> None:
    tasks = [task_of("announcing", "seed", number, POSITIONS) for number in range(60)]
    for task in tasks:
        board, start = chess.Board(None), chess.parse_square(task.move[:2])
        board.set_piece_at(start, chess.Piece(chess.PIECE_NAMES.index(task.piece), chess.WHITE))
        assert chess.parse_square(task.move[2:]) in board.attacks(start), task
    assert {task.piece for task in tasks} == {"knight", "bishop", "rook", "queen"}


@pytest.mark.parametrize(("turn", "seat"), [("w", Seat.WHITE), ("b", Seat.BLACK)])
def test_who_is_to_move_in_a_position(turn: str, seat: Seat) -> None:
    assert on_move(f"4k3/8/8/8/8/8/8/4K3 {turn} - - 0 1") is seat
