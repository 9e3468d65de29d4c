"""Noises as the network sees them, to be laid under an utterance at every look."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from speech.recognisers.own.features import mfcc
from speech.recognisers.preparing import LEVEL
from speech.training.model.corpora.corpus import RATE
from speech.training.model.corpora.surroundings import clock, coloured_noise, hum, keyboard, white

Frames = npt.NDArray[np.float32]

_EACH_S = 6.0
KINDS = (white, white, white, white, coloured_noise, coloured_noise, coloured_noise, hum, keyboard, clock)
"""White noise is more frequent than the others: it hides more of the consonants than any other noise as loud."""


def noise_frames(seed: int, rounds: int = 6) -> Frames:
    """Return features (frames, 40) of a minute of noises a round, as loud as speech is to the network."""
    chance = np.random.default_rng(seed)
    found: list[Frames] = []
    for kind in KINDS * rounds:
        samples = kind(int(_EACH_S * RATE), chance)
        found.append(mfcc((samples * LEVEL / np.sqrt((samples**2).mean() + 1e-12)).astype(np.float32)))
    return np.concatenate(found)
