"""Conduct: stops, hands, leaving, devices, inspections, logs, medical pauses (6.2, 6.11, 11.2, 11.3, 12.2.6-7)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.words import ClockMaster, Duty, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.alerts import AlertKinds
from server.game.views.overview import overview
from server.game.views.report import Dated, ReportLine, report_of
from server.game.views.view import view
from server.wording.rules import load_incident_kinds
from tests.game.core_table import CoreTable, alerts, only, told
from tests.table.open_hall import played


def silent(table: CoreTable, event: ev.AnyEvent) -> bool:
    """Whether nobody but the arbiter hears of it."""
    stations = [Station("p", Role.PLAYER, seat) for seat in Seat] + [Station("d", Role.DISPLAY)]
    return all(view(event, table.state, station) is None for station in stations)


@pytest.mark.law("L068", "L069", "L070")
def test_a_stop_has_its_reason_on_record_and_only_the_arbiter_restarts() -> None:
    table = CoreTable()
    table.wait(5_000)
    (paused,) = only(table.done("white", cmd.CallArbiter(reason="no queen at hand")), ev.ClockPaused)
    assert (paused.seat, paused.reason) == (Seat.WHITE, "no queen at hand")
    assert table.state.time.clock.running is None
    for player in ("white", "black"):
        assert table.do(player, cmd.Resume()) == Refusal("only_the_arbiter", "12.3")
    table.done("arbiter", cmd.Resume())
    (paused,) = only(table.done("arbiter", cmd.Pause(reason="a lamp fell")), ev.ClockPaused)
    assert (paused.by, paused.reason) == (Role.ARBITER, "a lamp fell")


@pytest.mark.law("L071")
def test_a_stop_without_a_valid_reason_opens_a_penalty_to_the_arbiter() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.Pause(reason="noise"))
    assert table.do("arbiter", cmd.RuleStop(valid=False)) == Refusal("nobody_stopped", "6.11.4")
    table.done("black", cmd.CallArbiter(reason="I am tired"))
    (ruled,) = only(table.done("arbiter", cmd.RuleStop(valid=False, reason="no reason")), ev.StopRuled)
    assert (ruled.seat, ruled.valid, ruled.article) == (Seat.BLACK, False, "6.11.4")
    assert silent(table, ruled) and "12.9" in alerts(table, "stop_not_valid")[0].detail
    assert not only(table.events, ev.Penalised), "nothing is penalised by itself"
    assert table.do("arbiter", cmd.RuleStop(valid=True)) == Refusal("nobody_stopped", "6.11.4")
    table.done("white", cmd.CallArbiter(reason="promotion piece"))
    table.done("arbiter", cmd.RuleStop(valid=True))
    assert len(alerts(table, "stop_not_valid")) == 1


@pytest.mark.law("L055")
def test_adjusting_is_checked_against_the_clock() -> None:
    table = CoreTable()
    table.done("white", cmd.Adjust())
    assert not alerts(table, "adjusting_out_of_turn")
    table.say("white", "e4", act="announce")
    table.say("black", "e4", act="echo")  # made, not pressed: Black has the move, White's clock runs
    assert table.state.on_move is Seat.BLACK and table.state.time.clock.running is Seat.WHITE
    table.done("black", cmd.Adjust())
    assert "6.2.5" in alerts(table, "adjusting_out_of_turn")[0].detail
    table.press("white")
    table.done("black", cmd.Adjust())
    assert len(alerts(table, "adjusting_out_of_turn")) == 1


@pytest.mark.law("L053", "L117", "L124")
async def test_incidents_have_kinds_with_articles_and_words(tmp_path: Path) -> None:
    kinds = load_incident_kinds()
    articles = {"finger_hovering": "6.2.3", "other_hand": "6.2.3", "adjusting": "6.2.5", "disrepute": "11.1"}
    articles |= {"inspection": "11.3.3", "inspection_refused": "11.3.3"}
    for kind, article in articles.items():
        assert kinds[kind].article == article and kinds[kind].text["en"] and kinds[kind].text["de"]
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.NoteIncident(kind="finger_hovering", text="right hand", seat=Seat.BLACK))
        refused = await game.do("arbiter", cmd.NoteIncident(kind="hovering", text="right hand"))
        assert not refused.outcome.ok and "finger_hovering" in refused.text
        await game.done("arbiter", cmd.NoteIncident(kind="inspection_refused", text="", seat=Seat.BLACK))
        noted = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert [one.article for one in noted if isinstance(one, ev.IncidentNoted)] == ["6.2.3", "11.3.3"]
        assert not await_incident(game.ears["white"].messages)


@pytest.mark.law("L142")
async def test_a_spectators_disturbance_is_noted_and_no_player_is_told(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        refused = await game.do("white", cmd.NoteDisturbance(text="somebody whispers"))
        assert (refused.outcome.code, refused.outcome.article) == ("only_the_arbiter", "12.3")
        await game.done("arbiter", cmd.NoteDisturbance(text="a spectator called out a move", expelled=True))
        noted = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        (event,) = (one for one in noted if isinstance(one, ev.DisturbanceNoted))
        assert (event.seat, event.ply, event.text, event.expelled) == (None, 0, "a spectator called out a move", True)
        for seat in ("white", "black"):
            assert b"disturb" not in msgspec.json.encode(game.ears[seat].messages)


def await_incident(messages: list[msg.AnyMessage]) -> bool:
    return any(b"incident" in msgspec.json.encode(message) for message in messages)


@pytest.mark.law("L119", "L120")
def test_leaving_is_logged_with_its_article() -> None:
    table = CoreTable(regulations=EventOptions(report_when_leaving=True))
    (venue,) = only(table.done("arbiter", cmd.PermitLeaving(seat=Seat.BLACK)), ev.LeaveRuled)
    (mover,) = only(table.done("arbiter", cmd.PermitLeaving(seat=Seat.WHITE, place="area")), ev.LeaveRuled)
    (other,) = only(table.done("arbiter", cmd.PermitLeaving(seat=Seat.BLACK, place="area")), ev.LeaveRuled)
    (guide,) = only(
        table.done("arbiter", cmd.PermitLeaving(seat=Seat.BLACK, place="area", person="guide")), ev.LeaveRuled
    )
    assert [one.article for one in (venue, mover, other, guide)] == ["11.2.3", "11.2.3", "11.2.4", "11.2.3"]
    (left,) = only(table.done("black", cmd.ReportLeaving()), ev.LeavingReported)
    assert left.required and silent(table, left) and "11.2.4" in alerts(table, "leaving")[0].detail
    table.done("black", cmd.ReportLeaving(back=True))
    assert len(alerts(table, "leaving")) == 1
    (left,) = only(table.done("white", cmd.ReportLeaving()), ev.LeavingReported)
    assert not left.required and "permission" in alerts(table, "leaving")[1].detail
    free = CoreTable()
    (leave,) = only(free.done("arbiter", cmd.PermitLeaving(seat=Seat.BLACK, place="area")), ev.LeaveRuled)
    assert leave.article == "" and not only(free.done("black", cmd.ReportLeaving()), ev.LeavingReported)[0].required


@pytest.mark.law("L123")
def test_a_device_found_is_held_against_the_approved_list_and_only_proposes() -> None:
    table = CoreTable(regulations=EventOptions(device_penalty="warning"))
    table.done("arbiter", cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE))
    assert table.do("black", cmd.NoteDeviceFound(seat=Seat.WHITE, device="x")) == Refusal("only_the_arbiter", "12.3")
    (own,) = only(table.done("arbiter", cmd.NoteDeviceFound(seat=Seat.WHITE, device="headset")), ev.DeviceFound)
    (found,) = only(table.done("arbiter", cmd.NoteDeviceFound(seat=Seat.BLACK, device="telephone")), ev.DeviceFound)
    assert (own.approved, own.proposed) == (True, "") and (found.approved, found.proposed) == (False, "warning")
    assert silent(table, found) and not table.state.over
    strict = CoreTable()
    (found,) = only(strict.done("arbiter", cmd.NoteDeviceFound(seat=Seat.BLACK, device="telephone")), ev.DeviceFound)
    assert found.proposed == "loss" and not strict.state.over


@pytest.mark.law("L135")
def test_an_arbiter_of_several_tables_sees_them_at_a_glance() -> None:
    one, two = CoreTable(control="900+10"), CoreTable(control="900+10")
    one.wait(5_000)
    one.done("white", cmd.ClaimDraw(kind="fifty_moves"))
    first, second = overview((("a", one.state), ("b", two.state)), two.now + 3_000, AlertKinds())
    assert (first.table, first.claim, first.running) == ("a", "fifty_moves", None) and first.alerts > 0
    assert (second.claim, second.running, second.white_ms) == (None, Seat.WHITE, 907_000)
    assert first.full_supervision and second.full_supervision
    assert not overview(tuple((str(n), two.state) for n in range(4)), 0, AlertKinds())[0].full_supervision


@pytest.mark.law("L137")
async def test_the_logs_for_fair_play_leave_as_json(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.RegisterDevice(device="headset", approved=True, seat=Seat.WHITE))
        await game.done("arbiter", cmd.NoteDeviceFound(seat=Seat.BLACK, device="telephone"))
        await game.done("arbiter", cmd.NoteIncident(kind="noise", text="a telephone"))
        await game.done("white", cmd.Ask(what="time"))
        await game.told()
    run = CliRunner().invoke(group, ["export", "t1", "--what", "fair-play", "--data", str(tmp_path)])
    assert run.exit_code == 0, run.output
    parts = msgspec.json.decode(run.output)
    assert [one["device"] for one in parts["devices"]] == ["headset", "telephone"]
    assert [one["text"] for one in parts["incidents"]] == ["a telephone"]
    assert {one["event"] for one in parts["told_privately"]} == {"answered", "spoken_privately"}
    assert [one["kind"] for one in parts["alerts"]] == ["device_found"] and len(parts["stations"]) == 4
    told = "telephone, found on Black, is not approved; the penalty open to you: loss of the game (11.3.2.2)"
    assert parts["alerts"][0]["detail"] == told


@pytest.mark.law("L193")
def test_another_clock_is_read_and_told_with_its_age_and_never_led() -> None:
    table = CoreTable(master=ClockMaster.MANUAL)
    helper = table.assistant(Seat.WHITE, Duty.INFORM)
    table.done("arbiter", cmd.ReadClock(white_ms=2_000_000, black_ms=1_900_000))
    table.wait(40_000)
    table.done(helper, cmd.ReadClock(white_ms=1_960_000, black_ms=1_900_000))
    assert table.state.time.clock.running is None, "the server's clock never runs by it"
    table.wait(7_000)
    (answer,) = only(table.done("white", cmd.Ask(what="time")), ev.Answered)
    assert (answer.white_ms, answer.black_ms, answer.age_ms, answer.running) == (1_960_000, 1_900_000, 7_000, None)
    shown = view(answer, table.state, Station("white", Role.PLAYER, Seat.WHITE))
    assert isinstance(shown, msg.AnswerGiven)
    assert (shown.own_ms, shown.age_ms, shown.own_used_ms, shown.own_runs) == (1_960_000, 7_000, None, None)
    assert table.do("white", cmd.ReadClock(white_ms=1, black_ms=1)) == Refusal("only_the_arbiter", "12.3")
    ours = CoreTable()
    assert ours.do("arbiter", cmd.ReadClock(white_ms=1, black_ms=1)) == Refusal("our_clock_leads", "6.2.1")
    assert only(ours.done("white", cmd.Ask(what="time")), ev.Answered)[0].age_ms is None


@pytest.mark.law("L053")
def test_a_held_key_is_one_press(repo: Path) -> None:
    """The page takes no repetition of a held key, neither as the key of the press nor as a click on the button."""
    page = (repo / "server" / "web" / "static" / "player" / "press.js").read_text(encoding="utf-8")
    guard = "if (event.repeat && (mine || event.target === button)) { event.preventDefault();"
    assert guard in page and page.index(guard) < page.index("press();\n  }, { capture: true });")


def medical_pauses(table: CoreTable) -> list[ReportLine]:
    report = report_of([Dated(event, 1_700_000_000_000 + event.at) for event in table.events])
    (section,) = [one for one in report if one.name == "pauses"]
    return [one for one in section.entries if one.name == "medical_pause"]


@pytest.mark.law("L136")
def test_l136_a_player_asks_and_the_arbiter_gives_a_medical_pause() -> None:
    table = CoreTable()
    table.done("white", cmd.CallArbiter(medical=True))
    assert [one.reason for one in only(table.events, ev.ArbiterCalled)] == ["medical"]
    assert "White needs medical attention" in alerts(table, "medical_call")[0].detail and not alerts(table, "called")
    assert table.state.time.clock.running is None and table.state.time.stopped_by is Seat.WHITE
    assert told(table, Seat.WHITE)[-1] == msg.Paused(), "until the arbiter has given one it is a stop of White's"
    table.done("arbiter", cmd.Pause(medical=Seat.WHITE, reason="insulin"))
    assert table.do("arbiter", cmd.RuleStop(valid=True)) == Refusal("nobody_stopped", "6.11.4")
    assert told(table, Seat.WHITE)[-1] == msg.Paused(medical=True)
    left = table.state.time.clock.remaining(Seat.WHITE, table.now)
    table.wait(754_000)
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == left
    (entry,) = medical_pauses(table)
    assert (entry.values, entry.seat, entry.article) == (("12:34", "insulin"), Seat.WHITE, "12.2.6")


@pytest.mark.law("L136")
def test_l136_any_other_pause_is_none() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.Pause(reason="noise"))
    assert told(table, Seat.WHITE)[-1] == msg.Paused() and medical_pauses(table) == []
    table.done("arbiter", cmd.Pause(medical=Seat.BLACK))
    assert [one.values for one in medical_pauses(table)] == [("–",)], "it has not ended yet"
    table.done("black", cmd.CallArbiter(medical=True, stop=False))
    assert table.do("white", cmd.Pause(medical=Seat.WHITE)) == Refusal("only_the_arbiter", "12.3")
