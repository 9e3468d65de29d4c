"""What the core costs: decide and apply a move, against python-chess asking if it is legal and pushing it.

Run it from the repo's root: `python -m tests.bench.core [--games 20] [--rounds 5]`. Machines differ; ratios count.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import chess
import click
import msgspec
from rich.console import Console
from rich.table import Table

from server.game import acts as cmd
from server.game.acts import AnyEvent, Command, Refusal
from server.game.decide.decide import decide
from server.game.game import Game
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values import position
from server.game.values.announcement import Announcement
from server.game.values.time_control import TimeControl
from server.game.values.words import Origin, Role, Seat, SeatKind, SeatPlan
from server.wording.words import announcement_of
from speech.announcements.announce import said_of

PLIES = 200


class Measured(msgspec.Struct, frozen=True):
    """Microseconds of each repetition of one thing."""

    name: str
    micros: list[float]
    per: str


def random_game(seed: int, plies: int) -> list[chess.Move]:
    """A game of `plies` legal plies; another one is tried where it ends too soon."""
    chance = random.Random(seed)
    while True:
        board = chess.Board()
        while len(board.move_stack) < plies and (moves := list(board.legal_moves)):
            board.push(chance.choice(moves))
        if len(board.move_stack) == plies:
            return board.move_stack


def spoken(game: list[chess.Move]) -> list[Announcement]:
    """What the players say of each move."""
    board, said = chess.Board(), []
    for move in game:
        said.append(announcement_of(said_of(board, move)))
        board.push(move)
    return said


def opened() -> tuple[GameState, list[AnyEvent]]:
    """A table of two tactile players that has started."""
    plan = SeatPlan(SeatKind.TACTILE)
    state, events = GameState(), list[AnyEvent]()
    start = chess.STARTING_FEN
    for body in (
        cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("5400+30"), start_fen=start),
        cmd.Admit(station="white", role=Role.PLAYER, seat=Seat.WHITE),
        cmd.Admit(station="black", role=Role.PLAYER, seat=Seat.BLACK),
        cmd.StartGame(),
    ):
        state = take(state, events, "program", body, 0)
    return state, events


def take(state: GameState, events: list[AnyEvent], station: str, body: cmd.AnyAct, now: int) -> GameState:
    """Decide a command and apply what it brings about."""
    decided = decide(state, Command(id="0" * 32, table="t", station=station, body=body), now)
    assert not isinstance(decided, Refusal), decided
    for event in decided:
        state = apply(state, event)
        events.append(event)
    return state


def core_moves(said: list[Announcement]) -> tuple[list[float], list[AnyEvent]]:
    """Microseconds of each ply: announced, pressed, echoed; and all events."""
    state, events = opened()
    micros = []
    for number, announcement in enumerate(said):
        mover, other = ("white", "black") if number % 2 == 0 else ("black", "white")
        say = cmd.Say(announcement=announcement, words=("w",), text="text", origin=Origin.HEARD, act="announce")
        echo = cmd.Say(announcement=announcement, words=("w",), text="text", origin=Origin.HEARD)
        began = time.perf_counter_ns()
        state = take(state, events, mover, say, number * 1_000)
        state = take(state, events, mover, cmd.Press(), number * 1_000)
        state = take(state, events, other, echo, number * 1_000)
        micros.append((time.perf_counter_ns() - began) / 1_000)
    assert None not in state.moves.line and len(state.moves.line) == len(said)
    return micros, events


def floor_moves(game: list[chess.Move]) -> list[float]:
    """Microseconds of each ply: is it legal, push it."""
    board, micros = chess.Board(), []
    for move in game:
        began = time.perf_counter_ns()
        assert board.is_legal(move)
        board.push(move)
        micros.append((time.perf_counter_ns() - began) / 1_000)
    return micros


def timed(work: Callable[[], object]) -> float:
    """Microseconds of one call that finds nothing remembered from the one before."""
    position._board_at.cache_clear()
    position._after.cache_clear()
    began = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - began) / 1_000


def measure(games: int, rounds: int) -> list[Measured]:
    """Every way in every round, so that a busy machine burdens all alike; the first is the floor of the moves."""
    played = [random_game(seed, PLIES) for seed in range(games)]
    said = [spoken(game) for game in played]
    floor, core, replayed, pushed, decoded = (list[float]() for _ in range(5))
    for _ in range(rounds):
        for game, words in zip(played, said, strict=True):
            floor += floor_moves(game)
            micros, events = core_moves(words)
            core += micros
            replayed.append(timed(lambda events=events: Game.replay(events)))  # type: ignore[misc]
            bodies = [msgspec.json.encode(event) for event in events]
            decoder = msgspec.json.Decoder(AnyEvent)
            decoded.append(
                timed(lambda bodies=bodies, decoder=decoder: Game.replay(map(decoder.decode, bodies)))  # type: ignore[misc]
            )
            pushed.append(sum(floor_moves(game)))
    return [
        Measured("python-chess: legal? and push", floor, "ply"),
        Measured("core: announce, press, echo (three commands)", core, "ply"),
        Measured(f"python-chess: {PLIES} plies", pushed, "game"),
        Measured(f"core: replay {PLIES} plies from events", replayed, "game"),
        Measured(f"core: replay {PLIES} plies from JSON", decoded, "game"),
    ]


def shown(measured: list[Measured]) -> Table:
    """The table of results; each ratio is to python-chess over the same stretch."""
    table = Table(title="Core: time of decide and apply")
    for heading in ("what", "per", "median µs", "99 % µs", "ratio of medians"):
        table.add_column(heading, justify="left" if heading in ("what", "per") else "right")
    floors = {"ply": statistics.median(measured[0].micros), "game": statistics.median(measured[2].micros)}
    for one in measured:
        median = statistics.median(one.micros)
        high = sorted(one.micros)[int(len(one.micros) * 0.99)]
        table.add_row(one.name, one.per, f"{median:.0f}", f"{high:.0f}", f"{median / floors[one.per]:.1f}")
    return table


@click.command()
@click.option("--games", default=10, show_default=True, help="Random games of 200 plies.")
@click.option("--rounds", default=3, show_default=True, help="How often each is played.")
def main(games: int, rounds: int) -> None:
    """Measure and print."""
    Console(width=110).print(shown(measure(games, rounds)))


if __name__ == "__main__":
    main()
