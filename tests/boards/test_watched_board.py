"""A sensing board at a real table: hands in, the record out; the players hear nothing of it."""

from __future__ import annotations

from pathlib import Path

import chess
import msgspec
import pytest

from server.boards.event import BoardEvent, ClockShown, Lifted, Link, Placed
from server.boards.watch import BoardWatch
from server.boards.watched_board import WatchedBoard
from server.game.acts import Alerted
from server.game.values.words import ClockMaster, Origin, Seat
from server.game.views import messages as msg
from speech.announcements.announce import announce, text_of
from speech.words.loading import load_scheme
from tests.table.hands import Hands
from tests.table.open_hall import Played, played

SCHEME = load_scheme("d21", "de")
OPERA = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 O-O"


async def settled(game: Played, desk: WatchedBoard) -> None:
    """The desk has found what there was to find, and the table has taken it."""
    for _ in range(80):
        await desk.reported_all()
        await game.pass_time(100)
    await desk.reported_all()


async def hands_do(game: Played, desk: WatchedBoard, events: list[BoardEvent]) -> None:
    for event in events:
        await game.pass_time(300)
        await desk.reported_all()
        desk.take(msgspec.structs.replace(event, at=game.clock.mono_ms()))
    await settled(game, desk)


def alerts(game: Played) -> list[str]:
    told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [one.kind for one in told if isinstance(one, Alerted)]


@pytest.mark.law("L182", "L188", "L189")
async def test_a_game_by_voice_and_hands(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        boards = {seat: WatchedBoard(game.table, game.clock, seat, occupancy=seat is Seat.WHITE) for seat in Seat}
        hands = {
            seat: Hands(int(seat is Seat.BLACK), occupancy=seat is Seat.WHITE, snapshots=seat is Seat.BLACK)
            for seat in Seat
        }
        try:
            board = chess.Board()
            for san in OPERA.split():
                move = board.parse_san(san)
                mover = Seat.WHITE if board.turn else Seat.BLACK
                for seat in (mover, mover.other):
                    await hands_do(game, boards[seat], list(hands[seat].play(board, move)))
                    if seat is mover:
                        await game.type(mover.value, text_of(announce(board, move, SCHEME)), "announce")
                        await game.press(mover.value)
                board.push(move)
                for seat in Seat:
                    assert game.table.state.board_of(seat).position.placement == board.board_fen(), (san, seat)
            state = game.table.state
            assert state.moves.line == tuple(move.uci() for move in board.move_stack)
            assert all(one.executed_ms is not None for one in state.moves.plies)
            lifts = [one for one in state.rulings.touches if one.how == "lifted" and one.origin is Origin.SENSED]
            assert len(lifts) > len(board.move_stack)
        finally:
            for desk in boards.values():
                await desk.close()


async def test_a_board_that_is_pulled_out_moves_on_where_it_is_plugged_in_again(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        desk = WatchedBoard(game.table, game.clock, Seat.BLACK)
        try:
            desk.take(Link(game.clock.mono_ms(), "down", "no cable"))
            await settled(game, desk)
            await game.type("white", "e4", "announce")
            await game.press("white")
            hands = Hands(1, occupancy=False, snapshots=True)
            list(hands.play(chess.Board(), chess.Move.from_uci("e2e4")))
            after = chess.Board()
            after.push_uci("e2e4")
            events = list(hands.play(after, chess.Move.from_uci("g8f6")))
            desk.take(Link(game.clock.mono_ms(), "up"))
            await hands_do(game, desk, events[-1:])
            assert game.table.state.moves.line == ("e2e4", "g8f6")
        finally:
            await desk.close()


async def test_what_a_busy_machine_took_in_one_millisecond_is_read_in_its_order(tmp_path: Path) -> None:
    """Lines that waited in the port come at once: the order tells the lift from the arrival."""
    async with played(tmp_path) as game:
        desk = WatchedBoard(game.table, game.clock, Seat.WHITE, occupancy=True)
        try:
            await game.pass_time(1_000)
            now = game.clock.mono_ms()
            for event in (Lifted(now, "e2"), Placed(now, "e4")):
                desk.take(event)
            await settled(game, desk)
            assert (
                game.table.state.moves.white_board.position.placement == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
            )
            assert "board_odd" not in alerts(game)
        finally:
            await desk.close()


async def test_what_a_board_senses_reaches_no_player(tmp_path: Path) -> None:
    """The same sounds and presses, with a board that shows something else: the same bytes for both players."""
    received = []
    for square in ("e4", "e3"):
        async with played(tmp_path / square) as game:
            desk = WatchedBoard(game.table, game.clock, Seat.WHITE, occupancy=True)
            try:
                move = chess.Move.from_uci(f"e2{square}")
                await hands_do(game, desk, list(Hands(2, occupancy=True, snapshots=False).play(chess.Board(), move)))
                await game.type("white", "e4", "announce")
                await game.press("white")
                await settled(game, desk)
                received.append([game.ears[seat].as_bytes() for seat in ("white", "black")])
                differs = b"board_differs" in b"".join(game.ears["arbiter"].as_bytes())
                assert differs is (square == "e3")
            finally:
                await desk.close()
    assert received[0] == received[1]


async def test_the_clock_of_a_board_can_be_the_master(tmp_path: Path) -> None:
    async with played(tmp_path, master=ClockMaster.LIVECHESS) as game:
        desk = WatchedBoard(game.table, game.clock, Seat.BLACK)
        try:
            desk.take(ClockShown(game.clock.mono_ms(), 61_000, 59_000))
            await settled(game, desk)
            assert game.table.state.time.clock_read is not None and game.table.state.time.clock_read[1:] == (
                61_000,
                59_000,
            )
        finally:
            await desk.close()


@pytest.mark.law("L049")
async def test_a_press_on_the_clock_of_a_board_completes_the_move(tmp_path: Path) -> None:
    """A LiveChess clock leads: who stops their own time there has pressed (6.2.1); ours alone never does it."""
    for master, completes in ((ClockMaster.LIVECHESS, True), (ClockMaster.SERVER, False)):
        async with played(tmp_path / master.value, master=master) as game:
            desk = WatchedBoard(game.table, game.clock, Seat.BLACK)
            try:
                for text, running in (("e4", Seat.WHITE), ("", Seat.BLACK)):
                    if text:
                        await game.type("white", text, "announce")
                    desk.take(ClockShown(game.clock.mono_ms(), 61_000, 59_000, running))
                    await settled(game, desk)
                (record,) = game.table.state.moves.plies
                assert record.completed is completes
                desk.take(Link(game.clock.mono_ms(), "down"))
                desk.take(Link(game.clock.mono_ms(), "up"))
                desk.take(ClockShown(game.clock.mono_ms(), 61_000, 59_000, Seat.WHITE))
                await settled(game, desk)
                assert game.table.state.made_plies == int(completes), "what was pressed while nobody saw is not guessed"
            finally:
                await desk.close()


async def test_a_promotion_on_a_board_without_names_is_the_piece_that_was_announced(tmp_path: Path) -> None:
    async with played(tmp_path, fen="8/4P1k1/8/8/8/8/8/4K3 w - - 0 1") as game:
        desk = WatchedBoard(game.table, game.clock, Seat.WHITE, occupancy=True)
        try:
            board = chess.Board("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
            hands = Hands(3, occupancy=True, snapshots=False, board=board)
            await hands_do(game, desk, list(hands.play(board, chess.Move.from_uci("e7e8n"))))
            assert game.table.state.moves.line == (), "nobody has said which piece"
            await game.type("white", "e8 Springer", "announce")
            await settled(game, desk)
            await game.press("white")
            assert game.table.state.moves.line == ("e7e8n",)
            assert game.table.state.moves.white_board.position.placement.startswith("4N3")
        finally:
            await desk.close()


def moved(uci: str) -> list[BoardEvent]:
    hands = Hands(0, occupancy=False, snapshots=False)
    return list(hands.play(chess.Board(), chess.Move.from_uci(uci)))


async def test_a_fault_of_ours_in_one_finding_silences_no_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path) as game:
        desk = WatchedBoard(game.table, game.clock, Seat.WHITE)
        try:
            with monkeypatch.context() as broken:
                broken.setattr(BoardWatch, "look", lambda *_: 1 // 0)
                await hands_do(
                    game,
                    desk,
                    list(Hands(0, occupancy=False, snapshots=False).play(chess.Board(), chess.Move.from_uci("e2e4"))),
                )
            with monkeypatch.context() as broken:
                broken.setattr(WatchedBoard, "_body", lambda *_: 1 // 0)
                desk.take(Link(game.clock.mono_ms(), "down"))
                await settled(game, desk)
            await hands_do(
                game,
                desk,
                list(Hands(0, occupancy=False, snapshots=False).play(chess.Board(), chess.Move.from_uci("d2d4"))),
            )
            assert game.table.state.board_of(Seat.WHITE).position.placement.endswith("/3P4/8/PPP1PPPP/RNBQKBNR")
        finally:
            await desk.close()
