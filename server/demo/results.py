"""A demonstration leaves PGN with clocks, both scores and the braille score.

It also says whether everything arrived as it was played.
"""

from __future__ import annotations

from pathlib import Path

import chess
import msgspec

from braille import brf
from braille.loading import load_profile, load_prose_tables
from braille.prose import prose_writer
from braille.score import Played, brf_pages
from server.demo.game_script import GameScript
from server.desk.loading import writings
from server.exports.table_pgn import pgn_of
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.scoresheets.language import likely_writing, read_sheet
from server.scoresheets.reconcile.agreement import compare_scores
from server.scoresheets.score_text import score_text
from server.scoresheets.sheet import sheet_of


class Reached(msgspec.Struct, frozen=True):
    """Share of the game that reached the record, the scores and the boards.

    `believed`: the server's record has every move. `scores`, `boards`: whether each seat's score and board are right.
    """

    plies: int
    believed: bool
    scores: dict[str, bool]
    boards: dict[str, bool]

    @property
    def all_moves_arrived(self) -> bool:
        """Say whether every move reached both boards and both scores."""
        return self.believed and all(self.scores.values()) and all(self.boards.values())


def compare_with_script(state: GameState, script: GameScript) -> Reached:
    """Compare record, scores and boards with what the players meant to play."""
    board = chess.Board(script.start_fen)
    for uci in script.moves:
        board.push_uci(uci)
    known = writings()
    start = chess.Board(script.start_fen)
    truth = read_sheet(sheet_of(_sans(script)), known["en"])
    scores = {}
    for seat in Seat:
        sheet = sheet_of([cell.text if cell else None for cell in state.scores.of(seat)])
        cells = read_sheet(sheet, known[likely_writing(sheet, start, known)])
        scores[seat.value] = compare_scores(cells, truth, start).plies == len(script.moves)
    return Reached(
        plies=len(script.moves),
        believed=state.moves.line == script.moves,
        scores=scores,
        boards={seat.value: state.board_of(seat).position.placement == board.board_fen() for seat in Seat},
    )


def _sans(script: GameScript) -> list[str]:
    board = chess.Board(script.start_fen)
    sans = []
    for uci in script.moves:
        sans.append(board.san(chess.Move.from_uci(uci)))
        board.push_uci(uci)
    return sans


def write_results(state: GameState, script: GameScript, folder: Path) -> list[Path]:
    """Write game.pgn, both scores and the braille score, and return the files."""
    played = Played(
        headers={
            "White": state.table.white.name or "White",
            "Black": state.table.black.name or "Black",
            "Event": script.name,
        },
        moves=tuple(uci for uci in state.moves.line if uci is not None),
        result=state.ending.result,
        start_fen=None if script.start_fen == chess.STARTING_FEN else script.start_fen,
    )
    texts = {
        "game.pgn": pgn_of(state),
        "white-score.txt": score_text(state, Seat.WHITE),
        "black-score.txt": score_text(state, Seat.BLACK),
    }
    files = []
    for name, text in texts.items():
        files.append(folder / name)
        files[-1].write_text(text, encoding="utf-8")
    files.append(folder / "score.brf")
    files[-1].write_text(_brf(played), encoding="ascii", newline="")
    return files


def _brf(played: Played) -> str:
    profile = load_profile("ukaaf")
    return brf.document(brf_pages(played, profile, prose_writer("en", profile, load_prose_tables())))
