"""A game of chess with its clock and its two scores, kept apart from the product: what whole random games are held to.

Chess is python-chess; the clock is counted here in milliseconds, the scores are read with the few words of D.2.1.
Nothing of `server.game` is used, so that a fault of both is no agreement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import chess

COLOURS = (chess.WHITE, chess.BLACK)
FILES = {"Anna": "a", "Bella": "b", "Cesar": "c", "David": "d", "Eva": "e", "Felix": "f", "Gustav": "g", "Hector": "h"}
RANKS = {"eins": "1", "zwei": "2", "drei": "3", "vier": "4", "fuenf": "5", "sechs": "6", "sieben": "7", "acht": "8"}
MEN = {
    "Koenig": chess.KING, "Dame": chess.QUEEN, "Turm": chess.ROOK, "Laeufer": chess.BISHOP, "Springer": chess.KNIGHT,
    "Bauer": chess.PAWN,
}  # fmt: skip
WRONG_CLAIM_MS = {"standard": 120_000, "rapid": 60_000, "blitz": 120_000}
"""What a wrong claim of a draw gives the opponent in the edition of 2023, with full supervision (9.5.3, B.2)."""


@dataclass(frozen=True)
class Period:
    """So many moves (None: the rest of the game), time for them, and what each of them brings."""

    moves: int | None
    base_ms: int
    increment_ms: int


def periods_of(control: str) -> tuple[Period, ...]:
    """The periods of a time control as PGN writes it: `40/6000+30:900+30`."""
    found = []
    for part in control.split(":"):
        moves, _, rest = part.rpartition("/")
        base, _, increment = rest.partition("+")
        found.append(Period(int(moves) if moves else None, int(base) * 1000, int(increment or 0) * 1000))
    return tuple(found)


def pace_of(periods: tuple[Period, ...]) -> str:
    """Standard, rapid or blitz: the time for sixty moves, at least an hour or at most ten minutes (A.1, B.1)."""
    whole = sum(period.base_ms for period in periods) + 60 * periods[0].increment_ms
    return "standard" if whole >= 3_600_000 else "blitz" if whole <= 600_000 else "rapid"


@dataclass
class Clock:
    """Both times left, and whose runs since when; a period's time is added at its last move."""

    periods: tuple[Period, ...]
    left: dict[bool, int] = field(default_factory=dict)
    pressed: dict[bool, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    running: bool | None = None
    since: int = 0

    def __post_init__(self) -> None:
        first = self.periods[0]
        self.left = dict.fromkeys(COLOURS, first.base_ms + first.increment_ms)  # with that of the first move

    def remaining(self, colour: bool, now: int) -> int:
        """What is left of a side's time."""
        return self.left[colour] - (now - self.since if self.running is colour else 0)

    def stop(self, now: int) -> None:
        """Both stand."""
        self.left = {colour: self.remaining(colour, now) for colour in COLOURS}
        self.running = None

    def start(self, colour: bool, now: int) -> None:
        """A side's time runs."""
        self.stop(now)
        self.running, self.since = colour, now

    def press(self, colour: bool, now: int) -> None:
        """A side has completed a move: the increment of its next one, perhaps a period, and the other's time runs."""
        self.stop(now)
        self.pressed[colour] += 1
        made, period = self.pressed[colour], self.periods[0]
        for later in self.periods[1:]:
            if period.moves is None or made < period.moves:
                break
            if made == period.moves:
                self.left[colour] += later.base_ms
            made, period = made - period.moves, later
        self.left[colour] += period.increment_ms
        self.start(not colour, now)


@dataclass(frozen=True)
class After:
    """What stood after a ply: both times left, and the moves that each side had completed."""

    left: dict[bool, int]
    pressed: dict[bool, int]


class Oracle:
    """The game as it is played: the position, the line, the clock, the scores, an offer of a draw, the result."""

    def __init__(self, control: str, fen: str = chess.STARTING_FEN) -> None:
        self.board = chess.Board(fen)
        self.periods = periods_of(control)
        self.clock = Clock(self.periods)
        self.after = [self._moment()]
        self.boards = [self.board.copy(stack=False)]  # before each ply
        self.cells: dict[bool, dict[int, chess.Move | None]] = {colour: {} for colour in COLOURS}
        self.gifts: list[tuple[int, bool, int]] = []  # after which ply a ruling gave a side time, and how much
        self.offer_by: bool | None = None
        self.result: str | None = None

    @property
    def line(self) -> tuple[str, ...]:
        """Every move made, as UCI."""
        return tuple(move.uci() for move in self.board.move_stack)

    @property
    def plies(self) -> int:
        """How many moves are made."""
        return len(self.board.move_stack)

    def _moment(self) -> After:
        return After(dict(self.clock.left), dict(self.clock.pressed))

    def make(self, move: chess.Move) -> None:
        """The player on move makes a legal move."""
        assert move in self.board.legal_moves
        self.reject(self.board.turn)
        self.board.push(move)
        self.boards.append(self.board.copy(stack=False))

    def reject(self, colour: bool) -> None:
        """A player moves, or says a move that binds: an offer of the opponent's is rejected (9.1.2.1)."""
        if self.offer_by is (not colour):
            self.offer_by = None

    def press(self, now: int) -> None:
        """Who has made the last move presses the clock."""
        mover = not self.board.turn
        self.clock.press(mover, now)
        self.after.append(self._moment())

    def take_back(self, ply: int, now: int, *, stored: bool) -> None:
        """The game goes back to after a ply (7.1); the times too where those of then are set."""
        self.clock.stop(now)
        while self.plies > ply:
            self.board.pop()
        since = [(given, colour, ms) for given, colour, ms in self.gifts if given >= ply]
        if stored:
            self.clock.left = dict(self.after[ply].left)
            for _, colour, ms in since:  # what a ruling gave outlives the restoration
                self.clock.left[colour] += ms
        self.gifts = [one for one in self.gifts if one not in since] + [(ply, colour, ms) for _, colour, ms in since]
        # The moves that count for a period are those of the game as it stands.
        self.clock.pressed = dict(self.after[ply].pressed)
        for cells in self.cells.values():  # what is written stays, and what is played anew is written over it
            for later in [one for one in cells if one > ply]:
                del cells[later]
        del self.after[ply + 1 :], self.boards[ply + 1 :]

    def give(self, colour: bool, ms: int) -> None:
        """A ruling gives a side time."""
        self.clock.left[colour] += ms
        self.gifts.append((self.plies, colour, ms))

    def claim_holds(self, kind: str) -> bool:
        """Whether the position on the board is the third of its kind, or fifty moves went without pawn or capture."""
        return self.board.is_repetition(3) if kind == "repetition" else self.board.halfmove_clock >= 100

    def ends(self) -> tuple[str, str] | None:
        """By what the game is over on the board, and its result (5.1.1, 5.2, 9.6)."""
        if self.board.is_checkmate():
            return "checkmate", "0-1" if self.board.turn else "1-0"
        if self.board.is_stalemate():
            return "stalemate", "1/2-1/2"
        if self.board.is_insufficient_material():
            return "dead_position", "1/2-1/2"
        if self.board.is_fivefold_repetition():
            return "fivefold", "1/2-1/2"
        if self.board.halfmove_clock >= 150:
            return "seventy_five_moves", "1/2-1/2"
        return None

    def is_dead(self, plies: int, board: chess.Board | None = None) -> bool:
        """Whether every line leads, within so many plies, to where neither side can mate (5.2.2)."""
        board = board or self.board.copy(stack=False)
        if board.is_insufficient_material() or board.is_stalemate():
            return True
        if plies == 0 or board.is_checkmate():
            return False
        for move in list(board.legal_moves):
            board.push(move)
            dead = self.is_dead(plies - 1, board)
            board.pop()
            if not dead:
                return False
        return True

    def has_mating_men(self, colour: bool) -> bool | None:
        """Whether a side could still mate: yes with a pawn, a rook or a queen, no with a bare king; else not said."""
        men = self.board.occupied_co[colour]
        if men & (self.board.pawns | self.board.rooks | self.board.queens):
            return True
        return None if men & ~self.board.kings else False

    def loses(self, colour: bool) -> str | None:
        """The result where a side loses (by resigning, on time); None where it is not certain."""
        able = self.has_mating_men(not colour)
        if able is None:
            return None
        return ("0-1" if colour else "1-0") if able else "1/2-1/2"

    def is_written(self, text: str, ply: int, move: chess.Move) -> bool:
        """Whether a cell says this move, in the words of D.2.1 or in short notation."""
        before = self.boards[ply - 1]
        words = text.replace(" (=)", "").split()
        if len(words) == 1:
            return before.san(move) == words[0]
        if words[-1].lower() == "rochade":
            side = before.is_kingside_castling(move)
            return before.is_castling(move) and words[0].lower().startswith("kurze" if side else "lange")
        squares = [FILES[one] + RANKS[two] for one, two in pairwise(words) if one in FILES and two in RANKS]
        men = [MEN[word] for word in words if word in MEN]
        man = before.piece_type_at(move.from_square)
        promoted = men.pop() if move.promotion and men else None
        return (
            squares[-1:] == [chess.square_name(move.to_square)]
            and squares[:-1] in ([], [chess.square_name(move.from_square)])
            and ((men == [] and man == chess.PAWN) or men == [man])
            and promoted == move.promotion
        )
