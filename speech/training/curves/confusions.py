"""Counts of how the recogniser mishears words, for `config/confusions/ENGINE.toml`.

    python -m speech.training.curves.confusions [--announcements N] [--seed N] [--out FILE]
    python -m speech.training.curves.confusions --heard build/heard.jsonl --engines own+whisper [--out FILE]

Planned announcements are spoken to the real recogniser, only with voices that are not reserved for measuring
(`planned_utterances`), and its whole list is kept. Half of what was planned clean gets babble of other planned
utterances 20 dB below it.

A word is counted where the best hypothesis has the same shape as what was said (departure named or not), so that each
word stands against its own; a piece that was not named counts as one. Every pair starts with a small count, so that
nothing is impossible. How much the rest of the list and what sounds alike may be trusted is then chosen, on every
second utterance, as what makes the truth most probable, and is reported on the others.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import msgspec

from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.hearing.evidence import Confusions, Costs, expand_alternatives, slots_of
from speech.hearing.hearing import recognisers
from speech.hearing.settings import HearingSettings, load_hearing
from speech.hearing.verdict import judge_utterance
from speech.process import ChildFailed
from speech.recognisers.recogniser import Hypothesis, Recogniser, WordHeard
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.common.evidence import sound_of
from speech.training.common.planned_utterances import PlannedUtterance, plan_utterances
from speech.training.curves.babble import with_babble
from speech.training.curves.hall_hearing import HeardByEngines as HeardByAll
from speech.training.curves.hall_hearing import read_heard
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

BEFOREHAND = 0.2
"""The count with which every pair starts."""
ANYTHING = 400.0
"""The probability that the list leaves over is spread among so many announcements."""
SAID: Mapping[str, tuple[str, ...]] = {
    "files": tuple("abcdefgh"),
    "ranks": tuple("12345678"),
    "pieces": ("king", "queen", "rook", "bishop", "knight", "pawn", "none"),
    "castling": ("short", "long"),
}
_TRIED = ((0.7, 1.5, 16.0), (0.4, 0.7), (0.15, 0.25), (0.15, 0.5))
_MOST_TRIED = 150
"""Utterances on which each way of sharing is tried."""


def pairs_of(one: HeardUtterance) -> list[tuple[str, str, str]]:
    """Return kind, value said and word heard for each place that truth and best hypothesis both have."""
    if not one.ranked:
        return []
    truth = {s.place: s for s in slots_of(Hypothesis(tuple(WordHeard(word, 1.0) for word in one.said), 0.0))}
    best = {slot.place: slot for slot in slots_of(one.ranked[0])}
    if set(truth) != set(best):
        return []
    return [(truth[place].kind, truth[place].value, best[place].heard) for place in truth]


def count_confusions(utterances: Sequence[HeardUtterance]) -> tuple[dict[str, Costs], dict[str, float]]:
    """Return, for each kind, said -> heard -> cost, and the cost of any pair not counted."""
    counts = Counter(pair for one in utterances for pair in pairs_of(one))
    tables: dict[str, Costs] = {}
    unseen: dict[str, float] = {}
    for kind, said_values in SAID.items():
        words = sorted({heard for of, _, heard in counts if of == kind})
        places = max(len(said_values), len(words))
        rows: dict[str, dict[str, float]] = {}
        least = 0
        for said in said_values:
            own = {word: counts[kind, said, word] for word in words if counts[kind, said, word]}
            whole = sum(own.values()) + BEFOREHAND * places
            rows[said] = {word: round(-math.log((count + BEFOREHAND) / whole), 2) for word, count in own.items()}
            least = max(least, sum(own.values()))
        tables[kind] = rows
        unseen[kind] = round(-math.log(BEFOREHAND / (least + BEFOREHAND * places)), 2)
    return tables, unseen


def improbability(utterances: Sequence[HeardUtterance], confusions: Confusions) -> float:
    """Return the mean of -log P(what was said), in nats: less is better."""
    total = 0.0
    for one in utterances:
        said = understand(one.said).said
        found = expand_alternatives(one.ranked, one.confidence, confusions)
        chance = sum(math.exp(-way.cost) for way in found if way.said == said)
        left = max(0.0, 1.0 - sum(math.exp(-way.cost) for way in found))
        total -= math.log(chance + (left + 0.01) / ANYTHING)
    return total / max(1, len(utterances))


def fit_confusions(utterances: Sequence[HeardUtterance], provenance: str) -> tuple[Confusions, float]:
    """Return the counts of all, with the shares chosen on every second utterance.

    The second part is how improbable the truth is on the others.
    """
    tables, unseen = count_confusions(utterances)
    found = min(
        (
            Confusions(provenance, temperature, listed, near, spread, unseen, **tables)
            for temperature, listed, near, spread in itertools.product(*_TRIED)
            if listed + near <= 0.95
        ),
        key=lambda one: improbability(utterances[::2][:_MOST_TRIED], one),
    )
    return found, improbability(utterances[1::2][: 2 * _MOST_TRIED], found)


def confusions_toml(confusions: Confusions) -> str:
    """Return the text of the file."""
    lines = [
        "# How the recogniser mishears: said -> heard -> -log p(heard | said), nats (speech/hearing/evidence.py). "
        "Written by",
        "# speech/training/curves/confusions.py.",
        f'provenance = """{confusions.provenance}"""',
        "",
        "# What the best leaves: to the others of the list (scores over temperature), to what sounds like it.",
        f"temperature = {confusions.temperature}",
        f"listed = {confusions.listed}",
        f"nearby = {confusions.nearby}",
        f"spread = {confusions.spread}",
        "",
        "# A pair that was never counted.",
        "[unseen]",
        *(f"{kind} = {cost}" for kind, cost in confusions.unseen.items()),
    ]
    for kind in SAID:
        costs: Costs = getattr(confusions, kind)
        lines += ["", f"[{kind}]"]
        for said, row in costs.items():
            pairs = sorted(row.items(), key=lambda pair: (pair[1], pair[0]))
            inside = ", ".join(f'"{word}" = {cost}' for word, cost in pairs)
            lines.append(f"{said if not said.isdigit() else chr(34) + said + chr(34)} = {{ {inside} }}")
    return "\n".join(lines) + "\n"


def of_the_hall(heard: Sequence[HeardByAll], engines: Sequence[str]) -> list[HeardUtterance]:
    """Return every announcement of the hall plan as these engines together heard it.

    The settings in force are used.
    """
    settings, found = load_hearing(), []
    for one in heard:
        # Strangers' letters are there for the curves: so many would make a file's name as doubtful as a letter.
        letters = one.said.strange and any(word.startswith("letter.") for word in one.said.words)
        if letters or not all(engine in one.heard for engine in engines):
            continue
        # What another table's voice makes of a word is no way in which the word is misheard.
        if one.said.kind in ("announcement", "radio") and one.said.beside is None:
            done = judge_utterance([one.heard[engine] for engine in engines], settings)
            found.append(HeardUtterance(one.said.words, one.said.speaker, done.hypotheses, done.confidence))
    return found


def provenance_sentence(utterances: Sequence[HeardUtterance], command: str, *, of_hall: bool = False) -> str:
    """Return the sentence that says where the counts come from."""
    speakers = sorted({one.speaker for one in utterances})
    if of_hall:
        return textwrap.fill(
            f"{command}: {len(utterances)} announcements by the speakers {', '.join(speakers)}, eSpeak NG's in six "
            "languages and with accents; none is reserved for measuring. Clean, white noise, babble, rooms. Voices are "
            "synthetic or human voices cut into sounds; of announcements by people the ranks are theirs.",
            118,
        )
    return textwrap.fill(
        f"{command}: {len(utterances)} announcements by {len(speakers)} variants of eSpeak NG's German voice "
        f"({', '.join(speakers)}); none is reserved for measuring. A quarter clean, a quarter with {BABBLE_DB:g} dB "
        "babble of the same voices, the rest with 20 and 12 dB white noise. All voices are synthetic.",
        118,
    )


async def _listen_to(announcements: int, seed: int) -> list[HeardUtterance]:
    scheme = load_scheme("d21", "de")
    (recogniser,) = recognisers("own")
    try:
        return await hear_plan(plan_utterances(announcements, seed, scheme), seed, scheme, recogniser, load_hearing())
    finally:
        await recogniser.close()


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the table there too.")
@click.option("--announcements", default=480, show_default=True)
@click.option("--seed", default=71, show_default=True, help="What everything is drawn from.")
@click.option(
    "--heard", "hall", type=click.Path(path_type=Path), multiple=True, help="What all engines heard (make curves)."
)
@click.option("--engines", default="own+whisper", show_default=True, help="Whose list of that is counted.")
@click.option("--kept", type=click.Path(path_type=Path), multiple=True, help="Utterances heard before (JSON lines).")
@click.option("--keep", type=click.Path(dir_okay=False, path_type=Path), help="Keep what was heard here (JSON lines).")
def main(
    out: Path | None,
    announcements: int,
    seed: int,
    hall: tuple[Path, ...],
    engines: str,
    kept: tuple[Path, ...],
    keep: Path | None,
) -> None:
    """Count how the recogniser mishears and show the table as config/confusions/own.toml has it."""
    try:
        if hall:
            utterances = of_the_hall(read_heard(hall), engines.split("+"))
        elif kept:
            lines = [line for path in kept for line in path.read_bytes().splitlines()]
            utterances = [msgspec.json.decode(line, type=HeardUtterance) for line in lines]
        else:
            utterances = asyncio.run(_listen_to(announcements, seed))
        if keep is not None:
            keep.write_bytes(b"\n".join(msgspec.json.encode(one) for one in utterances))
        command = f"`python -m speech.training.curves.confusions --announcements {announcements} --seed {seed}`"
        if hall:
            command = f"`python -m speech.training.curves.confusions --engines {engines}` on what `make curves` heard"
        found, rest = fit_confusions(utterances, provenance_sentence(utterances, command, of_hall=bool(hall)))
        provenance = f"{found.provenance}\nFor what was said, on utterances not used for the shares: {rest:.2f} nats."
        text = confusions_toml(msgspec.structs.replace(found, provenance=provenance))
        if out is not None:
            out.write_text(text, "utf-8")
    except (Complaint, ChildFailed, OSError) as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(text)


BABBLE_DB = 20.0


class HeardUtterance(msgspec.Struct, frozen=True):
    """One utterance as said and as heard.

    It has what was said (word ids), by which voice, what was heard (best first), and how sure the best is (P(right), 0
    to 1).
    """

    said: tuple[str, ...]
    speaker: str
    ranked: tuple[Hypothesis, ...]
    confidence: float


async def hear_plan(
    plan: Sequence[PlannedUtterance], seed: int, scheme: Scheme, recogniser: Recogniser, settings: HearingSettings
) -> list[HeardUtterance]:
    """Return every announcement of the plan as heard.

    Raises `Complaint` and `ChildFailed` as voice and recogniser do.
    """
    plan = [one for one in plan if one.kind == "announcement"]
    voice = Pyttsx3Voice()
    try:
        sounds = [await sound_of(utterance, place, seed, voice) for place, utterance in enumerate(plan)]
    finally:
        await voice.close()
    vocabulary, found = vocabulary_of(scheme), []
    await recogniser.start()
    for place, (utterance, pcm) in enumerate(zip(plan, sounds, strict=True)):
        if utterance.noise_db is None and place % 2:
            pcm = with_babble(pcm, [*sounds[:place], *sounds[place + 1 :]], BABBLE_DB, seed + place)
        hypotheses = await recogniser.recognise(pcm, vocabulary)
        done = judge_utterance([hypotheses], settings)
        found.append(HeardUtterance(utterance.words, utterance.speaker, done.hypotheses, done.confidence))
    return found


if __name__ == "__main__":
    main()
