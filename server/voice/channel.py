"""Each listener has a private channel: what is ready waits its turn.

It is put on record before it sounds, then offered to the station; how much of it was heard is noted.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from server.game import acts as cmd
from server.game.values.words import Seat
from server.machine.clock import Clock
from server.machine.tasks import Faults, passing
from server.protocol import Hush, SoundReady
from server.table.evidence.evidence import EvidenceFile, SoundEvidence
from server.table.table import Table
from server.voice.playback import OfferedSounds
from speech.audio.sound import Sound
from speech.channels.channel import Channel
from speech.channels.ear import Act, Began, Drop, Enqueue, Event, Kind, Phrase, PhraseEnded, Repeat, Start, Stop

MOST_KEPT = 160
"""How many phrases of one listener are kept in memory: what waits, and some of what was said."""
SEALED = "(sealed)"
"""Text on the record in place of words that must not stand there."""


class Played(msgspec.Struct, frozen=True):
    """Phrase for one ear: its words, its sound and how it is kept.

    `number`: of the message it speaks, 0 where its station got none. `announcing`: the name of the announcement, where
    its wait is on the mover's time (D.2.4). `seal`: the key under which its sound is kept, where the record may not say
    it. `anew`: has it said again with the time as it is then, where it tells a time that soon is not true any more.
    """

    number: int
    text: str
    sound: Sound
    announcing: str | None = None
    secret: bool = False
    seal: str | None = None
    anew: Callable[[], None] | None = None
    begins: Callable[[], None] | None = None
    ends: Callable[[], None] | None = None


class PrivateChannel:
    """Private channel of one listener, in which one phrase sounds at a time.

    `listener`: the seat, or the station's name where it has none. `station`: where it sounds now.
    """

    def __init__(
        self,
        table: Table,
        listener: str,
        seat: Seat | None,
        clock: Clock,
        evidence: SoundEvidence,
        sounds: OfferedSounds,
    ) -> None:
        """Set up a channel that is empty.

        `sounds`: where a sound lies ready for its station.
        """
        self._table = table
        self.listener = listener
        self.seat = seat
        self.station = ""
        self.off = False
        self._faults = Faults("What is said into an ear", table.note_fault)
        self._channel = Channel(clock, self._act)
        self._evidence = evidence
        self._sounds = sounds
        self._told: OrderedDict[str, Played] = OrderedDict()
        self._names: dict[str, tuple[str, str | None]] = {}  # phrase -> its sound on disk and the hash
        self._starting: object | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def say(
        self, kind: Kind, told: Played, *, good_until: int | None = None, about: str = "", asked: bool = False,
        piece: int = 0, message: str = "", doubtful: bool = False, whole: bool = False, asks: str = "",
    ) -> None:  # fmt: skip
        """Queue something that is ready to be said; from `asked` on as of a `Phrase`."""
        id = secrets.token_hex(16)
        self._keep(id, told)
        length_ms = told.sound.duration_ms
        phrase = Phrase(id, kind, length_ms, good_until, about, asked, piece, message, doubtful, whole, asks)
        self._channel.tell(Enqueue(phrase))

    def tell(self, event: Event) -> None:
        """Take something that happened at this ear or at its table."""
        self._channel.tell(event)

    def repeat(self) -> bool:
        """Say the last phrase again; False where nothing was said."""
        ear = self._channel.ear
        phrase = ear.playing.phrase if ear.playing is not None else ear.last
        if phrase is None or phrase.id not in self._told:
            return False
        id = secrets.token_hex(16)
        self._keep(id, msgspec.structs.replace(self._told[phrase.id], announcing=None))
        if phrase.id in self._names:
            self._names[id] = self._names[phrase.id]
        self._channel.tell(Repeat(id))
        return True

    def note_speaking(self, announcing: str | None, **more: Any) -> None:
        """Note that an announcement is on its way, goes into the ear now, or will not come.

        The table learns it before any press that arrives later. An announcement about which nothing more is noted ends
        at the cap.
        """
        if announcing is not None and self.seat is not None:
            self._table.note(cmd.NoteSpeaking(seat=self.seat, utterance=announcing, **more))

    @property
    def quiet(self) -> bool:
        """Say whether nothing sounds or is about to."""
        return self._channel.ear.playing is None and not self._tasks

    async def finish_recording(self) -> None:
        """Return when nothing is on its way to the record any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Say nothing more."""
        await self._channel.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _keep(self, id: str, told: Played) -> None:
        self._told[id] = told
        while len(self._told) > MOST_KEPT:
            oldest, _ = self._told.popitem(last=False)
            self._names.pop(oldest, None)

    def _act(self, act: Act) -> None:
        try:
            self._perform(act)
        except Exception as fault:  # one phrase that fails must not silence the ear
            self._faults.note(fault, secret=True)

    def _perform(self, act: Act) -> None:
        told = self._told[act.phrase.id]
        match act:
            case Start(phrase):
                self._starting = token = object()
                _call(told.begins)
                starting = passing("A phrase into an ear", partial(self._start, phrase, told, token))
                self._tasks.add(starting)
                starting.add_done_callback(self._tasks.discard)
            case Stop(phrase, _, _, again):
                if self._starting is None:
                    self._hush(self._names[phrase.id][0], told, act)
                self._starting = None
                if not again:
                    self.note_speaking(told.announcing, over=True)
                    _call(told.ends)
            case Drop(_, why):
                self.note_speaking(told.announcing, over=True)
                if why not in ("newer", "stale"):
                    _call(told.ends)
                if why == "stale" and told.anew is not None:
                    told.anew()

    async def _start(self, phrase: Phrase, told: Played, token: object) -> None:
        try:
            recorded = await self._record_phrase(phrase, told)
        except Exception as fault:  # the text was shown; one failing phrase must not silence the ear
            self._faults.note(fault, secret=told.secret)
            recorded = False
        if self._starting is not token:
            return  # stopped meanwhile
        self._starting = None
        if not recorded:  # only what is on record is said into a private ear
            self.note_speaking(told.announcing, over=True)
            self._channel.tell(PhraseEnded(phrase.id))
            return
        try:
            self._offer(phrase, told)
        except Exception as fault:  # this phrase is not heard, but what waits behind it is
            self._faults.note(fault, secret=told.secret)
            self._channel.tell(PhraseEnded(phrase.id))
            return
        self._channel.tell(Began(phrase.id))

    async def _record_phrase(self, phrase: Phrase, told: Played) -> bool:
        if phrase.id not in self._names:
            name = f"told-{phrase.id}"
            kept = await self._evidence.keep(self._table.id, name, told.sound.pcm, told.sound.sample_rate, told.seal)
            self._names[phrase.id] = (name, kept.sha256 if isinstance(kept, EvidenceFile) else None)
        name, sha256 = self._names[phrase.id]
        return await self._note_spoken(name, told, sha256)

    async def _note_spoken(self, name: str, told: Played, sha256: str | None) -> bool:
        """Put on record that this goes into the ear; False where it could not be."""
        spoken_now = cmd.NoteSpoken(
            seat=self.seat,
            text=SEALED if told.secret else told.text,
            utterance=name,
            sha256=sha256,
            length_ms=0 if told.secret else told.sound.duration_ms,
            listener="" if self.seat is not None else self.listener,
        )
        return (await self._table.own(self._table.program_command(spoken_now))).outcome.ok

    def _offer(self, phrase: Phrase, told: Played) -> None:
        """Offer the sound to the station, which plays it now."""
        self.note_speaking(told.announcing, length_ms=told.sound.duration_ms)
        self._sounds.hold(phrase.id, self.station, told.sound)
        ready = SoundReady(told.number, phrase.id, told.text, told.sound.duration_ms, phrase.kind)
        self._table.push(self.station, ready, newest=True)

    def _hush(self, name: str, told: Played, stop: Stop) -> None:
        """Silence the station, and record how much was heard; `name`: of its sound on record.

        A player who cuts it off by a key or by speaking makes nobody wait for the rest.
        """
        self._table.push(self.station, Hush(stop.phrase.id, stop.why))
        if told.secret:
            return  # how much was heard could tell which move it was
        length = told.sound.duration_ms
        self._table.note(
            cmd.NoteCut(
                seat=self.seat, text=told.text, utterance=name, heard_ms=stop.heard_ms, length_ms=length,
                why=stop.why, again=stop.again, listener="" if self.seat is not None else self.listener,
            )
        )  # fmt: skip


def _call(back: Callable[[], None] | None) -> None:
    if back is not None:
        back()
