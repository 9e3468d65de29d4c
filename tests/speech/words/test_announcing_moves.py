"""Machine announcements: complete, unambiguous by geometry, and understood again as what was said."""

from __future__ import annotations

import chess
import msgspec
import pytest

from speech.announcements.announce import announce, rivals, said_of, text_of, words_of_announcement
from speech.announcements.understand import said_of_text, understand
from speech.words.config_file import language_tags
from speech.words.grammar import announcement_grammar
from speech.words.loading import load_scheme
from speech.words.said import Said

D21 = load_scheme("d21", "de")


def text(fen: str, uci: str, chess960: bool = False) -> str:
    board = chess.Board(fen, chess960=chess960)
    return text_of(announce(board, board.parse_uci(uci), D21))


def meanings(board: chess.Board, said: Said) -> set[chess.Move]:
    """What `said` can mean by geometry: every move that python-chess finds without looking at pins and checks."""
    found: set[chess.Move] = set()
    for move in board.pseudo_legal_moves:
        castling = board.is_castling(move)
        if said.castling is not None:
            if castling and board.is_kingside_castling(move) == (said.castling == "short"):
                found.add(move)
            continue
        piece = board.piece_type_at(move.from_square)
        assert piece is not None
        if (
            not castling
            and chess.piece_name(piece) == said.piece
            and said.from_square in (None, chess.square_name(move.from_square))
            and said.to_square == chess.square_name(move.to_square)
            and said.promotion == (chess.piece_name(move.promotion) if move.promotion else None)
        ):
            found.add(move)
    return found


@pytest.mark.law("L170", "L182", "L187")
def test_every_legal_move_is_announced_so_that_it_is_the_only_one_meant(boards: list[chess.Board]) -> None:
    grammar = announcement_grammar()
    kinds = dict.fromkeys(("castling", "passing", "promotion", "capture", "departure"), 0)
    moves = 0
    for board in boards:
        heard: dict[tuple[str, ...], chess.Move] = {}
        for move in board.legal_moves:
            words = tuple(token.id for token in announce(board, move, D21))
            assert grammar.accepts(words), (board.fen(), move, words)
            assert heard.setdefault(words, move) == move, (board.fen(), move, heard[words])
            said = said_of(board, move)
            assert understand(words).said == said
            assert meanings(board, said) == {move}, (board.fen(), move, said)
            if said.from_square is not None and said.piece != "pawn":
                bare = msgspec.structs.replace(said, from_square=None)
                assert len(meanings(board, bare)) > 1, (board.fen(), move, "no departure square is needed")
            moves += 1
            kinds["castling"] += said.castling is not None
            kinds["passing"] += "word.ep" in words
            kinds["promotion"] += said.promotion is not None
            kinds["capture"] += "word.takes" in words
            kinds["departure"] += said.from_square is not None
            assert ("word.ep" in words) == board.is_en_passant(move)
            assert ("word.takes" in words) == board.is_capture(move)
            assert "word.check" not in words and "word.mate" not in words
    assert moves > 20_000
    assert min(kinds.values()) > 10, kinds


@pytest.mark.law("L184", "L185", "L186", "L187")
@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("name", ["d21", "letters", "national"])
def test_the_text_of_an_announcement_reads_back_as_the_same_said(
    name: str, language: str, boards: list[chess.Board]
) -> None:
    scheme = load_scheme(name, language)
    grammar = announcement_grammar((scheme.file_names,))
    for board in [*boards[:12], *boards[12::40]]:
        for move in board.legal_moves:
            tokens = announce(board, move, scheme)
            assert grammar.accepts([token.id for token in tokens])
            heard = said_of_text(text_of(tokens), scheme)
            assert heard.said == said_of(board, move), text_of(tokens)


@pytest.mark.law("L170")
def test_a_pinned_twin_still_gets_a_departure_square() -> None:
    pinned = "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1"
    board = chess.Board(pinned)
    assert board.san(chess.Move.from_uci("g1f3")) == "Nf3"
    assert text(pinned, "g1f3") == "Springer Gustav eins Felix drei"
    free = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1"
    assert text(free, "g1f3") == text(pinned, "g1f3")


@pytest.mark.law("L170")
def test_a_twin_behind_another_piece_cannot_arrive() -> None:
    behind = "4k3/8/8/8/8/8/8/R1BK3R w - - 0 1"
    assert text(behind, "h1e1") == "Turm Eva eins"
    assert text("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "h1e1") == "Turm Hector eins Eva eins"
    board = chess.Board("7k/8/Q1Q5/8/Q1Q5/8/8/K7 w - - 0 1")
    assert rivals(board, chess.Move.from_uci("a6b5")) == chess.SquareSet([chess.C6, chess.A4, chess.C4])


@pytest.mark.law("L016")
def test_en_passant_is_always_said_with_the_square_the_pawn_came_from() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert text(fen, "e5d6") == "Bauer Eva fünf schlägt David sechs en passant"
    assert text(fen, "e5e6") == "Bauer Eva sechs"


@pytest.mark.law("L017", "L183")
def test_a_promotion_names_its_piece() -> None:
    fen = "3rk3/P3P3/8/8/8/8/8/4K3 w - - 0 1"
    assert text(fen, "a7a8q") == "Bauer Anna acht Dame"
    assert text(fen, "e7d8n") == "Bauer Eva sieben schlägt David acht Springer"


@pytest.mark.law("L186")
@pytest.mark.parametrize(
    ("fen", "uci", "wide", "words"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", False, "Kurze Rochade"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", False, "Lange Rochade"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8", False, "Kurze Rochade"),
        ("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", True, "Kurze Rochade"),
        ("5k2/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", True, "Lange Rochade"),
        ("5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", True, "König Gustav eins"),
    ],
)
def test_castling_is_named_by_the_side_also_in_chess960(fen: str, uci: str, wide: bool, words: str) -> None:
    assert text(fen, uci, wide) == words


@pytest.mark.law("L182", "L187")
@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Said(piece="knight", to_square="f3"), "Springer Felix drei"),
        (Said(to_square="e4"), "Eva vier"),
        (Said(from_square="e2", to_square="e4"), "Eva zwei Eva vier"),
        (Said(piece="pawn", from_square="e5", to_square="d6"), "Bauer Eva fünf David sechs"),
        (Said(to_square="e8", promotion="knight"), "Eva acht Springer"),
        (Said(castling="long"), "Lange Rochade"),
    ],
)
def test_a_relayed_announcement_adds_nothing(said: Said, words: str) -> None:
    tokens = words_of_announcement(said, D21)
    assert text_of(tokens) == words
    assert understand([token.id for token in tokens]).said == said


def test_an_empty_departure_square_is_a_fault() -> None:
    with pytest.raises(ValueError, match="e4"):
        said_of(chess.Board(), chess.Move.from_uci("e4e5"))


def test_every_token_names_its_voice() -> None:
    board = chess.Board()
    move = chess.Move.from_uci("g1f3")
    shown = announce(board, move, load_scheme("d21", "hy"))
    assert [(token.text, token.voice_language) for token in shown] == [
        ("շպղինգը", "de"),
        ("Ֆելիքս", "de"),
        ("դրայ", "de"),
    ]
    assert {token.voice_language for token in announce(board, move, load_scheme("national", "hu"))} == {"hu"}
    assert text_of(announce(board, move, load_scheme("national", "hu"))) == "huszár Felix három"
    assert text_of(announce(board, move, load_scheme("letters", "en"))) == "Springer f drei"
