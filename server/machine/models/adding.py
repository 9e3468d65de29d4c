"""A model that a user adds is copied, tried, and only then kept; a refused one leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import psutil

from server.machine.models.checking import WordsKnown, language_of_model, try_model
from server.machine.models.copying import copy_model, model_root
from server.machine.models.shelf import ABOUT, ADDING, KeptModel, ModelInfo, name_of, next_turn, write_about
from server.machine.models.whisper import add_whisper, holds_whisper, place_of_whisper
from speech.complaint import Complaint, Phrase, told_by
from speech.models.whisper import KeptWhisper


async def add_model(
    shelf: Path, source: Path, language: str | None = None
) -> tuple[KeptModel, WordsKnown] | KeptWhisper:
    """Copy a model of Vosk or of Whisper here, try it, and put it in force.

    `language`: of a Vosk model; without it, the one of which it knows most words. Raises Complaint in one sentence;
    then nothing of it is left here.
    """
    if holds_whisper(source):
        _sweep(shelf)
        return await asyncio.to_thread(_whisper, shelf, source, source, language)
    name = name_of(source)
    if (shelf / name).exists():
        raise Complaint(Phrase("model.there", name=name, command=f"anna-eins models remove {name}"))
    _sweep(shelf)
    adding = shelf / f"{ADDING}{os.getpid()}-{name}"
    try:
        await asyncio.to_thread(copy_model, source, adding / "model.copied")
        if (packed := place_of_whisper(adding / "model.copied")) is not None:
            return await asyncio.to_thread(_whisper, shelf, packed, source, language)
        try:
            model_root(adding / "model.copied").replace(adding / "model")
            await try_model(adding / "model")
            known = language_of_model(adding / "model", (language,) if language else ())
        except Complaint as wrong:
            # The copy is gone when this is read: name what was given.
            said, copied = told_by(wrong), str(adding / "model")
            if isinstance(said, Phrase) and copied in map(str, said.values.values()):
                named = {place: source if str(one) == copied else one for place, one in said.values.items()}
                raise Complaint(Phrase(said.key, **named)) from None
            raise Complaint(Phrase("model.refused", place=source, why=said)) from None
        shutil.rmtree(adding / "model.copied", ignore_errors=True)
        about = ModelInfo(known.language, known.known, known.words, known.missing, next_turn(shelf))
        write_about(adding / ABOUT, about)
        adding.replace(shelf / name)
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=shelf, why=(wrong.strerror or wrong))) from None
    finally:
        shutil.rmtree(adding, ignore_errors=True)
    return KeptModel(name, shelf / name / "model", about), known


def _whisper(shelf: Path, place: Path, given: Path, language: str | None) -> KeptWhisper:
    if language is not None:
        raise Complaint(Phrase("whisper.every_language"))
    return add_whisper(shelf, place, given)


def _sweep(shelf: Path) -> None:
    """Remove what an interrupted adding left behind."""
    for left in shelf.glob(f"{ADDING}*"):
        number = left.name.removeprefix(ADDING).partition("-")[0]
        if not number.isdecimal() or not psutil.pid_exists(int(number)):
            shutil.rmtree(left, ignore_errors=True)
