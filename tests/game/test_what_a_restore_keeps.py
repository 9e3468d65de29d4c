"""What a restoration does with everything that is known of a table (7.1, 7.5.1; L074, L080, L094, L101, L111).

Every field of the state is named here: it stays, or it becomes what stands beside it.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command, Refusal
from server.game.decide.decide import decide
from server.game.decide.scores import seats_with_missing_moves
from server.game.game import Game
from server.game.laws.adaptations import Adaptation
from server.game.laws.event_options import EventOptions
from server.game.laws.scoresheet import Scoresheet
from server.game.laws.touch import Touch, TouchHow
from server.game.state.apply import apply
from server.game.state.clock import SpokenNow
from server.game.state.desk import Setting
from server.game.state.endings import MateQuestion, OpenClaim, Pending
from server.game.state.moves import BoardState
from server.game.state.rulings import AlertKept
from server.game.state.scores import Helped
from server.game.state.state import GameState, IncidentsState
from server.game.state.stations import SpectatorsChoice
from server.game.state.table import NextGame
from server.game.values.adjournment import Adjournment
from server.game.values.clock import ChessClock
from server.game.values.pairing import OwnPairing
from server.game.values.time_control import TimeControl
from server.game.values.words import ArbiterEar, Boards, Mode, Origin, PressKeys, Seat, SeatKind, SeatPlan, SeatSound
from tests.game.core_table import CoreTable, altered, fields_of, only, play, said

MOVES = ("e4", "e5", "Nf3", "Nc6", "Bb5")
BACK = 3
"""The games of this file have five plies and go back to after the third."""


def played(*moves: str, wait: int = 1_000, **more: Any) -> CoreTable:
    table = CoreTable(**more)
    for number, move in enumerate(moves):
        station = "black" if number % 2 else "white"
        table.wait(wait)
        table.say(station, move, act="announce")
        table.press(station)
    return table


def touched(number: int, ply: int) -> ev.TouchReported:
    seat = Seat.WHITE if ply % 2 else Seat.BLACK
    return ev.TouchReported(at=0, number=number, seat=seat, ply=ply, square="a1", how="lifted", origin=Origin.ENTERED)


def restored(state: GameState, ply: int = BACK, **more: Any) -> GameState:
    body = cmd.RestoreTo(ply=ply, **more)
    events = decide(state, Command(id="0" * 32, table="t", station="arbiter", body=body), 60_000)
    assert not isinstance(events, Refusal), events
    for event in events:
        state = apply(state, event)
    return state


CLAIM = OpenClaim(Seat.WHITE, 2, "repetition", said("Nf3"), "Nf3")
CUES = ev.CuesAsked(at=0, seat=Seat.WHITE, at_s=(60,), countdown="off")


def everything() -> GameState:
    """A game of five plies in which every field has a value of its own."""
    table = played(*MOVES)
    state = table.state
    position = state.moves.positions[1]
    return altered(
        state,
        {
            "table.white": SeatPlan(SeatKind.TACTILE, name="W"),
            "table.black": SeatPlan(SeatKind.SIGHTED, name="B"),
            "table.rated": False,
            "table.training": True,
            "table.rule_set": "fide2018",
            "table.event_name": "Cup",
            "table.round": "3",
            "table.board_number": 2,
            "table.starts": "15:00",
            "table.way": "first door on the left",
            "stations.pairings": (("white", OwnPairing(table="", round="3", board=2, seat=Seat.WHITE, opponent="B")),),
            "scores.released": True,
            "table.regulations": EventOptions(guidelines=("III",)),
            "table.boards": Boards.ONE,
            "table.ticks": (ev.ChecklistTicked(at=0, item="x", seat=Seat.WHITE, ok=True),),
            "table.mode": Mode.CLOCK,
            "ending.reason": "r",
            "ending.ended_by": "5.2.3",
            "table.next_game": NextGame("t2", exchanged=False),
            "table.follows": "t0",
            "ending.approvals": ((Seat.WHITE, "1-0"),),
            "ending.flag_seen": Seat.BLACK,
            "scores.white": (*state.scores.white, None),
            "scores.black": (None,),
            "draws.offer_by": Seat.WHITE,
            "draws.touched_off": Seat.BLACK,
            "draws.rejecting": (2,),
            "draws.touches_before": 1,
            "draws.offer_after": 5,
            "draws.offer_by_claim": True,
            "draws.offer_delivered": False,
            "draws.offers": (2, 1),
            "draws.postponed": (OpenClaim(Seat.WHITE, 4, "quickplay", ground="no_effort"),),
            "draws.intended": CLAIM,
            "draws.increment_request": "refused",
            "ending.resigned": Seat.BLACK,
            "ending.mates_asked": 1,
            "ending.mate_questions": (MateQuestion(1, Seat.WHITE, 5, position, "flag"),),
            "ending.pending": (Pending(Seat.WHITE, "resign", 59_000, 70_000, 5),),
            "rulings.ends_told": (("fivefold", 2, False), ("stalemate", 5, False)),
            "rulings.touches": (touched(1, 3), touched(2, 6)),
            "rulings.adjusting": (Seat.BLACK, 6),
            "rulings.castling_meant": (Seat.BLACK, 6),
            "rulings.illegals": ((Seat.WHITE, "illegal"),),
            "rulings.ruled": ((1, Seat.WHITE), (3, Seat.WHITE), (5, Seat.WHITE)),
            "rulings.replacing": (6, (Touch("a1", TouchHow.CONTACT, False),)),
            "moves.discarded": ((),),
            "moves.gone": ((),),
            "rulings.ruled_gone": ((1, 5),),
            "rulings.let_go": ((3,),),
            "rulings.last_ruled": (5, 5),
            "time.given": (60_000, -30_000),
            "time.corrected": 2,
            "time.owed": Seat.WHITE,
            "scores.exempt": (0, 0),
            "scores.sheets": (Scoresheet.DICTATED, Scoresheet.DICTATED),
            "draws.offers_at": (2, 5),
            "draws.offer_marks": ((Seat.WHITE, 2), (Seat.WHITE, 5)),
            "scores.due": (Seat.WHITE,),
            "scores.due_through": 5,
            "scores.lent": Seat.WHITE,
            "scores.sheet_requests": (2, 1),
            "stations.devices": (("phone", False),),
            "stations.sent_away": frozenset({"tablet"}),
            "time.announcing": (SpokenNow(Seat.BLACK, "u", 1, 2),),
            "time.stopped_by": Seat.WHITE,
            "time.clock_read": (1, 2, 3),
            "rulings.alerts": 4,
            "rulings.last_alert": "x",
            "rulings.unsettled": (
                AlertKept(4, ev.Alerted(at=1, kind="leaving", ply=6, grey=False, detail="x"), "put_off"),
            ),
            "rulings.alert_changes": 5,
            "incidents": IncidentsState((4,), GameState(), GameState(), 50_000),
            "schedule.attendance": (Seat.WHITE,),
            "schedule.absent": (Seat.BLACK,),
            "schedule.appointed_ms": 1,
            "schedule.default_due_ms": 10_000_000,
            "schedule.session_due_ms": 10_000_000,
            "time.low_told": ((Seat.WHITE, 300),),
            "time.cues": (CUES,),
            "time.cued": ((Seat.WHITE, 60),),
            "time.proposed_clock": (Seat.WHITE, TimeControl.parse("600")),
            "time.choosing": (ev.ClockChoiceAsked(at=0, seat=Seat.WHITE, controls=(), number=1, until_ms=90_000),),
            "stations.press_keys": PressKeys("arbiter", "a", "b"),
            "stations.display_delays": (("", 15),),
            "stations.spectators": SpectatorsChoice(show=True, delay_s=15),
            "table.names_swapped": True,
            "setting": Setting(
                "restored", 1, position.placement, position.turn, (ev.SquareToSet(square="a1", should_be=None),)
            ),
            "moves.out_of_step": True,
            "scores.read_to": (1, 2),
            "scores.helped": (Helped(1, ("a",)), None),
            "sound.seats": (SeatSound(permitted=True), SeatSound()),
            "sound.room": "de",
            "sound.arbiter_ears": (ArbiterEar("arbiter", "de"),),
            "adjournment": Adjournment(seat=Seat.WHITE, ply=1, key="k", salt="s", stage="resumed"),
            "table.known_adaptations": (Adaptation("x", "D.1", ("on", "off"), "off", True),),
            "moves.white_board": BoardState(state.moves.positions[0], state.moves.positions[1]),
            "moves.black_board": BoardState(state.moves.positions[0], state.moves.positions[1]),
        },
    )


SAME = "stays"
GONE = ()

STAYS = """
    table.opened table.white table.black table.rated table.training table.mode time.clock_master table.rule_set
    table.event_name table.round table.board_number table.rules table.regulations table.boards table.checklist
    table.ticks table.known_adaptations table.adaptations stations.admitted table.started ending.result
    ending.reason ending.ended_by ending.approvals table.next_game table.follows scores.white scores.black
    draws.offer_by draws.touched_off draws.rejecting draws.touches_before draws.offer_by_claim draws.offer_delivered
    draws.offers
    draws.claim draws.postponed
    draws.intended draws.increment_request ending.mates_asked rulings.illegals scores.sheets scores.due
    scores.lent scores.sheet_requests stations.devices time.announcing time.stopped_by time.clock_read
    rulings.alerts rulings.last_alert rulings.unsettled rulings.last_ruled time.given time.corrected
    rulings.alert_changes schedule.appointed_ms schedule.attendance
    schedule.default_due_ms schedule.absent schedule.session_due_ms time.cues table.begun time.proposed_clock
    time.choosing stations.press_keys stations.display_delays stations.spectators table.names_swapped moves.out_of_step
    scores.read_to scores.helped sound.seats sound.room sound.arbiter_ears draws.concluded
    adjournment scores.reconstruction desk scores.exempt table.starts table.way stations.pairings scores.released
    stations.sent_away incidents.numbers incidents.at incidents.before incidents.after
"""
# What each field is afterwards. The exceptions are looked at one by one below.
AFTER: dict[str, Any] = {
    **dict.fromkeys(STAYS.split(), SAME),
    "draws.offer_after": BACK,
    "draws.offers_at": (2,),
    "draws.offer_marks": ((Seat.WHITE, 2),),
    "scores.due_through": BACK,
    "rulings.ends_told": (("fivefold", 2, False),),
    "rulings.ruled": ((1, Seat.WHITE), (3, Seat.WHITE)),
    "rulings.ruled_gone": ((1, 5), (2, 5)),
    "rulings.let_go": ((3,), (2,)),
    "ending.resigned": None,
    "ending.mate_questions": GONE,
    "ending.pending": GONE,
    "rulings.adjusting": None,
    "rulings.castling_meant": None,
    "rulings.replacing": None,
    "time.owed": None,
    "ending.flag_seen": None,
    "time.held": None,
    "moves.set_aside": GONE,
    "time.low_told": GONE,
    "time.cued": GONE,
}
LOOKED_AT_BELOW = {
    "time.clock",
    "moves.plies",
    "moves.line",
    "moves.positions",
    "moves.white_board",
    "moves.black_board",
    "setting",
    "rulings.touches",
    "moves.discarded",
    "moves.gone",
}


def test_every_field_of_the_state_is_named_and_has_a_value_of_its_own_in_this_file() -> None:
    before, usual = fields_of(everything()), fields_of(GameState())
    assert set(usual) == set(AFTER) | LOOKED_AT_BELOW
    bare = {name for name in usual if before[name] == usual[name]}
    # While these are set nobody can go back, or the field is the same for every table of these tests.
    assert bare == {
        "time.clock_master",
        "ending.result",
        "draws.claim",
        "draws.concluded",
        "scores.reconstruction",
        "desk",
        "time.held",
        "moves.set_aside",
    }


@pytest.mark.law("L080")
def test_the_boards_are_set_to_this_position_and_no_longer_to_an_earlier_one() -> None:
    before = everything()
    after = restored(before)
    assert after.setting is not None and (after.setting.because, after.setting.ply) == ("restored", BACK)
    squares = [(one.square, one.should_be) for one in after.setting.white]
    assert squares == [("g1", None), ("e2", None), ("f3", "N"), ("e4", "P"), ("e5", "p"), ("e7", None)]
    stands = BoardState(before.moves.positions[BACK], before.moves.positions[BACK - 1])
    assert restored(altered(before, {"moves.white_board": stands, "moves.black_board": stands})).setting is None


@pytest.mark.law("L074", "L094", "L101")
def test_what_becomes_of_each() -> None:
    before = everything()
    was, after = fields_of(before), fields_of(restored(before, times="stored"))
    assert {name: after[name] for name in AFTER} == {
        name: was[name] if value == SAME else value for name, value in AFTER.items()
    }


@pytest.mark.law("L074")
def test_the_plies_the_boards_and_the_clock_are_those_of_that_position() -> None:
    before = everything()
    after = restored(before, times="stored")
    assert (after.moves.plies, after.moves.line, after.moves.positions) == (
        before.moves.plies[:3],
        before.moves.line[:3],
        before.moves.positions[:4],
    )
    assert after.moves.discarded == ((), before.moves.plies[3:])
    assert [(one.ply, one.uci) for one in after.moves.gone[1]] == [(4, "b8c6"), (5, "f1b5")]
    assert [one.before for one in after.moves.gone[1]] == list(before.moves.positions[3:5])
    assert {after.board_of(seat).position.placement for seat in Seat} == {before.moves.positions[3].placement}
    assert {after.board_of(seat).position.turn for seat in Seat} == {Seat.BLACK}
    assert [one.because for one in after.rulings.touches] == ["", "restored"]
    clock, kept = after.time.clock, before.moves.plies[2]
    assert kept.white_ms is not None and kept.black_ms is not None
    assert (clock.white.remaining_ms, clock.black.remaining_ms) == (kept.white_ms + 60_000, kept.black_ms - 30_000)
    assert (clock.white.moves, clock.black.moves, clock.turn) == (2, 1, Seat.BLACK)
    assert clock.this_move_ms == 0, "a delay begins anew"
    assert (clock.white.used_ms, clock.control) == (before.time.clock.white.used_ms, before.time.clock.control)


@pytest.mark.law("L101")
@pytest.mark.parametrize("ply", [5, 4, 2, 0])
def test_an_offer_that_nobody_has_answered_stands_wherever_the_game_goes_on_from(ply: int) -> None:
    """It ends by an answer, by a touch or by the end of the game, and by nothing else (9.1.2.1)."""
    table = played(*MOVES)
    table.done("white", cmd.OfferDraw())
    table.done("arbiter", cmd.RestoreTo(ply=ply))
    assert table.state.draws.offer_by is Seat.WHITE
    table.done("arbiter", cmd.Resume())
    if table.state.on_move is Seat.WHITE:
        play(table, "Nc3")
        assert table.state.draws.offer_by is Seat.WHITE, "White's own move does not end White's offer"
    play(table, "h6")
    assert table.state.draws.offer_by is None, "the opponent's move does"
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L090")
def test_an_offer_that_stands_is_marked_where_it_now_stands() -> None:
    before = altered(everything(), {"draws.offer_by_claim": False})
    assert restored(before).draws.offers_at == (2, BACK)
    assert restored(before, 0).draws.offers_at == (1,) and restored(before, 5).draws.offers_at == (2, 5)


@pytest.mark.law("L101")
def test_an_offer_that_was_rejected_before_the_restore_does_not_come_back() -> None:
    table = played(*MOVES)
    table.done("white", cmd.OfferDraw())
    table.done("black", cmd.AnswerDraw(accept=False))
    table.done("arbiter", cmd.RestoreTo(ply=5))
    assert table.state.draws.offer_by is None


@pytest.mark.law("L094")
@pytest.mark.parametrize("times", ["leave", "stored"])
def test_who_need_not_record_need_not_after_a_restore_in_the_same_period(times: Any) -> None:
    table = played("e4", "e5", control="600")
    table.wait(400_000)
    play(table, "Nf3")
    assert table.state.scores.exempt == (0, None)
    table.done("arbiter", cmd.RestoreTo(ply=2, times=times))
    assert table.state.scores.exempt == (0, None), "for the rest of the period, also when the time rises again (8.4)"
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L094", "L074")
def test_the_exemption_of_a_period_that_was_taken_back_is_over() -> None:
    """The second period begins anew when it is reached again, and so does what 8.4 says of it."""
    table = played("e4", "e5", "Nf3", "Nc6", control="2/4000:600")
    assert table.state.time.clock.white.period == 1
    table.wait(4_400_000)
    play(table, "Bb5")
    assert table.state.scores.exempt[0] == 1
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    assert table.state.time.clock.white.period == 0 and table.state.scores.exempt[0] is None


@pytest.mark.law("L074", "L057")
def test_the_period_goes_back_with_the_stored_times_also_where_time_is_added_at_zero() -> None:
    """Else the flag would fall for good where the time of the second period is still to come."""
    table = CoreTable(started=False, control="1/20:600")
    table.state = altered(
        table.state, {"time.clock": ChessClock.set_to(replace(TimeControl.parse("1/20:600"), add_at="zero"))}
    )
    table.done("arbiter", cmd.StartGame())
    for station, move, wait in (("white", "e4", 5_000), ("black", "e5", 5_000), ("white", "Nf3", 19_000)):
        table.wait(wait)
        table.own(cmd.NoteInstant())
        table.say(station, move, act="announce")
        table.press(station)
    assert (table.state.time.clock.white.period, table.state.time.clock.black.period) == (1, 0)
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    assert (table.state.time.clock.white.period, table.state.time.clock.white.remaining_ms) == (0, 15_000)
    left = altered(
        table.state,
        {"time.clock": replace(table.state.time.clock, white=replace(table.state.time.clock.white, period=1))},
    )
    assert restored(left, 2).time.clock.white.period == 1, "times that are left keep their period"
    begun = restored(left, 0, times="stored").time.clock
    assert (begun.white.period, begun.black.period, begun.white.remaining_ms) == (0, 0, 20_000)


@pytest.mark.law("L111")
def test_the_intended_move_of_a_wrong_claim_is_still_to_be_made_where_the_game_goes_back_to_the_claim() -> None:
    table = played("e4", "e5")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.RestoreTo(ply=2, reason="7.6"))
    assert table.state.draws.intended is not None and table.state.draws.intended.text == "Nf3"
    table.done("arbiter", cmd.RestoreTo(ply=1, reason="7.6"))
    assert table.state.draws.intended is None, "that position is no more on the board"


@pytest.mark.law("L028", "L074", "L085")
def test_what_was_touched_in_the_coming_move_obliges_where_no_move_is_taken_back() -> None:
    """Pieces are knocked over and set up again: the touched piece is still touched (4.3, 7.4, 7.6)."""
    table = played("e4", "e5")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"))
    table.done("white", cmd.Adjust())
    table.done("arbiter", cmd.RestoreTo(ply=2, reason="7.4"))
    assert [one.because for one in table.state.rulings.touches] == [""]
    assert table.state.rulings.adjusting == (Seat.WHITE, 3)
    table.done("arbiter", cmd.RestoreTo(ply=1, reason="7.6"))
    assert [one.because for one in table.state.rulings.touches] == [
        "restored"
    ] and table.state.rulings.adjusting is None


@pytest.mark.law("L028", "L082")
@pytest.mark.parametrize("ruled", [True, False])
def test_a_piece_that_was_touched_and_not_moved_before_the_press_obliges_once_that_is_ruled(ruled: bool) -> None:
    table = CoreTable()
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"))
    table.press("white")
    if ruled:
        table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="no_move"))
    table.done("arbiter", cmd.RestoreTo(ply=0))
    assert [one.because for one in table.state.rulings.touches] == ["" if ruled else "restored"]


@pytest.mark.law("L138")
def test_the_arbiter_is_told_of_low_time_again_where_more_was_set() -> None:
    table = played("e4", "e5", control="400", regulations=EventOptions(low_time_s=(300,)))
    table.wait(200_000)
    table.own(cmd.NoteInstant())
    play(table, "Nf3")
    low = len(table.state.time.low_told)
    assert low
    table.done("arbiter", cmd.RestoreTo(ply=2, times="leave"))
    assert len(table.state.time.low_told) == low, "the same time is left"
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    assert not table.state.time.low_told


@pytest.mark.law("L095", "L096")
def test_a_score_is_to_be_completed_only_as_far_as_the_game_now_goes() -> None:
    state = altered(played(*MOVES).state, {"scores.due": (Seat.BLACK,), "scores.due_through": 5})
    assert seats_with_missing_moves(state) == (Seat.BLACK,)
    after = restored(state, 2)
    assert after.scores.due_through == 2 and after.scores.due == (Seat.BLACK,)


def test_records_of_earlier_days_are_read_as_they_were_meant() -> None:
    """They say nothing of what stays: then nothing of it did."""
    before = everything()
    after = apply(before, ev.Restored(at=1, ply=BACK, discarded=before.moves.line[BACK:], reason=""))
    assert (after.draws.offer_by, after.scores.exempt, after.draws.intended, after.scores.due_through) == (
        None,
        (None, None),
        None,
        5,
    )
    assert after.draws.offers_at == (2,) and after.draws.offer_after == before.draws.offer_after
    coming = apply(before, ev.Restored(at=1, ply=5, discarded=(), reason="", keeps=("touches",))).rulings
    assert (coming.adjusting, coming.castling_meant) == ((Seat.BLACK, 6), (Seat.BLACK, 6))
    assert [one.because for one in coming.touches] == ["", ""]


@pytest.mark.law("L074", "L182")
@pytest.mark.parametrize("ply", [1, 2])
def test_the_last_move_of_a_restored_position_stands_on_both_boards_and_is_not_carried_out_again(ply: int) -> None:
    table = played("e4", "e5")
    table.done("arbiter", cmd.RestoreTo(ply=ply))
    table.done("arbiter", cmd.Resume())
    boards = {seat: table.placement(seat) for seat in Seat}
    assert boards[Seat.WHITE] == boards[Seat.BLACK]
    mover = table.state.on_move
    table.say(mover.value, "Nf6" if mover is Seat.BLACK else "Nf3", act="announce")
    table.press(mover.value)
    assert "board_not_followed" not in {one.kind for one in only(table.events, ev.Alerted)}
    assert table.placement(mover.other) == boards[mover.other] and table.placement(mover) != boards[mover]


@pytest.mark.law("L043", "L080")
def test_the_card_of_a_mate_that_was_taken_back_is_gone() -> None:
    """Else one press ends the game for a move that was not played."""
    table = played("f3", "e5", "g4", "Qh4")
    assert "checkmate" in {one.alert.kind for one in table.state.rulings.unsettled}
    table.done("arbiter", cmd.RestoreTo(ply=3))
    assert "checkmate" not in {one.alert.kind for one in table.state.rulings.unsettled}


def test_a_question_that_waits_for_a_yes_is_dropped_and_told_so() -> None:
    table = played(*MOVES)
    table.done("white", cmd.Propose(what="resign"))
    events = table.done("arbiter", cmd.RestoreTo(ply=BACK))
    assert [(one.seat, one.outcome) for one in only(events, ev.ProposalSettled)] == [(Seat.WHITE, "dropped")]
