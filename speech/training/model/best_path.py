"""The best way through a chain of sounds that must all be there, in order. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def best_path(scores: np.ndarray, before: Sequence[Sequence[int]]) -> tuple[np.ndarray, float]:
    """Return the best way from the first state to the last, and its mean score.

    The way is the state at each frame.
    `scores`: states by frames; `before`: the states that each may follow, besides itself.
    """
    count = len(before)
    width = 1 + max((len(one) for one in before), default=0)
    sources = np.array([[place, *one, *[place] * (width - 1 - len(one))] for place, one in enumerate(before)])
    now = np.full(count, -np.inf)
    now[0] = scores[0, 0]
    back: list[np.ndarray] = []
    for frame in range(1, scores.shape[1]):
        every = now[sources]
        best = every.argmax(axis=1)
        back.append(sources[np.arange(count), best])
        now = every[np.arange(count), best] + scores[:, frame]
    path = [count - 1]
    for one in reversed(back):
        path.append(int(one[path[-1]]))
    return np.array(path[::-1]), float(now[-1]) / scores.shape[1]
