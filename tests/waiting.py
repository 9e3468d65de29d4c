"""How tests wait for what threads, disks, lines and browsers have still to do: for the thing itself, with a bound."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60.0
"""A machine of two cores, shared with the other tests; what has not come by then does not come."""
PATIENCE_MS = PATIENCE_S * 1000


def wait_until(true: Callable[[], bool], told: Callable[[], object] = lambda: "it never came to that") -> None:
    """Return when it is so, where there is no loop. Raises TimeoutError after `PATIENCE_S`, with what `told` gives."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(told())
        time.sleep(0.02)


async def idle() -> None:
    """Return when no task of this loop can go on: each waits for a time, a line or a thread.

    Raises TimeoutError where they keep one another going for `PATIENCE_S`.
    """
    loop, end = asyncio.get_running_loop(), time.monotonic() + PATIENCE_S
    await asyncio.sleep(0)
    while loop._ready:  # type: ignore[attr-defined]  # asyncio tells nobody else whether there is something to do
        if time.monotonic() > end:
            raise TimeoutError("the loop never came to rest")
        await asyncio.sleep(0)


async def until(true: Callable[[], bool], told: Callable[[], object] = lambda: "it never came to that") -> None:
    """Return when it is so. Raises TimeoutError after `PATIENCE_S`, with what `told` gives then."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(told())
        await asyncio.sleep(0.005)
