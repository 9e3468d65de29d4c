"""The command words as they are heard: said by eSpeak NG's voices, heard as at a rated table, in every language.

    python -m tests.bench.command_words [--words clock,article] [--languages de,en] [--engine auto, vosk or sphinx]

Four speakers that are not reserved for measuring (they trained our model: this flatters), each clean and in white noise
20 dB below. "itself": taken as that command. "again": asked to repeat. "nothing": passed over. "other": taken as
another command, or as a move; those are named. Nothing here is fitted or counted by the program.
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
from speech.words.language import COMMANDS
from speech.words.loading import language_tags, load_scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered, with_noise

SPEAKERS = (None, "f2", "m3", "edward")
NOISES_DB = (None, 20.0)


async def heard_of(language: str, words: list[str], engine: str) -> dict[str, Counter[str]]:
    """Of each command what became of it, so many times."""
    scheme = load_scheme("d21", language)
    said = [(word, speaker) for word in words for speaker in SPEAKERS]
    sounds = await rendered([phrase((f"cmd.{word}",), scheme, speaker) for word, speaker in said])
    hearing = Hearing(recognisers(engine))
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


def main() -> None:
    """Print a table a language."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", default=",".join(COMMANDS))
    parser.add_argument("--languages", default=",".join(language_tags()))
    parser.add_argument("--engine", default="auto")
    options = parser.parse_args()
    console = Console()
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
