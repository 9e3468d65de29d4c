"""Shares with Wilson's 95 % interval, and tables in Markdown that can be read as they stand."""

from __future__ import annotations

from collections.abc import Sequence

from speech.hearing.shares import bounds, percent, rare

__all__ = ["bounds", "brief", "percent", "rare", "table"]


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
