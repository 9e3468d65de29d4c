"""A real hall over a real data folder with a scripted clock, and stations that keep everything they are sent."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import chess
import msgspec

from server.game import acts as cmd
from server.game.acts import Command
from server.game.laws.event_options import EventOptions
from server.game.mating import Answer, Budget, can_ever_mate
from server.game.values.position import Position
from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster, Mode, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views.messages import AnyMessage
from server.hall.hall import WITNESS_MS, Hall
from server.hall.live_table import LiveTable
from server.machine.clock import ScriptedClock
from server.machine.data_folder import DataFolder
from server.protocol import AtEar, Numbered, Outcome, Outgoing, SoundReady, Typed
from server.table.mate_worker import MateSearch
from speech.announcements.understand import said_of_text
from speech.audio.sound import Sound
from speech.channels.ear import wake_at
from speech.hearing.hearing import Hearing, HearingUtterance, Verdict
from speech.hearing.hearing import Mode as HearingMode
from speech.hearing.verdict import Judgement
from speech.voices.voice import ORDINARY, Manner, Segment
from speech.words.said import Heard
from speech.words.scheme import Scheme
from tests.waiting import PATIENCE_S, idle


def heard_words(heard: Heard, verdict: Judgement = "accept", words: tuple[str, ...] = ()) -> Verdict:
    """A verdict on one sound, without hypotheses."""
    return Verdict(words, heard, 1.0, verdict, (), "whisper", 0)


class FakeEars(Hearing):
    """Ears without an engine: a subclass says in `verdict_on` what it makes of a whole sound."""

    def __init__(self) -> None:
        super().__init__(engines=())

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        return heard_words(Heard("none"), "reject")

    def open_utterance(self, scheme: Scheme, mode: HearingMode = "rated", pcm: bytes = b"") -> HearingUtterance:
        return FakeUtterance(self, scheme, pcm)


class FakeUtterance(HearingUtterance):
    """An utterance for `FakeEars`, which keeps what it is fed until the end."""

    def __init__(self, ears: FakeEars, scheme: Scheme, pcm: bytes) -> None:
        self.ears, self.pcm = ears, b""
        super().__init__(ears, scheme, (), pcm)

    def feed(self, pcm: bytes) -> None:
        self.pcm += pcm

    async def finish(self, after: Verdict | None = None) -> Verdict:
        return await self.ears.verdict_on(self.pcm, self.scheme)


class WrittenEars(FakeEars):
    """Ears for sounds that are written words: the bytes are the text, so that they are a function of the sound alone.

    `?` is a sound that is not understood, `?from` one of which the departure was not, `~` before words leaves a doubt,
    `/` between two announcements a doubt which of them it was; `-` is not for us.
    """

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        text = pcm.decode("utf-16-le").strip("\0")  # silence around words
        if text.startswith("?"):
            return heard_words(Heard("none", unclear=text[1:] or None), "repeat")
        if text.startswith("-"):
            return heard_words(Heard("none"), "reject")
        if "/" in text:
            both = [said_of_text(one, scheme) for one in text.split("/")]
            return msgspec.structs.replace(
                heard_words(both[0], "confirm", both[0].words), two_squares=tuple(one.words for one in both)
            )
        if text.startswith("~"):
            return heard_words(said_of_text(text[1:], scheme), "confirm")
        return heard_words(said_of_text(text, scheme))


class SearchHere(MateSearch):
    """Whether a side can ever mate, looked for in this process."""

    async def find(self, position: Position, seat: Seat) -> Answer:
        return can_ever_mate(position, seat, Budget(nodes=4_000))


class WrittenVoice:
    """A voice whose sound is as long as its text."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        return Sound(b"\0\0" * 160 * sum(len(segment.text) for segment in segments), 16_000)

    async def close(self) -> None:
        """Nothing to let go."""


class Ear:
    """One connection of a station: everything that reached it, in order."""

    def __init__(self) -> None:
        self.received: list[Outgoing] = []

    def __call__(self, outgoing: Outgoing) -> None:
        self.received.append(outgoing)

    @property
    def messages(self) -> list[AnyMessage]:
        return [one.message for one in self.received if isinstance(one, Numbered)]

    @property
    def numbers(self) -> list[int]:
        return [one.n for one in self.received if isinstance(one, Numbered)]

    @property
    def sounds(self) -> list[SoundReady]:
        return [one for one in self.received if isinstance(one, SoundReady)]

    def of(self, kind: type[Any]) -> list[Any]:
        return [message for message in self.messages if isinstance(message, kind)]

    def as_bytes(self) -> list[bytes]:
        """Everything byte by byte, sounds after the rest; a sound's random name is the one thing that may differ."""
        ordered = sorted(self.received, key=lambda one: isinstance(one, SoundReady))
        return [re.sub(rb'"id":"[0-9a-f]{32}"', b'"id":"*"', msgspec.json.encode(one)) for one in ordered]


class Played:
    """A hall with one table and its stations: White tactile, Black as asked, an arbiter, a display."""

    def __init__(self, hall: Hall, clock: ScriptedClock, table: LiveTable) -> None:
        self.hall, self.clock, self.table = hall, clock, table
        self.ears: dict[str, Ear] = {}
        self.acts: list[tuple[str, str]] = []
        self._count = 0

    def id(self) -> str:
        self._count += 1
        return f"{self._count:032x}"

    def attach(self, station: str, after: int = 0) -> Ear:
        ear = self.ears[station] = Ear()
        self.table.attach(station, after, ear)
        return ear

    async def do(self, station: str, body: cmd.StationAct, about: int | None = None, id: str | None = None) -> Outcome:
        """A command over the wire: only what a client may say in it counts."""
        command = Command(id=id or self.id(), table=self.table.id, station=station, body=body, about_ply=about)
        outcome = await self.table.submit(command)
        if station in self.ears:
            self.ears[station](outcome)
        return outcome

    async def done(self, station: str, body: cmd.StationAct, about: int | None = None) -> None:
        outcome = await self.do(station, body, about)
        assert outcome.outcome.ok, outcome

    async def press(self, station: str, about: int | None = None) -> None:
        self.acts.append((station, "press"))
        await self.done(station, cmd.Press(), about)

    async def speak(self, station: str, text: str) -> None:
        """The player speaks: the sound goes the whole way, by evidence and ears."""
        self.acts.append((station, "speak"))
        self._count += 1
        await self.table.hear(station, self._count, text.encode("utf-16-le"), self.clock.mono_ms())

    async def type(self, station: str, text: str, act: str = "auto") -> Outcome:
        outcome = await self.table.take_typed(station, Typed(self.id(), text, act))
        if station in self.ears:
            self.ears[station](outcome)
        return outcome

    async def pass_time(self, ms: int) -> None:
        """Time goes by as it does: all who wait for a moment get their own."""
        end = self.clock.mono_ms() + ms
        while (now := self.clock.mono_ms()) < end:
            await turn(lambda: (due := self.clock.next_due()) is not None and due <= self.clock.mono_ms() + WITNESS_MS)
            due = self.clock.next_due()
            assert due is not None
            self.clock.advance(min(end, due) - now)
        await turn(lambda: (due := self.clock.next_due()) is not None and due > self.clock.mono_ms())

    async def put_into_sound(self) -> None:
        """What is to be said so far is sound and recorded, and what may begin has begun; no time passes for it."""
        await self.table.teller.finish()

    async def told(self) -> None:
        """Everything that is to be said has been rendered, recorded, offered, and heard: time passes only for that."""
        teller = self.table.teller
        while True:
            await teller.finish()
            ears = {tongue.channel.station: tongue.channel._channel for tongue in teller._tongues.values()}
            for station, channel in ears.items():
                if channel.ear.playing is not None:
                    teller.at_ear(station, AtEar("ended", channel.ear.playing.phrase.id))
            dues = [due for channel in ears.values() if (due := wake_at(channel.ear)) is not None]
            if not dues:
                return
            self.clock.advance(max(0, min(dues) - self.clock.mono_ms()))
            await idle()  # each task that slept until now wakes


async def turn(until: Callable[[], bool]) -> None:
    """Let the loop go on until something is so; a disk under load is given its time, up to a deadline."""
    deadline, turns = time.monotonic() + PATIENCE_S, 0
    while not until():
        assert time.monotonic() < deadline, "it never came to that"
        turns += 1
        await asyncio.sleep(0 if turns < 2_000 else 0.001)


STATIONS = (
    Station("white", Role.PLAYER, Seat.WHITE),
    Station("black", Role.PLAYER, Seat.BLACK),
    Station("arbiter", Role.ARBITER),
    Station("display", Role.DISPLAY),
)


@asynccontextmanager
async def reopened(
    folder: Path, clock: ScriptedClock | None = None, **engines: Any
) -> AsyncIterator[tuple[Hall, ScriptedClock]]:
    """The hall of a folder, whatever it holds."""
    engines.setdefault("mates", SearchHere())
    clock = clock or ScriptedClock()
    with DataFolder.open(folder, lock=True) as data:
        hall = await Hall.open(data, clock, **engines)
        try:
            yield hall, clock
        finally:
            await hall.close()


@asynccontextmanager
async def played(
    folder: Path,
    *,
    fen: str = chess.STARTING_FEN,
    control: str = "5400+30",
    white: SeatKind = SeatKind.TACTILE,
    black: SeatKind = SeatKind.SIGHTED,
    mode: Mode = Mode.TABLE,
    master: ClockMaster = ClockMaster.SERVER,
    stations: tuple[Station, ...] = STATIONS,
    voice: Any = None,
    ears: Any = None,
    regulations: EventOptions | None = None,
    beliefs: Any = None,
    training: bool = False,
    language: str = "de",
) -> AsyncIterator[Played]:
    """A game that has started, with every station attached from its first message on."""
    engines = {"ears": ears or WrittenEars(), "voice": voice or WrittenVoice(), "beliefs": beliefs}
    async with reopened(folder, **engines) as (hall, clock):
        body = cmd.OpenTable(
            white=SeatPlan(white, language=language),
            black=SeatPlan(black),
            control=TimeControl.parse(control),
            start_fen=fen,
            clock_master=master,
            regulations=regulations,
            rated=not training,
            training=training,
        )
        table = await hall.open_table(body, "t1")
        game = Played(hall, clock, table)
        for station in stations:
            assert (await table.admit(station)).outcome.ok
            game.attach(station.id)
        if mode is not Mode.TABLE:
            await game.done("arbiter", cmd.RecordAdaptation(name="machine_announces", value="approved"))
            await game.done("arbiter", cmd.SetMode(mode=mode))
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        yield game
