"""A Kaldi transition model in which every phone is one state.

The state stays, or goes on. Phones are 1, 2, ...; the phone n has the transition ids 2n - 1 (stay) and 2n (go on), both
with probability 1/2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from speech.recognisers.own.kaldi.binary import integer, integers, single, vector

EVEN = -math.log(0.5)
"""Cost of each transition."""


def stay(phone: int) -> int:
    """Return the transition id of another frame of the phone."""
    return 2 * phone - 1


def onward(phone: int) -> int:
    """Return the transition id of the phone's way on.

    In a graph it comes first (Kaldi's reordered transitions).
    """
    return 2 * phone


def transition_model(pdfs: Sequence[int]) -> bytes:
    """Return the model of len(pdfs) phones.

    `pdfs`: the output of the network that phone n has, at place n - 1.
    """
    count = len(pdfs)
    numbers = range(1, count + 1)
    topology = integers(tuple(numbers)) + integers((-1, *[0] * count)) + integer(1)
    topology += integer(2)  # the states of the one entry, the final one included
    topology += integer(0) + integer(2) + integer(0) + single(0.5) + integer(1) + single(0.5)
    topology += integer(-1) + integer(0)
    triples = integer(count)
    triples += b"".join(integer(phone) + integer(0) + integer(pdf) for phone, pdf in zip(numbers, pdfs, strict=True))
    costs = np.full(2 * count + 1, math.log(0.5), np.float32)
    costs[0] = 0.0
    return (
        b"<TransitionModel> <Topology> "
        + topology
        + b"</Topology> <Triples> "
        + triples
        + b"</Triples> <LogProbs> "
        + vector(costs)
        + b"</LogProbs> </TransitionModel> "
    )
