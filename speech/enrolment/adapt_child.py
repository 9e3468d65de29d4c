"""The process that fits our own model to a reader: `python -m speech.enrolment.adapt_child`.

It needs PyTorch and kaldi-native-fbank. Neither is part of the program (speech/training/requirements.txt names them);
without them this is never started. Each unit of the hidden layers learns to be stronger or weaker and is moved. How
long it learns is decided by readings that are not learnt from, each half by the other. Where they are not heard
better, there is no adaptation.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch.nn import functional

from speech.complaint import Complaint
from speech.process import serve_child
from speech.recognisers.lexicon import SILENCE, load_lexicon, token, units
from speech.recognisers.own.adaptation import HIDDEN, pack_adaptation
from speech.recognisers.own.features import mfcc
from speech.recognisers.own.inventory import Inventory, read_outputs
from speech.recognisers.own.kaldi.network import affine_layers
from speech.recognisers.own.model import NETWORK, OUTPUTS
from speech.recognisers.own.recipe import CONTEXT, LAYERS, SUBSAMPLING
from speech.recognisers.preparing import prepare_speech, warp_speech

STEPS = (10, 20, 30, 45, 60)
"""The training may stop after any of these."""
RATE = 0.02
NEAR = 0.3
"""How much it costs to change a unit (root of the sum of squares)."""
FARTHEST = 2.0
"""A reading whose words fit its sound so much worse than any sounds would (log units a frame) is left out. On voices
that tune, this figure is 0.05 in the middle and 1.0 at most, in noise and rooms too; with other words than were said
it is 4.6, and 2 or less for two of ninety."""
HOLD = 2 / 3
"""Share of the readings that must hold their words; short readings are found in a noise too."""
LEAST_GAIN = 0.01
"""The cross-entropy of what was not learnt from must fall by this share, or nothing is adapted."""


class AdaptationTask(msgspec.Struct, frozen=True):
    """The folder of the model, and readings: word ids, their languages, mono s16le 16 kHz."""

    folder: str
    readings: list[tuple[list[str], list[str], bytes]]


class Layers(msgspec.Struct, frozen=True):
    """Network as tensors: hidden layers, then both heads, then both together."""

    hidden: list[tuple[torch.Tensor, torch.Tensor]]
    anywhere: tuple[torch.Tensor, torch.Tensor]
    words: tuple[torch.Tensor, torch.Tensor]
    joint: tuple[torch.Tensor, torch.Tensor]


Change = list[tuple[torch.Tensor, torch.Tensor]]
Example = tuple[torch.Tensor, torch.Tensor]
"""Features (1, 40, frames with their context), labels of the outputs."""


def network_of(acoustics: bytes) -> Layers:
    """Return the network of a model that we wrote."""
    found = {name: placed.read(acoustics) for name, placed in affine_layers(acoustics).items()}
    plain = {name: tuple(torch.from_numpy(part.copy()) for part in parts) for name, parts in found.items()}
    hidden: list[tuple[torch.Tensor, torch.Tensor]] = []
    for name, offsets in zip(sorted(name for name in plain if name.startswith(HIDDEN)), LAYERS, strict=True):
        weights, bias = plain[name]
        hidden.append((weights.reshape(len(weights), len(offsets), -1).transpose(1, 2).contiguous(), bias))
    heads = [(plain[name][0], plain[name][1]) for name in ("anywhere", "words", "joint")]
    return Layers(hidden, heads[0], heads[1], heads[2])


def nothing_changed(layers: Layers) -> Change:
    """Return the change from which learning begins: none."""
    return [(torch.zeros(len(bias)), torch.zeros(len(bias))) for _, bias in layers.hidden]


def outputs_of(layers: Layers, change: Change, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the log probabilities of both heads, by output and then by time, every 30 ms."""
    now = features
    for place, ((weights, bias), (stronger, moved), offsets) in enumerate(
        zip(layers.hidden, change, LAYERS, strict=True)
    ):
        gap = offsets[1] - offsets[0]
        stride = SUBSAMPLING if place == 1 else 1
        now = functional.conv1d(now, weights, bias, stride=stride, dilation=gap if place < 2 else gap // SUBSAMPLING)
        now = torch.relu(now * stronger.exp()[None, :, None] + moved[None, :, None])
    heads = [weights @ now[0] + bias[:, None] for weights, bias in (layers.anywhere, layers.words)]
    return heads[0].log_softmax(0), heads[1].log_softmax(0)


def features_of(pcm: bytes) -> torch.Tensor | None:
    """Return the features of a reading as the recogniser gets it.

    The first and the last frame are repeated for the context.
    """
    speech = prepare_speech(pcm)
    if speech is None:
        return None
    frames = mfcc(np.frombuffer(warp_speech(speech, 1.0), "<i2").astype(np.float32) / np.float32(32768))
    padded = np.concatenate([frames[:1].repeat(CONTEXT, 0), frames, frames[-1:].repeat(CONTEXT, 0)])
    return torch.from_numpy(padded.T[None].copy())


def align_words(
    scores: np.ndarray, known: Inventory, words: Sequence[tuple[str, Sequence[Sequence[str]]]]
) -> np.ndarray:
    """Return the output at each frame on the best way through the words, with silence between them.

    `words`: each a token and the ways to say it. `scores`: outputs by frames; from these and the result a caller can
    compute the mean score.
    """
    silence = known.number(SILENCE, "")
    outputs, before = [silence], [{0}]
    ends, first = {0}, {0}
    for place, (name, ways) in enumerate(words):
        after: set[int] = set()
        for way in ways:
            for number, unit in enumerate(units(way)):
                outputs.append(known.number(unit, name))
                before.append({len(before), *(ends if number == 0 else {len(before) - 1})})
                if place == 0 and number == 0:
                    first.add(len(before) - 1)
            after.add(len(before) - 1)
        outputs.append(silence)
        before.append({len(before), *after})
        ends = {*after, len(before) - 1}
    barred = np.full((len(outputs), len(outputs)), -np.inf)
    for state, sources in enumerate(before):
        barred[state, sorted(sources)] = 0.0
    now = np.full(len(outputs), -np.inf)
    now[sorted(first)] = scores[np.array(outputs)[sorted(first)], 0]
    back: list[np.ndarray] = []
    for frame in range(1, scores.shape[1]):
        every = barred + now[None, :]
        best = every.argmax(axis=1)
        back.append(best)
        now = every[np.arange(len(best)), best] + scores[outputs, frame]
    state = max(ends, key=lambda one: float(now[one]))
    path = [state]
    for best in reversed(back):
        path.append(int(best[path[-1]]))
    return np.array([outputs[one] for one in reversed(path)])


def examples_of(layers: Layers, known: Inventory, ask: AdaptationTask) -> list[Example]:
    """Return the readings with what is said at each frame, without those that do not hold their words."""
    found: list[Example] = []
    lexica = {language: load_lexicon(language) for _, languages, _ in ask.readings for language in languages}
    for words, languages, pcm in ask.readings:
        features = features_of(pcm)
        ways = [lexica[language].get(word, ()) for word, language in zip(words, languages, strict=True)]
        if features is None or not all(ways):
            continue
        with torch.no_grad():
            heads = torch.cat(outputs_of(layers, nothing_changed(layers), features))
            scores = (layers.joint[0] @ heads + layers.joint[1][:, None]).numpy()
        names = [token(language, word) for word, language in zip(words, languages, strict=True)]
        if scores.shape[1] < 2 * sum(min(len(units(way)) for way in those) for those in ways) // 2:
            continue
        labels = align_words(scores, known, list(zip(names, ways, strict=True)))
        gap = float((scores.max(axis=0) - scores[labels, np.arange(len(labels))]).mean())
        if np.isfinite(gap) and gap <= FARTHEST:
            found.append((features, torch.from_numpy(labels)))
    return found


def cost(layers: Layers, change: Change, known: Sequence[int], examples: Sequence[Example]) -> torch.Tensor:
    """Return the mean cross-entropy of both heads."""
    anywhere = torch.tensor(known)
    total, frames = torch.zeros(()), 0
    for features, labels in examples:
        phones, words = outputs_of(layers, change, features)
        total = total - phones[anywhere[labels], torch.arange(len(labels))].sum() / 2
        total = total - words[labels, torch.arange(len(labels))].sum() / 2
        frames += len(labels)
    return total / frames


def learnt(
    layers: Layers, known: Sequence[int], examples: Sequence[Example], others: Sequence[Example], steps: int
) -> tuple[Change, list[float]]:
    """Return the change after so many steps.

    The second part is what `others` cost at the start and after each of `STEPS`.
    """
    change = [(one.requires_grad_(), other.requires_grad_()) for one, other in nothing_changed(layers)]
    optimiser = torch.optim.Adam([part for pair in change for part in pair], lr=RATE)
    told: list[float] = []

    def tell() -> None:
        if others:
            with torch.no_grad():
                told.append(float(cost(layers, change, known, others)))

    tell()
    for step in range(1, steps + 1):
        optimiser.zero_grad()
        far = sum(((one**2).sum() + (other**2).sum() for one, other in change), torch.zeros(()))
        (cost(layers, change, known, examples) + NEAR * far / sum(len(one) for one, _ in change)).backward()
        optimiser.step()
        if step in STEPS:
            tell()
    return [(one.detach(), other.detach()) for one, other in change], told


def answer_adaptation(message: dict[str, object]) -> dict[str, object]:
    """Return the adaptation for some readings, none where it would not help.

    `before`, `after`: the cost of what was not learnt from.
    """
    try:
        ask = msgspec.convert(message, AdaptationTask)
    except msgspec.ValidationError as wrong:
        raise Complaint(f"The request to fit our own model is not well-formed ({wrong}).") from None
    torch.manual_seed(1)
    torch.set_num_threads(1)
    folder = Path(ask.folder)
    acoustics = (folder / NETWORK).read_bytes()
    known = read_outputs(folder / OUTPUTS)
    layers = network_of(acoustics)
    examples = examples_of(layers, known, ask)
    if len(examples) < max(8, HOLD * len(ask.readings)):
        return {"readings": len(examples)}
    anywhere = known.anywhere()
    halves = [examples[0::2], examples[1::2]]
    curves = [learnt(layers, anywhere, halves[place], halves[1 - place], STEPS[-1])[1] for place in (0, 1)]
    means = np.mean(curves, axis=0)
    best = int(means.argmin())
    told: dict[str, object] = {"readings": len(examples), "before": float(means[0]), "after": float(means[best])}
    if means[best] > (1 - LEAST_GAIN) * means[0]:
        return told
    change, _ = learnt(layers, anywhere, examples, (), STEPS[best - 1])
    fitted = pack_adaptation(acoustics, [(one.numpy(), other.numpy()) for one, other in change])
    return {**told, "adaptation": msgspec.to_builtins(fitted)}


if __name__ == "__main__":
    serve_child(answer_adaptation, hello={"engine": "adapting"})
