"""This module defines what goes between the recogniser and its pocketsphinx child.

It is an utterance with all that its answer depends on.
"""

from __future__ import annotations

import msgspec

from speech.recognisers.sphinx.phones import Settings


class Ask(msgspec.Struct, frozen=True):
    """An `Ask` is one utterance and everything well-formed that it may hold.

    The sound is mono s16le 16 kHz; there is none yet in a `begin`.
    """

    pcm: bytes
    dictionary: dict[str, list[str]]
    states: int
    start: int
    finals: list[int]
    arcs: list[tuple[int, int, float, str]]
    settings: Settings
    # Of a known voice: it is given back among the evidence.
    bias: float = 0.0


class Answer(msgspec.Struct, frozen=True):
    """An `Answer` is what was heard.

    `ranked`: chains of (word id, fit) with their scores, best first. `evidence`: figures about the best.
    """

    ranked: list[tuple[list[tuple[str, float]], float]] = []
    evidence: dict[str, float] = {}
