"""Players' devices send sound without end; another table's words must be heard in time, and the memory comes back.

Each flood is real: a server with its engines, devices in another process, and a player at another table who says a move
each few seconds and waits for its verdict.
`python -m tests.faults.run --only sound-lines,sound-burst,sound-key,sound-odd --count 1`; a key held for an hour:
`python -m tests.faults.run --only sound-key --count 1 --flood 60`
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import secrets
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import chess
import numpy as np

from server.wording.words import announcement_of, canonical, scheme_of, segments_of
from speech.announcements.announce import said_of
from speech.audio.frames import FRAME_BYTES, HEADER, encode_frames
from speech.audio.wav import resample_sound
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment
from tests.bench.under_load import CONTROL, SERVER, Line, at, seated
from tests.faults.tally import Tally, memory

GOAL_S = 1.5
"""Another table's verdict, at p95; or twice what it takes without the flood, where the machine has other work."""
BACK_MB = 60
"""So much more than before the flood a server may hold after it."""
TOLD_S = 30.0
FLOODED = 3
WORDS = 10
EVERY_S = 1.5
LINES = 8
FLOOD_S = 40.0
PART_S = 600.0
"""A long flood is told in parts of this length."""
SELDOM_S = 5.0
"""How long the quiet player pauses beside a long flood: enough words in a part for its p95."""
PATIENCE_S = 120.0
REPO = Path(__file__).parents[2]
OPENED = "hall = await Hall.open(data, SystemClock(), record=record)"
WITH_EARS = f"""from speech.hearing.hearing import Hearing
        ears = Hearing()
        await ears.start()
        {OPENED.replace("record=", "ears=ears, record=")}"""


class House:
    """A server with its engines, and tables of which the last is quiet."""

    def __init__(self, process: asyncio.subprocess.Process, base: str, links: list[str]) -> None:
        self.process = process
        self.base = base
        self.links = links

    @property
    def memory_mb(self) -> float:
        """What the server itself holds, without its engines."""
        return memory(self.process.pid)


@asynccontextmanager
async def served(folder: str) -> AsyncIterator[House]:
    """A server with the flooded tables and the quiet one."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER.replace(OPENED, WITH_EARS), f"{folder}/data", "-", *([CONTROL] * (FLOODED + 1))),
        stdout=asyncio.subprocess.PIPE,
        stderr=(await asyncio.to_thread(open, f"{folder}/log", "wb")),
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO)},
    )
    try:
        assert process.stdout is not None
        house = json.loads(await process.stdout.readline())
        yield House(process, house["base"], house["links"])
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class Speaker:
    """A player with a microphone: says an utterance as it is spoken, and waits for its verdict."""

    def __init__(self, line: Line, base: str, said: Sequence[bytes]) -> None:
        """`said`: in turn a move that the first ear is sure of, and words for which the second is asked as well."""
        self._line = line
        self._base = base
        self._said = said

    async def verdicts(self, count: int, until: float = math.inf, pause: float = EVERY_S) -> list[float]:
        """Say it so often or until then; how long each verdict took after the last sample, in seconds."""
        headers = {"Origin": self._base}
        took = []
        async with self._line.session.ws_connect(f"{self._base}/audio?page=sighted", headers=headers) as voice:
            for turn in range(count):
                if time.monotonic() >= until:
                    break
                utterance, began = secrets.randbits(62), time.monotonic()
                for number, frame in enumerate(encode_frames(self._said[turn % len(self._said)], utterance)):
                    await asyncio.sleep(max(0.0, began + number * 0.02 - time.monotonic()))
                    await voice.send_bytes(frame)
                said = time.monotonic()
                await voice.send_str(f'{{"end": {utterance}}}')
                async with asyncio.timeout(PATIENCE_S):
                    while json.loads((await voice.receive()).data).get("utterance") != utterance:
                        pass
                took.append(time.monotonic() - said)
                await asyncio.sleep(pause)
        return took


# what floods, in a process of its own


class Flood:
    """The devices of the flooded seats. Each has a cookie, and as many lines as it likes."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.base = str(given["base"])
        self.cookies = [str(one) for one in given["cookies"]]
        self.until = time.monotonic() + float(given["seconds"])
        self.pcm = bytes.fromhex(given["pcm"])
        self.chance = random.Random(given["seed"])

    def loud_at_last(self) -> bytes:
        """Half a minute of speech, much louder from some moment on: what was heard before must be heard again."""
        samples = np.frombuffer((self.pcm * 40)[: 30 * 32_000 - 640], "<i2").astype(np.float32)
        samples[: self.chance.randrange(len(samples))] *= 0.15
        return samples.astype("<i2").tobytes()

    async def on_lines(self, count: int, say: Callable[[aiohttp.ClientWebSocketResponse], Awaitable[None]]) -> None:
        """On so many lines of each device, each opened again when it is closed, until the time is up."""
        async with aiohttp.ClientSession() as session:

            async def on_and_on(cookie: str) -> None:
                while time.monotonic() < self.until:
                    with suppress(OSError, aiohttp.ClientError, TimeoutError):
                        async with asyncio.timeout_at(
                            asyncio.get_running_loop().time() + self.until - time.monotonic()
                        ):
                            headers = {"Origin": self.base, "Cookie": cookie}
                            async with session.ws_connect(f"{self.base}/audio?page=sighted", headers=headers) as line:
                                reading = asyncio.create_task(_read(line))
                                try:
                                    await say(line)
                                finally:
                                    reading.cancel()
                    await asyncio.sleep(0.05)

            await asyncio.gather(*(on_and_on(cookie) for cookie in self.cookies for _ in range(count)))

    async def lines(self) -> None:
        """Speech at twenty times its pace on many lines, each of which brings half a minute, and is opened again."""
        await self._bring(LINES)

    async def burst(self) -> None:
        """The same on one line of each device: its utterances are whole, and must all be heard."""
        await self._bring(1)

    async def _bring(self, lines: int) -> None:
        async def say(line: aiohttp.ClientWebSocketResponse) -> None:
            for _ in range(3):
                utterance = secrets.randbits(62)
                for number, frame in enumerate(encode_frames(self.loud_at_last(), utterance)):
                    if number % 20 == 0:
                        await asyncio.sleep(0.02)
                    await line.send_bytes(frame)
                await line.send_str(f'{{"end": {utterance}}}')

        await self.on_lines(lines, say)

    async def key(self) -> None:
        """A key that is never let go: utterance after utterance of half a minute, at the pace of speech."""

        async def say(line: aiohttp.ClientWebSocketResponse) -> None:
            began, sent = time.monotonic(), 0
            while True:
                utterance = secrets.randbits(62)
                for frame in encode_frames((self.pcm * 40)[: 30 * 32_000 - 640], utterance):
                    await asyncio.sleep(max(0.0, began + sent * 0.02 - time.monotonic()))
                    await line.send_bytes(frame)
                    sent += 1

        await self.on_lines(1, say)

    async def odd(self) -> None:
        """Frames of a sample or two, at odd times, with gaps, doubled, and of many utterances at once."""

        async def say(line: aiohttp.ClientWebSocketResponse) -> None:
            utterances = [secrets.randbits(62) for _ in range(4)]
            while True:
                first = self.chance.choice((0, 1, 479_999, 480_000, 2**63, self.chance.randrange(480_000)))
                pcm = bytes(self.chance.choice((2, 4, FRAME_BYTES)))
                await line.send_bytes(HEADER.pack(self.chance.choice(utterances), first) + pcm)
                if self.chance.random() < 0.02:
                    await line.send_str(f'{{"end": {self.chance.choice(utterances)}}}')
                    utterances[self.chance.randrange(4)] = secrets.randbits(62)

        await self.on_lines(LINES, say)


async def _read(line: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in line:
        pass


async def spoken() -> tuple[bytes, bytes]:
    """A first move as an eSpeak voice says it, and words that are none of ours; at 16 kHz."""
    voice, scheme = Pyttsx3Voice(), scheme_of("d21", "en")
    said, _ = canonical(announcement_of(said_of(chess.Board(), chess.Move.from_uci("e2e4"))), scheme)
    try:
        move, other = segments_of(said, scheme), [Segment("rook d 4", "en")]
        return resample_sound(await voice.render(move)).pcm, resample_sound(await voice.render(other)).pcm
    finally:
        await voice.close()


# the tries


def sound(kind: str, seconds: float = FLOOD_S) -> Callable[[int, float, int], Tally]:
    """Try one kind of flood, so long."""

    def tried(count: int, minutes: float, seed: int) -> Tally:
        tally = Tally(f"sound that floods ({kind})")
        for number in tally.trials(count, minutes):
            asyncio.run(one(tally, kind, seed + number, seconds))
        return tally

    return tried


async def one(tally: Tally, kind: str, seed: int, seconds: float) -> None:
    """Words of a quiet table without a flood, beside it, and after it."""
    with tempfile.TemporaryDirectory() as folder:
        async with served(folder) as house, AsyncExitStack() as stack:
            said = await spoken()
            places = ("arbiter", "sighted", "sighted")
            lines = [
                await seated(stack, house.base, secret, places[number % 3]) for number, secret in enumerate(house.links)
            ]
            holding = [asyncio.create_task(line.hold()) for line in lines]
            try:
                quiet = Speaker(lines[3 * FLOODED + 1], house.base, said)
                await quiet.verdicts(2)
                alone = await quiet.verdicts(WORDS)
                before = house.memory_mb
                flooding = await flood(house, lines, kind, said[1], seed, seconds)
                await asyncio.sleep(5)
                if seconds > FLOOD_S:
                    beside = await in_parts(tally, house, quiet, seconds)
                else:
                    beside = await quiet.verdicts(WORDS)
                most = house.memory_mb
                await flooding.wait()
                after = await quiet.verdicts(WORDS)
                await asyncio.sleep(5)
                left = house.memory_mb
            finally:
                for task in holding:
                    task.cancel()
                await asyncio.gather(*holding, return_exceptions=True)
        told = [any("sound" in alert for alert in lines[3 * number].alerts) for number in range(FLOODED)]
        limit = max(GOAL_S, 2 * at(alone, 0.95))
        tally.check(at(beside, 0.95) <= limit, f"beside it another table waits {at(beside, 0.95):.1f} s")
        tally.check(at(after, 0.95) <= limit, f"after it another table waits {at(after, 0.95):.1f} s")
        tally.check(left - before <= BACK_MB, f"{left - before:.0f} MB more are held after it")
        tally.check(kind == "key" or all(told), "an arbiter was not told")
        tally.check(kind != "key" or not any(told), "a device that speaks as anybody does was accused")
        tally.seen[
            f"p50 {at(alone, 0.5):.1f}/{at(beside, 0.5):.1f}/{at(after, 0.5):.1f} s, "
            f"p95 {at(alone, 0.95):.1f}/{at(beside, 0.95):.1f}/{at(after, 0.95):.1f} s alone/beside/after, "
            f"{before:.0f}/{most:.0f}/{left:.0f} MB"
        ] += 1


async def in_parts(tally: Tally, house: House, quiet: Speaker, seconds: float) -> list[float]:
    """Words of the quiet table beside a long flood; each part is told as soon as it is over."""
    over, all_of_them, number = time.monotonic() + seconds - 10, [], 0
    while time.monotonic() < over:
        number += 1
        part = await quiet.verdicts(sys.maxsize, min(over, time.monotonic() + PART_S), SELDOM_S)
        all_of_them += part
        told = f"part {number}: {len(part)} words, p50 {at(part, 0.5):.2f}, p95 {at(part, 0.95):.2f}, "
        told += f"most {max(part):.2f} s, {house.memory_mb:.0f} MB, load {os.getloadavg()[0]:.1f}"
        print(told, file=sys.stderr, flush=True)
        tally.seen[told] += 1
    return all_of_them


async def flood(
    house: House, lines: list[Line], kind: str, pcm: bytes, seed: int, seconds: float
) -> asyncio.subprocess.Process:
    """Begin the flood, of White of each flooded table."""
    cookies = []
    for number in range(FLOODED):
        jar = lines[3 * number + 1].session.cookie_jar
        cookies.append("; ".join(f"{one.key}={one.value}" for one in jar))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.floods"), stdin=asyncio.subprocess.PIPE, cwd=REPO
    )
    given = {"base": house.base, "cookies": cookies, "seconds": seconds, "pcm": pcm.hex(), "seed": seed, "kind": kind}
    assert process.stdin is not None
    process.stdin.write(json.dumps(given).encode())
    process.stdin.close()
    return process


def kinds(seconds: float = FLOOD_S) -> dict[str, Callable[[int, float, int], Tally]]:
    """How each kind of flood is tried, each so long."""
    return {f"sound-{kind}": sound(kind, seconds) for kind in ("lines", "burst", "key", "odd")}


def main() -> None:
    """Flood, as standard input says."""
    given = json.loads(sys.stdin.read())
    flood = Flood(given)
    asyncio.run(getattr(flood, given["kind"])())


if __name__ == "__main__":
    main()
