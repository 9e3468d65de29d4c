"""The machine's announcements and the waits for them (D.2.4, adaptation announcement_on_movers_time)."""

from __future__ import annotations

from server.play.events.event import Event
from server.play.values import Seat


class AnnouncementSpoken(Event, frozen=True, kw_only=True):
    """The machine announces a move into this ear: begun (`until_ms` None), timed, or `over` before its time."""

    seat: Seat
    utterance: str
    until_ms: int | None = None
    over: bool = False


class AnnouncementWaited(Event, frozen=True, kw_only=True):
    """A press took effect when the announcement of its move had been heard, `ms` after it.

    `charge`: whose those ms were: the mover's, or (`none`) nobody's, while both clocks stood.
    """

    seat: Seat
    ply: int
    ms: int
    charge: str
