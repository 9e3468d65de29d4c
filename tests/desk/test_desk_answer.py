"""What the desk answers from a live record: one explanation, a few lines, the Laws' verdict, the clocks of then."""

from __future__ import annotations

import pytest

from server.desk.answer import DeskAnswer, desk_answer
from server.desk.comparing import compare_both_scores
from server.desk.sheets import SheetsAnswer, missing_here, sheets_answer, sheets_of
from server.game import acts as cmd
from server.game.acts import Refusal
from server.game.state.desk import Desk
from server.game.values.words import ClockMaster, Seat
from tests.game.core_table import CoreTable

E4_E6 = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR"
E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"


def table_at_the_desk(*moves: str) -> CoreTable:
    """The moves as the server heard them, with echoes, and the desk open."""
    table = CoreTable()
    for number, text in enumerate(moves or ("e4", "e5")):
        seat, other = ("white", "black") if number % 2 == 0 else ("black", "white")
        table.say(seat, text, utterance=f"{seat}-{text}")
        table.wait(5_000)
        table.press(seat)
        table.say(other, text, utterance=f"{other}-{text}")
    table.done("arbiter", cmd.OpenDesk())
    return table


def answer(table: CoreTable) -> DeskAnswer:
    desk = table.state.desk
    assert isinstance(desk, Desk)
    return desk_answer(table.state, desk)


@pytest.mark.law("L197")
def test_a_board_that_deviates_is_explained_and_settled_with_a_few_cells() -> None:
    table = table_at_the_desk()
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    table.done("arbiter", cmd.ShowBoard(board=Seat.BLACK, placement=E4_E5))
    first = answer(table)
    assert not first.out_of_step
    best = first.explanations[0]
    assert (best.where, best.ply, best.recorded, best.instead) == ("white", 2, "e5", "e6")
    assert 0 < len(first.lines) <= 6
    assert first.verdict is None, "lines are still to be typed"
    for ply, text in ((1, "e4"), (2, "e5")):
        for seat in Seat:
            table.done("arbiter", cmd.TypeCell(seat=seat, ply=ply, text=text))
    then = answer(table)
    assert then.verdict == "same_record" and then.settled and then.placement == E4_E5 and then.turn is Seat.WHITE
    assert then.against is not None and [one.deviates for one in then.against] == [True, False]
    assert then.clock is not None and then.clock.white == table.ply(2).white_ms


def test_the_same_on_both_boards_is_the_server_out_of_step_first() -> None:
    table = table_at_the_desk()
    for seat in Seat:
        table.done("arbiter", cmd.ShowBoard(board=seat, placement=E4_E6))
    found = answer(table)
    assert found.out_of_step and found.explanations[0].where == "server"


@pytest.mark.law("L194")
def test_a_dictated_cell_that_decides_asks_to_be_heard() -> None:
    table = table_at_the_desk()
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=E4_E6))
    for ply, text in ((1, "e4"), (2, "e5")):
        table.done("arbiter", cmd.TypeCell(seat=Seat.BLACK, ply=ply, text=text))
    found = answer(table)
    assert found.listen and not found.settled
    assert {one.side for one in found.listen} == {Seat.WHITE}
    for one in found.listen:
        table.done("arbiter", cmd.HearCell(seat=one.side, ply=one.ply))
    after = answer(table)
    assert not after.listen and after.settled and after.verdict == "same_record"


def type_lines(table: CoreTable, *moves: str, black: tuple[str, ...] | None = None) -> None:
    for score, seat in ((moves, Seat.WHITE), (black or moves, Seat.BLACK)):
        for ply, text in enumerate(score, 1):
            table.done("arbiter", cmd.TypeCell(seat=seat, ply=ply, text=text))


def show(table: CoreTable, white: str, black: str) -> None:
    table.done("arbiter", cmd.ShowBoard(board=Seat.WHITE, placement=white))
    table.done("arbiter", cmd.ShowBoard(board=Seat.BLACK, placement=black))


@pytest.mark.law("L197")
def test_a_misheard_move_with_one_board_off_is_settled_and_says_which_board() -> None:
    """The server heard e6, both scores say e5; White set e6 on White's board, Black has e5."""
    table = table_at_the_desk("e4", "e6")
    show(table, E4_E6, E4_E5)
    assert answer(table).explanations[0].where == "black", "before the scores are read it looks so"
    type_lines(table, "e4", "e5")
    found = answer(table)
    assert (found.verdict, found.settled, found.placement) == ("same_record", True, E4_E5)
    assert found.moves == ("e2e4", "e7e5")
    assert found.against is not None and [one.deviates for one in found.against] == [True, False]
    told = [(one.where, one.kind, one.recorded, one.instead, one.borne_out) for one in found.explanations]
    assert told == [
        ("server", "misheard", "e6", "e5", True),
        ("white", "misplaced", "e5", "e6", True),
    ], "nothing is left that says Black's board is wrong"


@pytest.mark.law("L197")
def test_every_line_typed_settles_it_though_no_one_ply_explains_the_board() -> None:
    table = table_at_the_desk()
    wild = "rnbqkbnr/pppp1ppp/8/4p3/4P3/3P3N/PPP2PPP/RNBQKB1R"
    show(table, wild, E4_E5)
    type_lines(table, "e4", "e5")
    found = answer(table)
    assert found.settled and found.verdict == "same_record" and found.unread == () and found.explanations == ()
    assert found.against is not None and [one.deviates for one in found.against] == [True, False]
    assert [one.square for one in found.against[0].squares] == ["g1", "d2", "d3", "h3"]


@pytest.mark.law("L198")
def test_scores_that_differ_name_their_line_and_no_board() -> None:
    table = table_at_the_desk("e4", "e6")
    show(table, E4_E5, E4_E6)
    type_lines(table, "e4", "e5", black=("e4", "e6"))
    found = answer(table)
    assert (found.verdict, found.settled, found.agree_plies, found.moves) == ("differ", True, 1, ("e2e4",))
    told = [(one.where, one.kind, one.ply, one.recorded, one.instead) for one in found.explanations]
    assert told == [("scores", "written_otherwise", 2, "e5", "e6")]


def test_what_was_said_behind_a_misheard_move_is_read_in_the_game_of_the_scores() -> None:
    """1.e4 e5 2.d4 exd4 was played; the server heard e6, so that its own fourth half-move cannot be carried out."""
    table = table_at_the_desk("e4", "e6", "d4", "e5d4")
    both = "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR"
    show(table, both, both)
    assert [line.ply for line in answer(table).lines] == [1, 2]
    type_lines(table, "e4", "e5")
    first = answer(table)
    assert (first.verdict, first.settled, first.provisional, first.unread) == ("out_of_step", False, True, (3, 4))
    assert first.moves == ("e2e4", "e7e5", "d2d4", "e5d4")
    type_lines(table, "e4", "e5", "d4", "exd4")
    found = answer(table)
    assert (found.verdict, found.settled, found.placement) == ("out_of_step", True, both)
    assert found.moves == ("e2e4", "e7e5", "d2d4", "e5d4")
    assert found.lines[3].white.understood == "exd4", "read in the position of the scores, not of the server"
    assert [(one.where, one.ply, one.instead) for one in found.explanations] == [("server", 2, "e5")]


def test_the_last_move_that_neither_has_written_yet_stays_made() -> None:
    """8.1.3: both may still owe the last move; no board is told to take it back."""
    table = table_at_the_desk("e4", "e5", "Nf3")
    after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
    show(table, "rnbqkbnr/pppp1ppp/8/4p3/4P3/7N/PPPP1PPP/RNBQKB1R", after)
    type_lines(table, "e4", "e5", "-")
    found = answer(table)
    assert found.settled and found.placement == after and found.moves == ("e2e4", "e7e5", "g1f3")
    assert found.agree_plies == 2


def test_a_desk_behind_a_position_that_was_settled_without_its_moves_asks_from_there_on() -> None:
    """An earlier desk took only the position; the moves up to it stay unknown, and the later ones are compared."""
    table = table_at_the_desk("e4", "e5")
    unknown = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/R1BQKBNR"
    table.done("arbiter", cmd.DecideDesk(kind="adjust", placement=unknown, turn=Seat.WHITE, ply=2, position_alone=True))
    for seat in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=seat))
    table.done("arbiter", cmd.Resume())
    table.say("white", "Nf3")
    table.press("white")
    table.done("arbiter", cmd.OpenDesk())
    after = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/5N2/PPP2PPP/R1BQKB1R"
    show(table, after, after.replace("5N2", "7N"))
    for seat in Seat:
        table.done("arbiter", cmd.TypeCell(seat=seat, ply=3, text="Sf3"))
    found = answer(table)
    assert (found.verdict, found.agree_plies, found.placement) == ("same_record", 3, after)
    assert [one.ply for one in found.explanations] == [3] and found.unread == () and found.moves is None


@pytest.mark.law("L198")
def test_nothing_is_known_of_a_clock_that_nobody_read() -> None:
    """Another clock leads: no times of then are offered, until somebody reads it off."""
    table = CoreTable(master=ClockMaster.MANUAL)
    for seat, other, text in (("white", "black", "e4"), ("black", "white", "e5")):
        table.say(seat, text)
        table.press(seat)
        table.say(other, text)
    table.done("arbiter", cmd.OpenDesk())
    show(table, E4_E6, E4_E5)
    type_lines(table, "e4", "e5")
    assert answer(table).clock is None
    table.done("arbiter", cmd.ReadClock(white_ms=200_000, black_ms=300_000))
    found = answer(table)
    assert found.clock is not None and (found.clock.white, found.clock.black) == (200_000, 300_000)


def whole_scores(table: CoreTable, white: str | None = None, black: str | None = None) -> SheetsAnswer:
    """What "Compare" answers; None is a field that was left empty."""
    state, pasted = table.state, (white, black)
    assert state.desk is not None
    scores = sheets_of(state, state.desk, pasted)
    return sheets_answer(state, state.desk, compare_both_scores(scores), missing_here(state, scores, pasted))


@pytest.mark.law("L197")
def test_whole_scores_that_are_not_here_say_what_is_missing_and_nothing_of_the_law() -> None:
    """The cells that were asked for are filled and alike; the others nobody typed, and nothing was pasted."""
    table = table_at_the_desk("e4", "e5", "d4")
    d4, d3 = ("rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR", "rnbqkbnr/pppp1ppp/8/4p3/4P3/3P4/PPP2PPP/RNBQKBNR")
    show(table, d3, d4)
    for ply, text in ((2, "e5"), (3, "d4")):
        for seat in Seat:
            table.done("arbiter", cmd.TypeCell(seat=seat, ply=ply, text=text))
    assert answer(table).provisional and answer(table).unread == (1,)
    assert whole_scores(table).missing == (1,), "Black's is on paper; White's own has it"
    assert whole_scores(table, black="1. e4 e5 2. d4").missing == ()
    table.done("arbiter", cmd.TypeCell(seat=Seat.BLACK, ply=1, text="e4"))
    found = whole_scores(table)
    assert (found.missing, found.found.verdict, found.moves) == ((), "same_record", ("e2e4", "e7e5", "d2d4"))


@pytest.mark.law("L197")
def test_what_was_pasted_is_the_whole_score_and_is_not_filled_up() -> None:
    table = table_at_the_desk("e4", "e5", "d4")
    found = whole_scores(table, "1. e4 e5 2. d4", "1. e4")
    assert (found.missing, found.found.verdict, found.found.agree_plies) == ((), "incomplete", 1)


def test_only_half_moves_that_were_made_are_asked_for() -> None:
    table = table_at_the_desk("e4", "e5", "d4")
    show(table, "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR", "rnbqkbnr/pppp1ppp/8/4p3/4P3/3P4/PPP2PPP/RNBQKBNR")
    assert [line.ply for line in answer(table).lines] == [2, 3]


@pytest.mark.law("L197")
def test_a_decision_without_moves_mends_the_line_or_is_refused() -> None:
    """The server heard a6 for a5 three half-moves ago; the arbiter gives the position alone."""
    stands_so = "rnbqkbnr/1ppp1ppp/8/p3p3/2B1P3/5N2/PPPP1PPP/RNBQK2R"
    table = table_at_the_desk("e4", "e5", "Bc4", "a6", "Nf3")
    table.done("arbiter", cmd.DecideDesk(kind="adjust", placement=stands_so, turn=Seat.BLACK))
    assert table.state.moves.line == ("e2e4", "e7e5", "f1c4", "a7a5", "g1f3")
    for odd in (stands_so.replace("p3p3", "4p3"), stands_so.replace("5N2", "8")):
        other = table_at_the_desk("e4", "e5", "Bc4", "a6", "Nf3")
        before = other.state
        refused = other.do("arbiter", cmd.DecideDesk(kind="adjust", placement=odd, turn=Seat.BLACK))
        assert refused == Refusal("moves_not_known", "D.2.9") and other.state == before
