"""Each ear alone and both together, on voices that are reserved for measuring: right, wrong, nothing; and how sure.

    python tests/bench/ears.py [ANNOUNCEMENTS PER VOICE] [--model FOLDER]

Whole grammar (every announcement, radio names, commands), nothing of a position. For each kind of voice, clean, with
20 dB white noise, with 20 dB of other voices that announce, and in a room: how often each engine's best chain means
what was said, means something else, or is none; the same where both agree; and how often one of the two is right. Then
what the ears do with it: accepted, wrongly accepted, read back, asked again. Intervals are Wilson's, 95 %. All voices
are synthetic or pasted of recorded words: no figure here says anything about a human speaker at a board.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import math
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent.parent)]

from hearing import FESTIVAL, FITTED, FLITE, REPO, RESERVED, Corpus, espeak, festival, flite, not_for_us, pasted
from spoken_announcements import with_noise

from speech.confidence import meaning
from speech.hearing import Hearing
from speech.loading import load_scheme
from speech.recognisers.keeping import KeptUtterance
from speech.recognisers.own.own_recogniser import OwnRecogniser
from speech.recognisers.pocketsphinx_recogniser import PocketsphinxRecogniser
from speech.recognisers.pool import RecogniserPool
from speech.recognisers.recogniser import Hypotheses, Recogniser, Utterance, Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.scheme import Scheme
from speech.understanding import understand

RATIO_DB = 20.0


def samples_of(pcm: bytes) -> np.ndarray:
    return np.frombuffer(pcm, "<i2").astype(np.float64)


def pcm_of(samples: np.ndarray) -> bytes:
    return np.clip(samples, -32768, 32767).astype("<i2").tobytes()


def with_babble(pcm: bytes, voices: Sequence[np.ndarray], seed: int) -> bytes:
    """Four other voices that announce, together `RATIO_DB` below the speech."""
    chance, said = np.random.default_rng(seed), samples_of(pcm)
    noise = np.zeros(len(said))
    for number in chance.choice(len(voices), 4, replace=False):
        voice = np.roll(np.resize(voices[number], len(said)), int(chance.integers(len(said))))
        noise += voice / np.sqrt((voice**2).mean())
    noise *= np.sqrt((said**2).mean() / 10 ** (RATIO_DB / 10) / (noise**2).mean())
    return pcm_of(said + noise)


def in_a_room(pcm: bytes, seed: int) -> bytes:
    """Echoes that die away in 0.5 s, half as strong as the voice."""
    chance, said = np.random.default_rng(seed), samples_of(pcm)
    time = np.arange(8000) / 16_000
    echo = chance.standard_normal(8000) * np.exp(-6.9 * time / 0.5)
    echo *= 0.5 / np.sqrt((echo**2).sum())
    echo[0] = 1.0
    size = len(said) + len(echo)
    return pcm_of(np.fft.irfft(np.fft.rfft(said, size) * np.fft.rfft(echo, size), size))


def wilson(hits: int, count: int) -> str:
    """The share and its 95 % interval."""
    if not count:
        return "-"
    z, share = 1.96, hits / count
    middle, wide = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    low, high = ((middle + sign * wide) / (1 + z * z / count) for sign in (-1, 1))
    return f"{share:.3f} ({max(0.0, low):.2f}-{min(1.0, high):.2f})"


class Remembering:
    """An engine that hears each sound once, whoever asks."""

    def __init__(self, engine: Recogniser) -> None:
        self._engine = engine
        self._found: dict[tuple[bytes, str], asyncio.Task[Hypotheses]] = {}
        self.name = engine.name
        self.start, self.close = engine.start, engine.close

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        key = hashlib.sha256(pcm).digest(), vocabulary.name
        if key not in self._found:
            self._found[key] = asyncio.create_task(self._engine.recognise(pcm, vocabulary))
        return await self._found[key]


async def meant(engine: Recogniser, pcm: bytes, scheme: Scheme) -> tuple[object, ...] | None:
    """What an engine's best chain means, None for nothing."""
    found = await engine.recognise(pcm, vocabulary_of(scheme))
    heard = understand(found.ranked[0].ids if found.ranked else ())
    return None if heard.kind == "none" else meaning(heard)


async def row(corpus: Corpus, scheme: Scheme, engines: Sequence[Recogniser], hearing: Hearing) -> Counter[str]:
    """The counts of one row."""
    counts: Counter[str] = Counter(n=len(corpus))
    await asyncio.gather(*(engine.recognise(pcm, vocabulary_of(scheme)) for _, pcm in corpus for engine in engines))
    for words, pcm in corpus:
        truth = meaning(understand(words)) if words else None
        told = [await meant(engine, pcm, scheme) for engine in engines]
        for engine, one in zip(engines, told, strict=True):
            counts[f"{engine.name} {'nothing' if one is None else 'right' if one == truth else 'wrong'}"] += 1
        if None not in told and len(set(told)) == 1:
            counts["agreed"] += 1
            counts["agreed wrong"] += told[0] != truth
        counts["one right"] += truth in told
        verdict = await hearing.hear(pcm, scheme)
        counts[verdict.verdict] += 1
        counts["accepted wrong"] += verdict.verdict == "accept" and meaning(verdict.heard) != truth
        counts["confirm wrong"] += verdict.verdict == "confirm" and meaning(verdict.heard) != truth
    return counts


async def rows(count: int) -> list[tuple[str, Corpus, Scheme]]:
    german, letters = load_scheme("d21", "de"), load_scheme("letters", "de")
    shared = Path(os.environ.get("ANNA_EINS_SHARED", REPO.parent / "shared")) / "data" / "voices-de"
    others = [samples_of(pcm) for _, pcm in await espeak(german, FITTED, 24, 61)]
    families: list[tuple[str, Corpus]] = [("eSpeak", await espeak(german, RESERVED, count, 52))]
    if shutil.which("flite"):
        families += [(f"flite {voice}", flite(voice, count)) for voice in FLITE]
    if shutil.which("festival"):
        families += [(f"festival {voice}", festival(voice, count)) for voice in FESTIVAL]
    conditions: list[tuple[str, Callable[[bytes, int], bytes]]] = [
        ("clean", lambda pcm, seed: pcm),
        ("white", lambda pcm, seed: with_noise(pcm, RATIO_DB, seed)),
        ("babble", lambda pcm, seed: with_babble(pcm, others, seed)),
        ("room", in_a_room),
    ]
    found: list[tuple[str, Corpus, Scheme]] = []
    for condition, change in conditions:
        changed = [
            (name, [(words, change(pcm, seed)) for seed, (words, pcm) in enumerate(corpus)])
            for name, corpus in families
            if corpus
        ]
        found += [(f"{name}, {condition}", corpus, german) for name, corpus in changed]
        found.append((f"ALL, {condition}", [one for _, corpus in changed for one in corpus], german))
    if shared.is_dir():
        found += [(f"{name}, letters", pasted(shared / name, count), letters) for name in ("gust", "christina")]
    found.append(("free speech and noise", await not_for_us(), german))
    return found


async def run(count: int, model: Path | None) -> None:
    engines: list[Recogniser] = [
        Remembering(RecogniserPool(PocketsphinxRecogniser)),
        Remembering(RecogniserPool(lambda: OwnRecogniser(model))),
    ]
    hearing = Hearing(engines)
    await hearing.start()
    table = Table(title="Each ear alone (right / wrong / nothing), both, and what follows")
    for column in ("voices", "n", "sphinx", "own", "own right", "agreed", "wrong", "one right"):
        table.add_column(column, justify="left" if column == "voices" else "right")
    for column in ("accepted", "of these wrong", "read back", "wrong", "again", "rejected"):
        table.add_column(column, justify="right")
    known: dict[str, Counter[str]] = {}
    try:
        for name, corpus, scheme in await rows(count):
            family, _, condition = name.partition(", ")
            if family == "ALL":
                parts = [one for other, one in known.items() if other.endswith(f", {condition}")]
                counts = sum(parts, Counter())
            else:
                counts = known[name] = await row(corpus, scheme, engines, hearing)
            n = counts["n"]
            shares = [
                "/".join(f"{counts[f'{engine} {key}'] / n:.2f}" for key in ("right", "wrong", "nothing"))
                for engine in ("sphinx", "own")
            ]
            table.add_row(
                name,
                str(n),
                *shares,
                wilson(counts["own right"], n),
                f"{counts['agreed'] / n:.2f}",
                str(counts["agreed wrong"]),
                f"{counts['one right'] / n:.2f}",
                f"{counts['accept'] / n:.2f}",
                f"{counts['accepted wrong']}: {wilson(counts['accepted wrong'], n)}",
                f"{counts['confirm'] / n:.2f}",
                str(counts["confirm wrong"]),
                f"{counts['repeat'] / n:.2f}",
                f"{counts['reject'] / n:.2f}",
                end_section=family == "ALL",
            )
    finally:
        await hearing.close()
    Console(width=190).print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=40)
    parser.add_argument("--model", type=Path, help="Another model of our own kind.")
    given = parser.parse_args()
    asyncio.run(run(given.count, given.model))
