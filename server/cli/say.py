"""`anna-eins say TEXT --out FILE.wav [--language L]` writes a phrase as a 16-bit mono WAV file.

With `--instruction NAME` in place of the text it writes what stands on a seat card, to be listened to (L229).
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from server.exports.handout import SPOKEN, instruction_lines
from speech.audio.sound import Sound
from speech.audio.wav import write_wav
from speech.complaint import Complaint
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import respelled, respellings
from speech.voices.voice import Manner, Segment


async def spoken(text: str, language: str, manner: Manner) -> Sound:
    """Return the text in the voice of the language.

    Words of the scheme are spelt so that the voice says them right.
    """
    voice = Pyttsx3Voice()
    try:
        return await voice.render([Segment(respelled(text, respellings(language)), language)], manner)
    finally:
        await voice.close()


@click.command("say")
@click.argument("text", required=False)
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
    help="The WAV file to write.",
)
@click.option("--language", default="de", show_default=True, help="Whose voice says it: de, en, hu, hy, ar, he.")
@click.option("--variant", default=None, help="Another speaker of that language, such as f2 or m3.")
@click.option("--speed", default=1.0, show_default=True, help="0.5 to 3.")
@click.option("--pitch", default=50, show_default=True, help="0 to 99.")
def command(
    text: str | None,
    instruction: str | None,
    out: Path,
    language: str,
    variant: str | None,
    speed: float,
    pitch: int,
) -> None:
    """Say TEXT into a WAV file (16 bit, mono)."""
    if (text is None) == (instruction is None):
        raise Complaint("Give either a text to say or --instruction.")
    text = text if instruction is None else " ".join(instruction_lines(instruction, language))
    assert text is not None
    write_wav(out, asyncio.run(spoken(text, language, Manner(variant, speed, pitch))))
