"""What a press brings about, event by event: made, completed, boards, scores, and what the arbiter is told (6.2.1)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.clock import time_text
from server.game.values.speech import Speech
from server.game.values.words import ClockMaster, Duty, Mode, Origin, Role, Seat, SeatKind
from tests.game.core_table import CoreTable, altered, play, said

W, B = Seat.WHITE, Seat.BLACK
T = 1_000
FULL = 5_430_000  # what both displays show at first; a move brings 30 s
INC = 30_000


def pressed(seat: Seat, ply: int, *, effective: bool = True, held: str = "", at: int = T) -> ev.ClockPressed:
    return ev.ClockPressed(at=at, seat=seat, ply=ply, effective=effective, held=held)


def made(seat: Seat, ply: int, origin: Origin = Origin.DECLARED, at: int = T) -> ev.Made:
    return ev.Made(at=at, seat=seat, ply=ply, origin=origin)


def completed(
    seat: Seat, ply: int, white: int | None, black: int | None, origin: Origin = Origin.DECLARED, at: int = T
) -> ev.Completed:
    return ev.Completed(at=at, seat=seat, ply=ply, origin=origin, white_ms=white, black_ms=black)


def moved(board: Seat, ply: int, uci: str, origin: Origin = Origin.DECLARED, at: int = T) -> ev.BoardMoved:
    return ev.BoardMoved(at=at, board=board, ply=ply, uci=uci, origin=origin)


def carried_out(board: Seat, ply: int, uci: str, at: int = T) -> list[ev.AnyEvent]:
    """By the time of the next move the opponent's stands on a player's board (D.2.1)."""
    return [
        ev.Executed(at=at, board=board, ply=ply, origin=Origin.INFERRED),
        moved(board, ply, uci, Origin.INFERRED, at),
    ]


def written(
    seat: Seat, index: int, text: str, utterance: str | None = None, source: str = "announcement", at: int = T
) -> ev.ScoreWritten:
    return ev.ScoreWritten(at=at, seat=seat, index=index, text=text, source=source, utterance=utterance)


def alert(
    kind: str, ply: int, detail: str, *, grey: bool = True, utterance: str | None = None, at: int = T
) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=grey, detail=detail, utterance=utterance)


@pytest.mark.law("L049", "L182", "L190", "L194")
def test_a_tactile_and_a_sighted_players_press() -> None:
    table = CoreTable()
    table.say("white", "e4", utterance="u1")
    table.wait(4_000)
    assert list(table.press("white")) == [
        made(W, 1, at=5_000),
        pressed(W, 1, at=5_000),
        completed(W, 1, FULL - 4_000 + INC, FULL, at=5_000),
        moved(W, 1, "e2e4", at=5_000),
        written(W, 1, "e4", "u1", at=5_000),
    ]
    table.wait(1_000)
    table.say("black", "e4")
    table.say("black", "e5", utterance="u2")
    table.wait(1_000)
    assert list(table.press("black")) == [
        *carried_out(B, 1, "e2e4", at=7_000),
        made(B, 2, Origin.INFERRED, at=7_000),
        pressed(B, 2, at=7_000),
        completed(B, 2, FULL - 4_000 + INC, FULL - 2_000 + INC, at=7_000),
        moved(B, 2, "e7e5", at=7_000),
    ], "no sensor says that the sighted player's move is made; and no program writes that player's score"


@pytest.mark.law("L190", "L194")
def test_a_press_of_which_no_word_was_understood() -> None:
    """It is a move all the same; the sound is the tactile player's entry, and of silence there is none (D.2.7)."""
    table = CoreTable()
    table.mumble("white", "u1")
    unheard = alert("unheard", 1, "no announcement was understood", utterance="u1")
    assert list(table.press("white")) == [
        made(W, 1),
        pressed(W, 1),
        completed(W, 1, FULL + INC, FULL),
        written(W, 1, "", "u1"),
        unheard,
    ]
    play(table, "e5")
    premature = "pressed with no announcement heard (D.2.3.3, D.2.4; 6.2.4 or 7.5.3)"
    assert list(table.press("white")) == [
        *carried_out(W, 2, "e7e5"),
        made(W, 3),
        pressed(W, 3),
        completed(W, 3, FULL + 2 * INC, FULL + INC),
        alert("unheard", 3, "no announcement was understood"),
        alert("premature_press", 3, premature),
    ]


def test_an_echo_that_was_only_a_sound_is_the_tactile_players_entry_too() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.say("white", "e4")
    table.press("white")
    table.mumble("black", "u5")
    table.say("black", "e5", act="announce")
    assert list(table.press("black")) == [
        *carried_out(B, 1, "e2e4"),
        written(B, 1, "", "u5", "echo"),
        made(B, 2),
        pressed(B, 2),
        completed(B, 2, FULL + INC, FULL + INC),
        moved(B, 2, "e7e5"),
        written(B, 2, "e5"),
    ]


@pytest.mark.law("L193", "L049")
@pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
@pytest.mark.parametrize(("ago", "known"), [(0, True), (3_000, True), (3_001, False)])
def test_with_another_clock_the_times_are_those_just_read_off_it(master: ClockMaster, ago: int, known: bool) -> None:
    table = CoreTable(master=master)
    table.say("white", "e4")
    assert list(table.press("white"))[:3] == [
        made(W, 1),
        pressed(W, 1, effective=False),
        completed(W, 1, None, None),
    ], "nothing was read off it"
    table.done("arbiter", cmd.ReadClock(white_ms=7_000, black_ms=8_000))
    table.wait(ago)
    table.say("black", "e5", act="announce")
    white, black = (7_000, 8_000) if known else (None, None)
    assert completed(B, 2, white, black, at=T + ago) in table.press("black")


@pytest.mark.law("L052")
def test_a_forgotten_press_comes_before_the_replying_players() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.enter("black", "e7e5", "e5")
    assert list(table.press("black")) == [pressed(B, 2, effective=False)]
    assert list(table.press("white")) == [
        pressed(W, 1),
        completed(W, 1, FULL + INC, FULL),
        moved(W, 1, "e2e4"),
        written(W, 1, "e4"),
    ]
    assert list(table.press("black")) == [pressed(B, 2), completed(B, 2, FULL + INC, FULL + INC)]
    assert list(table.press("black", 2)) == [], "a press about a ply that is completed: acknowledged"
    assert list(table.press("black", 1)) == [pressed(B, 2, effective=False)], "not this player's ply"


@pytest.mark.law("L052")
@pytest.mark.parametrize(
    ("about", "ply"), [(None, 1), (1, 1), (2, 1), (3, 3), (4, 1)], ids=["nothing", "last", "other", "next", "beyond"]
)
def test_which_move_a_press_is_about_after_a_forgotten_one(about: int | None, ply: int) -> None:
    """White has forgotten to press, Black has replied; nothing was said since."""
    table = CoreTable()
    table.say("white", "e4")
    table.enter("black", "e7e5", "e5")
    assert pressed(W, ply) in table.press("white", about)
    assert (table.state.made_plies, table.ply(1).completed) == (3 if ply == 3 else 2, True)


@pytest.mark.law("L052")
@pytest.mark.parametrize(("about", "ply"), [(None, 3), (1, 1), (2, 1), (3, 3), (4, 3)])
@pytest.mark.parametrize("understood", [True, False])
def test_who_has_spoken_the_next_move_presses_for_that(about: int | None, ply: int, understood: bool) -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.enter("black", "e7e5", "e5")
    table.say("white", "e5", act="echo")
    if understood:
        table.say("white", "Nf3")
    else:
        table.mumble("white", "u1")
    assert pressed(W, ply) in table.press("white", about)
    assert table.state.made_plies == (3 if ply == 3 else 2)


@pytest.mark.law("L052")
def test_a_press_while_nothing_can_be_pressed_is_noted_and_no_more() -> None:
    idle = CoreTable(started=False)
    paused = CoreTable()
    paused.say("white", "e4")
    paused.done("arbiter", cmd.Pause())
    over = CoreTable()
    over.say("white", "e4")
    over.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    for table in (idle, paused, over):
        ply = table.state.made_plies
        for seat in Seat:
            assert list(table.press(seat.value)) == [pressed(seat, ply, effective=False)]
    waiting = CoreTable()
    assert list(waiting.press("black")) == [pressed(B, 0, effective=False)], "it is White's move"
    desk = CoreTable(master=ClockMaster.MANUAL)
    desk.done("arbiter", cmd.OpenDesk())
    assert list(desk.press("white")) == [
        pressed(W, 0, effective=False),
        alert("press_without_move", 0, "White pressed the clock during the reconciliation (D.2.9)", grey=False),
    ]


@pytest.mark.law("L052")
def test_a_press_without_a_word_is_a_move_where_the_opponent_has_no_clock_key_here() -> None:
    """Nobody else can press for Black's move, which White has repeated."""
    table = CoreTable(stations=(W,))
    play(table, "e4")
    table.say("white", "e5")
    assert list(table.press("white"))[:5] == [
        *carried_out(W, 2, "e7e5"),
        made(W, 3),
        pressed(W, 3, effective=False),
        completed(W, 3, FULL + INC, FULL),
    ]


@pytest.mark.law("L243")
def test_under_the_short_rules_only_the_press_finishes_a_move() -> None:
    table = CoreTable(rule_set="short")
    table.say("white", "e4")
    table.say("black", "e4", act="echo")
    table.say("black", "e5", act="announce")
    table.say("white", "Nf3", act="announce")
    assert list(table.press("black")) == [pressed(B, 2, effective=False)]
    assert list(table.press("white")) == [
        alert("not_finished", 1, "White moves again without having pressed the clock after the last move", grey=False),
        moved(W, 1, "e2e4"),
        *carried_out(W, 2, "e7e5"),
        made(W, 3),
        pressed(W, 3),
        completed(W, 1, FULL + INC, FULL, Origin.INFERRED),
        written(W, 1, "e4"),
        completed(W, 3, FULL + INC, FULL),
        moved(W, 3, "g1f3"),
        written(W, 3, "Nf3"),
    ]
    assert list(table.press("white")) == [pressed(W, 3, effective=False)]


@pytest.mark.law("L078", "L080")
@pytest.mark.parametrize("repeated", [False, True])
def test_an_illegal_move_is_told_at_the_press_and_is_certain_once_the_opponent_repeated_it(repeated: bool) -> None:
    table = CoreTable()
    table.say("white", "Ke3", utterance="u1")
    if repeated:
        table.say("black", "Ke3", act="echo")
    done = table.press("white")
    told = alert("not_legal", 1, "e1 to e3, as announced, is not legal here", grey=not repeated, utterance="u1")
    assert list(done) == [
        *([] if repeated else [made(W, 1)]),
        pressed(W, 1),
        completed(W, 1, FULL + INC, FULL),
        moved(W, 1, "e1e3"),
        written(W, 1, "Ke3", "u1"),
        told,
    ]


def test_words_that_leave_two_knights_open_move_no_board_and_the_arbiter_is_told() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    table.say("white", "Nf3", utterance="u1")
    assert list(table.press("white")) == [
        made(W, 1),
        pressed(W, 1),
        completed(W, 1, FULL + INC, FULL),
        alert("board_not_followed", 1, "the move on White's board is not known"),
        written(W, 1, "Nf3", "u1"),
        alert("unresolved", 1, "the announcement does not fit exactly one move", utterance="u1"),
    ]


def test_where_the_program_is_only_a_clock_it_judges_no_move() -> None:
    table = CoreTable()
    table.mode(Mode.CLOCK)
    table.say("white", "Ke3")
    assert list(table.press("white")) == [
        made(W, 1),
        pressed(W, 1),
        completed(W, 1, FULL + INC, FULL),
        moved(W, 1, "e1e3"),
        written(W, 1, "Ke3"),
    ]


def announcing(charge: str = "mover") -> CoreTable:
    """In relay, and the machine is speaking White's move into Black's ear; one second has gone by."""
    table = CoreTable(started=False)
    table.adapt("machine_announces")
    table.adapt("announcement_charge", charge)
    table.done("arbiter", cmd.StartGame())
    table.done("arbiter", cmd.SetMode(mode=Mode.RELAY))
    table.say("white", "e4")
    table.own(cmd.NoteSpeaking(seat=B, utterance="a1"))
    table.wait(1_000)
    return table


def waited(ms: int, at: int, charge: str = "mover") -> ev.AnnouncementWaited:
    return ev.AnnouncementWaited(at=at, seat=W, ply=1, ms=ms, charge=charge)


@pytest.mark.law("L191")
@pytest.mark.parametrize("charge", ["mover", "none"])
def test_a_press_held_for_the_announcement_waits_for_no_other_press(charge: str) -> None:
    table = announcing(charge)
    at = 2_000
    assert list(table.press("white")) == [
        made(W, 1, at=at),
        pressed(W, 1, held=charge, at=at),
        completed(W, 1, FULL - 1_000 + (INC if charge == "none" else 0), FULL, at=at),
        moved(W, 1, "e2e4", at=at),
        written(W, 1, "e4", at=at),
    ]
    table.wait(500)
    assert list(table.press("white")) == [pressed(W, 1, effective=False, at=2_500)], "it is pressed already"
    table.wait(200)
    left = FULL - 1_000 + INC - (700 if charge == "mover" else 0)
    assert list(table.press("black")) == [
        waited(700, 2_700, charge),
        *carried_out(B, 1, "e2e4", at=2_700),
        made(B, 2, Origin.INFERRED, at=2_700),
        pressed(B, 2, at=2_700),
        completed(B, 2, left, FULL + INC, at=2_700),
        alert("unheard", 2, "no announcement was understood", at=2_700),
    ]


@pytest.mark.law("L191")
def test_a_held_press_waits_for_no_stop() -> None:
    stops: list[cmd.AnyAct] = [
        cmd.Pause(),
        cmd.SetClock(white_ms=1_000, black_ms=1_000, turn=W),
        cmd.SetClockMaster(clock_master=ClockMaster.MANUAL),
        cmd.RuleResult(result="1-0", reason="ruled"),
        cmd.RestoreTo(ply=0),
    ]
    for body in stops:
        table = announcing()
        table.press("white")
        table.wait(500)
        assert table.done("arbiter", body)[0] == waited(500, 2_500), body
        assert table.state.time.held is None
    table = announcing()
    table.press("white")
    table.wait(500)
    assert list(table.done("arbiter", cmd.NoteIncident(kind="noise", text="x"))) == [
        ev.IncidentNoted(at=2_500, kind="noise", seat=None, ply=1, text="x", article="")
    ]
    assert table.state.time.held is not None, "what stops no clock ends no wait"


INTERRUPTED = [  # the witness; the held press counts as heard after so many ms, White's and Black's time, used in it
    (2_100, 100, FULL - 1_100 + INC, FULL, 0),
    (None, 0, FULL - 1_000 + INC, FULL, 0),
    (100, 0, FULL - 1_000 + INC, FULL, 0),
    (2_400, 400, FULL - 1_400 + INC, FULL, 0),
]


def stopped(white_ms: int, black_ms: int) -> str:
    """What the arbiter is told after a stop of 7 ms: the times at the last sign of life, to the second."""
    clocks = f"White {time_text(white_ms)}, Black {time_text(black_ms)}"
    stand = f"the clocks show the times at which the program was last known to be running: {clocks}"
    return f"the program was stopped; {stand}; up to 0:00:01 cannot be accounted for"


@pytest.mark.law("L066")
@pytest.mark.parametrize(("witness", "ms", "white", "black", "used"), INTERRUPTED)
def test_a_held_press_takes_effect_at_the_last_witness(
    witness: int | None, ms: int, white: int, black: int, used: int
) -> None:
    table = announcing()
    table.press("white")
    table.wait(500)
    gone = cmd.NoteInterruption(witness_ms=witness, uncertain_ms=7, reason="the_program_was_stopped")
    assert list(table.own(gone)) == [
        waited(ms, 2_000 + ms),
        ev.Interrupted(
            at=2_500,
            white_ms=white,
            black_ms=black,
            turn=B,
            uncertain_ms=7,
            reason="the_program_was_stopped",
            move_ms=used,
        ),
        alert("interrupted", 1, stopped(white, black), grey=False, at=2_500),
    ]


@pytest.mark.law("L066")
@pytest.mark.parametrize(("witness", "used"), [(None, 0), (500, 0), (1_000, 0), (3_000, 2_000), (6_000, 5_000)])
def test_the_clocks_stand_at_the_last_witness_and_that_is_no_matter_of_hearing(witness: int | None, used: int) -> None:
    table = CoreTable()
    table.wait(5_000)
    assert list(
        table.own(cmd.NoteInterruption(witness_ms=witness, uncertain_ms=7, reason="the_program_was_stopped"))
    ) == [
        ev.Interrupted(
            at=6_000,
            white_ms=FULL - used,
            black_ms=FULL,
            turn=W,
            uncertain_ms=7,
            reason="the_program_was_stopped",
            move_ms=used,
        ),
        alert("interrupted", 0, stopped(FULL - used, FULL), grey=False, at=6_000),
    ]
    assert (
        list(table.own(cmd.NoteInterruption(witness_ms=witness, uncertain_ms=7, reason="the_program_was_stopped")))
        == []
    )
    idle = CoreTable(started=False)
    assert (
        list(idle.own(cmd.NoteInterruption(witness_ms=witness, uncertain_ms=7, reason="the_program_was_stopped"))) == []
    )


@pytest.mark.law("L049")
def test_an_assistants_press_is_the_players() -> None:
    table = CoreTable()
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=W, duties=(Duty.SCORE_AND_CLOCK,)))
    table.say("white", "e4")
    assert pressed(W, 1) in table.press("helper")


@pytest.mark.law("L240")
def test_after_a_claim_has_ended_play_a_press_moves_nothing() -> None:
    """Also where another clock leads, and Black's move was said before (III.6.1)."""
    table = CoreTable(control="5400", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    table.say("white", "e4")
    table.press("white")
    table.done("arbiter", cmd.SetClock(white_ms=60_000, black_ms=60_000, turn=B))
    table.done("black", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    assert table.state.draws.concluded is not None
    for seat in Seat:
        assert list(table.press(seat.value)) == [pressed(seat, 1, effective=False)]


@pytest.mark.law("L191")
def test_a_player_who_owes_the_announcement_presses_in_vain() -> None:
    """The arbiter has settled it so: the clock went back to the player who pressed and did not speak (G1)."""
    table = CoreTable()
    table.adapt("sighted_press_without_announcement", "clock_back")
    table.say("white", "e4")
    table.press("white")
    table.press("black")
    assert (table.state.time.owed, table.state.time.clock.running) == (B, B)
    assert list(table.press("black")) == [pressed(B, 2, effective=False)]


@pytest.mark.law("L191")
def test_where_the_arbiter_wants_it_no_clock_starts_before_the_sighted_player_has_spoken() -> None:
    table = CoreTable()
    table.adapt("sighted_press_needs_announcement")
    table.say("white", "e4")
    table.press("white")
    detail = "Black pressed before announcing: the player's own time runs on until the announcement and the press (D.1)"
    assert list(table.press("black")) == [
        pressed(B, 2, effective=False),
        alert("unannounced_press", 2, detail, grey=False),
    ]
    table.say("black", "e5", act="announce")
    assert pressed(B, 2) in table.press("black")


@pytest.mark.law("L046")
def test_a_key_at_the_display_is_the_players_own_press_and_no_yes() -> None:
    """Who is asked whether the resignation was meant, and presses, has not said yes."""
    table = CoreTable(started=False)
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    table.done("arbiter", cmd.LearnPressKeys(at="display"))
    table.done("display", cmd.TellPressKeys(white="F1", black="F2"))
    table.done("arbiter", cmd.StartGame())
    table.say("white", "e4")
    table.done("white", cmd.Propose(what="resign"))
    assert table.state.ending.pending_of(W) is not None
    assert list(table.done("display", cmd.PressKey(key="F1")))[:3] == [
        ev.ProposalSettled(at=T, seat=W, what="resign", outcome="dropped"),
        made(W, 1),
        pressed(W, 1),
    ]
    table.done("black", cmd.Propose(what="resign"))
    helper = table.assistant(W, Duty.SCORE_AND_CLOCK)
    assert list(table.press(helper)) == [pressed(W, 1, effective=False)], "another player's act drops nothing"
    assert table.state.ending.pending_of(B) is not None


@pytest.mark.law("L046", "L121")
def test_a_question_that_nobody_answered_has_lapsed_before_the_next_command_is_heard() -> None:
    table = CoreTable()
    table.done("white", cmd.Propose(what="resign"))
    asked = table.state.ending.pending_of(W)
    assert asked is not None
    noted = cmd.NoteIncident(kind="noise", text="x")
    table.now = asked.until_ms
    assert [type(one) for one in table.done("arbiter", noted)] == [ev.IncidentNoted]
    table.now += 1
    lapsed = ev.ProposalSettled(at=table.now, seat=W, what="resign", outcome="lapsed")
    assert table.done("arbiter", noted)[0] == lapsed


@pytest.mark.law("L176")
@pytest.mark.parametrize(
    ("white", "black", "refused"),
    [
        (SeatKind.TACTILE, SeatKind.SIGHTED, False),
        (SeatKind.LOW_VISION, SeatKind.SIGHTED, False),
        (SeatKind.TACTILE, SeatKind.LOW_VISION, True),
        (SeatKind.SIGHTED, SeatKind.SIGHTED, True),
    ],
)
def test_two_boards_are_demanded_where_one_player_sees_and_one_does_not(
    white: SeatKind, black: SeatKind, refused: bool
) -> None:
    for seat in Seat:
        table = CoreTable(white=white, black=black)
        found = table.do(seat.value, cmd.DemandTwoBoards())
        if refused:
            assert found == Refusal("two_boards_for_others", "D.1")
        else:
            assert found == (ev.TwoBoardsDemanded(at=T, seat=seat),)


@pytest.mark.law("L101", "L110")
def test_the_intended_move_may_be_shown_on_the_claimants_station_and_moves_nothing() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    table.done("white", cmd.ClaimDraw(kind="repetition", awaits=True))
    entered = cmd.EnterMove(uci="g1f3", announcement=said("Nf3"), words=("Nf3",), text="Nf3")
    wordless = cmd.EnterMove(uci="g1f3")
    assert table.do("white", wordless) == Refusal("claim_open", "9.5.1")
    stated = ev.IntendedStated(at=T, seat=W, speech=Speech(announcement=said("Nf3"), words=("Nf3",), text="Nf3"))
    assert table.done("white", entered)[0] == stated
    assert table.do("white", entered) == Refusal("claim_open", "9.5.1"), "said already"
    assert table.state.moves.plies == () and table.placement(W) == CoreTable().placement(W)


@pytest.mark.law("L090")
@pytest.mark.parametrize(
    ("marks", "said_text", "text"),
    [
        (((W, 1),), "e4", "e4 (=)"),
        (((W, 1),), "", "(=)"),
        (((W, 1),), "e4 (=)", "e4 (=)"),
        (((B, 1),), "e4", "e4"),
        (((W, 2),), "e4", "e4"),
    ],
)
def test_a_dictated_cell_gets_the_mark_of_the_offer_that_its_player_spoke_of(
    marks: tuple[tuple[Seat, int], ...], said_text: str, text: str
) -> None:
    """What a player writes at the station stays as it was written (8.1.5)."""
    table = CoreTable()
    table.done("white", cmd.Say(announcement=said("e4"), words=("e4",), text=said_text, origin=Origin.HEARD))
    table.state = altered(table.state, {"draws.offer_marks": marks})
    assert written(W, 1, text) in table.press("white")
    again = cmd.WriteScore(index=1, text="e2e4")
    assert written(W, 1, "e2e4", source="station") in table.done("white", again)


HAND = "Black's board shows e7 to e6, announced: e5 (1.3, D.2.1)"
AT_THE_PRESS = "pressed while Black's board shows e7 to e6, announced: e5 (D.2.9)"
REPEATED = "Black's board shows e7 to e6, the opponent repeated: e5 (D.2.1)"


def after_e4() -> CoreTable:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    return table


@pytest.mark.law("L182", "L197")
@pytest.mark.parametrize(("origin", "echoed"), [(Origin.HEARD, False), (Origin.HEARD, True), (Origin.ENTERED, False)])
def test_a_hand_that_places_another_move_is_the_arbiters_to_know_at_once_and_at_the_press(
    origin: Origin, echoed: bool
) -> None:
    """It is certain where the words were typed or the opponent repeated them (1.3, D.2.1, D.2.9)."""
    table = after_e4()
    table.say("black", "e5", act="announce", utterance="u1", origin=origin)
    if echoed:
        table.say("white", "e5", act="echo")
    grey = origin is Origin.HEARD and not echoed
    placed = ev.BoardMoved(at=T, board=B, ply=2, uci="e7e6", origin=Origin.ENTERED, differs=True)
    told = alert("board_differs", 2, HAND, grey=grey, utterance="u1")
    first = [] if echoed else [*carried_out(B, 1, "e2e4"), made(B, 2, Origin.ENTERED)]
    assert list(table.enter("black", "e7e6")) == [*first, placed, told]
    assert list(table.press("black")) == [
        pressed(B, 2),
        completed(B, 2, FULL + INC, FULL + INC),
        alert("board_differs", 2, AT_THE_PRESS, grey=grey, utterance="u1"),
    ]


@pytest.mark.law("L182", "L197")
@pytest.mark.parametrize("late", [False, True])
def test_an_echo_of_other_words_than_the_hand_placed_is_told_with_the_sound_of_the_echo(late: bool) -> None:
    """Nothing was heard of the mover: what the opponent repeated is all there is, and its sound can be listened to."""
    table = after_e4()
    table.enter("black", "e7e6")
    press = [pressed(B, 2), completed(B, 2, FULL + INC, FULL + INC)]
    if late:
        assert list(table.press("black")) == press
    heard = list(table.say("white", "e5", utterance="u7", act="echo"))
    assert heard[1:] == [alert("board_differs", 2, REPEATED, utterance="u7"), written(W, 2, "e5", "u7", "echo")]
    if not late:
        assert list(table.press("black")) == [*press, alert("board_differs", 2, AT_THE_PRESS, utterance="u7")]


@pytest.mark.law("L079")
def test_the_piece_that_the_arbiter_has_put_there_stands_on_the_other_board_too() -> None:
    table = CoreTable(fen="4k3/P7/8/8/8/8/7p/4K3 w - - 0 1")
    play(table, "a8")
    table.done("arbiter", cmd.Mend(ply=1, uci="a7a8r"))
    table.say("black", "a8", act="echo")
    assert list(table.done("black", cmd.Execute())) == [
        ev.Executed(at=T, board=B, ply=1, origin=Origin.DECLARED),
        moved(B, 1, "a7a8r"),
    ]


def test_words_that_come_after_the_press_bring_board_score_and_alerts_up_to_date() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    table.press("white")
    assert list(table.say("white", "Ke3", utterance="u3"))[1:] == [
        moved(W, 1, "e1e3"),
        written(W, 1, "Ke3", "u3"),
        alert("not_legal", 1, "e1 to e3, as announced, is not legal here", utterance="u3"),
    ]
    other = CoreTable()
    other.mumble("white", "u1")
    other.press("white")
    other.say("black", "d4", act="echo", utterance="u2")
    assert list(other.say("white", "e4", utterance="u3"))[1:] == [
        written(W, 1, "e4", "u3"),
        alert("echo_differs", 1, "announcement and repetition differ (D.2.1)", utterance="u3"),
    ], "the boards stand as the echo had them; the arbiter is told"
    sighted = CoreTable(white=SeatKind.SIGHTED)
    sighted.mumble("white", "u1")
    sighted.press("white")
    assert list(sighted.say("white", "e4", utterance="u3"))[1:] == [moved(W, 1, "e2e4")], "no program writes that score"


@pytest.mark.law("L182")
def test_a_move_that_cannot_be_carried_out_leaves_the_board_as_it_was() -> None:
    table = after_e4()
    before = table.state.moves.black_board
    assert list(table.done("black", cmd.Execute(uci="e5e6"))) == [
        ev.Executed(at=T, board=B, ply=1, origin=Origin.DECLARED),
        alert("board_not_followed", 1, "the move on Black's board is not known"),
    ]
    assert table.state.moves.black_board == before


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
AFTER_D4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"


@pytest.mark.law("L197")
@pytest.mark.parametrize(("placement", "before"), [(AFTER_E4, START), (AFTER_D4, None)])
@pytest.mark.parametrize("board", list(Seat))
def test_a_board_that_is_set_knows_what_stood_there_before_the_last_move_if_it_shows_that_move(
    placement: str, before: str | None, board: Seat
) -> None:
    table = after_e4()
    stands = ev.BoardSet(
        at=T, board=board, placement=placement, turn=B, origin=Origin.ENTERED, through=1, before=before
    )
    assert table.done("arbiter", cmd.SetBoard(board=board, placement=placement, turn=B))[0] == stands
    unknown = CoreTable()
    unknown.mumble("white", "u1")
    unknown.press("white")
    stands = replace(stands, before=None)
    assert unknown.done("arbiter", cmd.SetBoard(board=board, placement=placement, turn=B))[0] == stands
    found = after_e4()
    found.state = altered(
        found.state, {"moves.line": (None,)}
    )  # only the position was settled at the desk, not the move
    assert found.done("arbiter", cmd.SetBoard(board=board, placement=placement, turn=B))[0] == stands
