"""Whisper's text decoder: encoded sound and the tokens so far in, how likely each next token is out.

CTranslate2 writes free text or aligns a given one; neither goes along a word graph. The decoder is small, so here it
is computed with numpy in single precision, for all hypotheses of a search at once, and only among the tokens that the
words of a vocabulary can be written with: the others need neither time nor memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from speech.recognisers.whisper.features import Floats
from speech.recognisers.whisper.weights import Array

Ints = npt.NDArray[np.int64]
_EPSILON = 1e-5
_EMBEDDINGS = "embeddings/weight"
_PROJECTION = "projection/weight"
"""The embeddings once more, by another name."""


class Context:
    """Words of each hypothesis so far, as keys and values of every layer.

    Their shape is (hypotheses, heads, tokens, width of a head). `among`: the vectors of the tokens that may follow.
    """

    def __init__(self, layers: Sequence[tuple[Floats, Floats]], among: Floats) -> None:
        self.layers = tuple(layers)
        self.among = among

    def of(self, hypotheses: Sequence[int]) -> Context:
        """Return the context of these hypotheses, in this order; one may be there twice."""
        rows = np.asarray(hypotheses, np.int64)
        return Context([(keys[rows], values[rows]) for keys, values in self.layers], self.among)


class TextDecoder:
    """Text decoder with the weights of one model; `listen` gives it the sound."""

    def __init__(self, weights: Mapping[str, Array], tokens: Iterable[int]) -> None:
        """`weights`: the arrays of `model.bin` whose names begin with "decoder/".

        `tokens`: those that it will ever be asked about, prompts among them; of the others nothing is kept. Raises
        `IndexError` where the model has not so many.
        """
        named = {name.removeprefix("decoder/"): array for name, array in weights.items()}
        self._heads = int(named["num_heads"])
        kept = sorted(set(tokens))
        self._places_of = {token: place for place, token in enumerate(kept)}
        self._words = np.asarray(named.pop(_EMBEDDINGS)[kept], np.float32)
        self._weights = {
            name: np.ascontiguousarray(np.asarray(array, np.float32).T)
            for name, array in named.items()
            if array.ndim and name != _PROJECTION
        }
        self._layers = sum(f"layer_{number}/ffn/linear_0/weight" in self._weights for number in range(64))
        self._places = np.ascontiguousarray(self._weights.pop("position_encodings/encodings").T)
        self._sound: list[tuple[Floats, Floats]] = []

    @property
    def longest(self) -> int:
        """Return how many tokens a text may have, with the prompt."""
        return len(self._places)

    def listen(self, encoded: Floats) -> None:
        """Take a sound as the encoder gives it (frames, width); all that follows is about this one."""
        self._sound = []
        for layer in range(self._layers):
            keys, values = np.split(self._linear(encoded, f"layer_{layer}/attention/linear_1"), 2, axis=1)
            self._sound.append(
                (np.ascontiguousarray(self._by_head(keys[None])[0].transpose(0, 2, 1)), self._by_head(values[None])[0])
            )

    def forget(self) -> None:
        """Let go of the sound."""
        self._sound = []

    def begin(self, prompt: Sequence[int], among: Sequence[int]) -> tuple[Floats, Context]:
        """Return log probabilities (1, `among`) of which of these tokens follows the prompt, and the context after it.

        They are shares among these alone. Raises `KeyError` for a token that was not named at first.
        """
        rows = self._words[[self._places_of[token] for token in among]]
        return self._forward([[self._places_of[token] for token in prompt]], None, np.ascontiguousarray(rows.T))

    def follow(self, tokens: Sequence[int], context: Context) -> tuple[Floats, Context]:
        """Return log probabilities (hypotheses, tokens) of what follows one more token of each hypothesis."""
        return self._forward([[self._places_of[token]] for token in tokens], context, context.among)

    def _forward(
        self, tokens: Sequence[Sequence[int]], context: Context | None, among: Floats
    ) -> tuple[Floats, Context]:
        before = 0 if context is None else context.layers[0][0].shape[2]
        rows: Ints = np.asarray(tokens, np.int64)
        count = rows.shape[1]
        x = self._words[rows] + self._places[before : before + count]
        ahead = np.triu(np.full((count, before + count), -np.inf, np.float32), before + 1) if count > 1 else None
        layers: list[tuple[Floats, Floats]] = []
        for layer in range(self._layers):
            name = f"layer_{layer}"
            before_attention = self._normal(x, f"{name}/self_attention/layer_norm")
            found = self._linear(before_attention, f"{name}/self_attention/linear_0")
            queries, keys, values = (self._by_head(part) for part in np.split(found, 3, axis=2))
            if context is not None:
                keys = np.concatenate([context.layers[layer][0], keys], axis=2)
                values = np.concatenate([context.layers[layer][1], values], axis=2)
            layers.append((keys, values))
            x = x + self._linear(self._attend(queries, keys, values, ahead), f"{name}/self_attention/linear_1")
            queries = self._by_head(
                self._linear(self._normal(x, f"{name}/attention/layer_norm"), f"{name}/attention/linear_0")
            )
            x = x + self._linear(self._attend_to_sound(queries, *self._sound[layer]), f"{name}/attention/linear_2")
            inner = self._linear(self._normal(x, f"{name}/ffn/layer_norm"), f"{name}/ffn/linear_0")
            x = x + self._linear(gelu(inner), f"{name}/ffn/linear_1")
        last = self._normal(x[:, -1], "layer_norm")
        return log_shares(last @ among), Context(layers, among)

    def _attend_to_sound(self, queries: Floats, keys: Floats, values: Floats) -> Floats:
        """Attend to the sound, which all hypotheses share: one product a head for all of them."""
        hypotheses, heads, count, width = queries.shape
        together = queries.transpose(1, 0, 2, 3).reshape(heads, hypotheses * count, width)
        found = shares((together * width**-0.5) @ keys) @ values
        return np.asarray(
            found.reshape(heads, hypotheses, count, width).transpose(1, 2, 0, 3).reshape(hypotheses, count, -1)
        )

    @staticmethod
    def _attend(queries: Floats, keys: Floats, values: Floats, ahead: Floats | None) -> Floats:
        fits = (queries * queries.shape[-1] ** -0.5) @ keys.transpose(0, 1, 3, 2)
        found = shares(fits if ahead is None else fits + ahead) @ values
        hypotheses, heads, count, width = found.shape
        return np.asarray(found.transpose(0, 2, 1, 3).reshape(hypotheses, count, heads * width))

    def _by_head(self, x: Floats) -> Floats:
        """Return (hypotheses, tokens, width) as (hypotheses, heads, tokens, width of a head)."""
        hypotheses, count, width = x.shape
        return np.ascontiguousarray(
            x.reshape(hypotheses, count, self._heads, width // self._heads).transpose(0, 2, 1, 3)
        )

    def _linear(self, x: Floats, name: str) -> Floats:
        """Return x times a weight, all rows of x in one product."""
        weight = self._weights[f"{name}/weight"]
        found = x.reshape(-1, x.shape[-1]) @ weight
        found += self._weights[f"{name}/bias"]
        return np.asarray(found.reshape(*x.shape[:-1], weight.shape[1]))

    def _normal(self, x: Floats, name: str) -> Floats:
        away = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((away * away).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        return np.asarray(away / spread * self._weights[f"{name}/gamma"] + self._weights[f"{name}/beta"])


def shares(x: Floats) -> Floats:
    """Return the softmax of the last axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def log_shares(x: Floats) -> Floats:
    """Return the logarithm of the softmax of the last axis."""
    x = x - x.max(axis=-1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(axis=-1, keepdims=True)))


def gelu(x: Floats) -> Floats:
    """Return x times the normal distribution function at x, to 2e-7 (Abramowitz and Stegun, 7.1.26)."""
    a = np.abs(x) * np.float32(0.70710678)
    t = 1.0 / (1.0 + np.float32(0.3275911) * a)
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.asarray(0.5 * x * (1.0 + np.sign(x) * (1.0 - series * np.exp(-a * a))), np.float32)
