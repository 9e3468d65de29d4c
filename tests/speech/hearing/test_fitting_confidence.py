"""The confidence curves can be fitted anew: on made-up figures, without sound."""

from __future__ import annotations

import math
import random

import pytest

from speech.announcements.understand import said_of_text
from speech.complaint import Complaint
from speech.hearing.confidence import FIGURES, Curve
from speech.training.common.evidence import Evidence
from speech.training.common.logistic import (
    Curves,
    area,
    fit_curve,
    likelihoods,
)
from speech.training.common.planned_utterances import (
    FOREIGN_SENTENCES,
    RESERVED,
    SENTENCES,
    VARIANTS,
    drawn_announcement,
    plan_utterances,
)
from speech.words.grammar import announcement_grammar
from speech.words.scheme import Scheme

RIGHT_FIGURES = ("lead", "fit", "worst", "shortest", "words", "agreeing", "command")
FOR_US_FIGURES = ("lead", "fit", "worst", "shortest", "words", "agreeing", "length")

# What the made-up utterances follow: a wide lead and agreement speak for "right", "worst" says nothing.
LEAD, AGREEING, BASE = 1.5, 2.0, -4.0


def fit_curves(evidence: list[Evidence]) -> Curves:
    """Both curves from all of the evidence."""
    return Curves(
        right=fit_curve(evidence, RIGHT_FIGURES, [one.right for one in evidence]),
        for_us=fit_curve(evidence, FOR_US_FIGURES, [one.for_us for one in evidence]),
    )


def made_up(count: int = 600, seed: int = 3) -> list[Evidence]:
    chance = random.Random(seed)
    found: list[Evidence] = []
    for turn in range(count):
        ours = turn % 4 != 3
        figures = {name: chance.gauss(0.0, 1.0) for name in FIGURES}
        figures["lead"], figures["agreeing"] = chance.uniform(0, 5), float(chance.random() < 0.5)
        figures["fit"] = chance.gauss(1.0 if ours else -1.0, 0.7)
        total = BASE + LEAD * figures["lead"] + AGREEING * figures["agreeing"]
        right = ours and chance.random() < 1 / (1 + math.exp(-total))
        found.append(Evidence("announcement" if ours else "free", VARIANTS[turn % len(VARIANTS)], figures, right))
    return found


def test_the_curve_that_made_the_figures_is_found_again() -> None:
    ours = [one for one in made_up(3000) if one.for_us]
    curve = fit_curve(ours, ("lead", "agreeing", "worst"), [one.right for one in ours])
    # The regularisation draws weights towards zero, never across it.
    assert 0.7 * LEAD < curve.weights["lead"] < 1.1 * LEAD
    assert 0.6 * AGREEING < curve.weights["agreeing"] < 1.1 * AGREEING
    assert abs(curve.weights["worst"]) < 0.2
    assert BASE * 1.2 < curve.base < BASE * 0.6


def test_both_curves_part_what_can_be_parted() -> None:
    evidence = made_up()
    curves = fit_curves(evidence)
    assert tuple(curves.right.weights) == RIGHT_FIGURES and tuple(curves.for_us.weights) == FOR_US_FIGURES
    assert curves.right.weights["lead"] > 0 and curves.right.weights["agreeing"] > 0
    assert curves.for_us.weights["fit"] > 0
    # Nothing can rank them better than the law that made them, but for luck: the fit comes close to it.
    ours = [one for one in evidence if one.for_us]
    truth = [one.right for one in ours]
    law, found = Curve(BASE, {"lead": LEAD, "agreeing": AGREEING}), fit_curve(ours, RIGHT_FIGURES, truth)
    best, fitted = (area(likelihoods(ours, curve), truth) for curve in (law, found))
    assert 0.8 < best < fitted + 0.03
    assert area(likelihoods(evidence, curves.for_us), [one.for_us for one in evidence]) > 0.95
    swapped = fit_curve(evidence, RIGHT_FIGURES, [not one.right for one in evidence])
    assert swapped.weights["lead"] < 0 and swapped.weights["agreeing"] < 0


def test_classes_that_are_wholly_apart_give_a_finite_curve() -> None:
    evidence = [
        Evidence("announcement", "f1", dict.fromkeys(FIGURES, float(turn)), right=turn >= 10) for turn in range(20)
    ]
    curve = fit_curve(evidence, ("fit",), [one.right for one in evidence])
    chances = likelihoods(evidence, curve)
    assert math.isfinite(curve.base) and chances[9] < 0.5 < chances[10]


def test_a_fit_is_the_same_every_time_and_in_any_order() -> None:
    evidence = made_up()
    curves = fit_curves(evidence)
    assert fit_curves(made_up()) == curves
    assert fit_curves(evidence[::-1]) == curves
    assert fit_curves(made_up(seed=4)) != curves


def test_outcomes_that_are_all_alike_are_refused() -> None:
    with pytest.raises(Complaint, match="alike"):
        fit_curve(made_up(), ("fit",), [True] * 600)


def test_the_area_counts_pairs() -> None:
    scores = likelihoods(made_up(4), Curve(0.0, {}))
    assert area(scores, [True, False, True, False]) == 0.5  # all scores equal
    evidence = [Evidence("free", "f1", {"fit": fit}, False) for fit in (0.0, 1.0, 2.0, 3.0)]
    scores = likelihoods(evidence, Curve(0.0, {"fit": 1.0}))
    assert area(scores, [False, True, False, True]) == 0.75


def test_no_reserved_voice_takes_part(german: Scheme) -> None:
    assert {"f5", "m7", "klatt2", "Storm"} == RESERVED
    assert not RESERVED.intersection(VARIANTS) and len(set(VARIANTS)) == len(VARIANTS)
    spoken = plan_utterances(288, 21, german)
    assert {one.speaker for one in spoken if one.segments} == set(VARIANTS)
    assert not RESERVED & {one.manner.variant for one in spoken}
    assert all(one.manner.variant in (None, one.speaker) for one in spoken)
    assert not any("+" in segment.voice_language for one in spoken for segment in one.segments)
    for name in sorted(RESERVED):
        with pytest.raises(Complaint, match="reserved"):
            plan_utterances(40, 21, german, ("f1", name))


def test_a_plan_hangs_on_its_seed_alone(german: Scheme) -> None:
    plan = plan_utterances(96, 5, german)
    assert plan == plan_utterances(96, 5, german) != plan_utterances(96, 6, german)
    assert {one.kind for one in plan} == {"announcement", "radio", "command", "free", "noise"}
    assert {one.noise_db for one in plan if one.kind == "announcement"} == {None, 20.0, 12.0}
    grammar = announcement_grammar(("file", "nato"), commands=True)
    for one in plan:
        assert grammar.accepts(one.words) if one.kind not in ("free", "noise") else one.words == ()
    with pytest.raises(Complaint, match="too few"):
        plan_utterances(19, 5, german)


def test_free_speech_is_no_announcement(german: Scheme) -> None:
    # What counts as "not for us" in the fit must not be for us.
    for sentence in SENTENCES + FOREIGN_SENTENCES:
        with pytest.raises(Complaint):
            said_of_text(sentence, german)


def test_announcements_of_every_length_are_drawn() -> None:
    chance = random.Random(1)
    assert {len(drawn_announcement(chance, "file")) for _ in range(300)} >= {1, 2, 3, 4, 5, 6}
