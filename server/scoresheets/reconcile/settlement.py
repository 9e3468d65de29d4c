"""This module settles two boards with the few lines that the first look asked for.

The plies not asked for are taken as recorded. The lines go through the same exact comparison as whole scores
(`agreement`), so the law's answer is the same; only the cells before and after the asked plies stand for what both
boards followed. Once the scores have spoken, what explains the boards is looked for again: against the game of the
scores, no longer against what the server has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import msgspec

from server.scoresheets.cell import Cell
from server.scoresheets.forms import Form
from server.scoresheets.reconcile.agreement import Agreement, Verdict, agree
from server.scoresheets.reconcile.boards import (
    BoardDifference,
    Followed,
    History,
    compare_board,
    differing,
    follow,
    steps_back,
)
from server.scoresheets.reconcile.explanations import ExplainingCosts, Explanation, Where, board_wrong
from server.scoresheets.reconcile.first_look import shown_on

Lines = Mapping[int, tuple[Cell, Cell]]
"""What was read in the scores: ply -> White's cell, Black's cell."""

SIDES: tuple[Where, Where] = ("white", "black")


class Settlement(msgspec.Struct, frozen=True):
    """A `Settlement` is what the lines say by the Laws, with the boards compared against it.

    `settled`: every board is accounted for, or every line was read; else further lines are needed. `out_of_step` as
    verdict: both scores and both boards agree, only the server is wrong. `agree_plies`, `position`, `boards`, `back`:
    as in `Reconciliation`. `explanations`: what the scores bear out, the server's own error first, and no account that
    they contradict; where the scores differ it is that line. `game`: the game as both scores have it (UCI), up to the
    agreement; behind it the last move, where it was made and neither has written it yet (8.1.3). `unread`: the plies
    that were taken as recorded. `asks`: the ply at which the scores are to be read next, since what the server has
    there is no move of the scores' game; None where there is none.
    """

    verdict: Verdict
    settled: bool
    agree_plies: int
    position: str
    game: tuple[str, ...]
    boards: tuple[BoardDifference, BoardDifference]
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    explanations: tuple[Explanation, ...]
    unread: tuple[int, ...]
    asks: int | None


def settle(history: History, placements: tuple[str, str], lines: Lines, costs: ExplainingCosts) -> Settlement:
    """Answer from the lines read. Raises Complaint for a placement or a start that is none."""
    followed = follow(history)
    scores, found = _agreed(followed, lines)
    game = found.lines[0].moves
    position = chess.Board(found.lines[0].fen, chess960=followed.boards[0].chess960)
    unwritten = None
    if found.verdict == "same_record" and followed.plies in lines:
        unwritten = not_yet_written(followed, found.plies, position, placements)
    if unwritten is not None:
        game = (*game, unwritten)
        position.push(unwritten)
    boards = (
        compare_board(placements[0], position, "White's board"),
        compare_board(placements[1], position, "Black's board"),
    )
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]] = ((), ())
    if unwritten is None:
        back = (steps_back(scores[0], found.plies, position), steps_back(scores[1], found.plies, position))
    verdict: Verdict = found.verdict
    server_right = not differing(followed.boards[-1], position) and len(game) == followed.plies
    if verdict == "same_record" and not server_right and not any(board.deviates for board in boards):
        verdict = "out_of_step"
    explanations: tuple[Explanation, ...] = ()
    if verdict in ("same_record", "out_of_step"):
        explanations = _borne_out(history, game, boards, placements, costs)
    elif verdict == "differ":
        explanations = (_written_otherwise(found.plies + 1, back),)
    needed = found.plies + 1 if verdict == "differ" else max(found.plies, followed.plies)
    unread = tuple(ply for ply in range(1, needed + 1) if ply not in lines)
    failing = found.plies + 1
    return Settlement(
        verdict=verdict,
        settled=_accounted(verdict, boards, explanations, back, position, placements, all_read=not unread),
        agree_plies=found.plies,
        position=position.fen(),
        game=tuple(move.uci() for move in game),
        boards=boards,
        back=back,
        explanations=explanations,
        unread=unread,
        asks=failing if failing <= followed.plies and failing not in lines else None,
    )


def not_yet_written(
    followed: Followed, plies: int, position: chess.Board, placements: tuple[str, str]
) -> chess.Move | None:
    """Return the server's last move where both scores end one ply before it (8.1.3).

    None where they do not, where it is no move of their position, or where both boards show that it was not made.
    """
    move = followed.moves[-1] if plies == followed.plies - 1 else None
    if move is None or not position.is_legal(move):
        return None
    not_made = all(not differing(shown_on(placement), position) for placement in placements)
    return None if not_made else move


def reading_positions(history: History, lines: Lines) -> tuple[chess.Board, ...]:
    """Return the position in which each ply's cell is read, from ply 1.

    The plies are those that the scores agree on so far, then those recorded.
    """
    followed = follow(history)
    filled = {ply: pair for ply, pair in lines.items() if not any(cell.blank for cell in pair)}
    _, found = _agreed(followed, filled)
    board = followed.boards[0].copy(stack=False)
    boards = [board]
    for move in found.lines[0].moves:
        board = board.copy(stack=False)
        board.push(move)
        boards.append(board)
    return (*boards, *followed.boards[len(boards) :])


def _agreed(followed: Followed, lines: Lines) -> tuple[list[list[Cell]], Agreement]:
    scores = [_score(followed, lines, side) for side in (0, 1)]
    return scores, agree(scores[0], scores[1], followed.boards[0])


def _score(followed: Followed, lines: Lines, side: int) -> list[Cell]:
    """Return one score: the lines typed, with the recorded moves before and after them.

    Blank lines at the end do not count if the server's last move may not have been written yet, or not been played.
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
    """Return a cell that names a recorded move by both its squares."""
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
    history: History,
    game: tuple[chess.Move, ...],
    boards: tuple[BoardDifference, BoardDifference],
    placements: tuple[str, str],
    costs: ExplainingCosts,
) -> tuple[Explanation, ...]:
    """Return the explanations that the scores confirm.

    They are where the server has another move, and for each board that deviates its likeliest one.
    """
    found = list(_server_otherwise(history.moves, tuple(move.uci() for move in game)))
    played = follow(History(tuple(move.uci() for move in game), history.start, history.chess960))
    for where, board, placement in zip(SIDES, boards, placements, strict=True):
        if board.deviates:
            found += board_wrong(played, shown_on(placement), where, costs)[:1]
    return tuple(found)


def _server_otherwise(recorded: Sequence[str | None], written: Sequence[str]) -> tuple[Explanation, ...]:
    """Return the first ply at which the server has another move than both scores.

    It was misheard, not heard, or not played.
    """
    same = 0
    while same < min(len(recorded), len(written)) and recorded[same] == written[same]:
        same += 1
    mine, theirs = tuple(recorded[same:]), tuple(written[same:])
    if not mine and not theirs:
        return ()
    if theirs and theirs[1:] == mine:
        return (Explanation("not_heard", "server", same + 1, None, theirs[0], 0.0),)
    if mine and mine[1:] == theirs:
        return (Explanation("not_played", "server", same + 1, mine[0], None, 0.0),)
    heard, played = mine[0] if mine else None, theirs[0] if theirs else None
    return (Explanation("misheard" if heard else "not_heard", "server", same + 1, heard, played, 0.0),)


def _written_otherwise(ply: int, back: tuple[tuple[str | None, ...], tuple[str | None, ...]]) -> Explanation:
    """Return the line at which the scores differ: White's move first, then Black's."""
    white, black = (steps[-1] if steps else None for steps in back)
    return Explanation("written_otherwise", "scores", ply, white, black, 0.0)


def _accounted(
    verdict: Verdict,
    boards: tuple[BoardDifference, BoardDifference],
    explanations: tuple[Explanation, ...],
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]],
    position: chess.Board,
    placements: tuple[str, str],
    *,
    all_read: bool,
) -> bool:
    """Return whether the Laws' answer stands.

    It does where every line was read, or every board is as the Laws say or off by one ply.
    """
    if verdict == "out_of_step":
        return True
    if verdict == "same_record":
        named = {each.where for each in explanations}
        return all_read or all(side in named for side, board in zip(SIDES, boards, strict=True) if board.deviates)
    if verdict != "differ":
        return False
    return all_read or all(
        (end := _played_out(steps, position)) is not None and not differing(shown_on(placement), end)
        for steps, placement in zip(back, placements, strict=True)
    )


def _played_out(steps: Sequence[str | None], position: chess.Board) -> chess.Board | None:
    """Return the position one score leads to after the agreed plies; None where a cell names no move.

    `steps`: the last one first.
    """
    board = position.copy(stack=False)
    for uci in reversed(steps):
        if uci is None:
            return None
        board.push(board.parse_uci(uci))
    return board
