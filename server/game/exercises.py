"""Exercises for a player alone: names of files, colours of squares, reading a position, announcing, endings. Pure.

They use the board, the words and the echo of the game, and belong to no table. What is right follows from geometry and
from the rules of mate; there is no engine. Which task comes next is a function of a seed and a number, so that an
exercise can be done again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import chess
import msgspec

from server.game.state.line import resolve
from server.game.values.announcement import Announcement
from server.game.values.words import Seat

Kind = Literal["names", "colours", "reading", "announcing", "endings"]
KINDS: tuple[Kind, ...] = get_args(Kind)
ANNOUNCED = ((chess.KNIGHT, "knight"), (chess.BISHOP, "bishop"), (chess.ROOK, "rook"), (chess.QUEEN, "queen"))


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One task. `fen`: the position, "" where there is none; `move`: the one to announce (UCI)."""

    kind: Kind
    fen: str = ""
    square: str = ""
    piece: str = ""
    move: str = ""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Player's answer as it was understood; fields that were not said are empty."""

    file: str = ""
    light: bool | None = None
    piece: str = ""
    announcement: Announcement | None = None


class Score(msgspec.Struct, frozen=True):
    """Number of tasks of one kind that a player has had, and of those right at the first answer."""

    asked: int = 0
    right: int = 0


class Progress(msgspec.Struct, frozen=True):
    """Player's results so far, by kind: for the player alone."""

    scores: Mapping[str, Score] = {}

    def of(self, kind: str) -> Score:
        """Return the score of one kind."""
        return self.scores.get(kind, Score())

    def in_order(self) -> tuple[tuple[Kind, Score], ...]:
        """Return the score of each kind that was had, in the order of `KINDS`."""
        return tuple((kind, self.of(kind)) for kind in KINDS if self.of(kind).asked)


def with_task(progress: Progress, kind: str, *, right: bool) -> Progress:
    """Return the progress with one more task of this kind."""
    before = progress.of(kind)
    return Progress({**progress.scores, kind: Score(before.asked + 1, before.right + right)})


def task_of(kind: Kind, seed: str, number: int, positions: Sequence[str]) -> Task:
    """Return a task. `positions`: FENs in each of which the side to move can mate at once.

    >>> task_of("colours", "a", 1, ()) == task_of("colours", "a", 1, ())
    True
    """

    def choose(what: str, of: int) -> int:
        digest = hashlib.sha256(f"{seed}|{kind}|{number}|{what}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % of

    square = chess.square_name(choose("square", 64))
    match kind:
        case "names" | "colours":
            return Task(kind=kind, square=square)
        case "announcing":
            man, name = ANNOUNCED[choose("piece", len(ANNOUNCED))]
            board = chess.Board(None)
            board.set_piece_at(chess.parse_square(square), chess.Piece(man, chess.WHITE))
            to = sorted(board.attacks(chess.parse_square(square)))
            return Task(kind=kind, piece=name, move=square + chess.square_name(to[choose("to", len(to))]))
    fen = positions[choose("position", len(positions))]
    men = sorted(chess.Board(fen).piece_map())
    return Task(kind=kind, fen=fen, square=chess.square_name(men[choose("man", len(men))]))


def is_light(square: str) -> bool:
    """Return whether a square is light.

    >>> is_light("h1"), is_light("a1")
    (True, False)
    """
    return chess.parse_square(square) in chess.SquareSet(chess.BB_LIGHT_SQUARES)


def is_right(task: Task, reply: Reply) -> bool:
    """Return whether the answer is right."""
    said = reply.announcement
    match task.kind:
        case "names":
            return reply.file == task.square[0]
        case "colours":
            return reply.light is is_light(task.square)
        case "reading":
            return reply.piece == piece_on(task)
        case "announcing":
            return (
                said is not None
                and (said.piece_meant, said.to_square) == (task.piece, task.move[2:4])
                and (said.from_square in (None, task.move[:2]))
            )
    return said is not None and mates(task.fen, said)


def piece_on(task: Task) -> str:
    """Return the name of the piece on the square of a task, "knight"."""
    piece = chess.Board(task.fen).piece_at(chess.parse_square(task.square))
    return chess.piece_name(piece.piece_type) if piece is not None else ""


def mates(fen: str, announcement: Announcement) -> bool:
    """Return whether what was announced is a legal move that mates."""
    return resolve(announcement, chess.Board(fen)).uci in mating_moves(fen)


def mating_moves(fen: str) -> tuple[str, ...]:
    """Return every move that mates at once (UCI), to show one after a wrong answer."""
    board = chess.Board(fen)
    found = []
    for move in board.legal_moves:
        board.push(move)
        if board.is_checkmate():
            found.append(move.uci())
        board.pop()
    return tuple(sorted(found))


def on_move(fen: str) -> Seat:
    """Return whose move it is in a position."""
    return Seat.WHITE if chess.Board(fen).turn == chess.WHITE else Seat.BLACK
