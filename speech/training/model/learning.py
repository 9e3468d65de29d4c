"""The network and its training: from frames of 40 MFCC to the unit being said, every 30 ms.

PyTorch computes it, on the CPU.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from speech.recognisers.own.inventory import Inventory
from speech.recognisers.own.recipe import CONTEXT, DIMENSIONS, LAYERS, SUBSAMPLING, Recipe
from speech.training.model.corpora.shards import Shard
from speech.training.model.noise_frames import noise_frames
from speech.training.model.perturbing import echoing, overlaid, perturb_frames, stretch_frames
from speech.training.model.starting import start_from

WINDOW = 60
"""How many outputs one training example has."""
OVERLAID = 0.3
"""Share of the examples in which another table is heard too, softer by `SOFTER_DB`; it is not learnt."""
SOFTER_DB = (4.0, 20.0)
NOISY = 0.3
"""Share of the examples under which another noise is laid at every look, softer by `NOISE_DB`."""
NOISE_DB = (3.0, 26.0)
ECHOING = 0.15
"""Share of the examples that get a room (most already were in one when their features were made)."""
STRETCHED = 0.5
"""Share of the examples that are said slower or faster than they were, without another pitch."""
STRETCH = (0.75, 1.7)
"""How many times as long they last. People who read words one by one draw each of them out."""
DECAY_S = (0.2, 0.7)
ECHO = (0.02, 0.5)
"""The power of the echoes against the voice's."""


def fresh_network(known: Inventory, recipe: Recipe) -> nn.Sequential:
    """Return affine layers over time with batch norm.

    The last gives the units anywhere, then the whole inventory.
    """
    layers: list[nn.Module] = []
    channels = DIMENSIONS
    for place, offsets in enumerate(LAYERS):
        gap = offsets[1] - offsets[0]
        dilation, stride = (gap, 1) if place < 2 else (gap // SUBSAMPLING, 1)
        if place == 1:
            stride = SUBSAMPLING
        layers.append(nn.Conv1d(channels, recipe.width, len(offsets), stride=stride, dilation=dilation, bias=False))
        layers += [nn.BatchNorm1d(recipe.width), nn.ReLU(), nn.Dropout(recipe.dropout)]
        channels = recipe.width
    anywhere = sum(not token for _, token in known.outputs)
    layers.append(nn.Conv1d(channels, anywhere + len(known.outputs), 1))
    return nn.Sequential(*layers)


class Examples:
    """Endless random windows of the shards, each shard as often as its share says."""

    def __init__(self, shards: Sequence[Shard], shares: Sequence[float], seed: int) -> None:
        self._shards = shards
        self._shares = np.array(shares) / sum(shares)
        self._chance = np.random.default_rng(seed)
        self._noises = noise_frames(seed)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return features (size, 40, frames) and the labels of their outputs (size, WINDOW)."""
        count = (WINDOW - 1) * SUBSAMPLING + 1
        features = np.empty((size, count + 2 * CONTEXT, DIMENSIONS), np.float32)
        labels = np.empty((size, WINDOW), np.int64)
        for place in range(size):
            window, labels[place] = self._window(count)
            if self._chance.random() < ECHOING:
                window = echoing(window, float(self._chance.uniform(*DECAY_S)), float(self._chance.uniform(*ECHO)))
            if self._chance.random() < OVERLAID:
                window = overlaid(window, self._window(count)[0], float(self._chance.uniform(*SOFTER_DB)))
            if self._chance.random() < NOISY:
                first = int(self._chance.integers(len(self._noises) - len(window)))
                noise = self._noises[first : first + len(window)]
                window = overlaid(window, noise, float(self._chance.uniform(*NOISE_DB)))
            features[place] = perturb_frames(window, self._chance)
        return torch.from_numpy(features).transpose(1, 2), torch.from_numpy(labels)

    def _window(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return so many frames of some shard with their context, and the labels of their outputs."""
        shard = self._shards[self._chance.choice(len(self._shards), p=self._shares)]
        length = 1.0
        if self._chance.random() < STRETCHED:
            length = float(np.exp(self._chance.uniform(*np.log(STRETCH))))
        taken = math.ceil((count + 2 * CONTEXT) / length) + 1
        # Windows run over the borders of utterances, which are all silence and noise at both ends.
        first = int(self._chance.integers(0, len(shard.labels) - taken))
        frames = shard.frames[first : first + taken].astype(np.float32)
        labels = shard.labels[first : first + taken]
        if length != 1.0:
            frames, labels = stretch_frames(frames, labels, length)
        frames, labels = frames[: count + 2 * CONTEXT], labels[CONTEXT : CONTEXT + count : SUBSAMPLING]
        return frames, labels

    def batches(self, size: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Yield batch after batch, the next one made while the last is learnt from."""
        with ThreadPoolExecutor(1) as beside:
            coming = beside.submit(self.batch, size)
            while True:
                found = coming.result()
                coming = beside.submit(self.batch, size)
                yield found


def losses(outputs: torch.Tensor, labels: torch.Tensor, anywhere: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the cross-entropy of the units anywhere and of the whole inventory."""
    split = int(anywhere.max()) + 1
    return (
        functional.cross_entropy(outputs[:, :split], anywhere[labels]),
        functional.cross_entropy(outputs[:, split:], labels),
    )


def train(
    known: Inventory,
    recipe: Recipe,
    shards: Sequence[Shard],
    shares: Sequence[float],
    held_out: dict[str, Shard],
    out: Path,
    start: dict[str, tuple[np.ndarray, np.ndarray]] | None = None,
) -> nn.Sequential:
    """Train and save a checkpoint now and then.

    The log says how well it does on the voices that are held out. `start`: the layers of a model to go on from. Raises
    Complaint where it has another width.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    half = recipe.half and half_is_faster(recipe.width)
    net = fresh_network(known, recipe)
    mean, spread = _normal(shards)
    examples = Examples(shards, shares, recipe.seed)
    anywhere = torch.tensor(known.anywhere())
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=0.01)
    begin_checkpoint(out, recipe, mean, spread)
    began, sums, logged = time.monotonic(), np.zeros(2), 0
    shift, scale = torch.from_numpy(mean)[:, None], torch.from_numpy(spread)[:, None]
    if start is not None:
        start_from(net, start, mean, spread, (examples.batch(4 * recipe.batch)[0] - shift) / scale)
    mean_weights = running_mean(net)
    for step, (features, labels) in enumerate(examples.batches(recipe.batch), 1):
        done = (time.monotonic() - began) / (60 * recipe.minutes) if recipe.minutes else step / recipe.steps
        for group in optimiser.param_groups:
            group["lr"] = rate_at(min(done, 1.0), recipe.rate)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
            outputs = net.train()((features - shift) / scale)
        phones, words = losses(outputs.float(), labels, anywhere)
        step_against((1 - recipe.words) * phones + recipe.words * words, net, optimiser)
        follow(mean_weights, net, recipe.following)
        sums += [phones.item(), words.item()]
        if step % 250 == 0 or done >= 1.0:
            torch.save(net.state_dict(), out / "last.pt")
            torch.save(mean_weights.state_dict(), out / "mean.pt")
            loss = (sums / (step - logged)).round(3).tolist()
            row = {"step": step, "seconds": round(time.monotonic() - began), "done": round(done, 3), "loss": loss}
            for which, judged in (("", net), (", mean", mean_weights)):
                row |= {f"{name}{which}": right(judged, one, mean, spread, anywhere) for name, one in held_out.items()}
            write_log(out, row)
            sums[:], logged = 0, step
        if done >= 1.0:
            break
    return net


def begin_checkpoint(out: Path, recipe: Recipe, mean: np.ndarray, spread: np.ndarray) -> None:
    """Write what is known before the first step: the recipe, and the mean and spread of the features."""
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "normal.npz", mean=mean, spread=spread)
    (out / "recipe.json").write_bytes(msgspec.json.encode(recipe))


def write_log(out: Path, row: Mapping[str, object]) -> None:
    """Add the figures of a checkpoint to the log beside it."""
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(row) + "\n")


def step_against(loss: torch.Tensor, net: nn.Sequential, optimiser: torch.optim.Optimizer) -> None:
    """Move the weights of the network one step against what it lost, never by more than a clipped gradient."""
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()


def half_is_faster(width: int) -> bool:
    """Return whether this processor is faster in bfloat16.

    One that knows it is twice as fast; one that does not is thirteen times as slow.
    """
    layer, looks = nn.Conv1d(width, width, 3), torch.randn(8, width, 60)
    seconds: list[float] = []
    for enabled in (False, True):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
            layer(looks)
            began = time.perf_counter()
            layer(looks).float().sum().backward()
            seconds.append(time.perf_counter() - began)
    return seconds[1] < seconds[0]


def running_mean(net: nn.Sequential) -> nn.Sequential:
    """Return a copy of the network that `follow` lets follow it."""
    copy = deepcopy(net)
    copy.eval()
    return copy


def follow(mean_weights: nn.Sequential, net: nn.Sequential, share: float) -> None:
    """Move the copy this share of the way to the network as it is now.

    So it is a mean over about the last 1 / `share` steps.
    """
    with torch.no_grad():
        for old, new in zip(mean_weights.state_dict().values(), net.state_dict().values(), strict=True):
            if old.is_floating_point():
                old.lerp_(new, share)
            else:
                old.copy_(new)


def rate_at(done: float, highest: float) -> float:
    """Return the step size after this share of the training.

    It rises in the first twentieth, then falls along a cosine.

    >>> rate_at(0.05, 0.003), rate_at(1.0, 0.003)
    (0.003, 0.0)
    """
    return highest * min(1.0, done / 0.05) * 0.5 * (1 + math.cos(math.pi * max(0.0, done - 0.05) / 0.95))


def right(
    net: nn.Sequential, shard: Shard, mean: np.ndarray, spread: np.ndarray, anywhere: torch.Tensor
) -> list[float]:
    """Return the share of frames of speech that the units anywhere and the whole inventory get right."""
    net.eval()
    split = int(anywhere.max()) + 1
    with torch.no_grad():
        frames = torch.from_numpy(((shard.frames.astype(np.float32) - mean) / spread).T[None])
        outputs = net(frames)[0]
    labels = torch.from_numpy(shard.labels[CONTEXT::SUBSAMPLING].astype(np.int64))[: outputs.shape[1]]
    speech = labels > 0
    phones = (outputs[:split].argmax(0) == anywhere[labels])[speech].float().mean()
    words = (outputs[split:].argmax(0) == labels)[speech].float().mean()
    return [round(float(phones), 4), round(float(words), 4)]


def _normal(shards: Sequence[Shard]) -> tuple[np.ndarray, np.ndarray]:
    some = np.concatenate([shard.frames[::50].astype(np.float32) for shard in shards])
    return some.mean(axis=0), some.std(axis=0) + 1e-3
