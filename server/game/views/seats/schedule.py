"""The schedule, as a seat is told of it: a session of play, which is announced to everybody (I.14).

Who is absent, how much time is left and who is the arbiter now are for the arbiter.
"""

from __future__ import annotations

from server.game import acts as ev
from server.game.views.messages import SessionShown
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.StartScheduled, ev.PresenceNoted, ev.DefaultTimeOver, ev.AbsenceRuled, ev.SessionEnded, ev.LowTime),
    *(ev.HandedOver, ev.TakenOver, ev.InstantsVoided),
)


@shown(ev.SessionStarted, everywhere=True)
def _session(event: ev.SessionStarted) -> SessionShown:
    return SessionShown(length_ms=event.length_ms)
