"""Kaldi's binary basics: tokens, numbers, vectors, matrices; all little-endian."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

HEADER = b"\0B"
"""First bytes of a binary Kaldi file."""

Array = npt.NDArray[np.float32]


def integer(value: int) -> bytes:
    """Return an int32, its size before it."""
    return b"\x04" + struct.pack("<i", value)


def single(value: float) -> bytes:
    """Return a float, its size before it."""
    return b"\x04" + struct.pack("<f", value)


def double(value: float) -> bytes:
    """Return a double, its size before it."""
    return b"\x08" + struct.pack("<d", value)


def integers(values: Sequence[int]) -> bytes:
    """Return a vector of int32: size of an element, count without a size of its own, elements."""
    return b"\x04" + struct.pack("<i", len(values)) + struct.pack(f"<{len(values)}i", *values)


def vector(values: Array) -> bytes:
    """Return a vector of floats."""
    return b"FV " + integer(len(values)) + values.astype("<f4").tobytes()


def matrix(values: Array) -> bytes:
    """Return a matrix of floats, row after row."""
    rows, columns = values.shape
    return b"FM " + integer(rows) + integer(columns) + values.astype("<f4").tobytes()


EMPTY = vector(np.zeros(0, np.float32))
"""A vector without elements."""
