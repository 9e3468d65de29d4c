"""When a player is asked to repeat, both sounds together settle the doubt; the position never does.

A player may also be asked which of two announcements it was ("Bella vier oder David vier?"). They are asked that once:
what is in doubt after it is read back or asked again. The verdict that asked is kept in memory, for one station, until
the player has spoken again, a move is made, half a minute is over or the player's scheme has changed. Which of two it
was may be answered after the player's own press too: the question may come after it. A restart forgets it; then the
second sound is judged by itself.
"""

from __future__ import annotations

import msgspec

from server.game.state.state import GameState
from server.game.values.words import Seat, Station
from server.game.views.seats.questions import may_ask
from speech.hearing.hearing import Verdict
from speech.hearing.two_squares import Chain
from speech.words.scheme import Scheme

WITHIN_MS = 30_000


class Doubt(msgspec.Struct, frozen=True):
    """Verdict on which the program asked again, and when.

    `made`: the moves made by then; of which of two is asked, those of the opponent.
    `either`: the two announcements of which the player was asked to name one; () mostly.
    """

    verdict: Verdict
    made: int
    at_ms: int
    scheme: Scheme
    either: tuple[Chain, ...]


class AskedAgain:
    """Open doubts of one table, one for each station."""

    def __init__(self) -> None:
        self._doubts: dict[str, Doubt] = {}
        self._hard: set[str] = set()

    def note(
        self,
        station: Station,
        state: GameState,
        at_ms: int,
        scheme: Scheme,
        verdict: Verdict,
        judgement: str,
        either: tuple[Chain, ...] = (),
    ) -> None:
        """Note the verdict on what this station's player said at `at_ms`, and what was made of it.

        It leaves a doubt where all of it is asked again, or which of two announcements it was (`either`); words that
        were not for the server, or that ask to hear the question again, settle none.
        """
        if judgement == "reject" or (judgement == "accept" and verdict.heard.command == "repeat"):
            return
        self._doubts.pop(station.id, None)
        (self._hard.add if len(verdict.found) > 1 else self._hard.discard)(station.id)
        asked = judgement == "repeat" and verdict.heard.unclear is None and bool(verdict.found or either)
        if asked and station.seat is not None and may_ask(state, station.seat, at_ms):
            self._doubts[station.id] = Doubt(verdict, _moves_made(state, station.seat, either), at_ms, scheme, either)

    def likely(self, station: Station) -> bool:
        """Say whether the next words of this station may well be doubtful, as the last ones were."""
        return station.id in self._hard or station.id in self._doubts

    def settles(self, station: Station, state: GameState, at_ms: int, scheme: Scheme) -> Doubt | None:
        """Return the doubt that the words that began at `at_ms` answer."""
        doubt = self._doubts.get(station.id)
        if doubt is None or station.seat is None or doubt.scheme != scheme:
            return None
        if doubt.made != _moves_made(state, station.seat, doubt.either):
            return None
        return doubt if 0 <= at_ms - doubt.at_ms <= WITHIN_MS else None


def _moves_made(state: GameState, seat: Seat, either: tuple[Chain, ...]) -> int:
    """Return how many moves are made; of the opponent alone where the player is to name one of two."""
    white, black = state.moves.made_by_each
    return state.made_plies if not either else black if seat is Seat.WHITE else white
