"""Boards that deviate (L197) and the export of a game with its clocks."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn
import pytest

from server.exports.pgn import PlayedPly, clock_text, pgn_text
from server.scoresheets.cell import Writing
from server.scoresheets.language import read_sheet
from server.scoresheets.letters import san_in_letters
from server.scoresheets.reconcile.boards import compare_board
from server.scoresheets.reconcile.compare import compare
from server.scoresheets.sheet import parse_sheet, sheet_of
from speech.complaint import Complaint


@pytest.mark.needs("shared")
@pytest.mark.law("L197")
@pytest.mark.parametrize("many", [40, pytest.param(120, marks=pytest.mark.thorough)])
def test_a_misexecuted_move_shows_exactly_the_squares_of_one_board(
    ways: dict[str, Writing], real_games: list[list[chess.Move]], many: int
) -> None:
    chance = random.Random(197)
    for moves in real_games[:many]:
        board, cells = chess.Board(), []
        for move in moves[:-1]:
            cells.append(san_in_letters(board.san(move), ways["hu"].alphabet))
            board.push(move)
        others = [move for move in board.legal_moves if move != moves[-1]]
        if not others:
            continue
        cells.append(san_in_letters(board.san(moves[-1]), ways["hu"].alphabet))
        right, wrong = board.copy(), board.copy()
        right.push(moves[-1])
        wrong.push(chance.choice(others))
        deviating = chance.randrange(2)
        placements = [right.board_fen(), right.board_fen()]
        placements[deviating] = wrong.fen()
        score = read_sheet(sheet_of(cells), ways["hu"])
        found = compare(score, score, chess.Board(), (placements[0], placements[1]))
        assert found.verdict == "same_record"
        assert [found.boards[0].deviates, found.boards[1].deviates] == [deviating == 0, deviating == 1]
        expected = {
            (chess.square_name(s), _symbol(wrong, s), _symbol(right, s))
            for s in chess.SQUARES
            if wrong.piece_at(s) != right.piece_at(s)
        }
        assert {(d.square, d.is_, d.should_be) for d in found.boards[deviating].squares} == expected
        assert found.boards[1 - deviating].squares == ()


def _symbol(board: chess.Board, square: chess.Square) -> str | None:
    piece = board.piece_at(square)
    return piece.symbol() if piece else None


@pytest.mark.parametrize("placement", ["", "8/8", "hello", "9/8/8/8/8/8/8/8"])
def test_a_placement_that_is_none_is_refused(placement: str) -> None:
    with pytest.raises(Complaint, match="the first board is not a placement"):
        compare_board(placement, chess.Board(), "the first board")


def reread(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    return game


def plies(sans: str, white_ms: int = 5_400_000, black_ms: int = 5_400_000) -> list[PlayedPly]:
    board, out = chess.Board(), []
    for san in sans.split():
        move = board.parse_san(san)
        white_ms, black_ms = (white_ms - 61_001, black_ms) if board.turn else (white_ms, black_ms - 12_500)
        out.append(PlayedPly(move.uci(), san, white_ms, black_ms))
        board.push(move)
    return out


def test_every_ply_carries_the_movers_clock() -> None:
    played = plies("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O")
    text = pgn_text(
        {"White": "Anna", "Black": "Bob", "Date": "2024.05.01"}, chess.STARTING_FEN, played, "1-0", "Round 1"
    )
    game = reread(text)
    assert [move.uci() for move in game.mainline_moves()] == [ply.uci for ply in played]
    for node, ply in zip(game.mainline(), played, strict=True):
        mine = ply.white_ms if node.turn() == chess.BLACK else ply.black_ms
        assert mine is not None
        assert node.clock() == mine // 1000
    assert (game.headers["White"], game.headers["Result"], game.headers["Date"]) == ("Anna", "1-0", "2024.05.01")
    assert "Round 1" in game.comment
    assert text.count("[%clk 1:28:58]") == 1


def test_clock_text() -> None:
    assert [clock_text(ms) for ms in (0, -5, 999, 59_999, 3_600_000, 36_061_000)] == [
        "0:00:00",
        "0:00:00",
        "0:00:00",
        "0:00:59",
        "1:00:00",
        "10:01:01",
    ]


@pytest.mark.parametrize("uci", ["e4e5", None, "nonsense"])
def test_what_is_no_legal_move_ends_the_moves_and_is_told(uci: str | None) -> None:
    played = [*plies("e4 e5 Nf3"), PlayedPly(uci, "Springer } nach ] [%clk 9:99:99]", 1, 1), PlayedPly("d2d4", "d4")]
    text = pgn_text({}, chess.STARTING_FEN, played, "*")
    game = reread(text)
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]
    last = game.end()
    assert "2... Springer" in last.comment
    assert "then: d4" in last.comment.replace("\n", " ")
    assert last.clock() == (5_400_000 - 2 * 61_001) // 1000, "text in the comment is no clock"


def test_an_illegal_first_move_is_told_before_the_game() -> None:
    game = reread(pgn_text({}, chess.STARTING_FEN, [PlayedPly("e2e5", "e5")]))
    assert list(game.mainline_moves()) == []
    assert "1. e5" in game.comment


def test_chess960_and_other_starts() -> None:
    board = chess.Board.from_chess960_pos(1)
    moves = []
    for _ in range(12):
        move = next((m for m in board.legal_moves if board.is_castling(m)), next(iter(board.legal_moves)))
        moves.append(PlayedPly(board.uci(move)))
        board.push(move)
    text = pgn_text({}, chess.Board.from_chess960_pos(1).fen(), moves, chess960=True)
    game = reread(text)
    assert game.headers["Variant"] == "Chess960"
    assert game.headers["SetUp"] == "1"
    assert game.end().board().fen() == board.fen()
    sheet = parse_sheet(text)
    assert sheet.chess960
    ending = "8/3P3k/8/8/8/8/8/4K3 b - - 0 50"
    other = reread(pgn_text({}, ending, [PlayedPly("h7g7"), PlayedPly("d7d8q")]))
    assert other.headers["FEN"] == ending
    assert [move.uci() for move in other.mainline_moves()] == ["h7g7", "d7d8q"]
    with pytest.raises(Complaint, match="not a position"):
        pgn_text({}, "nonsense", [])


@pytest.mark.parametrize(
    ("result", "tag"), [("½-½", "1/2-1/2"), ("0-0", "*"), ("½-0", "*"), ("+/-", "*"), ("1-0", "1-0")]
)
def test_results_that_pgn_does_not_know_are_kept_in_words(result: str, tag: str) -> None:
    text = pgn_text({}, chess.STARTING_FEN, plies("e4 e5"), result)
    assert reread(text).headers["Result"] == tag
    assert (f"Result: {result}" in text) == (tag == "*")


def test_names_and_comments_cannot_break_out() -> None:
    text = pgn_text(
        {"White": 'A"]\n[Black "Mallory', "Event": "x\\"},
        chess.STARTING_FEN,
        plies("e4"),
        "*",
        "a } 1. d4 {[%clk 0:00:01]",
    )
    game = reread(text)
    assert game.headers["White"] == "A'] [Black 'Mallory"
    assert game.headers["Black"] == "?"
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4"]
    stream = io.StringIO(text)
    assert chess.pgn.read_game(stream) is not None
    assert chess.pgn.read_game(stream) is None, "one game went out"


@pytest.mark.needs("shared")
def test_real_games_go_out_and_come_back(real_games: list[list[chess.Move]]) -> None:
    for moves in real_games:
        text = pgn_text({}, chess.STARTING_FEN, [PlayedPly(move.uci(), white_ms=1000, black_ms=2000) for move in moves])
        assert list(reread(text).mainline_moves()) == moves
