"""Before the game, a table can rehearse: what its players do goes to the rehearsal, not to the game.

Each step is said and shown. No sound and no word of it is kept; the arbiter's record gets one event, that it was held
or why it was not. `Rehearsals` has those of one table: it begins them, leaves them out, and gives them what is said at
the stations.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Literal

import msgspec

from server.game import acts as cmd
from server.game.acts import Command
from server.game.decide.set_up.sound import outside_the_game
from server.game.decide.set_up.stations import seat_of_key
from server.game.rehearsal import STEPS, Rehearsal, RehearsalStep, Reply, Trial, begin, pass_over, take
from server.game.values.words import Role, Seat, Station
from server.machine.tasks import Work, passing
from server.protocol import RehearsalShown
from server.table.intake import Asker
from server.table.table import Table
from server.voice.listener import Listener, UtteranceSound
from server.voice.speakers import WhoseVoice
from server.voice.teller import Teller
from server.wording.words import canonical, scheme_for, segments_of, time_in_words
from speech.audio.level import Finding, finding, levels
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import HearingUtterance
from speech.voices.voice import Segment
from speech.words.scheme import Scheme

Say = Callable[[str, str, Sequence[Segment]], Awaitable[None]]
_log = logging.getLogger(__name__)
_PLACE = "\x00"


class Rehearsing:
    """Rehearsal under way at one table.

    `say`: speaks to one station outside the game. `voices`: learns from what was said as asked, at the press after it.
    """

    def __init__(self, table: Table, say: Say, voices: WhoseVoice) -> None:
        self.table = table
        self._say = say
        self._voices = voices
        seats = {one.seat for one in table.state.stations.admitted if self._takes_part(one)}
        self.over = False
        self._now: Rehearsal = begin(tuple(seat for seat in Seat if seat in seats))
        self._tasks: set[asyncio.Task[None]] = set()
        if not self._now.seats:
            raise Complaint(Phrase("nobody_rehearses"))
        if not outside_the_game(table.state):
            raise Complaint(Phrase("rehearsal_before"))

    @property
    def active(self) -> bool:
        """Say whether the players still rehearse; they do not any more when the game starts."""
        return not self.over and outside_the_game(self.table.state)

    def start(self) -> None:
        """Show the first step."""
        self._show()

    def look(self) -> None:
        """End the rehearsal when the game starts, and record that."""
        if not self.over and not outside_the_game(self.table.state):
            self.over = True
            reason = f"the game began at step {min(self._now.at + 1, len(STEPS))} of {len(STEPS)}"
            self._keep(partial(self.end, "skipped", reason))

    def takes(self, command: Command) -> bool:
        """Take a station's command if it belongs to the rehearsal, and say whether it did.

        Such a command does nothing else.
        """
        if not self.active:
            return False
        state = self.table.state
        station = state.stations.find(command.station)
        if station is None and command.station != cmd.PROGRAM:
            return False  # it was sent away
        if isinstance(command.body, cmd.PressKey):
            seat = seat_of_key(state, station, command.body.key)
            return isinstance(seat, Seat) and self._act(seat, Trial("press"))
        if station is None or not self._takes_part(station) or station.seat is None:
            return False
        match command.body:
            case cmd.Press():
                act = Trial("press")
            case cmd.Say():
                act = Trial("said", command.body.announcement)
            case cmd.EnterMove():
                act = Trial("other")
            case cmd.Ask(what="time"):
                act = Trial("time")
            case cmd.CallArbiter() if self._asks_for_the_bell(station.seat):
                act = Trial("arbiter")
            case _:
                return False
        return self._act(station.seat, act)

    def _asks_for_the_bell(self, seat: Seat) -> bool:
        """Say whether this player must try the bell now; any other call of the player's is a real one (11.9)."""
        step = self._now.step
        return step is not None and step.kind == "arbiter" and step.seat is seat

    def take_level(self, station: Station, level: Finding) -> bool:
        """Take the level of what was said, and say whether it was the step.

        The words are then not listened to.
        """
        step = self._now.step
        if station.seat is None or step is None or step.kind != "level" or step.seat is not station.seat:
            return False
        return self._act(station.seat, Trial("sound", level=level))

    def show(self, station: Station) -> None:
        """Show the next step again."""
        self._tell(station, "")

    def pass_over(self) -> None:
        """Pass over this step, for the arbiter."""
        self._now = pass_over(self._now)
        self._after()

    async def end(
        self,
        outcome: Literal["done", "skipped"],
        reason: str = "",
        last: RehearsalStep | None = None,
        asker: Asker | None = None,
    ) -> None:
        """End the rehearsal, and record that. `asker`: the device that wants it so."""
        self.over = True
        for station in self.table.state.stations.admitted:
            self._tell(station, "ended", last, over=True)
        note = cmd.NoteRehearsal(outcome=outcome, reason=reason, passed=self._now.passed)
        await self.table.own(self.table.program_command(note), asker=asker)

    def _act(self, seat: Seat, act: Trial) -> bool:
        step = self._now.step
        self._now, reply = take(self._now, seat, act)
        if act.kind == "said" and reply != "done":
            self._voices.drop(seat)
        elif act.kind == "press" and reply == "done":
            self._voices.confirm(seat)
        if reply == "done":
            self._after(step)
        elif reply != "not_yours":
            self._show(reply)
        return True

    def _after(self, done: RehearsalStep | None = None) -> None:
        if self._now.step is None:
            self._keep(partial(self.end, "done", last=done))
        else:
            self._show(done=done)

    def _show(self, reply: Reply = "done", done: RehearsalStep | None = None) -> None:
        for station in self.table.state.stations.admitted:
            self._tell(station, reply if reply in ("again", "quiet", "loud") else "", done)

    def _tell(self, station: Station, how: str, done: RehearsalStep | None = None, *, over: bool = False) -> None:
        """Tell this station, and its player's ear, the next step."""
        step, arbiter = self._now.step, station.role is Role.ARBITER
        if not (arbiter or self._takes_part(station)):
            return
        seat = station.seat or Seat.WHITE
        scheme = scheme_for(self.table.state, seat)
        mine = step is not None and step.seat is station.seat
        parts: list[tuple[str, tuple[str, ...]]] = []
        if over or step is None:
            parts.append((scheme.messages.text("rehearsal.ended"), ()))
        else:
            if mine and how:
                parts.append((scheme.messages.text(f"rehearsal.{how}"), ()))
            if done is not None and done.kind == "time" and done.seat is station.seat:
                left = self.table.state.time.clock.remaining(seat, 0)
                parts.append((scheme.phrase("time_own", time=time_in_words(left, scheme)), ()))
            parts.append(_sentence_asked(step, scheme) if mine else (scheme.messages.text("rehearsal.other"), ()))
        text = " ".join(one.replace(_PLACE, canonical_text(words, scheme)) for one, words in parts)
        shown = RehearsalShown(
            step=min(self._now.at + 1, len(STEPS)),
            of=len(STEPS),
            text="" if arbiter else text,
            yours=mine,
            over=over,
            bell=done is not None and done.kind == "arbiter",
            seat=step.seat if step is not None and not over else None,
            what=step.kind if step is not None and not over else "",
        )
        self.table.push(station.id, shown)
        if not outside_the_game(self.table.state):
            return  # the page shows that it is over; in a game nothing is said unasked
        if not arbiter and (mine or over or (done is not None and done.seat is station.seat)):
            self._keep(partial(self._say_words, station.id, text, _segments(parts, scheme)))

    async def _say_words(self, station: str, text: str, segments: tuple[Segment, ...]) -> None:
        try:
            await self._say(station, text, segments)
        except Exception as wrong:  # the page shows it in any case
            _log.info("A step of the rehearsal was not spoken: %s", wrong)

    def _keep(self, work: Work) -> None:
        task = passing("The rehearsal", work, self.table.note_fault)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    def _takes_part(station: Station) -> bool:
        return station.role is Role.PLAYER and station.seat is not None


def _sentence_asked(step: RehearsalStep, scheme: Scheme) -> tuple[str, tuple[str, ...]]:
    """Return the sentence of a step, with a place for its words, and those words."""
    words = canonical(step.move, scheme)[0] if step.move is not None else ()
    if step.kind in ("time", "arbiter"):
        words = (f"cmd.{step.kind}",)
    values = {"what": _PLACE} if words else {}
    return scheme.messages.text(f"rehearsal.{step.kind}", **values), words


def canonical_text(words: Sequence[str], scheme: Scheme) -> str:
    """Return word ids as text."""
    return " ".join(scheme.text(word) for word in words)


def _segments(parts: Sequence[tuple[str, tuple[str, ...]]], scheme: Scheme) -> tuple[Segment, ...]:
    tongue, segments = scheme.listener.tag, list[Segment]()
    for text, words in parts:
        before, _, after = text.partition(_PLACE)
        segments += [Segment(before, tongue)] if before.strip() else []
        segments += segments_of(words, scheme)
        segments += [Segment(after, tongue)] if after.strip(" .") else []
    return tuple(segments)


class Rehearsals:
    """Rehearsals of one table, of which one at a time is going on."""

    def __init__(self, table: Table, listener: Listener, teller: Teller) -> None:
        """Set up for one table. `listener`: says what is asked for by voice; `teller`: says the steps."""
        self._table = table
        self._listener = listener
        self._teller = teller
        self._held: Rehearsing | None = None

    def begin(self) -> None:
        """Begin a rehearsal, or begin it again.

        Raises Complaint: the game has begun, or no player's device is there.
        """
        self._held = Rehearsing(self._table, self._teller.say_words, self._listener.whose)
        self._listener.whose.forget()
        self._held.start()

    @property
    def under_way(self) -> bool:
        """Say whether a rehearsal has begun and is not over."""
        return self._held is not None and not self._held.over

    def now(self) -> Rehearsing:
        """Return the rehearsal that is going on. Raises Complaint where there is none."""
        if self._held is None or not self._held.active:
            raise Complaint(Phrase("no_rehearsal"))
        return self._held

    def look(self) -> None:
        """End the rehearsal when the game has started."""
        if self._held is not None:
            self._held.look()

    def takes(self, command: Command) -> bool:
        """Take a station's command if it belongs to a rehearsal, and say whether it did."""
        return self._held is not None and self._held.takes(command)

    def show(self, station: Station) -> None:
        """Show the next step to a station that comes back during a rehearsal."""
        if self._held is not None and self._held.active:
            self._held.show(station)

    async def skip(self, reason: str, asker: Asker | None = None) -> None:
        """Hold no rehearsal, or no more of it. Raises Complaint when the game has begun."""
        if not outside_the_game(self._table.state):
            raise Complaint(Phrase("rehearsal_before"))
        if self._held is not None and self._held.active:
            return await self._held.end("skipped", reason, asker=asker)
        note = cmd.NoteRehearsal(outcome="skipped", reason=reason)
        await self._table.own(self._table.program_command(note), asker=asker)

    async def hears(self, station: Station, spoken: UtteranceSound, listening: HearingUtterance | None) -> bool:
        """Take an utterance if it belongs to a rehearsal, and say whether it did; it is kept nowhere."""
        held = self._held
        if held is None or not held.active or station.role is not Role.PLAYER:
            return False
        if held.take_level(station, finding(levels(spoken.pcm))):
            return True
        body = await self._listener.command_outside_game(station, spoken, listening)
        if body is not None:
            nobody = self._table.program_command(cmd.Adjust())
            command = msgspec.structs.replace(nobody, station=station.id, body=body)
            if not held.takes(command) and isinstance(body, cmd.CallArbiter):
                await self._table.own(command)
        return True
