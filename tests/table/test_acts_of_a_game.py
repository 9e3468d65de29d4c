"""What is required of a player over a whole game in `table` mode, and where everything stands at its end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import chess
import pytest

from server.game import acts as ev
from server.game.values.words import ClockMaster, Mode, Seat, SeatKind
from server.game.views import messages as msg
from server.wording.words import announcement_of, canonical, scheme_of
from speech.announcements.announce import said_of
from tests.table.open_hall import STATIONS, Played, played

APPENDIX_C = "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1"


async def play(game: Played, sans: list[str], *, stationless: Seat | None = None) -> tuple[chess.Board, list[str]]:
    """Speak and press per own move, speak the echo per opponent's move, and nothing else; the texts spoken."""
    board, texts = chess.Board(), []
    scheme = scheme_of("d21", "de")
    for san in sans:
        move = board.parse_san(san)
        _, text = canonical(announcement_of(said_of(board, move)), scheme)
        mover, other = ("white", "black") if board.turn == chess.WHITE else ("black", "white")
        await game.pass_time(1_500)
        if stationless is None or mover != stationless.value:
            await game.speak(mover, text)
            await game.press(mover)
        if stationless is None or other != stationless.value:
            await game.speak(other, text)
        board.push(move)
        texts.append(text)
    return board, texts


def checked(game: Played, board: chess.Board, texts: list[str], sans: list[str]) -> None:
    state = game.table.state
    assert list(state.moves.line) == [move.uci() for move in board.move_stack]
    assert [cell.text if cell else None for cell in state.scores.white] == texts, "the tactile player's own score"
    last_by = Seat.WHITE if len(sans) % 2 else Seat.BLACK
    assert state.board_of(last_by).position.placement == board.board_fen()
    before = board.copy()
    before.pop()
    assert state.board_of(last_by.other).position.placement == before.board_fen(), "carried out by the next own move"
    per_player = Counter(game.acts)
    moves = {"white": (len(sans) + 1) // 2, "black": len(sans) // 2}
    for player, count in moves.items():
        if per_player[(player, "press")]:
            assert per_player[(player, "press")] == count, "one press per own move"
            assert per_player[(player, "speak")] == len(sans), "one announcement per own move, one echo per other"
    arbiter = game.ears["arbiter"].of(msg.Recorded)
    assert not [one for one in arbiter if isinstance(one.event, ev.Contested | ev.NotUnderstood)]
    wrong = {one.event.kind for one in arbiter if isinstance(one.event, ev.Alerted)}
    assert wrong <= {"checkmate", "stalemate"}, wrong


@pytest.mark.law("L182", "L184", "L185", "L186", "L187", "L194")
@pytest.mark.parametrize("black", [SeatKind.SIGHTED, SeatKind.TACTILE])
async def test_the_sample_game_of_the_laws(tmp_path: Path, black: SeatKind) -> None:
    async with played(tmp_path, black=black) as game:
        board, texts = await play(game, APPENDIX_C.split())
        checked(game, board, texts, APPENDIX_C.split())
        assert [cell.text if cell else None for cell in game.table.state.scores.black] == (
            texts if black is SeatKind.TACTILE else []
        )
        clock = game.table.state.time.clock
        used = clock.time_used(Seat.WHITE, game.clock.mono_ms()), clock.time_used(Seat.BLACK, game.clock.mono_ms())
        assert used == (11 * 1_500, 10 * 1_500)


async def test_a_player_without_any_station_is_a_full_configuration(tmp_path: Path) -> None:
    only_white = tuple(station for station in STATIONS if station.id != "black")
    async with played(tmp_path, stations=only_white, master=ClockMaster.MANUAL) as game:
        board, texts = await play(game, APPENDIX_C.split(), stationless=Seat.BLACK)
        state = game.table.state
        assert list(state.moves.line) == [move.uci() for move in board.move_stack]
        assert [cell.text if cell else None for cell in state.scores.white] == texts
        assert state.moves.white_board.position.placement == board.board_fen()


async def test_the_ways_to_be_at_the_table_change_in_mid_game_and_no_clock_stops(tmp_path: Path) -> None:
    from server.game import acts as cmd

    sans = APPENDIX_C.split()
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="machine_announces", value="approved"))
        board = chess.Board()
        scheme = scheme_of("d21", "de")
        texts = []
        for number, san in enumerate(sans):
            await game.done("arbiter", cmd.SetMode(mode=list(Mode)[number % 3]))
            assert game.table.clock_runs
            move = board.parse_san(san)
            _, text = canonical(announcement_of(said_of(board, move)), scheme)
            mover, other = ("white", "black") if board.turn == chess.WHITE else ("black", "white")
            await game.pass_time(1_000)
            await game.speak(mover, text)
            await game.press(mover)
            await game.speak(other, text)
            board.push(move)
            texts.append(text)
        assert list(game.table.state.moves.line) == [move.uci() for move in board.move_stack]
        assert [cell.text if cell else None for cell in game.table.state.scores.white] == texts
        clock, now = game.table.state.time.clock, game.clock.mono_ms()
        assert clock.time_used(Seat.WHITE, now) + clock.time_used(Seat.BLACK, now) == len(sans) * 1_000


@pytest.mark.needs("shared")
async def test_real_games(tmp_path: Path, shared: Path) -> None:
    """Three real games, the longest among the first forty and two others."""
    games = (shared / "data" / "games" / "real-games.san").read_text().splitlines()[:40]
    longest = max(range(40), key=lambda number: len(games[number].split()))
    for number in (longest, 0, 17):
        sans = games[number].split()
        async with played(tmp_path / str(number)) as game:
            board, texts = await play(game, sans)
            checked(game, board, texts, sans)
