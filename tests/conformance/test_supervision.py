"""Time classes, penalties by class and edition, full and basic supervision (A.1-A.6, B.1-B.4; G10)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions, Supervision, rules_of
from server.game.laws.penalties import illegal_bonus_ms, wrong_claim_bonus_ms
from server.game.laws.supervision import TimeClass, basic
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat
from server.game.views import messages as msg
from tests.game.core_table import CoreTable, edition, only, told

FULL, BASIC = Supervision.FULL, Supervision.BASIC


@pytest.mark.law("L147", "L158")
@pytest.mark.parametrize(
    ("name", "kind", "supervision", "minutes"),
    [
        ("fide2023", TimeClass.STANDARD, FULL, 2),
        ("fide2023", TimeClass.RAPID, FULL, 1),
        ("fide2023", TimeClass.RAPID, BASIC, 1),
        ("fide2023", TimeClass.BLITZ, BASIC, 1),
        ("fide2023", TimeClass.BLITZ, FULL, 2),
        ("fide2018", TimeClass.RAPID, FULL, 2),
        ("fide2018", TimeClass.BLITZ, FULL, 1),
        ("fide2018", TimeClass.BLITZ, BASIC, 1),
    ],
)
def test_penalties_by_edition_and_class(name: str, kind: TimeClass, supervision: Supervision, minutes: int) -> None:
    rules = edition(name)
    assert illegal_bonus_ms(rules, kind, supervision) == wrong_claim_bonus_ms(rules, kind, supervision)
    assert illegal_bonus_ms(rules, kind, supervision) == minutes * 60_000


@pytest.mark.law("L158")
def test_an_event_may_read_b2_otherwise_and_the_arbiter_may_decide_the_gap() -> None:
    read = rules_of(edition("fide2023"), EventOptions(overrides=(("illegal_bonus", {"blitz_full_s": 60}),)))
    assert illegal_bonus_ms(read, TimeClass.BLITZ, FULL) == 60_000 and read.origin("illegal_bonus") == "event"
    table = CoreTable(control="180+2")
    (decided,) = only(table.done("arbiter", cmd.DecideGap(gap="G10", decision="two minutes")), ev.Decided)
    assert decided.gap == "G10"


@pytest.mark.law("L148", "L159")
@pytest.mark.parametrize(
    ("control", "games", "recorded", "possible"),
    [
        ("900+10", 3, True, True),
        ("900+10", 4, True, False),
        ("900+10", 3, False, False),
        ("180+2", 1, True, True),
        ("180+2", 2, True, False),
        ("5400+30", 40, False, True),
    ],
)
def test_full_supervision_by_the_number_of_games(control: str, games: int, recorded: bool, possible: bool) -> None:
    table = CoreTable(control=control, started=False)
    (noted,) = only(table.done("arbiter", cmd.NoteSupervision(games=games, recorded=recorded)), ev.SupervisionNoted)
    assert noted.possible is possible
    told = [one for one in only(table.events, ev.Alerted) if one.kind == "supervision"]
    assert bool(told) is not possible
    assert table.state.table.regulations.supervision is FULL, "what the event has fixed stands"
    assert table.do("white", cmd.NoteSupervision(games=1)) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L150", "L161", "L162")
def test_the_regulations_fix_supervision_for_the_whole_event() -> None:
    assert basic(TimeClass.RAPID, BASIC) and basic(TimeClass.BLITZ, BASIC) and not basic(TimeClass.STANDARD, BASIC)
    assert edition("fide2023").article("rapid_basic") == "A.5"
    table = CoreTable(control="180+2", regulations=EventOptions(supervision=BASIC))
    before = table.state.table.regulations
    for body in (cmd.NoteSupervision(games=1), cmd.DecideGap(gap="G10", decision="one minute")):
        table.done("arbiter", body)
    assert table.state.table.regulations == before, "no command changes them"
    again = cmd.OpenTable(
        white=table.state.table.white,
        black=table.state.table.black,
        control=TimeControl.parse("180+2"),
        start_fen="8/8/8/8/8/8/8/8 w - - 0 1",
    )
    assert table.do("program", again) == Refusal("already_open", "2.2")


@pytest.mark.law("L149", "L160")
def test_in_blitz_too_the_sheet_is_shown_at_most_five_times() -> None:
    table = CoreTable(control="180+2")
    asked = [only(table.done("white", cmd.AskForSheet()), ev.SheetAsked)[0].answer for _ in range(6)]
    assert asked == ["show"] * 5 + ["distraction"]
    assert [type(one) for one in told(table, Seat.WHITE)] == [msg.Started], "the arbiter alone is asked"
