"""Two buttons press the clock for both players: for the one who has no station at all it is a key, too (L049)."""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import termios
from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.saying import saying
from server.game.values.words import PressKeys, Role, Seat, Station
from server.game.views import messages as msg
from server.stations.press_buttons import PressButtons
from tests.game.core_table import CoreTable, altered
from tests.table.open_hall import STATIONS, Played, played, turn

NO_BLACK = tuple(one for one in STATIONS if one.id != "black")


async def learnt(game: Played, at: cmd.pressing.At, station: str) -> None:
    await game.done("arbiter", cmd.Pause())
    await game.done("arbiter", cmd.LearnPressKeys(at=at))
    await game.done(station, cmd.TellPressKeys(white="F13", black="F14"))
    await game.done("arbiter", cmd.Resume())


@pytest.mark.law("L049", "L052")
async def test_a_whole_exchange_with_nobody_at_blacks_station(tmp_path: Path) -> None:
    station = "display"
    async with played(tmp_path, stations=NO_BLACK) as game:
        await learnt(game, station, station)
        await game.speak("white", "Bauer Eva vier")
        await game.done(station, cmd.PressKey(key="F13"))
        assert game.table.state.time.clock.running is Seat.BLACK
        before = [len(game.ears[name].messages) for name in ("white", "display")]
        await game.pass_time(5_000)
        await game.done(station, cmd.PressKey(key="F14"))
        state = game.table.state
        assert state.time.clock.running is Seat.WHITE
        assert [ply.completed for ply in state.moves.plies] == [True, True], "the press makes and completes the move"
        told = [type(one) for one in game.ears["white"].messages[before[0] :]]
        assert told == [], "the player at the tactile board is told nothing of it"
        pressed = [one.event for one in game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.ClockPressed)]
        assert [(one.seat, one.effective) for one in pressed] == [(Seat.WHITE, True), (Seat.BLACK, True)]


@pytest.mark.law("L049")
async def test_only_the_keys_that_were_pressed_once_at_the_arbiters_device(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        refused = await game.do("white", cmd.PressKey(key="F13"))
        assert refused.outcome.code == "no_press_keys"
        assert (await game.do("white", cmd.TellPressKeys(white="F13", black="F14"))).outcome.code == "no_press_keys"
        assert (await game.do("white", cmd.LearnPressKeys(at="display"))).outcome.code == "only_the_arbiter"
        assert (await game.do("arbiter", cmd.LearnPressKeys(at="display"))).outcome.code == "clocks_must_stand"
        await game.done("arbiter", cmd.Pause())
        await game.done("arbiter", cmd.LearnPressKeys(at="display"))
        same = await game.do("display", cmd.TellPressKeys(white="F13", black="F13"))
        assert same.outcome.code == "same_press_key"
        assert (await game.do("black", cmd.TellPressKeys(white="F1", black="F2"))).outcome.code == "no_press_keys"
        await game.done("display", cmd.TellPressKeys(white="F13", black="F14"))
        await game.done("arbiter", cmd.Resume())
        for station, key in (("display", "F15"), ("black", "F14"), ("white", "F13"), ("arbiter", "F13")):
            assert (await game.do(station, cmd.PressKey(key=key))).outcome.code == "no_press_keys"
        stages = [one.stage for one in game.ears["display"].of(msg.PressKeysShown)]
        assert stages == ["learn", "known"] and not game.ears["white"].of(msg.PressKeysShown)
        await game.done("arbiter", cmd.Pause())
        await game.done("arbiter", cmd.LearnPressKeys(at=None))
        await game.done("arbiter", cmd.Resume())
        assert game.ears["display"].of(msg.PressKeysShown)[-1].stage == "none"
        assert (await game.do("display", cmd.PressKey(key="F13"))).outcome.code == "no_press_keys"


@pytest.mark.law("L049", "L052")
@pytest.mark.parametrize("seat", Seat)
def test_a_players_own_device_never_presses_for_the_opponent(seat: Seat) -> None:
    """A player's client sends what it likes: no key from its line presses, even where an earlier record has it so."""
    own, table = seat.value, CoreTable()
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"do":"learn_press_keys","at":"{own}"}}'.encode(), type=cmd.LearnPressKeys)
    keys = PressKeys(own, "F13", "F14")
    table.state = altered(table.state, {"stations.press_keys": keys})
    for key in ("F13", "F14"):
        assert table.do(own, cmd.PressKey(key=key)) == Refusal("no_press_keys", "")
    assert isinstance(table.do(own, cmd.TellPressKeys(white="F13", black="F14")), Refusal)
    table.done("arbiter", cmd.Pause())
    told = [one for one in table.done("arbiter", cmd.Resume()) if isinstance(one, ev.Alerted)]
    words = f"the buttons at {own.capitalize()} press no clock until each has been pressed once"
    assert [(one.kind, one.detail) for one in told] == [("press_keys_unknown", words)]


async def test_a_clock_that_is_started_before_the_buttons_are_known_alerts_the_arbiter(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.Pause())
        await game.done("arbiter", cmd.LearnPressKeys(at="display"))
        await game.done("arbiter", cmd.Resume())
        # Black, whose move it is not, presses first: whose key it is must not come of that.
        pressed = await game.do("display", cmd.TellPressKeys(white="F14", black="F13"))
        assert (pressed.outcome.code, game.table.state.stations.press_keys.learning) == ("clocks_must_stand", True)
        await game.done("arbiter", cmd.Pause())
        await game.done("display", cmd.TellPressKeys(white="F13", black="F14"))
        await game.done("arbiter", cmd.Resume())
        alerts = [one.event for one in game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.Alerted)]
        assert [(one.kind, one.grey) for one in alerts] == [("press_keys_unknown", False)]
        assert alerts[0].said == saying("buttons", where=saying("at_display"))


def test_the_alert_says_in_words_that_the_buttons_are_at_the_server() -> None:
    table = CoreTable(started=False)
    table.done("arbiter", cmd.LearnPressKeys(at="server"))
    told = [one for one in table.done("arbiter", cmd.StartGame()) if isinstance(one, ev.Alerted)]
    assert [one.detail for one in told if one.kind == "press_keys_unknown"] == [
        "the buttons at the server itself press no clock until each has been pressed once"
    ]


async def test_the_opponents_button_answers_no_question_of_the_player(tmp_path: Path) -> None:
    """White is asked whether White resigns; Black's press at the display does not take the question away."""
    async with played(tmp_path, stations=NO_BLACK) as game:
        await learnt(game, "display", "display")
        await game.speak("white", "Bauer Eva vier")
        await game.done("display", cmd.PressKey(key="F13"))
        await game.done("white", cmd.Propose(what="resign"))
        await game.done("display", cmd.PressKey(key="F14"))
        assert game.table.state.ending.pending_of(Seat.WHITE) is not None
        await game.done("display", cmd.PressKey(key="F13"))
        assert game.table.state.ending.pending_of(Seat.WHITE) is None


@pytest.mark.law("L049")
async def test_buttons_at_the_server_itself_by_key_events(tmp_path: Path) -> None:
    """The kernel's key events from a pipe: down is a press, up and repeat are none, a torn event is put together."""
    pipe = tmp_path / "event7"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)

    def event(code: int, value: int, kind: int = 1) -> bytes:
        return struct.pack("llHHi", 1, 2, kind, code, value)

    async def taken() -> None:
        """All that was written is read, and what tells nothing is done with."""
        await turn(lambda: not any(fcntl.ioctl(writer, termios.FIONREAD, bytes(4))))

    async with played(tmp_path / "data", stations=NO_BLACK) as game:
        buttons = PressButtons(game.hall)
        buttons.start({game.table.id: str(pipe)})
        try:
            await game.done("arbiter", cmd.Pause())
            await game.done("arbiter", cmd.LearnPressKeys(at="server"))
            await game.done("arbiter", cmd.Resume())
            os.write(writer, event(48, 1) + event(30, 1) + event(99, 1))  # while a clock runs they tell nothing
            await taken()
            assert game.table.state.stations.press_keys.learning
            await game.done("arbiter", cmd.Pause())
            os.write(writer, event(30, 1) + event(30, 2) + event(30, 0) + event(30, 1) + event(48, 1) + event(48, 0))
            await turn(lambda: not game.table.state.stations.press_keys.learning)
            keys = game.table.state.stations.press_keys
            assert (keys.where, keys.white, keys.black) == ("server", "ev30", "ev48")
            await game.done("arbiter", cmd.Resume())
            await game.speak("white", "Bauer Eva vier")
            os.write(writer, event(99, 1) + event(30, 1) + event(30, 2) + event(30, 0) + event(0, 0, 0))
            await turn(lambda: game.table.state.time.clock.running is Seat.BLACK)
            torn = event(48, 1)
            os.write(writer, torn[:9])
            await taken()
            os.write(writer, torn[9:])
            await turn(lambda: game.table.state.time.clock.running is Seat.WHITE)
            assert (await game.do("white", cmd.PressKey(key="ev30"))).outcome.code == "no_press_keys"
        finally:
            await buttons.close()
            os.close(writer)


async def test_a_device_that_is_not_there_is_no_end_of_anything(tmp_path: Path) -> None:
    async with played(tmp_path / "data") as game:
        buttons = PressButtons(game.hall)
        buttons.start({"t1": str(tmp_path / "nothing"), "no such table": str(tmp_path / "nothing")})
        await asyncio.sleep(0)
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        await buttons.close()
        assert game.table.state.moves.plies[0].completed


def test_a_display_without_buttons_may_do_nothing(tmp_path: Path) -> None:
    from server.game.decide.set_up.stations import is_at

    hall = Station("d", Role.DISPLAY)
    assert is_at(hall, "display") and not is_at(hall, "white") and not is_at(hall, "server") and is_at(None, "server")
