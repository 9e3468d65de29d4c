"""Article 6, the clock: running, pressing, the increment, the flag (6.1, 6.2, 6.8), a display in the hall (6.12.1)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Duty, Origin, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, kinds, only, play


@pytest.mark.law("L048")
def test_l048_never_two_displays_running() -> None:
    table = CoreTable(control="60+5")
    for text in ("e4", "e5", "Nf3"):
        before = {seat: table.state.time.clock.remaining(seat, table.now) for seat in Seat}
        table.wait(3_000)
        after = {seat: table.state.time.clock.remaining(seat, table.now) for seat in Seat}
        assert sorted(before[seat] - after[seat] for seat in Seat) == [0, 3_000]
        play(table, text)


@pytest.mark.law("L049")
def test_l049_a_move_is_completed_by_the_press_and_by_no_word() -> None:
    table = CoreTable()
    for text in ("e4", "d4", "e4"):
        table.say("white", text)
    assert not table.ply(1).completed and table.state.time.clock.running is Seat.WHITE
    table.press("white")
    assert table.ply(1).completed and table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L051")
def test_l051_the_next_move_completes_one_never_pressed() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    table.enter("white", "e2e4", "e4")
    table.enter("black", "e7e5", "e5")
    table.enter("white", "g1f3", "Nf3")
    assert table.ply(1).completed
    assert only(tuple(table.events), ev.Completed)[0].origin is Origin.INFERRED


@pytest.mark.law("L052")
def test_l052_made_reply_press_press() -> None:
    table = CoreTable(white=SeatKind.SIGHTED, control="60+10")
    table.enter("white", "e2e4", "e4")
    table.enter("black", "e7e5", "e5")
    table.wait(4_000)
    table.press("white")
    table.wait(1_000)
    table.press("black")
    clock = table.state.time.clock
    assert (clock.time_used(Seat.WHITE, table.now), clock.time_used(Seat.BLACK, table.now)) == (4_000, 1_000)
    assert (clock.white.moves, clock.black.moves) == (1, 1)
    assert clock.remaining(Seat.WHITE, table.now) == 70_000 - 4_000 + 10_000
    assert table.state.made_plies == 2


@pytest.mark.law("L056", "L202")
def test_l056_an_assistants_press_costs_the_tactile_player_nothing() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.SCORE_AND_CLOCK)
    table.say("white", "e4")
    table.wait(2_000)
    table.press(helper)
    assert table.state.time.clock.time_used(Seat.WHITE, table.now) == 2_000 and table.ply(1).completed


@pytest.mark.law("L058")
def test_l058_fischer_time_is_cumulative_and_counts_from_the_first_move() -> None:
    table = CoreTable(control="60+10")
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == 70_000
    table.wait(1_000)
    play(table, "e4")
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == 79_000


@pytest.mark.law("L064")
def test_l064_nothing_ends_at_zero() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    table.own(cmd.NoteInstant())
    play(table, "e4 e5")
    assert not table.state.over and table.state.time.clock.white.flagged


@pytest.mark.law("L080")
def test_l080_silent_until_the_press_then_the_arbiter_hears() -> None:
    table = CoreTable()
    events = table.say("white", "e5", act="announce")  # no pawn can go there
    assert kinds(events) == ["Announced"]
    table.say("black", "e5")
    assert not [alert for alert in only(tuple(table.events), ev.Alerted) if alert.kind == "not_legal"]
    table = CoreTable()
    events = table.say("white", "e2e5")
    assert kinds(events) == ["Announced"]
    alerts = only(table.press("white"), ev.Alerted)
    assert [(alert.kind, alert.grey) for alert in alerts] == [("not_legal", True)], "grey: recognised words alone"
    assert table.state.moves.line == ("e2e5",), "an announced illegal move stays the move that was announced"


@pytest.mark.law("L072")
def test_l072_a_display_in_the_hall_shows_the_position_and_the_move_and_no_judgement() -> None:
    seen = []
    for words in ("e4", "Ke3"):
        table = CoreTable()
        display = Station("display", Role.DISPLAY)
        table.say("white", words)
        assert view(table.events[-1], table.state, display) is None, "not before the press"
        events = table.press("white")
        shown = [one for event in events if isinstance(one := view(event, table.state, display), msg.Shown)]
        assert shown and shown[-1].text == words
        assert shown[-1].placement == table.placement(Seat.WHITE)
        seen.append({type(view(event, table.state, display)) for event in events})
    assert seen[0] == seen[1], "legal or not, the same kinds of messages"
