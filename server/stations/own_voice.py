"""What our own voice is playing at a station now: while any of it sounds, its microphone hears nothing of it."""

from __future__ import annotations

MARGIN_MS = 500
"""A sound of which no end is told is over so long after its length: the station may have gone."""
TAIL_MS = 200
"""It still comes out of the loudspeaker, and back from the room, so long after its end."""
MOST = 64


class OwnVoice:
    """The ids of the sounds that a station plays: a set, so that an end that is told twice or never leaves it right."""

    def __init__(self) -> None:
        self._until: dict[str, int] = {}

    def begin(self, sound_id: str, length_ms: int, now: int) -> None:
        """A sound of this length begins (again)."""
        self._until = {id: until for id, until in self._until.items() if until > now}
        if len(self._until) < MOST:
            self._until[sound_id] = now + length_ms + MARGIN_MS

    def end(self, sound_id: str, now: int) -> None:
        """It is over, or was stopped; it may be over already."""
        if sound_id in self._until:
            self._until[sound_id] = min(self._until[sound_id], now + TAIL_MS)

    def sounds(self, now: int) -> bool:
        """Whether our own voice sounds there, so that the microphone may hear it."""
        return any(until > now for until in self._until.values())
