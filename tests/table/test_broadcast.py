"""A table's broadcast: who looks later sees what stood then, clocks and all, also after a restart of the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.values.words import ClockMaster
from server.table.broadcast import LONGEST_MS, TableSeen
from tests.table.open_hall import Played, played, reopened


class Noted:
    """What somebody without any delay was shown, by the moment."""

    def __init__(self, game: Played) -> None:
        self.game = game
        self.at: dict[int, TableSeen] = {}

    def look(self) -> None:
        now = self.game.clock.mono_ms()
        seen = self.game.table.broadcast.seen_at(now)
        assert seen is not None
        self.at[now] = seen


async def a_game(game: Played, noted: Noted) -> None:
    for number, (white, black) in enumerate((("Bauer Eva vier", "e5"), ("Springer Felix drei", "Nc6")), 1):
        await game.speak("white", white)
        await game.pass_time(3_000)
        noted.look()
        await game.pass_time(1_000)
        await game.press("white")
        await game.pass_time(1_000)
        noted.look()
        assert len(noted.at[game.clock.mono_ms()].game.moves) == 2 * number - 1
        await game.pass_time(7_000)
        await game.type("black", black)
        await game.press("black")
        await game.pass_time(1_000)
        noted.look()
        await game.pass_time(1_000)


async def test_who_looks_later_sees_what_stood_then(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        noted = Noted(game)
        await a_game(game, noted)
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="a test"))
        noted.look()
        await game.pass_time(600_000)
        for moment, seen in noted.at.items():
            assert game.table.broadcast.seen_at(moment) == seen
        (first, *_, last) = noted.at.values()
        assert (first.game.result, last.game.result, len(last.game.moves)) == (None, "1-0", 4)
        assert first.clock is not None and first.clock.running == "white"
        assert first.clock.white_ms == 5_430_000 - 3_000
        assert game.table.broadcast.seen_at(-LONGEST_MS) is None, "nothing of it is so old"
        await game.pass_time(LONGEST_MS)
        await game.done("arbiter", cmd.RuleResult(result="0-1", reason="a test"))
        assert len(game.table.broadcast._moments) == 2, "older than the longest delay is forgotten"


async def test_the_same_after_a_restart_with_clocks_that_stand(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        noted = Noted(game)
        await a_game(game, noted)
        clock = game.clock
    clock.advance(5_000)
    async with reopened(tmp_path, clock) as (hall, _):
        broadcast = hall.tables["t1"].broadcast
        for moment, seen in noted.at.items():
            again = broadcast.seen_at(moment)
            assert again is not None and again.game == seen.game and again.clock is not None
            assert again.clock.running is None, "nothing is known of how it ran in between"


@pytest.mark.law("L193")
async def test_of_another_clock_is_seen_what_was_read_off_it_and_when(tmp_path: Path) -> None:
    async with played(tmp_path, master=ClockMaster.MANUAL) as game:
        unread = Noted(game)
        unread.look()
        await game.pass_time(1_000)
        for white_ms in (600_000, 500_000):
            await game.done("arbiter", cmd.ReadClock(white_ms=white_ms, black_ms=400_000))
            await game.pass_time(3_000)
        now, broadcast = game.clock.mono_ms(), game.table.broadcast
        seen = [broadcast.seen_at(now - ago) for ago in (5_000, 2_000, 6_500)]
        times = [None if one is None or one.clock is None else (one.clock.white_ms, one.age_ms) for one in seen]
        assert times == [(600_000, 1_000), (500_000, 1_000), None]
        (first,) = unread.at.values()
        assert (first.clock, first.age_ms) == (None, None)
