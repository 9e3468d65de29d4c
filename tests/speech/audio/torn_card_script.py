"""Run by a test and by `make faults` in a process of its own, because PortAudio looks for sound cards once a process.

A seat hears on virtual headphones whose card goes away at a random instant of a phrase and comes back, as often as the
second argument says. Prints one JSON object each time.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station, station_of_devices
from server.game.views.messages import Recorded
from server.hall.live_table import LiveTable
from server.machine.clock import SystemClock
from server.protocol import Numbered, Outgoing
from server.stations.server_devices import STEADY_S, ServerDevices
from speech.audio.devices import PlayingIds, capture
from speech.audio.sound import Sound
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.table.open_hall import WrittenVoice, reopened
from tests.waiting import PATIENCE_S, until

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SINK = ("module-null-sink", "sink_name=ear", "rate=16000", "channels=1", "norewinds=1")
LONGEST_PHRASE_S = 3
TONE = Sound((np.sin(np.arange(16_000 * LONGEST_PHRASE_S) * 0.2) * 6_000).astype("<i2").tobytes(), 16_000)


class Toned(WrittenVoice):
    """A voice that says everything as a tone of three seconds."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        return TONE


async def ask(table: LiveTable) -> None:
    """Have the player told something."""
    device = station_of_devices(Seat.WHITE).id
    body = cmd.Ask(what="moves")
    await table.submit(cmd.Command(id=f"{table.seq:032x}", table=table.id, station=device, body=body))


async def pactl(*words: str) -> str:
    done = await asyncio.to_thread(subprocess.run, ["pactl", *words], capture_output=True, check=True)
    return done.stdout.decode().strip()


async def sounds(table: LiveTable) -> None:
    """Have the player told something, and return once the tone comes out of the headphones."""
    async with capture("ear_heard", PlayingIds()) as heard, asyncio.timeout(PATIENCE_S):
        await ask(table)  # now somebody listens
        async for _, pcm in heard:
            if np.abs(np.frombuffer(pcm, "<i2")).max() > 1_000:
                return


async def torn_out(table: LiveTable, desk: ServerDevices, alerts: list[ev.Alerted], after_s: float) -> None:
    """The card goes away in a phrase, and comes back."""

    def has(devices: bool) -> Callable[[], bool]:
        return lambda: table.state.sound.of(Seat.WHITE).devices.any is devices

    told: dict[str, object] = {}
    alerts.clear()
    await sounds(table)
    await asyncio.sleep(after_s)
    modules = (await pactl("list", "short", "modules")).splitlines()
    await pactl("unload-module", next(line.split()[0] for line in modules if "sink_name=ear" in line))
    await until(lambda: bool(alerts) and has(devices=False)())
    told["alerts"] = [str(one.said) for one in alerts]
    await asyncio.sleep(1.0)  # it is tried again, in vain
    told["told_again"] = len(alerts) - 1
    await pactl("load-module", *SINK)
    await until(has(devices=True))
    await until(lambda: bool(desk._open))
    hearing = asyncio.create_task(sounds(table))
    while not hearing.done():
        await asyncio.sleep(0.3)
        await ask(table)
    await hearing
    told["sounds"] = True
    print(json.dumps(told), flush=True)


async def main(folder: Path, tries: int, chance: random.Random) -> None:
    async with reopened(folder / "data", voice=Toned(), ear_clock=SystemClock()) as (hall, _):
        plan = SeatPlan(SeatKind.TACTILE, "Anna", "de")
        body = cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("600"), start_fen=FEN, rated=False)
        table = await hall.open_table(body, "t1")
        for station in (Station("arbiter", Role.ARBITER), Station("page", Role.PLAYER, Seat.WHITE)):
            await table.admit(station)
        alerts: list[ev.Alerted] = []

        def note(one: Outgoing) -> None:
            if isinstance(one, Numbered) and isinstance(one.message, Recorded):
                event = one.message.event
                if isinstance(event, ev.Alerted) and event.kind == "sound_device":
                    alerts.append(event)

        table.attach("arbiter", 0, note)
        desk = ServerDevices(hall, again_s=0.2)
        desk.start()
        try:
            await table.own(table.program_command(cmd.ChooseDevices(seat=Seat.WHITE, headphones="white_ear")))
            for number in range(tries):
                await until(lambda: bool(desk._open))
                if number:
                    await asyncio.sleep(STEADY_S + LONGEST_PHRASE_S)  # else it is tried again later each time
                await torn_out(table, desk, alerts, chance.uniform(0, 1.5) if tries > 1 else 0)
        finally:
            await desk.close()


asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))))
