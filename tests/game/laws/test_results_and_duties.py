"""Results and points, keeping score, asking for the sheet, and the quickplay finish."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from server.game.laws.event_options import EventOptions, Points, Supervision
from server.game.laws.quickplay import (
    Availability,
    applies,
    availability,
    both_flags_fallen,
    ruling_bonus_ms,
    runs_out,
    why_not,
)
from server.game.laws.results import (
    RESULTS,
    GamePoints,
    lost_by,
    lost_with_score,
    may_be_given,
    points_of,
)
from server.game.laws.rule_set import UNSTATED, RuleSet
from server.game.laws.scoresheet import (
    Exemption,
    SheetRequest,
    UpdateDuty,
    exemption_after,
    sheet_request,
    time_of_cell,
    update_duty,
)
from server.game.laws.supervision import TimeClass
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat
from tests.game.laws.all_rules import Rules


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
        assert all(may_be_given(points_of(result, scheme), scheme) for result in RESULTS)


@pytest.mark.law("L116")
@pytest.mark.parametrize(
    ("scheme", "white", "black", "may"),
    [
        (Points.ONE, F(3, 4), F(1, 4), False),
        (Points.ONE, F(1), F(1, 2), False),
        (Points.ONE, F(-1), F(0), False),
        (Points.ONE, F(1, 4), F(0), False),
        (Points.ONE, F(0), F(1, 4), False),
        (Points.ONE, F(1), F(0), True),
        (Points.ONE, F(0), F(1), True),
        (Points.ONE, F(1, 2), F(0), True),
        (Points.ONE, F(1, 2), F(1, 2), True),
        (Points.THREE, F(3), F(1), False),
        (Points.THREE, F(2), F(0), False),
        (Points.THREE, F(3), F(0), True),
        (Points.THREE, F(1), F(1), True),
        (Points.THREE, F(1), F(0), True),
    ],
)
def test_never_more_than_a_game_gives(scheme: Points, white: F, black: F, may: bool) -> None:
    assert may_be_given(GamePoints(white, black), scheme) is may


@pytest.mark.law("L129", "L144")
def test_a_loss_by_penalty_with_the_score_the_arbiter_sets() -> None:
    assert (lost_by(Seat.WHITE), lost_by(Seat.BLACK)) == ("0-1", "1-0")
    assert lost_with_score(Seat.WHITE, "win") == "0-1" and lost_with_score(Seat.BLACK, "win") == "1-0"
    assert lost_with_score(Seat.WHITE, "draw") == "0-1/2" and lost_with_score(Seat.BLACK, "draw") == "1/2-0"
    assert lost_with_score(Seat.BLACK, "loss") == "0-0"  # both are guilty (11.8)
    assert lost_with_score(Seat.WHITE, "loss") == "0-0"
    with pytest.raises(ValueError, match="forfeit_win"):
        lost_with_score(Seat.WHITE, "forfeit_win")


@pytest.mark.law("L094")
def test_exemption_under_five_minutes_without_thirty_seconds() -> None:
    duty = Exemption()
    assert not exemption_after(duty, 0, 300_000, 0).holds(0)  # five minutes are not fewer than five
    assert exemption_after(duty, 0, 299_999, 0).holds(0)
    assert exemption_after(duty, 0, 299_999, 29_999).holds(0)
    assert not exemption_after(duty, 0, 1_000, 30_000).holds(0)


@pytest.mark.law("L094")
def test_exemption_lasts_until_the_period_ends() -> None:
    exempt = exemption_after(Exemption(), 0, 200_000, 10_000)
    assert exemption_after(exempt, 0, 400_000, 10_000) == exempt  # the time rose again
    assert not exempt.holds(1)
    assert exemption_after(exempt, 1, 1_800_000, 10_000) == Exemption()
    assert exemption_after(exempt, 1, 100_000, 10_000).holds(1)


@pytest.mark.law("L095", "L096", "L097")
def test_who_brings_their_score_up_to_date() -> None:
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
    sixth = sheet_request(fide2023, TimeClass.BLITZ, full, 5, on_move=True)
    assert sixth == SheetRequest("distraction", "B.2.3", 6)
    assert sheet_request(fide2018, TimeClass.RAPID, full, 0, on_move=True).article == "A.3.2"
    assert sheet_request(fide2018, TimeClass.BLITZ, full, 0, on_move=True).article == "B.3.2"
    assert sheet_request(fide2023, TimeClass.BLITZ, full, 0, on_move=True).article == "B.2.3"
    refused = sheet_request(fide2023, TimeClass.RAPID, full, 2, on_move=False)
    assert refused == SheetRequest("refuse", "A.4.3", 2)  # not counted
    for kind in (TimeClass.RAPID, TimeClass.BLITZ):
        none_kept = sheet_request(fide2023, kind, Supervision.BASIC, 1, on_move=True)
        assert none_kept == SheetRequest("refuse", "A.2", 1)
    for supervision in Supervision:
        each_his_own = sheet_request(fide2023, TimeClass.STANDARD, supervision, 0, on_move=True)
        assert each_his_own == SheetRequest("refuse", "8.1.1", 0)
    unstated = sheet_request(UNSTATED, TimeClass.RAPID, full, 0, on_move=True)
    assert unstated == SheetRequest("show", "11.5", 1), "an edition that numbers no such article"


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


@pytest.mark.law("L232", "L233")
def test_why_the_guidelines_do_not_hold() -> None:
    controls = ("40/7200:3600", "1500", "300", "600", "40/7200:3600+5", "180+2")
    found = [why_not(TimeControl.parse(control)) for control in controls]
    assert found == ["III.2.1", "III.2.1", *["III.2.2"] * 4]


NOTHING_NOW = Availability(False, False, "III.4")
REQUEST = Availability(True, False, "III.4")
CLAIM = Availability(False, True, "III.5")


@pytest.mark.law("L235", "L236")
def test_less_than_two_minutes_and_the_flag_is_up() -> None:
    assert [runs_out(ms) for ms in (-1, 0, 1, 119_999, 120_000, 120_001)] == [False, False, True, True, False, False]
    assert runs_out(None), "another clock's time is for the arbiter to see"


@pytest.mark.law("L235", "L236")
@pytest.mark.parametrize(
    ("name", "rest", "found"),
    [
        ("fide2023", {}, REQUEST),
        ("fide2023", {"remaining_ms": 120_000}, NOTHING_NOW),
        ("fide2023", {"remaining_ms": 0}, NOTHING_NOW),  # the flag has fallen
        ("fide2023", {"remaining_ms": None}, REQUEST),
        ("fide2023", {"on_move": False}, NOTHING_NOW),
        ("fide2023", {"last_period": False}, NOTHING_NOW),
        ("fide2023", {"request": "refused"}, CLAIM),
        ("fide2023", {"request": "granted"}, Availability(False, False, "III.2.2")),
        ("fide2023", {"event": SILENT}, Availability(False, False, "III.2.1")),
        ("fide2023", {"control": TimeControl.parse("300")}, Availability(False, False, "III.2.2")),
        ("fide2017h2", {}, Availability(False, False, "III.2.1")),
        ("short", {}, CLAIM),
        ("short", {"event": SILENT}, CLAIM),
        ("short", {"request": "granted"}, Availability(False, False, "III.2.2")),
        ("short", {"remaining_ms": 120_000}, NOTHING_NOW),
    ],
)
def test_what_may_be_asked_for_now(rules: Rules, name: str, rest: dict[str, Any], found: Availability) -> None:
    given = {"event": ANNOUNCED, "control": TWO_HOURS, "remaining_ms": 60_000, "on_move": True, "last_period": True}
    assert availability(rules.rule_sets[name], **{**given, **rest}) == found


@pytest.mark.law("L237", "L238", "L239")
def test_what_the_arbiters_ruling_gives(fide2023: RuleSet, short: RuleSet, fide2017h2: RuleSet) -> None:
    def bonus(rules: RuleSet) -> list[int | None]:
        return [ruling_bonus_ms(rules, postponed=postponed) for postponed in (True, False)]

    assert bonus(fide2023) == [120_000, 120_000]
    assert bonus(short) == [120_000, 0]
    assert bonus(fide2017h2) == [None, None]


@pytest.mark.law("L234")
def test_both_flags_fallen() -> None:
    assert both_flags_fallen(last_period=True) == "drawn"
    assert both_flags_fallen(last_period=False) == "continue"


@pytest.mark.law("L089")
@pytest.mark.parametrize(
    ("cell", "ms"),
    [("0:45", 2_700_000), ("(1:02)", 3_720_000), ("1:02:03", 3_723_000), ("45'", 2_700_000), ("7", 420_000)],
)
def test_the_clock_time_of_a_cell_is_hours_and_minutes_or_minutes_alone(cell: str, ms: int) -> None:
    assert time_of_cell(cell) == ms
