"""The hypotheses of several recognisers ("ears"), or of one sound said twice, put together. Pure.

It finds what was most probably said, and how sure that is, without any position. Each engine names a few chains with
scores of its own. What they mean is put together: a meaning that one engine puts second and the other first may lead.
The probability of being right is a curve over how far the meaning leads and over what each engine thinks of its own
best chain, whether they agree or not: agreement is never taken for certainty.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from speech.announcements.understand import understand
from speech.hearing.confidence import Curve, certainty, likelihood, meaning, without_far_rivals
from speech.recognisers.recogniser import Hypotheses, Hypothesis
from speech.words.said import Heard

WIDEST_GAP = 60.0
"""A chain that scores so much less (log units of its engine) counts as not named."""
WIDEST_LOGIT = 8.0
CANDIDATE_FIGURES = ("gap", "unlisted")
ENGINE_FIGURES = ("with", "same", "listed", "doubt", "us", "nothing")
"""The figures of each engine: its own logit where it heard the same, and 1 then; 1 where it names it at all; its logit
where it heard something else; its logit of being spoken to at all; 1 where it heard nothing well-formed."""
FOR_US_FIGURES = ("us", "nothing")
SHARED_FIGURES = ("share", "command", "short")
TWICE_FIGURES = ("share", "now", "now_other", "then", "then_other", "command")

Meaning = tuple[object, ...]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""A share or a probability, from 0 to 1."""


class Combination(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights with which the evidence of these engines is put together.

    It is in `config/hearing.toml`, `together."own+whisper"`. `candidates`: "ENGINE.gap" and "ENGINE.unlisted", what
    each costs (nats). `right`, `for_us`: curves over the figures of `figures_of` and `for_us_figures`. `before`: how
    much the first of two utterances of the same counts beside the second; `twice`: P(right) then, over `twice_figures`.
    """

    candidates: Mapping[str, Annotated[float, msgspec.Meta(ge=0)]]
    right: Curve
    for_us: Curve
    before: Share
    twice: Curve


class Ear(msgspec.Struct, frozen=True):
    """One engine's list for one utterance.

    It has what the engine found, what its best chain means, and how sure it is by itself (logits).
    """

    name: str
    found: Hypotheses
    heard: Heard
    right: float
    for_us: float


class Combined(msgspec.Struct, frozen=True):
    """Joint result of several ears on one utterance.

    `ranked`: a chain for each meaning, best first, scores in nats (log of its share).
    """

    ears: tuple[Ear, ...]
    ranked: tuple[Hypothesis, ...]

    @property
    def heard(self) -> Heard:
        """Return the most probable announcement; none where no engine heard anything well-formed."""
        return understand(self.ranked[0].ids) if self.ranked else Heard("none")


def logit(chance: float) -> float:
    """Return the logit of a probability, within +-`WIDEST_LOGIT`.

    >>> logit(0.5), logit(1.0)
    (0.0, 8.0)
    """
    if not 0.0 < chance < 1.0:
        return WIDEST_LOGIT if chance >= 1.0 else -WIDEST_LOGIT
    return max(-WIDEST_LOGIT, min(WIDEST_LOGIT, math.log(chance / (1.0 - chance))))


def sigmoid(total: float) -> float:
    """Return the probability of a logit."""
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, total))))


def ear_of(found: Hypotheses, right: Curve, for_us: Curve) -> Ear:
    """Return an engine's list, as far as it counts, with the curves that say how sure it is."""
    found = without_far_rivals(found)
    heard = understand(found.ranked[0].ids) if found.ranked else Heard("none")
    return Ear(
        found.engine, found, heard, logit(certainty(found, heard, right)), logit(likelihood(found, heard, for_us))
    )


def candidates_of(ear: Ear) -> dict[Meaning, tuple[Hypothesis, float]]:
    """Return, by meaning, its best chain and how far that falls short of the engine's best.

    The distance is in log units of the engine.
    """
    found: dict[Meaning, tuple[Hypothesis, float]] = {}
    for one in ear.found.ranked:
        heard = understand(one.ids)
        if heard.kind != "none":
            found.setdefault(meaning(heard), (one, max(0.0, ear.found.ranked[0].score - one.score)))
    return found


def candidate_figures(ears: Sequence[Ear]) -> dict[Meaning, dict[str, float]]:
    """Return, by meaning, "ENGINE.gap" and "ENGINE.unlisted", for all that any engine names.

    An engine that heard nothing well-formed adds nothing to any of them.
    """
    lists = {ear.name: candidates_of(ear) for ear in ears}
    found: dict[Meaning, dict[str, float]] = {}
    for one in dict.fromkeys(one for named in lists.values() for one in named):
        figures: dict[str, float] = {}
        for name, named in lists.items():
            widest = max((gap for _, gap in named.values()), default=0.0)
            gap = named[one][1] if one in named else widest
            figures[f"{name}.gap"] = math.sqrt(min(WIDEST_GAP, gap))
            figures[f"{name}.unlisted"] = float(bool(named) and one not in named)
        found[one] = figures
    return found


def combine_ears(ears: Sequence[Ear], how: Combination) -> Combined:
    """Return the joint result of the ears.

    The meanings are ranked by cost, each with the chain of the ear that likes it best.
    """
    costs = {
        one: sum(how.candidates.get(name, 0.0) * figure for name, figure in figures.items())
        for one, figures in candidate_figures(ears).items()
    }
    chains: dict[Meaning, tuple[float, Hypothesis]] = {}
    for ear in ears:
        for one, (chain, gap) in candidates_of(ear).items():
            cost = how.candidates.get(f"{ear.name}.gap", 0.0) * math.sqrt(min(WIDEST_GAP, gap)) - ear.right / 1e3
            if one not in chains or cost < chains[one][0]:
                chains[one] = cost, chain
    return Combined(tuple(ears), _rank_chains({one: (-cost, chains[one][1]) for one, cost in costs.items()}))


def _rank_chains(scored: Mapping[Meaning, tuple[float, Hypothesis]]) -> tuple[Hypothesis, ...]:
    """Return the chains best first, the scores as logs of shares."""
    if not scored:
        return ()
    top = max(score for score, _ in scored.values())
    whole = top + math.log(sum(math.exp(score - top) for score, _ in scored.values()))
    return tuple(
        msgspec.structs.replace(chain, score=score - whole)
        for score, chain in sorted(scored.values(), key=lambda one: (-one[0], one[1].ids))
    )


def figures_of(found: Combined) -> dict[str, float]:
    """Return the figures of the best meaning for the curve `right`."""
    heard = found.heard
    best = meaning(heard)
    figures = {
        "share": _share(found.ranked),
        "command": float(heard.kind == "command"),
        "short": float(len(heard.words) < 3),
    }
    for ear in found.ears:
        same, nothing = meaning(ear.heard) == best, ear.heard.kind == "none"
        figures[f"{ear.name}.with"] = ear.right if same else 0.0
        figures[f"{ear.name}.same"] = float(same)
        figures[f"{ear.name}.listed"] = float(best in candidates_of(ear))
        figures[f"{ear.name}.doubt"] = ear.right if not same and not nothing else 0.0
        figures[f"{ear.name}.us"] = 0.0 if nothing else ear.for_us
        figures[f"{ear.name}.nothing"] = float(nothing)
    return figures


def for_us_figures(found: Combined) -> dict[str, float]:
    """Return the figures for the curve `for_us`: each engine's own logit, whatever the meanings."""
    figures = {"share": _share(found.ranked)}
    for ear in found.ears:
        nothing = ear.heard.kind == "none"
        figures[f"{ear.name}.us"] = 0.0 if nothing else ear.for_us
        figures[f"{ear.name}.nothing"] = float(nothing)
    meanings = {meaning(ear.heard) for ear in found.ears}
    figures["agree"] = float(len(found.ears) > 1 and len(meanings) == 1)
    return figures


def _share(ranked: Sequence[Hypothesis]) -> float:
    return logit(math.exp(min(0.0, ranked[0].score))) if ranked else 0.0


def weigh(figures: Mapping[str, float], curve: Curve) -> float:
    """Return the probability by a curve, 0 to 1."""
    return sigmoid(curve.base + sum(weight * figures.get(name, 0.0) for name, weight in curve.weights.items()))


def right_of(found: Combined, how: Combination) -> float:
    """Return P(the best of all means what was said), 0 to 1; 0 where nothing well-formed was heard."""
    return weigh(figures_of(found), how.right) if found.ranked else 0.0


def p_addressed_to_program(found: Combined, how: Combination) -> float:
    """Return P(it was an announcement or a command at all), 0 to 1.

    It is 0 where nothing well-formed was heard.
    """
    return weigh(for_us_figures(found), how.for_us) if found.ranked else 0.0


def said_twice(then: Combined, now: Combined, how: Combination) -> tuple[Hypothesis, ...]:
    """Return the meanings of two utterances, the second on being asked again, weighed by both sounds.

    Only what the second utterance may have been counts: a player who says something else now is not held to what they
    said before.
    """
    first = {meaning(understand(one.ids)): one.score for one in then.ranked}
    floor = min([*first.values(), 0.0]) - 1.0
    return _rank_chains(
        {
            (one := meaning(understand(chain.ids))): (chain.score + how.before * first.get(one, floor), chain)
            for chain in now.ranked
        }
    )


def twice_figures(then: Combined, now: Combined, how: Combination) -> dict[str, float]:
    """Return the figures for the curve `twice`.

    It is the share of the best of both, and what each utterance says for or against it.
    """
    both = said_twice(then, now, how)
    heard = understand(both[0].ids) if both else Heard("none")
    figures = {"share": _share(both), "command": float(heard.kind == "command")}
    for name, one in (("now", now), ("then", then)):
        same, sure = meaning(one.heard) == meaning(heard), logit(right_of(one, how))
        figures[name] = sure if same else 0.0
        figures[f"{name}_other"] = 0.0 if same else 1.0 + max(0.0, sure + 2.0)
    return figures


def known_figures(engines: Sequence[str]) -> frozenset[str]:
    """Return every name that a curve over these engines may weigh."""
    each = {f"{name}.{figure}" for name in engines for figure in (*ENGINE_FIGURES, *FOR_US_FIGURES)}
    return frozenset({*SHARED_FIGURES, *TWICE_FIGURES, "agree", *each})
