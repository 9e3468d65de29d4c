"""The recipe for training the network, without the library that trains it. Data."""

from __future__ import annotations

import msgspec

DIMENSIONS = 40
"""MFCC of a frame."""
SUBSAMPLING = 3
"""Frames between two outputs."""
LAYERS = ((-2, -1, 0, 1, 2), (-1, 0, 1), (-3, 0, 3), (-3, 0, 3), (-6, 0, 6), (-9, 0, 9))
"""Which frames (10 ms) of the layer below each layer looks at, relative to its own."""
CONTEXT = sum(-layer[0] for layer in LAYERS)
"""Frames to each side that an output depends on."""


class Recipe(msgspec.Struct, frozen=True):
    """Settings of one training.

    They are the width of the layers, examples of a step, steps, the highest step size, dropout, seed, threads.
    """

    width: int = 320
    batch: int = 64
    steps: int = 9000
    minutes: float = 0.0
    """When positive, the training ends by the clock and not after so many steps."""
    rate: float = 0.002
    dropout: float = 0.05
    words: float = 0.5
    """Weight of the words' own outputs against those of the phones anywhere."""
    seed: int = 1
    threads: int = 1
    following: float = 0.002
    """The model is the mean of the weights over about the last 1 / `following` steps."""
    half: bool = True
    """Whether the layers compute in bfloat16 while they learn."""
