"""Observers whom the arbiter appoints (12.4, L139): they look and report to him; they decide nothing.

None of them is a player's assistant (D.2.10): they belong to no seat, and no player hears of what they say.
"""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import ObserverReported
from server.game.decide.draft import Draft
from server.game.values.words import Role, Station


def observer_refused(body: cmd.Admit) -> Refusal | None:
    """Why this observer is not admitted: he belongs to no seat and has no duties of an assistant."""
    if body.role is Role.OBSERVER and (body.seat is not None or body.duties or body.under):
        return Refusal("observer_of_no_seat", "12.4")
    return None


def report(draft: Draft, station: Station | None, body: cmd.ReportToArbiter) -> Refusal | None:
    """Put it on record and before the arbiter. A flag seen is a report too: that it fell, he observes (6.8)."""
    if body.kind in ("flag", "touch") and body.seat is None:
        return Refusal("whose", "12.4")
    ply, name = draft.state.made_plies, "the program" if station is None else station.id
    draft.emit(ObserverReported(at=draft.now, station=name, kind=body.kind, text=body.text, seat=body.seat, ply=ply))
    whose = f" of {body.seat.value}" if body.seat is not None else ""
    draft.alert(
        "observer_report", ply, f"{name} reports: {body.kind}{whose}; {body.text or 'no words'} (12.4)", grey=False
    )
    return None
