"""Which words are misheard, and as what: to see where a pronunciation wants mending. No reserved voice speaks here.

    python -m tests.bench.mishearings [--languages de,hu] [--schemes d21,national,letters] [--announcements N]
                                       [--voices N]

Each language's commands, and announcements under each scheme, by eSpeak NG voices that are not reserved. Prints for
each engine the share of first choices that are right, and the words that were heard as others, most frequent first.
The phones of hu, hy, ar, he (and of English words that the model's dictionary lacks) are made from eSpeak NG's own
phonemes, and eSpeak NG speaks here: the figures flatter, a human speaker will do worse.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent

from speech.words.loading import load_scheme
from tests.bench.listening.at_the_board import COMMAND_CHAINS, Words
from tests.bench.listening.judging import Ears, truth_of
from tests.bench.listening.keeping import Kept
from tests.bench.listening.languages import LANGUAGES
from tests.bench.listening.remembering import remembering_own, remembering_whisper
from tests.bench.listening.shares import percent
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered

VOICES = (None, "f2", "m3", "adam", "m1", "f1")


def swapped(said: Words, heard: Words) -> Iterator[str]:
    """The stretches in which two chains differ."""
    for kind, a, b, c, d in difflib.SequenceMatcher(None, said, heard, autojunk=False).get_opcodes():
        if kind != "equal":
            yield f"{'+'.join(said[a:b]) or '-'} > {'+'.join(heard[c:d]) or '-'}"


async def run(given: argparse.Namespace) -> None:
    kept = Kept()
    engines = {"own": remembering_own, "whisper": remembering_whisper}
    ears = Ears([engines[name](kept, 2) for name in given.engines.split(",")])
    await ears.start()
    try:
        for language in given.languages.split(","):
            for name in given.schemes.split(","):
                scheme = load_scheme(name, language)
                chains = announcements(given.announcements, 71)
                if name == "letters":
                    chains = [tuple(word.replace("file.", "letter.") for word in words) for words in chains]
                spoken = [(words, voice) for voice in VOICES[: given.voices] for words in chains]
                if name == "d21":
                    spoken += [(words, voice) for voice in VOICES[: given.voices] for words in COMMAND_CHAINS]
                phrases = [phrase(words, scheme, voice) for words, voice in spoken]
                texts = [[(one.text, one.voice_language) for one in segments] for segments, _ in phrases]
                plan = ["mishearings", 1, texts, [voice for _, voice in spoken]]
                sounds = await kept.sounds(plan, partial(rendered, phrases))
                await ears.listen(sounds, scheme)
                for engine in ears.engines:
                    wrong: Counter[str] = Counter()
                    right = 0
                    for (words, _), pcm in zip(spoken, sounds, strict=True):
                        heard = await ears.first_choice(engine, pcm, scheme)
                        right += truth_of(heard) == truth_of(words)
                        wrong.update(swapped(words, heard) if truth_of(heard) != truth_of(words) else ())
                    print(f"\n{language} {name}, {engine}: {percent(right, len(spoken))} of {len(spoken)}")
                    print("".join(f"  {count}  {what}\n" for what, count in wrong.most_common(12)), end="", flush=True)
    finally:
        await ears.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--schemes", default="d21,national,letters")
    parser.add_argument("--engines", default="own,whisper")
    parser.add_argument("--announcements", type=int, default=12)
    parser.add_argument("--voices", type=int, default=2)
    asyncio.run(run(parser.parse_args()))
