"""A place from which a model can be had may fail; then the next one is tried."""

from __future__ import annotations

from collections.abc import Callable

from speech.complaint import Phrase

Told = Callable[[int], None]
"""Is told how many bytes more are there; fewer where some were thrown away."""


class NotHad(Exception):
    """`NotHad` says why a model could not be had from one place."""

    def __init__(self, why: str | Phrase) -> None:
        super().__init__(why)
