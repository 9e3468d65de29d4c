"""`make model`: speak the corpora, train, and write the model folder.

    python -m speech.training.model.making all --work build/model --out build/model/d21

Between speaking and training it computes the features; the folder gets a manifest. It needs
speech/training/requirements.txt, festival with its voices, and flite, and takes an hour or two on two cores. Each step
can be run alone; corpora and features that are there are kept.

With `--without FAMILY` no voice of that synthesiser is heard in any corpus, not under people's words and not in the
babble either, and no model that ever heard it is gone on from: what such a model hears of the family is what a program
hears of strangers (`speech.training.curves.hall_hearing --without` fits its curves).
"""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import click
import msgspec
import numpy as np

from speech.complaint import Complaint
from speech.recognisers.lexicon import load_all
from speech.recognisers.own.inventory import Inventory, inventory, read_outputs
from speech.recognisers.own.kaldi.network import mean_of
from speech.recognisers.own.model import NETWORK, OUTPUTS, shipped_model
from speech.recognisers.own.recipe import Recipe
from speech.training.common.people_speech import INDEX, recordings_folder
from speech.training.model.corpora import people
from speech.training.model.corpora.corpus import utterances
from speech.training.model.corpora.espeak import HELD_OUT as HELD_OUT_VARIANTS
from speech.training.model.corpora.espeak import VARIANTS, speak_corpus
from speech.training.model.corpora.festival import festival_corpus
from speech.training.model.corpora.flite import flite_corpus
from speech.training.model.corpora.plan import (
    ALONE,
    ESPEAK,
    ESPEAK_TUNING,
    FAMILIES,
    LETTERS,
    PARTS,
    RANKS,
    RANKS_TUNING,
    READERS,
    RECIPE,
    SPEAKERS,
    TAKEN_FROM,
    TAKES,
    TAKES_TUNING,
    TALK,
    Plan,
    family_of,
)
from speech.training.model.corpora.voices.festival_voices import FLITE, TUNING, VOICES
from speech.training.model.corpora.voices.pico_voices import PICO, PICO_TUNING

MODULE = "speech.training.model.making"
_BABBLE = (ESPEAK, "awb", "kal", "pc", "lj", "ph", "pico-gl", "pico-kh", TALK, RANKS)


def make_corpus(work: Path, name: str, plan: Plan) -> None:
    """Speak one corpus.

    eSpeak NG can be set up only once a process, so each corpus has its own process. Raises Complaint where the corpus
    is that of the family that is left out.
    """
    stem = work / "corpus" / name
    if name.startswith("people"):
        return _people_corpus(work, name, plan)
    if plan.leaves_out(name):
        raise Complaint(f"The corpus {name} is spoken by {plan.family}, which is to be left out.")
    part = plan.parts[name]
    if name == ESPEAK:
        speak_corpus(stem, part.count, part.seed)
    elif name == ESPEAK_TUNING:
        speak_corpus(stem, part.count, part.seed, variants=HELD_OUT_VARIANTS)
    elif name == READERS:
        from speech.training.model.corpora.readers import readers_corpus

        readers_corpus(stem, part.count, part.seed, laying_model("the readers of other languages"))
    elif name == FLITE.speaker:
        flite_corpus(stem, FLITE, part.count, part.seed)
    elif name in {voice.speaker for voice in (*PICO, PICO_TUNING)}:
        from speech.training.model.corpora.pico import pico_corpus

        pico = next(voice for voice in (*PICO, PICO_TUNING) if voice.speaker == name)
        pico_corpus(stem, pico, part.count, part.seed, laying_model("SVOX Pico"))
    else:
        voice = next(voice for voice in (*VOICES, TUNING) if voice.speaker == name)
        festival_corpus(stem, voice, part.count, part.seed)


def laying_model(whose: str) -> Path:
    """Return the model that lays the phones of a corpus that has no places of its own. Raises Complaint without one."""
    if (hears := shipped_model()) is None:
        raise Complaint(f"There is no model that could tell where the phones of {whose} are.")
    return hears


def _people_corpus(work: Path, name: str, plan: Plan) -> None:
    """Write one of the corpora that people speak in; the corpora they are spliced into must be there."""
    stem = work / "corpus" / name
    if name in (TAKES, TAKES_TUNING):
        return people.takes_corpus(stem, SPEAKERS[name], laying_model("people"), alphabets=name == TAKES)
    part = plan.parts[name]
    if name == TALK:
        return people.talk_corpus(stem, SPEAKERS[name], part.count, part.seed)
    takes = people.takes_of(work / "corpus" / TAKEN_FROM[name])
    if name == ALONE:
        return people.alone_corpus(stem, takes, part.count, part.seed)
    base = plan.held_out if name == RANKS_TUNING else plan.training
    others = [work / "corpus" / one.name for one in base if not one.name.startswith("people")]
    classes = ("de:letter", "de:spelling", "de:rank") if name == LETTERS else ("de:rank",)
    return people.spliced_corpus(stem, others, takes, classes, part.count, part.seed)


def make_features(work: Path, name: str, plan: Plan) -> None:
    """Compute the features of one corpus; every corpus must be there, for the babble, but those of a family left out.

    Raises Complaint where that family speaks in what is to be heard.
    """
    babble = [one for one in _BABBLE if not plan.leaves_out(one)]
    for one in (name, *babble):
        refuse_the_left_out(work / "corpus" / one, plan.family)
    from speech.training.model.making_features import make_shard, neighbours

    part = plan.parts[name]
    voices = neighbours([work / "corpus" / one for one in babble])
    out = work / "features" / f"{name}.npz"
    out.parent.mkdir(parents=True, exist_ok=True)
    make_shard(work / "corpus" / name, out, part.copies, part.seed, inventory(load_all()), voices)


def refuse_the_left_out(stem: Path, family: str) -> None:
    """Raise Complaint where a voice of the family that is left out speaks in a corpus, under people's words too."""
    if family and any(family_of(line.speaker) == family for line, _ in utterances(stem)):
        raise Complaint(f"{family} speaks in {stem}, and is to be left out: name another folder with --work.")


MANIFEST = "manifest.json"
"""The file of a model's folder that says what it is made of."""
MEAN = "mean.pt"
"""The checkpoint in work/network that is exported: the running mean of the weights, not those of the last step."""


def make_network(work: Path, plan: Plan, recipe: Recipe, start: Path | None = None) -> None:
    """Train; the checkpoints and the log lie in work/network.

    `start`: the folder of a model to go on from. Raises Complaint where that may have met the family that is left out.
    """
    from speech.training.model.corpora.shards import load
    from speech.training.model.learning import train
    from speech.training.model.starting import layers_of, match_outputs, widen_layers

    begin = None
    if start is not None:
        refuse_who_met(start, plan.family)
        begin = match_outputs(layers_of(start), read_outputs(start / OUTPUTS), inventory(load_all()))
        if len(begin["tdnn1"][0]) < recipe.width:
            begin = widen_layers(begin, recipe.width, recipe.seed)
    features = work / "features"
    (work / "network").mkdir(parents=True, exist_ok=True)
    started = None if start is None else hashlib.sha256((start / NETWORK).read_bytes()).hexdigest()
    (work / "network" / "start.json").write_text(json.dumps(started), "utf-8")
    train(
        inventory(load_all()),
        recipe,
        [load(features / f"{part.name}.npz") for part in plan.training],
        [part.share for part in plan.training],
        {part.name: load(features / f"{part.name}.npz") for part in plan.held_out},
        work / "network",
        begin,
    )


def refuse_who_met(start: Path, family: str) -> None:
    """Raise Complaint where a model's manifest does not say that this family was left out of its training."""
    if not family:
        return
    try:
        left_out = json.loads((start / MANIFEST).read_text("utf-8")).get("left_out")
    except (OSError, ValueError, AttributeError):
        left_out = None
    if left_out != family:
        raise Complaint(f"The model in {start} may have met {family}: a training without it cannot go on from there.")


def label_counts(work: Path, plan: Plan, known: Inventory) -> np.ndarray:
    """Return how often each output stands in the training labels.

    A rare output is not counted as rarer than it is.
    """
    counts = np.full(len(known.outputs), 30.0)
    for part in plan.training:
        with np.load(work / "features" / f"{part.name}.npz") as shard:
            counts += np.bincount(shard["labels"], minlength=len(counts))
    return counts


def make_folder(work: Path, plan: Plan, out: Path) -> None:
    """Write the model folder and its manifest."""
    import torch

    from speech.training.model.exporting import WEIGHING, write_model
    from speech.training.model.learning import fresh_network

    known = inventory(load_all())
    recipe = msgspec.json.decode((work / "network" / "recipe.json").read_bytes(), type=Recipe)
    net = fresh_network(known, recipe)
    net.load_state_dict(torch.load(work / "network" / MEAN, weights_only=True))
    with np.load(work / "network" / "normal.npz") as normal:
        write_model(out, net, (normal["mean"], normal["spread"]), known, label_counts(work, plan, known), WEIGHING)
    (out / MANIFEST).write_text(json.dumps(manifest(work, plan, out, recipe), indent=1) + "\n", encoding="utf-8")


def manifest(work: Path, plan: Plan, out: Path, recipe: Recipe) -> dict[str, object]:
    """Return the manifest of the model: everything it is made of.

    It lists voices and their licences, who was left out, seeds, versions, figures, and the hash of every file.
    """
    log = [json.loads(line) for line in (work / "network" / "log.jsonl").read_text("utf-8").splitlines()]
    human = [
        {
            "speaker": voice.speaker,
            "package": voice.package,
            "licence": voice.licence,
            "utterances": plan.parts[voice.speaker].count,
        }
        for voice in (*VOICES, FLITE, *PICO)
        if not plan.leaves_out(voice.speaker)
    ]
    espeak = [
        {"speaker": "eSpeak NG", "variants": VARIANTS, "licence": "GPL-3+", "utterances": part.count}
        for part in plan.training
        if part.name == ESPEAK
    ]
    tuned = [
        (TUNING.speaker, [f"festival {TUNING.speaker}"]),
        (PICO_TUNING.speaker, [PICO_TUNING.speaker]),
        (ESPEAK_TUNING, [f"eSpeak NG {name}" for name in HELD_OUT_VARIANTS]),
    ]
    return {
        "licence": "GPL-3.0-or-later, as the program; trained on the output of the voices below",
        "voices": [
            *espeak,
            *human,
            *(
                {"speaker": one, "licence": licence, "people": True}
                for one, licence in sorted((people_licences() | people.licences()).items())
            ),
        ],
        "tuned_on": [
            *(name for corpus, names in tuned if not plan.leaves_out(corpus) for name in names),
            *SPEAKERS[TAKES_TUNING],
        ],
        "left_out": plan.family or None,
        "plan": msgspec.to_builtins(plan.training),
        "recipe": msgspec.to_builtins(recipe),
        "started_from_sha256": json.loads((work / "network" / "start.json").read_text("utf-8")),
        "trained": {key: log[-1][key] for key in ("step", "seconds", "loss")},
        "frames_right_on_voices_held_out": {part.name: log[-1].get(f"{part.name}, mean") for part in plan.held_out},
        "versions": {name: version(name) for name in ("torch", "kaldi-native-fbank", "espeakng-loader", "numpy")},
        "sha256": hashes_of(out),
    }


def hashes_of(out: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a model but its manifest, in hex."""
    return {
        str(file.relative_to(out)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(out.rglob("*"))
        if file.is_file() and file.name != MANIFEST
    }


def write_mean(ends: Sequence[Path], out: Path) -> None:
    """Write the model whose weights are the means of those of several ends of one training.

    Its manifest is the first one's, with the voices of all and the hash of each end's network; a family is left out of
    it that is left out of all. Raises Complaint where the ends differ in size or in what their outputs stand for.
    """
    outputs = {(end / OUTPUTS).read_bytes() for end in ends}
    if len(outputs) != 1:
        raise Complaint("Models whose outputs stand for other words have no mean.")
    networks = [(end / NETWORK).read_bytes() for end in ends]
    try:
        mean = mean_of(networks)
    except ValueError:
        raise Complaint("Models of different sizes have no mean.") from None
    out.mkdir(parents=True, exist_ok=True)
    (out / NETWORK).write_bytes(mean)
    (out / OUTPUTS).write_bytes(outputs.pop())
    told, *others = [json.loads((end / MANIFEST).read_text("utf-8")) for end in ends]
    told["voices"] += [voice for other in others for voice in other["voices"] if voice not in told["voices"]]
    told["mean_of_sha256"] = [hashlib.sha256(network).hexdigest() for network in networks]
    if any(other["left_out"] != told["left_out"] for other in others):
        told["left_out"] = None
    told["sha256"] = hashes_of(out)
    (out / MANIFEST).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def people_licences() -> dict[str, str]:
    """Return the licence of what each person who trains has recorded, by the index of the recordings."""
    with (recordings_folder() / INDEX).open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["speaker"]: row["licence"] for row in rows if row["speaker"] in {*SPEAKERS[TAKES], *SPEAKERS[TALK]}}


def _in_a_process(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", MODULE, *arguments], check=True)


@click.group()
def main() -> None:
    """Make our own model for Vosk."""


_work = click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True, help="Where it grows.")
_out = click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="The model's folder."
)
_name = click.argument("name", type=click.Choice(sorted({*PARTS, TAKES, TAKES_TUNING})))
_steps = click.option("--steps", default=RECIPE.steps, show_default=True, help="Steps of the training.")
_minutes = click.option("--minutes", default=0.0, help="End after so long, whatever the steps.")
_threads = click.option("--threads", default=RECIPE.threads, show_default=True, help="Threads of the training.")
_width = click.option("--width", default=RECIPE.width, show_default=True, help="Units of each hidden layer.")
_rate = click.option("--rate", default=RECIPE.rate, show_default=True, help="The highest step size; less to go on.")
_start = click.option(
    "--start", type=click.Path(file_okay=False, path_type=Path), help="The folder of a model to go on from."
)
_family = click.option("--without", "family", type=click.Choice(sorted(FAMILIES)), help="Who is left out whole.")
_size = click.option("--size", default=1.0, show_default=True, help="So much of each corpus.")


@main.command("corpus")
@_work
@_name
@_family
@_size
def corpus_command(work: Path, name: str, family: str | None, size: float) -> None:
    """Speak one corpus."""
    make_corpus(work, name, Plan(family or "", size))


@main.command("features")
@_work
@_name
@_family
def features_command(work: Path, name: str, family: str | None) -> None:
    """Compute the features of one corpus."""
    make_features(work, name, Plan(family or ""))


@main.command("train")
@_work
@_steps
@_minutes
@_rate
@_width
@_threads
@_start
@_family
def train_command(
    work: Path,
    steps: int,
    minutes: float,
    rate: float,
    width: int,
    threads: int,
    start: Path | None,
    family: str | None,
) -> None:
    """Train the network."""
    make_network(
        work,
        Plan(family or ""),
        msgspec.structs.replace(RECIPE, steps=steps, minutes=minutes, rate=rate, width=width, threads=threads),
        start,
    )


@main.command("export")
@_work
@_out
@_family
@_size
def export_command(work: Path, out: Path, family: str | None, size: float) -> None:
    """Write the model folder."""
    make_folder(work, Plan(family or "", size), out)


@main.command("mean")
@_out
@click.argument("ends", nargs=-1, required=True, type=click.Path(file_okay=False, exists=True, path_type=Path))
def mean_command(out: Path, ends: tuple[Path, ...]) -> None:
    """Write the mean of the models in the folders ENDS, which went on from the same one."""
    write_mean(ends, out)


@main.command("all")
@_work
@_out
@_steps
@_minutes
@_rate
@_width
@_threads
@_start
@_family
@_size
def all_command(
    work: Path,
    out: Path,
    steps: int,
    minutes: float,
    rate: float,
    width: int,
    threads: int,
    start: Path | None,
    family: str | None,
    size: float,
) -> None:
    """Everything, one step after the other."""
    plan = Plan(family or "", size)
    left_out = ("--without", family) if family else ()
    for name in (*(one for one in plan.parts if not one.startswith("people")), TAKES, TAKES_TUNING, *plan.parts):
        if not (work / "corpus" / f"{name}.jsonl").exists():
            click.echo(f"speaking {name}")
            _in_a_process("corpus", "--work", str(work), "--size", str(size), *left_out, name)
    for name in plan.parts:
        if not (work / "features" / f"{name}.npz").exists():
            click.echo(f"features of {name}")
            _in_a_process("features", "--work", str(work), *left_out, name)
    make_network(
        work,
        plan,
        msgspec.structs.replace(RECIPE, steps=steps, minutes=minutes, rate=rate, width=width, threads=threads),
        start,
    )
    make_folder(work, plan, out)


if __name__ == "__main__":
    main()
