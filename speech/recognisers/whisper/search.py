"""The search for the words that were said, along the word graph, with Whisper's text decoder.

A word is written in several ways, each a row of tokens (`spellings`); a comma or a full stop may follow it. A
hypothesis stands at a node of the tree of all ways to write what may come next. It may end with the end token alone,
where the graph has a whole announcement: a full stop ends nothing, for Whisper writes one between the words of a slow
speaker. Ways to write the same words are added up.

How likely a token is is its share among the tokens of this vocabulary alone. So "Ja", which everybody writes, does not
win over "H2", which hardly anybody does; and the tens of thousands of other tokens cost no time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Protocol

import msgspec

from speech.recognisers.whisper.features import Floats
from speech.recognisers.whisper.text_decoder import Context

Tokens = tuple[int, ...]
Chain = tuple[str, ...]
_FILES = ("file", "letter", "nato", "spelling")


class Graph(msgspec.Struct, frozen=True):
    """Word graph: (source, word, target) arcs, states 0 .. `states` - 1."""

    states: int
    start: int
    finals: list[int]
    arcs: list[tuple[int, str, int]]


class Beam(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Width of a search.

    `width`: so many hypotheses are followed at once. `ways`: so many of them that write the same words. `margin`: what
    scores so much less than the best (log units) is left. `longest`: in tokens. `word_bonus`: what each word adds to
    the score (log units): a text of one word is likelier than one of two, whatever was said. `alternatives`: so many
    chains are named.
    """

    width: Annotated[int, msgspec.Meta(ge=1, le=64)] = 12
    ways: Annotated[int, msgspec.Meta(ge=1, le=8)] = 2
    margin: Annotated[float, msgspec.Meta(ge=1.0, le=100.0)] = 14.0
    longest: Annotated[int, msgspec.Meta(ge=4, le=64)] = 28
    word_bonus: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] = 0.0
    alternatives: Annotated[int, msgspec.Meta(ge=2, le=50)] = 12


class Signs(msgspec.Struct, frozen=True):
    """Tokens that are no words: the end; comma and full stop."""

    end: int
    marks: Tokens


class Found(msgspec.Struct, frozen=True):
    """Result of a search.

    `ranked`: chains with their scores, best first. Of the best: `plain`, its score without the bonus; `text`, the
    likeliest way to write it; `shares`, for each word how likely it was where it stands.
    """

    ranked: tuple[tuple[Chain, float], ...]
    plain: float
    text: Tokens
    shares: tuple[float, ...]
    prompt: int
    """Which of the prompts led to the best."""


class Decoder(Protocol):
    """Text decoder that was given a sound, or what stands for one in a test."""

    def begin(self, prompt: Sequence[int], among: Sequence[int]) -> tuple[Floats, Context]:
        """Return log probabilities of which of the tokens `among` follows the prompt, in their order."""

    def follow(self, tokens: Sequence[int], context: Context) -> tuple[Floats, Context]:
        """Return log probabilities of what follows one more token of each hypothesis."""


class Tree:
    """Node in the ways to write what may come next at one state of the graph."""

    __slots__ = ("ends", "onward")

    def __init__(self) -> None:
        self.onward: dict[int, Tree] = {}
        self.ends: list[tuple[str, int]] = []
        """The words that are whole here, each with the state of the graph after it."""

    def add(self, way: Tokens, word: str, target: int) -> None:
        """Add one way to write a word."""
        node = self
        for token in way:
            node = node.onward.setdefault(token, Tree())
        if (word, target) not in node.ends:
            node.ends.append((word, target))


def trees_of(graph: Graph, ways: Mapping[str, Sequence[Tokens]]) -> list[Tree]:
    """Return the tree of each state of a graph; a word that nobody can write is left out."""
    trees = [Tree() for _ in range(graph.states)]
    for source, word, target in graph.arcs:
        for way in ways.get(word, ()):
            trees[source].add(way, word, target)
    return trees


class _Hypothesis(msgspec.Struct, frozen=True):
    """The words so far, and the word that is being written (`node`), if any.

    `part`: how likely the word is so far, as a logarithm; `marked`: whether a comma or a full stop came last; `parent`:
    its row among the hypotheses before.
    """

    score: float
    words: Chain
    text: Tokens
    shares: tuple[float, ...]
    state: int
    node: Tree | None = None
    part: float = 0.0
    marked: bool = True
    parent: int = 0


class Search:
    """Search for one vocabulary; it is asked with each sound anew and keeps nothing."""

    def __init__(self, graph: Graph, ways: Mapping[str, Sequence[Tokens]], signs: Signs, beam: Beam) -> None:
        self._graph = graph
        self._finals = frozenset(graph.finals)
        self._trees = trees_of(graph, ways)
        self._signs = signs
        self._beam = beam
        used = {word for _, word, _ in graph.arcs}
        written = {token for word in used for way in ways.get(word, ()) for token in way}
        self._among = tuple(sorted({*written, *signs.marks, signs.end}))

    def chains_in(self, decoder: Decoder, prompts: Sequence[Sequence[int]]) -> Found:
        """Return the chains for the sound that the decoder was given, begun with each of the prompts."""
        ends: dict[Chain, float] = {}
        best: dict[Chain, tuple[float, Tokens, tuple[float, ...], int]] = {}
        for place, prompt in enumerate(prompts):
            one = _Run(self._trees, self._finals, self._signs, self._beam, self._among)
            one.follow(decoder, prompt, self._graph.start)
            for chain, score in one.ends.items():
                if score > ends.get(chain, -math.inf):
                    ends[chain], best[chain] = score, (*one.best[chain], place)
        ranked = sorted(ends.items(), key=lambda entry: (-entry[1], entry[0]))[: self._beam.alternatives]
        if not ranked:
            return Found((), -math.inf, (), (), 0)
        chain, score = ranked[0]
        return Found(tuple(ranked), score - self._beam.word_bonus * len(chain), *best[chain][1:])


class _Run:
    """One search from one prompt. `ends`: chain -> score of all ways to write it; `best`: that of the best one."""

    def __init__(
        self, trees: Sequence[Tree], finals: frozenset[int], signs: Signs, beam: Beam, among: Sequence[int]
    ) -> None:
        self._trees, self._finals, self._signs, self._beam, self._among = trees, finals, signs, beam, among
        self._column = {token: place for place, token in enumerate(among)}
        self._most = -math.inf
        self._found: list[_Hypothesis] = []
        self.ends: dict[Chain, float] = {}
        self.best: dict[Chain, tuple[float, Tokens, tuple[float, ...]]] = {}

    def follow(self, decoder: Decoder, prompt: Sequence[int], start: int) -> None:
        """Search."""
        logs, context = decoder.begin(prompt, self._among)
        hypotheses = [_Hypothesis(0.0, (), (), (), start)]
        for _ in range(self._beam.longest):
            self._found = []
            self._most = max(self.ends.values(), default=-math.inf)
            for row, (one, likely) in enumerate(zip(hypotheses, logs.tolist(), strict=True)):
                self._go_on(one, row, likely)
            hypotheses = self._best_kept()
            if not hypotheses:
                break
            rows = [one.parent for one in hypotheses]
            logs, context = decoder.follow([one.text[-1] for one in hypotheses], context.of(rows))

    def _go_on(self, one: _Hypothesis, row: int, logs: Sequence[float]) -> None:
        """Find what follows a hypothesis by one token, and note where it may end."""
        if one.node is None:
            self._after_words(one, one.words, one.shares, one.state, row, logs)
            return
        self._write(one, one.node, one.score, (one.words, one.shares, one.state, one.part), row, logs)
        for word, target in one.node.ends:
            self._after_words(one, (*one.words, word), (*one.shares, math.exp(one.part)), target, row, logs)

    def _after_words(
        self, one: _Hypothesis, words: Chain, shares: tuple[float, ...], state: int, row: int, logs: Sequence[float]
    ) -> None:
        if words and state in self._finals and not _stays(words):
            self._end(words, one.text, shares, one.score + logs[self._column[self._signs.end]])
        if one.node is not None or not one.marked:
            for mark in self._signs.marks:
                score = one.score + logs[self._column[mark]]
                if score >= self._most - self._beam.margin:
                    self._found.append(_Hypothesis(score, words, (*one.text, mark), shares, state, parent=row))
        begun = one.score + self._beam.word_bonus
        self._write(one, self._trees[state], begun, (words, shares, state, 0.0), row, logs)

    def _write(
        self,
        one: _Hypothesis,
        node: Tree,
        begun: float,
        so_far: tuple[Chain, tuple[float, ...], int, float],
        row: int,
        logs: Sequence[float],
    ) -> None:
        """Find each next token of a word that is being written, which scored `begun` before it."""
        words, shares, state, part = so_far
        for token, onward in node.onward.items():
            log = logs[self._column[token]]
            score = begun + log
            if score >= self._most - self._beam.margin:
                self._most = max(self._most, score)
                text = (*one.text, token)
                self._found.append(_Hypothesis(score, words, text, shares, state, onward, part + log, False, row))

    def _end(self, words: Chain, text: Tokens, shares: tuple[float, ...], score: float) -> None:
        before = self.ends.get(words)
        together = score if before is None else max(before, score) + math.log1p(math.exp(-abs(before - score)))
        self.ends[words] = together
        self._most = max(self._most, together)
        if before is None or score > self.best[words][0]:
            self.best[words] = score, text, shares

    def _best_kept(self) -> list[_Hypothesis]:
        """Return the best hypotheses, best first, of each place in the tree only the best ways to get there."""
        alike: dict[tuple[Chain, int], int] = {}
        kept: list[_Hypothesis] = []
        for one in sorted(self._found, key=lambda one: (-one.score, one.words, one.text)):
            if one.score < self._most - self._beam.margin or len(kept) == self._beam.width:
                break
            place = one.words, id(one.node)
            alike[place] = alike.get(place, 0) + 1
            if alike[place] <= self._beam.ways:
                kept.append(one)
        return kept


def _stays(words: Chain) -> bool:
    """Return whether a piece would arrive on the square that it left, as where Whisper writes a square twice."""
    squares = [word.split(".")[1] for word in words if word.split(".")[0] in (*_FILES, "rank")]
    return len(squares) == 4 and squares[:2] == squares[2:]
