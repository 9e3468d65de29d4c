"""Fit the curves of `config/hearing.toml` for the decoder as it is configured, with our own voices.

    python -m speech.training.fitting_confidence --out curves.toml

Two logistic curves (is the best hypothesis right? was it for us at all?), L2-regularised, by Newton's method. Every
fifth voice is held out: the curves are fitted on the others and measured on these, beside the curves in force. The
block is written for a person to judge and to copy; `config/hearing.toml` is never written.
"""

from __future__ import annotations

import asyncio
import textwrap
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import click
import msgspec
import numpy as np
import numpy.typing as npt

from speech.children import ChildFailed
from speech.complaint import Complaint
from speech.confidence import Curve
from speech.hearing import Thresholds, load_hearing, recognisers
from speech.loading import load_scheme
from speech.training.collecting_evidence import Evidence, collected
from speech.training.planned_utterances import VARIANTS, planned

RIGHT_FIGURES = ("lead", "fit", "worst", "shortest", "words", "agreeing", "command")
FOR_US_FIGURES = ("lead", "fit", "worst", "shortest", "words", "agreeing", "length")
STRENGTH = 0.01
"""Of the regularisation, for each utterance, on the weights of standardised figures."""
ITERATIONS = 60
LONGEST_STEP = 2.0
"""In standardised units: where the figures part the classes cleanly, Newton's steps would run away."""

Floats = npt.NDArray[np.float64]


class Curves(msgspec.Struct, frozen=True):
    """Both curves of one engine."""

    right: Curve
    for_us: Curve


def held_out(evidence: Sequence[Evidence]) -> frozenset[str]:
    """Every fifth speaker (and every fifth noise), in the order of `VARIANTS`, others after them by name."""
    order = {name: place for place, name in enumerate(VARIANTS)}
    speakers = sorted({one.speaker for one in evidence}, key=lambda name: (order.get(name, len(order)), name))
    return frozenset(speakers[4::5])


def fit_curve(evidence: Sequence[Evidence], figures: Sequence[str], truth: Sequence[bool]) -> Curve:
    """The logistic curve over these figures that makes `truth` likeliest. Raises Complaint where all of it is alike."""
    if len(set(truth)) < 2:
        raise Complaint("All utterances came out alike, so there is nothing to tell apart; take more of them.")
    rows = np.array([[one.figures[name] for name in figures] for one in evidence], dtype=np.float64)
    target = np.array(truth, dtype=np.float64)
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread < 1e-9, 1.0, spread)
    design = np.column_stack([np.ones(len(rows)), (rows - middle) / spread])
    # The base is not drawn to zero; a trace of strength keeps the matrix regular.
    strength = len(rows) * STRENGTH * np.array([1e-6, *[1.0] * len(figures)])
    weights = np.zeros(design.shape[1])
    for _ in range(ITERATIONS):
        chance = _logistic(design @ weights)
        slope = design.T @ (chance - target) + strength * weights
        bend = design.T @ (design * (chance * (1 - chance))[:, None]) + np.diag(strength)
        step = np.linalg.solve(bend, slope)
        weights = weights - step / max(1.0, float(np.linalg.norm(step)) / LONGEST_STEP)
    scaled = weights[1:] / spread
    return Curve(
        base=round(float(weights[0] - (scaled * middle).sum()), 3),
        weights={name: round(float(weight), 3) for name, weight in zip(figures, scaled, strict=True)},
    )


def fit_curves(evidence: Sequence[Evidence]) -> Curves:
    """Both curves from all of the evidence. Raises Complaint where it holds only one kind of outcome."""
    return Curves(
        right=fit_curve(evidence, RIGHT_FIGURES, [one.right for one in evidence]),
        for_us=fit_curve(evidence, FOR_US_FIGURES, [one.for_us for one in evidence]),
    )


def likelihoods(evidence: Sequence[Evidence], curve: Curve) -> Floats:
    """What the curve makes of each, 0 to 1."""
    totals = [sum(weight * one.figures[name] for name, weight in curve.weights.items()) for one in evidence]
    return _logistic(np.array(totals, dtype=np.float64) + curve.base)


def area(scores: Floats, truth: Sequence[bool]) -> float:
    """The area under the ROC curve: how often a true one scores higher than a false one; NaN where all are alike."""
    true = np.array(truth, dtype=bool)
    if true.all() or not true.any():
        return float("nan")
    gaps = scores[true][:, None] - scores[~true][None, :]
    return float((gaps > 0).mean() + 0.5 * (gaps == 0).mean())


def measured(evidence: Sequence[Evidence], curves: Curves, steps: Thresholds) -> str:
    """One sentence: areas, and what the thresholds would do with this evidence."""
    right, for_us = likelihoods(evidence, curves.right), likelihoods(evidence, curves.for_us)
    true, ours = np.array([one.right for one in evidence]), np.array([one.for_us for one in evidence])
    kept = for_us >= steps.for_us
    accepted = kept & (right >= steps.accept)
    confirmed = kept & (right >= steps.confirm) & ~accepted
    return (
        f"AUC right {area(right, true.tolist()):.3f}, for us {area(for_us, ours.tolist()):.3f}; "
        f"from {steps.accept:g} on {accepted.sum()} of {len(true)} accepted, {(accepted & ~true).sum()} of them wrong; "
        f"from {steps.confirm:g} on {confirmed.sum()} more read back, {(confirmed & ~true).sum()} of them wrong; "
        f"below {steps.for_us:g} rejected: {(~kept & ~ours).sum()} of {(~ours).sum()} that were not for us, "
        f"{(~kept & ours).sum()} of {ours.sum()} that were."
    )


def block(curves: Curves, provenance: str) -> str:
    """The curves in the form of `config/hearing.toml`, with where they come from."""
    told = "\n".join(textwrap.fill(line, 118, break_on_hyphens=False) for line in provenance.splitlines())
    lines = ["[provenance]", f'sphinx = """\n{told}"""', ""]
    for name, curve in (("right", curves.right), ("for_us", curves.for_us)):
        lines += [f"[{name}.sphinx]", f"base = {curve.base}", "", f"[{name}.sphinx.weights]"]
        lines += [f"{figure} = {weight}" for figure, weight in curve.weights.items()] + [""]
    return "\n".join(lines)


def fitted_block(evidence: Sequence[Evidence], planned_count: int, command: str, seed: int) -> str:
    """Fit, measure on the voices held out, and say all of it in one block. Raises Complaint."""
    settings = load_hearing()
    aside = held_out(evidence)
    rest = [one for one in evidence if one.speaker not in aside]
    measuring = [one for one in evidence if one.speaker in aside]
    curves = fit_curves(rest)
    in_force = Curves(settings.right["sphinx"], settings.for_us["sphinx"])
    counts = Counter(one.kind for one in rest)
    speakers = [name for name in VARIANTS if any(one.speaker == name for one in evidence)]
    engines = ", ".join(f"{name} {version(name)}" for name in ("pocketsphinx", "pyttsx3", "espeakng-loader", "numpy"))
    return block(
        curves,
        f"""{command} (seed {seed}; {engines}).
Something well-formed was heard in {len(evidence)} of {planned_count} utterances; fitted on {len(rest)} of them
({", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))}).
Voices: eSpeak NG's {", ".join(name for name in speakers if name not in aside)}.
Held out: {", ".join(name for name in speakers if name in aside)} and every fifth noise, {len(measuring)} utterances.
These curves on them: {measured(measuring, curves, settings.thresholds)}
The curves in force on them: {measured(measuring, in_force, settings.thresholds)}
All voices are synthetic.""",
    )


async def _evidence(announcements: int, seed: int) -> tuple[int, list[Evidence]]:
    scheme = load_scheme("d21", "de")
    plan = planned(announcements, seed, scheme)
    (recogniser,) = recognisers("sphinx")
    try:
        return len(plan), await collected(plan, seed, scheme, recogniser)
    finally:
        await recogniser.close()


def _logistic(totals: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(totals, -50.0, 50.0))), dtype=np.float64)


def _is_in_force(out: Path) -> bool:
    return out.resolve() == Path(str(files("config").joinpath("hearing.toml"))).resolve()


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the block there too.")
@click.option("--announcements", default=288, show_default=True, help="How many; commands and the rest go with them.")
@click.option("--seed", default=21, show_default=True, help="What everything is drawn from.")
def main(out: Path | None, announcements: int, seed: int) -> None:
    """Fit the confidence curves anew and show them as a block for config/hearing.toml."""
    try:
        if out is not None and _is_in_force(out):
            raise Complaint("config/hearing.toml is in force and is not overwritten; name another file.")
        if out is not None and not out.absolute().parent.is_dir():
            raise Complaint(f"There is no folder {out.parent}; make it first.")
        count, evidence = asyncio.run(_evidence(announcements, seed))
        command = f"python -m speech.training.fitting_confidence --announcements {announcements}"
        text = fitted_block(evidence, count, command, seed)
        if out is not None:
            out.write_text(text, "utf-8")
    except (Complaint, ChildFailed, OSError) as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(text)


if __name__ == "__main__":
    main()
