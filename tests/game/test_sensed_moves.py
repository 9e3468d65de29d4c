"""Moves that a board sensed: the board's own truth beside the words, and a grey alert where the two differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.values.announcement import Announcement
from server.game.values.saying import saying
from server.game.values.speech import Speech
from server.game.values.words import ClockMaster, Duty, Mode, Origin, Seat, SeatKind
from tests.game.core_table import APPENDIX_C, CoreTable, only, played, said, spoken_in

BOTH = {"e2e4": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"}


def sense(table: CoreTable, seat: Seat, uci: str, *, instead: bool = False) -> tuple[ev.AnyEvent, ...]:
    return table.own(cmd.SenseMove(seat=seat, uci=uci, instead=instead))


def alerts(events: Iterable[ev.AnyEvent]) -> list[str]:
    return [alert.kind for alert in only(list(events), ev.Alerted)]


@pytest.mark.law("L182", "L189")
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
    assert table.state.moves.line == tuple(move.uci() for move in board.move_stack)


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
    assert table.state.moves.line == ("e2e4", "e7e5")
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


@pytest.mark.law("L197")
def test_words_and_board_that_differ_are_the_arbiters_and_nobody_is_overruled() -> None:
    """21...Nf6-d5 executed as d7: the tactile player's words stand, so does what is on the player's board (D.2.9)."""
    table = CoreTable()
    table.say("white", "e4")
    events = sense(table, Seat.WHITE, "e2e3")
    assert alerts(events) == ["board_differs"] and only(events, ev.Alerted)[0].grey
    table.press("white")
    assert table.state.moves.line == ("e2e4",), "what was announced"
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
    assert table.placement(Seat.WHITE) == BOTH["e2e4"] and table.state.moves.line == ("e2e4",)


def test_what_only_the_other_board_shows_is_what_the_server_believes_for_now() -> None:
    table = CoreTable()
    table.press("white")  # nothing heard
    sense(table, Seat.BLACK, "g1f3")
    assert table.state.moves.line == ("g1f3",)


def test_a_move_read_just_before_the_press_that_knew_it_is_no_news() -> None:
    """The press came while it was on its way to the table; nobody is called for it, and nothing is moved twice."""
    for announced in ("e4", "e3"):
        table = CoreTable()
        on = table.placement(Seat.WHITE)
        table.say("white", announced)
        table.press("white")
        assert not table.own(cmd.SenseMove(seat=Seat.WHITE, uci="e2e4", on=on))
        assert table.state.moves.line == (f"e2{announced}",)
    # The board is read again, and what differs is told.
    assert alerts(sense(table, Seat.WHITE, "e2e4", instead=True)) == ["board_differs"]


@pytest.mark.parametrize("side", ["short", "long"])
def test_castling_announced_where_the_king_stands_there_already_is_no_fault_of_a_touch(side: Any) -> None:
    """A slip of the tongue, or a board set right in between: what is touched on the other board is taken as ever."""
    king = "g1" if side == "short" else "c1"
    table = CoreTable(fen=f"4k3/8/8/8/8/8/8/{'5RK1' if side == 'short' else '2KR4'} w - - 0 1")
    table.done("white", cmd.Say(announcement=Announcement(castling=side), words=(), text="", act="announce"))
    table.press("white")
    for square in (king, "f1", "d1", "e8"):
        events = table.own(cmd.ReportTouch(seat=Seat.BLACK, square=square, how="lifted", origin="sensed"))
        assert only(events, ev.TouchReported)
    assert table.state.moves.line == (None,), "which move it was, the arbiter settles"


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
        assert table.state.moves.line == ("e2e4",)


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
    assert table.state.time.clock.running is Seat.BLACK
    sensed = cmd.SenseMove(seat=Seat.WHITE, uci="e2e4", announcement=said("e4"), words=("e4",), text="e4")
    events = table.own(sensed)
    assert only(events, ev.Announced) and table.state.moves.line == ("e2e4",) and table.ply(1).entered == "e2e4"
    assert not only(table.own(sensed), ev.Announced), "once"


def test_a_piece_shifted_after_the_press_changes_no_move() -> None:
    for kind in (SeatKind.SIGHTED, SeatKind.TACTILE):
        table = CoreTable(white=kind, black=SeatKind.SIGHTED)
        table.say("white", "e4")
        sense(table, Seat.WHITE, "e2e4")
        table.press("white")
        assert alerts(sense(table, Seat.WHITE, "e2e3", instead=True)) == ["board_differs"]
        assert table.ply(1).entered == "e2e4" and table.state.moves.line == ("e2e4",)
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
        ("board_link", False, "Black's board: the board cannot be reached: no cable")
    ]
    events = table.own(cmd.NoteBoard(seat=Seat.BLACK, what="odd", squares=("d1", "e1")))
    assert [(one.kind, one.grey) for one in only(events, ev.Alerted)] == [("board_odd", True)]
    assert table.state.time.clock.running is Seat.WHITE


# Whole: what each move on a board brings about

W, B = Seat.WHITE, Seat.BLACK
T = 1_000


def moved(board: Seat, ply: int, uci: str, origin: Origin = Origin.SENSED, *, differs: bool = False) -> ev.BoardMoved:
    return ev.BoardMoved(at=T, board=board, ply=ply, uci=uci, origin=origin, differs=differs)


def executed(board: Seat, ply: int, origin: Origin = Origin.SENSED) -> ev.Executed:
    return ev.Executed(at=T, board=board, ply=ply, origin=origin)


def made(seat: Seat, ply: int, origin: Origin = Origin.SENSED) -> ev.Made:
    return ev.Made(at=T, seat=seat, ply=ply, origin=origin)


def alert(kind: str, ply: int, detail: str, *, grey: bool = True) -> ev.Alerted:
    return ev.Alerted(at=T, kind=kind, ply=ply, grey=grey, detail=detail, utterance=None)


@pytest.mark.law("L189", "L191")
def test_a_move_sensed_on_the_movers_own_board_is_made_by_it_where_it_counts() -> None:
    tactile = CoreTable()
    assert sense(tactile, W, "e2e4") == (moved(W, 1, "e2e4"),), "not announced yet (D.2.3.3)"
    announced = CoreTable()
    announced.say("white", "e4")
    assert sense(announced, W, "e2e4") == (made(W, 1), moved(W, 1, "e2e4"))
    sighted = CoreTable(white=SeatKind.SIGHTED)
    assert sense(sighted, W, "e2e4") == (made(W, 1), moved(W, 1, "e2e4"))
    late = played("e4", white=SeatKind.SIGHTED)
    late.say("black", "e4")
    shown = sense(late, W, "e2e4")
    assert not only(shown, ev.Made) and not only(shown, ev.Announced)


@pytest.mark.law("L200", "L189")
def test_the_own_next_move_shows_that_the_opponents_stands_there() -> None:
    table = played("e4", black=SeatKind.TACTILE)
    assert sense(table, B, "e7e5") == (
        executed(B, 1, Origin.INFERRED),
        moved(B, 1, "e2e4", Origin.INFERRED),
        moved(B, 2, "e7e5"),
    )
    assert sense(table, B, "e7e6", instead=True)[0] == ev.BoardSet(
        at=T, board=B, placement=BOTH["e2e4"], turn=B, origin=Origin.SENSED
    )


@pytest.mark.law("L182", "L200")
def test_the_opponents_move_sensed_is_carried_out() -> None:
    table = played("e4")
    assert sense(table, B, "e2e4") == (executed(B, 1), moved(B, 1, "e2e4"))
    assert sense(table, B, "d2d4") == (
        alert("board_odd", 1, "d2 to d4 on Black's board: White does not have the move"),
    ), "that move stands there"
    early = CoreTable()
    assert sense(early, B, "e2e4") == (moved(B, 1, "e2e4"), executed(B, 1)), "before any word of it"


def test_what_no_board_can_follow_is_told_with_its_square_and_its_board() -> None:
    table = played("e4")
    assert sense(table, W, "d2d4") == (
        alert("board_odd", 1, "d2 to d4 on White's board: White does not have the move"),
    )
    assert sense(table, W, "e5e6") == (alert("board_not_followed", 1, "e5 to e6 cannot be made on White's board"),)
    early = CoreTable()
    assert sense(early, B, "e7e5") == (
        alert("board_odd", 0, "e7 to e5 on Black's board: Black does not have the move"),
    )


@pytest.mark.law("L078")
def test_a_piece_displaced_after_the_press_is_told_and_stays_as_it_is_known() -> None:
    table = CoreTable()
    table.say("white", "e4")
    sense(table, W, "e2e4")
    table.press("white")
    told = alert("board_differs", 1, "White's board shows e2 to e3; at the press it showed e2 to e4 (7.4)")
    assert sense(table, W, "e2e3", instead=True) == (told,)


@pytest.mark.law("L197")
def test_while_the_boards_are_being_set_up_no_hand_makes_a_move() -> None:
    table = played("e4")
    table.done("arbiter", cmd.OpenDesk())
    before = table.state
    assert sense(table, B, "e7e5") == ()
    assert table.own(cmd.NoteBoard(seat=B, what="odd", squares=("d1",))) == () and table.state == before
    told = table.own(cmd.NoteBoard(seat=B, what="up"))
    assert told == (alert("board_link", 1, "Black's board: the board is connected again", grey=False),)


@pytest.mark.law("L080")
def test_while_a_restored_position_is_set_no_hand_makes_a_move_and_no_touch_binds() -> None:
    """7.5.1: the board that still shows the move taken back does not make it again."""
    table = played("e4", "e5")
    table.done("arbiter", cmd.RestoreTo(ply=1))
    before = table.state
    assert before.setting is not None
    assert sense(table, B, "e7e5") == () and table.state == before
    assert table.own(cmd.NoteBoard(seat=B, what="odd", squares=("d1",))) == () and table.state == before
    table.own(cmd.ReportTouch(seat=B, square="e7", how="lifted", origin="sensed"))
    assert table.state.rulings.touches[-1].because == "adjusting"
    table.done("arbiter", cmd.ConfirmBoard(board=B))
    assert table.state.setting is None
    made = sense(table, B, "c7c5")
    assert [event.ply for event in only(made, ev.Made)] == [2]


@pytest.mark.parametrize(
    ("note", "kind", "detail"),
    [
        ({"what": "odd"}, "board_odd", "White's board: no move leads to this position"),
        (
            {"what": "odd", "squares": ("d1", "e1")},
            "board_odd",
            "White's board: no move leads to this position (d1 e1)",
        ),
        ({"what": "odd", "detail": "two lifted"}, "board_odd", "White's board: two lifted"),
        ({"what": "down"}, "board_link", "White's board: the board cannot be reached"),
        (
            {"what": "stale", "detail": "2 s"},
            "board_link",
            "White's board: the board is connected but sends nothing: 2 s",
        ),
    ],
)
def test_what_the_arbiter_is_told_of_a_board(note: dict[str, Any], kind: str, detail: str) -> None:
    table = played("e4")
    assert table.own(cmd.NoteBoard(seat=W, **note)) == (alert(kind, 1, detail, grey=kind == "board_odd"),)


# Moves entered at a station, and carried out on a board


@pytest.mark.law("L037", "L191")
def test_a_move_entered_is_made_and_stands_and_the_next_entry_puts_it_right() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    assert table.enter("white", "e2e3") == (
        made(W, 1, Origin.ENTERED),
        moved(W, 1, "e2e3", Origin.ENTERED),
    )
    assert table.enter("white", "e2e4") == (
        ev.BoardSet(at=T, board=W, placement=chess.STARTING_BOARD_FEN, turn=W, origin=Origin.ENTERED),
        moved(W, 1, "e2e4", Origin.ENTERED),
    )
    table.press("white")
    assert table.enter("white", "d2d4") == (
        alert("entry_out_of_turn", 2, "d2 to d4 entered by the player who does not have the move"),
    ), "after the press it is no correction"


@pytest.mark.law("L037")
def test_an_entry_in_reply_makes_the_opponents_move() -> None:
    table = CoreTable()
    table.say("white", "e4")
    assert table.enter("black", "e7e5") == (
        made(W, 1, Origin.INFERRED),
        executed(B, 1, Origin.INFERRED),
        moved(B, 1, "e2e4", Origin.INFERRED),
        made(B, 2, Origin.ENTERED),
        moved(B, 2, "e7e5", Origin.ENTERED),
    )
    assert table.enter("black", "e6e5")[-1] == alert(
        "board_not_followed", 2, "e6 to e5 cannot be made on Black's board"
    )


def test_castling_shown_by_the_king_on_its_rook_is_castling_also_after_a_move_that_no_board_followed() -> None:
    table = CoreTable(fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    table.mumble("white", "u1")
    table.press("white")
    assert table.enter("black", "e8h8", "O-O")[-1] == moved(B, 2, "e8g8", Origin.ENTERED)


def test_an_entry_is_refused_before_the_start_and_without_its_words() -> None:
    early = CoreTable(started=False, white=SeatKind.SIGHTED)
    entry = cmd.EnterMove(uci="e2e4", announcement=said("e4"))
    assert early.do("white", entry) == Refusal("not_started", "6.6")
    table = CoreTable(white=SeatKind.SIGHTED)
    for words in (None, Announcement(piece="pawn")):
        assert table.do("white", cmd.EnterMove(uci="e2e4", announcement=words)) == Refusal("no_announcement", "D.2.1")


@pytest.mark.law("L182", "L200")
def test_the_opponents_move_is_carried_out_once_on_the_board_of_who_says_so() -> None:
    table = played("e4", "e5", "Nf3")
    assert table.do("white", cmd.Execute()) == Refusal("nothing_to_execute", "D.2.1")
    assert table.done("black", cmd.Execute(uci="d2d4", origin="entered")) == (
        executed(B, 3, Origin.ENTERED),
        moved(B, 3, "d2d4", Origin.ENTERED),
        alert("board_differs", 3, "Black's board shows d2 to d4, the announcement means g1 to f3 (D.2.9)"),
    )
    assert table.do("black", cmd.Execute()) == Refusal("nothing_to_execute", "D.2.1")


@pytest.mark.law("L182", "L197")
@pytest.mark.parametrize(
    ("echo", "uci", "means"), [("Nf3d2", "b3d2", "f3 to d2"), ("Nd4", "b3d2", ""), ("Kf2", "e1e2", "e1 to f2")]
)
def test_a_board_is_compared_with_an_echo_unless_the_move_is_carried_out_as_announced(
    echo: str, uci: str, means: str
) -> None:
    """Of a wrong echo the arbiter was told when it was said: perhaps it was of something else."""
    table = played("Nd2", fen="4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1")
    table.say("black", echo)
    shows = f"Black's board shows {uci[:2]} to {uci[2:]}"
    told = alert("board_differs", 1, f"{shows}, the announcement means {means} (D.2.9)")
    assert only(sense(table, B, uci), ev.Alerted) == ([told] if means else [])


@pytest.mark.law("L200")
def test_an_assistant_carries_out_on_either_board_and_a_player_on_the_own_one() -> None:
    table = played("e4")
    helper = table.assistant(W, Duty.EXECUTE)
    assert isinstance(table.do(helper, cmd.Execute()), Refusal), "nothing waits on White's board"
    assert table.do(helper, cmd.Execute(board=B)) == (
        executed(B, 1, Origin.DECLARED),
        moved(B, 1, "e2e4", Origin.DECLARED),
    )
    own = played("e4")
    assert own.done("black", cmd.Execute(board=W))[0] == executed(B, 1, Origin.DECLARED)


@pytest.mark.law("L182", "L200")
def test_what_was_only_said_to_be_carried_out_is_taken_from_the_board_when_it_is_seen() -> None:
    table = played("Nf3", fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", black=SeatKind.TACTILE)
    assert table.done("black", cmd.Execute()) == (
        executed(B, 1, Origin.DECLARED),
        alert("board_not_followed", 1, "the move on Black's board is not known"),
    )
    assert sense(table, B, "g1f3") == (moved(B, 1, "g1f3"),)
    other = played("e4", black=SeatKind.TACTILE)
    other.done("black", cmd.Execute())
    assert sense(other, B, "e2e3", instead=True) == (
        ev.BoardSet(at=T, board=B, placement=chess.STARTING_BOARD_FEN, turn=W, origin=Origin.SENSED),
        moved(B, 1, "e2e3"),
        alert("board_differs", 1, "Black's board shows e2 to e3, the announcement means e2 to e4 (D.2.9)"),
    )


def relay() -> CoreTable:
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    table.mode(Mode.RELAY)
    return table


def read_off(uci: str, *, instead: bool = False) -> cmd.SenseMove:
    text = uci[:4]
    return cmd.SenseMove(seat=W, uci=uci, instead=instead, announcement=said(text), words=(text,), text=text)


def by_board(uci: str, *, replaces: bool = False) -> ev.Announced:
    return ev.Announced(
        at=T,
        seat=W,
        ply=1,
        origin=Origin.SENSED,
        replaces=replaces,
        by_board=True,
        speech=Speech(announcement=said(uci), words=(uci,), text=uci),
    )


@pytest.mark.law("L182", "L195")
def test_in_relay_what_the_board_shows_is_announced_and_put_right_until_the_press() -> None:
    table = relay()
    assert table.own(read_off("e2e3")) == (by_board("e2e3"), made(W, 1), moved(W, 1, "e2e3"))
    assert table.own(read_off("e2e4", instead=True)) == (
        ev.BoardSet(at=T, board=W, placement=chess.STARTING_BOARD_FEN, turn=W, origin=Origin.SENSED),
        by_board("e2e4", replaces=True),
        moved(W, 1, "e2e4"),
    )


@pytest.mark.law("L182", "L080")
def test_in_relay_an_illegal_move_read_after_its_press_is_told_to_the_arbiter() -> None:
    table = relay()
    table.own(cmd.ReportTouch(seat=W, square="e2", how="lifted", origin="sensed"))
    table.press("white")
    assert table.own(read_off("e2e5")) == (
        moved(W, 1, "e2e5"),
        by_board("e2e5"),
        alert("not_legal", 1, "e2 to e5, as announced, is not legal here", grey=False),
    )


@pytest.mark.law("L182", "L195")
def test_in_relay_a_move_entered_is_announced_and_put_right_until_the_press() -> None:
    table = relay()
    first = table.enter("white", "e2e3")
    second = table.enter("white", "e2e4")
    assert [(one.text, one.replaces, one.by_board, one.origin) for one in only((*first, *second), ev.Announced)] == [
        ("e2e3", False, True, Origin.ENTERED),
        ("e2e4", True, True, Origin.ENTERED),
    ]


@pytest.mark.law("L034", "L200")
def test_a_promotion_is_carried_out_with_the_piece_that_was_set_down() -> None:
    table = played("a8=N", fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert table.done("black", cmd.Execute(uci="a7a8n", origin="entered")) == (
        executed(B, 1, Origin.ENTERED),
        moved(B, 1, "a7a8n", Origin.ENTERED),
    )


SHOWN = {
    ("d4", "e4"): ("1/2-1/2", "result_shown"),
    ("e4", "d5"): ("1-0", "result_shown"),
    ("e4",): ("", "result_begun"),
}


@pytest.mark.law("L099")
@pytest.mark.parametrize("squares", SHOWN)
@pytest.mark.parametrize("seat", list(Seat))
def test_kings_in_the_middle_are_told_to_the_arbiter_and_gone_when_they_stand_there_no_more(
    seat: Seat, squares: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.game.core_table.in_english", lambda event: event)
    table = CoreTable()
    result, key = SHOWN[squares]
    shown = cmd.NoteBoard(seat=seat, what="signal", squares=squares, result=result)  # type: ignore[arg-type]
    (told,) = only(table.own(shown), ev.Alerted)
    more = {"squares": " ".join(squares)} | ({"result": result} if result else {})
    assert (told.kind, told.said) == ("result_signal", saying("board_of", who=seat, what=saying(key, **more)))
    (first,) = [one.number for one in table.state.rulings.unsettled]
    gone, again = only(table.own(shown), ev.AlertSettled), table.state.rulings.unsettled
    assert [one.numbers for one in gone] == [(first,)] and len(again) == 1, "the newer in place of the older"
    events = table.own(cmd.NoteBoard(seat=seat, what="signal"))
    assert only(events, ev.AlertSettled) and not only(events, ev.Alerted) and not table.state.rulings.unsettled
    assert not only(table.own(cmd.NoteBoard(seat=seat, what="signal")), ev.AlertSettled)


@pytest.mark.law("L099")
def test_the_kings_of_one_board_leave_the_alerts_of_the_other_and_those_that_are_filed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.game.core_table.in_english", lambda event: event)
    table = CoreTable()
    kings = {seat: cmd.NoteBoard(seat=seat, what="signal", squares=("d4", "e4"), result="1/2-1/2") for seat in Seat}
    table.own(cmd.NoteBoard(seat=Seat.WHITE, what="odd"))
    for seat in Seat:
        table.own(kings[seat])
    odd, white, black = (one.number for one in table.state.rulings.unsettled)
    table.done("arbiter", cmd.SettleAlert(numbers=(white,), how="filed"))
    table.own(kings[Seat.WHITE])
    assert [one.number for one in table.state.rulings.unsettled] == [odd, white, black, black + 1]
    table.own(kings[Seat.WHITE])
    assert [one.number for one in table.state.rulings.unsettled] == [odd, white, black, black + 2]


def test_before_the_start_kings_in_the_middle_are_a_board_that_is_not_set_up() -> None:
    table = CoreTable(started=False)
    kings = cmd.NoteBoard(seat=W, what="signal", squares=("d4", "e4"), result="1/2-1/2")
    assert table.own(kings) == (alert("board_odd", 0, "White's board: no move leads to this position (d4 e4)"),)
    assert table.own(cmd.NoteBoard(seat=W, what="signal")) == (), "they stand there no more"


@pytest.mark.law("L099")
def test_of_a_result_that_is_on_record_only_another_one_is_told() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    kings: Any = {"seat": Seat.WHITE, "what": "signal", "squares": ("d4", "e4")}
    for result in ("1-0", ""):
        assert table.own(cmd.NoteBoard(**kings, result=result)) == ()
    detail = "White's board: the kings on d4 e4 show 0-1, but 1-0 is recorded"
    assert table.own(cmd.NoteBoard(**kings, result="0-1")) == (alert("result_signal", 0, detail),)
    assert table.state.ending.result == "1-0"


TWO_KNIGHTS = "r3k3/8/5n2/7r/8/2N5/4P3/R3K3 w q - 0 1"  # c3 and f6 both reach d5 and e4; g4 is Black's alone


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("words", "uci", "echo"),
    [
        ("Nd5", "f6d5", True),  # White's knight reaches it too
        ("Ne4", "f6e4", True),
        ("Ng4", "f6g4", False),
        ("Nf6d5", "f6d5", False),  # no man of White's stands there
        ("d5", "f6d5", True),  # named by its arrival alone
        ("Rh1", "h5h1", False),  # the king is in the way of a1
        ("Rc5", "h5c5", False),
        ("Ra5", "h5a5", True),
        ("O-O-O", "e8c8", True),  # whether White could is not asked
    ],
)
def test_words_that_the_opponent_may_have_said_of_a_move_nobody_understood_stay_its_echo(
    words: str, uci: str, echo: bool
) -> None:
    """By the way men move alone; what White said is not known, and Black's hand makes the same move (D.2.1, 4.7)."""
    table = CoreTable(fen=TWO_KNIGHTS)
    table.mumble("white", "u1")
    table.press("white")
    table.say("black", words)
    assert table.ply(1).echo == said(words)
    sense(table, Seat.BLACK, uci)
    assert (table.ply(1).echo is not None, table.ply(2).announcement is None) == (echo, echo)
