"""The weights of a model in CTranslate2's form (`model.bin`).

The file is a list of named arrays: the version of the form, the name and version of the kind of model, then each array
with its name, shape, type and bytes, then other names for some of them. Whoever served the file is not trusted: every
length is checked before it is believed.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from speech.complaint import Complaint, Phrase

_TYPES: dict[int, np.dtype[Any]] = dict(enumerate(map(np.dtype, ("<f4", "i1", "<i2", "<i4", "<f2"))))
_FORM = 6
_KIND = "WhisperSpec"
_MOST_ARRAYS = 10_000

Array = npt.NDArray[np.generic]


class _Reader:
    """A place in the file."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> memoryview:
        part = self._data[self._at : self._at + count]
        if len(part) != count:
            raise ValueError("it ends too early")
        self._at += count
        return part

    def number(self, form: str) -> int:
        return int(struct.unpack(f"<{form}", self.take(struct.calcsize(form)))[0])

    def text(self) -> str:
        """Read a text: its length with a closing zero, then its bytes."""
        return bytes(self.take(self.number("H"))).rstrip(b"\0").decode("utf-8")


def read_weights(file: Path, beginning: str = "") -> Mapping[str, Array]:
    """Return the arrays whose names begin with `beginning`, as the file has them; the file is mapped, not read.

    Raises `Complaint` where the file is no Whisper model in CTranslate2's form.
    """
    try:
        mapped = np.memmap(file, np.uint8, "r")
        return _arrays(_Reader(mapped.data), beginning)
    except (OSError, ValueError, struct.error) as wrong:
        raise Complaint(Phrase("whisper.unusable", place=file, why=wrong)) from None


def _arrays(reader: _Reader, beginning: str) -> Mapping[str, Array]:
    form, kind = reader.number("I"), reader.text()
    if form != _FORM or kind != _KIND:
        raise ValueError(f"{kind} in form {form}, not {_KIND} in form {_FORM}")
    reader.number("I")
    found: dict[str, Array] = {}
    for _ in range(min(reader.number("I"), _MOST_ARRAYS)):
        name = reader.text()
        shape = [reader.number("I") for _ in range(reader.number("B"))]
        kept = _TYPES.get(reader.number("B"))
        data = reader.take(reader.number("I"))
        if kept is None:
            raise ValueError(f"{name} is of an unknown type")
        if name.startswith(beginning):
            found[name] = np.frombuffer(data, kept).reshape(shape)
    for _ in range(min(reader.number("I"), _MOST_ARRAYS)):
        other, name = reader.text(), reader.text()
        if name in found:
            found[other] = found[name]
    return found
