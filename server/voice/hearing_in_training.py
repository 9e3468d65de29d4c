"""In training the position may narrow what was heard in doubt; in a rated game nothing here is ever called.

What is beyond doubt stays as it was said: an illegal move that was clearly announced is told to be illegal, not bent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
import msgspec

from server.game.state.resolving import resolve
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.wording.words import announcement_of
from speech.announcements.understand import understand
from speech.hearing.hearing import Verdict
from speech.words.said import Heard

if TYPE_CHECKING:
    from server.voice.listener import HeardSound


def fits_legally(heard: Heard, board: chess.Board) -> bool:
    """Whether these words announce a move that is legal on this board."""
    if heard.kind != "move" or heard.said is None:
        return False
    meant = resolve(announcement_of(heard.said), board)
    moves = (meant.uci,) if meant.uci is not None else meant.candidates
    return any(board.is_legal(chess.Move.from_uci(uci)) for uci in moves)


def narrowed(verdict: Verdict, board: chess.Board) -> Verdict:
    """A verdict in doubt, its hypotheses ordered by legality: the first legal one is then read back first."""
    if verdict.verdict not in ("confirm", "repeat") or not verdict.hypotheses:
        return verdict
    readings = [(understand(one.ids), one) for one in verdict.hypotheses]
    if readings[0][0].kind == "command" or fits_legally(readings[0][0], board):
        return verdict
    ordered = sorted(readings, key=lambda pair: not fits_legally(pair[0], board))
    heard, _best = ordered[0]
    if not fits_legally(heard, board):
        return verdict
    found = tuple(one for _, one in ordered)
    return msgspec.structs.replace(
        verdict,
        words=heard.words,
        heard=heard,
        verdict="confirm",
        hypotheses=found,
        sure=verdict.sure and heard == readings[0][0],
    )


def narrowed_at(state: GameState, seat: Seat, verdict: HeardSound) -> HeardSound:
    """The verdict as a table takes it: narrowed for the player on move at a table for training, else as it is."""
    if not state.trains or seat is not state.on_move or state.position is None or not isinstance(verdict, Verdict):
        return verdict
    return narrowed(verdict, state.position.board())
