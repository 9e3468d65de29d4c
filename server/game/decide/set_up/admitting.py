"""A device becomes a station of the table, and is sent away again (11.3.2, 4.9, D.2.10, 12.4)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import DisplayDelayed, StationAdmitted, StationRevoked
from server.game.decide.draft import Draft
from server.game.decide.rulings.conduct import refused_device
from server.game.decide.set_up.assisting import assistant_refused, note_assistant, note_assistant_gone
from server.game.decide.set_up.observing import observer_refused
from server.game.values.words import Role


def admit(draft: Draft, body: cmd.Admit) -> Refusal | None:
    """A device keeps its role and seat: what it was sent before stays among its messages."""
    if not body.station or body.station == cmd.PROGRAM:
        return Refusal("no_station_name", "11.3.2")
    if body.seat is None and body.role in (Role.PLAYER, Role.ASSISTANT):
        return Refusal("no_seat", "11.3.2")
    before = draft.state.station(body.station)
    if refused_device(draft.state, body.station):
        return Refusal("device_refused", "11.3.2")
    if before is not None and (before.role, before.seat) != (body.role, body.seat):
        return Refusal("station_taken", "11.3.2")
    refusal = assistant_refused(draft.state, body) or observer_refused(body)
    if refusal is not None:
        return refusal
    admitted = StationAdmitted(
        at=draft.now,
        station=body.station,
        role=body.role,
        seat=body.seat,
        duties=body.duties,
        under=body.under,
        provided_by=body.provided_by,
    )
    known = draft.state
    draft.emit(admitted)
    note_assistant(draft, admitted)
    note_assistant_gone(draft, known)
    return None


def revoke(draft: Draft, body: cmd.Revoke) -> Refusal | None:
    """It is no station any more: nothing is sent to it, and nothing it asks is done."""
    if draft.state.station(body.station) is None:
        return Refusal("not_admitted", "11.3.2")
    known = draft.state
    draft.emit(StationRevoked(at=draft.now, station=body.station, reason=body.reason))
    note_assistant_gone(draft, known)
    return None


def delay_display(draft: Draft, body: cmd.DelayDisplay) -> Refusal | None:
    """For all displays, or for one that is there."""
    station = draft.state.station(body.station) if body.station else None
    if body.station and (station is None or station.role is not Role.DISPLAY):
        return Refusal("not_admitted", "11.3.2")
    draft.emit(DisplayDelayed(at=draft.now, station=body.station, delay_s=body.delay_s))
    return None
