"""From the last sample to the verdict: recognised whole at the end, or by our own model while it is spoken.

    python -m tests.bench.hearing_while_spoken [UTTERANCES] [--engine own|whisper|auto] [--release MS] [--tuning]
        [--dB 20,10] [--seats 10 [--minutes 3]]

The sound comes in frames of 20 ms at the pace of speech, as from a microphone; `--release`: silence between the last
word and the letting go of the key. eSpeak NG's German speakers that are not reserved (`--tuning`: those alone that our
own model was not trained on), clean and in white noise.

The waits are wall time and grow with whatever else the machine does. The two columns of work are processor time of the
engines' processes alone (from /proc): what is left to do after the last sample, and all of it a second of sound.
"in doubt": where the engine that hears while it is spoken was not sure enough by itself, and how long these waited.
`--seats`: so many players of a hall speak instead, each once a minute at a moment of their own, in the last noise.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import time
from collections.abc import Sequence
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent

from speech.hearing.hearing import ENGINES, Hearing, recognisers
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.bench.listening.processes import children, worked_s
from tests.bench.listening.shares import table
from tests.speech.hearing.spoken_announcements import SPEAKERS, announcements, phrase, rendered, with_noise

FRAME_BYTES = 640
FRAME_S = 0.02
TUNING = ("m4", "f3", "edward", "linda")
HOW = ("whole", "while spoken")


class Waited:
    """What became of utterances of one kind: waits (s), words, and processor time."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.words: list[tuple[str, ...]] = []
        self.doubts: list[float] = []
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
        if "+" in verdict.engine:
            self.doubts.append(self.waits[-1])
        after = worked_s(children())
        self.work_after += after - at_last
        self.work += after - before


def percentiles(waits: Sequence[float]) -> list[str]:
    """The middle one, the worst of nineteen in twenty, the worst; ms."""
    waits = sorted(wait * 1000 for wait in waits)
    return [f"{waits[min(len(waits) - 1, int(len(waits) * share))]:.0f}" if waits else "" for share in (0.5, 0.95, 1.0)]


async def hall(seats: int, minutes: int, engine: str, dB: float) -> None:
    """Players of a hall who speak when they like."""
    german, draw = load_scheme("d21", "de"), random.Random(77)
    said = announcements(seats * minutes, 77)
    clean = await rendered([phrase(words, german, SPEAKERS[n % len(SPEAKERS)]) for n, words in enumerate(said)])
    moments = [60.0 * (n // seats) + 60.0 * draw.random() for n in range(len(said))]
    hearing, found = Hearing(recognisers(engine), patient=True), Waited()

    async def speak(moment: float, pcm: bytes) -> None:
        await asyncio.sleep(moment)
        await found.hear(hearing, pcm, german, live=True)

    try:
        await hearing.start()
        await hearing.hear(with_noise(clean[0], 0.0), german)  # every engine has started
        sounds = [with_noise(pcm, dB, n) for n, pcm in enumerate(clean)]
        await asyncio.gather(*(speak(moment, pcm) for moment, pcm in zip(moments, sounds, strict=True)))
    finally:
        await hearing.close()
    print(f"Last sample to verdict, {'+'.join(hearing.engines)}, {seats} seats for {minutes} minutes, {dB:.0f} dB\n")
    rows = [["all", str(len(found.waits)), *percentiles(found.waits)]]
    rows += [["in doubt", str(len(found.doubts)), *percentiles(found.doubts)]]
    print(table(("utterances", "n", "p50 ms", "p95", "worst"), rows))


async def run(
    count: int, engine: str, release_ms: int, speakers: Sequence[str | None], noises: Sequence[float]
) -> None:
    german = load_scheme("d21", "de")
    said = announcements(count, 77)
    clean = await rendered([phrase(words, german, speakers[n % len(speakers)]) for n, words in enumerate(said)])
    noisy = {dB: [with_noise(pcm, dB, n) for n, pcm in enumerate(clean)] for dB in noises}
    hearing = Hearing(recognisers(engine), patient=True)
    rows: list[list[str]] = []
    try:
        await hearing.start()
        await hearing.hear(with_noise(clean[0], 0.0), german)  # every engine has started
        for name, sounds in (("clean", clean), *((f"{dB:.0f} dB", them) for dB, them in noisy.items())):
            by = {how: Waited() for how in HOW}
            for pcm in sounds:  # one way after the other with each sound: what else the machine does is alike
                for how, found in by.items():
                    await found.hear(hearing, pcm + bytes(release_ms * 32), german, live=how != HOW[0])
            seconds = sum(len(pcm) for pcm in sounds) / 32_000
            for how, found in by.items():
                exact = sum(words == wanted for words, wanted in zip(found.words, said, strict=True))
                rows.append(
                    [
                        f"{name}, {how}",
                        f"{100 * exact / count:.0f}",
                        *percentiles(found.waits),
                        str(len(found.doubts)),
                        *percentiles(found.doubts),
                        f"{1000 * found.work_after / count:.0f}",
                        f"{found.work / seconds:.3f}",
                    ]
                )
    finally:
        await hearing.close()
    load = f"{os.getloadavg()[0]:.1f} processes at work on {os.cpu_count()} cores"
    print(f"Last sample to verdict, {'+'.join(hearing.engines)}, {count} each; {platform.platform()}, {load}\n")
    head = (
        *("sound, how", "exact", "p50 ms", "p95", "worst", "in doubt", "p50 ms", "p95", "worst"),
        *("work after it, ms", "work a second"),
    )
    print(table(head, rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=40)
    parser.add_argument("--engine", choices=ENGINES, default="auto")
    parser.add_argument("--release", type=int, default=100)
    parser.add_argument("--tuning", action="store_true")
    parser.add_argument("--dB", default="20,10", help="white noise so many dB below")
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--minutes", type=int, default=3)
    given = parser.parse_args()
    noises = [float(dB) for dB in given.dB.split(",")]
    speakers = TUNING if given.tuning else SPEAKERS
    if given.seats:
        asyncio.run(hall(given.seats, given.minutes, given.engine, noises[-1]))
    else:
        asyncio.run(run(given.count, given.engine, given.release, speakers, noises))
