"""PGN a round, rewritten at every move: every ply with its clock; an illegal move stops no other game."""

from __future__ import annotations

import io
import re
import threading
from pathlib import Path

import chess
import chess.pgn
import pytest

import server.hall.round_files
from server.exports.table_pgn import pgn_of
from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.hall.hall import Hall
from server.machine.clock import ScriptedClock
from tests.table.open_hall import Played, reopened, turn


async def opened(hall: Hall, board: int) -> None:
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE, f"White {board}"),
        black=SeatPlan(SeatKind.SIGHTED, f"Black {board}"),
        control=TimeControl.parse("5400+30"),
        start_fen=chess.STARTING_FEN,
        event_name="Open",
        round="5",
        board=board,
    )
    table = await hall.open_table(body, f"r5-b{board}")
    for seat in Seat:
        await table.admit(Station(seat.value, Role.PLAYER, seat))
    await table.admit(Station("arbiter", Role.ARBITER))


async def test_the_round_is_rewritten_at_every_move(tmp_path: Path) -> None:
    file, seen = tmp_path / "rounds" / "round-5.pgn", []
    async with reopened(tmp_path) as (hall, clock):
        await opened(hall, 2)
        await opened(hall, 1)
        for board, words in ((1, "Eva vier"), (2, "Springer Bella eins Bella drei")):
            game = Played(hall, clock, hall.table(f"r5-b{board}"))
            game._count = board * 100
            await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
            await game.done("arbiter", cmd.StartGame())
            await game.type("white", words)
            await game.pass_time(7_000)
            await game.press("white")
            if board == 1:
                await turn(lambda: file.exists() and "[%clk 1:30:" in file.read_text("utf-8"))
                seen.append(file.read_text("utf-8"))
                await game.type("black", "Eva vier")
                await game.type("black", "Eva fünf")
                await game.pass_time(5_000)
                await game.press("black")
                await turn(lambda: file.read_text("utf-8") != seen[0])
                seen.append(file.read_text("utf-8"))
    assert "e5" not in seen[0] and "e5" in seen[1], "rewritten at every move"
    text = (tmp_path / "rounds" / "round-5.pgn").read_text("utf-8")
    stream = io.StringIO(text)
    first, second = chess.pgn.read_game(stream), chess.pgn.read_game(stream)
    assert first is not None and second is not None and chess.pgn.read_game(stream) is None
    assert [game.headers["Board"] for game in (first, second)] == ["1", "2"]
    assert [move.uci() for move in first.mainline_moves()] == ["e2e4", "e7e5"]
    assert all(node.clock() is not None for node in first.mainline())
    assert not list(second.mainline_moves()), "no knight goes there: the legal prefix is empty"
    assert "The record goes on with 1. Springer Bella eins Bella drei, not legal here (b1b3)." in second.comment
    assert not first.errors and not second.errors


async def test_no_press_waits_for_the_games_of_the_hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are written beside the loop, and of a round only the games that have changed."""
    written: list[tuple[str, bool]] = []

    def watched(state: GameState, date: str) -> str:
        written.append((state.table.white.name, threading.current_thread() is threading.main_thread()))
        return pgn_of(state, date)

    monkeypatch.setattr(server.hall.round_files, "pgn_of", watched)
    async with reopened(tmp_path) as (hall, clock):
        await opened(hall, 1)
        await opened(hall, 2)
        await hall._rounds.close()
        written.clear()
        game = Played(hall, clock, hall.table("r5-b1"))
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
    assert written == [("White 1", False)] * len(written) and written


async def _begun(game: Played) -> None:
    await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
    await game.done("arbiter", cmd.StartGame())


async def test_each_game_has_the_day_on_which_it_started(tmp_path: Path) -> None:
    """The server runs through an event of several days, and is started anew in the middle of it."""
    file, day_ms = tmp_path / "rounds" / "round-5.pgn", 24 * 3_600_000
    async with reopened(tmp_path) as (hall, clock):
        await opened(hall, 1)
        await opened(hall, 2)
        clock.advance(day_ms)
        await _begun(Played(hall, clock, hall.table("r5-b1")))
        await turn(lambda: '[Date "2023.11.15"]' in file.read_text("utf-8"))
    async with reopened(tmp_path, ScriptedClock(wall_ms=1_700_000_000_000 + 3 * day_ms)) as (hall, clock):
        game = Played(hall, clock, hall.table("r5-b2"))
        game._count = 1_000
        await _begun(game)
        await turn(lambda: "2023.11.17" in file.read_text("utf-8"))
        before = await hall.round_before("5", 60_000)
    dates = re.findall(r'\[Date "(.*)"\]', file.read_text("utf-8"))
    assert dates == ["2023.11.15", "2023.11.17"]
    assert re.findall(r'\[Date "(.*)"\]', before[-1][1]) == dates


@pytest.mark.law("L075")
async def test_the_new_game_of_a_cancelled_one_has_its_board_in_the_round(tmp_path: Path) -> None:
    """A broadcast finds a game by its players and board: of two such, it would show now one and now the other."""
    file = tmp_path / "rounds" / "round-5.pgn"
    async with reopened(tmp_path) as (hall, clock):
        await opened(hall, 1)
        await opened(hall, 2)
        game = Played(hall, clock, hall.table("r5-b2"))
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.type("white", "Eva vier")
        await game.press("white")
        await turn(lambda: "1. e4" in file.read_text("utf-8"))
        clock.advance(60_000)
        await game.done("arbiter", cmd.CancelGame(reason="a bishop stood wrong"))
        await turn(lambda: "1. e4" not in file.read_text("utf-8"))
        assert hall.has("r5-b2-game2")
        before = [games for _, games in await hall.round_before("5", 90_000)]
    text = file.read_text("utf-8")
    assert [text.count(f'[Board "{board}"]') for board in (1, 2)] == [1, 1]
    assert "1. e4" in before[0] and before[-1] == text, "what was sent before the game was cancelled stays as it was"
