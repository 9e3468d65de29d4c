"""How Python looks for objects that only refer to each other, without holding up a press of the clock.

A full search goes through everything that the program holds while nothing else happens: a fifth of a second with 200
tables, half a second with 500. So what has outlived one full search is left out of the next ones (`gc.freeze`). All of
it is searched again when no clock runs.

Python makes a full search when a quarter has been added to what the last one went through. So right after each there is
another, of next to nothing: then the next one comes after some ten thousand objects (`SOONER`), and takes some
milliseconds.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OLDEST = 2
"""The generation of a full search."""
SOONER = 5, 3
"""So many searches of a generation come before one of the next: half as many as usual, and a third."""


@contextmanager
def brief_searches(soon: Callable[[Callable[[], None]], object]) -> Iterator[None]:
    """While the block runs, a full search goes through nothing that has outlived one.

    `soon`: has something done once the search is over, from whatever thread it is called (a loop's
    `call_soon_threadsafe`).
    """
    following = False

    def leave_out(phase: str, found: dict[str, int]) -> None:
        nonlocal following
        if phase == "stop" and found["generation"] == OLDEST:
            gc.freeze()
            if not following:
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
    """Go through all that the program holds; for a moment when nobody presses a clock."""
    gc.unfreeze()
    gc.collect()
