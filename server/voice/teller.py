"""Speech goes to private ears here: it is decided, rendered, logged as text and sound, and offered.

The station then plays it. What a player's own page has to say is also said here: `wants_read_out` decides who hears
it, and in which languages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

import msgspec

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.claims.proposals import HEARD_MS
from server.game.decide.time.clock import on_movers_time
from server.game.state.state import GameState
from server.game.values.clock import SPOKEN_AHEAD_MS
from server.game.values.words import EarChoice, Mode, ReadBack, Role, Seat, SeatKind, Station, station_of_devices
from server.game.views.messages import (
    AnswerGiven,
    AnyMessage,
    BoardToSet,
    ClockSetting,
    LinkShown,
    NoTaken,
    NotDone,
    PositionTold,
    Question,
    Relayed,
    SquareToSetNow,
    TimeCue,
    Understood,
)
from server.machine.clock import Clock
from server.machine.tasks import Faults, passing
from server.protocol import AtEar, ReadOut, SealedWords
from server.table.connections import Sink
from server.table.envelope import sealing_key
from server.table.evidence.evidence import SoundEvidence
from server.table.table import Table
from server.voice.channel import SEALED, Played, PrivateChannel
from server.voice.clock_times import (
    GOOD_FOR_MS,
    Render,
    as_read_now,
    running_time,
    still_cued,
    tells_age,
    tells_time,
    told_at_end,
)
from server.voice.playback import OfferedSounds
from server.voice.priority import about, asks, good_for_ms, is_step, kind_of
from server.voice.queue import LongAnswer, PieceDue, Said, Tongue
from server.voice.room import Aloud
from server.wording.aloud.clock import ANSWERED
from server.wording.aloud.says import Told as Spoken
from server.wording.pieces import no_more, pieces_of, unspoken
from server.wording.words import scheme_for, short_words
from speech.audio.hearing_aid import PLAIN, Shape, shape_sound
from speech.audio.sound import Sound
from speech.audio.tick import tick
from speech.channels import ear
from speech.channels.ear import Kind
from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.voices.voice import Manner, Segment, Voice
from speech.words.config_file import language_tags

AWAY_MS = 1_000
"""A line that was gone for less than this was only a page that was loaded again."""
Message = AnyMessage | SealedWords | ReadOut
TICK = "(tick)"
REPLIES = (AnswerGiven, PositionTold, NotDone, Question)
"""Messages that answer what the player asked or said just now."""
TO_THE_ASKER = (AnswerGiven, PositionTold, NotDone)
"""Messages that go to the one station where the player asked: they are said wherever that player's ear is."""
SETTLE_WORDS = (
    *(ev.Announced, ev.AnnouncementRepeated, ev.Contested, ev.Echoed),
    *(ev.IntendedStated, ev.ClaimKindStated, ev.ClaimRuled),
)
"""Events after which a player is not asked any more what it was that they said: an answer would count as a new move."""
SET_TIMES = (ev.ClockSet, ev.TimeAdded, ev.PeriodBegun)
CHANGE_CLOCK = (*SET_TIMES, ev.ClockPressed, ev.AnnouncementWaited, ev.ClockPaused, ev.ClockResumed, ev.GameEnded)
"""Events after which another time runs than before, none does, or a clock shows another time."""
STEPS = {"score_next": 1, "score_previous": -1}
"""Words that step in a long answer."""
_log = logging.getLogger(__name__)


class Teller:
    """Voice of one table to its tactile players: one ear for each seat, whatever stations it has.

    The room and the arbiter's ear are served beside them (`Aloud`).
    """

    def __init__(
        self, table: Table, evidence: SoundEvidence, voice: Voice | None, clock: Clock, game_clock: Clock
    ) -> None:
        """Set up the voice.

        `clock`: by which sounds play; `game_clock`: by which a running time is told.
        """
        self.voice = voice
        self._table = table
        self._evidence = evidence
        self._clock = clock
        self._game_clock = game_clock
        self._tongues: dict[str, Tongue] = {}
        self._closed = False
        self._speaking: set[str] = set()
        self._away: dict[str, int] = {}  # since when the line of each listener is gone
        self._warning: set[asyncio.Task[None]] = set()
        self._denials: dict[str, asyncio.Task[None]] = {}  # by listener: that nothing was taken, to be said soon
        self._answered: set[str] = set()  # listeners whose last question came to something
        self._silent: set[str] = set()  # stations that play nothing
        self._plays: dict[tuple[str, Sink], bool] = {}  # what each line of a station told of its sound last
        self.sounds = OfferedSounds(table, evidence)
        self._faults = Faults("What is said into an ear", table.note_fault)
        self._aloud = Aloud(
            table, self.tongue, clock, lambda segments: self._sound(segments, EarChoice(), "", secret=False)
        )

    def note_restart(self) -> None:
        """Know that nobody is connected yet at a table that was taken up from an earlier run."""
        if self._table.state.table.started:
            self._away = {seat.value: self._clock.mono_ms() - AWAY_MS for seat in Seat}

    def use(self, voice: Voice | None) -> None:
        """Use a voice that became ready; tell players who came back before it that their line is there."""
        self.voice = voice
        for name in tuple(self._away):
            if name in self._tongues:
                self.line_changed(self._tongues[name].channel.station)

    # what is said

    def take(self, station: Station, number: int, message: AnyMessage | SealedWords) -> None:
        """Take a message that went to a station; if it is for a tactile player's ear, it will be spoken."""
        seat = station.seat
        if self._closed:
            return
        if self.voice is not None and station.role is Role.ARBITER:
            self._aloud.take(station, number, message)
        ticks = isinstance(message, TimeCue) and message.way == "ticks"
        if (self.voice is None and not ticks) or station.role is not Role.PLAYER or seat is None:
            return
        if self._table.state.plan(seat).kind is not SeatKind.TACTILE or isinstance(message, BoardToSet):
            return  # what the player sets up is said square by square
        tongue = self.tongue(seat.value, station.id)
        if tongue.channel.station != station.id and not isinstance(message, TO_THE_ASKER):
            return  # another station of this player speaks, and is told the same
        if tongue.channel.off:
            return
        if ticks:  # no word: nothing that is being put into sound holds it up
            until = self._good_until(message, None)
            tongue.channel.say(kind_of(message), Played(number, TICK, tick()), good_until=until, about=about(message))
            return
        if isinstance(message, REPLIES):  # the newest of what the player asked counts
            tongue.channel.tell(ear.Asked(cuts_all=not isinstance(message, Question), answered=tongue.step))
            tongue.reading, tongue.newest = None, (station.id, number)
            if isinstance(message, Question):
                tongue.question, tongue.asks = (station.id, number), asks(message)
        elif isinstance(message, ClockSetting | SquareToSetNow) and (
            tongue.step or (is_step(message) and tongue.reading is not None)
        ):  # nothing of what was read before is said between its phrases
            tongue.channel.tell(ear.Asked(cuts_all=False, answered=tongue.step))
            tongue.reading = None
        tongue.channel.note_speaking(self._announcing(station, number, message))
        dropped = tongue.put((station, number, message))
        if dropped is not None:
            tongue.channel.note_speaking(self._announcing(*dropped), over=True)

    def warn_arbiters(self, words: str) -> None:
        """Say something of the arbiter's page (`words`: its key) in the ears that the arbiter listens with, at once.

        It is on no record: it is said where the record cannot be written.
        """
        if self.voice is not None and not self._closed:
            saying = passing("A warning in the arbiter's ear", lambda: self._aloud.warn(words, self.sounds))
            self._warning.add(saying)
            saying.add_done_callback(self._warning.discard)

    def tongue(self, listener: str, station: str) -> Tongue:
        """Return the tongue of a listener: a seat, the room or an arbiter's station.

        At first the listener hears at this station.
        """
        tongue = self._tongues.get(listener)
        if tongue is None:
            seat = next((one for one in Seat if one.value == listener), None)
            channel = PrivateChannel(self._table, listener, seat, self._clock, self._evidence, self.sounds)
            channel.station = station
            tongue = self._tongues[listener] = Tongue(channel, self._table.note_fault)
            tongue.start(self._say)
            channel.tell(ear.There(self._table.connections.of(station) != ()))
            for who in self._speaking:
                channel.tell(ear.VoiceBegan(who))
        return tongue

    def _announcing(self, station: Station, number: int, message: Message | PieceDue) -> str | None:
        """Return the name of an announcement that a press waits for (D.2.4)."""
        if isinstance(message, Relayed) and on_movers_time(self._table.state):
            return f"{station.id}-{number}"
        return None

    async def _say(self, channel: PrivateChannel, said: Said) -> None:
        station, number, message = said
        try:
            if channel.seat is None:
                await self._aloud.render(channel, said)
            else:
                await self._render(channel, station, number, message)
        except Exception as fault:  # the text was shown; one failing phrase must not silence the ear
            self._faults.note(fault, secret=isinstance(message, SealedWords | ReadOut))
            channel.note_speaking(self._announcing(station, number, message), over=True)

    async def _render(self, channel: PrivateChannel, station: Station, number: int, due: Message | PieceDue) -> None:
        assert self.voice is not None and station.seat is not None
        tongue = self.tongue(channel.listener, station.id)
        reading = due.reading if isinstance(due, PieceDue) else None
        message = due.reading.message if isinstance(due, PieceDue) else due
        if isinstance(due, PieceDue) and (tongue.reading is not reading or not (due.alone or due.reading.going)):
            return  # something else was asked meanwhile
        if isinstance(message, AnswerGiven | PositionTold) and tongue.newest != (station.id, number):
            return
        clock = self._table.state.time.clock
        if isinstance(message, TimeCue) and not still_cued(message, clock, station.seat, self._game_clock.mono_ms()):
            return
        if isinstance(message, Question) and tongue.question != (station.id, number):
            return  # it was answered meanwhile
        state = self._table.state
        choice = state.sound.of(station.seat).ear
        if isinstance(message, Understood):
            carried = state.table.mode is Mode.RELAY or message.doubtful
            wanted = choice.read_back or (ReadBack.FULL if carried else ReadBack.NONE)
            if (message.echo and wanted is not ReadBack.SHORT) or (message.doubtful and wanted is ReadBack.TICK):
                wanted = ReadBack.FULL  # a tick says nothing of what it was taken for
            if wanted is ReadBack.TICK and message.words:
                channel.say(Kind.READ_BACK, Played(number, TICK, tick()), about="tick")
                return
            if wanted is ReadBack.NONE:
                return
            if wanted is ReadBack.SHORT:
                message = msgspec.structs.replace(message, words=short_words(message.words))
        scheme = scheme_for(state, station.seat)
        message = as_read_now(message, station.seat, state.time.clock_read, self._game_clock.mono_ms())
        pieces = pieces_of(message, scheme)
        if isinstance(due, PieceDue):
            first = due.piece
        else:
            first = 0
            if (isinstance(message, REPLIES) or is_step(message)) and len(pieces) > 1:
                reading = tongue.reading = LongAnswer(message, len(pieces), number)
        # An answer is read on as it is heard; what nobody asked for is all of it ready at once.
        for piece in range(first, first + 1 if reading is not None else len(pieces)):
            if not await self._say_piece(channel, station, number, message, pieces, piece, reading):
                return

    async def _say_piece(
        self, channel: PrivateChannel, station: Station, number: int, message: Message, pieces: Sequence[Spoken],
        piece: int, reading: LongAnswer | None,
    ) -> bool:  # fmt: skip
        """Queue the sound of a piece of what is told, past the last one "no more"; False where it could not be said."""
        assert station.seat is not None
        state = self._table.state
        choice, scheme = state.sound.of(station.seat).ear, scheme_for(state, station.seat)
        text, segments = pieces[piece] if piece < len(pieces) else no_more(scheme)
        seal = sealing_key(state, station.seat) if isinstance(message, SealedWords | ReadOut) else None
        secret = isinstance(message, SealedWords) or seal is not None  # the echo of what is sealed tells the move
        if secret and seal is None:
            return False  # the envelope was opened meanwhile
        announcing = self._announcing(station, number, message)
        tells_one = tells_time(message, piece)
        runs = running_time(message, state.time.clock, self._game_clock.mono_ms()) if tells_one else None
        ours = tells_one and isinstance(message, AnswerGiven) and message.age_ms is None
        render = partial(self._sound, choice=choice, listener=channel.listener, secret=secret)
        said_right = True
        try:
            if ours and isinstance(message, AnswerGiven):  # as it is now, also where it stands and was set meanwhile
                text, sound = await self._told_at_end(message, station.seat, render, piece)
            else:
                sound = await render(segments)
        except (Complaint, ChildFailed) as wrong:
            self._note_no_voice(station, wrong, secret=secret)
            said_right, (text, segments) = False, unspoken(scheme)
            try:  # nothing that was asked for is answered by silence
                sound = await render(segments)
            except (Complaint, ChildFailed):
                channel.note_speaking(announcing, over=True)
                return False  # the text was shown, and the station says it by its own means
        if reading is not None and self._tongues[channel.listener].reading is not reading:
            return False  # it was answered, or something else was asked, while this was put into sound
        until = self._good_until(message, runs) if ours or tells_age(message) or not piece else None
        later = _instead(message if reading is None or not piece else PieceDue(reading, piece, alone=True))
        anew = None if later is None else partial(self._queue, channel.listener, (station, number, later))
        begins = ends = None
        if reading is not None and piece < len(pieces):
            begins, ends = partial(self._go_on, channel.listener, station, number, reading, piece), reading.stop
        shown_there = number if station.id == channel.station else 0
        channel.say(
            kind_of(message), Played(shown_there, text, sound, announcing, secret, seal, anew, begins, ends),
            good_until=until, about="" if piece else about(message),
            asked=isinstance(message, REPLIES) or (is_step(message) and piece > 0),
            piece=piece if reading else 0, message=f"{station.id}-{number}" if len(pieces) > 1 else "",
            whole=is_step(message), asks=asks(message),
            doubtful=isinstance(message, Understood) and message.doubtful,
        )  # fmt: skip
        return said_right

    def _note_no_voice(self, station: Station, wrong: Complaint | ChildFailed, *, secret: bool) -> None:
        """Write into the log why a station has no voice, and tell the arbiter of an engine that fails."""
        if isinstance(wrong, ChildFailed):
            self._faults.note(wrong, secret=secret)
        _log.warning("No voice for station %s: %s", station.id, SEALED if secret else wrong)

    async def _told_at_end(self, message: AnswerGiven, seat: Seat, render: Render, piece: int) -> tuple[str, Sound]:
        """Return the text and sound of a time of our clock, as it will be when the sound ends."""
        scheme = scheme_for(self._table.state, seat)
        now = self._game_clock.mono_ms
        return await told_at_end(message, scheme, seat, lambda: self._table.state.time.clock, now, render, piece)

    def _good_until(self, message: Message, runs: int | None) -> int | None:
        """Return the moment (ms of the clock of the sounds) from which on a piece is not said any more; None: never.

        `runs`: the time that it tells, where that runs.
        """
        ahead = runs is not None and runs < SPOKEN_AHEAD_MS
        good_for = GOOD_FOR_MS if ahead else good_for_ms(message)
        return None if good_for is None else self._clock.mono_ms() + good_for

    def _go_on(self, listener: str, station: Station, number: int, reading: LongAnswer, piece: int) -> None:
        """Have the next piece of an answer made ready while this one sounds."""
        tongue, following = self._tongues[listener], reading.next_after(piece)
        if following is not None and tongue.reading is reading and not tongue.messages.full():
            tongue.messages.put_nowait((station, number, PieceDue(reading, following)))

    def _step(self, tongue: Tongue, by: int) -> bool:
        """Say the piece after or before the one that was heard last; False where no answer has pieces."""
        reading = tongue.reading
        if reading is None or tongue.messages.full():
            return False
        tongue.channel.tell(ear.Asked(answered=tongue.step))
        asked_at, _ = tongue.newest
        stations = self._table.state.stations
        station = stations.find(asked_at) or stations.find(tongue.channel.station)
        if station is not None:
            tongue.messages.put_nowait((station, reading.number, PieceDue(reading, reading.step(by), alone=True)))
        return True

    def _queue(self, listener: str, said: Said) -> None:
        """Queue what is said in place of a message that grew old while it waited."""
        if isinstance(said[2], NoTaken):
            self._stop_denial(listener)
            if listener in self._answered:
                return
            until = self._clock.mono_ms() + HEARD_MS
            self._denials[listener] = passing("A denial in an ear", lambda: self._deny(listener, said, until))
            return
        tongue = self._tongues.get(listener)
        if tongue is not None and not tongue.messages.full():
            tongue.messages.put_nowait(said)

    async def _deny(self, listener: str, said: Said, at_ms: int) -> None:
        """Say that nothing was taken, once a yes that was said in time is recognised no more."""
        await self._clock.sleep_until(at_ms)
        tongue, seat = self._tongues.get(listener), said[0].seat
        asked = None if seat is None else self._table.state.ending.pending_of(seat)
        if asked is not None and self._game_clock.mono_ms() <= asked.until_ms:
            return  # another question is open, which the player would take this for
        if tongue is not None and not tongue.messages.full():
            tongue.messages.put_nowait(said)

    def _stop_denial(self, listener: str) -> None:
        """Say no more that nothing was taken: the question came to something, or another one takes its place."""
        if (denial := self._denials.pop(listener, None)) is not None:
            denial.cancel()

    async def _sound(self, segments: Sequence[Segment], choice: EarChoice, listener: str, *, secret: bool) -> Sound:
        """Render in the voice and the shape that the player chose. Raises Complaint, ChildFailed.

        `listener`: whose private ear it is for; "" for the room and the arbiter, to whom no player's words go.
        """
        assert self.voice is not None
        private = f"{self._table.id} {listener}" if listener else ""
        manner = Manner(choice.voice or None, choice.speed / 100, ear=private)
        try:
            sound = await self.voice.render(segments, manner, keep=not secret)
        except Complaint:
            if not choice.voice:
                raise
            # This engine lacks the chosen speaker: another voice is better than none.
            sound = await self.voice.render(segments, Manner(None, manner.speed, ear=private), keep=not secret)
        shape = Shape(gain_db=choice.gain_db, lower=choice.lower)
        return sound if shape == PLAIN else await asyncio.to_thread(shape_sound, sound, shape)

    # what happens at the table

    def note(self, event: ev.AnyEvent) -> None:
        """Take an event: a press cuts what is read back to its player, and public events go to the room."""
        if self.voice is not None:
            self._aloud.note(event)
        if isinstance(event, ev.StationRevoked):
            self._leave(event.station)
        if isinstance(event, ev.ClockPressed) and event.seat.value in self._tongues:
            self._tongues[event.seat.value].channel.tell(ear.KeyPressed("press"))
        if isinstance(event, CHANGE_CLOCK):
            running = self._table.state.time.clock.running
            for seat in Seat:
                if seat.value in self._tongues:
                    over = running is not seat or _sets_time_of(event, seat)
                    self._tongues[seat.value].channel.tell(ear.ClockChanged(over))
        if isinstance(event, ev.Proposed):
            self._answered.discard(event.seat.value)
            self._stop_denial(event.seat.value)
        if isinstance(event, ev.ProposalSettled) and event.outcome != "lapsed" and event.seat.value in self._tongues:
            self._answered.add(event.seat.value)
            self._tongues[event.seat.value].settle_question("consent")
            self._stop_denial(event.seat.value)
        for seat in _no_longer_asked(event):
            if seat.value in self._tongues:
                self._tongues[seat.value].settle_question("words")

    def voice_began(self, station_id: str) -> None:
        """Note that somebody speaks at this station; meanwhile no ear of this table hears anything else."""
        self._speaking.add(station_id)
        station = self._table.state.stations.find(station_id)
        for name, tongue in self._tongues.items():
            own = station is not None and station.role is Role.PLAYER and station.seat == name
            tongue.channel.tell(ear.VoiceBegan(station_id, own))

    def voice_ended(self, station_id: str) -> None:
        """Note that the person at this station has stopped speaking."""
        self._speaking.discard(station_id)
        for tongue in self._tongues.values():
            tongue.channel.tell(ear.VoiceEnded(station_id))

    def at_own_ear(self, station: Station, word: str) -> bool:
        """Take a player's spoken "stop" or "repeat", or a step in a long answer; say whether it did anything there."""
        tongue = self._tongues.get(station.seat.value) if station.seat is not None else None
        if tongue is None or tongue.channel.off:
            return False
        if word == "repeat":
            return tongue.channel.repeat()
        if word in STEPS:  # after a time or a score they are of the score, whose moves are asked for one by one
            short = (*ANSWERED, "score")
            reading = tongue.reading
            long = reading is not None and not tongue.step and getattr(reading.message, "what", "") not in short
            return long and self._step(tongue, STEPS[word])
        tongue.channel.tell(ear.KeyPressed("stop"))
        return True

    def at_ear(self, station_id: str, said: AtEar | ReadOut, line: Sink | None = None) -> None:
        """Take what a station tells of its player's ear, or what its own page has to say there; `line`: which told."""
        station = self._table.state.stations.find(station_id)
        if isinstance(said, AtEar) and said.did in ("on", "off") and line is not None:
            self._plays[station_id, line] = said.did == "on"
            if self._newest_plays(station_id) is not (said.did == "on"):
                return  # another page of this station is the one that plays
        if isinstance(said, ReadOut):
            if self.voice is not None and station is not None and station.role is Role.ARBITER:
                self._aloud.read_out(station, said)
            elif self.voice is not None and station is not None and wants_read_out(self._table.state, station, said):
                self.tongue(station.seat or "", station.id).put((station, 0, said))
            return
        if station is not None and station.seat is None:
            self._aloud.at_ear(station, said, speaks=self.voice is not None)
        if station is None or station.role is not Role.PLAYER or station.seat is None:
            return
        if said.did in ("on", "off"):
            (self._silent.add if said.did == "off" else self._silent.discard)(station_id)
            self.line_changed(station_id)
            return
        tongue = self._tongues.get(station.seat.value)
        if tongue is None or (said.did in ("began", "ended") and tongue.channel.station != station_id):
            return  # a key counts at each of the player's stations, wherever their ear is
        match said.did:
            case "began":
                tongue.channel.tell(ear.Began(said.id))
            case "ended":
                tongue.channel.tell(ear.PhraseEnded(said.id))
            case "next" | "previous" if self._step(tongue, 1 if said.did == "next" else -1):
                pass
            case "repeat" | "previous":
                self._say_again(station)
            case key:
                tongue.channel.tell(ear.KeyPressed(key))

    def _say_again(self, station: Station) -> None:
        """Say the last phrase again; where this run has none, tell what is on record, as after the spoken word.

        An open question stays open: to ask for what was said would be another act than a yes.
        """
        asked = station.seat is not None and self._table.state.ending.pending_of(station.seat) is not None
        if not self.at_own_ear(station, "repeat") and not asked:
            self._table.note(cmd.Ask(what="last"), station.id)

    def _newest_plays(self, station_id: str) -> bool | None:
        """Return whether the line that sounds are sent to said that it plays; None where it has not told."""
        lines = self._table.connections.of(station_id)
        gone = [key for key in self._plays if key[0] == station_id and key[1] not in lines]
        for key in gone:
            del self._plays[key]
        return self._plays.get((station_id, lines[-1])) if lines else None

    def _leave(self, station_id: str) -> None:
        """Move a player's ear away from a device that was sent away, to another device of that player's."""
        for seat in Seat:
            tongue = self._tongues.get(seat.value)
            if tongue is None or tongue.channel.station != station_id:
                continue
            others = self._table.state.stations.at(Role.PLAYER, seat)
            if others:
                self.line_changed(others[-1].id)
            else:
                tongue.channel.tell(ear.There(False))

    def line_changed(self, station_id: str) -> None:
        """Note that a connection came or went.

        A player's sound goes to the station that came last and plays.
        """
        station = self._table.state.stations.find(station_id)
        plays = self._newest_plays(station_id)
        if plays is not None and station is not None:  # perhaps an older page, now that a newer one is closed
            (self._silent.discard if plays else self._silent.add)(station_id)
            self._aloud.note_sound(station, plays=plays)
        if station is not None and station.seat is None:
            self._aloud.line_changed(station)
        if station is None or station.role is not Role.PLAYER or station.seat is None:
            return
        if self._table.state.plan(station.seat).kind is not SeatKind.TACTILE:
            return
        tongue = self.tongue(station.seat.value, station.id)
        channel = tongue.channel
        players = self._table.state.stations.at(Role.PLAYER, station.seat)
        here = [one.id for one in players if self._table.connections.of(one.id)]
        playing = [id for id in here if id not in self._silent]
        wanted = station_id if station_id in playing else channel.station if channel.station in playing else None
        devices = station_of_devices(station.seat).id
        if devices in playing:  # a headset at the server goes before every page
            wanted = devices
        wanted = wanted or (playing[-1] if playing else None)
        if wanted is not None and wanted != channel.station:
            channel.tell(ear.There(False))  # what sounds at the other station stops
            channel.station = wanted
        elif here and channel.station not in [one.id for one in players]:  # it was sent away
            channel.station = here[-1]
        # By choice the player hears nothing where the station of the ear is silent itself; one that is gone comes back.
        channel.off = not playing and bool(here) and channel.station in self._silent
        self._look_for_line(station, tongue, bool(playing) or channel.off)
        if channel.off:
            channel.tell(ear.KeyPressed("off"))
        channel.tell(ear.There(wanted is not None))

    def _look_for_line(self, station: Station, tongue: Tongue, there: bool) -> None:
        """Tell a player who comes back in a game, first of all, that the line is there again."""
        now, name = self._clock.mono_ms(), tongue.channel.listener
        if not there:
            self._away.setdefault(name, now)
            return
        if self.voice is None:
            return  # the voice is still being loaded: said when it is ready
        since = self._away.pop(name, now)
        if (
            self.voice is not None
            and now - since >= AWAY_MS
            and self._table.state.table.started
            and not self._table.state.over
        ):
            tongue.channel.tell(ear.HoldBack(ear.RENDERED_MS))
            tongue.put((station, 0, LinkShown(what="line")))

    # sounds

    async def say_words(self, station_id: str, text: str, segments: Sequence[Segment]) -> None:
        """Say something outside the game. Raises Complaint where there is no voice."""
        if self.voice is None:
            raise Complaint(Phrase("no_voice_works"))
        self.sounds.give(station_id, text, await self.voice.render(segments))

    async def finish(self) -> None:
        """Return when all that was taken so far has been put into sound, and what may begin has begun."""
        await self.sounds.finish()
        for tongue in tuple(self._tongues.values()):
            await tongue.messages.join()
            await tongue.channel.finish_recording()

    async def close(self) -> None:
        """Say nothing more."""
        self._closed = True
        for tongue in tuple(self._tongues.values()):
            await tongue.close()
        late = (*self._warning, *self._denials.values())
        for saying in late:
            saying.cancel()
        await asyncio.gather(*late, return_exceptions=True)


def _no_longer_asked(event: ev.AnyEvent) -> tuple[Seat, ...]:
    """Return the players who are not asked any more what it was that they said, or which claim it is."""
    if isinstance(event, ev.GameEnded | ev.Restored):
        return tuple(Seat)
    return (event.seat,) if isinstance(event, SETTLE_WORDS) else ()


def _sets_time_of(event: ev.AnyEvent, seat: Seat) -> bool:
    """Return whether this side's time is another one after the event."""
    return isinstance(event, SET_TIMES) and getattr(event, "seat", seat) is seat


def _instead(due: Message | PieceDue) -> Message | PieceDue | None:
    """Return what is said where this could not be said while it was true; None: nothing.

    A time, as it is then; of a question to which no yes counts any more, that nothing was taken (`_deny`).
    """
    message = due.reading.message if isinstance(due, PieceDue) else due
    if isinstance(message, Question):
        return NoTaken(what=message.ask)
    return due if isinstance(message, AnswerGiven) else None


def wants_read_out(state: GameState, station: Station, said: ReadOut) -> bool:
    """Say whether this page's words are said into the player's ear.

    They are for a player at a tactile board who chose it (`read_keys`), in a known language. Nothing is added to them:
    they are what the page shows the player anyway, so that nothing depends on the game (12.6).
    """
    seat = station.seat
    if station.role is not Role.PLAYER or seat is None or said.language not in language_tags():
        return False
    return state.plan(seat).kind is SeatKind.TACTILE and state.sound.of(seat).ear.read_keys
