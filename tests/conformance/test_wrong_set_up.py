"""Wrong set-up, turned board, reversed colours (7.2, 7.3, A.4.1.2 / A.5.1.2; L076, L077, L152)."""

from __future__ import annotations

from typing import Any

import chess
import msgspec
import pytest

from server.exports.table_pgn import pgn_of
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions, Supervision
from server.game.values.position import UNKNOWN
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views.view import picture, view
from tests.game.core_table import CoreTable, altered, only, play

BASIC = EventOptions(supervision=Supervision.BASIC)
TEN = "Nf3 Nf6 Ng1 Ng8 " * 5
PAWNS = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5"
SWAPPED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"  # White's king and queen have changed places
ROOK = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN"  # White's king's rook stands on g1


def basic(moves: str = TEN, **more: Any) -> CoreTable:
    table = CoreTable(control="900+10", regulations=BASIC, **more)
    play(table, moves)
    return table


def ruled(table: CoreTable, **more: Any) -> ev.SetUpRuled:
    (event,) = only(table.done("arbiter", cmd.RuleSetUp(**more)), ev.SetUpRuled)
    assert Game.replay(table.events) == table.state
    return event


def not_legal(table: CoreTable) -> list[int]:
    return [alert.ply for alert in only(table.events, ev.Alerted) if alert.kind == "not_legal"]


@pytest.mark.law("L152")
@pytest.mark.parametrize(
    ("placement", "castling"),
    [(SWAPPED, "kq"), (ROOK, "Qkq"), (chess.STARTING_BOARD_FEN, "KQkq"), ("8/8/8/8/8/8/8/8", "-")],
)
def test_l152_a_wrong_set_up_that_stands_keeps_the_rights_of_what_stood_right(placement: str, castling: str) -> None:
    table = basic()
    event = ruled(table, what="position", placement=placement)
    assert (event.says, event.article, event.castling) == ("continue", "A.5.1.2", castling)
    (alert,) = [alert for alert in only(table.events, ev.Alerted) if alert.kind == "set_up_goes_on"]
    assert not alert.grey and "A.5.1.2" in alert.detail
    assert table.state.moves.positions[0].placement == placement and table.state.moves.positions[0].castling == castling
    for seat in Seat:
        left = set(table.state.board_of(seat).position.castling)
        assert left <= set(castling) | {"-"}
        assert view(event, table.state, Station(seat.value, Role.PLAYER, seat)) is None, "the arbiter alone"


@pytest.mark.law("L152")
@pytest.mark.parametrize("board", [None, *Seat])
@pytest.mark.parametrize(("placement", "castling"), [(ROOK, "Qkq"), ("8/8/8/8/8/8/8/8", "-")])
def test_l152_what_stands_where_is_on_record_and_the_arbiter_told(
    board: Seat | None, placement: str, castling: str
) -> None:
    table = basic(PAWNS)
    done = table.done("arbiter", cmd.RuleSetUp(what="position", placement=placement, board=board))
    ruling = ev.SetUpRuled(
        at=1_000,
        what="position",
        says="continue",
        article="A.5.1.2",
        placement=placement,
        castling=castling,
        board=board,
    )
    where = "both boards" if board is None else f"{board.value.capitalize()}'s board"
    rights = "none" if castling == "-" else castling
    detail = f"{where} set up as {placement}: the game continues; castling rights of that set-up: {rights} (A.5.1.2)"
    told = ev.Alerted(at=1_000, kind="set_up_goes_on", ply=20, grey=False, detail=detail)
    assert done[0] == ruling and done[-1] == told
    known = table.state.position
    if board is None and known is not None:
        seen = [(one.board, one.placement, one.turn) for one in only(done, ev.BoardSet)]
        assert seen == [(seat, known.placement, Seat.WHITE) for seat in Seat]
    else:
        assert len(done) == 2, "nobody knows how the boards stand now, or that board's castling rights alone change"


@pytest.mark.law("L152")
@pytest.mark.parametrize(
    ("fen", "moves", "chess960", "castling"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kd1 Kd8 Ke1 Ke8 " * 5, False, "KQkq"),  # of the start, not of later
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "Kd8 Kd1 Ke8 Ke1 " * 5, False, "KQkq"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "Kd1 Kd8 Ke1 Ke8 " * 5, True, "KQkq"),
    ],
)
def test_l152_the_rights_are_those_of_the_position_from_which_the_game_began(
    fen: str, moves: str, chess960: bool, castling: str
) -> None:
    regulations = msgspec.structs.replace(BASIC, guidelines=("II",))
    table = CoreTable(control="900+10", regulations=regulations, fen=fen, chess960=chess960)
    play(table, moves)
    assert ruled(table, what="position", placement=fen.split()[0]).castling == castling


@pytest.mark.law("L152")
@pytest.mark.parametrize(
    ("edition", "article"), [("fide2018", "A.4.1.2"), ("fide2023", "A.5.1.2"), ("short", "A.5.1.2")]
)
def test_l152_the_article_is_the_editions_own(edition: str, article: str) -> None:
    table = basic(rule_set=edition)
    for what in ("position", "orientation"):
        stands = table.do("arbiter", cmd.RuleSetUp(what=what))
        assert stands == Refusal("set_up_stands", article)
    turned = cmd.RuleSetUp(what="orientation", placement=ROOK)
    assert table.do("arbiter", turned) == Refusal("set_up_stands", article), "no board is turned after ten moves"
    assert ruled(table, what="position", placement=ROOK).article == article


@pytest.mark.law("L152")
def test_l152_the_game_is_read_again_from_the_set_up_and_both_boards_follow() -> None:
    table = basic(PAWNS)
    assert table.placement(Seat.WHITE).endswith("RNBQKBNR")
    ruled(table, what="position", placement=ROOK)
    known = table.state.position
    assert known is not None and known.placement.endswith("RNBQKBRN") and known.castling == "Qkq"
    assert {table.placement(seat) for seat in Seat} == {known.placement}
    assert table.state.moves.line[:2] == ("a2a3", "a7a6") and "RNBQKBRN" in pgn_of(table.state)
    play(table, "Nf3 Nf6")
    assert picture(table.state, table.now).made_plies == 22 and table.state.moves.line[20] is None


@pytest.mark.law("L152")
@pytest.mark.parametrize(
    ("placement", "words", "legal"),
    [
        (SWAPPED, "O-O", False),  # the king stood wrong: no castling at all
        (SWAPPED, "O-O-O", False),
        (ROOK, "O-O", False),  # not with the rook that stood wrong
        (ROOK, "O-O-O", True),
        (chess.STARTING_BOARD_FEN, "O-O", True),
    ],
)
def test_l152_no_castling_with_what_stood_wrong_on_one_board(placement: str, words: str, legal: bool) -> None:
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    table = basic(PAWNS, fen=fen)
    placed = {SWAPPED: fen.split()[0].replace("R3K2R", "R2K3R"), ROOK: fen.split()[0].replace("R3K2R", "R3K1R1")}.get(
        placement, fen.split()[0]
    )
    ruled(table, what="position", placement=placed, board=Seat.WHITE)
    table.say("white", words, act="announce")
    assert not not_legal(table)
    table.press("white")
    assert (not_legal(table) == []) is legal
    rights = table.state.board_of(Seat.BLACK).position.castling
    assert "k" in rights and "q" in rights, "Black's men stood right"


@pytest.mark.law("L152", "L197")
def test_l152_what_nobody_knows_of_the_game_stays_unknown_when_rights_are_lost() -> None:
    """Of two moves nobody knows which they were, and the arbiter has found the position after them (D.2.9)."""
    table = basic(PAWNS)
    known = table.state.moves.positions
    table.state = altered(table.state, {"moves.positions": (*known[:3], UNKNOWN, *known[4:])})
    table.done("arbiter", cmd.RuleSetUp(what="position", placement=ROOK, board=Seat.WHITE))
    left = table.state.moves.positions
    assert left[3] == UNKNOWN and {one.castling for one in (*left[:3], *left[4:])} == {"Qkq"}


@pytest.mark.law("L152")
def test_l152_before_ten_moves_or_under_full_supervision_it_is_a_new_game() -> None:
    early = basic("e4 e5")
    assert ruled(early, what="position", placement=SWAPPED).says == "new_game"
    assert early.state.moves.positions[0].placement == chess.STARTING_BOARD_FEN
    full = CoreTable(control="900+10")
    play(full, TEN)
    assert ruled(full, what="position", placement=SWAPPED).says == "new_game"


@pytest.mark.law("L152")
def test_l152_after_ten_moves_there_is_no_claim_on_set_up_or_orientation() -> None:
    table = basic()
    assert table.do("arbiter", cmd.RuleSetUp(what="orientation")) == Refusal("set_up_stands", "A.5.1.2")
    assert table.do("arbiter", cmd.RuleSetUp(what="position")) == Refusal("set_up_stands", "A.5.1.2")
    bad = table.do("arbiter", cmd.RuleSetUp(what="position", placement="9/8"))
    assert bad == Refusal("no_position", "A.5.1.2")


@pytest.mark.law("L076")
def test_l076_a_turned_board_the_arbiter_gets_every_man_with_its_square() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3")
    event = ruled(table, what="orientation")
    assert (event.says, event.article) == ("continue", "7.2.2") and len(event.transfer) == 32
    board = chess.Board(None)
    for man in event.transfer:
        board.set_piece_at(chess.parse_square(man[1:]), chess.Piece.from_symbol(man[0]))
    assert board.board_fen() == table.placement(Seat.WHITE)
    assert event.transfer[0] == "Ra1" and event.transfer[16].islower(), "White first, from a1 on"
    assert "Nf3" in event.transfer
    of_black = ruled(table, what="orientation", board=Seat.BLACK)
    assert "Ng1" in of_black.transfer and "Nf3" not in of_black.transfer, "as that board stands"


def named(moves: str, rule_set: str = "fide2023") -> CoreTable:
    table = CoreTable(rule_set=rule_set, white=SeatKind.TACTILE)
    opened = msgspec.structs.replace(
        table.events[0],
        white=msgspec.structs.replace(table.state.table.white, name="Anna"),
        black=msgspec.structs.replace(table.state.table.black, name="Hector"),
    )
    table.events[0] = opened
    table.state = Game.replay(table.events)
    play(table, moves)
    return table


@pytest.mark.law("L077")
def test_l077_from_ten_moves_on_the_names_change_sides_in_the_records() -> None:
    table = named(TEN)
    assert '[White "Anna"]' in pgn_of(table.state)
    event = ruled(table, what="colours")
    assert (event.says, event.names) == ("continue", ("Hector", "Anna"))
    assert '[White "Hector"]\n[Black "Anna"]' in pgn_of(table.state)
    assert table.state.table.white.kind is SeatKind.TACTILE, "who sits where, and how they play, stays as it is"
    assert ruled(table, what="colours").names is None, "once"
    assert '[White "Hector"]' in pgn_of(table.state)


@pytest.mark.law("L077")
def test_l077_a_new_game_an_open_question_and_the_arbiters_word_leave_the_names() -> None:
    early = named("e4 e5")
    assert (ruled(early, what="colours").says, early.state.table.white.name) == ("new_game", "Anna")
    unstated = named(TEN, "fide2017h2")
    assert (ruled(unstated, what="colours").says, unstated.state.table.white.name) == ("arbiter", "Anna")
    kept = named(TEN)
    assert (ruled(kept, what="colours", names="keep").says, kept.state.table.white.name) == ("continue", "Anna")
    short = named("e4 e5", "short")
    assert (ruled(short, what="colours").names, short.state.table.white.name) == (("Hector", "Anna"), "Hector")
