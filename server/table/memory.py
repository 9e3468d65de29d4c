"""How Python looks for objects that only refer to each other, without holding up a press of the clock.

A full search goes through everything that the program holds while nothing else happens: a fifth of a second with 200
tables, half a second with 500. So what has outlived one full search is left out of the next ones (`gc.freeze`). All of
it is searched again when no clock runs.

Python makes a full search when a quarter has been added to what the last one went through. So right after each there is
another, of next to nothing: then the next one comes after some thousand objects (`SOONER`), and takes some
milliseconds.

Python counts what was made less what went away. With 500 tables the lines make and drop so much that some thousand more
take in some hundred thousand others, and a full search took 40 ms, again every two or three seconds. So a search of a
younger generation that took long (`LONG_S`) is the last to go through what it found, too.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

OLDEST = 2
"""The generation of a full search."""
LONG_S = 0.004
"""Length of a long search, in seconds. With 500 tables a search of the younger takes 6 to 19 ms."""
SOONER = 3, 3
"""Searches of a generation that come before one of the next: a third of what is usual."""


@contextmanager
def brief_searches(soon: Callable[[Callable[[], None]], object]) -> Iterator[None]:
    """While the block runs, no search goes through what has outlived a full one, or one that took long.

    `soon`: has something done once the search is over, from whatever thread it is called (a loop's
    `call_soon_threadsafe`).
    """
    following, begun = False, 0.0

    def leave_out(phase: str, found: dict[str, int]) -> None:
        nonlocal following, begun
        if phase == "start":
            begun = perf_counter()
            return
        full = found["generation"] == OLDEST
        if full or (found["generation"] and perf_counter() - begun > LONG_S):
            gc.freeze()
        if full and not following:
            following = True
            soon(search_the_rest)

    def search_the_rest() -> None:
        nonlocal following
        gc.collect()
        following = False

    first, *usual = gc.get_threshold()
    gc.callbacks.append(leave_out)
    gc.set_threshold(first, *SOONER)
    try:
        yield
    finally:
        gc.set_threshold(first, *usual)
        gc.callbacks.remove(leave_out)
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
    """Go through all that the program holds, and give back what is free; for a moment when nobody presses a clock."""
    gc.unfreeze()
    gc.collect()
    _give_back()


def _give_back() -> None:
    """Give the machine the pages that nothing lies on any more, where the C library can (glibc); else it keeps them."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
