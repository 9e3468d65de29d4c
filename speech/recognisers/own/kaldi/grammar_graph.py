"""Gr.fst: every phrase that may be said, from the word graph of a vocabulary.

The graph is exact: no phrase is cut or glued.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from speech.recognisers.own.kaldi.fst import Fst, by_input, fst_bytes
from speech.words.grammar import FILE_NAMES, Grammar

SILENT_COST = 2.0
"""The cost of hearing no word; without this way out, noise would have to be some word."""


def grammar_graph(
    grammar: Grammar,
    numbers: Mapping[str, int],
    garbage: int,
    *,
    garbage_cost: float,
    departure_cost: float = 0.0,
    weights: Mapping[str, float] | None = None,
) -> bytes:
    """Return the file Gr.fst.

    `numbers`: word id -> number of the model's word; words without one cannot be said. A whole utterance may be
    `garbage` instead, again and again, at `garbage_cost` (-log p) each. `departure_cost`: -log p of a second square,
    for most announcements have one. `weights`: word id -> how likely it is where it may stand, 1 for the others.
    """
    graph = Fst()
    states = {grammar.start: graph.state(SILENT_COST)}
    for state in range(grammar.states):
        if state != grammar.start:
            states[state] = graph.state(0.0 if state in grammar.finals else math.inf)
    given = weights or {}
    departed = _behind_a_square(grammar)
    for arc in grammar.arcs:
        if arc.word in numbers:
            number = numbers[arc.word]
            cost = -math.log(given.get(arc.word, 1.0))
            if arc.source in departed and arc.word.partition(".")[0] in FILE_NAMES:
                cost += departure_cost
            graph.arc(states[arc.source], states[arc.target], input=number, output=number, cost=cost)
    strange = graph.state(0.0)
    graph.arc(states[grammar.start], strange, input=garbage, output=garbage, cost=garbage_cost)
    graph.arc(strange, strange, input=garbage, output=garbage, cost=garbage_cost)
    return fst_bytes(graph.states, by_input)


def _behind_a_square(grammar: Grammar) -> frozenset[int]:
    """Return the states in which a square was said already: a file that is named there begins another."""
    found: set[int] = set()
    new = {arc.target for arc in grammar.arcs if arc.word.startswith("rank.")}
    while new:
        found |= new
        new = {arc.target for arc in grammar.arcs if arc.source in new} - found
    return frozenset(found)
