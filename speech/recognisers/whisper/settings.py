"""This module reads how Whisper is asked (`config/whisper/hearing.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.abc import Traversable
from typing import Annotated

import msgspec

from speech.recognisers.whisper.search import Beam
from speech.words.config_file import read_source
from speech.words.language import FILES

LetterNames = Mapping[str, tuple[str, ...]]
"""Letter -> how a listener would write its name."""


class WhisperSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `WhisperSettings` are all of `config/whisper/hearing.toml`.

    `windows_s`: lengths of sound that are encoded; the shortest that holds the speech is taken. `pause_s`: a longer
    pause between two words is shortened to this. `beam`: how wide the search is. `letter_names`: language -> letter ->
    how its name is written.
    """

    windows_s: tuple[Annotated[int, msgspec.Meta(ge=2, le=30)], ...]
    pause_s: Annotated[float, msgspec.Meta(ge=0.02, le=1.0)]
    beam: Beam
    letter_names: Mapping[str, Mapping[str, tuple[str, ...]]]


@cache
def load_whisper(root: Traversable | None = None) -> WhisperSettings:
    """Read `config/whisper/hearing.toml`. Raises Complaint that names the file and the key path."""
    source = read_source("whisper/hearing.toml", root)
    found = source.shaped(WhisperSettings)
    if list(found.windows_s) != sorted(set(found.windows_s)) or not found.windows_s:
        raise source.complain("windows_s", "from short to long, at least one")
    for language, names in found.letter_names.items():
        source.exactly(names, f"letter_names.{language}", FILES)
    return found
