"""The moves or captures to which the order of touches obliges a player.

See 4.2 to 4.5; L026-L035. A touch is a lift at the tactile board (D.2.2, L188) and an intentional contact at the
sighted player's board (4.2.2). It is for the arbiter only; no player is told (12.6).
"""

from __future__ import annotations

from enum import StrEnum, auto

import chess
import msgspec

from server.game.laws.legality import legal_moves
from server.game.laws.rule_set import RuleSet
from server.game.values.position import Position
from server.game.values.words import Seat, SeatKind

Bound = tuple[tuple[chess.Move, ...], str]  # the moves an article leaves; none where it binds the player to nothing
NONE_CAN = "4.5"  # no touched piece can be moved or captured: any legal move


class TouchHow(StrEnum):
    """Kind of contact with the piece."""

    CONTACT = auto()  # felt or brushed with the hand on it: counts for a sighted player only
    LIFTED = auto()  # off the board, at the tactile board out of its aperture: counts for everyone


class Touch(msgspec.Struct, frozen=True):
    """One touch of the piece standing on a square, in the position before the move.

    `excused`: the player had said "I adjust" (4.2.1), or the arbiter ruled it accidental (4.2.2).
    """

    square: str
    how: TouchHow = TouchHow.LIFTED
    excused: bool = False


class Obligation(msgspec.Struct, frozen=True):
    """Legal moves (UCI) that are left, by which article, and whether that is all of them."""

    moves: tuple[str, ...]
    article: str
    free: bool


def counts(touch: Touch, kind: SeatKind) -> bool:
    """Return whether a touch binds the player.

    Feeling the pieces of the tactile board is free until one leaves its aperture (D.2.2).
    """
    return not touch.excused and (touch.how is TouchHow.LIFTED or kind is not SeatKind.TACTILE)


def touches_of_move(position: Position, uci: str) -> tuple[Touch, ...]:
    """Return the touches that making a move amounts to, legal or not.

    This is for the move that replaces an illegal one (7.5.1, L080).

    The moved piece comes first (the king in castling), then the piece taken, or the rook.
    Raises ValueError where the departure square is empty or the text is no move.
    """
    before, after = position.board(), position.after(uci).board()
    moved = chess.Move.from_uci(uci).from_square
    men = before.piece_map()
    others = [square for square, man in men.items() if square != moved and after.piece_at(square) != man]
    return tuple(Touch(chess.square_name(square)) for square in (moved, *sorted(others)))


def obliged_moves(
    position: Position,
    touches: tuple[Touch, ...],
    rule_set: RuleSet,
    kind: SeatKind = SeatKind.SIGHTED,
    *,
    order_clear: bool = True,
) -> Obligation:
    """Return the obligation of the player on move, having touched these pieces in this order.

    `order_clear` False: it is not known whether an own or an opponent's piece was touched first; then the own piece
    counts as first (4.3.3). Touches of empty squares bind to nothing.
    """
    return _Duty(position, touches, kind, order_clear=order_clear).obligation(rule_set)


def with_promotion(obligation: Obligation, square: str, piece: str) -> Obligation:
    """Return the obligation once a new piece ("q", "r", "b", "n") has touched the promotion square.

    See 4.4.4. That choice is final. Moves to other squares stay; the arbiter sees whether the pawn could still go
    elsewhere (4.7).
    """
    left = tuple(uci for uci in obligation.moves if len(uci) < 5 or uci[2:4] != square or uci[4] == piece)
    if left == obligation.moves:
        return obligation
    return Obligation(left, "4.4.4", False)


class _Duty:
    """Legal moves of a position, seen from the pieces that were touched."""

    def __init__(self, position: Position, touches: tuple[Touch, ...], kind: SeatKind, *, order_clear: bool) -> None:
        self.board = position.board()
        self.us = chess.WHITE if position.turn is Seat.WHITE else chess.BLACK
        self.all = legal_moves(position)
        squares = dict.fromkeys(chess.parse_square(touch.square) for touch in touches if counts(touch, kind))
        touched = [square for square in squares if self.board.piece_at(square) is not None]
        self.own = [square for square in touched if self.board.color_at(square) == self.us]
        self.enemy = [square for square in touched if self.board.color_at(square) != self.us]
        self.touched = touched if order_clear else self.own + self.enemy
        self.barred = self._castlings_barred()
        self.open = tuple(move for move in self.all if move not in self.barred) or self.all

    def obligation(self, rule_set: RuleSet) -> Obligation:
        """Apply the first rule, in the order of Article 4, that leaves a move."""
        if self.own and self.enemy:
            found = self._both_colours(rule_set.options.touch_both_colours == "any_capture")
        else:
            found = self._own_first() if self.own else self._captures_first()
        moves, article = found
        if moves:
            return Obligation(tuple(move.uci() for move in moves), article, False)
        left = tuple(move.uci() for move in self.open)
        if self.open != self.all:
            return Obligation(left, "4.4.2", False)
        return Obligation(left, article if self.touched else "", True)

    def _own_first(self) -> Bound:
        for square in self.own:
            moves, article = self._moves_of(square)
            if moves:
                return moves, article
            if article == "4.4.3":  # king, then rook, castling illegal and the king stuck: any legal move
                return (), article
        return (), NONE_CAN

    def _captures_first(self) -> Bound:
        for square in self.enemy:
            if moves := self._captures_of(square):
                return moves, "4.3.2"
        return (), NONE_CAN

    def _both_colours(self, any_capture: bool) -> Bound:
        taken = self._captures_of(self.enemy[0])
        by_first = tuple(move for move in taken if move.from_square == self.own[0])
        if by_first:
            return by_first, "4.3.3"
        order = self.touched
        if any_capture:  # the short rules: any other piece captures; only then the touched own piece moves
            if taken:
                return taken, "4.3.3"
            order = self.own + self.enemy
        for square in order:
            moves = self._moves_of(square)[0] if square in self.own else self._captures_of(square)
            if moves:
                return moves, "4.3.3"
        return (), NONE_CAN

    def _moves_of(self, square: chess.Square) -> Bound:
        """Return the moves of an own piece.

        Where a rook was touched after the king and may castle, only castling is left (4.4.1).
        """
        moves = tuple(move for move in self.open if move.from_square == square)
        if self.board.piece_type_at(square) != chess.KING:
            return moves, "4.3.1"
        later = self.own[self.own.index(square) + 1 :]
        rook = next((other for other in later if self._is_rook(other)), None)
        castling = tuple(move for move in moves if rook is not None and self._castles_with(move) == rook)
        if castling:
            return castling, "4.4.1"
        # Only a rook taken up right after the king shows the intention to castle.
        return moves, "4.4.3" if later and rook == later[0] else "4.3.1"

    def _captures_of(self, square: chess.Square) -> tuple[chess.Move, ...]:
        """Return the legal moves that take the piece on a square, en passant among them."""
        return tuple(
            move
            for move in self.open
            if (self.board.is_capture(move) and not self.board.is_en_passant(move) and move.to_square == square)
            or (self.board.is_en_passant(move) and self._passed_pawn(move) == square)
        )

    def _passed_pawn(self, move: chess.Move) -> chess.Square:
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))

    def _castlings_barred(self) -> tuple[chess.Move, ...]:
        """Return the castlings with a rook that was touched before the king (4.4.2, L032)."""
        early: list[chess.Square] = []
        for square in self.own:
            if self.board.piece_type_at(square) == chess.KING:
                break
            if self._is_rook(square):
                early.append(square)
        return tuple(move for move in self.all if self._castles_with(move) in early)

    def _is_rook(self, square: chess.Square) -> bool:
        return self.board.piece_type_at(square) == chess.ROOK

    def _castles_with(self, move: chess.Move) -> chess.Square | None:
        """Return the rook that takes part in a legal castling; None where the move is no castling."""
        if not self.board.is_castling(move):
            return None
        if self.board.color_at(move.to_square) == self.us:  # Chess960: the king takes its own rook
            return move.to_square
        rank = self.board.clean_castling_rights() & chess.BB_RANKS[chess.square_rank(move.from_square)]
        rooks = list(chess.scan_forward(rank))
        short = self.board.is_kingside_castling(move)
        return rooks[-1] if short else rooks[0]
