"""The results of a game and their points (10.1, 10.2, 11.7; L115, L116, L129)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from server.game.laws.event_options import Points
from server.game.values.words import Seat

Score = Literal["win", "draw", "loss", "forfeit_win", "forfeit_loss"]
SCHEMES: dict[Points, dict[Score, Fraction]] = {
    Points.ONE: {
        "win": Fraction(1),
        "draw": Fraction(1, 2),
        "loss": Fraction(0),
        "forfeit_win": Fraction(1),
        "forfeit_loss": Fraction(0),
    },
    Points.THREE: {
        "win": Fraction(3),
        "draw": Fraction(1),
        "loss": Fraction(0),
        "forfeit_win": Fraction(3),
        "forfeit_loss": Fraction(0),
    },
}
# Every result: what White gets, what Black gets. The uneven ones are set by the arbiter (11.7, 11.8, 12.9).
RESULTS: dict[str, tuple[Score, Score]] = {
    "1-0": ("win", "loss"),
    "0-1": ("loss", "win"),
    "1/2-1/2": ("draw", "draw"),
    "0-0": ("loss", "loss"),
    "1/2-0": ("draw", "loss"),
    "0-1/2": ("loss", "draw"),
    "+/-": ("forfeit_win", "forfeit_loss"),
    "-/+": ("forfeit_loss", "forfeit_win"),
    "-/-": ("forfeit_loss", "forfeit_loss"),
}


class GamePoints(msgspec.Struct, frozen=True):
    """Points of both players for one game."""

    white: Fraction
    black: Fraction


def points_of(result: str, scheme: Points) -> GamePoints:
    """Return the points of a result. Raises ValueError for a code that is no result.

    >>> points_of("1/2-1/2", Points.ONE).white
    Fraction(1, 2)
    """
    if result not in RESULTS:
        raise ValueError(f'"{result}" is no result; choose one of {", ".join(RESULTS)}')
    white, black = RESULTS[result]
    return GamePoints(SCHEMES[scheme][white], SCHEMES[scheme][black])


def may_be_given(points: GamePoints, scheme: Points) -> bool:
    """Return whether these points may be given for one game (10.2).

    Each must be one that a game normally gives (no 3/4 to 1/4), and both together not more than a game normally gives.
    """
    values = set(SCHEMES[scheme].values())
    return points.white in values and points.black in values and points.white + points.black <= max(values)


def lost_by(seat: Seat) -> str:
    """Return the result where this player loses and the opponent wins."""
    return "0-1" if seat is Seat.WHITE else "1-0"


def lost_with_score(loser: Seat, opponents: Score) -> str:
    """Return the result where a player loses by penalty and the arbiter has set the opponent's score.

    See 11.7, 12.9.6. Raises ValueError where no game ends like that.
    """
    pair: tuple[Score, Score] = ("loss", opponents) if loser is Seat.WHITE else (opponents, "loss")
    for code, scores in RESULTS.items():
        if scores == pair:
            return code
    raise ValueError(f'the opponent of a player who loses by penalty cannot have "{opponents}"')
