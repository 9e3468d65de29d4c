"""The settings of Whisper (`config/whisper/hearing.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated

import msgspec

from speech.recognisers.whisper.search import Beam
from speech.words.config_file import language_has, language_tags, of_language, read_source
from speech.words.language import FILES

LETTERS = "hearing/whisper.toml"
LetterNames = Mapping[str, tuple[str, ...]]
"""Letter -> how a listener would write its name."""


class WhisperSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `config/whisper/hearing.toml`.

    `windows_s`: lengths of sound that are encoded; the shortest that holds the speech is taken. `pause_s`: a longer
    pause between two words is shortened to this. `beam`: how wide the search is. `letter_names`: language -> letter ->
    how its name is written, from `hearing/whisper.toml` of each language that has one.
    """

    windows_s: tuple[Annotated[int, msgspec.Meta(ge=2, le=30)], ...]
    pause_s: Annotated[float, msgspec.Meta(ge=0.02, le=1.0)]
    beam: Beam
    letter_names: Mapping[str, LetterNames] = {}


class _LettersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    letter_names: LetterNames


@cache
def load_whisper(root: Traversable | None = None) -> WhisperSettings:
    """Read `config/whisper/hearing.toml`. Raises Complaint that names the file and the key path."""
    source = read_source("whisper/hearing.toml", root)
    found = source.in_shape(WhisperSettings)
    if list(found.windows_s) != sorted(set(found.windows_s)) or not found.windows_s:
        raise source.complain("windows_s", "from short to long, at least one")
    names = {tag: _letter_names(tag, root) for tag in language_tags(root) if language_has(tag, LETTERS, root)}
    return msgspec.structs.replace(found, letter_names=names)


def _letter_names(language: str, root: Traversable | None) -> LetterNames:
    source = read_source(of_language(language, LETTERS), root)
    names = source.in_shape(_LettersFile).letter_names
    source.exactly(names, "letter_names", FILES)
    return names
