"""Several servers lead the tables of one hall: what one hands over another takes up, and of a dead one the others do.

Each server looks at the leases twice a second, whenever another server says that something changed, and at the moment
from which a silent one counts as dead. What a table's
clocks have run meanwhile is told by the clock of the database, which all servers ask; by how much that may be wrong is
written into the table's record. How far the clocks of the laptops agree does not matter.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from server.game import acts as cmd
from server.game.acts import HandedOver, TakenOver, event_in
from server.hall.live_table import LiveTable
from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.machine.clock import Clock
from server.machine.tasks import passing
from speech.complaint import Complaint, Phrase, told_by

if TYPE_CHECKING:
    from server.journal.postgresql.database import Database
    from server.journal.postgresql.leases import Leases, Led, Neighbour, ServersSeen

LOOK_S = 0.5
"""Seconds between two looks where no other server says anything."""
LEAST_S = 0.05
"""Seconds between two looks where a silent server is about to count as dead."""
REST_S = 0.1
"""After a look that somebody asked for, others wait so long."""
TIMES_ASKED = 5
"""The clock of the database is asked so often; the quickest answer is the most exact."""
LONGEST_AWAY_MS = 30_000
"""Where longer passed on the way by the database's clock, somebody has set it: the clocks stand, as after a crash."""
INEXACT_MS = 500
"""Where the clock of the database is known no better, no running clock is moved that need not be."""
HANDED_OVER, TAKEN_OVER = "handed_over", "taken_over"
_log = logging.getLogger(__name__)


class HandedIn(msgspec.Struct, frozen=True):
    """Lead of the database's clock over this run, for a table that was handed to this server.

    `uncertain_ms`: by so much that may be wrong. `now`: when it was found, in ms of this run.
    """

    common_less_run_ms: int
    uncertain_ms: int
    now: int

    def going_on(self, entries: Sequence[Entry]) -> cmd.NoteTakenOver | None:
        """Return the note with which the table's time goes on; None: its clocks must stand, as after a crash."""
        last = event_in(entries[-1].body)
        if not isinstance(last, HandedOver):
            return None
        away = self.now + self.common_less_run_ms - last.common_ms
        uncertain = self.uncertain_ms + last.uncertain_ms
        if not -uncertain <= away <= LONGEST_AWAY_MS:
            return None
        return cmd.NoteTakenOver(
            own_less_run_ms=last.at + self.common_less_run_ms - last.common_ms, uncertain_ms=uncertain
        )


def ahead_of_run(entries: Sequence[Entry]) -> int:
    """Return how far the table's time is ahead of the run that wrote its last event, in ms; mostly 0."""
    for entry in reversed(entries):
        if entry.run != entries[-1].run:
            break
        if entry.kind == TAKEN_OVER:
            event = event_in(entry.body)
            return event.own_less_run_ms if isinstance(event, TakenOver) else 0
    return 0


def spread(tables: Sequence[str], among: Sequence[Neighbour]) -> dict[str, int]:
    """Return which server each of these tables shall go to: the one that leads the fewest by then, of equals the first.

    Empty where there is no server to go to.
    """
    loads = {one.number: one.tables for one in among}
    found: dict[str, int] = {}
    for table in tables if loads else ():
        found[table] = min(loads, key=lambda number: (loads[number], number))
        loads[found[table]] += 1
    return found


def even_out(led: Mapping[str, int], alive: Iterable[int]) -> dict[str, int]:
    """Return which tables shall go to which server, so that each leads as many as the others, and as few move as can.

    `led`: table -> the server that leads it. Tables of servers that are gone stay out of it: others take them over.

    >>> evened({"r1-b1": 1, "r1-b2": 1, "r1-b3": 1}, (1, 2))
    {'r1-b3': 2}
    """
    of: dict[int, list[str]] = {number: [] for number in sorted(alive)}
    for table, number in led.items():
        if number in of:
            of[number].append(table)
    found: dict[str, int] = {}
    while of:
        least, most = (choose(of, key=lambda number: len(of[number])) for choose in (min, max))
        if len(of[most]) <= len(of[least]) + 1:
            break
        found[table := of[most].pop()] = least
        of[least].insert(0, table)
    return found


HANDED_WITHIN_S = 10.0


class ServerShown(msgspec.Struct, frozen=True):
    """One server of a hall and the tables that it leads.

    `addresses`: where browsers reach it; empty while it starts, None where it is gone.
    """

    number: int
    addresses: tuple[str, ...] | None
    tables: tuple[str, ...]


def handed_over(
    database: Database, tables: Sequence[str], to: int | None, away_from: int | None, *, evenly: bool = False
) -> list[ServerShown]:
    """Have tables handed over, where any are named, wait for it, and return every server of the hall.

    `tables`, `to`: these go to this server. `away_from`: all tables of this one go to the others. `evenly`: as many go
    as are needed so that each server leads as many as the others. Blocks. Raises Complaint: the database cannot be
    used, no such server is alive, or a table was not handed over.
    """
    from server.journal.postgresql.leases import Leases
    from server.journal.postgresql.schema import check_database

    check_database(database)
    leases = Leases(database)
    try:
        seen = _look_until_known(leases)
        alive = {one.number: one for one in seen.servers}
        if (gone := next((one for one in (to, away_from) if one is not None and one not in alive), None)) is not None:
            raise Complaint(Phrase("servers.gone", number=gone, known=(", ".join(map(str, alive)) or "-")))
        led = {one.table: one.server for one in seen.led}
        if (unknown := next((one for one in tables if one not in led), None)) is not None:
            raise Complaint(Phrase("servers.no_table", table=unknown))
        wanted = dict.fromkeys(tables, to)
        if away_from is not None:
            others = [one for one in alive.values() if one.number != away_from]
            wanted |= spread([one for one, server in led.items() if server == away_from], others)
            if not others:
                raise Complaint(Phrase("servers.no_other"))
        if evenly:
            wanted |= even_out(led, alive)
        for table, server in wanted.items():
            assert server is not None
            leases.want([table], server)
        end = time.monotonic() + HANDED_WITHIN_S
        while left := [one.table for one in leases.leaders() if wanted.get(one.table, one.server) != one.server]:
            if time.monotonic() > end:
                raise Complaint(Phrase("servers.not_handed", names=", ".join(left)))
            time.sleep(0.1)
        return _servers_shown(leases)
    except JournalFailed as wrong:
        raise Complaint(told_by(wrong)) from wrong
    finally:
        leases.close()


def _look_until_known(leases: Leases) -> ServersSeen:
    """Look until it is known of every server whether it lives, which takes as long as a lease lasts at most."""
    while (seen := leases.servers_seen()).silent:
        time.sleep(0.2)
    return seen


def _servers_shown(leases: Leases) -> list[ServerShown]:
    seen = _look_until_known(leases)
    of: dict[int, list[str]] = {one.number: [] for one in seen.servers}
    for one in seen.led:
        of.setdefault(one.server, []).append(one.table)
    addresses = {one.number: one.addresses for one in seen.servers}
    return [
        ServerShown(number, addresses.get(number), tuple(found))
        for number, found in sorted(of.items())
        if found or number in addresses
    ]


TakeIn = Callable[[str, HandedIn], Awaitable[None]]


class Sharing:
    """One server's part in a hall that several servers lead."""

    def __init__(
        self,
        leases: Leases,
        clock: Clock,
        tables: dict[str, LiveTable],
        is_here: Callable[[str], bool],
        take_in: TakeIn,
        let_go: Callable[[str], Awaitable[None]],
        reload: Callable[[], Awaitable[None]],
    ) -> None:
        """`is_here`: whether a table is open, shut or waits here. `take_in` opens one here; `let_go` closes one.

        `reload`: takes up whom another server admitted or sent away.
        """
        self._leases = leases
        self._clock = clock
        self._tables = tables
        self._is_here = is_here
        self._take_in = take_in
        self._let_go = let_go
        self._reload = reload
        self._noticed = asyncio.Event()
        self._on_the_way: set[str] = set()  # tables that are being handed over or taken in
        self._moving: set[asyncio.Task[None]] = set()
        self._coming_back = False
        self._rests_s = LOOK_S  # until the next look
        self._seen: ServersSeen | None = None
        self.elsewhere: dict[str, Led] = {}
        """The tables that other servers lead."""
        self.servers: tuple[Neighbour, ...] = ()
        """All servers that are alive, this one too."""
        self.known_addresses: tuple[str, ...] = ()
        """Where browsers reach or reached the servers of today, also those that are gone by now."""
        self.on_change: list[Callable[[], None]] = []
        """Told when a table or a server came or went."""

    @property
    def own(self) -> int:
        """Return the number of this server."""
        return self._leases.server

    async def serve_at(self, addresses: Sequence[str]) -> None:
        """Tell the others where browsers reach this server. Raises JournalFailed."""
        await asyncio.to_thread(self._leases.tell_addresses, addresses)
        await self.look()

    async def run(self, database: Database) -> None:
        """Look until cancelled."""
        from server.journal.postgresql.notices import Notices

        loop = asyncio.get_running_loop()

        def notice() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._noticed.set)

        notices = Notices(database, notice)
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._rests_s):
                        await self._noticed.wait()
                told = self._noticed.is_set()
                self._noticed.clear()
                with contextlib.suppress(JournalFailed):
                    await self.look()
                    if told:
                        await self._reload()
                        await asyncio.sleep(REST_S)
        finally:
            await asyncio.gather(*self._moving, return_exceptions=True)
            await asyncio.to_thread(notices.close)

    async def look(self) -> None:
        """See who leads which table, and take up or hand over what is due. Raises JournalFailed."""
        seen = await asyncio.to_thread(self._leases.servers_seen)
        own = self.own
        self._rests_s = LOOK_S if seen.due_ms is None else min(LOOK_S, max(LEAST_S, seen.due_ms / 1000))
        elsewhere = {one.table: one for one in seen.led if one.server != own}
        self._seen = seen
        changed = (elsewhere, seen.servers) != (self.elsewhere, self.servers)
        self.elsewhere, self.servers, self.known_addresses = elsewhere, seen.servers, seen.addresses
        if seen.dead:
            await asyncio.to_thread(self._leases.end_the_dead)
        for one in () if self._coming_back or own != self.own else seen.led:
            if one.table in self._on_the_way or (one.server == own and one.dead):
                continue  # where this server itself was declared ended, it comes back first
            if one.server != own:
                if one.table in self._tables and not self._leases.leads(one.table):
                    self._move(one.table, self._let_go(one.table))
                elif one.dead and not self._is_here(one.table):
                    self._move(one.table, self._take_orphan(one.table))
            elif not self._is_here(one.table):
                self._move(one.table, self._take_handed(one.table))
            elif one.wanted is not None and one.wanted not in seen.silent and one.table in self._tables:
                self._move(one.table, self._hand_over(self._tables[one.table], one.wanted))
        if changed:
            for tell in self.on_change:
                tell()

    async def loads(self) -> tuple[Neighbour, ...]:
        """Return the servers that are alive, each with the number of tables that it leads now. Raises JournalFailed."""
        return await asyncio.to_thread(self._leases.neighbours)

    async def spread_over(self, tables: Sequence[str], among: Sequence[Neighbour]) -> None:
        """Have new tables of this server led by those that lead the fewest. `among`: who led how many before them.

        A table that cannot be handed over stays here. Raises JournalFailed.
        """
        for table, server in spread(tables, among).items():
            if server != self.own:
                await asyncio.to_thread(self._leases.want, [table], server)

    @property
    def _changing(self) -> bool:
        """Say whether a table is on its way, or nobody can know of a server whether it lives."""
        seen = self._seen
        if seen is None or seen.silent or seen.dead or self._on_the_way or self._coming_back:
            return True
        return any(one.wanted is not None or one.dead for one in seen.led)

    @property
    def uneven(self) -> dict[str, int]:
        """Return which tables should move to which server, as after one came back; empty while anything is changing.

        Only to servers that browsers reach: the players' pages go along with their clocks running.
        """
        if self._seen is None or self._changing:
            return {}
        return even_out(
            {one.table: one.server for one in self._seen.led}, [one.number for one in self.servers if one.addresses]
        )

    async def share_out(self) -> int:
        """Have the tables led evenly while their clocks run, and return how many move.

        Raises Complaint where a running clock would stop or become inexact, and where nothing is to be moved;
        JournalFailed.
        """
        await self.look()
        if self._changing:
            raise Complaint(Phrase("servers.changing"))
        if not (moving := self.uneven):
            raise Complaint(Phrase("servers.even"))
        if (await self._common()).uncertain_ms > INEXACT_MS:
            raise Complaint(Phrase("servers.slow"))
        for table, server in moving.items():
            await asyncio.to_thread(self._leases.want, [table], server)
        return len(moving)

    def lose(self, gone: frozenset[str]) -> None:
        """Close tables here that another server took: this one was too slow to say that it lives."""
        for table in gone - self._on_the_way:
            if table in self._tables:
                self._move(table, self._let_go(table))

    async def come_back(self) -> bool | None:
        """Close all tables here, and share the hall again under another number; False: one server leads all of it.

        None: that server is silent, and has to be looked at for longer. Raises JournalFailed.
        """
        from server.journal.postgresql.leases import Settled

        self._coming_back = True
        try:
            seen = await asyncio.to_thread(self._leases.servers_seen)
            self.elsewhere = {one.table: one for one in seen.led}
            await asyncio.gather(*self._moving, return_exceptions=True)
            for table in tuple(self._tables):
                await self._let_go(table)
            settled = await asyncio.to_thread(self._leases.come_back)
        finally:
            self._coming_back = False
        self._noticed.set()
        return None if settled is Settled.UNKNOWN else settled is Settled.LEADS

    def _move(self, table: str, moving: Awaitable[None]) -> None:
        self._on_the_way.add(table)

        async def move_on() -> None:
            try:
                await moving
            except JournalFailed as wrong:
                _log.warning("Table %s did not go from one server to another (%s)", table, wrong)
            finally:
                self._on_the_way.discard(table)
                self._noticed.set()

        task = passing("A table that goes from one server to another", move_on)
        self._moving.add(task)
        task.add_done_callback(self._moving.discard)

    async def _take_orphan(self, table: str) -> None:
        """Take a table whose server is gone, unless another server was quicker."""
        if await asyncio.to_thread(self._leases.take, table):
            await self._take_in(table, await self._common())

    async def _take_handed(self, table: str) -> None:
        if await asyncio.to_thread(self._leases.adopt, table):
            await self._take_in(table, await self._common())

    async def _hand_over(self, table: LiveTable, to: int) -> None:
        """Hand a table over; where that cannot be, it goes on here and the wish is forgotten."""
        if to == self.own:
            await asyncio.to_thread(self._leases.want_no_more, table.id)
            return
        from server.journal.postgresql.leases import Led

        common = await self._common()

        async def move() -> bool:
            return await asyncio.to_thread(self._leases.hand_over, table.id, to)

        body = cmd.NoteHandedOver(
            common_less_own_ms=common.common_less_run_ms - table.ahead_ms, uncertain_ms=common.uncertain_ms
        )
        if await table.leave(body, move):
            there = next((one.addresses for one in self.servers if one.number == to), ())
            self.elsewhere[table.id] = Led(table.id, to, True, there)
            await self._let_go(table.id)
        else:
            await asyncio.to_thread(self._leases.want_no_more, table.id)

    async def _common(self) -> HandedIn:
        """Find how far the clock of the database is ahead of this run. Raises JournalFailed."""
        found: HandedIn | None = None
        for _ in range(TIMES_ASKED):
            before = self._clock.mono_ms()
            common = await asyncio.to_thread(self._leases.common_ms)
            after = self._clock.mono_ms()
            # Half the way there and back, and what each clock leaves out of its milliseconds.
            one = HandedIn(common - (before + after) // 2, (after - before) // 2 + 2, after)
            if found is None or one.uncertain_ms < found.uncertain_ms:
                found = one
        assert found is not None
        return msgspec.structs.replace(found, now=self._clock.mono_ms())
