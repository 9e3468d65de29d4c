"""Settling two boards with the few lines that the first look asked for; the plies not asked are taken as recorded.

The lines go through the same exact comparison as whole scores (`agreeing`): the law's answer is the same, only the
cells before and after the asked plies stand for what both boards followed.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess
import msgspec

from server.scoresheets.agreeing import Verdict, agree
from server.scoresheets.explaining import Explanation
from server.scoresheets.first_look import FirstLook, shown_on
from server.scoresheets.forms import Form
from server.scoresheets.history import Followed, History, differing, follow
from server.scoresheets.reading import Cell
from server.scoresheets.retracing import BoardDifference, compare_board, steps_back

Lines = Mapping[int, tuple[Cell, Cell]]
"""What was typed: ply -> White's cell, Black's cell (of their scores)."""


class Settlement(msgspec.Struct, frozen=True):
    """What the lines say by the Laws, with the boards against it.

    `settled`: every board is accounted for; else whole sheets are needed. `out_of_step` as verdict: both scores and
    both boards agree, only the server is wrong. `agree_plies`, `position`, `boards`, `back`: as in `Reconciliation`.
    `explanation`: the one of the first look that the lines bear out. `game`: the game as both scores have it (UCI), up
    to the agreement.
    """

    verdict: Verdict
    settled: bool
    agree_plies: int
    position: str
    game: tuple[str, ...]
    boards: tuple[BoardDifference, BoardDifference]
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    explanation: Explanation | None


def settle(history: History, placements: tuple[str, str], seen: FirstLook, lines: Lines) -> Settlement:
    """Answer from the lines typed. Raises Complaint for a placement or a start that is none."""
    followed = follow(history)
    scores = [_score(followed, lines, side) for side in (0, 1)]
    start = followed.boards[0]
    found = agree(scores[0], scores[1], start)
    line = found.lines[0]
    position = chess.Board(line.fen, chess960=start.chess960)
    boards = (
        compare_board(placements[0], position, "White's board"),
        compare_board(placements[1], position, "Black's board"),
    )
    back = (
        steps_back(scores[0], found.plies, position),
        steps_back(scores[1], found.plies, position),
    )
    verdict: Verdict = found.verdict
    server_right = not differing(followed.boards[-1], position) and found.plies == followed.plies
    if verdict == "same_record" and not server_right and not any(board.deviates for board in boards):
        verdict = "out_of_step"
    borne_out = _borne_out(seen, verdict, found.plies, line.moves, followed)
    return Settlement(
        verdict=verdict,
        settled=_accounted(verdict, boards, borne_out, scores, found.plies, position, placements),
        agree_plies=found.plies,
        position=position.fen(),
        game=tuple(move.uci() for move in line.moves),
        boards=boards,
        back=back,
        explanation=borne_out,
    )


def _score(followed: Followed, lines: Lines, side: int) -> list[Cell]:
    """One score: the lines typed, the recorded moves before and after them.

    Blank lines at the end are none if the server's last move may not have been written yet, or not been played.
    """
    cells = [
        lines[ply][side] if ply in lines else _recorded(followed.boards[ply - 1], followed.moves[ply - 1])
        for ply in range(1, max([followed.plies, *lines]) + 1)
        if ply in lines or ply <= followed.plies
    ]
    while cells and cells[-1].blank and len(cells) >= followed.plies:
        cells.pop()
    return cells


def _recorded(board: chess.Board, move: chess.Move | None) -> Cell:
    """A cell that names a recorded move by both its squares."""
    if move is None:
        return Cell(None, True, ())
    if board.is_castling(move):
        return Cell(move.uci(), False, (Form(castling="short" if board.is_kingside_castling(move) else "long"),))
    form = Form(
        piece=board.piece_type_at(move.from_square),
        from_file=chess.square_file(move.from_square),
        from_rank=chess.square_rank(move.from_square),
        to_file=chess.square_file(move.to_square),
        to_rank=chess.square_rank(move.to_square),
        promotion=move.promotion,
    )
    return Cell(move.uci(), False, (form,))


def _borne_out(
    seen: FirstLook, verdict: Verdict, plies: int, game: tuple[chess.Move, ...], followed: Followed
) -> Explanation | None:
    """The first explanation that the scores do not contradict."""
    for each in seen.explanations:
        if verdict == "differ":
            if each.ply == plies + 1:
                return each
            continue
        if verdict not in ("same_record", "out_of_step"):
            continue
        written = game[each.ply - 1].uci() if each.ply <= len(game) else None
        if written == (each.instead if each.where == "server" else each.recorded):
            return each
    return None


def _accounted(
    verdict: Verdict,
    boards: tuple[BoardDifference, BoardDifference],
    borne_out: Explanation | None,
    scores: list[list[Cell]],
    plies: int,
    position: chess.Board,
    placements: tuple[str, str],
) -> bool:
    """Whether every board is either as the Laws say, or as its own score goes on, or off by the one ply named."""
    if verdict == "out_of_step":
        return True
    if verdict == "same_record":
        deviating = [side for side, board in zip(("white", "black"), boards, strict=True) if board.deviates]
        return not deviating or (len(deviating) == 1 and borne_out is not None and borne_out.where in deviating)
    if verdict != "differ" or borne_out is None:
        return False
    return all(
        not differing(shown_on(placement), end) if (end := _played_out(score, plies, position)) is not None else False
        for score, placement in zip(scores, placements, strict=True)
    )


def _played_out(score: list[Cell], plies: int, position: chess.Board) -> chess.Board | None:
    """Where one score leads after the agreed plies; None where a cell names no one legal move."""
    board = position.copy(stack=False)
    for uci in reversed(steps_back(score, plies, position)):
        if uci is None:
            return None
        board.push(board.parse_uci(uci))
    return board
