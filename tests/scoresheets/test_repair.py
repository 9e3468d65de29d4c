"""Going back where the likely game goes astray: what it is worth on games and slips of chance."""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess
import pytest

from server.desk.loading import load_slip_costs, writings
from server.scoresheets.cell import Cell
from server.scoresheets.language import read_sheet
from server.scoresheets.reconcile import decoder
from server.scoresheets.reconcile.decoder import decode
from server.scoresheets.sheet import sheet_of

COSTS, WAYS = load_slip_costs(), writings()
PLIES = 44
SLIP = 0.15
SEEDS = range(8, 16)


def game_of_chance(chance: random.Random) -> list[chess.Move]:
    """Legal moves drawn at random."""
    board = chess.Board()
    moves: list[chess.Move] = []
    while len(moves) < PLIES and not board.is_game_over():
        moves.append(chance.choice(sorted(board.legal_moves, key=str)))
        board.push(moves[-1])
    return moves


def slipped(board: chess.Board, move: chess.Move, chance: random.Random) -> str:
    """A cell that is wrong: half of them another legal move from there or to there."""
    kind = chance.random()
    near = [
        each
        for each in sorted(board.legal_moves, key=str)
        if each != move and (each.to_square == move.to_square or each.from_square == move.from_square)
    ]
    if kind < 0.5 and near:
        return board.san(chance.choice(near))
    return "-" if kind < 0.75 else chance.choice("abcdefgh") + chance.choice("12345678")


def two_scores(moves: Sequence[chess.Move], chance: random.Random) -> tuple[Sequence[Cell], Sequence[Cell]]:
    """Both scores with slips; in most pairs the first one leaves out one to three plies."""
    scores = []
    for _ in range(2):
        board, cells = chess.Board(), []
        for move in moves:
            cells.append(slipped(board, move, chance) if chance.random() < SLIP else board.san(move))
            board.push(move)
        scores.append(cells)
    if chance.random() < 0.7:
        at = chance.randrange(6, len(moves) - 10)
        del scores[0][at : at + chance.choice([1, 2, 3])]
    first, second = (read_sheet(sheet_of(cells), WAYS["en"]) for cells in scores)
    return first, second


def likeliest(first: Sequence[Cell], second: Sequence[Cell]) -> tuple[float, list[chess.Move]]:
    """What the cheapest line costs (nats), and its moves."""
    lattice = decode(first, second, chess.Board(), COSTS)
    cost, plies, index = min(
        (lattice.layers[end.plies][end.node].cost + end.cost, end.plies, end.node) for end in lattice.endings
    )
    moves: list[chess.Move] = []
    for ply in range(plies, 0, -1):
        edge = lattice.layers[ply][index].edges[0]
        moves.append(edge.move)
        index = edge.parent
    return cost, moves[::-1]


def test_going_back_finds_lines_that_the_search_had_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it a line that is wrong goes on to the end, dearer at every ply; two of these eight games are lost so."""
    pairs = []
    for seed in SEEDS:
        chance = random.Random(f"astray {seed}")
        moves = game_of_chance(chance)
        pairs.append((moves, *two_scores(moves, chance)))
    with_it = [likeliest(first, second) for _, first, second in pairs]
    monkeypatch.setattr(decoder._Decoder, "_is_lost", lambda *_: False)
    without = [likeliest(first, second) for _, first, second in pairs]

    def right(found: list[tuple[float, list[chess.Move]]]) -> int:
        return sum(
            sum(one == other for one, other in zip(moves, line, strict=False))
            for (moves, _, _), (_, line) in zip(pairs, found, strict=True)
        )

    gains = [before - after for (after, _), (before, _) in zip(with_it, without, strict=True)]
    assert min(gains) > -1.0 and sum(gains) > 50.0, gains
    assert right(with_it) >= right(without) + 10, (right(with_it), right(without))
