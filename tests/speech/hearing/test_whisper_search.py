"""How Whisper's search goes along a word graph, with a decoder that was told what to think."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest

from speech.recognisers.lexicon import languages_heard
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.whisper.features import FRAME, STEP, Floats, log_mel, without_long_pauses
from speech.recognisers.whisper.recogniser import prompt_languages
from speech.recognisers.whisper.search import Beam, Graph, Search, Signs
from speech.recognisers.whisper.settings import load_whisper
from speech.recognisers.whisper.spellings import known_tokens, spellings_of
from speech.recognisers.whisper.text_decoder import Context, TextDecoder
from speech.words.config_file import config_root, names_in
from speech.words.loading import load_scheme

END, COMMA, STOP, OTHER = 9, 7, 8, 6
TOKENS = 10
# 0: start, 1: a piece was said, 2: a file, 3: a rank, with which all is said.
GRAPH = Graph(4, 0, [3], [(0, "piece.king", 1), (0, "file.a", 2), (1, "file.a", 2), (2, "rank.1", 3), (2, "rank.2", 3)])
WAYS = {"piece.king": [(0,)], "file.a": [(1, 2), (3,)], "rank.1": [(4,)], "rank.2": [(5,)]}
SIGNS = Signs(END, (COMMA, STOP))


class Told:
    """A decoder that knows how likely each token is after each text; what it was not told is unlikely."""

    def __init__(self, likely: dict[tuple[int, ...], dict[int, float]]) -> None:
        self._likely = likely
        self._texts: list[tuple[int, ...]] = []
        self._among: list[int] = []

    def begin(self, prompt: Sequence[int], among: Sequence[int]) -> tuple[Floats, Context]:
        self._texts, self._among = [()], list(among)
        return self._logs(), _context(1)

    def follow(self, tokens: Sequence[int], context: Context) -> tuple[Floats, Context]:
        rows = context.layers[0][0][:, 0, 0, 0].astype(int)
        self._texts = [(*self._texts[row], token) for row, token in zip(rows, tokens, strict=True)]
        return self._logs(), _context(len(tokens))

    def _logs(self) -> Floats:
        logs = np.full((len(self._texts), TOKENS), -30.0, np.float32)
        for row, text in enumerate(self._texts):
            for token, share in self._likely.get(text, {}).items():
                logs[row, token] = np.log(share)
        return logs[:, self._among]


def _context(count: int) -> Context:
    rows = np.arange(count, dtype=np.float32).reshape(count, 1, 1, 1)
    return Context([(rows, rows)], np.zeros((1, 1), np.float32))


def test_only_what_the_graph_has_is_found_and_ways_to_write_it_are_added_up() -> None:
    likely = {
        (): {1: 0.5, 3: 0.4, OTHER: 0.05},
        (1,): {2: 1.0},
        (1, 2): {4: 0.6, 5: 0.4},
        (3,): {4: 0.9, END: 0.1},
        (1, 2, 4): {END: 1.0},
        (1, 2, 5): {END: 1.0},
        (3, 4): {END: 1.0},
    }
    found = Search(GRAPH, WAYS, SIGNS, Beam()).chains_in(Told(likely), [(0,)])
    scores = {chain: score for chain, score in found.ranked if score > -20}
    assert set(scores) == {("file.a", "rank.1"), ("file.a", "rank.2")}
    assert scores["file.a", "rank.1"] == pytest.approx(np.log(0.5 * 0.6 + 0.4 * 0.9), abs=1e-4)
    assert found.ranked[0][0] == ("file.a", "rank.1")
    assert found.text == (3, 4), "the likeliest way to write it"


def test_a_comma_or_a_full_stop_may_follow_a_word_and_ends_nothing() -> None:
    likely = {(): {0: 1.0}, (0,): {STOP: 1.0}, (0, STOP): {3: 1.0}, (0, STOP, 3): {COMMA: 1.0}}
    likely |= {(0, STOP, 3, COMMA): {5: 1.0}, (0, STOP, 3, COMMA, 5): {STOP: 1.0}}
    likely |= {(0, STOP, 3, COMMA, 5, STOP): {END: 1.0}}
    found = Search(GRAPH, WAYS, SIGNS, Beam()).chains_in(Told(likely), [(0,)])
    assert found.ranked[0][0] == ("piece.king", "file.a", "rank.2")
    assert found.ranked[0][1] == pytest.approx(0.0, abs=1e-4)


def test_a_word_more_is_worth_its_bonus() -> None:
    likely = {(): {0: 0.4, 3: 0.6}, (0,): {3: 1.0}, (3,): {4: 1.0}, (0, 3): {4: 1.0}}
    likely |= {(3, 4): {END: 1.0}, (0, 3, 4): {END: 1.0}}
    short = Search(GRAPH, WAYS, SIGNS, Beam()).chains_in(Told(likely), [(0,)])
    long = Search(GRAPH, WAYS, SIGNS, Beam(word_bonus=2.0)).chains_in(Told(likely), [(0,)])
    assert (short.ranked[0][0], long.ranked[0][0]) == (("file.a", "rank.1"), ("piece.king", "file.a", "rank.1"))
    assert long.plain == pytest.approx(np.log(0.4), abs=1e-4), "the evidence is without it"


def test_a_square_said_twice_is_no_move() -> None:
    graph = Graph(
        5, 0, [2, 4], [(0, "file.a", 1), (1, "rank.1", 2), (2, "file.a", 3), (3, "rank.1", 4), (3, "rank.2", 4)]
    )
    likely = {(): {3: 1.0}, (3,): {4: 1.0}, (3, 4): {3: 0.9, END: 0.1}, (3, 4, 3): {4: 0.9, 5: 0.1}}
    likely |= {(3, 4, 3, 4): {END: 1.0}, (3, 4, 3, 5): {END: 1.0}}
    found = Search(graph, WAYS, SIGNS, Beam()).chains_in(Told(likely), [(0,)])
    assert ("file.a", "rank.1", "file.a", "rank.1") not in dict(found.ranked)


def test_every_word_of_every_scheme_can_be_written() -> None:
    tokens, names = known_tokens(), load_whisper().letter_names
    for scheme, language in itertools.product(names_in(config_root(None), "schemes"), languages_heard()):
        vocabulary = vocabulary_of(load_scheme(scheme, language))
        for word, forms in vocabulary.forms.items():
            lacking = [
                text
                for text in spellings_of(word, forms, names.get(vocabulary.languages[word], {}))
                if text not in tokens
            ]
            assert not lacking, f"python -m speech.training.whisper_tokens MODEL: {lacking}"


def test_announcements_and_commands_are_begun_in_their_own_languages() -> None:
    assert prompt_languages(vocabulary_of(load_scheme("d21", "de"))) == ["de"]
    assert prompt_languages(vocabulary_of(load_scheme("d21", "hu"))) == ["de", "hu"]
    assert prompt_languages(vocabulary_of(load_scheme("national", "ar"))) == ["ar"]


def test_a_tone_stands_in_its_band_and_a_length_is_filled_up() -> None:
    tone = np.sin(2 * np.pi * 1000 * np.arange(16_000) / 16_000).astype(np.float32)
    found = log_mel(tone, 2)
    assert found.shape == (80, 200)
    assert found[:, 50].argmax() == pytest.approx(27, abs=1), "15 Mels of 45, in 80 bands: 1 kHz"
    assert found[:, 150].max() == found.min(), "silence is 8 below the loudest"


def test_long_pauses_are_shortened_and_short_ones_stay() -> None:
    loud = np.sin(np.arange(STEP * 40)).astype(np.float32)
    speech = np.concatenate([loud, np.zeros(STEP * 50, np.float32), loud, np.zeros(STEP * 4, np.float32), loud])
    assert len(without_long_pauses(speech, 0.1)) == STEP * (40 * 3 + 10 + 4)
    assert FRAME == 400


def some(*shape: int) -> Floats:
    """Return weights of this shape, the same in each run."""
    return np.random.default_rng(sum(shape)).normal(0, 0.3, shape).astype(np.float32)


def weights_of_a_decoder(width: int, tokens: int) -> dict[str, np.typing.NDArray[np.generic]]:
    """Return the weights of a decoder of two layers; its projection is the embeddings by another name, as Whisper's."""
    weights: dict[str, np.typing.NDArray[np.generic]] = {
        "decoder/num_heads": np.asarray(2, np.int16),
        "decoder/embeddings/weight": (embeddings := some(tokens, width)),
        "decoder/projection/weight": embeddings,
        "decoder/position_encodings/encodings": some(16, width),
        **{f"decoder/layer_norm/{one}": some(width) for one in ("gamma", "beta")},
    }
    for layer in range(2):
        for part in ("self_attention", "attention", "ffn"):
            for one in ("gamma", "beta"):
                weights[f"decoder/layer_{layer}/{part}/layer_norm/{one}"] = some(width)
        shapes = {
            "self_attention/linear_0": (3 * width, width),
            "self_attention/linear_1": (width, width),
            "attention/linear_0": (width, width),
        }
        shapes |= {
            "attention/linear_1": (2 * width, width),
            "attention/linear_2": (width, width),
            "ffn/linear_0": (4 * width, width),
        }
        shapes |= {"ffn/linear_1": (width, 4 * width)}
        for name, shape in shapes.items():
            weights[f"decoder/layer_{layer}/{name}/weight"] = some(*shape)
            weights[f"decoder/layer_{layer}/{name}/bias"] = some(shape[0])
    return weights


def test_tokens_one_by_one_are_as_likely_as_all_at_once() -> None:
    width, tokens = 8, 12
    decoder, every = TextDecoder(weights_of_a_decoder(width, tokens), range(tokens)), range(tokens)
    decoder.listen(some(5, width))
    whole, _ = decoder.begin([1, 2, 3, 4], every)
    logs, context = decoder.begin([1, 2], every)
    for token in (3, 4):
        logs, context = decoder.follow([token, 7], context.of([0, 0]))
        context = context.of([0])
    assert np.allclose(logs[0], whole[0], atol=1e-5)
    assert not np.allclose(logs[1], whole[0], atol=1e-3)
    assert np.exp(whole).sum() == pytest.approx(1.0, abs=1e-5)


def test_of_tokens_that_no_word_is_written_with_nothing_is_kept() -> None:
    """A model of 50,000 tokens has 100 MB of them, and names them twice."""
    weights = weights_of_a_decoder(16, 20_000)
    tracemalloc.start()
    try:
        decoder = TextDecoder(weights, range(100))
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert decoder.longest == 16 and kept < weights["decoder/embeddings/weight"].nbytes / 10
