"""The whole demonstration runs a real server in a data folder of its own, one table after the other."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from server.app import Listening, listening
from server.demo.account import Account
from server.demo.game_script import GameScript
from server.demo.mouth import Aloud
from server.demo.pacing import FastPace, Pace, RealPace
from server.demo.performance import Performance
from server.demo.results import Reached, compare_with_script, write_results
from server.game.acts import OpenTable
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import SeatKind, SeatPlan
from server.hall.engines import open_engines
from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.settings import Settings
from server.web.door.access import ACCESS, Place
from speech.complaint import Complaint, Phrase
from speech.voices.pyttsx3_voice import Pyttsx3Voice

TIME_CONTROL = "5400+30"
THINKING_FAST_MS = (3_000, 15_000)
THINKING_REAL_MS = (800, 2_500)


class Demonstration:
    """Demonstration of scripts, each at a table of its own.

    `aloud` plays a sound for the room, None keeps it quiet.
    """

    def __init__(self, out: Path, account: Account, *, fast: bool, aloud: Aloud | None) -> None:
        self._out = out
        self._account = account
        self._fast = fast
        self._aloud = aloud
        self._pace: Pace = FastPace() if fast else RealPace()

    async def play(self, scripts: Sequence[GameScript]) -> list[tuple[GameState, Reached]]:
        """Play the scripts, and return the states at the end and how far every move got.

        Raises Complaint where no recogniser or no voice works here.
        """
        settings = Settings(host="127.0.0.1", port=0)
        done: list[tuple[GameState, Reached]] = []
        players = Pyttsx3Voice()
        with (
            tempfile.TemporaryDirectory(prefix="anna-eins-demo-") as root,
            DataFolder.open(Path(root), lock=True) as data,
        ):
            async with open_engines(data, settings) as (ears, voice):
                if ears is None or voice is None:
                    raise Complaint(Phrase("demo.lacking", command="anna-eins doctor"))
                hall = await Hall.open(data, self._pace.clock, ears=ears, voice=voice, ear_clock=SystemClock())
                try:
                    async with listening(hall, settings, data) as server:
                        self._account.tell(f"A server stands at {server.local}; everybody joins it over the network.")
                        for number, script in enumerate(scripts):
                            done.append(await self._one(hall, server, script, number, players))
                finally:
                    await players.close()
                    await hall.close()
        return done

    async def _one(
        self, hall: Hall, server: Listening, script: GameScript, number: int, players: Pyttsx3Voice
    ) -> tuple[GameState, Reached]:
        folder = self._out / f"table-{number + 1}"
        (folder / "audio").mkdir(parents=True, exist_ok=True)
        plans = {
            "tactile": SeatPlan(SeatKind.TACTILE, "Player by touch", "de"),
            "sighted": SeatPlan(SeatKind.SIGHTED, "Sighted player", "en"),
        }
        white, black = ("tactile", "sighted") if script.tactile == "white" else ("sighted", "tactile")
        opening = OpenTable(
            white=plans[white],
            black=plans[black],
            control=TimeControl.parse(TIME_CONTROL),
            start_fen=script.start_fen,
            event_name=script.name,
        )
        table = await hall.open_table(opening, f"demo{number + 1}")
        self._account.chapter(f"Table {number + 1}: {script.name}")
        self._account.tell(f"White: {plans[white].name}. Black: {plans[black].name}. Time control {TIME_CONTROL}.")

        def invite(table: str) -> str:
            return server.app[ACCESS].invite(Place(table=table, page="arbiter"), admits=True).secret

        performance = Performance(
            script,
            number,
            server.local,
            invite,
            self._pace,
            players,
            self._account,
            folder / "audio",
            self._aloud,
            THINKING_FAST_MS if self._fast else THINKING_REAL_MS,
        )
        await performance.play(table.id)
        for file in write_results(table.state, script, folder):
            self._account.tell(f"Written: {file}")
        result = compare_with_script(table.state, script)
        self._account.tell(_verdict(result))
        return table.state, result


def _verdict(result: Reached) -> str:
    if result.all_moves_arrived:
        return f"Every one of the {result.plies} half-moves reached both boards and both scores."
    missing = [f"{seat}'s score" for seat, good in result.scores.items() if not good]
    missing += [f"{seat}'s board" for seat, good in result.boards.items() if not good]
    missing += [] if result.believed else ["the server's game"]
    return f"Not everything arrived: {', '.join(missing)} differ from what was played."
