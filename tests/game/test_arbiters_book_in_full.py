"""The arbiter's book and what is noted of conduct, event by event: values, articles, refusals (8.4, 11, 12, A.4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.conduct import PENALTIES
from server.game.decide.scores import exempt_now
from server.game.decide.set_up.stations import device_approved, refused_device
from server.game.decide.time.clock import settings_refusal
from server.game.laws.event_options import EventOptions, Points, Supervision
from server.game.values.words import ClockMaster, Role, Seat, SeatKind
from tests.game.core_table import CoreTable, altered, only, play

W, B = Seat.WHITE, Seat.BLACK
T = 1_000
MINUTE = 60_000
BASIC = EventOptions(supervision=Supervision.BASIC)


def alert(kind: str, detail: str, ply: int = 0, at: int = T) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=False, detail=detail)


# Penalties


@pytest.mark.law("L129", "L144")
@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("number", range(1, 10))
def test_each_penalty_brings_about_this_and_no_more(number: int, seat: Seat) -> None:
    table = CoreTable()
    penalty: Any = PENALTIES[number - 1]
    amount = {2: MINUTE, 3: MINUTE, 4: 1, 5: 1}.get(number, 0)
    article = f"12.9.{number}"
    events = table.done("arbiter", cmd.Penalise(seat=seat, penalty=penalty, amount=amount, reason="noise"))
    noted = ev.Penalised(at=T, seat=seat, penalty=penalty, article=article, amount=amount, reason="noise")
    more: dict[int, ev.AnyEvent] = {
        2: ev.TimeAdded(at=T, seat=seat.other, ms=MINUTE, reason="noise", article=article),
        3: ev.TimeAdded(at=T, seat=seat, ms=-MINUTE, reason="noise", article=article),
        6: ev.GameEnded(at=T, result="0-1" if seat is W else "1-0", reason="penalty", article=article),
    }
    assert events == ((noted, more[number]) if number in more else (noted,))


@pytest.mark.law("L144")
@pytest.mark.parametrize(
    ("points", "penalty", "amount", "code"),
    [
        (Points.ONE, "more_time_for_opponent", 0, "amount_needed"),
        (Points.ONE, "less_time_for_offender", 0, "amount_needed"),
        (Points.ONE, "more_points_for_opponent", 0, "amount_needed"),
        (Points.ONE, "fewer_points_for_offender", 0, "amount_needed"),
        (Points.ONE, "more_time_for_opponent", 1, None),
        (Points.ONE, "more_points_for_opponent", 2, None),
        (Points.ONE, "more_points_for_opponent", 3, "too_many_points"),
        (Points.THREE, "more_points_for_opponent", 6, None),
        (Points.THREE, "more_points_for_opponent", 7, "too_many_points"),
        (Points.ONE, "fewer_points_for_offender", 7, None),
        (Points.ONE, "fine", 0, None),
        (Points.ONE, "warning", 0, None),
    ],
)
def test_a_penalty_of_time_or_points_has_an_amount_and_gives_no_more_than_a_game_can(
    points: Points, penalty: Any, amount: int, code: str | None
) -> None:
    table = CoreTable(regulations=EventOptions(points=points))
    found = table.do("arbiter", cmd.Penalise(seat=W, penalty=penalty, amount=amount))
    article = f"12.9.{PENALTIES.index(penalty) + 1}"
    assert (found if isinstance(found, Refusal) else None) == (None if code is None else Refusal(code, article))


@pytest.mark.law("L144")
def test_nobody_loses_a_game_that_is_over_by_penalty_but_the_other_penalties_are_noted() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="resigned"))
    assert table.do("arbiter", cmd.Penalise(seat=W, penalty="loss")) == Refusal("game_over", "12.9.6")
    warned = ev.Penalised(at=T, seat=W, penalty="warning", article="12.9.1", amount=0, reason="")
    assert table.done("arbiter", cmd.Penalise(seat=W, penalty="warning")) == (warned,)


# Leaving, devices, the law


@pytest.mark.law("L119", "L120")
@pytest.mark.parametrize("granted", [True, False])
@pytest.mark.parametrize(
    ("report", "seat", "place", "person", "article"),
    [
        (False, B, "venue", "", "11.2.3"),
        (True, B, "venue", "", "11.2.3"),
        (False, W, "area", "", "11.2.3"),  # White has the move
        (True, W, "area", "", "11.2.3"),
        (False, B, "area", "guide", "11.2.3"),
        (True, B, "area", "", "11.2.4"),
        (False, B, "area", "", ""),
    ],
)
def test_a_leave_has_the_article_that_asks_for_it(
    report: bool, seat: Seat, place: Any, person: str, article: str, granted: bool
) -> None:
    table = CoreTable(regulations=EventOptions(report_when_leaving=report))
    body = cmd.PermitLeaving(seat=seat, granted=granted, reason="air", place=place, person=person)
    assert table.done("arbiter", body) == (
        ev.LeaveRuled(
            at=T, seat=seat, granted=granted, reason="air", place=place, person=person, article=article
        ),
    )  # fmt: skip


@pytest.mark.law("L119", "L120")
@pytest.mark.parametrize("report", [True, False])
@pytest.mark.parametrize("seat", list(Seat))
def test_who_leaves_the_playing_area_reports_it_and_the_arbiter_hears_of_it_once(report: bool, seat: Seat) -> None:
    table = CoreTable(regulations=EventOptions(report_when_leaving=report))
    play(table, "e4")
    required = report and seat is W  # Black has the move
    why = "11.2.4" if seat is W else "this player has the move: only with your permission (11.2.3)"
    assert table.done(seat.value, cmd.ReportLeaving()) == (
        ev.LeavingReported(at=T, seat=seat, back=False, required=required),
        alert("leaving", f"{seat.value.capitalize()} leaves the playing area: {why}", 1),
    )
    assert table.done(seat.value, cmd.ReportLeaving(back=True)) == (
        ev.LeavingReported(at=T, seat=seat, back=True, required=required),
    )


@pytest.mark.law("L123")
@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize(
    ("penalty", "named"),
    [
        ("loss", "loss of the game"),
        ("warning", "warning"),
        ("more_time_for_opponent", "more time for the opponent"),
        ("less_time_for_offender", "less time for the offender"),
        ("fine", "fine"),
    ],
)
def test_a_device_that_is_found_is_on_the_approved_list_or_a_penalty_is_open(
    seat: Seat, penalty: Any, named: str
) -> None:
    table = CoreTable(regulations=EventOptions(device_penalty=penalty))
    play(table, "e4")
    for approved in (False, True):
        table.done("arbiter", cmd.RegisterDevice(device="headset", approved=approved))
    table.done("arbiter", cmd.RegisterDevice(device="telephone", approved=False))
    for device, approved, listed in (
        ("headset", True, "is on the approved list"),
        ("telephone", False, f"is not approved; the penalty open to you: {named}"),
        ("watch", False, f"is not approved; the penalty open to you: {named}"),
    ):
        assert table.done("arbiter", cmd.NoteDeviceFound(seat=seat, device=device, note="rang")) == (
            ev.DeviceFound(
                at=T, seat=seat, device=device, approved=approved, proposed="" if approved else penalty, note="rang"
            ),
            alert("device_found", f"{device}, found on {seat.value.capitalize()}, {listed} (11.3.2.2)", 1),
        )
    states = [(device_approved(table.state, name), refused_device(table.state, name)) for name in
              ("headset", "telephone", "watch")]  # fmt: skip
    assert states == [(True, False), (False, True), (False, False)], "the last word on each counts"


@pytest.mark.law("L071")
@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("valid", [True, False])
def test_a_ruling_on_who_stopped_the_clock(seat: Seat, valid: bool) -> None:
    table = CoreTable()
    play(table, "e4")
    assert table.do("arbiter", cmd.RuleStop(valid=valid)) == Refusal("nobody_stopped", "6.11.4")
    table.done(seat.value, cmd.CallArbiter(reason="tired"))
    ruled = ev.StopRuled(at=T, seat=seat, valid=valid, reason="why", article="" if valid else "6.11.4")
    detail = (
        f"{seat.value.capitalize()} had no valid reason for stopping the clock: "
        "a penalty under 12.9 is open to you (6.11.4)"
    )
    told = () if valid else (alert("stop_not_valid", detail, 1),)
    assert table.done("arbiter", cmd.RuleStop(valid=valid, reason="why")) == (ruled, *told)


@pytest.mark.law("L125")
@pytest.mark.parametrize("seat", list(Seat))
def test_a_player_asks_to_have_an_article_explained_and_it_is_read_where_the_arbiter_releases_it(seat: Seat) -> None:
    table = CoreTable()
    play(table, "e4")
    assert table.done(seat.value, cmd.AskLaw(article="9.1")) == (
        ev.LawAsked(at=T, seat=seat, article="9.1"),
        alert("law_asked", f"{seat.value.capitalize()} asks you to explain article 9.1 (11.9)", 1),
    )
    released = ev.LawReleased(at=T, seat=seat, article="9.1")
    assert table.done("arbiter", cmd.ReleaseLaw(seat=seat, article="9.1")) == (released,)


@pytest.mark.law("L148", "L159")
@pytest.mark.parametrize(
    ("control", "supervision", "games", "recorded", "possible", "article", "told"),
    [
        ("900+10", "full", 3, True, True, "A.4", False),
        ("900+10", "full", 4, True, False, "A.4", True),
        ("900+10", "full", 3, False, False, "A.4", True),
        ("900+10", "basic", 4, True, False, "A.4", False),
        ("180+2", "full", 1, True, True, "B.2", False),
        ("180+2", "full", 2, True, False, "B.2", True),
        ("5400+30", "full", 40, False, True, "", False),
    ],
)
def test_whether_the_games_can_be_supervised_in_full(
    control: str, supervision: str, games: int, recorded: bool, possible: bool, article: str, told: bool
) -> None:
    table = CoreTable(control=control, regulations=EventOptions(supervision=Supervision(supervision)))
    play(table, "e4")
    noted = ev.SupervisionNoted(at=T, games=games, recorded=recorded, possible=possible, article=article)
    what = f"full supervision is not possible ({article}; games: {games}), but the event has prescribed it"
    assert table.done("arbiter", cmd.NoteSupervision(games=games, recorded=recorded)) == (
        (noted, alert("supervision", what, 1)) if told else (noted,)
    )


# Another clock


@pytest.mark.law("L193", "L198")
@pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
@pytest.mark.parametrize(
    ("what", "manual", "livechess"),
    [
        ("nothing made", 0, 0),
        ("first", 1, 1),
        ("again at once", 1, 0),
        ("again at the end of the minute", 1, 0),
        ("again after a minute", 0, 0),
        ("more for White", 1, 0),
        ("more for Black", 1, 0),
        ("not completed", 0, 0),
        ("the next is announced", 0, 0),
    ],
)
def test_of_which_move_the_times_are_that_are_read_off(
    master: ClockMaster, what: str, manual: int, livechess: int
) -> None:
    table = CoreTable(master=master, white=SeatKind.SIGHTED)
    white_ms, black_ms = 50 * MINUTE, 40 * MINUTE
    if what == "not completed":
        table.enter("white", "e2e4", "e4")
    elif what != "nothing made":
        play(table, "e4")
    table.wait(10_000)
    if what.startswith(("again", "more")):
        table.done("arbiter", cmd.ReadClock(white_ms=white_ms, black_ms=black_ms))
    table.wait({"again at the end of the minute": MINUTE, "again after a minute": MINUTE + 1}.get(what, 0))
    if what.startswith("more"):
        table.wait(10 * MINUTE)
        white_ms, black_ms = white_ms + (what[-5:] == "White"), black_ms + (what[-5:] == "Black")
    if what == "the next is announced":
        table.say("black", "e5", act="announce")
    ply = manual if master is ClockMaster.MANUAL else livechess
    read = ev.ClockRead(at=table.now, white_ms=white_ms, black_ms=black_ms, ply=ply)
    assert table.done("arbiter", cmd.ReadClock(white_ms=white_ms, black_ms=black_ms)) == (read,)


def test_our_own_clock_is_not_read_off() -> None:
    assert CoreTable().do("arbiter", cmd.ReadClock(white_ms=1, black_ms=1)) == Refusal("our_clock_leads", "6.2.1")


# Recording, sheets, settings


def next_act(table: CoreTable) -> list[ev.RecordingExempted]:
    """No matter who does something next, the times are looked at first."""
    return only(table.done("arbiter", cmd.NoteIncident(kind="noise", text="x")), ev.RecordingExempted)


@pytest.mark.law("L094")
@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize(
    ("control", "ms", "exempt"),
    [
        ("600", 5 * MINUTE - 1, True),
        ("600", 5 * MINUTE, False),
        ("600+29", 5 * MINUTE - 1, True),
        ("600+30", 5 * MINUTE - 1, False),
    ],
)
def test_who_has_fewer_than_five_minutes_and_no_long_increment_need_not_record_and_is_told_so_once(
    control: str, ms: int, exempt: bool, seat: Seat
) -> None:
    table = CoreTable(control=control)
    body = cmd.SetClock(white_ms=ms if seat is W else 600_000, black_ms=ms if seat is B else 600_000, turn=seat)
    table.done("arbiter", body)
    assert next_act(table) == ([ev.RecordingExempted(at=T, seat=seat, period=0)] if exempt else [])
    assert exempt_now(table.state) == ((seat,) if exempt else ())
    assert next_act(table) == [], "once"


@pytest.mark.law("L094")
def test_an_exemption_ends_with_its_period_and_begins_anew_in_the_next() -> None:
    table = CoreTable(control="2/600:600")
    few = cmd.SetClock(white_ms=60_000, black_ms=600_000, turn=W, moves=(1, 1), periods=(0, 0))
    table.done("arbiter", few)
    assert next_act(table) == [ev.RecordingExempted(at=T, seat=W, period=0)] and exempt_now(table.state) == (W,)
    table.done("arbiter", replace(few, white_ms=600_000, periods=(1, 0), moves=(2, 1)))
    assert next_act(table) == [] and table.state.scores.exempt == (0, None) and exempt_now(table.state) == ()
    table.done("arbiter", replace(few, periods=(1, 0), moves=(2, 1)))
    assert next_act(table) == [ev.RecordingExempted(at=T, seat=W, period=1)] and exempt_now(table.state) == (W,)


@pytest.mark.law("L094")
@pytest.mark.parametrize(("started", "over"), [(False, False), (True, False), (True, True)])
def test_nobody_is_exempted_before_the_start_or_after_the_end(started: bool, over: bool) -> None:
    table = CoreTable(control="60", started=started)
    if over:
        table.state = altered(table.state, {"ending.result": "1-0"})
    both = [ev.RecordingExempted(at=T, seat=seat, period=0) for seat in Seat]
    assert next_act(table) == (both if started and not over else [])


@pytest.mark.law("L094", "L193")
def test_of_another_clock_only_what_was_read_off_last_exempts() -> None:
    table = CoreTable(control="60", master=ClockMaster.MANUAL)
    assert next_act(table) == [], "nobody has looked at it"
    read = table.done("arbiter", cmd.ReadClock(white_ms=500_000, black_ms=200_000))
    assert only(read, ev.RecordingExempted) == [ev.RecordingExempted(at=T, seat=B, period=0)]
    read = table.done("arbiter", cmd.ReadClock(white_ms=200_000, black_ms=200_000))
    assert only(read, ev.RecordingExempted) == [ev.RecordingExempted(at=T, seat=W, period=0)]


@pytest.mark.law("L149")
@pytest.mark.parametrize("seat", list(Seat))
def test_each_request_of_the_sheet_is_numbered_by_player_and_the_sixth_is_a_distraction(seat: Seat) -> None:
    table = CoreTable(control="900+10")
    table.state = altered(table.state, {"scores.sheet_requests": (2, 4)})
    if seat is B:
        play(table, "e4")
    ply = 0 if seat is W else 1
    assert table.do(seat.other.value, cmd.AskForSheet()) == Refusal("no_sheet_to_show", "A.4.3")
    for number in range(3 if seat is W else 5, 7):
        answer = "show" if number < 6 else "distraction"
        asked, told = table.done(seat.value, cmd.AskForSheet())
        assert asked == ev.SheetAsked(at=T, seat=seat, number=number, answer=answer, article="A.4.3")
        what = "show the scoresheet or read it out" if number < 6 else "more than five requests: a distraction (11.5)"
        assert told == alert(
            "sheet_asked", f"{seat.value.capitalize()} asks for the scoresheet, request {number}: {what} (A.4.3)", ply
        )


@pytest.mark.law("L151")
def test_the_moves_of_each_made_and_completed_and_when_the_settings_are_locked() -> None:
    table = CoreTable(control="900+10", regulations=BASIC, white=SeatKind.SIGHTED)
    assert table.state.moves.made_by_each == table.state.moves.completed_by_each == (0, 0)
    play(table, "Nf3 Nf6 Ng1 Ng8 " * 4 + "Nf3 Nf6 Ng1")
    assert table.state.moves.made_by_each == table.state.moves.completed_by_each == (10, 9)
    assert settings_refusal(table.state, "") is None
    table.enter("black", "f6g8", "Ng8")
    assert (table.state.moves.made_by_each, table.state.moves.completed_by_each) == ((10, 10), (10, 9))
    assert settings_refusal(table.state, "") is None
    table.press("black")
    refused = Refusal("settings_locked", "A.5.1.1")
    assert [settings_refusal(table.state, reason) for reason in ("", " ", "late")] == [refused, refused, None]
    unnumbered = altered(table.state, {"table.rules": CoreTable(rule_set="short").state.table.rules})
    assert settings_refusal(unnumbered, "") == refused, "an edition that has no number for it: the present one"
    full = altered(table.state, {"table.regulations": EventOptions()})
    assert settings_refusal(full, "") is None


def test_the_book_is_the_arbiters_alone() -> None:
    table = CoreTable()
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    for station in ("white", "display"):
        found = table.do(station, cmd.Penalise(seat=B, penalty="warning"))
        assert isinstance(found, Refusal)
