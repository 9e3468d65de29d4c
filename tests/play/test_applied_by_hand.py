"""What single events change in the state, looked at field by field: going back, touches, presses, the leading clock."""

from __future__ import annotations

import pytest
from core_table import CoreTable, only
from msgspec.structs import replace

from server.play import commands as cmd
from server.play import events as ev
from server.play.apply import apply
from server.play.commands import Refusal
from server.play.state import GameState
from server.play.values import ClockMaster, Origin, Seat


def played(*moves: str, pressed: bool = True) -> CoreTable:
    table = CoreTable()
    for number, move in enumerate(moves, 1):
        station = "white" if number % 2 else "black"
        table.say(station, move, act="announce")
        if pressed or number < len(moves):
            table.press(station)
    return table


def touch(number: int, ply: int, because: str = "") -> ev.TouchReported:
    seat = Seat.WHITE if ply % 2 else Seat.BLACK
    return ev.TouchReported(
        at=0, number=number, seat=seat, ply=ply, square="a1", how="lifted", origin=Origin.SENSED, because=because
    )


def gone_back(state: GameState, ply: int) -> GameState:
    return apply(state, ev.Restored(at=9_000, ply=ply, discarded=state.line[ply:], reason="7.1"))


def test_going_back_keeps_what_belongs_to_the_plies_that_stay() -> None:
    state = replace(
        played("e4", "e5", "Nf3", "Nc6").state,
        touches=(touch(1, 2), touch(2, 3), touch(3, 4, "accident")),
        offers_at=(2, 3),
        offer_marks=((Seat.WHITE, 2), (Seat.BLACK, 3)),
        ends_told=(("stalemate", 2, False), ("stalemate", 3, False)),
        ruled=((2, Seat.BLACK), (4, Seat.BLACK)),
    )
    after = gone_back(state, 2)
    assert (len(after.plies), after.line, len(after.positions)) == (2, ("e2e4", "e7e5"), 3)
    assert [len(line) for line in after.discarded] == [2]
    assert [one.because for one in after.touches] == ["", "restored", "accident"]
    assert (after.offers_at, after.offer_marks) == ((2,), ((Seat.WHITE, 2),))
    assert after.ends_told == (("stalemate", 2, False),) and after.ruled == ((2, Seat.BLACK),)
    assert after.replacing is None, "nothing was ruled on the first ply taken back"


def test_what_was_touched_in_a_move_ruled_illegal_still_obliges_in_the_one_that_replaces_it() -> None:
    state = replace(played("e4", "e5", "Nf3").state, touches=(touch(1, 3), touch(2, 4)), ruled=((3, Seat.WHITE),))
    after = gone_back(state, 2)
    assert after.replacing is not None and after.replacing[0] == 3
    assert [one.square for one in after.replacing[1]] == ["g1"]
    assert [one.because for one in after.touches] == ["", "restored"], "those of the replaced move itself are kept"


@pytest.mark.parametrize("counts", [True, False])
def test_a_ruling_changes_its_own_touch_alone(counts: bool) -> None:
    state = replace(CoreTable().state, touches=(touch(1, 1, "adjusting"), touch(2, 1, "execution"), touch(3, 1)))
    after = apply(state, ev.TouchRuled(at=1, number=2, counts=counts, reason="seen"))
    assert [one.because for one in after.touches] == ["adjusting", "" if counts else "accident", ""]
    assert [one.number for one in after.touches] == [1, 2, 3]


@pytest.mark.parametrize("ply", [2, 3])
def test_after_a_mend_the_ends_told_of_earlier_plies_stay(ply: int) -> None:
    state = replace(played("e4", "e5", "Nf3").state, ends_told=(("stalemate", 2, False),), out_of_step=True)
    after = apply(state, ev.GameMended(at=1, ply=ply, uci="b8c6" if ply == 2 else "g1f3"))
    assert bool(after.ends_told) is (ply == 3) and not after.out_of_step


@pytest.mark.parametrize(("pressed", "turn"), [(True, Seat.BLACK), (False, Seat.WHITE)])
def test_when_this_clock_leads_again_it_stands_for_the_player_whose_time_it_is(pressed: bool, turn: Seat) -> None:
    """A move made and not pressed is still its own player's time."""
    table = played("e4", pressed=pressed)
    if not pressed:
        table.say("black", "e4")  # the echo: the move was made
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    assert table.state.clock.running is None
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    assert (table.state.clock.running, table.state.clock.turn) == (None, turn)


def test_between_two_other_clocks_this_one_is_left_as_it_is() -> None:
    table = played("e4")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    stood = table.state.clock
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.LIVECHESS))
    assert table.state.clock == stood and table.state.clock_master is ClockMaster.LIVECHESS


def test_a_press_that_changes_nothing_is_on_record_as_the_pressers() -> None:
    table = played("e4")
    assert table.press("white", about=1) == (), "about a completed ply: acknowledged and ignored"
    (wrong,) = only(table.press("white"), ev.ClockPressed)
    assert (wrong.seat, wrong.effective) == (Seat.WHITE, False)


@pytest.mark.parametrize("fen", ["", "8/8 w - - 0 1", "not a position"])
def test_no_table_is_opened_on_what_is_no_position(fen: str) -> None:
    table = CoreTable(started=False)
    table.state = GameState()
    known = next(one for one in table.events if isinstance(one, ev.TableOpened))
    opening = cmd.OpenTable(white=known.white, black=known.black, control=known.control, start_fen=fen)
    assert table.do("program", opening) == Refusal("no_position", "2.2")
