"""Moves that a board sensed: the board's own truth beside the words, and a grey alert where the two differ."""

from __future__ import annotations

from collections.abc import Iterable

import chess
import pytest
from core_table import APPENDIX_C, CoreTable, only, said, spoken_in

from server.play import commands as cmd
from server.play import events as ev
from server.play.announcement import Announcement
from server.play.commands import PROGRAM, Refusal
from server.play.values import ClockMaster, Mode, Origin, Seat, SeatKind

BOTH = {"e2e4": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"}


def sense(table: CoreTable, seat: Seat, uci: str, *, instead: bool = False) -> tuple[ev.AnyEvent, ...]:
    return table.own(cmd.SenseMove(seat=seat, uci=uci, instead=instead))


def alerts(events: Iterable[ev.AnyEvent]) -> list[str]:
    return [alert.kind for alert in only(list(events), ev.Alerted)]


@pytest.mark.law("L028", "L182", "L189")
def test_a_whole_game_of_two_sensing_boards() -> None:
    table = CoreTable()
    board = chess.Board()
    for san in APPENDIX_C.split():
        move = board.parse_san(san)
        mover, other = (Seat.WHITE, Seat.BLACK) if board.turn else (Seat.BLACK, Seat.WHITE)
        table.done(mover.value, cmd.Say(announcement=spoken_in(board, move), words=(san,), text=san, act="announce"))
        made = sense(table, mover, move.uci())
        assert [event.origin for event in only(made, ev.Made)] == [Origin.SENSED]
        table.press(mover.value)
        carried = sense(table, other, move.uci())
        assert [event.origin for event in only(carried, ev.Executed)] == [Origin.SENSED]
        board.push(move)
        assert table.placement(mover) == table.placement(other) == board.board_fen()
        assert not {"board_odd", "board_differs", "board_not_followed"} & set(alerts(table.events))
    assert table.state.line == tuple(move.uci() for move in board.move_stack)


@pytest.mark.law("L028")
def test_at_the_sighted_board_a_move_is_made_when_it_stands_there_at_the_tactile_one_when_it_is_announced_too() -> None:
    table = CoreTable()
    assert not only(sense(table, Seat.WHITE, "e2e4"), ev.Made), "not announced (D.2.3.3)"
    table.say("white", "e4")
    table.press("white")
    assert table.ply(1).made and table.placement(Seat.WHITE) == BOTH["e2e4"]
    sense(table, Seat.BLACK, "e2e4")
    events = sense(table, Seat.BLACK, "e7e5")
    assert [event.origin for event in only(events, ev.Made)] == [Origin.SENSED]


def test_another_square_before_the_press_is_the_same_move_put_right() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    sense(table, Seat.BLACK, "e2e4")
    sense(table, Seat.BLACK, "e7e6")
    sense(table, Seat.BLACK, "e7e5", instead=True)
    table.press("black")
    assert table.state.line == ("e2e4", "e7e5")
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


@pytest.mark.law("L197")
def test_words_and_board_that_differ_are_the_arbiters_and_nobody_is_overruled() -> None:
    """21...Nf6-d5 executed as d7: the tactile player's words stand, so does what is on his board (D.2.9)."""
    table = CoreTable()
    table.say("white", "e4")
    events = sense(table, Seat.WHITE, "e2e3")
    assert alerts(events) == ["board_differs"] and only(events, ev.Alerted)[0].grey
    table.press("white")
    assert table.state.line == ("e2e4",), "what was announced"
    assert table.placement(Seat.WHITE) == "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR"
    events = sense(table, Seat.BLACK, "e2e3")
    assert alerts(events) == ["board_differs"]


def test_a_move_carried_out_otherwise_than_the_words_is_found_later_too() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.say("white", "e4")
    table.press("white")
    table.done("black", cmd.Execute())  # declared, as the words said
    events = sense(table, Seat.BLACK, "e2e3", instead=True)
    assert alerts(events) == ["board_differs"]
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR"
    assert table.placement(Seat.WHITE) == BOTH["e2e4"] and table.state.line == ("e2e4",)


def test_what_only_the_other_board_shows_is_what_the_server_believes_for_now() -> None:
    table = CoreTable()
    table.press("white")  # nothing heard
    sense(table, Seat.BLACK, "g1f3")
    assert table.state.line == ("g1f3",)


@pytest.mark.law("L189")
def test_a_move_read_just_before_the_press_that_knew_it_is_no_news() -> None:
    """The press came while it was on its way to the table; nobody is called for it, and nothing is moved twice."""
    for announced in ("e4", "e3"):
        table = CoreTable()
        on = table.placement(Seat.WHITE)
        table.say("white", announced)
        table.press("white")
        assert not table.own(cmd.SenseMove(seat=Seat.WHITE, uci="e2e4", on=on))
        assert table.state.line == (f"e2{announced}",)
    # The board is read again, and what differs is told.
    assert alerts(sense(table, Seat.WHITE, "e2e4", instead=True)) == ["board_differs"]


@pytest.mark.parametrize("side", ["short", "long"])
def test_castling_announced_where_the_king_stands_there_already_is_no_fault_of_a_touch(side: str) -> None:
    """A slip of the tongue, or a board set right in between: what is touched on the other board is taken as ever."""
    king = "g1" if side == "short" else "c1"
    table = CoreTable(fen=f"4k3/8/8/8/8/8/8/{'5RK1' if side == 'short' else '2KR4'} w - - 0 1")
    table.done("white", cmd.Say(announcement=Announcement(castling=side), words=(), text="", act="announce"))
    table.press("white")
    for square in (king, "f1", "d1", "e8"):
        events = table.own(cmd.ReportTouch(seat=Seat.BLACK, square=square, how="lifted", origin="sensed"))
        assert only(events, ev.TouchReported)
    assert table.state.line == (None,), "which move it was, the arbiter settles"


def test_a_piece_of_the_side_not_on_move_is_a_grey_alert() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    assert alerts(sense(table, Seat.WHITE, "d2d4")) == ["board_odd"]
    assert alerts(sense(table, Seat.WHITE, "e5e6")) == ["board_not_followed"], "nothing stands there"
    assert table.placement(Seat.WHITE) == BOTH["e2e4"]


def test_in_relay_a_sensed_move_is_announced_only_where_the_machine_may_announce() -> None:
    for approved in (False, True):
        table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
        if approved:
            table.adapt("machine_announces", "on")
            table.done("arbiter", cmd.SetMode(mode=Mode.RELAY))
        sensed = cmd.SenseMove(seat=Seat.WHITE, uci="e2e4", announcement=said("e4"), words=("e4",), text="e4")
        events = table.own(sensed)
        assert bool(only(events, ev.Announced)) is approved
        assert table.state.line == ("e2e4",)


@pytest.mark.law("L182")
def test_in_relay_a_move_read_after_its_press_is_announced_then_and_its_player_owed_no_word() -> None:
    """The press tells that it was let go: what a hand may still hold is not announced."""
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    table.adapt("machine_announces", "on")
    table.adapt("sighted_press_without_announcement", "clock_back")
    table.done("arbiter", cmd.SetMode(mode=Mode.RELAY))
    table.own(cmd.ReportTouch(seat=Seat.WHITE, square="e2", how="lifted", origin="sensed"))
    pressed = table.press("white")
    assert table.ply(1).completed and not {"unannounced_press"} & set(alerts(pressed))
    assert table.state.clock.running is Seat.BLACK
    sensed = cmd.SenseMove(seat=Seat.WHITE, uci="e2e4", announcement=said("e4"), words=("e4",), text="e4")
    events = table.own(sensed)
    assert only(events, ev.Announced) and table.state.line == ("e2e4",) and table.ply(1).entered == "e2e4"
    assert not only(table.own(sensed), ev.Announced), "once"


@pytest.mark.law("L189")
def test_a_piece_shifted_after_the_press_changes_no_move() -> None:
    for kind in (SeatKind.SIGHTED, SeatKind.TACTILE):
        table = CoreTable(white=kind, black=SeatKind.SIGHTED)
        table.say("white", "e4")
        sense(table, Seat.WHITE, "e2e4")
        table.press("white")
        assert alerts(sense(table, Seat.WHITE, "e2e3", instead=True)) == ["board_differs"]
        assert table.ply(1).entered == "e2e4" and table.state.line == ("e2e4",)
        assert table.placement(Seat.WHITE) == BOTH["e2e4"]


def test_a_press_while_the_desk_is_open_makes_no_move_whatever_clock_leads() -> None:
    for master in ("server", "livechess", "manual"):
        table = CoreTable()
        table.say("white", "e4")
        table.press("white")
        table.say("black", "e5")
        table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster(master)))
        table.done("arbiter", cmd.OpenDesk())
        events = table.press("black")
        assert [one.effective for one in only(events, ev.ClockPressed)] == [False]
        assert alerts(events) == ["press_without_move"] and not only(events, ev.Made)
        assert table.state.made_plies == 1


def test_nothing_is_sensed_before_the_start_nor_by_a_station() -> None:
    table = CoreTable(started=False)
    assert table.do(PROGRAM, cmd.SenseMove(seat=Seat.WHITE, uci="e2e4")) == Refusal("not_started", "6.6")
    started = CoreTable()
    refusal = started.do("white", cmd.SenseMove(seat=Seat.WHITE, uci="e2e4"))
    assert refusal == Refusal("not_for_stations", "11.3.1")


def test_a_board_out_of_reach_is_told_to_the_arbiter_and_stops_nothing() -> None:
    table = CoreTable()
    events = table.own(cmd.NoteBoard(seat=Seat.BLACK, what="down", detail="no cable"))
    assert [(one.kind, one.grey, one.detail) for one in only(events, ev.Alerted)] == [
        ("board_link", False, "black board: the board cannot be reached: no cable")
    ]
    events = table.own(cmd.NoteBoard(seat=Seat.BLACK, what="odd", squares=("d1", "e1")))
    assert [(one.kind, one.grey) for one in only(events, ev.Alerted)] == [("board_odd", True)]
    assert table.state.clock.running is Seat.WHITE
