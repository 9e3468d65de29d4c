"""Standard, rapid and blitz at their boundaries (A.1, B.1)."""

from __future__ import annotations

import pytest

from server.game.laws.supervision import allotted_ms, classify, has_increment
from server.game.values.time_control import TimeControl


@pytest.mark.law("L145", "L157")
@pytest.mark.parametrize(
    ("control", "minutes", "kind"),
    [
        ("600", 10, "blitz"),  # exactly ten minutes
        ("601", 10 + 1 / 60, "rapid"),
        ("180+2", 5, "blitz"),
        ("300+5", 10, "blitz"),  # 5 + 5 by the increment
        ("301+5", 10 + 1 / 60, "rapid"),
        ("300+6", 11, "rapid"),
        ("540+1", 10, "blitz"),
        ("541+1", 10 + 1 / 60, "rapid"),
        ("900+10", 25, "rapid"),
        ("3599", 60 - 1 / 60, "rapid"),
        ("3600", 60, "standard"),  # exactly sixty
        ("1800+30", 60, "standard"),
        ("1799+30", 60 - 1 / 60, "rapid"),
        ("5400+30", 120, "standard"),
        ("40/5400+30:1800+30", 150, "standard"),
        ("40/1500:900", 40, "rapid"),
        ("40/2400:20/1200:900", 60, "standard"),  # a period that begins after move sixty does not count
        ("40/2399:20/1200:900", 60 - 1 / 60, "rapid"),
        ("60/3000:1800+30", 50, "rapid"),
    ],
)
def test_boundaries(control: str, minutes: float, kind: str) -> None:
    parsed = TimeControl.parse(control)
    assert allotted_ms(parsed) == round(minutes * 60_000)
    assert classify(parsed).value == kind


@pytest.mark.law("L233")
def test_increment_in_any_period() -> None:
    assert has_increment(TimeControl.parse("40/5400:900+30"))
    assert not has_increment(TimeControl.parse("40/5400:900"))
