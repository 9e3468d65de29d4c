"""A watch on whether the decoders of one engine disagree while somebody speaks. Pure.

The watch only says when a second ear should begin to listen; what was heard, and what follows from it, is decided at
the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from speech.recognisers.lexicon import word_of

TWICE = 2
"""Times in a row that decoders must differ: the ends of words come later at one speed than at another."""


class Watch:
    """Watch over one utterance: `take` each report on it as it comes."""

    def __init__(self) -> None:
        self._torn = 0
        self.in_doubt = False
        """Once this is true it stays true."""

    def take(self, so_far: object) -> None:
        """Take what each decoder has heard so far (tokens with spaces between); anything else is ignored."""
        if isinstance(so_far, list) and all(isinstance(one, str) for one in so_far):
            words = [one.split() for one in so_far]
            self._torn = self._torn + 1 if differ(words) or command(words) else 0
            self.in_doubt = self.in_doubt or self._torn >= TWICE


def differ(heard: Sequence[Sequence[str]]) -> bool:
    """Return whether any two of these differ by more than one being farther on than the other.

    >>> differ([["rook", "d"], ["rook"], ["rook", "d", "4"]]), differ([["rook", "d"], ["rook", "e", "4"]])
    (False, True)
    """
    longest = max(heard, key=len, default=[])
    return any(list(one) != list(longest[: len(one)]) for one in heard)


def command(heard: Sequence[Sequence[str]]) -> bool:
    """Return whether all of these begin with a word of a command: that is never taken from one ear."""
    return bool(heard) and all(one and word_of(one[0]).startswith("cmd.") for one in heard)
