"""What is spoken beside the players' ears, by the arbiter's leave alone: into the room, and into his own ear. Pure."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.decide.draft import Draft
from server.game.values.words import Seat, Station

FALLBACK = "en"


def choose_speech(draft: Draft, station: Station | None, body: cmd.AllowRoom | cmd.ChooseAlerts) -> None:
    """The arbiter's leave on record, or its end."""
    match body:
        case cmd.AllowRoom():
            language = body.language or draft.state.plan(Seat.WHITE).language
            draft.emit(ev.RoomAllowed(at=draft.now, allowed=body.allowed, language=language))
        case cmd.ChooseAlerts() if station is not None:
            language = body.language or FALLBACK
            draft.emit(ev.AlertsChosen(at=draft.now, station=station.id, spoken=body.spoken, language=language))
