"""Both kings in check, pawns on the last rank, wrong set-ups, colours reversed, the king taken."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings

from server.game.laws.legality import (
    both_kings_in_check,
    captures_king,
    castling_rights_of_set_up,
    drawn_after_waiting,
    irregularities,
    is_checkmate,
    is_legal,
    is_stalemate,
    legal_moves,
    pawns_on_last_rank,
    reversed_colours,
)
from server.game.laws.rule_set import RuleSet
from server.game.laws.touch import Touch, obliged_moves
from server.game.values.position import Position
from tests.game.laws.games_at_random import games

START = Position.from_fen(chess.STARTING_FEN)
BOTH_CHECKED = "4k3/8/8/8/8/8/4r3/R3K2Q w - - 0 1"


def at(fen: str) -> Position:
    return Position.from_fen(fen)


@pytest.mark.law("L155")
def test_both_kings_in_check() -> None:
    both = at("4k2R/8/8/8/8/8/8/r3K3 w - - 0 1")
    assert both_kings_in_check(both) and irregularities(both) == ("both_kings_in_check",)
    assert not both_kings_in_check(at("4k2R/8/8/8/8/8/8/4K3 b - - 0 1"))
    assert not both_kings_in_check(at("4k3/8/8/8/8/8/8/r3K3 w - - 0 1"))
    assert both_kings_in_check(at("8/8/8/8/8/8/3kK3/8 w - - 0 1"))  # kings side by side attack each other
    assert not both_kings_in_check(at("8/8/8/8/8/8/8/r3K2R w - - 0 1"))  # one king is missing


@pytest.mark.law("L155", "L024")
def test_pawns_on_the_last_rank() -> None:
    assert pawns_on_last_rank(at("P3k3/8/8/8/8/8/8/4K2p w - - 0 1")) == ("h1", "a8")
    # A pawn on its own side's first rank is not on the rank furthest from where it starts.
    assert pawns_on_last_rank(at("p3k3/8/8/8/8/8/8/4K2P w - - 0 1")) == ()
    assert irregularities(at("P3k2R/8/8/8/8/8/8/r3K3 w - - 0 1")) == ("both_kings_in_check", "pawn_on_last_rank")


@pytest.mark.law("L155")
def test_the_arbiter_waits_for_the_next_completed_move() -> None:
    seen = at("P3k3/8/8/8/8/8/8/4K3 b - - 0 1")
    assert drawn_after_waiting(seen, at("P7/4k3/8/8/8/8/8/4K3 w - - 0 1"))
    assert not drawn_after_waiting(seen, at("8/4k3/8/8/8/8/8/4K3 w - - 0 1"))
    assert drawn_after_waiting(seen, at("R7/8/8/8/8/8/3kK3/8 w - - 0 1"))  # another illegal position
    assert not drawn_after_waiting(START, seen)  # first seen only now: wait


@settings(max_examples=40, deadline=None)
@given(games())
def test_legal_play_never_gets_there(game: tuple[Position, ...]) -> None:
    assert all(irregularities(position) == () for position in game)


@pytest.mark.law("L152")
@pytest.mark.parametrize(
    ("first_rank", "rights"),
    [
        ("RNBQKBNR", "KQkq"),
        ("RNBKQBNR", "kq"),  # king and queen exchanged: that king may not castle
        ("NRBQKBNR", "Kkq"),  # the rook on b1 is misplaced: not with that rook
        ("RNBQKBRN", "Qkq"),
        ("NRBQKBRN", "kq"),
    ],
)
def test_castling_after_a_wrong_set_up(first_rank: str, rights: str) -> None:
    set_up = at(f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{first_rank} w - - 0 1")
    assert castling_rights_of_set_up(set_up, START) == rights


@pytest.mark.law("L152", "L226")
def test_castling_after_a_wrong_set_up_in_chess960() -> None:
    intended = Position.from_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", chess960=True)
    assert castling_rights_of_set_up(intended, intended) == "KQkq"
    wrong = Position.from_fen("bbqnrnkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", chess960=True)
    assert castling_rights_of_set_up(wrong, intended) == "KQk"
    king = Position.from_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNKRR w KQkq - 0 1", chess960=True)
    assert castling_rights_of_set_up(king, intended) == "kq", "a misplaced king castles with no rook"


@pytest.mark.law("L077")
def test_reversed_colours(fide2018: RuleSet, fide2023: RuleSet, short: RuleSet, fide2017h2: RuleSet) -> None:
    for rules in (fide2018, fide2023):
        assert reversed_colours(rules, 10, 9) == "new_game"
        assert reversed_colours(rules, 10, 10) == "continue"
        assert reversed_colours(rules, 0, 0) == "new_game"
    assert reversed_colours(short, 1, 1) == "continue"
    assert reversed_colours(fide2017h2, 1, 1) == "arbiter"  # not stated in what is left of that edition


@pytest.mark.law("L006")
def test_taking_the_king_is_an_illegal_move_and_no_win(fide2023: RuleSet) -> None:
    position = at("4k3/8/8/8/8/8/8/4RK2 w - - 0 1")
    assert captures_king(position, "e1e8")
    assert not is_legal(position, "e1e8") and is_legal(position, "e1e7")
    assert "e1e8" not in obliged_moves(position, (Touch("e1"),), fide2023).moves
    assert obliged_moves(position, (Touch("e8"),), fide2023).free
    assert not captures_king(position, "e1e7")
    after = position.after("e1e8").board()
    assert not after.is_checkmate() and after.king(chess.BLACK) is None
    black = at("4k3/8/8/8/8/8/8/r3K3 b - - 0 1")
    assert captures_king(black, "a1e1")
    own = at("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert not captures_king(own, "a1e1")  # White's own king


@pytest.mark.law("L006", "L045")
def test_a_player_who_could_only_take_the_king_is_stalemated() -> None:
    # Black overlooked the check of the pawn; White has no other move, and taking the king is none.
    position = at("3rk3/3P4/8/8/8/8/5q2/7K w - - 0 1")
    assert {move.uci()[:4] for move in position.board().legal_moves} == {"d7e8"}
    assert legal_moves(position) == () and is_stalemate(position) and not is_checkmate(position)


@pytest.mark.law("L023", "L045")
@settings(max_examples=80, deadline=None)
@given(games(120))
def test_in_legal_positions_nothing_is_changed(game: tuple[Position, ...]) -> None:
    position = game[-1]
    board = position.board()
    assert legal_moves(position) == tuple(board.legal_moves)
    assert all(is_legal(position, move.uci()) for move in board.legal_moves)
    assert (is_checkmate(position), is_stalemate(position)) == (board.is_checkmate(), board.is_stalemate())
    assert not is_legal(position, "e2e9") and not is_legal(position, "0000")


@pytest.mark.law("L152")
@pytest.mark.parametrize(
    ("last_rank", "first_rank", "rights"),
    [
        ("rnbqkbnr", "RNBQKBNR", "KQkq"),
        ("rnbkqbnr", "RNBQKBNR", "KQ"),  # Black's king stands where Black's queen should
        ("nrbqkbnr", "RNBQKBNR", "KQk"),
        ("rnbqkbrn", "RNBQKBNR", "KQq"),
        ("rnbq1bnr", "RNBQKBNR", "KQ"),
        ("rnbqkbnr", "RNBQ1BNR", "kq"),
        ("rnbqkbnr", "RNBQQBNR", "kq"),
        ("Rnbqkbnr", "rNBQKBNR", "Kk"),  # a rook of the other colour
    ],
)
def test_each_side_castles_where_its_king_and_rook_stand_as_they_should(
    last_rank: str, first_rank: str, rights: str
) -> None:
    set_up = at(f"{last_rank}/pppppppp/8/8/8/8/PPPPPPPP/{first_rank} w - - 0 1")
    assert castling_rights_of_set_up(set_up, START) == rights


@pytest.mark.law("L152")
def test_where_no_castling_was_meant_none_is_left() -> None:
    without_king = at("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")
    assert castling_rights_of_set_up(START, without_king) == "KQ"
    assert castling_rights_of_set_up(START, at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kq - 0 1")) == "Kq"
    assert castling_rights_of_set_up(START, at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")) == "-"


@pytest.mark.law("L155")
@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", ()),
        ("4k2R/8/8/8/8/8/8/r3K3 w - - 0 1", ("both_kings_in_check",)),
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", ()),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", ()),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", ("pawn_on_last_rank",)),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", ("pawn_on_last_rank",)),
        ("p3k3/8/8/8/8/8/8/P3K3 w - - 0 1", ()),
    ],
)
def test_the_irregular_states_by_name(fen: str, found: tuple[str, ...]) -> None:
    assert irregularities(at(fen)) == found


@pytest.mark.law("L006")
@pytest.mark.parametrize(
    ("fen", "uci", "takes"),
    [
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "e1e8", True),
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "e1e8", False),  # Black's own
        ("4k3/8/8/8/8/8/8/r3K3 b - - 0 1", "a1e1", True),
        ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "a1e1", False),
        ("4q3/8/8/8/8/8/8/4RK2 w - - 0 1", "e1e8", False),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "e1e2", False),
    ],
)
def test_whose_king_a_move_takes(fen: str, uci: str, takes: bool) -> None:
    assert captures_king(at(fen), uci) is takes


@pytest.mark.law("L152", "L226")
def test_a_board_set_up_in_chess960_is_read_as_the_game_that_was_meant() -> None:
    first_rank = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w"
    intended = Position.from_fen(f"{first_rank} KQkq - 0 1", chess960=True)
    assert castling_rights_of_set_up(Position.from_fen(f"{first_rank} - - 0 1"), intended) == "KQkq"
