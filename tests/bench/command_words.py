"""The command words as they are heard: said by eSpeak NG's voices, heard as at a rated table, in every language.

    python -m tests.bench.command_words [--words clock,article] [--languages de,en] [--engine auto, own or whisper]
    python -m tests.bench.command_words --forms [--languages de,en]

Four speakers that are not reserved for measuring (they trained our model: this flatters), each clean and in white noise
20 dB below. "itself": taken as that command. "again": asked to repeat. "nothing": passed over. "other": taken as
another command, or as a move; those are named. Nothing here is fitted or counted by the program.

`--forms`: every form of every command, by two of the speakers, clean, by our own model alone. "right": its first choice
is the command; "wrong": another one or a move; "not heard": nothing. "taken": surely or read back, and as what else.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent

from speech.hearing.hearing import Hearing, recognisers
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered, with_noise
from tests.speech.hearing.spoken_commands import SPEAKERS as TWO_SPEAKERS
from tests.speech.hearing.spoken_commands import forms_of, heard

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


def main() -> None:
    """Print a table a language."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", default=",".join(COMMANDS))
    parser.add_argument("--languages", default=",".join(language_tags()))
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--forms", action="store_true")
    options = parser.parse_args()
    console = Console()
    if options.forms:
        hear_forms(options.languages.split(","), console)
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
