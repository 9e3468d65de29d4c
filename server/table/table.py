"""A table runs one live game in one task: commands come in, events go out.

Only the table reads a clock. An event is delivered only after it is on disk. `now` is read once for each command, when
it comes off its line, so that waiting for the disk, or for another command of the same station, costs no player time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from server.game import acts as cmd
from server.game.acts import (
    PROGRAM,
    VERSION,
    AnyEvent,
    ClockPressed,
    Command,
    DisplayDelayed,
    Refusal,
    StationAdmitted,
    StationRevoked,
    event_in,
)
from server.game.decide.decide import decide, noted_beside
from server.game.decide.time.instants import next_instant
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.saying import Saying, saying
from server.game.values.words import Role, Station
from server.game.views.displays import delay_of, is_held_back
from server.game.views.messages import (
    AnyMessage,
    OutcomeShown,
    Picture,
    Recorded,
)
from server.game.views.view import changes_picture, greeting, picture, view, view_refusal
from server.journal.entry import Entry
from server.journal.entry import Outcome as KeptOutcome
from server.journal.failure import CommandRepeated, JournalFailed, JournalInDoubt, JournalRefused
from server.journal.journal import Journal
from server.machine.clock import Clock, came_first
from server.machine.identity import new_command_id
from server.machine.tasks import Faults, lasting
from server.protocol import Greeted, Numbered, Outcome, Outgoing, SealedWords
from server.table.broadcast import Broadcast
from server.table.connections import Arose, Attachment, Connections, SentLog, Sink, arose
from server.table.departure import Departures
from server.table.display_delay import HeldBack
from server.table.envelope import Private, enclose_command
from server.table.intake import Arrival, Asker, LastRefusals, Waiting, check_promotion, fill_in
from server.wording.localise import in_readers_words, readers_scheme
from server.wording.pieces import lines_of
from server.wording.refusals import Refused, sentence
from speech.complaint import Complaint, Phrase

LONGEST_QUEUE = 256
RETRY_MS = 1_000
TOLD_AGAIN = 10
"""Times that a failing record is tried again before the arbiter is told of it again."""
RECORD_FAILED = saying("record_stopped")
RECENT = 40  # of the messages that are sent again, only so many come with their lines to read
NOT_RECORDED = Refusal("not_recorded", "")
_Found = list[tuple[Station, AnyMessage]]
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Observer:
    """An observer is told what happens at a table; what is left out it is not told.

    A fault of one is noted under its name and costs the others nothing. Each part is told in the order of the table's
    list, and the parts of one command in this order:
    """

    name: str
    arrival: Callable[[], None] | None = None
    """A command has arrived, and waits."""
    event: Callable[[AnyEvent], None] | None = None
    """An event is on disk and applied; no player has been told of it.

    Players are told at a fixed instant (`departure.py`). What they are told of, and what follows from it, comes then:
    this and `message` come after `change`, and the table may have gone on meanwhile.
    """
    message: Callable[[Station, int, AnyMessage | SealedWords], None] | None = None
    """A message for a station was kept under this number (0: kept nowhere); those of displays are not told."""
    opened: Callable[[Private], None] | None = None
    """An envelope was opened."""
    change: Callable[[], None] | None = None
    """All events of the command are applied, and changed something of the game."""
    line: Callable[[str], None] | None = None
    """A connection of this station came or went, at any time."""
    held: Callable[[bool], None] | None = None
    """Nothing counts, because the database of the record does not answer (true), or it counts again (false)."""
    record: Callable[[bool], None] | None = None
    """The record cannot be written (true, again every ten seconds), or is written again (false)."""


class _Unwritten(msgspec.Struct, frozen=True):
    """Pause that stands in memory because the disk did not take it, with its time kept for the record."""

    entries: list[Entry]
    outcome: KeptOutcome


class Table:
    """A table has its state, its journal rows, and a gapless numbered message list for each station."""

    def __init__(self, id: str, journal: Journal, clock: Clock, run: str, answer_after_ms: int = 0) -> None:
        """Set up a table without events.

        `answer_after_ms`: when everybody but the arbiter is answered (`departure.py`); 0: at once.
        """
        self.id = id
        self.state = GameState()
        self._shown = self._told = self.state  # as everybody but the arbiter may know it by now, and will next
        self._departures = Departures(clock, answer_after_ms)
        self.observers: list[Observer] = []
        self._journal = journal
        self.clock = clock
        """The table's time: this run's, or that of an earlier server from which the table was taken over."""
        self._run = run
        self._seq = 0
        self._latest = 0  # when the last event of this run arose
        self._refused = LastRefusals()
        self._sent: defaultdict[str, SentLog] = defaultdict(SentLog)
        self.connections = Connections(self._line_changed)
        self._back = HeldBack(clock, self.connections.push, self._sent)
        self.broadcast = Broadcast()
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self._closed = False
        self._writing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._failing = asyncio.Event()
        self._unwritten: _Unwritten | None = None
        self._behind = False  # the record may hold events that this table has not taken up
        self._held = False  # nothing counts until the database of the record answers
        self._turned_away: set[str] = set()  # stations whose being sent away may not be on record yet
        self._tasks: list[asyncio.Task[None]] = []
        self._faults = Faults("A command of the table", self.note_fault)
        self._faults_of: dict[str, Faults] = {}  # of the observers and the broadcast, by name

    def start(self) -> None:
        """Begin to take commands."""
        self._tasks = [
            lasting("The table's commands", self._work, self.note_fault),
            lasting("The table's instants", self._watch, self.note_fault),
            lasting("What the displays show later", self._back.release, self.note_fault),
            lasting("The record of the table", self._write_again, self.note_fault),
            lasting("What the players are told", self._departures.run, self.note_fault),
        ]

    async def close(self) -> None:
        """Stop taking commands; a caller that still waits for an answer hears that nothing was recorded.

        The command that is being written is written and answered first.
        """
        self._closed = True
        while not self._queue.empty():
            waiting = self._queue.get_nowait()
            self._answer(waiting, self.refusal(waiting.command, NOT_RECORDED))
        async with self._writing:
            for task in self._tasks:
                task.cancel()
            if self._unwritten is not None and not await self._caught_up():
                _log.error("The pause of table %s was never recorded: its disk took nothing to the end", self.id)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._departures.close()

    # restoring

    def replay(self, entries: Sequence[Entry]) -> None:
        """Take up events of the record, all or the next ones; the same messages get the same numbers as before."""
        now, wall = self.clock.mono_ms(), self.clock.wall_ms()
        events = [event_in(entry.body) for entry in entries]
        self._take(events, [arose(entry, now, wall) for entry in entries], deliver=False)
        self._seq = entries[-1].seq if entries else self._seq

    # commands

    def known_to(self, station: Station) -> GameState:
        """Return the game as this station may know it by now: the arbiter at once, the others at the fixed instant."""
        new = self._shown.stations.find(station.id) is None  # admitted by the command that waits for its instant
        return self.state if new or station.role is Role.ARBITER else self._shown

    @property
    def seq(self) -> int:
        """Return the number of the last event that holds; 0: there is none.

        It is on disk, but for a pause that waits for a full disk.
        """
        return self._seq

    def arrival(self) -> Arrival:
        """Return the moment for a command that comes off its line now."""
        return Arrival(self.clock)

    async def submit(self, command: Command, came: Arrival | None = None) -> Outcome:
        """Carry out a command from a station, with what only the server may say filled in first.

        `came`: when it came off its line; left out: now. That is its time, but never before the last event.
        """
        return await self._receive(command, came, fill=True)

    async def own(self, command: Command, came: Arrival | None = None, asker: Asker | None = None) -> Outcome:
        """Carry out a command whose every field can be trusted.

        It comes from the program itself, or the server has filled it in. `came`: as for `submit`. `asker`: for whom the
        program does it.
        """
        return await self._receive(command, came, fill=False, asker=asker)

    def note(self, body: cmd.OwnAct | cmd.StationAct, station: str = cmd.PROGRAM) -> None:
        """Put a command of the program itself, or of a station, before whatever comes now, and do not wait for it."""
        self._enqueue(msgspec.structs.replace(self.program_command(body), station=station), None, fill=False)

    def note_first(self, body: cmd.OwnAct) -> None:
        """Put a command of the program itself before all that wait already, and do not wait for it."""
        waiting = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
        self.note(body)
        for one in waiting:
            self._queue.put_nowait(one)

    def hold(self) -> None:
        """Refuse all commands, and tell every station, while the database of the record does not answer."""
        if not self._held:
            self._held = True
            self._tell(lambda one: one.held, True)

    def turn_away(self, station: str) -> None:
        """Carry out nothing more of this station, not even what waits in the queue; the record may say so later."""
        self._turned_away.add(station)

    def has_sent_away(self, station: str) -> bool:
        """Say whether a station was sent away from this table, also one that may act in the rest of the hall."""
        return station in self._turned_away or station in self.state.stations.sent_away

    def go_on(self) -> bool:
        """Take commands again, and say whether the table was held."""
        was, self._held = self._held, False
        if was:
            self._tell(lambda one: one.held, False)
        return was

    def note_fault(self, told: str | Saying) -> None:
        """Tell the arbiter, on record, that something of the program or its equipment failed."""
        self.note(cmd.NoteFault(said=told) if isinstance(told, Saying) else cmd.NoteFault(text=told[:400]))

    async def _receive(
        self, command: Command, came: Arrival | None, *, fill: bool, asker: Asker | None = None
    ) -> Outcome:
        self._tell(lambda one: one.arrival)
        # A press is never refused, and what the program itself has to say is never lost.
        may_wait = isinstance(command.body, cmd.Press | cmd.PressKey) or not fill
        if self._queue.qsize() >= LONGEST_QUEUE and not may_wait:
            return self.refusal(command, Refusal("too_busy", ""))
        return await self._enqueue(command, came, fill=fill, asker=asker)

    def _enqueue(
        self, command: Command, came: Arrival | None, *, fill: bool, asker: Asker | None = None
    ) -> asyncio.Future[Outcome]:
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        if self._closed:
            answer.set_result(self.refusal(command, NOT_RECORDED))
        else:
            came = came or self.arrival()
            self._queue.put_nowait(Waiting(command, came, came.mono_ms, came.wall_ms, answer, fill, asker))
            came.queued.set()
        return answer

    async def _outcome_known(self, command: Command) -> Outcome | None:
        try:
            kept = await self._journal.outcome_of(command.id)
        except JournalFailed:
            return None
        return self._as_kept(kept, command) if kept is not None else None

    @staticmethod
    def _answer(waiting: Waiting, outcome: Outcome) -> None:
        if not waiting.answer.done():
            waiting.answer.set_result(outcome)

    def _as_kept(self, kept: KeptOutcome, command: Command) -> Outcome:
        if (kept.table, kept.station) != (self.id, command.station):
            return self.refusal(command, Refusal("not_admitted", "11.3.2"))
        return msgspec.json.decode(kept.body, type=Outcome)

    async def _work(self) -> None:
        while True:
            waiting = await self._queue.get()
            async with self._writing:
                waiting = waiting.not_before(self._latest)
                try:
                    outcome = await self._carry_out(waiting)
                except Exception as fault:  # a fault of the program in one command must not end the game
                    self._faults.note(fault)
                    outcome = self.refusal(waiting.command, Refusal("fault", ""))
                self._leave(waiting, outcome)

    def _leave(self, waiting: Waiting, outcome: Outcome) -> None:
        """Answer, and let leave what the command tells; everybody but the arbiter is told at the fixed instant."""
        station = self.state.stations.find(waiting.command.station)
        if station is None or station.role is Role.ARBITER:
            self._answer(waiting, outcome)
        else:
            self._departures.add(partial(self._answer, waiting, outcome))
        stands = () if self.state is self._told else (partial(self._stand, self.state, waiting.now),)
        self._told = self.state
        self._departures.leave(waiting.now, *stands)
        waiting.came.carried_out.set()

    def _decide_waiting(self, waiting: Waiting) -> tuple[tuple[AnyEvent, ...], Outcome, Private]:
        away = self.has_sent_away(waiting.asker.name if waiting.asker is not None else waiting.command.station)
        # Sent away while this waited, or before: who has the whole hall may have lost this one table.
        if not isinstance(waiting.command.body, cmd.Revoke) and (
            away or (waiting.asker is not None and not waiting.asker.stands())
        ):
            return (), self.refusal(waiting.command, Refusal("not_admitted", "11.3.2")), Private()
        station = self.state.stations.find(waiting.command.station)
        command = self._refused.fill_in(station, waiting.command)
        try:
            check_promotion(command, trusted=not waiting.fill)
            seen, private = enclose_command(self.id, self.state, command, trusted=not waiting.fill)
            decided = decide(self.state, fill_in(self.state, seen) if waiting.fill else seen, waiting.now)
        except Refused as wrong:
            self._refused.note(station, Refusal(wrong.code, wrong.article))
            return (), self.refusal(command, Refusal(wrong.code, wrong.article)), Private()
        except Complaint as wrong:
            return (), Outcome(OutcomeShown(id=command.id, ok=False, code="complaint"), str(wrong)), Private()
        if isinstance(decided, Refusal):
            self._refused.note(station, decided)
            return noted_beside(self.state, seen, decided, waiting.now), self.refusal(command, decided), Private()
        return decided, self.refusal(command, None), private

    async def _carry_out(self, waiting: Waiting) -> Outcome:
        command = waiting.command
        if self._held or not await self._caught_up():
            return self.refusal(command, NOT_RECORDED)
        events, outcome, private = self._decide_waiting(waiting)
        entries = self._entries(waiting, events)
        kept = KeptOutcome(command.id, self.id, command.station, msgspec.json.encode(outcome))
        try:
            await self._journal.append(entries, kept)
        except CommandRepeated as repeated:
            return self._as_kept(repeated.outcome, command)
        except JournalFailed as wrong:
            self._behind = self._behind or isinstance(wrong, JournalInDoubt | JournalRefused)
            known = await self._outcome_known(command)
            if known is not None:  # it counts, so that all are told of it, now or once the record can be read
                if not await self._caught_up():
                    self._record_fails(True)
                return known
            if not isinstance(wrong, JournalRefused):
                self._record_fails(True)
            if isinstance(wrong, JournalRefused) or not entries or not isinstance(command.body, cmd.Pause):
                return self.refusal(command, NOT_RECORDED)
            # The clocks must be able to stand, whatever the disk does: the pause is written once there is room.
            self._unwritten = _Unwritten(entries, kept)
        else:
            self._record_fails(False)
        self._seq += len(entries)
        self._latest = waiting.now if events else self._latest
        before = self.state
        self._take(events, [Arose(waiting.now, waiting.wall, command.id)] * len(events), deliver=True)
        changed = self.state is not before  # else nothing new is due, and there is nothing to look for
        if changed:
            self._changed.set()
        if any(one.role is Role.DISPLAY for one in self.state.stations.admitted):
            self._departures.add(self._back.send_due)
        if private != Private():
            self._departures.add(partial(self._tell_privately, private))
        if changed:
            self._tell(lambda one: one.change)
        return outcome

    def _entries(self, waiting: Waiting, events: Sequence[AnyEvent]) -> list[Entry]:
        """Return what a command brought about, as the record keeps it."""
        return [
            Entry(
                table=self.id,
                seq=self._seq + number,
                run=self._run,
                command=waiting.command.id,
                station=waiting.command.station if waiting.asker is None else waiting.asker.name,
                seat=str(getattr(event, "seat", None) or ""),
                origin=str(getattr(event, "origin", "")),
                mono_ms=waiting.now,
                wall_ms=waiting.wall,
                version=VERSION,
                kind=str(event.__struct_config__.tag),
                body=msgspec.json.encode(event),
            )
            for number, event in enumerate(events, 1)
        ]

    # a disk that takes nothing

    def _record_fails(self, fails: bool) -> None:
        """Tell the observers at once when the record begins to fail, and when it is written again."""
        if fails == self._failing.is_set():
            return
        if fails:
            self._failing.set()
        else:
            self._failing.clear()
        self._tell(lambda one: one.record, fails)

    async def _caught_up(self) -> bool:
        """Take up what is on record, write the pause that stands in memory only, and say whether the record works."""
        if self._behind and not await self._read_on():
            return False
        if self._unwritten is None:
            return True
        try:
            await self._journal.append(self._unwritten.entries, self._unwritten.outcome)
        except CommandRepeated:
            pass  # it was written after all
        except JournalFailed:
            return False
        self._unwritten = None
        self._record_fails(False)
        self.note_fault(RECORD_FAILED)
        return True

    async def _read_on(self) -> bool:
        """Take up events that were written although the database did not say so, and say whether it answers."""
        try:
            fresh = await self._journal.read(self.id, self._seq)
        except JournalFailed:
            return False
        now, wall = self.clock.mono_ms(), self.clock.wall_ms()
        try:
            events = [event_in(entry.body) for entry in fresh]
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            # Somebody else put it there. This table stands until the record is put right; the others play.
            if not self._failing.is_set():
                _log.error("The record of table %s has an event that is none: it stands", self.id)
            self._record_fails(True)
            return False
        self._behind = False
        if fresh:
            self._seq = fresh[-1].seq
            self._latest = max([self._latest, *(entry.mono_ms for entry in fresh if entry.run == self._run)])
            self._take(events, [arose(entry, now, wall) for entry in fresh], deliver=True)
            self._changed.set()
            self._tell(lambda one: one.change)
        return True

    async def _write_again(self) -> None:
        """While the record fails, try again every second, and tell the arbiter every ten."""
        while True:
            await self._failing.wait()
            for _ in range(TOLD_AGAIN):
                await self.clock.sleep_until(self.clock.mono_ms() + RETRY_MS)
                if not self._failing.is_set():
                    break
                if self._unwritten is not None:
                    async with self._writing:
                        await self._caught_up()
                else:  # nothing waits: a note that the record failed shows whether it can be written
                    await self.own(self.program_command(cmd.NoteFault(said=RECORD_FAILED)))
            else:
                self._tell(lambda one: one.record, True)

    def _tell(
        self, part_of: Callable[[Observer], Callable[..., None] | None], *what: Any, secret: bool = False
    ) -> None:
        """Tell one part of each observer; what is on disk is applied, told and answered even if an observer fails.

        `secret`: what it is told of must be in no log.
        """
        for observer in tuple(self.observers):
            part = part_of(observer)
            if part is None:
                continue
            try:
                part(*what)
            except Exception as fault:
                self._faults_with(observer.name).note(fault, secret=secret)

    def _faults_with(self, part: str) -> Faults:
        return self._faults_of.setdefault(part, Faults(part, self.note_fault))

    def _line_changed(self, station_id: str) -> None:
        self._tell(lambda one: one.line, station_id)

    def refusal(self, command: Command, refusal: Refusal | None) -> Outcome:
        """Return the answer to a command, in the language of its station's seat; None: it was carried out."""
        shown = view_refusal(command.id, refusal)
        if refusal is None:
            return Outcome(shown)
        station = self.state.stations.find(command.station)
        language = self.state.language_of(station.seat) if station is not None and station.seat else "en"
        return Outcome(shown, sentence(refusal.code, refusal.article, language))

    # delivery

    def _take(self, events: Sequence[AnyEvent], times: Sequence[Arose], *, deliver: bool) -> None:
        """Take up events on disk, each with when and by what it arose; the picture goes with the last to change it."""
        newest = next((number for number in reversed(range(len(events))) if changes_picture(events[number])), None)
        for number, (event, at) in enumerate(zip(events, times, strict=True)):
            self._take_one(event, at, deliver=deliver, pictured=number == newest)

    def _take_one(self, event: AnyEvent, when: Arose, *, deliver: bool, pictured: bool) -> None:
        """Apply an event, and tell each station what it may know of it; the arbiter at once, the others together."""
        before, self.state, at = self.state, apply(self.state, event), when.at
        if isinstance(event, StationAdmitted | StationRevoked):
            self._turned_away.discard(event.station)  # the record says it by now
        later = self._departures.add if deliver else _now
        if self.state is not before:
            self._keep_for_spectators(event, at, live=deliver)
        if self.state is not before and (not deliver or self._departures.at_once):
            self._told = self.state
            self._stand(self.state, at)
        messages = self._messages_of(event, when, deliver=deliver, pictured=pictured)
        if deliver:
            # What nobody but the arbiter is told of must not take time when the players are told.
            seen = isinstance(event, ClockPressed) or any(one.role is not Role.ARBITER for one, _ in messages)
            (later if seen else _now)(partial(self._tell, _event_of, event))
        for station, message in messages:
            # Whether it has a number must not depend on when it leaves: a restart gives the same numbers.
            if station.role is Role.DISPLAY and delay_of(self.state, station) and not is_held_back(message):
                if deliver:
                    later(partial(self._back.greet, station))
                continue
            if station.role is Role.ARBITER:
                self._deliver(station, message, when._replace(command=None), None, deliver=deliver)
                continue
            lines: tuple[str, ...] | None = None
            if deliver and self.connections.of(station.id):  # lines to read are made for nobody else
                lines = self._lines_of(station, message)
            later(partial(self._deliver, station, message, when, lines, deliver=deliver))
        if deliver and isinstance(event, DisplayDelayed):
            later(self._back.delays_change)

    def _keep_for_spectators(self, event: AnyEvent, at: int, *, live: bool) -> None:
        try:
            self.broadcast.stands(self.state, at, event.at, live=live)
        except Exception as fault:  # the event is on disk: the game goes on without spectators
            self._faults_with("What spectators are shown").note(fault)

    def _stand(self, state: GameState, at: int) -> None:
        """Take note of how the game stands for those who come now, and for the displays."""
        self._shown = state
        self._back.stands(state, at)

    def _messages_of(self, event: AnyEvent, when: Arose, *, deliver: bool, pictured: bool) -> _Found:
        """Return each station's message on an event just applied, of this instant, in its reader's language."""
        found: _Found = []
        recorded: Recorded | None = None  # made once: the same for every device of the arbiter
        for station in self.state.stations.admitted:
            try:
                message = view(event, self.state, station)
                if message is None:
                    continue
                if recorded is not None and isinstance(message, Recorded):
                    message = recorded
                else:
                    if deliver or not isinstance(message, Recorded):  # an old one is worded when it is sent again
                        message = in_readers_words(message, self.state, station, self.connections.language(station.id))
                    if isinstance(message, Recorded):
                        shown = self._picture(event.at) if pictured else None
                        message = recorded = msgspec.structs.replace(message, picture=shown, wall_ms=when.wall_ms)
            except Exception:  # the event is on disk: the others are still told
                _log.exception("Station %s could not be told of an event", station.id)
                continue
            found.append((station, message))
        return found

    def _deliver(
        self, station: Station, message: AnyMessage, when: Arose, lines: tuple[str, ...] | None, *, deliver: bool
    ) -> None:
        """Keep a message for a station, and send it. `lines`: those to read, where they are made."""
        instant = when.command if station.role is not Role.DISPLAY else None
        number, together = self._sent[station.id].append(message, instant)
        if station.role is Role.DISPLAY:  # sent when it is old enough, each by itself
            self._back.arises(station, when.at)
            return
        if not deliver:
            return
        if station.seat is None or self.connections.of(station.id):
            if lines is None:
                lines = self._lines_of(station, message)
            self.connections.push(station.id, Numbered(number, message, lines, together))
        self._tell(lambda one: one.message, station, number, message)

    def _picture(self, at: int) -> Picture | None:
        try:
            return picture(self.state, at)
        except Exception:  # the event itself is told and numbered even so
            _log.exception("The arbiter's picture could not be made")
            return None

    def _with_number(self, station: Station, number: int, message: AnyMessage, *, lines: bool) -> Numbered:
        """Return a message with its number and, for a seat, the lines to read about it."""
        together = self._sent[station.id].together(number)
        return Numbered(number, message, self._lines_of(station, message) if lines else (), together)

    def _lines_of(self, station: Station, message: AnyMessage) -> tuple[str, ...]:
        if station.seat is None:
            return ()
        try:
            return lines_of(message, readers_scheme(self.state, station, self.connections.language(station.id)))
        except Exception:  # the message can be sent without them
            _log.exception("Station %s could not be given the lines of a message", station.id)
            return ()

    def _tell_privately(self, private: Private) -> None:
        """Send what goes over some stations' own lines and is kept nowhere."""
        for id in private.stations:
            station = self.state.stations.find(id)
            if private.outgoing is not None and station is not None:
                self.push(id, self._readable(station, private.outgoing))
                if isinstance(private.outgoing, SealedWords):
                    self._tell(lambda one: one.message, station, 0, private.outgoing, secret=True)
        if private.opened is not None:
            self._tell(lambda one: one.opened, private, secret=True)

    def _readable(self, station: Station, outgoing: Outgoing) -> Outgoing:
        if not isinstance(outgoing, SealedWords):
            return outgoing
        try:
            lines = lines_of(outgoing, readers_scheme(self.state, station, self.connections.language(station.id)))
        except Exception as fault:  # the words can be sent without them; what they are is in no log
            _log.error("The lines of sealed words could not be made (%s)", type(fault).__name__)
            lines = ()
        return msgspec.structs.replace(outgoing, lines=lines)

    def admitted_station(self, station_id: str) -> Station:
        """Return an admitted station of this table. Raises Complaint for any other."""
        station = self.state.stations.find(station_id)
        if station is None:
            raise Complaint(Phrase("device_not_admitted"))
        return station

    def attach(self, station_id: str, after: int, sink: Sink, language: str = "") -> Attachment:
        """Send this station its greeting and everything after message `after`, then all that comes.

        `language`: of its page. Raises Complaint for a station that is not admitted.
        """
        station = self.admitted_station(station_id)
        self.connections.reads(station_id, language)
        self._back.send_due()
        sent = self._sent[station_id]
        if station.role is Role.DISPLAY:
            greeted = self._back.greeting_of(station)
        else:
            greeted = Greeted(len(sent), greeting(self.known_to(station), station, self.clock.mono_ms()))
        sink(greeted)
        first = min(after, greeted.n)
        for number, message in enumerate(sent.between(first, greeted.n), first + 1):
            if isinstance(message, Recorded):
                message = in_readers_words(message, self.state, station)
            sink(self._with_number(station, number, message, lines=number > greeted.n - RECENT))
        return self.connections.add(station_id, sink)

    def push(self, station_id: str, outgoing: Outgoing, *, newest: bool = False) -> None:
        """Send something to all connections of a station, or only to the newest; see `Connections`."""
        self.connections.push(station_id, outgoing, newest=newest)

    # time

    @property
    def clock_runs(self) -> bool:
        """Say whether a clock of this table runs, or will start by itself after an announcement is heard."""
        return self.state.time.clock.running is not None or self.state.time.held is not None

    async def _watch(self) -> None:
        """Sleep until something changes by itself (a flag, an appointed start, and so on), and note it."""
        while True:
            self._changed.clear()
            due = next_instant(self.state)
            if due is None:
                await self._changed.wait()
                continue
            if await came_first(self.clock, due.at, self._changed):
                outcome = await self.own(self.program_command(cmd.NoteInstant()))
                if not outcome.outcome.ok:  # the disk failed: try again; the clock shows zero anyway
                    await self.clock.sleep_until(self.clock.mono_ms() + RETRY_MS)

    def program_command(self, body: cmd.OwnAct | cmd.StationAct) -> Command:
        """Return a command of the program itself, with a new id."""
        return Command(id=new_command_id(), table=self.id, station=PROGRAM, body=body)


def _now(step: Callable[[], None]) -> None:
    step()


def _event_of(observer: Observer) -> Callable[[AnyEvent], None] | None:
    return observer.event
