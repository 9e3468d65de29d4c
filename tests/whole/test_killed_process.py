"""Kill -9 of the real server at random moments of a game that is really spoken: nothing acknowledged is lost.

The server is a child process on one data folder. Three devices join over HTTP, play over WebSockets, speak over
/audio. Again and again the process is killed: during a press, an entry, typed words, the score, frames of
sound, after their end, while nothing happens, and while it starts again. Whether an utterance is understood does not
matter here; every move is also typed or entered, so that what was acknowledged is known.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts import AnyEvent
from server.game.game import Game
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.words import Mode, Origin, Seat
from server.journal.entry import Entry, Witness
from server.journal.sqlite.reader import JournalReader
from server.protocol import Do, Outcome, Typed
from server.wording.words import announcement_of, canonical, scheme_of, segments_of
from speech.announcements.announce import said_of
from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from tests.waiting import PATIENCE_S, until
from tests.whole.killing import OFTEN, ONCE, Act, Moment, moments
from tests.whole.running_server import STOP_S, RunningServer, begin, finished, listen_with_whisper
from tests.whole.wire_client import ServerGone, WireClient

SEED = 245
LEAST_PLIES = 14
SPOKEN_PLIES = 45
MOST_PLIES = 120
BY_A_LATE_VOICE = {"spoken_privately", "speech_cut"}
"""What a voice that is loaded while the server already serves may add to the record by itself."""
STARTS_A_CLOCK = ("game_started", "clock_resumed", "clock_pressed")
LEAVES_TRACE: dict[type, tuple[str, ...]] = {
    cmd.Press: ("clock_pressed",),
    cmd.EnterMove: ("made", "board_moved"),
    cmd.Execute: ("executed", "board_moved"),
    cmd.WriteScore: ("score_written",),
    cmd.Ask: ("answered",),
    cmd.Resume: ("clock_resumed",),
    cmd.StartGame: ("game_started",),
    cmd.SetMode: ("mode_changed",),
    cmd.RecordAdaptation: ("adaptation_recorded",),
    cmd.RuleResult: ("game_ended",),
}


class Planned(msgspec.Struct, frozen=True):
    """One ply of the game to be played, as White's scheme says it."""

    ply: int
    uci: str
    san: str
    words: tuple[str, ...]
    text: str


def planned_game(seed: int) -> list[Planned]:
    """A random legal game that lasts long enough."""
    scheme = scheme_of("d21", "de")
    while True:
        chance = random.Random(seed)
        board, plies = chess.Board(), []
        while len(plies) < MOST_PLIES and not board.is_game_over():
            move = chance.choice(sorted(board.legal_moves, key=chess.Move.uci))
            words, text = canonical(announcement_of(said_of(board, move)), scheme)
            plies.append(Planned(len(plies) + 1, move.uci(), board.san(move), words, text))
            board.push(move)
        if len(plies) == MOST_PLIES:
            return plies
        seed += 1


async def spoken(plies: list[Planned]) -> dict[int, Sound]:
    """Every third announcement and echo, really synthesised."""
    voice = Pyttsx3Voice()
    scheme = scheme_of("d21", "de")
    try:
        return {
            one.ply: resample_sound(await voice.render(segments_of(one.words, scheme)))
            for one in plies[:SPOKEN_PLIES]
            if one.ply % 3 == 0
        }
    finally:
        await voice.close()


class Record(msgspec.Struct, frozen=True):
    """What lies on disk of the table while no server runs."""

    envelopes: list[Entry]
    events: list[AnyEvent]
    state: GameState
    witness: Witness | None


class Ordeal:
    """The game, and the kills in it."""

    def __init__(self, repo: Path, data: Path, plies: list[Planned], sounds: dict[int, Sound], plan: list[Moment]):
        self.repo = repo
        self.data = data
        self.plies = plies
        self.sounds = sounds
        self.plan = plan
        self.kills = 0
        self.engines: set[int] = set()
        self.arbiter, self.white, self.black = (WireClient(name) for name in ("arbiter", "tactile", "sighted"))
        self.clients = (self.arbiter, self.white, self.black)
        self.sent_at: dict[str, float] = {}
        self.answered_at: dict[str, float] = {}
        self._repeated: set[str] = set()
        self._speaks = False
        self._chance = random.Random(SEED)

    # the game

    async def open(self) -> None:
        """Start the server, seat everybody as people would, and start the game in relay."""
        self.server = await RunningServer.start(self.repo, self.data)
        self.arbiter.base = self.server.base
        await self.arbiter.post("/api/join", {"secret": self.server.arbiter_secrets["demo"]})
        await self.arbiter.connect(self.server.base)
        for client, seat in ((self.white, "white"), (self.black, "black")):
            client.base = self.server.base
            place = await self.arbiter.post("/api/invitations", {"role": "player", "seat": seat, "duties": []})
            knock = await client.post("/api/join", {"code": place["words"], "label": client.name})
            await self.arbiter.post(f"/api/introductions/{knock['id']}", {"admit": True})
            assert (await client.get(f"/api/join/{knock['id']}"))["state"] == "admitted"
            await client.connect(self.server.base, voice=client is self.white)
        await self.ask_for(self.arbiter, cmd.RecordAdaptation(name="machine_announces", value="approved"))
        await self.ask_for(self.arbiter, cmd.SetMode(mode=Mode.RELAY))
        await self.ask_for(self.arbiter, cmd.StartGame())

    async def play(self, least: int = LEAST_PLIES) -> int:
        """Play so many plies, and until every moment of the plan has been killed at; the number of plies played."""
        for white, black in zip(self.plies[::2], self.plies[1::2], strict=True):
            await self.white_moves(white)
            await self.black_moves(black)
            if not self.plan and black.ply >= least:
                return black.ply
        raise AssertionError(f"the game ended before the plan: {self.plan}")

    async def white_moves(self, one: Planned) -> None:
        """By touch: announced by voice (every third), typed all the same, pressed; White asks what the clocks show."""
        await self.say_aloud(one)
        await self.together(self.typing("type", one, "announce"))
        await self.press(self.white, one, self.doing("ask", self.white, cmd.Ask(what="time")))
        await self.together(
            self.doing("enter", self.black, cmd.Execute(uci=one.uci)),
            self.doing("write", self.black, cmd.WriteScore(index=one.ply, text=one.san)),
        )

    async def black_moves(self, one: Planned) -> None:
        """Sighted: entered, pressed, written; White repeats it by voice (every third) and by typing."""
        await self.together(self.doing("enter", self.black, cmd.EnterMove(uci=one.uci)))
        writing = self.doing("write", self.black, cmd.WriteScore(index=one.ply, text=one.san))
        await self.press(self.black, one, writing, self.doing("ask", self.white, cmd.Ask(what="moves")))
        await self.say_aloud(one)
        await self.together(self.typing("type", one, "echo"))

    async def say_aloud(self, one: Planned) -> None:
        sound = self.sounds.get(one.ply)
        if sound is None:
            return
        await self.until_it_speaks()
        during = self.plan[0].kind if self.plan and self.plan[0].kind in ("frames", "heard") else "frames"
        pace = 0.001 if during == "frames" else 0.0

        async def speak() -> None:
            await self.white.speak(sound, pace)

        # What was cut off is not said again; the words are typed after it anyway.
        await self.together(Act(during, speak, lambda: True))

    async def press(self, client: WireClient, one: Planned, *meanwhile: Act) -> None:
        """Press until the move is completed: a clock that stood (a misheard call, a slow machine) is restarted."""
        acts = meanwhile
        while True:
            if self.picture["running"] is None:
                await self.ask_for(self.arbiter, cmd.Resume())
            before = len(self.arbiter.messages)
            await self.together(self.doing("press", client, cmd.Press(), about_ply=one.ply), *acts)
            await self.arbiter.until(lambda seen=before: self.completed(one.ply) or self.pressed_in_vain(seen))
            if self.completed(one.ply):
                return
            acts = ()

    def completed(self, ply: int) -> bool:
        return any(event["event"] == "completed" and event["ply"] == ply for event in self.told_since(0))

    def pressed_in_vain(self, since: int) -> bool:
        return any(event["event"] == "clock_pressed" and not event["effective"] for event in self.told_since(since))

    def told_since(self, message: int) -> list[dict[str, Any]]:
        return [told["event"] for told in self.arbiter.heard[message:]]

    @property
    def picture(self) -> dict[str, Any]:
        """The arbiter's picture as it was last shown."""
        for told in reversed(self.arbiter.heard[self.arbiter.greeting["n"] :]):
            if told["picture"] is not None:
                return dict(told["picture"])
        return dict(self.arbiter.greeting["picture"])

    # acts

    def doing(self, kind: str, client: WireClient, body: cmd.StationAct, about_ply: int | None = None) -> Act:
        return self.sending(kind, client, client.command(body, about_ply))

    def typing(self, kind: str, one: Planned, act: str) -> Act:
        return self.sending(kind, self.white, self.white.typing(one.text, act))

    def sending(self, kind: str, client: WireClient, id: str) -> Act:
        async def send() -> None:
            self.sent_at.setdefault(id, time.monotonic())
            answer = await client.send(id)
            self.answered_at.setdefault(id, time.monotonic())
            assert answer.outcome.ok, (client.name, client.asked[id], answer)

        return Act(kind, send, lambda: id in client.answers)

    async def ask_for(self, client: WireClient, body: cmd.StationAct) -> None:
        await self.doing("", client, body).run()

    async def together(self, *acts: Act) -> None:
        """Do these at the same time; where the plan says so, kill the server meanwhile and do the rest afterwards."""
        if not self.plan or all(act.kind != self.plan[0].kind for act in acts):
            await asyncio.gather(*(act.run() for act in acts))
            if self.plan and self.plan[0].kind == "idle":
                moment = self.plan.pop(0)
                await asyncio.sleep(moment.delay_s)
                await until(self.is_witnessed, lambda: "no witness while nothing else happened")
                await self.fall_and_rise(moment, [])
            return
        moment = self.plan.pop(0)
        tasks = [asyncio.create_task(act.run()) for act in acts]
        await asyncio.sleep(moment.delay_s)
        await self.fall_and_rise(moment, tasks)
        for act in acts:
            if not act.done():
                await act.run()

    # the kill

    async def fall_and_rise(self, moment: Moment, tasks: list[asyncio.Task[None]]) -> None:
        """Kill, look at the disk, start again, come back, compare, repeat, resume."""
        self.engines.update(self.server.children())
        killing = time.monotonic()
        await self.server.kill()
        killed = time.monotonic()
        self.kills += 1
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        for client in self.clients:
            await client.leave()
        for outcome in ended:
            if outcome is not None and not isinstance(outcome, ServerGone):
                raise outcome
        record = self.check_disk()
        for delay_s in moment.kills_while_starting:
            await self.start_and_kill(delay_s)
        self.server = await RunningServer.start(self.repo, self.data, port=self.server.port)
        for client in self.clients:
            await client.connect(self.server.base, voice=client is self.white)
            await client.hello(0)  # the same bytes under the same numbers: `WireClient` compares them
        self.check_clock(record, killing, killed)
        await self.repeat_commands()
        if record.state.table.started and self.picture["running"] is None:
            await self.ask_for(self.arbiter, cmd.Resume())
            await self.arbiter.until(lambda: self.picture["running"] is not None)
        self._speaks = False

    async def until_it_speaks(self) -> None:
        """Voice and ears are loaded while the server already serves: ask until the answer comes as sound."""
        before = len(self.white.sounds)
        async with asyncio.timeout(PATIENCE_S):
            while not self._speaks and len(self.white.sounds) == before:
                await self.ask_for(self.white, cmd.Ask(what="time"))
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await self.white.until(lambda: len(self.white.sounds) > before)
        self._speaks = True

    async def start_and_kill(self, delay_s: float) -> None:
        process = await begin(
            self.repo, "serve", "--data", str(self.data), "--port", str(self.server.port), "--demo-table"
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(delay_s):
                await process.wait()
        assert process.returncode is None, "a server that was killed while it started cannot start again"
        process.kill()
        await process.communicate()
        self.kills += 1

    def is_witnessed(self) -> bool:
        """Return whether a witness was written after the newest entry, which may be that of a late voice."""
        with JournalReader.open(self.data / "journal.sqlite") as journal:
            last = journal.read("demo")[-1]
            witness = journal.last_witness(last.run)
        return witness is not None and witness.mono_ms > last.mono_ms

    def read_disk(self) -> Record:
        with JournalReader.open(self.data / "journal.sqlite") as journal:
            envelopes = journal.read("demo")
            witness = journal.last_witness(envelopes[-1].run)
            for client in self.clients:
                for id, answer in client.answers.items():
                    kept = journal.outcome_of(id)
                    assert kept is not None, f"{client.name}: {client.asked[id]} was acknowledged and is not on disk"
                    assert msgspec.json.decode(kept.body, type=Outcome) == answer
        events = [msgspec.json.decode(envelope.body, type=AnyEvent) for envelope in envelopes]
        return Record(envelopes, events, Game.replay(events), witness)

    def check_disk(self) -> Record:
        """Everything that any station was told of, or was answered, is on disk."""
        record = self.read_disk()
        assert [envelope.seq for envelope in record.envelopes] == list(range(1, len(record.envelopes) + 1))
        self.check_traces(record)
        first = next(n for n, event in enumerate(record.events) if getattr(event, "role", None) == "arbiter")
        bodies = [msgspec.json.decode(envelope.body) for envelope in record.envelopes[first:]]
        told = self.told_since(0)
        assert told == bodies[: len(told)], "the arbiter was told of something that is not on disk"
        self.check_sounds(bodies)
        return record

    def check_traces(self, record: Record) -> None:
        """Each acknowledged command left the events it should have left."""
        kinds: dict[str, list[str]] = {}
        for envelope in record.envelopes:
            kinds.setdefault(envelope.command, []).append(envelope.kind)
        for client in self.clients:
            for id in client.answers:
                asked, left = client.asked[id], kinds.get(id, [])
                if isinstance(asked, Typed):
                    assert {"announced", "echoed", "announcement_repeated"} & set(left), (asked, left)
                elif isinstance(asked, Do):
                    assert set(LEAVES_TRACE[type(asked.body)]) <= set(left), (asked, left)

    def check_sounds(self, bodies: list[dict[str, Any]]) -> None:
        """Every sound that the record names, and every one that was offered to an ear, is there, bit for bit."""
        told = {}
        for event in bodies:
            if event["event"] not in ("sound_kept", "spoken_privately") or event["sha256"] is None:
                continue
            flac = (self.data / "audio" / "demo" / f"{event['utterance']}.flac").read_bytes()
            assert hashlib.sha256(flac).hexdigest() == event["sha256"]
            told[event["utterance"]] = event
        for ready in self.white.sounds:
            assert told[f"told-{ready.id}"]["text"] == ready.text
        for utterance in self.white.taken:
            assert any(name.endswith(f"{utterance:016x}") for name in told), "an utterance taken is not in the record"

    # after the restart

    def check_clock(self, record: Record, killing: float, killed: float) -> None:
        """Both clocks stand at the last sign of life, and the truth lies within the uncertainty that is told."""
        clock = record.state.time.clock
        since = self.told_since(len(record.envelopes) - self.arbiter_missed(record))
        new = [event for event in since if event["event"] not in BY_A_LATE_VOICE]
        if clock.running is None:
            assert [event["event"] for event in new] == []
            return
        held = record.state.time.held is not None  # a press that waited for an announcement takes effect first
        kinds = ["interrupted", "alerted"]
        assert [event["event"] for event in new] == (["announcement_waited", *kinds] if held else kinds)
        if held:
            waited = msgspec.convert(new[0], AnyEvent)
            clock = apply(record.state, waited).time.clock
        interrupted = new[-2]
        assert self.arbiter.greeting["picture"]["running"] is None
        assert self.arbiter.greeting["picture"]["white_ms"] == interrupted["white_ms"]
        assert self.arbiter.greeting["picture"]["black_ms"] == interrupted["black_ms"]
        assert interrupted["turn"] == clock.turn
        last = record.envelopes[-1].mono_ms
        alive = max(last, record.witness.mono_ms) if record.witness is not None else last
        assert interrupted["white_ms"] == clock.remaining(Seat.WHITE, alive)
        assert interrupted["black_ms"] == clock.remaining(Seat.BLACK, alive)
        if held:  # the opponent's time has run since the last sign of life at the latest: not yet at all
            assert interrupted[f"{clock.turn}_ms"] == clock.remaining(clock.turn, alive)
            return
        # The same by the players' own watch: when did the running time begin to run?
        number, began = next(
            (number, envelope)
            for number, envelope in reversed(list(enumerate(record.envelopes)))
            if envelope.kind in STARTS_A_CLOCK and getattr(record.events[number], "effective", True)
        )
        then = Game.replay(record.events[: number + 1]).time.clock
        had = then.remaining(then.turn, began.mono_ms)
        longest = (killed - self.sent_at[began.command]) * 1000
        shortest = (killing - self.answered_at.get(began.command, killing)) * 1000
        shown = interrupted[f"{clock.turn}_ms"]
        assert had - longest - 2 <= shown <= had, "more time was taken from a player than had passed"
        assert shown - interrupted["uncertain_ms"] <= had - shortest + 2, "the truth lies outside what is told"

    def arbiter_missed(self, record: Record) -> int:
        """How many events came before the arbiter was admitted: the arbiter was never told of these."""
        return next(n for n, event in enumerate(record.events) if getattr(event, "role", None) == "arbiter")

    async def repeat_commands(self) -> None:
        """The same id again: the same answer (`WireClient` compares), and nothing changes.

        Meanwhile a voice that is loaded late may have said something: only that may have come on record.
        """
        passing: dict[str, Any] = {"clock": None, "n": None}  # the time of asking, how many messages there are
        before = await self.arbiter.hello(len(self.arbiter.messages)) | passing
        known = len(self.arbiter.heard)
        for client in self.clients:
            fresh = [id for id in client.answers if id not in self._repeated]
            old = [id for id in client.answers if id in self._repeated]
            for id in [*fresh[-20:], *self._chance.sample(old, min(3, len(old)))]:
                await client.send(id)
            self._repeated.update(fresh)
        assert await self.arbiter.hello(len(self.arbiter.messages)) | passing == before
        assert {one["event"]["event"] for one in self.arbiter.heard[known:]} <= BY_A_LATE_VOICE

    async def close(self) -> None:
        for client in self.clients:
            await client.close()
        if self.server.process.returncode is None:
            await self.server.kill()


async def gone(pids: set[int], found: Callable[[int], bool]) -> None:
    """Wait until no process of these is there."""
    async with asyncio.timeout(PATIENCE_S):
        while any(found(pid) for pid in pids):
            await asyncio.sleep(0.05)


def is_engine(pid: int) -> bool:
    with suppress(OSError):
        return b"speech." in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@pytest.mark.slow
@pytest.mark.law("L066")
@pytest.mark.parametrize("often", [ONCE, pytest.param(OFTEN, marks=pytest.mark.thorough)], ids=["once", "often"])
async def test_nothing_acknowledged_is_lost(
    repo: Path, tmp_path: Path, often: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Often, it is killed with Whisper too."""
    if often is OFTEN:
        listen_with_whisper(monkeypatch)
    plies = planned_game(SEED)
    plan = moments(random.Random(SEED), often)
    kills = len(plan) + sum(len(moment.kills_while_starting) for moment in plan)
    ordeal = Ordeal(repo, tmp_path / "data", plies, await spoken(plies), plan)
    try:
        await ordeal.open()
        played = await ordeal.play()
        await ends_as_acknowledged(ordeal, plies[:played])
    finally:
        await ordeal.close()
    assert ordeal.kills == kills
    await gone(ordeal.engines, is_engine)


async def ends_as_acknowledged(ordeal: Ordeal, played: list[Planned]) -> None:
    """Both boards, both scores, the PGN and the messages of the whole game are those that were acknowledged."""
    await ordeal.ask_for(ordeal.white, cmd.Execute())  # the last move too stands on White's board
    await ordeal.ask_for(ordeal.arbiter, cmd.RuleResult(result="1/2-1/2", reason="the test is over"))
    picture = (await ordeal.arbiter.hello(len(ordeal.arbiter.messages)))["picture"]
    board = chess.Board()
    for one in played:
        board.push_uci(one.uci)
    assert picture["white_board"] == picture["black_board"] == picture["game"] == board.board_fen()
    assert picture["line"] == [one.uci for one in played]
    assert picture["white_score"] == [one.text for one in played]
    assert picture["black_score"] == [one.san for one in played]
    pgn = ordeal.data.parent / "game.pgn"
    status, said = await finished(ordeal.repo, "export", "demo", "--data", str(ordeal.data), "--out", str(pgn))
    assert status == 0, said
    game = chess.pgn.read_game(pgn.open(encoding="utf-8"))
    assert game is not None
    assert [move.uci() for move in game.mainline_moves()] == [one.uci for one in played]
    assert all(node.clock() is not None for node in game.mainline())
    assert await ordeal.server.stop(STOP_S) == 0
    for client in ordeal.clients:
        await client.leave()
    record = ordeal.check_disk()
    assert record.state.ending.result == "1/2-1/2"
    assert any(envelope.kind == "sound_kept" for envelope in record.envelopes), "nothing was spoken"
    heard = [event for event in record.events if getattr(event, "origin", None) is Origin.HEARD]
    print(f"{ordeal.kills} kills, {len(played)} plies, {len(record.envelopes)} events, {len(heard)} of them heard")
