"""This module finds which ply explains the boards, and what to ask of the scores (D.2.9).

This is the two-minute way. The first hypothesis to exclude is that both boards agree and only the server is wrong
(`out_of_step`, G13). Otherwise each board that differs is explained by one ply. The arbiter is asked for a few lines
of both scores: the whole moves around these plies.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.scoresheets.reconcile.boards import BoardDifference, Followed, History, compare_board, differing, follow
from server.scoresheets.reconcile.explanations import (
    ExplainingCosts,
    Explanation,
    Where,
    board_wrong,
    ranked,
    server_wrong,
)
from speech.complaint import Complaint, Phrase

MOST_PLIES = 6
"""The most plies asked for; in both scores together that is twelve cells, one screen."""

MOST_EXPLANATIONS = 12
BOTH_WRONG = 2.0
"""The cost added where the server and one board are both wrong, in nats."""


class FirstLook(msgspec.Struct, frozen=True):
    """A `FirstLook` is what the boards alone say.

    `alike`: both boards show the same. `out_of_step`: they do, and not what the server has. `boards`: White's and
    Black's board against the server's position. `explanations`: the likeliest first; empty: no one ply explains it.
    `lines`: the plies to ask for from both scores, ascending, at most six; empty where whole sheets are needed, or
    nothing is to be asked.
    """

    alike: bool
    out_of_step: bool
    boards: tuple[BoardDifference, BoardDifference]
    explanations: tuple[Explanation, ...]
    lines: tuple[int, ...]


def look(history: History, placements: tuple[str, str], costs: ExplainingCosts) -> FirstLook:
    """Explain what White's and Black's boards show (placements) by one ply of the server's game.

    Raises Complaint for a placement or a start that is none.
    """
    followed = follow(history)
    last = followed.boards[-1]
    boards = (
        compare_board(placements[0], last, "White's board"),
        compare_board(placements[1], last, "Black's board"),
    )
    shown = [shown_on(placement) for placement in placements]
    alike = not differing(shown[0], shown[1])
    out_of_step = alike and boards[0].deviates
    explanations = ranked(_explanations(followed, shown, costs))[:MOST_EXPLANATIONS]
    return FirstLook(alike, out_of_step, boards, explanations, _lines(explanations, followed))


def shown_on(placement: str) -> chess.BaseBoard:
    """Return a placement (or a FEN) as a board. Raises Complaint."""
    words = placement.split()
    try:
        return chess.BaseBoard(words[0] if words else "")
    except ValueError as wrong:
        raise Complaint(Phrase("no_placement", placement=repr(placement[:90]))) from wrong


def _explanations(followed: Followed, shown: Sequence[chess.BaseBoard], costs: ExplainingCosts) -> list[Explanation]:
    last = followed.boards[-1]
    deviating = [bool(differing(board, last)) for board in shown]
    if not differing(shown[0], shown[1]):
        return list(server_wrong(followed, shown[0], costs))
    found: list[Explanation] = []
    sides: tuple[Where, Where] = ("white", "black")
    for board, where, deviates in zip(shown, sides, deviating, strict=True):
        if not deviates:
            continue
        found += board_wrong(followed, board, where, costs)
        if all(deviating):
            for each in server_wrong(followed, board, costs):
                found.append(msgspec.structs.replace(each, cost=each.cost + BOTH_WRONG))
    return found


def _lines(explanations: Sequence[Explanation], followed: Followed) -> tuple[int, ...]:
    """Return the whole moves of the likeliest explanations.

    The lines that are left go to the moves around the first explanation. Where nothing explains the boards and the
    server has lost the thread, they are the moves around that ply.
    """
    asked: list[int] = []
    around = (explanations[0].ply + 2, explanations[0].ply - 2) if explanations else _around_the_lost(followed)
    for ply in (*(each.ply for each in explanations), *around):
        first = ply - (ply + 1) % 2
        for each in (first, first + 1):
            if 0 < each <= followed.plies + 1 and each not in asked and len(asked) < MOST_PLIES:
                asked.append(each)
    return tuple(sorted(asked))


def _around_the_lost(followed: Followed) -> tuple[int, ...]:
    """Return the first ply whose move is not known or not legal, with the moves before it."""
    lost = next((ply for ply, move in enumerate(followed.moves, 1) if move is None), None)
    return (lost, lost - 2, lost - 4) if lost is not None else ()
