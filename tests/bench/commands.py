"""Commands and national words in six languages: how often does the built-in recogniser hear them right?

    python tests/bench/commands.py [--voices N] [--announcements N] [--languages de,hu]

For each language every command is said by eSpeak NG voices that are not reserved for measuring, at a table of the
scheme d21 (moves in German words); then national announcements at a table of the scheme national. Yes and no are
counted apart: neither may ever stand for the other. The phones of hu, hy, ar, he (and of English words that the model's
dictionary lacks) are made from eSpeak NG's own phonemes, and eSpeak NG speaks here: the figures flatter, a human
speaker will do worse.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPO), str(REPO / "tests" / "speech_hearing")]

from spoken_announcements import announcements, phrase, rendered

from speech.confidence import meaning
from speech.hearing import Hearing, recognisers
from speech.language import COMMANDS
from speech.loading import load_scheme
from speech.understanding import understand

LANGUAGES = ("de", "en", "hu", "hy", "ar", "he")
VOICES = (None, "f2", "m3", "edward", "m1", "f3")
OPPOSITE = {("cmd.yes",): "no", ("cmd.no",): "yes"}


def interval(hits: int, count: int) -> str:
    """Wilson's 95 % interval of a share."""
    if not count:
        return "-"
    share, z = hits / count, 1.96
    middle, spread = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    low, high = (middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count)
    return f"{share:.2f} ({low:.2f}-{high:.2f})"


async def heard(
    hearing: Hearing, language: str, scheme_name: str, said: list[tuple[str, ...]], voices: int
) -> Counter[str]:
    """Counts by outcome of these chains of words, each by so many voices."""
    scheme = load_scheme(scheme_name, language)
    spoken = [(words, voice) for voice in VOICES[:voices] for words in said]
    sounds = await rendered([phrase(words, scheme, voice) for words, voice in spoken])
    counts: Counter[str] = Counter(n=len(spoken))
    for (words, _voice), pcm in zip(spoken, sounds, strict=True):
        verdict = await hearing.hear(pcm, scheme)
        right = meaning(verdict.heard) == meaning(understand(words))
        taken = verdict.verdict in ("accept", "confirm")
        counts["right" if right and taken else "wrong" if taken else verdict.verdict] += 1
        # As the engine first heard it, before anything was asked again.
        first = understand(verdict.hypotheses[0].ids) if verdict.hypotheses else understand(())
        counts["first"] += meaning(first) == meaning(understand(words))
        counts["yes for no"] += taken and words in OPPOSITE and verdict.heard.command == OPPOSITE[words]
    return counts


async def run(languages: list[str], voices: int, moves: int) -> None:
    hearing = Hearing(recognisers("sphinx"))
    await hearing.start()
    table = Table(title=f"{voices} eSpeak NG voices that are not reserved; share (95 % interval)")
    for column in (
        "language",
        "what",
        "n",
        "first choice right",
        "taken right",
        "wrong",
        "asked",
        "rejected",
        "yes/no",
    ):
        table.add_column(column, justify="left" if column in ("language", "what") else "right")
    commands = [(f"cmd.{name}",) for name in COMMANDS]
    try:
        for language in languages:
            rows = [("commands, d21", "d21", commands)]
            if moves:
                rows.append(("moves, national", "national", announcements(moves, 71)))
            for title, scheme, said in rows:
                counts = await heard(hearing, language, scheme, said, voices)
                shares = [interval(counts[key], counts["n"]) for key in ("first", "right", "wrong", "repeat", "reject")]
                table.add_row(language, title, str(counts["n"]), *shares, str(counts["yes for no"]))
    finally:
        await hearing.close()
    Console(width=150).print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--voices", type=int, default=3)
    parser.add_argument("--announcements", type=int, default=20)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    given = parser.parse_args()
    asyncio.run(run(given.languages.split(","), given.voices, given.announcements))
