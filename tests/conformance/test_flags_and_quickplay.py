"""Fallen flags (6.8, 6.9, A.4, A.5) and the quickplay finish (Guidelines III)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.words import ClockMaster, Seat
from server.game.views import messages as msg
from tests.conformance.ending_table import (
    QUICK,
    alerts,
    claimed,
    ended,
    play,
    quick,
    repeated_twice,
    rule,
    told,
)
from tests.game.core_table import CoreTable, only


@pytest.mark.law("L064", "L154")
def test_l064_one_word_claims_and_the_arbiter_confirms() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    events = table.done("black", cmd.ClaimTime())
    assert table.state.time.clock.running is None and not table.state.over
    assert only(events, ev.TimeClaimed)[0].seat is Seat.BLACK
    assert "lost by White, 0-1 (6.9)" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L065", "L154")
def test_l065_drawn_where_the_claimant_can_never_mate() -> None:
    table = CoreTable(control="60", fen="4k3/8/8/8/8/8/8/3QKB2 w - - 0 1")
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    detail = alerts(table, "time_claimed")[-1].detail
    assert "drawn, 1/2-1/2 (6.9)" in detail and "bare king" in detail


@pytest.mark.law("L065")
def test_l065_tables_of_material_are_not_enough() -> None:
    table = CoreTable(control="60", fen="7K/7P/5k2/8/8/8/8/6n1 w - - 0 1")  # a knight alone, and the pawn helps
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    assert "lost by White, 0-1" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L065")
def test_l065_what_is_not_known_is_the_arbiters() -> None:
    table = CoreTable(control="60")
    play(table, "e4 e5")
    table.done("arbiter", cmd.MarkOutOfStep())
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    assert "can Black still mate" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L064")
def test_l064_a_claim_without_a_fallen_flag_says_so() -> None:
    table = CoreTable(control="60")
    table.done("black", cmd.ClaimTime())
    assert "has not fallen" in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L064", "L156")
def test_l156_the_arbiter_calls_the_flag_they_observe_and_no_player_does() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    refused = table.do("black", cmd.CallFlag(seat=Seat.WHITE))
    assert isinstance(refused, Refusal)
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    assert table.state.time.clock.running is None and not table.state.over
    assert "lost by White" in alerts(table, "flag_called")[-1].detail
    assert only(table.events, ev.FlagCalled)[0].seat is Seat.WHITE


def test_the_short_path_to_a_second_flag_names_the_first() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    table.press("white")
    table.wait(61_000)
    table.done("arbiter", cmd.CallFlag(seat=Seat.BLACK))
    assert "first White" in alerts(table, "flag_called")[-1].detail


@pytest.mark.law("L232", "L233")
def test_l232_only_where_announced_and_where_there_is_no_increment() -> None:
    for table in (quick(regulations=EventOptions()), quick(control="1800+1")):
        refused = table.do("white", cmd.ClaimDraw(kind="increment"))
        assert isinstance(refused, Refusal) and refused.code == "no_quickplay_claim"
    blitz = CoreTable(control="300", regulations=QUICK)
    blitz.wait(250_000)
    assert isinstance(blitz.do("white", cmd.ClaimDraw(kind="increment")), Refusal)


@pytest.mark.law("L235")
def test_l235_five_seconds_for_both_and_two_minutes_for_the_opponent() -> None:
    table = CoreTable(control="1800", regulations=QUICK)
    table.wait(1_679_999)
    assert isinstance(table.do("white", cmd.ClaimDraw(kind="increment")), Refusal), "two minutes and no less"
    table.wait(2)
    table.done("arbiter", cmd.SetClock(white_ms=119_999, black_ms=60_000, turn=Seat.WHITE))
    assert isinstance(table.do("black", cmd.ClaimDraw(kind="increment")), Refusal), "only who has the move"
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert table.state.draws.offer_by is Seat.WHITE and table.state.time.clock.running is None
    events = rule(table, "correct")
    assert only(events, ev.IncrementSet)[0].increment_ms == 5_000
    assert [(one.seat, one.ms) for one in only(events, ev.TimeAdded)] == [(Seat.BLACK, 120_000)]
    table.done("arbiter", cmd.Resume())
    before = table.state.time.clock.remaining(Seat.WHITE, table.now)
    play(table, "e4")
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == before + 5_000


@pytest.mark.law("L236", "L237")
def test_l236_the_claim_comes_where_the_request_was_refused_and_needs_a_ground() -> None:
    table = quick()
    claim = cmd.ClaimDraw(kind="quickplay", ground="no_effort")
    assert isinstance(table.do("white", claim), Refusal), "III.4 first"
    table.done("white", cmd.ClaimDraw(kind="increment"))
    rule(table, "wrong")
    table.done("arbiter", cmd.Resume())
    refused = table.do("white", cmd.ClaimDraw(kind="quickplay"))
    assert isinstance(refused, Refusal) and refused.code == "no_ground"
    before = len(told(table, Seat.BLACK))
    table.done("white", claim)
    assert [type(message) for message in told(table, Seat.BLACK)[before:]] == [msg.ClockShown]
    rule(table, "correct")
    assert ended(table) == ("1/2-1/2", "draw_claimed", "III.5.1")


@pytest.mark.law("L237", "L238")
@pytest.mark.parametrize("bonus", [True, False])
def test_l238_a_postponed_claim_survives_the_flag(bonus: bool) -> None:
    table = claimed()
    given = only(rule(table, "postponed", bonus=bonus), ev.TimeAdded)
    assert [(one.seat, one.ms) for one in given] == ([(Seat.BLACK, 120_000)] if bonus else [])
    table.done("arbiter", cmd.Resume())
    table.wait(200_000)
    table.done("black", cmd.ClaimTime())
    assert "survives the flag-fall (III.5.2)" in alerts(table, "time_claimed")[-1].detail
    rule(table, "correct")
    assert ended(table)[0] == "1/2-1/2"


@pytest.mark.law("L237", "L239")
def test_l239_rejected_the_opponent_shall_have_two_minutes() -> None:
    table = claimed()
    events = rule(table, "wrong", bonus=False)
    assert [(one.seat, one.ms, one.article) for one in only(events, ev.TimeAdded)] == [(Seat.BLACK, 120_000, "III.5.3")]
    assert table.state.draws.claim is None and isinstance(table.do("arbiter", cmd.RuleClaim(ruling="correct")), Refusal)


@pytest.mark.law("L235")
def test_l235_where_another_clock_leads_the_arbiter_looks_at_its_times() -> None:
    table = CoreTable(control="1800", regulations=QUICK, master=ClockMaster.MANUAL)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert alerts(table, "draw_claimed")


@pytest.mark.law("L236")
def test_l236_not_after_the_flag() -> None:
    table = quick()
    table.wait(200_000)
    assert isinstance(table.do("white", cmd.ClaimDraw(kind="increment")), Refusal)


def test_only_a_quickplay_claim_is_postponed() -> None:
    table = repeated_twice()
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    refused = table.do("arbiter", cmd.RuleClaim(ruling="postponed"))
    assert isinstance(refused, Refusal) and refused.article == "III.5.1"
