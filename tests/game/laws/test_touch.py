"""Touch-move: what is obliged by the order of the touches (4.2 to 4.5, D.2.2)."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game.laws.rule_set import RuleSet
from server.game.laws.touch import Obligation, Touch, TouchHow, obliged_moves, touches_of_move, with_promotion
from server.game.values.position import Position
from server.game.values.words import SeatKind
from server.wording.rules import load_rule_set
from tests.game.laws.games_at_random import games

LAWS, SHORT = load_rule_set("fide2023"), load_rule_set("short")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def moves(fen: str, *squares: str, rules: RuleSet = LAWS, **order: Any) -> tuple[set[str], str, bool]:
    found = obliged_moves(Position.from_fen(fen), tuple(Touch(square) for square in squares), rules, **order)
    return set(found.moves), found.article, found.free


@pytest.mark.law("L028")
def test_the_first_own_piece_that_can_move() -> None:
    assert moves(START, "g1") == ({"g1f3", "g1h3"}, "4.3.1", False)
    assert moves(START, "f1", "g1", "e2") == ({"g1f3", "g1h3"}, "4.3.1", False)  # the bishop cannot move


@pytest.mark.law("L029")
def test_the_first_enemy_piece_that_can_be_taken() -> None:
    fen = "4k3/8/8/3p1p2/4P3/8/8/4K2R w K - 0 1"
    assert moves(fen, "f5", "d5") == ({"e4f5"}, "4.3.2", False)
    assert moves(fen, "e8", "d5") == ({"e4d5"}, "4.3.2", False)


@pytest.mark.law("L029", "L016")
def test_a_pawn_taken_en_passant_is_the_touched_one() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert moves(fen, "d5") == ({"e5d6"}, "4.3.2", False)
    assert moves(fen, "d5", "e5") == ({"e5d6"}, "4.3.3", False)
    # A move past the touched pawn that is no capture en passant does not take it.
    assert moves("4k3/8/8/3pN3/8/8/8/4K3 w - - 0 1", "d5") == (
        moves("4k3/8/8/3pN3/8/8/8/4K3 w - - 0 1")[0],
        "4.5",
        True,
    )


@pytest.mark.law("L030")
def test_pieces_of_both_colours() -> None:
    fen = "4k3/8/8/3p4/4P3/2N5/8/R3K3 w - - 0 1"
    assert moves(fen, "c3", "d5") == ({"c3d5"}, "4.3.3", False)
    assert moves(fen, "d5", "c3") == ({"c3d5"}, "4.3.3", False)
    # The rook cannot take: the first touched piece that can be moved or captured.
    only_rook = moves(fen, "a1")[0]
    assert moves(fen, "a1", "d5") == (only_rook, "4.3.3", False)
    assert moves(fen, "d5", "a1") == ({"c3d5", "e4d5"}, "4.3.3", False)
    assert moves(fen, "d5", "a1", order_clear=False) == (only_rook, "4.3.3", False)


@pytest.mark.law("L030")
def test_both_colours_in_the_short_rules() -> None:
    fen = "4k3/8/8/3p4/4P3/2N5/8/R3K3 w - - 0 1"
    # Any other piece captures; only where none can, the touched own piece moves.
    assert moves(fen, "a1", "d5", rules=SHORT) == ({"c3d5", "e4d5"}, "4.3.3", False)
    assert moves(fen, "c3", "d5", rules=SHORT) == ({"c3d5"}, "4.3.3", False)
    assert moves(fen, "e8", "a1", rules=SHORT) == (moves(fen, "a1")[0], "4.3.3", False)


@pytest.mark.law("L031")
def test_king_then_rook_must_castle_on_that_side() -> None:
    assert moves(CASTLES, "e1", "h1") == ({"e1g1"}, "4.4.1", False)
    assert moves(CASTLES, "e1", "a1") == ({"e1c1"}, "4.4.1", False)
    assert moves(CASTLES, "e1", "a1", "h1") == ({"e1c1"}, "4.4.1", False)


@pytest.mark.law("L032")
def test_rook_before_king_bars_castling_on_that_side() -> None:
    found, article, _ = moves(CASTLES, "h1", "e1")
    assert article == "4.3.1" and found and all(uci.startswith("h1") for uci in found)
    # The rook is shut in: the king moves, but not by castling with it; the other side stays open.
    shut = "4k3/8/8/8/8/8/4PPPP/R3K2R w KQ - 0 1"
    assert "e1c1" in moves(shut, "e1")[0] and "e1g1" in moves(shut, "e1")[0]
    # Chess960: the rook g1 cannot move by itself, yet the king may castle with it.
    position = Position.from_fen("4k3/8/8/8/8/7P/6PP/R4KRB w GA - 0 1", chess960=True)
    king_first = obliged_moves(position, (Touch("f1"), Touch("g1")), LAWS)
    assert (king_first.moves, king_first.article) == (("f1g1",), "4.4.1")
    rook_first = obliged_moves(position, (Touch("g1"), Touch("f1")), LAWS)
    assert "f1g1" not in rook_first.moves and "f1a1" in rook_first.moves
    assert rook_first.article == "4.3.1"
    rook_alone = obliged_moves(position, (Touch("g1"),), LAWS)
    assert "f1g1" not in rook_alone.moves and "f1a1" in rook_alone.moves
    assert (rook_alone.article, rook_alone.free) == ("4.4.2", False)


@pytest.mark.law("L033")
def test_castling_intended_but_illegal() -> None:
    through_check = "r3kr2/8/8/8/8/8/8/R3K2R w KQq - 0 1"
    found, article, _ = moves(through_check, "e1", "h1")
    assert article == "4.4.3" and found == {"e1d1", "e1d2", "e1e2", "e1c1"}  # castling on the other side may do
    # The king has no legal move: any legal move, not the rook's.
    stuck = "4k3/8/8/8/8/8/3PPP2/3QKB1R w K - 0 1"
    found, article, free = moves(stuck, "e1", "h1")
    assert (article, free) == ("4.4.3", True)
    assert found == {move.uci() for move in chess.Board(stuck).legal_moves}
    # A rook taken up later than another piece shows no such intention: 4.3.1 and its order.
    found, article, free = moves(stuck, "e1", "d2", "h1")
    assert (found, article, free) == ({"d2d3", "d2d4"}, "4.3.1", False)


@pytest.mark.law("L035")
def test_nothing_touched_can_move() -> None:
    found, article, free = moves(START, "a1", "h1", "e1")
    assert (len(found), article, free) == (20, "4.5", True)
    assert moves(START, "e8")[1:] == ("4.5", True)
    assert moves(START)[1:] == ("", True)
    assert moves(START, "e4")[1:] == ("", True)  # an empty square


@pytest.mark.law("L026", "L027", "L188", "L191")
def test_what_counts_as_a_touch() -> None:
    position = Position.from_fen(START)
    felt = (Touch("g1", TouchHow.CONTACT),)
    assert obliged_moves(position, felt, LAWS, SeatKind.TACTILE).free  # feeling the pieces is free
    assert not obliged_moves(position, felt, LAWS, SeatKind.SIGHTED).free
    assert not obliged_moves(position, felt, LAWS).free
    assert not obliged_moves(position, felt, LAWS, SeatKind.LOW_VISION).free
    assert not obliged_moves(position, (Touch("g1"),), LAWS, SeatKind.TACTILE).free
    adjusted = (Touch("g1", excused=True), Touch("b1"))
    assert set(obliged_moves(position, adjusted, LAWS).moves) == {"b1a3", "b1c3"}


@pytest.mark.law("L032", "L188")
def test_the_order_of_lifting_counts_at_the_tactile_board() -> None:
    position = Position.from_fen(CASTLES)
    felt_rook_then_lifted_king = (Touch("h1", TouchHow.CONTACT), Touch("e1"), Touch("h1"))
    assert obliged_moves(position, felt_rook_then_lifted_king, LAWS, SeatKind.TACTILE).moves == ("e1g1",)
    assert obliged_moves(position, felt_rook_then_lifted_king, LAWS, SeatKind.SIGHTED).article == "4.3.1"


@pytest.mark.law("L034")
def test_the_choice_of_a_promotion_is_final_once_the_piece_has_touched_the_square() -> None:
    position = Position.from_fen("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1")
    pawn = obliged_moves(position, (Touch("b7"),), LAWS)
    assert len(pawn.moves) == 8
    chosen = with_promotion(pawn, "a8", "n")
    assert chosen == Obligation(("b7a8n", "b7b8q", "b7b8r", "b7b8b", "b7b8n"), "4.4.4", False)
    assert with_promotion(chosen, "a8", "n") == chosen


@pytest.mark.law("L080")
def test_the_move_that_replaces_an_illegal_one() -> None:
    in_check = "4k3/8/8/8/4r3/2N5/8/4K2R w K - 0 1"
    position = Position.from_fen(in_check)
    assert touches_of_move(position, "h1h8") == (Touch("h1"),)  # the king stands in check
    assert obliged_moves(position, touches_of_move(position, "c3d5"), LAWS).moves == ("c3e4", "c3e2")
    assert touches_of_move(position, "e1g1") == (Touch("e1"), Touch("h1"))  # castling: king, then rook
    replacing = obliged_moves(position, touches_of_move(position, "e1g1"), LAWS)
    assert replacing.article == "4.4.3" and all(uci.startswith("e1") for uci in replacing.moves)
    pinned = Position.from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert touches_of_move(pinned, "e5d6") == (Touch("e5"), Touch("d5"))
    with pytest.raises(ValueError):
        touches_of_move(pinned, "a1a2")


@settings(max_examples=80, deadline=None)
@given(games(), st.lists(st.sampled_from(chess.SQUARE_NAMES), max_size=5), st.booleans(), st.booleans())
def test_obligations_are_legal_moves(game: tuple[Position, ...], squares: list[str], clear: bool, short: bool) -> None:
    position, touches = game[-1], tuple(Touch(square) for square in squares)
    board = position.board()
    legal = {move.uci() for move in board.legal_moves}
    found = obliged_moves(position, touches, SHORT if short else LAWS, order_clear=clear)
    assert set(found.moves) <= legal
    assert bool(found.moves) == bool(legal)  # a player who can move always may
    assert not found.free or set(found.moves) == legal
    touched = {square for square in squares if board.piece_at(chess.parse_square(square))}
    if not touched:
        assert found.free
    if not found.free and found.article != "4.4.2":
        for uci in found.moves:  # every obliged move moves or takes a touched piece
            taken = {touch.square for touch in touches_of_move(position, uci)} - {uci[:2]}
            assert uci[:2] in touched or taken & touched


@settings(max_examples=80, deadline=None)
@given(games(), st.data())
def test_the_first_touched_own_piece_moves_if_it_can(game: tuple[Position, ...], data: st.DataObject) -> None:
    position = game[-1]
    board = position.board()
    own = [chess.square_name(square) for square in chess.SquareSet(board.occupied_co[board.turn])]
    squares = data.draw(st.lists(st.sampled_from(own), min_size=1, max_size=4, unique=True))
    can = {uci for uci in (move.uci() for move in board.legal_moves) if uci[:2] == squares[0]}
    found = obliged_moves(position, tuple(Touch(square) for square in squares), LAWS)
    if can:
        assert set(found.moves) <= can and found.article in ("4.3.1", "4.4.1", "4.4.3")
        if len(squares) == 1:
            assert set(found.moves) == can


@settings(max_examples=100, deadline=None)
@given(games(), st.data())
def test_one_touched_enemy_piece_is_taken_if_it_can_be(game: tuple[Position, ...], data: st.DataObject) -> None:
    position = game[-1]
    board = position.board()
    enemy = [chess.square_name(square) for square in chess.SquareSet(board.occupied_co[not board.turn])]
    square = data.draw(st.sampled_from(enemy))
    taking = set()
    for move in board.legal_moves:  # by what is gone afterwards, not by the way the code finds captures
        after = board.copy(stack=False)
        after.push(move)
        if len(after.piece_map()) < len(board.piece_map()):
            there = after.piece_at(chess.parse_square(square))
            if there is None or there.color == board.turn:
                taking.add(move.uci())
    found = obliged_moves(position, (Touch(square),), LAWS)
    if taking:
        assert set(found.moves) == taking and found.article == "4.3.2"
    else:
        assert found.free
