"""A corpus turned into a shard of features.

Every utterance comes several times, each time in other surroundings.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from speech.recognisers.own.features import Frames, mfcc
from speech.recognisers.own.inventory import Inventory
from speech.training.model.corpora.corpus import Samples, utterances
from speech.training.model.corpora.shards import Labels, at_the_ear, labels, save
from speech.training.model.corpora.surroundings import nothing_said, surround_utterance


def neighbours(stems: list[Path], every: int = 25) -> list[Samples]:
    """Return voices for the babble: some utterances of each corpus."""
    return [samples for stem in stems for place, (_, samples) in enumerate(utterances(stem)) if place % every == 0]


def make_shard(
    stem: Path, out: Path, copies: float, seed: int, known: Inventory, voices: list[Samples], *, quiet: float = 0.03
) -> int:
    """Write the shard of a corpus; return the number of frames written.

    `copies`: copies of each utterance on average; `quiet`: share of mere noises added.
    """
    chance = np.random.default_rng(seed)
    found: list[tuple[Frames, Labels]] = []
    for line, samples in utterances(stem):
        for _ in range(int(copies + chance.random())):
            heard = surround_utterance(samples, line.sounded, chance, voices)
            ear, sounded = at_the_ear(heard.samples, heard.sounded, chance)
            frames = mfcc(ear)
            found.append((frames, labels(len(frames), sounded, known.number)))
            if chance.random() < quiet:
                ear, _ = at_the_ear(nothing_said(chance, voices), (), chance)
                frames = mfcc(ear)
                found.append((frames, labels(len(frames), (), known.number)))
    save(out, found)
    return sum(len(frames) for frames, _ in found)
