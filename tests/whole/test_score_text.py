"""A score that the server writes is the score that it reads: cells, blanks, places and the start position."""

from __future__ import annotations

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat
from server.scoresheets.forms import is_blank
from server.scoresheets.score_text import score_text
from server.scoresheets.sheet import parse_sheet
from tests.game.core_table import altered

USUAL = chess.STARTING_FEN
BLACK_FIRST = "4k3/8/8/8/8/8/4p3/4K2R b K - 3 40"
WHITE_LATER = "4k3/7p/8/8/8/8/4P3/4K3 w - - 0 17"
CHESS960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"

ORDINARY = st.sampled_from(
    ["e4", "Sf3", "Bauer Eva vier", "Kurze Rochade", "Nf3 (=)", "0-0", "exd6 e.p.", "Dame David 4 schlägt", "♘f3", "♞"]
)
ODD = st.text(max_size=12) | st.sampled_from(
    [
        *(
            "12.",
            "7",
            "1-0",
            "+",
            "#",
            "(=)",
            "(unklar)",
            "e4 (oder e3)",
            "{x",
            "x}",
            ",",
            ";x",
            "a|b",
            "a\tb",
            "-",
            "...",
            "%",
        ),
        *("2...", '[FEN "x"]', "\u202e", "0:12:30", "1.", "\x00", "\x0c", "\u2028", "(", ")", "e4)", "(=", "=)", "١."),
    ]
)
STARTS = st.sampled_from([(USUAL, False), (BLACK_FIRST, False), (WHITE_LATER, False), (CHESS960, True)])


def written(cells: list[str | None], fen: str, chess960: bool) -> GameState:
    score = tuple(ScoreCell(cell, "station") if cell is not None else None for cell in cells)
    return altered(
        GameState(), {"moves.positions": (Position.from_fen(fen, chess960=chess960),), "scores.white": score}
    )


def trimmed(cells: list[str | None]) -> tuple[str | None, ...]:
    kept = [None if is_blank(cell) else cell for cell in cells]
    while kept and kept[-1] is None:
        kept.pop()
    return tuple(kept)


@given(st.lists(ORDINARY | st.none() | st.just(""), max_size=12), STARTS)
@example(["e1Q", "Kd2"], (BLACK_FIRST, False))
@example([None, None, "e4"], (WHITE_LATER, False))
def test_ordinary_cells_come_back_as_they_were(cells: list[str | None], start: tuple[str, bool]) -> None:
    sheet = parse_sheet(score_text(written(cells, *start), Seat.WHITE))
    assert sheet.cells == trimmed(cells)
    assert sheet.chess960 is start[1]
    if start[0] == USUAL:
        assert sheet.start is None
    else:
        assert sheet.start is not None
        assert chess.Board(sheet.start, chess960=start[1]) == chess.Board(start[0], chess960=start[1])


@given(st.lists(ODD, max_size=8), STARTS)
@example([","], (USUAL, False))
@example(["", "0'"], (USUAL, False))
def test_odd_cells_stay_in_their_places(odd: list[str], start: tuple[str, bool]) -> None:
    """Whatever a player wrote, the cells after it are that player's cells of the same plies."""
    cells = [cell for each in odd for cell in (each, "e4")]
    sheet = parse_sheet(score_text(written(cells, *start), Seat.WHITE))
    assert len(sheet.cells) == len(cells)
    assert set(sheet.cells[1::2]) <= {"e4"}


@pytest.mark.parametrize("fen", [USUAL, BLACK_FIRST])
def test_an_empty_score_is_an_empty_sheet(fen: str) -> None:
    assert parse_sheet(score_text(written([], fen, False), Seat.WHITE)).cells == ()


def test_the_first_line_for_black_to_move_names_the_move() -> None:
    text = score_text(written(["e1Q", "Kd2"], BLACK_FIRST, False), Seat.WHITE)
    assert text.splitlines() == [f'[FEN "{BLACK_FIRST}"]', "", "40...\te1Q", "41.\tKd2\t-"]
