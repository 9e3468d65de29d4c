"""Boards that drift apart: one ply executed otherwise, said otherwise or heard otherwise, in a real game.

The faults are drawn here from shares of their own; nothing of `config/reconciling` is read.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

import chess
import msgspec

Fault = Literal["misexecuted", "misrecorded", "misheard by the server"]


class Drift(msgspec.Struct, frozen=True):
    """What stands where, and what everybody wrote. `ply`: where it went wrong (from 1).

    `server`: the server's moves; `scores`: White's and Black's, as the moves they wrote; `boards`: placements.
    `verdict` and `agree_plies`: the answer by the Laws. `board`: whose board deviates (misexecuted).
    """

    fault: Fault
    ply: int
    server: tuple[str, ...]
    scores: tuple[tuple[str, ...], tuple[str, ...]]
    boards: tuple[str, str]
    verdict: str
    agree_plies: int
    board: int | None


def drift(moves: Sequence[chess.Move], fault: Fault, chance: random.Random) -> Drift | None:
    """One fault in the last plies of a game cut at random, or None where the draw was not possible."""
    length = chance.randrange(min(6, len(moves) - 1), len(moves))
    ply = max(1, length - min(int(chance.expovariate(0.35)), 14))
    played = list(moves[:length])
    boards = [chess.Board()]
    for move in played:
        board = boards[-1].copy(stack=False)
        board.push(move)
        boards.append(board)
    before, move = boards[ply - 1], played[ply - 1]
    ucis = tuple(each.uci() for each in played)
    if fault == "misexecuted":
        side = chance.randrange(2)
        shown = _executed(played, boards, ply, chance)
        if shown is None or shown == boards[-1].board_fen():
            return None
        placements = [boards[-1].board_fen()] * 2
        placements[side] = shown
        return Drift(fault, ply, ucis, (ucis, ucis), (placements[0], placements[1]), "same_record", length, side)
    other = _confused(before, move, chance)
    if other is None:
        return None
    board = before.copy(stack=False)
    board.push(other)
    for later in played[ply:]:
        if not board.is_legal(later):
            return None
        board.push(later)
    if board.board_fen() == boards[-1].board_fen():
        return None
    elsewhere = tuple(each.uci() for each in (*played[: ply - 1], other, *played[ply:]))
    if fault == "misheard by the server":
        return Drift(fault, ply, elsewhere, (ucis, ucis), (boards[-1].board_fen(),) * 2, "out_of_step", length, None)
    mover = 0 if before.turn == chess.WHITE else 1
    # The mover plays and writes one move and says another, which the opponent executes and writes, and the server has.
    scores, shown_on = [ucis, ucis], [boards[-1].board_fen()] * 2
    scores[mover], shown_on[mover] = elsewhere, board.board_fen()
    return Drift(fault, ply, ucis, (scores[0], scores[1]), (shown_on[0], shown_on[1]), "differ", ply - 1, None)


def _confused(before: chess.Board, move: chess.Move, chance: random.Random) -> chess.Move | None:
    """Another legal move that may be said or heard for this one: mostly of the same piece, or to the same square."""
    others = [other for other in before.legal_moves if other != move]
    near = [other for other in others if move.from_square == other.from_square or move.to_square == other.to_square]
    pool = near if near and chance.random() < 0.85 else others
    return chance.choice(pool) if pool else None


def _executed(
    played: Sequence[chess.Move], boards: Sequence[chess.Board], ply: int, chance: random.Random
) -> str | None:
    """The placement of a board on which one move was carried out otherwise and all later ones as announced."""
    before, move = boards[ply - 1], played[ply - 1]
    shown = chess.BaseBoard(before.board_fen())
    piece = before.piece_at(move.from_square)
    assert piece is not None
    draw = chance.random()
    if (before.is_en_passant(move) and draw < 0.5) or (before.is_castling(move) and draw < 0.5):
        shown.remove_piece_at(move.from_square)
        shown.set_piece_at(move.to_square, piece)
    elif move.promotion and draw < 0.5:
        shown.remove_piece_at(move.from_square)
        shown.set_piece_at(move.to_square, chance.choice([piece, chess.Piece(chess.KNIGHT, piece.color)]))
    elif draw < 0.12:
        pass  # not carried out at all
    elif draw < 0.3:
        other = _confused(before, move, chance)
        if other is None:
            return None
        after = before.copy(stack=False)
        after.push(other)
        shown = chess.BaseBoard(after.board_fen())
    else:
        squares = [s for s in chess.SQUARES if before.color_at(s) != piece.color and s != move.to_square]
        near = [s for s in squares if chess.square_distance(s, move.to_square) == 1]
        square = chance.choice(near if near and draw < 0.8 else squares)
        shown.remove_piece_at(move.from_square)
        shown.set_piece_at(square, piece)
    for at in range(ply, len(played)):
        if not _carry_out(shown, boards[at], boards[at + 1], played[at]):
            return None
    return shown.board_fen()


def _carry_out(shown: chess.BaseBoard, before: chess.Board, after: chess.Board, move: chess.Move) -> bool:
    if shown.piece_at(move.from_square) != before.piece_at(move.from_square):
        return False
    for square in chess.SQUARES:
        if before.piece_at(square) != after.piece_at(square):
            shown.set_piece_at(square, after.piece_at(square))
    return True
