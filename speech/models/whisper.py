"""Where the model of Whisper lies that listens here, and whether its files are what they should be.

A shelf is a folder of models, as `models` of the data folder. A model of Whisper lies there in `NAME/model` and,
beside it, what was found out when it was added. `whisper_folder` looks without reading a model; before one is opened,
`checked_whisper_model` compares its files with their hashes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from speech.complaint import Complaint, Phrase
from speech.models.digests import digests
from speech.models.known import KnownModel, ModelFile, load_known_models

MODEL_VARIABLE = "ANNA_EINS_WHISPER_MODEL"
"""The environment variable that names the model's folder."""

DATA_VARIABLE = "ANNA_EINS_DATA"
ABOUT = "whisper.json"
FILES = ("config.json", "model.bin", "tokenizer.json")
VOCABULARIES = ("vocabulary.txt", "vocabulary.json")
MODEL = "model.bin"
_KIND = b"WhisperSpec"
_HEAD = 64  # bytes of model.bin in which CTranslate2 says what kind of model it is


class AboutWhisper(msgspec.Struct, frozen=True):
    """Facts kept of a model: as which one it is known ("": as none), its files, its turn.

    `turn`: counts up with every adding and choosing.
    """

    known: str
    files: dict[str, ModelFile]
    turn: int


class KeptWhisper(msgspec.Struct, frozen=True):
    """Model on a shelf: its name, its folder, what is known of it."""

    name: str
    folder: Path
    about: AboutWhisper


def users_folder() -> Path:
    """Return the data folder of this user: `$ANNA_EINS_DATA`, else the one of this platform.

    Raises Complaint where the system names no such folder.
    """
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named).expanduser().absolute()
    folder = in_home(lambda: user_data_path("anna-eins", appauthor=False))
    if folder is None:
        raise Complaint(Phrase("folder.no_home"))
    return folder


def in_home(find: Callable[[], Path]) -> Path | None:
    """Return a folder of this user as the system names it; None where they have no home, as some services have none."""
    try:
        folder = find()
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None


def shelf_of_the_program() -> Path:
    """Return the shelf beside the program, onto which a bundle puts what it brings along."""
    return Path(sys.prefix) / "share" / "anna-eins" / "models"


def whisper_models(shelf: Path) -> tuple[KeptWhisper, ...]:
    """Return every whole model of Whisper on a shelf, by name; what cannot be read is left out."""
    found: list[KeptWhisper] = []
    try:
        places = sorted(shelf.iterdir())
    except OSError:
        return ()
    for place in places:
        if not place.name.startswith(".") and (about := _about(place)) is not None:
            found.append(KeptWhisper(place.name, place / "model", about))
    return tuple(found)


def whisper_in_force(shelf: Path) -> KeptWhisper | None:
    """Return the model of a shelf that was added or chosen last."""
    return max(whisper_models(shelf), key=lambda model: model.about.turn, default=None)


def whisper_folder(named: str | os.PathLike[str] | None = None, shelf: Path | None = None) -> Path | None:
    """Return the folder of the model that listens here, None where there is none; it is not read.

    It is what is named here, or in the environment; else what is in force on `shelf`, which is the one of a server's
    data folder; else on that of the user's data folder; else what came along with the program.
    """
    if path := named or os.environ.get(MODEL_VARIABLE):
        return Path(path)
    for place in _shelves(shelf):
        if (kept := whisper_in_force(place)) is not None:
            return kept.folder
    return None


def _shelves(shelf: Path | None) -> tuple[Path, ...]:
    try:
        users = [users_folder() / "models"]
    except Complaint:
        users = []
    return tuple(dict.fromkeys([*([shelf] if shelf is not None else []), *users, shelf_of_the_program()]))


def checked_whisper_model(folder: Path, shelf: Path | None = None) -> Path:
    """Return the folder, if all files of a model of Whisper are in it, and none differs from what it should be.

    `shelf`: where the hashes are kept, so that unchanged files are not read again; without it, on that of the user's
    data folder. Raises Complaint that names what is missing or changed.
    """
    found = digests_of_model(folder, shelf if shelf is not None else next(iter(_shelves(None))))
    about = _about(folder.parent) if folder.name == "model" else None
    if about is None:
        known_as(folder, folder.name, found)
        return folder
    known = load_known_models().get(about.known)
    files = about.files if known is None else known.files
    if changed := first_changed(files, found):
        raise Complaint(Phrase("whisper.changed", place=folder, name=changed, model=about.known or folder.parent.name))
    return folder


def digests_of_model(folder: Path, shelf: Path | None = None) -> dict[str, str]:
    """Return the SHA-256 of each file of a model, by name. Raises Complaint where it is no whole model of Whisper."""
    if not folder.is_dir():
        raise Complaint(Phrase("whisper.no_folder", place=folder))
    for ways in (*((name,) for name in FILES), VOCABULARIES):
        if not any((folder / way).is_file() for way in ways):
            raise Complaint(Phrase("whisper.lacks", place=folder, names=", ".join(ways)))
    try:
        with (folder / MODEL).open("rb") as stream:
            if _KIND not in stream.read(_HEAD):
                raise Complaint(Phrase("whisper.other_kind", place=folder))
        return digests(folder, names_in_model(folder), shelf)
    except OSError as wrong:
        raise Complaint(Phrase("files.unread", place=folder, why=wrong.strerror or wrong)) from None


def names_in_model(folder: Path) -> tuple[str, ...]:
    """Return which files of a folder belong to the model."""
    return (*FILES, *(name for name in VOCABULARIES if (folder / name).is_file()))


def known_as(place: Path, called: str, found: Mapping[str, str]) -> KnownModel | None:
    """Return the known model that these files are, None for one that is not known.

    A model is taken for a known one by its name, by the hash of model.bin, or by those of all its other files. Raises
    Complaint where it is then not that one to the byte: it was changed or damaged on its way. `place`: what is named
    in the complaint; `called`: its name.
    """
    for model in load_known_models().values():
        same = {name for name, file in model.files.items() if found.get(name) == file.sha256}
        plain = called.lower().removesuffix(".zip")
        named = plain in (model.name, model.repository.lower().rpartition("/")[2])
        if named or MODEL in same or same == model.files.keys() - {MODEL}:
            if changed := first_changed(model.files, found):
                raise Complaint(Phrase("whisper.changed", place=place, name=changed, model=model.name))
            return model
    return None


def first_changed(files: Mapping[str, ModelFile], found: Mapping[str, str]) -> str:
    """Return the first file whose hash is not what it should be, "" where all are right."""
    return next((name for name, file in files.items() if found.get(name) != file.sha256), "")


def write_about(place: Path, about: AboutWhisper) -> None:
    """Write what is known of a model into its place on a shelf, for its owner alone."""
    part = place / f"{ABOUT}.new"
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(msgspec.json.encode(about))
    part.replace(place / ABOUT)


def next_turn(shelf: Path) -> int:
    """Return one more than any adding or choosing of a model of Whisper so far."""
    return 1 + max((model.about.turn for model in whisper_models(shelf)), default=0)


def _about(place: Path) -> AboutWhisper | None:
    try:
        return msgspec.json.decode((place / ABOUT).read_bytes(), type=AboutWhisper)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None
