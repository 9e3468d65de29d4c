"""A station as a program: it joins with a code, waits for the arbiter, speaks and acts.

It speaks over /audio and acts over /ws.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, TypeVar

import aiohttp
import msgspec

from server.game.acts import StationAct
from server.game.views.messages import AnyMessage, Greeting
from server.machine.identity import new_command_id
from server.protocol import AtEar, Do, Greeted, Hello, Numbered, Outcome, Outgoing, SoundReady, Takeover, Typed, Wrong
from speech.audio.frames import encode_frames
from speech.audio.sound import Sound
from speech.audio.wav import read_wav

M = TypeVar("M")
PATIENCE_S = 60.0


class StationClient:
    """One device at the table; everything it knows was sent to it."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._outcomes: dict[str, asyncio.Future[Outcome]] = {}
        self._taken: dict[int, asyncio.Future[None]] = {}
        self._news = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []
        self.messages: list[AnyMessage] = []
        self.sounds: list[SoundReady] = []
        self.complaints: list[str] = []
        self.greeting: Greeting | None = None

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Ask the server something over HTTP. Raises RuntimeError with its sentence where it refuses."""
        headers = {"Origin": self._base}
        async with self._session.post(self._base + path, json=body, headers=headers) as answer:
            found = await answer.json()
            if answer.status >= 400:
                raise RuntimeError(found.get("text", str(answer.status)))
            return dict(found)

    async def get(self, path: str) -> dict[str, Any]:
        """Read JSON over HTTP."""
        async with self._session.get(self._base + path) as answer:
            return dict(await answer.json())

    async def connect(self) -> None:
        """Open both lines and say hello. The device must have been admitted."""
        line = await self._session.ws_connect(self._base + "/ws", headers={"Origin": self._base})
        audio = await self._session.ws_connect(self._base + "/audio", headers={"Origin": self._base})
        self._line, self._audio = line, audio
        self._tasks = [asyncio.create_task(self._read(line)), asyncio.create_task(self._read(audio))]
        await line.send_str(msgspec.json.encode(Hello()).decode())
        await self.until(lambda: self.greeting)

    async def do(self, body: StationAct, about_ply: int | None = None) -> Outcome:
        """Give a command and wait for its answer."""
        return await self._ask(new_command_id(), lambda id: Do(id, body, about_ply))

    async def type(self, text: str, act: str = "auto") -> Outcome:
        """Type words into the station's field."""
        return await self._ask(new_command_id(), lambda id: Typed(id, text, act))

    async def say(self, sound: Sound) -> None:
        """Speak into the microphone (mono s16le 16 kHz) and wait until the server has listened to the end."""
        utterance = secrets.randbits(63)
        taken = self._taken[utterance] = asyncio.get_running_loop().create_future()
        for frame in encode_frames(sound.pcm, utterance):
            await self._audio.send_bytes(frame)
        await self._audio.send_str(f'{{"end": {utterance}}}')
        await asyncio.wait_for(taken, PATIENCE_S)

    async def fetch(self, ready: SoundReady) -> Sound:
        """Return the speech that was offered to this station's ear."""
        async with self._session.get(f"{self._base}/sound/{ready.id}") as answer:
            return read_wav(await answer.read())

    async def until(self, found: Callable[[], M | None]) -> M:
        """Wait until something is there, looking whenever a message comes."""
        async with self._news:
            async with asyncio.timeout(PATIENCE_S):
                await self._news.wait_for(lambda: found() is not None)
            thing = found()
            assert thing is not None
            return thing

    async def close(self) -> None:
        """Leave the table."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._session.close()

    async def _ask(self, id: str, message: Callable[[str], Do | Typed]) -> Outcome:
        answer = self._outcomes[id] = asyncio.get_running_loop().create_future()
        await self._line.send_str(msgspec.json.encode(message(id)).decode())
        return await asyncio.wait_for(answer, PATIENCE_S)

    async def _read(self, line: aiohttp.ClientWebSocketResponse) -> None:
        async for raw in line:
            if raw.type is not aiohttp.WSMsgType.TEXT:
                continue
            came = msgspec.json.decode(raw.data, type=Outgoing)
            async with self._news:
                self._take(came)
                self._news.notify_all()
            if isinstance(came, SoundReady):  # how long listening takes is the player's pace, not the line's
                await line.send_str(msgspec.json.encode(AtEar("ended", came.id)).decode())

    def _take(self, came: Outgoing) -> None:
        match came:
            case Greeted():
                self.greeting = came.greeting
            case Numbered():
                self.messages.append(came.message)
            case SoundReady():
                self.sounds.append(came)
            case Outcome():
                answer = self._outcomes.pop(came.outcome.id, None)
                if answer is not None and not answer.done():
                    answer.set_result(came)
            case Takeover():
                taken = self._taken.pop(came.utterance, None)
                if taken is not None and not taken.done():
                    taken.set_result(None)
            case Wrong():
                self.complaints.append(came.text)
