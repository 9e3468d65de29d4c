"""This process compares two whole scores within a limit; `server.desk.comparing` starts it."""

from __future__ import annotations

import os
import signal
from types import FrameType

import msgspec

from server.desk.comparing import LIMIT_S, Scores, compared
from speech.process import serve_child


class Spent(Exception):
    """The time of one comparison is over."""


def stop(_number: int, _frame: FrameType | None) -> None:
    """End the comparison where it is."""
    raise Spent


def answer(asked: dict[str, object]) -> dict[str, object]:
    """Return the comparison, or nothing where its time or its memory does not suffice."""
    scores = msgspec.convert(asked["scores"], Scores)
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    try:
        return {"compared": msgspec.to_builtins(compared(scores))}
    except (Spent, MemoryError):
        return {}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    os.nice(5)  # the games go first
    serve_child(answer)
