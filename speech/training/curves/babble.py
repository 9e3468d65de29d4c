"""Babble under an utterance: several people talking at once, as in a playing hall.

A function of sounds and seed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

TALKERS = 6
_LOUDEST = 0.98 * 32767


def with_babble(pcm: bytes, others: Sequence[bytes], ratio_db: float, seed: int) -> bytes:
    """Return `pcm` with `TALKERS` of the other utterances under it, so many dB below the speech.

    Mono s16le at one rate. Each talker goes round from a different place, and all are equally loud. With no others the
    sound stays as it is.
    """
    speech = np.frombuffer(pcm, "<i2").astype(np.float64)
    if not others or not speech.any():
        return pcm
    chance = np.random.default_rng(seed)
    babble = np.zeros(len(speech))
    for place in chance.permutation(len(others))[:TALKERS]:
        talker = np.frombuffer(others[place], "<i2").astype(np.float64)
        if not talker.any():
            continue
        begin = int(chance.integers(len(talker)))
        babble += np.resize(np.roll(talker / np.sqrt((talker**2).mean()), begin), len(speech))
    if not babble.any():
        return pcm
    wanted = np.sqrt((speech**2).mean() / 10 ** (ratio_db / 10))
    mixed = speech + babble * wanted / np.sqrt((babble**2).mean())
    found: bytes = (mixed * min(1.0, _LOUDEST / np.abs(mixed).max())).astype("<i2").tobytes()
    return found
