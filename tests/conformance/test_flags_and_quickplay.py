"""Article 6.8 and 6.9, A.4 and A.5, a flag that has fallen; Guidelines III, the quickplay finish (III.2 to III.5)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.words import ClockMaster, Seat
from server.game.views import messages as msg
from tests.conformance.law_table import QUICK, ended, quick, rule_claim
from tests.game.core_table import CoreTable, alerts, only, play, told


@pytest.mark.law("L065", "L154")
@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("4k3/8/8/8/8/8/8/3QKB2 w - - 0 1", "drawn, 1/2-1/2 (6.9): Black cannot mate: "),
        ("7K/7P/5k2/8/8/8/8/6n1 w - - 0 1", "lost by White, 0-1 (6.9)"),
    ],
    ids=["a bare king", "a knight alone, and the pawn helps: tables of material are not enough"],
)
def test_l065_drawn_where_the_claimant_can_never_mate(fen: str, found: str) -> None:
    table = CoreTable(control="60", fen=fen)
    table.wait(61_000)
    table.done("black", cmd.ClaimTime())
    assert found in alerts(table, "time_claimed")[-1].detail


@pytest.mark.law("L065", "L234")
@pytest.mark.parametrize("both", [False, True])
def test_l234_a_digital_clock_knows_which_flag_fell_first_though_nobody_looked_in_between(both: bool) -> None:
    table = CoreTable(control="60", regulations=QUICK)
    table.wait(61_000)
    table.press("white")
    table.wait(61_000)
    table.done("arbiter", cmd.CallFlag(seat=Seat.BLACK, both=both))
    assert table.state.time.clock.first_flag is Seat.WHITE
    assert "first White" in alerts(table, "flags_called" if both else "flag_called")[-1].detail
    assert only(table.events, ev.MateAsked)[-1].seat is Seat.BLACK, "6.9 for the first that fell"


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
    events = rule_claim(table, "correct")
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
    rule_claim(table, "wrong")
    table.done("arbiter", cmd.Resume())
    refused = table.do("white", cmd.ClaimDraw(kind="quickplay"))
    assert isinstance(refused, Refusal) and refused.code == "no_ground"
    before = len(told(table, Seat.BLACK))
    table.done("white", claim)
    assert [type(message) for message in told(table, Seat.BLACK)[before:]] == [msg.ClockShown]
    rule_claim(table, "correct")
    assert ended(table) == ("1/2-1/2", "draw_claimed", "III.5.1")


@pytest.mark.law("L232", "L233", "L234")
@pytest.mark.parametrize(
    ("control", "rule_set", "guidelines", "why"),
    [
        ("1800", "fide2023", (), "III.3.1 does not apply here (III.2.1)"),
        ("5400", "fide2018", (), "III.3.1 does not apply here (III.2.1)"),
        ("1800+5", "fide2023", ("III",), "III.3.1 does not apply here (III.2.2)"),
        ("300", "fide2023", ("III",), "III.3.1 does not apply here (III.2.2)"),
        ("180+2", "fide2023", ("III",), "III.3.1 does not apply here (III.2.2)"),
        ("180+2", "short", (), "III.3.1 does not apply here (III.2.2)"),
        ("1800", "fide2017h2", (), "the rule set does not say whether III.3.1 applies"),
    ],
)
def test_l234_no_draw_is_offered_where_guidelines_iii_do_not_hold(
    control: str, rule_set: str, guidelines: tuple[str, ...], why: str
) -> None:
    """Blitz, an increment, or not announced: then III.3.1 is no rule of this game, and the arbiter decides."""
    table = CoreTable(
        control=control,
        master=ClockMaster.MANUAL,
        rule_set=rule_set,
        regulations=EventOptions(guidelines=guidelines),  # type: ignore[arg-type]
    )
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    (alert,) = [alert for alert in only(table.events, ev.Alerted) if alert.kind == "flags_called"]
    assert alert.detail == (
        "the fall of both flags has been called: both flags have fallen, the "
        f"first is not known: {why}, the arbiter decides"
    )


@pytest.mark.law("L232", "L234")
def test_l234_the_short_rules_have_the_quickplay_finish_always() -> None:
    table = CoreTable(control="1800", master=ClockMaster.MANUAL, rule_set="short")
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    assert "drawn, 1/2-1/2 (III.3.1)" in only(table.events, ev.Alerted)[-1].detail
