"""Training lifts the silence about the position, by name: what a player is then asked or told about his words. Pure.

At a table that is opened unrated and for training a short announcement that several legal moves fit is asked about, and
one that no legal move fits is told as such. At any other table none of this is ever thought of (12.6, D.2.10.4).
"""

from __future__ import annotations

from typing import Literal

import chess
import msgspec

from server.game.acts.commands import Say
from server.game.acts.events import TrainingAsked
from server.game.decide.draft import Draft
from server.game.state.resolving import resolve
from server.game.values.announcement import Announcement
from server.game.values.words import Seat


class TrainingQuestion(msgspec.Struct, frozen=True):
    """`which`: several legal moves fit, and their pieces stand on `choices` (squares). `illegal`: none does."""

    ask: Literal["which", "illegal"]
    piece: str = ""
    choices: tuple[str, ...] = ()


def training_question(announcement: Announcement, board: chess.Board) -> TrainingQuestion | None:
    """What training asks about an announcement on this board, None where just one legal move fits it.

    >>> board = chess.Board("4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1")
    >>> training_question(Announcement(piece="knight", to_square="d2"), board)
    TrainingQuestion(ask='which', piece='knight', choices=('b3', 'f3'))
    """
    meant = resolve(announcement, board)
    moves = [chess.Move.from_uci(uci) for uci in ((meant.uci,) if meant.uci is not None else meant.candidates)]
    legal = [move for move in moves if board.is_legal(move)]
    if not legal:
        return TrainingQuestion("illegal")
    if len(legal) == 1:
        return None
    squares = sorted({chess.square_name(move.from_square) for move in legal})
    return TrainingQuestion("which", announcement.piece_meant or "pawn", tuple(squares))


def ask_in_training(draft: Draft, seat: Seat, ply: int, said: Say) -> None:
    """After an announcement at a table for training: the question that the position leaves, where it is known."""
    state = draft.state
    if not state.trains or said.announcement is None or len(state.positions) < ply:
        return
    found = training_question(said.announcement, state.positions[ply - 1].board())
    if found is not None:
        draft.emit(
            TrainingAsked(
                at=draft.now,
                seat=seat,
                ply=ply,
                ask=found.ask,
                piece=found.piece,
                choices=found.choices,
                utterance=said.utterance,
            )
        )
