"""The word list that the smaller official Vosk models carry in graph/Gr.fst (OpenFst's format), read without Vosk.

An FST file begins with its type, its arcs' type and flags; flag 1 says that a table of input words follows the head,
flag 2 that a table of output words does. Whatever graph comes after them is not looked at.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from speech.complaint import Complaint

_FST = 2125659606
_TABLE = 2125658996
_HAS_INPUT, _HAS_OUTPUT = 1, 2
_LONGEST_WORD = 4096
_MOST_WORDS = 5_000_000


def words_in_graph(file: Path) -> frozenset[str] | None:
    """The words that the graph puts out, None where it carries no list. Raises `Complaint` where the file is broken."""
    try:
        with file.open("rb") as stream:
            return _words(stream)
    except (OSError, struct.error, UnicodeDecodeError, ValueError) as wrong:
        raise Complaint(f"The grammar graph {file} cannot be read ({wrong}): unpack the model again.") from None


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
