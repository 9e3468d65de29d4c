"""The nine penalties of 12.9, in ascending severity (L144)."""

from __future__ import annotations

from typing import Literal

import msgspec

Effect = Literal[
    "none",
    "opponent_time",
    "offender_time",
    "opponent_points",
    "offender_points",
    "loss",
    "fine",
    "rounds",
    "event",
]


class Penalty(msgspec.Struct, frozen=True):
    """One penalty: `text` is (language, words). Which effect it has on clock or result is told by `effect`."""

    id: str
    article: str
    effect: Effect
    text: tuple[tuple[str, str], ...]

    def words(self, language: str) -> str:
        """The words in a language, English where there are none."""
        texts = dict(self.text)
        return texts.get(language) or texts["en"]
