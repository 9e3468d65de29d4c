"""A share is so many of so many, told with Wilson's 95 % interval, so that few cases do not look like proof. Pure."""

from __future__ import annotations

import math

Z = 1.96
"""How many standard deviations 95 % of a normal distribution lie within."""


def bounds(hits: int, count: int) -> tuple[float, float]:
    """Return the interval of a share, 0 to 1. `count` is above 0.

    >>> [round(one, 3) for one in bounds(0, 100)]
    [0.0, 0.037]
    """
    share = hits / count
    middle = share + Z * Z / (2 * count)
    wide = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count**2))
    whole = 1 + Z * Z / count
    return max(0.0, (middle - wide) / whole), min(1.0, (middle + wide) / whole)


def percent(hits: int, count: int) -> str:
    """Return the share and its interval, in percent; "-" of nothing."""
    if not count:
        return "-"
    low, high = bounds(hits, count)
    return f"{100 * hits / count:.1f} [{100 * low:.1f} {100 * high:.1f}]"


def rare(hits: int, count: int) -> str:
    """Return how often something that should never happen did, and the upper end of its interval in percent."""
    return f"{hits} of {count} (< {100 * bounds(hits, count)[1]:.2f})" if count else "-"
