"""`config/act_words/TAG.toml` is read and checked here: the words by which arbiters look for an act."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.abc import Traversable

import msgspec

from server.game.acts import acts
from speech.words.config_file import Text, read_source


class _ActWordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, tuple[Text, ...]]


@cache
def load_act_words(language: str, root: Traversable | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return act -> words in a language. Raises Complaint naming the file and the key path."""
    source = read_source(f"act_words/{language}.toml", root)
    words = source.shaped(_ActWordsFile).words
    offered = {str(one.__struct_config__.tag) for one in acts() if one.form is not None}
    for act, known in words.items():
        if act not in offered:
            raise source.complain(f"words.{act}", f'the arbiter\'s page offers no act "{act}"')
        if not known or len(set(known)) < len(known):
            raise source.complain(f"words.{act}", "write at least one word, and none twice")
    return words
