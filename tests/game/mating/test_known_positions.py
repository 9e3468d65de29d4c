"""The corpus of positions with known answers (`corpus/known.txt`): never a wrong one, and decided where it says so."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from server.game.mating import Budget, can_ever_mate, dead_position
from server.game.values.position import Position
from server.game.values.words import Seat

CORPUS = Path(__file__).parent / "corpus" / "known.txt"
ENOUGH = Budget(20_000)
BEYOND = Budget(2_000)


def known() -> list[tuple[str, str, str, str]]:
    """Answer (two letters and perhaps a "?"), FEN, source and reason of every line."""
    lines = [line.strip() for line in CORPUS.read_text("utf-8").splitlines()]
    parts = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(answer, f"{fen} 0 1", source, why) for answer, fen, source, why in parts]


CASES = [pytest.param(*case, id=case[1]) for case in known()]


def test_the_corpus_is_whole() -> None:
    cases = known()
    assert len(cases) >= 75
    for answer, fen, source, why in cases:
        assert answer.rstrip("?") in {"WB", "W-", "-B", "--"} and source in {"law", "own", "CHA"} and why
        assert chess.Board(fen).king(chess.WHITE) is not None, fen
    assert len({fen for _, fen, _, _ in cases}) == len(cases)


@pytest.mark.law("L008", "L046", "L065")
@pytest.mark.parametrize(("answer", "fen", "source", "why"), CASES)
def test_known_position(answer: str, fen: str, source: str, why: str) -> None:
    position = Position.from_fen(fen)
    beyond = answer.endswith("?")
    for seat, letter in zip(Seat, answer, strict=False):
        found = can_ever_mate(position, seat, BEYOND if beyond else ENOUGH)
        truth = "no" if letter == "-" else "yes"
        assert found.verdict == truth or (beyond and found.verdict == "unknown"), f"{seat}, {why} ({source}): {found}"
        if found.verdict == "yes":
            board = position.board()
            for uci in found.witness:
                move = board.parse_uci(uci)  # raises where it is not legal
                board.push(move)
            assert board.is_checkmate() and (board.turn == chess.BLACK) == (seat is Seat.WHITE)
        else:
            assert found.witness == () and found.said


@pytest.mark.law("L008", "L046")
def test_dead_where_neither_can_mate() -> None:
    dead = [fen for answer, fen, _, _ in known() if answer == "--"]
    alive = [fen for answer, fen, _, _ in known() if answer in {"WB", "W-", "-B"}]
    assert {dead_position(Position.from_fen(fen), ENOUGH).verdict for fen in dead} == {"yes"}
    assert {dead_position(Position.from_fen(fen), ENOUGH).verdict for fen in alive[:20]} == {"no"}
