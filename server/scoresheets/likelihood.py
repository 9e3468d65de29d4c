"""How likely people are to play a move, to choose between two readings.

Where two scores have two different legal moves and nothing later contradicts either, the scores alone cannot decide;
but people take back what was taken, move what is attacked and seldom leave a piece to be taken. This is a small
counted model and no engine: it looks at what stands on the squares and searches nothing
(`config/reconciling/playing.toml`, counted on real games). It is used for the arbiter's likely game alone: no verdict
by the Laws rests on it, and no player ever sees it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

import chess
import msgspec

VALUES = (0, 1, 3, 3, 5, 9, 12)
"""Value of each piece in pawns, by python-chess's numbers; the king's value only says that it is moved away last."""

GROUPS: Mapping[str, int] = {
    "takes": 8,
    "goes": 5,
    "escapes": 5,
    "leaves": 5,
    "threatens": 5,
    "check": 2,
    "answers": 3,
    "again": 2,
    "castling": 3,
    "promotion": 4,
    "early_to": 384,
    "early_from": 384,
    "later_to": 384,
    "later_from": 384,
}
"""Features of a move, and the number of cases in each group; every move has exactly one case of each group.
`takes`: what a capture wins or loses on its square; `goes`: what another move puts there to be taken; `escapes`: what
the piece would have lost where it stood; `leaves`: what is lost by another piece that is left alone; `threatens`:
which more valuable piece it attacks; `check`: directly; `answers`: no, takes the piece that moved last, takes back;
`again`: the piece that its player moved last; the squares by piece and square, seen from its player's side (pawn
first, a1 first), up to move 10 and later."""
STARTS: Mapping[str, int] = dict(zip(GROUPS, accumulate(GROUPS.values(), initial=0), strict=False))
EARLY = 10


class Before(NamedTuple):
    """Facts on the moves before a move.

    It holds where the last move went, whether it took, and where its mover's opponent had gone before that.
    """

    to_square: chess.Square | None = None
    took: bool = False
    own_square: chess.Square | None = None

    def then(self, board: chess.Board, move: chess.Move) -> Before:
        """Return the facts on the moves before, after one more move of this position."""
        return Before(move.to_square, board.is_capture(move), self.to_square)


def _risk(value: int, attackers: list[int], defended: bool) -> int:
    """Return the loss of a piece of this value on a square, in pawns, judged by the cheapest taker alone."""
    if not attackers:
        return 0
    return max(0, value - min(attackers)) if defended else value


def _case(pawns: int) -> int:
    """Return the case of a loss: 0, 1, 2 to 3, 4 to 5, 6 and more pawns."""
    return 0 if pawns <= 0 else 1 if pawns == 1 else 2 if pawns <= 3 else 3 if pawns <= 5 else 4


def _net_case(pawns: int) -> int:
    """Return the case of a net gain: -5 and less, -4 to -2, -1, 0, 1, 2 to 3, 4 to 5, 6 and more."""
    if pawns < 0:
        return 0 if pawns <= -5 else 1 if pawns <= -2 else 2
    return 3 + _case(pawns)


class _Looked:
    """One position with the attackers of each square that matters."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.kinds = {square: board.piece_type_at(square) or 0 for square in chess.scan_forward(board.occupied)}
        self.own = board.occupied_co[board.turn]
        self.theirs = board.occupied_co[not board.turn]
        self._attackers: dict[chess.Square, tuple[list[int], int]] = {}
        self.hanging = sorted(
            ((risk, square) for square in chess.scan_forward(self.own & ~board.kings) if (risk := self.risk(square))),
            reverse=True,
        )

    def attackers(self, square: chess.Square) -> tuple[list[int], int]:
        """Return the values of the opponent's pieces that attack a square.

        The second part is the mask of the own pieces that attack it.
        """
        found = self._attackers.get(square)
        if found is None:
            against = self.board.attackers_mask(not self.board.turn, square)
            values = [VALUES[self.kinds[each]] for each in chess.scan_forward(against)]
            found = self._attackers[square] = (values, self.board.attackers_mask(self.board.turn, square))
        return found

    def risk(self, square: chess.Square) -> int:
        """Return the loss of the own piece there if it stays."""
        values, defenders = self.attackers(square)
        return _risk(VALUES[self.kinds[square]], values, bool(defenders))


def cases(board: chess.Board, before: Before) -> list[tuple[chess.Move, list[int]]]:
    """Return every legal move with its case of each group, as places in the weights."""
    looked = _Looked(board)
    turned = 0 if board.turn else 56
    king = board.king(not board.turn)
    early = "early" if board.fullmove_number <= EARLY else "later"
    to_start, from_start = STARTS[f"{early}_to"], STARTS[f"{early}_from"]
    found = []
    for move in board.generate_legal_moves():
        origin, target = move.from_square, move.to_square
        kind = looked.kinds[origin]
        castling = 0
        if kind == chess.KING and board.is_castling(move):
            castling = 1 if target > origin else 2
        taken = 0 if castling else looked.kinds.get(target, 0)
        if kind == chess.PAWN and not taken and (origin - target) % 8:
            taken = chess.PAWN
        stands = move.promotion or kind
        values, defenders = looked.attackers(target)
        risk = 0 if kind == chess.KING else _risk(VALUES[stands], values, bool(defenders & ~chess.BB_SQUARES[origin]))
        places = [
            STARTS["takes"] + _net_case(VALUES[taken] - risk) if taken else STARTS["goes"] + _case(risk),
            STARTS["escapes"] + _case(next((risk for risk, square in looked.hanging if square == origin), 0)),
            STARTS["leaves"] + _case(_loss_left(looked, move)),
        ]
        attacks = _attacks(board, stands, origin, target)
        threatened = 0
        for square in chess.scan_forward(attacks & looked.theirs):
            value = VALUES[looked.kinds[square]]
            threatened = max(threatened, value - VALUES[stands])
        places += [
            STARTS["threatens"] + _case(threatened),
            STARTS["check"] + (king is not None and bool(attacks & chess.BB_SQUARES[king])),
            STARTS["answers"] + ((2 if before.took else 1) if taken and target == before.to_square else 0),
            STARTS["again"] + (origin == before.own_square),
            STARTS["castling"] + castling,
            STARTS["promotion"] + (0, 0, 2, 3, 3, 1, 0)[move.promotion or 0],
            to_start + (kind - 1) * 64 + (target ^ turned),
            from_start + (kind - 1) * 64 + (origin ^ turned),
        ]
        found.append((move, places))
    return found


def _loss_left(looked: _Looked, move: chess.Move) -> int:
    """Return the loss of the most valuable other piece that can be taken, unless its attacker is taken."""
    for risk, square in looked.hanging:
        if square == move.from_square:
            continue
        against = looked.board.attackers_mask(not looked.board.turn, square)
        if not against & ~chess.BB_SQUARES[move.to_square]:
            continue
        return risk
    return 0


def _attacks(board: chess.Board, kind: int, origin: chess.Square, target: chess.Square) -> chess.Bitboard:
    """Return the squares that a piece attacks from its new square."""
    if kind == chess.PAWN:
        return chess.BB_PAWN_ATTACKS[board.turn][target]
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[target]
    if kind == chess.KING:
        return 0
    occupied = board.occupied & ~chess.BB_SQUARES[origin]
    attacks = 0
    if kind in (chess.BISHOP, chess.QUEEN):
        attacks |= chess.BB_DIAG_ATTACKS[target][chess.BB_DIAG_MASKS[target] & occupied]
    if kind in (chess.ROOK, chess.QUEEN):
        attacks |= chess.BB_RANK_ATTACKS[target][chess.BB_RANK_MASKS[target] & occupied]
        attacks |= chess.BB_FILE_ATTACKS[target][chess.BB_FILE_MASKS[target] & occupied]
    return attacks


class PlayingCounts(msgspec.Struct, frozen=True):
    """Contents of `config/reconciling/playing.toml`.

    `groups`: a weight for each case of each of `GROUPS` (nats). `strength`: how much the surprise of a move counts
    beside what is written; the plies of one line depend on each other.
    """

    groups: dict[str, tuple[float, ...]]
    strength: float

    def __post_init__(self) -> None:
        """Check the groups. Raises ValueError where one is missing or has another length."""
        for name, length in GROUPS.items():
            if len(self.groups.get(name, ())) != length:
                raise ValueError(f"groups.{name} needs {length} numbers")


class Playing:
    """`Playing` answers how likely each move of a position is, by the counts."""

    def __init__(self, counts: PlayingCounts) -> None:
        self.strength = counts.strength
        self._weights = [weight for name in GROUPS for weight in counts.groups[name]]

    def surprises(self, board: chess.Board, before: Before) -> dict[chess.Move, float]:
        """Return -log of the probability of each legal move (nats)."""
        weights = self._weights
        scores = [(move, sum([weights[place] for place in places])) for move, places in cases(board, before)]
        most = max((score for _, score in scores), default=0.0)
        whole = most + math.log(sum(math.exp(score - most) for _, score in scores)) if scores else 0.0
        return {move: whole - score for move, score in scores}
