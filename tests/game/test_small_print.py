"""Small print of the core that a sample of mutants (`make mutants`) showed no test to hold."""

from __future__ import annotations

from typing import Any

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions, Supervision
from server.game.state.line import resolve
from server.game.values.announcement import Announcement
from server.game.values.clock import ClockReading
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import (
    Duty,
    HeadsetCheck,
    Mode,
    Role,
    Seat,
    SeatKind,
    SeatPlan,
    SeatSound,
    SoundDevices,
    Station,
    station_of_devices,
)
from server.game.views import messages as msg
from server.game.views.view import greeting, view
from tests.game.core_table import CoreTable, altered, only, play, said


@pytest.mark.parametrize("black_first", [True, False])
def test_no_agreement_before_either_has_made_a_move(black_first: bool) -> None:
    """5.2.3 asks for a move of each, no matter who began."""
    table = CoreTable(fen=chess.STARTING_FEN.replace(" w ", " b ") if black_first else chess.STARTING_FEN)
    mover, other = ("black", "white") if black_first else ("white", "black")
    table.say(mover, "Nf6" if black_first else "Nf3")
    table.done(mover, cmd.OfferDraw())
    table.press(mover)
    assert table.do(other, cmd.AnswerDraw(accept=True)) == Refusal("a_move_each_first", "5.2.3")


def test_a_claim_with_half_a_move_is_no_claim() -> None:
    table = CoreTable()
    claim = cmd.ClaimDraw(kind="repetition", intended=Announcement(piece="knight"))
    assert table.do("white", claim) == Refusal("no_announcement", "9.2.1")
    assert table.state.draws.claim is None and table.state.time.clock.running is Seat.WHITE


@pytest.mark.parametrize("seat", list(Seat))
def test_who_calls_the_arbiter_is_on_record(seat: Seat) -> None:
    table = CoreTable()
    events = table.done(seat.value, cmd.CallArbiter(reason="noise"))
    assert [one.seat for one in only(events, ev.ArbiterCalled)] == [seat]
    assert [one.seat for one in only(events, ev.ClockPaused)] == [seat]


@pytest.mark.parametrize("seat", list(Seat))
def test_the_own_time_is_the_own_time(seat: Seat) -> None:
    table = CoreTable()
    table.wait(7_000)
    (answered,) = only(table.done(seat.value, cmd.Ask(what="time")), ev.Answered)
    station = table.state.stations.find(seat.value)
    assert station is not None
    told = view(answered, table.state, station)
    used = (told.own_used_ms, told.opponent_used_ms)  # type: ignore[union-attr]
    assert used == ((7_000, 0) if seat is Seat.WHITE else (0, 7_000))


@pytest.mark.parametrize(
    ("fen", "side", "uci"),
    [
        ("4k3/8/8/8/8/8/8/1K2R2R w E - 0 1", "short", "b1e1"),  # the right is the nearer rook's
        ("4k3/8/8/8/8/8/8/1K2R2R w H - 0 1", "short", "b1h1"),
        ("4k3/8/8/8/8/8/8/1K2R2R w - - 0 1", "short", "b1h1"),  # no right left: the announcement stays what it was
        ("4k3/8/8/8/8/8/8/R2R2K1 w - - 0 1", "long", "g1a1"),
        ("4k3/8/8/8/8/8/8/R2R2K1 w D - 0 1", "long", "g1d1"),
    ],
)
def test_castling_in_chess960_with_two_rooks_on_that_side(fen: str, side: str, uci: str) -> None:
    board = Position.from_fen(fen, chess960=True).board()
    assert resolve(Announcement(castling=side), board).uci == uci  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("e4", "e3", False),
        ("Ng1f3", "Nd2f3", False),
        ("Nf3", "Nd2f3", True),
        ("Nf3", "Bf3", False),
        ("f3", "Nf3", False),  # a bare square is a pawn's
        ("e8=Q", "e8=N", False),
        ("e7e8=Q", "e8=Q", True),
        ("g1f3", "Nf3", True),  # squares alone name no piece
        ("O-O", "O-O-O", False),
        ("O-O", "Kg1", False),
    ],
)
def test_what_may_stand_for_an_announcement(one: str, other: str, agree: bool) -> None:
    assert said(one).agrees_with(said(other)) is agree
    assert said(other).agrees_with(said(one)) is agree


@pytest.mark.parametrize(
    ("one", "other", "all_of_it"),
    [("Ng1f3", "Nf3", True), ("Nf3", "Ng1f3", False), ("g1f3", "Nf3", False), ("Ng1f3", "g1f3", True),
     ("Nf3", "Nf3", True), ("Nf3", "Nd4", False), ("g1f3", "g1f3", True)],
)  # fmt: skip
def test_whether_words_leave_anything_out(one: str, other: str, all_of_it: bool) -> None:
    assert said(one).says_all_of(said(other)) is all_of_it


def test_the_move_of_before_said_again_is_no_echo_of_the_one_announced_since() -> None:
    """White announces; Black, whose move it was before, repeats Black's own: nothing of White's is made by it."""
    table = CoreTable()
    for mover, move in (("white", "e4"), ("black", "e5")):
        table.say(mover, move)
        table.press(mover)
        table.say("black" if mover == "white" else "white", move)
    table.mumble("white", "u1")
    repeated = table.say("black", "e5")
    assert only(repeated, ev.AnnouncementRepeated) and not only(repeated, ev.Made)
    table.say("white", "Nf3")
    echoed = table.say("black", "Nf3")
    assert only(echoed, ev.Echoed) and [one.ply for one in only(echoed, ev.Made)] == [3]


def test_an_announcement_known_is_not_overridden_by_the_opponents_old_words() -> None:
    table = CoreTable()
    for mover, move in (("white", "e4"), ("black", "e5")):
        table.say(mover, move)
        table.press(mover)
        table.say("black" if mover == "white" else "white", move)
    table.say("white", "Nf3")
    wrong = table.say("black", "e5")  # words that contradict the announcement known: a wrong echo, for the arbiter
    assert [one.agrees for one in only(wrong, ev.Echoed)] == [False]


def test_an_irregular_position_that_a_later_move_brought_about_is_waited_for_too() -> None:
    """A.5.4: drawn only where it stood so before the move as well."""
    basic = EventOptions(supervision=Supervision.BASIC)
    table = CoreTable(fen="4k3/8/8/8/8/8/4r3/R2K4 w - - 0 1", control="180+2", regulations=basic)
    for mover, move in (("white", "Ra8"), ("black", "Rd2")):
        table.say(mover, move)
        table.press(mover)
        table.say("black" if mover == "white" else "white", move)
    told = [(one.kind, one.ply) for one in only(table.events, ev.Alerted) if "irregular" in one.kind]
    assert told == [("irregular_position", 2)]


@pytest.mark.parametrize("fen", ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"])
def test_a_capture_en_passant_is_seen_by_its_form(fen: str) -> None:
    board = chess.Board(fen)
    assert resolve(Announcement(to_square="d6"), board, by_geometry=True).uci == "e5d6"
    board.set_piece_at(chess.C5, chess.Piece(chess.PAWN, chess.WHITE))
    assert resolve(Announcement(to_square="d6"), board, by_geometry=True).candidates == ("c5d6", "e5d6")
    board.remove_piece_at(chess.D5)
    board.set_piece_at(chess.D7, chess.Piece(chess.PAWN, chess.WHITE))
    board.set_piece_at(chess.D4, chess.Piece(chess.PAWN, chess.WHITE))
    assert len(resolve(Announcement(to_square="d6"), board, by_geometry=True).candidates) == 4, "none can arrive"


def test_the_times_of_each_completed_ply_can_be_had() -> None:
    table = CoreTable(control="600")
    table.wait(4_000)
    table.say("white", "e4")
    table.press("white")
    table.say("black", "e4")
    table.say("black", "e5")
    (first, second) = Game.readings(table.state)
    assert first is not None and (first.white_ms, first.black_ms) == (596_000, 600_000)
    assert second is None


def test_only_the_sighted_player_sees_their_board_on_their_page() -> None:
    table = CoreTable(white=SeatKind.TACTILE, black=SeatKind.SIGHTED)
    names = [table.assistant(Seat.BLACK, Duty.EXECUTE), "white", "black", "arbiter"]
    seen = []
    for name in names:
        station = table.state.stations.find(name)
        assert station is not None
        seen.append(greeting(table.state, station, table.now).board is not None)
    assert seen == [False, False, True, False]


@pytest.mark.parametrize(
    ("mode", "control", "waited", "asked"),
    [
        (Mode.TABLE, "5400", 0, True),
        (Mode.CLOCK, "5400", 0, False),
        (Mode.TABLE, "90", 31_000, False),
        (Mode.TABLE, "90", 30_000, True),
        (Mode.TABLE, "60+30", 70_001, False),
        (Mode.TABLE, "60+30", 70_000, True),
    ],
)
def test_a_player_is_asked_only_while_there_is_time(mode: Mode, control: str, waited: int, asked: bool) -> None:
    table = CoreTable(control=control)
    if mode is not Mode.TABLE:
        table.mode(mode)
    table.wait(waited)
    (not_understood,) = only(table.mumble("white", "u1", unclear="from"), ev.NotUnderstood)
    station = table.state.stations.find("white")
    assert station is not None
    told = view(not_understood, table.state, station)
    assert isinstance(told, msg.Question) is asked


@pytest.mark.parametrize(
    ("what", "score", "words"), [("score", ("e4", ""), ()), ("last", (), ("e5",)), ("time", (), ())]
)
def test_an_answer_holds_what_was_asked_for(what: Any, score: tuple[str, ...], words: tuple[str, ...]) -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.say("black", "e4")
    table.say("black", "e5")
    (answered,) = only(table.done("white", cmd.Ask(what=what)), ev.Answered)
    assert (answered.score[:1], answered.words) == (score[:1], words)


@pytest.mark.parametrize("stop", [True, False])
def test_a_call_that_stops_the_clocks_is_certain_and_one_that_was_only_heard_is_not(stop: bool) -> None:
    table = CoreTable()
    events = table.done("white", cmd.CallArbiter(stop=stop))
    assert [one.grey for one in only(events, ev.Alerted)] == [not stop]
    assert (table.state.time.clock.running is None) is stop


@pytest.mark.parametrize(
    ("ground", "told"), [("cannot_win", "the opponent cannot win by normal means"), ("no_effort", "makes no effort")]
)
def test_the_ground_of_a_quickplay_claim_is_told_as_it_was_given(ground: Any, told: str) -> None:
    table = CoreTable(control="5400", regulations=EventOptions(guidelines=("III",)))
    table.wait(5_300_000)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    events = table.done("white", cmd.ClaimDraw(kind="quickplay", ground=ground))
    assert told in only(events, ev.Alerted)[-1].detail


@pytest.mark.law("L056", "L091", "L194")
@pytest.mark.parametrize(
    ("plan", "visually_disabled", "disabled", "scores_by_echo"),
    [
        (SeatPlan(SeatKind.TACTILE), True, True, True),
        (SeatPlan(SeatKind.TACTILE, echo_scores=False), True, True, False),
        (SeatPlan(SeatKind.LOW_VISION), True, True, False),
        (SeatPlan(SeatKind.SIGHTED), False, False, False),
        (SeatPlan(SeatKind.SIGHTED, hearing_impaired=True), False, True, False),
        (SeatPlan(SeatKind.SIGHTED, needs="a ramp"), False, True, False),
    ],
)
def test_for_whom_appendix_d_is_and_from_whom_no_time_is_taken_for_an_assistant(
    plan: SeatPlan, visually_disabled: bool, disabled: bool, scores_by_echo: bool
) -> None:
    found = (plan.visually_disabled, plan.disabled, plan.scores_by_echo)
    assert found == (visually_disabled, disabled, scores_by_echo)


def test_a_seat_has_devices_where_it_has_either_and_its_microphone_is_proven_station_by_station() -> None:
    assert [one.any for one in (SoundDevices(), SoundDevices("m"), SoundDevices(None, "h"))] == [False, True, True]
    assert [station_of_devices(seat) for seat in Seat] == [
        Station("device-white", Role.PLAYER, Seat.WHITE),
        Station("device-black", Role.PLAYER, Seat.BLACK),
    ]
    sound = SeatSound(headsets=(HeadsetCheck("white", True, -60.0, 1), HeadsetCheck("device-white", False, None, 1)))
    assert [sound.proven(name) for name in ("white", "device-white", "tablet")] == [True, False, False]


@pytest.mark.law("L074", "L198")
def test_the_times_after_a_ply_are_known_where_both_displays_were_read() -> None:
    table = CoreTable(control="60")
    table.wait(7_000)
    table.press("white")
    table.say("black", "e5", act="announce")
    assert Game.readings(table.state) == (ClockReading(53_000, 60_000, None), None), "the second is not completed"
    (first, _) = table.state.moves.plies
    halves = (msgspec.structs.replace(first, white_ms=None), msgspec.structs.replace(first, black_ms=None))
    assert Game.readings(altered(table.state, {"moves.plies": halves})) == (None, None)


REPORTS = {
    "flag": ("flag", Seat.WHITE),
    "touch": ("touch", Seat.BLACK),
    "irregularity": ("irregularity", None),
    "conduct": ("conduct", None),
    "noise": ("noise", None),
    "other": ("other", Seat.BLACK),
}


@pytest.mark.law("L139")
@pytest.mark.parametrize("kind", REPORTS)
def test_the_arbiter_hears_what_an_observer_reports_of_whom_and_in_whose_words(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.game.core_table.in_english", lambda event: event)
    table = CoreTable()
    table.own(cmd.Admit(station="observer", role=Role.OBSERVER))
    what, seat = REPORTS[kind]
    (told,) = only(table.done("observer", cmd.ReportToArbiter(kind=kind, seat=seat, text="seen")), ev.Alerted)
    of = saying(what) if seat is None else saying("of_seat", what=saying(what), who=seat)
    assert told.said == saying("reports", name="observer", what=of, text="seen")
    (told,) = only(table.own(cmd.ReportToArbiter(kind=kind, seat=seat)), ev.Alerted)
    assert told.said == saying("reports", name=saying("the_program"), what=of, text=saying("no_words"))
    assert (told.kind, told.grey) == ("observer_report", False)


@pytest.mark.parametrize("kind", ["flag", "touch"])
def test_a_flag_and_a_touch_are_somebodys(kind: Any) -> None:
    table = CoreTable()
    table.own(cmd.Admit(station="observer", role=Role.OBSERVER))
    assert table.do("observer", cmd.ReportToArbiter(kind=kind)) == Refusal("whose", "12.4")


@pytest.mark.parametrize("seat", list(Seat))
def test_the_language_of_the_door_is_the_seats_where_none_was_chosen(seat: Seat) -> None:
    table = CoreTable(stations=(), started=False)
    for language, speaks in (("", ""), ("hu", "hu"), ("de", "hu")):
        table.own(cmd.Admit(station=f"at-{language}", role=Role.PLAYER, seat=seat, language=language))
        assert [table.state.sound.of(one).ear.language for one in (seat, seat.other)] == [speaks, ""]


def test_a_touch_is_reported_in_a_ply_of_that_player_up_to_the_next() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    plies = {Seat.WHITE: {1: True, 2: False, 3: True, 5: False}, Seat.BLACK: {2: True, 3: False, 4: False}}
    rows = ((seat, ply, there) for seat, of in plies.items() for ply, there in of.items())
    for seat, ply, there in rows:
        refused = table.do("arbiter", cmd.ReportTouch(seat=seat, square="a2", how="touched", ply=ply))
        assert (refused != Refusal("no_such_ply", "4.3")) is there, (seat, ply)


def test_a_game_is_looked_through_as_long_as_the_arbiter_has_released_it() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    for released in (True, False):
        table.done("arbiter", cmd.ReleaseReview(released=released))
        assert table.state.scores.released is released


@pytest.mark.law("L136")
@pytest.mark.parametrize(
    ("body", "what"), [({"medical": True}, "medical"), ({}, "arbiter"), ({"reason": "noise"}, "arbiter")]
)
def test_who_calls_the_arbiter_hears_what_for(body: dict[str, Any], what: str) -> None:
    table = CoreTable()
    (called,) = only(table.done("white", cmd.CallArbiter(**body)), ev.ArbiterCalled)
    station = table.state.stations.find("white")
    assert station is not None and view(called, table.state, station) == msg.ActTaken(what=what)


@pytest.mark.law("L140")
@pytest.mark.parametrize(("stored", "given", "times"), [(0, 60_000, 0), (1, 60_000, 60_001), (1_000, -5_000, 1)])
def test_a_flag_that_was_down_stays_down_and_none_falls_by_going_back(stored: int, given: int, times: int) -> None:
    for side in (0, 1):
        then, now = [0, 0], [0, 0]
        now[side] = given
        state = msgspec.structs.replace(CoreTable().state.time, given=tuple(now))
        reading = ClockReading(stored, stored, None)
        after = state.with_what_was_given(reading, (then[0], then[1]))
        assert [after.white_ms, after.black_ms][side] == times and [after.white_ms, after.black_ms][1 - side] == stored


def test_an_alert_is_settled_once_and_one_that_is_filed_or_unknown_not_at_all() -> None:
    table = CoreTable()
    table.done("white", cmd.CallArbiter(stop=False))
    (number,) = [one.number for one in table.state.rulings.unsettled]
    settled = Refusal("alert_settled", "12.2")
    assert table.do("arbiter", cmd.SettleAlert(numbers=(number + 1,), how="acknowledged")) == settled
    events = table.done("arbiter", cmd.SettleAlert(numbers=(number, number, 99), how="acknowledged"))
    assert only(events, ev.AlertSettled) == [ev.AlertSettled(at=table.now, numbers=(number,), how="acknowledged")]
    assert table.do("arbiter", cmd.SettleAlert(numbers=(number,), how="acknowledged")) == settled


@pytest.mark.law("L192")
def test_who_asks_for_the_article_after_the_end_hears_that_of_the_end() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled", article="11.4"))
    (told,) = only(table.done("white", cmd.Ask(what="article", refused="no_offer", article="9.1")), ev.Answered)
    assert (told.refused, told.article) == ("ended.ruled", "11.4")
