"""What is asked about the scores: on what they are kept, and looking at the opponent's (8.1.1, 8.5.2)."""

from __future__ import annotations

from server.game.acts.base import Body
from server.game.laws.scoresheet_2 import Scoresheet
from server.game.values.words import Seat


class RecordScoresheet(Body, frozen=True, kw_only=True):
    """The arbiter records on what a player keeps his score (8.1.1, 8.1.6, D.2.7)."""

    seat: Seat
    sheet: Scoresheet


class LendScore(Body, frozen=True, kw_only=True):
    """The arbiter lets a player who must complete his score have the opponent's read to him on his own move (8.5.2)."""

    to: Seat


class ReturnScore(Body, frozen=True, kw_only=True):
    """The player gives the opponent's score back (8.5.2)."""
