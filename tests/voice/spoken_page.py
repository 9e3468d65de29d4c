"""Each phrase that a player's ear can be told in a game, with how long the voice takes; a page for each language.

    python -m tests.voice.spoken_page                  writes docs/spoken/TAG.md
    python -m tests.voice.spoken_page --sounds FOLDER  writes FOLDER/TAG.html, where each is heard

eSpeak NG at the ordinary speed. The refusals that only an arbiter can meet are there too.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from server.exports.samples import messages_said
from server.game.views import messages as msg
from server.protocol import SealedWords
from server.wording.aloud.says import Told
from server.wording.pieces import no_more, pieces_of, unspoken
from server.wording.words import scheme_of
from speech.audio.mp3 import encode_mp3
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Sound
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.loading import load_language
from speech.words.messages import without_isolation

DOCS = Path(__file__).resolve().parents[2] / "docs" / "spoken"
REFUSAL = "refusal."
ARTICLE = "9.1"


class Phrase(NamedTuple):
    """One phrase in an ear: what brings it, its words, how the voice is given them, and how long they take."""

    kind: str
    what: str
    told: Told
    seconds: float
    sound: Sound


def told_in_a_game(tag: str) -> Iterator[tuple[str, str, Told]]:
    """Each phrase once, with the message that brings it and what that is about."""
    scheme = scheme_of("d21", tag)
    codes = (key.removeprefix(REFUSAL) for key in load_messages(tag).entries if key.startswith(REFUSAL))
    messages = (*messages_said(scheme), *(msg.NotDone(code=code, article=ARTICLE) for code in codes))
    known: set[str] = set()
    pieces = (("AnswerGiven", "", no_more(scheme)), ("Unspoken", "", unspoken(scheme)))
    for kind, what, told in (*_of_messages(messages, tag), *pieces):
        if told[0] not in known:
            known.add(told[0])
            yield kind, what, told


def _of_messages(messages: Sequence[msg.AnyMessage | SealedWords], tag: str) -> Iterator[tuple[str, str, Told]]:
    scheme = scheme_of("d21", tag)
    for message in messages:
        about = (str(getattr(message, name, "")) for name in ("ask", "what", "code", "stage"))
        what = next((one for one in about if one), "")
        yield from ((type(message).__name__, what, told) for told in pieces_of(message, scheme))


async def phrases_in(tag: str, voice: Pyttsx3Voice) -> list[Phrase]:
    found = []
    for kind, what, told in told_in_a_game(tag):
        sound = await voice.render(told[1])
        found.append(Phrase(kind, what, told, sound.duration_ms / 1000, sound))
    return found


def page_of(tag: str, phrases: Sequence[Phrase]) -> str:
    """The page as Markdown, the longest first."""
    own = load_language(tag)
    seconds = sorted(one.seconds for one in phrases)
    long = sum(one > 3 for one in seconds)
    rows = (
        f"| {one.seconds:.1f} | {without_isolation(one.told[0]).replace('|', '/')} | {one.kind} {one.what} |"
        for one in sorted(phrases, key=lambda one: (-round(one.seconds, 1), one.told[0]))
    )
    half = seconds[len(seconds) // 2]
    return (
        f"# What an ear is told: {own.name}\n\n"
        "Written by `python -m tests.voice.spoken_page`; with `--sounds FOLDER` it writes a page where each is heard.\n"
        "Seconds are those of eSpeak NG at the ordinary speed.\n"
        f"{len(phrases)} phrases, half of them under {half:.1f} s, {long} over 3 s.\n\n"
        "| s | phrase | of |\n|--:|---|---|\n" + "\n".join(rows) + "\n"
    )


def page_to_hear(tag: str, phrases: Sequence[Phrase]) -> str:
    own = load_language(tag)
    rows = "".join(
        f'<tr><td>{one.seconds:.1f} s</td><td lang="{tag}" dir="auto">{escape(one.told[0])}</td>'
        f"<td>{escape(one.kind)} {escape(one.what)}</td>"
        f'<td><audio controls preload="none" src="data:audio/mpeg;base64,{b64encode(encode_mp3(one.sound)).decode()}">'
        "</audio></td></tr>\n"
        for one in sorted(phrases, key=lambda one: -one.seconds)
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{own.name}</title><h1>{own.name}</h1>'
        f"<table>{rows}</table></html>\n"
    )


async def write(folder: Path, *, sounds: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    voice = Pyttsx3Voice()
    for tag in language_tags():
        phrases = await phrases_in(tag, voice)
        page = page_to_hear(tag, phrases) if sounds else page_of(tag, phrases)
        (folder / f"{tag}.{'html' if sounds else 'md'}").write_text(page, "utf-8")
    await voice.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--sounds"]:
        asyncio.run(write(Path(sys.argv[2]), sounds=True))
    else:
        asyncio.run(write(DOCS, sounds=False))
