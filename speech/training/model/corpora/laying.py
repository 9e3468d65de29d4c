"""The place of each phone of an utterance, found with a model that hears it.

For voices that do not say where. Needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from speech.enrolment.adapt_child import network_of, nothing_changed, outputs_of
from speech.recognisers.lexicon import SILENCE, units
from speech.recognisers.own.features import mfcc
from speech.recognisers.own.inventory import read_outputs
from speech.recognisers.own.model import NETWORK, OUTPUTS
from speech.recognisers.own.recipe import CONTEXT, SUBSAMPLING
from speech.training.model.best_path import best_path
from speech.training.model.corpora.contents import Item
from speech.training.model.corpora.corpus import Samples, Sounded
from speech.training.model.corpora.shards import at_the_ear

FRAME_S = 0.01
_CENTRE_S = 0.0125
"""Frame n is centred this many seconds after 10 n ms."""
SHORTEST = 3
"""The least number of frames that each sound lasts."""


class Layer:
    """Aligner that lays known phones along a sound, with a model that is there."""

    def __init__(self, folder: Path) -> None:
        torch.set_num_threads(1)
        acoustics = (folder / NETWORK).read_bytes()
        self._layers = network_of(acoustics)
        self._known = read_outputs(folder / OUTPUTS)

    def lay(self, samples: Samples, items: Sequence[Item]) -> tuple[list[Sounded], float]:
        """Return the phones of the items where they most probably are.

        There is silence before, between and after the words. The second part is by how much they fit worse than any
        sounds would (log units a frame). `samples`: -1 to 1 at 16 kHz.
        """
        ear, (start,) = at_the_ear(samples, [Sounded("", "", 0.0, 0.0)], np.random.default_rng(1))
        scores = self._scores(mfcc(ear))
        numbers, owners, before = self._states(items)
        path, gap = best_path(scores[numbers], before)
        found: list[Sounded] = []
        phones = [(item, phone) for item in items for phone in item.phones]
        places = np.array(owners)[path]
        for number, (item, phone) in enumerate(phones):
            (frames,) = np.nonzero(places == number)
            first, last = (float(one) * FRAME_S + _CENTRE_S - FRAME_S / 2 for one in (frames[0], frames[-1] + 1))
            found.append(Sounded(phone, item.token, first - start.start, last - start.start))
        return found, float(scores.max(axis=0).mean() - gap)

    def _scores(self, frames: np.ndarray) -> np.ndarray:
        """Return log probabilities, outputs by frames of 10 ms.

        The network gives them every 30 ms, so it is asked three times.
        """
        padded = np.concatenate([frames[:1].repeat(CONTEXT, 0), frames, frames[-1:].repeat(CONTEXT + 2, 0)])
        found = np.empty((len(self._known.outputs), len(frames)), np.float32)
        for shift in range(SUBSAMPLING):
            features = torch.from_numpy(padded[shift:].T[None].copy())
            with torch.no_grad():
                heads = torch.cat(outputs_of(self._layers, nothing_changed(self._layers), features))
                scores = (self._layers.joint[0] @ heads + self._layers.joint[1][:, None]).numpy()
            count = len(range(shift, len(frames), SUBSAMPLING))
            found[:, shift::SUBSAMPLING] = scores[:, :count]
        return found

    def _states(self, items: Sequence[Item]) -> tuple[list[int], list[int], list[tuple[int, ...]]]:
        """Return for each state its output, the number of its phone and the states before it.

        The number is -1 for silence; the states before are those it may follow besides itself.
        """
        silence = self._known.number(SILENCE, "")
        numbers, owners, before = [silence], [-1], list[tuple[int, ...]]([()])
        phone = 0
        for item in items:
            for place, one in enumerate(item.phones):
                for number, unit in enumerate(units((one,))):
                    last = len(numbers) - 1
                    # The silence before a word may be left out.
                    jump = place == 0 and number == 0 and last > 0
                    for turn in range(SHORTEST):
                        numbers.append(self._known.number(unit, item.token))
                        owners.append(phone)
                        before.append((last, last - 1) if jump and turn == 0 else (len(numbers) - 2,))
                phone += 1
            numbers.append(silence)
            owners.append(-1)
            before.append((len(numbers) - 2,))
        return numbers, owners, before
