"""The scores as a player is shown them: the opponent's, where it is lent, and the released record."""

from __future__ import annotations

from server.game import acts as ev
from server.game.decide.questions import lent_cells
from server.game.state.state import GameState
from server.game.values.words import Role, Seat, Station
from server.game.views.messages import OpponentScore, ReviewShown
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.ScoresheetRecorded, ev.ScoreDue),
    *(ev.ReconstructionBegun, ev.ReconstructionMoved, ev.ReconstructionUndone, ev.ReconstructionEnded),
)


@shown(ev.ScoreLent)
def _lent(event: ev.ScoreLent, state: GameState, seat: Seat, station: Station) -> OpponentScore | None:
    if event.to is not seat or station.role is not Role.PLAYER:
        return None
    return OpponentScore(lent=True, cells=lent_cells(state, seat.other))


@shown(ev.ScoreReturned)
def _given_back(event: ev.ScoreReturned, seat: Seat, station: Station) -> OpponentScore | None:
    return OpponentScore(lent=False) if event.seat is seat and station.role is Role.PLAYER else None


@shown(ev.ReviewReleased)
def _review(event: ev.ReviewReleased, station: Station) -> ReviewShown | None:
    return ReviewShown(released=event.released) if station.role is Role.PLAYER else None
