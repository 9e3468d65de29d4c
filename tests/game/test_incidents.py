"""An incident is one thing from its alert to the clocks that run again: steps, one act, undo (7.5, 4.3, 12.2)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.prescribed import Step, steps_of
from server.game.state.rulings import AlertKept
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, only

W, B = Seat.WHITE, Seat.BLACK


def with_illegal_rook(*, certain: bool = True) -> CoreTable:
    """White says and presses Ra5 from the first position's second move; certain where Black repeats it."""
    table = CoreTable()
    for station, move in (("white", "e4"), ("black", "e5")):
        table.wait(1_000)
        table.say(station, move, act="announce")
        table.press(station)
    table.wait(1_000)
    table.say("white", "Ra1a5", act="announce")
    if certain:
        table.say("black", "Ra1a5", act="echo")
    table.press("white")
    return table


def hears(table: CoreTable, seat: Seat, event: ev.AnyEvent) -> msg.AnyMessage | None:
    """What a player is told of an event."""
    station = table.state.stations.find(seat.value)
    assert station is not None
    return view(event, table.state, station)


def incident(table: CoreTable) -> AlertKept:
    (kept,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "not_legal"]
    return kept


def steps(table: CoreTable) -> tuple[Step, ...]:
    return steps_of(table.state, incident(table))


def settle(table: CoreTable) -> tuple[ev.AnyEvent, ...]:
    left = tuple(one.body for one in steps(table) if not one.done and one.body is not None)
    return table.done("arbiter", cmd.SettleIncident(numbers=(incident(table).number,), steps=left))


@pytest.mark.law("L080")
def test_an_illegal_move_is_settled_by_one_act_and_its_card_stays_until_the_clocks_run() -> None:
    """7.5.1, 7.5.5: clocks stopped, ruled, position before, two minutes to the opponent; then the clocks."""
    table = with_illegal_rook()
    assert [one.name for one in steps(table)] == ["stop", "rule_illegal", "back", "give"]
    black = table.state.time.clock.remaining(B, table.now)
    events = settle(table)
    assert [type(one) for one in events if isinstance(one, ev.ClockPaused | ev.IrregularityRuled | ev.Restored)] == [
        ev.ClockPaused, ev.IrregularityRuled, ev.Restored
    ]  # fmt: skip
    assert table.state.made_plies == 2 and table.state.time.clock.running is None
    assert table.state.time.clock.remaining(B, table.now) == black + 120_000
    assert incident(table).complete, "the card stays: the clocks stand"
    table.done("arbiter", cmd.Resume())
    assert not [one for one in table.state.rulings.unsettled if one.done]


@pytest.mark.law("L080")
@pytest.mark.parametrize("first", ["rule_illegal", "back"])
def test_what_is_done_by_hand_first_loses_no_other_step(first: str) -> None:
    table = with_illegal_rook()
    (step,) = [one for one in steps(table) if one.name == first]
    assert step.body is not None
    table.done("arbiter", step.body)
    left = [one.name for one in steps(table) if not one.done]
    assert left == [one for one in ("stop", "rule_illegal", "back", "give") if one != first][first == "back" :]
    black = table.state.time.clock.remaining(B, table.now)
    settle(table)
    assert table.state.made_plies == 2 and len(table.state.rulings.illegals) == 1
    assert table.state.time.clock.remaining(B, table.now) == black + 120_000


def test_all_steps_count_or_none() -> None:
    table = with_illegal_rook()
    before = table.state
    number = incident(table).number
    some = (cmd.RuleIrregularity(ply=3, seat=W, kind="illegal", give=False), cmd.RestoreTo(ply=50))
    refused = table.do("arbiter", cmd.SettleIncident(numbers=(number,), steps=some))
    assert isinstance(refused, Refusal) and refused.code == "no_such_ply"
    assert table.state is before


@pytest.mark.law("L080")
def test_until_the_clocks_run_all_of_it_can_be_undone_and_both_players_are_told() -> None:
    table = with_illegal_rook()
    before = table.state
    settle(table)
    table.wait(5_000)
    events = table.done("arbiter", cmd.UndoIncident())
    only(events, ev.IncidentUndone)
    for seat in Seat:
        told = [hears(table, seat, one) for one in events]
        assert any(isinstance(one, msg.RulingShown) and one.what == "undone" for one in told)
    after = table.state
    assert (after.moves.line, after.moves.white_board, after.rulings.illegals) == (
        before.moves.line, before.moves.white_board, before.rulings.illegals
    )  # fmt: skip
    for seat in Seat:
        assert after.time.clock.remaining(seat, table.now) == before.time.clock.remaining(seat, table.now - 5_000)
    assert [one.name for one in steps(table) if not one.done] == ["rule_illegal", "back", "give"]
    settle(table)
    table.done("arbiter", cmd.Resume())
    refused = table.do("arbiter", cmd.UndoIncident())
    assert isinstance(refused, Refusal) and refused.code == "nothing_to_undo"


def test_of_what_was_only_heard_nothing_is_done_until_the_arbiter_says_that_it_happened() -> None:
    """L113: a grey alert is closed without a sound where only the server misheard."""
    table = with_illegal_rook(certain=False)
    assert not incident(table).certain
    number = incident(table).number
    events = table.done("arbiter", cmd.OpenIncident(numbers=(number,)))
    assert incident(table).certain and only(events, ev.ClockPaused)
    other = with_illegal_rook(certain=False)
    closed = other.done("arbiter", cmd.SettleAlert(numbers=(incident(other).number,), how="misheard"))
    assert not other.state.rulings.unsettled
    for seat in Seat:
        assert not any(hears(other, seat, one) for one in closed)


@pytest.mark.law("L083")
def test_the_second_illegal_move_offers_the_result_in_place_of_the_time() -> None:
    table = with_illegal_rook()
    settle(table)
    table.done("arbiter", cmd.Resume())
    table.say("white", "Ra1a5", act="announce")
    table.say("black", "Ra1a5", act="echo")
    table.press("white")
    assert [one.name for one in steps(table)] == ["stop", "rule_illegal", "result"]
    settle(table)
    assert table.state.ending.result == "0-1"
    assert not [one for one in table.state.rulings.unsettled if one.done]
