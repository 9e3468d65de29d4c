"""A player's own score as text, as `server/scoresheets/sheet.py` reads it: from the state alone. Pure."""

from __future__ import annotations

import re

from server.game.state.moves import START
from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.scoresheets.endings import is_result
from server.scoresheets.forms import is_blank, plain
from server.scoresheets.sheet import BARE_NUMBER, IGNORED, MARKS, MINUTES, NUMBER

BLANK = "-"
PLAINER = str.maketrans({"{": "(", "}": ")", ";": ",", "|": "/", "\0": " "})
VARIATION = re.compile(r"\((?!=\))|(?<!\(=)\)")


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
