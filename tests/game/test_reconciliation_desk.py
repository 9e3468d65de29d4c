"""The flow at the reconciliation desk (D.2.9): put down, look, decide, confirm square by square, go on."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, only

E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
E4_E6 = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR"


def drifted() -> CoreTable:
    """1.e4 e5; the tactile board shows e6."""
    table = CoreTable()
    for seat, other, text in (("white", "black", "e4"), ("black", "white", "e5")):
        table.say(seat, text)
        table.wait(5_000)
        table.press(seat)
        table.say(other, text)
    return table


@pytest.mark.law("L197")
def test_the_scores_agree_and_the_board_that_deviates_is_set_while_the_clocks_stand() -> None:
    table = drifted()
    opened = table.done("arbiter", cmd.OpenDesk(reason="the boards differ"))
    (put_down,) = only(opened, ev.DeskOpened)
    assert put_down.snapshot.turn is Seat.WHITE and put_down.snapshot.made_plies == 2
    assert only(opened, ev.ClockPaused) and table.state.time.clock.running is None
    times = (put_down.snapshot.white_ms, put_down.snapshot.black_ms)
    assert table.do("arbiter", cmd.Resume()) == Refusal("desk_open", "D.2.9")
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    assert table.placement(Seat.WHITE) != E4_E6, "what the arbiter saw changes no board of the record"
    table.done("arbiter", cmd.TypeCell(seat=Seat.WHITE, ply=2, text="e5"))
    assert table.do("arbiter", cmd.ConfirmBoard(board=Seat.WHITE)) == Refusal("not_decided", "D.2.9")
    decided = table.done(
        "arbiter",
        cmd.DecideDesk(kind="adjust", verdict="same_record", ply=2, placement=E4_E5, turn=Seat.WHITE),
    )
    (decision,) = only(decided, ev.DeskDecided)
    assert [(one.square, one.should_be) for one in decision.white] == [("e5", "p"), ("e6", None)]
    told = {id: view(decision, table.state, table.state.stations.find(id)) for id in ("white", "black", "arbiter")}  # type: ignore[arg-type]
    assert isinstance(told["white"], msg.BoardToSet)
    table.now += 60_000
    table.done("arbiter", cmd.ConfirmBoard(board=Seat.WHITE))
    assert table.state.desk is not None
    assert table.do("arbiter", cmd.Resume()) == Refusal("desk_open", "D.2.9")
    closed = table.done("arbiter", cmd.ConfirmBoard(board=Seat.BLACK))
    assert [event.reason for event in only(closed, ev.DeskClosed)] == ["confirmed"]
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) == E4_E5
    reading = table.state.time.clock.reading(table.now)
    assert (reading.white_ms, reading.black_ms) == times, "no clock is touched"
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L197")
def test_the_scores_differ_and_both_boards_go_back_with_the_times_of_that_ply() -> None:
    table = drifted()
    record = table.ply(1)
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.DecideDesk(kind="back", verdict="differ", ply=1, times="stored"))
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) == E4
    assert table.state.made_plies == 1 and [len(line) for line in table.state.moves.discarded] == [1]
    for seat in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=seat))
    table.done("arbiter", cmd.Resume())
    reading = table.state.time.clock.reading(table.now)
    assert (reading.white_ms, reading.black_ms, reading.running) == (record.white_ms, record.black_ms, Seat.BLACK)


@pytest.mark.law("L197")
def test_only_the_server_is_wrong_it_is_mended_and_nobody_is_told_anything() -> None:
    """The words were heard as e5, both boards and both scores have e6 (G13)."""
    table = drifted()
    table.done("arbiter", cmd.OpenDesk())
    nothing = cmd.DecideDesk(kind="mend", verdict="out_of_step")
    assert table.do("arbiter", nothing) == Refusal("no_position", "D.2.9"), "nobody has said what it should be"
    for board in Seat:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=E4_E6))
    decided = table.done("arbiter", nothing)
    assert table.state.desk is None and table.state.moves.line == ("e2e4", "e7e6") and not table.state.moves.out_of_step
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) == E4_E6
    assert [one.differs for one in only(decided, ev.DeskDecided)] == [()]
    for event in decided:
        shown = [view(event, table.state, table.state.stations.find(id)) for id in ("white", "black")]  # type: ignore[arg-type]
        own = [one.placement for one in shown if isinstance(one, msg.BoardShown)]  # as it stands, on the player's page
        assert own in ([], [E4_E6]) and shown[0] is None
    table.done("arbiter", cmd.Resume())
    assert only(table.say("white", "d4"), ev.Alerted) == []


@pytest.mark.law("L194")
def test_a_dictated_cell_is_provisional_until_it_was_heard_and_no_score_is_written_at_the_desk() -> None:
    table = drifted()
    scores = [table.score(seat) for seat in Seat]
    table.done("arbiter", cmd.OpenDesk())
    heard = table.done("arbiter", cmd.HearCell(seat=Seat.WHITE, ply=1))
    assert [event.ply for event in only(heard, ev.CellHeard)] == [1]
    assert table.do("arbiter", cmd.HearCell(seat=Seat.WHITE, ply=9)) == Refusal("no_such_ply", "D.2.7")
    table.done("arbiter", cmd.TypeCell(seat=Seat.BLACK, ply=1, text="d4"))
    assert [table.score(seat) for seat in Seat] == scores
    assert table.state.desk is not None and [one.text for one in table.state.desk.cells] == ["d4"]
    table.done("arbiter", cmd.TypeCell(seat=Seat.BLACK, ply=1, text=""))
    assert table.state.desk.cells == ()


def test_the_desk_is_the_arbiters_alone() -> None:
    table = drifted()
    assert table.do("white", cmd.OpenDesk()) == Refusal("only_the_arbiter", "12.3")
    assert table.do("arbiter", cmd.ConfirmBoard(board=Seat.WHITE)) == Refusal("no_desk", "D.2.9")
    table.done("arbiter", cmd.OpenDesk())
    odd = cmd.DecideDesk(kind="mend", placement="9/8")
    assert table.do("arbiter", odd) == Refusal("no_position", "D.2.9")
    assert table.do("arbiter", cmd.OpenDesk()) == Refusal("desk_open", "D.2.9")
    assert table.do("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement="9/8")) == Refusal("no_position", "D.2.9")
    table.done("arbiter", cmd.CloseDesk(reason="they agree"))
    table.done("arbiter", cmd.Resume())


def test_what_hands_do_on_sensing_boards_at_the_open_desk_is_no_move() -> None:
    table = drifted()
    table.done("arbiter", cmd.OpenDesk(reason="the boards differ"))
    before = table.state
    assert not table.own(cmd.SenseMove(seat=Seat.BLACK, uci="e2e4"))
    assert not table.own(cmd.SenseMove(seat=Seat.WHITE, uci="g1f3"))
    assert not table.own(cmd.NoteBoard(seat=Seat.BLACK, what="odd", squares=("e5",)))
    assert table.state.moves.plies == before.moves.plies and table.state.moves.white_board == before.moves.white_board
    assert only(table.own(cmd.NoteBoard(seat=Seat.BLACK, what="down")), ev.Alerted), "the arbiter minds the link"
    table.done("arbiter", cmd.CloseDesk())
    assert only(table.own(cmd.SenseMove(seat=Seat.WHITE, uci="g1f3")), ev.BoardMoved)


def test_no_desk_between_the_order_to_seal_and_the_resumption() -> None:
    table = CoreTable(regulations=EventOptions(guidelines=("I",)))
    table.done("arbiter", cmd.OrderSeal(key="key"))
    assert table.do("arbiter", cmd.OpenDesk()) == Refusal("adjourned", "I.7")


def step(event: ev.AnyEvent, table: CoreTable, id: str) -> object:
    return view(event, table.state, table.state.stations.find(id))  # type: ignore[arg-type]


@pytest.mark.law("L197")
def test_a_tactile_player_sets_their_board_square_by_square_and_yes_asks_for_the_next() -> None:
    table = drifted()
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    table.done("arbiter", cmd.OpenDesk())
    for board in Seat:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=E4_E6))
    decided = table.done("arbiter", cmd.DecideDesk(kind="adjust", verdict="same_record", ply=2, placement=E4_E5))
    (first,) = only(decided, ev.SquareAsked)
    assert (first.seat, first.number, first.of, first.square, first.should_be) == (Seat.WHITE, 1, 2, "e5", "p"), (
        "the sighted player reads the list"
    )
    assert step(first, table, "white") == msg.SquareToSetNow(square="e5", should_be="p", number=1, of=2)
    assert step(first, table, "black") is None
    (again,) = only(table.done("white", cmd.Confirm(yes=False)), ev.SquareAsked)
    assert again.square == "e5", "no: it does not stand yet"
    (again,) = only(table.done("white", cmd.Ask(what="last")), ev.SquareAsked)
    assert again.square == "e5", "repeat"
    (second,) = only(table.done("white", cmd.Confirm(yes=True)), ev.SquareAsked)
    assert (second.number, second.square, second.should_be) == (2, "e6", None)
    said = table.done("white", cmd.Confirm(yes=True))
    (stands,) = only(said, ev.BoardSaidSet)
    assert step(stands, table, "white") == msg.SquareToSetNow(square=None)
    assert step(stands, table, "black") is None and isinstance(step(stands, table, "arbiter"), msg.Recorded)
    assert table.placement(Seat.WHITE) != E4_E6, "White's word sets no board of the record"
    assert table.state.setting is not None and table.state.setting.confirmed == (), "and confirms nothing"
    assert table.state.setting.said == (Seat.WHITE,)
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    assert only(table.done("white", cmd.Ask(what="last")), ev.SquareAsked) == []


def test_a_board_confirmed_by_the_arbiter_asks_its_player_nothing_more() -> None:
    table = drifted()
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    table.done("arbiter", cmd.DecideDesk(kind="adjust", verdict="same_record", ply=2, placement=E4_E5))
    table.done("arbiter", cmd.ConfirmBoard(board=Seat.WHITE))
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")


def test_an_offer_that_waits_for_a_yes_is_not_taken_for_a_square() -> None:
    table = drifted()
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    table.done("arbiter", cmd.DecideDesk(kind="adjust", verdict="same_record", ply=2, placement=E4_E5))
    table.done("white", cmd.Propose(what="resign"))
    assert only(table.done("white", cmd.Confirm(yes=False)), ev.SquareAsked) == []
    assert only(table.done("white", cmd.Confirm(yes=True)), ev.SquareAsked)[0].number == 2
