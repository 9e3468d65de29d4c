"""The report and the protocol of a reconciliation, line by line with every value (L001, L003, L175, L197)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.event_options import EventOptions
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.words import Duty, Role, Seat, SeatKind, SeatPlan
from server.game.views.reconciled import Account, Dated, Looked
from server.game.views.report import ORDER, Protocol, ReportLine, Section, protocols_of, report_of
from tests.game.core_table import ADAPTATIONS, CoreTable, edition
from tests.game.test_reconciliation_desk import E4_E5, E4_E6, drifted

W, B = Seat.WHITE, Seat.BLACK
NOON = 1_767_268_800_000
T = NOON + 1_000
KNOWN: dict[str, Adaptation] = {one.name: one for one in ADAPTATIONS}


def report(events: list[ev.AnyEvent], explain: Any = None) -> dict[str, tuple[ReportLine, ...]]:
    sections = report_of([Dated(event, NOON + event.at) for event in events], explain)
    assert tuple(section.name for section in sections) == ORDER
    return {section.name: section.entries for section in sections}


def opened(**otherwise: Any) -> list[ev.AnyEvent]:
    """The record of a table that was opened and no more."""
    table = CoreTable(control="5400", answered=False, started=False, stations=())
    first = table.events[0]
    assert isinstance(first, ev.TableOpened)
    return [replace(first, **otherwise)]


def test_the_parts_of_a_report_stand_in_their_order() -> None:
    assert ORDER == (
        "rules", "adaptations", "people", "checklist", "devices", "course", "pauses", "claims", "scores", "incidents",
        "reconciliations", "taken_back", "penalties", "alerts", "result",
    )  # fmt: skip
    assert [section for section in report(opened(checklist=())).items() if section[1]] == [
        ("rules", report(opened())["rules"]),
        ("people", (ReportLine("player", ("?", "tactile"), W), ReportLine("player", ("?", "sighted"), B))),
    ]


@pytest.mark.law("L001", "L003")
def test_the_edition_and_what_the_event_settles() -> None:
    regulations = EventOptions(
        guidelines=("I", "III"), unsupervised=True, overrides=(("illegal_loses_at", 3), ("standing", True))
    )
    laws = edition("fide2023")
    assert report(opened())["rules"] == (
        ReportLine("edition", (laws.title, "fide2023")),
        ReportLine("rated"),
        ReportLine("supervision", ("full",)),
        ReportLine("boards", ("two",)),
        ReportLine("time_control", ("5400",)),
    )
    events = opened(regulations=regulations, rated=False, follows="t0", rules=replace(laws, title=""))
    assert report(events)["rules"] == (
        ReportLine("edition", ("fide2023", "fide2023")),
        ReportLine("not_rated"),
        ReportLine("supervision", ("full",)),
        ReportLine("boards", ("two",)),
        ReportLine("time_control", ("5400",)),
        ReportLine("guidelines", ("I, III",)),
        ReportLine("unsupervised", article="III.6"),
        ReportLine("in_place_of", ("t0",), article="7.2.1"),
        ReportLine("overridden", ("illegal_loses_at", "3")),
        ReportLine("overridden", ("standing", "true")),
    )


def recorded(name: str, value: str, *, approved: bool = True) -> ev.AdaptationRecorded:
    return ev.AdaptationRecorded(at=1_000, name=name, value=value, approved=approved)


def line(name: str, adaptation: str, value: str) -> ReportLine:
    known = KNOWN[adaptation]
    return ReportLine(name, (adaptation, value), article=known.article, wall_ms=T, text=known.text)


@pytest.mark.law("L003", "L175")
def test_every_adaptation_that_deviates_with_its_approval_and_changes() -> None:
    events = [
        recorded("file_names", "nato", approved=False),  # needs no approval
        recorded("file_names", "file"),  # as it is anyway, and yet a change
        recorded("file_names", "letter"),
        recorded("rank_language", "de"),  # as it is anyway
        recorded("position_readout", "on", approved=False),
        recorded("tactile_two_hands_exempt", "on"),
        recorded("machine_announces", "on"),
    ]
    follows = KNOWN["announcement_on_movers_time"]
    assert report([*opened(), *events])["adaptations"] == (
        line("adapted", "file_names", "nato"),
        line("adapted", "file_names", "file"),
        line("adapted", "file_names", "letter"),
        line("not_approved", "position_readout", "on"),
        line("adapted", "tactile_two_hands_exempt", "on"),
        line("adapted", "machine_announces", "on"),
        ReportLine(
            "follows", ("announcement_on_movers_time", "on", "machine_announces"), article="D.2.4", text=follows.text
        ),
    )
    refused = recorded("announcement_on_movers_time", "off")
    shown = report([*opened(), recorded("machine_announces", "on"), refused])["adaptations"]
    assert shown == (line("adapted", "machine_announces", "on"),), "an answer on record, and nothing follows"


def test_an_old_record_tells_its_adaptations_without_knowing_them() -> None:
    events = [recorded("relay", "on"), recorded("readout", "on", approved=False)]
    assert report([*opened(adaptations=()), *events])["adaptations"] == (
        ReportLine("adapted", ("relay", "on"), article="D.1", wall_ms=T),
        ReportLine("not_approved", ("readout", "on"), article="D.1", wall_ms=T),
    )


@pytest.mark.law("L042", "L199")
def test_who_sat_where_with_whom_and_who_demanded_two_boards() -> None:
    events: list[ev.AnyEvent] = opened(
        white=SeatPlan(SeatKind.LOW_VISION, name="Anna"),
        black=SeatPlan(SeatKind.SIGHTED, name="Bela", hearing_impaired=True),
    )
    events += [
        ev.StationAdmitted(at=1_000, station="white", role=Role.PLAYER, seat=W),
        ev.StationAdmitted(
            at=1_000,
            station="a",
            role=Role.ASSISTANT,
            seat=W,
            duties=(Duty.EXECUTE, Duty.ANNOUNCE),
            provided_by="organiser",
        ),
        ev.StationAdmitted(at=1_000, station="b", role=Role.ASSISTANT, seat=B, under="6.2.6"),
        ev.TwoBoardsDemanded(at=1_000, seat=B),
    ]
    assert report(events)["people"] == (
        ReportLine("player", ("Anna", "low-vision"), W),
        ReportLine("player", ("Bela", "sighted", "hearing-impaired"), B),
        ReportLine("assistant", ("execute", "announce", "organiser"), W, "D.2.10", T),
        ReportLine("assistant", (), B, "6.2.6", T),
        ReportLine("two_boards", (), B, "D.1", T),
    )


def test_what_of_the_checklist_was_not_in_order_and_what_was_not_looked_at() -> None:
    text = (("en", "Lamp"),)
    items = tuple(ChecklistItem(name, "12.2", "table", text) for name in ("lamp", "noise", "air", "chairs"))
    events = [
        *opened(checklist=items),
        ev.ChecklistTicked(at=1_000, item="lamp", seat=None, ok=True, note="bright"),
        ev.ChecklistTicked(at=1_000, item="noise", seat=None, ok=False, note="a road"),
        ev.ChecklistTicked(at=1_000, item="air", seat=None, ok=False),
    ]
    assert report(events)["checklist"] == (
        ReportLine("ticked", ("1", "4")),
        ReportLine("not_in_order", ("noise", "a road"), None, "12.2", text=text),
        ReportLine("not_in_order", ("air",), None, "12.2", text=text),
        ReportLine("not_looked_at", ("chairs",), None, "12.2", text=text),
    )


def test_devices_with_their_notes() -> None:
    registered = {"at": 1_000, "after_start": False}
    events = [
        *opened(),
        ev.DeviceRegistered(device="headset", seat=W, approved=True, note="", **registered),  # type: ignore[arg-type]
        ev.DeviceRegistered(device="watch", seat=None, approved=False, note="rings", **registered),  # type: ignore[arg-type]
    ]
    assert report(events)["devices"] == (
        ReportLine("device", ("headset",), W, "11.3.2", T),
        ReportLine("device_refused", ("watch", "rings"), None, "11.3.2", T),
    )


def irregular(*, confirmed: bool) -> ev.IrregularityRuled:
    return ev.IrregularityRuled(
        at=1_000, seat=B, ply=2, kind="illegal", confirmed=confirmed, counts=confirmed, article="7.5.5"
    )


def paused(at: int = 1_000, medical: Seat | None = None, reason: str = "") -> ev.ClockPaused:
    return ev.ClockPaused(at=at, by=Role.ARBITER, seat=None, reason=reason, medical=medical)


@pytest.mark.law("L001", "L136")
def test_what_happened_beside_the_moves() -> None:
    events = [
        *opened(),
        ev.ClockResumed(at=500),
        paused(reason="a lamp"),
        ev.IncidentNoted(at=1_000, kind="noise", seat=B, ply=0, text="a telephone", article="11.5"),
        ev.Decided(at=1_000, gap="G2", ply=0, decision="play on", article="6.2.4"),
        irregular(confirmed=False),
        irregular(confirmed=True),
        ev.AppealNoted(at=1_000, seat=None, against="a ruling", text="in writing"),
        paused(medical=W, reason="insulin"),
        ev.ClockResumed(at=121_000),
        ev.ClockResumed(at=400_000),
        paused(at=400_000, medical=B),
        ev.Interrupted(at=500_000, white_ms=1, black_ms=1, turn=W, uncertain_ms=70, reason="crash"),
    ]
    found = report(events)
    assert found["incidents"] == (
        ReportLine("incident", ("noise", "a telephone"), B, "11.5", T),
        ReportLine("decided", ("G2", "play on"), None, "6.2.4", T),
        ReportLine("irregularity_ruled", ("illegal", "no", "ply 2"), B, "7.5.5", T),
        ReportLine("irregularity", ("illegal", "2"), B, "7.5.5", T),
        ReportLine("appeal", ("a ruling", "in writing"), None, "11.10", T),
    )
    assert found["pauses"] == (
        ReportLine("clock_resumed", (), None, "6.11.3", NOON + 500),
        ReportLine("clock_paused", ("2:00", "a lamp"), None, "6.11.1", T),
        ReportLine("medical_pause", ("2:00", "insulin"), W, "12.2.6", T),
        ReportLine("clock_resumed", (), None, "6.11.3", NOON + 121_000),
        ReportLine("clock_resumed", (), None, "6.11.3", NOON + 400_000),
        ReportLine("medical_pause", ("–",), B, "12.2.6", NOON + 400_000),
        ReportLine(
            "interrupted", ("crash", f"wall {NOON + 499_930}", "0:00:00", "0:00:00", "0:00:01"), None, "6.10.1",
            NOON + 500_000,
        ),
    )  # fmt: skip


def test_penalties_alerts_and_the_result() -> None:
    events = [
        *opened(),
        ev.Penalised(at=1_000, seat=W, penalty="fine", article="12.9.7", amount=20, reason="noise"),
        ev.TimeAdded(at=1_000, seat=B, ms=-1_500, reason="12.5", article="12.5"),
        ev.TimeAdded(at=1_000, seat=W, ms=120_000, reason="illegal"),
        ev.Penalised(
            at=1_000, seat=B, penalty="more_time_for_opponent", article="12.9.2", amount=90_000, reason="phone"
        ),
        ev.TimeAdded(at=1_000, seat=W, ms=60_000, reason="phone", article="12.9.2"),
        ev.Alerted(at=1_000, kind="not_legal", ply=3, grey=True, detail="as heard"),
        ev.Alerted(at=1_000, kind="flag", ply=4, grey=False, detail="white"),
        ev.Alerted(at=1_000, kind="called", ply=4, grey=False, said=saying("calls", who=W)),
        ev.GameEnded(at=1_000, result="1-0", reason="resigned", article="5.1.2"),
        ev.ResultApproved(at=1_000, seat=B, result="1-0"),
        ev.NextGameOrdered(at=1_000, table="t2", reason="colours"),
    ]
    shown = report(events)
    assert shown["penalties"] == (
        ReportLine("penalty", ("fine", "20", "noise"), W, "12.9.7", T),
        ReportLine("time_added", ("-1.5", "12.5"), B, "12.5", T),
        ReportLine("time_added", ("+120", "illegal"), W, "", T),
        ReportLine("penalty", ("more_time_for_opponent", "60000", "phone"), B, "12.9.2", T),
    )
    assert shown["alerts"] == (
        ReportLine("heard_only", ("not_legal", "3", "as heard"), wall_ms=T),
        ReportLine("alert", ("flag", "4", "white"), wall_ms=T),
        ReportLine("alert", ("called", "4"), wall_ms=T, said=saying("calls", who=W)),
    )
    result = (
        ReportLine("result", ("1-0", "resigned"), None, "5.1.2", T),
        ReportLine("result_approved", ("1-0",), B, "8.7", T),
    )
    clocks = ReportLine("final_clocks", ("1:33:00", "1:29:58"))
    assert shown["result"] == (*result, ReportLine("next_game", ("t2",), None, "7.2.1", T), clocks)
    other = report([*events, ev.NextGameOpened(at=1_000, table="t3")])["result"]
    assert other == (*result, ReportLine("next_game", ("t3",), None, "7.2.1", T), clocks), "where it stands open"


@pytest.mark.law("L080")
def test_a_position_taken_back_with_the_times_that_were_set() -> None:
    table = drifted()
    since = len(table.events)
    table.done("arbiter", cmd.RestoreTo(ply=1, times="stored", reason="an illegal move"))
    assert report(table.events)["taken_back"] == (
        ReportLine("taken_back", ("1", "e5", "1:30:55", "1:30:30", "an illegal move"), None, "7.1", NOON + 11_000),
    )
    table.wait(1_000)
    table.done("arbiter", cmd.ConfirmBoard(board=B))
    confirmed = ReportLine("board_confirmed", ("black",), wall_ms=NOON + 12_000)
    assert report(table.events)["taken_back"][1:] == (confirmed,)
    again = [*table.events[:since], ev.Restored(at=12_000, ply=2, discarded=(), reason="")]
    assert report(again)["taken_back"] == (
        ReportLine("taken_back", ("2", "-", "1:30:54", "1:30:55", ""), None, "7.1", NOON + 12_000),
    )


def at_the_desk() -> CoreTable:
    """1.e4 e5, White's board shows e6, White's sheet was read at the desk, the sound of 1.e4 listened to."""
    table = drifted()
    table.done("arbiter", cmd.OpenDesk(reason="the boards differ"))
    table.done("arbiter", cmd.ShowBoard(board=W, placement=E4_E6))
    table.done("arbiter", cmd.ShowBoard(board=B, placement=E4_E5))
    table.done("arbiter", cmd.TypeCell(seat=W, ply=2, text="e5"))
    table.done("arbiter", cmd.HearCell(seat=W, ply=1))
    return table


def desk_says(state: GameState, desk: object) -> Looked:
    assert state.desk is desk
    accounts = (Account("elsewhere", "white", 2, "e5", "e6"), Account("missing", "black", 3, None, None))
    return Looked(plies=(2,), accounts=accounts)


BEFORE = Section(
    "desk_before",
    (
        ReportLine("desk_opened", ("2", "1:30:55", "1:30:55"), None, "D.2.9", NOON + 11_000),
        ReportLine("desk_reason", ("the boards differ",)),
    ),
)
BOARDS = Section(
    "desk_boards",
    (
        ReportLine("board_showed", ("white", E4_E6)),
        ReportLine("board_showed", ("black", E4_E5)),
        ReportLine("square_differed", ("e5", "", "p")),
        ReportLine("square_differed", ("e6", "p", "")),
    ),
)
SCORES = Section(
    "desk_scores",
    (
        ReportLine("score_said", ("white", "1", "e4", "listened")),
        ReportLine("score_said", ("black", "1", "-", "on_record")),
        ReportLine("score_said", ("white", "2", "e5", "typed")),
        ReportLine("score_said", ("black", "2", "-", "on_record")),
    ),
)


def protocol(table: CoreTable, explain: Any = desk_says) -> Protocol:
    record = [Dated(event, NOON + event.at) for event in table.events]
    (one,) = protocols_of(record, explain)
    told = {section.name: section.entries for section in report_of(record, explain)}["reconciliations"]
    assert told == tuple(entry for section in one.sections for entry in section.entries), "the report says it too"
    return one


@pytest.mark.law("L197")
def test_the_protocol_of_a_board_that_was_set_right() -> None:
    table = at_the_desk()
    first = table.events[0]
    assert isinstance(first, ev.TableOpened)
    plans = {"white": replace(first.white, name="Anna"), "black": replace(first.black, name="Bela")}
    table.events[0] = replace(first, **plans, event_name="Cup")
    table.wait(60_000)
    agreed = {"verdict": "same_record", "ply": 2, "placement": E4_E5, "turn": W}
    table.done("arbiter", cmd.DecideDesk(kind="adjust", reason="as both wrote", **agreed))  # type: ignore[arg-type]
    table.wait(60_000)
    for board in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=board))
    explained = [
        ReportLine("explained", ("elsewhere", "white", "2", "e5", "e6")),
        ReportLine("explained", ("missing", "black", "3", "-", "-")),
    ]
    assert protocol(table) == Protocol(
        1,
        NOON + 11_000,
        ("Anna", "Bela"),
        "Cup",
        (
            BEFORE,
            BOARDS,
            SCORES,
            Section(
                "desk_found",
                (ReportLine("found", ("same_record",), article="D.2.9"), ReportLine("agreed", ("2",)), *explained),
            ),
            Section(
                "desk_decided",
                (
                    ReportLine("decided_adjust", ("2",), None, "D.2.9", NOON + 71_000),
                    ReportLine("times_leave", ("1:30:55", "1:30:55")),
                    ReportLine("desk_reason", ("as both wrote",)),
                ),
            ),
            Section(
                "desk_set",
                (
                    ReportLine("stands", (E4_E5, "white")),
                    ReportLine("square_set", ("white", "e5", "p")),
                    ReportLine("square_set", ("white", "e6", "")),
                    ReportLine("nothing_set", ("black",)),
                    ReportLine("board_confirmed", ("white",), wall_ms=NOON + 131_000),
                    ReportLine("board_confirmed", ("black",), wall_ms=NOON + 131_000),
                    ReportLine("desk_closed", ("confirmed",), wall_ms=NOON + 131_000),
                ),
            ),
        ),
    )


def sections(table: CoreTable, *names: str) -> list[tuple[ReportLine, ...]]:
    found = {section.name: section.entries for section in protocol(table, None).sections}
    return [found[name] for name in names]


@pytest.mark.law("L197")
def test_the_protocol_of_both_boards_going_back() -> None:
    table = at_the_desk()
    table.done("arbiter", cmd.DecideDesk(kind="back", verdict="differ", ply=1, times="stored"))
    found, decided, to_set = sections(table, "desk_found", "desk_decided", "desk_set")
    wall = NOON + 11_000
    assert found == (ReportLine("found", ("differ",), article="D.2.9"), ReportLine("agreed", ("1",)))
    assert decided == (
        ReportLine("decided_back", ("1",), None, "D.2.9", wall),
        ReportLine("moves_taken_back", ("e5",)),
        ReportLine("times_stored", ("1:30:55", "1:30:30")),
    )
    e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    assert to_set == (
        ReportLine("stands", (e4, "black")),
        ReportLine("square_set", ("white", "e6", "")),
        ReportLine("square_set", ("white", "e7", "p")),
        ReportLine("square_set", ("black", "e5", "")),
        ReportLine("square_set", ("black", "e7", "p")),
    )
    assert report(table.events)["taken_back"] == (
        ReportLine("taken_back", ("1", "e5", "1:30:55", "1:30:30", "D.2.9"), None, "D.2.9", wall),
    )


@pytest.mark.law("L197")
def test_the_protocol_of_a_server_that_alone_was_wrong() -> None:
    """Nobody at the table sets anything; it says how the server's line was mended (G13)."""
    table = drifted()
    table.done("arbiter", cmd.OpenDesk())
    for board in Seat:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=E4_E6))
    table.done("arbiter", cmd.AcceptUnread(plies=(1, 2)))
    table.done("arbiter", cmd.DecideDesk(kind="mend"))
    by_section = protocol(table, lambda *_: Looked(undecided=True)).sections
    before, boards, scores, found, decided, to_set = (one.entries for one in by_section)
    wall = NOON + 11_000
    assert before == (ReportLine("desk_opened", ("2", "1:30:55", "1:30:55"), None, "D.2.9", wall),)
    assert boards == (ReportLine("boards_alike", (E4_E6,)),)
    assert scores == ()
    assert found == (
        ReportLine("found_none"),
        ReportLine("agreed", ("2",)),
        ReportLine("not_explained"),
        ReportLine("unread_accepted", ("1-2",)),
        ReportLine("line_mended", ("2", "e5", "e6")),
    )
    assert decided == (
        ReportLine("decided_mend", ("2",), None, "D.2.9", wall),
        ReportLine("times_leave", ("1:30:55", "1:30:55")),
    )
    assert to_set == (ReportLine("stands", (E4_E6, "white")), ReportLine("desk_closed", ("mended",), wall_ms=wall))


@pytest.mark.law("L197")
def test_the_protocol_says_what_a_decision_leaves_open_and_the_last_one_says_what_is_set() -> None:
    table = at_the_desk()
    decision = cmd.DecideDesk(kind="adjust", ply=2, placement=E4_E5, turn=W)
    table.done("arbiter", decision)
    last = next(one for one in reversed(table.events) if isinstance(one, ev.DeskDecided))
    left = (ev.StillDiffers(what="line", ply=3), ev.StillDiffers(what="black", ply=2, squares=("e5", "e6")))
    table.events.append(replace(last, verdict="", ply=None, differs=left, white=(), placement=E4_E6))
    said, found, decided, to_set = sections(table, "desk_scores", "desk_found", "desk_decided", "desk_set")
    assert said == SCORES.entries, "once, as the last decision had them"
    assert found == (ReportLine("found_none"), ReportLine("agreed", ("2",)), ReportLine("found_none"))
    assert decided == (
        ReportLine("decided_adjust", ("2",), None, "D.2.9", NOON + 11_000),
        ReportLine("times_leave", ("1:30:55", "1:30:55")),
        ReportLine("decided_adjust", ("",), None, "D.2.9", NOON + 11_000),
        ReportLine("times_leave", ("1:30:55", "1:30:55")),
        ReportLine("still_line", ("3",)),
        ReportLine("still_board", ("black", "e5 e6")),
    )
    assert to_set == (
        ReportLine("stands", (E4_E6, "white")),
        ReportLine("nothing_set", ("white",)),
        ReportLine("nothing_set", ("black",)),
    )


def test_a_desk_closed_without_a_decision_keeps_what_was_said_there() -> None:
    table = at_the_desk()
    table.done("arbiter", cmd.CloseDesk(reason="they agree after all"))
    scores, decided, to_set = sections(table, "desk_scores", "desk_decided", "desk_set")
    assert (scores, decided) == (SCORES.entries, ())
    assert [entry.name for entry in to_set] == ["desk_closed"] and to_set[0].wall_ms == NOON + 11_000


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (0, "0:00:00"),
        (999, "0:00:00"),
        (59_999, "0:00:59"),
        (3_600_000, "1:00:00"),
        (3_661_000, "1:01:01"),
        (-65_500, "-0:01:05"),
    ],
)
def test_times_are_told_to_the_second_and_below_zero_too(ms: int, shown: str) -> None:
    table = drifted()
    table.done("arbiter", cmd.OpenDesk())
    at = next(n for n, one in enumerate(table.events) if isinstance(one, ev.DeskOpened))
    begun = table.events[at]
    assert isinstance(begun, ev.DeskOpened)
    table.events[at] = replace(begun, snapshot=replace(begun.snapshot, white_ms=ms, black_ms=7_322_000))
    (opening,) = sections(table, "desk_before")
    assert opening[0].values == ("2", shown, "2:02:02")
