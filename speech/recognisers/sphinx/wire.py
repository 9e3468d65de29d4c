"""What goes between the recogniser and its pocketsphinx child: an utterance with all that its answer depends on."""

from __future__ import annotations

import msgspec

from speech.recognisers.sphinx.phones import Settings


class Ask(msgspec.Struct, frozen=True):
    """One utterance (mono s16le 16 kHz; none yet in a `begin`) and everything well-formed that it may hold."""

    pcm: bytes
    dictionary: dict[str, list[str]]
    states: int
    start: int
    finals: list[int]
    arcs: list[tuple[int, int, float, str]]
    settings: Settings
    # Of a known voice: given back among the evidence.
    bias: float = 0.0


class Answer(msgspec.Struct, frozen=True):
    """`ranked`: chains of (word id, fit) with their scores, best first. `evidence`: figures about the best."""

    ranked: list[tuple[list[tuple[str, float]], float]] = []
    evidence: dict[str, float] = {}
