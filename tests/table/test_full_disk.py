"""A disk that takes nothing: the arbiter is told by page and voice, a pause stands, and nothing else is done."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.acts import Command
from server.game.values.words import Seat
from server.journal.reserve import ENOUGH_BYTES, LOW_BYTES
from server.protocol import AtEar, RecordFails, SoundReady
from tests.table.open_hall import PATIENCE_S, Played, played, reopened, turn


def takes_nothing(game: Played, yes: bool) -> None:
    """The disk takes no further write, as a full one or one that went read-only, or takes them again."""
    connection = game.hall.journal._store._connection
    assert connection is not None
    connection.execute(f"PRAGMA query_only = {int(yes)}")


async def test_the_arbiter_hears_it_at_once_and_a_pause_stands_and_is_recorded_later(tmp_path: Path) -> None:
    async with played(tmp_path, control="600") as game:
        await game.done("arbiter", cmd.ChooseAlerts(spoken=True, language="en"))
        game.table.teller.at_ear("arbiter", AtEar("on"))
        arbiter, black = game.ears["arbiter"], game.ears["black"]
        takes_nothing(game, True)
        assert (await game.do("black", cmd.CallArbiter())).outcome.code == "not_recorded"
        assert [one.now for one in arbiter.received if isinstance(one, RecordFails)] == [True]
        assert not any(isinstance(one, RecordFails) for one in black.received), "a player is told nothing of it"
        await turn(lambda: any("cannot be written" in one.text for one in arbiter.sounds))

        press = await game.do("white", cmd.Press())
        assert press.outcome.code == "not_recorded"
        game.clock.advance(700)
        seq, id = game.table.seq, "f" * 32
        assert (await game.do("arbiter", cmd.Pause(reason="disk"), id=id)).outcome.ok
        clock = game.table.state.time.clock
        assert clock.running is None and clock.remaining(Seat.WHITE, game.clock.mono_ms()) <= 599_300
        stood = clock.remaining(Seat.WHITE, game.clock.mono_ms())
        assert await game.hall.journal.last_seq("t1") == seq < game.table.seq
        assert (await game.do("arbiter", cmd.Resume())).outcome.code == "not_recorded", "only standing needs no record"

        takes_nothing(game, False)
        game.clock.advance(1_000)
        await turn(lambda: RecordFails(False) in arbiter.received)
        paused = [one for one in await game.hall.journal.read("t1") if one.kind == "clock_paused"]
        assert len(paused) == 1 and b'"at":' in paused[0].body
        again = Command(id=id, table="t1", station="arbiter", body=cmd.Pause(reason="disk"))
        assert (await game.table.submit(again)).outcome.ok, "the same command gets the same answer"
        await game.done("arbiter", cmd.Resume())
        assert game.table.state.time.clock.remaining(Seat.WHITE, game.clock.mono_ms()) == stood
    async with reopened(tmp_path) as (hall, _):
        assert hall.shut == {} and hall.tables["t1"].state.time.clock.remaining(Seat.WHITE, 0) == stood


async def test_the_arbiter_is_told_again_and_the_record_says_afterwards_that_it_failed(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        arbiter = game.ears["arbiter"]
        takes_nothing(game, True)
        assert (await game.do("black", cmd.CallArbiter())).outcome.code == "not_recorded"
        told = arbiter.received.count(RecordFails(True))
        async with asyncio.timeout(PATIENCE_S):
            while arbiter.received.count(RecordFails(True)) == told:
                game.clock.advance(500)
                await asyncio.sleep(0.01)  # each try is a real one, and takes its time
            takes_nothing(game, False)
            while RecordFails(False) not in arbiter.received:
                game.clock.advance(500)
                await asyncio.sleep(0.01)
        assert any(b"record_stopped" in one.body for one in await game.hall.journal.read("t1"))


async def test_room_that_goes_up_and_down_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with played(tmp_path) as game:
        free, told = [LOW_BYTES], list[object]()
        monkeypatch.setattr(game.hall._room._reserve, "free", lambda: free[0])
        monkeypatch.setattr(game.hall._room._reserve, "given_up", False)
        monkeypatch.setattr(game.hall._room, "_tell", told.append)
        for free[0] in (LOW_BYTES, LOW_BYTES - 1, LOW_BYTES + 1, LOW_BYTES - 1, LOW_BYTES + 1):
            game.hall._room.look()
        assert len(told) == 1
        for free[0] in (ENOUGH_BYTES, LOW_BYTES - 1):
            game.hall._room.look()
        assert len(told) == 2


async def test_sound_leaves_the_last_room_to_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with played(tmp_path) as game:
        monkeypatch.setattr(game.hall.evidence._here, "_keep_free", 1 << 60)
        await game.speak("white", "Bauer Eva vier")
        kept = [one for one in await game.hall.journal.read("t1") if b"almost full" in one.body]
        assert kept, "the record says why there is no sound"
        assert not any(isinstance(one, SoundReady) for one in game.ears["black"].received)
