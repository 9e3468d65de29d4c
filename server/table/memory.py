"""How Python looks for objects that only refer to each other, without holding up a press of the clock.

A full search goes through everything that the program holds while nothing else happens: a fifth of a second with 200
tables, half a second with 500. So what has outlived one full search is left out of the next ones (`gc.freeze`); they
then take some milliseconds. All of it is searched again when no clock runs.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OLDEST = 2
"""The generation of a full search."""


@contextmanager
def brief_searches() -> Iterator[None]:
    """While the block runs, a full search goes through nothing that has outlived one."""
    gc.callbacks.append(_leave_out)
    try:
        yield
    finally:
        gc.callbacks.remove(_leave_out)
        gc.unfreeze()


@contextmanager
def no_searches() -> Iterator[None]:
    """While the block runs, nothing is looked for, as when tables are taken up: what is made in it stays."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was:
            gc.enable()


def search_all() -> None:
    """Go through all that the program holds; for a moment when nobody presses a clock."""
    gc.unfreeze()
    gc.collect()


def _leave_out(phase: str, found: dict[str, int]) -> None:
    if phase == "stop" and found["generation"] == OLDEST:
        gc.freeze()
