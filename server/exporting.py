"""A table's game as PGN with clock times, and its scores as text: from the state alone."""

from __future__ import annotations

from server.pgn import PlayedPly, export
from server.play.state import GameState, ScoreCell
from server.play.values import Seat


def pgn_of(state: GameState, date: str = "????.??.??") -> str:
    """The game as the server believes it, a legal prefix with `[%clk]` on every ply; `date` as YYYY.MM.DD."""
    headers = {
        "Event": state.event_name or "?",
        "Site": "?",
        "Date": date,
        "Round": "?",
        "White": state.white.name or "White",
        "Black": state.black.name or "Black",
        "TimeControl": state.clock.control.text,
    }
    plies = [
        PlayedPly(
            uci=uci,
            written=record.text,
            white_ms=record.white_ms,
            black_ms=record.black_ms,
        )
        for record, uci in zip(state.plies, state.line, strict=True)
        if record.made
    ]
    start = state.positions[0]
    return export(headers, start.fen, plies, state.result or "*", chess960=start.chess960)


def score_text(state: GameState, seat: Seat) -> str:
    """One player's own score, one `N. white black` line a move, `-` for a blank cell; words in parentheses stay words.

    A spoken cell holds several words, so cells are separated by a tab.
    """
    cells = [_cell(cell) for cell in state.score_of(seat)]
    if state.positions[0].turn is Seat.BLACK:
        cells.insert(0, "-")
    if len(cells) % 2:
        cells.append("-")
    return "".join(f"{n // 2 + 1}.\t{cells[n]}\t{cells[n + 1]}\n" for n in range(0, len(cells), 2))


def _cell(cell: ScoreCell | None) -> str:
    return cell.text if cell is not None and cell.text else "-"
