"""The confidence of our own model, fitted clean and in all surroundings.

    python -m speech.training.model.fitting --work build/model --model build/model/d21

The voices neither train nor measure. The block is written for a person to judge and to copy into
`config/hearing.toml`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
import numpy as np

from speech.announcements.understand import understand
from speech.hearing.confidence import FIGURES, meaning
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.pool import RecogniserPool
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.common.evidence import Evidence
from speech.training.common.logistic import Curves, area, fit_curve, likelihoods
from speech.training.common.planned_utterances import Kind
from speech.training.model.corpora.corpus import RATE, CorpusLine, Samples, utterances
from speech.training.model.corpora.plan import HELD_OUT
from speech.training.model.corpora.surroundings import nothing_said, surround_utterance
from speech.words.grammar import announcement_grammar
from speech.words.loading import load_scheme

RIGHT_FIGURES = ("lead", "garbage", "agreeing", "words", "command")
FOR_US_FIGURES = ("lead", "garbage", "agreeing", "fit", "length")
NOISES = 60
SEED = 5


def chain(line: CorpusLine) -> tuple[str, ...] | None:
    """Return the word ids that were said.

    The tuple is empty for something that is none of ours; another language or an unclear utterance gives None.
    """
    tokens: list[str] = []
    for before, one in zip((None, *line.sounded), line.sounded, strict=False):
        if before is None or one.token != before.token or (before.end < one.start - 0.02):
            tokens.append(one.token)
    if not all(tokens):
        # Words of ours among strange ones: nobody could say what is right.
        return None if any(tokens) else ()
    words = tuple(token.removeprefix("de:") for token in tokens)
    return words if announcement_grammar(("file", "nato")).accepts(words) else None


async def collect_evidence(work: Path, model: Path) -> list[Evidence]:
    """Return the evidence of every held out utterance that can be judged, and of noises.

    It is an announcement, a command, or nothing of ours.
    """
    recogniser = RecogniserPool(lambda: OwnRecogniser(model))
    vocabulary = vocabulary_of(load_scheme("d21", "de"))
    chance = np.random.default_rng(SEED)
    plan: list[tuple[Kind, str, tuple[str, ...], Samples]] = []
    voices: list[Samples] = []
    for part in HELD_OUT:
        for line, samples in utterances(work / "corpus" / part.name):
            words = chain(line)
            if words is None:
                continue
            voices.append(samples)
            kind: Kind = "free" if not words else "command" if words[0].startswith("cmd.") else "announcement"
            plan.append((kind, line.speaker, words, np.pad(samples, RATE // 5)))
            plan.append((kind, line.speaker, words, surround_utterance(samples, (), chance, voices).samples))
    plan += [("noise", f"noise {turn}", (), nothing_said(chance, voices) * 0.1) for turn in range(NOISES)]

    async def hear_one(kind: Kind, speaker: str, words: tuple[str, ...], samples: Samples) -> Evidence | None:
        level = 0.5 / max(1e-6, float(np.abs(samples).max()))
        found = await recogniser.recognise((samples * level * 32767).astype("<i2").tobytes(), vocabulary)
        understood = understand(found.ranked[0].ids if found.ranked else ())
        if understood.kind == "none":
            return None
        right = bool(words) and meaning(understood) == meaning(understand(words))
        return Evidence(kind, speaker, {name: figure(found, understood) for name, figure in FIGURES.items()}, right)

    await recogniser.start()
    try:
        every = await asyncio.gather(*(hear_one(*one) for one in plan))
    finally:
        await recogniser.close()
    return [one for one in every if one is not None]


def describe_separation(evidence: list[Evidence], curves: Curves) -> str:
    """Return how well the curves separate the evidence they are fitted on."""
    right = [one.right for one in evidence]
    chances = likelihoods(evidence, curves.right)
    lines = [f"{len(evidence)} heard, {sum(right)} right; AUC right {area(chances, right):.3f}"]
    ours = [one.for_us for one in evidence]
    lines[0] += f", for us {area(likelihoods(evidence, curves.for_us), ours):.3f}"
    for step in (0.5, 0.65, 0.8, 0.87, 0.9, 0.95, 0.97, 0.99):
        taken = chances >= step
        wrong = int((taken & ~np.array(right)).sum())
        lines.append(f"from {step}: {taken.sum()} taken ({(taken & np.array(ours)).sum()} for us), {wrong} wrong")
    return "\n".join(f"# {line}" for line in lines)


@click.command()
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--model", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(work: Path, model: Path) -> None:
    """Fit, and show both curves as they stand in config/hearing.toml."""
    evidence = asyncio.run(collect_evidence(work, model))
    curves = Curves(
        right=fit_curve(evidence, RIGHT_FIGURES, [one.right for one in evidence]),
        for_us=fit_curve(evidence, FOR_US_FIGURES, [one.for_us for one in evidence]),
    )
    click.echo(describe_separation(evidence, curves))
    for name, curve in (("right", curves.right), ("for_us", curves.for_us)):
        click.echo(f"\n[{name}.own]\nbase = {curve.base}\n\n[{name}.own.weights]")
        for figure, weight in curve.weights.items():
            click.echo(f"{figure} = {weight}")


if __name__ == "__main__":
    main()
