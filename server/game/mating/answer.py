"""The answer to "can this player ever mate?", and the budget it may cost (5.1.2, 5.2.2, 6.9)."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["yes", "no", "unknown"]


class Answer(msgspec.Struct, frozen=True):
    """What was found, and on what it rests.

    A "yes" carries its proof: `witness`, the moves of both sides in UCI, played from the position asked about, the last
    of which is the mate (empty where the mate stands on the board). A "no" names in `reason` the argument that excludes
    every mate. An "unknown" says in `reason` why nothing was proved; the arbiter decides.
    """

    verdict: Verdict
    witness: tuple[str, ...] = ()
    reason: str = ""


class Budget(msgspec.Struct, frozen=True):
    """How much may be looked at: the number of positions generated. No time is measured, so an answer is repeatable."""

    nodes: int


DEFAULT = Budget(nodes=40_000)
