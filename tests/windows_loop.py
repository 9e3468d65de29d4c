"""An event loop of which only that may be used which the one of Windows has: it waits for what was done."""

from __future__ import annotations

import asyncio
import functools
from typing import Any, NoReturn


class WindowsLoop(asyncio.SelectorEventLoop):
    """A loop without readers, writers and handlers of signals, as the Proactor of Windows."""

    def add_reader(self, fd: Any, callback: Any, *args: Any) -> NoReturn:
        raise NotImplementedError

    def remove_reader(self, fd: Any) -> NoReturn:
        raise NotImplementedError

    def add_writer(self, fd: Any, callback: Any, *args: Any) -> NoReturn:
        raise NotImplementedError

    def remove_writer(self, fd: Any) -> NoReturn:
        raise NotImplementedError

    def add_signal_handler(self, sig: Any, callback: Any, *args: Any) -> NoReturn:
        raise NotImplementedError

    def remove_signal_handler(self, sig: Any) -> NoReturn:
        raise NotImplementedError

    async def create_unix_server(self, *args: Any, **more: Any) -> NoReturn:
        raise NotImplementedError

    async def create_unix_connection(self, *args: Any, **more: Any) -> NoReturn:
        raise NotImplementedError

    def close(self) -> None:
        """Close; the loop below may then also forget its handlers of signals."""
        self.remove_signal_handler = functools.partial(asyncio.SelectorEventLoop.remove_signal_handler, self)  # type: ignore[method-assign, assignment]
        super().close()

    # The loop below uses the public names for its own.

    def _sock_read_done(self, fd: Any, fut: Any, handle: Any = None) -> None:
        if handle is None or not handle.cancelled():
            self._remove_reader(fd)  # type: ignore[attr-defined]

    def _sock_write_done(self, fd: Any, fut: Any, handle: Any = None) -> None:
        if handle is None or not handle.cancelled():
            self._remove_writer(fd)  # type: ignore[attr-defined]


class WindowsPolicy(asyncio.DefaultEventLoopPolicy):
    """Every new event loop is such a one."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return WindowsLoop()
