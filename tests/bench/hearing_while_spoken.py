"""From the last sample to the verdict: recognised while it is spoken, against recognised whole at the end.

    python tests/bench/hearing_while_spoken.py [UTTERANCES] [--engine sphinx|vosk|auto] [--release MS]

The sound comes in frames of 20 ms at the pace of speech, as from a microphone; `--release`: silence between the last
word and the letting go of the key. eSpeak NG's German speakers that are not reserved, clean and at 20 dB.

The waits are wall time and grow with whatever else the machine does. The two columns of work are processor time of the
engines' processes alone (from /proc): what is left to do after the last sample, and all of it a second of sound.
"both asked": where the engine that hears while it is spoken was not sure enough by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPO), str(REPO / "tests" / "speech_hearing"), str(REPO / "tests" / "bench")]

from listening.processes import children, worked_s
from listening.shares import table
from spoken_announcements import SPEAKERS, announcements, phrase, rendered, with_noise

from speech.hearing import ENGINES, Hearing, recognisers
from speech.loading import load_scheme
from speech.scheme import Scheme

FRAME_BYTES = 640
FRAME_S = 0.02


class Waited:
    """What became of utterances of one kind: waits (s), words, and processor time."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.words: list[tuple[str, ...]] = []
        self.both = 0
        self.work_after = 0.0
        self.work = 0.0

    async def hear(self, hearing: Hearing, pcm: bytes, scheme: Scheme, *, live: bool) -> None:
        """One utterance."""
        before = worked_s(children())
        utterance = hearing.open_utterance(scheme)
        begun = time.perf_counter()
        if live:
            for number, start in enumerate(range(0, len(pcm), FRAME_BYTES), 1):
                await asyncio.sleep(max(0.0, begun + number * FRAME_S - time.perf_counter()))
                utterance.feed(pcm[start : start + FRAME_BYTES])
        else:
            utterance.feed(pcm)
        last, at_last = time.perf_counter(), worked_s(children())
        verdict = await utterance.finish()
        self.waits.append(time.perf_counter() - last)
        self.words.append(verdict.words)
        self.both += "+" in verdict.engine
        after = worked_s(children())
        self.work_after += after - at_last
        self.work += after - before


async def run(count: int, engine: str, release_ms: int) -> None:
    german = load_scheme("d21", "de")
    said = announcements(count, 77)
    clean = await rendered([phrase(words, german, SPEAKERS[n % len(SPEAKERS)]) for n, words in enumerate(said)])
    noisy = {dB: [with_noise(pcm, dB, n) for n, pcm in enumerate(clean)] for dB in (20.0, 10.0)}
    hearing = Hearing(recognisers(engine))
    await hearing.start()
    rows: list[list[str]] = []
    try:
        await hearing.hear(clean[0], german)
        for name, sounds in (("clean", clean), *((f"{dB:.0f} dB", them) for dB, them in noisy.items())):
            for live in (False, True):
                found = Waited()
                for pcm in sounds:
                    await found.hear(hearing, pcm + bytes(release_ms * 32), german, live=live)
                waits = sorted(wait * 1000 for wait in found.waits)
                exact = sum(words == wanted for words, wanted in zip(found.words, said, strict=True))
                seconds = sum(len(pcm) for pcm in sounds) / 32_000
                rows.append(
                    [
                        f"{name}, {'while spoken' if live else 'whole'}",
                        str(count),
                        f"{100 * exact / count:.0f}",
                        str(found.both),
                        *(f"{waits[int(len(waits) * share)]:.0f}" for share in (0.5, 0.9, 0.99)),
                        f"{1000 * found.work_after / count:.0f}",
                        f"{found.work / seconds:.3f}",
                    ]
                )
    finally:
        await hearing.close()
    load = f"{os.getloadavg()[0]:.1f} processes at work on {os.cpu_count()} cores"
    print(f"Last sample to verdict, {'+'.join(hearing.engines)}; {platform.platform()}, {load}\n")
    head = (
        "sound, how",
        "n",
        "exact",
        "both asked",
        "p50 ms",
        "p90 ms",
        "p99 ms",
        "work after it, ms",
        "work a second",
    )
    print(table(head, rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=40)
    parser.add_argument("--engine", choices=ENGINES, default="sphinx")
    parser.add_argument("--release", type=int, default=100)
    given = parser.parse_args()
    asyncio.run(run(given.count, given.engine, given.release))
