"""The command words as they are heard: said by eSpeak NG's voices, heard as at a rated table, in every language.

    python -m tests.bench.command_words [--words clock,article] [--languages de,en] [--engine auto, own or whisper]
    python -m tests.bench.command_words --forms [--languages de,en]
    python -m tests.bench.command_words --phrases ../shared/reference/phrases-not-understood.tsv [--languages de,en]

Four speakers that are not reserved for measuring (they trained our model: this flatters), each clean and in white noise
20 dB below. "itself": taken as that command. "again": asked to repeat. "nothing": passed over. "other": taken as
another command, or as a move; those are named. Nothing here is fitted or counted by the program.

`--forms`: every form of every command, by two of the speakers, clean, by our own model alone. "right": its first choice
is the command; "wrong": another one or a move; "not heard": nothing. "taken": surely or read back, and as what else.

`--phrases`: natural phrases (language, phrase, meaning), by eSpeak NG's own voice, clean, heard as at a rated table:
moves by a scheme that has every word in the listener's language, all else by that of D.2.1. A notation is not said.
Arabic and Hebrew are said with their vowels (`readings.toml`, the pronunciations), as a player says them. Each phrase
that is not heard as what it means is named, with the reason: "no words" of the ears, "misheard" by our own model,
"doubt" where its first choice is right and was not taken, and what each ear heard.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent

from speech.announcements.understand import understand
from speech.hearing.hearing import Hearing, recognisers
from speech.voices.voice import Manner, Segment
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered, with_noise
from tests.speech.hearing.spoken_commands import SPEAKERS as TWO_SPEAKERS
from tests.speech.hearing.spoken_commands import forms_of, heard
from tests.speech.hearing.spoken_phrases import are_words, said_phrases, scheme_of_phrase, text_to_say
from tests.wording.test_typed_phrases import meaning

SPEAKERS = (None, "f2", "m3", "edward")
NOISES_DB = (None, 20.0)


async def heard_of(language: str, words: list[str], engine: str) -> dict[str, Counter[str]]:
    """Of each command what became of it, so many times."""
    scheme = load_scheme("d21", language)
    said = [(word, speaker) for word in words for speaker in SPEAKERS]
    sounds = await rendered([phrase((f"cmd.{word}",), scheme, speaker) for word, speaker in said])
    hearing = Hearing(recognisers(engine), patient=True)
    await hearing.start()
    found: dict[str, Counter[str]] = {word: Counter() for word in words}
    try:
        for (word, _), clean in zip(said, sounds, strict=True):
            for noise in NOISES_DB:
                verdict = await hearing.hear(clean if noise is None else with_noise(clean, noise), scheme)
                taken = verdict.verdict in ("accept", "confirm")
                what = {"repeat": "again", "reject": "nothing"}.get(verdict.verdict, "")
                if taken:
                    itself = verdict.heard.command == word
                    what = "itself" if itself else f"other: {verdict.heard.command or ' '.join(verdict.words)}"
                found[word][what] += 1
    finally:
        await hearing.close()
    return found


def hear_forms(languages: list[str], console: Console) -> None:
    """Print how every form is heard, a line a language, and each one that is not heard as its command."""
    table = Table(title="every form of every command, our own model")
    for column in ("language", "forms", "said", "right", "wrong", "not heard", "taken", "taken as another"):
        table.add_column(column)
    for language in languages:
        forms = forms_of(language)
        found = asyncio.run(heard(language, [(form, speaker) for form in forms for speaker in TWO_SPEAKERS]))
        wrong = [one for one in found if not one.right]
        for one in wrong:
            console.print(language, one.form.command, one.form.form, one.speaker, "->", one.best or "nothing")
        other = [one for one in found if one.taken and one.taken != one.form.command]
        counts = (len(forms), len(found), len(found) - len(wrong), sum(bool(one.best) for one in wrong))
        nothing, taken = sum(not one.best for one in wrong), sum(one.taken == one.form.command for one in found)
        named = ", ".join(f"{one.form.form}: {one.taken}" for one in other)
        table.add_row(language, *map(str, counts), str(nothing), str(taken), named)
    console.print(table)


class PhraseHeard(NamedTuple):
    """`what`: itself, which (the player is asked which of two squares, one is right), again, nothing or other.

    `why`: "" for itself. `heard`: how sure, and what each ear heard.
    """

    text: str
    meant: str
    what: str
    why: str
    heard: str


async def heard_phrases(language: str, said: list[tuple[str, str]], engine: str) -> list[PhraseHeard]:
    """Return of each phrase and its meaning what became of it."""
    schemes = [scheme_of_phrase(text, meant, language) for text, meant in said]
    voiced = [
        ([Segment(text_to_say(text, scheme), language)], Manner(None, 0.85))
        for (text, _), scheme in zip(said, schemes, strict=True)
    ]
    hearing, found = Hearing(recognisers(engine), patient=True), []
    sounds = await rendered(voiced)
    await hearing.start()
    try:
        for (text, meant), scheme, sound in zip(said, schemes, sounds, strict=True):
            verdict = await hearing.hear(sound, scheme)
            taken = verdict.verdict in ("accept", "confirm") and verdict.heard.kind != "none"
            what = "again" if verdict.verdict == "repeat" else "nothing"
            if taken:
                what = "itself" if meaning(verdict.heard) == meant else "other"
            if verdict.two_squares and what != "nothing":
                choice = [meaning(understand(chain)) for chain in verdict.two_squares]
                what = "which" if meant in choice else "again"
            ears = {one.engine: one.ranked[0].ids if one.ranked else () for one in verdict.found}
            own = meaning(understand(next(iter(ears.values()), ())))
            why = "" if what == "itself" else "misheard" if own != meant else "doubt"
            if why and not are_words(text, meant, scheme):
                why = "no words"
            heard = "; ".join(f"{name}: {' '.join(words) or 'nothing'}" for name, words in ears.items())
            found.append(PhraseHeard(text, meant, what, why, f"{verdict.confidence:.2f} {heard}"))
    finally:
        await hearing.close()
    return found


def hear_phrases(file: Path, languages: list[str], engine: str, console: Console) -> None:
    """Print what became of the phrases, a line a language, and each one that was not heard as what it means."""
    table = Table(title=f"natural phrases as they are said, {engine}")
    columns = ("itself", "which", "again", "nothing", "other"), ("no words", "misheard", "doubt")
    for column in ("language", "said", *columns[0], *columns[1]):
        table.add_column(column)
    for language in languages:
        said = said_phrases(file, language)
        found = asyncio.run(heard_phrases(language, said, engine))
        for one in found:
            if one.what != "itself":
                console.print(language, one.what, one.why, one.text, one.meant, "->", one.heard, highlight=False)
        whats, whys = Counter(one.what for one in found), Counter(one.why for one in found)
        counts = (len(said), *(whats[one] for one in columns[0]), *(whys[one] for one in columns[1]))
        table.add_row(language, *map(str, counts))
    console.print(table)


def main() -> None:
    """Print a table a language."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", default=",".join(COMMANDS))
    parser.add_argument("--languages", default=",".join(language_tags()))
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--phrases", type=Path)
    options = parser.parse_args()
    console = Console()
    if options.forms:
        hear_forms(options.languages.split(","), console)
        return
    if options.phrases is not None:
        hear_phrases(options.phrases, options.languages.split(","), options.engine, console)
        return
    for language in options.languages.split(","):
        found = asyncio.run(heard_of(language, options.words.split(","), options.engine))
        table = Table(title=f"{language}: {len(SPEAKERS) * len(NOISES_DB)} of each word, {options.engine}")
        for column in ("word", "itself", "again", "nothing", "other"):
            table.add_column(column)
        for word, counts in found.items():
            others = ", ".join(f"{what[7:]} {count}" for what, count in counts.items() if what.startswith("other"))
            table.add_row(word, *(str(counts[column]) for column in ("itself", "again", "nothing")), others)
        total = sum(found.values(), Counter[str]())
        table.add_row("all", *(str(total[column]) for column in ("itself", "again", "nothing")), "")
        console.print(table)


if __name__ == "__main__":
    main()
