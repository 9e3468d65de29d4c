"""A station that remembers every byte it was sent, outlives its server, and asks again with the same command id."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from typing import Any

import aiohttp
import msgspec

from server.game.acts import StationAct
from server.machine.identity import new_command_id
from server.protocol import AtEar, Do, Hello, Hush, Outcome, Outgoing, RecordFails, Servers, SoundReady, Takeover, Typed
from speech.audio.frames import encode_frames
from speech.audio.sound import Sound
from tests.waiting import PATIENCE_S

# The lines of forty cells come with the newest messages alone, also when these are sent again.
NUMBERED = re.compile(
    rb'\{"kind":"message","n":(\d+),"message":(\{.*?\})(?:,"lines":\[[^\]]*\])?(?:,"together":(?:true|false))?\}',
    re.DOTALL,
)


class ServerGone(Exception):
    """The connection ended before the answer came: nobody knows whether the command was carried out."""


class WireClient:
    """One device. Its cookies, its numbered messages and its answers outlive the server."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.base = ""
        self.messages: list[bytes] = []
        self.greeting: dict[str, Any] = {}
        self.sounds: list[SoundReady] = []
        self._playing: list[SoundReady] = []
        self.asked: dict[str, Do | Typed] = {}
        self.answers: dict[str, Outcome] = {}
        self.taken: set[int] = set()
        self.closed_with: list[int | None] = []
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._lines: list[aiohttp.ClientWebSocketResponse] = []
        self._readers: list[asyncio.Task[None]] = []
        self._news = asyncio.Condition()
        self._latest: dict[str, Outcome] = {}
        self._greetings = 0
        self._heard: list[dict[str, Any]] = []
        self._after = 0
        self._next = 1
        self._gone = True
        self._wrong: AssertionError | None = None

    # over HTTP

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        async with self._session.post(self.base + path, json=body, headers={"Origin": self.base}) as answer:
            found = dict(await answer.json())
            assert answer.status < 400, found
            return found

    async def get(self, path: str) -> dict[str, Any]:
        async with self._session.get(self.base + path) as answer:
            return dict(await answer.json())

    async def fetch(self, ready: SoundReady) -> bytes:
        async with self._session.get(f"{self.base}/sound/{ready.id}") as answer:
            assert answer.status == 200
            return await answer.read()

    # the two lines

    async def connect(self, base: str, *, voice: bool = False) -> None:
        """Come (back) with the cookies held, and resume after the last message held."""
        self.base = base
        origin = {"Origin": base}
        self._gone = False
        self._lines = [await self._session.ws_connect(base + "/ws", headers=origin)]
        if voice:
            self._lines.append(await self._session.ws_connect(base + "/audio", headers=origin))
        self._readers = [asyncio.create_task(self._read(line)) for line in self._lines]
        await self.hello(len(self.messages))

    async def hello(self, after: int) -> dict[str, Any]:
        """Ask for the greeting and for everything after message `after`; the greeting, once all of it has come."""
        before, self._after = self._greetings, after
        await self._send(0, msgspec.json.encode(Hello(after)).decode())
        await self.until(lambda: self._greetings > before and self._next > self.greeting["n"])
        return self.greeting

    async def leave(self) -> None:
        """Forget the lines of a server that is gone; whatever had been sent before has been read."""
        await asyncio.gather(*self._readers)
        self.closed_with = [line.close_code for line in self._lines]
        for line in self._lines:
            await line.close()
        self._lines = []

    async def close(self) -> None:
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        await self._session.close()

    # commands

    def command(self, body: StationAct, about_ply: int | None = None) -> str:
        """A command with an id of its own, not yet sent; its id."""
        id = new_command_id()
        self.asked[id] = Do(id, body, about_ply)
        return id

    def typing(self, text: str, act: str) -> str:
        """Words to be typed, not yet sent; their command id."""
        id = new_command_id()
        self.asked[id] = Typed(id, text, act)
        return id

    async def send(self, id: str) -> Outcome:
        """Send the command of that id, for the first time or again, and wait for the answer. Raises ServerGone."""
        self._latest.pop(id, None)
        await self._send(0, msgspec.json.encode(self.asked[id]).decode())
        answer: Outcome = await self.until(lambda: self._latest.get(id))
        return answer

    async def speak(self, sound: Sound, frame_s: float = 0.0) -> None:
        """Speak mono s16le 16 kHz sound and wait until the server has taken it. Raises ServerGone."""
        utterance = secrets.randbits(63)
        for frame in encode_frames(sound.pcm, utterance):
            await self._send(1, frame)
            await asyncio.sleep(frame_s)
        await self._send(1, f'{{"end": {utterance}}}')
        await self.until(lambda: utterance in self.taken)

    async def _send(self, line: int, data: str | bytes) -> None:
        try:
            if isinstance(data, str):
                await self._lines[line].send_str(data)
            else:
                await self._lines[line].send_bytes(data)
        except ConnectionError as wrong:
            raise ServerGone from wrong

    async def until(self, found: Callable[[], Any]) -> Any:
        """Wait until something is there (true), looking whenever something comes. Raises ServerGone."""
        async with self._news, asyncio.timeout(PATIENCE_S):
            await self._news.wait_for(lambda: self._gone or found())
        if self._wrong is not None:
            raise self._wrong
        thing = found()
        if not thing:
            raise ServerGone
        return thing

    @property
    def heard(self) -> list[dict[str, Any]]:
        """The messages, decoded."""
        self._heard += [msgspec.json.decode(message) for message in self.messages[len(self._heard) :]]
        return self._heard

    async def _read(self, line: aiohttp.ClientWebSocketResponse) -> None:
        try:
            async for raw in line:
                if raw.type is aiohttp.WSMsgType.TEXT:
                    async with self._news:
                        self._take(raw.data.encode())
                        self._news.notify_all()
                    for ready in self._playing:  # as fast as no ear hears
                        await line.send_str(msgspec.json.encode(AtEar("ended", ready.id)).decode())
                    self._playing.clear()
        except AssertionError as wrong:
            self._wrong = wrong
            raise
        finally:
            async with self._news:
                self._gone = True
                self._news.notify_all()

    def _take(self, raw: bytes) -> None:
        numbered = NUMBERED.fullmatch(raw)
        if numbered is not None:
            self._take_numbered(int(numbered[1]), numbered[2])
            return
        came = msgspec.json.decode(raw, type=Outgoing)
        if isinstance(came, Outcome):
            self._latest[came.outcome.id] = came
            assert self.answers.setdefault(came.outcome.id, came) == came, f"{self.name}: another answer than before"
        elif isinstance(came, SoundReady):
            self.sounds.append(came)
            self._playing.append(came)
        elif isinstance(came, Hush | RecordFails | Servers):
            pass  # it has played everything already; a full disk is told in the answers too; who calls it knows where
        elif isinstance(came, Takeover):
            self.taken.add(came.utterance)
        else:
            decoded = msgspec.json.decode(raw)
            assert decoded["kind"] == "greeting", f"{self.name}: {decoded}"
            self.greeting = decoded["greeting"] | {"n": decoded["n"]}
            self._next = self._after + 1
            self._greetings += 1

    def _take_numbered(self, number: int, message: bytes) -> None:
        """The same number always carries the same bytes, and no number is left out.

        One thing may go from a message that is sent again: the arbiter's picture, of which only the newest is kept.
        """
        assert number == self._next, f"{self.name}: message {number} came where {self._next} was due"
        self._next += 1
        if number <= len(self.messages):
            before = self.messages[number - 1]
            assert message in (before, _without_picture(before)), f"{self.name}: message {number} has changed"
        else:
            self.messages.append(message)


def _without_picture(message: bytes) -> bytes:
    """The bytes of an arbiter's message once a newer picture has come."""
    body, mark, rest = message.rpartition(b',"picture":{')
    _, told, words = rest.rpartition(b',"told":')
    return body + b',"picture":null' + told + words if mark else message
