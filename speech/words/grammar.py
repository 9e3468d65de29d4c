"""Every well-formed announcement and command as a word graph. Pure.

It follows D.2.1 (L170, L183-L187). The graph knows nothing of a position: it says what may be *said*, never what may be
*played*. It is deterministic, so a recogniser can take it as it stands, and it accepts exactly what
`speech.announcements.understand` understands.

    move     = [piece] [[from] square] [takes | to] square [ep | promotion] [check | mate]
             | [pawn] file takes square [ep | promotion] [check | mate]
             | castling [check | mate]
    square   = file rank
    promotion= [promotes] queen | rook | bishop | knight
    command  = time | last | .. | score_move [number]
    number   = digit [digit [digit]] | ten | eleven | twelve

A move to the first or the eighth rank must name the promotion piece where it can only be a pawn's: "Bauer" was said, or
neither piece nor departure square ("Eva acht" alone is a pawn move by usage, C.8). A pawn that takes may be named by
its file alone ("e takes d5"): it takes on a file beside that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Protocol

import msgspec

from speech.words.language import COMMANDS, FILES, PIECES, PROMOTIONS, RANKS, SIDES

FILE_NAMES = ("file", "letter", "nato", "spelling")
"""Kinds of word ids that name a file: Anna, a, Alfa, Anton. Another table may take another one for announcing."""
PROMOTION_WORDS = tuple(f"piece.{piece}" for piece in PROMOTIONS)
# Ranks that say the same thing about the form of a move: a promotion is due, en passant is possible, neither.
RANK_KINDS: dict[str, tuple[str, ...]] = {"last": ("1", "8"), "passing": ("3", "6"), "plain": ("2", "4", "5", "7")}


class Chance(Protocol):
    """Source of chance, given by the caller (a `random.Random`), because pure code has none."""

    def random(self) -> float: ...

    def choice(self, options: Sequence[str], /) -> str: ...


class Arc(msgspec.Struct, frozen=True):
    """One step of the graph: from state `source` by the word id `word` to state `target`."""

    source: int
    word: str
    target: int


class Grammar(msgspec.Struct, frozen=True):
    """Deterministic word graph: states are 0 .. `states` - 1."""

    states: int
    start: int
    finals: frozenset[int]
    arcs: tuple[Arc, ...]
    # state -> word id -> state: the same arcs, for walking.
    table: Mapping[int, Mapping[str, int]]

    def words(self) -> tuple[str, ...]:
        """Return every word id that the graph uses, sorted."""
        return tuple(sorted({arc.word for arc in self.arcs}))

    def walk(self, words: Sequence[str]) -> int | None:
        """Return the state after the chain of word ids, or None where the graph has no such chain."""
        state = self.start
        for word in words:
            onward = self.table[state]
            if word not in onward:
                return None
            state = onward[word]
        return state

    def accepts(self, words: Sequence[str]) -> bool:
        """Return whether the chain of word ids is a whole well-formed announcement or command."""
        return self.walk(words) in self.finals


class _Draft:
    """A graph while it is being drawn: states by name."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.arcs: list[Arc] = []
        self.finals: set[int] = set()

    def state(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def arc(self, source: str, words: Sequence[str], target: str) -> None:
        start, end = self.state(source), self.state(target)
        self.arcs += [Arc(start, word, end) for word in words]

    def final(self, name: str) -> None:
        self.finals.add(self.state(name))

    def grammar(self, start: str) -> Grammar:
        table: dict[int, dict[str, int]] = {number: {} for number in self.numbers.values()}
        for arc in self.arcs:
            assert arc.word not in table[arc.source], "the graph must be deterministic"
            table[arc.source][arc.word] = arc.target
        return Grammar(len(self.numbers), self.state(start), frozenset(self.finals), tuple(self.arcs), table)


def _numbers(draft: _Draft) -> None:
    """Draw the number of a move of one's own score, which follows its command.

    It has up to three digits, the first of them not zero.
    """
    leading = (*(f"rank.{rank}" for rank in RANKS), "digit.9")
    digits = (*leading, "digit.0")
    draft.arc("start", ("cmd.score_move",), "number")
    draft.arc("number", leading, "one digit")
    draft.arc("number", tuple(f"digit.{number}" for number in ("10", "11", "12")), "end command")
    draft.arc("one digit", digits, "two digits")
    draft.arc("two digits", digits, "end command")
    for state in ("number", "one digit", "two digits"):
        draft.final(state)


def _after_arrival(draft: _Draft, state: str, mover: str, rank_kind: str, departed: bool) -> None:
    """Draw what may follow once the arrival square is said. `mover`: pawn, officer or unsaid."""
    due = rank_kind == "last" and (mover == "pawn" or (mover == "unsaid" and not departed))
    if not due:
        draft.final(state)
        draft.arc(state, ("word.check", "word.mate"), "end")
    if mover == "officer":
        return
    if rank_kind == "last":
        draft.arc(state, PROMOTION_WORDS, "complete")
        draft.arc(state, ("word.promotes",), "promotes")
    if rank_kind == "passing":
        draft.arc(state, ("word.ep",), "complete")


def _file_words_among(file: str, file_words: Sequence[str]) -> list[str]:
    """Return the words among these that name a file."""
    return [word for word in file_words if word.endswith(f".{file}")]


def _ranks(draft: _Draft, source: str, target: str) -> None:
    """Draw the ranks that follow a file. `target`: the state after a rank, with a place for its kind."""
    for kind, ranks in RANK_KINDS.items():
        draft.arc(source, tuple(f"rank.{rank}" for rank in ranks), target.format(kind=kind))


def _captures_of_pawns(draft: _Draft, file_words: Sequence[str]) -> None:
    """Draw where a pawn takes that was named by its file alone: on the files beside it."""
    for file, beside in zip(FILES, (FILES[1:2], *zip(FILES, FILES[2:], strict=False), FILES[6:7]), strict=True):
        for one in beside:
            draft.arc(f"pawn of {file} takes", _file_words_among(one, file_words), "taken on a file")
    _ranks(draft, "taken on a file", "taken {kind}")
    for kind in RANK_KINDS:
        _after_arrival(draft, f"taken {kind}", "pawn", kind, departed=True)


def _moves_of(draft: _Draft, begin: str, mover: str, file_words: Sequence[str]) -> None:
    """Draw every way to say a move from the state `begin` on, once it is known what kind of piece moves."""

    def square(source: str, through: str, target: str) -> None:
        draft.arc(source, file_words, through)
        if through not in drawn:
            _ranks(draft, through, target)
        drawn.add(through)

    drawn: set[str] = set()
    first = f"{mover} first {{kind}}"
    leaving, leaving_file, left = f"{mover} from", f"{mover} from file", f"{mover} left"
    if mover == "officer":
        square(begin, f"{mover} first file", first)
    else:
        for file in FILES:
            draft.arc(begin, _file_words_among(file, file_words), f"{mover} first file {file}")
            _ranks(draft, f"{mover} first file {file}", first)
            draft.arc(f"{mover} first file {file}", ("word.takes",), f"pawn of {file} takes")
    draft.arc(begin, ("word.from",), leaving)
    square(leaving, leaving_file, left)
    for departed in (False, True):
        tail = "departed" if departed else "there"
        arriving, last_file, arrived = f"{mover} to {tail}", f"{mover} file {tail}", f"{mover} {{kind}} {tail}"
        sources = (left, *(first.format(kind=kind) for kind in RANK_KINDS)) if departed else (begin,)
        for source in sources:
            draft.arc(source, ("word.takes", "word.to"), arriving)
            if departed:
                square(source, last_file, arrived)
        square(arriving, last_file, arrived)
        for kind in RANK_KINDS:
            _after_arrival(draft, arrived.format(kind=kind), mover, kind, departed)
    # The first square may turn out to be the only one: then it is where the piece arrives.
    for kind in RANK_KINDS:
        _after_arrival(draft, first.format(kind=kind), mover, kind, departed=False)


@cache
def announcement_grammar(file_names: tuple[str, ...] = ("file",), commands: bool = True) -> Grammar:
    """Return the graph of every well-formed announcement and, where `commands`, of every command.

    A command is one word id. `file_names`: which names of the files are in it: "file" (Anna), and as a fallback
    "letter", "nato" and "spelling".
    """
    assert file_names and set(file_names) <= set(FILE_NAMES)
    file_words = tuple(f"{name}.{file}" for name in file_names for file in FILES)
    draft = _Draft()
    draft.state("start")
    draft.final("end")
    draft.final("complete")
    draft.final("castled")
    draft.arc("complete", ("word.check", "word.mate"), "end")
    draft.arc("castled", ("word.check", "word.mate"), "end")
    draft.arc("promotes", PROMOTION_WORDS, "complete")
    draft.arc("start", tuple(f"castle.{side}" for side in SIDES), "castled")
    draft.arc("start", tuple(f"piece.{piece}" for piece in PIECES if piece != "pawn"), "officer")
    draft.arc("start", ("piece.pawn",), "pawn")
    for begin, mover in (("start", "unsaid"), ("officer", "officer"), ("pawn", "pawn")):
        _moves_of(draft, begin, mover, file_words)
    _captures_of_pawns(draft, file_words)
    if commands:
        draft.arc("start", tuple(f"cmd.{command}" for command in COMMANDS if command != "score_move"), "end command")
        draft.final("end command")
        _numbers(draft)
    return draft.grammar("start")


def sentences(grammar: Grammar, chance: Chance) -> Iterator[tuple[str, ...]]:
    """Yield endless accepted chains, drawn by `chance`.

    At each state a kind of word is drawn first, then a word of that kind.
    """
    while True:
        state, words = grammar.start, list[str]()
        while True:
            onward = grammar.table[state]
            if state in grammar.finals and (not onward or chance.random() < 0.5):
                break
            kind = chance.choice(sorted({word.split(".")[0] for word in onward}))
            word = chance.choice(sorted(word for word in onward if word.split(".")[0] == kind))
            words.append(word)
            state = onward[word]
        yield tuple(words)
