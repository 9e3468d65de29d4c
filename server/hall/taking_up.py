"""At a start tables are taken up one after another: some before the hall serves, the rest while it does.

The table that was played at last comes first. A table that somebody asks for comes next. Nothing is lost for a table
that waits: its clocks stand at the last witness of the run in which they ran, however late it is taken up, and its
whole chain is followed then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence

from server.game import acts as cmd
from server.game.decide.time.instants import pending
from server.hall.live_table import LiveTable
from server.hall.servers.sharing import HANDED_OVER, HandedIn, ahead_of_run
from server.journal.entry import Entry
from server.journal.failure import JournalFailed, NoAnswer
from server.journal.journal import Journal
from server.journal.witnessed import RolledBack, Witnesses
from server.machine.clock import Clock
from server.table.memory import no_searches
from speech.complaint import Complaint, Phrase

AGAIN_MS = 1_000
"""After a database was silent, a table is tried again after this time."""
ROLLED_BACK = "it has {there} events, and not the {of} that are witnessed in {where}"
_log = logging.getLogger(__name__)


class TakingUp:
    """Taking up the tables of a hall; `waiting` are the names of those still to come."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        make: Callable[[str, int | None], LiveTable],
        taken: Callable[[LiveTable], None],
        shut: Callable[[str, str], None],
        witnesses: Witnesses,
    ) -> None:
        """Set up for one hall.

        `make`: returns a table of this name without events, whose time is so far ahead of this run's (None: it is this
        run's). `taken`: gets each table that plays on. `shut`: gets the name of each table whose record is not whole,
        and what was found. `witnesses`: what each table's record is compared with.
        """
        self._journal = journal
        self._clock = clock
        self._make = make
        self._taken = taken
        self._shut = shut
        self.witnesses = witnesses
        self.rolled_back: dict[str, RolledBack] = {}
        """Tables that are shut because a witness knows more of them than the record."""
        self.waiting: dict[str, asyncio.Event] = {}
        self._asked: dict[str, None] = {}  # tables that somebody waits for, in the order they were asked for

    async def begin(self, for_ms: int | None, leads: Callable[[str], bool] | None = None) -> None:
        """Take up tables for so long, or all of them (None). `leads`: which of them; without it all.

        Raises JournalFailed where the record cannot be read, and Complaint where clocks cannot be stopped for it.
        """
        until = None if for_ms is None else self._clock.mono_ms() + for_ms
        latest = await self._journal.latest_tables()
        self.waiting = {id: asyncio.Event() for id in latest if leads is None or leads(id)}
        with no_searches():
            for id in tuple(self.waiting):
                if until is not None and self._clock.mono_ms() >= until:
                    return
                await self._take(id)

    async def go_on(self, told: Callable[[str], None]) -> None:
        """Take up those that are left, first those that are asked for; a silent database is asked again and again.

        `told`: tells the arbiters why it does not go on, in one sentence.
        """
        failed = False
        with no_searches():
            while self.waiting:
                try:
                    await self._take(next((id for id in self._asked if id in self.waiting), next(iter(self.waiting))))
                    failed = False
                except (JournalFailed, Complaint) as wrong:
                    if not failed:
                        told(
                            f"Tables wait to be taken up from the record: {str(wrong).rstrip('.')}. It is tried again."
                        )
                    failed = True
                    await self._clock.sleep_until(self._clock.mono_ms() + AGAIN_MS)

    async def wait_for(self, ids: Iterable[str]) -> None:
        """Return once these tables are taken up, or shut; a name that does not wait costs nothing."""
        for id in [one for one in ids if one in self.waiting]:
            self._asked[id] = None
            if (taken := self.waiting.get(id)) is not None:
                await taken.wait()

    async def wait_for_all(self) -> None:
        """Return once no table waits any more; those that somebody asks for still come first."""
        while self.waiting:
            await next(reversed(self.waiting.values())).wait()

    async def _take(self, id: str) -> None:
        """Take up a table of an earlier run, or shut it where its record is not whole.

        Raises NoAnswer: the database of the record is silent, which says nothing of the table.
        """
        wrong = await self._taken_up(id)
        if wrong:
            self._shut(id, wrong)
        self._asked.pop(id, None)
        if (taken := self.waiting.pop(id, None)) is not None:
            taken.set()

    def give_up(self) -> None:
        """Let no table wait any more: other servers lead them by now, or they are taken in one by one."""
        for id in tuple(self.waiting):
            self.waiting.pop(id).set()

    async def take_in(self, id: str, handed: HandedIn) -> None:
        """Take up a table that another server led, or shut it where its record is not whole. Raises JournalFailed."""
        wrong = await self._taken_up(id, handed)
        if wrong:
            self._shut(id, wrong)

    async def go_on_with(self, id: str) -> RolledBack:
        """Take up a table whose record is not what was witnessed, for an arbiter who said yes.

        Raises JournalFailed, and Complaint where it cannot be taken up.
        """
        found = self.rolled_back.pop(id)
        self.witnesses.agree(id)
        wrong = await self._taken_up(id) if found.there else ""
        if wrong:
            self._shut(id, wrong)
            raise Complaint(Phrase("table_shut", name=id))
        return found

    async def _taken_up(self, id: str, handed: HandedIn | None = None) -> str:
        """Take up a table, and return what is wrong with its record; "" where it plays on.

        `handed`: another server led it, and where it handed it over its time goes on.
        """
        try:
            entries, chain = await self._journal.record(id)
        except NoAnswer:
            raise
        except JournalFailed as wrong:
            return str(wrong).rstrip(".")
        if handed is not None and not entries:
            return ""  # it was about to be opened
        if chain.wrong or not entries:
            return chain.wrong or "none of its events can be read"
        if (found := await asyncio.to_thread(self.witnesses.rolled_back, id, entries)) is not None:
            self.rolled_back[id] = found
            return ROLLED_BACK.format(there=found.there, of=found.of, where=found.where)
        going_on = None if handed is None else handed.going_on(entries)
        table = self._make(id, None if going_on is None else going_on.own_less_run_ms)
        try:
            await table.take_up(entries)
        except Exception as wrong:  # whatever an event is that this program cannot take up, the other tables play
            _log.error("The record of table %s cannot be taken up", id, exc_info=wrong)
            return "this program cannot take up its events; use the program that wrote them"
        try:
            if going_on is not None:
                await self._went_on(table, going_on)
            else:
                await self._go_on(table, entries, handed)
        except BaseException:
            await table.close()
            raise
        self._taken(table)
        return ""

    async def _went_on(self, table: LiveTable, going_on: cmd.NoteTakenOver) -> None:
        """Go on with a table that was handed over: its time went on all the while."""
        await table.listener.know_voices()
        table.start()
        outcome = await table.own(table.program_command(going_on))
        if not outcome.outcome.ok:
            raise JournalFailed(outcome.text)
        table.mates.look()
        table.beliefs.look()

    async def _go_on(self, table: LiveTable, entries: Sequence[Entry], handed: HandedIn | None) -> None:
        """Go on with a table of an earlier run; a clock that ran stands at the last sign of life of that run.

        `handed`: it was led by another server, which may live and was out of reach. Since its lease was taken nothing
        counts there, so how long the record is read makes no clock less sure.
        """
        await table.listener.know_voices()
        if not table.clock_runs:
            table.start()
            if pending(table.state):
                await table.own(table.program_command(cmd.NoteNewRun()))
            table.mates.look()
            table.beliefs.look()
            return
        last = entries[-1]
        witness = await self._journal.last_witness(last.run)
        alive, wall = last.mono_ms, last.wall_ms
        ahead = ahead_of_run(entries)
        # Where the table had been handed over, what that server was witnessed to do later was not done at it.
        if witness is not None and witness.mono_ms + ahead > alive and last.kind != HANDED_OVER:
            alive, wall = witness.mono_ms + ahead, witness.wall_ms
        since = 0 if handed is None else self._clock.mono_ms() - handed.now
        away = max(0, self._clock.wall_ms() - since - wall)
        # This must be the first command of all: until then the clock holds milliseconds of the earlier run.
        table.start()
        if pending(table.state):
            table.note(cmd.NoteNewRun())
        outcome = await table.own(
            table.program_command(
                cmd.NoteInterruption(
                    witness_ms=alive,
                    uncertain_ms=away,
                    reason="the_server_was_out_of_reach" if handed is not None else "the_program_was_stopped",
                )
            )
        )
        if not outcome.outcome.ok:
            raise Complaint(Phrase("record.clocks_unstopped", table=table.id, why=outcome.text))
