"""The live table: one game with all that serves it, ears, voice, rehearsal and workers.

It is opened and closed as one, and shows in one place in which order an event travels.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from server.game import acts as cmd
from server.game.acts import (
    AnyEvent,
    Command,
    GameEnded,
    GameStarted,
    IncidentNoted,
    NextGameOpened,
    PairingChanged,
    SetUpRuled,
    SoundKept,
    StationAdmitted,
    TableOpened,
    event_in,
)
from server.game.decide.roles import why_refused
from server.game.decide.set_up.pairing import pairings_to_tell
from server.game.decide.set_up.table import answer_of
from server.game.values.words import Role, Seat, Station
from server.game.views.messages import OutcomeShown
from server.journal.entry import Entry
from server.journal.journal import Journal
from server.machine.clock import Clock, TableClock
from server.machine.tasks import Faults
from server.protocol import CellsTyped, Outcome, RecordFails, Typed
from server.table.belief_worker import BeliefSearch, BeliefWorker
from server.table.evidence.evidence import SoundEvidence
from server.table.intake import Arrival, Asker, Waiting
from server.table.mate_worker import MateSearch, MateWorker
from server.table.table import Observer, Table
from server.voice.listener import Listener, UtteranceSound, command_typed
from server.voice.profiles import KnownVoices
from server.voice.rehearsal import Rehearsals
from server.voice.teller import Teller
from server.wording.pages import part_words
from server.wording.words import check_ear
from speech.complaint import Complaint
from speech.hearing.hearing import Hearing, HearingUtterance
from speech.voices.voice import Voice

AT_A_TIME = 64
"""Events that are taken up before the other tables have their turn: two or three milliseconds."""
_PLAIN_STATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,45}")


@dataclass
class Shared:
    """Services that all tables of one server use.

    `ear_clock`: by which sounds play; it differs where the game's clock is scripted. `answer_after_ms`: when players
    are answered (`table/departure.py`), 0 for at once. `ears` and `voice` are None until
    they are loaded, and where none works.
    """

    journal: Journal
    clock: Clock
    run: str
    ear_clock: Clock
    evidence: SoundEvidence
    voices: KnownVoices
    mates: MateSearch
    beliefs: BeliefSearch
    answer_after_ms: int = 0
    ears: Hearing | None = None
    voice: Voice | None = None


class TableLeft(Exception):
    """Another server leads the table by now, and this command was not carried out: its station sends it there."""


class LiveTable(Table):
    """A table with its listener, its teller, its rehearsal and the workers beside it."""

    def __init__(self, id: str, shared: Shared, ahead_ms: int | None = None) -> None:
        """Set up a table without events.

        `ahead_ms`: another server handed the table over, and so far its time is ahead of this run's.
        """
        clock = shared.clock if ahead_ms is None else TableClock(shared.clock, ahead_ms)
        super().__init__(id, shared.journal, clock, shared.run, shared.answer_after_ms)
        self._shared = shared
        self.ahead_ms = ahead_ms or 0
        """How far the table's time is ahead of this run's, in ms."""
        self.started_wall_ms: int | None = None
        """When the game started, by the wall clock; None before that."""
        self._goes_on = ahead_ms is not None
        self._left_here = False
        self._answers: weakref.WeakSet[asyncio.Future[Outcome]] = weakref.WeakSet()
        self.teller = Teller(self, shared.evidence, shared.voice, shared.ear_clock, clock)
        own_ear, beside = self.teller.at_own_ear, self.teller.sounds.beside
        self.listener = Listener(self, shared.evidence, shared.ears, shared.voices, own_ear, beside)
        self.rehearsals = Rehearsals(self, self.listener, self.teller)
        self.mates = MateWorker(self, clock, shared.mates)
        self.beliefs = BeliefWorker(self, shared.beliefs)
        # After these come what the hall adds (round files, the next game) and then the adapters (overview, devices).
        self.observers += [
            Observer(
                "What the player hears",
                event=self.teller.note,
                message=self.teller.take,
                opened=self.teller.sounds.give_out,
                line=self.teller.line_changed,
            ),
            Observer("Whose voice was confirmed", event=self.listener.note),
            Observer("The day of the game", event=self._note_start),
            Observer("Whether a side can ever mate", change=self.mates.look),
            Observer("What was probably played", change=self.beliefs.look),
            Observer("The rehearsal", change=self.rehearsals.look),
            Observer("A record that cannot be written", record=self._tell_of_record, held=self._tell_of_silence),
        ]

    async def take_up(self, entries: Sequence[Entry]) -> None:
        """Take up the events of an earlier run, some at a time so that no other table waits; nobody is told of them.

        Raises MsgspecError where one cannot be read.
        """
        for begin in range(0, len(entries), AT_A_TIME):
            self.replay(entries[begin : begin + AT_A_TIME])
            await asyncio.sleep(0)
        started = str(GameStarted.__struct_config__.tag)
        self.started_wall_ms = next((one.wall_ms for one in entries if one.kind == started), None)
        if self._goes_on and entries:
            self._latest = entries[-1].mono_ms
        self.teller.note_restart()

    def _note_start(self, event: AnyEvent) -> None:
        if isinstance(event, GameStarted):
            self.started_wall_ms = self.clock.wall_ms()

    def use(self, ears: Hearing | None, voice: Voice | None) -> None:
        """Use these engines from now on."""
        self.listener.ears = ears
        self.teller.use(voice)

    def _tell_of_record(self, fails: bool) -> None:
        """Tell the arbiter by page and voice; that the record fails cannot itself be on record."""
        for station in self.state.stations.admitted:
            if station.role is Role.ARBITER:
                self.push(station.id, RecordFails(fails))
        self.teller.warn_arbiters("record_fails" if fails else "record_goes_on")

    def _tell_of_silence(self, held: bool) -> None:
        """Tell everybody why nothing counts, and that it counts again; neither is on record."""
        for station in self.state.stations.admitted:
            self.push(station.id, RecordFails(held, held=True))
        self.teller.warn_arbiters("record_silent" if held else "record_goes_on")

    async def close(self) -> None:
        """Say nothing more, leave open questions to the next run, and stop taking commands."""
        await self.teller.close()
        await self.mates.close()
        await self.beliefs.close()
        await super().close()

    async def leave(self, body: cmd.NoteHandedOver, move: Callable[[], Awaitable[bool]]) -> bool:
        """Write the last event of this server, let `move` give the table to another one, and say whether it did.

        False: the table goes on here. No command is carried out in between; those that wait then get no answer here
        (TableLeft), so that their stations send them to the other server.
        """
        command, came = self.program_command(body), self.arrival()
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        async with self._writing:
            waiting = Waiting(command, came, came.mono_ms, came.wall_ms, answer, False).not_before(self._latest)
            outcome = await self._carry_out(waiting)
            self._leave(waiting, outcome)
            if not outcome.outcome.ok or not await move():
                return False
            self._closed = self._left_here = True
            for task in self._tasks:
                task.cancel()
        for left in tuple(self._answers):
            if not left.done():
                left.set_exception(TableLeft(self.id))
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return True

    def _enqueue(
        self, command: Command, came: Arrival | None, *, fill: bool, asker: Asker | None = None
    ) -> asyncio.Future[Outcome]:
        answer = super()._enqueue(command, came, fill=fill, asker=asker)
        self._answers.add(answer)
        return answer

    async def submit(self, command: Command, came: Arrival | None = None) -> Outcome:
        """Carry out a command from a station; before the game a rehearsal may take it.

        Raises TableLeft where another server leads the table by now.
        """
        if self._left_here:
            raise TableLeft(self.id)
        if self.rehearsals.takes(command):
            return self.refusal(command, None)
        return await super().submit(command, came)

    async def take_typed(
        self, station_id: str, said: Typed | CellsTyped, language: str = "", came: Arrival | None = None
    ) -> Outcome:
        """Take words or cells typed at a station, whose page is in `language`; `came`: when they came off their line.

        Raises Complaint where they mean nothing.
        """
        station = self.admitted_station(station_id)
        command = await command_typed(self, station, said, language, self.listener.left_open(station.seat))
        if isinstance(command.body, cmd.ClaimTime) and why_refused(station, command.body) is None:
            # A claim stops the clocks: an assistant's page asks about the word once, and then sends the claim itself.
            asked = part_words("player", language or self.state.language_of(station.seat or Seat.WHITE))["sure.flag"]
            return Outcome(OutcomeShown(id=said.id, ok=False, code="sure_flag"), asked)
        left_open = isinstance(command.body, cmd.Say) and command.body.announcement is None
        if (left_open or isinstance(command.body, cmd.Confirm)) and not self.rehearsals.under_way:
            return await self.own(command, came)  # only the server may say that it was typed, and what is left open
        return await self.submit(command, came)

    async def hear(
        self,
        station_id: str,
        utterance: int,
        sound: bytes | UtteranceSound,
        first_ms: int,
        listening: HearingUtterance | None = None,
    ) -> None:
        """Take a finished utterance of a station: mono s16le, 16 kHz, begun at `first_ms` of this run."""
        station = self.admitted_station(station_id)
        spoken = sound if isinstance(sound, UtteranceSound) else UtteranceSound(sound, sound)
        if await self.rehearsals.hears(station, spoken, listening):
            return
        await self.listener.hear(station, utterance_name(station_id, utterance), spoken, first_ms, listening)

    async def forget_voice(self, seat: Seat) -> int:
        """Delete the sounds and the voice profile of a player, with a line on the record; return how many sounds.

        Their hashes stay in the record, and with them the proof that there was a sound. Raises OSError, JournalFailed.
        """
        names: set[str] = set()
        untold: set[str] = set()  # what was deleted by a program that was killed before it said so is said now
        for one in await self._shared.journal.read(self.id):
            said = event_in(one.body) if one.kind in (SOUND, NOTED) else None
            if isinstance(said, SoundKept) and said.seat is seat and said.sha256:
                names.add(said.utterance)
                untold.add(said.utterance)
            elif isinstance(said, IncidentNoted) and said.seat is seat and said.kind == FORGOTTEN:
                untold.clear()
        failed: OSError | None = None
        for name in sorted(names):
            try:
                await self._shared.evidence.delete(self.id, name)
            except OSError as wrong:  # the others go
                failed = wrong
        code = self.state.sound.of(seat).profile
        if code:
            await self._shared.voices.delete(code)
            await self.listener.bind_voice(seat, "")
        self.listener.whose.forget(seat)
        if failed is not None:
            raise failed
        if untold or code:
            told = cmd.NoteIncident(kind=FORGOTTEN, seat=seat, text=str(len(untold)))
            await self.own(self.program_command(told))
        return len(untold)

    async def admit(self, station: Station, language: str = "", asker: Asker | None = None) -> Outcome:
        """Admit a device to the table. `language`: chosen at the door, "" for none. `asker`: the arbiter's device."""
        try:
            if language:
                check_ear(self.state, language)
        except Complaint:
            language = ""  # no words for this table in it: its seat stays as it was set up
        body = msgspec.convert(
            {
                "do": "admit",
                "station": station.id,
                "role": station.role,
                "seat": station.seat,
                "duties": station.duties,
                "under": station.under,
                "provided_by": station.provided_by,
                "language": language,
            },
            cmd.Admit,
        )
        return await self.own(self.program_command(body), asker=asker)


def utterance_name(station_id: str, utterance: int) -> str:
    """Return the name of an utterance's sound on disk.

    A station's name that cannot be a file name is replaced by its hash.

    >>> utterance_name("tactile", 255)
    'tactile-00000000000000ff'
    """
    plain = _PLAIN_STATION.fullmatch(station_id)
    name = station_id if plain else "s" + hashlib.sha256(station_id.encode()).hexdigest()[:32]
    return f"{name}-{utterance:016x}"


SOUND, ENDED, NOTED = (str(one.__struct_config__.tag) for one in (SoundKept, GameEnded, IncidentNoted))
FORGOTTEN = "voice_deleted"
"""The kind of the incident: the pages say it with `choice.incident.voice_deleted`; its text is how many sounds."""
FORGETS_S, DAY_MS = 60.0, 86_400_000


def deleted_sounds(entries: Sequence[Entry]) -> set[str]:
    """Return the sounds of which the record of a table says that they were deleted."""
    kept: dict[Seat, set[str]] = {seat: set() for seat in Seat}
    deleted: set[str] = set()
    for event in (event_in(one.body) for one in entries if one.kind in (SOUND, NOTED)):
        if isinstance(event, SoundKept):
            kept[event.seat].add(event.utterance)
        elif isinstance(event, IncidentNoted) and event.kind == FORGOTTEN and event.seat is not None:
            deleted |= kept[event.seat]
            kept[event.seat].clear()
    return deleted


async def forget_copies(tables: Mapping[str, LiveTable], journal: Journal, evidence: SoundEvidence) -> None:
    """Delete what this server kept of tables that another server leads now, as their record says, again and again.

    Raises OSError, JournalFailed.
    """
    seen: dict[str, int] = {}
    while True:
        for id in await evidence.tables():
            if id not in tables and seen.get(id) != (last := await journal.last_seq(id)):
                for name in sorted(deleted_sounds(await journal.read(id))):
                    await evidence.delete(id, name)
                seen[id] = last
        await asyncio.sleep(FORGETS_S)


async def forget_voices(tables: Mapping[str, LiveTable], journal: Journal, clock: Clock) -> None:
    """Delete players' voices, again and again: after a consent was withdrawn, and by the rule of the event.

    While a game is under way its sounds are evidence, and stay. What cannot be deleted is told at its table, and tried
    again; it keeps nobody else's. Raises JournalFailed.
    """
    done: set[tuple[str, Seat]] = set()
    failed: set[tuple[str, Seat]] = set()
    ended: dict[str, int] = {}  # when each game ended, by the wall clock in ms

    async def is_due(table: LiveTable, seat: Seat) -> bool:
        if answer_of(table.state, seat) is False:
            return True
        days = table.state.table.regulations.voice_days
        if days is None:
            return False
        if table.id not in ended:
            record = await journal.read(table.id)
            ended[table.id] = next((one.wall_ms for one in reversed(record) if one.kind == ENDED), clock.wall_ms())
        return clock.wall_ms() >= ended[table.id] + days * DAY_MS

    while True:
        for table in tuple(tables.values()):
            if table.state.table.started and not table.state.over:
                continue
            for seat in Seat:
                key = table.id, seat
                if not await is_due(table, seat):
                    done.discard(key)
                elif key not in done:
                    try:
                        await table.forget_voice(seat)
                        done.add(key)
                    except OSError as fault:
                        if key not in failed:
                            Faults("The voices that are deleted", table.note_fault).note(fault)
                        failed.add(key)
        await asyncio.sleep(FORGETS_S)


PAIRING_CHANGES = (TableOpened, PairingChanged, StationAdmitted, SetUpRuled, GameEnded, NextGameOpened)
"""The events after which a player may have to be told."""


class PairingsTold:
    """Teller of pairings: each player of a hall hears theirs on their own device, once it is in or has changed.

    A look at any table looks at all of them. Which device is told what is decided without I/O in
    `game/decide/set_up/pairing.py`; each telling is on the record of the table where the device is, so that after a
    restart nobody is told twice.
    """

    def __init__(self, tables: Mapping[str, LiveTable]) -> None:
        """Take the hall's live tables."""
        self._tables = tables

    def note(self, event: AnyEvent) -> None:
        """Look at all tables where an event may change who plays where."""
        if isinstance(event, PAIRING_CHANGES):
            self.look()

    def look(self) -> None:
        """Tell each device that does not know its player's pairing yet."""
        states = {id: table.state for id, table in self._tables.items()}
        for id, station, pairing in pairings_to_tell(states):
            table = self._tables[id]
            table.note(cmd.TellPairing(station=station.id, pairing=pairing))
