"""The same folder opened again: the same state, the same messages to the same numbers, the same answers."""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.exports.exports import events_dated
from server.game import acts as cmd
from server.game.acts import Command
from server.game.game import Game
from server.game.values.announcement import Announcement
from server.game.values.words import ClockMaster, Mode, Seat
from server.game.views import messages as msg
from server.game.views.chronicle import of_pauses
from server.journal.journal import Journal
from server.machine.clock import ScriptedClock
from server.protocol import Outcome
from server.table import connections
from server.wording.details import told_in
from speech.complaint import Complaint
from tests.table.open_hall import Ear, WrittenEars, WrittenVoice, played, reopened, turn


def without_picture(message: msg.AnyMessage) -> msg.AnyMessage:
    """An arbiter's message as it is kept: only the newest picture stays with its message."""
    return msgspec.structs.replace(message, picture=None) if isinstance(message, msg.Recorded) else message


PLAYERS: Any = st.sampled_from(
    [
        cmd.Press(),
        cmd.Press(),
        cmd.Say(announcement=Announcement(to_square="e4")),
        cmd.Say(announcement=Announcement(to_square="e5")),
        cmd.Say(announcement=Announcement(piece="knight", to_square="f3")),
        cmd.Say(announcement=Announcement(piece="knight", to_square="f6"), act="announce"),
        cmd.Say(announcement=Announcement()),
        cmd.Say(announcement=None),
        cmd.EnterMove(uci="e7e5"),
        cmd.EnterMove(uci="d2d4"),
        cmd.EnterMove(uci="a3a8"),
        cmd.EnterMove(uci="a7a8"),
        cmd.Execute(),
        cmd.Execute(uci="e2e3", board=Seat.WHITE, origin="sensed"),
        cmd.Ask(what="time"),
        cmd.Ask(what="score"),
        cmd.WriteScore(index=1, text="e4"),
        cmd.OfferDraw(),
        cmd.CallArbiter(reason="?"),
    ]
)
ARBITERS: Any = st.sampled_from(
    [
        cmd.Resume(),
        cmd.Resume(),
        cmd.Pause(),
        cmd.SetMode(mode=Mode.RELAY),
        cmd.SetMode(mode=Mode.CLOCK),
        cmd.RecordAdaptation(name="machine_announces", value="approved"),
        cmd.SetClockMaster(clock_master=ClockMaster.MANUAL),
        cmd.SetClockMaster(clock_master=ClockMaster.SERVER),
        cmd.Mend(ply=1, uci="d2d4"),
        cmd.SetClock(white_ms=1_000, black_ms=0, turn=Seat.BLACK),
        cmd.MarkOutOfStep(note="x"),
    ]
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 0, 700, 20_000]),
        st.one_of(
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.just("arbiter"), ARBITERS),
            st.tuples(st.sampled_from(["white", "display", "nobody"]), ARBITERS),
        ),
        st.sampled_from([None, None, None, 1, 2]),
    ),
    max_size=25,
)


async def lived_through(folder: Path, steps: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "PACKED_TOGETHER", 4)  # so that a short game has packed messages too
        await played_and_reopened(folder, steps)


async def played_and_reopened(folder: Path, steps: Any) -> None:
    answers: dict[str, tuple[Command, Outcome]] = {}
    async with played(folder, control="60") as game:
        for wait, (station, body), about in steps:
            if wait:
                await game.pass_time(wait)
            command = Command(id=game.id(), table="t1", station=station, body=body, about_ply=about)
            outcome = await game.table.submit(command)
            answers[command.id] = (command, outcome)
            assert await game.table.submit(command) == outcome, "the same again, the same answer"
        await game.put_into_sound()
        await game.table.own(game.table.program_command(cmd.NoteInstant()))  # behind all that was noted of the sounds
        state = game.table.state
        received = {station: game.ears[station] for station in game.ears}
        for ear in received.values():
            assert ear.numbers == list(range(1, len(ear.numbers) + 1))
        envelopes = await game.hall.journal.read("t1")
        events = [msgspec.json.decode(envelope.body, type=msg.AnyEvent) for envelope in envelopes]
        assert Game.replay(events) == state
        ran = game.table.clock_runs
    async with reopened(folder, ScriptedClock(mono_ms=7)) as (hall, _clock):
        table = hall.tables["t1"]
        assert table.clock_runs is False
        if not ran:
            assert table.state == state
        for station, before in received.items():
            ear = Ear()
            table.attach(station, 0, ear)
            first = ear.messages[: len(before.messages)]
            assert [without_picture(one) for one in first] == [without_picture(one) for one in before.messages], station
            assert ear.numbers == list(range(1, len(ear.numbers) + 1))
            assert len(ear.messages) - len(before.messages) <= 2 * ran, "the interruption and its alert"
        for command, outcome in answers.values():
            assert await table.submit(command) == outcome, "and after a restart"


@settings(max_examples=12, deadline=None)
@given(STEPS)
def test_any_game_survives_a_restart_word_for_word(steps: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(lived_through(Path(folder) / "data", steps))


async def test_clocks_stand_at_the_last_sign_of_life_and_the_arbiter_resumes(tmp_path: Path) -> None:
    async with played(tmp_path, control="600") as game:
        await game.pass_time(5_250)
        await asyncio.gather(*game.hall._writing)
    async with reopened(tmp_path, ScriptedClock(mono_ms=3, wall_ms=1_700_000_100_000)) as (hall, clock):
        state = hall.tables["t1"].state
        assert state.time.clock.running is None
        assert state.time.clock.white.remaining_ms == 595_000, "the last witness, not the last event"
        ear = Ear()
        hall.tables["t1"].attach("arbiter", 0, ear)
        alert = state.rulings.unsettled[-1].alert
        assert alert.kind == "interrupted" and alert.said is not None
        notice = told_in(alert.said, "en")
        stopped = "the program was stopped; the clocks show the times at which the program was last known to be running"
        assert notice.startswith(f"{stopped}: White 0:09:55, ")
        assert re.search(r"Black 0:10:00; up to \d+:\d\d:\d\d cannot be accounted for$", notice), "to the second"
        (shown,) = of_pauses(events_dated(await hall.journal.read("t1"), "t1"))
        assert shown.values[2:4] == ("0:09:55", "0:10:00") and shown.values[4] in notice and shown.by == "program"
        assert "stopped_at" in str(ear.messages[-1])
        command = Command(id="f" * 32, table="t1", station="arbiter", body=cmd.Resume())
        assert (await hall.tables["t1"].submit(command)).outcome.ok
        assert hall.tables["t1"].state.time.clock.running is Seat.WHITE
        assert hall.tables["t1"].state.time.clock.remaining(Seat.WHITE, clock.mono_ms()) == 595_000


async def test_the_milliseconds_of_an_earlier_run_drop_no_flag(tmp_path: Path) -> None:
    """The new run's clock is already past the moment at which the old run's flag was due."""
    async with played(tmp_path, control="60") as game:
        await game.pass_time(5_000)
    async with reopened(tmp_path, ScriptedClock(mono_ms=500_000)) as (hall, _clock):
        state = hall.tables["t1"].state
        assert state.time.clock.first_flag is None and state.time.clock.white.remaining_ms >= 54_000


async def test_a_hall_that_cannot_stop_the_clocks_for_the_record_does_not_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path):
        pass
    from server.journal.failure import JournalFailed

    async def fails(*_: object) -> None:
        raise JournalFailed("The disk is full.")

    monkeypatch.setattr(Journal, "append", fails)
    with pytest.raises(Complaint, match=r"The clocks of table t1 could not be stopped"):
        async with reopened(tmp_path):
            pass


async def test_a_table_in_a_language_that_is_not_there_is_never_opened(tmp_path: Path) -> None:
    from server.game.values.time_control import TimeControl
    from server.game.values.words import SeatKind, SeatPlan

    async with reopened(tmp_path, ears=WrittenEars(), voice=WrittenVoice()) as (hall, _clock):
        plan = SeatPlan(SeatKind.TACTILE, language="xx")
        fen = "8/8/8/8/8/8/8/8 w - - 0 1"
        body = cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("60"), start_fen=fen)
        with pytest.raises(Complaint):
            await hall.open_table(body, "t1")
        good = SeatPlan(SeatKind.TACTILE)
        body = cmd.OpenTable(white=good, black=good, control=TimeControl(()), start_fen=fen)
        with pytest.raises(Complaint, match="not a time control"):
            await hall.open_table(body, "t1")
        body = cmd.OpenTable(white=good, black=good, control=TimeControl.parse("60"), start_fen=fen)
        with pytest.raises(Complaint, match="table's name"):
            await hall.open_table(body, "my.table")
        assert hall.tables == {}
        assert await hall.open_table(body, "t1") is hall.tables["t1"]
    async with reopened(tmp_path) as (hall, _clock):
        assert list(hall.tables) == ["t1"]


async def test_rows_that_are_in_no_chain_are_looked_at_while_the_hall_is_played_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some rounds there are hundreds of thousands of them, which a database does not send within its time."""
    looked = asyncio.Event()

    async def changed_rows(_journal: Journal) -> list[str]:
        await looked.wait()
        return ["run r1 was changed"]

    monkeypatch.setattr(Journal, "changed_rows", changed_rows)
    async with played(tmp_path) as game:
        await game.type("white", "e4", "announce")
        await game.press("white")
        looked.set()
        await turn(lambda: any("run r1 was changed" in str(one) for one in game.ears["arbiter"].messages))
