"""The comparison of two written scores, with the whole answer for the arbiter (D.2.9).

It gives the law's answer, the likely game, the differences of the boards and the moves to undo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import msgspec

from server.scoresheets.cell import Cell, legal_readings
from server.scoresheets.likelihood import Playing
from server.scoresheets.reconcile.agreement import Agreement, Verdict, cell_at, compare_scores
from server.scoresheets.reconcile.boards import BoardDifference, compare_board, steps_back
from server.scoresheets.reconcile.decoder import decode
from server.scoresheets.reconcile.posterior import Weighed, questions, weigh
from server.scoresheets.reconcile.witness import Listen, Witness, listen_to, server_differs
from server.scoresheets.sheet import Sheet
from server.scoresheets.slips import SlipCosts
from speech.complaint import Complaint, Phrase

LEAST_QUESTIONS = 3
QUESTIONS_PER_PLY = 0.04
"""Share of the plies about which the arbiter is asked at most."""
LEAST_GAIN = 0.12
"""A question is worth asking if its answer is expected to put right at least this many plies."""


class ClockReading(msgspec.Struct, frozen=True):
    """Reading of both clocks, in ms, None where it is not known."""

    white: int | None
    black: int | None


class Question(msgspec.Struct, frozen=True):
    """Ply at which the arbiter's answer would help.

    It holds both cells as written, and the moves (UCI) they can mean.
    """

    ply: int
    first: str | None
    second: str | None
    candidates: tuple[str, ...] = ()


class Shift(msgspec.Struct, frozen=True):
    """Place where one score is out of step.

    The score leaves a ply out, has a cell too many, or has two in the wrong order (then this is the first of the two).
    `ply`: of the likely game; for a cell too many the ply before which it stands.
    """

    score: str
    ply: int
    kind: str


class Reconciliation(msgspec.Struct, frozen=True):
    """Answer to two scores; its JSON is the contract of `anna-eins reconcile`.

    `position`: the law's, after `agree_plies` (FEN); `boards[..].squares[..].should_be` refers to it. `agreed`: the
    moves up to there (UCI). `game`: the likely game (UCI) with a confidence per ply. `back`: the moves to undo on each
    board, the last one first. `gaps`: cases the Laws leave to the arbiter (G4, G5, G6). FIRST is White's score
    throughout.
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
    agreed: tuple[str, ...] = ()


def compare(
    first: Sequence[Cell],
    second: Sequence[Cell],
    start: chess.Board,
    placements: tuple[str, str] | None = None,
    clock: ClockReading | None = None,
    *,
    costs: SlipCosts | None = None,
    playing: Playing | None = None,
    answers: Mapping[int, chess.Move] | None = None,
    witness: Witness | None = None,
) -> Reconciliation:
    """Compare two scores from a position.

    `placements`: what White's and Black's boards show now, if known. `costs`: of slips of the pen; without them all are
    equally likely. `playing`: how likely people play each move; without it all are equally likely. `answers`: plies of
    the likely game that the arbiter has settled. `witness`: the server's record. None of them changes the law's answer,
    except for `out_of_step`. Raises Complaint for a placement that is none.
    """
    agreement = compare_scores(first, second, start)
    game = weigh(decode(first, second, start, costs or SlipCosts(), answers), playing)
    position, agreed = _position(agreement, game, start)
    boards = _boards_against(position, placements) if placements is not None else ()
    verdict = agreement.verdict
    gaps = _gaps(first, second, agreement, boards, position)
    alike = not any(board.deviates for board in boards)
    by_itself = witness is not None and server_differs(witness, start, agreed, boards_agree=bool(boards))
    if verdict == "same_record" and alike and by_itself:
        verdict, gaps = "out_of_step", (*gaps, "G13")
    asked = _questions(first, second, game, _question_contested(first, second, agreement, position))
    deciding = [question.ply for question in asked]
    if verdict not in ("same_record", "out_of_step"):
        deciding.append(agreement.plies + 1)
    return Reconciliation(
        verdict=verdict,
        agree_plies=agreement.plies,
        position=position.fen(),
        clock=clock,
        game=tuple(move.uci() for move in game.moves),
        confidence=game.confidence,
        questions=asked,
        shifts=tuple(Shift(score, ply, kind) for ply, (score, kind) in game.shifts),
        boards=boards,
        back=(steps_back(first, agreement.plies, position), steps_back(second, agreement.plies, position)),
        gaps=gaps,
        listen=listen_to(witness, deciding) if witness is not None else (),
        agreed=tuple(move.uci() for move in agreed),
    )


def _boards_against(position: chess.Board, placements: tuple[str, str]) -> tuple[BoardDifference, ...]:
    """Return how White's and Black's boards differ from the law's position."""
    return (
        compare_board(placements[0], position, "the first board"),
        compare_board(placements[1], position, "the second board"),
    )


def _position(agreement: Agreement, game: Weighed, start: chess.Board) -> tuple[chess.Board, tuple[chess.Move, ...]]:
    """Return the position after the agreed plies, and its moves.

    Of several lines it takes the one that the likely game follows.
    """

    def alike(moves: tuple[chess.Move, ...]) -> int:
        return sum(one == other for one, other in zip(moves, game.moves, strict=False))

    moves = max((line.moves for line in agreement.lines), key=alike)
    board = start.copy(stack=False)
    for move in moves:
        board.push(move)
    return board, moves


def _question_contested(
    first: Sequence[Cell], second: Sequence[Cell], agreement: Agreement, position: chess.Board
) -> Question | None:
    """Return the first ply at which the scores have different legal moves; it is always asked."""
    if agreement.verdict != "differ":
        return None
    ply = agreement.plies + 1
    mine, theirs = cell_at(first, ply), cell_at(second, ply)
    meant = (legal_readings(position, mine), legal_readings(position, theirs))
    if not all(meant):
        return None
    return Question(ply, mine.text, theirs.text, tuple(dict.fromkeys(move.uci() for move in meant[0] + meant[1])))


def _questions(
    first: Sequence[Cell], second: Sequence[Cell], game: Weighed, contested: Question | None
) -> tuple[Question, ...]:
    """Return the questions worth asking, the most telling first.

    Both cells are those that stand for the ply in the likely game.
    """
    most = max(LEAST_QUESTIONS, int(QUESTIONS_PER_PLY * len(game.moves)))
    asked = []
    for worth in questions(game, most, LEAST_GAIN):
        if contested is not None and contested.ply == worth.ply:
            asked.append(contested)
            continue
        # Where a line went astray, a ply behind the end of the likely game may be asked about.
        mine, theirs = game.cells[worth.ply - 1] if worth.ply <= len(game.cells) else (None, None)
        asked.append(
            Question(
                worth.ply,
                first[mine].text if mine is not None else None,
                second[theirs].text if theirs is not None else None,
                tuple(move.uci() for move in worth.candidates),
            )
        )
    if contested is not None and contested not in asked:
        asked.append(contested)
    return tuple(asked)


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
    """Return whether a board shows a pawn on the last rank where the scores have a promoted piece."""
    return any(
        (square.is_, square.square[1]) in (("P", "8"), ("p", "1")) and square.should_be is not None
        for square in board.squares
    )


def starting_board(first: Sheet, second: Sheet) -> chess.Board:
    """Return the position both scores start from. Raises Complaint where their FEN tags differ."""
    starts = [sheet for sheet in (first, second) if sheet.start is not None]
    if len(starts) == 2 and starts[0].start != starts[1].start:
        raise Complaint(Phrase("sheets_start"))
    chess960 = first.chess960 or second.chess960
    return chess.Board(starts[0].start if starts and starts[0].start else chess.STARTING_FEN, chess960=chess960)
