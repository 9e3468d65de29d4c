"""Which move words mean on a board: the only piece that can arrive, or all that may be meant (D.2.1, II.3.2.6)."""

from __future__ import annotations

import chess
import pytest

from server.game.state.line import Resolution, fits, reaches, resolve
from server.game.values.announcement import Announcement
from tests.game.core_table import said


def meant(fen: str, words: Announcement, *, by_geometry: bool, chess960: bool = False) -> Resolution:
    return resolve(words, chess.Board(fen, chess960=chess960), by_geometry=by_geometry)


def found(moves: str) -> Resolution:
    """One move is the one meant; of several none is."""
    candidates = tuple(moves.split())
    return Resolution(candidates[0] if len(candidates) == 1 else None, candidates)


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("fen", "words", "by_rule", "by_geometry"),
    [
        # Of two knights the one that is not pinned, which nobody but the arbiter may see.
        ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Nf3", "g1f3 d2f3", "g1f3 d2f3"),
        ("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "Nf3", "g1f3", "g1f3 d2f3"),
        ("4k3/8/8/8/1b6/8/3N4/4K1Nr w - - 0 1", "Nf3", "g1f3 d2f3", "g1f3 d2f3"),
        # No piece arrives: the only one of that kind is meant all the same.
        ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Na8", "g1a8 d2a8", "g1a8 d2a8"),
        ("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1", "Na8", "d2a8", "d2a8"),
        ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Ng1", "d2g1", "d2g1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Nf3", "", ""),
        ("4k3/8/8/8/8/5P2/3N4/4K1N1 w - - 0 1", "Nf3", "g1f3 d2f3", "g1f3 d2f3"),
        ("4k3/8/8/8/8/5P2/8/N3K1N1 w - - 0 1", "Nf3", "a1f3 g1f3", "a1f3 g1f3"),  # a white man stands there
        ("4k3/8/8/8/8/5p2/3N4/N3K3 w - - 0 1", "Nf3", "d2f3", "d2f3"),
        ("4k3/8/8/8/8/8/8/B3K1B1 w - - 0 1", "Bd4", "a1d4 g1d4", "a1d4 g1d4"),
        ("4k3/8/8/8/8/8/8/Q3K1B1 w - - 0 1", "Qa7", "a1a7", "a1a7"),
        ("4k3/8/8/8/8/8/P7/R3K2R w - - 0 1", "Ra4", "a1a4 h1a4", "a1a4 h1a4"),
        ("4k3/8/8/8/8/8/P7/R3K2R w - - 0 1", "Rh4", "h1h4", "h1h4"),
        # With the departure it is that move, whatever stands there.
        ("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1", "Na1f3", "a1f3", "a1f3"),
    ],
)  # fmt: skip
def test_the_piece_that_is_meant_and_which_others_may_be(fen: str, words: str, by_rule: str, by_geometry: str) -> None:
    assert resolve(said(words), chess.Board(fen)) == found(by_rule), "for the record by the rules"
    assert meant(fen, said(words), by_geometry=False) == found(by_rule)
    assert meant(fen, said(words), by_geometry=True) == found(by_geometry)


@pytest.mark.law("L182", "L015")
@pytest.mark.parametrize(
    ("fen", "words", "by_rule", "by_geometry"),
    [
        # Pawns: one step, two from home, straight onto nothing, aslant onto a man.
        ("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "e3", "e2e3", "e2e3"),
        ("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "e4", "e2e4", "e2e4"),
        ("4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1", "e4", "e3e4", "e3e4"),
        ("4k3/8/8/8/8/4P3/3P4/4K3 w - - 0 1", "e5", "d2e5 e3e5", "d2e5 e3e5"),
        ("4k3/8/8/8/8/4n3/3PP3/4K3 w - - 0 1", "e4", "d2e4 e2e4", "d2e4 e2e4"),
        ("4k3/8/8/8/4n3/8/3PP3/4K3 w - - 0 1", "e4", "d2e4 e2e4", "d2e4 e2e4"),
        ("4k3/8/8/8/8/4n3/3PP3/4K3 w - - 0 1", "e3", "d2e3", "d2e3"),
        ("4k3/8/8/8/8/4n3/P2P4/4K3 w - - 0 1", "e3", "d2e3", "d2e3"),
        ("4k3/8/8/8/8/4N3/P2P4/4K3 w - - 0 1", "e3", "a2e3 d2e3", "a2e3 d2e3"),
        ("4k3/8/8/8/8/4n3/3P1P2/4K3 w - - 0 1", "e3", "d2e3 f2e3", "d2e3 f2e3"),
        ("4k3/8/8/8/8/8/3P1P2/4K3 w - - 0 1", "e3", "d2e3 f2e3", "d2e3 f2e3"),
        ("4k3/3pp3/8/8/8/8/8/4K3 b - - 0 1", "e6", "e7e6", "e7e6"),
        ("4k3/3pp3/8/8/8/8/8/4K3 b - - 0 1", "e5", "e7e5", "e7e5"),
        ("4k3/4p3/4p3/8/8/8/8/4K3 b - - 0 1", "e5", "e6e5", "e6e5"),
        ("4k3/8/4p3/3p4/8/8/8/4K3 b - - 0 1", "e4", "d5e4 e6e4", "d5e4 e6e4"),
        ("4k3/8/8/3p4/4P2p/8/8/4K3 b - - 0 1", "e4", "d5e4", "d5e4"),
        ("4k3/4p3/4N3/3p4/8/8/8/4K3 b - - 0 1", "e5", "d5e5 e7e5", "d5e5 e7e5"),
        # En passant has its form; whether the double step was the move before is the rules' business.
        ("4k3/8/8/3pP3/8/8/3P4/4K3 w - - 0 1", "d6", "e5d6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/3P4/4K3 w - d6 0 1", "d6", "e5d6", "e5d6"),
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1", "d6", "c5d6 e5d6", "c5d6 e5d6"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N", "a7a8n", "a7a8n"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "a7a8", "a7a8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8=R", "a7a8r", "a7a8r"),
        # A king said to go where the rook stands has not castled.
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ka1", "e1a1", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ke1a1", "e1a1", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kf1", "e1f1", "e1f1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-O", "e1g1", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-O-O", "e1c1", "e1c1"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "O-O", "e8g8", "e8g8"),
        ("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "O-O", "e3g3", "e3g3"),
        ("4k3/8/8/8/8/8/8/6K1 w - - 0 1", "O-O", "", ""),
        ("4k3/8/8/8/8/8/8/2K5 w - - 0 1", "O-O-O", "", ""),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "O-O", "", ""),
    ],
)  # fmt: skip
def test_the_pawn_or_the_king_that_is_meant(fen: str, words: str, by_rule: str, by_geometry: str) -> None:
    assert meant(fen, said(words), by_geometry=False) == found(by_rule)
    assert meant(fen, said(words), by_geometry=True) == found(by_geometry)


@pytest.mark.law("L228", "L230")
@pytest.mark.parametrize(
    ("fen", "words", "by_rule", "by_geometry"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "Ka1", "", ""),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "Ke1a1", "", ""),
        ("4k3/8/8/8/8/8/8/r3K2R w H - 0 1", "Ke1a1", "e1a1", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "Ra1h1", "a1h1", "a1h1"),
        ("4k3/8/8/8/8/8/8/R3K3 w A - 0 1", "O-O", "", ""),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "O-O-O", "", ""),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "O-O", "e1h1", "e1h1"),
        ("4k3/8/8/8/8/7R/8/4K3 w - - 0 1", "O-O", "", ""),
        ("1k4r1/8/8/8/8/8/8/4K2R b g - 0 1", "O-O", "b8g8", "b8g8"),
        # Two rooks on that side: the rights tell which one castles, and for a player's eyes it stays open.
        ("4k3/8/8/8/8/8/8/1K2R2R w E - 0 1", "O-O", "b1e1", "b1e1 b1h1"),
        ("4k3/8/8/8/8/8/8/1K2R2R w - - 0 1", "O-O", "b1h1", "b1e1 b1h1"),
        ("4k3/8/8/8/8/8/8/R2R2K1 w D - 0 1", "O-O-O", "g1d1", "g1a1 g1d1"),
        ("4k3/8/8/8/8/8/8/R2R2K1 w - - 0 1", "O-O-O", "g1a1", "g1a1 g1d1"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "O-O", "", ""),
    ],
)
def test_in_chess960_castling_has_words_of_its_own(fen: str, words: str, by_rule: str, by_geometry: str) -> None:
    assert meant(fen, said(words), by_geometry=False, chess960=True) == found(by_rule)
    assert meant(fen, said(words), by_geometry=True, chess960=True) == found(by_geometry)


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    "words", [Announcement("king"), Announcement("king", "e1"), Announcement("king", "e1", "e1"), Announcement()]
)
def test_words_without_an_arrival_mean_no_move(words: Announcement) -> None:
    assert meant("4k3/8/8/8/8/8/8/4K3 w - - 0 1", words, by_geometry=False) == Resolution(None, ())


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("fen", "can", "cannot"),
    [
        (chess.STARTING_FEN, "Nf3 Ng1f3 g1f3 e3 e4 e2e4 O-O O-O-O", "Nf4 Nb1f3 Nf6 e2 e5 e6 d2e4 Bg2 Ra3 Qd2"),
        (chess.STARTING_FEN.replace(" w ", " b "), "Nf6 e6 e5 e7e5 O-O", "Nf3 e4 e7 g8f3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5 e5 e4d5 Kd1 Kd2", "f5 e6 Kd3 Ke1"),
    ],
)
def test_which_words_are_a_move_that_some_man_can_make(fen: str, can: str, cannot: str) -> None:
    words = [*can.split(), *cannot.split()]
    assert [word for word in words if reaches(said(word), chess.Board(fen))] == can.split()
    assert not reaches(Announcement("knight", "g1"), chess.Board(fen)), "nobody says where to"


CASTLING = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"


@pytest.mark.law("L182", "L228")
@pytest.mark.parametrize(
    ("fen", "chess960", "uci", "may_be", "may_not"),
    [
        (CASTLING, False, "e1g1", "O-O Kg1 Ke1g1", "O-O-O Kf1 Rg1 Kd1g1"),
        (CASTLING, False, "e1c1", "O-O-O Kc1", "O-O"),
        (CASTLING, False, "e1f1", "Kf1", "O-O O-O-O f1"),
        (CASTLING, True, "e1a1", "O-O-O", "O-O Ka1 Kc1"),
        (CASTLING, True, "e1h1", "O-O", "O-O-O Kh1 Kg1"),
        (CASTLING, True, "h1g1", "Rg1", "O-O Kg1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", False, "a7a8q", "a8=Q a7a8=Q", "a8 a8=N b7a8=Q Ra8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", False, "a7a8", "a8 a7a8", "a8=Q"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", False, "g1f3", "Nf3 g1f3 Ng1f3", "f3 Bf3 Nd2f3 Ne2 O-O"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", False, "g1f3", "Nf3 f3 g1f3", "Bg4 h1f3"),  # nothing stands there
    ],
)  # fmt: skip
def test_which_words_may_be_said_of_a_move(fen: str, chess960: bool, uci: str, may_be: str, may_not: str) -> None:
    words = [*may_be.split(), *may_not.split()]
    board = chess.Board(fen, chess960=chess960)
    assert [word for word in words if fits(said(word), board, uci)] == may_be.split()
