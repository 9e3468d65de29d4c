"""How tests wait for what threads, disks, lines and browsers have still to do: for the thing itself, with a bound."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60.0
"""A machine of two cores, shared with the other tests; what has not come by then does not come."""
PATIENCE_MS = PATIENCE_S * 1000


async def until(true: Callable[[], bool], told: Callable[[], object] = lambda: "it never came to that") -> None:
    """Return when it is so. Raises TimeoutError after `PATIENCE_S`, with what `told` gives then."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(told())
        await asyncio.sleep(0.005)
