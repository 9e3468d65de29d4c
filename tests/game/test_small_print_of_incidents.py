"""Events that opening, settling and undoing an incident record, one by one, and when each of them is refused (12.2)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.state.apply import apply
from server.game.state.state import GameState, IncidentsState
from server.game.values.saying import Saying
from server.game.values.words import Role, Seat, SeatKind
from tests.game.core_table import CoreTable, only, play, played

W, B = Seat.WHITE, Seat.BLACK
SETTLED = Refusal("alert_settled", "12.2")
TIME = cmd.AddTime(seat=B, ms=60_000, reason="12.6", article="12.9")


@pytest.fixture(autouse=True)
def _as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alerts keep their sayings, as the record has them."""
    monkeypatch.setattr("tests.game.core_table.in_english", lambda event: event)


def opened(table: CoreTable, kind: Any, seat: Seat | None = None) -> int:
    """The arbiter opens an incident; its number."""
    table.done("arbiter", cmd.OpenIncident(kind=kind, seat=seat))
    return table.state.rulings.alerts


OPENED = [
    ("illegal", "irregularity_claimed"),
    ("touch", "touch_move"),
    ("phone", "device_found"),
    ("clock", "clock_wrong"),
    ("set_up", "set_up_wrong"),
    ("medical", "medical_call"),
    ("late", "late_arrival"),
    ("absent", "default_time_over"),
    ("crash", "interrupted"),
    ("adjourn", "session_over"),
    ("boards", "board_differs"),
]


@pytest.mark.law("L113")
@pytest.mark.parametrize("seat", [B, None])
@pytest.mark.parametrize(("kind", "alert"), OPENED)
def test_what_the_arbiter_saw_stops_the_clocks_and_is_told_as_a_fact(kind: Any, alert: str, seat: Seat | None) -> None:
    """Whom it is about is named; no clock stops for who is not there or for a seal (6.6, 6.7)."""
    table = played("e4", "e5")
    events = table.done("arbiter", cmd.OpenIncident(kind=kind, seat=seat))
    medical = seat if kind == "medical" else None
    reason = "" if kind == "medical" else "incident"
    stop = ev.ClockPaused(at=table.now, by=Role.ARBITER, seat=None, reason=reason, medical=medical)
    said = Saying("opened_alone") if seat is None else Saying("opened", {"who": Saying("black")})
    told = ev.Alerted(at=table.now, kind=alert, ply=2, grey=False, detail="", said=said)
    of_it = ev.IncidentOpened(at=table.now, numbers=(table.state.rulings.alerts,))
    assert events == (() if kind in ("late", "absent", "adjourn") else (stop,)) + (told, of_it)
    if kind not in ("late", "absent", "adjourn"):
        again = table.done("arbiter", cmd.OpenIncident(kind=kind, seat=seat))
        assert not only(again, ev.ClockPaused), "they stand"


@pytest.mark.law("L080")
@pytest.mark.parametrize("kind", ["illegal", "touch", "phone"])
@pytest.mark.parametrize(
    ("moves", "seat", "ply"),
    [
        ((), W, 0),
        (("e4",), W, 1),
        (("e4",), B, 1),  # Black has made no move
        (("e4", "e5"), W, 1),
        (("e4", "e5"), B, 2),
        (("e4", "e5", "d4"), B, 2),
        (("e4", "e5", "d4"), None, 3),
    ],
)
def test_an_incident_of_a_move_is_about_the_last_one_of_its_player(
    kind: Any, moves: tuple[str, ...], seat: Seat | None, ply: int
) -> None:
    table = played(*moves)
    (told,) = only(table.done("arbiter", cmd.OpenIncident(kind=kind, seat=seat)), ev.Alerted)
    assert told.ply == (len(moves) if kind == "phone" else ply)


def test_what_is_filed_or_settled_or_was_never_told_is_neither_opened_nor_settled() -> None:
    table = played("e4")
    filed, done, waits = (opened(table, "clock") for _ in range(3))
    table.done("arbiter", cmd.SettleAlert(numbers=(filed,), how="filed"))
    table.done("arbiter", cmd.SettleIncident(numbers=(done,), steps=(TIME,)))
    for number in (filed, done, 99):
        assert table.do("arbiter", cmd.OpenIncident(numbers=(number,))) == SETTLED
        assert table.do("arbiter", cmd.SettleIncident(numbers=(number,), steps=(TIME,))) == SETTLED
    for number in (filed, 99):
        assert table.do("arbiter", cmd.SettleAlert(numbers=(number,), how="acknowledged")) == SETTLED
    (of_it,) = only(table.done("arbiter", cmd.OpenIncident(numbers=(99, waits, done, waits))), ev.IncidentOpened)
    assert of_it.numbers == (waits,)


def test_all_acts_stand_between_the_beginning_and_the_end_of_it_after_the_stop() -> None:
    """The clocks are stopped for the reason that the arbiter gives, wherever the stop stands among the steps."""
    table = played("e4")
    number = opened(table, "late", B)
    steps = (TIME, cmd.Pause(reason="12.6"))
    now = table.now
    assert table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=steps)) == (
        ev.ClockPaused(at=now, by=Role.ARBITER, seat=None, reason="12.6"),
        ev.IncidentBegun(at=now, numbers=(number,)),
        ev.TimeAdded(at=now, seat=B, ms=60_000, reason="12.6", article="12.9"),
        ev.IncidentSettled(at=now, numbers=(number,)),
    )


def test_once_an_act_has_ended_the_game_only_what_may_come_after_the_end_follows() -> None:
    table = played("e4")
    number = opened(table, "phone", W)
    before = table.state
    lost = cmd.RuleResult(result="0-1", reason="11.3.2", article="11.3.2")
    refused = table.do("arbiter", cmd.SettleIncident(numbers=(number,), steps=(lost, TIME)))
    assert refused == Refusal("game_over", "11.4") and table.state is before
    board = cmd.SetBoard(board=W, placement=table.placement(W), turn=B)
    table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=(lost, board)))
    assert table.state.ending.result == "0-1"


def test_what_was_settled_is_undone_as_it_was_and_the_clocks_stand() -> None:
    table = played("e4")
    number = opened(table, "clock")
    table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=(TIME,)))
    assert table.done("arbiter", cmd.UndoIncident()) == (
        ev.IncidentUndone(at=table.now, numbers=(number,)),
        ev.ClockPaused(at=table.now, by=Role.ARBITER, seat=None, reason="undone"),
    )
    assert table.state.time.given == (0, 0)


SINCE: dict[str, cmd.AnyAct] = {
    "time was given": TIME,
    "the clocks run": cmd.Resume(),
    "a touch was told": cmd.ReportTouch(seat=B, square="g8", how="lifted"),
    "a ruling on a move": cmd.RuleIrregularity(ply=1, seat=W, kind="illegal", give=False),
    "the desk is open": cmd.OpenDesk(),
    "the game is over": cmd.RuleResult(result="1-0", reason="12.9", article="12.9"),
}


@pytest.mark.parametrize("since", SINCE)
def test_nothing_is_undone_once_something_else_of_the_game_was_decided(since: str) -> None:
    nothing = Refusal("nothing_to_undo", "12.2")
    table = played("e4")
    assert table.do("arbiter", cmd.UndoIncident()) == nothing
    number = opened(table, "clock")
    assert table.do("arbiter", cmd.UndoIncident()) == nothing, "opened, and nothing settled"
    table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=(TIME,)))
    table.done("arbiter", SINCE[since])
    assert isinstance(table.do("arbiter", cmd.UndoIncident()), Refusal)


def test_of_the_alerts_that_its_acts_brought_only_what_was_filed_stays_when_it_is_undone() -> None:
    """It is about alert 1; alerts 3 and 4 come of its acts, 5 and 6 later; 2, 4 and 6 are filed for the report."""

    def told(*events: ev.AnyEvent) -> GameState:
        state = played("e4").state
        for event in events:
            state = apply(state, event)
        return state

    def filed(*numbers: int) -> ev.AlertSettled:
        return ev.AlertSettled(at=4, numbers=numbers, how="filed")

    alert = ev.Alerted(at=1, kind="scoresheet", ply=1, grey=False, detail="")
    begun, undone = ev.IncidentBegun(at=2, numbers=(1,)), ev.IncidentUndone(at=5, numbers=(1,))
    done = (alert, alert, begun, alert, alert, ev.IncidentSettled(at=3, numbers=(1,)))
    state = told(*done, alert, alert, filed(2, 4, 6), undone)
    kept = [(one.number, one.how) for one in state.rulings.unsettled]
    assert kept == [(1, ""), (2, "filed"), (4, "filed"), (5, ""), (6, "filed")]
    assert state.incidents == IncidentsState()
    assert told(alert, filed(1), begun, undone) == told(alert, filed(1), begun), "its acts are not done yet"
    assert told(*done, ev.ClockResumed(at=4)).incidents == IncidentsState()


@pytest.mark.law("L080")
@pytest.mark.parametrize("seats", [(W,), (B,), (W, B)])
def test_after_an_undoing_each_player_hears_what_stands_otherwise_on_their_own_board(seats: tuple[Seat, ...]) -> None:
    """The arbiter settles an incident by taking a knight off; undone, it has to come back to b1."""
    table = CoreTable()
    table.done("arbiter", cmd.Pause())
    placement = table.placement(W)
    number = opened(table, "set_up")
    bare = tuple(
        cmd.SetBoard(board=seat, placement=placement.replace("RNBQKBNR", "R1BQKBNR"), turn=W) for seat in seats
    )
    table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=bare))
    events = table.done("arbiter", cmd.UndoIncident())
    (told,) = only(events, ev.BoardsToSet)
    knight = (ev.SquareToSet(square="b1", should_be="N"),)
    assert told == ev.BoardsToSet(
        at=table.now, because="restored", ply=0, placement=placement, turn=W,
        white=knight if W in seats else (), black=knight if B in seats else (),
    )  # fmt: skip
    assert [one.seat for one in only(events, ev.SquareAsked)] == [one for one in seats if one is W], "by ear"


@pytest.mark.law("L080")
@pytest.mark.parametrize("seat", list(Seat))
def test_the_position_to_set_is_that_of_the_board_which_stands_otherwise(seat: Seat) -> None:
    """White's move stands on White's board, and not yet on Black's: nor once the arbiter has read that it stands so."""
    table = played("e4")
    table.done("arbiter", cmd.Pause())
    stood = table.state.board_of(seat).position
    number = opened(table, "set_up")
    bare = cmd.SetBoard(board=seat, placement=stood.placement.replace("RNBQKBNR", "R1BQKBNR"), turn=stood.turn)
    table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=(bare,)))
    (told,) = only(table.done("arbiter", cmd.UndoIncident()), ev.BoardsToSet)
    wanted = told if seat is W else told.on_black
    assert wanted is not None
    assert (wanted.placement, wanted.turn, wanted.ply) == (stood.placement, stood.turn, 1 if seat is W else 0)
    table.done("arbiter", cmd.ConfirmBoard(board=seat))
    assert table.placement(seat) == stood.placement and table.state.setting is None
    assert table.placement(W) != table.placement(B) and table.ply(1).executed_ms is None


@pytest.mark.law("L080", "L197")
def test_where_the_boards_stood_differently_each_player_is_told_what_to_set_on_their_own() -> None:
    """White's move stands on White's board alone; on each of them a knight is gone, and it is undone."""
    table = played("e4", black=SeatKind.TACTILE)
    table.done("arbiter", cmd.Pause())
    stood = {seat: table.state.board_of(seat).position for seat in Seat}
    number = opened(table, "set_up")
    bare = tuple(
        cmd.SetBoard(board=seat, placement=one.placement.replace("RNBQKBNR", "R1BQKBNR"), turn=one.turn)
        for seat, one in stood.items()
    )
    table.done("arbiter", cmd.SettleIncident(numbers=(number,), steps=bare))
    events = table.done("arbiter", cmd.UndoIncident())
    (told,) = only(events, ev.BoardsToSet)
    knight = (ev.SquareToSet(square="b1", should_be="N"),)
    assert (told.white, told.black) == (knight, knight)
    assert [(one.seat, one.square, one.should_be) for one in only(events, ev.SquareAsked)] == [
        (W, "b1", "N"), (B, "b1", "N"),
    ]  # fmt: skip
    wrong = stood[B].placement.replace("8/8", "8/7P", 1)
    (again,) = only(table.done("arbiter", cmd.ShowBoard(board=B, placement=wrong)), ev.BoardsToSet)
    assert (len(again.black), again.black[0].should_be, again.on_black) == (1, None, told.on_black)
    for seat in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=seat))
    assert {seat: table.state.board_of(seat).position.placement for seat in Seat} == {
        seat: one.placement for seat, one in stood.items()
    }
    assert table.state.setting is None and table.ply(1).executed_ms is None
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L068")
@pytest.mark.parametrize("pause", [True, False])
def test_no_time_that_the_clocks_stood_is_taken_when_all_of_it_is_undone(pause: bool) -> None:
    """They stood from the first act that stopped them, whether the stop was a step of its own or came with another."""
    table = CoreTable(control="3600")
    play(table, "e4 e5 Bg5", wait=10_000)
    table.wait(5_000)
    steps: tuple[cmd.AnyAct, ...] = (
        cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="illegal", give=False),
        cmd.RestoreTo(ply=2),
        cmd.AddTime(seat=Seat.BLACK, ms=120_000, reason="illegal_move", article="7.5.5"),
    )
    numbers = tuple(one.number for one in table.state.rulings.unsettled)
    table.done("arbiter", cmd.SettleIncident(numbers=numbers, steps=(cmd.Pause(), *steps) if pause else steps))
    assert table.state.time.clock.running is None
    table.wait(300_000)
    table.done("arbiter", cmd.UndoIncident())
    reading = table.state.time.clock.reading(table.now)
    assert (reading.white_ms, reading.black_ms, reading.running) == (3_580_000, 3_585_000, None)


@pytest.mark.law("L068")
def test_time_that_ran_on_after_the_acts_is_counted_when_they_are_undone() -> None:
    table = CoreTable(control="3600")
    play(table, "e4 e5 Bg5", wait=10_000)
    numbers = tuple(one.number for one in table.state.rulings.unsettled)
    irregular = cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="illegal", confirm=False)
    table.done("arbiter", cmd.SettleIncident(numbers=numbers, steps=(irregular,)))
    assert table.state.time.clock.running is Seat.BLACK
    table.wait(7_000)
    table.done("arbiter", cmd.UndoIncident())
    reading = table.state.time.clock.reading(table.now)
    assert (reading.white_ms, reading.black_ms, reading.running) == (3_580_000, 3_583_000, None)
