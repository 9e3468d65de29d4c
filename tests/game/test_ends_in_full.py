"""Ends that come by themselves: what the arbiter is told, word by word, once, and how sure it is (5.1, 5.2, 9.6)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts.program import PlyBelieved
from server.game.belief import belief_question
from server.game.decide.endings import _is_closed, end_after
from server.game.decide.touch import obligation_of
from server.game.state.line import PlyRecord
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidate
from server.game.values.position import UNKNOWN, Position
from server.game.values.words import ClockMaster, Origin, Seat, SeatKind
from tests.game.core_table import CoreTable, altered, only, play, said

OF_ENDS = (
    "checkmate", "dead_position", "ended_before", "fivefold", "flags_called", "perhaps_dead", "resigned",
    "seventy_five_moves", "stalemate",
)  # fmt: skip
ROOM = "3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1"  # Rb8 mates
KNIGHTS = (("g1f3", "Nf3"), ("g8f6", "Nf6"), ("f3g1", "Ng1"), ("f6g8", "Ng8"))
MATE = "checkmate on the server's board (5.1.1) since move 2 (White): 1-0"
DEAD = "neither side can mate by any series of legal moves (5.2.2) since move 1 (White): 1/2-1/2"
STALEMATE = "stalemate on the server's board (5.2.1) since move 1 (White): 1/2-1/2"
CLOSED = "no pawn can move since move 1 (White); whether either side can still mate is not proved (5.2.2)"
VOID_AFTER = "; everything later is void"
Told = tuple[str, int, bool, str]


def told(events: Any) -> list[Told]:
    """What the arbiter is told of ends: kind, ply, whether it rests on words, in which words."""
    return [(one.kind, one.ply, one.grey, one.detail) for one in only(events, ev.Alerted) if one.kind in OF_ENDS]


@pytest.mark.law("L028", "L045", "L046", "L112")
@pytest.mark.parametrize(
    ("fen", "touched", "move", "found"),
    [
        (
            "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
            "f6",
            "Qg6",
            (
                "stalemate",
                "if the move stands, stalemate on the server's board (5.2.1) since move 1 (White): 1/2-1/2, "
                "g1 to g6 was made, the touched piece allows only "
                "f6 to f7, f6 to e7, f6 to g6, f6 to e6, f6 to g5, f6 to f5, f6 to e5 (4.3.1)",
            ),
        ),
        (
            "7k/8/8/8/8/8/3r4/3BK3 w - - 0 1",
            "d1",
            "Kd2",
            (
                "dead_position",
                (
                    f"if the move stands, {DEAD}, e1 to d2 was made, the touched piece allows "
                    "only d1 to h5, d1 to g4, d1 to a4, d1 to f3, d1 to b3, d1 to e2, d1 to c2 (4.3.1)"
                ),
            ),
        ),
        (  # 9.6 does not ask how the moves were made
            "4k3/8/8/8/8/8/4P3/R3K3 w - - 149 100",
            "e2",
            "Ra2",
            (
                "seventy_five_moves",
                "75 moves by each player without a pawn move or a capture (9.6.2) since move 1 (White): 1/2-1/2"
                + VOID_AFTER,
            ),
        ),
    ],
)
def test_an_end_by_a_move_names_the_touch_that_asked_for_another_one(
    fen: str, touched: str, move: str, found: tuple[str, str]
) -> None:
    table = CoreTable(fen=fen, white=SeatKind.SIGHTED)
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square=touched, how="lifted"))
    table.say("white", move, act="announce", utterance="u7")
    alerts = [one for one in only(table.press("white"), ev.Alerted) if one.kind in OF_ENDS]
    assert alerts == [ev.Alerted(at=table.now, kind=found[0], ply=1, grey=True, detail=found[1], utterance="u7")], (
        "with the sound of the move"
    )


@pytest.mark.law("L043", "L112")
@pytest.mark.parametrize("entered", [True, False])
def test_a_resignation_after_a_mate_that_a_touch_speaks_against_is_void_if_the_move_stands(entered: bool) -> None:
    table = CoreTable(fen=ROOM, white=SeatKind.SIGHTED)
    play(table, "Kg2 Ke8")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="a7", how="lifted"))
    if entered:
        table.enter("white", "b1b8", "Rb8")
    else:
        table.say("white", "Rb8", act="announce")
    table.press("white")
    (told_of,) = told(table.done("black", cmd.Resign()))
    void = "void if the move stands" + ("" if entered else ", unconfirmed (speech)")
    assert told_of[:3] == ("resigned", 3, False) and told_of[3].startswith(f"Black resigns; {void}: {MATE}, b1 to b8")


@pytest.mark.law("L008", "L045", "L046")
@pytest.mark.parametrize(
    ("fen", "move", "found"),
    [
        ("4k3/8/8/8/8/8/3p4/4KN2 w - - 0 1", "Kd2", ("dead_position", DEAD + VOID_AFTER)),
        ("4k3/8/8/8/8/8/3p4/2B1KN2 w - - 0 1", "Kd2", None),  # bishop and knight mate the bare king
        ("4k2n/8/8/8/8/8/3p4/4KN2 w - - 0 1", "Kd2", None),  # a knight each: one may shut in its own king
        ("4k2q/8/8/8/8/8/3p4/4K3 w - - 0 1", "Kd2", None),
        ("4k3/8/8/8/8/8/3r4/3BK3 b - - 0 1", "Rd7", None),
        # Every pawn is locked, and no king can pass.
        ("8/5k2/p1p1p1p1/P1P1P1P1/8/4K3/8/8 w - - 0 1", "Kf3", ("dead_position", DEAD + VOID_AFTER)),
        # Every legal move leaves kings and bishops of one colour, or kings alone.
        ("8/1q6/8/8/7k/8/8/K7 b - - 0 1", "Qb2", ("dead_position", DEAD + VOID_AFTER)),
        ("8/1q6/8/8/7k/8/8/K7 b - - 0 1", "Qb3", ("stalemate", STALEMATE + VOID_AFTER)),
        ("8/1q6/8/8/8/8/3k4/K7 b - - 0 1", "Qb5", None),
        ("8/1q6/8/8/8/8/3k4/K7 b - - 0 1", "Qb2", ("dead_position", DEAD + VOID_AFTER)),
        ("7k/1q6/8/8/8/3B1B2/8/K2B1B2 b - - 0 1", "Qb2", ("dead_position", DEAD + VOID_AFTER)),
        ("8/8/8/8/7k/r7/8/1K6 b - - 0 1", "Ra2", None),  # the king may take, and may go away
        # No pawn can move, and only kings and bishops stand beside them.
        ("7b/8/4k3/p7/8/4K3/P7/8 w - - 0 1", "a4", ("perhaps_dead", CLOSED)),
        ("8/p7/4k3/8/P7/4K3/8/8 b - - 0 1", "a5", ("perhaps_dead", CLOSED)),
        ("8/8/4k3/p7/8/4K3/P7/7R w - - 0 1", "a4", None),
        ("7q/8/4k3/p7/8/4K3/P7/8 w - - 0 1", "a4", None),
        ("8/7p/4k3/p7/8/4K3/P7/8 w - - 0 1", "a4", None),  # a black pawn is free
        ("8/p7/4k3/7p/P7/4K3/8/8 b - - 0 1", "a5", None),
        ("8/p7/4k3/8/P7/4K3/7P/8 b - - 0 1", "a5", None),  # a white one
        ("8/8/4k3/p7/8/4K3/P6P/8 w - - 0 1", "a4", None),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg6", ("stalemate", STALEMATE + VOID_AFTER)),
    ],
)
def test_what_is_dead_what_may_be_and_what_is_not_and_a_stalemate(
    fen: str, move: str, found: tuple[str, str] | None
) -> None:
    table = CoreTable(fen=fen)
    play(table, move)
    assert told(table.events) == ([] if found is None else [(found[0], 1, True, found[1])])


@pytest.mark.law("L046")
def test_of_closed_pawns_the_arbiter_is_told_once_and_again_when_they_close_anew() -> None:
    table = CoreTable(fen="8/8/4k3/p7/8/4K3/P7/8 w - - 0 1")
    play(table, "a4 Kd6 Kd3 Kd5")
    assert told(table.events) == [("perhaps_dead", 1, True, CLOSED)]


@pytest.mark.law("L112", "L113")
@pytest.mark.parametrize("heard", [None, 0, 1, 13, 14, 15])
def test_a_fivefold_repetition_rests_on_words_where_any_of_its_moves_does(heard: int | None) -> None:
    """Every move counts for it: one that was only heard makes it doubtful; else its own press makes it sure."""
    table = CoreTable(white=SeatKind.SIGHTED)
    for number, (uci, text) in enumerate(KNIGHTS * 4):
        seat = table.state.on_move.value
        if number == heard:
            table.say(seat, text, act="announce")
        else:
            table.enter(seat, uci, text)
        table.press(seat)
    detail = "the same position for the fifth time (9.6.1) since move 8 (Black): 1/2-1/2" + VOID_AFTER
    doubtful, sure = ("fivefold", 16, True, detail), ("fivefold", 16, False, detail)
    assert told(table.events) == ([doubtful, sure] if heard is None else [doubtful])


@pytest.mark.law("L043")
def test_a_mate_rests_on_its_own_move_alone() -> None:
    """What was only heard before it does not make it doubtful, as it would a repetition."""
    table = CoreTable(fen=ROOM, white=SeatKind.SIGHTED)
    play(table, "Kg2 Ke8")
    made = table.enter("white", "b1b8", "Rb8")
    assert told(made) == [("checkmate", 3, True, MATE + VOID_AFTER)], "not pressed yet"
    assert told(table.press("white")) == [("checkmate", 3, False, MATE + VOID_AFTER)]


@pytest.mark.law("L133", "L182")
@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({}, True),
        ({"entered": "e2e4"}, False),
        ({"mended": "e2e4"}, False),
        ({"announcement": Announcement(to_square="e4")}, True),
        ({"announcement": Announcement(to_square="e4"), "echo_agrees": False}, True),
        ({"announcement": Announcement(to_square="e4"), "echo_agrees": True}, False),
        ({"echo_agrees": True}, True),
        ({"entered": "e2e4", "hand_differs": True}, False),
        ({"entered": "e2e4", "hand_differs": True, "echo_agrees": True}, True),
    ],
)
def test_two_sources_or_a_hand_or_the_arbiter_make_a_move_more_than_words(known: dict[str, Any], words: bool) -> None:
    assert PlyRecord(1, Seat.WHITE, **known).rests_on_words is words


@pytest.mark.law("L104", "L133")
def test_after_a_move_that_nobody_understood_the_server_does_not_know_the_position() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    table.press("white")
    claimed = table.done("black", cmd.ClaimDraw(kind="repetition"))
    lost = "the server does not know the position; check the players' scores (9.2, 9.3)"
    assert only(claimed, ev.Alerted)[-1].detail == f"Black claims a draw (repetition): {lost}"


@pytest.mark.law("L043", "L044")
def test_where_the_server_has_lost_the_thread_it_knows_of_no_mate_that_came_before() -> None:
    table = CoreTable(fen=ROOM)
    play(table, "Kg2 Ke8 Rb8")
    table.done("arbiter", cmd.MarkOutOfStep())
    unknown = "unknown, the server does not know the position"
    assert told(table.done("black", cmd.Resign())) == [
        ("resigned", 3, False, f"Black resigns; can White still mate? The arbiter decides (5.1.2): {unknown}")
    ]


@pytest.mark.law("L043", "L234")
def test_both_flags_called_after_a_mate_are_void() -> None:
    table = CoreTable(fen=ROOM, master=ClockMaster.MANUAL)
    play(table, "Kg2 Ke8 Rb8")
    called = table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True))
    assert told(called) == [
        ("flags_called", 3, False, f"the fall of both flags has been called: void, unconfirmed (speech): {MATE}")
    ]


@pytest.mark.law("L043", "L064")
@pytest.mark.parametrize(
    ("why", "station", "body"),
    [
        ("flag_called", "arbiter", cmd.CallFlag(seat=Seat.WHITE)),
        ("flags_called", "arbiter", cmd.CallFlag(seat=Seat.WHITE, both=True)),
        ("time_claimed", "black", cmd.ClaimTime()),
        ("resigned", "white", cmd.Resign()),
    ],
)
def test_a_mate_that_is_made_after_the_game_was_over_on_time_or_resigned_ends_nothing(
    why: str, station: str, body: cmd.AnyAct
) -> None:
    table = CoreTable(fen=ROOM, control="60", mates=False, white=SeatKind.SIGHTED)
    for move in ("Kg2", "Ke8"):
        table.wait(61_000)
        play(table, move)
    table.own(cmd.NoteInstant())
    table.done(station, body)
    assert [one.why for one in table.state.ending.mate_questions] == [why]
    made = table.enter("white", "b1b8", "Rb8")
    assert table.state.made_plies == 3 and told(made) == [], "that came before it"


@pytest.mark.law("L043", "L050")
def test_the_result_of_the_mate_completes_it_with_the_times_of_then() -> None:
    table = CoreTable(fen=ROOM, white=SeatKind.SIGHTED)
    play(table, "Kg2 Ke8")
    table.enter("white", "b1b8", "Rb8")
    table.wait(40)
    at = table.now
    ending = cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1")
    assert table.done("arbiter", ending) == (
        ev.Completed(at=at, seat=Seat.WHITE, ply=3, origin=Origin.INFERRED, white_ms=5_459_960, black_ms=5_460_000),
        ev.GameEnded(at=at, result="1-0", reason="checkmate", article="5.1.1"),
    )


@pytest.mark.law("L050")
@pytest.mark.parametrize(
    ("prepared", "result"),
    [("mate", "0-1"), ("quiet", "1-0"), ("lost", "1-0"), ("pressed", "1-0"), ("nothing", "1-0")],
)
def test_no_other_result_completes_a_move(prepared: str, result: Any) -> None:
    table = CoreTable(fen=ROOM, white=SeatKind.SIGHTED)
    if prepared != "nothing":
        play(table, "Kg2 Ke8")
        table.enter("white", "b1b7" if prepared == "quiet" else "b1b8", "Rb7" if prepared == "quiet" else "Rb8")
    if prepared == "pressed":
        table.press("white")
    if prepared == "lost":
        table.done("arbiter", cmd.MarkOutOfStep())
    events = table.done("arbiter", cmd.RuleResult(result=result, reason="ruled"))
    assert not only(events, ev.Completed) and table.state.ending.result == result


@pytest.mark.law("L043")
def test_a_move_that_is_announced_and_not_pressed_is_no_end_by_itself() -> None:
    table = CoreTable(fen=ROOM)
    play(table, "Kg2 Ke8")
    announced = table.say("white", "Rb8", act="announce")
    assert told(announced) == [], "at the tactile board a move is made by the press (D.2.3)"
    assert told(table.press("white")) == [("checkmate", 3, True, MATE + VOID_AFTER)]


@pytest.mark.law("L043", "L046")
def test_once_dead_it_stays_dead_and_a_mend_may_bring_out_an_earlier_ply() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3p4/3BK3 w - - 0 1")
    play(table, "Ke2 Ke7 Kd3")
    assert told(table.events) == [("perhaps_dead", 1, True, CLOSED)]
    mended = table.done("arbiter", cmd.Mend(ply=1, uci="e1d2"))
    assert told(mended) == [("dead_position", 1, False, DEAD + VOID_AFTER)], "the arbiter's own word is sure"
    play(table, "Kd7 Kd4")
    assert told(table.events)[1:] == told(mended)


@pytest.mark.law("L043", "L081", "L084")
@pytest.mark.parametrize(
    ("entered", "text", "doubt"),
    [("a7a8", "a8", ", the pawn of a7 to a8 became a queen under 7.5.2"), ("a7a8q", "a8=Q", "")],
)
def test_a_mate_by_a_queen_that_the_player_did_not_name_stands_with_its_move(
    entered: str, text: str, doubt: str
) -> None:
    table = CoreTable(fen="7k/P7/5K2/8/8/8/8/8 w - - 0 1", white=SeatKind.SIGHTED, black=SeatKind.SIGHTED)
    for uci, words in (("f6g6", "Kg6"), ("h8g8", "Kg8"), (entered, text)):
        station = table.state.on_move.value
        table.enter(station, uci, words)
        table.press(station)
    if doubt:
        table.done("arbiter", cmd.RuleIrregularity(ply=3, seat=Seat.WHITE, kind="unpromoted"))
    found = told(table.events)[-1]
    assert found == ("checkmate", 3, False, f"if the move stands, {MATE}{doubt}" if doubt else MATE + VOID_AFTER)


@pytest.mark.law("L043", "L081")
def test_the_ruling_that_a_queen_was_forced_speaks_against_a_mate_that_was_told_of_before() -> None:
    table = CoreTable(fen="7k/P7/6K1/8/8/8/8/8 w - - 0 1", white=SeatKind.SIGHTED)
    table.enter("white", "a7a8", "a8")
    table.press("white")
    mate = MATE.replace("move 2 (White)", "move 1 (White)")
    mended = table.done("arbiter", cmd.Mend(ply=1, uci="a7a8q"))
    assert told(mended) == [("checkmate", 1, False, mate + VOID_AFTER)]
    ruled = table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="unpromoted"))
    assert told(ruled)[-1] == (
        "checkmate", 1, False, f"if the move stands, {mate}, the pawn of a7 to a8 became a queen under 7.5.2",
    )  # fmt: skip


@pytest.mark.law("L043", "L028")
def test_a_ruling_that_says_nothing_of_the_mating_move_tells_nothing_anew() -> None:
    table = CoreTable(fen=ROOM)
    play(table, "Kg2 Ke8 Rb8")
    ruled = table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="two_hands"))
    assert told(ruled) == []
    quiet = CoreTable(fen=ROOM)
    play(quiet, "Kg2")
    quiet.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="d8", how="lifted"))
    assert told(quiet.done("arbiter", cmd.RuleTouch(number=1, counts=False))) == [], "there is no end at all"


@pytest.mark.law("L046", "L113")
def test_each_end_is_told_though_another_was_told_before_it_and_dead_is_told_again_when_it_is_sure() -> None:
    table = CoreTable(fen="8/8/8/8/8/1k6/8/R3K3 w - - 149 100", black=SeatKind.SIGHTED)
    play(table, "Ra2")
    table.enter("black", "b3a2", "Ka2")
    table.press("black")
    counted = "75 moves by each player without a pawn move or a capture (9.6.2) since move 1 (White): 1/2-1/2"
    dead = DEAD.replace("move 1 (White)", "move 1 (Black)")
    assert told(table.events) == [
        ("seventy_five_moves", 1, True, counted + VOID_AFTER),
        ("dead_position", 2, True, dead + VOID_AFTER),
        ("dead_position", 2, False, dead + VOID_AFTER),
    ]


@pytest.mark.law("L043", "L051")
def test_a_mate_becomes_sure_by_a_late_press_also_after_the_next_move() -> None:
    table = CoreTable(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", white=SeatKind.SIGHTED, master=ClockMaster.MANUAL)
    mate = MATE.replace("move 2 (White)", "move 1 (White)") + VOID_AFTER
    assert told(table.enter("white", "a1a8", "Ra8")) == [("checkmate", 1, True, mate)]
    play(table, "Kh8")
    assert table.state.made_plies == 2
    table.press("white")
    assert told(table.events) == [("checkmate", 1, True, mate), ("checkmate", 1, False, mate)]


@pytest.mark.law("L043", "L064")
def test_the_first_of_two_flags_that_were_called_says_what_came_too_late() -> None:
    table = CoreTable(fen=ROOM, mates=False, white=SeatKind.SIGHTED, master=ClockMaster.MANUAL)
    play(table, "Kg2 Ke8")
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    table.enter("white", "b1b8", "Rb8")
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    assert [one.ply for one in table.state.ending.mate_questions] == [2, 3]
    table.press("white")
    assert table.ply(3).completed and told(table.events) == []


@pytest.mark.law("L043", "L189")
def test_a_mate_is_told_with_the_sound_of_its_own_move_and_an_announced_one_is_not_yet_made() -> None:
    table = CoreTable(fen=ROOM, master=ClockMaster.MANUAL, mates=False)
    play(table, "Kg2 Ke8")
    table.say("white", "Rb8", act="announce", utterance="u9")
    before = table.state
    alerts = only(table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE)), ev.Alerted)
    assert [one.ply for one in alerts if one.kind == "ended_before"] == [3]
    table.state = before
    (mate,) = [one for one in only(table.press("white"), ev.Alerted) if one.kind == "checkmate"]
    assert mate.utterance == "u9"
    unclear = CoreTable(fen=ROOM, master=ClockMaster.MANUAL, mates=False)
    unclear.say("white", "Nb8", act="announce")
    alerts = only(unclear.done("arbiter", cmd.CallFlag(seat=Seat.WHITE)), ev.Alerted)
    assert [one.kind for one in alerts] == ["flag_called"], "no such piece is there"


@pytest.mark.law("L043", "L081")
@pytest.mark.parametrize(
    ("entered", "text", "named"),
    [(None, "a8=Q", True), (None, "a8", False), ("a7a8q", "a8", True), ("a7a8", "a8", False)],
)
def test_a_queen_that_was_named_or_set_down_was_not_forced(entered: str | None, text: str, named: bool) -> None:
    table = CoreTable(fen="7k/P7/6K1/8/8/8/8/8 w - - 0 1", white=SeatKind.SIGHTED)
    if entered is None:
        table.say("white", text, act="announce")
    else:
        table.enter("white", entered, text)
    table.press("white")
    table.done("arbiter", cmd.Mend(ply=1, uci="a7a8q"))
    ruled = table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="unpromoted"))
    against = [one for one in told(ruled) if one[3].startswith("if the move stands, ")]
    assert bool(against) is not named


@pytest.mark.law("L043", "L133")
@pytest.mark.parametrize(
    ("second", "third", "revised", "found"),
    [
        ("Kc8", "Rb8", ((2, "d8e8"),), [3]),  # from c8 the king could have taken
        ("Ke8", "Rc1", ((3, "b1b8"),), [3]),
        ("Kc8", "Rc1", ((2, "d8e8"), (3, "b1b8")), [3]),
        ("Ke8", "Rc1", ((2, "d8c8"),), []),
        ("Kc8", "Kh2", ((1, "b1b8"), (3, "g1f2")), [1]),  # it had ended before the others
    ],
)
def test_a_mate_that_a_revised_belief_brings_out_is_told_with_its_own_ply(
    second: str, third: str, revised: tuple[tuple[int, str], ...], found: list[int]
) -> None:
    table = CoreTable(fen=ROOM)
    for number, text in enumerate(("Kg2", second, third)):
        station = "black" if number % 2 else "white"
        ways = (Candidate.of(said(text), 0.7),)
        table.say(station, text, act="announce", utterance=f"u{number}", candidates=ways)
        table.press(station)
    question = belief_question(table.state)
    assert question is not None and told(table.events) == []
    plies = tuple(PlyBelieved(ply=ply, uci=uci, confidence=0.9) for ply, uci in revised)
    events = table.own(cmd.NoteBelief(about=question.digest, plies=plies))
    mates = {ply: MATE.replace("move 2", f"move {(ply + 1) // 2}") + VOID_AFTER for ply in found}
    assert told(events) == [("checkmate", ply, True, detail) for ply, detail in mates.items()]


@pytest.mark.law("L112")
def test_no_end_and_no_obligation_is_looked_for_in_a_position_that_is_not_known() -> None:
    """The moves of a settled line may stand on a position that the server does not know (found by `make fuzz`)."""
    table = CoreTable(fen=ROOM)
    rules, before = table.state.table.rules, Position.from_fen(ROOM)
    mated = before.after("b1b8")
    end = end_after((before, mated), rules, "b1b8")
    assert end is not None and end.kind == "checkmate"
    assert end_after((UNKNOWN, mated), rules, "b1b8") is None
    assert end_after((before, UNKNOWN), rules, "b1b8") is None
    assert not _is_closed(UNKNOWN)
    play(table, "Kf2")
    lost = altered(table.state, {"moves.positions": (before, UNKNOWN)})
    assert obligation_of(lost, 2) is None
