"""How the pieces move (Article 3; L012-L015, L018-L022), through what the server does with words and boards.

A move is judged only after the press and only for the arbiter; the boards follow what hands do, legal or not.
"""

from __future__ import annotations

import chess
import pytest

from server.exports.table_pgn import pgn_of
from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.draws import identity
from server.game.laws.legality import is_checkmate, is_legal, is_stalemate, legal_moves
from server.game.values.position import Position
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views.view import view
from server.wording.words import move_entered, scheme_of
from tests.game.core_table import CoreTable, only, play


def judged(fen: str, words: str) -> bool:
    """Whether the server takes an announced move for legal: told to the arbiter alone, and only after the press."""
    table = CoreTable(fen=fen)
    station = table.state.on_move.value
    table.say(station, words)
    assert not only(table.events, ev.Alerted), "nothing before the press"
    seen = len(table.events)
    table.press(station)
    told = [alert for alert in only(table.events[seen:], ev.Alerted) if alert.kind == "not_legal"]
    for alert in told:
        for seat in Seat:
            assert view(alert, table.state, Station(seat.value, Role.PLAYER, seat)) is None
    uci = table.state.moves.line[0]
    assert uci is not None, words
    assert is_legal(table.state.moves.positions[0], uci) is (not told), "one judgement in the whole core"
    assert (uci in {move.uci() for move in legal_moves(table.state.moves.positions[0])}) is (not told)
    return not told


# 3.1: captures


@pytest.mark.law("L012")
@pytest.mark.parametrize("words", ["Ra2", "Qd2", "Ke2", "Bd2", "Nd2"])
def test_l012_no_move_to_a_square_of_the_own_colour(words: str) -> None:
    assert not judged(chess.STARTING_FEN.replace("RNBQKBNR", "RNBQK3"), words)


@pytest.mark.law("L012")
def test_l012_a_capture_takes_the_man_off_both_boards_in_the_same_move() -> None:
    table = CoreTable(fen="4k3/8/8/3p4/8/8/6B1/4K3 w - - 0 1", white=SeatKind.SIGHTED)
    announcement, words, text = move_entered(table.state.moves.positions[0], "g2d5", scheme_of("d21", "de"))
    assert text == "Laeufer schlägt David fuenf" and "word.takes" in words
    events = table.done("white", cmd.EnterMove(uci="g2d5", announcement=announcement, words=words, text=text))
    assert len(only(events, ev.BoardMoved)) == 1 and table.placement(Seat.WHITE) == "4k3/8/8/3B4/8/8/8/4K3"
    table.press("white")
    table.say("black", "Bd5", act="echo")
    events = table.done("black", cmd.Execute())
    assert len(only(events, ev.BoardMoved)) == 1 and table.placement(Seat.BLACK) == "4k3/8/8/3B4/8/8/8/4K3"
    assert table.state.moves.positions[-1].placement == "4k3/8/8/3B4/8/8/8/4K3"
    assert table.state.moves.positions[-1].halfmoves == 0


@pytest.mark.law("L012")
def test_l012_announced_without_the_word_it_is_a_capture_all_the_same() -> None:
    table = CoreTable(fen="4k3/8/8/3p4/8/8/6B1/4K3 w - - 0 1")
    table.say("white", "Bd5")
    table.press("white")
    assert table.placement(Seat.WHITE) == "4k3/8/8/3B4/8/8/8/4K3"
    assert "Bxd5" in pgn_of(table.state)


# 3.1.2, 3.1.3: attacks


@pytest.mark.law("L013")
def test_l013_a_pinned_piece_still_attacks() -> None:
    pinned = "4k3/8/4nK2/8/8/8/8/4R3 w - - 0 1"
    assert not judged(pinned, "Kg7"), "the knight may not move, and attacks g7 all the same"
    assert judged(pinned.replace("4nK2", "5K2"), "Kg7")
    assert not judged(pinned.replace(" w ", " b "), "Nc5")


@pytest.mark.law("L013")
def test_l013_a_pinned_piece_guards() -> None:
    guarded = Position.from_fen("4r3/8/8/8/8/8/4R1P1/4K2k b - - 0 1")
    assert not is_legal(guarded, "h1g2"), "the rook may not leave the file, and guards the pawn all the same"
    assert is_legal(Position.from_fen("4r3/8/8/8/8/8/6P1/4K2k b - - 0 1"), "h1g2")
    assert not judged("4r3/8/8/8/8/8/4R1P1/4K2k b - - 0 1", "Kg2")


# 3.2-3.6: bishop, rook, queen, knight


@pytest.mark.law("L014")
@pytest.mark.parametrize(
    ("fen", "words", "legal"),
    [
        ("4k3/8/8/8/3B4/8/8/4K3 w - - 0 1", "Bh8", True),
        ("4k3/8/8/8/3B4/8/8/4K3 w - - 0 1", "Bd5", False),
        ("4k3/8/8/4P3/3B4/8/8/4K3 w - - 0 1", "Bf6", False),  # over an own man
        ("4k3/8/8/4p3/3B4/8/8/4K3 w - - 0 1", "Bf6", False),  # over the opponent's
        ("4k3/8/8/4p3/3B4/8/8/4K3 w - - 0 1", "Be5", True),
        ("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1", "Rd8", True),
        ("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1", "Re5", False),
        ("4k3/8/3p4/8/3R4/8/8/4K3 w - - 0 1", "Rd7", False),
        ("4k3/8/3p4/8/3R4/8/8/4K3 w - - 0 1", "Rd6", True),
        ("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "Qa7", True),
        ("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "Qa4", True),
        ("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "Qe6", False),  # like a knight
        ("4k3/8/8/2P5/3Q4/8/8/4K3 w - - 0 1", "Qb6", False),
        ("4k3/8/8/2ppp3/2pNp3/2ppp3/8/4K3 w - - 0 1", "Nf5", True),  # past everything around it
        ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "Nd6", False),
        ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "Nf6", False),
        ("4k3/8/8/8/3b4/8/8/4K3 b - - 0 1", "Ba7", True),
        ("4k3/8/8/8/3r4/8/8/4K3 b - - 0 1", "Rc5", False),
    ],
)
def test_l014_bishop_rook_queen_and_knight(fen: str, words: str, legal: bool) -> None:
    assert judged(fen, words) is legal


# 3.7: the pawn


@pytest.mark.law("L015")
@pytest.mark.parametrize(
    ("fen", "words", "legal"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e3", True),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4", True),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e5", False),  # not from its first position
        ("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", "e2e4", False),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", False),  # over a man
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e3", False),  # no capture straight on
        ("4k3/8/8/8/8/3n4/4P3/4K3 w - - 0 1", "e2d3", True),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2d3", False),  # nothing to take
        ("4k3/8/8/8/8/3N4/4P3/4K3 w - - 0 1", "e2d3", False),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e1", False),  # backwards
        ("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e5", True),
        ("4k3/8/4p3/8/8/8/8/4K3 b - - 0 1", "e4", False),
        ("4k3/4p3/3N4/8/8/8/8/4K3 b - - 0 1", "e7d6", True),
        ("4k3/8/8/4p3/8/8/8/4K3 b - - 0 1", "e5e6", False),
    ],
)
def test_l015_the_pawn(fen: str, words: str, legal: bool) -> None:
    assert judged(fen, words) is legal


@pytest.mark.law("L015")
def test_l015_en_passant_only_at_once_and_its_right_is_part_of_the_position() -> None:
    at_once = CoreTable(fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    at_once.say("black", "d5")
    at_once.press("black")
    square = at_once.state.moves.positions[-1].en_passant
    play(at_once, "e5d6")
    assert square == "d6" and not only(at_once.events, ev.Alerted)
    assert at_once.placement(Seat.WHITE) == "4k3/8/3P4/8/8/8/8/4K3", "the passed pawn is off the board"
    late = CoreTable(fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    play(late, "d5 Kd1 Kf8 e5d6")
    assert [alert.ply for alert in only(late.events, ev.Alerted) if alert.kind == "not_legal"] == [4]
    can, cannot = (Position.from_fen(f"4k3/8/8/3pP3/8/8/8/4K3 w - {square} 0 1") for square in ("d6", "-"))
    assert identity(can) != identity(cannot) and is_legal(can, "e5d6") and not is_legal(cannot, "e5d6")
    pinned = [Position.from_fen(f"8/8/8/k2pP2R/8/8/8/4K3 w - {square} 0 1") for square in ("d6", "-")]
    assert identity(pinned[0]) != identity(pinned[1]), "the pawn may take: its own king is not behind it"
    own = [Position.from_fen(f"8/8/8/K2pP2r/8/8/8/4k3 w - {square} 0 1") for square in ("d6", "-")]
    assert identity(own[0]) == identity(own[1]), "taking would leave the own king in check: no right, the same position"


# 3.8: king and castling


@pytest.mark.law("L018")
@pytest.mark.parametrize(
    ("fen", "words", "legal"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kf2", True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", True),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", False),
        ("4k3/8/8/8/8/8/8/3K4 w - - 0 1", "Kf1", False),
        ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", "Kf2", False),  # next to the other king
        ("4k3/8/8/8/8/8/8/4K2r w - - 0 1", "Kd1", False),  # along the line of the check
    ],
)
def test_l018_the_king(fen: str, words: str, legal: bool) -> None:
    assert judged(fen, words) is legal


CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.law("L019")
@pytest.mark.parametrize(
    ("words", "king", "rook", "left", "written"),
    [("O-O", "g1", "f1", "a1", "O-O"), ("O-O-O", "c1", "d1", "h1", "O-O-O")],
)
def test_l019_castling_is_one_move_of_the_king(words: str, king: str, rook: str, left: str, written: str) -> None:
    table = CoreTable(fen=CORNERS, white=SeatKind.SIGHTED)
    uci = f"e1{king}"
    announcement, ids, text = move_entered(table.state.moves.positions[0], uci, scheme_of("d21", "de"))
    assert ids == (f"castle.{'short' if words == 'O-O' else 'long'}",) and announcement.castling
    events = table.done("white", cmd.EnterMove(uci=uci, announcement=announcement, words=ids, text=text))
    (moved,) = only(events, ev.BoardMoved)
    assert moved.uci == uci, "one move, the king's"
    table.press("white")
    board = Position.from_fen(f"{table.placement(Seat.WHITE)} b - - 0 1").board()
    assert board.king(chess.WHITE) == chess.parse_square(king)
    assert board.pieces(chess.ROOK, chess.WHITE) == chess.SquareSet([chess.parse_square(s) for s in (rook, left)])
    table.say("black", words, act="echo")
    table.done("black", cmd.Execute())
    assert table.placement(Seat.BLACK) == table.placement(Seat.WHITE)
    assert f"1. {written} " in pgn_of(table.state) and table.state.made_plies == 1


def after(fen: str, moves: str) -> CoreTable:
    table = CoreTable(fen=fen)
    play(table, moves)
    assert not only(table.events, ev.Alerted)
    return table


@pytest.mark.law("L020")
@pytest.mark.parametrize(
    ("moves", "rights"),
    [
        ("Ke2 Ke7 Ke1 Ke8", "-"),
        ("Rh1g1 Rh8g8 Rg1h1 Rg8h8", "Qq"),
        ("Ra1b1 Ra8b8 Rb1a1 Rb8a8", "Kk"),
        ("O-O O-O-O", "-"),
    ],
)
def test_l020_the_right_is_lost_for_good(moves: str, rights: str) -> None:
    table = after(CORNERS, moves)
    position = table.state.moves.positions[-1]
    assert position.castling == rights
    if position.placement == table.state.moves.positions[0].placement:
        assert identity(position) != identity(table.state.moves.positions[0]), "the same men, but not the same rights"
        lost = "O-O" if "K" not in rights else "O-O-O"
        table.say("white", lost, act="announce")
        table.press("white")
        assert "not_legal" in {alert.kind for alert in only(table.events, ev.Alerted)}


@pytest.mark.law("L020")
def test_l020_a_rook_taken_in_its_corner_castles_no_more() -> None:
    table = after("r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1", "Rh1h8")
    assert table.state.moves.positions[-1].castling == "q"


@pytest.mark.law("L021")
@pytest.mark.parametrize(
    ("fen", "words", "legal"),
    [
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "O-O", False),  # out of check
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", False),  # through an attacked square
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", False),  # onto one
        ("4k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", True),  # the rook may be attacked
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", True),  # and pass an attacked square
        ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", False),
        ("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", False),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", False),  # a piece in between
        ("4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1", "O-O", False),
        ("4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1", "O-O-O", True),
        ("r3k2r/8/8/8/8/5R2/8/4K3 b kq - 0 1", "O-O", False),
        ("r3k2r/8/8/8/8/5R2/8/4K3 b kq - 0 1", "O-O-O", True),
    ],
)
def test_l021_temporarily_prevented(fen: str, words: str, legal: bool) -> None:
    assert judged(fen, words) is legal


@pytest.mark.law("L021")
def test_l021_what_prevents_it_for_now_does_not_take_the_right() -> None:
    table = after("4kr2/8/8/8/8/8/P7/R3K2R w KQ - 0 1", "a3 Rf7 a4 Rd7")
    assert table.state.moves.positions[-1].castling == "KQ"
    play(table, "O-O")
    assert not [alert for alert in only(table.events, ev.Alerted) if alert.kind == "not_legal"]


# 3.9: check


@pytest.mark.law("L022")
@pytest.mark.parametrize(
    ("fen", "words", "legal"),
    [
        ("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "Bd3", False),  # the pinned bishop uncovers the king
        ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "Re5", True),  # along the pin
        ("4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", "Nb3", False),  # the check stays
        ("4r2k/8/8/8/8/8/8/B3K3 w - - 0 1", "Be5", True),  # interposed
        ("4r2k/8/8/8/B7/8/8/4K3 w - - 0 1", "Be8", True),  # taken
        ("4r2k/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2", False),
        ("4r2k/8/8/8/1b6/8/8/B3K3 w - - 0 1", "Be5", False),  # of two checks one stays
    ],
)
def test_l022_no_move_leaves_the_own_king_in_check(fen: str, words: str, legal: bool) -> None:
    assert judged(fen, words) is legal


@pytest.mark.law("L022")
def test_l022_check_unsaid_is_nothing_to_anybody() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    table.say("white", "Qa8")
    table.press("white")
    assert table.state.moves.positions[-1].board().is_check()
    assert not only(table.events, ev.Alerted), "it is not obligatory to say so"


@pytest.mark.law("L022")
def test_l022_mate_and_stalemate_are_told_apart_by_check() -> None:
    mate = Position.from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    stale = Position.from_fen("k7/2Q5/8/8/8/8/8/6K1 b - - 0 1")
    assert (is_checkmate(mate), is_stalemate(mate)) == (True, False)
    assert (is_checkmate(stale), is_stalemate(stale)) == (False, True)
