"""The readings of an enrolment come from WAV files, or from the microphone, prompt by prompt."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from server.wording.words import text_in
from speech.audio.devices import capture
from speech.audio.wav import read_wav
from speech.complaint import Complaint, Phrase
from speech.enrolment.learn import Reading
from speech.enrolment.prompts import load_prompts
from speech.words.catalogue import phrase_in
from speech.words.scheme import Scheme

TIMES = 2
LONGEST_READING_S = 10


def list_prompts(scheme: Scheme) -> list[str]:
    """Return the prompts as they are read, each with the number that its recording has."""
    return [f"{number:02} {text_in(words, scheme)}" for number, words in enumerate(load_prompts(), 1)]


def readings_from_folder(folder: Path) -> list[Reading]:
    """Return the recordings of a folder; what is missing is left out.

    01.wav is the first prompt, 01-2.wav its second reading. Raises Complaint where the folder has none, or one that
    cannot be read.
    """
    found: list[Reading] = []
    for number, words in enumerate(load_prompts(), 1):
        for name in (f"{number:02}.wav", *(f"{number:02}-{time}.wav" for time in range(2, TIMES + 1))):
            if (folder / name).is_file():
                found.append(Reading(words, read_wav(folder / name).pcm))
    if not found:
        raise Complaint(Phrase("enrol.no_reading", folder=folder))
    return found


async def readings_from_microphone(scheme: Scheme, device: str | None) -> list[Reading]:
    """Record the prompts from the microphone: show each, begin and end with Enter.

    An end of input ends all of it.
    """
    found: list[Reading] = []
    for number, words in enumerate(load_prompts(), 1):
        click.echo(phrase_in(Phrase("enrol.read", number=number, words=text_in(words, scheme)), scheme.language))
        if not await asyncio.to_thread(_enter):
            break
        found.append(Reading(words, await _sound_until_enter(device)))
    return found


async def _sound_until_enter(device: str | None) -> bytes:
    """Return the sound until the next Enter, at most `LONGEST_READING_S` seconds."""
    sound = bytearray()
    async with capture(device) as microphone:

        async def take() -> None:
            async for _, pcm in microphone:
                sound.extend(pcm)

        taking = asyncio.create_task(take())
        try:
            await asyncio.to_thread(_enter)
        finally:
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
    return bytes(sound[: LONGEST_READING_S * 32_000])


def _enter() -> bool:
    try:
        input()
    except EOFError:
        return False
    return True
