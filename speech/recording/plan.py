"""The plan of a volunteer's recordings: announcements, letters, commands, and free talk. Pure.

Every announcement is well-formed (D.2.1, L182-L187) and geometrically possible for its piece, in no position: files,
ranks and pieces come about equally often, a quarter names the departure square, and there are captures, castling and
promotions among them. Chance is given by the caller, so that a seed always gives the same plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Annotated, Literal, TypeVar, get_args

import chess
import msgspec

from speech.words.grammar import Chance
from speech.words.language import COMMANDS, FILES, PIECES, PROMOTIONS, RANKS, SIDES
from speech.words.scheme import Scheme

T = TypeVar("T")
Part = Literal["announcements", "letters", "commands", "talk"]
PARTS: tuple[Part, ...] = get_args(Part)
MOST_ANNOUNCEMENTS = 500
LONGEST_TALK_S = 600

# One announcement in so many is of this kind.
CASTLES_EACH, PROMOTES_EACH, DEPARTS_EACH, TAKES_EACH = 15, 12, 4, 6
UNSAID = ""
"""A pawn's move without the word for the pawn."""
_MOVERS = (*PIECES, UNSAID)
_PAWNS = ("pawn", UNSAID)
# Where a pawn may arrive without becoming another piece, and where it becomes one.
_INNER = tuple(file + rank for file in FILES for rank in "34567")
_LAST = tuple(file + rank for file in FILES for rank in "18")
_ALL = tuple(file + rank for file in FILES for rank in RANKS)


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wishes that a plan is drawn from; `talk_s`: how many seconds of free talk are wanted."""

    language: str
    scheme: str
    seed: int
    announcements: Annotated[int, msgspec.Meta(ge=0, le=MOST_ANNOUNCEMENTS)] = 60
    talk_s: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_TALK_S)] = 60
    parts: tuple[Part, ...] = PARTS


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to be said.

    `number` counts from 1 through all parts. `words` are word ids, and `said` is their text in the words of the scheme;
    both are empty for the free talk.
    """

    number: int
    part: Part
    words: tuple[str, ...]
    said: str


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that one volunteer is asked to say, in order."""

    wish: Wish
    prompts: tuple[Prompt, ...]


def draw_plan(wish: Wish, scheme: Scheme, chance: Chance) -> Plan:
    """Return the plan of a wish, in the words of its scheme; the same chance gives the same plan."""
    chains: dict[Part, list[tuple[str, ...]]] = {
        "announcements": announcements(wish.announcements, scheme.file_names, chance),
        "letters": letters(chance),
        "commands": [(f"cmd.{command}",) for command in _shuffle_things(COMMANDS, chance)],
        "talk": [()],
    }
    wanted = [(part, chain) for part in PARTS if part in wish.parts for chain in chains[part]]
    return Plan(
        wish,
        tuple(
            Prompt(number, part, chain, " ".join(map(scheme.text, chain)))
            for number, (part, chain) in enumerate(wanted, 1)
        ),
    )


def announcements(count: int, file_names: str, chance: Chance) -> list[tuple[str, ...]]:
    """Return so many announcements as chains of word ids; `file_names` is how the scheme names the files."""
    castling = list(islice(cycle(SIDES), count // CASTLES_EACH))
    promoted = list(islice(cycle(PROMOTIONS), count // PROMOTES_EACH))
    rest = count - len(castling) - len(promoted)
    movers = list(islice(cycle(_MOVERS), rest))
    departing = set(_shuffle_things(range(rest), chance)[: count // DEPARTS_EACH])
    taking = set(_shuffle_things(range(rest), chance)[: count // TAKES_EACH])
    squares = _Squares(file_names, chance)
    chains: list[tuple[str, ...]] = [(f"castle.{side}",) for side in castling]
    chains += [squares.promotion(piece, said=place % 2 == 0) for place, piece in enumerate(promoted)]
    chains += [squares.move(piece, place in departing, place in taking) for place, piece in enumerate(movers)]
    return _shuffle_things(chains, chance)


def letters(chance: Chance) -> list[tuple[str, ...]]:
    """Return sixteen squares with the file's letter: every letter and every rank twice.

    On the last ranks a piece goes before the square, because a bare square there is a promotion that lacks its piece.
    """
    files, ranks = _shuffle_things(FILES, chance), _shuffle_things(RANKS, chance)
    shifted = [*ranks[1:], ranks[0]]
    pieces = cycle(_shuffle_things(PROMOTIONS, chance))
    chains = []
    for file, rank in [*zip(files, ranks, strict=True), *zip(files, shifted, strict=True)]:
        mover = (f"piece.{next(pieces)}",) if rank in "18" else ()
        chains.append((*mover, f"letter.{file}", f"rank.{rank}"))
    return _shuffle_things(chains, chance)


class _Squares:
    """Draws squares so that every file and every rank is said about equally often."""

    def __init__(self, file_names: str, chance: Chance) -> None:
        self._file_names = file_names
        self._chance = chance
        self._said: Counter[str] = Counter()

    def move(self, piece: str, departs: bool, takes: bool) -> tuple[str, ...]:
        """Return a move of this piece, with its departure square or without."""
        arrival = self._draw_square(_INNER if piece in _PAWNS else _ALL)
        words = [f"piece.{piece}"] if piece else []
        if departs:
            words += self._words(self._draw_square(_departures(piece, arrival, takes)))
        if takes:
            words.append("word.takes")
        return (*words, *self._words(arrival))

    def promotion(self, piece: str, *, said: bool) -> tuple[str, ...]:
        """Return a pawn's arrival on the last rank and what it becomes; `said`: with the word for the pawn."""
        mover = ("piece.pawn",) if said else ()
        return (*mover, *self._words(self._draw_square(_LAST)), f"piece.{piece}")

    def _draw_square(self, squares: Sequence[str]) -> str:
        """Return one of the squares whose file and rank were said least until now."""
        least = min(self._load(square) for square in squares)
        square = self._chance.choice([one for one in squares if self._load(one) == least])
        self._said.update((square[0], square[1]))
        return square

    def _load(self, square: str) -> int:
        """Return how often file and rank were said; squared, so that what was said rarely is never forgotten."""
        return self._said[square[0]] ** 2 + self._said[square[1]] ** 2

    def _words(self, square: str) -> tuple[str, str]:
        return f"{self._file_names}.{square[0]}", f"rank.{square[1]}"


def _departures(piece: str, arrival: str, takes: bool) -> list[str]:
    """Return the squares from which the piece may come on an empty board; never none for the squares drawn here."""
    if piece not in _PAWNS:
        board = chess.Board(None)
        place = chess.parse_square(arrival)
        board.set_piece_at(place, chess.Piece(chess.PIECE_NAMES.index(piece), chess.WHITE))
        return [chess.square_name(square) for square in board.attacks(place)]
    file, rank = FILES.index(arrival[0]), int(arrival[1])
    ways = [(-1, -1), (1, -1), (-1, 1), (1, 1)] if takes else [(0, -1), (0, 1)]
    if not takes and rank in (4, 5):
        ways.append((0, -2 if rank == 4 else 2))
    from_there = [(file + aside, rank + back) for aside, back in ways]
    return [f"{FILES[column]}{row}" for column, row in from_there if 0 <= column < 8 and 2 <= row <= 7]


def _shuffle_things(things: Sequence[T], chance: Chance) -> list[T]:
    return [things[place] for _, place in sorted((chance.random(), place) for place in range(len(things)))]
