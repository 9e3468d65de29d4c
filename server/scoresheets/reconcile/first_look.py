"""The first look of the desk: the ply that explains the boards, and what to ask of the scores (D.2.9).

This is the two-minute way. The first hypothesis to exclude is that both boards agree and only the server is wrong
(`out_of_step`, G13). Otherwise each board that differs is explained by one ply. The arbiter is asked for a few lines
of both scores: the whole moves around these plies.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.scoresheets.reconcile.boards import (
    BoardDifference,
    Followed,
    History,
    compare_board,
    follow,
    shown_on,
    shown_where_differing,
)
from server.scoresheets.reconcile.explanations import (
    ExplainingCosts,
    Explanation,
    Where,
    board_wrong,
    rank_explanations,
    server_wrong,
)
from server.scoresheets.reconcile.settlement import settle

MOST_EXPLANATIONS = 12
BOTH_WRONG = 2.0
"""The cost added where the server and one board are both wrong, in nats."""


class FirstLook(msgspec.Struct, frozen=True):
    """Findings from the boards alone.

    `alike`: both boards show the same. `out_of_step`: they do, and not what the server has. `boards`: White's and
    Black's board against the server's position. `explanations`: the likeliest first; empty: no one ply explains it.
    `lines`: the plies to ask for first from both scores, ascending; empty where nothing is to be asked.
    """

    alike: bool
    out_of_step: bool
    boards: tuple[BoardDifference, BoardDifference]
    explanations: tuple[Explanation, ...]
    lines: tuple[int, ...] = ()


def find_first_look(history: History, placements: tuple[str, str], costs: ExplainingCosts) -> FirstLook:
    """Explain what White's and Black's boards show (placements) by one ply of the server's game, and ask for lines.

    Raises Complaint for a placement or a start that is none.
    """
    seen = look_at_boards(history, placements, costs)
    return msgspec.structs.replace(seen, lines=settle(history, placements, {}, costs).asks)


def look_at_boards(history: History, placements: tuple[str, str], costs: ExplainingCosts) -> FirstLook:
    """Explain what both boards show, as `find_first_look` does, and ask for nothing."""
    followed = follow(history)
    last = followed.boards[-1]
    boards = (
        compare_board(placements[0], last, "White's board"),
        compare_board(placements[1], last, "Black's board"),
    )
    shown = [shown_on(placement) for placement in placements]
    alike = not shown_where_differing(shown[0], shown[1])
    out_of_step = alike and boards[0].deviates
    explanations = rank_explanations(_explanations(followed, shown, costs))[:MOST_EXPLANATIONS]
    return FirstLook(alike, out_of_step, boards, explanations)


def _explanations(followed: Followed, shown: Sequence[chess.BaseBoard], costs: ExplainingCosts) -> list[Explanation]:
    last = followed.boards[-1]
    deviating = [bool(shown_where_differing(board, last)) for board in shown]
    if not shown_where_differing(shown[0], shown[1]):
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
