"""Logistic curves of figures, L2-regularised, fitted by Newton's method.

They answer two questions: is the best hypothesis right, and was it for us at all?
`speech.training.curves.fit_together` (`make curves`) fits all of `config/hearing.toml` with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from speech.complaint import Complaint
from speech.hearing.confidence import Curve
from speech.training.common.evidence import Evidence

STRENGTH = 0.01
"""Strength of the regularisation for each utterance, on the weights of standardised figures."""
ITERATIONS = 60
LONGEST_STEP = 2.0
"""The longest step, in standardised units: where the figures separate the classes cleanly, Newton's steps would run
away.
"""

Floats = npt.NDArray[np.float64]


class Curves(msgspec.Struct, frozen=True):
    """Both curves of one engine."""

    right: Curve
    for_us: Curve


def fit_curve(evidence: Sequence[Evidence], figures: Sequence[str], truth: Sequence[bool]) -> Curve:
    """Return the logistic curve over these figures that makes `truth` likeliest.

    Raises Complaint where all of it is alike.
    """
    return fit_figures([one.figures for one in evidence], figures, truth)


def fit_figures(
    found: Sequence[Mapping[str, float]],
    figures: Sequence[str],
    truth: Sequence[bool],
    strength: float = STRENGTH,
    *,
    evenly: bool = False,
) -> Curve:
    """Do as `fit_curve`, from figures alone. `evenly`: as if both outcomes were equally frequent."""
    if len(set(truth)) < 2:
        raise Complaint("All utterances came out alike, so there is nothing to tell apart; take more of them.")
    rows = np.array([[one[name] for name in figures] for one in found], dtype=np.float64)
    target = np.array(truth, dtype=np.float64)
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread < 1e-9, 1.0, spread)
    share = target.mean()
    counts = np.where(target > 0, 0.5 / share, 0.5 / (1 - share)) if evenly else np.ones(len(rows))
    design = np.column_stack([np.ones(len(rows)), (rows - middle) / spread])
    # The base is not drawn to zero; a trace of strength keeps the matrix regular.
    pull = len(rows) * strength * np.array([1e-6, *[1.0] * len(figures)])
    weights = np.zeros(design.shape[1])
    for _ in range(ITERATIONS):
        chance = _logistic(design @ weights)
        slope = design.T @ (counts * (chance - target)) + pull * weights
        bend = design.T @ (design * (counts * chance * (1 - chance))[:, None]) + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        weights = weights - step / max(1.0, float(np.linalg.norm(step)) / LONGEST_STEP)
    scaled = weights[1:] / spread
    return Curve(
        base=round(float(weights[0] - (scaled * middle).sum()), 3),
        weights={name: round(float(weight), 3) for name, weight in zip(figures, scaled, strict=True)},
    )


def likelihoods(evidence: Sequence[Evidence], curve: Curve) -> Floats:
    """Return each one's probability by the curve, 0 to 1."""
    totals = [sum(weight * one.figures[name] for name, weight in curve.weights.items()) for one in evidence]
    return _logistic(np.array(totals, dtype=np.float64) + curve.base)


def area(scores: Floats, truth: Sequence[bool]) -> float:
    """Return the area under the ROC curve; NaN where all are alike.

    It is how often a true one scores higher than a false one.
    """
    true = np.array(truth, dtype=bool)
    if true.all() or not true.any():
        return float("nan")
    gaps = scores[true][:, None] - scores[~true][None, :]
    return float((gaps > 0).mean() + 0.5 * (gaps == 0).mean())


def _logistic(totals: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(totals, -50.0, 50.0))), dtype=np.float64)
