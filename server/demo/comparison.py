"""The arbiter's comparison of the two scores, each written by its own player's commands (D.2.9)."""

from __future__ import annotations

import chess

from server.desk.loading import writings
from server.game.views.messages import Picture
from server.scoresheets.reconcile.compare import Reconciliation, compare, likely_writing, read_sheet
from server.scoresheets.sheet import sheet_of


def compare_scores(picture: Picture, start_fen: str) -> Reconciliation:
    """Both scores as moves in positions, and both boards against the position that they agree on."""
    known = writings()
    start = chess.Board(start_fen)
    sheets = [sheet_of(cells) for cells in (picture.white_score, picture.black_score)]
    cells = [read_sheet(sheet, known[likely_writing(sheet, start, known)]) for sheet in sheets]
    return compare(cells[0], cells[1], start, (picture.white_board, picture.black_board))
