"""This module writes Gr.fst: what may be said, from the word graph of a vocabulary.

It is exact: no phrase is cut or glued.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from speech.recognisers.own.kaldi.fst import Fst, by_input, written
from speech.words.grammar import Grammar

SILENT_COST = 2.0
"""The cost of hearing no word; without this way out, noise would have to be some word."""


def grammar_graph(
    grammar: Grammar,
    numbers: Mapping[str, int],
    garbage: int,
    *,
    garbage_cost: float,
    weights: Mapping[str, float] | None = None,
) -> bytes:
    """Return the file Gr.fst.

    `numbers`: word id -> number of the model's word; words without one cannot be said. A whole utterance may be
    `garbage` instead, again and again, at `garbage_cost` (-log p) each. `weights`: word id -> how likely it is where it
    may stand, 1 for the others.
    """
    graph = Fst()
    states = {grammar.start: graph.state(SILENT_COST)}
    for state in range(grammar.states):
        if state != grammar.start:
            states[state] = graph.state(0.0 if state in grammar.finals else math.inf)
    given = weights or {}
    for arc in grammar.arcs:
        if arc.word in numbers:
            number = numbers[arc.word]
            cost = -math.log(given.get(arc.word, 1.0))
            graph.arc(states[arc.source], states[arc.target], input=number, output=number, cost=cost)
    strange = graph.state(0.0)
    graph.arc(states[grammar.start], strange, input=garbage, output=garbage, cost=garbage_cost)
    graph.arc(strange, strange, input=garbage, output=garbage, cost=garbage_cost)
    return written(graph.states, by_input)
