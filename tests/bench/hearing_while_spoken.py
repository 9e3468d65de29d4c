"""From the last sample to the verdict: recognised while it is spoken, against recognised whole at the end.

    python tests/bench/hearing_while_spoken.py [UTTERANCES] [--engine sphinx|vosk|auto] [--release MS]

The sound comes in frames of 20 ms at the pace of speech, as from a microphone; `--release`: silence between the last
word and the letting go of the key. eSpeak NG's German speakers that are not reserved, clean and at 20 dB.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPO), str(REPO / "tests" / "speech_hearing")]

from spoken_announcements import SPEAKERS, announcements, phrase, rendered, with_noise

from speech.hearing import ENGINES, Hearing, recognisers
from speech.loading import load_scheme
from speech.scheme import Scheme

FRAME_BYTES = 640
FRAME_S = 0.02


async def waited(hearing: Hearing, pcm: bytes, scheme: Scheme, *, live: bool) -> tuple[float, tuple[str, ...]]:
    """Seconds from the last sample to the verdict, and its words."""
    utterance = hearing.open_utterance(scheme)
    begun = time.perf_counter()
    if live:
        for number, start in enumerate(range(0, len(pcm), FRAME_BYTES), 1):
            await asyncio.sleep(max(0.0, begun + number * FRAME_S - time.perf_counter()))
            utterance.feed(pcm[start : start + FRAME_BYTES])
    else:
        utterance.feed(pcm)
    last = time.perf_counter()
    verdict = await utterance.finish()
    return time.perf_counter() - last, verdict.words


async def run(count: int, engine: str, release_ms: int) -> None:
    german = load_scheme("d21", "de")
    said = announcements(count, 77)
    clean = await rendered([phrase(words, german, SPEAKERS[n % len(SPEAKERS)]) for n, words in enumerate(said)])
    noisy = [with_noise(pcm, 20.0, n) for n, pcm in enumerate(clean)]
    hearing = Hearing(recognisers(engine))
    await hearing.start()
    table = Table(title=f"Last sample to verdict, {'+'.join(hearing.engines)}; {platform.platform()}")
    for column in ("sound", "how", "n", "exact", "p50 ms", "p90 ms", "p99 ms", "RTF"):
        table.add_column(column, justify="left" if column in ("sound", "how") else "right")
    try:
        await waited(hearing, clean[0], german, live=False)
        for name, sounds in (("clean", clean), ("20 dB", noisy)):
            for live in (False, True):
                found = [await waited(hearing, pcm + bytes(release_ms * 32), german, live=live) for pcm in sounds]
                waits = sorted(wait * 1000 for wait, _ in found)
                exact = sum(words == wanted for (_, words), wanted in zip(found, said, strict=True))
                seconds = sum(len(pcm) for pcm in sounds) / 32_000
                table.add_row(
                    name,
                    "while spoken" if live else "whole",
                    str(count),
                    f"{exact / count:.2f}",
                    *(f"{waits[int(len(waits) * share)]:.0f}" for share in (0.5, 0.9, 0.99)),
                    "" if live else f"{sum(waits) / 1000 / seconds:.3f}",
                )
    finally:
        await hearing.close()
    Console(width=120).print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=40)
    parser.add_argument("--engine", choices=ENGINES, default="sphinx")
    parser.add_argument("--release", type=int, default=100)
    given = parser.parse_args()
    asyncio.run(run(given.count, given.engine, given.release))
