"""The engines beside the server are killed, stopped and starved at work: an answer is right, or one sentence."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import chess
import msgspec

from server.game.values.position import Position
from server.table.mate_worker import MateSearch
from speech.complaint import Complaint
from speech.process import Child, ChildFailed
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment
from tests.faults.tally import Tally
from tests.waiting import PATIENCE_S

MATE = Position.from_board(chess.Board("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))
KINDS = ("killed", "stopped", "starved of memory")


class Engine(msgspec.Struct, frozen=True):
    """One engine as the server holds it: its process, a question, and how it is ended."""

    child: Child
    ask: Callable[[], Awaitable[Any]]
    close: Callable[[], Awaitable[None]]


def engines() -> dict[str, Engine]:
    """The search for a mate and the voice: one in Python, one in C."""
    search, voice = MateSearch(), Pyttsx3Voice()

    async def mates() -> Any:
        return await search._child.request({"position": msgspec.to_builtins(MATE), "seat": "white"})

    async def says() -> Any:
        return len((await voice.render((Segment("Bauer Eva vier", "de"),))).pcm) > 10_000

    return {
        "mate": Engine(search._child, mates, search.close),
        "voice": Engine(voice.child, says, voice.close),
    }


def harm(pid: int, kind: str) -> None:
    """Do it to the process, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        if kind == "killed":
            os.kill(pid, signal.SIGKILL)
        elif kind == "stopped":
            os.kill(pid, signal.SIGSTOP)
        else:
            held = int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            resource.prlimit(pid, resource.RLIMIT_AS, (held, held))


def children(count: int, minutes: float, seed: int) -> Tally:
    """One question after the other, each with a harm at a random instant of it."""
    tally = Tally("engine harmed")
    asyncio.run(_harmed(tally, count, minutes, random.Random(seed)))
    return tally


async def _harmed(tally: Tally, count: int, minutes: float, chance: random.Random) -> None:
    made = engines()
    right, pids = {}, set()
    try:
        for name, engine in made.items():
            right[name] = await engine.ask()
        for _ in tally.trials(count, minutes):
            name, kind = chance.choice(list(made)), chance.choice(KINDS)
            engine = made[name]
            await engine.ask()  # it is there, and what was done to the one before it is over
            pid = engine.child.pid
            assert pid is not None
            pids.add(pid)
            asking = asyncio.ensure_future(engine.ask())
            await asyncio.sleep(chance.uniform(0, 0.02))
            harm(pid, kind)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    answer = await asking
                    again = await engine.ask()
                tally.check(answer == right[name] == again, f"{name} {kind}: another answer")
                tally.seen[f"answered, {kind}"] += 1
            except (ChildFailed, Complaint) as told:
                tally.check("\n" not in str(told), f"{name} {kind}: more than a sentence")
                tally.seen[f"one sentence, {kind}"] += 1
            except TimeoutError:
                tally.check(False, f"{name} {kind}: no answer in {PATIENCE_S:g} s")
    finally:
        for engine in made.values():
            await engine.close()
    left = {pid for pid in pids if Path(f"/proc/{pid}").exists()}
    tally.check(not left, f"processes are left: {left}")
