"""The database of a shared hall goes away under a game, for a second or a minute, and servers may die meanwhile.

No server that lives may end for it, whatever the outage was: PostgreSQL stopped in good order, stopped as a crash does,
or every way to it cut. What a server led that was killed meanwhile the others take up, and nobody else's table moves.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from contextlib import AsyncExitStack
from typing import Literal

from server.game import acts as cmd
from server.game.acts import event_in
from server.game.game import Game
from server.journal.failure import JournalFailed
from tests.faults.servers import PATIENCE_S, Shared, kept, memory_folder, shared, stood_right
from tests.faults.tally import Tally
from tests.postgresql import running

LONGEST_S = int(os.environ.get("ANNA_EINS_OUTAGE_S", "60"))
LENGTHS_S = tuple(length for length in (1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 30, 45, 60) if length <= LONGEST_S)
Stop = Literal["fast", "immediate", "every way cut"]
STOPS: tuple[Stop, ...] = ("fast", "immediate", "every way cut")
KILLED = ("nobody", "nobody", "who leads", "another")
HELD_AFTER_S = 5.0
"""After so long without the database every table is held for certain, also on a busy machine."""


async def outages(tally: Tally, count: int, minutes: float, seed: int, stops: tuple[Stop, ...] = STOPS) -> None:
    """Play one game through outages of every length, with two and with three servers."""
    chance = random.Random(seed)
    with running(memory_folder()) as cluster:
        async with AsyncExitStack() as stack:
            hall, _, _ = await stack.enter_async_context(shared(cluster, every_way_cut=True))
            if count > 1:
                await hall.start(cut=True)
            for number in tally.trials(count, minutes):
                length = 6 if count == 1 else chance.choice(LENGTHS_S)
                killed = "nobody" if count == 1 else chance.choice(KILLED)
                await _go_through(tally, hall, length, chance.choice(stops), killed, chance)
                if number + 1 < count and len(hall.servers) < chance.choice((2, 3)):
                    await hall.start(cut=True)


async def _go_through(
    tally: Tally, hall: Shared, length: float, stop: Stop, killed: str, chance: random.Random
) -> None:
    what = f"{length} s, {stop}, {len(hall.servers)} servers, {killed} killed"
    leads = await hall.led_by()
    tally.check(await hall.note(), f"{what}: a note was refused before the fault")
    await asyncio.sleep(chance.random())
    there = (await asyncio.to_thread(hall.record))[0]
    began, failed = time.monotonic(), time.time_ns() // 1_000_000
    if stop == "every way cut":
        hall.line.pull()
    else:
        await asyncio.to_thread(hall.cluster.stop, stop)
    try:
        dead = await _killed(hall, leads, killed, chance, length)
        if length > HELD_AFTER_S and dead != leads:
            await asyncio.sleep(HELD_AFTER_S)
            tally.check(not await hall.act(cmd.NoteIncident(kind="other", text="lost")), f"{what}: a table is not held")
        await asyncio.sleep(max(0.0, began + length - time.monotonic()))
    finally:
        hall.line.put_back()
        if stop != "every way cut":
            await asyncio.to_thread(hall.cluster.start)
    back = time.monotonic()
    await _led_by_the_living(hall)
    tally.check(await hall.note(), f"{what}: the game does not go on")
    took = time.monotonic() - back
    tally.measure("goes on", took)
    tally.seen[f"goes on within {5 if took <= 5 else 10 if took <= 10 else 60} s"] += 1
    await asyncio.sleep(4.5)  # longer than a lease: who would be declared dead now is
    ended = {number: one.returncode for number, (one, _) in hall.servers.items() if one.returncode is not None}
    tally.check(not ended, f"{what}: servers that lived have ended: {ended}")
    for number in ended:
        await hall.end(number)
    now = await hall.led_by()
    tally.check(now == leads or dead == leads or bool(ended), f"{what}: the table went to another server")
    entries = await asyncio.to_thread(kept, tally, hall)
    events = [event_in(one.body) for one in entries]
    if any(one.kind == "interrupted" for one in entries[len(there) :]):
        stood_right(tally, entries, failed)
    elif length > HELD_AFTER_S:
        tally.check(False, f"{what}: the clocks were not stopped at the last witness")
    if Game.replay(events).time.clock.running is None:
        tally.check(await hall.sure(cmd.Resume()), f"{what}: the game cannot be resumed")


async def _killed(hall: Shared, leads: int, killed: str, chance: random.Random, length: float) -> int | None:
    """Kill a server during the outage, and return its number."""
    if killed == "nobody" or len(hall.servers) < 2:
        return None
    others = [number for number in hall.servers if number != leads]
    dead = leads if killed == "who leads" else chance.choice(others)
    await asyncio.sleep(chance.random() * min(length, 4) / 2)
    await hall.end(dead)
    return dead


async def _led_by_the_living(hall: Shared) -> None:
    """The arbiter's page is at the server that leads the table, once the database answers."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                leads = await hall.led_by()
                if leads in hall.servers and hall.servers[leads][0].returncode is None:
                    if hall.arbiter.base != hall.servers[leads][1] or hall.arbiter._gone:
                        await hall.come(leads)
                    return
            except (OSError, RuntimeError, JournalFailed):
                pass
            await asyncio.sleep(0.1)
