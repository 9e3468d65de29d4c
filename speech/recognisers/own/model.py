"""The folder of our own small model, and the strict grammar it is given.

The model is shipped with the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import msgspec

from speech.recognisers.checked_words import Weights
from speech.recognisers.lexicon import GARBAGE, SILENCE, load_lexicon, token, units
from speech.recognisers.own.inventory import Inventory
from speech.recognisers.own.kaldi.folder import Search
from speech.recognisers.own.kaldi.grammar_graph import grammar_graph
from speech.recognisers.own.kaldi.lexicon_graph import lexicon_graph
from speech.recognisers.recogniser import Vocabulary
from speech.recognisers.vocabulary import prune_grammar
from speech.words.config_file import read_source
from speech.words.language import WORD_IDS

NETWORK = "final.mdl"
"""The file of a model's folder that holds its network."""

OUTPUTS = "outputs.json"
"""The file of a model's folder that lists what its network tells apart."""


class OwnSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of `config/own_model.toml`.

    `garbage_cost`: -log p of a strange utterance, `garbage_phone_cost`: of each phone of it besides. `departure_cost`:
    -log p that the departure square is said besides the arrival square. `search`: how the decoder searches. `weights`:
    word id -> how likely it is. `speeds`: how much slower each hearing of the same utterance is; `alternatives`: how
    many chains each may name.
    """

    garbage_cost: float
    garbage_phone_cost: float
    departure_cost: float
    search: Search
    speeds: Annotated[tuple[Annotated[float, msgspec.Meta(ge=0.5, le=2)], ...], msgspec.Meta(min_length=1)]
    alternatives: Annotated[int, msgspec.Meta(ge=1, le=50)]
    weights: Weights


def load_own_settings(root: Traversable | None = None) -> OwnSettings:
    """Read `config/own_model.toml`. Raises Complaint that names the file and the key path."""
    source = read_source("own_model.toml", root)
    found = source.in_shape(OwnSettings)
    source.exactly(found.weights, "weights", WORD_IDS, every=False)
    return found


def shipped_model() -> Path | None:
    """Return the folder of the model that came with the program, or None.

    An installation may have no model: it is an optional part.
    """
    place = files("speech").joinpath("models", "d21")
    return place if isinstance(place, Path) and place.is_dir() else None


class StrictModel(msgspec.Struct, frozen=True):
    """Measure of what the model must hear.

    It has HCLr.fst and Gr.fst, its words in order (the first has number 1), and each one's id. `missing`: word ids that
    no lexicon tells how to say.
    """

    lexicon: bytes
    grammar: bytes
    words: tuple[str, ...]
    ids: Mapping[str, str]
    missing: tuple[str, ...]


def strict_model(vocabulary: Vocabulary, known: Inventory, settings: OwnSettings) -> StrictModel:
    """Return a model of everything well-formed of the vocabulary that a lexicon has.

    Besides that there is only garbage. Raises Complaint where a lexicon is wrong.
    """
    used = vocabulary.grammar.words()
    lexica = {language: load_lexicon(language) for language in {vocabulary.languages[word] for word in used}}
    ways = {word: lexica[vocabulary.languages[word]].get(word, ()) for word in used}
    tokens = {word: token(vocabulary.languages[word], word) for word in used if ways[word]}
    words = (*tokens.values(), GARBAGE)
    numbers = {name: number for number, name in enumerate(words, 1)}
    garbage = numbers[GARBAGE]
    lexicon = lexicon_graph(
        {
            numbers[name]: [[known.number(unit, name) + 1 for unit in units(way)] for way in ways[word]]
            for word, name in tokens.items()
        },
        silence_phone(known),
        garbage,
        [place + 1 for place, (unit, name) in enumerate(known.outputs) if not name and unit != SILENCE],
        settings.garbage_phone_cost,
    )
    grammar = grammar_graph(
        prune_grammar(vocabulary.grammar, frozenset(tokens)),
        {word: numbers[name] for word, name in tokens.items()},
        garbage,
        garbage_cost=settings.garbage_cost,
        departure_cost=settings.departure_cost,
        weights=settings.weights,
    )
    missing = tuple(word for word in used if word not in tokens)
    return StrictModel(lexicon, grammar, words, {name: word for word, name in tokens.items()}, missing)


def silence_phone(known: Inventory) -> int:
    """Return the number of silence among the phones of the transition model."""
    return known.number(SILENCE, "") + 1
