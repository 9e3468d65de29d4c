"""An adjourned game as its events tell it: the order to seal, the sealed move, presence, resumption (Guidelines I).

The slice is `Adjournment | None` (`values/adjournment.py`). What an adjournment does to clock and schedule too
stands in `apply.py`.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.clock import TimeState
from server.game.state.reducer import applies
from server.game.values.adjournment import Adjournment
from server.game.values.words import Seat


@applies(ev.SealOrdered)
def _ordered(adjournment: Adjournment | None, event: ev.SealOrdered, time: TimeState) -> Adjournment:
    answered = adjournment if event.reply else None
    return Adjournment(
        seat=event.seat,
        ply=event.ply,
        key=event.key,
        salt=event.salt,
        reply=event.reply,
        session_left_ms=event.session_left_ms,
        used_ms=time.clock.used(event.seat, event.at),
        present=answered.present if answered is not None else (False, False),
        began_ms=answered.began_ms if answered is not None else None,
    )


@applies(ev.MoveSealed)
def _sealed(adjournment: Adjournment | None, event: ev.MoveSealed) -> Adjournment | None:
    if adjournment is None:
        return None
    words = {"utterance": event.utterance, "understood": event.understood}
    return replace(adjournment, sealed=event.sealed, sha256=event.sha256, **words)


@applies(ev.PresenceMarked)
def _present(adjournment: Adjournment | None, event: ev.PresenceMarked) -> Adjournment | None:
    if adjournment is None:
        return None
    white, black = adjournment.present
    present = (event.present, black) if event.seat is Seat.WHITE else (white, event.present)
    return replace(adjournment, present=present)
