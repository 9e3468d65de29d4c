"""The check of a file of pronunciations: known words, known phones, usable weights."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated

import msgspec

from speech.words.config_file import Source
from speech.words.language import WORD_IDS

Weights = Mapping[str, Annotated[float, msgspec.Meta(gt=0, le=1)]]
"""Word id -> how likely the word is where it may stand."""

Ways = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
"""The ways to say a word, each as phones separated by spaces."""


def check_ways(source: Source, path: str, table: Mapping[str, Ways], phones: Collection[str]) -> None:
    """Check the ways to say words, by word id.

    `path`: the key of the table, for the Complaint that is raised.
    """
    source.exactly(table, path, WORD_IDS, every=False)
    for word, ways in table.items():
        for way in ways:
            if not way.split() or not set(way.split()) <= set(phones):
                raise source.complain(f'{path}."{word}"', f'"{way}" has a phone that the model does not know')
