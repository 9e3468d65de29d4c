"""Work beside the games is started here, so that a fault ends one piece of it and the rest goes on.

A task that ends by a fault nobody expected ends silently: a button would be dead in a rated game and nobody told. So
every task of the server is started here (`tests/machine/test_tasks.py` refuses others): `lasting` restarts work that
must never end, after a pause that grows; `passing` is for work that is over by itself. `Faults` is for loops that can
go on with their next item; both use it to report.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable, Coroutine
from typing import Any

Work = Callable[[], Coroutine[Any, Any, object]]
Told = Callable[[str], None]

FIRST_S, LONGEST_S = 0.05, 15.0
"""The pause before failed work restarts: the first, then twice as long each time, up to the second value."""
QUIET_S = 60.0
"""After this long without a fault the next one counts as new: it is told again, and the pause is short again."""
_log = logging.getLogger(__name__)


class Faults:
    """Reporter of the faults of one part of the program.

    `told`: tells the arbiter of a table, or of all, in one sentence.
    """

    def __init__(self, part: str, told: Told | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._part = part
        self._told = told
        self._now = now
        self._last: float | None = None

    def note(self, fault: BaseException, *, secret: bool = False) -> None:
        """Note one more fault: the first is logged and told; those that follow soon count as the same.

        `secret`: the work concerned something that no log may hold, and a fault may quote it.
        """
        before, self._last = self._last, self._now()
        if before is not None and self._last - before < QUIET_S:
            return
        _log.error("%s failed (%s)", self._part, type(fault).__name__, exc_info=None if secret else fault)
        if self._told is None:
            return
        try:
            self._told(f"{self._part}: a fault of the program ({type(fault).__name__}); it goes on, see the log")
        except Exception:
            _log.exception("Nobody could be told of it")


def lasting(part: str, work: Work, told: Told | None = None) -> asyncio.Task[None]:
    """Have work done until the task is cancelled or the work is over; after a fault it begins again."""
    return asyncio.create_task(_again_and_again(work, Faults(part, told)), name=part)


def passing(part: str, work: Work, told: Told | None = None) -> asyncio.Task[None]:
    """Have one piece of work done; a fault is told, and ends only this work."""
    return asyncio.create_task(_once(work, Faults(part, told)), name=part)


async def _again_and_again(work: Work, faults: Faults) -> None:
    pause = FIRST_S
    while True:
        begun = time.monotonic()
        try:
            await work()
        except Exception as fault:
            faults.note(fault)
        else:
            return
        if time.monotonic() - begun >= QUIET_S:
            pause = FIRST_S
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_S)


async def _once(work: Work, faults: Faults) -> None:
    try:
        await work()
    except Exception as fault:
        faults.note(fault)


def set_when_asked_to_end(stop: asyncio.Event) -> None:
    """Set the event at SIGTERM and SIGINT (Ctrl-C); the event loop of Windows has no handlers of its own."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(name, stop.set)
        except NotImplementedError:
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
