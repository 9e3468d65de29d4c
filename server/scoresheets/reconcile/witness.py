"""The server's own record beside two scores, as evidence only (6.12.2).

The record is never the judge. It names the sounds of dictated cells, and shows whether only the server is wrong
(`out_of_step`, G13).
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from server.scoresheets.reconcile.boards import legal_move


class Listen(msgspec.Struct, frozen=True):
    """Dictated cell that decides; it is provisional until the arbiter has listened to it."""

    ply: int
    side: str
    clip: str


class Witness(msgspec.Struct, frozen=True):
    """Server's record: its moves, and the sound of every cell that was dictated.

    The moves are UCI, None where the server knows none.
    """

    moves: tuple[str | None, ...]
    clips: tuple[Listen, ...] = ()


def server_differs(witness: Witness, start: chess.Board, game: Sequence[chess.Move], boards_agree: bool) -> bool:
    """Return whether the server's game is another than the one both scores agree on.

    A ply more than the scores have may be not yet written (8.1.3); it differs only if both boards show that it was
    not played (`boards_agree`: they were looked at, and show the position of the scores). A server that knows no move
    at all keeps no game that could differ.
    """
    if not any(witness.moves):
        return False
    board = start.copy(stack=False)
    for ply, move in enumerate(game):
        if ply >= len(witness.moves):
            return True
        if legal_move(board, witness.moves[ply]) != move:
            return True
        board.push(move)
    return len(witness.moves) > len(game) and boards_agree


def listen_to(witness: Witness, plies: Sequence[int]) -> tuple[Listen, ...]:
    """Return the sounds of these plies, in the order of the plies, White's before Black's."""
    asked = set(plies)
    return tuple(
        sorted((clip for clip in witness.clips if clip.ply in asked), key=lambda clip: (clip.ply, clip.side != "white"))
    )
