"""The tables' sound devices are opened and closed as the record says, and take the pages' talk keys."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from server.game import acts as cmd
from server.game.values.saying import Saying
from server.game.values.words import Seat, SoundDevices
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.tasks import Faults, lasting, passing
from server.stations.server_device import DeviceStation, Key
from server.table.table import NOT_RECORDED, Observer

AGAIN_S, LONGEST_S, STEADY_S = 2.0, 60.0, 10.0
"""A device that failed is tried again after the first time; after up to the second where it failed within the third."""
_log = logging.getLogger(__name__)


class ServerDevices:
    """Device stations of one hall.

    A device that fails is told to the arbiter, and its seat goes on with its pages. Once the device works again, the
    seat has it back, unless the arbiter has chosen another meanwhile.
    """

    def __init__(self, hall: Hall, make: type[DeviceStation] = DeviceStation, again_s: float = AGAIN_S) -> None:
        """`again_s`: seconds after which a device that failed is tried again."""
        self._hall = hall
        self._make = make
        self._again_s = again_s
        self._lost: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self._back: dict[tuple[str, Seat], tuple[float, float]] = {}  # when devices came back, and after which rest
        self._open: dict[tuple[str, Seat], DeviceStation] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._faults: dict[tuple[str, Seat], Faults] = {}

    def start(self) -> None:
        """Look after every table, also those that are opened later."""
        self._hall.on_table(self._watch)
        self._task = lasting("The sound devices of the tables", self._work, self._hall.note_fault)

    async def close(self) -> None:
        """Close every device."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        lost = tuple(self._lost.values())
        for task in lost:
            task.cancel()
        await asyncio.gather(*lost, return_exceptions=True)
        for station in self._open.values():
            await station.close()
        self._open.clear()

    def key(self, table: LiveTable, seat: Seat, key: Key) -> bool:
        """Pass on a talk key of one of the seat's pages; False where the seat has no microphone here."""
        station = self._open.get((table.id, seat))
        if station is None or station.devices.microphone is None:
            return False
        station.key(key)
        return True

    async def configure(self, configured: Mapping[str, Mapping[Seat, SoundDevices]]) -> None:
        """Choose the devices that the settings name, for tables that are open."""
        await self._hall.wait_for(*configured)
        for table_id, seats in configured.items():
            table = self._hall.tables.get(table_id)
            for seat, devices in seats.items() if table is not None else ():
                if table is not None and table.state.sound.of(seat).devices != devices:
                    await self._choose(table, seat, devices)

    def _watch(self, table: LiveTable) -> None:
        table.observers.append(Observer("The devices at the server", change=self._changed.set))
        self._changed.set()

    async def _work(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            for table in tuple(self._hall.tables.values()):
                for seat in Seat:
                    try:
                        await self._match(table, seat)
                    except Exception as fault:  # a fault of one seat's devices must not stop the others
                        faults = self._faults.get((table.id, seat))
                        if faults is None:
                            part = f"The sound devices of {seat.value}"
                            faults = self._faults[table.id, seat] = Faults(part, table.note_fault)
                        faults.note(fault)

    async def _match(self, table: LiveTable, seat: Seat) -> None:
        """Have the seat use the devices that are on record, and no others."""
        wanted, there = table.state.sound.of(seat).devices, self._open.get((table.id, seat))
        if there is not None and there.devices != wanted:
            del self._open[table.id, seat]
            await there.close()
            there = None
        if there is not None or not wanted.any:
            return

        def fault(said: Saying) -> None:
            if (table.id, seat) not in self._lost:  # of two devices at once the first is told
                work = partial(self._come_back, table, seat, station, said)
                losing = self._lost[table.id, seat] = passing("Devices that were lost", work, table.note_fault)
                losing.add_done_callback(lambda _: self._lost.pop((table.id, seat), None))

        station = self._open[table.id, seat] = self._make(self._hall, table, seat, wanted, fault)
        await station.open()

    async def _come_back(self, table: LiveTable, seat: Seat, station: DeviceStation, said: Saying) -> None:
        """Let the seat go on with its pages, and give it its devices back once they work again.

        Devices that fail again as soon as they are back are tried more and more seldom, so that they fill no record.
        """
        loop, key = asyncio.get_running_loop(), (table.id, seat)
        back_at, rest = self._back.get(key, (-STEADY_S, 0.0))
        rest = min(2 * rest, LONGEST_S) if loop.time() - back_at < STEADY_S else self._again_s
        if not await self._tell(table, seat, station, said, rest):
            return
        while not table.state.over and self._leads(table):
            await asyncio.sleep(rest)
            if table.state.sound.of(seat).devices.any:
                return  # the arbiter has chosen others
            if await station.works():
                self._back[key] = loop.time(), rest
                if await self._choose(table, seat, station.devices):
                    return

    async def _tell(self, table: LiveTable, seat: Seat, station: DeviceStation, said: Saying, rest: float) -> bool:
        """Return whether a fault is on record, once it can be written there: until then the seat has its devices."""
        while self._open.get((table.id, seat)) is station and self._leads(table):
            noted = await table.own(table.program_command(cmd.NoteDeviceFault(seat=seat, said=said)))
            if noted.outcome.code != NOT_RECORDED.code:
                return noted.outcome.ok
            await asyncio.sleep(rest)
        return False

    def _leads(self, table: LiveTable) -> bool:
        return self._hall.tables.get(table.id) is table

    @staticmethod
    async def _choose(table: LiveTable, seat: Seat, devices: SoundDevices) -> bool:
        chosen = cmd.ChooseDevices(
            seat=seat, microphone=devices.microphone, headphones=devices.headphones, headset=devices.headset
        )
        return (await table.own(table.program_command(chosen))).outcome.ok
