"""Messages for one listener wait here to be put into sound, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from server.game.values.words import Station
from server.game.views.messages import AnyMessage
from server.machine.tasks import Told, lasting
from server.protocol import ReadOut, SealedWords
from server.voice.channel import PrivateChannel

LONGEST_QUEUE = 64

Said = tuple[Station, int, AnyMessage | SealedWords | ReadOut]
"""The station a message went to, its number, and the message."""


class Tongue:
    """This is a listener's channel and what waits to be rendered for it."""

    def __init__(self, channel: PrivateChannel, told: Told) -> None:
        """Set up the queue; `told` is told of a fault."""
        self.channel = channel
        self.messages: asyncio.Queue[Said] = asyncio.Queue(LONGEST_QUEUE)
        self._told = told
        self._task: asyncio.Task[None] | None = None

    def start(self, render: Callable[[PrivateChannel, Said], Awaitable[None]]) -> None:
        """Put into sound whatever comes."""
        self._task = lasting("What is put into sound", lambda: self._render_all(render), self._told)

    async def _render_all(self, render: Callable[[PrivateChannel, Said], Awaitable[None]]) -> None:
        while True:
            said = await self.messages.get()
            try:
                await render(self.channel, said)
            finally:
                self.messages.task_done()

    def put(self, said: Said) -> Said | None:
        """Queue one more message, and return the one that was dropped for it, if too many wait.

        What is stale is better dropped than said late.
        """
        dropped = None
        if self.messages.full():
            dropped = self.messages.get_nowait()
            self.messages.task_done()
        self.messages.put_nowait(said)
        return dropped

    async def close(self) -> None:
        """Say nothing more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.channel.close()
