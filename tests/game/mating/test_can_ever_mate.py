"""The face of the answer: what it carries, what it refuses, that it is repeatable and keeps to its budget."""

from __future__ import annotations

import chess
import msgspec
import pytest

from server.game.mating import DEFAULT, Answer, Budget, can_ever_mate, dead_position
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Seat


def ask(fen: str, seat: Seat, nodes: int = DEFAULT.nodes) -> Answer:
    return can_ever_mate(Position.from_fen(fen), seat, Budget(nodes))


@pytest.mark.law("L044", "L065", "L084", "L154")
def test_the_player_with_a_bare_king_wins_by_no_resignation_flag_or_illegal_move() -> None:
    fen = "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"
    assert ask(fen, Seat.BLACK) == Answer("no", said=saying("mate_bare"))
    assert ask(fen, Seat.WHITE).verdict == "yes"


def test_a_mate_on_the_board_is_its_own_witness() -> None:
    fen = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"
    assert ask(fen, Seat.WHITE) == Answer("yes", said=saying("mate_there"))
    assert ask(fen, Seat.BLACK).verdict == "no"


def test_stalemate_is_the_end() -> None:
    fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert [ask(fen, seat).verdict for seat in Seat] == ["no", "no"]


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
    ],
)
def test_a_position_outside_the_laws_is_left_to_the_arbiter(fen: str) -> None:
    """No king, the side not on move in check, a pawn on the last rank, two kings: hands can bring them about."""
    for seat in Seat:
        answer = ask(fen, seat)
        assert answer == Answer("unknown", said=saying("mate_outside"))
    assert dead_position(Position.from_fen(fen)).verdict == "unknown"


def test_too_small_a_budget_says_unknown_and_never_guesses() -> None:
    answer = ask("8/8/8/3p4/8/3k4/8/K2N4 w - - 0 1", Seat.WHITE, 30)
    assert answer == Answer("unknown", said=saying("mate_budget"))


def test_the_same_question_has_the_same_answer() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    assert ask(fen, Seat.BLACK) == ask(fen, Seat.BLACK)


def test_counters_do_not_matter() -> None:
    """The 75-move rule and the move number are no part of the question."""
    early, late = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 149 120"
    assert ask(early, Seat.WHITE) == ask(late, Seat.WHITE)


def test_no_position_comes_twice_in_a_witness() -> None:
    answer = ask("8/8/8/8/3k4/8/8/R3K3 w - - 0 1", Seat.WHITE)
    board = chess.Board("8/8/8/8/3k4/8/8/R3K3 w - - 0 1")
    seen = {board.epd()}
    for uci in answer.witness:
        board.push_uci(uci)
        assert board.epd() not in seen
        seen.add(board.epd())
    assert board.is_checkmate()


def test_castling_in_chess960_is_said_as_king_takes_rook() -> None:
    """Every move of the witness is UCI of the kind of game asked about."""
    position = Position.from_fen("1k6/8/8/8/8/8/8/R3K2R w KQ - 0 1", chess960=True)
    board = position.board()
    for uci in can_ever_mate(position, Seat.WHITE).witness:
        board.push(board.parse_uci(uci))
    assert board.is_checkmate()


@pytest.mark.law("L046")
def test_dead_needs_both_and_alive_shows_a_line() -> None:
    dead = dead_position(Position.from_fen("8/3k4/8/8/8/3K4/3N4/8 w - - 0 1"))
    assert dead == Answer("yes")
    alive = dead_position(Position.from_fen("8/3k4/8/8/8/3K4/3q4/8 w - - 0 1"))
    assert alive.verdict in {"no", "yes"}
    alive = dead_position(Position.from_fen("8/3k4/8/8/8/3K4/3R4/8 b - - 0 1"))
    assert alive.verdict == "no" and alive.witness


def test_a_king_that_must_take_the_last_man_leaves_a_dead_position() -> None:
    """Black is in check from a queen that only the king can take, and nothing is left after that."""
    assert dead_position(Position.from_fen("k7/1Q6/8/8/8/8/8/4K3 b - - 0 1")).verdict == "yes"


def test_answers_travel_as_json() -> None:
    answer = ask("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Seat.WHITE)
    assert msgspec.json.decode(msgspec.json.encode(answer), type=Answer) == answer
