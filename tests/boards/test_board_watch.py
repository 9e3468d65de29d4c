"""A sensing board: touches, moves in any order of hands, wobbling, fallen pieces; never a wrong move silently."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import chess
import pytest

from server.boards.event import BoardEvent, Lifted, Link, Placed, Snapshot
from server.boards.squares import of_board, of_occupied, of_placement
from server.boards.watch import BoardWatch, Found, LinkChanged, MoveSensed, TouchSensed, UnexpectedBoard
from server.game.values.position import Position
from tests.bench.noisy_boards import Counts, play
from tests.table.hands import Hands

START = Position.from_board(chess.Board())
KINDS = [(occupancy, snapshots) for occupancy in (False, True) for snapshots in (False, True)]


class Table:
    """The record of one board, as the table would keep it from what the watch finds."""

    def __init__(self, watch: BoardWatch, position: Position = START) -> None:
        self.watch, self.position, self.before = watch, position, position
        self.found: list[Found] = []
        self.now = 0

    def feed(self, events: Iterable[BoardEvent]) -> None:
        for event in events:
            self.wait_until(event.at)
            self.watch, found = self.watch.take(event, self.position)
            self._take(found)

    def wait_until(self, now: int) -> None:
        while (due := self.watch.due()) is not None and due <= now:
            self.now = max(self.now, due)
            self.watch, found = self.watch.look(due, self.position, self.before)
            self._take(found)

    def _take(self, found: Iterable[Found]) -> None:
        for one in found:
            self.found.append(one)
            if isinstance(one, MoveSensed):
                base = self.before if one.instead else self.position
                self.keeps(base, base.after(one.uci.replace("?", "q")))

    def keeps(self, before: Position, position: Position) -> None:
        """The record of this board is another one now."""
        self.before, self.position = before, position
        self.watch = self.watch.compare(self.now, position)

    def moves(self) -> list[str]:
        return [one.uci for one in self.found if isinstance(one, MoveSensed)]

    def touches(self) -> list[tuple[str, str]]:
        return [(one.square, one.how) for one in self.found if isinstance(one, TouchSensed)]

    def odd(self) -> list[UnexpectedBoard]:
        return [one for one in self.found if isinstance(one, UnexpectedBoard)]


def games(shared_data: Path, number: int) -> list[list[str]]:
    lines = (shared_data / "games" / "real-games.san").read_text("utf-8").splitlines()
    return [line.split() for line in lines if line.strip() and not line.startswith("#")][:number]


@pytest.mark.parametrize(("occupancy", "snapshots"), KINDS)
def test_real_games_are_read_from_any_kind_of_board(shared: Path, occupancy: bool, snapshots: bool) -> None:
    for seed, sans in enumerate(games(shared / "data", 12)):
        board, hands = chess.Board(), Hands(seed, occupancy=occupancy, snapshots=snapshots)
        table = Table(BoardWatch(occupancy=occupancy))
        wanted = []
        for san in sans:
            move = board.parse_san(san)
            table.feed(list(hands.play(board, move)))
            hands.now += 4_000  # nobody presses here
            table.wait_until(hands.now)
            board.push(move)
            wanted.append(move.uci()[:4] + ("?" if occupancy and move.promotion else move.uci()[4:]))
            if move.promotion:  # the table asks which
                table.keeps(table.before, Position.from_board(board))
        assert table.moves() == wanted
        assert not table.odd()


def drawn(hands: Hands, square: str, *, down: int) -> list[BoardEvent]:
    piece, event = hands.lift(chess.parse_square(square))
    return [event, hands.put(chess.parse_square(square), piece, after=down)]


@pytest.mark.law("L188")
def test_wobbling_in_the_hole_is_no_lift() -> None:
    hands = Hands(1, occupancy=True, snapshots=False)
    table = Table(BoardWatch(occupancy=True))
    table.feed(drawn(hands, "e2", down=90))
    table.wait_until(hands.now + 5_000)
    assert table.touches() == []
    table.feed(drawn(hands, "e2", down=400))
    table.wait_until(hands.now + 5_000)
    assert table.touches() == [("e2", "lifted")]
    assert table.moves() == [] and table.odd() == []


def test_a_piece_slid_over_squares_arrives_where_it_was_let_go() -> None:
    hands = Hands(2, occupancy=False, snapshots=True, board=chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))
    position = Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    table = Table(BoardWatch(), position)
    rook, event = hands.lift(chess.A1)
    events = [event]
    for square in (chess.A2, chess.A3, chess.A4):
        events.append(hands.put(square, rook, after=120))
        if square != chess.A4:
            events.append(hands.lift(square, after=200)[1])
    table.feed(events)
    table.wait_until(hands.now + 5_000)
    assert table.moves() == ["a1a4"]


def test_an_illegal_move_is_the_move_that_was_made() -> None:
    hands = Hands(3, occupancy=True, snapshots=True)
    table = Table(BoardWatch(occupancy=True))
    board = chess.Board()
    table.feed(hands.play(board, chess.Move.from_uci("b1b3")))
    table.wait_until(hands.now + 5_000)
    assert table.moves() == ["b1b3"]


@pytest.mark.parametrize(("occupancy", "snapshots"), KINDS)
def test_pieces_knocked_over_are_told_once_and_forgotten_when_they_stand_again(
    occupancy: bool, snapshots: bool
) -> None:
    hands = Hands(4, occupancy=occupancy, snapshots=snapshots)
    table = Table(BoardWatch(occupancy=occupancy))
    fallen = []
    for square in (chess.D1, chess.D2, chess.E1, chess.E2, chess.F1):
        piece, event = hands.lift(square, after=20)
        fallen.append((square, piece))
        table.feed([event])
    table.wait_until(hands.now + 20_000)
    hands.now += 20_000
    assert len(table.odd()) == 1 and table.moves() == []
    for square, piece in fallen:
        table.feed([hands.put(square, piece)])
    table.wait_until(hands.now + 20_000)
    assert len(table.odd()) == 1 and table.moves() == []
    table.feed(hands.play(chess.Board(), chess.Move.from_uci("g1f3")))
    table.wait_until(hands.now + 20_000)
    assert table.moves() == ["g1f3"]


def test_two_moves_in_one_message_are_both_taken() -> None:
    board = chess.Board()
    table = Table(BoardWatch())
    table.feed([Snapshot(1_000, of_board(board))])
    board.push_uci("e2e4")
    board.push_uci("c7c5")
    table.feed([Snapshot(9_000, of_board(board))])
    table.wait_until(20_000)
    assert table.moves() == ["e2e4", "c7c5"]


def test_a_board_not_yet_moved_by_hand_is_no_move() -> None:
    """The record has moved this board by the words; the hands follow later, or do otherwise."""
    table = Table(BoardWatch())
    table.feed([Snapshot(1_000, of_board(chess.Board()))])
    table.wait_until(10_000)
    table.keeps(START, START.after("e2e4"))
    table.feed([Lifted(11_000, "e2", "P"), Placed(11_600, "e2", "P")])
    table.wait_until(40_000)
    assert table.moves() == [] and table.odd() == []
    table.feed([Lifted(41_000, "e2", "P"), Placed(41_600, "e3", "P")])
    table.wait_until(60_000)
    assert [one for one in table.found if isinstance(one, MoveSensed)] == [
        MoveSensed(41_600, "e2e3", instead=True, on=START.placement)
    ]


@pytest.mark.law("L054")
def test_a_press_with_a_piece_in_the_hand_is_told_and_nothing_is_guessed() -> None:
    board = chess.Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    table = Table(BoardWatch(occupancy=True), Position.from_board(board))
    hands = Hands(5, occupancy=True, snapshots=False, board=board)
    table.feed([hands.lift(chess.E4)[1]])
    table.wait_until(hands.now + 30_000)
    assert not table.odd(), "the player thinks with it in the hand"
    table.watch = table.watch.press(hands.now + 30_000)
    table.wait_until(hands.now + 60_000)
    assert [one.squares for one in table.odd()] == [("e4",)] and table.moves() == []
    hands.now += 60_000
    table.feed([hands.lift(chess.D5)[1], hands.put(chess.D5, chess.Piece.from_symbol("P"))])
    table.wait_until(hands.now + 10_000)
    assert table.moves() == ["e4d5"]


def test_the_same_news_twice_and_a_link_that_comes_and_goes() -> None:
    table = Table(BoardWatch())
    snapshot = of_placement("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")
    table.feed([Link(1_000, "down", "no cable"), Link(2_000, "down", "no cable"), Link(3_000, "up")])
    table.feed([Snapshot(4_000, snapshot), Snapshot(4_100, snapshot), Snapshot(9_000, snapshot)])
    table.wait_until(20_000)
    assert [one for one in table.found if isinstance(one, LinkChanged)] == [
        LinkChanged(1_000, "down", "no cable"),
        LinkChanged(3_000, "up", ""),
    ]
    assert table.moves() == ["e2e4"]


@pytest.mark.parametrize("fen, uci", [("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a4"), (chess.STARTING_FEN, "e2e4")])
def test_without_names_a_move_that_came_in_one_message_is_told_and_not_taken(fen: str, uci: str) -> None:
    """After a lost message two half-moves may look like this one."""
    board = chess.Board(fen)
    table = Table(BoardWatch(occupancy=True), Position.from_board(board))
    table.feed([Snapshot(1_000, of_occupied(int(board.occupied)))])
    board.push_uci(uci)
    table.feed([Snapshot(9_000, of_occupied(int(board.occupied)))])
    table.wait_until(40_000)
    assert table.moves() == [] and len(table.odd()) == 1


def test_without_names_what_was_left_over_is_no_arrival() -> None:
    """The record was set right, the board still shows a man on e5 that nobody sees: g3 lifted is not g3-e5."""
    board = chess.Board("4k3/8/8/8/8/6N1/8/4K3 w - - 0 1")
    table = Table(BoardWatch(occupancy=True), Position.from_board(board))
    table.feed([Placed(1_000, "e5")])
    table.wait_until(30_000)
    assert len(table.odd()) == 1
    right = Position.from_board(chess.Board("4k3/8/8/8/8/6N1/8/5K2 w - - 0 1"))
    table.keeps(right, right)
    table.feed([Lifted(31_000, "e1"), Placed(31_500, "f1")])
    table.wait_until(40_000)
    table.feed([Lifted(41_000, "g3")])
    table.wait_until(70_000)
    assert table.moves() == []


def test_without_names_a_piece_in_the_hand_and_one_put_back_are_no_capture() -> None:
    board = chess.Board("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1")
    hands = Hands(7, occupancy=True, snapshots=False, board=board)
    table = Table(BoardWatch(occupancy=True), Position.from_board(board))
    knight, lifted = hands.lift(chess.E3)
    table.feed([lifted, *drawn(hands, "d5", down=400)])
    table.wait_until(hands.now + 2_000)
    assert table.moves() == [], "the player may still hold the knight"
    hands.now += 2_000
    table.feed([hands.put(chess.G4, knight)])
    table.wait_until(hands.now + 20_000)
    assert table.moves() == [] and len(table.odd()) == 1, "e3-g4 or e3xd5 and something: the arbiter looks"


def test_without_names_a_capture_counts_at_the_press_or_when_it_has_stood() -> None:
    board = chess.Board("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1")
    for pressed, waits in ((True, 900), (False, 3_200)):
        hands = Hands(8, occupancy=True, snapshots=True, board=board)
        table = Table(BoardWatch(occupancy=True), Position.from_board(board))
        table.feed(hands.play(board, chess.Move.from_uci("e3d5")))
        if pressed:
            table.watch = table.watch.press(hands.now)
        table.wait_until(hands.now + (700 if pressed else 2_900))
        early = table.moves()
        table.wait_until(hands.now + waits)
        assert table.moves() == ["e3d5"] and (pressed or early == [])


def test_a_hand_that_moves_before_the_record_has_the_move_before_is_read() -> None:
    """A slow disk: the opponent's move that this board showed is on record only while the own one is carried out."""
    watch = BoardWatch(occupancy=True)
    for event in (Lifted(1_000, "e2"), Placed(1_500, "e4")):
        watch, _ = watch.take(event, START)
    watch, found = watch.look(3_000, START, START)
    assert [one.uci for one in found if isinstance(one, MoveSensed)] == ["e2e4"]
    for event in (Lifted(3_500, "e7"), Placed(4_000, "e5")):
        watch, _ = watch.take(event, START)  # nobody could look meanwhile
    after = START.after("e2e4")
    watch, found = watch.compare(4_100, after).look(6_000, after, START)
    assert [one.uci for one in found if isinstance(one, MoveSensed)] == ["e7e5"]


@pytest.mark.parametrize("occupancy", [False, True])
def test_whole_boards_that_nobody_looked_at_in_between_show_a_capture(occupancy: bool) -> None:
    """A busy machine takes the lift of what is captured and the arrival one after the other, and looks only then."""
    board = chess.Board("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1")
    position = Position.from_board(board)
    for seed in range(4):  # what is lifted first is drawn
        hands = Hands(seed, occupancy=occupancy, snapshots=True, board=board)
        watch = BoardWatch(occupancy=occupancy)
        for event in hands.play(board, chess.Move.from_uci("e3d5")):
            watch, _ = watch.take(event, position)
        _, found = watch.press(hands.now).look(hands.now + 2_000, position, position)
        assert [one.uci for one in found if isinstance(one, MoveSensed)] == ["e3d5"]


def test_without_names_a_board_that_the_arbiter_set_right_is_read_again() -> None:
    """A capture whose lift was lost: on d5 stands another man than the board believes, and only the record knows."""
    board = chess.Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    table = Table(BoardWatch(occupancy=True), Position.from_board(board))
    table.feed([Lifted(1_000, "e4")])
    table.watch = table.watch.press(3_000)
    table.wait_until(20_000)
    assert len(table.odd()) == 1 and table.moves() == []
    board.push_uci("e4d5")
    right = Position.from_board(board)
    table.keeps(right, right)
    table.feed([Lifted(30_000, "e8"), Placed(30_500, "d8")])
    table.wait_until(50_000)
    assert table.moves() == ["e8d8"] and len(table.odd()) == 1


def test_without_names_a_piece_in_the_hand_when_the_cable_fell_out_is_told_and_not_taken() -> None:
    """Nobody saw what was done while the board was out of reach."""
    table = Table(BoardWatch(occupancy=True))
    after = chess.Board()
    after.push_uci("e2e4")
    table.feed([Lifted(1_000, "e2"), Link(2_000, "down"), Link(5_000, "up")])
    table.feed([Snapshot(5_001, of_occupied(int(after.occupied)))])
    table.wait_until(40_000)
    assert table.moves() == [] and len(table.odd()) == 1


@pytest.mark.law("L037")
def test_what_would_be_announced_is_read_when_it_was_let_go() -> None:
    """Held still over its square is not released (4.7): a press, or a long time, tells that it is."""
    board = chess.Board()
    for pressed, after, wanted in ((False, 2_900, []), (False, 3_100, ["e2e4"]), (True, 800, ["e2e4"])):
        hands = Hands(9, occupancy=False, snapshots=True)
        table = Table(BoardWatch(announced=True))
        table.feed(hands.play(board, chess.Move.from_uci("e2e4")))
        if pressed:
            table.watch = table.watch.press(hands.now)
        table.wait_until(hands.now + after)
        assert table.moves() == wanted


@pytest.mark.parametrize(("occupancy", "snapshots"), [(False, True), (True, True), (True, False)])
def test_noise_never_makes_a_wrong_move_silently(shared: Path, occupancy: bool, snapshots: bool) -> None:
    """Lost, doubled, delayed and overtaken messages: the right move, or the arbiter is told (the bench plays more)."""
    for loss in (0.02, 0.1, 0.25):
        counts = Counts()
        for seed, sans in enumerate(games(shared / "data", 5)):
            play(sans, seed, occupancy=occupancy, snapshots=snapshots, loss=loss, counts=counts)
        assert counts.silent == [] and counts.right > counts.told
        assert counts.right + counts.late + counts.told == counts.plies
