"""An adjournment, as a seat is told of it."""

from __future__ import annotations

from server.game import acts as ev
from server.game.values.words import Seat
from server.game.views.messages import AdjournmentShown
from server.game.views.seats.shown import shown, silent

silent(ev.MoveSealed, ev.SealedRuled, ev.ResumptionPrepared, ev.PresenceMarked, ev.ResumptionBegun)


@shown(ev.SealOrdered)
def _ordered(event: ev.SealOrdered, seat: Seat) -> AdjournmentShown:
    return AdjournmentShown(stage="ordered", own=event.seat is seat)


@shown(ev.Adjourned)
def _sealed(event: ev.Adjourned, seat: Seat) -> AdjournmentShown:
    return AdjournmentShown(stage="sealed", own=event.seat is seat)


@shown(ev.EnvelopeOpened, ev.EnvelopeMissing)
def _resumed(event: ev.EnvelopeOpened | ev.EnvelopeMissing, seat: Seat) -> AdjournmentShown:
    return AdjournmentShown(stage="resumed", own=event.seat is seat)
