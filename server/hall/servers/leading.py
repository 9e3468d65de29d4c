"""A server that leads a hall on a database says twice a second that it lives, and stops playing where it cannot.

Another server may lead its tables once it saw this one silent for two and a half seconds. So from then on nothing
counts here: the clocks are held, and everybody is told. When the database answers again, mostly the tables are still
this server's, and the clocks stand at the last moment on record. Where another one declared this one ended meanwhile,
a server that shares the hall closes its tables and comes back without any; one that led all of it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from server.game import acts as cmd
from server.hall.live_table import LiveTable
from server.journal.failure import JournalFailed
from server.machine.clock import Clock

if TYPE_CHECKING:
    from server.journal.postgresql.leases import Leases

SHARED_WITNESS_MS = 500
"""Where another server may take a table over, its clocks stand at the last witness: each half second is uncertain."""
LOOK_S = 0.1
"""Seconds between two looks at the clock while the database is silent."""
AGAIN_MS = 250
"""Where it did not answer, it is asked again so soon: others have seen nothing of this server for as long."""


class Leading:
    """Keeper of the lease of a hall."""

    def __init__(
        self, leases: Leases, clock: Clock, tables: dict[str, LiveTable], witnessed_ms: Callable[[], int]
    ) -> None:
        """`witnessed_ms`: up to then, in ms of this run, the record says that the clocks ran."""
        self._leases = leases
        self._clock = clock
        self._tables = tables
        self._witnessed_ms = witnessed_ms
        self._renewed_ms = clock.mono_ms()
        self._renewing = ThreadPoolExecutor(1, "lease")  # of its own: a disk that stalls takes up all the others
        self._held: frozenset[str] = frozenset()  # the tables whose leases were this server's at the last renewal
        self.held_from_ms: int | None = None
        """Where the clocks will stand, in ms of this run, while the hall is held; None: it is not."""
        self._held_at_ms = 0  # from then on nobody played: how long the hall is held after it makes no clock less sure
        self.lost = asyncio.Event()
        """Another server leads the whole hall: this one must end."""
        self.come_back: Callable[[], Awaitable[bool | None]] | None = None
        """Makes this a server of the hall again, where servers share it, and says whether it is one; False: another
        server leads the whole hall; None: that cannot be known yet. Raises JournalFailed.
        """
        self.on_gone: Callable[[frozenset[str]], None] | None = None
        """Told of tables that another server leads by now, where servers share the hall; without it, they lead it all.
        """

    async def run(self) -> None:
        """Renew the lease until another server has it."""
        try:
            while not self.lost.is_set():
                asked = self._clock.mono_ms()
                again = AGAIN_MS
                if await self._renew_lead():
                    self._go_on(asked)
                    again = self._leases.again_ms
                await self._clock.sleep_until(asked + again)
        finally:
            self._renewing.shutdown(wait=False)

    async def _renew_lead(self) -> bool:
        """Renew, and say whether the hall is still this server's; while nobody answers, hold it in time."""
        asking = asyncio.get_running_loop().run_in_executor(self._renewing, self._leases.renew)
        while not asking.done():
            await asyncio.wait({asking}, timeout=LOOK_S)
            self._hold_in_time()
        try:
            held = asking.result()
            if held is None and self.come_back is not None:
                self._hold_all()
                self._held = frozenset()
                if (back := await self.come_back()) is None:
                    return False
                held = self._held if back else None
        except JournalFailed:
            self._hold_in_time()
            return False
        gone = self._held - held if held is not None else self._held
        if held is None or (gone and self.on_gone is None):
            self._hold_all()
            self.lost.set()
            return False
        if gone and self.on_gone is not None:
            self.on_gone(gone)
        self._held = held
        return True

    def _hold_in_time(self) -> None:
        if self._clock.mono_ms() - self._renewed_ms >= self._leases.lasts_ms:
            self._hold_all()

    def _hold_all(self) -> None:
        if self.held_from_ms is None:
            self.held_from_ms, self._held_at_ms = self._witnessed_ms(), self._clock.mono_ms()
        for table in self._tables.values():
            table.hold()

    def _go_on(self, asked: int) -> None:
        self._renewed_ms = asked
        witnessed, self.held_from_ms = self.held_from_ms, None
        if witnessed is None:
            return
        for table in self._tables.values():
            if table.go_on() and table.clock_runs:
                table.note_first(
                    cmd.NoteInterruption(
                        witness_ms=witnessed + table.ahead_ms,
                        uncertain_ms=max(0, self._held_at_ms - witnessed),
                        reason="the_record_was_silent",
                    )
                )
