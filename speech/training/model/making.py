"""This module is `make model`: it speaks the corpora, trains, and writes the model folder.

    python -m speech.training.model.making all --work build/model --out build/model/d21

Between speaking and training it computes the features; the folder gets a manifest. It needs
speech/training/requirements.txt, festival with its voices, and flite, and takes an hour or two on two cores. Each step
can be run alone; corpora and features that are there are kept.
"""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import msgspec
import numpy as np

from speech.complaint import Complaint
from speech.recognisers.lexicon import load_all
from speech.recognisers.own.inventory import Inventory, inventory, read_outputs
from speech.recognisers.own.model import NETWORK, OUTPUTS, shipped_model
from speech.recognisers.own.recipe import Recipe
from speech.training.common.people_speech import INDEX, recordings_folder
from speech.training.model.corpora.espeak import HELD_OUT as HELD_OUT_VARIANTS
from speech.training.model.corpora.espeak import VARIANTS, speak_corpus
from speech.training.model.corpora.festival import festival_corpus
from speech.training.model.corpora.festival_voices import FLITE, TUNING, VOICES
from speech.training.model.corpora.flite import flite_corpus
from speech.training.model.corpora.pico_voices import PICO, PICO_TUNING
from speech.training.model.corpora.plan import (
    ALONE,
    ESPEAK,
    ESPEAK_TUNING,
    HELD_OUT,
    LETTERS,
    PARTS,
    RANKS,
    RANKS_TUNING,
    RECIPE,
    SPEAKERS,
    TAKEN_FROM,
    TAKES,
    TAKES_TUNING,
    TALK,
    TRAINING,
)

MODULE = "speech.training.model.making"
_BABBLE = (ESPEAK, "awb", "kal", "pc", "lj", "ph", "pico-gl", "pico-kh", TALK, RANKS)


def make_corpus(work: Path, name: str) -> None:
    """Speak one corpus.

    eSpeak NG can be set up only once a process, so each corpus has its own process.
    """
    stem = work / "corpus" / name
    if name.startswith("people"):
        return _people_corpus(work, name)
    part = PARTS[name]
    if name == ESPEAK:
        speak_corpus(stem, part.count, part.seed)
    elif name == ESPEAK_TUNING:
        speak_corpus(stem, part.count, part.seed, variants=HELD_OUT_VARIANTS)
    elif name == FLITE.speaker:
        flite_corpus(stem, FLITE, part.count, part.seed)
    elif name in {voice.speaker for voice in (*PICO, PICO_TUNING)}:
        from speech.training.model.corpora.pico import pico_corpus

        pico = next(voice for voice in (*PICO, PICO_TUNING) if voice.speaker == name)
        if (hears := shipped_model()) is None:
            raise Complaint("SVOX Pico does not say where its phones are, and there is no model that could tell.")
        pico_corpus(stem, pico, part.count, part.seed, hears)
    else:
        voice = next(voice for voice in (*VOICES, TUNING) if voice.speaker == name)
        festival_corpus(stem, voice, part.count, part.seed)


def _people_corpus(work: Path, name: str) -> None:
    """Write one of the corpora that people speak in; the corpora they are spliced into must be there."""
    from speech.training.model.corpora import people

    stem = work / "corpus" / name
    if name in (TAKES, TAKES_TUNING):
        if (hears := shipped_model()) is None:
            raise Complaint("There is no model that could tell where the phones of people's words are.")
        return people.takes_corpus(stem, SPEAKERS[name], hears)
    part = PARTS[name]
    if name == TALK:
        return people.talk_corpus(stem, SPEAKERS[name], part.count, part.seed)
    takes = people.takes_of(work / "corpus" / TAKEN_FROM[name])
    if name == ALONE:
        return people.alone_corpus(stem, takes, part.count, part.seed)
    base = HELD_OUT if name == RANKS_TUNING else TRAINING
    others = [work / "corpus" / one.name for one in base if not one.name.startswith("people")]
    classes = ("de:letter", "de:spelling", "de:rank") if name == LETTERS else ("de:rank",)
    return people.spliced_corpus(stem, others, takes, classes, part.count, part.seed)


def make_features(work: Path, name: str) -> None:
    """Compute the features of one corpus; every corpus must be there, for the babble."""
    from speech.training.model.making_features import make_shard, neighbours

    part = PARTS[name]
    voices = neighbours([work / "corpus" / one for one in _BABBLE])
    out = work / "features" / f"{name}.npz"
    out.parent.mkdir(parents=True, exist_ok=True)
    make_shard(work / "corpus" / name, out, part.copies, part.seed, inventory(load_all()), voices)


MEAN = "mean.pt"
"""The checkpoint in work/network that is exported: the running mean of the weights, not those of the last step."""


def make_network(work: Path, recipe: Recipe, start: Path | None = None) -> None:
    """Train; the checkpoints and the log lie in work/network.

    `start`: the folder of a model to go on from.
    """
    from speech.training.model.corpora.shards import load
    from speech.training.model.learning import train
    from speech.training.model.starting import layers_of, matched, widened

    begin = None
    if start is not None:
        begin = matched(layers_of(start), read_outputs(start / OUTPUTS), inventory(load_all()))
        if len(begin["tdnn1"][0]) < recipe.width:
            begin = widened(begin, recipe.width, recipe.seed)
    features = work / "features"
    (work / "network").mkdir(parents=True, exist_ok=True)
    started = None if start is None else hashlib.sha256((start / NETWORK).read_bytes()).hexdigest()
    (work / "network" / "start.json").write_text(json.dumps(started), "utf-8")
    train(
        inventory(load_all()),
        recipe,
        [load(features / f"{part.name}.npz") for part in TRAINING],
        [part.share for part in TRAINING],
        {part.name: load(features / f"{part.name}.npz") for part in HELD_OUT},
        work / "network",
        begin,
    )


def label_counts(work: Path, known: Inventory) -> np.ndarray:
    """Return how often each output stands in the training labels.

    A rare output is not counted as rarer than it is.
    """
    counts = np.full(len(known.outputs), 30.0)
    for part in TRAINING:
        with np.load(work / "features" / f"{part.name}.npz") as shard:
            counts += np.bincount(shard["labels"], minlength=len(counts))
    return counts


def export(work: Path, out: Path) -> None:
    """Write the model folder and its manifest."""
    import torch

    from speech.training.model.exporting import WEIGHING, write_model
    from speech.training.model.learning import fresh_network

    known = inventory(load_all())
    recipe = msgspec.json.decode((work / "network" / "recipe.json").read_bytes(), type=Recipe)
    net = fresh_network(known, recipe)
    net.load_state_dict(torch.load(work / "network" / MEAN, weights_only=True))
    with np.load(work / "network" / "normal.npz") as normal:
        write_model(out, net, (normal["mean"], normal["spread"]), known, label_counts(work, known), WEIGHING)
    (out / "manifest.json").write_text(json.dumps(manifest(work, out, recipe), indent=1) + "\n", encoding="utf-8")


def manifest(work: Path, out: Path, recipe: Recipe) -> dict[str, object]:
    """Return what the model is made of.

    It lists voices and their licences, seeds, versions, figures, and the hash of every file.
    """
    log = [json.loads(line) for line in (work / "network" / "log.jsonl").read_text("utf-8").splitlines()]
    human = [
        {
            "speaker": voice.speaker,
            "package": voice.package,
            "licence": voice.licence,
            "utterances": PARTS[voice.speaker].count,
        }
        for voice in (*VOICES, FLITE, *PICO)
    ]
    return {
        "licence": "GPL-3.0-or-later, as the program; trained on the output of the voices below",
        "voices": [
            {"speaker": "eSpeak NG", "variants": VARIANTS, "licence": "GPL-3+", "utterances": PARTS[ESPEAK].count},
            *human,
            *(
                {"speaker": one, "licence": licence, "people": True}
                for one, licence in sorted(people_licences().items())
            ),
        ],
        "tuned_on": [
            f"festival {TUNING.speaker}",
            PICO_TUNING.speaker,
            *(f"eSpeak NG {name}" for name in HELD_OUT_VARIANTS),
            *SPEAKERS[TAKES_TUNING],
        ],
        "plan": msgspec.to_builtins(TRAINING),
        "recipe": msgspec.to_builtins(recipe),
        "started_from_sha256": json.loads((work / "network" / "start.json").read_text("utf-8")),
        "trained": {key: log[-1][key] for key in ("step", "seconds", "loss")},
        "frames_right_on_voices_held_out": {part.name: log[-1].get(f"{part.name}, mean") for part in HELD_OUT},
        "versions": {name: version(name) for name in ("torch", "kaldi-native-fbank", "espeakng-loader", "numpy")},
        "sha256": {
            str(file.relative_to(out)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(out.rglob("*"))
            if file.is_file() and file.name != "manifest.json"
        },
    }


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


@main.command("corpus")
@_work
@_name
def corpus_command(work: Path, name: str) -> None:
    """Speak one corpus."""
    make_corpus(work, name)


@main.command("features")
@_work
@_name
def features_command(work: Path, name: str) -> None:
    """Compute the features of one corpus."""
    make_features(work, name)


@main.command("train")
@_work
@_steps
@_minutes
@_rate
@_width
@_threads
@_start
def train_command(
    work: Path, steps: int, minutes: float, rate: float, width: int, threads: int, start: Path | None
) -> None:
    """Train the network."""
    make_network(
        work,
        msgspec.structs.replace(RECIPE, steps=steps, minutes=minutes, rate=rate, width=width, threads=threads),
        start,
    )


@main.command("export")
@_work
@_out
def export_command(work: Path, out: Path) -> None:
    """Write the model folder."""
    export(work, out)


@main.command("all")
@_work
@_out
@_steps
@_minutes
@_rate
@_width
@_threads
@_start
def all_command(
    work: Path, out: Path, steps: int, minutes: float, rate: float, width: int, threads: int, start: Path | None
) -> None:
    """Everything, one step after the other."""
    for name in (*(one for one in PARTS if not one.startswith("people")), TAKES, TAKES_TUNING, *PARTS):
        if not (work / "corpus" / f"{name}.jsonl").exists():
            click.echo(f"speaking {name}")
            _in_a_process("corpus", "--work", str(work), name)
    for name in PARTS:
        if not (work / "features" / f"{name}.npz").exists():
            click.echo(f"features of {name}")
            _in_a_process("features", "--work", str(work), name)
    make_network(
        work,
        msgspec.structs.replace(RECIPE, steps=steps, minutes=minutes, rate=rate, width=width, threads=threads),
        start,
    )
    export(work, out)


if __name__ == "__main__":
    main()
