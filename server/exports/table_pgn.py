"""A table's game written as PGN with clock times: from the state alone."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

import chess

from server.exports.pgn import PlayedPly, pgn_text
from server.game.state.state import GameState
from server.game.state.table import TableState
from server.game.values.position import Position
from server.game.views.spectators import GameShown


def pgn_day(wall_ms: int | None, zone: tzinfo | None = None) -> str:
    """Return the day at the site as PGN has it (8.1.1.3 there); question marks where it is not known.

    `zone`: None for that of this machine.

    >>> pgn_day(1_795_960_000_000, UTC), pgn_day(None)
    ('2026.11.29', '????.??.??')
    """
    if wall_ms is None:
        return "????.??.??"
    return f"{datetime.fromtimestamp(wall_ms / 1000, UTC).astimezone(zone):%Y.%m.%d}"


def pgn_of(state: GameState, date: str = "????.??.??") -> str:
    """Return the game as the server believes it, a legal prefix with `[%clk]` on every ply.

    `date` as YYYY.MM.DD.
    """
    headers = _headers(state.table, date, state.time.clock.control.text)
    plies = [
        PlayedPly(
            uci=uci,
            written=record.text,
            white_ms=record.white_ms,
            black_ms=record.black_ms,
        )
        for record, uci in zip(state.moves.plies, state.moves.line, strict=True)
        if record.made
    ]
    start = state.moves.positions[0]
    return pgn_text(headers, start.fen, plies, state.ending.result or "*", chess960=start.chess960)


def _headers(table: TableState, date: str, control: str) -> dict[str, str]:
    headers = {
        "Event": table.event_name or "?",
        "Site": "?",
        "Date": date,
        "Round": table.round or "?",
        "White": table.white.name or "White",
        "Black": table.black.name or "Black",
        "TimeControl": control,
    }
    return headers | ({"Board": str(table.board_number)} if table.board_number else {})


def pgn_shown(game: GameShown, table: TableState, start: Position, control: str) -> str:
    """Return a game as its spectators may know it: no clock times, and a move that no board showed ends the moves.

    `start`: the position before the first move.
    """
    board = chess.Board(start.fen, chess960=start.chess960)
    plies = []
    for shown in game.moves:
        try:
            move = board.parse_san(shown.notation)
        except ValueError:
            plies.append(PlayedPly(uci=None, written=shown.notation))
            break
        plies.append(PlayedPly(uci=move.uci()))
        board.push(move)
    return pgn_text(
        _headers(table, "????.??.??", control), start.fen, plies, game.result or "*", chess960=start.chess960
    )
