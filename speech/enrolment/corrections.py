"""Corrections of one ear's scores for one voice, learnt from readings that it heard. Pure.

An ear names several chains for each reading, and what was to be read is mostly among them. Each word gets so much more
or less (log units) that the chains which were read become the likelier ones; each word costs something to change, so
that a word of few readings changes little. Only words that were read change, and of ranks, files and pieces only all of
a kind together, their mean staying where it was: else a letter that nobody read would give way to the names that were.
All of it is tried first: each quarter of the readings is judged by what the
other three taught. Where it does not make what was read likelier there, no word is changed. How far the ear may be
trusted is counted in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from speech.announcements.understand import understand
from speech.hearing.confidence import Curve, certainty, meaning
from speech.recognisers.recogniser import Hypotheses, correct_for_voice
from speech.words.voice_profile import Correction

NATS = {"own": 2.0}
"""Log units of an ear in one nat, as far as its lists tell; one for an ear that is not named."""
COST = 0.3
"""Cost of changing a word (half the square of the change in nats)."""
MOST = 3.0
"""No word is changed by more (nats)."""
PARTS = 4
_TURNS, _STEP = 200, 0.05
_SPREAD = 0.7
"""How far the trust may move (standard deviation of the logit) before anything is known."""
LEAST_TRUST = -2.0
"""An ear is never trusted more than before: that brought no more right at once, and more talk that was read back."""

COMMANDS = "cmd"

Kinds = Mapping[str, frozenset[str]]
Floats = npt.NDArray[np.float64]


class HeardReading(msgspec.Struct, frozen=True):
    """One reading as an ear heard it: the words that were to be read, and the ear's list."""

    words: tuple[str, ...]
    found: Hypotheses


class _Case(msgspec.Struct, frozen=True):
    """One reading in numbers: of each chain its score, how often it has each word, whether it means what was read."""

    scores: Floats
    counts: Floats
    right: Floats


def correction_of(engine: str, heard: Sequence[HeardReading], curve: Curve, words: Iterable[str]) -> Correction | None:
    """Return the correction for this voice; None where none is needed.

    `curve`: how sure the ear is by itself; `words`: all that may be said.
    """
    kinds = _kinds(words)
    parts = [heard[place::PARTS] for place in range(PARTS)]
    taught = [
        word_changes(engine, [one for other in range(PARTS) if other != place for one in parts[other]], kinds)
        for place in range(PARTS)
    ]
    gained = [
        _likelihood(engine, part, words) - _likelihood(engine, part, {})
        for part, words in zip(parts, taught, strict=True)
    ]
    helped = sum(gained) > 0.0
    outcomes = [
        one
        for part, words in zip(parts, taught, strict=True)
        for one in outcomes_of(part, {engine: Correction(words if helped else {})}, curve)
    ]
    found = Correction(word_changes(engine, heard, kinds) if helped else {}, trust_of(outcomes))
    return found if found.words or found.trust else None


def outcomes_of(
    heard: Sequence[HeardReading], ears: Mapping[str, Correction], curve: Curve
) -> list[tuple[float, bool]]:
    """Return P(right) as thought, and whether it was right, of each reading in which something was heard."""
    found: list[tuple[float, bool]] = []
    for one in heard:
        put_right = correct_for_voice(one.found, ears)
        understood = understand(put_right.ranked[0].ids if put_right.ranked else ())
        if understood.kind != "none":
            right = meaning(understood) == meaning(understand(one.words))
            found.append((certainty(put_right, understood, curve), right))
    return found


def trust_of(outcomes: Sequence[tuple[float, bool]]) -> float:
    """Return the shift of the logit that makes these outcomes likeliest.

    An outcome is P(right) as it was thought, and whether it was right. The shift is never far from 0 on few outcomes,
    and never above it: too much trust costs a game.
    """
    steps = [step / 20 for step in range(round(LEAST_TRUST * 20), 1)]

    def cost(shift: float) -> float:
        total = shift * shift / (2 * _SPREAD**2)
        for thought, right in outcomes:
            share = min(max(thought, 1e-6), 1 - 1e-6)
            logit = math.log(share / (1 - share)) + shift
            total += math.log1p(math.exp(-logit if right else logit))
        return total

    return min(steps, key=cost)


def word_changes(engine: str, heard: Sequence[HeardReading], kinds: Kinds) -> dict[str, float]:
    """Return, by word id, what is added to a chain's score for it (log units of the ear)."""
    words, cases = _in_numbers(engine, heard)
    changes = np.zeros(len(words))
    for _ in range(_TURNS):
        slope = -COST * changes
        for case in cases:
            likely = _shares(case.scores + case.counts @ changes)
            wanted = likely * case.right
            slope = slope + (wanted / max(float(wanted.sum()), 1e-12) - likely) @ case.counts
        changes = np.clip(changes + _STEP * slope, -MOST, MOST)
    known = dict(zip(words, changes.tolist(), strict=True))
    read = _kinds(word for one in heard for word in one.words)
    nat = NATS.get(engine, 1.0)
    found: dict[str, float] = {}
    for kind, some in read.items():
        if kind == COMMANDS or some >= kinds.get(kind, some):
            mean = 0.0 if kind == COMMANDS else sum(known.get(word, 0.0) for word in some) / len(some)
            found |= {word: round((known.get(word, 0.0) - mean) * nat, 2) for word in some}
    return {word: change for word, change in sorted(found.items()) if change}


def _kinds(words: Iterable[str]) -> Kinds:
    """Return the words by their kind."""
    found: dict[str, frozenset[str]] = {}
    for word in words:
        kind = word.partition(".")[0]
        found[kind] = found.get(kind, frozenset()) | {word}
    return found


def _likelihood(engine: str, heard: Sequence[HeardReading], words: Mapping[str, float]) -> float:
    """Return the log probability of all that was read, as far as the lists name it."""
    known, cases = _in_numbers(engine, heard)
    changes = np.array([words.get(word, 0.0) for word in known]) / NATS.get(engine, 1.0)
    shares = [float((_shares(one.scores + one.counts @ changes) * one.right).sum()) for one in cases]
    return sum(math.log(max(share, 1e-9)) for share in shares)


def _in_numbers(engine: str, heard: Sequence[HeardReading]) -> tuple[tuple[str, ...], list[_Case]]:
    """Return every word of the lists, and the readings that a list names at all."""
    words = tuple(sorted({word for one in heard for chain in one.found.ranked for word in chain.ids}))
    place = {word: number for number, word in enumerate(words)}
    cases: list[_Case] = []
    for one in heard:
        truth = meaning(understand(one.words))
        right = np.array([float(meaning(understand(chain.ids)) == truth) for chain in one.found.ranked])
        if not right.any():
            continue
        counts = np.zeros((len(right), len(words)))
        for row, chain in enumerate(one.found.ranked):
            for word in chain.ids:
                counts[row, place[word]] += 1
        scores = np.array([chain.score for chain in one.found.ranked]) / NATS.get(engine, 1.0)
        cases.append(_Case(scores, counts, right))
    return words, cases


def _shares(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
