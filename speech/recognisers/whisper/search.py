"""This module searches what was said along the word graph, with Whisper's text decoder.

A word is written in several ways, each a row of tokens (`spellings`); a comma or a full stop may follow it. A
hypothesis stands at a node of the tree of all ways to write what may come next. It may end with the end token alone,
where the graph has a whole announcement: a full stop ends nothing, for Whisper writes one between the words of a slow
speaker. Ways to write the same words are added up. Beside the hypotheses the best free text is followed; how far the
best words of ours lie behind it tells speech that is for the program from any other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Protocol

import msgspec
import numpy as np

from speech.recognisers.whisper.features import Floats
from speech.recognisers.whisper.text_decoder import Context

Tokens = tuple[int, ...]
Chain = tuple[str, ...]
_FILES = ("file", "letter", "nato", "spelling")


class Graph(msgspec.Struct, frozen=True):
    """A `Graph` is a word graph: (source, word, target) arcs, states 0 .. `states` - 1."""

    states: int
    start: int
    finals: list[int]
    arcs: list[tuple[int, str, int]]


class Beam(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `Beam` says how wide a search is.

    `width`: so many hypotheses are followed at once. `ways`: so many of them that write the same words. `margin`: what
    scores so much less than the best (log units) is left. `longest`: in tokens. `word_bonus`: what each word adds to
    the score (log units): a text of one frequent word is likelier than one of two rare words, whatever was said.
    `alternatives`: so many chains are named.
    """

    width: Annotated[int, msgspec.Meta(ge=1, le=64)] = 12
    ways: Annotated[int, msgspec.Meta(ge=1, le=8)] = 2
    margin: Annotated[float, msgspec.Meta(ge=1.0, le=100.0)] = 14.0
    longest: Annotated[int, msgspec.Meta(ge=4, le=64)] = 28
    word_bonus: Annotated[float, msgspec.Meta(ge=0.0, le=10.0)] = 0.0
    alternatives: Annotated[int, msgspec.Meta(ge=2, le=50)] = 12


class Signs(msgspec.Struct, frozen=True):
    """The `Signs` are tokens that are no words: the end, comma and full stop, and those that no free text has."""

    end: int
    marks: Tokens
    banned: Tokens


class Found(msgspec.Struct, frozen=True):
    """A `Found` is what a search found.

    `ranked`: chains with their scores, best first. `plain`: the log probability of the best without its bonus; `free`:
    that of the free text `text`. `shares`: for each word of the best how likely it was where it stands.
    """

    ranked: tuple[tuple[Chain, float], ...]
    plain: float
    free: float
    text: Tokens
    shares: tuple[float, ...]


class Decoder(Protocol):
    """A `Decoder` is a text decoder that was given a sound, or what stands for one in a test."""

    def begin(self, prompt: Sequence[int]) -> tuple[Floats, Context]:
        """Return log probabilities of what follows the prompt."""

    def follow(self, tokens: Sequence[int], context: Context) -> tuple[Floats, Context]:
        """Return log probabilities of what follows one more token of each hypothesis."""


class Tree:
    """A `Tree` is a node in the ways to write what may come next at one state of the graph."""

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
    """Words so far, and a word that is being written (`node`), if any.

    `parent`: its row among the hypotheses before; `token`: what it added to that one.
    """

    words: Chain
    shares: tuple[float, ...]
    state: int
    score: float
    node: Tree | None = None
    part: float = 0.0
    marked: bool = True
    parent: int = 0
    token: int = 0


class Search:
    """A `Search` is for one vocabulary; it is asked with each sound anew and keeps nothing."""

    def __init__(self, graph: Graph, ways: Mapping[str, Sequence[Tokens]], signs: Signs, beam: Beam) -> None:
        self._graph = graph
        self._finals = frozenset(graph.finals)
        self._trees = trees_of(graph, ways)
        self._signs = signs
        self._beam = beam

    def chains_in(self, decoder: Decoder, prompts: Sequence[Sequence[int]]) -> Found:
        """Return what was said in the sound that the decoder was given, begun with each of the prompts."""
        ends: dict[Chain, float] = {}
        shares: dict[Chain, tuple[float, tuple[float, ...]]] = {}
        free: tuple[float, Tokens] = (-math.inf, ())
        for prompt in prompts:
            one = _Run(self._trees, self._finals, self._signs, self._beam)
            free = max(free, one.follow(decoder, prompt, self._graph.start))
            for chain, score in one.ends.items():
                ends[chain] = max(score, ends.get(chain, -math.inf))
            shares.update({chain: best for chain, best in one.best.items() if best > shares.get(chain, (-math.inf,))})
        ranked = sorted(ends.items(), key=lambda entry: (-entry[1], entry[0]))[: self._beam.alternatives]
        best = ranked[0][0] if ranked else ()
        plain = ranked[0][1] - self._beam.word_bonus * len(best) if ranked else -math.inf
        return Found(tuple(ranked), plain, *free, shares[best][1] if ranked else ())


class _Run:
    """One search from one prompt. `ends`: chain -> score of all ways to write it; `best`: that of the best one."""

    def __init__(self, trees: Sequence[Tree], finals: frozenset[int], signs: Signs, beam: Beam) -> None:
        self._trees, self._finals, self._signs, self._beam = trees, finals, signs, beam
        self._banned = list(signs.banned)
        self.ends: dict[Chain, float] = {}
        self.best: dict[Chain, tuple[float, tuple[float, ...]]] = {}

    def follow(self, decoder: Decoder, prompt: Sequence[int], start: int) -> tuple[float, Tokens]:
        """Search, and return the log probability of the free text with its tokens."""
        logs, context = decoder.begin(prompt)
        hypotheses = [_Hypothesis((), (), start, 0.0)]
        free, text, ended = 0.0, list[int](), False
        for _ in range(self._beam.longest):
            if not ended:  # the free text is the last row
                token = self._likeliest(logs[-1])
                free += float(logs[-1][token])
                ended = token == self._signs.end
                text += [] if ended else [token]
            onward = [each for row, one in enumerate(hypotheses) for each in self._onward(one, row, logs[row])]
            hypotheses = self._kept(onward)
            if not hypotheses:
                break
            rows, tokens = [one.parent for one in hypotheses], [one.token for one in hypotheses]
            if not ended:
                rows, tokens = [*rows, len(logs) - 1], [*tokens, text[-1]]
            logs, context = decoder.follow(tokens, context.of(rows))
        return free, tuple(text)

    def _likeliest(self, logs: Floats) -> int:
        allowed = logs.copy()
        allowed[self._banned] = -np.inf
        return int(allowed.argmax())

    def _onward(self, one: _Hypothesis, row: int, logs: Floats) -> list[_Hypothesis]:
        """Return what follows a hypothesis by one token, and note where it may end."""
        if one.node is None:
            return self._after_words(one.words, one.shares, one.state, one, row, logs)
        found = [self._writing(one, node, one.part, token, row, logs) for token, node in one.node.onward.items()]
        for word, target in one.node.ends:
            words, shares = (*one.words, word), (*one.shares, math.exp(one.part))
            found += self._after_words(words, shares, target, msgspec.structs.replace(one, marked=False), row, logs)
        return found

    def _after_words(
        self, words: Chain, shares: tuple[float, ...], state: int, one: _Hypothesis, row: int, logs: Floats
    ) -> list[_Hypothesis]:
        if words and state in self._finals and not _stays(words):
            self._end(words, shares, one.score + float(logs[self._signs.end]))
        whole = _Hypothesis(words, shares, state, one.score)
        found = [
            msgspec.structs.replace(whole, score=one.score + float(logs[mark]), parent=row, token=mark)
            for mark in (() if one.marked else self._signs.marks)
        ]
        begun = msgspec.structs.replace(whole, score=one.score + self._beam.word_bonus)
        onward = self._trees[state].onward.items()
        return [*found, *(self._writing(begun, node, 0.0, token, row, logs) for token, node in onward)]

    @staticmethod
    def _writing(one: _Hypothesis, node: Tree, part: float, token: int, row: int, logs: Floats) -> _Hypothesis:
        log = float(logs[token])
        return msgspec.structs.replace(
            one, score=one.score + log, node=node, part=part + log, marked=False, parent=row, token=token
        )

    def _end(self, words: Chain, shares: tuple[float, ...], score: float) -> None:
        before = self.ends.get(words)
        self.ends[words] = score if before is None else float(np.logaddexp(before, score))
        if before is None or score > self.best[words][0]:
            self.best[words] = score, shares

    def _kept(self, found: Sequence[_Hypothesis]) -> list[_Hypothesis]:
        """Return the best hypotheses, best first, of each place in the tree only the best ways to get there."""
        best = max([*self.ends.values(), *(one.score for one in found)], default=-math.inf)
        alike: dict[tuple[Chain, int], int] = {}
        kept: list[_Hypothesis] = []
        for one in sorted(found, key=lambda one: (-one.score, one.words, one.token)):
            if one.score < best - self._beam.margin or len(kept) == self._beam.width:
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
