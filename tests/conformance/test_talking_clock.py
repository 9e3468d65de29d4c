"""The talking clock (D.2.6.1): what it answers, what it tells unasked, how it is set before the game."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.values.words import Duty, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, only, play, said


def told(table: CoreTable, seat: Seat, kind: type[Any]) -> list[Any]:
    """Every message of a kind to a player, as the events were decided."""
    station = Station(seat.value, Role.PLAYER, seat)
    heard = [view(event, Game.replay(table.events[:n]), station) for n, event in enumerate(table.events, 1)]
    return [message for message in heard if isinstance(message, kind)]


def cued_table(control: str = "600", **kinds: Any) -> CoreTable:
    table = CoreTable(control=control, **kinds)
    table.adapt("spoken_time_automatic")
    return table


def cues(table: CoreTable, seat: Seat = Seat.WHITE) -> list[tuple[int, str]]:
    return [(one.left_s, one.way) for one in told(table, seat, msg.TimeCue)]


def pass_time(table: CoreTable, ms: int, step: int = 250) -> None:
    """Time passes, and the table wakes as it does in a hall."""
    for _ in range(ms // step):
        table.wait(step)
        table.own(cmd.NoteInstant())


@pytest.mark.law("L192", "L203")
def test_l192_on_request_the_clock_tells_all_that_it_shows() -> None:
    table = CoreTable(control="2/600:300+5")
    table.wait(65_000)
    (answered,) = only(table.done("white", cmd.Ask(what="clock")), ev.Answered)
    (shown,) = told(table, Seat.WHITE, msg.AnswerGiven)
    assert answered.station == "white"
    assert (shown.own_ms, shown.opponent_ms, shown.own_runs) == (535_000, 600_000, True)
    assert (shown.moves, shown.to_control, shown.period, shown.periods) == (0, 2, 1, 2)
    assert shown.flag_first == "" and shown.control == "2/600:300+5"
    assert told(table, Seat.BLACK, msg.AnswerGiven) == []


@pytest.mark.law("L192")
def test_l192_moves_to_the_control_are_counted_down_and_end_with_the_last_period() -> None:
    table = CoreTable(control="2/600:300+5")
    left = []
    for white, black in (("e4", "e5"), ("Nf3", "Nc6"), ("Bb5", "a6")):
        table.done("white", cmd.Ask(what="moves"))
        left.append(table.events[-1])
        table.done("white", cmd.Say(announcement=said(white)))
        table.done("white", cmd.Press())
        table.done("black", cmd.Say(announcement=said(black), act="announce"))
        table.done("black", cmd.Press())
    answers = [(one.moves, one.to_control, one.period) for one in told(table, Seat.WHITE, msg.AnswerGiven)]
    assert answers == [(0, 2, 1), (1, 1, 1), (2, None, 2)]


@pytest.mark.law("L048", "L192")
def test_l192_which_flag_fell_first_is_told_to_the_player_who_asks() -> None:
    table = CoreTable(control="60")
    pass_time(table, 61_000)
    for seat in Seat:
        table.done(seat.value, cmd.Ask(what="time"))
        assert told(table, seat, msg.AnswerGiven)[-1].flag_first == ("own" if seat is Seat.WHITE else "opponent")


@pytest.mark.law("L192")
@pytest.mark.parametrize("recorded", [False, True])
def test_d261_no_time_unasked_unless_the_arbiter_recorded_it_and_the_player_asked(recorded: bool) -> None:
    table = cued_table() if recorded else CoreTable(control="600")
    wants = cmd.AskForCues(at_s=(300, 60), countdown="ticks")
    if not recorded:
        assert table.do("white", wants) == Refusal("no_cues", "D.2.6.1")
    pass_time(table, 250_000, 1_000)
    assert cues(table) == [], "recorded, and yet White did not ask"
    if recorded:
        table.done("white", wants)
    pass_time(table, 349_000, 1_000)
    heard = [(300, "time"), (60, "time"), *((s, "ticks") for s in range(10, 0, -1))]
    assert cues(table) == (heard if recorded else [])
    assert cues(table, Seat.BLACK) == [], "nobody but White"


@pytest.mark.law("L192")
def test_d261_the_arbiter_may_take_it_back_and_the_player_too() -> None:
    table = cued_table()
    table.done("white", cmd.AskForCues(at_s=(300,)))
    table.adapt("spoken_time_automatic", "off")
    pass_time(table, 301_000, 1_000)
    assert cues(table) == []
    assert not isinstance(table.do("white", cmd.AskForCues()), Refusal), "to want nothing needs nobody"
    assert table.state.time.cues == ()


@pytest.mark.law("L192")
def test_d261_a_player_who_sees_the_clock_is_told_nothing() -> None:
    table = cued_table("60", white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    table.done("white", cmd.AskForCues(at_s=(30,), countdown="words"))
    pass_time(table, 59_000)
    assert only(tuple(table.events), ev.TimeCued) == []


@pytest.mark.law("L192")
def test_d261_the_countdown_begins_anew_in_every_move_and_a_threshold_does_not() -> None:
    table = cued_table("40+3")
    table.done("white", cmd.AskForCues(at_s=(30,), countdown="words"))
    pass_time(table, 36_000)  # 7 s left
    assert cues(table) == [(30, "time"), (10, "words"), (9, "words"), (8, "words"), (7, "words")]
    table.done("white", cmd.Say(announcement=said("e4")))
    table.done("white", cmd.Press())  # 10 s
    table.done("black", cmd.Say(announcement=said("e5"), act="announce"))
    table.done("black", cmd.Press())
    pass_time(table, 2_000)
    assert cues(table)[5:] == [(10, "words"), (9, "words"), (8, "words")]


@pytest.mark.law("L192")
def test_d261_a_cue_noticed_late_is_not_told_as_if_it_were_true() -> None:
    table = cued_table()
    table.done("white", cmd.AskForCues(at_s=(300,)))
    table.wait(303_000)
    table.own(cmd.NoteInstant())
    (cued,) = only(tuple(table.events), ev.TimeCued)
    assert cued.late and cues(table) == []


@pytest.mark.law("L057")
def test_d261_a_player_sets_the_clock_alone_and_the_arbiter_approves() -> None:
    table = CoreTable(started=False)
    before = table.state.time.clock
    table.done("white", cmd.SetUpClock(control="40/5400+30:1800+30"))
    assert table.state.time.clock == before, "nothing counts that the arbiter has not approved"
    table.done("arbiter", cmd.ApproveClock(approved=False))
    assert table.state.time.clock == before
    assert table.do("arbiter", cmd.ApproveClock(approved=True)) == Refusal("nothing_proposed", "6.3.1")
    table.done("white", cmd.SetUpClock(control="40/5400+30:1800+30"))
    table.done("arbiter", cmd.ApproveClock(approved=True))
    assert table.state.time.clock.control.text == "40/5400+30:1800+30"
    assert (
        table.state.time.clock.reading(table.now).white_ms
        == table.state.time.clock.reading(table.now).black_ms
        == 5_430_000
    )
    heard = [(one.stage, one.own, one.control) for one in told(table, Seat.WHITE, msg.ClockSetting)]
    new = "40/5400+30:1800+30"
    assert heard == [("proposed", True, new), ("kept", True, "5400+30"), ("proposed", True, new), ("set", True, new)]


@pytest.mark.law("L057", "L175")
def test_d261_where_the_arbiter_recorded_it_before_it_counts_at_once_and_never_after_the_start() -> None:
    table = CoreTable(started=False)
    table.adapt("player_sets_clock")
    table.done("white", cmd.SetUpClock(control="900+10"))
    assert table.state.time.clock.control.text == "900+10"
    assert table.do("white", cmd.SetUpClock(control="half an hour")) == Refusal("no_time_control", "6.3.1")
    table.done("arbiter", cmd.SetUpClock(control="1500"))
    assert table.state.time.clock.control.text == "1500"
    helper = table.assistant(Seat.WHITE, *Duty)
    assert isinstance(table.do(helper, cmd.SetUpClock(control="900")), Refusal)
    table.done("arbiter", cmd.StartGame())
    for station in ("white", "arbiter"):
        assert table.do(station, cmd.SetUpClock(control="900")) == Refusal("clock_is_fixed", "6.3.1")


@pytest.mark.law("L067")
def test_l067_who_cannot_see_the_clock_is_told_that_it_was_corrected_and_asks_for_the_times() -> None:
    table = CoreTable()
    corrected = cmd.SetClock(white_ms=60_000, black_ms=50_000, turn=Seat.WHITE, moves=(3, 3), reason="6.10.2")
    table.done("arbiter", corrected)
    assert told(table, Seat.WHITE, msg.ClockCorrected) == [msg.ClockCorrected()]
    assert told(table, Seat.BLACK, msg.ClockCorrected) == [], "Black sees it"
    table.adapt("spoken_time_automatic")
    table.done("arbiter", corrected)
    assert told(table, Seat.WHITE, msg.ClockCorrected)[-1] == msg.ClockCorrected(
        own_ms=60_000, opponent_ms=50_000, own_runs=True
    )


@pytest.mark.law("L067")
def test_l067_one_side_is_corrected_and_the_other_loses_nothing_by_it() -> None:
    table = CoreTable()
    table.wait(7_000)
    table.done("arbiter", cmd.CorrectClock(seat=Seat.BLACK, ms=3_900_000, completed=12, reason="6.10.2"))
    table.wait(3_000)
    clock = table.state.time.clock
    assert (clock.remaining(Seat.WHITE, table.now), clock.remaining(Seat.BLACK, table.now)) == (5_420_000, 3_900_000)
    assert (clock.side(Seat.WHITE).moves, clock.side(Seat.BLACK).moves) == (0, 12)
    assert clock.running is Seat.WHITE
    table.done("arbiter", cmd.CorrectClock(seat=Seat.WHITE, ms=60_000, turn=Seat.BLACK, reason="6.10.2"))
    assert table.state.time.clock.running is Seat.BLACK
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == 60_000
    assert table.do("white", cmd.CorrectClock(seat=Seat.WHITE, ms=1)) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L192")
def test_d261_the_last_announcement_is_the_opponents_as_they_said_it_or_as_it_was_repeated() -> None:
    table = CoreTable(black=SeatKind.TACTILE)

    def last(station: str) -> tuple[str, ...]:
        (answered,) = only(table.done(station, cmd.Ask(what="last")), ev.Answered)
        return answered.words

    assert last("white") == last("black") == (), "nobody has said anything"
    table.say("white", "e4", act="announce")
    assert (last("white"), last("black")) == ((), ("e4",)), "not White's own words"
    table.press("white")
    assert (last("white"), last("black")) == ((), ("e4",))
    play(table, "e5")
    assert (last("white"), last("black")) == (("e5",), ("e4",))
    play(table, "Nf3")
    assert (last("white"), last("black")) == (("e5",), ("Nf3",))
    table.own(cmd.SenseMove(seat=Seat.BLACK, uci="b8c6", on=table.placement(Seat.BLACK)))
    assert last("white") == ("e5",), "what only stands on a board nobody has announced"
    table.press("black")
    assert last("white") == (), "Black pressed, and nobody knows what Black said"
    table.say("white", "Nc6", act="echo")
    assert last("white") == ("Nc6",), "White's own echo tells it"
