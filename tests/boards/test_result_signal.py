"""The kings in the middle at the end of a game: a result for the arbiter to confirm, and no move (8.7, D.2.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess
import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from server.app import build_app
from server.boards.boards import BoardSettings
from server.boards.event import BoardEvent, Lifted, Placed, Snapshot
from server.boards.result_signal import signal_seen
from server.boards.squares import of_board
from server.boards.watch import BoardWatch, MoveSensed, ResultShown
from server.desk.settling import load_settling, offers_of
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.decide.decide import decide
from server.game.state.apply import apply
from server.game.values.position import Position
from server.game.values.words import Mode, Seat
from server.game.views.alerts import AlertCard, alert_cards
from server.game.views.messages import Ended, Recorded
from server.settings import Settings
from server.web.keys import BOARDS
from server.wording.details import told_in
from tests.boards.test_board_watch import Table
from tests.game.core_table import CoreTable
from tests.game.core_table import played as core_played
from tests.table.hands import Hands
from tests.table.open_hall import Played, played
from tests.waiting import PATIENCE_S

# Both kings far from the middle, men of both sides in it: they are pushed aside or taken off.
FEN = "r3k3/ppp5/8/4p3/3P4/8/PPP5/R3K3 w - - 0 1"
RESULTS = {
    ("e4", "d5"): "1-0",
    ("d4", "e5"): "0-1",
    ("e4", "e5"): "1/2-1/2",
    ("d4", "d5"): "1/2-1/2",
    ("d4", "e4"): "1/2-1/2",
    ("d5", "e5"): "1/2-1/2",
}
ALL = [(pair, turned) for pair in RESULTS for turned in (False, True)]


def hand_of(position: str, *, occupancy: bool, snapshots: bool, seed: int = 1) -> Hands:
    return Hands(seed, occupancy=occupancy, snapshots=snapshots, board=chess.Board(position))


def signal(hands: Hands, squares: Sequence[str], order: str = "white first") -> Iterator[BoardEvent]:
    """The hands show a result: what stands in the way is taken off, then the kings are set down."""
    targets = dict(zip(chess.COLORS, map(chess.parse_square, squares), strict=True))  # White's, Black's
    for square in targets.values():
        if (there := hands.on.piece_at(square)) is not None and there.piece_type != chess.KING:
            yield hands.lift(square)[1]
    colors = chess.COLORS if order != "black first" else chess.COLORS[::-1]
    homes = {color: next(iter(hands.on.pieces(chess.KING, color))) for color in chess.COLORS}
    if order == "both lifted":
        held = []
        for color in colors:
            piece, event = hands.lift(homes[color])
            held.append((color, piece))
            yield event
        for color, piece in held:
            yield hands.put(targets[color], piece)
        return
    for color in colors:
        piece, event = hands.lift(homes[color])
        yield event
        yield hands.put(targets[color], piece)


def shown(table: Table) -> list[tuple[tuple[str, ...], str | None]]:
    return [(one.squares, one.result) for one in table.found if isinstance(one, ResultShown)]


@pytest.mark.law("L099", "L189")
@pytest.mark.parametrize("occupancy", [False, True], ids=["pieces", "occupancy"])
@pytest.mark.parametrize("order", ["white first", "black first", "both lifted"])
@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize(("squares", "turned"), ALL)
def test_the_kings_in_the_middle_are_a_result_and_no_move(
    squares: tuple[str, str], turned: bool, order: str, occupancy: bool, announced: bool
) -> None:
    """DGT's rule: both on white squares 1-0, both on black ones 0-1, one on each drawn; in either order."""
    watch = BoardWatch(occupancy=occupancy, announced=announced)
    table = Table(watch, Position.from_board(chess.Board("r3k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1")))
    hands = hand_of("r3k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1", occupancy=occupancy, snapshots=False)
    table.feed(signal(hands, squares[::-1] if turned else squares, order))
    table.wait_until(60_000)
    assert table.moves() == [] and not table.odd()
    (told,) = shown(table)
    assert (set(told[0]), told[1]) == (set(squares), RESULTS[squares])


@pytest.mark.law("L099")
@pytest.mark.parametrize("snapshots", [False, True])
@pytest.mark.parametrize("squares", list(RESULTS))
def test_what_stood_in_the_middle_is_taken_off(squares: tuple[str, str], snapshots: bool) -> None:
    table = Table(BoardWatch(), Position.from_board(chess.Board(FEN)))
    table.feed(signal(hand_of(FEN, occupancy=False, snapshots=snapshots), squares))
    table.wait_until(60_000)
    assert table.moves() == []
    assert shown(table)[-1] == (tuple(sorted(squares, key=chess.parse_square)), RESULTS[squares])


def test_both_kings_in_one_message_and_all_men_set_up_anew() -> None:
    """The next game is set up already, and the kings show how the last one ended."""
    board = chess.BaseBoard("rnbq1bnr/pppppppp/8/3k4/4K3/8/PPPPPPPP/RNBQ1BNR")
    table = Table(BoardWatch(), Position.from_board(chess.Board(FEN)))
    table.feed([Snapshot(1_000, of_board(board))])
    table.wait_until(60_000)
    assert table.moves() == [] and shown(table) == [(("e4", "d5"), "1-0")]


@pytest.mark.parametrize("occupancy", [False, True], ids=["pieces", "occupancy"])
def test_one_king_alone_is_held_and_told_after_a_while(occupancy: bool) -> None:
    table = Table(BoardWatch(occupancy=occupancy), Position.from_board(chess.Board("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1")))
    table.feed([Lifted(1_000, "e8", None if occupancy else "k"), Placed(1_500, "e5", None if occupancy else "k")])
    table.wait_until(9_000)
    assert table.moves() == [] and shown(table) == []
    table.wait_until(60_000)
    assert shown(table) == [(("e5",), None)] and not table.odd()


@pytest.mark.law("L037")
@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("4k3/p7/8/8/8/4K3/P7/8 w - - 0 1", "e3e4"),
        ("4k3/p7/8/8/8/4K3/P7/8 w - - 0 1", "e3d4"),
        ("8/p7/4k3/8/8/8/P7/4K3 b - - 0 1", "e6d5"),
        ("4k3/p7/8/3p4/4K3/8/P7/8 w - - 0 1", "e4d5"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
        ("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", "e1e3"),  # illegal, and not in the middle
        ("4k3/p7/8/8/4Q3/8/P7/4K3 w - - 0 1", "e4d5"),
    ],
)
@pytest.mark.parametrize("occupancy", [False, True], ids=["pieces", "occupancy"])
def test_a_king_within_its_step_castling_and_other_men_make_moves(fen: str, uci: str, occupancy: bool) -> None:
    board = chess.Board(fen)
    table = Table(BoardWatch(occupancy=occupancy), Position.from_board(board))
    table.feed(hand_of(fen, occupancy=occupancy, snapshots=False).play(board, chess.Move.from_uci(uci)))
    table.wait_until(60_000)
    assert table.moves() == [uci] and shown(table) == []


NEAR = [
    ("8/p7/8/3k4/8/4K3/P7/8 w - - 0 1", ["e3e4"], "1-0"),
    ("8/p7/8/3k4/8/3K4/P7/8 w - - 0 1", ["d3d4"], "1/2-1/2"),
    ("8/p7/3k4/8/4K3/8/P7/8 b - - 0 1", ["d6d5"], "1-0"),
    ("8/p7/3k4/8/8/4K3/P7/8 w - - 0 1", ["e3e4", "d6d5"], "1-0"),  # after a legal step of the first
    ("8/p7/4k3/8/8/3K4/P7/8 b - - 0 1", ["e6e5", "d3d4"], "0-1"),
    ("8/p7/4k3/8/8/3K4/P7/8 w - - 0 1", ["d3d4", "e6e5"], "0-1"),
]


@pytest.mark.law("L099", "L189")
@pytest.mark.parametrize("occupancy", [False, True], ids=["pieces", "occupancy"])
@pytest.mark.parametrize("presses", [False, True])
@pytest.mark.parametrize(("fen", "steps", "result"), NEAR)
def test_a_step_beside_the_other_king_is_a_move_only_with_its_press(
    fen: str, steps: list[str], result: str, presses: bool, occupancy: bool
) -> None:
    """Kings near the middle show a result by steps alone; nobody presses after that (8.7), as after an illegal move."""
    board = chess.Board(fen)
    table = Table(BoardWatch(occupancy=occupancy), Position.from_board(board))
    hands = hand_of(fen, occupancy=occupancy, snapshots=False)
    for number, uci in enumerate(steps):
        table.feed(hands.play(board, chess.Move.from_uci(uci)))
        board.push(chess.Move.from_uci(uci))
        table.wait_until(20_000 * (number + 1))
        hands.now = 20_000 * (number + 1)
    assert table.moves() == steps[:-1] and [one[1] for one in shown(table)] == [result]
    if presses:
        table.watch = table.watch.press(hands.now)
        table.wait_until(hands.now + 20_000)
        assert table.moves() == steps and shown(table)[-1] == ((), None)


@pytest.mark.parametrize("occupancy", [False, True], ids=["pieces", "occupancy"])
@pytest.mark.parametrize(("first", "other"), [("d4", "e5"), ("e4", "d5"), ("e5", "e4")])
def test_kings_put_back_take_it_back_and_the_game_goes_on(first: str, other: str, occupancy: bool) -> None:
    fen = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"
    table = Table(BoardWatch(occupancy=occupancy), Position.from_board(chess.Board(fen)))
    hands = hand_of(fen, occupancy=occupancy, snapshots=False)
    table.feed(signal(hands, (first, other)))
    table.wait_until(20_000)
    hands.now = 20_000
    for square, home in ((first, "e1"), (other, "e8")):
        piece, event = hands.lift(chess.parse_square(square))
        table.feed([event])
        table.feed([hands.put(chess.parse_square(home), piece)])
    table.wait_until(40_000)
    assert table.moves() == [] and shown(table)[-1] == ((), None)
    hands.now = 40_000
    table.feed(hands.play(chess.Board(fen), chess.Move.from_uci("e1d2")))
    table.wait_until(60_000)
    assert table.moves() == ["e1d2"]


def test_another_result_replaces_the_one_that_was_shown() -> None:
    fen = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"
    table = Table(BoardWatch(), Position.from_board(chess.Board(fen)))
    hands = hand_of(fen, occupancy=False, snapshots=False)
    table.feed(signal(hands, ("e4", "d5")))
    table.wait_until(20_000)
    hands.now = 20_000
    piece, event = hands.lift(chess.D5)
    table.feed([event, hands.put(chess.E5, piece, after=300)])
    table.wait_until(40_000)
    assert [one for one in shown(table) if one[1]] == [(("e4", "d5"), "1-0"), (("e4", "e5"), "1/2-1/2")]
    assert ((), None) in shown(table)


def test_a_king_said_to_go_there_has_made_that_move_whether_words_or_hand_came_first() -> None:
    """D.2.3: an illegal move is the move that was made."""
    for words_first in (True, False):
        watch = BoardWatch().hear_of_kings(0, frozenset({"e5"} if words_first else ()))
        table = Table(watch, Position.from_board(chess.Board("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1")))
        table.feed([Lifted(1_000, "e8", "k"), Placed(1_500, "e5", "k")])
        table.wait_until(3_000)
        if not words_first:
            assert table.moves() == []
            table.watch = table.watch.hear_of_kings(3_000, frozenset({"e5"}))
        table.wait_until(20_000)
        assert table.moves() == ["e8e5"] and shown(table) == []


def test_a_move_put_right_before_the_press_is_no_result() -> None:
    """The king's step e5-e6 becomes e5-d4: from where it stood it is one step."""
    before = chess.Board("8/p7/8/4k3/8/8/P7/7K b - - 0 1")
    after = before.copy()
    after.push_uci("e5e6")
    table = Table(BoardWatch(), Position.from_board(before))
    table.keeps(Position.from_board(before), Position.from_board(after))
    table.feed([Snapshot(500, of_board(after)), Lifted(1_000, "e6", "k"), Placed(1_500, "d4", "k")])
    table.wait_until(20_000)
    assert [(one.uci, one.instead) for one in table.found if isinstance(one, MoveSensed)] == [("e5d4", True)]
    assert shown(table) == []


def test_a_kings_step_into_the_middle_is_a_move_and_the_other_king_beyond_its_step_shows_the_result() -> None:
    board = chess.Board("4k3/p7/8/8/8/4K3/P7/8 w - - 0 1")
    table = Table(BoardWatch(), Position.from_board(board))
    hands = hand_of(board.fen(), occupancy=False, snapshots=False)
    table.feed(hands.play(board, chess.Move.from_uci("e3e4")))
    table.wait_until(10_000)
    hands.now = 10_000
    king, event = hands.lift(chess.E8)
    table.feed([event, hands.put(chess.D5, king, after=300)])
    table.wait_until(60_000)
    assert table.moves() == ["e3e4"] and shown(table) == [(("e4", "d5"), "1-0")]


def test_a_board_that_lacks_a_king_shows_nothing() -> None:
    board = chess.BaseBoard("8/8/8/3k4/4K3/8/8/8")
    position = Position.from_board(chess.Board("4k3/8/8/8/8/8/8/8 w - - 0 1"))
    assert signal_seen(position, of_board(board)) is None


# What becomes of it at the table


class Record:
    """The events of a table as they are recorded, each alert with its saying."""

    def __init__(self, *moves: str, started: bool = True) -> None:
        table = core_played(*moves) if started else CoreTable(started=False)
        self.state, self.now, self.count = table.state, table.now, 0

    def do(self, body: cmd.AnyAct, station: str = PROGRAM) -> tuple[ev.AnyEvent, ...]:
        self.count += 1
        command = cmd.Command(id=f"{self.count:032x}", table="t", station=station, body=body)
        decided = decide(self.state, command, self.now)
        assert not isinstance(decided, Refusal)
        for event in decided:
            self.state = apply(self.state, event)
        return decided

    def signal(self, seat: Seat, squares: str, result: Any = "") -> tuple[ev.AnyEvent, ...]:
        return self.do(cmd.NoteBoard(seat=seat, what="signal", squares=tuple(squares.split()), result=result))

    def cards(self) -> list[AlertCard]:
        found = alert_cards(self.state, load_settling().kinds)
        return [one for one in found if one.kind == "result_signal"]


def details(events: Sequence[ev.AnyEvent]) -> list[str]:
    return [told_in(one.said, "en") for one in events if isinstance(one, ev.Alerted) and one.said is not None]


@pytest.mark.law("L099")
@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2"])
def test_the_arbiter_is_told_which_result_it_means_and_confirms_it_with_one_touch(result: str) -> None:
    """8.7: the program ends no game."""
    record = Record("e4", "e5")
    (alerted,) = record.signal(Seat.BLACK, "e4 d5", result)
    assert isinstance(alerted, ev.Alerted) and (alerted.kind, alerted.grey) == ("result_signal", True)
    assert details([alerted]) == [f"Black's board: the kings on e4 d5 show {result}; no move was made of it"]
    assert not record.state.over and record.state.time.clock.running is Seat.WHITE
    (card,) = record.cards()
    offers = offers_of(card, record.state)
    assert [(one.name, one.form) for one in offers][:2] == [("result_shown", False), ("result", True)]
    body = {"do": "rule_result", "result": result, "reason": "result_signal"}
    assert offers[0].body == body
    record.do(msgspec.convert(body, cmd.RuleResult), "arbiter")
    assert record.state.ending.result == result and record.cards() == []


@pytest.mark.law("L099")
def test_of_one_king_no_result_is_offered_without_the_arbiter_naming_it() -> None:
    record = Record("e4", "e5")
    assert details(record.signal(Seat.BLACK, "e5")) == [
        "Black's board: one king stands on e5, beyond its step: perhaps a result is being shown; no move was made of it"
    ]
    assert offers_of(record.cards()[0], record.state)[0].form


@pytest.mark.law("L099")
def test_after_the_end_only_another_result_is_told() -> None:
    record = Record("e4", "e5")
    record.do(cmd.RuleResult(result="1-0", reason="resigned"), "arbiter")
    assert record.signal(Seat.WHITE, "e4 d5", "1-0") == () == record.signal(Seat.WHITE, "e4")
    assert details(record.signal(Seat.WHITE, "d4 e5", "0-1")) == [
        "White's board: the kings on d4 e5 show 0-1, but 1-0 is recorded"
    ]


def test_kings_put_back_settle_the_alert_of_that_board_alone_and_another_result_replaces_it() -> None:
    record = Record("e4", "e5")
    for seat in Seat:
        record.signal(seat, "e4 d5", "1-0")
    assert {one.seat for one in record.cards()} == set(Seat)
    (settled_,) = record.signal(Seat.BLACK, "")
    assert isinstance(settled_, ev.AlertSettled)
    assert [one.seat for one in record.cards()] == [Seat.WHITE]
    record.signal(Seat.WHITE, "e4 e5", "1/2-1/2")
    (card,) = record.cards()
    assert offers_of(card, record.state)[0].body["result"] == "1/2-1/2"
    assert record.signal(Seat.BLACK, "") == ()


def test_while_the_boards_are_being_set_up_and_before_the_game_nothing_is_a_result() -> None:
    """The kings of the last game may stand in the middle still: then the board is to be set up."""
    record = Record("e4", "e5")
    record.do(cmd.OpenDesk(), "arbiter")
    assert record.signal(Seat.WHITE, "e4 d5", "1-0") == ()
    before = Record(started=False)
    (alerted,) = before.signal(Seat.WHITE, "e4 d5", "1-0")
    assert isinstance(alerted, ev.Alerted) and alerted.kind == "board_odd"
    assert before.signal(Seat.WHITE, "") == ()


ROOKS = "r3k3/ppp5/8/8/8/8/PPP5/R3K3 b q - 0 1"


def shown_to_the_arbiter(game: Played) -> list[str]:
    told_there = game.ears["arbiter"].of(Recorded)
    found = [one for one in told_there if isinstance(one.event, ev.Alerted)]
    return [one.told["en"] for one in found if one.told is not None and one.event.kind == "result_signal"]


@pytest.mark.law("L099", "L182")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
async def test_a_board_behind_a_program_of_ones_own_shows_a_result(tmp_path: Path, mode: Mode) -> None:
    """In relay the opponent heard "König Eva fünf"; no clock stops, no line grows, and no player hears anything."""
    async with played(tmp_path, fen=ROOKS, mode=mode) as game:
        settings = Settings(boards=(BoardSettings(name="b", table="t1", seat=Seat.BLACK, driver="bridge"),))
        app = build_app(game.hall, settings)
        async with TestClient(TestServer(app)) as client:
            key = {"Authorization": f"Bearer {(tmp_path / 'boards' / 'b.key').read_text().strip()}"}
            await game.told()
            before = {seat: len(game.ears[seat].received) for seat in ("white", "black")}
            for number, placement in enumerate(("r7/ppp5/8/4k3/8/8/PPP5/R3K3", "r7/ppp5/8/4k3/3K4/8/PPP5/R7")):
                body = {"number": number, "placement": placement}
                assert (await client.post("/api/boards/b", json=body, headers=key)).status == 204
                for _ in range(40):
                    await game.pass_time(100)
                    await asyncio.gather(*(desk.reported_all() for desk in app[BOARDS]._desks))
            async with asyncio.timeout(PATIENCE_S):
                while not shown_to_the_arbiter(game):
                    await game.pass_time(50)
                    await asyncio.gather(*(desk.reported_all() for desk in app[BOARDS]._desks))
                    await asyncio.sleep(0.01)  # the clock of the game may not run away from the board's own task
            assert shown_to_the_arbiter(game) == ["Black's board: the kings on d4 e5 show 0-1; no move was made of it"]
            state = game.table.state
            assert state.moves.plies == () and state.time.clock.running is Seat.BLACK and not state.over
            assert {seat: len(game.ears[seat].received) for seat in ("white", "black")} == before
            card = next(one for one in alert_cards(state, load_settling().kinds) if one.kind == "result_signal")
            offer = offers_of(card, state)[0]
            await game.done("arbiter", msgspec.convert(offer.body, cmd.RuleResult))
            assert game.ears["white"].of(Ended)[-1].result == "0-1"
