"""The game as the arbiter settles it (D.2.9), and which record each ply keeps.

The game is its moves, or its position alone. The moves come from both scores. Where only a position is given, the
server's own line is tried first, then that line with another last move, then with one other move before; otherwise the
position stands without the moves.
"""

from __future__ import annotations

import chess
import msgspec

from server.game.state.line import PlyRecord, fits
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat

OTHER_MOVE, NOTHING_SAID, LEFT_OUT = 12, 4, 8
"""The cost of giving a ply a record of another move, or one that says nothing, and of leaving a record out."""
_Way = tuple[int, tuple[int, ...]]  # to lay records beside the moves from one of each on: its cost, and their numbers
FARTHEST = 8  # how many plies a record may stand from its move, besides those the server counted too many


class SettledLine(msgspec.Struct, frozen=True):
    """Game up to `ply`: its moves (UCI; None: not known), and the position after it."""

    ply: int
    moves: tuple[str, ...] | None
    position: Position


def line_of_moves(start: Position, moves: tuple[str, ...]) -> SettledLine | None:
    """Return the line of these moves; None where one is not a move of the side whose turn it is."""
    position = start
    for uci in moves:
        color = position.board().color_at(chess.parse_square(uci[:2]))
        if color is None or (color is chess.WHITE) is not (position.turn is Seat.WHITE):
            return None
        position = position.after(uci)
    return SettledLine(len(moves), moves, position)


def line_to_position(state: GameState, ply: int, placement: str) -> SettledLine | None:
    """Return the line to a placement after this ply; its position alone where no moves lead there.

    None where that is impossible (no other one before the first).
    """
    line = line_with_moves(state, ply, placement)
    if line is not None or ply == 0:
        return line
    nearest = next(position for position in reversed(state.moves.positions[: ply + 1]) if position.known)
    position = nearest.with_placement(placement, state.seat_of(ply).other)
    number = state.moves.positions[0].move_number + (ply + (state.moves.positions[0].turn is Seat.BLACK)) // 2
    return SettledLine(ply, None, msgspec.structs.replace(position, halfmoves=0, move_number=number))


def line_with_moves(state: GameState, ply: int, placement: str) -> SettledLine | None:
    """Return the line whose moves lead to a placement after this ply.

    It is the server's own, or that with another last move, or with one other move before. None where there is none.
    """
    known, before = state.position_after(ply), state.position_after(ply - 1)
    if known is not None and known.placement == placement:
        return SettledLine(ply, _all_known(state.moves.line[:ply]), known)
    if before is not None:
        for move in before.board().legal_moves:
            after = before.after(move.uci())
            if after.placement == placement:
                earlier = _all_known(state.moves.line[: ply - 1])
                return SettledLine(ply, None if earlier is None else (*earlier, move.uci()), after)
    return _with_one_other_move(state, ply, placement)


def _with_one_other_move(state: GameState, ply: int, placement: str) -> SettledLine | None:
    """Return the server's line to a placement with one other legal move in it, all the others as they are.

    None where there is none, or more than one: nobody guesses which move was played.
    """
    line = state.moves.line[:ply]
    known = _all_known(line)
    if known is None or len(line) < ply:
        return None
    found: list[SettledLine] = []
    board = state.moves.positions[0].board()
    for number, uci in enumerate(known, 1):
        for move in board.legal_moves:
            if move.uci() == uci or not _leads_to(board, move, known[number:], placement):
                continue
            moves = (*known[: number - 1], move.uci(), *known[number:])
            settled = line_of_moves(state.moves.positions[0], moves)
            if settled is not None:
                found.append(settled)
        played = chess.Move.from_uci(uci)
        if not board.is_legal(played):
            break
        board.push(played)
    return found[0] if len(found) == 1 else None


def _leads_to(board: chess.Board, move: chess.Move, later: tuple[str, ...], placement: str) -> bool:
    board = board.copy(stack=False)
    board.push(move)
    for uci in later:
        following = chess.Move.from_uci(uci)
        if not board.is_legal(following):
            return False
        board.push(following)
    return board.board_fen() == placement


def _all_known(line: tuple[str | None, ...]) -> tuple[str, ...] | None:
    known = tuple(uci for uci in line if uci is not None)
    return known if len(known) == len(line) else None


def records_kept(state: GameState, line: SettledLine, *, back: bool) -> tuple[int, ...]:
    """Return for each ply of the line the number of the record about it, 0 where there is none.

    After them come the records that stay after the line: for `back` all that came after it, otherwise an announcement
    of the next move. A record belongs to a ply of its own side whose move it says; as few as possible are left out.
    """
    made = state.moves.plies
    if line.moves is None:
        kept = tuple(number if number <= len(made) else 0 for number in range(1, line.ply + 1))
    else:
        kept = _records_beside(state, line.moves, back=back)
    last = max(kept, default=0)
    behind = made[last:]
    if not back:
        behind = tuple(one for one in behind if not one.made and one.seat is line.position.turn)
    return (*kept, *(record.index for record in behind))


def _records_beside(state: GameState, moves: tuple[str, ...], *, back: bool) -> tuple[int, ...]:
    """Return the records beside the moves at the lowest cost.

    If two ways cost the same, the one closer to the numbers. For `back` what comes after the moves is left out anyway,
    and costs nothing from the next move of that side on.
    """
    paired = enumerate(zip(moves, state.moves.line, strict=False))
    same = next((ply for ply, (move, heard) in paired if move != heard), min(len(moves), len(state.moves.line)))
    position = state.moves.positions[0]
    reached: list[Position] = []
    for uci in moves:
        reached.append(position)
        position = position.after(uci)
    free = position.turn if back else None
    return (*range(1, same + 1), *_laid_beside(moves[same:], state.moves.plies[same:], reached[same:], free))


def _laid_beside(
    moves: tuple[str, ...], records: tuple[PlyRecord, ...], before: list[Position], free: Seat | None
) -> tuple[int, ...]:
    """Return for each move the number of its record, 0 for a move without one. The search begins at the last move.

    Past the moves nothing costs anything from a record of the side `free` on.
    """
    band = FARTHEST + abs(len(records) - len(moves))
    ways: list[_Way] = [(LEFT_OUT * count, (0,) * count) for count in reversed(range(len(moves) + 1))]
    for one, record in reversed(list(enumerate(records))):
        without, ways = ways, [*ways[:-1], (0 if record.seat is free else LEFT_OUT + ways[-1][0], ())]
        for other in reversed(range(len(moves))):
            (left_out, kept), (alone, later) = without[other], ways[other + 1]
            found: list[_Way] = [(LEFT_OUT + left_out, kept), (LEFT_OUT + alone, (0, *later))]
            if abs(one - other) <= band and record.seat is before[other].turn:
                cost, kept = without[other + 1]
                found.insert(0, (_cost(record, before[other], moves[other]) + cost, (record.index, *kept)))
            ways[other] = min(found, key=lambda way: way[0])
    return ways[0][1]


def _cost(record: PlyRecord, position: Position, uci: str) -> int:
    """Return the cost of a record at a move.

    Zero where an entry, a sensed move or any words in it say this move.
    """
    said = tuple(words for words in (record.announcement, record.repeated, record.echo) if words is not None)
    seen = tuple(move for move in (record.mended, record.entered, record.seen_on_other_board) if move is not None)
    if uci in seen or any(fits(words, position.board(), uci) for words in said):
        return 0
    return OTHER_MOVE if said or seen else NOTHING_SAID
