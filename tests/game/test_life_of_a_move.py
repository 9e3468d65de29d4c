"""Announced, made, completed, echoed, executed: five moments, each with its time and its origin."""

from __future__ import annotations

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Origin, Seat, SeatKind
from tests.game.core_table import CoreTable, kinds, only, said


def pressed(table: CoreTable, text: str, station: str = "white") -> None:
    table.say(station, text)
    table.press(station)


@pytest.mark.law("L005", "L049", "L182", "L189", "L190")
def test_five_moments_have_their_own_times_and_origins() -> None:
    table = CoreTable()
    table.wait(4_000)
    table.say("white", "e4", at_ms=2_500)
    assert (table.ply(1).announced_ms, table.ply(1).announced_origin) == (2_500, Origin.HEARD), "the time of the sound"
    assert not table.ply(1).made and not table.ply(1).completed
    table.wait(1_000)
    events = table.press("white")
    assert only(events, ev.Made)[0].origin is Origin.DECLARED, "the press declares D.2.3.1-3 done"
    assert (table.ply(1).made_ms, table.ply(1).completed_ms) == (6_000, 6_000)
    table.wait(2_000)
    table.say("black", "e4")
    assert table.ply(1).echoed_ms == 8_000 and table.ply(1).echo_agrees is True
    assert table.ply(1).executed_ms is None
    table.wait(500)
    table.done("black", cmd.Execute())
    assert table.ply(1).executed_ms == 8_500
    assert only(tuple(table.events), ev.Executed)[0].origin is Origin.DECLARED


@pytest.mark.law("L004")
@pytest.mark.parametrize(("fen", "first"), [
    (chess.STARTING_FEN, Seat.WHITE),
    ("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1", Seat.BLACK),
])  # fmt: skip
def test_white_begins_or_whom_the_start_names_and_they_move_alternately(fen: str, first: Seat) -> None:
    """1.1 and 1.2: also the clock of that player is the first to run (6.6), and nobody makes two moves in a row."""
    table = CoreTable(fen=fen, white=SeatKind.SIGHTED)
    assert table.state.on_move is table.state.time.clock.running is first
    uci = {Seat.WHITE: ("e2e4", "e1d1"), Seat.BLACK: ("e7e5", "e8d8")}
    events = table.enter(first.other.value, uci[first.other][0])
    assert [one.kind for one in only(events, ev.Alerted)] == ["entry_out_of_turn"] and not table.state.moves.plies
    table.enter(first.value, uci[first][0])
    table.press(first.value)
    assert table.state.on_move is table.state.time.clock.running is first.other
    events = table.enter(first.value, uci[first][1])
    assert [one.kind for one in only(events, ev.Alerted)] == ["entry_out_of_turn"] and len(table.state.moves.plies) == 1
    table.enter(first.other.value, uci[first.other][0])
    table.press(first.other.value)
    assert table.state.moves.line == (uci[first][0], uci[first.other][0]) and table.state.on_move is first


@pytest.mark.law("L005", "L189")
@pytest.mark.parametrize("by", ["press", "echo", "own announcement", "own entry"])
def test_made_is_inferred_at_the_earliest_sign(by: str) -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.wait(3_000)
    if by == "press":
        table.press("white")
    elif by == "echo":
        table.say("black", "e4")
    elif by == "own announcement":
        table.say("black", "e5", act="announce")
    else:
        table.enter("black", "e7e5", "e5")
    assert table.ply(1).made_ms == 4_000
    assert table.state.on_move is (Seat.WHITE if by == "own entry" else Seat.BLACK)
    made = only(tuple(table.events), ev.Made)[0]
    assert made.origin is (Origin.DECLARED if by == "press" else Origin.INFERRED)
    table.wait(1_000)
    table.press("white")
    assert table.ply(1).made_ms == 4_000, "a later sign changes nothing"


def test_a_differing_echo_makes_nothing() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.say("black", "d4")
    assert not table.ply(1).made and table.ply(1).echo_agrees is False
    assert only(tuple(table.events), ev.Alerted)[-1].kind == "echo_differs"


@pytest.mark.law("L195")
def test_a_slip_of_the_tongue_is_replaced_until_the_press_and_both_stay_on_record() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.say("white", "d4")
    first, second = only(tuple(table.events), ev.Announced)
    assert (first.replaces, second.replaces) == (False, True)
    assert table.ply(1).announcement == said("d4")
    table.say("black", "d4")  # made by the echo, not pressed: the window is still open
    table.say("white", "c4")
    assert table.ply(1).announcement == said("c4") and table.ply(1).echo is None, "the echo answered other words"
    table.press("white")
    assert table.state.moves.line == ("c2c4",) and table.score(Seat.WHITE) == ["c4"]


@pytest.mark.law("L195")
def test_the_window_closes_at_the_press_same_words_repeat_other_words_are_contested() -> None:
    table = CoreTable()
    pressed(table, "e4")
    assert kinds(table.say("white", "e4")) == ["AnnouncementRepeated"]
    assert kinds(table.say("white", "d4")) == ["Contested", "Alerted"]
    assert table.ply(1).announcement == said("e4") and table.ply(1).contested
    assert table.state.moves.line == ("e2e4",) and table.score(Seat.WHITE) == ["e4"]
    alert = only(tuple(table.events), ev.Alerted)[-1]
    assert (alert.kind, alert.grey) == ("contested", True)


def test_a_correction_takes_back_what_was_carried_out_for_the_slip() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.say("black", "e4")
    table.done("black", cmd.Execute())
    table.say("white", "d4")
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    table.say("black", "d4")
    table.done("black", cmd.Execute())
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"


def test_fuller_words_before_the_press_keep_the_echo_and_settle_the_piece() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    table.say("white", "Nf3")
    table.say("black", "Nf3")
    table.say("white", "Ng1f3")
    assert table.ply(1).echo == said("Nf3") and table.ply(1).echo_agrees is True
    table.press("white")
    assert table.state.moves.line == ("g1f3",)


def test_fuller_words_after_the_press_settle_the_piece_without_being_contested() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    pressed(table, "Nf3")
    assert table.state.moves.line == (None,), "two knights: unknown, and nobody is asked"
    assert kinds(table.say("white", "Ng1f3")) == ["AnnouncementRepeated", "BoardMoved"]
    assert table.state.moves.line == ("g1f3",)
    assert table.placement(Seat.WHITE) == "4k3/8/8/8/8/5N2/3N4/4K3", "White's own board followed"


def test_a_move_not_understood_is_a_move_and_its_repetition_after_the_press_is_no_contest() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    events = table.press("white")
    assert table.ply(1).completed and table.state.on_move is Seat.BLACK
    assert [alert.kind for alert in only(events, ev.Alerted)] == ["unheard"]
    assert table.state.scores.white[0] is not None and table.state.scores.white[0].utterance == "u1"
    events = table.say("white", "e4", utterance="u2")
    assert not only(events, ev.Contested)
    assert table.state.moves.line == ("e2e4",) and table.score(Seat.WHITE) == ["e4"]
    assert table.placement(Seat.WHITE) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    assert kinds(table.say("white", "d4")) == ["Contested", "Alerted"], "now other words are other words"


def test_a_late_announcement_is_held_against_the_echo_that_came_first() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    table.press("white")
    table.say("black", "d4")
    events = table.say("white", "e4")
    assert table.ply(1).echo_agrees is False
    assert "echo_differs" in [alert.kind for alert in only(events, ev.Alerted)]


def test_a_sound_of_the_waiting_player_before_the_first_move_is_no_move() -> None:
    table = CoreTable()
    table.mumble("black", "cough")
    assert table.state.moves.plies == ()
    table.say("black", "e5")
    assert table.state.moves.plies == () and table.state.on_move is Seat.WHITE


def test_the_first_sound_after_a_press_is_the_echo_the_second_the_own_move() -> None:
    table = CoreTable(white=SeatKind.TACTILE, black=SeatKind.TACTILE)
    pressed(table, "e4")
    table.mumble("black", "echo-sound")
    table.mumble("black", "move-sound")
    table.press("black")
    assert (table.ply(1).echo_utterance, table.ply(2).utterance) == ("echo-sound", "move-sound")
    cells = table.state.scores.black
    assert [cell.utterance if cell else None for cell in cells] == ["echo-sound", "move-sound"], (
        "the sounds are the score"
    )


def test_repeating_ones_completed_move_while_the_opponents_sound_is_not_understood_makes_nothing() -> None:
    table = CoreTable()
    pressed(table, "e4")
    table.say("black", "e4")
    table.mumble("black", "u1")
    assert kinds(table.say("white", "e4")) == ["AnnouncementRepeated"]
    assert not table.ply(2).made


@pytest.mark.parametrize("again", [True, False], ids=["said twice", "said once, then pressed"])
def test_an_own_move_said_without_an_echo_leaves_no_trace_as_an_echo(again: bool) -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    pressed(table, "e4")
    table.say("black", "Nf6")
    assert table.score(Seat.BLACK) == ["Nf6"], "taken for a wrong echo at first"
    if again:
        table.say("black", "Nf6")
    table.press("black")
    assert table.state.moves.line == ("e2e4", "g8f6")
    assert table.score(Seat.BLACK) == ["", "Nf6"] and table.ply(1).echo is None
    assert table.placement(Seat.BLACK) == "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR"


@pytest.mark.law("L052")
class TestLatePress:
    def test_made_reply_press_press_by_voice(self) -> None:
        table = CoreTable()
        table.say("white", "e4")
        table.say("black", "e4")
        table.say("black", "e5")
        table.wait(5_000)
        table.press("white")
        assert table.ply(1).completed and not table.ply(2).made
        table.press("black")
        assert table.ply(2).completed and table.state.time.clock.running is Seat.WHITE
        assert [table.state.time.clock.white.moves, table.state.time.clock.black.moves] == [1, 1]

    @pytest.mark.parametrize("about", [None, 1])
    def test_made_reply_press_press_by_entry_charges_the_late_presser(self, about: int | None) -> None:
        table = CoreTable(control="5400+30")
        table.say("white", "e4")
        table.enter("black", "e7e5", "e5")
        table.wait(7_000)
        events = table.press("white", about)
        assert "Made" not in kinds(events), "a late press is no new move"
        assert table.ply(1).completed and table.state.made_plies == 2
        assert (
            table.state.time.clock.time_used(Seat.WHITE, table.now) == 7_000
            and table.state.time.clock.running is Seat.BLACK
        )
        table.wait(1_000)
        table.press("black")
        assert table.ply(2).completed and table.state.time.clock.running is Seat.WHITE
        assert table.state.time.clock.time_used(Seat.BLACK, table.now) == 1_000

    def test_the_replying_players_press_waits_for_the_late_one(self) -> None:
        table = CoreTable()
        table.say("white", "e4")
        table.enter("black", "e7e5", "e5")
        table.press("black")
        assert table.state.time.clock.running is Seat.WHITE and not table.ply(2).completed
        table.press("white", 1)
        table.press("black", 2)
        assert table.ply(1).completed and table.ply(2).completed and table.state.time.clock.running is Seat.WHITE

    @pytest.mark.law("L051")
    def test_a_next_move_completes_the_one_never_pressed(self) -> None:
        table = CoreTable()
        table.say("white", "e4")
        table.enter("black", "e7e5", "e5")
        table.say("white", "e5", act="echo")
        table.say("white", "Nf3")
        events = table.press("white")
        assert table.ply(1).completed and table.ply(3).completed
        assert [done.origin for done in only(events, ev.Completed)] == [Origin.INFERRED, Origin.DECLARED]
        assert table.placement(Seat.WHITE) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"

    def test_a_press_about_a_completed_ply_is_acknowledged_and_ignored(self) -> None:
        table = CoreTable()
        pressed(table, "e4")
        before = table.state
        table.say("black", "e4")
        table.press("black")
        after = table.state
        assert table.press("white", 1) == () and table.state == after and before != after

    def test_a_press_beside_the_opponents_running_clock_makes_no_move_of_which_nothing_was_said(self) -> None:
        """White repeats Black's move and hits the own key: Black may still correct a slip (L195), and is to press."""
        table = CoreTable()
        pressed(table, "e4")
        table.say("black", "e4")
        table.say("black", "e5")
        table.say("white", "e5", act="echo")
        for about in (None, 3):
            events = table.press("white", about)
            assert kinds(events) == ["ClockPressed"] and not only(events, ev.ClockPressed)[0].effective
        assert table.state.made_plies == 2 and table.state.time.clock.running is Seat.BLACK
        table.press("black")
        assert table.ply(2).completed and table.state.time.clock.running is Seat.WHITE
        table.press("white")
        assert table.state.made_plies == 3, "a silent move is declared by the press of the clock that runs"

    def test_a_key_that_bounces_presses_nothing(self) -> None:
        table = CoreTable()
        pressed(table, "e4")
        events = table.press("white")
        assert kinds(events) == ["ClockPressed"] and not only(events, ev.ClockPressed)[0].effective
        assert table.state.time.clock.running is Seat.BLACK and table.state.made_plies == 1


@pytest.mark.law("L052")
@pytest.mark.parametrize("when", ["before the start", "paused", "after the end", "first to move", "not on move"])
@pytest.mark.parametrize("station", ["white", "black"])
def test_a_press_is_never_refused(when: str, station: str) -> None:
    table = CoreTable(started=when != "before the start")
    if when == "paused":
        table.done("arbiter", cmd.Pause())
    if when == "after the end":
        table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    assert not isinstance(table.do(station, cmd.Press()), Refusal)


@pytest.mark.law("L049", "L202")
def test_only_players_and_the_granted_assistant_press() -> None:
    table = CoreTable()
    other = table.assistant(Seat.BLACK, Duty.EXECUTE)
    granted = table.assistant(Seat.WHITE, Duty.SCORE_AND_CLOCK)
    assert table.do("arbiter", cmd.Press()) == Refusal("only_the_player", "12.6")
    assert table.do(other, cmd.Press()) == Refusal("not_your_duty", "D.2.10.3")
    table.say("white", "e4")
    table.press(granted)
    assert table.ply(1).completed


def test_words_that_name_no_move_are_refused_by_form_alone() -> None:
    for nothing in (
        {},
        {"piece": "knight"},
        {"from_square": "e2"},
        {"from_square": "e2", "to_square": "e2"},
        {"castling": "short", "to_square": "e4"},
    ):
        table = CoreTable()
        body = cmd.Say(announcement=Announcement(**nothing))  # type: ignore[arg-type]
        assert table.do("white", body) == Refusal("no_announcement", "D.2.1"), nothing
        heard = cmd.Say(announcement=Announcement(**nothing), origin=Origin.HEARD)  # type: ignore[arg-type]
        assert kinds(table.done("white", heard)) == ["NotUnderstood"], "a sound is never refused"


class TestEntering:
    def test_entered_wrongly_and_put_right_before_the_press(self) -> None:
        table = CoreTable()
        pressed(table, "e4")
        table.enter("black", "e7e6", "e6")
        table.enter("black", "e7e5", "e5")
        table.press("black")
        assert table.placement(Seat.BLACK) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
        assert table.state.moves.line == ("e2e4", "e7e5") and len(table.state.moves.plies) == 2

    def test_an_entry_from_an_empty_square_is_taken_and_told_to_the_arbiter_alone(self) -> None:
        table = CoreTable()
        pressed(table, "e4")
        events = table.enter("black", "e5e4")
        assert table.ply(2).made and [moved.ply for moved in only(events, ev.BoardMoved)] == [1]
        assert "board_not_followed" in [alert.kind for alert in only(events, ev.Alerted)]
        table.enter("black", "e7e5", "e5")  # put right before the press
        table.press("black")
        assert table.state.moves.line == ("e2e4", "e7e5") and table.state.made_plies == 2

    def test_a_move_spoken_and_then_entered_is_one_move(self) -> None:
        table = CoreTable()
        pressed(table, "e4")
        table.say("black", "e4")
        table.say("black", "e5")
        table.say("white", "e5")  # echo: made
        table.enter("black", "e7e5", "e5")
        assert table.state.made_plies == 2 and table.ply(2).entered == "e7e5"

    def test_an_entry_after_a_sound_that_was_not_understood_is_not_lost(self) -> None:
        table = CoreTable()
        table.mumble("white", "u1")
        table.enter("black", "e7e5", "e5")
        assert table.ply(1).made and table.ply(2).entered == "e7e5"

    def test_an_entry_in_reply_is_not_a_correction(self) -> None:
        table = CoreTable(white=SeatKind.SIGHTED)
        table.enter("white", "e2e4", "e4")
        table.say("black", "e5", act="announce")
        table.enter("white", "d2d4", "d4")
        assert [record.announcement for record in table.state.moves.plies] == [None, said("e5"), None]
        assert [record.entered for record in table.state.moves.plies] == ["e2e4", None, "d2d4"]
        assert table.placement(Seat.WHITE) == "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR"


def test_a_draw_offer_lapses_with_the_opponents_move_and_not_with_ones_own() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.done("white", cmd.OfferDraw())
    table.press("white")
    assert table.state.draws.offer_by is Seat.WHITE
    table.say("black", "e4")
    pressed(table, "e5", "black")
    assert table.state.draws.offer_by is None
    assert table.do("black", cmd.AnswerDraw(accept=True)) == Refusal("no_offer", "9.1.2.1")


@pytest.mark.law("L047")
def test_a_draw_needs_a_move_by_each() -> None:
    table = CoreTable()
    table.done("white", cmd.OfferDraw())
    assert table.do("black", cmd.AnswerDraw(accept=True)) == Refusal("a_move_each_first", "5.2.3")
    assert table.do("white", cmd.AnswerDraw(accept=True)) == Refusal("no_offer", "9.1.2.1"), "not one's own offer"


@pytest.mark.law("L182")
@pytest.mark.parametrize("heard", [False, True])
def test_a_differing_echo_is_grey_only_where_it_rests_on_recognised_words(heard: bool) -> None:
    table = CoreTable()
    table.say("white", "e4", origin=Origin.ENTERED)
    table.say("black", "e3", origin=Origin.HEARD if heard else Origin.ENTERED)
    (alert,) = [one for one in table.events if isinstance(one, ev.Alerted) and one.kind == "echo_differs"]
    assert alert.grey is heard


@pytest.mark.law("L182")
def test_the_first_move_of_an_opponent_without_any_station_is_made_by_the_echo() -> None:
    """White has no station and nothing to press: what Black repeats is White's move, the first one too (D.2.1)."""
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE, stations=(Seat.BLACK,))
    table.say("black", "e4")
    assert (table.ply(1).made, table.ply(1).echo) == (True, said("e4")) and table.state.on_move is Seat.BLACK
    assert not only(table.events, ev.Alerted)
    early = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE, stations=(Seat.BLACK,))
    early.say("black", "e5", act="announce")
    assert [one.kind for one in only(early.events, ev.Alerted)] == ["out_of_turn_speech"]
