"""A fair-play inquiry gets this part of a table's record (12.2.7).

Devices, incidents, private words and alerts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from server.game import acts as ev
from server.journal.entry import Entry
from server.wording.details import told_in

PARTS: dict[str, tuple[type[ev.Event], ...]] = {
    "stations": (ev.StationAdmitted, ev.StationRevoked),
    "devices": (
        *(ev.DeviceRegistered, ev.DeviceFound, ev.DevicesChosen),
        *(ev.VoiceActivityPermitted, ev.VoiceAccepted, ev.TalkingChosen, ev.EarChosen),
    ),
    "incidents": (ev.IncidentNoted, ev.Penalised, ev.StopRuled, ev.AppealNoted),
    "leaving": (ev.LeaveRuled, ev.LeavingReported),
    "told_privately": (ev.SpokenPrivately, ev.SpeechCut, ev.Answered),
    "alerts": (ev.Alerted,),
}


def fair_play(table: str, record: Sequence[tuple[Entry, ev.AnyEvent]]) -> dict[str, Any]:
    """Return the parts of the record by kind, each entry with its number and wall time (ms, UTC)."""
    out: dict[str, Any] = {"table": table}
    for part, kinds in PARTS.items():
        out[part] = [
            {"seq": envelope.seq, "wall_ms": envelope.wall_ms, **_fields_told(event)}
            for envelope, event in record
            if isinstance(event, kinds)
        ]
    return out


def _fields_told(event: ev.AnyEvent) -> dict[str, Any]:
    """Return the fields of an event; the `detail` of an alert is its English text, as in old records."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, ev.Alerted) and event.said is not None:
        fields["detail"] = told_in(event.said, "en")
    return fields
