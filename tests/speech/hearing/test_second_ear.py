"""The ways in which the bench puts two models of our own together."""

from __future__ import annotations

import pytest

from speech.hearing.settings import load_hearing
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from tests.bench.second_ear import Found, both_agree, mean_of_both, own_alone, scores_averaged

NOTHING = Hypotheses("own", evidence={"words": 0.0, "frames": 100.0})
SPHINX = Hypotheses("sphinx")


def heard(words: str, lead: float, fit: float = -12.0) -> Hypotheses:
    """A chain that leads by so much over another move."""
    chains = [(words, -120.0), ("piece.rook file.h rank.8", -120.0 - lead)]
    ranked = tuple(Hypothesis(tuple(WordHeard(word, 0.99) for word in chain.split()), score) for chain, score in chains)
    evidence = {"words": 3.0, "frames": 100.0, "agreeing": 1.0, "fit": fit, "garbage": 50.0, "least": 0.99}
    return Hypotheses("own", ranked, evidence)


KNIGHT, BISHOP = "piece.knight file.f rank.3", "piece.bishop file.c rank.4"


def test_two_that_agree_are_as_sure_as_the_rule_says() -> None:
    settings = load_hearing()
    sure, unsure = heard(KNIGHT, 40.0), heard(KNIGHT, 4.0)
    found = Found(sure, SPHINX, unsure)
    alone = [own_alone(Found(one, SPHINX, NOTHING), settings)[0].confidence for one in (sure, unsure)]
    assert alone[0] > alone[1]
    assert both_agree(found, settings)[0].confidence == pytest.approx(alone[1])
    assert mean_of_both(found, settings)[0].confidence == pytest.approx(sum(alone) / 2)


def test_who_differs_or_hears_nothing_is_asked_again() -> None:
    settings = load_hearing()
    for other in (heard(BISHOP, 40.0), NOTHING):
        for rule in (both_agree, mean_of_both):
            done, asked = rule(Found(heard(KNIGHT, 40.0), SPHINX, other), settings)
            assert done.verdict in ("repeat", "reject") and asked == {"own", "second"}
    assert both_agree(Found(NOTHING, SPHINX, NOTHING), settings)[0].verdict == "reject"


def test_the_same_heard_twice_has_the_same_scores() -> None:
    settings = load_hearing()
    once = heard(KNIGHT, 7.0)
    twice, _ = scores_averaged(Found(once, SPHINX, once), settings)
    alone, _ = own_alone(Found(once, SPHINX, once), settings)
    assert [chain.score for chain in twice.hypotheses] == [chain.score for chain in alone.hypotheses]
    assert twice.verdict == alone.verdict and twice.confidence == pytest.approx(alone.confidence, abs=1e-3)
