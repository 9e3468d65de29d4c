"""Repetition, fifty and seventy-five moves, and their claims (9.2 to 9.6)."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings

from server.game.laws.draws import (
    ClaimFinding,
    draw_by_last_move,
    fifty_moves_claim,
    identity,
    occurrences,
    quiet_plies,
    repetition_claim,
    right_to_claim,
    with_move,
)
from server.game.laws.rule_set import RuleSet, overridden
from server.game.values.position import Position
from server.game.values.words import Seat
from tests.game.laws.all_rules import Rules
from tests.game.laws.games_at_random import games

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def line(moves: list[str], fen: str = chess.STARTING_FEN) -> tuple[Position, ...]:
    positions = [Position.from_fen(fen)]
    for uci in moves:
        positions.append(positions[-1].after(uci))
    return tuple(positions)


def first_draw(game: tuple[Position, ...], rules: RuleSet) -> tuple[int, str] | None:
    """After which ply the game was drawn by itself, and by which article; as anyone who looks at it later finds it."""
    articles = ((ply, draw_by_last_move(game[: ply + 1], rules)) for ply in range(len(game)))
    return next(((ply, article) for ply, article in articles if article), None)


@pytest.mark.law("L105", "L106")
def test_threefold_has_just_appeared(fide2018: RuleSet, fide2023: RuleSet) -> None:
    game = line(SHUFFLE * 2)
    claim = repetition_claim(game, fide2023)
    assert (claim.right, claim.article, claim.plies) == (True, "9.2.2", (0, 4, 8))
    assert repetition_claim(game, fide2018).article == "9.2.1.2"
    assert not repetition_claim(game[:-1], fide2023).right
    # It need not be by repeated moves: another knight goes out and back in between.
    other = line(["b1c3", "g8f6", "c3b1", "f6g8", *SHUFFLE])
    assert repetition_claim(other, fide2023).plies == (0, 4, 8)


@pytest.mark.law("L104")
def test_threefold_with_the_intended_move(fide2018: RuleSet, fide2023: RuleSet) -> None:
    game = line(SHUFFLE + SHUFFLE[:3])
    claim = repetition_claim(game, fide2023, "f6g8")
    assert (claim.right, claim.article, claim.plies) == (True, "9.2.1", (0, 4, 8))
    assert repetition_claim(game, fide2018, "f6g8").article == "9.2.1.1"
    assert not repetition_claim(game, fide2023, "f6d5").right
    assert not repetition_claim(game, fide2023, "f6f5").right  # not a legal move
    assert not repetition_claim(game, fide2023, "nonsense").right


@pytest.mark.law("L106")
def test_a_castling_right_lost_by_moving_makes_another_position(fide2023: RuleSet) -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    rook_walk = ["h1h2", "a8a7", "h2h1", "a7a8"]
    game = line(rook_walk * 2, fen)
    assert repetition_claim(game, fide2023).plies == (4, 8)
    assert identity(game[0]) != identity(game[4])
    # A right that is only obstructed for the moment is still a right (3.8.2.2).
    walk = ["b1c3", "b8c6", "c3b1", "c6b8"]
    assert repetition_claim(line(walk * 2), fide2023).right


@pytest.mark.law("L106")
def test_only_a_legal_en_passant_counts() -> None:
    def differs(fen: str, square: str) -> bool:
        """Whether the position after that double step is another one than without it."""
        return identity(Position.from_fen(fen.format(square))) != identity(Position.from_fen(fen.format("-")))

    assert not differs("4k3/8/8/8/4P3/8/8/4K3 b - {} 0 1", "e3"), "nobody can take"
    assert differs("4k3/8/8/8/3pP3/8/8/4K3 b - {} 0 1", "e3")
    assert differs("3qk3/8/8/8/K2pP2r/8/8/8 b - {} 0 1", "e3")
    assert not differs("4k3/8/8/K2pP2r/8/8/8/8 w - {} 0 1", "d6"), "taking opens the rank"


@pytest.mark.law("L106")
def test_the_other_player_to_move_is_another_position() -> None:
    # The same pieces after three moves by each side of a triangle, but Black to move.
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    game = line(["a1a2", "e8d8", "a2a3", "d8e8", "a3a1"], fen)
    assert game[0].placement == game[5].placement
    assert occurrences(game, game[5]) == (5,)


@pytest.mark.law("L107")
def test_fifty_moves() -> None:
    fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80"
    game = line(["a1a2"], fen)
    assert (quiet_plies(game), fifty_moves_claim(game).right) == (99, False)
    intended = fifty_moves_claim(game, "e8d8")
    assert (intended.right, intended.article) == (True, "9.3.1")
    completed = fifty_moves_claim(line(["a1a2", "e8d8"], fen))
    assert (completed.right, completed.article, completed.plies) == (True, "9.3.2", (1, 2))
    assert not fifty_moves_claim(line(["a1a2", "e8d8"], fen), "e2e3").right  # the intended move is a pawn's
    assert quiet_plies(line(["a1a2", "e8d8", "e2e3", "d8e8"], fen)) == 1


@pytest.mark.law("L108", "L105")
def test_touching_or_not_having_the_move_refuses_a_claim() -> None:
    position = Position.from_fen(chess.STARTING_FEN)
    assert right_to_claim(position, Seat.WHITE, touched=False) == ""
    assert right_to_claim(position, Seat.WHITE, touched=True) == "9.4"
    assert right_to_claim(position, Seat.BLACK, touched=False) == "9.2"


@pytest.mark.law("L112")
def test_fivefold_ends_the_game_by_itself(fide2023: RuleSet) -> None:
    assert first_draw(line(SHUFFLE * 3), fide2023) is None
    assert first_draw(line(SHUFFLE * 4), fide2023) == (16, "9.6.1")
    found_later = line([*SHUFFLE * 4, "e2e4", "e7e5"])
    assert first_draw(found_later, fide2023) == (16, "9.6.1")
    # Not consecutive: a detour between the fourth and the fifth.
    detour = line([*SHUFFLE * 3, "g1h3", "g8h6", "h3g5", "h6g4", "g5h3", "g4h6", "h3g1", "h6g8"])
    assert first_draw(detour, fide2023) == (20, "9.6.1")
    older = overridden(fide2023, "fivefold_consecutive", True)
    assert first_draw(detour, older) is None
    assert first_draw(line(SHUFFLE * 4), older) == (16, "9.6.1")


@pytest.mark.law("L113")
def test_seventy_five_moves_and_mate_on_the_last(fide2023: RuleSet) -> None:
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 120"
    assert first_draw(line([], fen), fide2023) is None
    assert first_draw(line(["a1a2"], fen), fide2023) == (1, "9.6.2")
    assert first_draw(line(["a1a8"], fen), fide2023) is None  # checkmate on that very move
    assert first_draw(line(["a1a2", "h8g8", "a2a8"], fen), fide2023) == (1, "9.6.2")


@pytest.mark.law("L113")
def test_seventy_five_moves_are_counted_from_the_last_pawn_move(fide2023: RuleSet) -> None:
    fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 40 30"
    tour = [f"{file}{rank}" for rank in "345678" for file in ("abcdefgh" if rank in "357" else "hgfedcba")] * 2
    squares = ["a1", *(square for square in tour if square not in ("e3", "e8", "d8"))]
    plies = ["e2e3", "e8d8"]  # a pawn move, and the rook walks about among the kings' steps
    for number in range(76):
        plies.append(squares[number] + squares[number + 1])
        plies.append("d8e8" if number % 2 == 0 else "e8d8")
    drawn = first_draw(line(plies[:151], fen), fide2023)
    assert drawn == (151, "9.6.2")
    assert first_draw(line(plies[:150], fen), fide2023) is None
    assert first_draw(line(plies, fen), fide2023) == drawn


@settings(max_examples=40, deadline=None)
@given(games(120))
def test_counts_agree_with_python_chess(game: tuple[Position, ...]) -> None:
    assert quiet_plies(game) == game[-1].halfmoves == game[-1].board().halfmove_clock


@settings(max_examples=40, deadline=None)
@given(games(40))
def test_identity_is_python_chess_own(game: tuple[Position, ...]) -> None:
    boards = [position.board() for position in game]
    for one, board in zip(game, boards, strict=True):
        same = {ply for ply, other in enumerate(boards) if other._transposition_key() == board._transposition_key()}
        assert set(occurrences(game, one)) == same


@settings(max_examples=40, deadline=None)
@given(games(20))
def test_an_intended_move_is_played_or_refused(game: tuple[Position, ...]) -> None:
    board = game[-1].board()
    for move in list(board.legal_moves)[:3]:
        longer = with_move(game, move.uci())
        assert longer is not None and len(longer) == len(game) + 1
    assert with_move(game, "a1a1") is None


@pytest.mark.law("L112", "L113")
def test_move_by_move_and_looking_back_agree(fide2023: RuleSet) -> None:
    for game in (
        line(SHUFFLE * 4),
        line(["a1a2", "h8g8"], "7k/8/6K1/8/8/8/8/R7 w - - 148 120"),
        line(["a1a8"], "7k/8/6K1/8/8/8/8/R7 w - - 149 120"),
        line(["e2e4", *SHUFFLE[1:2]]),
    ):
        found = [(ply, draw_by_last_move(game[: ply + 1], fide2023)) for ply in range(len(game))]
        first = next(((ply, article) for ply, article in found if article), None)
        assert first == first_draw(game, fide2023)
    assert draw_by_last_move(line(SHUFFLE * 4), fide2023) == "9.6.1"
    assert draw_by_last_move(line(["a1a8"], "7k/8/6K1/8/8/8/8/R7 w - - 149 120"), fide2023) == ""


ROOK_AND_PAWN = "4k3/8/8/8/8/8/4P3/R3K3 w - - {} 80"


@pytest.mark.law("L107")
@pytest.mark.parametrize(
    ("halfmoves", "moves", "intended", "found"),
    [
        (98, ["a1a2", "e8d8"], None, ClaimFinding(True, "9.3.2", (1, 2))),
        (97, ["a1a2", "e8d8"], None, ClaimFinding(False, "9.3.2", (1, 2))),
        (98, ["a1a2"], "e8d8", ClaimFinding(True, "9.3.1", (1, 2))),
        (97, ["a1a2"], "e8d8", ClaimFinding(False, "9.3.1", (1, 2))),
        (0, ["e2e4", "e8d8", "a1a2"], None, ClaimFinding(False, "9.3.2", (2, 3))),
        (0, ["a1a2", "e8d8", "e2e4"], None, ClaimFinding(False, "9.3.2", ())),
        (99, [], "e2e4", ClaimFinding(False, "9.3.1", ())),
        (99, [], "a1a9", ClaimFinding(False, "9.3.1", ())),  # no move at all
        (99, [], "a1h8", ClaimFinding(False, "9.3.1", ())),  # not a legal one
        (99, [], "a1a2", ClaimFinding(True, "9.3.1", (1, 1))),
    ],
)
def test_a_claim_of_fifty_moves_shows_the_row_that_it_rests_on(
    halfmoves: int, moves: list[str], intended: str | None, found: ClaimFinding
) -> None:
    assert fifty_moves_claim(line(moves, ROOK_AND_PAWN.format(halfmoves)), intended) == found


@pytest.mark.law("L104", "L105")
@pytest.mark.parametrize(
    ("plies", "intended", "found"),
    [
        (8, None, ClaimFinding(True, "9.2.2", (0, 4, 8))),
        (7, None, ClaimFinding(False, "9.2.2", (3, 7))),
        (7, "f6g8", ClaimFinding(True, "9.2.1", (0, 4, 8))),
        (7, "f6d5", ClaimFinding(False, "9.2.1", (8,))),
        (7, "f6f5", ClaimFinding(False, "9.2.1", ())),
        (4, None, ClaimFinding(False, "9.2.2", (0, 4))),
        (12, None, ClaimFinding(True, "9.2.2", (0, 4, 8, 12))),
    ],
)
def test_a_claim_of_repetition_shows_after_which_plies_the_position_stood(
    fide2023: RuleSet, plies: int, intended: str | None, found: ClaimFinding
) -> None:
    assert repetition_claim(line((SHUFFLE * 3)[:plies]), fide2023, intended) == found


@pytest.mark.law("L107")
@pytest.mark.parametrize(
    ("fen", "moves", "quiet"),
    [
        ("4k3/8/8/8/3p4/8/8/3RK3 w - - 7 30", ["d1d2"], 8),
        ("4k3/8/8/8/3p4/8/8/3RK3 w - - 7 30", ["d1d4"], 0),  # a capture
        ("4k3/8/8/8/3p4/8/8/3RK3 w - - 7 30", ["d1d2", "d4d3"], 0),  # a pawn's move
        ("4k3/8/8/8/3n4/8/8/3RK3 w - - 7 30", ["d1d4", "e8e7"], 1),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 7 30", [], 7),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 7 30", ["a7a8q", "e8e7"], 1),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30", ["e5d6", "e8d7"], 1),
    ],
)
def test_how_many_plies_had_no_pawn_move_and_no_capture(fen: str, moves: list[str], quiet: int) -> None:
    assert quiet_plies(line(moves, fen)) == quiet


@pytest.mark.law("L112", "L113")
@pytest.mark.parametrize(
    ("halfmoves", "move", "article"),
    [(149, "a1a2", "9.6.2"), (148, "a1a2", ""), (149, "e2e3", ""), (150, "a1a2", "9.6.2")],
)
def test_the_last_of_seventy_five_moves(fide2023: RuleSet, halfmoves: int, move: str, article: str) -> None:
    assert draw_by_last_move(line([move], ROOK_AND_PAWN.format(halfmoves)), fide2023) == article


@pytest.mark.law("L104", "L105")
@pytest.mark.parametrize(
    ("name", "appeared", "intended"),
    [
        ("fide2023", "9.2.2", "9.2.1"),
        ("fide2018", "9.2.1.2", "9.2.1.1"),
        ("fide2017h2", "9.2", "9.2"),
        ("short", "9.2", "9.2"),
    ],
)
def test_the_article_of_a_repetition_by_edition(rules: Rules, name: str, appeared: str, intended: str) -> None:
    game, edition = line(SHUFFLE), rules.rule_sets[name]
    found = (repetition_claim(game, edition).article, repetition_claim(game, edition, "g1f3").article)
    assert found == (appeared, intended)
