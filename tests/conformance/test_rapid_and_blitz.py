"""Rapid and blitz under basic supervision (Appendices A and B); keeping score without time (8.4, 8.5)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Seat
from server.game.views.view import picture
from tests.conformance.law_table import BASIC, TEN, rule
from tests.game.core_table import CoreTable, alerts, only, play, refused


@pytest.mark.law("L151")
def test_l151_the_setting_stands_after_ten_moves_of_each_unless_the_arbiter_says_why() -> None:
    def setting(reason: str) -> cmd.SetClock:
        return cmd.SetClock(white_ms=1_000, black_ms=2_000, turn=Seat.WHITE, reason=reason)

    table = CoreTable(control="900+10", regulations=BASIC)
    table.done("arbiter", setting(""))
    table.done("arbiter", cmd.SetClock(white_ms=800_000, black_ms=800_000, turn=Seat.WHITE))
    play(table, TEN)
    refused(table.do("arbiter", setting("")), "settings_locked", "A.5.1.1")
    table.done("arbiter", setting("the round is late"))
    full = CoreTable(control="900+10")
    play(full, TEN)
    full.done("arbiter", setting(""))


@pytest.mark.law("L151")
@pytest.mark.parametrize(("rule_set", "article"), [("fide2023", "A.5.1.1"), ("fide2018", "A.4.1.1")])
def test_l151_the_increment_is_a_setting_too(rule_set: str, article: str) -> None:
    """Its change after ten moves of each needs the arbiter's reason: that the schedule of the event suffers."""
    table = CoreTable(control="900+10", regulations=BASIC, rule_set=rule_set)
    table.done("arbiter", cmd.SetIncrement(increment_ms=5_000))
    play(table, TEN)
    for reason in ("", "  "):
        changing = cmd.SetIncrement(increment_ms=3_000, article="6.3", reason=reason)
        refused(table.do("arbiter", changing), "settings_locked", article)
    events = table.done("arbiter", cmd.SetIncrement(increment_ms=3_000, article="6.3", reason="the round is late"))
    assert [one.reason for one in only(events, ev.IncrementSet)] == ["the round is late"]
    assert table.state.time.clock.control.periods[0].increment_ms == 3_000
    full = CoreTable(control="900+10", rule_set=rule_set)
    play(full, TEN)
    full.done("arbiter", cmd.SetIncrement(increment_ms=3_000))


@pytest.mark.law("L153", "L024")
@pytest.mark.parametrize(("rule_set", "article"), [("fide2023", "A.5.2"), ("fide2018", "A.4.2")])
def test_l153_the_illegal_move_stands_once_the_opponent_has_moved(rule_set: str, article: str) -> None:
    table = CoreTable(control="900+10", regulations=BASIC, rule_set=rule_set)
    play(table, "Ke3")
    assert not isinstance(
        table.do("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal", confirm=False)), Refusal
    )
    play(table, "e5")
    (alert,) = alerts(table, "illegal_move_stands")
    assert article in alert.detail and alert.ply == 1
    ruling = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal")
    refused(table.do("arbiter", ruling), "illegal_move_stands", article)
    refused(table.do("arbiter", cmd.RestoreTo(ply=0)), "illegal_move_stands", article)
    play(table, "d4")
    assert table.state.position is not None and "K" in table.state.position.placement.split("/")[5], "play goes on"
    table.done("arbiter", cmd.RestoreTo(ply=0, agreed=True, reason="both players agree"))
    assert table.state.made_plies == 0
    full = CoreTable(control="900+10", rule_set=rule_set)
    play(full, "Ke3 e5 d4")
    assert not alerts(full, "illegal_move_stands") and rule(full, 1, Seat.WHITE).counts


@pytest.mark.law("L153")
def test_l153_a_move_that_was_ruled_on_in_time_does_not_stand() -> None:
    table = CoreTable(control="900+10", regulations=BASIC)
    play(table, "Ke3")
    rule(table, 1, Seat.WHITE)
    play(table, "e5")
    assert not alerts(table, "illegal_move_stands")


@pytest.mark.law("L153")
def test_l153_the_opponents_claim_is_in_time_until_their_own_next_move() -> None:
    table = CoreTable(control="900+10", regulations=BASIC)
    play(table, "Ke3")
    table.done("black", cmd.ClaimIrregularity(kind="illegal"))
    assert "A.5.2, in time" in alerts(table, "irregularity_claimed")[0].detail
    table.done("arbiter", cmd.Resume())
    play(table, "e5")
    table.done("black", cmd.ClaimIrregularity(kind="illegal"))
    assert "A.5.2, too late" in alerts(table, "irregularity_claimed")[1].detail


@pytest.mark.law("L149")
def test_l149_ones_own_score_is_free_and_in_standard_play_there_is_no_sheet_of_the_arbiter() -> None:
    table = CoreTable(control="900+10")
    for _ in range(8):
        table.done("white", cmd.Ask(what="score"))
    assert table.state.scores.sheet_requests == (0, 0) and not alerts(table, "sheet_asked")
    refused(CoreTable().do("white", cmd.AskForSheet()), "no_sheet_to_show", "8.1.1")


@pytest.mark.law("L153")
def test_l153_the_first_one_loses_under_the_older_rules() -> None:
    table = CoreTable(control="900+10", regulations=BASIC, rule_set="fide2017h2")
    play(table, "Ke3")
    ruled = rule(table, 1, Seat.WHITE)
    assert ruled.loses and ruled.number == 1 and ruled.proposed == "0-1"


@pytest.mark.law("L094")
def test_l094_exempt_under_five_minutes_for_the_rest_of_the_period() -> None:
    table = CoreTable(control="2/400+10:600+10")
    table.wait(109_000)
    table.press("white")
    assert table.state.scores.exempt == (None, None), "301 seconds were left"
    play(table, "e5")
    table.wait(20_000)
    table.done("arbiter", cmd.Pause())
    assert table.state.scores.exempt == (0, None)
    table.done("arbiter", cmd.AddTime(seat=Seat.WHITE, ms=200_000))
    table.done("arbiter", cmd.Resume())
    assert picture(table.state, table.now).exempt == (Seat.WHITE,), "also when the time rises again"
    play(table, "d4")
    assert picture(table.state, table.now).exempt == (), "a new period"
    longer = CoreTable(control="200+30")
    longer.press("white")
    assert longer.state.scores.exempt == (None, None), "an increment of 30 s"


@pytest.mark.law("L095", "L096")
def test_l095_l096_after_a_flag_a_player_who_stopped_recording_brings_the_score_up_to_date() -> None:
    table = CoreTable(control="120")
    play(table, "e4 e5 Nf3")
    table.wait(121_000)
    table.own(cmd.NoteInstant())
    (alert,) = alerts(table, "scores_behind")
    assert "White and Black" in alert.detail and "8.5.1" in alert.detail
    alone = CoreTable(control="120")
    play(alone, "e4 e5 Nf3")
    for index, text in ((1, "e4"), (2, "e5"), (3, "Nf3")):
        alone.done("white", cmd.WriteScore(index=index, text=text))
    alone.wait(121_000)
    alone.own(cmd.NoteInstant())
    assert "Black: update" in alerts(alone, "scores_behind")[0].detail
    assert "8.5.2" in alerts(alone, "scores_behind")[0].detail


@pytest.mark.law("L095", "L096")
def test_l095_who_had_to_record_all_along_is_no_case_for_the_update() -> None:
    table = CoreTable(control="60+30")
    play(table, "e4 e5")
    table.wait(200_000)
    table.own(cmd.NoteInstant())
    assert only(table.events, ev.FlagFell) and not alerts(table, "scores_behind")
