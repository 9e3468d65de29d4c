"""The slice of both players' own scores, and what of them is asked, owed, lent or rebuilt."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.scoresheet import Scoresheet
from server.game.state.moves import MovesState
from server.game.state.reducer import applies
from server.game.values.position import Position
from server.game.values.words import Seat

BY_THE_PROGRAM = ("announcement", "echo")  # cells that the program assigned to the ply the words seemed to be about


class ScoreCell(msgspec.Struct, frozen=True):
    """One cell of a player's score.

    Its text (empty where only the sound is kept), its source, its sound.
    """

    text: str
    source: str
    utterance: str | None = None


Score = tuple[ScoreCell | None, ...]


class Helped(msgspec.Struct, frozen=True):
    """First words that a player was told for help, and when (ms of its run)."""

    at: int
    words: tuple[str, ...]


class Reconstruction(msgspec.Struct, frozen=True):
    """Game being reconstructed on a further board (8.5.3).

    `snapshot`: everything recorded before it began; `line`, `positions`: its moves.
    """

    snapshot: ev.Snapshot
    line: tuple[str, ...]
    positions: tuple[Position, ...]


class ScoresState(msgspec.Struct, frozen=True):
    """Both players' scores (never what the server believes), and what they heard of them on request."""

    white: Score = ()
    black: Score = ()
    exempt: tuple[int | None, int | None] = (None, None)  # the period in which White, Black need not record (8.4)
    sheets: tuple[Scoresheet, Scoresheet] = (Scoresheet.DICTATED, Scoresheet.PAPER)  # on what each keeps the score
    due: tuple[Seat, ...] = ()  # who must complete their score after a flag (8.5)
    due_through: int = 0  # up to which ply
    reconstruction: Reconstruction | None = None  # on a further board (8.5.3)
    released: bool = False  # the arbiter lets both players review the finished game
    lent: Seat | None = None  # who may hear the opponent's score (8.5.2)
    sheet_requests: tuple[int, int] = (0, 0)
    read_to: tuple[int, int] = (0, 0)  # the move of their own score that White, Black heard last; 0: none
    helped: tuple[Helped | None, Helped | None] = (None, None)  # the first words that White, Black were told for help

    def of(self, seat: Seat) -> Score:
        """Return the score of a seat; None where nothing is written."""
        return self.white if seat is Seat.WHITE else self.black

    def cell(self, seat: Seat, ply: int) -> ScoreCell | None:
        """Return what a seat's score has for a ply (from 1), None where nothing is written."""
        score = self.of(seat)
        return score[ply - 1] if 1 <= ply <= len(score) else None

    def sheet(self, seat: Seat) -> Scoresheet:
        """Return the material on which a player keeps the score."""
        return self.sheets[0] if seat is Seat.WHITE else self.sheets[1]

    def with_cell(self, event: ev.ScoreWritten) -> ScoresState:
        """Return the scores with one more cell."""
        score = list(self.of(event.seat))
        score.extend([None] * (event.index - len(score)))
        score[event.index - 1] = ScoreCell(event.text, event.source, event.utterance)
        return replace(self, **{event.seat.value: tuple(score)})

    def with_new_numbers(self, cell: Callable[[int], int | None], through: Callable[[int], int]) -> ScoresState:
        """Return the scores after the plies of the line were renumbered.

        `cell`: the new ply of a cell, None where it is dropped. `through`: the last ply up to an old one.
        """
        white, black = _renumber_score(self.white, cell), _renumber_score(self.black, cell)
        return replace(self, white=white, black=black, due_through=through(self.due_through))


def _renumber_score(score: Score, now: Callable[[int], int | None]) -> Score:
    """Renumber a score: words and sounds move with their ply (D.2.7).

    What the player wrote stays where it was written.
    """
    cells: dict[int, ScoreCell] = {}
    for number, cell in enumerate(score, 1):
        if cell is not None and cell.source in BY_THE_PROGRAM and (index := now(number)) is not None:
            cells[index] = cell
    for number, cell in enumerate(score, 1):
        if cell is not None and cell.source not in BY_THE_PROGRAM:
            cells[number] = cell
    return tuple(cells.get(index) for index in range(1, max(cells, default=0) + 1))


@applies(ev.ReviewReleased)
def _review_released(scores: ScoresState, event: ev.ReviewReleased) -> ScoresState:
    return replace(scores, released=event.released)


@applies(ev.ScoresheetRecorded)
def _sheet_recorded(scores: ScoresState, event: ev.ScoresheetRecorded) -> ScoresState:
    white, black = scores.sheets
    return replace(scores, sheets=(event.sheet, black) if event.seat is Seat.WHITE else (white, event.sheet))


@applies(ev.RecordingExempted)
def _recording_exempted(scores: ScoresState, event: ev.RecordingExempted) -> ScoresState:
    white, black = scores.exempt
    return replace(scores, exempt=(event.period, black) if event.seat is Seat.WHITE else (white, event.period))


@applies(ev.SheetAsked)
def _sheet_asked(scores: ScoresState, event: ev.SheetAsked) -> ScoresState:
    white, black = scores.sheet_requests
    return replace(scores, sheet_requests=(event.number, black) if event.seat is Seat.WHITE else (white, event.number))


@applies(ev.ScoreDue)
def _score_due(scores: ScoresState, event: ev.ScoreDue) -> ScoresState:
    return replace(scores, due=event.seats, due_through=event.ply)


@applies(ev.ScoreLent)
def _score_lent(scores: ScoresState, event: ev.ScoreLent) -> ScoresState:
    return replace(scores, lent=event.to)


@applies(ev.ScoreReturned)
def _score_returned(scores: ScoresState, event: ev.ScoreReturned) -> ScoresState:
    return replace(scores, lent=None)


@applies(ev.ReconstructionBegun)
def _reconstruction_begun(scores: ScoresState, event: ev.ReconstructionBegun, moves: MovesState) -> ScoresState:
    return replace(scores, reconstruction=Reconstruction(event.snapshot, (), (moves.positions[0],)))


@applies(ev.ReconstructionMoved)
def _reconstruction_moved(scores: ScoresState, event: ev.ReconstructionMoved) -> ScoresState:
    work = scores.reconstruction
    if work is None:
        return scores
    line, positions = (*work.line, event.uci), (*work.positions, work.positions[-1].after(event.uci))
    return replace(scores, reconstruction=Reconstruction(work.snapshot, line, positions))


@applies(ev.ReconstructionUndone)
def _reconstruction_undone(scores: ScoresState, event: ev.ReconstructionUndone) -> ScoresState:
    work = scores.reconstruction
    if work is None or not work.line:
        return scores
    return replace(scores, reconstruction=Reconstruction(work.snapshot, work.line[:-1], work.positions[:-1]))


@applies(ev.ReconstructionEnded)
def _reconstruction_ended(scores: ScoresState, event: ev.ReconstructionEnded) -> ScoresState:
    return replace(scores, reconstruction=None)


@applies(ev.Answered)
def _answered(scores: ScoresState, event: ev.Answered) -> ScoresState:
    """Remember where a player is in the score, and whether they have just heard the first words for help."""
    white = event.seat is Seat.WHITE
    # A whole score is told from its last move, which is then the one that was heard.
    move = (len(event.score) + 1) // 2 if event.what == "score" and event.move is None else event.move
    if move is not None:
        return replace(scores, read_to=(move, scores.read_to[1]) if white else (scores.read_to[0], move))
    if event.what != "help":
        return scores
    told = None if event.more else Helped(event.at, event.words)
    return replace(scores, helped=(told, scores.helped[1]) if white else (scores.helped[0], told))
