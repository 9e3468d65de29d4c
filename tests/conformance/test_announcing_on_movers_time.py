"""A machine announces on the mover's time: between the mover's press and the last sample (D.2.4, D.1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.time.instants import next_instant
from server.game.game import Game
from server.game.values.words import Mode, Seat
from tests.game.core_table import CoreTable, only, play
from tests.table.open_hall import played, turn

START = 5_430_000
CAP = 5_000  # ms of the mover's time that an announcement holds a clock at most


def relay(charge: str = "mover", *, on: str = "on") -> CoreTable:
    """White by touch has announced and pressed; Black is to enter and to press."""
    table = CoreTable(started=False)
    table.mode(Mode.RELAY)
    table.done("arbiter", cmd.RecordAdaptation(name="announcement_on_movers_time", value=on))
    table.done("arbiter", cmd.RecordAdaptation(name="announcement_charge", value=charge))
    table.done("arbiter", cmd.StartGame())
    play(table, "e4")
    table.wait(10_000)
    table.enter("black", "e7e5", "e5")
    return table


def speaking(table: CoreTable, length_ms: int | None = None, *, over: bool = False, name: str = "a") -> None:
    table.own(cmd.NoteSpeaking(seat=Seat.WHITE, utterance=name, length_ms=length_ms, over=over))


def used(table: CoreTable) -> tuple[int, int]:
    clock = table.state.time.clock
    return clock.time_used(Seat.WHITE, table.now), clock.time_used(Seat.BLACK, table.now)


def come(table: CoreTable) -> None:
    """The next instant comes, and the table's task wakes a little later."""
    due = next_instant(table.state)
    assert due is not None
    table.now = max(table.now, due.at) + 7
    table.own(cmd.NoteInstant())


@pytest.mark.law("L049", "L190")
@pytest.mark.parametrize("how", ["corrected", "restored", "at the desk", "reconstructed"])
def test_a_press_that_waits_counts_before_the_arbiter_sets_or_reads_times(how: str) -> None:
    table = relay()
    speaking(table, 3_000)
    table.press("black")
    table.wait(500)
    left = table.state.time.clock.remaining(Seat.BLACK, table.now)
    if how == "corrected":
        table.done("arbiter", cmd.CorrectClock(seat=Seat.WHITE, ms=1_800_000, reason="x"))
        assert table.state.time.clock.running is Seat.WHITE
    elif how == "restored":
        table.done("arbiter", cmd.RestoreTo(ply=2, times="leave", reason="x"))
        assert table.state.time.clock.running is None
    else:
        table.done("arbiter", cmd.OpenDesk() if how == "at the desk" else cmd.BeginReconstruction())
        work = table.state.desk if how == "at the desk" else table.state.scores.reconstruction
        assert work is not None and (work.snapshot.running, work.snapshot.black_ms) == (Seat.WHITE, left + 30_000)
        assert table.state.time.clock.running is None
    assert table.state.time.clock.remaining(Seat.BLACK, table.now) == left + 30_000


@pytest.mark.law("L190")
@pytest.mark.parametrize(("charge", "white", "black"), [("mover", 0, 11_300), ("none", 0, 10_100)])
def test_the_opponents_clock_starts_when_the_announcement_has_been_heard(charge: str, white: int, black: int) -> None:
    table = relay(charge)
    speaking(table)
    speaking(table, 1_300)
    table.wait(100)
    table.press("black")
    assert table.state.time.clock.running is (Seat.BLACK if charge == "mover" else None)
    come(table)
    (waited,) = only(table.events, ev.AnnouncementWaited)
    assert (waited.ms, waited.charge, waited.seat) == (1_200, charge, Seat.BLACK)
    assert table.state.time.clock.running is Seat.WHITE
    assert used(table) == (white + 7, black)
    assert table.ply(2).completed and table.ply(2).black_ms == table.state.time.clock.black.remaining_ms
    assert Game.replay(table.events) == table.state


@pytest.mark.parametrize("charge", ["mover", "none"])
def test_never_longer_than_the_cap_also_where_the_voice_falls_silent(charge: str) -> None:
    for length in (None, 60_000):
        table = relay(charge)
        speaking(table)
        if length:
            speaking(table, length)
        table.press("black")
        come(table)
        assert [one.ms for one in only(table.events, ev.AnnouncementWaited)] == [CAP]
        assert table.state.time.clock.running is Seat.WHITE


def test_nothing_waits_where_nothing_is_announced_or_it_is_over() -> None:
    for table in (relay(), relay(on="off"), relay()):
        speaking(table, over=True) if table.state.time.announcing else None
        table.press("black")
        assert table.state.time.clock.running is Seat.WHITE and table.state.time.held is None
    heard = relay()
    speaking(heard, 500)
    heard.wait(500)
    heard.press("black")
    assert heard.state.time.held is None
    off = relay(on="off")
    assert off.own(cmd.NoteSpeaking(seat=Seat.WHITE, utterance="a")) == ()
    off.press("black")
    assert off.state.time.clock.running is Seat.WHITE


def test_a_voice_that_fails_ends_the_wait_at_once_but_not_that_of_a_later_announcement() -> None:
    table = relay()
    speaking(table)
    table.press("black")
    table.wait(300)
    speaking(table, over=True, name="earlier")
    assert table.state.time.held is not None
    speaking(table, over=True)
    assert [one.ms for one in only(table.events, ev.AnnouncementWaited)] == [300]
    assert table.state.time.clock.running is Seat.WHITE


def test_a_mover_who_presses_waits_no_longer_and_a_second_press_changes_nothing() -> None:
    table = relay("none")
    speaking(table, 3_000)
    table.press("black")
    table.wait(500)
    table.press("black")
    assert table.state.time.held is not None and table.state.time.clock.running is None
    table.wait(500)
    play(table, "Nf3")
    assert [one.ms for one in only(table.events, ev.AnnouncementWaited)] == [1_000]
    assert table.state.time.clock.running is Seat.BLACK and table.ply(3).completed
    assert table.state.time.clock.white.moves == 2 and table.state.time.clock.black.moves == 1


@pytest.mark.parametrize("charge", ["mover", "none"])
def test_a_stop_or_a_crash_in_the_wait_leaves_no_clock_and_no_press_behind(charge: str) -> None:
    table = relay(charge)
    speaking(table, 3_000)
    table.press("black")
    table.wait(1_000)
    table.done("arbiter", cmd.Pause(reason="noise"))
    assert (
        table.state.time.held is None
        and table.state.time.clock.turn is Seat.WHITE
        and table.state.time.clock.running is None
    )
    table.wait(60_000)
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.running is Seat.WHITE and used(table)[0] == 0

    fallen = relay(charge)
    speaking(fallen, 3_000)
    fallen.press("black")
    witness = fallen.now + 800
    fallen.now = 5  # another run: its milliseconds have begun anew
    fallen.own(cmd.NoteInterruption(witness_ms=witness, uncertain_ms=0, reason="the_program_was_stopped"))
    assert fallen.state.time.held is None and fallen.state.time.announcing == ()
    assert fallen.state.time.clock.running is None and fallen.state.time.clock.turn is Seat.WHITE
    assert fallen.state.time.clock.black.used_ms == 10_000 + (800 if charge == "mover" else 0)
    fallen.done("arbiter", cmd.Resume())
    assert fallen.state.time.clock.running is Seat.WHITE


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["mover", "none"]), st.lists(st.tuples(st.integers(0, 9_000), st.integers(0, 8)), max_size=40))
def test_time_is_conserved_to_the_millisecond(charge: str, steps: list[tuple[int, int]]) -> None:
    """Elapsed = White + Black + waits that nobody is charged with, no matter who presses, speaks or falls silent."""
    table = CoreTable(started=False)
    table.mode(Mode.RELAY)
    table.done("arbiter", cmd.RecordAdaptation(name="announcement_on_movers_time", value="on"))
    table.done("arbiter", cmd.RecordAdaptation(name="announcement_charge", value=charge))
    table.done("arbiter", cmd.StartGame())
    begun = table.now
    acts: list[tuple[str, cmd.AnyAct]] = [
        ("white", cmd.Press()),
        ("black", cmd.Press()),
        ("program", cmd.NoteInstant()),
        *(("program", cmd.NoteSpeaking(seat=seat, utterance="a", length_ms=ms)) for seat in Seat for ms in (None, 900)),
        ("program", cmd.NoteSpeaking(seat=Seat.WHITE, utterance="a", over=True)),
        ("program", cmd.NoteSpeaking(seat=Seat.BLACK, utterance="a", over=True)),
    ]
    for wait, act in steps:
        table.wait(wait)
        table.done(*acts[act])
    nobodys = sum(one.ms for one in only(table.events, ev.AnnouncementWaited) if one.charge == "none")
    if table.state.time.held is not None and charge == "none":
        nobodys += table.now - table.state.time.held.since
    assert sum(used(table)) + nobodys == table.now - begun
    assert table.state.time.held is None or next_instant(table.state) is not None


@pytest.mark.law("L190")
async def test_at_a_real_table_the_tables_task_ends_the_wait(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY) as game:
        clock = game.table.state
        assert clock.table.mode is Mode.RELAY
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await game.done("black", cmd.EnterMove(uci="e7e5"))
        await game.press("black")
        await game.told()
        assert game.table.state.time.held is not None and game.table.state.time.clock.running is Seat.BLACK
        await game.pass_time(CAP)
        await turn(lambda: game.table.state.time.held is None)
        assert game.table.state.time.clock.running is Seat.WHITE
        assert 0 < game.table.state.time.clock.black.used_ms < CAP, "the length of the sound, not the cap"
