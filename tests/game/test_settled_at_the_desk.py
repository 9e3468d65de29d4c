"""What the arbiter decides at the desk is the server's game (D.2.9): line, boards, times, counters; else it is said."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.restore import complained_of
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.laws.supervision import Supervision
from server.game.state.desk import Desk, Setting
from server.game.values.words import ClockMaster, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, only

GAME = "e4 e6 d4 Bb4"
"""As the server heard it; where a test says so, Black's first move was e5."""
E5 = ("e2e4", "e7e5", "d2d4", "f8b4")


def played(line: str = GAME, **more: Any) -> CoreTable:
    table = CoreTable(**more)
    for number, text in enumerate(line.split()):
        mover, other = ("black", "white") if number % 2 else ("white", "black")
        table.wait(1_000)
        table.say(mover, text, utterance=f"{mover}-{number}")
        table.press(mover)
        table.say(other, text, utterance=f"{other}-{number}")
    return table


def placement_after(moves: tuple[str, ...]) -> str:
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board.board_fen()


def decide(table: CoreTable, kind: Any, **more: Any) -> tuple[ev.AnyEvent, ...]:
    return table.done("arbiter", cmd.DecideDesk(kind=kind, **more))


def confirm(table: CoreTable) -> None:
    for board in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=board))
    table.done("arbiter", cmd.Resume())


def alerts(events: Any) -> list[str]:
    return [one.kind for one in only(events, ev.Alerted)]


def replayed(table: CoreTable) -> None:
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L198")
@pytest.mark.parametrize("named", ["moves", "placement"])
def test_back_goes_to_what_both_scores_have_and_not_to_what_the_server_heard(named: str) -> None:
    """Both scores have 1.e4 e5 and differ then; the server heard e6."""
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    wanted = E5[:2]
    given = {"moves": wanted} if named == "moves" else {"placement": placement_after(wanted)}
    (decision,) = only(decide(table, "back", verdict="differ", ply=2, **given), ev.DeskDecided)
    assert (decision.ply, decision.turn, decision.moves, decision.differs) == (2, Seat.WHITE, wanted, ())
    assert table.state.moves.line == wanted and decision.placement == placement_after(wanted)
    assert [(one.square, one.should_be) for one in decision.white if one.square[0] == "e"] == [
        ("e5", "p"),
        ("e6", None),
    ]
    confirm(table)
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) == placement_after(wanted)
    record = table.ply(2)
    assert (record.utterance, record.echo_utterance) == ("black-1", "white-1"), "its sounds stay with it"
    assert [[one.index for one in line] for line in table.state.moves.discarded] == [[3, 4]]
    table.say("white", "Nf3")
    assert "not_legal" not in alerts(table.press("white"))
    replayed(table)


@pytest.mark.law("L197")
def test_after_adjusting_a_misheard_line_a_legal_capture_is_legal() -> None:
    table = played("e4 e6 d4 d6")
    table.done("arbiter", cmd.OpenDesk())
    moves = (*E5[:3], "d7d6")
    decide(table, "adjust", verdict="same_record", moves=moves)
    confirm(table)
    assert table.state.moves.line == moves
    table.say("white", "d4e5")
    assert alerts(table.press("white")) == []
    assert table.state.moves.line[-1] == "d4e5"
    replayed(table)


@pytest.mark.law("L192", "L197")
@pytest.mark.parametrize(("echo", "told"), [("e6", ()), ("e5", ("e5",))])
def test_words_that_were_misheard_are_not_told_as_the_last_announcement(echo: str, told: tuple[str, ...]) -> None:
    """A player is told the words that they repeated rightly."""
    table = played("e4")
    table.say("black", "e6")
    table.press("black")
    table.say("white", echo)
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "adjust", verdict="same_record", moves=E5[:2])
    confirm(table)
    for seat, words in (("white", told), ("black", ("e4",))):
        (answered,) = only(table.done(seat, cmd.Ask(what="last")), ev.Answered)
        assert answered.words == words


@pytest.mark.law("L197")
@pytest.mark.parametrize("how", ["desk", "set_board"])
def test_nothing_is_executed_twice_on_a_board_that_was_set(how: str) -> None:
    """White has not repeated ...Bb4 yet; the arbiter sets both boards with it. It is not carried out once more."""
    table = CoreTable()
    for number, text in enumerate(["e4", "e6", "d4", "Bb4"]):
        mover, other = ("black", "white") if number % 2 else ("white", "black")
        table.say(mover, text)
        table.press(mover)
        if text != "Bb4":
            table.say(other, text)
    stands = placement_after(("e2e4", "e7e6", "d2d4", "f8b4"))
    assert table.placement(Seat.WHITE) != stands
    if how == "desk":
        table.done("arbiter", cmd.OpenDesk())
        decide(table, "adjust", verdict="same_record", placement=stands, turn=Seat.WHITE)
        confirm(table)
    else:
        table.done("arbiter", cmd.SetBoard(board=Seat.WHITE, placement=stands, turn=Seat.WHITE))
    table.say("white", "Bb4")
    table.say("white", "c3")
    done = table.press("white")
    assert not [one for one in only(table.events, ev.BoardMoved) if one.uci == "c8b4"] and alerts(done) == []
    assert table.placement(Seat.WHITE) == placement_after(("e2e4", "e7e6", "d2d4", "f8b4", "c2c3"))
    shown = view(done[-1], table.state, Station("d", Role.DISPLAY))
    shown = shown or view(only(done, ev.Completed)[0], table.state, Station("d", Role.DISPLAY))
    assert isinstance(shown, msg.Shown) and shown.placement == table.placement(Seat.WHITE)
    replayed(table)


@pytest.mark.law("L182")
def test_a_board_set_before_the_last_move_still_waits_for_it() -> None:
    table = played("e4 e5")
    table.done("arbiter", cmd.SetBoard(board=Seat.WHITE, placement=placement_after(("e2e4",)), turn=Seat.BLACK))
    assert table.ply(2).executed_ms is None and table.ply(1).own_board_moved
    table.say("white", "Nf3")
    table.press("white")
    assert table.placement(Seat.WHITE) == placement_after(("e2e4", "e7e5", "g1f3"))


@pytest.mark.law("L195")
def test_a_slip_of_the_tongue_after_a_board_was_set_goes_back_to_before_that_move() -> None:
    """`before` of a board that was set is the position without the last move on it."""
    table = played("e4 e5")
    table.say("white", "Nf3")
    table.say("black", "Nf3")
    table.done("arbiter", cmd.SetBoard(board=Seat.BLACK, placement="8/8/8/8/8/8/8/8", turn=Seat.BLACK))
    stands = placement_after(("e2e4", "e7e5", "g1f3"))
    table.done("arbiter", cmd.SetBoard(board=Seat.BLACK, placement=stands, turn=Seat.BLACK))
    assert table.state.moves.black_board.before.placement == placement_after(("e2e4", "e7e5"))
    table.say("white", "Nc3")
    assert table.placement(Seat.BLACK) == placement_after(("e2e4", "e7e5"))


@pytest.mark.law("L197")
def test_confirming_sets_whose_turn_it_is_on_that_board_too() -> None:
    table = played("e4")
    table.done("arbiter", cmd.SetBoard(board=Seat.BLACK, placement=placement_after(("e2e4",)), turn=Seat.WHITE))
    assert table.state.moves.black_board.position.turn is Seat.WHITE
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "adjust", moves=("e2e4",))
    table.done("arbiter", cmd.ConfirmBoard(board=Seat.BLACK))
    assert table.state.moves.black_board.position.turn is Seat.BLACK
    assert table.ply(1).executed_ms is not None


@pytest.mark.law("L197")
def test_the_turn_that_the_arbiter_gives_counts() -> None:
    """One ply of Black's was missed: the half-move must be named, or the moves."""
    table = played("e4")
    table.done("arbiter", cmd.OpenDesk())
    placement = placement_after(E5[:2])
    given: dict[str, Any] = {"kind": "adjust", "placement": placement, "turn": Seat.WHITE}
    assert table.do("arbiter", cmd.DecideDesk(**given)) == Refusal("turn_differs", "D.2.9")
    assert table.do("arbiter", cmd.DecideDesk(**given, ply=1)) == Refusal("turn_differs", "D.2.9")
    wrong = cmd.DecideDesk(kind="adjust", moves=E5[:2], turn=Seat.BLACK)
    assert table.do("arbiter", wrong) == Refusal("moves_lead_elsewhere", "D.2.9")
    (decision,) = only(table.done("arbiter", cmd.DecideDesk(**given, ply=2)), ev.DeskDecided)
    assert (decision.turn, decision.moves) == (Seat.WHITE, E5[:2]), "one legal move leads there"
    assert table.state.moves.line == E5[:2] and table.state.on_move is Seat.WHITE
    confirm(table)
    assert table.state.time.clock.running is Seat.WHITE and table.state.time.clock.black.moves == 1


@pytest.mark.law("L197")
def test_the_turn_and_the_half_move_that_the_arbiter_names_fit_together() -> None:
    table = played("e4 e5")
    table.done("arbiter", cmd.OpenDesk())
    wrong = cmd.DecideDesk(kind="adjust", placement=placement_after(E5[:2]), turn=Seat.WHITE, ply=1)
    assert table.do("arbiter", wrong) == Refusal("turn_differs", "D.2.9")


def test_a_server_that_was_marked_out_of_step_is_so_no_longer() -> None:
    table = played("e4 e6")
    table.done("arbiter", cmd.MarkOutOfStep(note="both have e5"))
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "mend", moves=E5[:2])
    assert not table.state.moves.out_of_step and table.state.moves.line == E5[:2]


@pytest.mark.parametrize(
    ("more", "refusal"),
    [
        ({"moves": ("e2e4", "e2e4")}, Refusal("no_such_move", "D.2.9")),
        ({"moves": ("e2e4", "g1f3")}, Refusal("no_such_move", "D.2.9")),
        ({"moves": E5, "ply": 3}, Refusal("moves_lead_elsewhere", "D.2.9")),
        ({"moves": E5, "placement": placement_after(E5[:2])}, Refusal("moves_lead_elsewhere", "D.2.9")),
        ({"placement": "8/8"}, Refusal("no_position", "D.2.9")),
        ({"moves": E5, "times": "typed", "white_ms": 1}, Refusal("no_typed_times", "D.2.9")),
        ({"moves": E5, "times": "typed", "black_ms": 1}, Refusal("no_typed_times", "D.2.9")),
    ],
)
def test_what_does_not_fit_together_is_refused(more: dict[str, Any], refusal: Refusal) -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    before = table.state
    assert table.do("arbiter", cmd.DecideDesk(kind="adjust", **more)) == refusal
    assert table.state == before


@pytest.mark.law("L198")
def test_at_the_desk_the_moves_go_back_over_an_illegal_move_that_stands() -> None:
    """Under basic supervision it stands (A.5.2); retracing the moves to where the scores agree is another matter."""
    options = EventOptions(supervision=Supervision.BASIC)
    table = played("e4 e5 Ke3 d6", control="600+5", regulations=options)
    assert table.do("arbiter", cmd.RestoreTo(ply=2)) == Refusal("illegal_move_stands", "A.5.2")
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "back", verdict="differ", ply=2)
    assert table.state.made_plies == 2 and len(table.state.moves.discarded[-1]) == 2


@pytest.mark.law("L197")
def test_where_only_the_position_is_known_it_stands_and_what_is_not_known_is_said() -> None:
    """Nobody kept a score in a blitz game (G5): the arbiter decides what stands, the game goes on from there."""
    table = played()
    stands = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R"
    table.done("arbiter", cmd.OpenDesk())
    decided = decide(table, "adjust", placement=stands, turn=Seat.WHITE, position_alone=True)
    (decision,) = only(decided, ev.DeskDecided)
    assert decision.moves is None and decision.differs == (ev.StillDiffers(what="line", ply=4),)
    assert alerts(decided) == ["desk_differs"] and not only(decided, ev.Alerted)[0].grey
    confirm(table)
    assert table.state.position is not None and table.state.position.placement == stands
    for number, text in enumerate(["Bb3", "Qe7", "O-O", "O-O-O"]):
        mover = "black" if number % 2 else "white"
        table.say(mover, text)
        assert alerts(table.press(mover)) == []
    assert table.state.moves.line[3:] == (None, "c4b3", "d7e7", "e1g1", "e8c8"), "Bb4 does not lead there"
    table.say("white", "Kh8")
    assert "not_legal" in alerts(table.press("white")), "the anchor is a position like any other"
    before = table.state
    table.done("arbiter", cmd.Mend(ply=2, uci="e7e5"))
    assert table.state.moves.positions[4:] == before.moves.positions[4:], (
        "what came before changes nothing that rests on it"
    )
    replayed(table)


@pytest.mark.law("L197")
def test_between_the_lost_thread_and_what_was_decided_nothing_is_known() -> None:
    table = played("e4 e5")
    for seat in ("white", "black", "white", "black"):
        table.wait(1_000)
        table.press(seat)  # four plies of which nothing was heard
    stands = placement_after(("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"))
    table.done("arbiter", cmd.OpenDesk())
    decided = decide(table, "mend", placement=stands, turn=Seat.WHITE, position_alone=True)
    assert only(decided, ev.DeskClosed)[0].differs == (ev.StillDiffers(what="line", ply=3),)
    assert [table.state.position_after(ply) is not None for ply in range(7)] == [True] * 3 + [False] * 3 + [True]
    table.done("arbiter", cmd.Resume())
    table.say("white", "Bc6")
    table.say("black", "Bc6", act="echo")
    assert alerts(table.press("white")) == [] and table.state.moves.line[-1] == "b5c6"
    refused = table.do("arbiter", cmd.RestoreTo(ply=4))
    assert refused == Refusal("position_not_known", "7.5.1")
    replayed(table)


@pytest.mark.law("L197")
def test_a_mend_that_one_board_contradicts_says_so() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=placement_after(("e2e4", "e7e6", "d2d4", "f8b4"))))
    table.done("arbiter", cmd.ShowBoard(board=Seat.BLACK, placement=placement_after(E5)))
    assert table.do("arbiter", cmd.DecideDesk(kind="mend")) == Refusal("no_position", "D.2.9"), "which of the two?"
    decided = decide(table, "mend", moves=E5)
    differs = (ev.StillDiffers(what="white", ply=4, squares=("e5", "e6")),)
    assert only(decided, ev.DeskDecided)[0].differs == only(decided, ev.DeskClosed)[0].differs == differs
    assert alerts(decided) == ["desk_differs"]
    assert table.placement(Seat.WHITE) != table.placement(Seat.BLACK) == placement_after(E5)


def test_a_desk_closed_without_a_decision_says_what_was_seen() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    for board in Seat:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=placement_after(E5)))
    closed = table.done("arbiter", cmd.CloseDesk())
    assert [(one.what, one.squares) for one in only(closed, ev.DeskClosed)[0].differs] == [
        ("white", ("e5", "e6")),
        ("black", ("e5", "e6")),
    ]
    assert alerts(closed) == ["desk_differs"] * 2 and table.state.moves.out_of_step, (
        "the boards agree: the server is wrong"
    )
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    assert only(table.done("arbiter", cmd.CloseDesk()), ev.DeskClosed)[0].differs == ()
    assert not table.state.moves.out_of_step


def test_a_desk_closed_before_the_boards_are_confirmed_says_which() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "adjust", moves=E5)
    table.done("arbiter", cmd.ConfirmBoard(board=Seat.WHITE))
    (closed,) = only(table.done("arbiter", cmd.CloseDesk()), ev.DeskClosed)
    assert [(one.what, one.squares) for one in closed.differs] == [("black", ("e5", "e6"))]
    assert table.state.setting is None


@pytest.mark.law("L198")
@pytest.mark.parametrize("kind", ["back", "adjust", "mend"])
@pytest.mark.parametrize("choice", [None, "stored", "typed", "leave"])
def test_the_times_are_chosen(kind: Any, choice: Any) -> None:
    table = played()
    table.wait(2_000)
    table.done("arbiter", cmd.OpenDesk())
    now = table.state.time.clock.reading(table.now)
    moves = E5[:2] if kind == "back" else E5
    typed = {"white_ms": 4_000_000, "black_ms": 3_000_000} if choice == "typed" else {}
    (decision,) = only(decide(table, kind, moves=moves, times=choice, **typed), ev.DeskDecided)
    meant = choice or ("stored" if kind == "back" else "leave")
    kept = table.ply(len(moves))
    wanted = {
        "stored": (kept.white_ms, kept.black_ms),
        "typed": (4_000_000, 3_000_000),
        "leave": (now.white_ms, now.black_ms),
    }[meant]
    assert decision.times == meant
    assert (decision.white_ms, decision.black_ms) == ((None, None) if meant == "leave" else wanted)
    reading = table.state.time.clock.reading(table.now)
    assert (reading.white_ms, reading.black_ms) == wanted
    made = len(moves) // 2
    assert (table.state.time.clock.white.moves, table.state.time.clock.black.moves) == (made, made)


@pytest.mark.law("L198")
@pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
def test_with_another_clock_the_times_are_what_was_read_off(master: ClockMaster) -> None:
    """3:20 and 4:05 were read long after the ply; 90:00 is nobody's time."""
    table = played("e4 e5 d4", master=master, stations=(Seat.WHITE, Seat.BLACK))
    assert (table.ply(2).white_ms, table.ply(2).black_ms) == (None, None)
    table.done("arbiter", cmd.OpenDesk())
    refused = table.do("arbiter", cmd.DecideDesk(kind="back", ply=2))
    assert refused == Refusal("no_stored_times", "7.1")
    left = Game.replay([*table.events])
    assert left.time.clock_read is None
    decided = decide(table, "back", ply=2, times="leave")
    assert only(decided, ev.ClockSet) == [] and only(decided, ev.DeskDecided)[0].white_ms is None
    table.done("arbiter", cmd.ReadClock(white_ms=200_000, black_ms=245_000))
    decided = decide(table, "back", ply=1)
    (decision,) = only(decided, ev.DeskDecided)
    assert (decision.times, decision.white_ms, decision.black_ms) == ("read", 200_000, 245_000)
    (clock,) = only(decided, ev.ClockSet)
    assert (clock.white_ms, clock.black_ms, clock.turn, clock.moves) == (200_000, 245_000, Seat.BLACK, (1, 0))
    table = played("e4 e5 d4", master=master)
    table.done("arbiter", cmd.ReadClock(white_ms=200_000, black_ms=245_000))
    table.done("arbiter", cmd.OpenDesk())
    (clock,) = only(decide(table, "mend", moves=E5), ev.ClockSet)
    assert (clock.white_ms, clock.moves) == (200_000, (2, 2)), "the moves of the game, which our clock did not count"


@pytest.mark.law("L198")
def test_a_missed_move_that_ends_a_period_brings_the_time_of_the_next_and_a_doubled_one_takes_it_again() -> None:
    table = played("e4 e5", control="2/600:300")
    table.done("arbiter", cmd.OpenDesk())
    before = table.state.time.clock.reading(table.now)
    decide(table, "mend", moves=("e2e4", "e7e5", "g1f3", "b8c6"))
    clock = table.state.time.clock
    after = clock.reading(table.now)
    assert (after.white_ms - before.white_ms, after.black_ms - before.black_ms) == (300_000, 300_000)
    assert (clock.white.period, clock.black.period, clock.white.moves, clock.black.moves) == (1, 1, 2, 2)
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "mend", moves=("e2e4", "e7e5"))
    assert table.state.time.clock.reading(table.now) == before
    assert (table.state.time.clock.white.period, table.state.time.clock.white.moves) == (0, 1)


@pytest.mark.law("L194", "L197")
def test_announcements_times_and_sounds_stay_with_the_move_that_they_belong_to() -> None:
    """Two plies were missed in the middle: what came after them moves on by two, cells of the dictated score too."""
    table = played("e4 e5 Bc4 Nf6")
    times = [(table.ply(n).white_ms, table.ply(n).black_ms) for n in (3, 4)]
    table.done("white", cmd.WriteScore(index=4, text="Nf6!"))
    table.done("arbiter", cmd.OpenDesk())
    moves = ("e2e4", "e7e5", "d2d3", "d7d6", "f1c4", "g8f6")
    (settled,) = only(decide(table, "adjust", moves=moves), ev.LineSettled)
    assert settled.records == (1, 2, 0, 0, 3, 4)
    assert [(table.ply(n).white_ms, table.ply(n).black_ms) for n in (5, 6)] == times
    assert [table.ply(n).utterance for n in (4, 5, 6)] == [None, "white-2", "black-3"]
    assert table.score(Seat.WHITE) == ["e4", "e5", "", "Nf6!", "Bc4"], (
        "what the player wrote stays where it was written"
    )
    assert table.ply(3).completed and table.ply(3).white_ms is None


@pytest.mark.law("L080")
def test_a_claim_that_nobody_has_answered_stays_with_the_move_that_it_is_about() -> None:
    table = played("e4 e5 Bc4 Nf6")
    table.done("black", cmd.ClaimIrregularity(kind="illegal"))
    assert complained_of(table.state) == 3
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "adjust", moves=("e2e4", "e7e5", "d2d3", "d7d6", "f1c4", "g8f6"))
    assert complained_of(table.state) == 5


@pytest.mark.law("L197")
def test_what_was_counted_too_much_is_kept_as_a_line_that_was_discarded() -> None:
    table = played("e4 e5")
    table.press("white")
    table.press("black")
    table.done("arbiter", cmd.OpenDesk())
    (settled,) = only(decide(table, "mend", moves=("e2e4", "e7e5")), ev.LineSettled)
    assert settled.records == (1, 2)
    assert [[one.index for one in line] for line in table.state.moves.discarded] == [[3, 4]]
    assert (table.state.time.clock.white.moves, table.state.time.clock.black.moves) == (1, 1)
    replayed(table)


@pytest.mark.law("L197")
def test_an_announcement_of_the_next_move_survives_the_desk() -> None:
    table = played("e4 e6")
    table.say("white", "d4")
    table.done("arbiter", cmd.OpenDesk())
    decide(table, "adjust", moves=E5[:2])
    assert table.state.made_plies == 2 and table.ply(3).announcement is not None
    confirm(table)
    table.press("white")
    assert table.state.moves.line == E5[:3] and table.placement(Seat.WHITE) == placement_after(E5[:3])


@pytest.mark.law("L197")
def test_the_display_shows_no_words_of_a_move_that_was_another_one() -> None:
    table = played("e4 e6")
    display = Station("d", Role.DISPLAY)
    table.done("arbiter", cmd.OpenDesk())
    decided = decide(table, "mend", moves=E5[:2])
    shown = [one for event in decided if (one := view(event, table.state, display)) is not None]
    assert shown and all(isinstance(one, msg.Shown) for one in shown)
    last = shown[-1]
    assert isinstance(last, msg.Shown)
    assert (last.placement, last.text, last.words) == (placement_after(E5[:2]), "", ())


def told(table: CoreTable, events: Any, station: str) -> list[Any]:
    at = table.state.stations.find(station)
    assert at is not None
    return [one for event in events if (one := view(event, table.state, at)) is not None]


@pytest.mark.law("L080")
def test_after_a_restoration_each_board_is_set_square_by_square() -> None:
    table = played("e4 e5 Nf3")
    table.done("arbiter", cmd.Pause())
    events = table.done("arbiter", cmd.RestoreTo(ply=2, reason="7.5.1"))
    (asked,) = only(events, ev.SquareAsked)
    assert (asked.seat, asked.square, asked.should_be, asked.number, asked.of) == (Seat.WHITE, "g1", "N", 1, 2)
    (wanted,) = only(events, ev.BoardsToSet)
    assert (wanted.because, wanted.ply) == ("restored", 2)
    assert [one.square for one in wanted.white] == ["g1", "f3"] and wanted.black == (), "not yet carried out there"
    assert msg.SquareToSetNow(square="g1", should_be="N", number=1, of=2) in told(table, events, "white")
    assert not [one for one in told(table, events, "black") if isinstance(one, msg.BoardToSet | msg.SquareToSetNow)]
    table.done("white", cmd.Confirm(yes=True))
    assert only(table.done("white", cmd.Confirm(yes=True)), ev.BoardSaidSet)
    seen = table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=placement_after(("e2e4", "e7e5", "g1f3"))))
    assert only(seen, ev.SquareAsked)[0].number == 1, "the arbiter read it: it does not stand yet"
    setting = table.state.setting
    assert isinstance(setting, Setting) and setting.awaited == (Seat.WHITE,) and setting.said == ()
    table.done("arbiter", cmd.ConfirmBoard(board=Seat.WHITE))
    assert table.state.setting is None and table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    assert table.do("arbiter", cmd.ConfirmBoard(board=Seat.WHITE)) == Refusal("no_desk", "D.2.9")
    replayed(table)


@pytest.mark.law("L080")
@pytest.mark.parametrize("act", ["resume", "move"])
def test_where_play_goes_on_nobody_is_asked_for_squares_any_more(act: str) -> None:
    table = played("e4 e5 Nf3", black=SeatKind.TACTILE)
    if act == "move":  # with a clock of its own beside the board nothing here stops it
        table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
    table.done("arbiter", cmd.RestoreTo(ply=2, times="leave"))
    assert table.state.setting is not None
    if act == "resume":
        table.done("arbiter", cmd.Resume())
    else:
        table.say("white", "Nc3")
        table.press("white")
    assert table.state.setting is None
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")


def test_a_restoration_that_finds_both_boards_there_asks_nobody() -> None:
    table = played("e4 e5")
    table.done("arbiter", cmd.SetBoard(board=Seat.WHITE, placement=placement_after(("e2e4", "e7e5")), turn=Seat.WHITE))
    assert only(table.done("arbiter", cmd.RestoreTo(ply=2)), ev.BoardsToSet) == []
    assert table.state.setting is None


def test_records_of_earlier_days_are_read_as_they_were_meant() -> None:
    """A board set, a decision and squares of a record before this: no ply counts as carried out by it."""
    table = played("e4 e5")
    table.done("arbiter", cmd.OpenDesk())
    old = [
        ev.DeskDecided(
            at=1, kind="adjust", verdict="", ply=2, placement=placement_after(E5[:2]), turn=Seat.WHITE, reason="",
            white=(ev.SquareToSet(square="e5", should_be="p"),),
        ),
        ev.SquareAsked(at=1, seat=Seat.WHITE, number=1, of=1, square="e5", should_be="p"),
        ev.BoardSet(at=1, board=Seat.WHITE, placement=placement_after(E5[:2]), turn=Seat.WHITE, origin="entered"),  # type: ignore[arg-type]
        ev.BoardConfirmed(at=1, board=Seat.WHITE),
    ]  # fmt: skip
    state = Game.replay([*table.events, *old])
    assert isinstance(state.desk, Desk) and state.setting is not None and state.setting.confirmed == (Seat.WHITE,)
    assert state.setting.asked == (None, None)
    assert state.moves.plies[1].executed_ms is None and state.moves.line == ("e2e4", "e7e5")
    assert Game.replay([*table.events, *old, ev.DeskClosed(at=2, reason="confirmed")]).setting is None


@pytest.mark.law("L074", "L080")
def test_nobody_sets_a_board_on_their_own_time() -> None:
    """Who restores a position stops the clocks (6.11.3, 7.5.1); the arbiter starts them when both boards are set."""
    table = played("e4 e5 Nf3", black=SeatKind.TACTILE)
    assert table.state.time.clock.running is Seat.BLACK
    stopped = only(table.done("arbiter", cmd.RestoreTo(ply=2)), ev.ClockPaused)
    assert [one.reason for one in stopped] == ["restored"] and table.state.time.clock.running is None
    before = table.state.time.clock.reading(table.now)
    table.wait(60_000)
    assert table.state.time.clock.reading(table.now) == before
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.running is Seat.WHITE
