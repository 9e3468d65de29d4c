"""Appendix D.2, one test for each requirement number, at the table of the core."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Duty, Mode, Origin, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import view
from server.wording.words import move_entered, scheme_of
from speech.complaint import Complaint
from tests.game.core_table import CoreTable, kinds, only, play


@pytest.mark.law("L182")
def test_l182_announced_repeated_executed_and_a_wrong_echo_goes_to_the_arbiter() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    running = table.state.time.clock.running
    events = table.say("black", "d4")
    assert kinds(events) == ["Echoed", "Alerted"] and table.state.time.clock.running is running is Seat.BLACK
    table.say("black", "e4")
    assert table.ply(1).echoed
    table.done("black", cmd.Execute())
    assert only(tuple(table.events), ev.BoardMoved)[-1].board is Seat.BLACK


@pytest.mark.law("L182")
@pytest.mark.parametrize("mover", list(Seat))
@pytest.mark.parametrize("kinds", [(SeatKind.TACTILE, SeatKind.SIGHTED), (SeatKind.TACTILE, SeatKind.TACTILE)])
def test_l182_of_both_players_moves_and_a_wrong_echo_brings_the_announcement_again(
    mover: Seat, kinds: tuple[SeatKind, SeatKind]
) -> None:
    """Three steps, each with its time; the arbiter is told of other words, and the clock of who echoes runs on."""
    fen = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1" if mover is Seat.WHITE else "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"
    table = CoreTable(fen=fen, white=kinds[0], black=kinds[1])
    table.mode(Mode.RELAY)
    right, wrong = ("e4", "e3") if mover is Seat.WHITE else ("e5", "e6")
    started = table.now
    table.wait(1_000)
    table.say(mover.value, right, act="announce")
    table.press(mover.value)
    assert table.state.time.clock.running is mover.other
    table.wait(1_000)
    events = table.say(mover.other.value, wrong, act="echo")
    (alert,) = [one for one in only(events, ev.Alerted) if one.kind == "echo_differs"]
    told = {seat: view(alert, table.state, Station(seat.value, Role.PLAYER, seat)) for seat in Seat}
    assert told == {mover: None, mover.other: msg.Relayed(words=(right,), text=right, again=True)}
    assert isinstance(view(alert, table.state, Station("arbiter", Role.ARBITER)), msg.Recorded)
    assert table.ply(1).echo_agrees is False and table.state.time.clock.running is mover.other
    table.wait(1_000)
    table.say(mover.other.value, right, act="echo")
    assert table.ply(1).echo_agrees is True
    table.wait(1_000)
    table.done(mover.other.value, cmd.Execute())
    record = table.ply(1)
    times = [record.announced_ms, record.made_ms, record.completed_ms, record.echoed_ms, record.executed_ms]
    assert times == [started + after for after in (1_000, 1_000, 1_000, 3_000, 4_000)]
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) and table.state.time.clock.running is mover.other


@pytest.mark.law("L189")
@pytest.mark.parametrize("order", ["off place say", "off say place", "say off place"])
def test_l189_made_when_taken_off_placed_and_announced_in_any_order(order: str) -> None:
    """D.2.3.1 to 3 at a sensing board: one or two of them make no move; the press alone starts the other clock."""
    table = CoreTable(fen="4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    on = table.placement(Seat.WHITE)
    for number, step in enumerate(order.split(), 1):
        table.wait(1_000)
        if step == "off":
            table.own(cmd.ReportTouch(seat=Seat.WHITE, square="d5", how="lifted", origin="sensed"))
        elif step == "place":
            table.own(cmd.SenseMove(seat=Seat.WHITE, uci="e4d5", on=on))
        else:
            table.say("white", "e4d5")
        made = [one.made for one in table.state.moves.plies]
        assert any(made) is (number == 3), f"after {step}"
    assert table.ply(1).made_ms == table.now and table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L189")
def test_l189_until_all_three_are_there_the_tactile_player_may_still_change_their_move() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.say("white", "e3")
    on = table.placement(Seat.WHITE)
    table.own(cmd.SenseMove(seat=Seat.WHITE, uci="e2e3", on=on))
    assert table.ply(1).made and table.state.moves.line == ("e2e3",)


@pytest.mark.law("L183")
def test_l183_an_entered_promotion_names_its_piece() -> None:
    table = CoreTable(fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1", white=SeatKind.SIGHTED)
    with pytest.raises(Complaint, match="In welche Figur wird der Bauer umgewandelt"):
        move_entered(table.state.moves.white_board.position, "a7a8", scheme_of("d21", "de"))
    announcement, _, text = move_entered(table.state.moves.white_board.position, "a7a8n", scheme_of("d21", "de"))
    assert announcement.promotion == "knight" and text == "Bauer Anna acht Springer"


@pytest.mark.law("L189", "L190")
def test_l189_l190_the_tactile_players_press_declares_their_move_made_and_starts_the_other_clock() -> None:
    table = CoreTable()
    table.say("white", "e4")
    assert table.state.time.clock.running is Seat.WHITE
    events = table.press("white")
    assert [event.origin for event in only(events, ev.Made)] == [Origin.DECLARED]
    assert table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L190", "L054")
def test_l190_a_press_without_any_announcement_is_taken_and_shown_to_the_arbiter() -> None:
    table = CoreTable()
    alerts = only(table.press("white"), ev.Alerted)
    assert [alert.kind for alert in alerts] == ["unheard"]
    assert table.state.time.clock.running is Seat.BLACK, "never refused, never delayed"


@pytest.mark.law("L191")
def test_l191_the_sighted_players_move_is_made_on_release() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    events = table.enter("white", "e2e4", "e4")
    assert [event.origin for event in only(events, ev.Made)] == [Origin.ENTERED]
    assert table.state.on_move is Seat.BLACK and table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L194")
def test_l194_the_dictation_is_the_score_and_its_sound_the_evidence() -> None:
    table = CoreTable()
    table.say("white", "e4", utterance="w1")
    table.press("white")
    play(table, "e5")
    table.mumble("white", "w2")
    table.say("white", "Nf3", utterance="w3", act="announce")
    table.press("white")
    cells = [(cell.text, cell.source, cell.utterance) for cell in table.state.scores.white if cell]
    assert cells == [("e4", "announcement", "w1"), ("", "echo", "w2"), ("Nf3", "announcement", "w3")]


@pytest.mark.law("L195")
def test_l195_corrected_before_the_press_contested_after_it() -> None:
    table = CoreTable()
    table.say("white", "e4")
    assert only(table.say("white", "d4"), ev.Announced)[0].replaces
    table.press("white")
    assert kinds(table.say("white", "c4")) == ["Contested", "Alerted"]


@pytest.mark.law("L199")
@pytest.mark.parametrize(
    ("duty", "body"),
    [
        (Duty.EXECUTE, cmd.Execute()),
        (Duty.ANNOUNCE, cmd.Say(announcement=None)),
        (Duty.ANNOUNCE, cmd.Mend(ply=1, uci="e2e4")),
        (Duty.SCORE_AND_CLOCK, cmd.WriteScore(index=1, text="e4")),
        (Duty.SCORE_AND_CLOCK, cmd.Press()),
        (Duty.INFORM, cmd.Ask(what="time")),
        (Duty.CLAIM_AND_REPORT, cmd.ClaimTime()),
        (Duty.CLAIM_AND_REPORT, cmd.CallArbiter()),
    ],
)
def test_l199_six_duties_one_by_one_and_nothing_else(duty: Duty, body: cmd.StationAct) -> None:
    for granted in Duty:
        table = CoreTable(black=SeatKind.TACTILE)
        table.say("white", "e4")
        table.press("white")
        helper = table.assistant(Seat.BLACK, granted)
        outcome = table.do(helper, body)
        assert (outcome == Refusal("not_your_duty", f"D.2.10.{list(Duty).index(duty) + 1}")) is (granted is not duty)
    helper = table.assistant(Seat.BLACK, *Duty)
    for never in (cmd.Resign(), cmd.OfferDraw(), cmd.Pause(), cmd.SetClock(white_ms=1, black_ms=1, turn=Seat.WHITE)):
        assert table.do(helper, never) == Refusal("not_your_duty", "D.2.10")


@pytest.mark.law("L200", "L201")
def test_l200_l201_the_assistant_moves_on_either_board_and_announces_for_both() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.EXECUTE, Duty.ANNOUNCE)
    table.say(helper, "e4")
    table.press("white")
    assert only(table.done(helper, cmd.Execute(board=Seat.BLACK)), ev.BoardMoved)[0].board is Seat.BLACK
    table.say(helper, "e5", seat=Seat.BLACK, act="announce")
    table.press("black")
    assert table.state.moves.line == ("e2e4", "e7e5")


@pytest.mark.law("L203")
def test_l203_told_only_after_a_question_time_used_and_moves_completed() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.wait(7_000)
    table.press("white")
    assert not only(tuple(table.events), ev.Answered)
    answered = only(table.done("white", cmd.Ask(what="moves")), ev.Answered)[0]
    assert (answered.moves, answered.white_used_ms, answered.black_used_ms) == (1, 7_000, 0)
