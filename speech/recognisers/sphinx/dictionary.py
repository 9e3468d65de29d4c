"""A dictionary goes to pocketsphinx as a file, which is gone as soon as a decoder has read it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def dictionary_file(ways: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Keep a file with the ways to say each word; it is closed, because Windows lets nobody read it before."""
    lines = (
        f"{word}({place + 1}) {way}\n" if place else f"{word} {way}\n"
        for word, all_ways in sorted(ways.items())
        for place, way in enumerate(all_ways)
    )
    with tempfile.TemporaryDirectory(prefix="anna-eins-") as folder:
        file = Path(folder) / "words.dict"
        file.write_text("".join(lines), encoding="ascii", newline="\n")
        yield str(file)
