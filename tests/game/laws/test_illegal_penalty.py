"""What illegal moves and wrong claims cost, by edition, kind of game and supervision."""

from __future__ import annotations

from typing import Any

import pytest

from server.game.laws.event_options import Supervision
from server.game.laws.penalties import (
    ARTICLE,
    Illegality,
    IllegalPenalty,
    counts_as_illegal,
    illegal_bonus_ms,
    illegal_loses_at,
    illegal_penalty,
    wrong_claim_bonus_ms,
)
from server.game.laws.rule_set import UNSTATED, RuleSet, overridden
from server.game.laws.supervision import (
    TimeClass,
    full_supervision_possible,
    illegal_move_stands,
    set_up_claim_open,
    settings_locked,
)
from tests.game.laws.all_rules import Rules

FULL, BASIC = Supervision.FULL, Supervision.BASIC
STANDARD, RAPID, BLITZ = TimeClass.STANDARD, TimeClass.RAPID, TimeClass.BLITZ
MOVE, PAWN, PRESS, HANDS = Illegality
KINDS = [(STANDARD, FULL), (RAPID, FULL), (RAPID, BASIC), (BLITZ, FULL), (BLITZ, BASIC)]


@pytest.mark.law("L084", "L111", "L147", "L158")
@pytest.mark.parametrize(
    ("name", "seconds", "claim"),
    [
        ("fide2018", (120, 120, 120, 60, 60), (120, 120, 120, 60, 60)),
        ("fide2023", (120, 60, 60, 120, 60), (120, 60, 60, 120, 60)),
        ("short", (120, 120, 120, 120, 120), (None,) * 5),
        ("fide2017h2", (120, None, None, None, None), (None,) * 5),
    ],
)
def test_bonus(rules: Rules, name: str, seconds: tuple[int | None, ...], claim: tuple[int | None, ...]) -> None:
    def in_ms(cells: tuple[int | None, ...]) -> list[int | None]:
        return [None if cell is None else cell * 1000 for cell in cells]

    rule_set = rules.rule_sets[name]
    assert [illegal_bonus_ms(rule_set, *kind) for kind in KINDS] == in_ms(seconds)
    assert [wrong_claim_bonus_ms(rule_set, *kind) for kind in KINDS] == in_ms(claim)


@pytest.mark.law("L158")
def test_an_event_answers_the_gap_in_blitz(fide2023: RuleSet) -> None:
    event = overridden(fide2023, "illegal_bonus", {"blitz_full_s": 60})
    assert illegal_bonus_ms(event, BLITZ, FULL) == 60_000
    assert illegal_bonus_ms(event, STANDARD, FULL) == 120_000


@pytest.mark.law("L084")
def test_the_second_loses_whatever_its_kind(fide2023: RuleSet) -> None:
    first = illegal_penalty(fide2023, STANDARD, FULL, (), MOVE)
    assert first == IllegalPenalty(True, 1, False, 120_000, "7.5.5")
    for kind in Illegality:
        assert illegal_penalty(fide2023, STANDARD, FULL, (MOVE,), kind) == IllegalPenalty(True, 2, True, 0, "7.5.5")


@pytest.mark.law("L245", "L083", "L025")
def test_the_third_loses_in_the_short_rules(short: RuleSet) -> None:
    row = [illegal_penalty(short, STANDARD, FULL, (MOVE,) * earlier, PAWN) for earlier in range(3)]
    assert [(one.number, one.loses, one.bonus_ms) for one in row] == [
        (1, False, 120_000),
        (2, False, 120_000),
        (3, True, 0),
    ]
    hands = illegal_penalty(short, STANDARD, FULL, (MOVE, MOVE), HANDS)
    assert hands == IllegalPenalty(False, 0, False, 0, "7.5.4")
    press = illegal_penalty(short, STANDARD, FULL, (MOVE, MOVE), PRESS)
    assert press == IllegalPenalty(None, 0, None, None, "7.5.3")
    # What does not count is not counted later either.
    assert illegal_penalty(short, STANDARD, FULL, (HANDS, HANDS), MOVE).number == 1


@pytest.mark.law("L082", "L083", "L084")
def test_three_categories_in_the_second_half_of_2017(fide2017h2: RuleSet) -> None:
    def number(earlier: tuple[Illegality, ...], kind: Illegality) -> tuple[int, bool | None]:
        found = illegal_penalty(fide2017h2, STANDARD, FULL, earlier, kind)
        return found.number, found.loses

    assert number((MOVE, PRESS, HANDS), PAWN) == (2, True)  # the unpromoted pawn is an ordinary one
    assert number((PRESS, HANDS), MOVE) == (1, False)
    assert number((MOVE, PAWN, PRESS), HANDS) == (1, False)
    assert number((PRESS,), PRESS) == (2, True)


@pytest.mark.law("L153")
def test_the_first_one_loses_where_the_old_rule_holds(fide2017h2: RuleSet, fide2018: RuleSet) -> None:
    assert [illegal_loses_at(fide2017h2, *kind) for kind in KINDS] == [2, 2, 1, 2, 1]
    assert [illegal_loses_at(fide2018, *kind) for kind in KINDS] == [2, 2, 2, 2, 2]
    arabic = overridden(fide2018, "rapid_first_illegal_loses", True)
    assert illegal_penalty(arabic, RAPID, BASIC, (), MOVE) == IllegalPenalty(True, 1, True, 0, "A.4.2")


@pytest.mark.law("L150", "L153", "L161")
def test_articles_under_basic_supervision(fide2018: RuleSet, fide2023: RuleSet) -> None:
    assert illegal_penalty(fide2023, BLITZ, BASIC, (), MOVE).article == "A.5.2"
    assert illegal_penalty(fide2018, RAPID, BASIC, (), MOVE).article == "A.4.2"
    assert illegal_penalty(fide2018, STANDARD, BASIC, (), MOVE).article == "7.5.5"
    assert fide2018.article("rapid_full") == "A.3" and fide2023.article("rapid_full") == "A.4"
    assert fide2018.article("blitz_basic") == "B.4" and fide2023.article("blitz_basic") == "B.3"


@pytest.mark.law("L148", "L159")
def test_full_supervision_needs_an_arbiter_and_a_record() -> None:
    assert full_supervision_possible(RAPID, 3, recorded=True)
    assert not full_supervision_possible(RAPID, 4, recorded=True)
    assert not full_supervision_possible(RAPID, 1, recorded=False)
    assert full_supervision_possible(BLITZ, 1, recorded=True)
    assert not full_supervision_possible(BLITZ, 2, recorded=True)
    assert full_supervision_possible(STANDARD, 40, recorded=False)


@pytest.mark.law("L151", "L152")
def test_ten_moves_each_settle_clock_and_set_up() -> None:
    assert not settings_locked(RAPID, BASIC, 10, 9)
    assert settings_locked(RAPID, BASIC, 10, 10) and settings_locked(BLITZ, BASIC, 11, 10)
    assert not settings_locked(RAPID, FULL, 30, 30) and not settings_locked(STANDARD, BASIC, 30, 30)
    assert set_up_claim_open(RAPID, BASIC, 10, 9) and not set_up_claim_open(RAPID, BASIC, 10, 10)
    assert set_up_claim_open(STANDARD, FULL, 40, 40)


@pytest.mark.law("L153", "L080")
def test_the_illegal_move_that_stands() -> None:
    assert illegal_move_stands(BLITZ, BASIC, reply_made=False) == "arbiter_or_claim"
    assert illegal_move_stands(BLITZ, BASIC, reply_made=True) == "stands"
    assert illegal_move_stands(BLITZ, FULL, reply_made=True) == "restore"
    assert illegal_move_stands(STANDARD, BASIC, reply_made=True) == "restore"


@pytest.mark.law("L080", "L081", "L082", "L083")
def test_the_kinds_of_illegal_moves_as_records_have_them_and_their_articles() -> None:
    assert {one.value: ARTICLE[one] for one in Illegality} == {
        "move": "7.5.1",
        "unpromoted_pawn": "7.5.2",
        "press_without_move": "7.5.3",
        "two_hands": "7.5.4",
    }


@pytest.mark.law("L082", "L083")
@pytest.mark.parametrize(
    ("name", "press", "hands"),
    [("fide2023", True, True), ("fide2018", True, True), ("fide2017h2", True, True), ("short", None, False)],
)
def test_what_counts_as_an_illegal_move_by_edition(rules: Rules, name: str, press: Any, hands: Any) -> None:
    found = [counts_as_illegal(rules.rule_sets[name], kind) for kind in (MOVE, PAWN, PRESS, HANDS)]
    assert found == [True, True, press, hands]


@pytest.mark.law("L084", "L147", "L153", "L158")
@pytest.mark.parametrize(
    ("name", "kind", "supervision", "first"),
    [
        ("fide2023", STANDARD, FULL, IllegalPenalty(True, 1, False, 120_000, "7.5.5")),
        ("fide2023", STANDARD, BASIC, IllegalPenalty(True, 1, False, 120_000, "7.5.5")),
        ("fide2023", RAPID, FULL, IllegalPenalty(True, 1, False, 60_000, "7.5.5")),
        ("fide2023", RAPID, BASIC, IllegalPenalty(True, 1, False, 60_000, "A.5.2")),
        ("fide2023", BLITZ, BASIC, IllegalPenalty(True, 1, False, 60_000, "A.5.2")),
        ("fide2018", BLITZ, BASIC, IllegalPenalty(True, 1, False, 60_000, "A.4.2")),
        ("fide2017h2", RAPID, BASIC, IllegalPenalty(True, 1, True, 0, "7.5.5")),
        ("fide2017h2", RAPID, FULL, IllegalPenalty(True, 1, False, None, "7.5.5")),
        ("short", RAPID, BASIC, IllegalPenalty(True, 1, False, 120_000, "7.5.5")),
    ],
)
def test_the_first_illegal_move_in_full(
    rules: Rules, name: str, kind: TimeClass, supervision: Supervision, first: IllegalPenalty
) -> None:
    assert illegal_penalty(rules.rule_sets[name], kind, supervision, (), MOVE) == first


@pytest.mark.law("L084")
def test_where_the_edition_does_not_say_which_one_loses_the_arbiter_decides() -> None:
    found = illegal_penalty(UNSTATED, STANDARD, FULL, (MOVE, MOVE), MOVE)
    assert found == IllegalPenalty(True, 3, None, None, "7.5.5")
    assert illegal_penalty(UNSTATED, STANDARD, FULL, (), HANDS) == IllegalPenalty(None, 0, None, None, "7.5.4")
    assert wrong_claim_bonus_ms(UNSTATED, STANDARD, FULL) is None
