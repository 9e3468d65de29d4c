"""A model of Whisper that a user adds is copied, looked at, and only then kept; a refused one leaves nothing behind."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from server.machine.models.shelf import ADDING, name_of
from speech.complaint import Complaint, Phrase, told_by
from speech.models.known import ModelFile
from speech.models.whisper import (
    MODEL,
    AboutWhisper,
    KeptWhisper,
    digests_of_model,
    known_as,
    names_in_model,
    next_turn,
    write_about,
)

_PIECE = 2**20


def holds_whisper(folder: Path) -> bool:
    """Return whether this is the folder of a model for CTranslate2, and no Vosk model."""
    return (folder / MODEL).is_file() and not (folder / "am").exists()


def add_whisper(shelf: Path, source: Path, given: Path) -> KeptWhisper:
    """Copy a model from a folder, compare it with those that are known, and put it in force.

    `given`: what the user named, of which `source` may be a copy. Raises Complaint: it is not whole, or goes by the
    name or the files of a known one and differs from it. Then nothing of it is left here.
    """
    adding = shelf / f"{ADDING}{os.getpid()}-whisper"
    try:
        shelf.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = adding / "model"
        for place in (adding, folder):
            place.mkdir(mode=0o700, exist_ok=True)
        for file in names_in_model(source):
            _copy(source / file, folder / file)
        try:
            found = digests_of_model(folder)
            known = known_as(given, given.absolute().name, found)
        except Complaint as wrong:
            said = told_by(wrong)  # the copy is gone when this is read: name what was given
            named = (
                said.values | ({"place": given} if "place" in said.values else {}) if isinstance(said, Phrase) else {}
            )
            raise Complaint(Phrase(said.key, **named) if isinstance(said, Phrase) else said) from None
        name = known.name if known else name_of(given)
        if (shelf / name).exists():
            raise Complaint(Phrase("model.there", name=name, command=f"anna-eins models remove {name}"))
        files = {file: ModelFile((folder / file).stat().st_size, digest) for file, digest in found.items()}
        about = AboutWhisper(known.name if known else "", files, next_turn(shelf))
        write_about(adding, about)
        adding.replace(shelf / name)
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=shelf, why=(wrong.strerror or wrong))) from None
    finally:
        shutil.rmtree(adding, ignore_errors=True)
    return KeptWhisper(name, shelf / name / "model", about)


def place_of_whisper(copied: Path) -> Path | None:
    """Return where in an unpacked folder a model of Whisper is, None where there is none."""
    inside = [copied, *sorted(one for one in copied.iterdir() if one.is_dir())]
    return next((one for one in inside if holds_whisper(one)), None)


def _copy(source: Path, target: Path) -> None:
    """Copy one plain file, also one that a link leads to (as in the hub's own folders). Raises Complaint."""
    try:
        if not source.is_file():
            return  # what is missing is named afterwards
        with source.open("rb") as stream, os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            shutil.copyfileobj(stream, file, _PIECE)
    except OSError as wrong:
        if wrong.errno == errno.ENOSPC:
            raise Complaint(Phrase("model.no_room", place=source)) from None
        raise Complaint(Phrase("files.unread", place=source, why=(wrong.strerror or wrong))) from None
