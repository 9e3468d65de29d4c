"""A table's game is written as PGN with clock times, and its scores as text: from the state alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import chess

from server.exports.pgn import PlayedPly, export
from server.game.state.moves import START
from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.state.table import TableState
from server.game.values.position import Position
from server.game.values.words import Seat
from server.game.views.spectators import GameShown
from server.scoresheets.endings import is_result
from server.scoresheets.forms import is_blank, plain
from server.scoresheets.sheet import BARE_NUMBER, IGNORED, MARKS, MINUTES, NUMBER

BLANK = "-"
PLAINER = str.maketrans({"{": "(", "}": ")", ";": ",", "|": "/", "\0": " "})
VARIATION = re.compile(r"\((?!=\))|(?<!\(=)\)")


def pgn_day(wall_ms: int | None) -> str:
    """Return the day (UTC) as PGN has it; question marks where it is not known.

    >>> pgn_day(1_795_960_000_000), pgn_day(None)
    ('2026.11.29', '????.??.??')
    """
    return "????.??.??" if wall_ms is None else f"{datetime.fromtimestamp(wall_ms / 1000, UTC):%Y.%m.%d}"


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
    return export(headers, start.fen, plies, state.ending.result or "*", chess960=start.chess960)


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
    return export(_headers(table, "????.??.??", control), start.fen, plies, game.result or "*", chess960=start.chess960)


def score_text(state: GameState, seat: Seat) -> str:
    """Return one player's own score as `server.scoresheets.sheet` reads it.

    A line a move: `N.`, White's cell, Black's cell. `-` is a blank cell. A spoken cell holds several words, so cells
    are separated by a tab. A game from a position other than the usual one begins with a line `[FEN "..."]`, one of
    Chess960 with `[Variant "Chess960"]` too.
    """
    start = state.moves.positions[0]
    tags = "" if start == START else f'[FEN "{start.fen}"]\n\n'
    if start.chess960:
        tags = f'[Variant "Chess960"]\n{tags}'
    cells = [_cell(cell, bool(tags)) for cell in state.scores.of(seat)]
    number = start.move_number
    lines = []
    if start.turn is Seat.BLACK and cells:
        lines.append(f"{number}...\t{cells.pop(0)}\n")
        number += 1
    if len(cells) % 2:
        cells.append(BLANK)
    lines += [
        f"{number + index}.\t{white}\t{black}\n"
        for index, (white, black) in enumerate(zip(cells[::2], cells[1::2], strict=True))
    ]
    return tags + "".join(lines)


def _cell(cell: ScoreCell | None, tagged: bool) -> str:
    """Return a cell as its player has it; signs that would break the file (a tab, a brace) are replaced.

    Where a cell looks like something else on a sheet (a move number, a result, a mark of the move before), quotation
    marks show that it is a cell.
    """
    text = " ".join((cell.text if cell is not None else "").split()).translate(PLAINER)
    if tagged:  # PGN: parentheses hold variations, except in a draw offer
        text = VARIATION.sub(lambda mark: "[" if mark[0] == "(" else "]", text)
    if is_blank(text):
        return BLANK
    bare = plain(MINUTES.sub(r"(\1)", text)).strip()
    looks = NUMBER.fullmatch(bare) or BARE_NUMBER.fullmatch(bare) or MARKS.fullmatch(bare)
    return f'"{text}"' if looks or bare in IGNORED or is_result(bare) else text
