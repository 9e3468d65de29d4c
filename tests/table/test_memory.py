"""Searches of the memory are brief while games go on, and nothing is lost to them for ever."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

from server.table.memory import brief_searches, no_searches, search_all


class Ring:
    """Something that refers to itself: only a search finds that nobody else does."""

    def __init__(self) -> None:
        self.itself = self


def test_what_outlived_one_full_search_is_left_out_of_the_next_until_all_is_searched() -> None:
    soon: list[Callable[[], None]] = []
    with brief_searches(soon.append):
        held, gone = Ring(), Ring()
        ended = weakref.ref(gone)
        gc.collect()
        assert gc.get_freeze_count() > 1_000, "the next search goes through none of these"
        assert len(soon) == 1
        soon[0]()
        assert len(soon) == 1, "one search of next to nothing follows, and none follows that"
        del gone
        gc.collect()
        assert ended() is not None
        search_all()
        assert ended() is None and held.itself is held
    assert gc.get_freeze_count() == 0
    before = len(gc.callbacks)
    with brief_searches(soon.append):
        assert len(gc.callbacks) == before + 1
    assert len(gc.callbacks) == before


def test_nothing_is_searched_while_tables_are_taken_up() -> None:
    assert gc.isenabled()
    with no_searches():
        assert not gc.isenabled()
    assert gc.isenabled() and gc.get_freeze_count() > 1_000
    gc.unfreeze()
