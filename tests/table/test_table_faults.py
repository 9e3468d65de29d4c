"""What may go wrong around a table without ending its game: disks, connections, faults of our own, sleep, floods."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import chess
import pytest

import server.table.table
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command
from server.game.values.announcement import Announcement
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.hall.live_table import utterance_name
from server.journal.entry import Run
from server.journal.journal import Journal
from server.journal.sqlite.schema import connect_writer
from server.machine.clock import ScriptedClock
from server.protocol import Numbered
from server.table.table import LONGEST_QUEUE, Observer, Table
from speech.process import ChildFailed
from tests.table.open_hall import STATIONS, Ear, FakeEars, Played, played, turn
from tests.waiting import PATIENCE_S

E4 = cmd.Say(announcement=Announcement(to_square="e4"))


def command(number: int, body: cmd.AnyAct, station: str = "white") -> Command:
    return Command(id=f"{number:032x}", table="t", station=station, body=body)


@asynccontextmanager
async def lone_table(folder: Path, writers: list[sqlite3.Connection]) -> AsyncIterator[tuple[Table, ScriptedClock]]:
    """A table over a real journal whose writing connection the test can starve."""

    def watched(path: Path) -> sqlite3.Connection:
        writers.append(connect_writer(path))
        return writers[-1]

    journal = Journal.open(folder / "journal.sqlite", connect=watched)
    await journal.begin_run(Run("r", 0, 0, "0"))
    clock = ScriptedClock()
    table = Table("t", journal, clock, "r")
    table.start()
    plan = SeatPlan(SeatKind.TACTILE)
    opening = cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("600"), start_fen=chess.STARTING_FEN)
    for body in (
        opening,
        *(cmd.Admit(station=one.id, role=one.role, seat=one.seat) for one in STATIONS),
        cmd.StartGame(),
    ):
        assert (await table.own(table.program_command(body))).outcome.ok
    yield table, clock
    await table.close()
    await journal.close()


def full(writers: list[sqlite3.Connection], yes: bool) -> None:
    """The disk has no room for another page, or has."""
    pages = writers[-1].execute("PRAGMA page_count").fetchone()[0]
    writers[-1].execute(f"PRAGMA max_page_count = {pages if yes else 1_000_000}")


async def test_a_press_that_the_disk_did_not_take_is_said_so_and_the_same_press_works_later(tmp_path: Path) -> None:
    writers: list[sqlite3.Connection] = []
    async with lone_table(tmp_path, writers) as (table, clock):
        ear = Ear()
        table.attach("black", 0, ear)
        full(writers, True)
        before, told = table.state, len(ear.received)
        number, filler = 100, "x" * 400
        while True:  # fill what is left of the last pages
            number += 1
            said = await table.submit(command(number, cmd.CallArbiter(reason=filler)))
            if not said.outcome.ok:
                break
            before, told = table.state, len(ear.received)
            assert number < 1_000
        assert (said.outcome.code, table.state) == ("not_recorded", before)
        assert len(ear.received) == told, "nothing is told that is not on disk"
        press = await table.submit(command(1, cmd.Press()))
        assert press.outcome.code in ("not_recorded", "")
        full(writers, False)
        await table.own(table.program_command(cmd.Resume()))
        clock.advance(1_000)
        assert (await table.submit(command(2, E4))).outcome.ok
        assert (await table.submit(command(1 if not press.outcome.ok else 3, cmd.Press()))).outcome.ok
        assert table.state.moves.plies[0].completed


async def test_a_fault_in_what_spectators_are_shown_costs_the_game_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise ValueError("no such board")

    async with lone_table(tmp_path, []) as (table, _):
        monkeypatch.setattr(table.broadcast, "stands", failing)
        ear = Ear()
        table.attach("white", 0, ear)
        before = len(ear.received)
        assert (await table.submit(command(1, E4))).outcome.ok
        assert (await table.submit(command(2, cmd.Press()))).outcome.ok
        assert table.state.moves.plies[0].completed and len(ear.received) > before
        told = [one.alert.said for one in table.state.rulings.unsettled if one.alert.kind == "fault"]
        assert len(told) == 1 and "What spectators are shown" in str(told[0])


async def test_a_press_counts_from_its_arrival_however_long_the_disk_takes(tmp_path: Path) -> None:
    writers: list[sqlite3.Connection] = []
    async with lone_table(tmp_path, writers) as (table, clock):
        clock.advance(1_000)
        await table.submit(command(1, E4))
        blocker = sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")  # someone else holds the file: the disk is slow
        pressing = asyncio.create_task(table.submit(command(2, cmd.Press())))
        await asyncio.sleep(0)
        later = asyncio.create_task(table.submit(command(3, E4, "black")))
        await asyncio.sleep(0)
        clock.advance(1_500)
        await asyncio.sleep(0.01)
        assert not pressing.done() and table.state.time.clock.running is Seat.WHITE
        blocker.execute("ROLLBACK")
        blocker.close()
        assert (await pressing).outcome.ok and (await later).outcome.ok
        assert table.state.time.clock.time_used(Seat.WHITE, clock.mono_ms()) == 1_000
        assert table.state.time.clock.time_used(Seat.BLACK, clock.mono_ms()) == 1_500


async def test_in_a_flood_a_press_is_taken_and_nobody_overtakes(tmp_path: Path) -> None:
    async with lone_table(tmp_path, []) as (table, _clock):
        flood = [
            asyncio.create_task(table.submit(command(number, cmd.Adjust()))) for number in range(10, LONGEST_QUEUE + 30)
        ]
        press = asyncio.create_task(table.submit(command(1, cmd.Press())))
        answers = [one.outcome for one in await asyncio.gather(*flood)]
        assert {one.code for one in answers} == {"", "too_busy"}
        assert (await press).outcome.ok and table.state.moves.plies[0].completed


async def test_a_fault_of_our_own_in_one_command_ends_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lone_table(tmp_path, []) as (table, _clock):
        right = server.table.table.decide

        def wrong(*_: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(server.table.table, "decide", wrong)
        outcome = await table.submit(command(1, cmd.Press()))
        assert (outcome.outcome.ok, outcome.outcome.code) == (False, "fault")
        assert "ZeroDivision" not in outcome.text and "Schiedsrichter" in outcome.text
        monkeypatch.setattr(server.table.table, "decide", right)
        assert (await table.submit(command(1, cmd.Press()))).outcome.ok


async def test_a_connection_that_cannot_take_a_message_is_dropped_and_the_others_are_served(tmp_path: Path) -> None:
    async with lone_table(tmp_path, []) as (table, _clock):
        calls = []

        def broken(outgoing: Any) -> None:
            calls.append(outgoing)
            if len(calls) > 2:
                raise ConnectionResetError

        good = Ear()
        table.attach("white", 0, broken)
        table.attach("white", 0, good)
        for number in (1, 2):
            assert (await table.submit(command(number, E4))).outcome.ok
        assert len(calls) == 3, "greeting, start, and the one that it could not take"
        assert len(good.of(msg.Understood)) == 2


async def test_closing_answers_everyone_who_waits(tmp_path: Path) -> None:
    async with lone_table(tmp_path, []) as (table, _clock):
        waiting = [asyncio.create_task(table.submit(command(number, cmd.Adjust()))) for number in range(5)]
        await asyncio.sleep(0)
        await table.close()
        answers = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_S)
        codes = [one.outcome.code for one in answers]
        assert set(codes) <= {"", "not_recorded"} and "not_recorded" in codes
        after = await asyncio.wait_for(table.submit(command(99, cmd.Press())), PATIENCE_S)
        assert after.outcome.code == "not_recorded"
        assert sum(isinstance(code, str) and code == "" for code in codes) == len(
            [e for e in await table._journal.read("t") if e.kind == "adjusting"]
        ), "what was answered with yes is on disk"


async def test_a_client_is_not_believed_about_sensors_or_words(tmp_path: Path) -> None:
    async with played(tmp_path, white=SeatKind.SIGHTED) as game:
        say = cmd.Say(announcement=Announcement(to_square="e4"), words=("x",), text="lies", utterance="u", at_ms=5)
        await game.done("white", say)
        await game.press("white")
        await game.done("black", cmd.Execute(uci="e2e4", origin="sensed"))
        recorded = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        [announced] = [event for event in recorded if isinstance(event, ev.Announced)]
        assert (announced.text, announced.utterance, announced.origin) == ("Eva vier", None, "entered")
        [executed] = [event for event in recorded if isinstance(event, ev.Executed)]
        assert executed.origin == "entered"


class TestJumpsOfTime:
    async def test_after_sleep_the_clocks_stand_where_they_stood_and_no_flag_falls(self, tmp_path: Path) -> None:
        async with played(tmp_path, control="60") as game:
            await game.pass_time(5_400)
            game.clock.advance(3_600_000)  # the lid was shut for an hour
            await game.press("white")  # before anybody else has noticed
            clock = game.table.state.time.clock
            assert clock.running is None and clock.first_flag is None
            assert clock.white.remaining_ms == 55_000, "the last witness"
            assert not game.table.state.moves.plies

    async def test_a_wall_clock_set_by_hand_stands_the_clocks_once(self, tmp_path: Path) -> None:
        async with played(tmp_path) as game:
            await game.pass_time(2_000)
            game.clock.set_wall(game.clock.wall_ms() + 60_000)
            await game.pass_time(1_000)
            await game.done("arbiter", cmd.MarkOutOfStep())  # after whatever was noted before it
            assert not game.table.clock_runs
            await game.done("arbiter", cmd.Resume())
            await game.pass_time(5_000)
            assert game.table.clock_runs

    async def test_a_server_that_was_busy_has_not_slept(self, tmp_path: Path) -> None:
        async with played(tmp_path) as game:
            await game.pass_time(2_000)
            game.clock.advance(6_000, busy=True)  # something costly held the server up
            await game.press("white")
            clock = game.table.state.time.clock
            assert clock.running is Seat.BLACK, "the game goes on"
            assert clock.white.used_ms == 8_000, "all of it was played"

    async def test_a_slow_disk_is_no_jump_of_time(self, tmp_path: Path) -> None:
        async with played(tmp_path) as game:
            await game.pass_time(1_500)
            blocker = sqlite3.connect(game.hall.journal.where, isolation_level=None)
            blocker.execute("BEGIN IMMEDIATE")
            try:
                await game.pass_time(4_000)  # no witness can be written for four seconds
            finally:
                blocker.execute("ROLLBACK")
                blocker.close()
            await game.pass_time(2_000)
            await game.done("arbiter", cmd.MarkOutOfStep())
            assert game.table.clock_runs


class TestListening:
    async def test_every_utterance_is_kept_before_it_is_named_also_from_an_odd_station(self, tmp_path: Path) -> None:
        odd = tuple(Station(name, Role.PLAYER, Seat.WHITE) for name in ("pc.1:mic", "-dash", "_", "x" * 64, "pc.1-mic"))
        async with played(tmp_path, stations=(*STATIONS, *odd)) as game:
            for station in odd:
                await game.speak(station.id, "Eva vier")
            kept = [one.event for one in game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.SoundKept)]
            assert len({event.utterance for event in kept}) == len(odd)
            assert all(event.fault is None and event.sha256 for event in kept)
            for event in kept:
                assert (tmp_path / "audio" / "t1" / f"{event.utterance}.flac").is_file()

    def test_two_stations_never_share_a_name(self) -> None:
        names = [utterance_name(station, 1) for station in ("a.b", "a:b", "a_b", "a-b", "a", "A.b", "x" * 63, "x" * 64)]
        assert len(set(names)) == len(names) and max(map(len, names)) <= 64

    async def test_ears_that_fail_leave_a_move_unheard_and_the_game_goes_on(self, tmp_path: Path) -> None:
        class Failing(FakeEars):
            async def verdict_on(self, pcm: bytes, scheme: Any) -> Any:
                raise ChildFailed("The engine is gone.")

        async with played(tmp_path, ears=Failing()) as game:
            await game.speak("white", "Eva vier")
            await game.press("white")
            assert game.table.state.moves.plies[0].completed
            assert game.table.state.scores.white[0] is not None
            assert [one.ask for one in game.ears["white"].of(msg.Question)] == ["repeat"]

    async def test_without_ears_nobody_is_asked_to_say_it_again(self, tmp_path: Path) -> None:
        async with played(tmp_path) as game:
            game.hall.table("t1").listener.ears = None
            await game.speak("white", "Eva vier")
            await game.press("white")
            assert not game.ears["white"].of(msg.Question)
            assert game.table.state.scores.white[0] is not None and game.table.state.scores.white[0].utterance

    async def test_a_sound_that_is_not_for_us_is_kept_and_means_nothing(self, tmp_path: Path) -> None:
        async with played(tmp_path) as game:
            await game.speak("white", "- cough")
            assert game.table.state.moves.plies == () and len(game.ears["white"].messages) == 1

    async def test_a_full_disk_for_sound_is_told_and_play_goes_on(self, tmp_path: Path) -> None:
        async with played(tmp_path) as game:
            (tmp_path / "audio" / "t1").write_text("a file where the folder should be")
            await game.speak("white", "Eva vier")
            await game.press("white")
            [kept] = [e.event for e in game.ears["arbiter"].of(msg.Recorded) if isinstance(e.event, ev.SoundKept)]
            assert kept.sha256 is None and kept.fault and game.table.state.moves.line == ("e2e4",)


class TestTelling:
    async def relayed(self, game: Played, times: int) -> None:
        for number in range(times):
            await game.speak("white", "Eva vier" if number % 2 else "David vier")

    async def test_what_is_said_is_on_disk_as_text_and_sound_before_it_is_offered(self, tmp_path: Path) -> None:
        from server.game.values.words import Mode

        async with played(tmp_path, black=SeatKind.TACTILE, mode=Mode.RELAY) as game:
            await self.relayed(game, 3)
            await game.told()
            offered = game.ears["black"].sounds
            noted = [e.event for e in game.ears["arbiter"].of(msg.Recorded) if isinstance(e.event, ev.SpokenPrivately)]
            texts = [one.text for one in noted if one.seat is Seat.BLACK]
            assert texts == [one.text for one in offered] == ["David vier", "Eva vier", "David vier"]
            for one in noted:
                assert one.sha256 and (tmp_path / "audio" / "t1" / f"{one.utterance}.flac").is_file()
            assert game.table.teller.sounds.find("black", offered[0].id) is not None
            assert game.table.teller.sounds.find("white", offered[0].id) is None, "another's private ear"

    @pytest.mark.parametrize("fault", [ChildFailed("gone"), ZeroDivisionError()], ids=["engine", "our own"])
    async def test_a_phrase_that_fails_does_not_silence_the_ear(self, tmp_path: Path, fault: Exception) -> None:
        from server.game.values.words import Mode
        from tests.table.open_hall import WrittenVoice

        class Once(WrittenVoice):
            failed = False

            async def render(self, segments: Any, manner: Any = None, *, keep: bool = True) -> Any:
                if not self.failed:
                    self.failed = True
                    raise fault
                return await super().render(segments)

        async with played(tmp_path, black=SeatKind.TACTILE, mode=Mode.RELAY, voice=Once()) as game:
            await self.relayed(game, 3)
            await game.told()
            sounds = [one.text for name in ("white", "black") for one in game.ears[name].sounds]
            told = [one for one in sounds if one != "Das lässt sich nicht sprechen. Es steht auf Ihrer Seite."]
            assert len(told) == 5, "one of six was lost"
            assert len(sounds) == (6 if isinstance(fault, ChildFailed) else 5), "and not by silence"
            assert len(game.ears["black"].of(msg.Relayed)) == 3, "the texts have gone out all the same"

    @pytest.mark.parametrize("fault", [ChildFailed("gone"), ZeroDivisionError()], ids=["engine", "our own"])
    async def test_no_press_waits_for_an_announcement_that_failed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
    ) -> None:
        from server.game.values.words import Mode
        from server.voice.teller import Teller
        from tests.table.open_hall import WrittenVoice

        class Never(WrittenVoice):
            async def render(self, segments: Any, manner: Any = None, *, keep: bool = True) -> Any:
                raise fault

        monkeypatch.setattr(Teller, "_announcing", lambda *_: "announcement")
        async with played(tmp_path, black=SeatKind.TACTILE, mode=Mode.RELAY, voice=Never()) as game:
            noted: list[Any] = []
            monkeypatch.setattr(game.table, "note", noted.append)
            await self.relayed(game, 1)
            await game.told()
            overs = [one.over for one in noted if isinstance(one, cmd.NoteSpeaking)]
            assert overs.count(True) == overs.count(False) > 0

    async def test_what_the_record_does_not_hold_is_not_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from server.game.values.words import Mode
        from server.journal.failure import JournalFailed

        async with played(tmp_path, black=SeatKind.TACTILE, mode=Mode.RELAY) as game:
            append = Journal.append

            async def fails(self: Journal, envelopes: Any, outcome: Any = None) -> None:
                if any(one.kind == "spoken_privately" for one in envelopes):
                    raise JournalFailed("The disk is full.")
                await append(self, envelopes, outcome)

            monkeypatch.setattr(Journal, "append", fails)
            await self.relayed(game, 1)
            await game.told()
            assert not game.ears["black"].sounds


async def test_a_flag_is_noted_at_its_moment_while_nobody_does_anything(tmp_path: Path) -> None:
    async with played(tmp_path, control="5") as game:
        await game.pass_time(4_999)
        assert game.table.state.time.clock.first_flag is None
        await game.pass_time(1)
        await turn(lambda: game.table.state.time.clock.first_flag is not None)
        assert game.table.state.time.clock.first_flag is Seat.WHITE and game.table.clock_runs


async def test_what_changes_nothing_of_the_game_wakes_nobody(tmp_path: Path) -> None:
    async with lone_table(tmp_path, []) as (table, _):
        told: list[ev.AnyEvent] = []
        woken: list[str] = []
        table.observers.append(Observer("notes", event=told.append, change=lambda: woken.append("")))
        spoken = cmd.NoteSpoken(seat=Seat.WHITE, text="e4", utterance="u", sha256="ab", length_ms=1)
        assert (await table.own(table.program_command(spoken))).outcome.ok
        assert [type(event) for event in told] == [ev.SpokenPrivately] and not woken
        assert (await table.submit(command(1, E4))).outcome.ok
        assert len(woken) == 1


async def test_a_listener_that_fails_costs_no_event_no_message_and_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is recorded is applied, told and answered, whatever becomes of ears, boards, files and braille lines."""

    def fails(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    async with lone_table(tmp_path, []) as (table, clock):
        told: list[Any] = []
        table.attach("white", 0, told.append)
        reached: list[int] = []
        noted: list[ev.Alerted] = []
        table.observers += [
            Observer("fails", arrival=fails, event=fails, message=fails, change=fails),
            Observer("fails otherwise", change=fails),
            Observer("reached", change=lambda: reached.append(1)),
            Observer("notes", event=lambda event: noted.append(event) if isinstance(event, ev.Alerted) else None),
        ]
        monkeypatch.setattr(server.table.table, "lines_of", fails)
        assert (await table.submit(command(1, E4))).outcome.ok
        clock.advance(5_000)
        assert (await table.submit(command(2, cmd.Press()))).outcome.ok
        assert len(reached) == 4, "both commands, and what told the arbiter of the faults"
        sentences = [str(one.said.values["text"]) for one in noted if one.kind == "fault" and one.said is not None]
        assert [one.partition(":")[0] for one in sentences] == ["fails", "fails otherwise"], "each is named once"
        assert table.state.ply(1) is not None and table.state.ply(1).completed  # type: ignore[union-attr]
        numbers = [one.n for one in told if isinstance(one, Numbered)]
        assert numbers and numbers == list(range(1, len(numbers) + 1))
