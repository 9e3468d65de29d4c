"""The hall has all tables of one server.

They are restored from the record, witnessed once a second, and opened and closed together.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import msgspec

from server.game import acts as cmd
from server.game.decide.rulings.next_game import beginning
from server.game.decide.time.instants import pending
from server.game.laws.event_options import EventOptions, rules_of
from server.game.values.words import Seat, Station
from server.hall.round_files import RoundFiles
from server.journal.admissions import Admissions
from server.journal.entry import Entry, Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.machine.clock import Clock, Instant, step_between
from server.machine.data_folder import DataFolder
from server.machine.identity import new_run_id, new_table_id
from server.machine.tasks import Faults, lasting, passing
from server.machine.version import program_version
from server.protocol import AtEar, CellsTyped, Outcome, ReadOut, Typed
from server.table.belief_worker import BeliefSearch, BeliefWorker
from server.table.evidence import SoundEvidence
from server.table.intake import next_name
from server.table.mate_worker import MateSearch, MateWorker
from server.table.table import Table
from server.voice.listener import Listener, Spoken, take_typed
from server.voice.profiles import KnownVoices
from server.voice.rehearsal import Rehearsals
from server.voice.teller import Teller
from server.wording.laws import check_laws
from server.wording.rules import load_adaptations, load_checklist, load_incident_kinds, load_low_times, load_rule_set
from server.wording.typed_braille import TypingTables
from server.wording.words import scheme_of, segments_of, text_in
from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import Hearing, HearingUtterance
from speech.voices.voice import Voice
from speech.words.catalogue import check_messages
from speech.words.scheme import Scheme

WITNESS_MS = 1_000
_TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PLAIN_STATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,45}")


def utterance_name(station_id: str, utterance: int) -> str:
    """Return the name of an utterance's sound on disk.

    A station's name that cannot be a file name is replaced by its hash.

    >>> utterance_name("tactile", 255)
    'tactile-00000000000000ff'
    """
    plain = _PLAIN_STATION.fullmatch(station_id)
    name = station_id if plain else "s" + hashlib.sha256(station_id.encode()).hexdigest()[:32]
    return f"{name}-{utterance:016x}"


class Hall:
    """The hall holds the live games of one data folder; it is made with `Hall.open`."""

    def __init__(
        self,
        data: DataFolder,
        clock: Clock,
        journal: Journal,
        admissions: Admissions,
        mates: MateSearch,
        beliefs: BeliefSearch,
    ) -> None:
        self.data = data
        self.clock = clock
        self.journal = journal
        self.admissions = admissions
        self.run = new_run_id()
        self.tables: dict[str, Table] = {}
        self.evidence = SoundEvidence(data.root)
        self.ear_clock = clock  # the clock by which sounds play; it differs where the game's clock is scripted
        self._rounds = RoundFiles(data.rounds, self.tables, clock.wall_ms())
        self.voices = KnownVoices(data.profiles)
        self.typing = TypingTables()
        self._listeners: dict[str, Listener] = {}
        self._tellers: dict[str, Teller] = {}
        self._mates = mates
        self._beliefs = beliefs
        self._desks: dict[str, tuple[MateWorker, BeliefWorker]] = {}
        self._ears: Hearing | None = None
        self._voice: Voice | None = None
        self._witness: asyncio.Task[None] | None = None
        self._writing: set[asyncio.Task[None]] = set()
        self._alive: Instant | None = None
        self._following: set[str] = set()  # cancelled games whose new ones are being opened
        self._opening: set[asyncio.Task[None]] = set()
        self.witnessed_ms = 0  # in ms of this run: up to then the disk says that the clocks ran
        self.device_keys: Callable[[Table, Seat, Literal["talk", "let_go", "check"]], bool] | None = None
        self.keep_reading: Callable[[Table, Seat, int, bytes], None] | None = None  # of a prompt, read outside the game
        self.rehearsals = Rehearsals(lambda table: (self._listeners[table.id], self._tellers[table.id].say_words))
        self._on_table: list[Callable[[Table], None]] = []

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
    ) -> Hall:
        """Open the record and take up every table; interrupted clocks stand at their last witness.

        Raises Complaint for a damaged or newer record.
        """
        check_messages()  # check now, not at the first refusal in a game
        load_incident_kinds()
        check_laws()
        journal = await asyncio.to_thread(Journal.open, data.journal)
        try:
            admissions = await asyncio.to_thread(Admissions.open, data.admissions)
        except BaseException:
            await journal.close()
            raise
        hall = cls(data, clock, journal, admissions, mates or MateSearch(), beliefs or BeliefSearch())
        hall.ear_clock = ear_clock or clock
        hall.use(ears=ears, voice=voice)
        try:
            await hall.evidence.sweep()
            await journal.begin_run(Run(hall.run, clock.mono_ms(), clock.wall_ms(), program_version()))
            for id in await journal.tables():
                await hall._restore(id)
        except JournalFailed as wrong:
            await hall.close()
            raise Complaint(f"The record cannot be taken up: {wrong}") from wrong
        except BaseException:
            await hall.close()
            raise
        hall._witness = lasting("The witness of the clocks", hall._keep_witness, hall.note_fault)
        for table in tuple(hall.tables.values()):
            hall._look_for_next(table)
        return hall

    def use(self, *, ears: Hearing | None = None, voice: Voice | None = None) -> None:
        """Use engines that became ready (they are loaded after the server listens)."""
        self._ears = ears or self._ears
        self._voice = voice or self._voice
        for listener in self._listeners.values():
            listener.ears = self._ears
        for teller in self._tellers.values():
            teller.use(self._voice)

    @property
    def voice(self) -> Voice | None:
        """Return the voice, None where none works."""
        return self._voice

    async def close(self) -> None:
        """Stop all tables and close the record."""
        if self._witness is not None:
            self._witness.cancel()
            await asyncio.gather(self._witness, return_exceptions=True)
        await asyncio.gather(*self._writing)
        for opening in tuple(self._opening):
            opening.cancel()
        await asyncio.gather(*self._opening, return_exceptions=True)
        for teller in self._tellers.values():
            await teller.close()
        for desks in self._desks.values():
            for desk in desks:
                await desk.close()
        await self.typing.close()
        await self._rounds.close()
        await self._mates.close()
        await self._beliefs.close()
        for table in self.tables.values():
            await table.close()
        await self.journal.close()
        await self.admissions.close()

    async def open_table(self, body: cmd.OpenTable, table_id: str | None = None) -> Table:
        """Open a new table.

        Raises Complaint where the name is taken or not allowed, or the position, the wording or the regulations cannot
        be played.
        """
        id = table_id or new_table_id()
        if id in self.tables:
            raise Complaint(Phrase("table_open", name=id))
        if not _TABLE_NAME.fullmatch(id):
            raise Complaint(Phrase("table_name"))
        for plan in (body.white, body.black):
            scheme_of(plan.scheme, plan.language)  # a wording that is not there would fail at every later word
        options = body.regulations or EventOptions()
        if options.low_time_s is None:
            options = msgspec.structs.replace(options, low_time_s=load_low_times())
        body = msgspec.structs.replace(body, regulations=options)
        if body.rules is None:
            try:
                rules = rules_of(load_rule_set(body.rule_set), options)
            except ValueError as wrong:
                raise Complaint(f"The regulations of this event cannot be played: {wrong}.") from wrong
            body = msgspec.structs.replace(body, rules=rules)
        adaptations = body.adaptations or tuple(load_adaptations().values())
        checklist = body.checklist or load_checklist()
        body = msgspec.structs.replace(body, adaptations=adaptations, checklist=checklist)
        table = self._seat(id)
        table.start()
        outcome = await table.own(table.program_command(body))
        if not outcome.outcome.ok:
            await table.close()
            del self.tables[id], self._listeners[id], self._tellers[id], self._desks[id]
            raise Complaint(outcome.text)
        for look in self._on_table:
            look(table)
        return table

    async def _open_next(self, old: Table) -> None:
        """Open the new game that replaces a cancelled one (7.2.1), with all the stations of the old table.

        The stations are told only when they are admitted there; after a crash in between it is done again. Raises
        Complaint or JournalFailed where it could not be recorded.
        """
        ordered = old.state.table.next_game
        if ordered is None or ordered.open:
            return
        there = next((id for id, table in self.tables.items() if table.state.table.follows == old.id), None)
        name = there or ordered.table
        while there is None and name in self.tables:  # the name is taken by a table of another game
            name = next_name(name)
        if there is None:
            events = beginning(old.id, old.state, self.clock.mono_ms())
            table = self._seat(name)
            table.start()
            outcome = await table.own(table.program_command(cmd.OpenNext(events=events)))
            if not outcome.outcome.ok:
                await table.close()
                del self.tables[name], self._listeners[name], self._tellers[name], self._desks[name]
                raise Complaint(outcome.text)
            await self._listeners[name].know_voices()
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

    def _look_for_next(self, table: Table) -> None:
        """Open the new game of a cancelled one, where one was ordered.

        What fails is tried again after a pause. The fault that is noted then is itself a change of the table, but does
        not start a second attempt.
        """
        ordered = table.state.table.next_game
        if self._witness is None:
            return  # not all tables are restored: the new game may be one of them
        if ordered is None or ordered.open or table.id in self._following:
            return
        self._following.add(table.id)
        opening = lasting("The new game of a cancelled one", lambda: self._open_next(table), table.note_fault)
        self._opening.add(opening)

        def over(task: asyncio.Task[None]) -> None:
            self._opening.discard(task)
            self._following.discard(table.id)

        opening.add_done_callback(over)

    def note_fault(self, text: str) -> None:
        """Tell the arbiter of every table that something which serves all tables failed."""
        for table in self.tables.values():
            table.note_fault(text)

    def on_table(self, look: Callable[[Table], None]) -> None:
        """Call `look` for every table: those that are open now, and each that is opened later."""
        self._on_table.append(look)
        for table in self.tables.values():
            look(table)

    def table(self, id: str) -> Table:
        """Return the table of that name. Raises Complaint where there is none."""
        if id not in self.tables:
            raise Complaint(Phrase("no_such_table", name=id))
        return self.tables[id]

    async def admit(self, table: Table, station: Station) -> Outcome:
        """Admit a device to a table, for the arbiter."""
        body = msgspec.convert(
            {
                "do": "admit",
                "station": station.id,
                "role": station.role,
                "seat": station.seat,
                "duties": station.duties,
                "under": station.under,
                "provided_by": station.provided_by,
            },
            cmd.Admit,
        )
        return await table.own(table.program_command(body))

    async def revoke(self, table: Table, station_id: str, reason: str = "") -> Outcome:
        """Send a device away, for the arbiter: its token opens this table no more, and the record says so.

        Raises JournalFailed.
        """
        try:
            await self.admissions.revoke(table.id, station_id, self.clock.wall_ms())
        finally:  # also when the disk fails: the table itself must know that the device is gone
            outcome = await table.own(table.program_command(cmd.Revoke(station=station_id, reason=reason)))
        return outcome

    async def typed(self, table: Table, station_id: str, said: Typed | CellsTyped, language: str = "") -> Outcome:
        """Take words or cells typed at a station, whose page is in `language`.

        Raises Complaint where they mean nothing.
        """
        return await take_typed(table, self._station(table, station_id), said, language)

    async def bind_voice(self, table: Table, seat: Seat, code: str) -> Outcome:
        """Use a player's voice profile at the seat, with the player's consent; "" uses none any more."""
        outcome = await table.own(table.program_command(cmd.NoteVoice(seat=seat, profile=code)))
        await self._listeners[table.id].know_voices()
        return outcome

    def give_sound(self, table: Table, station_id: str, text: str, sound: Sound) -> str:
        """Offer a sound outside the game to one station alone, and return the sound's id."""
        return self._tellers[table.id].sounds.give(station_id, text, sound)

    async def say_words(self, table: Table, station_id: str, words: Sequence[str], scheme: Scheme) -> None:
        """Say words outside the game, to one station alone. Raises Complaint where there is no voice."""
        await self._tellers[table.id].say_words(station_id, text_in(words, scheme), segments_of(words, scheme))

    def begin_hearing(self, table: Table, station_id: str) -> HearingUtterance | None:
        """Begin to recognise while a station speaks; None where no recogniser works."""
        station = table.state.stations.find(station_id)
        return self._listeners[table.id].begin(station) if station is not None else None

    async def hear(
        self,
        table: Table,
        station_id: str,
        utterance: int,
        sound: bytes | Spoken,
        first_ms: int,
        listening: HearingUtterance | None = None,
    ) -> None:
        """Take a finished utterance of a station: mono s16le, 16 kHz, begun at `first_ms` of this run."""
        station = self._station(table, station_id)
        spoken = sound if isinstance(sound, Spoken) else Spoken(sound, sound)
        if await self.rehearsals.hears(table, station, spoken, listening):
            return
        name = utterance_name(station_id, utterance)
        await self._listeners[table.id].hear(station, name, spoken, first_ms, listening)

    def sound(self, table: Table, station_id: str, sound_id: str) -> Sound | None:
        """Return the speech offered to this station under this id, None where there is none."""
        return self._tellers[table.id].sounds.find(station_id, sound_id)

    def at_ear(self, table: Table, station_id: str, said: AtEar | ReadOut) -> None:
        """Take what a station tells about its player's ear.

        A sound began or ended there, or a key was pressed.
        """
        self._tellers[table.id].at_ear(station_id, said)

    def voice_began(self, table: Table, station_id: str) -> None:
        """Keep all the server's sounds at this table silent while somebody speaks at this station."""
        self._tellers[table.id].voice_began(station_id)

    def voice_ended(self, table: Table, station_id: str) -> None:
        """Let sounds play again: the person at this station has stopped speaking."""
        self._tellers[table.id].voice_ended(station_id)

    def _station(self, table: Table, station_id: str) -> Station:
        station = table.state.stations.find(station_id)
        if station is None:
            raise Complaint(Phrase("device_not_admitted"))
        return station

    def _seat(self, id: str, envelopes: list[Entry] | None = None) -> Table:
        table = self.tables[id] = Table(id, self.journal, self.clock, self.run)
        table.replay(envelopes or [])
        self._listeners[id] = Listener(table, self.evidence, self._ears, self.voices)
        self._tellers[id] = Teller(table, self.evidence, self._voice, self.ear_clock, self.clock)
        self._listeners[id].at_own_ear = self._tellers[id].at_own_ear
        self._desks[id] = (MateWorker(table, self.clock, self._mates), BeliefWorker(table, self._beliefs))
        table.on_arrival = self._notice_jump
        table.on_change.append(lambda: self._rounds.look(table))
        table.on_change.append(lambda: self._look_for_next(table))
        return table

    async def _restore(self, id: str) -> None:
        """Take up a table of an earlier run; a clock that ran stands at the last sign of life of that run."""
        envelopes = await self.journal.read(id)
        try:
            table = self._seat(id, envelopes)
        except msgspec.MsgspecError as wrong:
            raise Complaint(
                f"The record of table {id} cannot be read ({wrong}); use the program that wrote it."
            ) from wrong
        await self._listeners[id].know_voices()
        if not table.clock_runs:
            table.start()
            if pending(table.state):
                await table.own(table.program_command(cmd.NoteNewRun()))
            for desk in self._desks[id]:
                desk.look()
            return
        last = envelopes[-1]
        witness = await self.journal.last_witness(last.run)
        alive, wall = last.mono_ms, last.wall_ms
        if witness is not None and witness.mono_ms > alive:
            alive, wall = witness.mono_ms, witness.wall_ms
        away = max(0, self.clock.wall_ms() - wall)
        # This must be the first command of all: until then the clock holds milliseconds of the earlier run.
        table.start()
        if pending(table.state):
            table.note(cmd.NoteNewRun())
        outcome = await table.own(
            table.program_command(
                cmd.NoteInterruption(witness_ms=alive, uncertain_ms=away, reason="the_program_was_stopped")
            )
        )
        if not outcome.outcome.ok:
            raise Complaint(f"The clocks of table {id} could not be stopped for the record: {outcome.text}")

    async def _keep_witness(self) -> None:
        """Write one row a second for all tables while any clock runs.

        After a jump of time the clocks stand, as after a crash.
        """
        self._alive = (self.clock.mono_ms(), self.clock.wall_ms())
        faults = Faults("The witness of the clocks", self.note_fault)
        while True:
            await self.clock.sleep_until(self._alive[0] + WITNESS_MS)
            self._notice_jump()
            self._alive = (self.clock.mono_ms(), self.clock.wall_ms())
            try:
                if any(table.clock_runs for table in self.tables.values()):
                    writing = passing("The witness of the clocks", partial(self._write_witness, *self._alive))
                    self._writing.add(writing)
                    writing.add_done_callback(self._writing.discard)
            except Exception as fault:  # a second without a witness is not a jump of time
                faults.met(fault)

    async def _write_witness(self, mono_ms: int, wall_ms: int) -> None:
        """Write one witness; nothing waits for it.

        A slow disk is not a jump of time, and a witness that fails stops no game.
        """
        with contextlib.suppress(JournalFailed):
            await self.journal.witness(self.run, mono_ms, wall_ms)
            self.witnessed_ms = max(self.witnessed_ms, mono_ms)

    def _notice_jump(self) -> None:
        """Stop the clocks of all tables where they stood before a jump of time, before any later command."""
        before, now = self._alive, (self.clock.mono_ms(), self.clock.wall_ms())
        if before is None or not step_between(before, now, WITNESS_MS):
            return
        self._alive = now
        for table in self.tables.values():
            if table.clock_runs:
                table.note(
                    cmd.NoteInterruption(
                        witness_ms=before[0],
                        uncertain_ms=max(0, now[1] - before[1]),
                        reason="the_machine_slept_or_its_clock_jumped",
                    )
                )
