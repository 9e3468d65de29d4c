"""Conduct, as a seat is told of it: the short text on an article that the arbiter releases (11.9).

What is reported, found or noted of a player's conduct is the arbiter's alone.
"""

from __future__ import annotations

from server.game import acts as ev
from server.game.values.words import Seat
from server.game.views.messages import LawRead
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.StopRuled, ev.DisturbanceNoted, ev.DeviceFound, ev.LeavingReported, ev.SupervisionNoted),
    *(ev.ClockRead, ev.ObserverReported, ev.LawAsked),
)


@shown(ev.LawReleased)
def _law(event: ev.LawReleased, seat: Seat) -> LawRead | None:
    return LawRead(article=event.article) if event.seat is seat else None
