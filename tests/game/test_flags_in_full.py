"""Fallen flags, resignations and calls in full: every event, and each word that the arbiter is told (5.1.2, 6.8)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.saying import saying
from server.game.values.words import ClockMaster, Role, Seat, SeatKind
from tests.game.core_table import CoreTable, only, play

QUICK = EventOptions(guidelines=("III",))
NOT_LAST = "the first is not known, not the last period: the game continues (III.3.1)"
FOLLOWS = "the consequence under 6.9 follows"
CLAIMED = "Black claims a win on time (6.8)"
Verdict = Any


def moved(control: str = "60", **more: Any) -> CoreTable:
    """A move each, and nobody answers yet whether a side can ever mate."""
    table = CoreTable(control=control, mates=False, **more)
    play(table, "e4 e5")
    return table


def fallen(**more: Any) -> CoreTable:
    """White's flag has fallen, and the arbiter has been told so."""
    table = moved(**more)
    table.wait(61_000)
    table.own(cmd.NoteInstant())
    return table


def both_fallen(first: Seat = Seat.WHITE, **more: Any) -> CoreTable:
    table = CoreTable(control="60", mates=False, **more)
    for number, move in enumerate(("e4", "e5", "d4", "d5")[: 2 if first is Seat.WHITE else 3]):
        station = "black" if number % 2 else "white"
        table.wait(61_000 if number or first is Seat.WHITE else 10)
        table.say(station, move, act="announce")
        table.press(station)
    table.own(cmd.NoteInstant())
    assert table.state.time.clock.first_flag is first
    return table


def told(at: int, kind: str, ply: int, detail: str) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=False, detail=detail)


def stopped(at: int, by: Role, seat: Seat | None, reason: str) -> ev.ClockPaused:
    return ev.ClockPaused(at=at, by=by, seat=seat, reason=reason)


def asked(table: CoreTable, seat: Seat, why: str, note: str = "", ply: int = 2, number: int = 1) -> ev.MateAsked:
    position = None if table.state.moves.out_of_step else table.state.position_after(ply)
    return ev.MateAsked(at=table.now, number=number, seat=seat, ply=ply, position=position, why=why, note=note)


def answer(table: CoreTable, verdict: Verdict, number: int = 1) -> tuple[ev.AnyEvent, ...]:
    """What follows from the answer, without the answer itself, which is on record as it was given."""
    question = table.state.ending.mate_question(number)
    assert question is not None
    body = cmd.NoteMateAnswer(
        number=number, verdict=verdict, witness=("e2e4",), said=saying("as_written", text="so it was found")
    )
    noted, *rest = table.done(PROGRAM, body)
    assert noted == ev.MateAnswered(
        at=table.now,
        number=number,
        seat=question.seat,
        ply=question.ply,
        verdict=verdict,
        witness=("e2e4",),
        reason="so it was found",
    )
    assert table.do(PROGRAM, body) == Refusal("nothing_asked", ""), "each is answered once"
    return tuple(rest)


def of_flags(events: tuple[ev.AnyEvent, ...]) -> tuple[ev.AnyEvent, ...]:
    """Without the duty to complete a score, which is another matter (8.5.1)."""
    return tuple(
        one for one in events if not isinstance(one, ev.ScoreDue) and getattr(one, "kind", "") != "scores_behind"
    )


@pytest.mark.law("L064", "L154")
def test_a_claim_on_time_stops_the_clocks_and_asks_who_can_mate() -> None:
    table = fallen()
    at = table.now
    assert of_flags(table.done("black", cmd.ClaimTime())) == (
        ev.TimeClaimed(at=at, seat=Seat.BLACK),
        stopped(at, Role.PLAYER, Seat.BLACK, "claim"),
        told(at, "time_claimed", 2, f"{CLAIMED}: {FOLLOWS}"),
        asked(table, Seat.BLACK, "time_claimed", CLAIMED),
    )


@pytest.mark.law("L064", "L156")
@pytest.mark.parametrize("both", [False, True])
def test_the_flag_that_the_arbiter_calls_and_the_one_that_stands(both: bool) -> None:
    table = fallen()
    assert isinstance(table.do("black", cmd.CallFlag(seat=Seat.WHITE)), Refusal), "no player calls a flag"
    at = table.now
    what = "the fall of both flags has been called" if both else "White's flag-fall has been called (6.8)"
    kind = "flags_called" if both else "flag_called"
    called = of_flags(table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=both)))
    assert called[:2] == (
        ev.FlagCalled(at=at, seat=Seat.WHITE, both=both),
        stopped(at, Role.ARBITER, None, "flag"),
    )
    if both:  # Black's has not fallen on this clock
        assert called[2:] == (told(at, kind, 2, f"{what}: Black's flag has not fallen on this clock"),)
    else:
        assert called[2:] == (
            told(at, kind, 2, f"{what}: {FOLLOWS}"),
            asked(table, Seat.BLACK, kind, "White's flag-fall has been called (6.8)"),
        )


@pytest.mark.law("L064", "L234")
@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (cmd.ClaimTime(), "time_claimed", "White claims a win on time (6.8): Black's"),
        (cmd.CallFlag(seat=Seat.BLACK), "flag_called", "Black's flag-fall has been called (6.8): Black's"),
        (cmd.CallFlag(seat=Seat.BLACK, both=True), "flags_called", "the fall of both flags has been called: White's"),
    ],
)
def test_where_no_flag_has_fallen_on_this_clock_nothing_more_is_asked(body: Any, kind: str, said: str) -> None:
    table = moved()
    events = table.done("white" if kind == "time_claimed" else "arbiter", body)
    assert events[2:] == (told(table.now, kind, 2, f"{said} flag has not fallen on this clock"),)


@pytest.mark.law("L065", "L154")
@pytest.mark.parametrize(
    ("verdict", "found"),
    [
        ("yes", "lost by White, 0-1 (6.9)"),
        ("no", "drawn, 1/2-1/2 (6.9): Black cannot mate: so it was found"),
        ("unknown", "can Black still mate? The arbiter decides (6.9): so it was found"),
    ],
)
def test_what_6_9_makes_of_a_claim_is_told_with_its_words(verdict: Verdict, found: str) -> None:
    table = fallen()
    table.done("black", cmd.ClaimTime())
    assert answer(table, verdict) == (told(table.now, "time_claimed", 2, f"{CLAIMED}: {found}"),)
    assert not table.state.over


@pytest.mark.law("L065", "L154")
@pytest.mark.parametrize(
    ("meanwhile", "found"),
    [
        (
            cmd.Mend(ply=2, uci="e7e6"),
            "can Black still mate? The arbiter decides (6.9): the server's game has been corrected since",
        ),
        (cmd.MarkOutOfStep(), "the server does not know the position: can Black still mate (6.9)?"),
        (cmd.RuleResult(result="0-1", reason="flag", article="6.9"), None),
    ],
)
def test_the_answer_counts_for_the_position_that_was_asked_about(meanwhile: Any, found: str | None) -> None:
    table = fallen()
    table.done("black", cmd.ClaimTime())
    table.done("arbiter", meanwhile)
    told_of = () if found is None else (told(table.now, "time_claimed", 2, f"{CLAIMED}: {found}"),)
    assert answer(table, "yes") == told_of, "once the arbiter has decided, nothing is left to tell"


@pytest.mark.law("L065")
def test_where_the_thread_was_lost_before_the_claim_no_position_is_named() -> None:
    table = fallen()
    table.done("arbiter", cmd.MarkOutOfStep())
    assert only(table.done("black", cmd.ClaimTime()), ev.MateAsked) == [
        asked(table, Seat.BLACK, "time_claimed", CLAIMED)
    ]
    unknown = "the server does not know the position: can Black still mate (6.9)?"
    assert answer(table, "yes") == (told(table.now, "time_claimed", 2, f"{CLAIMED}: {unknown}"),)


@pytest.mark.law("L064", "L154")
def test_where_another_clock_leads_every_claim_is_asked_about_and_the_arbiter_looks_at_it() -> None:
    table = moved(master=ClockMaster.MANUAL)
    at, claimed = table.now, "White claims a win on time (6.8)"
    assert table.done("white", cmd.ClaimTime())[2:] == (
        told(at, "time_claimed", 2, f"{claimed}: {FOLLOWS}"),
        asked(table, Seat.WHITE, "time_claimed", claimed),
    )
    found = "look at the clock that counts; lost by Black, 1-0 (6.9)"
    assert answer(table, "yes") == (told(at, "time_claimed", 2, f"{claimed}: {found}"),)


@pytest.mark.law("L064")
@pytest.mark.parametrize(("waited", "early"), [(61_000, ""), (55_000, "; no flag had fallen when this was said")])
def test_a_doubtful_claim_is_judged_by_the_flag_at_its_sound(waited: int, early: str) -> None:
    table = moved()
    table.wait(waited)
    table.own(cmd.NoteInstant())
    said_at = table.now
    table.done("black", cmd.Propose(what="claim_time", sure=False, at_ms=said_at))
    table.wait(6_000)
    table.own(cmd.NoteInstant())
    at = table.now
    assert of_flags(table.done("black", cmd.Confirm(yes=True))) == (
        ev.ProposalSettled(at=at, seat=Seat.BLACK, what="claim_time", outcome="confirmed"),
        ev.TimeClaimed(at=said_at, seat=Seat.BLACK),
        stopped(at, Role.PLAYER, Seat.BLACK, "claim"),
        told(at, "time_claimed", 2, f"{CLAIMED}{early}: {FOLLOWS}"),
        asked(table, Seat.BLACK, "time_claimed", f"{CLAIMED}{early}"),
    )


@pytest.mark.law("L064")
def test_a_claim_said_and_confirmed_with_no_flag_down_is_only_that() -> None:
    table = moved()
    table.done("black", cmd.Propose(what="claim_time", sure=False))
    events = table.done("black", cmd.Confirm(yes=True))
    assert events[-1] == told(table.now, "time_claimed", 2, f"{CLAIMED}: White's flag has not fallen on this clock")


@pytest.mark.law("L065", "L234")
@pytest.mark.parametrize("first", list(Seat))
@pytest.mark.parametrize(
    ("station", "body"),
    [
        ("white", cmd.ClaimTime()),
        ("black", cmd.ClaimTime()),
        ("arbiter", cmd.CallFlag(seat=Seat.WHITE)),
        ("arbiter", cmd.CallFlag(seat=Seat.BLACK)),
        ("arbiter", cmd.CallFlag(seat=Seat.BLACK, both=True)),
    ],
    ids=["white claims", "black claims", "white's is called", "black's is called", "both are called"],
)
def test_of_two_flags_on_this_clock_the_first_loses_no_matter_who_claims(
    first: Seat, station: str, body: cmd.AnyAct
) -> None:
    """6.9 asks who did not complete the moves in time: who claims although their own flag fell first wins nothing."""
    table = both_fallen(first)
    ply = table.state.made_plies
    events = table.done(station, body)
    (question,) = only(events, ev.MateAsked)
    assert (question.seat, question.ply) == (first.other, ply)
    lost = "0-1" if first is Seat.WHITE else "1-0"
    found = (
        f"both flags have fallen, first {first.value.capitalize()}'s (6.9); "
        f"lost by {first.value.capitalize()}, {lost} (6.9)"
    )
    (alert,) = only(answer(table, "yes"), ev.Alerted)
    assert alert == told(table.now, question.why, ply, f"{question.note}: {found}")


@pytest.mark.law("L154")
@pytest.mark.parametrize(
    ("edition", "left"), [("fide2023", False), ("fide2018", False), ("fide2018", True), ("short", False)]
)
def test_where_the_event_asks_for_it_a_claimant_needs_time_left(edition: str, left: bool) -> None:
    overrides = (("rapid_time_claim_needs_time_left", True),) if left else ()
    table = both_fallen(rule_set=edition, regulations=EventOptions(overrides=overrides))
    table.done("black", cmd.ClaimTime())
    (alert,) = only(answer(table, "yes"), ev.Alerted)
    parts = ["both flags have fallen, first White's (6.9)", *["the claimant has no time left"] * left]
    parts.append("lost by White, 0-1 (6.9)")
    assert alert.detail == f"{CLAIMED}: {'; '.join(parts)}"


@pytest.mark.law("L237", "L238")
def test_a_postponed_claim_of_quickplay_is_ruled_on_before_the_flag() -> None:
    table = CoreTable(control="1800", regulations=QUICK, mates=False)
    table.wait(1_700_000)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="no_effort"))
    table.done("arbiter", cmd.RuleClaim(ruling="postponed", bonus=False))
    table.done("arbiter", cmd.Resume())
    table.wait(100_000)
    table.own(cmd.NoteInstant())
    table.done("black", cmd.ClaimTime())
    (alert,) = only(answer(table, "yes"), ev.Alerted)
    first = "first rule on White's claim under III.5; it survives the flag-fall (III.5.2)"
    assert alert.detail == f"{CLAIMED}: {first}; lost by White, 0-1 (6.9)"
    table.done("arbiter", cmd.RuleClaim(ruling="correct"))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L237", "L238")
@pytest.mark.parametrize("ruling", ["wrong", "postponed"])
def test_a_postponed_claim_stays_whatever_is_ruled_of_the_other_players(ruling: Any) -> None:
    """Each is ruled on in its turn, the open one first, then the oldest that was postponed (III.5.2)."""
    table = CoreTable(control="3600", regulations=QUICK, mates=False)
    play(table, "e4 e5")
    table.done("arbiter", cmd.SetClock(white_ms=100_000, black_ms=90_000, turn=Seat.WHITE, reason="x"))
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    table.done("arbiter", cmd.RuleClaim(ruling="postponed", bonus=False))
    table.done("arbiter", cmd.Resume())
    play(table, "Nf3")
    table.done("black", cmd.ClaimDraw(kind="quickplay", ground="no_effort"))
    table.done("arbiter", cmd.RuleClaim(ruling=ruling, bonus=False))
    both = [Seat.WHITE, *([Seat.BLACK] if ruling == "postponed" else [])]
    assert [one.seat for one in table.state.draws.postponed] == both
    table.done("arbiter", cmd.Resume())
    table.wait(500_000)
    table.own(cmd.NoteInstant())
    table.done("white", cmd.ClaimTime())
    (alert,) = only(answer(table, "yes"), ev.Alerted)
    for seat in ("White", "Black")[: len(both)]:
        assert f"first rule on {seat}'s claim under III.5" in alert.detail
    for seat in both:
        (found,) = only(table.done("arbiter", cmd.RuleClaim(ruling="wrong")), ev.ClaimRuled)
        assert found.seat is seat
    assert table.do("arbiter", cmd.RuleClaim(ruling="wrong")) == Refusal("no_claim", "9.5")


@pytest.mark.law("L065", "L103")
def test_a_request_or_a_claim_by_the_score_does_not_survive_a_flag_by_itself() -> None:
    table = moved(master=ClockMaster.MANUAL)
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    (alert,) = only(answer(table, "yes"), ev.Alerted)
    said = "White's flag-fall has been called (6.8)"
    assert alert.detail == f"{said}: look at the clock that counts; lost by White, 0-1 (6.9)"


@pytest.mark.law("L237", "L238")
def test_an_open_claim_of_quickplay_is_ruled_on_before_the_flag_that_the_arbiter_calls() -> None:
    table = CoreTable(control="1800", regulations=QUICK, mates=False, master=ClockMaster.MANUAL)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="no_effort"))
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    (alert,) = only(answer(table, "yes"), ev.Alerted)
    first = (
        "look at the clock that counts; first rule on White's claim under III.5; it survives the flag-fall (III.5.2)"
    )
    assert alert.detail == f"White's flag-fall has been called (6.8): {first}; lost by White, 0-1 (6.9)"


@pytest.mark.law("L044")
@pytest.mark.parametrize("seat", list(Seat))
def test_a_resignation_stops_the_clocks_and_asks_of_the_opponent(seat: Seat) -> None:
    table = moved()
    at = table.now
    assert table.done(seat.value, cmd.Resign()) == (
        ev.Resigned(at=at, seat=seat),
        stopped(at, Role.PLAYER, seat, "resigned"),
        asked(table, seat.other, "resigned"),
    )
    result = "0-1" if seat is Seat.WHITE else "1-0"
    assert answer(table, "yes") == (ev.GameEnded(at=at, result=result, reason="resigned", article="5.1.2"),)


@pytest.mark.law("L044")
@pytest.mark.parametrize(
    ("edition", "verdict", "drawn"), [("fide2023", "no", True), ("fide2023", "unknown", False), ("short", "no", False)]
)
def test_where_the_opponent_is_not_shown_to_mate_the_edition_or_the_arbiter_decides(
    edition: str, verdict: Verdict, drawn: bool
) -> None:
    table = moved(rule_set=edition)
    table.done("white", cmd.Resign())
    at = table.now
    open_ = f"White resigns; can Black still mate? The arbiter decides (5.1.2): {verdict}, so it was found"
    assert answer(table, verdict) == (
        ev.GameEnded(at=at, result="1/2-1/2", reason="resigned_no_mate", article="5.1.2")
        if drawn
        else told(at, "resigned", 2, open_),
    )


@pytest.mark.law("L044", "L046")
@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("no", "no", "void: neither side can mate by any series of legal moves (5.2.2) since move 1 (Black): 1/2-1/2"),
        ("unknown", "no", "was it a dead position? The arbiter decides (5.2.2)"),
        ("no", "unknown", "was it a dead position? The arbiter decides (5.2.2)"),
        ("unknown", "unknown", "was it a dead position? The arbiter decides (5.2.2)"),
        ("no", "yes", None),
        ("unknown", "yes", None),
    ],
)
def test_in_2018_both_are_asked_about_one_after_the_other(first: Verdict, second: Verdict, found: str | None) -> None:
    table = moved(rule_set="fide2018")
    table.done("white", cmd.Resign())
    at = table.now
    assert answer(table, first) == (asked(table, Seat.WHITE, "resigned", first, number=2),) and not table.state.over
    assert answer(table, second, number=2) == (
        ev.GameEnded(at=at, result="0-1", reason="resigned", article="5.1.2")
        if found is None
        else told(at, "resigned", 2, f"White resigns; {found}"),
    )


@pytest.mark.law("L044", "L109")
@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("repetition", "first rule on Black's claim; it was made earlier (9.5.2)"),
        ("increment", None),  # a request draws nothing
    ],
)
@pytest.mark.parametrize("edition", ["fide2023", "fide2018"])
def test_what_was_claimed_before_the_resignation_is_ruled_on_first(kind: Any, first: str | None, edition: str) -> None:
    table = CoreTable(control="1800", regulations=QUICK, mates=False, master=ClockMaster.MANUAL, rule_set=edition)
    table.done("black", cmd.ClaimDraw(kind=kind))
    table.done("white", cmd.Resign())
    at = table.now
    assert answer(table, "yes") == (
        ev.GameEnded(at=at, result="0-1", reason="resigned", article="5.1.2")
        if first is None
        else told(at, "resigned", 0, f"White resigns; {first}"),
    )


@pytest.mark.law("L044", "L065")
@pytest.mark.parametrize(("resigns", "first"), [(Seat.WHITE, False), (Seat.BLACK, True)])
def test_a_flag_claimed_before_the_resignation_is_ruled_on_first_unless_it_is_the_resigners_own(
    resigns: Seat, first: bool
) -> None:
    table = fallen()
    table.done("black", cmd.ClaimTime())
    table.done(resigns.value, cmd.Resign())
    at = table.now
    detail = "Black resigns; first rule on White's flag-fall; it was claimed or called earlier (6.8, 6.9)"
    assert answer(table, "yes", number=2) == (
        told(at, "resigned", 2, detail)
        if first
        else ev.GameEnded(at=at, result="0-1", reason="resigned", article="5.1.2"),
    )


@pytest.mark.law("L069")
@pytest.mark.parametrize(
    ("body", "kind", "reason", "grey"),
    [
        (cmd.CallArbiter(reason="noise"), "called", "noise", False),
        (cmd.CallArbiter(reason="noise", stop=False), "called", "noise", True),
        (cmd.CallArbiter(), "called", "", False),
        (cmd.CallArbiter(medical=True), "medical_call", "medical", False),
        (cmd.CallArbiter(medical=True, stop=False), "medical_call", "medical", False),
        (cmd.CallArbiter(medical=True, reason="insulin"), "medical_call", "insulin", False),
    ],
)
def test_a_call_for_the_arbiter_with_its_reason(body: cmd.CallArbiter, kind: str, reason: str, grey: bool) -> None:
    table = moved()
    at = table.now
    details = {
        "called": "White calls the arbiter (6.11.2)",
        "medical_call": "White needs medical attention: you may give a medical pause (12.2.6)",
    }
    stop = (stopped(at, Role.PLAYER, Seat.WHITE, reason),) if body.stop else ()
    assert table.done("white", body) == (
        ev.ArbiterCalled(at=at, seat=Seat.WHITE, reason=reason),
        *stop,
        ev.Alerted(at=at, kind=kind, ply=2, grey=grey, detail=details[kind]),
    )


@pytest.mark.law("L099")
def test_a_result_that_is_approved_otherwise_than_it_is_on_record() -> None:
    table = moved()
    assert table.do("white", cmd.ApproveResult(result="1-0")) == Refusal("not_over", "8.7")
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    at = table.now
    assert table.done("white", cmd.ApproveResult(result="1-0")) == (
        ev.ResultApproved(at=at, seat=Seat.WHITE, result="1-0"),
    )
    assert table.done("black", cmd.ApproveResult(result="0-1")) == (
        ev.ResultApproved(at=at, seat=Seat.BLACK, result="0-1"),
        told(at, "result_differs", 2, "Black approves 0-1, but 1-0 is on record (8.7)"),
    )
    table.done("black", cmd.ApproveResult(result="1-0"))
    assert table.state.ending.approvals == ((Seat.WHITE, "1-0"), (Seat.BLACK, "1-0")), "of each the newest"


@pytest.mark.law("L044", "L061")
def test_before_the_start_the_arbiter_is_called_and_nothing_else_is_ended() -> None:
    table = CoreTable(started=False)
    assert table.do("white", cmd.Resign()) == Refusal("not_started", "6.6")
    assert only(table.done("white", cmd.CallArbiter(stop=False)), ev.ArbiterCalled)


@pytest.mark.law("L234")
@pytest.mark.parametrize(
    ("control", "master", "periods", "found"),
    [
        ("1800", ClockMaster.MANUAL, None, "the first is not known, last period: drawn, 1/2-1/2 (III.3.1)"),
        ("40/7200:1800", ClockMaster.MANUAL, None,
            "the first is not known: drawn in the last period, otherwise the game continues (III.3.1)"),
        ("40/7200:1800", ClockMaster.SERVER, (0, 0), NOT_LAST),
        ("40/7200:1800", ClockMaster.SERVER, (1, 0), NOT_LAST),
        ("40/7200:1800", ClockMaster.SERVER, (0, 1), NOT_LAST),
        ("40/7200:1800", ClockMaster.SERVER, (1, 1), "the first is not known, last period: drawn, 1/2-1/2 (III.3.1)"),
    ],
)  # fmt: skip
def test_two_flags_of_which_nobody_knows_the_order(
    control: str, master: ClockMaster, periods: tuple[int, int] | None, found: str
) -> None:
    table = CoreTable(control=control, master=master, regulations=QUICK, white=SeatKind.SIGHTED)
    if periods is not None:
        table.done("arbiter", cmd.SetClock(white_ms=0, black_ms=0, turn=Seat.WHITE, reason="seen", periods=periods))
    events = table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    assert of_flags(events)[-1] == told(
        table.now, "flags_called", 0, f"the fall of both flags has been called: both flags have fallen, {found}"
    )
    assert not only(events, ev.MateAsked)


@pytest.mark.law("L064", "L234")
@pytest.mark.parametrize("white_ms", [0, 60_000])
def test_a_flag_that_the_arbiter_set_by_hand_is_the_one_that_is_called(white_ms: int) -> None:
    """Nobody knows when it fell, and the player who is called loses where the other clock shows time."""
    table = moved(control="1800")
    black_ms = 60_000 - white_ms
    table.done("arbiter", cmd.SetClock(white_ms=white_ms, black_ms=black_ms, turn=Seat.WHITE, reason="seen"))
    loser = Seat.WHITE if white_ms == 0 else Seat.BLACK
    (question,) = only(table.done("arbiter", cmd.CallFlag(seat=loser)), ev.MateAsked)
    assert question == asked(
        table, loser.other, "flag_called", f"{loser.value.capitalize()}'s flag-fall has been called (6.8)"
    )


@pytest.mark.law("L043", "L189")
@pytest.mark.parametrize(("called", "told_of"), [(Seat.WHITE, True), (Seat.BLACK, False)])
def test_a_mate_announced_and_not_pressed_is_named_with_its_own_players_flag(called: Seat, told_of: bool) -> None:
    table = CoreTable(fen="3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1", mates=False, master=ClockMaster.MANUAL)
    table.say("white", "Rb8", act="announce")
    alerts = only(table.done("arbiter", cmd.CallFlag(seat=called)), ev.Alerted)
    question = "was the announced move made before the flag-fall (D.2.3, 6.8)?"
    mate = f"{question} checkmate on the server's board (5.1.1) since move 1 (White): 1-0"
    before = ev.Alerted(at=table.now, kind="ended_before", ply=1, grey=True, detail=mate)
    assert [one for one in alerts if one.kind == "ended_before"] == ([before] if told_of else [])


@pytest.mark.law("L044")
def test_where_the_game_was_mended_since_the_resignation_is_the_arbiters() -> None:
    table = moved()
    table.done("white", cmd.Resign())
    table.done("arbiter", cmd.Mend(ply=2, uci="e7e6"))
    why = "unknown, the server's game has been corrected since"
    detail = f"White resigns; can Black still mate? The arbiter decides (5.1.2): {why}"
    assert answer(table, "yes") == (told(table.now, "resigned", 2, detail),)


@pytest.mark.law("L084")
@pytest.mark.parametrize(("verdict", "result"), [("yes", "0-1"), ("no", "1/2-1/2"), ("unknown", "0-1")])
def test_the_illegal_move_that_loses_is_told_with_what_the_opponent_can_still_do(verdict: Verdict, result: str) -> None:
    table = CoreTable(mates=False)
    for _ in range(2):
        play(table, "Ke5")
        table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal"))
        if not table.state.ending.mate_questions:
            table.done("arbiter", cmd.RestoreTo(ply=0))
            table.done("arbiter", cmd.Resume())
            table.done("arbiter", cmd.Resume())
    (question,) = table.state.ending.mate_questions
    (alert,) = answer(table, verdict)
    detail = f"White loses because of an irregularity in move 1 (White): can Black mate? {verdict}: {result} (7.5.5)"
    assert alert == told(table.now, "loses", 1, detail) and (question.seat, question.why) == (Seat.BLACK, "illegal")
