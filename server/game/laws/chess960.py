"""Chess960 is set up and castled here by its own rules (Guidelines II; L226-L231).

An initial position is given by its number, by letters or by dice; castling is named by its two sides.

Nothing is drawn by lot here: the number or the throws come from outside and are recorded.
"""

from __future__ import annotations

import chess

from server.game.values.position import Position

START_POSITIONS = 960
# The five throws: how many faces count, and what each throw places.
DICE = (
    (4, "the bishop on a light square"),
    (4, "the bishop on a dark square"),
    (6, "the queen"),
    (5, "a knight"),
    (4, "the other knight"),
)


def start_position(number: int) -> Position:
    """Return the initial position of a number from 0 to 959 (518 is the usual one).

    Raises ValueError for other numbers.
    """
    if not 0 <= number < START_POSITIONS:
        raise ValueError(f"{number} is no start position; give a number from 0 to 959")
    return Position.from_board(chess.Board.from_chess960_pos(number))


def number_of(position: Position) -> int | None:
    """Return the number of an initial position, None where it is none."""
    return position.board().chess960_pos()


def from_letters(letters: str) -> Position:
    """Return the initial position with White's first rank from a to h as written, for example "BBQNNRKR".

    Raises ValueError with one plain sentence where that is no start position (II.2).
    """
    rank = letters.strip().upper()
    if sorted(rank) != sorted("RNBQKBNR"):
        raise ValueError("write the eight pieces from a to h: one K, one Q, two each of R, B and N")
    if rank.index("B") % 2 == rank.rindex("B") % 2:
        raise ValueError("the bishops must stand on squares of different colours")
    before, _, after = rank.partition("K")
    if "R" not in before or "R" not in after:
        raise ValueError("the king must stand between the rooks")
    board = chess.Board(f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1", chess960=True)
    return Position.from_board(board)


def from_dice(throws: tuple[int, ...]) -> Position:
    """Return the initial position that five throws of a die give.

    A face that has no square must be thrown again, so it is refused here.

    In this order: the bishop on the light squares b d f h (1-4), the bishop on a c e g (1-4), then on the free squares
    counted from a: the queen (1-6), a knight (1-5), the other knight (1-4); rook, king and rook fill the rest.
    Raises ValueError with one plain sentence.
    """
    if len(throws) != len(DICE):
        raise ValueError(f"five throws are needed, here are {len(throws)}")
    for number, (faces, what) in enumerate(DICE, start=1):
        throw = throws[number - 1]
        if not 1 <= throw <= faces:
            raise ValueError(
                f"throw {number} places {what} and must be from 1 to {faces}; throw again instead of {throw}"
            )
    light, dark, queen, knight, other = throws
    rank = {chess.FILE_NAMES[1::2][light - 1]: "B", chess.FILE_NAMES[::2][dark - 1]: "B"}
    for piece, throw in (("Q", queen), ("N", knight), ("N", other), ("R", 1), ("K", 1), ("R", 1)):
        free = [file for file in chess.FILE_NAMES if file not in rank]
        rank[free[throw - 1]] = piece
    return from_letters("".join(rank[file] for file in chess.FILE_NAMES))
