"""Kept sounds go from this machine to the store that all servers of a hall have in common, beside the games.

Nothing is lost where that store fails: what it does not have stays in the folder, is tried again, later each time, and
after a restart the two are compared. The sound of an opened envelope stays here: the sealed one is the evidence.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from server.game.values.saying import Saying, saying
from server.table.evidence.store import SoundStore

FIRST_REST_S, LONGEST_REST_S = 2.0, 60.0
"""The pause before it is tried again: the first, then twice as long each time, up to the second."""
AT_ONCE = 8
"""Sounds that are on their way at the same time, at most."""
_log = logging.getLogger(__name__)


class AnotherSound(Exception):
    """Under this name the common store has another sound, which is not replaced."""


class Sending:
    """Sender of sounds from the store `here` to the `common` one; `run` works until it is cancelled."""

    def __init__(self, here: SoundStore, common: SoundStore, rest_s: float = FIRST_REST_S) -> None:
        self._here = here
        self._common = common
        self._rest_s = rest_s
        self._waiting: deque[str] = deque()
        self._more = asyncio.Event()
        self._compared = False
        self._failures = 0
        self.turn = asyncio.Lock()
        """Held while sounds are on their way."""

    @property
    def waiting(self) -> int:
        """Return how many sounds are to be sent."""
        return len(self._waiting)

    def put(self, name: str) -> None:
        """Have a sound sent that is kept here; never waits."""
        self._waiting.append(name)
        self._more.set()

    async def run(self, told: Callable[[Saying], None]) -> None:
        """Send what waits, again and again. `told`: tells the arbiter that it fails, and that it goes on."""
        while True:
            self._more.clear()
            try:
                await self.send(told)
            except OSError as wrong:
                if not self._failures:
                    _log.warning("Sounds cannot be sent to the common store, and are tried again: %s", wrong)
                    told(saying("sounds_not_sent"))
                await asyncio.sleep(min(self._rest_s * 2.0 ** min(self._failures, 16), LONGEST_REST_S))
                self._failures += 1
                continue
            if self._failures:
                self._failures = 0
                told(saying("sounds_sent_again"))
            await self._more.wait()

    async def send(self, told: Callable[[Saying], None]) -> None:
        """Send all that waits. Raises OSError: the common store cannot be used; what it has not, waits on."""
        if not self._compared:
            await self._compare()
            self._compared = True
        while self._waiting:
            names = [self._waiting[n] for n in range(min(AT_ONCE, len(self._waiting)))]
            async with self.turn:
                results = await asyncio.gather(*map(self._send_one, names), return_exceptions=True)
            for name, result in zip(names, results, strict=True):
                self._waiting.popleft()
                if isinstance(result, OSError):
                    self._waiting.append(name)
                elif isinstance(result, AnotherSound):
                    _log.error("The common store has another sound under the name %s", name)
                    told(saying("sound_unlike", name=name))
            for result in results:
                if isinstance(result, BaseException) and not isinstance(result, AnotherSound):
                    raise result

    async def finish(self, seconds: float) -> None:
        """Send what waits while the server ends, for so long; what is left is sent after the next start."""
        if self._failures or not self._waiting:
            return
        try:
            async with asyncio.timeout(seconds):
                await self.send(lambda _: None)
        except (OSError, TimeoutError):
            _log.warning("%d sounds are not in the common store yet; they are sent after the next start", self.waiting)

    async def _compare(self) -> None:
        """Find what a run before this one did not send."""
        there = set(await self._common.names())
        here = await self._here.names()
        sealed = {name.removesuffix(".sealed") for name in (*here, *there) if name.endswith(".sealed")}
        known = there | set(self._waiting)
        self._waiting.extend(one for one in here if one not in known and one.removesuffix(".flac") not in sealed)

    async def _send_one(self, name: str) -> None:
        """Send one sound. Raises OSError, AnotherSound."""
        try:
            content = await self._here.get(name)
        except OSError as wrong:  # it stays as it is, and after the next start it is tried again
            _log.warning("The sound %s cannot be read here: %s", name, wrong)
            return
        if content is None:  # it was deleted meanwhile
            return
        try:
            await self._common.put(name, content)
        except FileExistsError:  # sent before, and the answer was lost
            if await self._common.get(name) != content:
                raise AnotherSound from None
