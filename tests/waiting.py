"""How tests wait for what threads, disks, lines and browsers have still to do: for the thing itself, with a bound."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE_S = 60.0
"""A machine of two cores, shared with the other tests; what has not come by then does not come."""
PATIENCE_MS = PATIENCE_S * 1000


async def until(true: Callable[[], bool]) -> None:
    """Return when it is so. Raises TimeoutError after `PATIENCE_S`."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await asyncio.sleep(0.005)
