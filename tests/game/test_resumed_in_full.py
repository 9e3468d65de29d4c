"""The resumption of an adjourned game, event by event and whole: who comes, the envelope, the ruling (Guidelines I)."""

from __future__ import annotations

from typing import Any, Literal

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.resumption import judge_sealed_move, set_up_list
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import Adjournment, SealedMove, SetUpList
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Mode, Origin, Role, Seat
from tests.game.adjourned_table import (
    AFTER,
    DEFAULT_S,
    LOSES,
    MOVE,
    SAID,
    SEAL,
    START,
    B,
    T,
    W,
    alert,
    clock_set,
    closed,
    heard,
    made,
    of,
    opened,
    ordered,
    paused,
    squares,
    there,
    times,
)
from tests.game.core_table import CoreTable, only, play, said


class TestResuming:
    @pytest.mark.law("L213")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_what_is_to_be_set_up(self, seat: Seat) -> None:
        table = closed(seat)
        white_ms, black_ms = times(seat)
        wanted = SetUpList(
            placement=START,
            turn=seat,
            white_ms=white_ms,
            black_ms=black_ms,
            white_used_ms=5_000 if seat is W else 0,
            black_used_ms=5_000 if seat is B else 0,
        )
        assert table.done("arbiter", cmd.PrepareResumption()) == (ev.ResumptionPrepared(at=10_000, list=wanted),)
        table.done("arbiter", cmd.SetBoard(board=B, placement=AFTER[W], turn=B))
        assert set_up_list(table.state, of(table)).black_board == ("g1", "f3")
        assert set_up_list(table.state, of(table)).white_board == ()

    @pytest.mark.law("L217", "L218")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_the_absent_repliers_clock_is_started_and_they_stop_it(self, seat: Seat) -> None:
        table = closed(seat)
        there(table, seat)
        begun, went_on = ev.ResumptionBegun(at=10_000), ev.ClockResumed(at=10_000)
        assert table.done("arbiter", cmd.StartResumption()) == (begun, went_on)
        assert table.state.time.clock.running is seat.other
        assert (of(table).began_ms, table.state.schedule.default_due_ms) == (10_000, 10_000 + DEFAULT_S * 1000 + 1)
        assert table.do("arbiter", cmd.StartResumption()) == Refusal("resumption_begun", "I.9.2")
        table.wait(3_000)
        assert table.press(seat.value) == (ev.ClockPressed(at=13_000, seat=seat, ply=0, effective=False),)
        assert table.press(seat.other.value) == (
            ev.ClockPressed(at=13_000, seat=seat.other, ply=0, effective=False),
            paused(13_000, "arrived", Role.PLAYER, seat.other),
            alert(13_000, "arrived", f"{seat.other.value.capitalize()} has stopped the clock (I.9.2)"),
        )
        assert table.done("arbiter", cmd.StartResumption()) == (ev.ClockResumed(at=13_000),), "begun once"
        assert of(table).began_ms == 10_000

    @pytest.mark.law("L217", "L224")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_a_clock_set_meanwhile_for_the_sealer_runs_for_the_replier(self, seat: Seat) -> None:
        table = closed(seat)
        table.done("arbiter", cmd.SetClock(white_ms=1_000_000, black_ms=2_000_000, turn=seat))
        turned = clock_set(10_000, 1_000_000, 2_000_000, seat.other, "resumption (I.9)")
        begun, went_on = ev.ResumptionBegun(at=10_000), ev.ClockResumed(at=10_000)
        before = table.state
        assert table.done("arbiter", cmd.StartResumption()) == (begun, turned, went_on)
        table.state = before  # or the replier is there: the opening turns it
        there(table, seat.other)
        events = table.done("arbiter", cmd.OpenEnvelope(content=heard(SAID[seat])))
        assert (events[0], *events[-2:]) == (begun, turned, went_on)

    @pytest.mark.law("L217")
    def test_another_clock_is_never_turned(self) -> None:
        table = closed(master=ClockMaster.MANUAL)
        assert table.done("arbiter", cmd.StartResumption()) == (
            ev.ResumptionBegun(at=10_000),
            ev.ClockResumed(at=10_000),
        )
        assert (table.state.time.clock.running, table.state.time.clock.turn) == (None, W)

    @pytest.mark.law("L221")
    @pytest.mark.parametrize("present", [None, W])
    def test_with_a_default_time_of_zero(self, present: Seat | None) -> None:
        table = closed(default_s=0)
        if present is not None:
            there(table, present)
        begun = ev.ResumptionBegun(at=10_000)
        detail = (
            "neither player is present and the default time is zero: both lose, unless the arbiter decides otherwise "
            "(I.10, I.11)"
        )
        then = alert(10_000, "nobody_came", detail) if present is None else ev.ClockResumed(at=10_000)
        assert table.done("arbiter", cmd.StartResumption()) == (begun, then)
        assert table.state.schedule.default_due_ms is None, "there is nothing to wait for"
        table.wait(1)
        late = "Black arrived after the default time: 1-0 (I.10), unless the arbiter decides otherwise; a sealed move that ends the game prevails"  # noqa: E501
        assert there(table, B) == (
            ev.PresenceMarked(at=10_001, seat=B, present=True), alert(10_001, "late_at_resumption", late),
        )  # fmt: skip

    @pytest.mark.law("L220")
    @pytest.mark.parametrize(("after_ms", "late"), [(DEFAULT_S * 1000, False), (DEFAULT_S * 1000 + 1, True)])
    @pytest.mark.parametrize("seat", list(Seat))
    def test_who_comes_in_the_last_millisecond_is_not_late(self, seat: Seat, after_ms: int, late: bool) -> None:
        table = closed()
        table.done("arbiter", cmd.StartResumption())
        table.wait(after_ms)
        table.own(cmd.NoteInstant())
        now = 10_000 + after_ms
        detail = (
            f"{seat.value.capitalize()} arrived after the default time: {LOSES[seat]} "
            "(I.10), unless the arbiter decides otherwise; "
            "a sealed move that ends the game prevails"
        )
        told = (alert(now, "late_at_resumption", detail),) if late else ()
        assert there(table, seat) == (ev.PresenceMarked(at=now, seat=seat, present=True), *told)
        assert of(table).present == (seat is W, seat is B)
        assert there(table, seat) == (ev.PresenceMarked(at=now, seat=seat, present=True),), "told once"
        assert there(table, seat, False) == (ev.PresenceMarked(at=now, seat=seat, present=False),)
        assert of(table).present == (False, False)

    @pytest.mark.law("L062", "L220")
    @pytest.mark.parametrize(
        ("present", "absent", "proposed", "who"),
        [((), (W, B), "-/-", "White and Black"), ((W,), (B,), "+/-", "Black"), ((W, B), (), "", "")],
    )
    def test_at_the_end_of_the_default_time_the_arbiter_is_told_who_is_missing(
        self, present: tuple[Seat, ...], absent: tuple[Seat, ...], proposed: str, who: str
    ) -> None:
        table = closed()
        table.done("arbiter", cmd.StartResumption())
        for seat in present:
            there(table, seat)
        table.wait(DEFAULT_S * 1000 + 500)
        detail = (
            f"{who} absent at the resumption (I.10): {proposed}, unless you decide otherwise; "
            "a sealed move that ends the game prevails"
        )
        over = ev.DefaultTimeOver(at=10_001 + DEFAULT_S * 1000, absent=absent, proposed=proposed)
        told = (alert(table.now, "default_time_over", detail),) if absent else ()
        assert table.own(cmd.NoteInstant()) == (over, *told)
        table.wait(60_000)
        assert table.own(cmd.NoteInstant()) == (), "once"
        if absent:
            ended = only(table.done("arbiter", cmd.RuleAbsence(forfeit=True)), ev.GameEnded)
            assert ended == [ev.GameEnded(at=table.now, result=proposed, reason="forfeit", article="I.10")]

    @pytest.mark.law("L066")
    def test_of_a_resumption_in_an_earlier_run_the_arbiter_is_told_and_nobody_is_late_by_it(self) -> None:
        table = closed()
        table.done("arbiter", cmd.StartResumption())
        table.press("black")
        what = "the program was restarted; set again: default time, resumption"
        assert table.own(cmd.NoteNewRun()) == (
            ev.InstantsVoided(at=10_000, what=("default_time", "resumption")), alert(10_000, "instants_void", what),
        )  # fmt: skip
        assert (of(table).began_ms, table.state.schedule.default_due_ms) == (None, None)
        assert table.own(cmd.NoteNewRun()) == ()
        table.wait(DEFAULT_S * 1000 + 1)
        assert table.own(cmd.NoteInstant()) == ()
        assert table.do("arbiter", cmd.OpenEnvelope(content=heard())) == Refusal("replier_absent", "I.7")
        opened_again = closed()
        there(opened_again, B)
        opened_again.done("arbiter", cmd.OpenEnvelope(content=heard()))
        assert opened_again.own(cmd.NoteNewRun()) == (), "it is over: nothing is to be set again"

    def test_before_the_resumption_nobody_is_late(self) -> None:
        table = closed()
        noted = table.done("arbiter", cmd.NotePresent(seat=W))
        assert noted == (ev.PresenceMarked(at=10_000, seat=W, present=True),), "noted or marked, it is the same"
        table.wait(10 * DEFAULT_S * 1000)
        assert there(table, B) == (ev.PresenceMarked(at=table.now, seat=B, present=True),)
        assert opened().do("arbiter", cmd.MarkPresent(seat=B)) == Refusal("not_adjourned", "I")

    @pytest.mark.law("L220")
    @pytest.mark.parametrize(("after_ms", "opens"), [(DEFAULT_S * 1000, False), (DEFAULT_S * 1000 + 1, True)])
    def test_without_the_replier_the_envelope_is_opened_only_after_the_default_time(
        self, after_ms: int, opens: bool
    ) -> None:
        table = closed()
        table.done("arbiter", cmd.StartResumption())
        table.wait(after_ms)
        events = table.do("arbiter", cmd.OpenEnvelope(content=heard()))
        if opens:
            assert isinstance(events, tuple) and not only(events, ev.ResumptionBegun), "it began before"
        else:
            assert events == Refusal("replier_absent", "I.7")

    @pytest.mark.law("L217")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_the_sealed_move_is_made_with_the_times_of_the_sealing(self, seat: Seat) -> None:
        table = closed(seat)
        there(table, seat.other)
        content = heard(SAID[seat])
        assert table.done("arbiter", cmd.OpenEnvelope(content=content)) == (
            ev.ResumptionBegun(at=10_000),
            ev.EnvelopeOpened(at=10_000, seat=seat, ply=1, content=content, found="played", readings=(MOVE[seat],)),
            *made(seat, 10_000, content, said(SAID[seat]), SAID[seat]),
            ev.ClockResumed(at=10_000),
        )
        assert table.state.time.clock.running is seat.other
        assert (of(table).stage, of(table).content, table.state.schedule.default_due_ms) == ("resumed", content, None)

    @pytest.mark.law("L217")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_squares_that_were_sealed_are_made_as_squares(self, seat: Seat) -> None:
        table = closed(seat)
        there(table, seat.other)
        content = SealedMove(uci=MOVE[seat], origin=Origin.ENTERED)
        events = table.done("arbiter", cmd.OpenEnvelope(content=content))
        assert list(events[2:-1]) == made(seat, 10_000, content, squares(MOVE[seat]), MOVE[seat])

    @pytest.mark.law("L217")
    def test_a_promotion_that_was_sealed_in_squares_names_its_piece(self) -> None:
        for letter, piece in {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}.items():
            table = CoreTable(fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1", regulations=EventOptions(guidelines=("I",)))
            table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
            table.done("white", SEAL)
            table.press("white")
            there(table, B)
            table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(uci=f"a7a8{letter}")))
            promoted: Any = piece
            assert table.ply(1).announcement == Announcement(from_square="a7", to_square="a8", promotion=promoted)
            assert table.state.moves.line == (f"a7a8{letter}",)

    @pytest.mark.law("L218")
    def test_where_the_repliers_clock_runs_already_it_runs_on(self) -> None:
        table = closed()
        table.done("arbiter", cmd.StartResumption())
        table.wait(2_000)
        there(table, B)
        events = table.done("arbiter", cmd.OpenEnvelope(content=heard()))
        assert list(events[1:]) == made(W, 12_000, heard(), said("Nf3"), "Nf3")
        assert table.state.time.clock.running is B and table.state.time.clock.time_used(B, table.now) == 2_000

    @pytest.mark.law("L220")
    @pytest.mark.parametrize("runs", [True, False])
    def test_a_sealed_mate_stops_a_clock_that_runs_and_starts_none(self, runs: bool) -> None:
        table = CoreTable(
            fen="6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 7", regulations=EventOptions(guidelines=("I",), default_time_s=900)
        )
        table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
        table.done("white", SEAL)
        table.press("white")
        if runs:
            table.done("arbiter", cmd.StartResumption())
        there(table, B)
        events = table.done("arbiter", cmd.OpenEnvelope(content=heard("Ra8")))
        assert only(events, ev.ClockPaused) == ([paused(T, "I.10")] if runs else [])
        assert not only(events, ev.ClockResumed) and table.state.time.clock.running is None

    @pytest.mark.law("L222")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_a_missing_envelope_is_replaced_with_the_recorded_times(self, seat: Seat) -> None:
        table = closed(seat)
        uci = MOVE[seat]
        assert table.do(seat.value, cmd.ReplaceEnvelope(uci=uci)) == Refusal("only_the_arbiter", "12.3")
        assert table.done("arbiter", cmd.ReplaceEnvelope(uci=uci)) == (
            clock_set(10_000, *times(seat), seat.other, "envelope missing (I.12.1)"),
            ev.EnvelopeMissing(at=10_000, seat=seat, ply=1, uci=uci),
            *made(seat, 10_000, SealedMove(origin=Origin.ENTERED), squares(uci), uci),
            ev.ClockResumed(at=10_000),
        )
        assert of(table).stage == "resumed"
        assert table.do("arbiter", cmd.ReplaceEnvelope(uci=uci)) == Refusal("not_adjourned", "I")

    @pytest.mark.law("L211", "L222")
    @pytest.mark.parametrize("act", [cmd.RestoreTo(ply=0), cmd.TakeBack(), cmd.UndoIncident()])
    def test_nothing_is_taken_back_between_the_order_and_the_opening(self, act: cmd.AnyAct) -> None:
        """The sealed move belongs to the half-move at which it was ordered; the program failed where that was gone."""
        table = CoreTable(regulations=EventOptions(guidelines=("I",)))
        table.say("white", "e4")
        table.press("white")
        table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
        assert table.do("arbiter", act) == Refusal("sealing", "I.1.1")
        table.done("black", SEAL)
        table.press("black")
        assert table.do("arbiter", act) == Refusal("adjourned", "I.7")

    @pytest.mark.law("L222", "L223")
    def test_what_no_envelope_is_replaced_by(self) -> None:
        table = closed()
        assert table.do("arbiter", cmd.ReplaceEnvelope(uci="g1g3")) == Refusal("sealed_not_legal", "I.12.1")
        there(table, B)
        table.done("arbiter", cmd.OpenEnvelope(content=heard("Ne5")))
        assert table.do("arbiter", cmd.ReplaceEnvelope(uci="g1f3")) == Refusal("opened_already", "I.12.1")
        unknown = opened()
        unknown.mumble("white", "u1")
        unknown.press("white")
        unknown.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
        unknown.done("black", SEAL)
        unknown.press("black")
        assert unknown.do("arbiter", cmd.ReplaceEnvelope(uci="g8f6")) == Refusal("position_not_known", "I.12.2")

    @pytest.mark.law("L215", "L223")
    @pytest.mark.parametrize("open_one", ["reconstruction", "claim"])
    def test_no_clock_is_started_over_an_open_question_but_a_list_is_given_and_a_game_annulled(
        self, open_one: str
    ) -> None:
        table = ordered()
        if open_one == "claim":
            table.done("white", cmd.ClaimDraw(kind="repetition"))
        table.done("white", SEAL)
        table.press("white")
        if open_one == "reconstruction":
            table.done("arbiter", cmd.BeginReconstruction(reason="scores differ"))
        held = Refusal("claim_open", "9.5.1") if open_one == "claim" else Refusal("reconstructing", "8.5.3")
        starting: list[cmd.AnyAct] = [
            cmd.StartResumption(), cmd.OpenEnvelope(content=heard()), cmd.RuleSealed(lost=True),
            cmd.ReplaceEnvelope(uci="g1f3"),
        ]  # fmt: skip
        assert [table.do("arbiter", body) for body in starting] == [held] * 4
        there(table, B)
        table.done("arbiter", cmd.PrepareResumption())
        assert table.do("arbiter", cmd.AnnulGame(reason=" ")) == Refusal("reason_needed", "I.12.2")
        assert table.done("arbiter", cmd.AnnulGame(reason="both scores are lost")) == (
            ev.GameEnded(at=T, result="*", reason="annulled", article="I.12.2"),
        )

    def test_before_an_envelope_is_closed_there_is_nothing_to_resume(self) -> None:
        bodies: list[cmd.AnyAct] = [
            cmd.PrepareResumption(), cmd.StartResumption(), cmd.OpenEnvelope(content=heard()),
            cmd.RuleSealed(lost=True), cmd.ReplaceEnvelope(uci="g1f3"), cmd.AnnulGame(reason="x"),
        ]  # fmt: skip
        for table in (opened(), ordered()):
            assert [table.do("arbiter", body) for body in bodies] == [Refusal("not_adjourned", "I")] * 6


def faulty(seat: Seat, content: SealedMove, **more: Any) -> CoreTable:
    """Opened, with the replier there, and no move."""
    table = closed(seat, **more)
    there(table, seat.other)
    table.done("arbiter", cmd.OpenEnvelope(content=content))
    return table


class TestTheArbitersRuling:
    @pytest.mark.law("L216")
    @pytest.mark.parametrize("runs", [True, False])
    @pytest.mark.parametrize("seat", list(Seat))
    def test_what_was_not_understood_stops_the_clock_and_is_told_with_its_sound(self, seat: Seat, runs: bool) -> None:
        table = closed(seat)
        if runs:
            table.done("arbiter", cmd.StartResumption())
        there(table, seat.other)
        content = SealedMove(utterance="u7")
        events = table.done("arbiter", cmd.OpenEnvelope(content=content))
        detail = (
            f"the sealed move is undeterminable: {LOSES[seat]} under I.8, unless Article 5, 6.9 or 9.6 applies; "
            "to be confirmed by the arbiter"
        )
        begun: list[ev.AnyEvent] = [] if runs else [ev.ResumptionBegun(at=10_000)]
        assert list(events) == [
            *begun,
            ev.EnvelopeOpened(at=10_000, seat=seat, ply=1, content=content, found="undeterminable", readings=()),
            *([paused(10_000, "I.8")] if runs else []),
            alert(10_000, "sealed_lost", detail, ply=1, utterance="u7"),
        ]
        assert (of(table).stage, of(table).closed, table.state.time.clock.running) == ("faulty", True, None)

    @pytest.mark.law("L216")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_lost(self, seat: Seat) -> None:
        table = faulty(seat, heard("Ne5"))
        ruled, asked, answered, ended = table.done("arbiter", cmd.RuleSealed(lost=True, uci="e2e4", reason="clear"))
        assert ruled == ev.SealedRuled(at=10_000, seat=seat, ply=1, lost=True, uci=None, reason="clear")
        assert isinstance(asked, ev.MateAsked) and (asked.seat, asked.ply, asked.why) == (seat.other, 0, "sealed")
        assert isinstance(answered, ev.MateAnswered) and answered.verdict == "yes"
        assert ended == ev.GameEnded(at=10_000, result=LOSES[seat], reason="sealed_move", article="I.8")

    @pytest.mark.law("L216")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_neither_lost_nor_played_its_player_has_the_move_and_its_count(self, seat: Seat) -> None:
        table = faulty(seat, heard("Ne5"))
        assert table.state.time.clock.side(seat).moves == 1
        assert table.done("arbiter", cmd.RuleSealed(lost=False, reason="9.6")) == (
            ev.SealedRuled(at=10_000, seat=seat, ply=1, lost=False, uci=None, reason="9.6"),
            clock_set(10_000, *times(seat), seat, "the sealed move is not played (I.8)", moves=(0, 0)),
        )
        assert (table.state.time.clock.running, table.state.time.clock.turn, of(table).stage) == (None, seat, "resumed")
        table.done("arbiter", cmd.Resume())
        assert table.state.time.clock.running is seat

    @pytest.mark.law("L216", "L217")
    @pytest.mark.parametrize(("moves", "sealed", "uci"), [("e4 e5", "Nf3", "g1f3"), ("e4 e5 Nf3", "Nc6", "b8c6")])
    def test_later_in_the_game_too_one_move_is_made_or_one_is_given_back(
        self, moves: str, sealed: str, uci: str
    ) -> None:
        for content in (heard(sealed), SealedMove(utterance="u7")):
            table = opened(W)
            play(table, moves)
            seat, ply = table.state.on_move, table.state.ply_to_make
            counters = [table.state.time.clock.side(side).moves for side in Seat]
            table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
            table.done(seat.value, SEAL)
            table.press(seat.value)
            there(table, seat.other)
            events = table.done("arbiter", cmd.OpenEnvelope(content=content))
            if content.announcement is None:
                events = table.done("arbiter", cmd.RuleSealed(lost=False, reason="9.6"))
                assert [list(one.moves or ()) for one in only(events, ev.ClockSet)] == [counters]
            else:
                assert table.state.moves.line[ply - 1 :] == (uci,) and not only(events, ev.GameMended)

    @pytest.mark.law("L216")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_counters_never_go_below_none(self, seat: Seat) -> None:
        """Sealed on another clock, which counts for itself; ours leads at the resumption."""
        table = closed(seat, master=ClockMaster.MANUAL)
        table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
        table.done("arbiter", cmd.SetClock(white_ms=1_000, black_ms=2_000, turn=seat.other))
        there(table, seat.other)
        table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(utterance="u7")))
        (given_back,) = only(table.done("arbiter", cmd.RuleSealed(lost=False, reason="9.6")), ev.ClockSet)
        reason = "the sealed move is not played (I.8)"
        assert given_back == clock_set(10_000, 1_000, 2_000, seat, reason, moves=(0, 0))

    @pytest.mark.law("L216")
    @pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.SERVER])
    def test_a_clock_that_stands_for_its_player_already_or_another_one_is_left(self, master: ClockMaster) -> None:
        table = closed(master=master)
        if master is ClockMaster.SERVER:
            table.done("arbiter", cmd.SetClock(white_ms=1_000, black_ms=2_000, turn=W))
        there(table, B)
        table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(utterance="u7")))
        assert table.done("arbiter", cmd.RuleSealed(lost=False, reason="9.6")) == (
            ev.SealedRuled(at=10_000, seat=W, ply=1, lost=False, uci=None, reason="9.6"),
        )

    @pytest.mark.law("L216")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_what_the_arbiter_hears_in_a_mere_sound_is_made(self, seat: Seat) -> None:
        table = faulty(seat, SealedMove(utterance="u7"))
        uci = MOVE[seat]
        assert table.done("arbiter", cmd.RuleSealed(lost=False, uci=uci, reason="clear by ear")) == (
            ev.SealedRuled(at=10_000, seat=seat, ply=1, lost=False, uci=uci, reason="clear by ear"),
            *made(seat, 10_000, SealedMove(utterance="u7", origin=Origin.ENTERED), squares(uci), uci),
            ev.ClockResumed(at=10_000),
        )

    @pytest.mark.law("L216")
    def test_what_is_no_ruling(self) -> None:
        rule = cmd.RuleSealed(lost=False, uci="g1f3", reason="x")
        assert closed().do("arbiter", rule) == Refusal("not_opened", "I.8")
        sound = faulty(W, SealedMove(utterance="u7"))
        assert sound.do("arbiter", cmd.RuleSealed(lost=False, reason=" ")) == Refusal("reason_needed", "I.8")
        not_legal = cmd.RuleSealed(lost=False, uci="g1g3", reason="x")
        assert sound.do("arbiter", not_legal) == Refusal("sealed_not_legal", "I.8")
        for content in (heard("Ne5"), SealedMove(uci="g1g3")):
            assert faulty(W, content).do("arbiter", rule) == Refusal("never_repaired", "I.8")
        opened_twice = sound.do("arbiter", cmd.OpenEnvelope(content=heard()))
        assert opened_twice == Refusal("opened_already", "I.8")


Found = Literal["played", "ambiguous", "illegal"]
READ: list[tuple[str, Announcement | str, Found, tuple[str, ...]]] = [
    ("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", said("Ne2"), "ambiguous", ("c1e2", "g1e2")),
    ("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", said("Ng1e2"), "played", ("g1e2",)),
    ("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", said("Nf1e2"), "illegal", ()),
    ("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", said("Ke2"), "played", ("e1e2",)),
    ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", said("Ne2"), "played", ("g1e2",)),  # the other one is pinned
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", said("d6"), "ambiguous", ("c5d6", "e5d6")),  # either takes en passant
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", said("e5d6"), "played", ("e5d6",)),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", said("a8"), "ambiguous", ("a7a8n", "a7a8b", "a7a8r", "a7a8q")),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", said("a8=R"), "played", ("a7a8r",)),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", said("a8=N"), "played", ("a7a8n",)),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "played", ("a7a8q",)),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "ambiguous", ("a7a8n", "a7a8b", "a7a8r", "a7a8q")),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", "played", ("a7a8b",)),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", said("O-O"), "played", ("e1g1",)),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", said("O-O-O"), "played", ("e1c1",)),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", said("Kg1"), "played", ("e1g1",)),  # as it may be said in ordinary chess
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "played", ("e1g1",)),
    (chess.STARTING_FEN, "e2e5", "illegal", ()),
    (chess.STARTING_FEN, said("O-O"), "illegal", ()),
]


@pytest.mark.law("L216")
@pytest.mark.parametrize(("fen", "sealed", "found", "readings"), READ)
def test_the_readings_of_what_was_sealed(
    fen: str, sealed: Announcement | str, found: Found, readings: tuple[str, ...]
) -> None:
    content = SealedMove(uci=sealed) if isinstance(sealed, str) else SealedMove(announcement=sealed)
    verdict, read = judge_sealed_move(content, Position.from_fen(fen))
    assert (verdict, sorted(read)) == (found, sorted(readings))


def test_in_chess960_a_king_castles_by_its_word_alone() -> None:
    """Its own squares may be an ordinary move; only "castles" is the castling."""
    position = Position.from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    castles = judge_sealed_move(SealedMove(announcement=said("O-O")), position)
    assert castles[0] == "played" and castles[1][0].startswith("f1")
    assert judge_sealed_move(SealedMove(announcement=said("Kg1")), position) == ("illegal", ())
    assert judge_sealed_move(SealedMove(announcement=said("Kf2")), position) == ("played", ("f1f2",))
    assert judge_sealed_move(SealedMove(announcement=said("Rg2")), position) == ("played", ("g1g2",))


@pytest.mark.law("L224")
def test_the_times_stand_from_the_first_move_after_the_sealed_one() -> None:
    wrong = cmd.SetClock(white_ms=5_000_000, black_ms=5_000_000, turn=B)
    for table in (closed(), faulty(W, heard("Ne5"))):
        table.done("arbiter", wrong)
    table = closed()
    there(table, B)
    table.done("arbiter", cmd.OpenEnvelope(content=heard()))
    table.done("arbiter", wrong)
    play(table, "e5")
    for reason in ("", " "):
        assert table.do("arbiter", cmd.SetClock(white_ms=1, black_ms=1, turn=W, reason=reason)) == Refusal(
            "times_stand", "I.13"
        )
    corrected = cmd.CorrectClock(seat=W, ms=1)
    assert table.do("arbiter", corrected) == Refusal("times_stand", "I.13")
    assert only(
        table.done("arbiter", cmd.SetClock(white_ms=1, black_ms=1, turn=W, reason="too severe")), ev.ClockSet
    ) == [clock_set(10_000, 1, 1, W, "too severe", by_hand=True)]


@pytest.mark.law("L219")
@pytest.mark.parametrize("seat", list(Seat))
def test_a_sealed_reply_starts_the_absent_sealers_clock(seat: Seat) -> None:
    table = closed(seat)
    there(table, seat.other)
    table.done("arbiter", cmd.OpenEnvelope(content=heard(SAID[seat])))
    began = of(table).began_ms
    assert table.done("arbiter", cmd.OrderSeal(key="k2", salt="s2", reply=True)) == (
        ev.SealOrdered(at=10_000, seat=seat.other, ply=2, key="k2", salt="s2", reply=True),
    )
    assert of(table) == Adjournment(
        seat=seat.other, ply=2, key="k2", salt="s2", reply=True, present=(seat is B, seat is W), began_ms=began
    )
    table.done(seat.other.value, cmd.SealMove(sealed="eA==", sha256="cd"))
    table.wait(700)
    events = table.press(seat.other.value)
    assert [type(one) for one in events] == [ev.ClockPressed, ev.Adjourned], "nothing is paused"
    (adjourned,) = only(events, ev.Adjourned)
    assert (adjourned.seat, adjourned.ply, adjourned.reply, adjourned.sha256) == (seat.other, 2, True, "cd")
    assert table.state.time.clock.running is seat and table.state.table.mode is Mode.TABLE
    table.done("arbiter", cmd.Pause(reason="noise"))
    table.wait(300)
    assert table.do("arbiter", cmd.OpenEnvelope(content=heard())) == Refusal("replier_absent", "I.7")
