"""An alert is answered by the act that settles what it told of; an incident stays until all of it is done (7.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as ev
from server.game.acts import AnyEvent, Event, events
from server.game.state.rulings import AlertKept, RulingsState, alerts_left, alerts_settled
from server.game.state.state import GameState
from server.game.values.saying import Saying
from server.game.values.words import Role, Seat
from server.game.views.alerts import AlertKinds, alert_cards
from tests.game.core_table import altered
from tests.game.test_every_event_reported import example

WHITE, BLACK = Seat.WHITE, Seat.BLACK
PLY = 7
MOVE = "illegal_move_stands irregular_position draw_irregular premature_press not_finished unannounced_press"
INCIDENTS = "not_legal takes_king unpromoted touch_move press_without_move irregularity_claimed"
WORDS = "unheard unresolved echo_differs contested"
BOARDS = "board_differs board_odd board_not_followed result_signal"
POSITION = "checkmate stalemate dead_position perhaps_dead fivefold seventy_five_moves"
CONDUCT = (
    "device_found sheet_asked stop_not_valid adjusting_out_of_turn out_of_turn_speech offer_out_of_place"
    " entry_out_of_turn premature_press unannounced_press press_without_move"
)
THE_END = (
    "flag time_claimed flag_called flags_called resigned loses draw_claimed draw_irregular checkmate stalemate"
    " dead_position perhaps_dead fivefold seventy_five_moves low_time default_time_over late_arrival start_held"
    " result_signal"
)
OTHERS = (
    "claim_on_display called medical_call law_asked leaving clock_proposed scoresheet press_keys_unknown"
    " adjustment_offered bonus_unstated interrupted clock_wrong set_up_wrong session_over sound_device"
)
KINDS = sorted({*f"{MOVE} {INCIDENTS} {WORDS} {BOARDS} {CONDUCT} {THE_END} {OTHERS}".split()})
ANSWERED: list[tuple[str, type[Event], dict[str, Any], str]] = [
    ("the words of this move come after all", ev.Announced, {"ply": PLY}, "unheard"),
    ("another move is announced", ev.Announced, {"ply": PLY + 1}, ""),
    ("they come from after the press, which was made without them", ev.Announced, {"ply": PLY, "at": 1}, "unheard"),
    ("a claim of this player is ruled on", ev.ClaimRuled, {"seat": WHITE}, "draw_claimed claim_on_display"),
    ("a claim of the other player is ruled on", ev.ClaimRuled, {"seat": BLACK}, ""),
    ("this move is found regular", ev.IrregularityRuled, {"ply": PLY, "confirmed": False}, f"{MOVE} {INCIDENTS}"),
    ("another move is found regular", ev.IrregularityRuled, {"ply": PLY - 2, "confirmed": False}, ""),
    (
        "this move is found irregular: what takes several acts stays",
        ev.IrregularityRuled,
        {"ply": PLY, "confirmed": True, "kind": "illegal", "bonus_ms": 120_000, "loses": False},
        MOVE,
    ),
    (
        "a ruling with which all is done",
        ev.IrregularityRuled,
        {"ply": PLY, "confirmed": True, "kind": "press", "bonus_ms": 0, "loses": False},
        f"{MOVE} {INCIDENTS}",
    ),
    ("a touch does not count", ev.TouchRuled, {"counts": False}, "touch_move"),
    ("a touch binds: the wrong move remains", ev.TouchRuled, {"counts": True}, ""),
    ("a flag is called", ev.FlagCalled, {}, "flag"),
    ("the game ends", ev.GameEnded, {}, THE_END),
    ("the game goes back to before it", ev.Restored, {"ply": PLY - 1}, f"{MOVE} {WORDS} {BOARDS} {POSITION}"),
    ("the game goes back, and this move stays", ev.Restored, {"ply": PLY}, ""),
    ("the desk mends the record", ev.DeskDecided, {"kind": "mend"}, f"{BOARDS} {WORDS}"),
    (
        "the desk has boards set",
        ev.DeskDecided,
        {"kind": "restore"},
        f"board_odd board_not_followed result_signal {WORDS}",
    ),
    ("this board is set", ev.BoardSet, {"board": WHITE}, BOARDS),
    ("the other board is set", ev.BoardSet, {"board": BLACK}, ""),
    ("the echo of this move is taken back", ev.EchoRecalled, {"ply": PLY}, "echo_differs"),
    ("the echo of another move is taken back", ev.EchoRecalled, {"ply": PLY - 2}, ""),
    ("this move is mended", ev.GameMended, {"ply": PLY}, f"{WORDS} not_legal"),
    ("another move is mended", ev.GameMended, {"ply": PLY - 2}, ""),
    ("a stop of this player is ruled on", ev.StopRuled, {"seat": WHITE}, "called"),
    ("the arbiter stops the clocks", ev.ClockPaused, {"by": Role.ARBITER}, "medical_call"),
    ("a player stops the clocks", ev.ClockPaused, {"by": Role.PLAYER}, ""),
    ("an article is read out", ev.LawReleased, {"seat": WHITE}, "law_asked"),
    ("leaving is ruled on", ev.LeaveRuled, {"seat": WHITE}, "leaving"),
    ("this player is penalised", ev.Penalised, {"seat": WHITE}, CONDUCT),
    ("the other player is penalised", ev.Penalised, {"seat": BLACK}, ""),
    ("the clock stays", ev.ClockKept, {}, "clock_proposed"),
    ("the clock is set up", ev.ClockSetUp, {}, "clock_proposed"),
    ("the game starts", ev.GameStarted, {}, "clock_proposed start_held"),
    ("an absence is ruled on", ev.AbsenceRuled, {}, "default_time_over late_arrival"),
    ("a sheet is recorded", ev.ScoresheetRecorded, {"seat": WHITE}, "scoresheet"),
    ("the keys are told", ev.PressKeysTold, {}, "press_keys_unknown"),
    ("time is added", ev.TimeAdded, {}, "adjustment_offered bonus_unstated"),
    (
        "the clocks run",
        ev.ClockResumed,
        {},
        "interrupted clock_wrong set_up_wrong medical_call time_claimed",
    ),
    ("a move is to be sealed", ev.SealOrdered, {}, "session_over"),
]


def kept(kind: str, who: Seat | None = WHITE, **more: Any) -> AlertKept:
    """An alert of this kind about White's move 4, ply 7, that rests on more than words unless `grey`."""
    said = Saying(kind, {"who": Saying(who.value)}) if who is not None else None
    grey = more.pop("grey", False)
    return AlertKept(3, ev.Alerted(at=0, kind=kind, ply=PLY, grey=grey, detail="", said=said), **more)


def event_of(kind: type[Event], changed: dict[str, Any]) -> AnyEvent:
    return msgspec.structs.replace(example(kind), **changed)


@pytest.mark.law("L113", "L134", "L197")
@pytest.mark.parametrize(("kind", "changed", "gone"), [row[1:] for row in ANSWERED], ids=[row[0] for row in ANSWERED])
def test_an_act_answers_these_alerts_and_no_others(kind: type[Event], changed: dict[str, Any], gone: str) -> None:
    event = event_of(kind, changed)
    assert {one for one in KINDS if alerts_left((kept(one),), event) == ()} == set(gone.split())


@pytest.mark.law("L190", "L191")
@pytest.mark.parametrize(("grey", "at", "gone"), [(True, 0, True), (True, 1, False), (False, 0, False)])
def test_a_press_without_words_was_none_where_they_came_before_it(grey: bool, at: int, gone: bool) -> None:
    """Not where a piece was out of its aperture, or where the arbiter had set that the press starts no clock."""
    announced = event_of(ev.Announced, {"ply": PLY, "at": at})
    for kind in ("premature_press", "unannounced_press"):
        assert (alerts_left((kept(kind, grey=grey),), announced) == ()) is gone


def test_no_other_event_answers_any() -> None:
    answering = {row[1] for row in ANSWERED} | {ev.DeskClosed}
    all_kinds = tuple(kept(one) for one in KINDS)
    for kind in set(events()) - answering:
        assert alerts_left(all_kinds, example(kind)) is all_kinds, kind.__name__


def test_an_alert_about_nobody_is_answered_by_an_act_about_anybody_but_by_no_penalty() -> None:
    for kind, act, gone in (
        ("draw_claimed", ev.ClaimRuled, True),
        ("board_odd", ev.BoardSet, True),
        ("called", ev.StopRuled, True),
        ("device_found", ev.Penalised, False),
    ):
        assert (alerts_left((kept(kind, who=None),), example(act)) == ()) is gone, kind


@pytest.mark.law("L134")
def test_alerts_alike_are_one_card_and_what_somebody_waits_for_comes_first() -> None:
    def alert(number: int, kind: str, ply: int = PLY, **more: Any) -> AlertKept:
        fields: dict[str, Any] = {"at": number, "kind": kind, "ply": ply, "grey": True} | more
        how = fields.pop("how", "")
        return AlertKept(number, ev.Alerted(**fields), how)

    says = {who: Saying("calls", {"who": Saying(who)}) for who in ("white", "black")}
    unsettled = (
        alert(1, "called", 3, utterance="u1", said=says["white"]),
        alert(2, "unheard", utterance="u2"),
        alert(3, "not_legal"),
        alert(4, "unheard", 9, grey=False),
        alert(5, "called", 5, said=says["white"]),
        alert(6, "unheard", grey=False),
        alert(7, "not_legal", 9, grey=False),
        alert(8, "called", 5, how="put_off", said=says["white"]),
        alert(9, "called", 5, said=says["black"]),
        alert(10, "fault", detail="the disk is full"),
        alert(11, "fault", detail="the line is gone"),
    )
    kinds = AlertKinds(again=("called",), at_once=("called",), if_seen=("not_legal",))
    cards = alert_cards(altered(GameState(), {"rulings.unsettled": unsettled}), kinds)
    assert [(one.numbers, one.grey, one.at_once, one.utterance, one.seat) for one in cards] == [
        ((7,), False, True, None, None),
        ((9,), True, True, None, BLACK),
        ((8,), True, True, None, WHITE),
        ((1, 5), True, True, "u1", WHITE),
        ((2, 6), False, False, "u2", None),
        ((4,), False, False, None, None),
        ((11,), True, False, None, None),
        ((10,), True, False, None, None),
        ((3,), True, False, None, None),
    ]
    assert [(one.kind, one.ply, one.at, one.how) for one in cards[2:5]] == [
        ("called", 5, 8, "put_off"),
        ("called", 5, 5, ""),
        ("unheard", PLY, 6, ""),
    ]


def test_a_filed_alert_stays_for_the_report_whatever_happens() -> None:
    filed = (kept("flag", how="filed"),)
    assert alerts_left(filed, example(ev.GameEnded)) is filed
    assert alerts_left((kept("flag", how="put_off"),), example(ev.GameEnded)) == ()


RULED = {"ply": PLY, "confirmed": True, "kind": "illegal", "loses": False, "bonus_ms": 120_000}
STEPS: list[tuple[str, dict[str, Any], type[Event], dict[str, Any], tuple[str, ...] | None]] = [
    ("illegal: ruled", {}, ev.IrregularityRuled, RULED, ("ruled",)),
    ("no time is due", {}, ev.IrregularityRuled, RULED | {"bonus_ms": 0}, ("ruled", "given")),
    ("the edition states no time", {}, ev.IrregularityRuled, RULED | {"bonus_ms": None}, ("ruled", "given")),
    ("the game is lost", {}, ev.IrregularityRuled, RULED | {"loses": True}, ("ruled", "given", "loses")),
    ("touched: it goes back", {}, ev.IrregularityRuled, RULED | {"kind": "touch"}, ("ruled",)),
    ("pressed: the move stays", {}, ev.IrregularityRuled, RULED | {"kind": "no_move"}, ("ruled", "kept")),
    ("certain, and back by more than it", {}, ev.Restored, {"ply": PLY - 2}, ("back",)),
    ("heard alone, and back by more than it", {"grey": True}, ev.Restored, {"ply": PLY - 2}, None),
    ("heard alone, and back to just before it", {"grey": True}, ev.Restored, {"ply": PLY - 1}, ("back",)),
    (
        "heard, and the arbiter said that it happened",
        {"grey": True, "happened": True},
        ev.Restored,
        {"ply": PLY - 2},
        ("back",),
    ),
    ("time before the ruling is other time", {}, ev.TimeAdded, {}, ()),
    ("time after the ruling", {"done": ("ruled",)}, ev.TimeAdded, {}, ("ruled", "given")),
    ("all is done but the clocks", {"done": ("ruled", "back")}, ev.TimeAdded, {}, ("ruled", "back", "given")),
    ("the clocks run when all is done", {"done": ("ruled", "back", "given")}, ev.ClockResumed, {}, None),
    ("the clocks run after a decision in one act", {"done": ("settled",)}, ev.ClockResumed, {}, None),
    ("the clocks run too early", {"done": ("ruled", "back")}, ev.ClockResumed, {}, ("ruled", "back")),
    ("nobody ruled", {"done": ("back", "given")}, ev.ClockResumed, {}, ("back", "given")),
    ("the move neither went back nor stays", {"done": ("ruled", "given")}, ev.ClockResumed, {}, ("ruled", "given")),
    ("kept, ruled and given", {"done": ("kept", "ruled", "given")}, ev.ClockResumed, {}, None),
    (
        "a lost game does not go on",
        {"done": ("ruled", "given", "back", "loses")},
        ev.ClockResumed,
        {},
        ("ruled", "given", "back", "loses"),
    ),
    ("the game ends once it was dealt with", {"done": ("ruled",)}, ev.GameEnded, {}, None),
    ("the game ends before", {}, ev.GameEnded, {}, ()),
    ("the desk decides on what was heard", {"grey": True}, ev.DeskDecided, {"kind": "mend"}, None),
    ("the desk decides on what is certain", {}, ev.DeskDecided, {"kind": "mend"}, ()),
    ("a step that is done again", {"done": ("ruled",)}, ev.IrregularityRuled, RULED, ("ruled",)),
    ("begun: no act of another kind settles it", {"done": ("begun",)}, ev.GameMended, {"ply": PLY}, ("begun",)),
]


@pytest.mark.law("L080", "L134")
@pytest.mark.parametrize(
    ("given", "kind", "changed", "done"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS]
)
def test_an_incident_takes_note_of_each_step(
    given: dict[str, Any], kind: type[Event], changed: dict[str, Any], done: tuple[str, ...] | None
) -> None:
    left = alerts_left((kept("not_legal", **given),), event_of(kind, changed))
    assert (left[0].done if left else None) == done


@pytest.mark.parametrize("kind", [ev.DeskClosed, ev.ClockResumed])
def test_boards_that_differed_are_settled_when_the_desk_closes_or_the_clocks_run(kind: type[Event]) -> None:
    (ruled,) = alerts_left((kept("board_differs"),), event_of(ev.DeskDecided, {"kind": "restore"}))
    assert ruled.done == ("ruled",)
    assert alerts_left((ruled,), event_of(ev.BoardSet, {"board": WHITE})) == (ruled,)
    assert alerts_left((ruled,), example(kind)) == ()


def test_of_several_alerts_those_that_are_not_answered_stay_as_they_are() -> None:
    first, second, third = kept("called"), kept("flag"), kept("not_legal")
    assert alerts_left((first, second, third), example(ev.FlagCalled)) == (first, third)
    left = alerts_left((first, third), event_of(ev.IrregularityRuled, RULED))
    assert left[0] is first and left[1].done == ("ruled",)


def test_the_arbiter_settles_alerts_by_their_numbers() -> None:
    both = (kept("flag"), msgspec.structs.replace(kept("called"), number=4))
    for how in ("acknowledged", "misheard"):
        assert alerts_settled(both, ev.AlertSettled(at=0, numbers=(3,), how=how)) == both[1:]
    for how in ("put_off", "filed"):
        first, second = alerts_settled(both, ev.AlertSettled(at=0, numbers=(4,), how=how))
        assert (first.how, second.how) == ("", how)


def test_a_page_looks_again_whenever_the_clocks_change_a_step_of_an_incident() -> None:
    for kind, again in (("not_legal", 1), ("flag", 0)):
        rulings = RulingsState(unsettled=(kept(kind),))
        assert rulings.after(event_of(ev.ClockPaused, {"by": Role.PLAYER})).alert_changes == again
        assert rulings.after(example(ev.GameStarted)) is rulings


@pytest.mark.law("L197", "L066")
def test_a_page_looks_again_when_the_game_that_a_card_would_set_goes_on() -> None:
    """A card offers to set a board as played, or the times as they stood: what it sends is as new as the record."""
    cards = {"board_odd": (ev.Made, ev.LineSettled), "interrupted": (ev.TimeAdded, ev.ClockSet), "flag": ()}
    for kind, seen in cards.items():
        rulings = RulingsState(unsettled=(kept(kind),))
        for event in (ev.Made, ev.LineSettled, ev.TimeAdded, ev.ClockSet):
            after = rulings.after(example(event))
            assert after.alert_changes == (event in seen) and after.unsettled == rulings.unsettled, (kind, event)
