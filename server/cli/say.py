"""`anna-eins say` says a phrase, a page of prose, a guide or what stands on a seat card (L229) into a sound file.

A page of prose and a guide also go into braille. `anna-eins voice` lends the voice to other machines.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from braille.loading import load_profile, load_prose_tables, national_profile, prose_table
from braille.prose import prose_writer
from server.cli.elsewhere import asked_to_end, at_address
from server.cli.score import read_text
from server.exports.guide import ROLES, Block, blocks_of, guide_text, in_braille, read_aloud
from server.exports.handout import SPOKEN, instruction_lines
from speech.audio.flac import encode_flac
from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.complaint import Complaint
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import respelled, respellings
from speech.voices.voice import Manner, Segment
from speech.words.loading import language_tags


async def spoken(text: str, language: str, manner: Manner) -> Sound:
    """Return the text in the voice of the language.

    Words of the scheme are spelt so that the voice says them right.
    """
    voice = Pyttsx3Voice()
    try:
        return await voice.render([Segment(respelled(text, respellings(language)), language)], manner)
    finally:
        await voice.close()


@click.command("say", epilog="\b\nExample:\n  anna-eins say 'Bauer Eva vier' --out move.wav")
@click.argument("text", required=False)
@click.option("--file", type=click.Path(path_type=Path), metavar="PAGE.md", help="A page of prose instead of TEXT.")
@click.option("--guide", type=click.Choice(ROLES), help="The guide of one page for this reader instead of TEXT.")
@click.option(
    "--instruction",
    type=click.Choice(SPOKEN),
    help="An instruction in place of TEXT: for the sighted opponent, or how one castles by hand in Chess960.",
)
@click.option(
    "--out",
    "out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write: .wav, .flac, or of a page .brf, which an embosser takes (40 cells, 25 lines).",
)
@click.option("--language", default="de", show_default=True, help="Whose voice says it: de, en, hu, hy, ar, he.")
@click.option("--variant", default=None, help="Another speaker of that language, such as f2 or m3.")
@click.option("--speed", default=1.0, show_default=True, help="0.5 to 3.")
@click.option("--pitch", default=50, show_default=True, help="0 to 99.")
@click.option("--prose", default=None, help="With .brf: the reader's own table, such as ueb-g2 or de-g2.")
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
        raise Complaint("Give one of these: a text to say, a page with --file, --guide, or --instruction.")
    if instruction is not None:
        text = " ".join(instruction_lines(instruction, language))
    page = guide_text(guide, language) if guide is not None else None
    if file is not None:
        page = read_text(file, "a page of prose")
    blocks = blocks_of(page) if page is not None else ()
    ending = out.suffix.lower()
    if ending not in (".wav", ".flac", ".brf"):
        raise Complaint(
            f"{out} can be written as .wav or .flac, and a page also as .brf; choose one of these with --out."
        )
    if ending == ".brf":
        made = _embossed(blocks, language, prose).encode("ascii")
    else:
        manner = Manner(variant, speed, pitch)
        sound = asyncio.run(read_aloud(blocks, language, manner) if blocks else spoken(text or "", language, manner))
        made = encode_flac(sound) if ending == ".flac" else wav_bytes(sound)
    try:
        out.write_bytes(made)
    except OSError as wrong:
        raise Complaint(f"{out} cannot be written ({wrong.strerror}); choose another file with --out.") from wrong


def _embossed(blocks: tuple[Block, ...], language: str, prose: str | None) -> str:
    """Return the page as BRF, and say what the braille code lacks. Raises Complaint."""
    if not blocks:
        raise Complaint("Braille is made of a page; name it with --file or --guide.")
    if language not in language_tags():
        raise Complaint(f'There is no braille for "{language}"; choose one of: {", ".join(language_tags())}.')
    notes: list[str] = []
    table = prose_table(prose) if prose is not None else None
    profile = load_profile(national_profile(language))
    made = in_braille(blocks, prose_writer(language, profile, load_prose_tables(), notes, table=table))
    for note in notes:
        click.echo(note, err=True)
    return made


@click.command("voice", epilog="\b\nExample:\n  anna-eins voice --listen 192.0.2.8:10200 --key hall.key")
@click.option("--listen", required=True, metavar="HOST:PORT", help="Where other machines ask: 192.168.1.20:10200.")
@click.option(
    "--key", "key_file", type=click.Path(path_type=Path), metavar="FILE", help="The key they share with this."
)
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
                click.echo(f"The voice listens at {there}. Stop it with Ctrl+C.")
                await asked_to_end()
        finally:
            await speaker.close()

    asyncio.run(lend())
