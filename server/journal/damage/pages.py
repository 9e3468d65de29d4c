"""The rows of a SQLite file are read page by page, without the tree that leads to them, where SQLite itself gives up.

Every page of the file, and every page that was written ahead with a commit, is looked through by itself: what can be
read as a row is one. So a page that is damaged, or a tree that leads nowhere, costs its own rows and no others. A row
found in this way may be an older one or nonsense; the caller must be able to tell (`salvage.py` does so by links and
digests). The format is that of https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from server.journal.sqlite.written_ahead import PAGE, pages_ahead

HEAD = 100
"""Bytes of the file before its first page's own head."""
LARGEST_ROW = 16 * 1024 * 1024
INTERIOR, LEAF, ROWS = 2, 10, 13
"""Kinds of pages that hold rows: of a tree without row numbers, above and below; of a tree with them."""

Value = int | float | str | bytes | None


class Row(msgspec.Struct, frozen=True):
    """One row of a table of SQLite, with its number where its table numbers the rows."""

    number: int
    """0 where the table has none."""
    values: tuple[Value, ...]


class _Unreadable(Exception):
    """Raised where a cell holds no row."""


def rows_in(path: Path) -> Iterator[Row]:
    """Yield whatever can be read as a row in a SQLite file and in what was written ahead of it; some come twice.

    Raises OSError.
    """
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    if size < 512 or size & (size - 1):
        size = PAGE
    pages = {at // size + 1: data[at : at + size] for at in range(0, len(data) - size + 1, size)}
    ahead = pages_ahead(path.with_name(path.name + "-wal"))
    # What runs over its page is looked for where it stands now: rows are only ever added.
    now = pages | {number: page for number, page in ahead if len(page) == size}
    seen: set[tuple[int, bytes]] = set()  # a page that was written again holds mostly what it held before
    for number, page in (*pages.items(), *ahead):
        if len(page) != size:
            continue
        for found in _rows_of(page, HEAD if number == 1 else 0, now.get):
            if found not in seen:
                seen.add(found)
                with suppress(_Unreadable, IndexError, UnicodeError):
                    yield Row(found[0], _values(found[1]))


def _rows_of(page: bytes, head: int, page_of: Callable[[int], bytes | None]) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers and bytes of what may be rows of one page, read as each kind of page that it may be.

    The byte that names the kind may be damaged.
    """
    count = int.from_bytes(page[head + 3 : head + 5], "big")
    for kind in (INTERIOR, LEAF, ROWS):
        first = head + (12 if kind == INTERIOR else 8)
        for at in range(first, min(first + 2 * count, len(page) - 1), 2):
            cell = int.from_bytes(page[at : at + 2], "big")
            with suppress(_Unreadable, IndexError):
                yield _cell(page, cell + 4 * (kind == INTERIOR), kind, page_of)


def _cell(page: bytes, at: int, kind: int, page_of: Callable[[int], bytes | None]) -> tuple[int, bytes]:
    length, at = _number(page, at)
    number = 0
    if kind == ROWS:
        number, at = _number(page, at)
    size = len(page)
    least = (size - 12) * 32 // 255 - 23
    most = size - 35 if kind == ROWS else (size - 12) * 64 // 255 - 23
    if not 1 < length <= LARGEST_ROW:
        raise _Unreadable
    here = length
    if length > most:
        here = least + (length - least) % (size - 4)
        here = here if here <= most else least
    found = page[at : at + here]
    if len(found) < here:
        raise _Unreadable
    if length > here:
        found = _run_over(found, int.from_bytes(page[at + here : at + here + 4], "big"), length, page_of)
    return number, found


def _run_over(found: bytes, number: int, length: int, page_of: Callable[[int], bytes | None]) -> bytes:
    """Return a row with its part on further pages."""
    parts, left = [found], length - len(found)
    while left > 0:
        page = page_of(number)
        if page is None:
            raise _Unreadable
        parts.append(page[4 : 4 + left])
        left -= len(page) - 4
        number = int.from_bytes(page[:4], "big")
    return b"".join(parts)


def _values(record: bytes) -> tuple[Value, ...]:
    end, at = _number(record, 0)
    kinds = []
    while at < end:
        kind, at = _number(record, at)
        kinds.append(kind)
    if at != end:
        raise _Unreadable
    values: list[Value] = []
    for kind in kinds:
        length = _length(kind)
        part = record[at : at + length]
        if len(part) < length:
            raise _Unreadable
        at += length
        values.append(_value(kind, part))
    if at != len(record):
        raise _Unreadable
    return tuple(values)


def _length(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    if kind in (10, 11):
        raise _Unreadable
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]


def _value(kind: int, part: bytes) -> Value:
    if kind >= 12:
        return part.decode() if kind % 2 else part
    if kind == 7:
        return float(struct.unpack(">d", part)[0])
    if kind in (8, 9):
        return kind - 8
    return int.from_bytes(part, "big", signed=True) if kind else None


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9
