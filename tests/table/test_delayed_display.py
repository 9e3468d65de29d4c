"""A display that shows the game later: the server itself sends nothing younger, however it is asked (6.12.1, L072)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game.values.words import Role, Station
from server.game.views import messages as msg
from server.game.views.messages import Greeting
from server.protocol import AtEar, Greeted
from tests.table.open_hall import STATIONS, Ear, Played, played, reopened, turn
from tests.table.test_departure import hold_back

HALL, TABLE = "hall", "display"  # one in the hall, and one at the table for an opponent who does not hear
DELAY_MS = 30_000
BOTH = (*STATIONS, Station(HALL, Role.DISPLAY))


def seen(greeting: Greeting) -> Any:
    """What a display is shown when it comes, without its own name and delay."""
    return msgspec.structs.replace(greeting, station="", delay_s=0)


class Watched:
    """Both displays and, at each moment, what somebody who comes anew is shown at each."""

    def __init__(self, game: Played) -> None:
        self.game = game
        self.at_once: list[tuple[int, Greeting, int]] = []  # when, the greeting at the table, how many messages
        self.look()

    def _comes(self, station: str) -> tuple[Greeted, list[Any]]:
        ear = Ear()
        self.game.table.attach(station, 0, ear).close()
        greeted = ear.received[0]
        assert isinstance(greeted, Greeted)
        return greeted, ear.messages

    def look(self) -> None:
        """Now at the table, and what stood then in the hall: neither more nor less."""
        now = self.game.clock.mono_ms()
        greeted, messages = self._comes(TABLE)
        self.at_once.append((now, greeted.greeting, len(messages)))
        then = [one for one in self.at_once if one[0] <= now - DELAY_MS]
        late, held = self._comes(HALL)
        assert late.n == len(held)
        if not then:
            return
        _, greeting, count = then[-1]
        assert len(held) == count, f"{len(held)} messages at {now}, {count} were due"
        assert held == messages[:count]
        expected = seen(greeting)
        if then[-1][0] == now - DELAY_MS:  # the running clock, too, to the millisecond
            assert seen(late.greeting) == expected
        assert late.greeting.shown == greeting.shown and late.greeting.result == greeting.result


MOVES = (
    ("Bauer Eva vier", "e5"),
    ("Springer Felix drei", "Springer Cesar sechs"),
    ("Läufer Cesar vier", "Springer Felix sechs"),
)


async def a_game(game: Played, watched: Watched) -> None:
    for white, black in MOVES:
        await game.speak("white", white)
        await game.pass_time(1_000)
        watched.look()
        await game.press("white")
        watched.look()
        for _ in range(7):
            await game.pass_time(1_000)
            watched.look()
        await game.type("black", black)
        await game.press("black")
        watched.look()
        await game.pass_time(1_000)
        watched.look()


@pytest.mark.law("L072")
async def test_who_opens_the_line_gets_what_stood_then_and_nothing_younger(tmp_path: Path) -> None:
    async with played(tmp_path, stations=BOTH) as game:
        await game.done("arbiter", cmd.DelayDisplay(delay_s=30))
        await game.done("arbiter", cmd.DelayDisplay(delay_s=0, station=TABLE))
        before = len(game.ears[HALL].messages)
        watched = Watched(game)
        await a_game(game, watched)
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="a test"))
        watched.look()
        assert game.ears[TABLE].of(msg.Ended) and not game.ears[HALL].of(msg.Ended)
        for _ in range(31):
            await game.pass_time(1_000)
            watched.look()
        hall, table = game.ears[HALL], game.ears[TABLE]
        await turn(lambda: hall.messages[before:] == table.messages[before:])
        assert hall.numbers == sorted(hall.numbers)


@pytest.mark.law("L072")
async def test_the_same_after_a_restart_of_the_server(tmp_path: Path) -> None:
    async with played(tmp_path, stations=BOTH) as game:
        await game.done("arbiter", cmd.DelayDisplay(delay_s=30))
        await game.done("arbiter", cmd.DelayDisplay(delay_s=0, station=TABLE))
        watched = Watched(game)
        await game.pass_time(40_000)
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        watched.look()
        messages = game.attach(TABLE).messages
        clock = game.clock
    clock.advance(5_000)
    async with reopened(tmp_path, clock) as (hall, _):
        again = Played(hall, clock, hall.tables["t1"])
        ear = again.attach(HALL)
        greeted = ear.received[0]
        assert isinstance(greeted, Greeted) and greeted.greeting.shown is not None
        assert greeted.greeting.shown.text == "", "the move is five seconds old"
        known = len(ear.messages)
        assert ear.messages == messages[:known] and len(messages) > known
        again.attach("arbiter")
        await again.pass_time(26_000)
        await turn(lambda: len(ear.messages) >= len(messages))
        assert ear.messages[: len(messages)] == messages and ear.numbers[:known] == list(range(1, known + 1))


async def test_a_longer_delay_takes_back_what_is_shown_and_a_shorter_one_gives_it(tmp_path: Path) -> None:
    async with played(tmp_path, stations=BOTH) as game:
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        ear = game.ears[HALL]
        assert ear.of(msg.Shown)[-1].text == "Bauer Eva vier"
        await game.pass_time(10_000)
        await game.done("arbiter", cmd.DelayDisplay(delay_s=900, station=HALL))
        greeted = [one for one in ear.received if isinstance(one, Greeted)][-1]
        assert greeted.greeting.delay_s == 900
        await game.type("black", "e5")
        await game.press("black")
        await game.pass_time(5_000)
        assert ear.of(msg.Shown)[-1].text == "Bauer Eva vier"
        late = Ear()
        game.table.attach(HALL, 0, late)
        assert "fuenf" not in str(late.received) and "Eva" not in str(late.messages), "what it had before comes later"
        await game.done("arbiter", cmd.DelayDisplay(delay_s=0, station=HALL))
        assert "Eva" in ear.of(msg.Shown)[-1].text and ear.of(msg.Shown)[-1].text != "Bauer Eva vier"
        assert [one for one in ear.received if isinstance(one, Greeted)][-1].greeting.delay_s == 0


@pytest.mark.law("L049")
async def test_buttons_at_a_display_with_a_delay_are_known_at_once(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.DelayDisplay(delay_s=300))
        await game.done("arbiter", cmd.Pause())
        await game.done("arbiter", cmd.LearnPressKeys(at="display"))
        await game.done("display", cmd.TellPressKeys(white="F13", black="F14"))
        stages = [
            one.greeting.press_keys.stage
            for one in game.ears["display"].received
            if isinstance(one, Greeted) and one.greeting.press_keys is not None
        ]
        assert stages == ["learn", "known"] and not game.ears["display"].of(msg.PressKeysShown)
        await game.done("arbiter", cmd.Resume())
        await game.speak("white", "Bauer Eva vier")
        await game.done("display", cmd.PressKey(key="F13"))
        assert game.table.state.moves.plies[0].completed


async def test_a_delay_that_is_chosen_before_a_message_leaves_changes_no_number(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.Pause())
        departures = hold_back(game)
        await game.done("arbiter", cmd.LearnPressKeys(at="display"))
        await game.done("arbiter", cmd.DelayDisplay(delay_s=300))
        assert len(departures._waiting) >= 2, "the display was told of neither yet"
        while departures._waiting:  # what the server looked for meanwhile leaves with them, or after them
            game.clock.advance(60)
            due = game.clock.mono_ms()
            await turn(lambda due=due: not departures._waiting or departures._waiting[0][0] > due)
        told = [*game.table._sent["display"]]
        assert any(isinstance(one, msg.PressKeysShown) for one in told)
    async with reopened(tmp_path) as (hall, _):
        assert [*hall.tables["t1"]._sent["display"]][: len(told)] == told


async def test_nothing_is_spoken_at_a_display_that_is_shown_the_game_later(tmp_path: Path) -> None:
    async with played(tmp_path, stations=BOTH) as game:
        await game.done("arbiter", cmd.AllowRoom(language="en"))
        for station in (TABLE, HALL):
            game.table.teller.at_ear(station, AtEar("on"))
        await game.done("arbiter", cmd.DelayDisplay(delay_s=30, station=HALL))
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        await game.told()
        assert game.ears[HALL].sounds == [] and game.ears[TABLE].sounds != []
        await game.done("arbiter", cmd.DelayDisplay(delay_s=30))
        heard = len(game.ears[TABLE].sounds)
        await game.type("black", "e5")
        await game.press("black")
        await game.told()
        assert (len(game.ears[HALL].sounds), len(game.ears[TABLE].sounds)) == (0, heard)


async def test_only_the_arbiter_and_only_displays(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        for station, code in (("white", "only_the_arbiter"), ("display", "display_only_shows")):
            assert (await game.do(station, cmd.DelayDisplay(delay_s=0))).outcome.code == code
        for name in ("white", "nobody"):
            refused = await game.do("arbiter", cmd.DelayDisplay(delay_s=30, station=name))
            assert refused.outcome.code == "not_admitted"
        assert game.table.state.stations.display_delays == ()
