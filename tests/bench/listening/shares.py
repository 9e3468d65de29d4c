"""Shares with Wilson's 95 % interval, and tables in Markdown that can be read as they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z = 1.96


def bounds(hits: int, count: int) -> tuple[float, float]:
    """The interval of a share, 0 to 1. `count` above 0."""
    share = hits / count
    middle = share + Z * Z / (2 * count)
    wide = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count**2))
    whole = 1 + Z * Z / count
    return max(0.0, (middle - wide) / whole), min(1.0, (middle + wide) / whole)


def percent(hits: int, count: int) -> str:
    """The share and its interval, in percent; "-" of nothing."""
    if not count:
        return "-"
    low, high = bounds(hits, count)
    return f"{100 * hits / count:.1f} [{100 * low:.1f} {100 * high:.1f}]"


def rare(hits: int, count: int) -> str:
    """How often something that should never happen did, and the upper end of its interval in percent."""
    return f"{hits} of {count} (< {100 * bounds(hits, count)[1]:.2f})" if count else "-"


def brief(hits: int, count: int) -> str:
    """The share alone, in percent."""
    return f"{100 * hits / count:.1f}" if count else "-"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with its columns lined up; the first column is text, the others are figures."""
    wide = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [
            text.ljust(size) if place == 0 else text.rjust(size)
            for place, (text, size) in enumerate(zip(row, wide, strict=True))
        ]
        return f"| {' | '.join(cells)} |"

    rule = (
        "|"
        + "|".join("-" * (size + 2) if place == 0 else "-" * (size + 1) + ":" for place, size in enumerate(wide))
        + "|"
    )
    return "\n".join([line(head), rule, *(line(row) for row in rows)])
