"""Positions after moves that are not legal, and the move an announcement means."""

from __future__ import annotations

import chess
import msgspec
import pytest

from server.game.acts import Alerted, Command, EnterMove, Placement, Uci
from server.game.state.line import PlyRecord, believed_line, resolve
from server.game.values.announcement import Announcement
from server.game.values.position import Position, legal
from server.game.values.words import Seat, SeatKind
from server.protocol import Do, Typed
from tests.game.core_table import CoreTable, only, said


@pytest.mark.parametrize(
    ("fen", "uci", "placement"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", "4k3/8/8/8/8/8/8/R4RK1"),  # rights lost: hands castle all the same
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1c1", "4k3/8/8/8/8/8/8/2KR3R"),
        ("r3k2r/8/8/8/8/8/8/4RK2 b kq - 0 1", "e8g8", "r4rk1/8/8/8/8/8/8/4RK2"),  # out of check
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", "4k3/8/8/8/8/8/8/6K1"),  # no rook to take along
        ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "d1f1", "4k3/8/8/8/8/8/8/5K1R"),  # two squares, but no castling
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1e3", "4k3/8/8/8/8/4K3/8/7R"),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1", "e4d3", "8/8/8/8/k6Q/3p4/8/3K4"),  # pinned en passant takes its pawn
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "e5d6",
            "4k3/8/3P4/8/8/8/8/4K3",
        ),  # no right to it: it is taken
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5f6", "4k3/8/5P2/3p4/8/8/8/4K3"),  # past nobody
        ("4k3/8/8/3pN3/8/8/8/4K3 w - - 0 1", "e5d6", "4k3/8/3N4/3p4/8/8/8/4K3"),  # only a pawn takes in passing
        ("4k3/8/8/8/8/8/8/R3N2R w - - 0 1", "e1g1", "4k3/8/8/8/8/8/8/R5NR"),  # only a king castles
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2b3", "4k3/8/8/8/8/1P6/8/4K3"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "P3k3/8/8/8/8/8/8/4K3"),  # 7.5.2: a pawn stays a pawn
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e1", "8/8/8/8/8/8/8/4k3"),  # a king taken by the other colour
    ],
)
def test_what_hands_do(fen: str, uci: str, placement: str) -> None:
    position = Position.from_fen(fen)
    assert not legal(position, uci)
    after = position.after(uci)
    assert after.placement == placement and after.turn is position.turn.other


def test_what_hands_do_in_chess960() -> None:
    position = Position.from_fen("1k6/8/8/8/8/8/8/1RK4R w - - 0 1", chess960=True)
    assert position.after("c1h1").placement == "1k6/8/8/8/8/8/8/1R3RK1"
    assert position.after("c1b1").placement == "1k6/8/8/8/8/8/8/2KR3R"
    above = Position.from_fen("1k6/8/8/8/8/8/2R5/2K5 w - - 0 1", chess960=True)
    assert above.after("c1c2").placement == "1k6/8/8/8/8/8/2K5/8", "on another rank it is no castling"


def test_counters_after_an_illegal_move() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/P7/R3K3 w - - 7 9")
    assert (position.after("a1b3").halfmoves, position.after("a2b3").halfmoves) == (8, 0)
    black = Position.from_fen("4k3/8/8/8/8/8/P7/R3K3 b - - 7 9")
    assert (position.after("a1b3").move_number, black.after("e8e6").move_number) == (9, 10)


@pytest.mark.law("L106")
def test_the_right_to_capture_in_passing_is_there_where_the_capture_is_legal_and_for_one_move() -> None:
    open_, pinned = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    position = Position.from_fen(open_)
    assert (position.en_passant, Position.from_fen(pinned).en_passant) == ("d6", "-")
    assert position.after("e1e3").en_passant == "-"
    assert position.with_placement(position.placement, Seat.WHITE).en_passant == "-", (
        "a board set by hand has no history"
    )


def test_a_board_set_keeps_the_rights_of_kings_and_rooks_that_stand() -> None:
    position = Position.from_fen(CORNERED)
    set_ = position.with_placement("r3k2r/8/8/8/8/8/8/R3K1R1", Seat.BLACK)
    assert set_.fen == "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 0 1"


@pytest.mark.law("L020", "L024", "L106")
@pytest.mark.parametrize(
    ("fen", "uci", "castling", "chess960"),
    [
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "e1c1", "kq", True),  # two steps of the king, between its rooks
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "e1e3", "kq", True),
        ("1r2k1r1/8/8/8/8/8/8/1R1NK1R1 w KQkq - 0 1", "e1b1", "kq", True),  # castling over a knight
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b KQkq - 0 1", "e8d6", "KQ", True),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "b1c3", "Kkq", True),  # a rook as a knight goes
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "b1g1", "kq", True),  # one rook on the other's square
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "e1g8", "q", True),  # far away, on a rook
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1h1", "kq", False),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "kq", False),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "g1g8", "Qq", True),  # legal: as ever
    ],
)
def test_an_illegal_move_of_king_or_rook_that_stands_loses_the_right_to_castle(
    fen: str, uci: str, castling: str, chess960: bool
) -> None:
    """The right is lost by moving (3.8.2.1), and a player who moved illegally has moved (A.5.2)."""
    assert Position.from_fen(fen, chess960=chess960).after(uci).castling == castling


@pytest.mark.parametrize("uci", ["e3e4", "e2e2", "nonsense", "e2e4\n"])
def test_no_move_at_all_is_a_value_error(uci: str) -> None:
    position = Position.from_fen(chess.STARTING_FEN)
    with pytest.raises(ValueError, match=r"."):
        position.after(uci)
    assert not legal(position, uci)


@pytest.mark.parametrize(
    ("fen", "words", "uci"),
    [
        ("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "Nf3", "g1f3"),  # the other knight is pinned
        ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Nf3", None),
        ("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "Nf3", "d2f3"),  # pinned, the only one by geometry
        ("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1", "Nh8", "d2h8"),  # the only one on the board
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Nf3", None),
        ("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1", "Na1f3", "a1f3"),  # the said departure, whatever stands there
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "O-O", None),
    ],
)
def test_the_move_meant(fen: str, words: str, uci: str | None) -> None:
    assert resolve(said(words), chess.Board(fen)).uci == uci


def test_a_believed_line_keeps_mends_where_the_thread_is_lost() -> None:
    start = Position.from_fen(chess.STARTING_FEN)
    plies = (
        PlyRecord(1, Seat.WHITE, mended="e3e4"),  # from an empty square
        PlyRecord(2, Seat.BLACK, mended="e7e5"),
    )
    assert believed_line(start, plies) == ((None, "e7e5"), (start,))


BAD_MOVES = ["e2e2", "e2e4\n", "e2e4q", "e7e8k", "i2i4", "e2", "", "E2E4", "e2e9"]


@pytest.mark.parametrize("uci", BAD_MOVES)
def test_a_move_that_is_none_stops_at_the_edge(uci: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(uci, Uci)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode({"do": "enter_move", "uci": uci}), type=EnterMove)


@pytest.mark.parametrize("text", ["e2e4", "e7e8q", "a2b1n", "h8a1"])
def test_a_move_that_is_one_passes(text: str) -> None:
    assert msgspec.convert(text, Uci) == text


def test_a_trailing_newline_passes_nowhere() -> None:
    for kind, value in (
        (Placement, "8/8/8/8/8/8/8/8\n"),
        (Announcement, {"to_square": "e4\n"}),
        (Do, {"kind": "do", "id": "0" * 32 + "\n", "body": {"do": "press"}}),
        (Typed, {"kind": "typed", "id": "0" * 32 + "\n", "text": "x"}),
        (Command, {"id": "0" * 32, "table": "t\n", "station": "s", "body": {"do": "press"}}),
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(value, kind)


CORNERED = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def test_a_king_said_to_stand_where_its_rook_stands_has_not_castled() -> None:
    """Programs write castling so; a player who says it announces an illegal move, and it stays the one announced."""
    table = CoreTable(fen=CORNERED)
    table.say("white", "Ka1")
    table.press("white")
    assert table.state.moves.line == ("e1a1",)
    assert table.state.moves.positions[-1].placement == "r3k2r/8/8/8/8/8/8/K6R"
    assert [alert.kind for alert in only(table.events, Alerted)] == ["not_legal"]


@pytest.mark.parametrize("rights", ["KQkq", "-"])
def test_a_sighted_players_board_does_not_tell_whether_the_right_to_castle_is_there(rights: str) -> None:
    table = CoreTable(fen=CORNERED.replace("KQkq", rights), white=SeatKind.SIGHTED)
    table.say("white", "Ka1")
    table.press("white")
    assert table.placement(Seat.WHITE) == "r3k2r/8/8/8/8/8/8/K6R"


def test_a_castling_entered_as_king_on_rook_is_the_castling_that_is_announced() -> None:
    table = CoreTable(fen=CORNERED, white=SeatKind.SIGHTED)
    table.enter("white", "e1a1", "O-O-O")
    table.press("white")
    assert table.state.moves.line == ("e1c1",) and table.placement(Seat.WHITE) == "r3k2r/8/8/8/8/8/8/2KR3R"
    assert not only(table.events, Alerted)


def test_in_chess960_too_castling_has_its_own_words() -> None:
    board = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True).board()
    assert resolve(Announcement(castling="long"), board).uci == "e1a1"
    assert resolve(Announcement("king", None, "a1"), board).uci is None
    assert resolve(Announcement("king", "e1", "a1"), board).uci is None
