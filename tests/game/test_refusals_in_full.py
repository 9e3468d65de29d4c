"""What is refused, with its article: before the start, at the opening, by the wrong station; and nothing happens."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Command, Refusal
from server.game.decide.adaptations import adaptation_value, recorded_value
from server.game.decide.decide import decide
from server.game.decide.draft import Draft
from server.game.decide.roles import seat_spoken_for, why_refused
from server.game.decide.rule import decide_body
from server.game.laws.event_options import EventOptions, rules_of
from server.game.state.line import Resolution, resolve
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.time_control import ClockPeriod, TimeControl
from server.game.values.words import Boards, ClockMaster, Duty, Mode, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views.report import Dated, ReportLine, report_of
from tests.game.core_table import ADAPTATIONS, CHECKLIST, CoreTable, altered, edition, only, said

W, B = Seat.WHITE, Seat.BLACK
EMPTY = "8/8/8/8/8/8/8/8"
TOO_EARLY = [
    ("white", cmd.Say(announcement=said("e4"))),
    ("white", cmd.EnterMove(uci="e2e4", announcement=said("e4"))),
    ("white", cmd.ClaimDraw(kind="repetition")),
    ("white", cmd.AboutToCastle()),
    ("arbiter", cmd.Resume()),
    ("arbiter", cmd.CallFlag(seat=W)),
    ("arbiter", cmd.CallFlag(seat=W, both=True)),
    ("arbiter", cmd.ReportTouch(seat=W, square="e2", how="lifted")),
    ("arbiter", cmd.OrderSeal(key="key")),
    ("arbiter", cmd.OpenDesk()),
    ("arbiter", cmd.BeginReconstruction()),
]


@pytest.mark.law("L061")
@pytest.mark.parametrize(("station", "body"), TOO_EARLY, ids=[type(body).__name__ for _, body in TOO_EARLY])
def test_no_act_of_the_game_before_whites_clock_was_started(station: str, body: cmd.AnyAct) -> None:
    table = CoreTable(started=False, regulations=EventOptions(guidelines=("I",)))
    before = table.state
    assert table.do(station, body) == Refusal("not_started", "6.6") and table.state == before
    table.done("arbiter", cmd.StartGame())
    assert table.do(station, body) != Refusal("not_started", "6.6")
    assert table.do("arbiter", cmd.StartGame()) == Refusal("already_started", "6.6")


NOTHING_TO_ACT_ON: list[tuple[cmd.AnyAct, Refusal]] = [
    (cmd.PrepareResumption(), Refusal("not_adjourned", "I")),
    (cmd.MarkPresent(seat=W), Refusal("not_adjourned", "I")),
    (cmd.StartResumption(), Refusal("not_adjourned", "I")),
    (cmd.AnnulGame(reason="x"), Refusal("not_adjourned", "I")),
    (cmd.ReconstructMove(uci="e2e4"), Refusal("not_reconstructing", "8.5.3")),
    (cmd.UndoReconstruction(), Refusal("not_reconstructing", "8.5.3")),
    (cmd.EndReconstruction(completed_plies=0), Refusal("not_reconstructing", "8.5.3")),
    (cmd.ConfirmBoard(board=W), Refusal("no_desk", "D.2.9")),
    (cmd.CloseDesk(), Refusal("no_desk", "D.2.9")),
    (cmd.ScheduleStart(in_ms=1_000), Refusal("already_started", "6.6")),
    (cmd.RuleIrregularity(ply=1, seat=W, kind="illegal"), Refusal("no_such_ply", "7.5.1")),
    (cmd.RestoreTo(ply=1), Refusal("no_such_ply", "7.1")),
    (cmd.ApproveClock(approved=True), Refusal("nothing_proposed", "6.3.1")),
    (cmd.DelayDisplay(delay_s=1, station="nowhere"), Refusal("not_admitted", "11.3.2")),
    (cmd.SettleGuidelines(adjournments=True, quickplay=True), Refusal("guidelines_before_start", "III.2.1")),
    (cmd.TickChecklist(item="no_such", ok=True), Refusal("no_such_check", "12.2")),
    (cmd.RuleClaim(ruling="wrong"), Refusal("no_claim", "9.5")),
]


@pytest.mark.parametrize(
    ("body", "refusal"), NOTHING_TO_ACT_ON, ids=[type(row[0]).__name__ for row in NOTHING_TO_ACT_ON]
)
def test_an_act_of_the_arbiter_that_finds_nothing_to_act_on_says_what_is_missing(
    body: cmd.AnyAct, refusal: Refusal
) -> None:
    table = CoreTable()
    before = table.state
    assert table.do("arbiter", body) == refusal and table.state == before


@pytest.mark.law("L076", "L074", "L064")
def test_what_the_arbiter_rules_at_the_first_move() -> None:
    start = Position.from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").placement
    paused = ev.ClockPaused(at=1_000, by=Role.ARBITER, seat=None, reason="flag")
    for both, kind, detail in (
        (False, "flag_called", "Black's flag-fall has been called (6.8): Black's flag has not fallen on this clock"),
        (True, "flags_called", "the fall of both flags has been called: White's flag has not fallen on this clock"),
    ):
        alert = ev.Alerted(at=1_000, kind=kind, ply=0, grey=False, detail=detail)
        called = CoreTable().done("arbiter", cmd.CallFlag(seat=B, both=both))
        assert list(called) == [ev.FlagCalled(at=1_000, seat=B, both=both), paused, alert]
    restored = CoreTable().done("arbiter", cmd.RestoreTo(ply=0, reason="chairs"))
    assert [(one.ply, one.reason) for one in only(restored, ev.Restored)] == [(0, "chairs")]
    boards = [(one.board, one.placement, one.through) for one in only(restored, ev.BoardSet)]
    assert boards == [(W, start, 0), (B, start, 0)]
    (ruled,) = CoreTable().done("arbiter", cmd.RuleSetUp(what="position"))
    assert ruled == ev.SetUpRuled(at=1_000, what="position", says="new_game", article="7.2.1")
    (resumed,) = CoreTable().done("arbiter", cmd.Resume())
    assert resumed == ev.ClockResumed(at=1_000)
    cancelled = CoreTable().done("arbiter", cmd.CancelGame(reason="wrong men", table="next"))
    assert list(cancelled) == [
        ev.GameEnded(at=1_000, result="*", reason="cancelled", article="7.2.1"),
        ev.NextGameOrdered(at=1_000, table="next", exchanged=False, reason="wrong men"),
    ]


def test_a_command_without_a_rule_is_refused() -> None:
    draft = Draft(CoreTable().state, 1_000)
    command = Command(id="0" * 32, table="t", station=PROGRAM, body=cmd.OpenNext(events=()))
    assert decide_body(draft, command, W, None) == Refusal("unknown_command", "12.3") and draft.events == []


def test_nothing_is_done_at_a_table_that_is_not_open_or_by_a_device_that_is_not_admitted() -> None:
    for body in (cmd.NoteInstant(), cmd.Admit(station="x", role=Role.DISPLAY)):
        command = Command(id="0" * 32, table="t", station=PROGRAM, body=body)
        assert decide(GameState(), command, 0) == Refusal("no_table", "6.6")
    table = CoreTable()
    for act in (cmd.Press(), cmd.Ask(what="time"), cmd.Resume()):
        assert table.do("nobody", act) == Refusal("not_admitted", "11.3.2")
    assert table.own(cmd.NoteInstant()) == ()


NO_TIME = Refusal("no_time_control", "6.3.1")
OPENING: list[tuple[dict[str, Any], Refusal | None]] = [
    ({}, None),
    ({"mode": Mode.CLOCK}, None),
    ({"mode": Mode.RELAY}, Refusal("relay_needs_approval", "D.1")),
    ({"control": TimeControl(())}, NO_TIME),
    ({"control": TimeControl((ClockPeriod(40, 60_000), ClockPeriod(None, 0, 5_000)))}, NO_TIME),
    ({"control": TimeControl((ClockPeriod(None, 60_000), ClockPeriod(None, 60_000)))}, NO_TIME),
    ({"control": TimeControl((ClockPeriod(None, 0, 5_000),))}, NO_TIME),
    ({"control": TimeControl((ClockPeriod(40, 60_000), ClockPeriod(None, 1)))}, None),
    ({"training": True}, Refusal("training_is_unrated", "12.6")),
    ({"training": True, "rated": False}, None),
    ({"rated": False}, None),
    ({"start_fen": "nonsense"}, Refusal("no_position", "2.2")),
    ({"chess960": True}, Refusal("chess960_not_announced", "II")),
]  # fmt: skip


@pytest.mark.parametrize(("options", "refusal"), OPENING, ids=lambda one: str(one)[:40])
def test_what_may_be_opened(options: dict[str, Any], refusal: Refusal | None) -> None:
    body = cmd.OpenTable(
        **{
            "white": SeatPlan(SeatKind.TACTILE),
            "black": SeatPlan(SeatKind.SIGHTED),
            "control": TimeControl.parse("60+5"),
            "start_fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "rules": rules_of(edition("fide2023"), EventOptions()),
            "regulations": EventOptions(),
        }
        | options
    )
    found = decide(GameState(), Command(id="0" * 32, table="t", station=PROGRAM, body=body), 7)
    if refusal is None:
        assert not isinstance(found, Refusal)
        (event,) = found
        assert isinstance(event, ev.TableOpened) and event.at == 7
        assert {name: getattr(event, name) for name in options} == options
    else:
        assert found == refusal


@pytest.mark.law("L001")
@pytest.mark.parametrize("training", [False, True])
def test_a_table_is_on_record_as_it_was_opened(training: bool) -> None:
    regulations = EventOptions(guidelines=("II",))
    settings: dict[str, Any] = {
        "white": SeatPlan(SeatKind.TACTILE, name="Anna"),
        "black": SeatPlan(SeatKind.SIGHTED, name="Bela"),
        "start_fen": "4k3/8/8/8/8/8/8/4K2R w H - 0 1",
        "control": TimeControl.parse("60+5"),
        "rated": not training,
        "mode": Mode.CLOCK,
        "clock_master": ClockMaster.MANUAL,
        "chess960": True,
        "event_name": "Cup",
        "round": "3",
        "board": 7,
        "rule_set": "fide2018",
        "regulations": regulations,
        "rules": rules_of(edition("fide2023"), regulations),
        "adaptations": ADAPTATIONS,
        "boards": Boards.ONE,
        "checklist": CHECKLIST,
        "training": training,
        "starts": "15:00",
        "way": "first door on the left",
    }
    body = cmd.OpenTable(**settings)
    assert set(settings) == set(cmd.OpenTable.__struct_fields__)
    found = decide(GameState(), Command(id="0" * 32, table="t", station=PROGRAM, body=body), 7)
    assert found == (ev.TableOpened(at=7, **settings),)
    again = decide(CoreTable().state, Command(id="0" * 32, table="t", station=PROGRAM, body=body), 7)
    assert again == Refusal("already_open", "2.2")
    following = cmd.OpenNext(events=found if isinstance(found, tuple) else ())
    opened = decide(GameState(), Command(id="0" * 32, table="t", station=PROGRAM, body=following), 7)
    assert opened == found
    again = decide(CoreTable().state, Command(id="0" * 32, table="t", station=PROGRAM, body=following), 7)
    assert again == Refusal("already_open", "2.2")


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (cmd.Admit(station="", role=Role.DISPLAY), Refusal("no_station_name", "11.3.2")),
        (cmd.Admit(station=PROGRAM, role=Role.DISPLAY), Refusal("no_station_name", "11.3.2")),
        (cmd.Admit(station="x", role=Role.PLAYER), Refusal("no_seat", "11.3.2")),
        (cmd.Admit(station="x", role=Role.ASSISTANT), Refusal("no_seat", "11.3.2")),
        (cmd.Admit(station="white", role=Role.PLAYER, seat=B), Refusal("station_taken", "11.3.2")),
        (cmd.Admit(station="white", role=Role.DISPLAY), Refusal("station_taken", "11.3.2")),
        (cmd.Admit(station="bad", role=Role.DISPLAY), Refusal("device_refused", "11.3.2")),
        (cmd.Admit(station="good", role=Role.DISPLAY), None),
        (cmd.Admit(station="white", role=Role.PLAYER, seat=W), None),
        (cmd.Revoke(station="x"), Refusal("not_admitted", "11.3.2")),
        (cmd.Revoke(station="white", reason="lost"), None),
    ],
)
def test_which_devices_are_admitted_and_sent_away(body: cmd.AnyAct, refusal: Refusal | None) -> None:
    table = CoreTable()
    for device, approved in (("bad", True), ("bad", False), ("good", False), ("good", True)):
        table.done("arbiter", cmd.RegisterDevice(device=device, approved=approved))
    found = table.do(PROGRAM, body)
    assert (found if isinstance(found, Refusal) else None) == refusal
    if isinstance(body, cmd.Revoke) and refusal is None:
        assert found == (ev.StationRevoked(at=1_000, station="white", reason="lost"),)


@pytest.mark.law("L049")
@pytest.mark.parametrize("master", list(ClockMaster))
def test_a_press_is_noted_of_a_clock_that_leads_and_tells_it_alone(master: ClockMaster) -> None:
    table = CoreTable(master=master)
    table.say("white", "e4")
    found = table.do(PROGRAM, cmd.NotePress(seat=W))
    if master is ClockMaster.LIVECHESS:
        assert table.ply(1).completed and table.state.on_move is B
    else:
        assert found == Refusal("our_clock_leads", "6.2.1") and not table.ply(1).completed


DUTIES = [
    (cmd.Execute(), Duty.EXECUTE, "D.2.10.1"),
    (cmd.Say(announcement=said("e4")), Duty.ANNOUNCE, "D.2.10.2"),
    (cmd.Acknowledge(), Duty.ANNOUNCE, "D.2.10.2"),
    (cmd.Mend(ply=1, uci="e2e4"), Duty.ANNOUNCE, "D.2.10.2"),
    (cmd.WriteScore(index=1, text="e4"), Duty.SCORE_AND_CLOCK, "D.2.10.3"),
    (cmd.Press(), Duty.SCORE_AND_CLOCK, "D.2.10.3"),
    (cmd.Ask(what="time"), Duty.INFORM, "D.2.10.4"),
    (cmd.AskLaw(article="9.1"), Duty.INFORM, "D.2.10.4"),
    (cmd.ReadClock(white_ms=1, black_ms=1), Duty.INFORM, "D.2.10.4"),
    (cmd.ClaimTime(), Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    (cmd.ReportTouch(seat=B, square="e7", how="touched"), Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    (cmd.ClaimIrregularity(kind="other"), Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    (cmd.NotePresent(seat=W), Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    (cmd.CallArbiter(), Duty.CLAIM_AND_REPORT, "D.2.10.5"),
    (cmd.SealMove(sealed="b25l", sha256="ab"), Duty.ADJOURN, "D.2.10.6"),
    (cmd.StopSealed(), Duty.ADJOURN, "D.2.10.6"),
]
NEVER = [cmd.Resign(), cmd.OfferDraw(), cmd.AnswerDraw(accept=True), cmd.ClaimDraw(kind="repetition"),
         cmd.Confirm(yes=True), cmd.Resume(), cmd.EnterMove(uci="e2e4"), cmd.ApproveResult(result="1-0")]  # fmt: skip


@pytest.mark.law("L199")
@pytest.mark.parametrize(("body", "duty", "article"), DUTIES, ids=[type(row[0]).__name__ for row in DUTIES])
def test_each_act_of_an_assistant_hangs_on_its_own_duty(body: cmd.AnyAct, duty: Duty, article: str) -> None:
    for granted in Duty:
        station = Station("helper", Role.ASSISTANT, W, (granted,))
        assert why_refused(station, body) == (None if granted is duty else Refusal("not_your_duty", article))
    everything_else = Station("helper", Role.ASSISTANT, W, tuple(one for one in Duty if one is not duty))
    assert why_refused(everything_else, body) == Refusal("not_your_duty", article)


@pytest.mark.law("L199", "L126", "L139")
def test_what_nobody_does_for_a_player_and_who_only_shows_or_reports() -> None:
    helper = Station("helper", Role.ASSISTANT, W, tuple(Duty))
    for body in NEVER:
        assert why_refused(helper, body) == Refusal("not_your_duty", "D.2.10"), body
        assert why_refused(Station("d", Role.DISPLAY), body) == Refusal("display_only_shows", "6.12.1")
        assert why_refused(Station("o", Role.OBSERVER), body) == Refusal("observer_only_reports", "12.4")
    set_up = cmd.Ask(what="set_up")
    assert why_refused(Station("helper", Role.ASSISTANT, W, (Duty.EXECUTE,)), set_up) is None
    assert why_refused(Station("helper", Role.ASSISTANT, W, ()), set_up) == Refusal("not_your_duty", "D.2.10")
    for station in (helper, Station("white", Role.PLAYER, W), Station("arbiter", Role.ARBITER)):
        assert why_refused(station, cmd.NoteInstant()) == Refusal("not_for_stations", "11.3.1")
        assert why_refused(station, cmd.PressKey(key="F1")) is None, "where the buttons are is looked at later"
    assert why_refused(Station("white", Role.PLAYER, W), cmd.Resume()) == Refusal("only_the_arbiter", "12.3")
    assert why_refused(Station("arbiter", Role.ARBITER), cmd.Press()) == Refusal("only_the_player", "12.6")
    assert why_refused(None, cmd.NoteInstant()) is None


def test_for_whom_a_station_acts() -> None:
    state = CoreTable().state
    player, helper = Station("black", Role.PLAYER, B), Station("helper", Role.ASSISTANT, B)
    arbiter = Station("arbiter", Role.ARBITER)
    assert [seat_spoken_for(state, one, None) for one in (player, helper, arbiter, None)] == [B, B, W, W]
    assert [seat_spoken_for(state, one, W) for one in (player, helper, arbiter, None)] == [B, W, W, W]
    assert seat_spoken_for(state, arbiter, B) is B


ADAPTED = [
    # the name, the value recorded (None: nothing), approved, what counts, what is on record as counting
    ("position_readout", None, True, "off", None),
    ("position_readout", "on", True, "on", "on"),
    ("position_readout", "approved", True, "on", "on"),
    ("position_readout", "on", False, "off", None),
    ("file_names", "nato", False, "nato", "nato"),
    ("file_names", None, True, "file", None),
]  # fmt: skip


@pytest.mark.law("L175")
@pytest.mark.parametrize(("name", "value", "approved", "counts", "on_record"), ADAPTED)
def test_an_adaptation_counts_where_it_is_approved_or_needs_no_approval(
    name: str, value: str | None, approved: bool, counts: str, on_record: str | None
) -> None:
    table = CoreTable(started=False)
    if value is not None:
        table.adapt(name, value, approved=approved)
    assert (adaptation_value(table.state, name), recorded_value(table.state, name)) == (counts, on_record)
    # Records older than the data know of no adaptation: there the approval alone says what counts.
    old = altered(table.state, {"table.known_adaptations": ()})
    assert adaptation_value(old, name) == (
        "" if value is None or not approved else "on" if value == "approved" else value
    )
    known = {one.name: one for one in ADAPTATIONS}
    assert known[name].needs_approval is (name == "position_readout")


def test_what_is_no_adaptation_or_no_value_of_it_or_comes_too_late_is_refused() -> None:
    table = CoreTable(started=False)
    assert table.do("arbiter", cmd.RecordAdaptation(name="no_such", value="on")) == Refusal("no_such_adaptation", "D.1")
    wrong = cmd.RecordAdaptation(name="file_names", value="on")
    assert table.do("arbiter", wrong) == Refusal("no_such_value", "D.1")
    fixed = next(one for one in ADAPTATIONS if one.fixed_at_start)
    late = cmd.RecordAdaptation(name=fixed.name, value=fixed.values[0])
    assert not isinstance(table.do("arbiter", late), Refusal)
    table.done("arbiter", cmd.StartGame())
    assert table.do("arbiter", late) == Refusal("fixed_before_the_game", "D.1")
    table.mode(Mode.RELAY)
    for value, approved in (("off", True), ("on", False)):
        ends = cmd.RecordAdaptation(name="machine_announces", value=value, approved=approved)
        assert table.do("arbiter", ends) == Refusal("relay_runs", "D.1")
    table.adapt("machine_announces")
    table.done("arbiter", cmd.SetMode(mode=Mode.TABLE))
    table.adapt("machine_announces", "off")
    assert table.do("arbiter", cmd.SetMode(mode=Mode.RELAY)) == Refusal("relay_needs_approval", "D.1")


@pytest.mark.law("L151")
def test_the_moves_that_each_has_completed() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    counted = [table.state.moves.completed_by_each]
    for uci in ("e2e4", "e7e5", "g1f3"):
        seat = table.state.on_move.value
        table.enter(seat, uci)
        counted.append(table.state.moves.completed_by_each)
        table.press(seat)
        counted.append(table.state.moves.completed_by_each)
    assert counted == [(0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize(
    ("words", "fen", "uci", "candidates"),
    [
        ({"from_square": "e2", "to_square": "e2"}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None, ()),
        ({"piece": "queen", "to_square": "e4"}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None, ()),
        ({"piece": "king"}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None, ()),
        ({"castling": "short"}, "4k3/8/8/8/8/8/4P3/8 w - - 0 1", None, ()),
        ({"castling": "short"}, "4k3/8/8/8/8/8/8/6K1 w - - 0 1", None, ()),
        ({"castling": "long"}, "4k3/8/8/8/8/8/8/6K1 w - - 0 1", "g1c1", ("g1c1",)),
        ({"piece": "knight", "to_square": "d2"}, "4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1", None, ("f3d2", "b3d2")),
        ({"piece": "knight", "to_square": "d2"}, "4k3/8/8/8/1b6/1N6/8/4K1N1 w - - 0 1", "b3d2", ("b3d2",)),
        ({"to_square": "e3"}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3", ("e2e3",)),
        ({"to_square": "e5"}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", ("e2e5",)),
    ],
)
def test_the_move_that_words_mean(
    words: dict[str, Any], fen: str, uci: str | None, candidates: tuple[str, ...]
) -> None:
    from server.game.values.announcement import Announcement

    found = resolve(Announcement(**words), Position.from_fen(fen).board())
    assert found.uci == uci and sorted(found.candidates) == sorted(candidates)
    assert isinstance(found, Resolution)


NOON = 1_767_268_800_000


@pytest.mark.law("L001")
def test_the_report_says_what_was_decided_penalised_added_and_approved_and_when() -> None:
    table = CoreTable()
    since = len(table.events)
    table.wait(1_000)
    table.done("white", cmd.DemandTwoBoards())
    table.done("arbiter", cmd.DecideGap(gap="G2", decision="play on", article="6.2.4"))
    table.done("arbiter", cmd.NoteIncident(kind="noise", text="a telephone", seat=B, article="11.5"))
    table.done("arbiter", cmd.NoteAppeal(against="G2", text="in writing", seat=B))
    table.done("arbiter", cmd.Penalise(seat=W, penalty="more_time_for_opponent", amount=60_500, reason="noise"))
    table.done("arbiter", cmd.RegisterDevice(device="d", approved=True, seat=W, note="own"))
    table.done("arbiter", cmd.RegisterDevice(device="e", approved=False))
    table.own(cmd.NoteFault(text="disk full"))
    table.own(cmd.NoteInterruption(witness_ms=1_500, uncertain_ms=700, reason="the_program_was_stopped"))
    table.done("arbiter", cmd.Resume())
    table.say("white", "e2e5")
    table.press("white")
    table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=W, kind="illegal"))
    table.done("white", cmd.Resign())
    table.done("white", cmd.ApproveResult(result="0-1"))
    assert len(table.events) > since
    sections = report_of([Dated(event, NOON + event.at) for event in table.events])
    found = {section.name: section.entries for section in sections}
    at = NOON + 2_000
    assert ReportLine("two_boards", (), W, "D.1", at) in found["people"]
    assert found["people"][:2] == (
        ReportLine("player", ("?", "tactile"), seat=W),
        ReportLine("player", ("?", "sighted"), seat=B),
    )
    assert found["incidents"] == (
        ReportLine("decided", ("G2", "play on"), None, "6.2.4", at),
        ReportLine("incident", ("noise", "a telephone"), B, "11.5", at),
        ReportLine("appeal", ("G2", "in writing"), B, "11.10", at),
        ReportLine("irregularity", ("illegal", "1"), W, "7.5.5", at),
    )
    (interrupted,) = (line for line in found["pauses"] if line.name == "interrupted")
    assert ("the_program_was_stopped" in interrupted.values, interrupted.wall_ms) == (True, at)
    assert found["penalties"][:2] == (
        ReportLine("penalty", ("more_time_for_opponent", "60500", "noise"), W, "12.9.2", at),
        ReportLine("time_added", ("+120", "illegal_move"), B, "7.5.5", at),
    )
    assert tuple(line for line in found["devices"] if line.name.startswith("device")) == (
        ReportLine("device", ("d", "own"), W, "11.3.2", at),
        ReportLine("device_refused", ("e",), None, "11.3.2", at),
    )
    assert ReportLine("alert", ("fault", "0", "disk full"), wall_ms=at) in found["alerts"]
    assert [one.name for one in found["alerts"] if one.values[0] == "not_legal"] == ["heard_only"]
    assert found["result"] == (
        ReportLine("result", ("0-1", "resigned"), None, "5.1.2", at),
        ReportLine("result_approved", ("0-1",), W, "8.7", at),
        ReportLine("final_clocks", ("1:30:59", "1:33:30")),
    )


def test_an_offer_in_an_old_record_is_rejected_by_a_touch_that_binds() -> None:
    """Before a touch said whether it rejects an offer, the state judged it: lifting at the tactile board (D.2.2)."""
    from server.game.state.apply import apply
    from server.game.values.words import Origin

    table = CoreTable()
    for text in ("e4", "e5"):
        seat = table.state.on_move.value
        table.say(seat, text, act="announce")
        table.press(seat)
    table.done("black", cmd.OfferDraw())
    state, ply = table.state, 3

    def stands(seat: Seat = W, how: Any = "lifted", **more: Any) -> bool:
        touched = ev.TouchReported(
            at=1, number=1, seat=seat, ply=more.pop("ply", ply), square="g1", how=how, origin=Origin.ENTERED, **more
        )
        return apply(state, touched).draws.offer_by is B

    assert not stands() and stands(how="touched") and stands(how="released")
    assert stands(seat=B) and stands(because="adjusting") and stands(sealed=True) and stands(ply=2)
    assert not stands(rejects=True) and stands(rejects=False)
    sighted = altered(state, {"table.white": SeatPlan(SeatKind.SIGHTED)})
    touched = ev.TouchReported(at=1, number=1, seat=W, ply=3, square="g1", how="touched", origin=Origin.ENTERED)
    assert apply(sighted, touched).draws.offer_by is None
    unseen = altered(sighted, {"draws.offer_delivered": False})
    assert apply(unseen, touched).draws.offer_by is B
    assert only(table.events, ev.DrawOffered)
