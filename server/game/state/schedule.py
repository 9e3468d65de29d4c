"""The slice of what is awaited: the start, who is at the board, default time, sessions."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.reducer import applies
from server.game.values.words import Seat


class ScheduleState(msgspec.Struct, frozen=True):
    """Instants that are awaited (ms of this run), and who was seen at the board."""

    appointed_ms: int | None = None  # the instant of this run at which White's clock is to start (6.6)
    attendance: tuple[Seat, ...] | None = None  # who was seen at the board; None: nobody has looked (6.7)
    default_due_ms: int | None = None  # the instant of this run at which the default time is over
    absent: tuple[Seat, ...] = ()  # who was missing then, while the arbiter has not ruled
    session_due_ms: int | None = None  # the instant of this run at which the session ends (I.14)

    def default_due(self, started_ms: int, default_ms: int) -> int | None:
        """Return when the default time is over; None where nobody looks who is there.

        It counts where presence is noted, or where the clock started by itself.
        """
        by_appointment = self.appointed_ms is not None and started_ms >= self.appointed_ms
        return started_ms + default_ms if by_appointment or self.attendance is not None else None


@applies(ev.StartScheduled)
def _start_scheduled(schedule: ScheduleState, event: ev.StartScheduled) -> ScheduleState:
    return replace(schedule, appointed_ms=event.due_ms)


@applies(ev.PresenceNoted)
def _presence_noted(schedule: ScheduleState, event: ev.PresenceNoted) -> ScheduleState:
    others = tuple(seat for seat in schedule.attendance or () if seat is not event.seat)
    return replace(schedule, attendance=(*others, event.seat) if event.present else others)


@applies(ev.DefaultTimeOver)
def _default_time_over(schedule: ScheduleState, event: ev.DefaultTimeOver) -> ScheduleState:
    return replace(schedule, default_due_ms=None, absent=event.absent)


@applies(ev.AbsenceRuled)
def _absence_ruled(schedule: ScheduleState, event: ev.AbsenceRuled) -> ScheduleState:
    return replace(schedule, absent=())


@applies(ev.SessionStarted)
def _session_started(schedule: ScheduleState, event: ev.SessionStarted) -> ScheduleState:
    return replace(schedule, session_due_ms=event.at + event.length_ms)


@applies(ev.SessionEnded)
def _session_ended(schedule: ScheduleState, event: ev.SessionEnded) -> ScheduleState:
    return replace(schedule, session_due_ms=None)
