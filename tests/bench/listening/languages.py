"""Commands and national words in six languages, letters of the alphabet, and recorded German letters."""

from __future__ import annotations

from collections.abc import Sequence

from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from tests.bench.listening.at_the_board import COMMAND_CHAINS, Words
from tests.bench.listening.judging import BOTH, Ears, Sounded, Tally, tallied
from tests.bench.listening.keeping import Kept
from tests.bench.listening.moves import HEAD, cells
from tests.bench.listening.shares import brief, table
from tests.bench.listening.surroundings import Change
from tests.bench.listening.voices import in_scheme, recorded_letters

LANGUAGES = language_tags()
OPPOSITE = {("cmd.yes",): "no", ("cmd.no",): "yes"}


async def schemes(ears: Ears, kept: Kept, chains: Sequence[Words], voices: int) -> str:
    """Commands (d21), announcements in national words of each language, and German letters: by reserved variants."""
    lines: list[list[str]] = []
    for language in LANGUAGES:
        commands = [words for words in COMMAND_CHAINS for _ in range(voices)]
        rows = [("commands", "d21", commands), ("national", "national", chains)]
        if language == "de":  # the letters are German letters for everybody
            letters = [tuple(word.replace("file.", "letter.") for word in words) for words in chains]
            rows.append(("letters", "letters", letters))
        for title, name, said in rows:
            scheme = load_scheme(name, language)
            sounds = await in_scheme(kept, scheme, said)
            told = await tallied(ears, [Sounded(words, pcm) for words, pcm in zip(said, sounds, strict=True)], scheme)
            swapped = 0
            for words, pcm in zip(said, sounds, strict=True):
                if words in OPPOSITE:
                    verdict = await ears.verdict(ears.names[-1], pcm, scheme)
                    swapped += verdict.verdict != "repeat" and verdict.heard.command == OPPOSITE[words]
            for engine, tally in told.items():
                swaps = str(swapped) if engine == ears.names[-1] and title == "commands" else ""
                lines.append([f"{language} {title}, {engine}", str(tally["n"]), *cells(tally)[:4], swaps])
    return table(("language, scheme, engine", "n", *HEAD[:4], "yes/no swapped"), lines)


async def recorded(ears: Ears, count: int, changes: dict[str, Change]) -> str:
    """Announcements pasted of recorded words ("Springer" "f" "drei"), the second time of the second takes."""
    scheme = load_scheme("letters", "de")
    firsts, seconds = recorded_letters(count), recorded_letters(count, take=1)
    lines: list[list[str]] = []
    for condition in ("clean", "babble 20 dB"):
        change = changes[condition]
        sounded = [
            Sounded(words, change(pcm, place), change(again, 10_000 + place))
            for place, ((_, words, pcm), (_, _, again)) in enumerate(zip(firsts, seconds, strict=True))
        ]
        for name, tally in (await tallied(ears, sounded, scheme) if sounded else {}).items():
            lines.append([f"{condition}, {name}", str(tally["n"]), *cells(tally), _first(name, tally)])
    return table(("surroundings, engine", "n", *HEAD, "first choice right"), lines)


def _first(name: str, tally: Tally) -> str:
    return "" if name == BOTH else brief(tally["first choice right"], tally["n"])
