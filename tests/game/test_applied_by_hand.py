"""What single events change in the state, looked at field by field: going back, touches, presses, the leading clock."""

from __future__ import annotations

import chess
import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.state.apply import apply
from server.game.state.clock import HeldPress, SpokenNow
from server.game.state.desk import Setting
from server.game.state.endings import MateQuestion
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment
from server.game.values.words import ClockMaster, Origin, PressKeys, Role, Seat
from tests.game.core_table import CoreTable, altered, only, play


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
    return apply(state, ev.Restored(at=9_000, ply=ply, discarded=state.moves.line[ply:], reason="7.1"))


def test_going_back_keeps_what_belongs_to_the_plies_that_stay() -> None:
    state = altered(
        played("e4", "e5", "Nf3", "Nc6").state,
        {
            "rulings.touches": (touch(1, 2), touch(2, 3), touch(3, 4, "accident")),
            "draws.offers_at": (2, 3),
            "draws.offer_marks": ((Seat.WHITE, 2), (Seat.BLACK, 3)),
            "rulings.ends_told": (("stalemate", 2, False), ("stalemate", 3, False)),
            "rulings.ruled": ((2, Seat.BLACK), (4, Seat.BLACK)),
        },
    )
    after = gone_back(state, 2)
    assert (len(after.moves.plies), after.moves.line, len(after.moves.positions)) == (2, ("e2e4", "e7e5"), 3)
    assert [len(line) for line in after.moves.discarded] == [2]
    assert [one.because for one in after.rulings.touches] == ["", "restored", "accident"]
    assert (after.draws.offers_at, after.draws.offer_marks) == ((2,), ((Seat.WHITE, 2),))
    assert after.rulings.ends_told == (("stalemate", 2, False),) and after.rulings.ruled == ((2, Seat.BLACK),)
    assert after.rulings.replacing is None, "nothing was ruled on the first ply taken back"


def test_what_was_touched_in_a_move_ruled_illegal_still_obliges_in_the_one_that_replaces_it() -> None:
    state = altered(
        played("e4", "e5", "Nf3").state,
        {"rulings.touches": (touch(1, 3), touch(2, 4)), "rulings.ruled": ((3, Seat.WHITE),)},
    )
    after = gone_back(state, 2)
    assert after.rulings.replacing is not None and after.rulings.replacing[0] == 3
    assert [one.square for one in after.rulings.replacing[1]] == ["g1"]
    assert [one.because for one in after.rulings.touches] == ["", "restored"], (
        "those of the replaced move itself are kept"
    )


@pytest.mark.parametrize("counts", [True, False])
def test_a_ruling_changes_its_own_touch_alone(counts: bool) -> None:
    state = altered(
        CoreTable().state, {"rulings.touches": (touch(1, 1, "adjusting"), touch(2, 1, "execution"), touch(3, 1))}
    )
    after = apply(state, ev.TouchRuled(at=1, number=2, counts=counts, reason="seen"))
    assert [one.because for one in after.rulings.touches] == ["adjusting", "" if counts else "accident", ""]
    assert [one.number for one in after.rulings.touches] == [1, 2, 3]


@pytest.mark.parametrize("ply", [2, 3])
def test_after_a_mend_the_ends_told_of_earlier_plies_stay(ply: int) -> None:
    state = altered(
        played("e4", "e5", "Nf3").state, {"rulings.ends_told": (("stalemate", 2, False),), "moves.out_of_step": True}
    )
    after = apply(state, ev.GameMended(at=1, ply=ply, uci="b8c6" if ply == 2 else "g1f3"))
    assert bool(after.rulings.ends_told) is (ply == 3) and not after.moves.out_of_step


@pytest.mark.parametrize(("pressed", "turn"), [(True, Seat.BLACK), (False, Seat.WHITE)])
def test_when_this_clock_leads_again_it_stands_for_the_player_whose_time_it_is(pressed: bool, turn: Seat) -> None:
    """A move made and not pressed is still its own player's time."""
    table = played("e4", pressed=pressed)
    if not pressed:
        table.say("black", "e4")  # the echo: the move was made
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    assert table.state.time.clock.running is None
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    assert (table.state.time.clock.running, table.state.time.clock.turn) == (None, turn)


def test_between_two_other_clocks_this_one_is_left_as_it_is() -> None:
    table = played("e4")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    stood = table.state.time.clock
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.LIVECHESS))
    assert table.state.time.clock == stood and table.state.time.clock_master is ClockMaster.LIVECHESS


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


STOPS: list[tuple[Seat | None, str, Seat | None, Seat | None, Seat | None]] = [
    # who stops it, why, medical attention to, who had stopped it before, who has a stop to explain after
    (Seat.WHITE, "the board is wrong", None, None, Seat.WHITE),
    (Seat.BLACK, "the board is wrong", None, Seat.WHITE, Seat.BLACK),
    (Seat.WHITE, "sealed", None, None, None),
    (Seat.WHITE, "arrived", None, Seat.BLACK, Seat.BLACK),
    (Seat.WHITE, "resigned", None, None, None),
    (Seat.WHITE, "draw_agreed", None, None, None),
    (None, "noise", None, None, None),
    (None, "noise", None, Seat.WHITE, Seat.WHITE),
    (None, "unwell", Seat.WHITE, Seat.WHITE, None),
    (None, "unwell", Seat.BLACK, Seat.WHITE, Seat.WHITE),
]


@pytest.mark.law("L069")
@pytest.mark.parametrize(("seat", "reason", "medical", "before", "after"), STOPS)
def test_whose_stop_still_waits_for_its_reason(
    seat: Seat | None, reason: str, medical: Seat | None, before: Seat | None, after: Seat | None
) -> None:
    state = altered(CoreTable().state, {"time.stopped_by": before})
    by = Role.ARBITER if seat is None else Role.PLAYER
    stopped = apply(state, ev.ClockPaused(at=4_000, by=by, seat=seat, reason=reason, medical=medical))
    assert stopped == altered(state, {"time.stopped_by": after, "time.clock": state.time.clock.after_pause(4_000)})


@pytest.mark.law("L070")
@pytest.mark.parametrize("master", list(ClockMaster))
def test_when_play_goes_on_no_resignation_waits_and_no_flag_was_seen(master: ClockMaster) -> None:
    questions = tuple(
        MateQuestion(number, Seat.BLACK, 0, None, why) for number, why in enumerate(("resigned", "flag_called"))
    )
    state = altered(
        CoreTable().state,
        {
            "time.clock_master": master,
            "time.clock": CoreTable().state.time.clock.after_pause(2_000),
            "ending.resigned": Seat.WHITE,
            "ending.flag_seen": Seat.WHITE,
            "ending.mate_questions": questions,
        },
    )
    clock = state.time.clock.after_start(5_000) if master is ClockMaster.SERVER else state.time.clock
    expected = altered(
        state,
        {
            "time.clock": clock,
            "ending.resigned": None,
            "ending.flag_seen": None,
            "ending.mate_questions": questions[1:],
        },
    )
    assert apply(state, ev.ClockResumed(at=5_000)) == expected
    asked = altered(state, {"ending.resigned": None})
    after = apply(asked, ev.ClockResumed(at=5_000))
    assert after.ending.mate_questions == questions, "what was asked for another reason is answered"


@pytest.mark.parametrize("because", ["desk", "restored"])
def test_when_play_goes_on_the_boards_stand_except_at_the_desk(because: str) -> None:
    setting = Setting(because, 0, chess.STARTING_BOARD_FEN, Seat.WHITE)
    state = replace(CoreTable().state, setting=setting)
    after = apply(state, ev.ClockResumed(at=5_000))
    assert after.setting == (setting if because == "desk" else None)


@pytest.mark.law("L190")
@pytest.mark.parametrize(("charge", "used"), [("mover", 4_000), ("none", 2_000)])
def test_a_held_press_takes_effect_and_its_own_ply_alone_gets_the_times(charge: str, used: int) -> None:
    table = played("e4", "e5")
    table.wait(2_000)
    table.say("white", "Nf3", act="announce")
    table.press("white", about=3)
    known = table.state
    began = played("e4", "e5").state.time.clock
    held = began if charge == "mover" else began.after_press(Seat.WHITE, 3_000).after_pause(3_000)
    state = altered(known, {"time.clock": held, "time.held": HeldPress(Seat.WHITE, 3, 3_000, charge)})
    waited = ev.AnnouncementWaited(at=5_000, seat=Seat.WHITE, ply=3, ms=2_000, charge=charge)
    after = apply(state, waited)
    assert after.time.held is None and after.time.clock.running is Seat.BLACK
    assert (after.time.clock.time_used(Seat.WHITE, 5_000), after.time.clock.time_used(Seat.BLACK, 5_000)) == (used, 0)
    shown = after.time.clock.reading(5_000)
    timed = replace(
        known.moves.plies[2], white_ms=shown.white_ms, black_ms=shown.black_ms, used_ms=used, periods=(0, 0)
    )
    assert after.moves.plies == (*known.moves.plies[:2], timed)
    unknown = apply(state, replace(waited, ply=4))
    assert unknown.moves.plies == known.moves.plies and unknown.time.held is None
    made = altered(state, {"moves.plies": (*known.moves.plies[:2], replace(known.moves.plies[2], completed_ms=None))})
    assert apply(made, waited).moves.plies == made.moves.plies, "nothing is completed by it"


@pytest.mark.parametrize("other", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
def test_another_clock_takes_over_and_this_one_stands_until_it_leads_again(other: ClockMaster) -> None:
    table = played("e4")
    table.wait(1_000)
    running = table.state.time.clock
    table.done("arbiter", cmd.SetClockMaster(clock_master=other))
    assert table.state.time.clock == running.after_pause(table.now)
    play(table, "e5")
    assert table.state.time.clock.turn is Seat.BLACK, "its presses do not move ours"
    stood = table.state.time.clock
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    assert table.state.time.clock == replace(stood, turn=Seat.WHITE, black=replace(stood.black, moves=1)), (
        "it counts it"
    )
    again = apply(
        altered(table.state, {"time.clock": stood}), ev.ClockMasterChanged(at=9_000, clock_master=ClockMaster.SERVER)
    )
    assert again.time.clock == stood, "it leads already"


@pytest.mark.law("L066")
def test_after_a_crash_both_stand_at_the_witness_and_nothing_is_being_announced() -> None:
    state = altered(CoreTable(control="60d5").state, {"time.announcing": (SpokenNow(Seat.BLACK, "u1", 1_000, None),)})
    crashed = ev.Interrupted(
        at=50, white_ms=58_000, black_ms=60_000, turn=Seat.WHITE, uncertain_ms=3_000, reason="power", move_ms=7_000
    )
    clock = state.time.clock.stood_at(58_000, 60_000, Seat.WHITE, 7_000)
    assert (clock.running, clock.this_move_ms, clock.time_used(Seat.WHITE, 99)) == (None, 7_000, 7_000)
    assert apply(state, crashed) == altered(state, {"time.clock": clock, "time.announcing": ()})
    adjournment = Adjournment(seat=Seat.WHITE, ply=1, key="key", salt="salt", stage="sealed", began_ms=700)
    resuming = apply(replace(state, adjournment=adjournment), crashed)
    assert resuming == altered(
        state, {"time.clock": clock, "time.announcing": (), "adjournment": replace(adjournment, began_ms=None)}
    )


@pytest.mark.law("L235")
def test_an_increment_from_now_on_and_a_bonus_change_the_clock_alone() -> None:
    state = CoreTable(control="60").state
    increment = apply(state, ev.IncrementSet(at=3_000, increment_ms=5_000))
    assert increment == altered(state, {"time.clock": state.time.clock.with_increment(5_000, 3_000)})
    bonus = apply(state, ev.TimeAdded(at=3_000, seat=Seat.BLACK, ms=7_000, reason="noise"))
    assert bonus == altered(
        state, {"time.clock": state.time.clock.with_time_added(Seat.BLACK, 7_000, 3_000), "time.given": (0, 7_000)}
    )
    early = apply(state, ev.TimeAdded(at=3_000, seat=Seat.BLACK, ms=-7_000, reason="adjourned early", article="I.1.2"))
    assert early == altered(state, {"time.clock": state.time.clock.with_time_added(Seat.BLACK, -7_000, 3_000)}), (
        "time that was used up, and not given or taken"
    )
    fallen = apply(state, ev.FlagFell(at=61_000, seat=Seat.WHITE))
    assert fallen == altered(state, {"time.clock": state.time.clock.with_flag_fallen(Seat.WHITE, 61_000)})


def test_the_buttons_that_press_are_learnt_and_told() -> None:
    state = CoreTable().state
    learning = apply(state, ev.PressKeysAsked(at=1, where="display"))
    assert learning.stations.press_keys == PressKeys("display", learning=True)
    told = apply(learning, ev.PressKeysTold(at=2, where="display", white="F1", black="F2"))
    assert told.stations.press_keys == PressKeys("display", "F1", "F2")
    assert apply(told, ev.PressKeysAsked(at=3, where=None)).stations.press_keys == PressKeys(None)


@pytest.mark.law("L067")
def test_times_set_by_hand_and_times_with_which_a_move_begins() -> None:
    """A hand on the clock leaves the move as it is; a restored move begins with its whole delay."""
    state = CoreTable(control="60d5").state
    state = altered(
        state,
        {
            "time.owed": Seat.BLACK,
            "time.cued": ((Seat.WHITE, 30),),
            "time.low_told": ((Seat.WHITE, 40), (Seat.WHITE, 20), (Seat.BLACK, 30), (Seat.BLACK, 29)),
        },
    )
    by_hand = ev.ClockSet(at=4_000, white_ms=40_000, black_ms=29_001, turn=Seat.WHITE, reason="x", by_hand=True)
    clock = state.time.clock.with_times(40_000, 29_001, Seat.WHITE, 4_000)
    assert clock.this_move_ms == 3_000
    assert apply(state, by_hand) == altered(
        state, {"time.clock": clock, "time.owed": None, "time.cued": (), "time.corrected": 1}
    )
    told = ((Seat.WHITE, 40), (Seat.BLACK, 30))
    begun = altered(
        state, {"time.clock": replace(clock, this_move_ms=0), "time.owed": None, "time.cued": (), "time.low_told": told}
    )
    assert apply(state, replace(by_hand, by_hand=False, anew=True)) == begun
    back = apply(state, replace(by_hand, turn=Seat.BLACK, move_ms=4_500))
    assert (back.time.clock.turn, back.time.clock.this_move_ms, back.time.clock.flag_at()) == (
        Seat.BLACK,
        4_500,
        33_501,
    )


def test_what_an_adjournment_would_change_changes_nothing_without_one() -> None:
    """`apply` is total over every event, whatever a record holds."""
    state = CoreTable().state
    assert apply(state, ev.PresenceMarked(at=9, seat=Seat.WHITE, present=True)) == state
    assert apply(state, ev.MoveSealed(at=9, seat=Seat.WHITE, ply=1, sealed="x", sha256="y", utterance=None)) == state
