"""The two-minute way: one ply that explains two boards, and the few lines that settle it (L196, L197, L198, G13)."""

from __future__ import annotations

import chess
import pytest

from server.desk.loading import load_explaining_costs, writings
from server.scoresheets.cell import Cell, Writing, take
from server.scoresheets.letters import san_in_letters
from server.scoresheets.reconcile.boards import History, follow, placement_with_marks
from server.scoresheets.reconcile.first_look import FirstLook, find_first_look
from server.scoresheets.reconcile.settlement import Settlement, settle
from speech.complaint import Complaint

COSTS = load_explaining_costs()
GAME = ("d2d4", "g8f6", "c2c4", "e7e6", "b1c3", "f8b4", "e2e3", "e8g8", "f1d3", "d7d5", "g1f3", "f6e4")


def placement(moves: tuple[str, ...]) -> str:
    return follow(History(moves)).boards[-1].board_fen()


def shown(*squares: tuple[str, str | None]) -> str:
    return placement_with_marks(follow(History(GAME)).boards[-1], squares)


def lines(ways: dict[str, Writing], seen: FirstLook, first: tuple[str, ...], second: tuple[str, ...]) -> Settlement:
    return answered(ways, History(GAME), BOARDS[-1], seen, (first, second))


def answered(
    ways: dict[str, Writing],
    history: History,
    boards: tuple[str, str],
    seen: FirstLook,
    scores: tuple[tuple[str, ...], tuple[str, ...]],
) -> Settlement:
    """What is found when every line is typed that is asked for (White writes in Hungarian, Black in German letters)."""
    written_in = [_cells(moves, way) for moves, way in zip(scores, (ways["hu"], ways["de"]), strict=True)]
    blank = Cell(None, True, ())
    read: dict[int, tuple[Cell, Cell]] = {}
    asks = seen.lines
    while True:
        for ply in asks:
            white, black = (cells[ply - 1] if ply <= len(cells) else blank for cells in written_in)
            read[ply] = (white, black)
        found = settle(history, boards, read, COSTS)
        assert not set(found.asks) & set(read), "what was read is not asked for again"
        if not found.asks:
            return found
        asks = found.asks


def _cells(moves: tuple[str, ...], way: Writing) -> list[Cell]:
    board, cells = chess.Board(), []
    for uci in moves:
        move = board.parse_uci(uci)
        cells.append(take(san_in_letters(board.san(move), way.alphabet), way))
        board.push(move)
    return cells


BOARDS: list[tuple[str, str]] = []


def first_look(white: str, black: str) -> FirstLook:
    BOARDS.append((white, black))
    return find_first_look(History(GAME), (white, black), COSTS)


@pytest.mark.law("L196", "L197")
def test_a_knight_on_the_wrong_square_of_one_board_names_its_ply_and_settles(ways: dict[str, Writing]) -> None:
    seen = first_look(shown(("e4", None), ("d4", "n")), placement(GAME))
    assert not seen.alike
    assert not seen.out_of_step
    best = seen.explanations[0]
    assert (best.kind, best.where, best.ply, best.recorded, best.instead) == ("misplaced", "white", 12, "f6e4", "f6d4")
    assert {11, 12} <= set(seen.lines)
    answer = lines(ways, seen, GAME, GAME)
    assert (answer.verdict, answer.provisional, answer.agree_plies) == ("same_record", True, 12)
    assert answer.unread == tuple(range(1, 11)) and not answer.settled, "nobody read them"
    assert [board.deviates for board in answer.boards] == [True, False]
    assert {(s.square, s.is_, s.should_be) for s in answer.boards[0].squares} == {("e4", None, "n"), ("d4", "n", "P")}
    assert answer.explanations == (best,)


@pytest.mark.law("L196", "L198")
@pytest.mark.law("L197")
def test_a_board_that_has_not_the_last_move_yet_is_explained_as_well(ways: dict[str, Writing]) -> None:
    """White has just pressed after a bishop move; on Black's board the knight of three plies ago stands on h3."""
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
    history = History(moves)
    black = placement_with_marks(follow(History(moves[:-1])).boards[-1], [("f3", None), ("h3", "N")])
    seen = find_first_look(history, (placement(moves), black), COSTS)
    first = seen.explanations[0]
    assert (first.kind, first.where, first.ply, first.instead) == ("misplaced", "black", 3, "g1h3")
    said = answered(ways, history, (placement(moves), black), seen, (moves, moves))
    assert said.verdict == "same_record" and said.provisional and said.agree_plies == 5 and said.unread == (1,)
    assert said.explanations == (first,)
    assert {square.square for square in said.boards[1].squares} == {"b5", "f1", "f3", "h3"}


def test_scores_that_differ_there_go_back_to_the_ply_before(ways: dict[str, Writing]) -> None:
    other = (*GAME[:-3], "d7d6", *GAME[-2:])
    seen = first_look(placement(GAME), placement(other))
    assert seen.explanations[0].ply == 10
    answer = lines(ways, seen, GAME, other)
    assert (answer.verdict, answer.settled, answer.agree_plies) == ("differ", True, 9)
    assert answer.unread == (), "the knight goes back to where its second ply put it"
    assert answer.back == (("f6e4", "g1f3", "d7d5"), ("f6e4", "g1f3", "d7d6"))
    assert answer.position == follow(History(GAME[:9])).boards[-1].fen()


def test_out_of_step_is_excluded_first(ways: dict[str, Writing]) -> None:
    played = (*GAME[:-3], "d7d6", *GAME[-2:])
    seen = first_look(placement(played), placement(played))
    assert seen.alike
    assert seen.out_of_step
    best = seen.explanations[0]
    assert (best.kind, best.where, best.ply, best.recorded, best.instead) == ("misheard", "server", 10, "d7d5", "d7d6")
    answer = lines(ways, seen, played, played)
    assert (answer.verdict, answer.provisional, answer.agree_plies) == ("out_of_step", True, 12)
    assert answer.game == played


def test_a_move_that_the_server_never_heard_and_one_that_was_not_played() -> None:
    both = placement((*GAME, "d1c2"))
    best = find_first_look(History(GAME), (both, both), COSTS).explanations[0]
    assert (best.kind, best.ply, best.instead) == ("not_heard", 13, "d1c2")
    both = placement(GAME[:-1])
    best = find_first_look(History(GAME), (both, both), COSTS).explanations[0]
    assert (best.kind, best.ply, best.recorded, best.instead) == ("not_played", 12, "f6e4", None)


def test_boards_as_the_server_has_them_ask_nothing(ways: dict[str, Writing]) -> None:
    seen = first_look(placement(GAME), placement(GAME))
    assert (seen.alike, seen.out_of_step, seen.explanations, seen.lines) == (True, False, (), ())
    answer = settle(History(GAME), BOARDS[-1], {}, COSTS)
    assert (answer.verdict, answer.provisional, answer.asks) == ("same_record", True, ()), "nothing is asked for"


def test_a_board_that_no_one_ply_explains_asks_for_every_line(ways: dict[str, Writing]) -> None:
    chaos = "8/8/4k3/8/8/4K3/8/8"
    seen = first_look(chaos, placement(GAME))
    assert seen.explanations == () and seen.lines
    assert not settle(History(GAME), BOARDS[-1], {}, COSTS).settled
    answer = lines(ways, seen, GAME, GAME)
    assert (answer.verdict, answer.settled, answer.unread) == ("same_record", True, ())


def test_a_score_in_which_nothing_is_written_there_settles_nothing() -> None:
    seen = first_look(shown(("e4", None), ("d4", "n")), placement(GAME))
    blank = Cell(None, True, ())
    read = dict.fromkeys(seen.lines, (blank, take("Nf3", writings()["en"])))
    empty = settle(History(GAME), BOARDS[-1], read, COSTS)
    assert (empty.verdict, empty.settled, empty.asks) == ("incomplete", False, ())


@pytest.mark.parametrize(
    ("moves", "wrong", "kind"),
    [
        ("e2e4 a7a6 e4e5 d7d5 e5d6", {"e5": None, "d6": "P", "d5": "p"}, "en_passant"),
        ("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1", {"f1": None, "h1": "R"}, "castling"),
        ("a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8q", {"a8": "P"}, "promotion"),
        ("g1f3 d7d5 d2d4 g8f6 b1d2 c7c6", {"b1": "N", "f3": None}, "like_piece"),
        ("e2e4 e7e5", {"e7": "p", "e5": None}, "not_executed"),
    ],
)
def test_the_classic_slips_of_execution(moves: str, wrong: dict[str, str | None], kind: str) -> None:
    history = History(tuple(moves.split()))
    right = follow(history).boards[-1]
    slipped = placement_with_marks(right, tuple(wrong.items()))
    seen = find_first_look(history, (right.board_fen(), slipped), COSTS)
    assert (seen.explanations[0].kind, seen.explanations[0].where) == (kind, "black")


def test_what_the_arbiter_marks_is_checked() -> None:
    for square, letter in (("e9", "P"), ("e4", "x")):
        with pytest.raises(Complaint, match="mark the square again"):
            placement_with_marks(chess.Board(), [(square, letter)])
    with pytest.raises(Complaint, match="not a placement"):
        find_first_look(History(GAME), ("nonsense", placement(GAME)), COSTS)
    with pytest.raises(Complaint, match="not a position"):
        find_first_look(History((), start="x"), (placement(GAME), placement(GAME)), COSTS)


def test_a_history_with_moves_not_known_or_not_legal_is_followed_all_the_same() -> None:
    followed = follow(History(("e2e4", None, "e1e8", "junk")))
    assert [move.uci() if move else None for move in followed.moves] == ["e2e4", None, None, None]
    one = followed.boards[-1].board_fen()
    assert find_first_look(History(("e2e4", None)), (one, one), COSTS).explanations == ()
