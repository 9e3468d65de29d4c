"""Two written scores compared: the law's answer, the likely game, the boards, the steps back (D.2.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import msgspec

from server.complaint import Complaint
from server.scoresheets.agreeing import Agreement, Verdict, agree, cell_at
from server.scoresheets.continuing import Likely, likely_game
from server.scoresheets.reading import Cell, Writing, legal_readings, take
from server.scoresheets.retracing import BoardDifference, compare_board, steps_back
from server.scoresheets.sheet import Sheet

MOST_QUESTIONS = 12


class ClockReading(msgspec.Struct, frozen=True):
    """What both clocks showed, in ms, None where it is not known."""

    white: int | None
    black: int | None


class Question(msgspec.Struct, frozen=True):
    """A ply at which the arbiter's answer would help: both cells as written, and the moves (UCI) they can mean."""

    ply: int
    first: str | None
    second: str | None
    candidates: tuple[str, ...] = ()


class Shift(msgspec.Struct, frozen=True):
    """A ply that one score leaves out, has too much, or has in the wrong order."""

    score: str
    ply: int
    kind: str


class Listen(msgspec.Struct, frozen=True):
    """A dictated cell that decides: the arbiter listens to it before it counts."""

    ply: int
    side: str
    clip: str


class Reconciliation(msgspec.Struct, frozen=True):
    """The answer to two scores; its JSON is the contract of `anna-eins reconcile`.

    `position`: the law's, after `agree_plies` (FEN); `boards[..].squares[..].should_be` refers to it. `game`: the
    likely game (UCI) with a confidence per ply. `back`: the moves to undo on each board, the last one first. `gaps`:
    cases the Laws leave to the arbiter (G4, G5, G6). FIRST is White's score throughout.
    """

    verdict: Verdict
    agree_plies: int
    position: str
    clock: ClockReading | None
    game: tuple[str, ...]
    confidence: tuple[float, ...]
    questions: tuple[Question, ...]
    shifts: tuple[Shift, ...]
    boards: tuple[BoardDifference, ...]
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    gaps: tuple[str, ...]
    listen: tuple[Listen, ...]


def compare(
    first: Sequence[Cell],
    second: Sequence[Cell],
    start: chess.Board,
    placements: tuple[str, str] | None = None,
    clock: ClockReading | None = None,
) -> Reconciliation:
    """Compare two scores from a position; `placements`: what White's and Black's boards show now, if known.

    Raises Complaint for a placement that is none.
    """
    agreement = agree(first, second, start)
    game = likely_game(first, second, agreement, start)
    position = _position(agreement, game, start)
    boards: tuple[BoardDifference, ...] = ()
    if placements is not None:
        boards = (
            compare_board(placements[0], position, "the first board"),
            compare_board(placements[1], position, "the second board"),
        )
    return Reconciliation(
        verdict=agreement.verdict,
        agree_plies=agreement.plies,
        position=position.fen(),
        clock=clock,
        game=tuple(move.uci() for move in game.moves),
        confidence=game.confidence,
        questions=_questions(first, second, agreement, game),
        shifts=(),
        boards=boards,
        back=(steps_back(first, agreement.plies, position), steps_back(second, agreement.plies, position)),
        gaps=_gaps(first, second, agreement, boards, position),
        listen=(),
    )


def _position(agreement: Agreement, game: Likely, start: chess.Board) -> chess.Board:
    """The position after the agreed plies; of several lines the one that the likely game follows."""
    board = start.copy(stack=False)
    for move in game.moves[: agreement.plies]:
        board.push(move)
    return board


def _questions(
    first: Sequence[Cell], second: Sequence[Cell], agreement: Agreement, game: Likely
) -> tuple[Question, ...]:
    asked = dict(game.open_plies)
    failing = agreement.plies + 1
    if agreement.verdict != "same_record" and failing not in asked:
        asked[failing] = game.moves[failing - 1 : failing]
    return tuple(
        Question(
            ply, cell_at(first, ply).text, cell_at(second, ply).text, tuple(dict.fromkeys(m.uci() for m in asked[ply]))
        )
        for ply in sorted(asked)
    )[:MOST_QUESTIONS]


def _gaps(
    first: Sequence[Cell],
    second: Sequence[Cell],
    agreement: Agreement,
    boards: tuple[BoardDifference, ...],
    position: chess.Board,
) -> tuple[str, ...]:
    gaps = []
    neither_board = agreement.verdict == "same_record" and len(boards) == 2 and all(board.deviates for board in boards)
    if agreement.verdict == "illegal_in_both" or neither_board:
        gaps.append("G4")
    if not first or not second:
        gaps.append("G5")
    if any(_still_a_pawn(board, position) for board in boards):
        gaps.append("G6")
    return tuple(gaps)


def _still_a_pawn(board: BoardDifference, position: chess.Board) -> bool:
    """Whether a board shows a pawn on the last rank where the scores have a promoted piece."""
    return any(
        (square.is_, square.square[1]) in (("P", "8"), ("p", "1")) and square.should_be is not None
        for square in board.squares
    )


def read_sheet(sheet: Sheet, writing: Writing) -> tuple[Cell, ...]:
    """Every cell of a sheet, taken without a board."""
    return tuple(take(text, writing) for text in sheet.cells)


def starting_board(first: Sheet, second: Sheet) -> chess.Board:
    """The position both scores start from. Raises Complaint where their FEN tags differ."""
    starts = [sheet for sheet in (first, second) if sheet.start is not None]
    if len(starts) == 2 and starts[0].start != starts[1].start:
        raise Complaint("The two scores start from different positions; correct the FEN tag of one.")
    chess960 = first.chess960 or second.chess960
    return chess.Board(starts[0].start if starts and starts[0].start else chess.STARTING_FEN, chess960=chess960)


def likely_writing(sheet: Sheet, start: chess.Board, writings: Mapping[str, Writing]) -> str:
    """The language a score seems to be written in: most readable cells, then most legal plies, then the order given."""

    def merit(language: str) -> tuple[int, int]:
        cells = read_sheet(sheet, writings[language])
        board, legal = start.copy(stack=False), 0
        for cell in cells:
            moves = legal_readings(board, cell)
            if not moves:
                break
            legal += 1
            board.push(moves[0])
        return sum(cell.readable for cell in cells), legal

    return max(writings, key=merit)
