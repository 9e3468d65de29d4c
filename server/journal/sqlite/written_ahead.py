"""SQLite's write-ahead file is looked through before it is opened, because SQLite itself passes over damage in it.

What was committed last stands in that file until it is folded into the journal. Where a bit of it has flipped, SQLite
takes what stands before it and drops the rest without a word, as after a write that was cut off. A write that was cut
off is the last one, however: the next commit begins only when the one before it is on the disk. So commits that stand
behind a place that is not as it was written were on the disk, and were acknowledged. The format is that of
https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path

import msgspec

HEAD = struct.Struct(">IIIIIIII")  # magic, format, page size, checkpoint, two salts, two checksums
FRAME = struct.Struct(">IIIIII")  # page, pages after a commit (0 within one), two salts, two checksums
MAGIC = 0x377F0682
"""Its last bit says how the words of checksums are read: 0 for the smaller end first."""
PAGE = 4_096
"""The size of a page where the head of the file does not say it."""

MOST_BYTES = 64 * 1024 * 1024
"""A longer file is not looked through: it is folded in at 4 MiB, and only a reader that never ends keeps it longer."""


class _Frame(msgspec.Struct, frozen=True):
    """One page of the write-ahead log. `right`: the checksums up to here agree."""

    number: int
    commits: bool
    right: bool
    page: bytes


def commits_cut_off(path: Path) -> int:
    """Return how many commits stand behind the first place of a write-ahead file that is not as it was written.

    0 where there is no such place or no file, and 1 at most after a write that was cut off. Raises OSError.
    """
    return sum(frame.commits and not frame.right for frame in _frames(path))


def pages_ahead(path: Path) -> list[tuple[int, bytes]]:
    """Return the pages of all commits in a write-ahead file, with their numbers, also behind a damaged place.

    Raises OSError.
    """
    found: list[tuple[int, bytes]] = []
    waiting: list[tuple[int, bytes]] = []
    for frame in _frames(path):
        waiting.append((frame.number, frame.page))
        if frame.commits:
            found += waiting
            waiting = []
    return found


def _frames(path: Path) -> list[_Frame]:
    """Return the frames of a write-ahead file that were written since it was last folded in, right or not."""
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return []
    data = path.read_bytes()
    if len(data) < HEAD.size:
        return []
    magic, _, page, _, *salts, first, second = HEAD.unpack_from(data)
    order = ">" if magic & 1 else "<"
    sums = _add_to_sums(data[:24], (0, 0), order)
    right = magic & ~1 == MAGIC and sums == (first, second) and 512 <= page <= 65_536
    if not right:  # the head itself is damaged: what its frames have in common is what it said
        page = PAGE
        starts = range(HEAD.size, len(data) - FRAME.size - page + 1, FRAME.size + page)
        common = Counter(FRAME.unpack_from(data, at)[2:4] for at in starts).most_common(1)
        salts = [*common[0][0]] if common else salts
    found = []
    for at in range(HEAD.size, len(data) - FRAME.size - page + 1, FRAME.size + page):
        number, pages, *of, first, second = FRAME.unpack_from(data, at)
        body = data[at + FRAME.size : at + FRAME.size + page]
        if right:
            sums = _add_to_sums(data[at : at + 8] + body, sums, order)
            right = of == salts and sums == (first, second)
        if right or of == salts:
            found.append(_Frame(number, bool(pages), right, body))
    return found


def _add_to_sums(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for left, right in zip(words[::2], words[1::2], strict=True):
        one = (one + left + two) & 0xFFFFFFFF
        two = (two + right + one) & 0xFFFFFFFF
    return one, two
