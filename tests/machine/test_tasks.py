"""A fault that nobody expected ends one piece of work: the rest goes on, and the arbiter is told once."""

from __future__ import annotations

import ast
import asyncio
import logging
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import server
from server.app import load_engines
from server.boards.drivers.livechess import LiveChess
from server.boards.event import Link
from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Role, Seat, Station
from server.game.views import messages as msg
from server.machine import tasks
from server.machine.clock import SystemClock
from server.machine.tasks import QUIET_S, Faults, lasting, passing
from server.protocol import Beat, CopyPiece, Hold
from server.settings import Settings
from server.stations.press_buttons import PressButtons
from server.web.sockets.backup import Copying
from server.web.sockets.heartbeat import Heartbeat
from tests.table.open_hall import STATIONS, Played, played, turn
from tests.waiting import PATIENCE_S, until

ROOT = Path(server.__file__).parent
STARTS = {"create_task", "ensure_future", "run_coroutine_threadsafe", "Thread", "TaskGroup"}
ELSEWHERE = {
    # what is waited for in the same function, by the one who started it: a fault is raised there
    "machine/clock.py": {"came_first"},
    "boards/drivers/livechess.py": {"_read"},
    "stations/readings.py": {"_sound_until_enter"},
    "web/api/spectators.py": {"sound"},
    "app.py": {"serve", "_unless_asked_to_end"},
    "desk/comparing.py": {"explain"},
    "hall/hall.py": {"revoke", "revoke_everywhere"},
    # a line of a station: a fault of what it reads or answers closes that line, and is told
    "web/sockets/station.py": {"hold", "_take", "_answer"},
    # a client's own process, which says what went wrong and ends
    "stations/braille.py": {"run", "_take", "_follow"},
    "stations/arbiter/station.py": {"_look", "_look_at_desk", "run"},
    "cli/station.py": {"_run"},
    "cli/hear.py": {"hear_all"},
    "demo/station_client.py": {"connect"},
    "stations/volunteer.py": {"lead", "_answer_while_saying", "first_of"},
    "cli/approve.py": {"_ears"},
    # threads with a loop of their own that lets no fault out
    "boards/drivers/serial.py": {"__init__"},
    # a thread that only reads the keys of such a client's terminal
    "stations/terminal_keys.py": {"__init__"},
    "journal/writer.py": {"__init__"},
    # a thread whose word is never needed: what it tells of is looked at once a second anyway
    "journal/postgresql/notices.py": {"__init__"},
}
"""Every place of the server that starts work without `server/machine/tasks.py`: the file, and the function."""


def starts(path: Path) -> set[str]:
    """The functions of a file in which a task or a thread is started."""
    found: set[str] = set()

    def look(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in STARTS:
                found.add(function)
        for child in ast.iter_child_nodes(node):
            look(child, function)

    source = path.read_text("utf-8")
    if any(f"{name}(" in source for name in STARTS):
        look(ast.parse(source), "")
    return found


def test_no_task_is_started_elsewhere() -> None:
    places = {str(path.relative_to(ROOT)): starts(path) for path in sorted(ROOT.rglob("*.py"))}
    assert places.pop("machine/tasks.py") == {"lasting", "passing"}
    assert {name: found for name, found in places.items() if found} == ELSEWHERE


def alerted(game: Played) -> list[str]:
    recorded = game.ears["arbiter"].of(msg.Recorded)
    faults = [one for one in recorded if isinstance(one.event, ev.Alerted) and one.event.kind == "fault"]
    return [one.told["en"] for one in faults if one.told is not None]


async def test_work_that_failed_begins_anew_is_told_once_and_ends_when_it_is_over(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tasks, "FIRST_S", 0.0)
    times: list[int] = []
    told: list[str] = []

    async def work() -> None:
        times.append(1)
        if len(times) < 4:
            raise ValueError("what a device said")

    with caplog.at_level(logging.ERROR):
        await asyncio.wait_for(lasting("The buttons", work, told.append), PATIENCE_S)
    assert (len(times), len(told), len(caplog.records)) == (4, 1, 1)
    assert "The buttons" in told[0] and "ValueError" in told[0]
    assert "what a device said" not in told[0], "what it failed at may be nobody's business"


async def test_pauses_grow_and_have_a_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    real = asyncio.sleep

    async def nap(seconds: float) -> None:
        pauses.append(seconds)
        await real(0)

    monkeypatch.setattr(tasks.asyncio, "sleep", nap)

    async def work() -> None:
        raise ValueError

    task = lasting("The buttons", work)
    while len(pauses) < 15:
        await real(0)
    task.cancel()
    assert pauses[:3] == [0.05, 0.1, 0.2] and set(pauses[12:]) == {15.0}


def test_the_same_trouble_is_told_once_and_a_later_one_again() -> None:
    told: list[str] = []
    now = [0.0]
    faults = Faults("The buttons", told.append, lambda: now[0])
    for _ in range(5):
        faults.note(ValueError())
        now[0] += QUIET_S / 2
    assert len(told) == 1
    now[0] += QUIET_S
    faults.note(ValueError())
    assert len(told) == 2


def test_a_secret_stands_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    Faults("An ear").note(ValueError("Eva vier"), secret=True)
    assert "An ear" in caplog.text and "Eva vier" not in caplog.text


async def test_who_cannot_be_told_stops_nothing() -> None:
    def deaf(text: str) -> None:
        raise RuntimeError

    async def work() -> None:
        raise ValueError

    await asyncio.wait_for(passing("The sound", work, deaf), PATIENCE_S)


async def test_a_press_that_meets_a_fault_leaves_the_next_one_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "event7"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)

    def pressed(code: int) -> None:
        os.write(writer, struct.pack("llHHi", 1, 2, 1, code, 1))

    async with played(tmp_path / "data", stations=tuple(one for one in STATIONS if one.id != "black")) as game:
        buttons = PressButtons(game.hall)
        buttons.start({game.table.id: str(pipe)})
        try:
            await game.done("arbiter", cmd.Pause())
            await game.done("arbiter", cmd.LearnPressKeys(at="server"))
            pressed(30)
            pressed(48)
            await turn(lambda: not game.table.state.stations.press_keys.learning)
            await game.done("arbiter", cmd.Resume())
            await game.speak("white", "Bauer Eva vier")
            right = game.table.own
            failed: list[int] = []

            async def fails(_: Any) -> Any:
                failed.append(1)
                raise ValueError("a fault of ours")

            monkeypatch.setattr(game.table, "own", fails)
            pressed(30)
            await turn(lambda: bool(failed))
            monkeypatch.setattr(game.table, "own", right)
            pressed(30)
            await turn(lambda: game.table.state.time.clock.running is Seat.BLACK)
            await turn(lambda: bool(alerted(game)))
            assert len(alerted(game)) == 1 and "buttons" in alerted(game)[0]
        finally:
            await buttons.close()
            os.close(writer)


async def test_buttons_that_are_gone_are_told_to_the_arbiter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.stations.press_buttons.AGAIN_S", 0.0)
    nothing, opened, tries = tmp_path / "nothing", os.open, []

    def noted(path: Any, *more: Any, **named: Any) -> int:
        if path == nothing:
            tries.append(path)
        return opened(path, *more, **named)

    monkeypatch.setattr(os, "open", noted)
    async with played(tmp_path) as game:
        buttons = PressButtons(game.hall)
        buttons.start({game.table.id: str(nothing)})
        try:
            await turn(lambda: True)
            assert alerted(game) == [], "nobody presses there"
            await game.done("arbiter", cmd.Pause())
            await game.done("arbiter", cmd.LearnPressKeys(at="server"))
            await turn(lambda: bool(alerted(game)))
            again = len(tries)
            await turn(lambda: len(tries) > again + 3)
            assert len(alerted(game)) == 1 and "press no clock" in alerted(game)[0]
        finally:
            await buttons.close()


async def test_a_foreign_message_does_not_end_the_line_to_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the program that drives the boards makes us fail at: the line is made anew."""
    links: list[str] = []
    told: list[str] = []
    began: list[int] = []

    class Line:
        async def __aenter__(self) -> Line:
            began.append(1)
            raise ValueError("a message that is not documented")

        async def __aexit__(self, *_: object) -> None: ...

    monkeypatch.setattr("aiohttp.ClientSession.ws_connect", lambda *_, **__: Line())

    def take(event: Any) -> None:
        assert isinstance(event, Link)
        links.append(event.detail)

    driver = LiveChess("1", SystemClock(), take, told=told.append)
    try:
        await until(lambda: len(began) >= 2)
    finally:
        await driver.close()
    assert "ValueError" in links[0] and len(told) == 1


class OddLine:
    """A connection that keeps what it is sent, or fails at it."""

    waiting = False

    def __init__(self, *, broken: bool = False) -> None:
        self.sent: list[Any] = []
        self.broken = broken

    def send(self, outgoing: Any) -> None:
        if self.broken:
            raise ValueError("a fault of ours")
        self.sent.append(outgoing)


async def test_one_line_that_fails_takes_no_beat_from_the_others(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        beating, wrong, right = Heartbeat(game.hall), OddLine(broken=True), OddLine()
        beating.add(wrong, game.table, "white")  # type: ignore[arg-type]
        beating.add(right, game.table, "black")  # type: ignore[arg-type]
        for _ in range(3):
            beating.beat()
        assert [type(one) for one in right.sent] == [Beat] * 3
        await turn(lambda: len(alerted(game)) == 1)


async def test_one_copy_that_fails_keeps_no_other_from_coming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.sockets.backup.EVERY_S", 0.01)
    async with played(tmp_path) as game:
        copying, wrong, right = Copying(game.hall), OddLine(), OddLine()
        copying.begin(wrong, game.table, "arbiter", Hold(id="", after=0))  # type: ignore[arg-type]
        copying.begin(right, game.table, "arbiter", Hold(id="", after=0))  # type: ignore[arg-type]
        odd, id = OddLine(), right.sent[0].id
        copying.begin(odd, game.table, "arbiter", Hold(id=id, after=0, link="00"))  # type: ignore[arg-type]
        wrong.broken = True
        task = lasting("The copies", copying.run, game.table.note_fault)
        try:
            for line in (right, odd):
                await turn(lambda line=line: any(isinstance(one, CopyPiece) for one in line.sent))  # type: ignore[misc]
            await turn(lambda: len(alerted(game)) == 1)
        finally:
            task.cancel()


async def test_flags_fall_after_a_fault_in_looking_for_the_next_instant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "FIRST_S", 0.0)
    async with played(tmp_path, control="5") as game:
        right = server.table.table.next_instant  # type: ignore[attr-defined]

        def wrong(_: Any) -> Any:
            monkeypatch.setattr("server.table.table.next_instant", right)
            raise ValueError("a fault of ours")

        monkeypatch.setattr("server.table.table.next_instant", wrong)
        await game.speak("white", "Bauer Eva vier")
        await turn(lambda: len(alerted(game)) == 1)
        await game.pass_time(5_000)
        await turn(lambda: game.table.state.time.clock.first_flag is Seat.WHITE)


async def test_the_witness_goes_on_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with played(tmp_path) as game:
        monkeypatch.setattr("server.hall.hall.passing", lambda *_: 1 / 0)
        await game.pass_time(2_000)
        monkeypatch.undo()
        await game.pass_time(3_000)
        await turn(lambda: game.hall.witnessed_ms >= game.clock.mono_ms() - 1_000)
        assert game.table.clock_runs, "a second without a witness is no jump of time"
        assert len(alerted(game)) == 1


async def test_no_player_is_told_of_a_fault(tmp_path: Path) -> None:
    assistant = Station("helper", Role.ASSISTANT, Seat.WHITE)
    async with played(tmp_path, stations=(*STATIONS, assistant)) as game:
        before = {name: len(ear.received) for name, ear in game.ears.items() if name != "arbiter"}
        game.table.note_fault("The voice of the server: a fault of the program (ValueError)")
        await turn(lambda: len(alerted(game)) == 1)
        assert before == {name: len(ear.received) for name, ear in game.ears.items() if name != "arbiter"}


async def test_an_engine_that_fails_takes_none_from_the_games_and_their_arbiters_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The voice is opened with what the settings name; a fault there leaves the ears, and is no secret."""
    asked: list[Any] = []

    def voice(*given: Any, encrypted: bool, key: bytes | None) -> Any:
        assert not encrypted and key is None
        asked.append(given[1:])
        raise ValueError("a fault of ours")

    @asynccontextmanager
    async def ears(*_: Any) -> AsyncIterator[Any]:
        asked.append("ears")
        yield None

    monkeypatch.setattr("server.hall.engines.open_voice", voice)
    monkeypatch.setattr("server.hall.engines.open_ears", ears)
    settings = Settings(voice_servers={"de": "tcp://127.0.0.1:10200"}, system_voices=("en",))
    async with played(tmp_path) as game:
        stop = asyncio.Event()
        engines = load_engines(game.hall, game.hall.data, settings, stop)
        await turn(lambda: len(alerted(game)) == 1)
        assert "voice" in alerted(game)[0]
        assert asked == [({"de": "tcp://127.0.0.1:10200"}, ("en",)), "ears"]
        assert not engines[1].done(), "the ears stay until the server stops"
        stop.set()
        await asyncio.wait_for(asyncio.gather(*engines), PATIENCE_S)
