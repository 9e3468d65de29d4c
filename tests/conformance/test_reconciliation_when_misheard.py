"""Two boards reconciled where the server itself was wrong (D.2.9, G13): a misheard, a missed and a doubled move.

Whole games through the real table and its journal, each with each of the three decisions; afterwards play goes on, and
at the end both boards, both scores, the believed line, the hall's display and the clocks are right.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.game import Game
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.journal.sqlite.reader import JournalReader
from server.wording.words import announcement_of, canonical, scheme_of
from speech.announcements.announce import said_of
from tests.table.open_hall import Played, played

OPERA = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7"
    " Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)
Kind = Literal["adjust", "back", "mend"]
KINDS: tuple[Kind, ...] = ("adjust", "back", "mend")
THINKS, INCREMENT, START = 1_500, 30_000, 5_430_000  # ms
GOES_ON = 14  # plies after the desk
SCHEME = scheme_of("d21", "de")
NOT_RIGHT = {"not_legal", "unresolved", "unheard", "board_not_followed", "board_differs", "echo_differs", "contested"}
WRONG: tuple[Any, ...] = (ev.Contested, ev.NotUnderstood)


def real_games(shared: Path) -> list[str]:
    """Real games of some length: where they are present from the shared data, else the one above."""
    kept = shared / "data" / "games" / "real-games.san"
    lines = kept.read_text("utf-8").splitlines() if kept.is_file() else []
    return [line for line in lines if len(line.split()) >= 40][:3] or [OPERA]


def words(board: chess.Board, move: chess.Move) -> str:
    """What a player says of a move."""
    return canonical(announcement_of(said_of(board, move)), SCHEME)[1]


def other_move(board: chess.Board, move: chess.Move, follows: chess.Move) -> chess.Move | None:
    """Another quiet move of the same man, after which the next move of the game can still be carried out by hand."""
    for one in board.legal_moves:
        if one.from_square != move.from_square or one == move or board.is_capture(one) or board.is_castling(one):
            continue
        there = board.copy()
        there.push(one)
        if there.piece_at(follows.from_square) == board.piece_at(follows.from_square) and follows.to_square not in (
            one.to_square,
            one.from_square,
        ):
            return one
    return None


class Room:
    """The table, and beside it what is true: what was played, what stands on the boards, what is written, the times."""

    def __init__(self, game: Played, sans: list[str]) -> None:
        self.game, self.sans = game, sans
        self.board = chess.Board()
        self.on = {seat: Position.from_fen(chess.STARTING_FEN) for seat in Seat}
        self.own: dict[Seat, list[str]] = {seat: [] for seat in Seat}  # both scores
        self.left = dict.fromkeys(Seat, START)
        self.kept = [(START, START)]
        self.at = 0  # alerts seen so far
        self.on_paper: list[tuple[int, str]] = []  # what Black has written and nobody could type in yet

    @property
    def state(self) -> GameState:
        return self.game.table.state

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(move.uci() for move in self.board.move_stack)

    @property
    def coming(self) -> chess.Move:
        return self.board.parse_san(self.sans[self.board.ply()])

    @property
    def mover(self) -> Seat:
        return Seat.WHITE if self.board.turn is chess.WHITE else Seat.BLACK

    async def thinks(self, seat: Seat) -> None:
        await self.game.pass_time(THINKS)
        self.left[seat] -= THINKS

    async def play(self, heard: chess.Move | None = None, instead: chess.Move | None = None) -> None:
        """The next move: announced, pressed, repeated. `heard`: what the server takes both sides' words for.

        `instead`: what White carries out on the tactile board.
        """
        move, mover = self.coming, self.mover
        text = words(self.board, heard or move)
        await self.thinks(mover)
        await self.game.speak(mover.value, text)
        await self.game.press(mover.value)
        self.left[mover] += INCREMENT
        await self.game.speak(mover.other.value, text)
        await self.written(words(self.board, move), heard_as=text)
        self.made(move, instead)

    def made(self, move: chess.Move, instead: chess.Move | None = None) -> None:
        """It stands on both boards."""
        for seat in Seat:
            hand = instead if instead is not None and seat is Seat.WHITE else move
            self.on[seat] = self.on[seat].after(hand.uci())
        self.board.push(move)
        self.kept.append((self.left[Seat.WHITE], self.left[Seat.BLACK]))

    async def written(self, text: str, heard_as: str | None = None) -> None:
        """White's score is what White dictates; Black writes on paper, and it is typed in.

        Where the server has missed moves it takes what is typed for written in advance.
        """
        ply = self.board.ply() + 1
        if ply > self.state.made_plies:
            self.on_paper.append((ply, text))
        else:
            await self.game.done("black", cmd.WriteScore(index=ply, text=text))
        self.own[Seat.BLACK][ply - 1 :] = [text]
        self.own[Seat.WHITE][ply - 1 :] = [heard_as or text]

    async def completes_score(self, ply: int, text: str) -> None:
        """White hears what the score has for a move, and puts right what was not understood."""
        await self.game.done("white", cmd.WriteScore(index=ply, text=text))
        self.own[Seat.WHITE][ply - 1] = text

    async def at_the_desk(self, decision: cmd.DecideDesk) -> None:
        """The clocks stand, both boards are read, the decision is carried out square by square, the game goes on."""
        await self.game.done("arbiter", cmd.OpenDesk(reason="the boards differ"))
        for seat in Seat:
            await self.game.done("arbiter", cmd.ShowBoard(board=seat, placement=self.on[seat].placement))
        told = {seat: len(self.game.ears[seat.value].messages) for seat in Seat}
        await self.game.done("arbiter", decision)
        moves = decision.moves or ()
        while self.board.ply() > len(moves):
            self.board.pop()
        del self.kept[len(moves) + 1 :]
        if decision.kind != "mend":
            for seat in Seat:
                await self.sets(seat, told[seat])
                assert self.on[seat].placement == self.board.board_fen(), "square by square to what was decided"
                await self.game.done("arbiter", cmd.ConfirmBoard(board=seat))
        assert self.state.desk is None and self.state.setting is None
        assert self.state.moves.line == moves, "the server's line is what the desk found"
        self.boards_right(executed=True)
        for ply, text in self.on_paper:
            if ply <= self.board.ply():
                await self.game.done("black", cmd.WriteScore(index=ply, text=text))
        self.on_paper.clear()
        await self.game.done("arbiter", cmd.Resume())
        self.at = len(self.alerts())

    async def sets(self, seat: Seat, since: int) -> None:
        """A tactile player sets one square after the other as told, a sighted one a list."""
        board = chess.BaseBoard(self.on[seat].placement)
        station, ear = seat.value, self.game.ears[seat.value]
        lists = [one for one in ear.messages[since:] if isinstance(one, msg.BoardToSet)]
        if seat is Seat.WHITE and lists:
            while (square := ear.of(msg.SquareToSetNow)[-1]).square is not None:
                put(board, square.square, square.should_be)
                await self.game.done(station, cmd.Confirm(yes=True))
        elif lists:
            for one in lists[-1].squares:
                put(board, one.square, one.should_be)
        self.on[seat] = self.on[seat].with_placement(board.board_fen(), self.mover)

    def alerts(self) -> list[str]:
        return [
            one.event.kind for one in self.game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.Alerted)
        ]

    def boards_right(self, *, executed: bool) -> None:
        """Both boards of the record are what stands there; unless it is said, the last move may be still to execute."""
        last = self.mover.other
        before = self.board.copy()
        assert self.state.board_of(last).position.placement == self.board.board_fen()
        if not executed:
            before.pop()
        assert self.state.board_of(last.other).position.placement == before.board_fen()
        shown = self.game.ears["display"].of(msg.Shown)[-1]
        assert shown.placement == self.board.board_fen(), "the hall's display"

    def clocks_right(self) -> None:
        clock, now = self.state.time.clock, self.game.clock.mono_ms()
        reading = clock.reading(now)
        assert (reading.white_ms, reading.black_ms) == (self.left[Seat.WHITE], self.left[Seat.BLACK])
        assert clock.turn is self.mover
        made = self.board.ply()
        assert (clock.white.moves, clock.black.moves) == ((made + 1) // 2, made // 2)

    async def goes_on(self) -> None:
        """Play goes on as if nothing had been: everything is right, and the arbiter is told of nothing wrong."""
        end = min(len(self.sans), self.board.ply() + GOES_ON)
        self.clocks_right()
        while self.board.ply() < end:
            await self.play()
        assert self.state.moves.line == self.moves
        position = self.state.position
        assert position is not None and position.placement == self.board.board_fen()
        self.boards_right(executed=False)
        assert all(self.on[seat].placement == self.board.board_fen() for seat in Seat)
        for seat, score in zip(Seat, (self.state.scores.white, self.state.scores.black), strict=True):
            assert [cell.text if cell else None for cell in score] == self.own[seat], f"{seat.value}'s score"
        assert self.game.ears["display"].of(msg.Shown)[-1].text == self.own[Seat.WHITE][-1]
        self.clocks_right()
        assert not NOT_RIGHT & set(self.alerts()[self.at :])


def put(board: chess.BaseBoard, square: str, should_be: str | None) -> None:
    board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(should_be) if should_be else None)


Scene = Callable[[Room, Kind], Awaitable[None]]


async def until_something_can_be_misheard(room: Room) -> chess.Move:
    """Play to a move of Black with which another one can be confused; that other one."""
    while True:
        ply = room.board.ply()
        if ply >= 9 and room.mover is Seat.BLACK:
            there = room.board.copy()
            there.push(room.coming)
            if (found := other_move(room.board, room.coming, there.parse_san(room.sans[ply + 1]))) is not None:
                return found
        await room.play()


async def misheard(room: Room, kind: Kind) -> None:
    """Both sides say one move, the server hears another one both times, and one more move is made."""
    heard = await until_something_can_be_misheard(room)
    ply, text = room.board.ply() + 1, words(room.board, room.coming)
    await room.play(heard=heard, instead=heard if kind == "adjust" else None)
    assert room.state.moves.line[-1] == heard.uci() != room.moves[-1]
    await room.play()
    moves = room.moves
    if kind == "back":  # after the next move the scores differ
        await room.play()
        await room.play()
        moves = room.moves[:-2]
        room.left = dict(zip(Seat, room.kept[len(moves)], strict=True))
    await room.at_the_desk(cmd.DecideDesk(kind=kind, verdict=VERDICT[kind], ply=len(moves), moves=moves))
    record = room.state.ply(ply)
    assert record is not None and record.utterance is not None and record.white_ms is not None, "its sound and times"
    await room.completes_score(ply, text)


async def missed(room: Room, kind: Kind, *, pressed: bool) -> None:
    """A move of each is made that the server has no ply for: nothing heard, not pressed or pressed while it stood."""
    heard = await until_something_can_be_misheard(room)
    del heard
    await room.play()
    texts = []
    if pressed:
        await room.game.done("arbiter", cmd.Pause())
    for _ in range(2):
        move = room.coming
        texts.append(words(room.board, move))
        if pressed:
            await room.game.press(room.mover.value)
        else:
            await room.thinks(Seat.WHITE)  # nobody pressed: White's time runs all along
        await room.written(texts[-1])
        follows = room.board.copy()
        follows.push(move)
        wrong = other_move(room.board, move, follows.parse_san(room.sans[room.board.ply() + 1]))
        room.made(move, wrong if kind == "adjust" and room.mover is Seat.BLACK else None)
    assert len(room.state.moves.line) == room.board.ply() - 2
    ply = room.board.ply()
    moves = room.moves
    more: dict[str, Any] = {}
    if kind == "back":
        if pressed:
            await room.game.done("arbiter", cmd.Resume())
        await room.play()
        await room.play()
        room.board.pop(), room.board.pop()
        stored = cmd.DecideDesk(kind="back", verdict="differ", ply=ply, moves=moves)
        await room.game.done("arbiter", cmd.OpenDesk())
        outcome = (await room.game.do("arbiter", stored)).outcome
        assert (outcome.ok, outcome.code) == (False, "no_stored_times"), "the server was not there"
        await room.game.done("arbiter", cmd.CloseDesk())
        room.left = {Seat.WHITE: 5_000_000, Seat.BLACK: 4_900_000}
        more = {"times": "typed", "white_ms": 5_000_000, "black_ms": 4_900_000}
    await room.at_the_desk(cmd.DecideDesk(kind=kind, verdict=VERDICT[kind], ply=ply, moves=moves, **more))
    for index, text in zip((ply - 1, ply), texts, strict=True):
        await room.completes_score(index, text)


async def doubled(room: Room, kind: Kind) -> None:
    """After a move both buttons are pressed once more, and the server counts a move of each that nobody made."""
    wrong = await until_something_can_be_misheard(room)
    await room.play(instead=wrong if kind == "adjust" else None)
    for seat in Seat:
        await room.thinks(seat)
        await room.game.press(seat.value)
        room.left[seat] += INCREMENT
    assert len(room.state.moves.line) == room.board.ply() + 2
    moves, times = room.moves, None
    if kind == "back":
        moves = moves[:-1]
    if kind == "mend":
        times = "stored"
    if kind != "adjust":
        room.left = dict(zip(Seat, room.kept[len(moves)], strict=True))
    await room.at_the_desk(cmd.DecideDesk(kind=kind, verdict=VERDICT[kind], ply=len(moves), moves=moves, times=times))


VERDICT: dict[Kind, Any] = {"adjust": "same_record", "back": "differ", "mend": "out_of_step"}


async def reconciled(folder: Path, sans: list[str], kind: Kind, scene: Scene) -> None:
    """A whole game with one scene at the desk; what is on disk says the same as what was at the table."""
    async with played(folder) as game:
        room = Room(game, sans)
        await scene(room, kind)
        await room.goes_on()
        state = game.table.state
    with JournalReader.open(folder / "journal.sqlite") as journal:
        kept = [msgspec.json.decode(one.body, type=ev.AnyEvent) for one in journal.read("t1")]
    assert Game.replay(kept) == state, "the record replays to the same state"


@pytest.mark.law("L196", "L197", "L198")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_misheard_move(tmp_path: Path, shared: Path, kind: Kind) -> None:
    for number, line in enumerate(real_games(shared)):
        await reconciled(tmp_path / str(number), line.split(), kind, misheard)


@pytest.mark.law("L196", "L197", "L198")
@pytest.mark.parametrize("pressed", [True, False], ids=["pressed", "not pressed"])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_missed_move_of_each(tmp_path: Path, shared: Path, kind: Kind, pressed: bool) -> None:
    async def scene(room: Room, kind: Kind) -> None:
        await missed(room, kind, pressed=pressed)

    await reconciled(tmp_path, real_games(shared)[0].split(), kind, scene)


@pytest.mark.law("L196", "L197", "L198")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_doubled_move(tmp_path: Path, shared: Path, kind: Kind) -> None:
    await reconciled(tmp_path, real_games(shared)[0].split(), kind, doubled)
