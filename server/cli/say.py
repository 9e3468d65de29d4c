"""`anna-eins say` says a phrase, a page of prose, a guide or what stands on a seat card (L229) into a sound file.

A page of prose and a guide also go into braille. `anna-eins voice` lends the voice to other machines.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from braille.loading import load_profile, load_prose_tables, national_profile, prose_table
from braille.prose import prose_writer
from server.cli.score import read_text
from server.cli.terminal.elsewhere import asked_to_end, at_address
from server.cli.terminal.words import not_written, tell, wrong
from server.exports.guide import ROLES, Block, blocks_of, guide_text, in_braille, read_aloud
from server.exports.handout import SPOKEN, instruction_lines
from speech.audio.flac import encode_flac
from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import respell_words, respellings
from speech.voices.voice import Manner, Segment
from speech.words.config_file import language_tags


async def speak_text(text: str, language: str, manner: Manner) -> Sound:
    """Return the text in the voice of the language.

    Words of the scheme are spelt so that the voice says them right.
    """
    voice = Pyttsx3Voice()
    try:
        return await voice.render([Segment(respell_words(text, respellings(language)), language)], manner)
    finally:
        await voice.close()


@click.command("say", epilog="\b\nExample:\n  anna-eins say 'Bauer Eva vier' --out move.wav")
@click.argument("text", required=False)
@click.option("--file", type=click.Path(path_type=Path), metavar="PAGE.md")
@click.option("--guide", type=click.Choice(ROLES))
@click.option(
    "--instruction",
    type=click.Choice(SPOKEN),
)
@click.option(
    "--out",
    "out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
)
@click.option("--language", default="de", show_default=True, metavar=f"[{'|'.join(language_tags())}]")
@click.option("--variant", default=None)
@click.option("--speed", default=1.0, show_default=True)
@click.option("--pitch", default=50, show_default=True)
@click.option("--prose", default=None)
def command(
    text: str | None,
    file: Path | None,
    guide: str | None,
    instruction: str | None,
    out: Path,
    language: str,
    variant: str | None,
    speed: float,
    pitch: int,
    prose: str | None,
) -> None:
    """Say TEXT, a page, a guide or an instruction into a sound file (16 bit, mono), or put a page into braille."""
    if sum(one is not None for one in (text, file, guide, instruction)) != 1:
        raise wrong("what_to_say")
    if instruction is not None:
        text = " ".join(instruction_lines(instruction, language))
    page = guide_text(guide, language) if guide is not None else None
    if file is not None:
        page = read_text(file)
    blocks = blocks_of(page) if page is not None else ()
    ending = out.suffix.lower()
    if ending not in (".wav", ".flac", ".brf"):
        raise wrong("sound_ending", file=str(out))
    if ending == ".brf":
        made = _page_embossed(blocks, language, prose).encode("ascii")
    else:
        manner = Manner(variant, speed, pitch)
        sound = asyncio.run(
            read_aloud(blocks, language, manner) if blocks else speak_text(text or "", language, manner)
        )
        made = encode_flac(sound) if ending == ".flac" else wav_bytes(sound)
    try:
        out.write_bytes(made)
    except OSError as failed:
        raise not_written(out, failed, "other_out") from failed


def _page_embossed(blocks: tuple[Block, ...], language: str, prose: str | None) -> str:
    """Return the page as BRF, and say what the braille code lacks. Raises Complaint."""
    if not blocks:
        raise wrong("braille_page")
    if language not in language_tags():
        raise wrong("no_braille", language=language, names=", ".join(language_tags()))
    notes: list[str] = []
    table = prose_table(prose) if prose is not None else None
    profile = load_profile(national_profile(language))
    made = in_braille(blocks, prose_writer(language, profile, load_prose_tables(), notes, table=table))
    for note in notes:
        click.echo(note, err=True)
    return made


@click.command("voice", epilog="\b\nExample:\n  anna-eins voice --listen 192.0.2.8:10200 --key hall.key")
@click.option("--listen", required=True, metavar="HOST:PORT")
@click.option("--key", "key_file", type=click.Path(path_type=Path), metavar="FILE")
def voice(listen: str, key_file: Path | None) -> None:
    """Lend the voice of this machine to others, over Wyoming, until interrupted (docs/elsewhere.md)."""
    from server.machine.version import program_version
    from speech.wyoming.service import Service
    from speech.wyoming.voice import VoiceConversation, about_voice, info_of_voice

    address, secured = at_address(listen, key_file)

    async def lend() -> None:
        speaker = Pyttsx3Voice()
        try:
            await speaker.start()
            program = program_version()
            service = Service(lambda: VoiceConversation(speaker), info_of_voice(program), about_voice(program), secured)
            async with service.listening(address) as there:
                tell("voice_listens", address=str(there))
                await asked_to_end()
        finally:
            await speaker.close()

    asyncio.run(lend())
