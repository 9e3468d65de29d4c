"""Messages for one listener wait here to be put into sound, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from server.game.values.words import Station
from server.game.views.messages import AnyMessage
from server.machine.tasks import Told, lasting
from server.protocol import ReadOut, SealedWords
from server.voice.channel import PrivateChannel
from server.voice.priority import about, asks, is_step
from speech.channels.ear import QuestionSettled

LONGEST_QUEUE = 64


class LongAnswer:
    """Long answer, of that number, that is read to one listener: `of` pieces, of which `at` sounded last.

    It goes on by itself (`going`) until the listener stops it, asks something else, speaks or presses the clock; the
    listener may also step in it.
    """

    def __init__(self, message: AnyMessage | SealedWords | ReadOut, of: int, number: int = 0) -> None:
        """Begin before the first piece."""
        self.message = message
        self.number = number
        self.of = of
        self.at = 0
        self.going = True
        self._queued = 0

    def next_after(self, piece: int) -> int | None:
        """Note that this piece begins, and return the one to be made ready; None where none is."""
        self.at = piece
        if not self.going or self._queued > piece or piece + 1 >= self.of:
            return None
        self._queued = piece + 1
        return piece + 1

    def stop(self) -> None:
        """Go on no more by itself."""
        self.going = False

    def step(self, by: int) -> int:
        """Return the piece so many after the last one, and stop there; before the first is the first."""
        self.stop()
        return min(self.of, max(0, self.at + by))


class PieceDue(msgspec.Struct, frozen=True):
    """Request for one piece of a reading; `alone`: the listener stepped to it, so that none follows by itself."""

    reading: LongAnswer
    piece: int
    alone: bool = False


Said = tuple[Station, int, AnyMessage | SealedWords | ReadOut | PieceDue]
"""The station a message went to, its number, and the message."""


class Tongue:
    """Listener's channel and the messages that wait to be rendered for it."""

    def __init__(self, channel: PrivateChannel, told: Told) -> None:
        """Set up the queue; `told` is told of a fault."""
        self.channel = channel
        self.messages: asyncio.Queue[Said] = asyncio.Queue(LONGEST_QUEUE)
        self.reading: LongAnswer | None = None  # the answer that was given last, where it has several pieces
        self.newest = ("", 0)  # where the player asked last, and the number of the answer there
        self.question = (
            "",
            0,
        )  # where the player was asked last, and the number of that question; ("", 0): none is open
        self.asks = ""  # what it asks (`Phrase.asks`)
        self._told = told
        self._task: asyncio.Task[None] | None = None

    @property
    def step(self) -> str:
        """Return what the listener is asked by what is read on here now, one step after the other; "" for nothing."""
        return about(self.reading.message) if self.reading is not None and is_step(self.reading.message) else ""

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

    def settle_question(self, asked: str) -> None:
        """Ask this no more: neither what is left of the question nor what was not put into sound yet."""
        if self.asks == asked:
            self.question, self.asks = ("", 0), ""
        if self.reading is not None and asks(self.reading.message) == asked:
            self.reading = None
        self.channel.tell(QuestionSettled(asked))

    async def close(self) -> None:
        """Say nothing more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.channel.close()
