"""The price of each move for a written cell, by how far the writing is from the move.

The law rests on the exact readings of `cell` alone; here a slip of the pen may be repaired, at a cost (nats). The
costs are data (`config/reconciling/slips.toml`); without them every slip is equally likely (`SlipCosts()`).
"""

from __future__ import annotations

from itertools import accumulate

import chess
import msgspec

from server.scoresheets.cell import Cell
from server.scoresheets.forms import CAPTURES, FIGURINE, Form, without_marks
from server.scoresheets.letters import Alphabet
from server.scoresheets.positions import Described

LONGEST_SLIP = 12
"""The most signs of a cell that are still compared; a longer cell that is no notation tells nothing."""


class LetterCosts(msgspec.Struct, frozen=True):
    """Costs of one sign written in place of another.

    `pairs`: two signs that look alike, either way.
    """

    alike: float = 2.5
    same_kind: float = 3.0
    other_kind: float = 5.0
    left_out: float = 3.4
    put_in: float = 3.8
    unknown_capital: float = 3.8
    capital_put_in: float = 5.5
    pairs: tuple[str, ...] = ()


class SignCosts(msgspec.Struct, frozen=True):
    """Costs of the signs that the Laws leave free, and of the departure square."""

    capture_without_sign: float = 0.5
    sign_without_capture: float = 1.8
    check_without_check: float = 1.2
    departure_left_out: float = 0.2
    departure_missing: float = 1.6


class CellCosts(msgspec.Struct, frozen=True):
    """Costs of a whole cell."""

    blank: float = 2.5
    garbled: float = 8.5
    exact: float = 0.1
    slip: float = 0.0
    move: float = 3.2


class SpokenCosts(msgspec.Struct, frozen=True):
    """Costs of a cell that was not written in letters: dictated, or in braille cells."""

    same_kind: float = 2.6
    left_out: float = 3.0


class ShiftCosts(msgspec.Struct, frozen=True):
    """Costs of plies left out, cells too many, and two in the wrong order."""

    missing: float = 5.2
    missing_more: float = 1.5
    extra: float = 9.0
    extra_more: float = 4.5
    extra_blank: float = 6.0
    swapped: float = 5.5


class SlipCosts(msgspec.Struct, frozen=True):
    """Contents of `config/reconciling/slips.toml`."""

    letters: LetterCosts = LetterCosts()
    signs: SignCosts = SignCosts()
    cells: CellCosts = CellCosts()
    spoken: SpokenCosts = SpokenCosts()
    shifts: ShiftCosts = ShiftCosts()


Slot = tuple[dict[str, float], float, float]
"""One place of a way to write a move: what each sign costs there, what any other costs, what leaving it out costs."""

Parts = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""A cost for each piece, each file and each rank of arrival."""


class SlipReader:
    """Reader that prices the ways to write moves.

    It keeps what was computed, for one comparison of two scores.
    """

    def __init__(self, costs: SlipCosts) -> None:
        self.costs = costs
        self._pairs = {pair for two in costs.letters.pairs for pair in ((two[0], two[1]), (two[1], two[0]))}
        self._tables: dict[tuple[str, str, str], dict[str, float]] = {}
        self._heads: dict[tuple[str, int], list[Slot]] = {}
        self._tails: dict[tuple[str, int], list[Slot]] = {}
        self._cells: dict[tuple[str | None, str, bool], PricedCell] = {}

    def price_cell(self, cell: Cell) -> PricedCell:
        """Return a cell with its prices; cells that say the same in the same letters are one."""
        key = (cell.text, cell.alphabet.language if cell.alphabet is not None else "", cell.by_ear)
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = PricedCell(cell, self)
        return found

    def head(self, alphabet: Alphabet, move: Described) -> list[Slot]:
        """Return the signs of the piece and its departure, or of a castling, with what stands for each."""
        key = (alphabet.language, move.head)
        found = self._heads.get(key)
        if found is None:
            found = self._heads[key] = self._head(alphabet, move)
        return found

    def tail(self, alphabet: Alphabet, move: Described) -> list[Slot]:
        """Return the signs of where the move goes and of a promotion."""
        key = (alphabet.language, move.to_square | (move.promotion or 0) << 6)
        found = self._tails.get(key)
        if found is None:
            found = self._tails[key] = self._tail(alphabet, move)
        return found

    def at_best(self, alphabet: Alphabet | None, kind: int, part: int, signs: str) -> float:
        """Return the least cost of one part of a move in a cell of these signs.

        `kind`: 0 is the piece, 1 the file and 2 the rank of arrival.
        """
        letters = self.costs.letters
        other = letters.other_kind
        if alphabet is None:
            return 0.0
        if kind == 0:
            table, other = self._table("piece", alphabet.letter_of(part)[0], alphabet), letters.unknown_capital
        elif kind == 1:
            table = self._table("file", alphabet.files[part][0], alphabet)
        else:
            table = self._table("rank", str(part + 1), alphabet)
        return min(letters.left_out, other, *(table.get(sign, other) for sign in signs))

    def _head(self, alphabet: Alphabet, move: Described) -> list[Slot]:
        costs = self.costs
        left_out = costs.letters.left_out
        if move.castling:
            zero = self._table("castling", "0", alphabet)
            return [(zero, costs.letters.other_kind, left_out)] * (2 if move.castling == "short" else 3)
        slots: list[Slot] = []
        if move.piece != chess.PAWN:
            for letter in alphabet.letter_of(move.piece):
                slots.append((self._table("piece", letter, alphabet), costs.letters.unknown_capital, left_out))
        needed = costs.signs.departure_missing if move.ambiguous else costs.signs.departure_left_out
        pawn_takes = move.piece == chess.PAWN and move.captured is not None
        file_left_out = left_out * 0.7 if pawn_takes else needed / 2
        slots.append(self._file(move.from_square, alphabet, file_left_out))
        slots.append(self._rank(move.from_square, alphabet, 0.0 if pawn_takes else needed / 2))
        return slots

    def _tail(self, alphabet: Alphabet, move: Described) -> list[Slot]:
        if move.castling:
            return []
        costs, left_out = self.costs, self.costs.letters.left_out
        slots = [self._file(move.to_square, alphabet, left_out), self._rank(move.to_square, alphabet, left_out)]
        if move.promotion is not None:
            for letter in alphabet.letter_of(move.promotion):
                slots.append((self._table("piece", letter, alphabet), costs.letters.other_kind, 1.4))
        return slots

    def _file(self, square: chess.Square, alphabet: Alphabet, left_out: float) -> Slot:
        table = self._table("file", alphabet.files[chess.square_file(square)][0], alphabet)
        return table, self.costs.letters.other_kind, left_out

    def _rank(self, square: chess.Square, alphabet: Alphabet, left_out: float) -> Slot:
        return (
            self._table("rank", str(chess.square_rank(square) + 1), alphabet),
            self.costs.letters.other_kind,
            left_out,
        )

    def _table(self, kind: str, sign: str, alphabet: Alphabet) -> dict[str, float]:
        """Return the cost of each sign where this one should stand."""
        key = (alphabet.language, kind, sign)
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = self._made_table(kind, sign, alphabet)
        return table

    def _made_table(self, kind: str, sign: str, alphabet: Alphabet) -> dict[str, float]:
        letters = self.costs.letters
        if kind == "castling":
            return dict.fromkeys(("Q", "D", "6", "9", "C"), letters.alike) | dict.fromkeys(CASTLING_SIGNS, 0.0)
        own: dict[str, tuple[str, ...]] = {
            "file": tuple(letter for each in alphabet.files for letter in each),
            "rank": tuple("12345678"),
            "piece": tuple(letter for each, _ in alphabet.pieces for letter in each),
        }
        same = {sign}
        if kind == "file":
            same = set(next(each for each in alphabet.files if sign in each))
        table = dict.fromkeys(own[kind], letters.same_kind)
        for one, other in self._pairs:
            if one in same:
                table[other] = letters.alike
        return table | dict.fromkeys(same, 0.0)


class PricedCell:
    """One cell of a score with what it costs that it was written for each move."""

    __slots__ = ("_bests", "_free", "_known", "_parts", "_reader", "_rows", "_signs", "_takes", "cell", "says_check")

    def __init__(self, cell: Cell, reader: SlipReader) -> None:
        self.cell = cell
        self._reader = reader
        self._known: dict[int, float] = {}
        self._bests: dict[int, float] = {}
        self._parts: Parts | None = None
        self._rows: dict[int, list[float]] = {}
        words = cell.alphabet.behind if cell.alphabet is not None else ""
        bare = without_marks(cell.text or "", words).replace(" ", "")
        self._signs = bare.translate(DROPPED_SIGNS)
        if cell.alphabet is not None and not self._signs.isascii():
            self._signs = "".join(
                cell.alphabet.letter_of(FIGURINE[sign]) if sign in FIGURINE else sign for sign in self._signs
            )
        self._takes = any(sign in CAPTURES for sign in self._signs)
        marks = (cell.text or "")[len(bare) :]
        self.says_check = not cell.by_ear and any(sign in marks for sign in "+#\u2020\u2021")
        letters = reader.costs.letters
        self._free = [
            0.0
            if sign in CAPTURES
            else 0.1
            if sign == "-"
            else letters.capital_put_in
            if sign.isupper()
            else letters.put_in
            for sign in self._signs
        ]

    def cost(self, move: Described) -> float:
        """Return the cost in nats, at most that of a garbled cell."""
        found = self._known.get(move.code)
        if found is None:
            found = self._known[move.code] = self._cost(move)
        return found

    def _cost(self, move: Described) -> float:
        costs, cell = self._reader.costs, self.cell
        best = costs.cells.garbled
        signs = 0.0
        if not cell.by_ear and move.castling is None:
            if self._takes and not move.captured:
                signs = costs.signs.sign_without_capture
            elif move.captured and not self._takes:
                signs = costs.signs.capture_without_sign
        for form in cell.forms:
            if move.fits(form):
                unsaid = move.ambiguous and form.from_file is None and form.from_rank is None
                best = min(best, costs.cells.exact + signs + (costs.signs.departure_missing if unsaid else 0.0))
        if cell.by_ear:
            return min([best, *(_cost_of_heard(form, move, costs) for form in cell.forms)])
        if cell.alphabet is not None and 0 < len(self._signs) <= LONGEST_SLIP and self._least(move) < best:
            distance = self._distance(cell.alphabet, move)
            best = min(best, costs.cells.slip + signs + distance)
        return best

    def _distance(self, alphabet: Alphabet, move: Described) -> float:
        """Return the cost of the cheapest way from a way to write the move to what was written."""
        row = self._rows.get(move.head)
        if row is None:
            first = [0.0, *accumulate(self._free)]
            row = self._rows[move.head] = _further(first, self._signs, self._free, self._reader.head(alphabet, move))
        if move.castling:
            return row[-1]
        return _further(row, self._signs, self._free, self._reader.tail(alphabet, move))[-1]

    def parts(self) -> Parts:
        """Return the least cost of each piece, each file and each rank of arrival in this cell.

        The other signs of the cell do not matter here.
        """
        if self._parts is None:
            each = self._heard_part if self.cell.by_ear else self._at_best
            self._parts = (
                (each(0, chess.PAWN) if self.cell.by_ear else 0.0, *(each(0, piece) for piece in range(2, 7))),
                tuple(each(1, at) for at in range(8)),
                tuple(each(2, at) for at in range(8)),
            )
        return self._parts

    def _heard_part(self, kind: int, part: int) -> float:
        said = [(form.piece, form.to_file, form.to_rank)[kind] for form in self.cell.forms if form.castling is None]
        return 0.0 if part in said or None in said or not said else self._reader.costs.spoken.same_kind

    def _least(self, move: Described) -> float:
        """Return the least cost of a written move: piece, file and rank each at its best sign."""
        if move.castling is not None:
            return 0.0
        least = self._at_best(0, move.piece) if move.piece != chess.PAWN else 0.0
        return least + self._at_best(1, move.to_square & 7) + self._at_best(2, move.to_square >> 3)

    def _at_best(self, kind: int, part: int) -> float:
        key = kind << 4 | part
        found = self._bests.get(key)
        if found is None:
            found = self._bests[key] = self._reader.at_best(self.cell.alphabet, kind, part, self._signs)
        return found


def _cost_of_heard(form: Form, move: Described, costs: SlipCosts) -> float:
    """Return the cost of a dictated or braille cell for a move: each part that says something else costs."""
    if form.castling is not None or move.castling is not None:
        same = form.castling == move.castling
        return costs.cells.exact if same else 2 * costs.spoken.same_kind + costs.spoken.left_out
    cost = costs.cells.slip
    parts = (
        (form.piece, move.piece),
        (form.from_file, chess.square_file(move.from_square)),
        (form.from_rank, chess.square_rank(move.from_square)),
        (form.to_file, chess.square_file(move.to_square)),
        (form.to_rank, chess.square_rank(move.to_square)),
        (form.promotion, move.promotion),
    )
    for said, played in parts:
        if said is not None and said != played:
            cost += costs.spoken.same_kind
    if form.to_file is None or form.to_rank is None:
        cost += costs.spoken.left_out
    return cost


CASTLING_SIGNS = ("0", "O", "o", "\u041e", "\u043e")
DROPPED_SIGNS = str.maketrans("", "", "=()/'.,*!?")


def _further(row: list[float], signs: str, free: list[float], slots: list[Slot]) -> list[float]:
    """Return a row of the edit distance, some places of the move further on.

    It holds what each beginning of the cell costs so far.
    """
    for table, other, left_out in slots:
        before = row
        here = before[0] + left_out
        row = [here]
        for at, sign in enumerate(signs):
            here += free[at]
            swapped = before[at] + table.get(sign, other)
            dropped = before[at + 1] + left_out
            if swapped < here:
                here = swapped
            if dropped < here:
                here = dropped
            row.append(here)
    return row
