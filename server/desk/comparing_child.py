"""This process compares two scores within a limit, whole or line by line; `server.desk.comparing` starts it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import msgspec

from server.desk.answer import desk_answer
from server.desk.comparing import LIMIT_S, Scores, compared
from server.game.state.state import GameState
from speech.process import give_way, serve_child

AGAIN_S = 0.05


class Spent(Exception):
    """The time of one comparison is over."""


def stop(_number: int, _frame: FrameType | None) -> None:
    """End the comparison where it is."""
    raise Spent


@contextmanager
def limited() -> Iterator[None]:
    """Raise Spent after `LIMIT_S` of processor time; on Windows the parent's deadline ends this process instead."""
    if sys.platform == "win32":
        yield
    else:
        signal.signal(signal.SIGPROF, stop)
        # Again and again: Python drops what is raised while it collects its garbage.
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S, AGAIN_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def answer(asked: dict[str, Any]) -> dict[str, object]:
    """Return the comparison, or nothing where its time or its memory does not suffice."""
    try:
        if "scores" in asked:
            scores = msgspec.convert(asked["scores"], Scores)
            with limited():
                return {"compared": msgspec.to_builtins(compared(scores))}
        state = msgspec.msgpack.decode(asked["state"], type=GameState)
        assert state.desk is not None
        with limited():
            return {"desk": msgspec.to_builtins(desk_answer(state, state.desk, tuple(asked["plies"])))}
    except (Spent, MemoryError):
        return {}


if __name__ == "__main__":
    give_way()  # the games go first
    serve_child(answer)
