"""How soon the hearing service is ready, and the memory that it takes: at rest, and with utterances at the same time.

    python -m tests.bench.hearing_footprint [--engine own|whisper|auto]

PSS of the service's processes, from /proc: Linux alone. Of the parent, what it grew by since the modules were imported.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent

from speech.hearing.hearing import ENGINES, Hearing, recognisers
from speech.words.loading import load_scheme
from tests.bench.listening.processes import children, pss_mb
from tests.bench.listening.shares import table
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered, with_noise


def service_mb() -> float:
    """The memory of the children together."""
    return sum(pss_mb(pid) for pid in children())


async def run(engine: str) -> None:
    german = load_scheme("d21", "de")
    sounds = await rendered([phrase(words, german) for words in announcements(4, 5)])
    hard = [with_noise(pcm, 0.0, n) for n, pcm in enumerate(sounds)]  # no ear is sure of these by itself
    rows: list[list[str]] = []
    own = pss_mb(os.getpid())
    began = time.perf_counter()
    hearing = Hearing(recognisers(engine), patient=True)
    await hearing.start()
    started = time.perf_counter() - began
    rows.append(["started", f"{started:.2f}", f"{service_mb():.0f}", f"{pss_mb(os.getpid()) - own:.0f}"])
    try:
        began = time.perf_counter()
        await hearing.hear(sounds[0], german)
        first = time.perf_counter() - began
        rows.append(["first utterance", f"{first:.2f}", f"{service_mb():.0f}", f"{pss_mb(os.getpid()) - own:.0f}"])
        for count, noise in ((2, ""), (3, ""), (4, ""), (1, ", 0 dB"), (4, ", 0 dB")):
            began = time.perf_counter()
            utterances = [hearing.open_utterance(german) for _ in range(count)]
            for utterance, pcm in zip(utterances, hard if noise else sounds, strict=False):
                utterance.feed(pcm)
            await asyncio.gather(*(utterance.finish() for utterance in utterances))
            took = time.perf_counter() - began
            besides = f"{pss_mb(os.getpid()) - own:.0f}"
            rows.append([f"{count} at the same time{noise}", f"{took:.2f}", f"{service_mb():.0f}", besides])
    finally:
        await hearing.close()
    print(f"The hearing service: {'+'.join(hearing.engines)}, {os.cpu_count()} cores\n")
    print(table(("moment", "seconds", "children, PSS MB", "parent besides, MB"), rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, default="auto")
    asyncio.run(run(parser.parse_args().engine))
