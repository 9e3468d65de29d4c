"""A recogniser's figures turned into the probability that it is right.

No I/O, and no position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import msgspec

from speech.announcements.understand import understand
from speech.recognisers.recogniser import Hypotheses
from speech.words.said import Heard

WIDEST_LEAD = 60.0
"""A lead beyond this (log units) tells nothing more."""
COMMAND_RIVALS = 3.0
"""Beside a command of our own model only what scores so little less (log units) counts."""


class Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Logistic curve: P = 1 / (1 + exp(-(base + sum of weight times figure)))."""

    base: float
    weights: Mapping[str, float]


def lead(hypotheses: Hypotheses) -> float:
    """Return how far the best chain beats the best of those that mean something else.

    In log units, at most 60.
    """
    best = hypotheses.ranked[0]
    meant = meaning(understand(best.ids))
    others = [other.score for other in hypotheses.ranked[1:] if meaning(understand(other.ids)) != meant]
    return min([WIDEST_LEAD, *(max(0.0, best.score - score) for score in others)])


def without_far_rivals(found: Hypotheses) -> Hypotheses:
    """Return an engine's hypotheses, without the rivals of a command that our own model names far behind it.

    The curves were fitted on lists that named nothing so far behind. Announcements are judged by the whole list, to the
    safe side; by the whole list people's yes and no would nearly always be asked again, though hardly any is wrong.
    """
    if found.engine != "own" or not found.ranked or understand(found.ranked[0].ids).kind != "command":
        return found
    least = found.ranked[0].score - COMMAND_RIVALS
    evidence = dict(found.evidence)
    if evidence.get("garbage", 0.0) > COMMAND_RIVALS:
        evidence["garbage"] = WIDEST_LEAD
    return msgspec.structs.replace(
        found, ranked=tuple(one for one in found.ranked if one.score >= least), evidence=evidence
    )


def meaning(heard: Heard) -> tuple[object, ...]:
    """Return the parts that two chains of words must share to mean the same.

    "Bauer" before a single square and "nach" make no difference.
    """
    said = heard.said
    if said is not None and said.piece == "pawn" and said.from_square is None:
        said = msgspec.structs.replace(said, piece=None)  # "Eva vier" is the pawn's by usage (C.8)
    return heard.kind, said, heard.command


# What a curve may weigh, by name.
FIGURES: dict[str, Callable[[Hypotheses, Heard], float]] = {
    "lead": lambda found, heard: math.sqrt(lead(found)),
    "fit": lambda found, heard: found.evidence.get("fit", 0.0),
    "worst": lambda found, heard: found.evidence.get("worst", 0.0),
    "shortest": lambda found, heard: min(found.evidence.get("shortest", 0.0), 30.0) / 10.0,
    "words": lambda found, heard: found.evidence.get("words", 0.0),
    "agreeing": lambda found, heard: found.evidence.get("agreeing", 0.0),
    "least": lambda found, heard: found.evidence.get("least", 0.0),
    "mean": lambda found, heard: found.evidence.get("mean", 0.0),
    "garbage": lambda found, heard: found.evidence.get("garbage", 0.0) / 10.0,
    # Where the best text of all is a likely one, how far ours lies below it tells more than where it is none.
    "fluent": lambda found, heard: (
        found.evidence.get("garbage", 0.0) * math.exp(found.evidence.get("free", 0.0)) / 10.0
    ),
    "length": lambda found, heard: (
        found.evidence.get("frames", 0.0) / max(1.0, found.evidence.get("words", 1.0)) / 10.0
    ),
    "letters": lambda found, heard: float(sum(word.startswith("letter.") for word in found.ranked[0].ids)),
    "command": lambda found, heard: float(heard.kind == "command"),
}


def certainty(hypotheses: Hypotheses, heard: Heard, curve: Curve) -> float:
    """Return P(the best hypothesis means what was said), 0 to 1; 0 where nothing well-formed was heard."""
    if heard.kind == "none":
        return 0.0
    known = hypotheses.evidence.get("bias", 0.0)  # of a speaker whose voice was learnt
    return likelihood(hypotheses, heard, msgspec.structs.replace(curve, base=curve.base + known))


def likelihood(hypotheses: Hypotheses, heard: Heard, curve: Curve) -> float:
    """Return the probability by the curve, 0 to 1; 0 where no word was heard."""
    if not hypotheses.ranked:
        return 0.0
    total = curve.base + sum(weight * FIGURES[name](hypotheses, heard) for name, weight in curve.weights.items())
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, total))))
