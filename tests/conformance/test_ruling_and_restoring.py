"""Rulings and restorations in any order (4.3, 7.1, 7.5.1, 7.5.5, 12.5, 12.9): the order changes nothing."""

from __future__ import annotations

from typing import Any, Literal

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.values.words import Seat, SeatKind
from tests.conformance.law_table import BASIC, obliged, rule, sighted, touch
from tests.game.adjourned_table import MOVE, SAID, closed, heard, there
from tests.game.core_table import CoreTable, alerts, altered, only, play, refused

W, B = Seat.WHITE, Seat.BLACK
TWO_MINUTES = 120_000
BEFORE = {W: "e4 e5", B: "e4 e5 Nf3"}


def left(table: CoreTable) -> dict[Seat, int]:
    return {seat: table.state.time.clock.remaining(seat, table.now) for seat in Seat}


def illegal_by(seat: Seat, **more: Any) -> tuple[CoreTable, int]:
    """This player has made an illegal move and pressed; its number."""
    table = CoreTable(**more)
    play(table, BEFORE[seat], 5_000)
    illegal_move(table)
    return table, table.state.made_plies


def illegal_move(table: CoreTable) -> None:
    """The player on move takes the king two squares forward, which no king does, and presses."""
    seat = table.state.on_move
    table.wait(3_000)
    table.say(seat.value, "Ke3" if seat is W else "Ke6", act="announce")
    table.press(seat.value)


def again(table: CoreTable) -> None:
    assert Game.replay(table.events) == table.state
    if table.state.time.clock.running is None:
        table.done("arbiter", cmd.Resume())


ORDERS = ["ruled first", "restored first", "one act", "restored, played on, ruled"]
Order = Literal["ruled first", "restored first", "one act", "restored, played on, ruled"]


def dealt_with(table: CoreTable, ply: int, order: str, times: Any) -> ev.IrregularityRuled:
    """The illegal move is ruled on and taken back in one of the orders; the ruling."""
    seat, since = table.state.seat_of(ply), len(table.events)
    if order == "one act":
        table.done("arbiter", cmd.TakeBack(ply=ply, times=times))
    elif order == "ruled first":
        rule(table, ply, seat)
        table.done("arbiter", cmd.RestoreTo(times=times))  # before the ply that was ruled on
    else:
        table.done("arbiter", cmd.RestoreTo(times=times))  # before the last ply complained of
        if order != "restored first":
            again(table)
            table.say(seat.value, "Ke2" if seat is W else "Ke7", act="announce")
            table.press(seat.value)
        rule(table, ply, seat)
    (ruled,) = only(table.events[since:], ev.IrregularityRuled)
    return ruled


@pytest.mark.law("L074", "L080", "L084")
@pytest.mark.parametrize("seat", [W, B])
@pytest.mark.parametrize("times", ["leave", "stored"])
@pytest.mark.parametrize("order", ORDERS)
def test_l084_the_order_of_ruling_and_restoring_changes_nothing(order: str, times: Any, seat: Seat) -> None:
    table, ply = illegal_by(seat)
    stored = {W: table.ply(ply - 1).white_ms, B: table.ply(ply - 1).black_ms}
    stood = left(table)
    ruled = dealt_with(table, ply, order, times)
    assert (ruled.number, ruled.loses, ruled.counts, ruled.ply) == (1, False, True, ply)
    assert table.state.rulings.illegals == ((seat, "illegal"),)
    wanted = dict(stood if times == "leave" else stored)
    wanted[seat.other] = (wanted[seat.other] or 0) + TWO_MINUTES
    if order == "restored, played on, ruled":
        wanted[seat] = (wanted[seat] or 0) + 30_000  # the increment of the replacing move
    assert left(table) == wanted
    refused(
        table.do("arbiter", cmd.RuleIrregularity(ply=ply, seat=seat, kind="illegal", line=1)), "ruled_already", "7.5.5"
    )
    if order != "restored, played on, ruled":
        king = "e1" if seat is W else "e8"
        moves, article = obliged(table)
        assert article == "4.3.1" and moves and all(uci.startswith(king) for uci in moves)
    again(table)


@pytest.mark.law("L084")
@pytest.mark.parametrize("seat", [W, B])
@pytest.mark.parametrize("second", ORDERS)
@pytest.mark.parametrize("first", ORDERS[:3])
def test_l084_the_second_illegal_move_loses_whatever_the_order(first: str, second: str, seat: Seat) -> None:
    table, ply = illegal_by(seat)
    dealt_with(table, ply, first, "stored")
    again(table)
    illegal_move(table)
    before = left(table)[seat.other]
    ruled = dealt_with(table, ply, second, "leave")
    assert (ruled.number, ruled.loses, ruled.bonus_ms) == (2, True, 0)
    assert ruled.proposed == ("0-1" if seat is W else "1-0")
    assert left(table)[seat.other] == before, "no time beside a loss"
    (told,) = alerts(table, "loses")
    assert told.ply == ply and f"can {seat.other.value.capitalize()} mate? yes" in told.detail
    assert not table.state.over and table.state.time.clock.running is (
        seat.other if second == "restored, played on, ruled" else None
    )


@pytest.mark.law("L084")
@pytest.mark.parametrize("order", ORDERS[:3])
def test_l084_drawn_where_the_opponent_cannot_mate_whatever_the_order(order: str) -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    for _ in range(2):
        play(table, "Ke7")
        ruled = dealt_with(table, 1, order, "leave")
        again(table)
    assert ruled.loses and (ruled.opponent_can_mate, ruled.proposed) == ("no", "1/2-1/2")


@pytest.mark.law("L084")
@pytest.mark.parametrize(
    ("then", "found"),
    [
        (cmd.RestoreTo(), "yes"),
        (cmd.RestoreTo(ply=1), "yes"),
        (cmd.Mend(ply=1, uci="d2d4"), "unknown"),  # the position asked about is believed in no longer
    ],
)
def test_l084_a_loss_that_waits_for_an_answer_outlives_the_restoration(then: cmd.AnyAct, found: str) -> None:
    table, ply = illegal_by(W, mates=False)
    table.state = altered(table.state, {"rulings.illegals": ((W, "illegal"),)})
    rule(table, ply, W)
    table.done("arbiter", then)
    (question,) = table.state.ending.mate_questions
    (told,) = only(table.own(cmd.NoteMateAnswer(number=question.number, verdict="yes")), ev.Alerted)
    assert told.kind == "loses" and told.detail.endswith(f"can Black mate? {found}: 0-1 (7.5.5)")


@pytest.mark.law("L080")
def test_l080_what_was_taken_back_is_ruled_on_only_where_it_was_made_and_pressed() -> None:
    table, ply = illegal_by(W)
    refused(table.do("arbiter", cmd.RuleIrregularity(ply=ply, seat=B, kind="illegal")), "no_such_ply", "7.5.1")
    table.done("arbiter", cmd.RestoreTo())
    for wrong in (
        cmd.RuleIrregularity(ply=ply, seat=B, kind="illegal"),
        cmd.RuleIrregularity(ply=9, seat=W, kind="illegal"),
    ):
        refused(table.do("arbiter", wrong), "no_such_ply", "7.5.1")
    refused(table.do("arbiter", cmd.RuleIrregularity(ply=ply, seat=W, kind="illegal", line=2)), "no_such_ply", "7.5.1")
    assert not rule(table, ply, W, confirm=False).confirmed and not table.state.rulings.illegals
    assert rule(table, ply, W).line == 1
    other = CoreTable()
    other.say("white", "Ke3", act="announce")
    refused(other.do("arbiter", cmd.TakeBack()), "no_such_ply", "7.5.1")
    refused(other.do("arbiter", cmd.TakeBack(ply=1)), "not_completed_yet", "7.5.1")


@pytest.mark.law("L080", "L084")
def test_l080_after_the_replacing_move_the_ruling_is_about_the_illegal_one() -> None:
    """The server knows which of the two was illegal; the arbiter may say so, too (`line`)."""
    table, ply = illegal_by(W)
    table.done("arbiter", cmd.RestoreTo())
    again(table)
    play(table, "Nf3 Nc6")
    ruled = rule(table, ply, W)
    assert (ruled.line, ruled.number) == (1, 1) and table.state.rulings.ruled == ()
    present = rule(table, ply, W, line=0)
    assert (present.line, present.number, present.loses) == (0, 2, True)


@pytest.mark.law("L153")
def test_l153_what_stands_in_rapid_play_stands_after_it_was_taken_back_by_agreement_too() -> None:
    table, ply = illegal_by(W, control="900+10", regulations=BASIC)
    play(table, "Nf6")
    table.done("arbiter", cmd.RestoreTo(ply=ply - 1, agreed=True))
    refused(table.do("arbiter", cmd.RuleIrregularity(ply=ply, seat=W, kind="illegal")), "illegal_move_stands", "A.5.2")
    refused(table.do("arbiter", cmd.TakeBack(ply=ply)), "illegal_move_stands", "A.5.2")
    early, ply = illegal_by(W, control="900+10", regulations=BASIC)
    early.done("arbiter", cmd.RestoreTo())
    again(early)
    illegal_move(early)
    play(early, "Nf6")
    early.done("arbiter", cmd.RestoreTo(ply=ply - 1, agreed=True))
    second = cmd.RuleIrregularity(ply=ply, seat=W, kind="illegal", line=2)
    refused(early.do("arbiter", second), "illegal_move_stands", "A.5.2")
    assert rule(early, ply, W, line=1).bonus_ms == 60_000, "to this one nobody had replied"


@pytest.mark.law("L074", "L080")
@pytest.mark.parametrize("answer", ["claimed", "told", "ruled", "last"])
def test_l080_a_take_back_ends_before_the_ply_complained_of(answer: str) -> None:
    table = CoreTable()
    play(table, "e4 e5")
    if answer == "claimed":
        play(table, "Nf3")
        table.say("black", "Nc6", act="announce")
        table.done("black", cmd.ClaimIrregularity(kind="touch"))
        assert alerts(table, "irregularity_claimed")[0].ply == 3
    elif answer == "last":
        play(table, "Nf3")
    else:
        illegal_move(table)
        if answer == "told":
            play(table, "Nc6")
        else:
            rule(table, 3, W)
    table.done("arbiter", cmd.RestoreTo())
    assert table.state.made_plies == 2
    empty = CoreTable()
    refused(empty.do("arbiter", cmd.RestoreTo()), "no_such_ply", "7.1")


@pytest.mark.law("L080", "L084")
def test_l084_one_act_says_how_far_how_much_to_whom_and_whether_the_clocks_run() -> None:
    table, ply = illegal_by(W)
    before = left(table)
    events = table.done("arbiter", cmd.TakeBack(to=0, give_ms=90_000, give_to=W, resume=True, reason="noise"))
    assert table.state.made_plies == 0 and only(events, ev.Restored)[0].ply == 0
    (added,) = only(events, ev.TimeAdded)
    assert (added.seat, added.ms, added.article) == (W, 90_000, "12.5") and left(table)[W] == before[W] + 90_000
    assert table.state.time.clock.running is None, "the boards must be set first"
    other, ply = illegal_by(W)
    for seat in Seat:  # the arbiter has put the king back on both boards
        stands = other.state.moves.positions[ply - 1]
        other.done("arbiter", cmd.SetBoard(board=seat, placement=stands.placement, turn=W))
    other.done("arbiter", cmd.TakeBack(resume=True))
    assert other.state.time.clock.running is W and other.state.made_plies == ply - 1
    quiet, ply = illegal_by(W)
    assert not only(quiet.done("arbiter", cmd.TakeBack(give_ms=0)), ev.TimeAdded)
    refused(quiet.do("arbiter", cmd.TakeBack(ply=1, to=1)), "no_such_ply", "7.1")


@pytest.mark.law("L081", "L082", "L083")
def test_l081_one_act_makes_a_queen_where_the_laws_do_and_takes_a_press_without_a_move_back() -> None:
    table = sighted(fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    table.enter("white", "a7a8", "a8")
    table.press("white")
    events = table.done("arbiter", cmd.TakeBack(kind="unpromoted"))
    assert table.placement(W).startswith("Q7/") and table.state.made_plies == 1 and not only(events, ev.Restored)
    assert only(events, ev.TimeAdded)[0].ms == TWO_MINUTES
    short = sighted(fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1", rule_set="short")
    short.enter("white", "a7a8", "a8")
    short.press("white")
    short.done("arbiter", cmd.TakeBack(kind="unpromoted"))
    assert short.state.made_plies == 0, "the short rules restore the position before"
    silent = CoreTable()
    silent.press("white")
    silent.done("arbiter", cmd.TakeBack(kind="no_move"))
    assert silent.state.made_plies == 0 and silent.state.on_move is W
    assert silent.state.rulings.illegals == ((W, "no_move"),)


@pytest.mark.law("L028", "L041")
@pytest.mark.parametrize("kind", list(SeatKind))
@pytest.mark.parametrize(
    "way", ["ruled, restored", "restored", "restored, ruled", "one act", "reported late", "said with it"]
)
def test_l028_a_touched_piece_whose_wrong_move_stands_must_be_moved_after_the_take_back(
    way: str, kind: SeatKind
) -> None:
    """4.3, 4.8: whatever the order, no illegal move is counted and no time is given by it."""
    table = CoreTable(white=kind)
    early = way not in ("reported late", "said with it")
    if early:
        touch(table, W, "b1", "lifted")
    play(table, "e4")
    assert bool(alerts(table, "touch_move")) is early
    table.done("black", cmd.ClaimIrregularity(kind="touch"))
    if way in ("ruled, restored", "restored, ruled"):
        first, then = cmd.RuleTouch(number=1, counts=True), cmd.RestoreTo()
        for body in (first, then) if way == "ruled, restored" else (then, first):
            table.done("arbiter", body)
    elif way == "one act":
        table.done("arbiter", cmd.TakeBack(kind="touch"))
    elif way == "said with it":
        table.done("arbiter", cmd.TakeBack(kind="touch", touched="b1"))
    else:
        if way == "reported late":
            table.done("arbiter", cmd.ReportTouch(seat=W, square="b1", how="lifted", ply=1))
            assert alerts(table, "touch_move"), "it speaks against the move that stands"
        table.done("arbiter", cmd.RestoreTo())
    assert table.state.made_plies == 0
    assert obliged(table) == ({"b1a3", "b1c3"}, "4.3.1")
    assert not table.state.rulings.illegals and not only(table.events, ev.TimeAdded)
    again(table)
    play(table, "d4")
    assert alerts(table, "touch_move")[-1].ply == 1


@pytest.mark.law("L027", "L028")
def test_l027_a_touch_ruled_accidental_binds_nobody_after_the_take_back() -> None:
    table = CoreTable()
    touch(table, W, "b1")
    play(table, "e4")
    table.done("arbiter", cmd.RestoreTo(ply=0))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    assert obliged(table) == (set(), "")


@pytest.mark.law("L080")
def test_l080_the_replacing_move_is_still_bound_when_it_is_taken_back_too_or_the_men_are_put_right() -> None:
    table, ply = illegal_by(W)
    dealt_with(table, ply, "one act", "leave")
    wanted = obliged(table)
    table.done("arbiter", cmd.RestoreTo(ply=ply - 1))  # men were displaced: nothing is taken back (7.6)
    assert obliged(table) == wanted
    again(table)
    play(table, "Nc3")
    table.done("arbiter", cmd.RestoreTo(ply=ply - 1))  # the king had to move
    assert obliged(table) == wanted
    again(table)
    play(table, "Ke2")
    table.done("arbiter", cmd.RestoreTo(ply=ply - 1))
    assert obliged(table) == (set(), ""), "it had been replaced as it must be"


@pytest.mark.law("L074", "L084", "L144")
def test_l074_records_of_earlier_days_set_the_times_that_they_say() -> None:
    """What stands in an old record is applied as it was, whatever would be decided today."""
    table, ply = illegal_by(W)
    rule(table, ply, W)
    state = Game.replay([*table.events, ev.Restored(at=table.now, ply=ply - 1, discarded=("e1e3",), reason="")])
    assert state.rulings.replacing is not None and state.rulings.replacing[0] == ply


# A game with rulings and restorations in any order, against arithmetic of its own

BASE_MS, INCREMENT_MS = 5_400_000, 30_000
STEP = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 90_000)),
    st.tuples(st.just("illegal"), st.integers(0, 90_000)),
    st.tuples(st.just("rule"), st.just(0)),
    st.tuples(st.just("one act"), st.sampled_from([0, 1])),
    st.tuples(st.just("restore"), st.integers(0, 7)),
    st.tuples(st.just("restore stored"), st.integers(0, 7)),
    st.tuples(st.just("white's gift"), st.integers(1, 300_000)),
    st.tuples(st.just("black's gift"), st.integers(1, 300_000)),
    st.tuples(st.just("penalty"), st.integers(-200_000, 200_000).filter(bool)),
)


class Oracle:
    """Two clocks, counts and what was given, kept by arithmetic of this file alone."""

    def __init__(self) -> None:
        self.left = {W: BASE_MS + INCREMENT_MS, B: BASE_MS + INCREMENT_MS}
        self.given = {W: 0, B: 0}
        self.kept = [(dict(self.left), dict(self.given))]  # after each ply, the start first
        self.count = {W: 0, B: 0}
        self.unruled: list[tuple[int, Seat]] = []
        self.illegal: set[int] = set()  # those that still stand

    def press(self, seat: Seat, ms: int) -> None:
        self.left[seat] += INCREMENT_MS - ms
        self.kept.append((dict(self.left), dict(self.given)))

    def gift(self, seat: Seat, ms: int) -> None:
        self.left[seat] += ms
        self.given[seat] += ms

    def back(self, ply: int, *, stored: bool) -> None:
        if stored:
            then, given_then = self.kept[ply]
            self.left = {seat: then[seat] + self.given[seat] - given_then[seat] for seat in Seat}
        del self.kept[ply + 1 :]
        self.illegal = {one for one in self.illegal if one <= ply}

    def rule(self, seat: Seat) -> None:
        self.count[seat] += 1
        if self.count[seat] == 1:
            self.gift(seat.other, TWO_MINUTES)


def some_move(table: CoreTable, *, illegal: bool) -> str | None:
    """A legal move in words, or the king's to a square that no king reaches; None where there is none."""
    position = table.state.position
    assert position is not None
    board = position.board()
    if illegal:
        king = board.king(board.turn)
        far = (one for one in chess.SQUARES if king is not None and chess.square_distance(king, one) > 2)
        to = next((one for one in far if board.piece_at(one) is None), None)
        return None if to is None else f"K{chess.square_name(to)}"
    move = next((one for one in board.legal_moves if not board.is_castling(one) and one.promotion is None), None)
    if move is None:
        return None
    letter = board.piece_at(move.from_square)
    return f"{letter.symbol().upper().replace('P', '') if letter else ''}{move.uci()}"


@pytest.mark.law("L074", "L080", "L084", "L144")
@settings(max_examples=80, deadline=None)
@given(steps=st.lists(STEP, min_size=4, max_size=22))
def test_what_a_ruling_gave_outlives_every_restoration_in_any_order(steps: list[tuple[str, int]]) -> None:
    table, oracle = CoreTable(), Oracle()
    for what, value in steps:
        made, seat = table.state.made_plies, table.state.on_move
        if what in ("move", "illegal"):
            text = some_move(table, illegal=what == "illegal")
            if text is None:
                continue
            if table.state.time.clock.running is None:
                table.done("arbiter", cmd.Resume())
            table.wait(value)
            table.say(seat.value, text, act="announce")
            table.press(seat.value)
            oracle.press(seat, value)
            if what == "illegal":
                oracle.unruled.append((made + 1, seat))
                oracle.illegal.add(made + 1)
        elif what == "rule" and oracle.unruled:
            ply, who = oracle.unruled.pop()
            ruled = rule(table, ply, who)
            oracle.rule(who)
            oracle.illegal.discard(ply)  # another complaint of this ply is of one that is gone
            assert (ruled.number, ruled.loses) == (oracle.count[who], oracle.count[who] >= 2)
        elif what == "one act" and oracle.unruled and oracle.unruled[-1][0] <= made:
            ply, who = oracle.unruled.pop()
            table.done("arbiter", cmd.TakeBack(ply=ply, times="stored" if value else "leave"))
            if ply in oracle.illegal:  # else it is gone already, and what was played in its place stands
                oracle.back(ply - 1, stored=bool(value))
            oracle.rule(who)
            oracle.unruled = [one for one in oracle.unruled if one[0] != ply]
        elif what.startswith("restore"):
            ply = max(0, made - value)
            table.done("arbiter", cmd.RestoreTo(ply=ply, times="stored" if what.endswith("stored") else "leave"))
            oracle.back(ply, stored=what.endswith("stored"))
        elif what.endswith("gift"):
            seat = W if what.startswith("white") else B
            table.done("arbiter", cmd.AddTime(seat=seat, ms=value, reason="noise", article="12.5"))
            oracle.gift(seat, value)
        elif what == "penalty":
            penalty: Any = "more_time_for_opponent" if value > 0 else "less_time_for_offender"
            table.done("arbiter", cmd.Penalise(seat=W, penalty=penalty, amount=abs(value), reason="late"))
            oracle.gift(B if value > 0 else W, value)
        assert left(table) == oracle.left, (what, value)
    assert [sum(one[0] is seat for one in table.state.rulings.illegals) for seat in Seat] == list(oracle.count.values())
    assert Game.replay(table.events) == table.state


def test_a_refused_take_back_changes_nothing() -> None:
    table, ply = illegal_by(W)
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    events = len(table.events)
    assert isinstance(table.do("arbiter", cmd.TakeBack()), Refusal)
    assert len(table.events) == events and not table.state.rulings.illegals and ply == 3


@pytest.mark.law("L111", "L074")
def test_l074_what_a_wrong_claim_gave_outlives_the_restoration_too() -> None:
    table = CoreTable()
    play(table, "e4 e5", 1_000)
    stored = table.ply(1).black_ms
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.RestoreTo(ply=1, times="stored"))
    assert stored is not None and left(table)[B] == stored + TWO_MINUTES


@pytest.mark.law("L084", "L198")
def test_l198_what_the_desk_takes_back_keeps_what_was_given_and_can_be_ruled_on() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3", 1_000)
    stored = table.ply(1).white_ms, table.ply(1).black_ms
    table.done("arbiter", cmd.AddTime(seat=B, ms=60_000, reason="noise", article="12.5"))
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.DecideDesk(kind="back", ply=1))
    assert None not in stored and (left(table)[W], left(table)[B]) == (stored[0], (stored[1] or 0) + 60_000)
    assert rule(table, 3, W).line == 1 and Game.replay(table.events) == table.state


@pytest.mark.law("L222", "L074")
@pytest.mark.parametrize("missing", [True, False])
def test_l222_time_given_during_an_adjournment_is_added_to_the_times_of_the_sealing(missing: bool) -> None:
    table = closed()
    before = left(table)
    table.done("arbiter", cmd.AddTime(seat=W, ms=60_000, reason="noise", article="12.5"))
    there(table, B)
    if missing:
        table.done("arbiter", cmd.ReplaceEnvelope(uci=MOVE[W]))
    else:
        table.done("arbiter", cmd.OpenEnvelope(content=heard(SAID[W])))
    table.wait(7_000)
    table.done("arbiter", cmd.RestoreTo(ply=1, times="stored"))
    assert left(table) == {W: before[W] + 60_000, B: before[B]}
