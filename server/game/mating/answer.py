"""The answer to "can this player ever mate?", and the budget it may cost.

See 5.1.2, 5.2.2, 6.9. It also knows the men that can mate in no position at all, whatever the other side has (6.9).
"""

from __future__ import annotations

from typing import Literal

import chess
import msgspec

from server.game.values.saying import Saying, saying

Verdict = Literal["yes", "no", "unknown"]


class Answer(msgspec.Struct, frozen=True):
    """Verdict, and what it rests on.

    A "yes" has its proof in `witness`: the moves of both sides in UCI, played from the position asked about, the last
    of which is the mate (empty where the mate stands on the board). A "no" names in `said` the argument that excludes
    every mate. An "unknown" says in `said` why nothing was proved; the arbiter decides.
    """

    verdict: Verdict
    witness: tuple[str, ...] = ()
    said: Saying | None = None


class Budget(msgspec.Struct, frozen=True):
    """Number of positions that may be generated. No time is measured, so an answer is repeatable."""

    nodes: int


DEFAULT = Budget(nodes=40_000)
_BARE, _KNIGHT, _BISHOPS = saying("mate_bare"), saying("mate_knight"), saying("mate_bishops")


def why_never(board: chess.Board, side: chess.Color) -> Saying | None:
    """Return why the men of `side` cannot mate on any placement of the men on this board.

    It is None where this does not settle the question.

    `tests/game/mating/test_material_facts.py` shows each reason by going through the placements:

    - a bare king gives no check;
    - a knight alone mates only a king shut in by its own pawns, knights, bishops or rooks (a queen beside
      its king always reaches the knight);
    - bishops of one colour of squares cannot take the squares of the other colour beside the king: the king must be
      shut in by pawns, knights or bishops of that other colour.

    Captures only take men away, so what holds for these men holds for all that can become of them.
    """
    mine = board.occupied_co[side]
    theirs = board.occupied_co[not side]
    if mine == mine & board.kings:
        return _BARE
    if mine & (board.pawns | board.rooks | board.queens):
        return None
    if mine & board.knights:
        alone = chess.popcount(mine) == 2
        if alone and not theirs & (board.pawns | board.knights | board.bishops | board.rooks):
            return _KNIGHT
        return None
    one_colour = not board.bishops & chess.BB_DARK_SQUARES or not board.bishops & chess.BB_LIGHT_SQUARES
    if one_colour and not theirs & (board.pawns | board.knights):
        return _BISHOPS
    return None
