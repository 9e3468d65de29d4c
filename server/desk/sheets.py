"""Whole scores are compared at the desk, as pasted or as on record, like `anna-eins reconcile` does.

`witness_of` gives what a table's record is worth as evidence beside two scores (6.12.2): its moves, and the sounds
behind the cells.
"""

from __future__ import annotations

import chess
import msgspec

from server.desk.answer import clock_then, game_from_known
from server.desk.comparing import Compared, Scores
from server.desk.loading import languages_tried, load_endings, score_writings
from server.game.state.desk import Desk
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.scoresheets.reconcile.boards import BoardDifference, compare_board, follow
from server.scoresheets.reconcile.compare import Reconciliation
from server.scoresheets.reconcile.settlement import not_yet_written
from server.scoresheets.reconcile.witness import Listen, Witness
from server.scoresheets.score_text import score_text
from server.scoresheets.sheet import Sheet, parse_sheet, sheet_of
from speech.complaint import Phrase

SCORE_OF = {Seat.WHITE: Phrase("white_score"), Seat.BLACK: Phrase("black_score")}


class SheetsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of two whole scores, with each score's language and the likely game (SAN).

    `moves`: what a decision takes as the game (UCI): as both scores agree, followed by the last move that was made
    where neither has written it yet (8.1.3). `position`, `against`: the position after them, and both boards against
    it. `clock_read`: the times of `found` were last read off another clock. `missing`: the half-moves made of which a
    score that was not pasted has nothing here; while there are any, whole scores say less than the desk does.
    """

    found: Reconciliation
    languages: tuple[str, str]
    written: tuple[str, ...]
    moves: tuple[str, ...]
    position: str
    against: tuple[BoardDifference, BoardDifference]
    clock_read: bool
    missing: tuple[int, ...] = ()


def sheets_of(state: GameState, desk: Desk, pasted: tuple[str | None, str | None]) -> Scores:
    """Return White's and Black's whole scores as they are to be compared. Raises Complaint for what is no score.

    None stands for that player's score as the arbiter typed its cells here, else as it is on record.
    """
    white, black = (
        parse_sheet(text, SCORE_OF[seat], load_endings()) if text is not None else _here(state, desk, seat)
        for seat, text in zip(Seat, pasted, strict=True)
    )
    start = state.moves.positions[0]
    named = {seat: _language_named(desk, seat) if text is None else () for seat, text in zip(Seat, pasted, strict=True)}
    return Scores(
        sheets=(white, black),
        languages=(
            named[Seat.WHITE] or _languages_to_try(state, Seat.WHITE),
            named[Seat.BLACK] or _languages_to_try(state, Seat.BLACK),
        ),
        start=start.fen,
        chess960=start.chess960,
        boards=(desk.board(Seat.WHITE), desk.board(Seat.BLACK)),
        witness=witness_of(state),
    )


def _here(state: GameState, desk: Desk, seat: Seat) -> Sheet:
    """Return a player's score with the cells that the arbiter typed in place of those on record."""
    own = parse_sheet(score_text(state, seat), SCORE_OF[seat])
    typed = {one.ply: one.text for one in desk.cells if one.seat is seat}
    last = max((len(own.cells), *typed))
    return sheet_of([typed.get(ply, own.cell(ply)) for ply in range(1, last + 1)], own.start, own.chess960)


def _language_named(desk: Desk, seat: Seat) -> tuple[str, ...]:
    """Return the language that the arbiter named for the cells of a score, where it is one for all of them."""
    named = {one.language for one in desk.cells if one.seat is seat}
    return tuple(named) if len(named) == 1 and named <= set(score_writings()) else ()


def missing_here(state: GameState, scores: Scores, pasted: tuple[str | None, str | None]) -> tuple[int, ...]:
    """Return the half-moves made of which a score that was not pasted has nothing.

    The last one may not have been written yet (8.1.3).
    """
    sheets = [sheet for sheet, text in zip(scores.sheets, pasted, strict=True) if text is None]
    made = range(1, state.made_plies + 1)
    missing = tuple(ply for ply in made if any(sheet.cell(ply) is None for sheet in sheets))
    return () if missing == (state.made_plies,) else missing


def sheets_answer(state: GameState, desk: Desk, compared: Compared, missing: tuple[int, ...] = ()) -> SheetsAnswer:
    """Return the answer of this desk to the comparison of both whole scores. Raises Complaint."""
    start = state.moves.positions[0].board()
    boards = (desk.board(Seat.WHITE), desk.board(Seat.BLACK))
    found = compared.found
    position = chess.Board(found.position, chess960=start.chess960)
    moves = found.agreed
    own, unwritten = game_from_known(state), None
    if found.verdict == "same_record":
        followed = follow(own.history)
        if len(moves) - own.base == followed.plies - 1:
            unwritten = not_yet_written(followed, position, boards)
    if unwritten is not None:
        position.push(unwritten)
        moves = (*moves, unwritten.uci())
    clock, clock_read = clock_then(state, found.agree_plies)
    return SheetsAnswer(
        found=msgspec.structs.replace(found, clock=clock),
        clock_read=clock_read,
        missing=missing,
        moves=moves,
        position=position.fen(),
        against=(
            compare_board(boards[0], position, "White's board"),
            compare_board(boards[1], position, "Black's board"),
        ),
        languages=compared.languages,
        written=_moves_in_san(start, found.game),
    )


def _languages_to_try(state: GameState, seat: Seat) -> tuple[str, ...]:
    """Return all languages, those of the two seats and English first: of equals the first is taken."""
    known = score_writings()
    return tuple(tag for tag in dict.fromkeys((*languages_tried(state, seat), *known)) if tag in known)


def _moves_in_san(start: chess.Board, game: tuple[str, ...]) -> tuple[str, ...]:
    board, written = start.copy(), []
    for uci in game:
        move = chess.Move.from_uci(uci)
        written.append(board.san(move))
        board.push(move)
    return tuple(written)


def witness_of(state: GameState) -> Witness:
    """Return the server's moves, and the sound of each cell that was dictated, announced or echoed."""
    clips: dict[tuple[int, str], Listen] = {}
    for side, cells in (("white", state.scores.white), ("black", state.scores.black)):
        for ply, cell in enumerate(cells, 1):
            if cell is not None and cell.utterance is not None:
                clips[ply, side] = Listen(ply, side, cell.utterance)
    for record in state.moves.plies:
        mover = record.seat.value
        other = "black" if mover == "white" else "white"
        for side, utterance in ((mover, record.utterance), (other, record.echo_utterance)):
            if utterance is not None:
                clips.setdefault((record.index, side), Listen(record.index, side, utterance))
    return Witness(state.moves.line, tuple(clips.values()))
