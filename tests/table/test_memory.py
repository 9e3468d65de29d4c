"""Searches of the memory are brief while games go on, and nothing is lost to them for ever; old messages lie packed."""

from __future__ import annotations

import gc
import platform
import weakref
from collections.abc import Callable

import msgspec
import pytest

from server.exports.samples import messages_said
from server.game.acts import PresenceNoted
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.game.views.view import picture
from server.protocol import SealedWords
from server.table import connections, memory
from server.table.connections import SentLog
from server.table.memory import brief_searches, no_searches, search_all
from server.wording.words import scheme_of
from tests.faults.tally import memory as memory_of_this


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


@pytest.mark.parametrize("long", [False, True])
def test_what_a_long_search_of_the_younger_found_is_left_out_too(monkeypatch: pytest.MonkeyPatch, long: bool) -> None:
    monkeypatch.setattr(memory, "LONG_S", 0.0 if long else 60.0)
    gc.unfreeze()
    with brief_searches(lambda follows: None):
        held = Ring()
        ended = weakref.ref(held)
        gc.collect(1)
        assert (gc.get_freeze_count() > 0) is long
        del held
        gc.collect()
        assert (ended() is not None) is long
    gc.collect()
    assert ended() is None


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives back what lies below something else")
def test_what_a_flood_took_goes_back_to_the_machine_when_all_is_searched() -> None:
    flood = [bytes(4_000) for _ in range(10_000)]
    above = flood[::500]  # and so nothing of it is the end of the heap
    full = memory_of_this()
    flood.clear()
    search_all()
    assert full - memory_of_this() > 20 and len(above) == 20


def test_nothing_is_searched_while_tables_are_taken_up() -> None:
    assert gc.isenabled()
    with no_searches():
        assert not gc.isenabled()
    assert gc.isenabled() and gc.get_freeze_count() > 1_000
    gc.unfreeze()


@pytest.mark.parametrize("together", [3, 64])
def test_old_messages_are_packed_and_come_again_as_they_were(monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    monkeypatch.setattr(connections, "PACKED_TOGETHER", together)
    shown = picture(GameState(), 0)
    noted = PresenceNoted(at=5, seat=Seat.WHITE, present=True)
    with_picture = msg.Recorded(event=noted, picture=shown, told={"de": "Weiß ist da.", "he": "לבן"})
    said: list[msg.AnyMessage] = [
        one for one in messages_said(scheme_of("d21", "ar")) if not isinstance(one, SealedWords)
    ]
    every = [with_picture, *said, with_picture, *said]
    told = SentLog()
    for number, message in enumerate(every, 1):
        told.append(message)
        assert len(told) == number
    without = msgspec.structs.replace(with_picture, picture=None)
    kept = [without, *said, with_picture, *said]
    assert [*told] == kept, "the newest picture stays with its message"
    for first in range(0, len(kept), 7):
        assert [*told.between(first, first + 9)] == kept[first : first + 9]
    assert len(told._at_hand) < 2 * together < len(kept)


def test_messages_of_one_command_are_known_as_of_one_instant() -> None:
    """So none takes the place of the other on a page or a braille line; what comes by itself stands alone."""
    told, one = SentLog(), msg.Started()
    for command in ("a", "a", "b", None, None, "a"):
        told.append(one, command)
    assert [told.together(number) for number in range(1, 7)] == [False, True, False, False, False, False]
