"""Results and points, keeping score, asking for the sheet, and the quickplay finish."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from server.play.rules.event_options import EventOptions, Points, Supervision
from server.play.rules.exemption import Exemption, UpdateDuty, exempted, update_duty
from server.play.rules.quickplay import Availability, applies, availability, both_flags_fallen, ruling_bonus_ms
from server.play.rules.results import (
    BY_THE_ARBITER_ONLY,
    RESULTS,
    GamePoints,
    allowed,
    lost_by,
    lost_with_score,
    points_of,
)
from server.play.rules.rule_set import RuleSet
from server.play.rules.sheet_requests import sheet_request
from server.play.rules.time_class import TimeClass
from server.play.time_control import TimeControl
from server.play.values import Seat


@pytest.mark.law("L115")
@pytest.mark.parametrize(
    ("result", "one", "three"),
    [
        ("1-0", (F(1), F(0)), (F(3), F(0))),
        ("0-1", (F(0), F(1)), (F(0), F(3))),
        ("1/2-1/2", (F(1, 2), F(1, 2)), (F(1), F(1))),
        ("0-0", (F(0), F(0)), (F(0), F(0))),
        ("1/2-0", (F(1, 2), F(0)), (F(1), F(0))),
        ("0-1/2", (F(0), F(1, 2)), (F(0), F(1))),
        ("+/-", (F(1), F(0)), (F(3), F(0))),
        ("-/+", (F(0), F(1)), (F(0), F(3))),
        ("-/-", (F(0), F(0)), (F(0), F(0))),
    ],
)
def test_points(result: str, one: tuple[F, F], three: tuple[F, F]) -> None:
    assert points_of(result, Points.ONE) == GamePoints(*one)
    assert points_of(result, Points.THREE) == GamePoints(*three)


@pytest.mark.law("L115", "L116")
def test_only_results_that_there_are() -> None:
    assert len(RESULTS) == 9
    with pytest.raises(ValueError, match="1/2-1"):
        points_of("1/2-1", Points.ONE)
    for scheme in Points:
        assert all(allowed(points_of(result, scheme), scheme) for result in RESULTS)
    assert {"1-0", "0-1", "1/2-1/2"} == set(RESULTS) - BY_THE_ARBITER_ONLY


@pytest.mark.law("L116")
def test_never_more_than_a_game_gives() -> None:
    assert not allowed(GamePoints(F(3, 4), F(1, 4)), Points.ONE)
    assert not allowed(GamePoints(F(1), F(1, 2)), Points.ONE)
    assert not allowed(GamePoints(F(3), F(1)), Points.THREE)
    assert not allowed(GamePoints(F(2), F(0)), Points.THREE)
    assert not allowed(GamePoints(F(-1), F(0)), Points.ONE)
    assert allowed(GamePoints(F(1, 2), F(0)), Points.ONE)


@pytest.mark.law("L129", "L144")
def test_a_loss_by_penalty_with_the_score_the_arbiter_sets() -> None:
    assert (lost_by(Seat.WHITE), lost_by(Seat.BLACK)) == ("0-1", "1-0")
    assert lost_with_score(Seat.WHITE, "win") == "0-1" and lost_with_score(Seat.BLACK, "win") == "1-0"
    assert lost_with_score(Seat.WHITE, "draw") == "0-1/2" and lost_with_score(Seat.BLACK, "draw") == "1/2-0"
    assert lost_with_score(Seat.BLACK, "loss") == "0-0"  # both are guilty (11.8)
    with pytest.raises(ValueError, match="forfeit_win"):
        lost_with_score(Seat.WHITE, "forfeit_win")


@pytest.mark.law("L094")
def test_exemption_under_five_minutes_without_thirty_seconds() -> None:
    duty = Exemption()
    assert not exempted(duty, 0, 300_000, 0).holds(0)  # five minutes are not fewer than five
    assert exempted(duty, 0, 299_999, 0).holds(0)
    assert exempted(duty, 0, 299_999, 29_999).holds(0)
    assert not exempted(duty, 0, 1_000, 30_000).holds(0)


@pytest.mark.law("L094")
def test_exemption_lasts_until_the_period_ends() -> None:
    exempt = exempted(Exemption(), 0, 200_000, 10_000)
    assert exempted(exempt, 0, 400_000, 10_000) == exempt  # the time rose again
    assert not exempt.holds(1)
    assert exempted(exempt, 1, 1_800_000, 10_000) == Exemption()
    assert exempted(exempt, 1, 100_000, 10_000).holds(1)


@pytest.mark.law("L095", "L096", "L097")
def test_who_brings_his_score_up_to_date() -> None:
    both = (Seat.WHITE, Seat.BLACK)
    assert update_duty(white_behind=False, black_behind=False) is None
    assert update_duty(white_behind=True, black_behind=True) == UpdateDuty("8.5.1", both, "before_play")
    assert update_duty(white_behind=True, black_behind=False) == UpdateDuty("8.5.2", (Seat.WHITE,), "before_moving")
    assert update_duty(white_behind=False, black_behind=True) == UpdateDuty("8.5.2", (Seat.BLACK,), "before_moving")
    lost = update_duty(white_behind=True, black_behind=False, reconstructable=False)
    assert lost == UpdateDuty("8.5.3", both, "before_play")


@pytest.mark.law("L149", "L160")
def test_five_requests_of_the_scoresheet(fide2018: RuleSet, fide2023: RuleSet) -> None:
    full = Supervision.FULL
    for earlier in range(5):
        shown = sheet_request(fide2023, TimeClass.RAPID, full, earlier, on_move=True)
        assert (shown.answer, shown.number, shown.article) == ("show", earlier + 1, "A.4.3")
    assert sheet_request(fide2023, TimeClass.BLITZ, full, 5, on_move=True).answer == "distraction"
    assert sheet_request(fide2018, TimeClass.RAPID, full, 0, on_move=True).article == "A.3.2"
    assert sheet_request(fide2018, TimeClass.BLITZ, full, 0, on_move=True).article == "B.3.2"
    assert sheet_request(fide2023, TimeClass.BLITZ, full, 0, on_move=True).article == "B.2.3"
    refused = sheet_request(fide2023, TimeClass.RAPID, full, 2, on_move=False)
    assert (refused.answer, refused.number) == ("refuse", 2)  # not counted
    assert sheet_request(fide2023, TimeClass.RAPID, Supervision.BASIC, 0, on_move=True).answer == "refuse"
    assert sheet_request(fide2023, TimeClass.STANDARD, full, 0, on_move=True).answer == "refuse"


ANNOUNCED, SILENT = EventOptions(guidelines=("III",)), EventOptions(guidelines=("I", "II"))
TWO_HOURS = TimeControl.parse("40/7200:3600")


@pytest.mark.law("L232", "L233")
def test_where_the_quickplay_guidelines_hold(fide2023: RuleSet, short: RuleSet, fide2017h2: RuleSet) -> None:
    assert applies(fide2023, ANNOUNCED, TWO_HOURS) is True
    assert applies(fide2023, SILENT, TWO_HOURS) is False
    assert applies(short, SILENT, TWO_HOURS) is True
    assert applies(fide2017h2, ANNOUNCED, TWO_HOURS) is None
    assert applies(fide2023, ANNOUNCED, TimeControl.parse("1500")) is True  # rapid
    for control in ("300", "600", "40/7200:3600+5"):  # blitz, blitz, an increment
        assert applies(fide2023, ANNOUNCED, TimeControl.parse(control)) is False
        assert applies(short, ANNOUNCED, TimeControl.parse(control)) is False


@pytest.mark.law("L235", "L236")
def test_what_may_be_asked_for_under_two_minutes(fide2023: RuleSet, short: RuleSet) -> None:
    def may(rules: RuleSet, ms: int, **rest: object) -> tuple[bool, bool]:
        given = {"on_move": True, "last_period": True, **rest}
        found = availability(rules, ANNOUNCED, TWO_HOURS, ms, **given)  # type: ignore[arg-type]
        return found.increment, found.draw

    assert may(fide2023, 119_999) == (True, False)
    assert may(fide2023, 120_000) == (False, False)
    assert may(fide2023, 0) == (False, False)  # the flag has fallen
    assert may(fide2023, 60_000, on_move=False) == (False, False)
    assert may(fide2023, 60_000, last_period=False) == (False, False)
    assert may(fide2023, 60_000, request="refused") == (False, True)
    assert may(fide2023, 60_000, request="granted") == (False, False)
    assert may(short, 60_000) == (False, True)
    assert may(short, 120_000) == (False, False)
    nothing = availability(fide2023, SILENT, TWO_HOURS, 60_000, on_move=True, last_period=True)
    assert nothing == Availability(False, False, "III.2.1")


@pytest.mark.law("L237", "L238", "L239")
def test_what_the_arbiters_ruling_gives(fide2023: RuleSet, short: RuleSet, fide2017h2: RuleSet) -> None:
    rulings = ("drawn", "postponed", "rejected")
    assert [ruling_bonus_ms(fide2023, ruling) for ruling in rulings] == [0, 120_000, 120_000]
    assert [ruling_bonus_ms(short, ruling) for ruling in rulings] == [0, 120_000, 0]
    assert [ruling_bonus_ms(fide2017h2, ruling) for ruling in rulings] == [0, None, None]


@pytest.mark.law("L234")
def test_both_flags_fallen() -> None:
    assert both_flags_fallen(last_period=True) == "drawn"
    assert both_flags_fallen(last_period=False) == "continue"
