"""The hall has all tables of one server.

They are restored from the record, witnessed once or twice a second, and opened and closed together.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from server.desk.comparing import Comparison
from server.game import acts as cmd
from server.game.acts import AnyEvent
from server.game.decide.rulings.next_game import beginning
from server.game.laws.event_options import EventOptions
from server.game.values.saying import Saying, saying
from server.game.values.words import Seat
from server.hall.live_table import LiveTable, PairingsTold, Shared
from server.hall.record import Record, Room, open_record
from server.hall.round_files import RoundFiles
from server.hall.servers.leading import SHARED_WITNESS_MS, Leading
from server.hall.servers.sharing import HandedIn, Sharing
from server.hall.taking_up import ROLLED_BACK, TakingUp
from server.journal.admissions import Admission
from server.journal.damage.salvage import Salvaged
from server.journal.entry import Run
from server.journal.failure import JournalFailed
from server.journal.reserve import Reserve
from server.journal.witnessed import Witnesses
from server.machine.clock import Clock, Instant, moment_of, step_between
from server.machine.data_folder import DataFolder
from server.machine.identity import is_table_name, new_run_id, new_table_id
from server.machine.strongbox import OPEN, Strongbox
from server.machine.tasks import Faults, Work, lasting, passing
from server.machine.version import program_version
from server.protocol import Outcome
from server.table.belief_worker import BeliefSearch
from server.table.evidence.evidence import SoundEvidence
from server.table.evidence.store import SoundStore
from server.table.intake import Asker, next_name
from server.table.mate_worker import MateSearch
from server.table.memory import search_all
from server.table.table import NOT_RECORDED, Observer
from server.voice.profiles import KnownVoices
from server.wording.laws import check_laws
from server.wording.rules import load_adaptations, load_checklist, load_incident_kinds, load_low_times, rules_for
from server.wording.typed_braille import TypingTables
from server.wording.words import scheme_of
from speech.complaint import Complaint, Phrase, told_by
from speech.hearing.hearing import Hearing
from speech.voices.voice import Voice
from speech.words.catalogue import OF_A_HALL, check_messages

if TYPE_CHECKING:
    from server.journal.postgresql.leases import Leases

WITNESS_MS = 1_000
ADMISSIONS_S = 1.0
RECORDS_AGAIN_S = 1.0
SENT_ELSEWHERE = "Sent away from the whole hall, at the terminal or at another server."
SEARCH_MS = 600_000
"""While no clock runs, the memory is searched as a whole at most so often."""
SENDS_S = 3.0
"""A hall that closes waits so long for sounds that are on their way to the common store."""
_log = logging.getLogger(__name__)


def _check_wording() -> None:
    """Check now what would else be missed at the first refusal in a game. Raises Complaint."""
    check_messages(parts=OF_A_HALL)
    load_incident_kinds()
    check_laws()


class Hall:
    """The hall holds the live games of one data folder; it is made with `Hall.open`."""

    def __init__(
        self, data: DataFolder, record: Record, reserve: Reserve, shared: Shared, box: Strongbox, witnesses: Witnesses
    ) -> None:
        self.data = data
        self.box = box
        self._room = Room(reserve, self.note_fault)
        self._shared = shared
        self.clock = shared.clock
        self.journal = record.journal
        self.admissions = record.admissions
        self.run = shared.run
        self.tables: dict[str, LiveTable] = {}
        self.shut: dict[str, str] = {}
        """Tables whose record cannot be trusted or read, each with what was found; nobody plays on at them."""
        self.evidence = shared.evidence
        self.voices = shared.voices
        self.comparison = Comparison()
        self.typing = TypingTables()
        self.found_damaged: tuple[Salvaged, ...] = record.found_damaged
        """Damaged files that were put aside at this start."""
        self._rounds = RoundFiles(data.rounds, self.tables, self.clock)
        self.leading: Leading | None = None
        """Keeper of the lease of this hall, where its record is on a database; else None."""
        self.sharing: Sharing | None = None
        """Exchange with the other servers, where several lead the tables of one hall; else None."""
        if record.leases is not None:
            self._lead(record.leases, shares=record.database is not None)
        self._pairings = PairingsTold(self.tables)
        self.witnesses = witnesses
        self._taking_up = TakingUp(self.journal, self.clock, self._make_table, self._seat_table, self._shut, witnesses)
        self.rolled_back = self._taking_up.rolled_back
        self._lasting: list[asyncio.Task[None]] = []  # what the hall does until it is closed
        self._whole = False  # all tables are taken up
        self._changed_meanwhile: set[str] = set()  # tables whose round has to be written once all are taken up
        self._writing: set[asyncio.Task[None]] = set()
        self._alive: Instant | None = None
        self._following: set[str] = set()  # cancelled games whose new ones are being opened
        self._opening: set[asyncio.Task[None]] = set()
        self.opens_round = asyncio.Lock()  # two arbiters' rounds do not take the same numbers
        self._witness_every_ms = WITNESS_MS if record.leases is None else SHARED_WITNESS_MS
        self.witnessed_ms = 0  # in ms of this run: up to then the disk says that the clocks ran
        self.device_keys: Callable[[LiveTable, Seat, Literal["talk", "let_go", "check"]], bool] | None = None
        # Keeps a prompt that was read outside the game.
        self.keep_reading: Callable[[LiveTable, Seat, int, bytes], None] | None = None
        self._on_table: list[Callable[[LiveTable], None]] = []
        self.on_left: list[Callable[[LiveTable], None]] = []
        """Told of a table that another server leads by now; its lines are still open."""
        self.on_sent_away: list[Callable[[str, str], None]] = []
        """Told of a table ("": the whole hall) and a station that was sent away from it; its lines are still open."""
        self.admissions.on_gone = self._gone_elsewhere

    @classmethod
    async def open(
        cls,
        data: DataFolder,
        clock: Clock,
        *,
        ears: Hearing | None = None,
        voice: Voice | None = None,
        mates: MateSearch | None = None,
        beliefs: BeliefSearch | None = None,
        ear_clock: Clock | None = None,
        answer_after_ms: int = 0,
        box: Strongbox = OPEN,
        record: Record | None = None,
        sounds: SoundStore | None = None,
        serves_within_ms: int | None = None,
        witnesses: Witnesses | None = None,
    ) -> Hall:
        """Open the record and take up every table; interrupted clocks stand at their last witness.

        A table whose record was changed or cannot be read is shut, and the arbiters of the others are told. Of a file
        that SQLite cannot follow, what can be proved whole is written anew, and the damaged file is kept.

        `answer_after_ms`: when players are answered (`table/departure.py`); 0 for at once, where time is scripted.
        `box`: what encrypts sounds and voice profiles on the disk. `record`: that of the hall, already open; without it
        the files in the data folder. The hall closes it. `sounds`: where all servers of the hall keep their sounds too,
        None: in the data folder alone. `serves_within_ms`: tables that are not taken up after this
        time are taken up while the hall serves (`wait_for`); None: all are taken up when this returns. `witnesses`:
        what the record is compared with, and told how far it has come.

        Raises Complaint for a newer record, for a damaged one of which no table is whole, and for an empty one where
        devices were admitted before.
        """
        _check_wording()
        reserve = Reserve(data.reserve)
        await asyncio.to_thread(reserve.hold)
        record = record or await open_record(data, reserve=reserve, salvages=True)
        journal = record.journal
        evidence = SoundEvidence(data.root, reserve.size, box, sounds, journal.read)
        shared = Shared(
            *(journal, clock, new_run_id(), ear_clock or clock, evidence, KnownVoices(data.profiles, box)),
            *(mates or MateSearch(), beliefs or BeliefSearch(), answer_after_ms, ears, voice),
        )
        witnesses = witnesses or Witnesses(journal.where, tombstones=data.tombstones)
        hall = cls(data, record, reserve, shared, box, witnesses)
        await hall._begin(record, serves_within_ms)
        return hall

    def _lead(self, leases: Leases, *, shares: bool) -> None:
        """Keep the lease of this hall, or the leases of its own tables where it `shares` the hall."""
        self.leading = Leading(leases, self.clock, self.tables, lambda: self.witnessed_ms)
        if shares:
            ways = (self._is_here, self._take_in, self._let_go, self.admissions.reload)
            self.sharing = Sharing(leases, self.clock, self.tables, *ways)
            self.leading.on_gone = self.sharing.lose
            self.leading.come_back = self._come_back

    async def _begin(self, record: Record, serves_within_ms: int | None) -> None:
        """Take the tables up, then begin what lasts; the hall is closed where that fails. Raises Complaint."""
        if self.leading is not None:  # before the tables are taken up, which may last longer than a lease
            self._keep_doing("The lease of the hall", self.leading.run)
        try:
            await self._take_up(record, serves_within_ms)
        except JournalFailed as wrong:
            await self.close()
            raise Complaint(Phrase("record.not_taken_up", why=told_by(wrong))) from wrong
        except BaseException:
            await self.close()
            raise
        in_order = sorted(self.tables.items())
        self.tables.clear()
        self.tables.update(in_order)
        self._keep_doing("The admissions of the hall", self._watch_admissions)
        self._keep_doing("The witness of the record", partial(self.witnesses.keep, self._tell_witnesses))
        self._keep_doing("The witness of the clocks", self._keep_witness)
        if not self._whole:
            self._keep_doing("The tables that are taken up", self._take_up_the_rest)

    def _keep_doing(self, what: str, doing: Work) -> None:
        """Do something until the hall is closed; a fault of it is told and it begins again."""
        self._lasting.append(lasting(what, doing, self.note_fault))

    async def _take_up(self, record: Record, serves_within_ms: int | None) -> None:
        """Take up the tables of the record that this server leads. Raises Complaint, JournalFailed."""
        leases, database = record.leases, record.database
        await self.evidence.sweep()
        await self._check_whole()
        await asyncio.to_thread(self.witnesses.load)
        await self.journal.begin_run(Run(self.run, self.clock.mono_ms(), self.clock.wall_ms(), program_version()))
        await self._taking_up.begin(serves_within_ms, leases.leads if leases is not None else None)
        if leases is not None and database is None:
            for id in await self.journal.tables():
                if not leases.leads(id):
                    self._shut(id, "nobody can lead it: the number of its lease cannot rise")
        if self.sharing is not None and database is not None:
            await self.sharing.look()
            self._keep_doing("What other servers of the hall do", partial(self.sharing.run, database))
        if not self._taking_up.waiting:
            await self._note_whole()

    async def _take_up_the_rest(self) -> None:
        await self._taking_up.go_on(self.note_fault)
        await self._note_whole()

    async def _note_whole(self) -> None:
        """Do what needs all tables: shut those that are missing, open next games, tell pairings, write round files."""
        await self._tell_what_is_shut()
        self._whole = True
        for table in tuple(self.tables.values()):
            self._look_for_next(table)
            if table.id in self._changed_meanwhile:
                self._rounds.look(table)
        self._pairings.look()
        self._in_passing("The rows of the record that are in no chain", self._tell_what_was_changed)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the tables that are not taken up yet after a start."""
        return tuple(self._taking_up.waiting)

    async def wait_for(self, *ids: str) -> None:
        """Return once these tables are taken up or shut; they come next. Other names cost nothing."""
        await self._taking_up.wait_for(ids)

    async def wait_for_all(self) -> None:
        """Return once every table is taken up or shut."""
        await self._taking_up.wait_for_all()

    def use(self, *, ears: Hearing | None = None, voice: Voice | None = None) -> None:
        """Use engines that became ready (they are loaded after the server listens)."""
        shared = self._shared
        shared.ears, shared.voice = ears or shared.ears, voice or shared.voice
        for table in self.tables.values():
            table.use(shared.ears, shared.voice)

    @property
    def voice(self) -> Voice | None:
        """Return the voice, None where none works."""
        return self._shared.voice

    @property
    def ears(self) -> Hearing | None:
        """Return the recognisers, None where none works."""
        return self._shared.ears

    async def close(self) -> None:
        """Stop all tables and close the record."""
        for task in reversed(self._lasting):
            task.cancel()
        await asyncio.gather(*self._lasting, return_exceptions=True)
        await asyncio.gather(*self._writing, self._room.wait_for_reserve())
        for opening in tuple(self._opening):
            opening.cancel()
        await asyncio.gather(*self._opening, return_exceptions=True)
        for table in tuple(self.tables.values()):
            await table.close()
        if self.evidence.sending is not None:
            await self.evidence.sending.finish(SENDS_S)
        await self.typing.close()
        await self._rounds.close()
        await self.comparison.close()
        await self._shared.mates.close()
        await self._shared.beliefs.close()
        with contextlib.suppress(OSError, JournalFailed):
            await self._tell_witnesses()
        await self.journal.close()
        await self.admissions.close()

    async def open_table(
        self, body: cmd.OpenTable, table_id: str | None = None, asker: Asker | None = None
    ) -> LiveTable:
        """Open a new table. `asker`: the arbiter's device that wants it so.

        Raises Complaint where the name is taken or not allowed, or the position, the wording or the regulations cannot
        be played.
        """
        id = table_id or new_table_id()
        if self.has(id):
            raise Complaint(Phrase("table_open", name=id))
        if not is_table_name(id):
            raise Complaint(Phrase("table_name"))
        for plan in (body.white, body.black):
            scheme_of(plan.scheme, plan.language)  # a wording that is not there would fail at every later word
        options = body.regulations or EventOptions()
        if options.low_time_s is None:
            options = msgspec.structs.replace(options, low_time_s=load_low_times())
        body = msgspec.structs.replace(body, regulations=options)
        if body.rules is None:
            body = msgspec.structs.replace(body, rules=rules_for(body.rule_set, options))
        adaptations = body.adaptations or tuple(load_adaptations().values())
        checklist = body.checklist or load_checklist()
        body = msgspec.structs.replace(body, adaptations=adaptations, checklist=checklist)
        table = self._seat(id)
        table.start()
        outcome = await table.own(table.program_command(body), asker=asker)
        if not outcome.outcome.ok:
            await self._leave(table)
            raise Complaint(outcome.text)
        for look in self._on_table:
            look(table)
        return table

    async def _open_next(self, old: LiveTable) -> None:
        """Open the new game that replaces a cancelled one (7.2.1), with all the stations of the old table.

        The stations are told only when they are admitted there; after a crash in between it is done again. Raises
        Complaint or JournalFailed where it could not be recorded.
        """
        ordered = old.state.table.next_game
        if ordered is None or ordered.open:
            return
        there = next((id for id, table in self.tables.items() if table.state.table.follows == old.id), None)
        name = there or ordered.table
        while there is None and self.has(name):  # the name is taken by a table of another game
            name = next_name(name)
        if there is None:
            events = beginning(old.id, old.state, self.clock.mono_ms())
            table = self._seat(name)
            table.start()
            outcome = await table.own(table.program_command(cmd.OpenNext(events=events)))
            if not outcome.outcome.ok:
                await self._leave(table)
                raise Complaint(outcome.text)
            await table.listener.know_voices()
            for look in self._on_table:
                look(table)
        seats = {seat.value: seat.other.value for seat in Seat} if ordered.exchanged else {}
        await self.admissions.carry(old.id, name, seats)
        for seat in Seat:  # the server's devices go to the new game
            if old.state.sound.of(seat).devices.any:
                await old.own(old.program_command(cmd.ChooseDevices(seat=seat, microphone="", headphones="")))
        noted = await old.own(old.program_command(cmd.NoteNextGame(table=name)))
        if not noted.outcome.ok:
            raise Complaint(noted.text)

    def _look_for_next(self, table: LiveTable) -> None:
        """Open the new game of a cancelled one, where one was ordered.

        What fails is tried again after a pause. The fault that is noted then is itself a change of the table, but does
        not start a second attempt.
        """
        ordered = table.state.table.next_game
        if not self._whole:
            return  # the new game may be one of the tables that are not taken up yet
        if ordered is None or ordered.open or table.id in self._following:
            return
        self._following.add(table.id)
        opening = lasting("The new game of a cancelled one", lambda: self._open_next(table), table.note_fault)
        self._opening.add(opening)

        def over(task: asyncio.Task[None]) -> None:
            self._opening.discard(task)
            self._following.discard(table.id)

        opening.add_done_callback(over)

    def note_fault(self, told: str | Saying) -> None:
        """Tell the arbiter of every table that something which serves all tables failed."""
        for table in self.tables.values():
            table.note_fault(told)

    def on_round(self, told: Callable[[str, str], None]) -> None:
        """Call `told` with a round and its games as PGN, whenever its file was written."""
        self._rounds.on_written = told

    async def round_before(self, round: str, back_ms: int) -> list[tuple[int, str]]:
        """Return how a round stood at instants of the last `back_ms`, also before this start (`RoundFiles.before`)."""
        await self.wait_for_all()
        return await self._rounds.before(round, self.journal.read, back_ms, self.clock.wall_ms())

    def on_table(self, look: Callable[[LiveTable], None]) -> None:
        """Call `look` for every table: those that are open now, and each that is opened later."""
        self._on_table.append(look)
        for table in self.tables.values():
            look(table)

    def has(self, id: str) -> bool:
        """Say whether there is a table of this name, open, shut or not taken up yet, here or at another server."""
        return self._is_here(id) or (self.sharing is not None and id in self.sharing.elsewhere)

    def _is_here(self, id: str) -> bool:
        return id in self.tables or id in self.shut or id in self._taking_up.waiting or id in self.witnesses.deleted

    def table(self, id: str) -> LiveTable:
        """Return the table of that name. Raises Complaint where there is none."""
        if id in self.shut:
            raise Complaint(Phrase("table_shut", name=id))
        if id not in self.tables:
            raise Complaint(Phrase("no_such_table", name=id))
        return self.tables[id]

    async def revoke(self, table: LiveTable, station_id: str, reason: str = "", asker: Asker | None = None) -> Outcome:
        """Send a device away, for the arbiter: its token opens this table no more, and the record says so.

        From this instant on nothing that it asked or asks is done at the table, and its lines are closed, however long
        the disk takes. `asker`: the device of that arbiter. Raises JournalFailed.
        """
        wall_ms = self.clock.wall_ms()
        self.admissions.strike(table.id, station_id, wall_ms)
        self._turn_away(table.id, station_id)
        writing = asyncio.ensure_future(self.admissions.revoke(table.id, station_id, wall_ms))
        try:
            outcome = await self._put_on_record(table, station_id, reason, asker)
        finally:
            await writing
        return outcome

    async def revoke_everywhere(self, station_id: str, reason: str, asker: Asker | None = None) -> bool:
        """Send a device away from the whole hall and every table, and say whether it was there.

        Its tokens open nothing from this instant on, so that of two who send one another away the first does it; its
        lines are closed at once, and the record of each table says who sent it away. Raises JournalFailed.
        """
        if not any(one[0].station == station_id for one in self.admissions.everybody()):
            return False
        wall_ms = self.clock.wall_ms()
        gone = self.admissions.strike_everywhere(station_id, wall_ms)
        writing = asyncio.ensure_future(self.admissions.revoke_everywhere(station_id, wall_ms))
        try:
            await self._note_gone(gone, reason, asker)
        finally:
            await writing
        return True

    def _gone_elsewhere(self, gone: Sequence[Admission]) -> None:
        """Let those go who were sent away from the terminal, or at another server of the hall."""
        self._in_passing("A device that was sent away", partial(self._note_gone, gone, SENT_ELSEWHERE))

    async def _note_gone(self, gone: Sequence[Admission], reason: str, asker: Asker | None = None) -> None:
        for one in gone:
            self._turn_away(one.table, one.station)
        noted = [
            self._put_on_record(table, one.station, reason, asker)
            for one in gone
            if (table := self.tables.get(one.table)) is not None and table.state.stations.find(one.station) is not None
        ]
        await asyncio.gather(*noted)

    def _turn_away(self, table: str, station: str) -> None:
        if table in self.tables:
            self.tables[table].turn_away(station)
        for tell in self.on_sent_away:
            tell(table, station)

    async def _put_on_record(self, table: LiveTable, station: str, reason: str, asker: Asker | None) -> Outcome:
        """Put on record that a device was sent away; where the record takes nothing now, as soon as it does.

        It is done already, so it is noted also where who did it is sent away meanwhile.
        """
        by = asker.as_it_was() if asker is not None else None
        body = cmd.Revoke(station=station, reason=reason)
        outcome = await table.own(table.program_command(body), asker=by)
        if outcome.outcome.code == NOT_RECORDED.code:
            self._in_passing("The record of who was sent away", partial(self._record_later, table, body, by))
        return outcome

    async def _record_later(self, table: LiveTable, body: cmd.Revoke, asker: Asker | None) -> None:
        while self.tables.get(table.id) is table:
            await asyncio.sleep(RECORDS_AGAIN_S)
            outcome = await table.own(table.program_command(body), asker=asker)
            if outcome.outcome.code != NOT_RECORDED.code:
                return

    def _in_passing(self, what: str, doing: Work) -> None:
        task = passing(what, doing, self.note_fault)
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _watch_admissions(self) -> None:
        """See every second whether somebody was sent away from the terminal, or let in by a link of it."""
        while True:
            await asyncio.sleep(ADMISSIONS_S)
            with contextlib.suppress(JournalFailed):
                await self.admissions.look()

    def _make_table(self, id: str, ahead_ms: int | None = None) -> LiveTable:
        table = LiveTable(id, self._shared, ahead_ms)
        table.observers += [
            Observer("A jump of time", arrival=self._notice_jump),
            Observer("The pairings", event=self._note_pairing),
            Observer("The round files", change=partial(self._look_for_round, table)),
            Observer("The next game", change=partial(self._look_for_next, table)),
        ]
        return table

    def _seat(self, id: str) -> LiveTable:
        table = self.tables[id] = self._make_table(id)
        return table

    def _seat_table(self, table: LiveTable) -> None:
        """Seat a table that was taken up from the record."""
        table.use(self._shared.ears, self._shared.voice)  # which may have become ready meanwhile
        self.tables[table.id] = table
        if self.leading is not None and self.leading.held_from_ms is not None:
            table.hold()
        for look in self._on_table:
            look(table)

    def _note_pairing(self, event: AnyEvent) -> None:
        if self._whole:  # else what is missing is taken for a change
            self._pairings.note(event)

    def _look_for_round(self, table: LiveTable) -> None:
        if self._whole:
            self._rounds.look(table)
        else:  # the file of a round holds all its games
            self._changed_meanwhile.add(table.id)

    async def _leave(self, table: LiveTable) -> None:
        """Forget a table that could not be opened."""
        await table.close()
        del self.tables[table.id]

    async def _check_whole(self) -> None:
        """Raise Complaint where devices were admitted in this folder and the journal knows of no start before this."""
        if self.admissions.tables() is not None and not await self.journal.runs():
            raise Complaint(Phrase("record.lost", place=self.journal.where, file=self.data.admissions.name))

    async def _tell_what_is_shut(self) -> None:
        """Shut the tables that were here and that the record does not have; tell the arbiters of all that was found."""
        for salvaged in self.found_damaged:
            for id, found in salvaged.shut.items():
                self._shut(id, found)
            _log.error("%s", salvaged.told)
            self.note_fault(salvaged.told)
        known = self.tables.keys() | self.shut.keys()
        if self.sharing is not None:
            known |= {*await self.journal.tables()}  # another server leads them, and looks at them itself
        for id in sorted((self.admissions.tables() or frozenset()) - known):
            self._shut(id, "devices were admitted to it, but the record has no event of it")
        for id in sorted({*await self.journal.tables_without_events()} - self.shut.keys()):
            self._shut(id, "commands were carried out at it, but the record has no event of it")
        for one in self.witnesses.missing({*known, *await self.journal.tables()}):
            self.rolled_back[one.table] = one
            self._shut(one.table, ROLLED_BACK.format(there=0, of=one.of, where=one.where))
        counts = await self.admissions.counts()
        if any(now < before for now, before in zip(counts, self.witnesses.admissions_before, strict=True)):
            _log.error("The list of admitted devices is older than its witness: each device has to join again")
            for standing in self.admissions.everybody():  # a device that was sent away since may be among them
                await self.admissions.revoke_everywhere(standing[0].station, self.clock.wall_ms())
            self.note_fault(saying("admissions_rolled_back"))
        for name in self.witnesses.unread:
            self.note_fault(saying("witness_unread", name=name))
        for name in self.admissions.unread:
            self.note_fault(saying("admission_unread", name=name))
        for id, found in self.shut.items():
            self.note_fault(f"Table {id} is shut, because its record is not whole: {found}. The other tables play on.")

    async def _tell_what_was_changed(self) -> None:
        """Tell of rows in no chain that were changed; in a record of many rounds it takes a while to read them all."""
        with contextlib.suppress(JournalFailed):  # looked for again at the next start
            for found in await self.journal.changed_rows():
                self.note_fault(f"The record was changed on the disk: {found}. The games are not concerned.")

    async def _take_in(self, id: str, handed: HandedIn) -> None:
        """Lead a table that another server led: it was handed over, or that server is gone. Raises JournalFailed."""
        await self.admissions.reload()
        await self._taking_up.take_in(id, handed)
        if id in self.tables:
            self._look_for_next(self.tables[id])

    async def _come_back(self) -> bool | None:
        """Share the hall again, without a table, after other servers held this one for dead; what it led is theirs.

        Tables that nobody took meanwhile are taken up from the record. False: another server leads the whole hall.
        None: it cannot be known yet. Raises JournalFailed.
        """
        assert self.sharing is not None
        self._taking_up.give_up()
        return await self.sharing.come_back()

    async def _let_go(self, id: str) -> None:
        """Close a table that another server leads by now."""
        table = self.tables.pop(id, None)
        if table is None:
            return
        await table.close()
        for told in self.on_left:
            told(table)

    def _shut(self, id: str, found: str) -> None:
        self.shut[id] = found
        _log.error("Table %s is shut: %s", id, found)

    async def go_on_with(self, id: str, asker: Asker | None = None) -> None:
        """Go on with a table whose record is not what was witnessed, for the arbiter who says so, on its record.

        Raises Complaint where it is not shut for that, or cannot be taken up, and JournalFailed.
        """
        if id not in self.rolled_back:
            raise Complaint(Phrase("no_such_table", name=id))
        found = self.rolled_back[id]
        del self.shut[id]
        await self._taking_up.go_on_with(id)
        if id in self.tables:
            said = saying("record_shorter", there=str(found.there), of=str(found.of))
            table = self.tables[id]
            await table.own(table.program_command(cmd.NoteFault(said=said)), asker=asker)
            self._look_for_next(table)
        await self._tell_witnesses()

    async def _tell_witnesses(self) -> None:
        """Tell the witnesses how far each table has come. Raises OSError where none of them takes it."""
        await self.witnesses.look(self.journal, self.admissions, {id: one.seq for id, one in self.tables.items()})

    async def _keep_witness(self) -> None:
        """Write one row for all tables, once or twice a second, while any clock runs.

        After a jump of time the clocks stand, as after a crash.
        """
        self._alive = moment_of(self.clock)
        faults = Faults("The witness of the clocks", self.note_fault)
        searched = self._alive[0]
        while True:
            await self.clock.sleep_until(self._alive[0] + self._witness_every_ms)
            self._notice_jump()
            self._alive = moment_of(self.clock)
            try:
                held = self.leading is not None and self.leading.held_from_ms is not None
                if not any(table.clock_runs for table in self.tables.values()):
                    if self._alive[0] >= searched + SEARCH_MS:
                        searched = self._alive[0]
                        search_all()
                elif not held:
                    writing = passing("The witness of the clocks", partial(self._write_witness, *self._alive[:2]))
                    self._writing.add(writing)
                    writing.add_done_callback(self._writing.discard)
                self._room.look()
            except Exception as fault:  # a second without a witness is not a jump of time
                faults.note(fault)

    async def _write_witness(self, mono_ms: int, wall_ms: int) -> None:
        """Write one witness; nothing waits for it.

        A slow disk is not a jump of time, and a witness that fails stops no game.
        """
        with contextlib.suppress(JournalFailed):
            await self.journal.witness(self.run, mono_ms, wall_ms)
            self.witnessed_ms = max(self.witnessed_ms, mono_ms)

    def _notice_jump(self) -> None:
        """Stop the clocks of all tables where they stood before a jump of time, before any later command.

        A server that was only busy has not slept: its clocks ran all the while, and they go on.
        """
        before, now = self._alive, moment_of(self.clock)
        if before is None or not step_between(before, now, self._witness_every_ms):
            return
        self._alive = now
        for table in self.tables.values():
            if table.clock_runs:
                table.note(
                    cmd.NoteInterruption(
                        witness_ms=before[0] + table.ahead_ms,
                        uncertain_ms=max(0, now[1] - before[1]),
                        reason="the_machine_slept_or_its_clock_jumped",
                    )
                )
