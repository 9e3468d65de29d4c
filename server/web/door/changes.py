"""A number that grows with every change, for those who wait for the next one (long polls)."""

from __future__ import annotations

import asyncio


class Changes:
    """`version` counts from 1; whoever knows an older one is let go at once."""

    def __init__(self) -> None:
        self.version = 1
        self._changed = asyncio.Event()

    async def after(self, version: int, seconds: float) -> None:
        """Wait until something has changed since `version`, at most so long."""
        if self.version != version:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return

    def tell(self) -> None:
        """Something has changed."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()
