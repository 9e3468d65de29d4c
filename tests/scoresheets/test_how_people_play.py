"""How likely people play a move settles what two scores leave open, and nothing that the Laws decide."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import chess
import pytest

from server.desk.loading import load_playing, load_slip_costs
from server.scoresheets.cell import Writing
from server.scoresheets.language import read_sheet
from server.scoresheets.likelihood import GROUPS, Before, PlayingCounts
from server.scoresheets.reconcile.compare import Reconciliation, compare
from server.scoresheets.sheet import sheet_of

RUY = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "f6"]


def compared(first: list[str], second: list[str], ways: Mapping[str, Writing], **more: Any) -> Reconciliation:
    cells = [read_sheet(sheet_of(score), ways["en"]) for score in (first, second)]
    return compare(cells[0], cells[1], chess.Board(), costs=load_slip_costs(), **more)


def test_the_surprises_of_a_position_are_probabilities_of_its_legal_moves() -> None:
    board = chess.Board("r1bqkbnr/1pp2ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4")
    surprises = load_playing().surprises(board, Before(chess.C6, True, chess.A6))
    assert set(surprises) == set(board.legal_moves)
    assert math.isclose(sum(math.exp(-each) for each in surprises.values()), 1.0)
    assert min(surprises, key=lambda move: surprises[move]) == chess.Move.from_uci("b7c6"), "who was taken takes back"


def test_a_piece_is_seldom_left_to_be_taken() -> None:
    board = chess.Board("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3")
    surprises = load_playing().surprises(board, Before(chess.F6, False, chess.C3))
    assert surprises[chess.Move.from_uci("d1g4")] > surprises[chess.Move.from_uci("d1e2")] + 1.0


@pytest.mark.law("L197")
def test_where_the_scores_differ_the_likelier_move_is_proposed_and_the_law_decides_as_before(
    ways: Mapping[str, Writing],
) -> None:
    other = [*RUY[:7], "f5", *RUY[8:9], "Nf6"]
    without = compared(RUY[:9], other[:9], ways)
    found = compared(RUY[:9], other[:9], ways, playing=load_playing())
    assert found.game[7] == "d7c6"
    assert found.confidence[7] > without.confidence[7] + 0.2, "who was taken takes back"
    same = ("verdict", "agree_plies", "position", "back", "gaps")
    assert [getattr(found, name) for name in same] == [getattr(without, name) for name in same]
    assert found.verdict == "differ" and found.agree_plies == 7
    assert 8 in [question.ply for question in found.questions], "the arbiter is asked all the same"


def test_what_both_scores_say_stands_however_strange(ways: Mapping[str, Writing]) -> None:
    strange = ["f3", "e5", "g4", "a6", "Kf2", "Qh4+", "Kg2", "Ke7"]
    found = compared(strange, strange, ways, playing=load_playing())
    assert " ".join(found.game) == "f2f3 e7e5 g2g4 a7a6 e1f2 d8h4 f2g2 e8e7"


def test_one_score_alone_says_no_move_for_certain(ways: Mapping[str, Writing]) -> None:
    """`g4` for `f4` is legal; what is written afterwards says that it was a slip."""
    alone = ["e4", "e5", "g4", "exf4", "Nf3", "g5", "h4", "g4", "Ne5", "Nf6"]
    found = compared(alone, [], ways, playing=load_playing())
    assert found.game[2:4] == ("f2f4", "e5f4")
    assert len(found.game) == 10


def test_one_clean_score_alone_is_read_as_it_stands(ways: Mapping[str, Writing]) -> None:
    found = compared(RUY, [], ways, playing=load_playing())
    board = chess.Board()
    assert found.game == tuple(board.push_san(san).uci() for san in RUY)


def test_a_missing_group_is_refused_by_name() -> None:
    whole = {name: (0.0,) * length for name, length in GROUPS.items()}
    assert PlayingCounts(whole, 0.7).strength == 0.7
    with pytest.raises(ValueError, match=r"groups\.takes needs 8 numbers"):
        PlayingCounts(whole | {"takes": (0.0,)}, 0.7)
