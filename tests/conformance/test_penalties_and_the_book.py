"""Conduct, penalties and the arbiter's book (Articles 11 and 12; G1 to G14)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.decide.rulings.conduct import PENALTIES
from server.game.game import Game
from server.game.values.words import Duty, Mode, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.view import view
from server.wording.rules import load_adaptations, load_penalties
from tests.conformance.law_table import BASIC, touch
from tests.game.core_table import CoreTable, alerts, only, play, refused, told


@pytest.mark.law("L144", "L128")
@pytest.mark.parametrize("number", range(1, 10))
def test_l144_each_of_the_nine_penalties_has_its_effect(number: int) -> None:
    table = CoreTable()
    penalty: Any = PENALTIES[number - 1]
    assert [one.id for one in load_penalties()] == list(PENALTIES)
    amount = {2: 60_000, 3: 60_000, 4: 1, 5: 1, 7: 50, 8: 2}.get(number, 0)
    left = {seat: table.state.time.clock.remaining(seat, table.now) for seat in Seat}
    events = table.done("arbiter", cmd.Penalise(seat=Seat.BLACK, penalty=penalty, amount=amount, reason="noise"))
    (penalised,) = only(events, ev.Penalised)
    assert (penalised.article, penalised.amount, penalised.reason) == (f"12.9.{number}", amount, "noise")
    gained = {seat: table.state.time.clock.remaining(seat, table.now) - left[seat] for seat in Seat}
    assert gained == {Seat.WHITE: 60_000 if number == 2 else 0, Seat.BLACK: -60_000 if number == 3 else 0}
    assert table.state.ending.result == ("1-0" if number == 6 else None)


@pytest.mark.law("L129", "L144")
def test_l129_who_loses_by_penalty_loses_and_the_arbiter_sets_the_opponents_score() -> None:
    for opponents, result in (("win", "0-1"), ("draw", "0-1/2"), ("loss", "0-0")):
        table = CoreTable()
        body: Any = cmd.Penalise(seat=Seat.WHITE, penalty="loss", opponents=opponents)  # type: ignore[arg-type]
        (end,) = only(table.done("arbiter", body), ev.GameEnded)
        assert (end.result, end.reason, end.article) == (result, "penalty", "12.9.6")


@pytest.mark.law("L144")
def test_l144_a_penalty_needs_its_amount_and_gives_no_more_than_the_game_can() -> None:
    table = CoreTable()

    def penalise(penalty: Any, amount: int = 0) -> tuple[ev.AnyEvent, ...] | Refusal:
        return table.do("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty=penalty, amount=amount))

    refused(penalise("less_time_for_offender"), "amount_needed", "12.9.3")
    refused(penalise("more_points_for_opponent", 3), "too_many_points", "12.9.4")
    assert not isinstance(penalise("more_points_for_opponent", 2), Refusal)
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="resigned"))
    refused(penalise("loss"), "game_over", "12.9.6")
    refused(table.do("white", cmd.Penalise(seat=Seat.BLACK, penalty="warning")), "only_the_arbiter", "12.3")


@pytest.mark.law("L122", "L143")
def test_l122_a_device_that_the_arbiter_refused_is_not_admitted() -> None:
    table = CoreTable(started=False)
    table.done("arbiter", cmd.RegisterDevice(device="phone", approved=False, note="a phone"))
    command = cmd.Admit(station="phone", role=Role.PLAYER, seat=Seat.WHITE)
    refused(table.do(PROGRAM, command), "device_refused", "11.3.2")
    table.done("arbiter", cmd.RegisterDevice(device="phone", approved=True))
    table.own(command)
    table.done("arbiter", cmd.StartGame())
    (late,) = only(table.done("arbiter", cmd.RegisterDevice(device="watch", approved=True)), ev.DeviceRegistered)
    assert late.after_start


@pytest.mark.law("L131", "L127")
def test_the_arbiters_book_is_kept_and_only_its_rulings_go_to_the_players() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    since = len(table.events)
    book: list[cmd.AnyAct] = [
        cmd.DecideGap(gap="G12", decision="the echo is repeated", article="D.2.1"),
        cmd.NoteIncident(kind="displaced", text="a pawn fell", seat=Seat.WHITE, article="7.4"),
        cmd.PermitLeaving(seat=Seat.BLACK, granted=False, reason="the opponent is away"),
        cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE),
        cmd.NoteAppeal(against="G12", text="in writing", seat=Seat.BLACK),
        cmd.Penalise(seat=Seat.WHITE, penalty="warning", reason="noise"),
        cmd.RuleSetUp(what="colours"),
        cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"),
        cmd.RuleTouch(number=1, counts=False),
        cmd.RuleIrregularity(ply=2, seat=Seat.BLACK, kind="two_hands", give=False),
    ]
    for body in book:
        table.done("arbiter", body)
    for seat in Seat:  # both hear of a ruling, in the same words; of the rest of the book neither does
        assert told(table, seat, since) == [
            msg.RulingShown(own=seat is Seat.WHITE, what="warning", article="12.9.1"),
            msg.RulingShown(own=seat is Seat.BLACK, what="two_hands", article="7.5.5"),
        ]
    assert only(table.events, ev.Decided)[0].ply == 2
    arbiter = Station("arbiter", Role.ARBITER)
    assert all(view(event, table.state, arbiter) is not None for event in table.events[since:])
    display = Station("display", Role.DISPLAY)
    assert all(view(event, table.state, display) is None for event in table.events[since:]), "no warnings (L142)"
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="resigned"))
    table.done("arbiter", cmd.NoteAppeal(against="the result"))
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L078", "L079")
def test_l078_l079_a_displaced_piece_is_put_back_in_the_displacers_own_time_unless_the_arbiter_is_called() -> None:
    table = CoreTable()
    table.wait(5_000)
    table.done("arbiter", cmd.NoteIncident(kind="displaced", text="a pawn fell", seat=Seat.WHITE, article="7.4.1"))
    table.wait(5_000)
    assert (
        table.state.time.clock.running is Seat.WHITE
        and table.state.time.clock.time_used(Seat.WHITE, table.now) == 10_000
    )
    table.done("black", cmd.ClaimIrregularity(kind="other", note="his sleeve"))
    assert table.state.time.clock.running is None and alerts(table, "irregularity_claimed")


@pytest.mark.law("L140")
def test_l140_extra_time_for_a_disturbance_to_both_with_its_reason() -> None:
    table = CoreTable()
    left = {seat: table.state.time.clock.remaining(seat, table.now) for seat in Seat}
    for seat in Seat:
        table.done("arbiter", cmd.AddTime(seat=seat, ms=300_000, reason="fire alarm", article="12.5"))
    assert {s: table.state.time.clock.remaining(s, table.now) - left[s] for s in Seat} == dict.fromkeys(Seat, 300_000)
    assert {one.reason for one in only(table.events, ev.TimeAdded)} == {"fire alarm"}


@pytest.mark.law("L023")
def test_the_capture_of_a_king_is_an_illegal_move_and_told_as_one() -> None:
    king = CoreTable(fen="4k3/8/8/8/8/8/8/4RK2 w - - 0 1", control="180+2", regulations=BASIC)
    play(king, "Rxe8 Kd8")
    (alert,) = alerts(king, "takes_king")
    assert alert.ply == 1 and "1.4.1" in alert.detail and not king.state.over


@pytest.mark.parametrize("gap", [f"G{number}" for number in range(1, 15)])
def test_each_of_the_fourteen_gaps_is_the_arbiters_decision(gap: str) -> None:
    table = CoreTable()
    body = msgspec.convert({"do": "decide_gap", "gap": gap, "decision": "as ruled"}, cmd.DecideGap)
    (decided,) = only(table.done("arbiter", body), ev.Decided)
    assert (decided.gap, decided.decision) == (gap, "as ruled") and not table.state.over
    refused(table.do("white", body), "only_the_arbiter", "12.3")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"do": "decide_gap", "gap": "G15", "decision": "x"}, cmd.DecideGap)


@pytest.mark.law("L142")
def test_l142_only_players_their_assistants_and_the_arbiter_report_and_only_to_the_arbiter() -> None:
    table = CoreTable()
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    refused(table.do("display", cmd.ClaimIrregularity(kind="other")), "display_only_shows", "6.12.1")
    station = table.assistant(Seat.WHITE, Duty.EXECUTE)
    refused(table.do(station, cmd.ClaimIrregularity(kind="other")), "not_your_duty", "D.2.10.5")
    since = len(table.events)
    events = table.done("white", cmd.ClaimIrregularity(kind="other", note="Black whispers"))
    (alert,) = only(events, ev.Alerted)
    assert (alert.kind, alert.grey) == ("irregularity_claimed", False) and "White claims: other" in alert.detail
    arbiter = table.state.stations.find("arbiter")
    assert arbiter is not None
    reported = [view(event, table.state, arbiter) for event in events]
    assert [one.event for one in reported if isinstance(one, msg.Recorded)] == list(events), "all of it, with the note"
    assert "Black whispers" in alert.detail
    assert told(table, Seat.WHITE, since) == [msg.ActTaken(what="arbiter"), msg.Paused()], "what became of the report"
    assert [type(one) for one in told(table, Seat.BLACK, since)] == [msg.ClockShown], "and the opponent sees it"
    for id in ("display", station):
        there = table.state.stations.find(id)
        assert there is not None
        seen = [one for event in events if (one := view(event, table.state, there)) is not None]
        assert seen and {type(one) for one in seen} <= {msg.Paused, msg.ClockShown}, id


@pytest.mark.law("L141", "L080")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
def test_l141_an_illegal_and_a_legal_move_sound_alike_to_both_players(mode: Mode) -> None:
    """The touch, the alert, the window of A.5.2 and the ruling leave no trace until the arbiter decides."""
    heard = []
    for fen in ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1"):
        table = CoreTable(fen=fen, control="900+10", regulations=BASIC)
        table.mode(mode)
        touch(table, Seat.WHITE, "g1")
        play(table, "Nf3 Ke7 Ng1")
        table.done("arbiter", cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="illegal", confirm=False))
        heard.append([told(table, Seat.WHITE), told(table, Seat.BLACK)])
        illegal = len(alerts(table, "not_legal"))
    assert illegal, "the second position has an illegal move in it"
    boards = [[one for one in side if not isinstance(one, msg.BoardShown)] for side in (heard[0][1], heard[1][1])]
    assert heard[0][0] == heard[1][0] and boards[0] == boards[1]


def test_the_adaptations_that_count_here_are_known_by_these_names() -> None:
    known = load_adaptations()
    assert known["sighted_press_without_announcement"].values == ("ignore", "note", "clock_back")
    assert {"touch_evidence_one_sided", "tactile_two_hands_exempt"} <= set(known)
