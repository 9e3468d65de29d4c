"""An incident is one thing from its alert to the clocks that run again: steps, one act, undo (7.5, 4.3, 12.2)."""

from __future__ import annotations

import msgspec
import pytest

from server.desk.settling import Offer, load_settling, offers_of
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.prescribed import PrescribedStep, steps_of
from server.game.laws.event_options import EventOptions
from server.game.state.rulings import AlertKept
from server.game.values.words import Mode, Seat
from server.game.views import messages as msg
from server.game.views.alerts import alert_cards
from server.game.views.view import view
from tests.game.core_table import CoreTable, only, played

W, B = Seat.WHITE, Seat.BLACK


@pytest.fixture(autouse=True)
def _as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alerts stand in the state as the record has them: their sayings name the player and the result."""
    monkeypatch.setattr("tests.game.core_table.in_english", lambda event: event)


def with_illegal_rook(*, certain: bool = True) -> CoreTable:
    """White says and presses Ra5 from the first position's second move; certain where Black repeats it."""
    table = CoreTable()
    for station, move in (("white", "e4"), ("black", "e5")):
        table.wait(1_000)
        table.say(station, move, act="announce")
        table.press(station)
    table.wait(1_000)
    table.say("white", "Ra1a5", act="announce")
    if certain:
        table.say("black", "Ra1a5", act="echo")
    table.press("white")
    return table


def hears(table: CoreTable, seat: Seat, event: ev.AnyEvent) -> msg.AnyMessage | None:
    """What a player is told of an event."""
    station = table.state.stations.find(seat.value)
    assert station is not None
    return view(event, table.state, station)


def incident(table: CoreTable) -> AlertKept:
    (kept,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "not_legal"]
    return kept


def steps(table: CoreTable) -> tuple[PrescribedStep, ...]:
    return steps_of(table.state, incident(table))


def settle(table: CoreTable) -> tuple[ev.AnyEvent, ...]:
    left = tuple(one.body for one in steps(table) if not one.done and one.body is not None)
    return table.done("arbiter", cmd.SettleIncident(numbers=(incident(table).number,), steps=left))


@pytest.mark.law("L080")
def test_an_illegal_move_is_settled_by_one_act_and_its_card_stays_until_the_clocks_run() -> None:
    """7.5.1, 7.5.5: clocks stopped, ruled, position before, two minutes to the opponent; then the clocks."""
    table = with_illegal_rook()
    assert [one.name for one in steps(table)] == ["stop", "rule_illegal", "back", "give"]
    black = table.state.time.clock.remaining(B, table.now)
    events = settle(table)
    assert [type(one) for one in events if isinstance(one, ev.ClockPaused | ev.IrregularityRuled | ev.Restored)] == [
        ev.ClockPaused, ev.IrregularityRuled, ev.Restored
    ]  # fmt: skip
    assert table.state.made_plies == 2 and table.state.time.clock.running is None
    assert table.state.time.clock.remaining(B, table.now) == black + 120_000
    assert incident(table).complete, "the card stays: the clocks stand"
    table.done("arbiter", cmd.Resume())
    assert not [one for one in table.state.rulings.unsettled if one.done]


@pytest.mark.law("L080")
@pytest.mark.parametrize("first", ["rule_illegal", "back"])
def test_what_is_done_by_hand_first_loses_no_other_step(first: str) -> None:
    table = with_illegal_rook()
    (step,) = [one for one in steps(table) if one.name == first]
    assert step.body is not None
    table.done("arbiter", step.body)
    left = [one.name for one in steps(table) if not one.done]
    assert left == [one for one in ("stop", "rule_illegal", "back", "give") if one != first][first == "back" :]
    black = table.state.time.clock.remaining(B, table.now)
    settle(table)
    assert table.state.made_plies == 2 and len(table.state.rulings.illegals) == 1
    assert table.state.time.clock.remaining(B, table.now) == black + 120_000


@pytest.mark.law("L083")
def test_time_that_a_penalty_takes_is_not_the_time_that_the_opponent_is_given() -> None:
    """White's illegal move is ruled on; then White's telephone rings: less time (12.9.3). Black's minutes are due."""
    table = with_illegal_rook()
    table.done("arbiter", cmd.RuleIrregularity(ply=3, seat=W, kind="illegal", give=False))
    table.done("arbiter", cmd.Penalise(seat=W, penalty="less_time_for_offender", amount=60_000, reason="11.3.2"))
    assert [one.name for one in steps(table) if not one.done] == ["stop", "back", "give"]
    black = table.state.time.clock.remaining(B, table.now)
    settle(table)
    assert table.state.time.clock.remaining(B, table.now) == black + 120_000


def test_all_steps_count_or_none() -> None:
    table = with_illegal_rook()
    before = table.state
    number = incident(table).number
    some = (cmd.RuleIrregularity(ply=3, seat=W, kind="illegal", give=False), cmd.RestoreTo(ply=50))
    refused = table.do("arbiter", cmd.SettleIncident(numbers=(number,), steps=some))
    assert isinstance(refused, Refusal) and refused.code == "no_such_ply"
    assert table.state is before


@pytest.mark.law("L080")
def test_until_the_clocks_run_all_of_it_can_be_undone_and_both_players_are_told() -> None:
    table = with_illegal_rook()
    before = table.state
    settle(table)
    table.wait(5_000)
    events = table.done("arbiter", cmd.UndoIncident())
    only(events, ev.IncidentUndone)
    for seat in Seat:
        told = [hears(table, seat, one) for one in events]
        assert any(isinstance(one, msg.RulingShown) and one.what == "undone" for one in told)
    after = table.state
    assert (after.moves.line, after.moves.white_board, after.rulings.illegals) == (
        before.moves.line, before.moves.white_board, before.rulings.illegals
    )  # fmt: skip
    for seat in Seat:
        assert after.time.clock.remaining(seat, table.now) == before.time.clock.remaining(seat, table.now - 5_000)
    assert [one.name for one in steps(table) if not one.done] == ["rule_illegal", "back", "give"]
    settle(table)
    table.done("arbiter", cmd.Resume())
    refused = table.do("arbiter", cmd.UndoIncident())
    assert isinstance(refused, Refusal) and refused.code == "nothing_to_undo"


@pytest.mark.law("L044")
def test_after_an_undoing_no_question_of_mate_has_the_number_of_one_before() -> None:
    """Who answers it has answered that number: a resignation would wait for its result until the server starts anew."""
    table = CoreTable(mates=False, control="60")
    table.wait(61_000)
    table.own(cmd.NoteInstant())
    (kept,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "flag"]
    table.done("arbiter", cmd.SettleIncident(numbers=(kept.number,), steps=(cmd.CallFlag(seat=Seat.WHITE),)))
    table.done("arbiter", cmd.UndoIncident())
    table.done("black", cmd.Resign())
    assert [one.number for one in table.state.ending.mate_questions] == [2]


@pytest.mark.law("L080")
def test_what_came_since_an_incident_was_settled_outlives_its_undoing() -> None:
    """A call that waits, what the arbiter granted and ticked, and which cards are put away (12.2, D.1)."""
    table = with_illegal_rook()
    table.done("black", cmd.CallArbiter())
    (call,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "called"]
    settle(table)
    table.done("arbiter", cmd.SettleAlert(numbers=(call.number,), how="acknowledged"))
    table.done("white", cmd.CallArbiter())
    table.adapt("machine_announces")
    table.mode(Mode.RELAY)
    table.done("arbiter", cmd.TickChecklist(item="orientation", seat=W, ok=True))
    since = table.state.table
    table.done("arbiter", cmd.UndoIncident())
    assert [one.seat for one in table.state.rulings.unsettled if one.alert.kind == "called"] == [W]
    assert table.state.table == since
    assert [one.name for one in steps(table) if not one.done] == ["rule_illegal", "back", "give"]


@pytest.mark.law("L080")
def test_names_that_an_incident_exchanged_are_exchanged_back() -> None:
    white, black = ("e4", "Nf3", "d3", "Be2", "Nc3"), ("e5", "Nf6", "d6", "Be7", "Nc6")
    further = ("Be3", "Be6", "a3", "a6", "h3", "h6", "Qd2", "Qd7", "O-O", "O-O")
    table = played(*(move for both in zip(white, black, strict=True) for move in both), *further)
    before = table.state.table
    table.done("arbiter", cmd.OpenIncident(kind="set_up", seat=None))
    (kept,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "set_up_wrong"]
    table.done("arbiter", cmd.SettleIncident(numbers=(kept.number,), steps=(cmd.RuleSetUp(what="colours"),)))
    assert table.state.table.names_swapped
    table.mode(Mode.CLOCK)
    table.done("arbiter", cmd.UndoIncident())
    assert table.state.table == msgspec.structs.replace(before, mode=Mode.CLOCK)


@pytest.mark.law("L080")
def test_a_board_that_was_read_since_is_set_from_what_stands_on_it() -> None:
    """The arbiter reads White's board after the ruling: a knight stands wrong there. Then the ruling is undone."""
    table = with_illegal_rook()
    settle(table)
    wrong = table.state.moves.white_board.position.placement.replace("RNBQKBNR", "R1BQKBNR")
    table.done("arbiter", cmd.SetBoard(board=W, placement=wrong, turn=W))
    (told,) = only(table.done("arbiter", cmd.UndoIncident()), ev.BoardsToSet)
    assert {(one.square, one.should_be) for one in told.white} == {("a1", None), ("a5", "R"), ("b1", "N")}
    assert told.black == ()


def test_of_what_was_only_heard_nothing_is_done_until_the_arbiter_says_that_it_happened() -> None:
    """L113: a grey alert is closed without a sound where only the server misheard."""
    table = with_illegal_rook(certain=False)
    assert not incident(table).certain
    number = incident(table).number
    events = table.done("arbiter", cmd.OpenIncident(numbers=(number,)))
    assert incident(table).certain and only(events, ev.ClockPaused)
    other = with_illegal_rook(certain=False)
    closed = other.done("arbiter", cmd.SettleAlert(numbers=(incident(other).number,), how="misheard"))
    assert not other.state.rulings.unsettled
    for seat in Seat:
        assert not any(hears(other, seat, one) for one in closed)


@pytest.mark.law("L083")
def test_the_second_illegal_move_offers_the_result_in_place_of_the_time() -> None:
    table = with_illegal_rook()
    settle(table)
    table.done("arbiter", cmd.Resume())
    table.say("white", "Ra1a5", act="announce")
    table.say("black", "Ra1a5", act="echo")
    table.press("white")
    assert [one.name for one in steps(table)] == ["stop", "rule_illegal", "result"]
    settle(table)
    assert table.state.ending.result == "0-1"
    assert not [one for one in table.state.rulings.unsettled if one.done]


class Arbiter:
    """The arbiter's hand: each act is a touch; a primary one is the first offer of the card."""

    def __init__(self, table: CoreTable) -> None:
        self.table = table
        self.touches = 0

    def touch(self, body: cmd.AnyAct) -> tuple[ev.AnyEvent, ...]:
        self.touches += 1
        return self.table.done("arbiter", body)

    def offers(self, kind: str) -> dict[str, cmd.AnyAct]:
        """What the card of an alert offers without a form, by name."""
        cards = [one for one in alert_cards(self.table.state, load_settling().kinds) if one.kind == kind]
        assert cards, kind
        offers = [one for one in offers_of(cards[0], self.table.state) if not one.form]
        return {one.name: msgspec.convert(one.body, cmd.AnyAct) for one in offers}

    def choose(self, kind: str, name: str) -> tuple[ev.AnyEvent, ...]:
        return self.touch(self.offers(kind)[name])

    @property
    def kinds(self) -> set[str]:
        return {one.alert.kind for one in self.table.state.rulings.unsettled}


@pytest.mark.law("L113")
def test_a_draw_that_is_agreed_takes_no_touch_a_right_claim_one_and_a_wrong_one_two() -> None:
    """9.1.2, 9.5.2, 9.5.3."""
    agreed = played("e4", "e5")
    agreed.done("white", cmd.OfferDraw())
    agreed.done("black", cmd.AnswerDraw(accept=True))
    assert agreed.state.ending.result == "1/2-1/2"
    for ruling, touches in (("correct", 1), ("wrong", 2)):
        arbiter = Arbiter(played("e4", "e5"))
        arbiter.table.done("white", cmd.ClaimDraw(kind="fifty_moves"))
        arbiter.choose("draw_claimed", f"claim_{ruling}")
        if ruling == "wrong":
            assert arbiter.table.state.time.given == (0, 120_000)
            assert "undo_incident" in arbiter.offers("draw_claimed")
            arbiter.choose("draw_claimed", "resume")
        else:
            assert arbiter.table.state.ending.result == "1/2-1/2"
        assert arbiter.touches == touches and "draw_claimed" not in arbiter.kinds


@pytest.mark.law("L064")
def test_a_flag_takes_two_touches() -> None:
    """6.8, 6.9: the call, then the result that the search has found."""
    arbiter = Arbiter(CoreTable())
    arbiter.table.wait(5_500_000)
    arbiter.table.own(cmd.NoteInstant())
    arbiter.choose("flag", "call_flag")
    arbiter.choose("flag_called", "result")
    assert arbiter.table.state.ending.result == "0-1" and arbiter.touches == 2


@pytest.mark.law("L080")
def test_a_touched_piece_takes_three_touches_and_a_telephone_two_and_a_yes() -> None:
    """4.3: opened by the arbiter, all steps, the clocks. 11.3.2.2: opened, the penalty of the event."""
    arbiter = Arbiter(played("e4", "e5"))
    arbiter.touch(cmd.OpenIncident(kind="touch", seat=B))
    assert arbiter.table.state.time.clock.running is None, "the clock stops at the first touch"
    arbiter.choose("touch_move", "settle_all")
    assert (arbiter.table.state.made_plies, arbiter.table.state.rulings.illegals) == (1, ())
    arbiter.choose("touch_move", "resume")
    assert arbiter.touches == 3 and "touch_move" not in arbiter.kinds
    arbiter = Arbiter(played("e4", "e5"))
    arbiter.touch(cmd.OpenIncident(kind="phone", seat=W))
    arbiter.choose("device_found", "settle_all")
    assert arbiter.table.state.ending.result == "0-1" and arbiter.touches + 1 == 3


@pytest.mark.law("L197")
def test_differing_boards_take_three_touches_beside_the_cells() -> None:
    """D.2.9: to the desk; the decision; both boards stand, and the clocks run."""
    table = played("Nf3")
    table.done("black", cmd.Execute(uci="g1h3", origin="entered"))
    arbiter = Arbiter(table)
    assert "board_differs" in arbiter.kinds
    arbiter.choose("board_differs", "reconcile")
    cells = [(W, "Sf3"), (B, "Sf3")]
    for seat, text in cells:
        arbiter.touch(cmd.TypeCell(seat=seat, ply=1, text=text))
    arbiter.touch(cmd.DecideDesk(kind="adjust", moves=("g1f3",), verdict="same_record"))
    arbiter.choose("board_differs", "boards_stand")
    assert table.state.time.clock.running is not None and table.state.desk is None
    assert arbiter.touches == len(cells) + 3 and "board_differs" not in arbiter.kinds


@pytest.mark.law("L066")
def test_what_the_arbiter_opens_is_settled_from_its_card_with_three_touches_at_most() -> None:
    """6.10.2, 12.2.6, I.1: a medical pause, a clock that was not pressed, a crash of the program, an adjournment."""
    arbiter = Arbiter(played("e4", regulations=EventOptions(guidelines=("I",))))
    table = arbiter.table
    table.say("black", "e5", act="announce")
    table.wait(60_000)
    arbiter.touch(cmd.OpenIncident(kind="medical", seat=W))
    arbiter.choose("medical_call", "resume")
    assert "medical_call" not in arbiter.kinds and arbiter.touches == 2
    arbiter.touches = 0
    arbiter.touch(cmd.OpenIncident(kind="clock"))
    arbiter.choose("clock_wrong", "settle_all")
    assert table.state.time.clock.turn is table.state.on_move
    arbiter.choose("clock_wrong", "resume")
    assert "clock_wrong" not in arbiter.kinds and arbiter.touches == 3
    arbiter.touches = 0
    arbiter.touch(cmd.OpenIncident(kind="crash"))
    arbiter.choose("interrupted", "resume")
    assert "interrupted" not in arbiter.kinds and arbiter.touches == 2
    running = table.state.time.clock.running
    arbiter.touches = 0
    arbiter.touch(cmd.OpenIncident(kind="adjourn", seat=B))
    assert "session_over" in arbiter.kinds and table.state.time.clock.running is running, "no clock stops for it"
    assert arbiter.offers("session_over")["seal"] == cmd.OrderSeal(), "opened, ordered: the server fills in the key"
    table.press("black")
    arbiter.touch(cmd.OrderSeal(key="k", salt="s"))
    written_down = 1  # the envelope's code, in a dialogue until it is: tests/browser/test_adjournment_page.py
    assert "session_over" not in arbiter.kinds and arbiter.touches + written_down == 3


@pytest.mark.law("L061", "L066")
def test_a_clock_that_stands_takes_one_touch_before_the_game_and_three_in_it() -> None:
    """6.6: White's clock was not started; 6.11.3: both stand after a pause that nobody ended."""
    arbiter = Arbiter(CoreTable(started=False))
    arbiter.touch(cmd.StartGame())
    assert arbiter.table.state.time.clock.running is W and arbiter.touches == 1
    arbiter = Arbiter(played("e4"))
    arbiter.table.done("arbiter", cmd.Pause())
    arbiter.touch(cmd.OpenIncident(kind="clock"))
    arbiter.choose("clock_wrong", "settle_all")
    arbiter.choose("clock_wrong", "resume")
    assert arbiter.touches == 3 and arbiter.table.state.time.clock.running is B and "clock_wrong" not in arbiter.kinds


@pytest.mark.law("L075", "L085")
def test_a_wrong_set_up_and_a_missing_piece_take_three_touches_each() -> None:
    """7.2: opened, ruled on, the clocks; a piece gone from one board: opened, that board right, the clocks."""
    for choice in ("settle_all", "board_right"):
        arbiter = Arbiter(played("e4"))
        arbiter.touch(cmd.OpenIncident(kind="set_up", seat=W))
        assert arbiter.table.state.time.clock.running is None
        arbiter.choose("set_up_wrong", choice)
        arbiter.choose("set_up_wrong", "resume")
        assert arbiter.touches == 3 and "set_up_wrong" not in arbiter.kinds
        state = arbiter.table.state
        assert state.position is not None and state.board_of(W).position.placement == state.position.placement


@pytest.mark.law("L062")
def test_who_is_late_or_away_has_numbered_steps_and_two_touches() -> None:
    """6.7.1: within the default time it is noted, and no clock stops."""
    for kind, alert, name in (("late", "late_arrival", "came"), ("absent", "default_time_over", "away")):
        arbiter = Arbiter(played("e4"))
        arbiter.touch(cmd.OpenIncident(kind=kind, seat=B))  # type: ignore[arg-type]
        assert [one.name for one in shown(arbiter.table, alert)] == [name]
        arbiter.choose(alert, "settle_all")
        assert arbiter.touches == 2 and alert not in arbiter.kinds
        assert arbiter.table.state.time.clock.running is B, "the time of who is not there runs"


@pytest.mark.law("L062")
def test_who_has_not_come_after_the_default_time_loses_with_one_touch_and_a_yes() -> None:
    arbiter = Arbiter(absent_after_the_default_time())
    assert [(one.name, one.who) for one in shown(arbiter.table, "default_time_over")] == [
        ("stop", None), ("forfeit", B)]  # fmt: skip
    assert "no_forfeit" in {one.name for one in offered(arbiter.table, "default_time_over")}
    arbiter.choose("default_time_over", "settle_all")
    assert arbiter.table.state.ending.result == "+/-" and arbiter.touches == 1


@pytest.mark.law("L066")
def test_a_restored_servers_card_has_its_steps_and_settles_with_resume() -> None:
    """6.10.1: the clocks as the record has them, to be confirmed or put right; Resume alone settles the card too."""
    for touches in (("resume",), ("settle_all", "resume")):
        arbiter = Arbiter(played("e4"))
        arbiter.table.own(cmd.NoteInterruption(reason="the_program_was_stopped", witness_ms=None, uncertain_ms=1_000))
        assert [(one.name, one.done) for one in shown(arbiter.table, "interrupted")] == [
            ("stop", True), ("correct_clock", False)]  # fmt: skip
        for name in touches:
            arbiter.choose("interrupted", name)
        assert "interrupted" not in arbiter.kinds and arbiter.table.state.time.clock.running is B


def shown(table: CoreTable, kind: str) -> tuple[PrescribedStep, ...]:
    """The steps of the card of one kind."""
    (kept,) = [one for one in table.state.rulings.unsettled if one.alert.kind == kind]
    return steps_of(table.state, kept)


def offered(table: CoreTable, kind: str) -> tuple[Offer, ...]:
    """All that a card offers, with a form or without."""
    (card,) = [one for one in alert_cards(table.state, load_settling().kinds) if one.kind == kind]
    return offers_of(card, table.state)


def absent_after_the_default_time() -> CoreTable:
    """White came and started; Black was never seen when the default time was over (6.7.1)."""
    table = CoreTable(started=False, regulations=EventOptions(default_time_s=600))
    table.done("arbiter", cmd.NotePresent(seat=W, present=True))
    table.done("arbiter", cmd.StartGame())
    table.wait(601_000)
    table.own(cmd.NoteInstant())
    return table
