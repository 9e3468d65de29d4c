"""HCLr.fst: from transition ids to words.

Any word may follow any other, with or without silence between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from speech.recognisers.own.kaldi.fst import Fst, by_output, fst_bytes
from speech.recognisers.own.kaldi.transitions import EVEN, onward, stay

Way = Sequence[int]
"""One way to say a word, as phones of the transition model."""


def lexicon_graph(
    words: Mapping[int, Iterable[Way]], silence: int, garbage: int, noises: Sequence[int], penalty: float
) -> bytes:
    """Return the file HCLr.fst.

    `words`: number of a word -> its ways; `silence`: its phone. `garbage`: the number of the word that any row of two
    or more of the phones `noises` makes, at `penalty` a phone.
    """
    graph = Fst()
    start, loop = graph.state(), graph.state(0.0)

    def phone(source: int, number: int, *, output: int = 0, cost: float = 0.0) -> int:
        state = graph.state()
        graph.arc(source, state, input=onward(number), output=output, cost=EVEN + cost)
        graph.arc(state, state, input=stay(number), cost=EVEN)
        return state

    pause = phone(start, silence)
    graph.arc(start, loop)
    graph.arc(pause, loop)
    after = phone(loop, silence, cost=-math.log(0.5))
    graph.arc(after, loop)
    for word, ways in words.items():
        for way in ways:
            state, label = loop, word
            for number in way:
                state, label = phone(state, number, output=label), 0
            graph.arc(state, loop)
    if noises:
        hub = graph.state()
        second = graph.state()
        even = math.log(len(noises)) + penalty
        for number in noises:
            graph.arc(phone(loop, number, output=garbage, cost=even), hub)
            graph.arc(phone(hub, number, cost=even), second)
        graph.arc(second, hub)
        graph.arc(second, loop)
    return fst_bytes(graph.states, by_output)
