"""A process that is forked, works, and dies: by SIGKILL at an instant, or in the middle of a write at a byte of a file.

For the second the kernel itself is asked: with a limit on the size of files it writes up to that byte, then it ends the
process (SIGXFSZ), or, where the signal is ignored, refuses the rest of the write as a full disk does.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable

import msgspec

from tests.waiting import PATIENCE_S

Say = Callable[[str], None]


class Death(msgspec.Struct, frozen=True):
    """When the process dies: so long after it began, or where a file would grow beyond `at_byte`; or not at all."""

    after_s: float | None = None
    at_byte: int | None = None

    def __str__(self) -> str:
        return f"in a write at byte {self.at_byte}" if self.at_byte is not None else f"after {self.after_s} s"


class Ended(msgspec.Struct, frozen=True):
    """What the process said, a line each, and how it ended: below 0 by that signal, else its status."""

    said: tuple[str, ...]
    status: int

    @property
    def how(self) -> str:
        """In words, with the traceback of a fault."""
        if self.status == -signal.SIGKILL:
            return "killed at an instant"
        return "killed in a write" if self.status == -signal.SIGXFSZ else f"status {self.status}: {self.said[-1:]}"


def forked(work: Callable[[Say], None], death: Death) -> Ended:
    """Fork, have the child work, and end it as `death` says; every line it said before that counts."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, death, writing)
    os.close(writing)
    said, killed = b"", False
    deadline = time.monotonic() + (PATIENCE_S if death.after_s is None else death.after_s)
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 and not killed:
                os.kill(child, signal.SIGKILL)
                killed = True
            if select.select([reading], [], [], 1 if killed else max(0, left))[0]:
                part = os.read(reading, 1 << 16)
                if not part:
                    break
                said += part
    finally:
        os.close(reading)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    whole = said[: said.rfind(b"\n") + 1]  # a line that was cut off says nothing
    return Ended(tuple(whole.decode().splitlines()), status)


def limit_files(at_byte: int | None, *, deadly: bool) -> None:
    """Let no file of this process grow beyond a byte; None: as large as they like again."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
    soft = resource.RLIM_INFINITY if at_byte is None else at_byte
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, resource.RLIM_INFINITY))


def _work(work: Callable[[Say], None], death: Death, writing: int) -> None:
    def say(line: str) -> None:
        os.write(writing, f"{line}\n".encode())  # one call a line: whole, or not there

    status = 0
    try:
        if death.at_byte is not None:
            limit_files(death.at_byte, deadly=True)
        work(say)
    except BaseException:  # the parent has to be told, whatever it is
        say("fault " + " | ".join(traceback.format_exc().splitlines()[-4:]))
        status = 1
    os._exit(status)
