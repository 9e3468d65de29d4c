"""SQLite's write-ahead file is looked through before it is opened, because SQLite itself passes over damage in it.

What was committed last stands in that file until it is folded into the journal. Where a bit of it has flipped, SQLite
takes what stands before it and drops the rest without a word, as after a write that was cut off. A write that was cut
off is the last one, however: the next commit begins only when the one before it is on the disk. So commits that stand
behind a place that is not as it was written were on the disk, and were acknowledged. The format is that of
https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import struct
from pathlib import Path

HEAD = struct.Struct(">IIIIIIII")  # magic, format, page size, checkpoint, two salts, two checksums
FRAME = struct.Struct(">IIIIII")  # page, pages after a commit (0 within one), two salts, two checksums
MAGIC = 0x377F0682
"""Its last bit says how the words of checksums are read: 0 for the smaller end first."""

MOST_BYTES = 64 * 1024 * 1024
"""A longer file is not looked through: it is folded in at 4 MiB, and only a reader that never ends keeps it longer."""


def commits_cut_off(path: Path) -> int:
    """Return how many commits stand behind the first place of a write-ahead file that is not as it was written.

    0 where there is no such place or no file, and 1 at most after a write that was cut off. Raises OSError.
    """
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return 0
    data = path.read_bytes()
    if len(data) < HEAD.size:
        return 0
    magic, _, page, _, *salts, first, second = HEAD.unpack_from(data)
    order = ">" if magic & 1 else "<"
    sums = _summed(data[:24], (0, 0), order)
    if magic & ~1 != MAGIC or sums != (first, second) or not 512 <= page <= 65_536:
        return 0  # nothing can be told about the frames of such a file
    right, cut_off = True, 0
    for at in range(HEAD.size, len(data) - FRAME.size - page + 1, FRAME.size + page):
        _, pages, *of, first, second = FRAME.unpack_from(data, at)
        if right:
            sums = _summed(data[at : at + 8] + data[at + FRAME.size : at + FRAME.size + page], sums, order)
            right = of == salts and sums == (first, second)
        if not right and of == salts and pages:
            cut_off += 1
    return cut_off


def _summed(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for left, right in zip(words[::2], words[1::2], strict=True):
        one = (one + left + two) & 0xFFFFFFFF
        two = (two + right + one) & 0xFFFFFFFF
    return one, two
