"""The shelf holds the models that were added, and says which engines listen.

A Vosk model lies in `models/NAME/model` of the data folder and, beside it, what was found out when it was added. Of
each language, the model that was added or chosen last is in force. `engines_with` gives the engines that are asked for,
with the models that the user named or added.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import recognisers, second_ears
from speech.models import whisper
from speech.models.whisper import KeptWhisper
from speech.recognisers.recogniser import Recogniser
from speech.recognisers.vosk.model import configured_model

ABOUT = "about.json"
ADDING = ".adding-"


class ModelInfo(msgspec.Struct, frozen=True):
    """Facts known of a model.

    `turn`: counts up with every adding and choosing.
    """

    language: str
    known: int
    words: int
    missing: tuple[str, ...]
    turn: int


class KeptModel(msgspec.Struct, frozen=True):
    """Model that was added: its name, its folder, and the facts known of it."""

    name: str
    folder: Path
    about: ModelInfo


def kept_models(shelf: Path) -> tuple[KeptModel, ...]:
    """Return every whole model of the folder `shelf`, by name; what cannot be read is left out."""
    found: list[KeptModel] = []
    for place in sorted(shelf.iterdir()) if shelf.is_dir() else ():
        try:
            about = msgspec.json.decode((place / ABOUT).read_bytes(), type=ModelInfo)
        except (OSError, msgspec.MsgspecError, RecursionError):
            continue
        if not place.name.startswith("."):
            found.append(KeptModel(place.name, place / "model", about))
    return tuple(found)


def models_in_force(shelf: Path) -> dict[str, Path]:
    """Return language -> the folder of the model that was added or chosen last."""
    ordered = sorted(kept_models(shelf), key=lambda model: model.about.turn)
    return {model.about.language: model.folder for model in ordered}


def model_folders(named: Mapping[str, str], shelf: Path) -> dict[str, str]:
    """Return language -> the folder of its Vosk model.

    What the settings name, else what is in force here.
    """
    return {language: str(folder) for language, folder in models_in_force(shelf).items()} | dict(named)


def name_of(source: Path) -> str:
    """Return a model's name here, after its folder or zip file.

    >>> name_of(Path("vosk-model-small-de-0.15.zip"))
    'vosk-model-small-de-0.15'
    """
    plain = source.absolute().name.removesuffix(".zip")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip(".-")[:80] or "model"


def choose_model(shelf: Path, name: str) -> KeptModel | KeptWhisper:
    """Put a model in force, one of Vosk for its language. Raises Complaint where there is none of that name."""
    model = _model_named(shelf, name)
    if isinstance(model, KeptWhisper):
        chosen = msgspec.structs.replace(model.about, turn=whisper.next_turn(shelf))
        whisper.write_about(shelf / name, chosen)
        return msgspec.structs.replace(model, about=chosen)
    about = msgspec.structs.replace(model.about, turn=next_turn(shelf))
    fresh = shelf / name / f"{ABOUT}.new"
    write_about(fresh, about)
    fresh.replace(shelf / name / ABOUT)
    return msgspec.structs.replace(model, about=about)


def write_about(file: Path, about: ModelInfo) -> None:
    """Write what is known of a model to a file that only its owner can read."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(msgspec.json.encode(about))


def remove_model(shelf: Path, name: str) -> None:
    """Delete a model. Raises Complaint where there is none of that name."""
    _model_named(shelf, name)
    # Move it away first, so that half a model is never found if the deletion stops.
    going = shelf / f"{ADDING}{os.getpid()}-{name}"
    (shelf / name).replace(going)
    shutil.rmtree(going, ignore_errors=True)


def _model_named(shelf: Path, name: str) -> KeptModel | KeptWhisper:
    models: tuple[KeptModel | KeptWhisper, ...] = (*kept_models(shelf), *whisper.whisper_models(shelf))
    for model in models:
        if model.name == name:
            return model
    if not models:
        raise Complaint(Phrase("model.none_added", name=repr(name), shelf=shelf))
    raise Complaint(Phrase("model.unknown", name=repr(name), shelf=shelf, known=", ".join(one.name for one in models)))


def next_turn(shelf: Path) -> int:
    """Return one more than any adding or choosing so far."""
    return 1 + max((model.about.turn for model in kept_models(shelf)), default=0)


def engines_with(engine: str, model: str | None, folders: Mapping[str, str], shelf: Path) -> tuple[Recogniser, ...]:
    """Return the engines that `engine` (one of `ENGINES`) stands for.

    `model`: a Vosk folder named for this once, or with "whisper" one of Whisper; a Vosk folder and the one that the
    environment names win over `folders` (language -> folder). `shelf`: where a model of Whisper is looked for first.
    Raises Complaint.
    """
    if engine not in ("auto", "vosk") or not folders or configured_model(model) is not None:
        return recognisers(engine, model, shelf)
    models = tuple(one for folder in folders.values() for one in recognisers("vosk", folder))
    return models if engine == "vosk" else (*models, *second_ears(shelf=shelf))
