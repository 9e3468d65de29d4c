"""Two buttons plugged into the server press the clock, by the key events of a Linux input device.

The device is read as the kernel gives it (`struct input_event`): the buttons work whatever window has the focus, and
with no page open at all. Which key belongs to which player was learnt before (`game/decide/set_up/stations.py`). Not
pure.
"""

from __future__ import annotations

import asyncio
import logging
import os
import struct
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from server.game import acts as cmd
from server.hall.hall import Hall
from server.machine.tasks import Faults, lasting
from server.table.table import Table

AGAIN_S, STEADY_S = 2.0, 10.0
_EVENT = struct.Struct("llHHi")  # seconds, microseconds, type, code, value
_EV_KEY, _DOWN = 1, 1
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # there is none on Windows, where no such device is opened
_log = logging.getLogger(__name__)


class PressButtons:
    """Reader of the input devices of a hall's tables.

    A device that goes away is opened again when it is back.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._tasks: list[asyncio.Task[None]] = []
        self._first: dict[str, str] = {}

    def start(self, devices: Mapping[str, str]) -> None:
        """Read the devices from now on.

        `devices`: table -> path of its input device. On other systems than Linux the arbiter of each table is told
        that it cannot be read, and what does as well.
        """
        for table, path in devices.items():
            if sys.platform == "linux":
                self._tasks.append(self._task(table, Path(path)))
            elif table in self._hall.tables:
                self._hall.tables[table].note_fault(
                    "The buttons at the server can be read on Linux only: plug them into the computer of a page, which "
                    "learns their keys."
                )

    async def close(self) -> None:
        """Let go of every device."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def _task(self, table_id: str, path: Path) -> asyncio.Task[None]:
        def show_text(text: str) -> None:
            if (table := self._hall.tables.get(table_id)) is not None:
                table.note_fault(text)

        faults = Faults("The buttons at the server", show_text)
        return lasting("The buttons at the server", lambda: self._follow(table_id, path, faults, show_text), show_text)

    async def _follow(self, table_id: str, path: Path, faults: Faults, told: Callable[[str], None]) -> None:
        logged = alerted = False
        while True:
            begun = asyncio.get_running_loop().time()
            try:
                await self._read(table_id, os.open(path, os.O_RDONLY | _NONBLOCK), faults)
                wrong = "it ended"
            except OSError as fault:
                wrong = fault.strerror or type(fault).__name__
            if asyncio.get_running_loop().time() - begun > STEADY_S:  # the device had worked, so this is a new loss
                logged = alerted = False
            if not logged:
                _log.warning("The buttons of table %s (%s) cannot be read: %s", table_id, path, wrong)
                logged = True
            if not alerted and self._are_needed(table_id):  # a button that does nothing must be reported at once
                told(f"The buttons at the server cannot be read ({wrong}) and press no clock; plug them in again.")
                alerted = True
            await asyncio.sleep(AGAIN_S)

    def _are_needed(self, table_id: str) -> bool:
        table = self._hall.tables.get(table_id)
        return table is not None and table.state.stations.press_keys.where == "server"

    async def _read(self, table_id: str, device: int, faults: Faults) -> None:
        loop, ready, rest = asyncio.get_running_loop(), asyncio.Event(), b""
        try:
            loop.add_reader(device, ready.set)
            while True:
                await ready.wait()
                ready.clear()
                try:
                    rest += (data := os.read(device, 64 * _EVENT.size))
                except BlockingIOError:
                    continue
                if not data:
                    return
                whole = len(rest) - len(rest) % _EVENT.size
                for *_, kind, code, value in _EVENT.iter_unpack(rest[:whole]):
                    if (kind, value) == (_EV_KEY, _DOWN):  # a held key repeats with another value, and is one press
                        try:
                            await self._take_key(table_id, f"ev{code}")
                        except Exception as fault:  # the next press must still count
                            faults.note(fault)
                rest = rest[whole:]
        finally:
            loop.remove_reader(device)
            os.close(device)

    async def _take_key(self, table_id: str, key: str) -> None:
        table = self._hall.tables.get(table_id)
        if table is None:
            return
        keys = table.state.stations.press_keys
        if not keys.learning:
            self._first.pop(table_id, None)
            await _note_at_table(table, cmd.PressKey(key=key))
        elif table.clock_runs:  # in the game no key is learnt; the arbiter was alerted when the clock started
            self._first.pop(table_id, None)
        elif (first := self._first.setdefault(table_id, key)) != key:
            del self._first[table_id]
            await _note_at_table(table, cmd.TellPressKeys(white=first, black=key))


async def _note_at_table(table: Table, body: cmd.PressKey | cmd.TellPressKeys) -> None:
    outcome = await table.own(table.program_command(body))
    if outcome.outcome.code in ("not_recorded", "fault"):  # the player has pressed, and nothing came of it
        table.note_fault("A press of a button at the server could not be recorded: see whose clock runs.")
    elif not outcome.outcome.ok:
        _log.info("A button of table %s pressed nothing: %s", table.id, outcome.outcome.code)
