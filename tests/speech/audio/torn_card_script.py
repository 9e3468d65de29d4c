"""Run by test_device_station_sound.py in a process of its own, because PortAudio looks for sound cards once a process.

A seat hears on virtual headphones whose card goes away in the middle of a phrase and comes back. Prints one JSON
object.
"""

from __future__ import annotations

import asyncio
import json
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
from server.stations.server_devices import ServerDevices
from speech.audio.devices import PlayingIds, capture
from speech.audio.sound import Sound
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.table.open_hall import WrittenVoice, reopened
from tests.waiting import until

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SINK = ("module-null-sink", "sink_name=ear", "rate=16000", "channels=1", "norewinds=1")
TONE = Sound((np.sin(np.arange(16_000 * 3) * 0.2) * 6_000).astype("<i2").tobytes(), 16_000)


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


async def sounds() -> None:
    """Return once the tone comes out of the headphones."""
    async with capture("ear_heard", PlayingIds()) as heard, asyncio.timeout(30):
        async for _, pcm in heard:
            if np.abs(np.frombuffer(pcm, "<i2")).max() > 1_000:
                return


async def main(folder: Path) -> None:
    told: dict[str, object] = {}
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

        def has(devices: bool) -> Callable[[], bool]:
            return lambda: table.state.sound.of(Seat.WHITE).devices.any is devices

        try:
            await table.own(table.program_command(cmd.ChooseDevices(seat=Seat.WHITE, headphones="white_ear")))
            await until(lambda: bool(desk._open))
            hearing = asyncio.create_task(sounds())
            await ask(table)
            await hearing
            module = next(
                line.split()[0]
                for line in (await pactl("list", "short", "modules")).splitlines()
                if "sink_name=ear" in line
            )
            await pactl("unload-module", module)
            await until(has(devices=False))
            told["alerts"] = [str(one.said) for one in alerts]
            await asyncio.sleep(1.0)  # it is tried again, in vain
            told["told_again"] = len(alerts) - 1
            await pactl("load-module", *SINK)
            await until(has(devices=True))
            await until(lambda: bool(desk._open))
            hearing = asyncio.create_task(sounds())
            while not hearing.done():
                await ask(table)
                await asyncio.sleep(0.3)
            await hearing
            told["sounds"] = True
        finally:
            await desk.close()
    print(json.dumps(told))


asyncio.run(main(Path(sys.argv[1])))
