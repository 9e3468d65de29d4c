"""A folder with a Vosk model: is everything there, and which words does it know?

The word list that the smaller official Vosk models carry in graph/Gr.fst (OpenFst's format) is read without Vosk. An
FST file begins with its type, its arcs' type and flags; flag 1 says that a table of input words follows the head, flag
2 that a table of output words does. The graph after them is not looked at.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from speech.complaint import Complaint, Phrase

MODEL_VARIABLE = "ANNA_EINS_VOSK_MODEL"
"""The environment variable that names the model's folder."""

GARBAGE = "[unk]"
"""Name of an unknown word in a model."""

# What Vosk 0.3.45 needs of the usual layout; it says little about what is missing, and sometimes ends the process.
_NEEDED: tuple[tuple[str, ...], ...] = (
    ("am/final.mdl",),
    ("conf/model.conf",),
    ("conf/mfcc.conf", "conf/fbank.conf"),
    ("graph/HCLr.fst",),
    ("graph/Gr.fst",),
    ("graph/disambig_tid.int",),
)
_GRAPH, _WORDS = "graph/Gr.fst", "graph/words.txt"
_UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"))


def configured_model(named: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the model folder that is named here or in the environment, None where there is none."""
    path = named or os.environ.get(MODEL_VARIABLE)
    return Path(path) if path else None


def checked_model(folder: Path) -> Path:
    """Return the folder, if it can hold a model for run-time grammars.

    Raises `Complaint` that names what is missing.
    """
    if not folder.is_dir():
        raise Complaint(Phrase("model.no_folder", place=folder))
    for ways in _NEEDED:
        if not any((folder / way).is_file() for way in ways):
            raise Complaint(Phrase("model.lacks", place=folder, names=", ".join(ways)))
    if not (folder / _WORDS).is_file() and words_in_graph(folder / _GRAPH) is None:
        raise Complaint(Phrase("model.lacks", place=folder, names=f"{_WORDS},{_GRAPH}"))
    return folder


def words_of_model(folder: Path) -> frozenset[str]:
    """Return every word of the model, from graph/words.txt or from the list inside its graph.

    Raises `Complaint`.
    """
    if not (folder / _WORDS).is_file():
        return words_in_graph(folder / _GRAPH) or frozenset()
    try:
        lines = (folder / _WORDS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise Complaint(Phrase("files.unread", place=folder, why=wrong)) from None
    return frozenset(line.split()[0] for line in lines if line.split())


def spelled_as_known(form: str, known: frozenset[str]) -> str | None:
    """Return a spoken form as the model spells it, None where it cannot be.

    Small letters, and umlauts or their ASCII forms, are tried.

    >>> spelled_as_known("Fuenf", frozenset({"fünf"}))
    'fünf'
    """
    parts: list[str] = []
    for word in form.replace("-", " ").split():
        for way in _ways(word):
            if way in known:
                parts.append(way)
                break
        else:
            return None
    return " ".join(parts) or None


def _ways(word: str) -> tuple[str, ...]:
    ways = [word, word.lower()]
    marked = plain = word.lower()
    for ascii_form, umlaut in _UMLAUTS:
        marked = marked.replace(ascii_form, umlaut)
        plain = plain.replace(umlaut, ascii_form)
    return (*ways, marked, plain, plain.replace("ß", "ss"), marked.replace("ss", "ß"))


def known_forms(forms: Mapping[str, tuple[str, ...]], known: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Return the forms of each word id as the model spells them; empty where it has none of them."""
    return {
        word: tuple(dict.fromkeys(way for form in ways if (way := spelled_as_known(form, known)) is not None))
        for word, ways in forms.items()
    }


_FST = 2125659606
_TABLE = 2125658996
_HAS_INPUT, _HAS_OUTPUT = 1, 2
_LONGEST_WORD = 4096
_MOST_WORDS = 5_000_000


def words_in_graph(file: Path) -> frozenset[str] | None:
    """Return the words that the graph puts out, None where it carries no list.

    Raises `Complaint` where the file is broken.
    """
    try:
        with file.open("rb") as stream:
            return _words(stream)
    except (OSError, struct.error, UnicodeDecodeError, ValueError) as wrong:
        raise Complaint(Phrase("files.unread", place=file, why=wrong)) from None


def _words(stream: BinaryIO) -> frozenset[str] | None:
    (magic,) = _numbers(stream, "<i")
    if magic != _FST:
        raise ValueError("it is no OpenFst file")
    _text(stream)
    _text(stream)
    _version, flags, _properties, _start, _states, _arcs = _numbers(stream, "<iiQqqq")
    if not flags & _HAS_OUTPUT:
        return None
    if flags & _HAS_INPUT:
        _table(stream)
    return _table(stream)


def _table(stream: BinaryIO) -> frozenset[str]:
    (magic,) = _numbers(stream, "<i")
    if magic != _TABLE:
        raise ValueError("its word list is damaged")
    _text(stream)
    _available, count = _numbers(stream, "<qq")
    if not 0 <= count <= _MOST_WORDS:
        raise ValueError("its word list is damaged")
    found: set[str] = set()
    for _ in range(count):
        found.add(_text(stream))
        _numbers(stream, "<q")
    return frozenset(found)


def _text(stream: BinaryIO) -> str:
    (length,) = _numbers(stream, "<i")
    if not 0 <= length <= _LONGEST_WORD:
        raise ValueError("a word in it is damaged")
    data = stream.read(length)
    if len(data) < length:
        raise ValueError("it is cut short")
    return data.decode("utf-8")


def _numbers(stream: BinaryIO, form: str) -> tuple[int, ...]:
    data = stream.read(struct.calcsize(form))
    if len(data) < struct.calcsize(form):
        raise ValueError("it is cut short")
    found: tuple[int, ...] = struct.unpack(form, data)
    return found
