"""`anna-eins hear` prints what the ears make of sound files; `anna-eins ears` lends them to other machines."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path

import click
import msgspec

from server.cli.announce import board_of
from server.cli.hear_cases import Answer, Case, Failure, answer_of, read_cases
from server.cli.serve import strongbox_of
from server.cli.terminal.elsewhere import EVERY, asked_to_end, at_address
from server.cli.terminal.words import in_own_words, tell
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.models.shelf import engines_with, model_folders
from server.machine.strongbox import OPEN, Strongbox
from server.voice.profiles import code_of, kept_profile
from speech.audio.wav import read_wav
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import ENGINES, Hearing, Mode
from speech.recognisers.pool import cores
from speech.words.loading import load_scheme

CHUNK_BYTES = 640
"""20 ms of mono s16le at 16 kHz: sound comes in such pieces from a microphone."""

scheme_of = cache(load_scheme)


class CasesSpeaker(msgspec.Struct, frozen=True):
    """Person whose voice all the cases are in, where the profiles are, and what opens them.

    No name: anybody's voice.
    """

    name: str | None
    profiles: Path
    box: Strongbox = OPEN


async def hear_case(
    hearing: Hearing, case: Case, folder: Path, scheme_name: str, mode: Mode, speaker: CasesSpeaker
) -> Answer | Failure:
    """Return the answer to one case, its sound fed in pieces as a microphone would."""
    try:
        scheme = scheme_of(scheme_name, case.language)
        if speaker.name is not None:
            code = code_of(speaker.profiles, speaker.name, speaker.box)
            known = kept_profile(speaker.profiles, code, case.language, speaker.box)
            if known is None:
                raise Complaint(Phrase("cases.no_profile", name=speaker.name, language=case.language))
            scheme = msgspec.structs.replace(scheme, voice=known)
        board = board_of(case.fen) if case.fen is not None else None
        pcm = (await asyncio.to_thread(read_wav, folder / case.wav)).pcm
        utterance = hearing.open_utterance(scheme, mode)
        for start in range(0, len(pcm), CHUNK_BYTES):
            utterance.feed(pcm[start : start + CHUNK_BYTES])
        return answer_of(case, await utterance.finish(), board, scheme, training=mode == "training")
    except Complaint as wrong:
        return Failure(case.id, in_own_words(wrong.told))


async def hear_all(
    cases: list[Case | Failure], folder: Path, hearing: Hearing, scheme_name: str, mode: Mode, speaker: CasesSpeaker
) -> None:
    """Print the answers in the order of the cases.

    As many cases are heard at once as there are cores.
    """
    turn = asyncio.Semaphore(cores())

    async def one(case: Case | Failure) -> Answer | Failure:
        if isinstance(case, Failure):
            return case
        async with turn:
            return await hear_case(hearing, case, folder, scheme_name, mode, speaker)

    try:
        await hearing.start()
        for fault in hearing.faults:
            click.echo(in_own_words(fault), err=True)
        for answer in [asyncio.create_task(one(case)) for case in cases]:
            click.echo(msgspec.json.encode(await answer).decode())
    finally:
        await hearing.close()


@click.command(epilog="\b\nExample:\n  anna-eins hear --cases cases.jsonl --engine whisper")
@click.option("--cases", required=True, type=click.Path(path_type=Path))
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
@click.option("--mode", type=click.Choice(["rated", "training"]), default="rated", show_default=True)
@click.option("--scheme", "scheme_name", default="d21", show_default=True, metavar="NAME")
@click.option("--model", default=None, metavar="DIR")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--profile", default=None, metavar="NAME")
def command(
    cases: Path, engine: str, mode: Mode, scheme_name: str, model: str | None, data: Path | None, profile: str | None
) -> None:
    """Recognise announcements in WAV files (PCM, 8 to 48 kHz); one JSON line for each case, faulty ones included."""
    scheme_of(scheme_name, "de")
    found = read_cases(cases)
    kept = DataFolder(chosen_folder(data))
    hearing = Hearing(engines_with(engine, model, model_folders({}, kept.models), kept.models), patient=True)
    speaker = CasesSpeaker(profile, kept.profiles, strongbox_of(kept) if profile is not None else OPEN)
    asyncio.run(hear_all(found, cases.resolve().parent, hearing, scheme_name, mode, speaker))


@click.command("ears", epilog="\b\nExample:\n  anna-eins ears --listen 192.0.2.8:10300 --key hall.key")
@click.option("--listen", required=True, metavar="HOST:PORT")
@click.option("--key", "key_file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--announce", is_flag=True)
def ears(listen: str, key_file: Path | None, announce: bool) -> None:
    """Lend the recognisers of this machine to others, over Wyoming, until interrupted (docs/elsewhere.md)."""
    from server.machine.certificate import local_addresses
    from server.machine.install.adding import command_that_adds
    from server.machine.version import program_version
    from speech.wyoming.discovery import announce_ears, check_installed
    from speech.wyoming.ears import EarsConversation, about_ears, info_of_ears
    from speech.wyoming.service import Service

    if announce:
        check_installed(command_that_adds("wyoming"))
    address, secured = at_address(listen, key_file)

    async def lend() -> None:
        hearing = Hearing()
        try:
            await hearing.start()
            for fault in hearing.faults:
                click.echo(in_own_words(fault), err=True)
            about = about_ears(hearing, program_version())
            service = Service(lambda: EarsConversation(hearing), info_of_ears(program_version()), about, secured)
            async with service.listening(address) as there, AsyncExitStack() as stack:
                if announce:
                    hosts = local_addresses() if address.host in EVERY else (address.host,)
                    await stack.enter_async_context(announce_ears(f"anna-eins-{there.port}", hosts, there.port))
                tell("ears_listen", address=str(there))
                await asked_to_end()
        finally:
            await hearing.close()

    asyncio.run(lend())
