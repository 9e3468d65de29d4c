"""A client sends its sound when and as it likes: when its words were said is bounded by when they came (6.2.1.1)."""

from __future__ import annotations

import random

from server.stations.microphone import LATE_MS, PREROLL_MS, SAMPLES_A_MS, SILENT_MS, Speaking
from server.voice.intake import Intake
from speech.audio.frames import HEADER, LONGEST_SAMPLES
from speech.audio.sound import BYTES_PER_SAMPLE
from tests.faults.tally import Tally

FRAMES = 40


def times(count: int, minutes: float, seed: int) -> Tally:
    """So many utterances of frames with odd numbers at odd times, of a line that was there all the while."""
    tally, chance = Tally("times of words"), random.Random(f"{seed} times")
    for _ in tally.trials(count, minutes):
        one(tally, chance)
    return tally


def one(tally: Tally, chance: random.Random) -> None:
    now = came = chance.randrange(100_000, 200_000)
    speaking = Speaking(7, came, None, Intake(lambda _: None), earliest_ms=came - PREROLL_MS)
    for _ in range(chance.randrange(1, FRAMES)):
        end = speaking.assembly.end_sample
        first = chance.choice((end, end, end, 0, chance.randrange(LONGEST_SAMPLES), end + chance.randrange(100_000)))
        samples = chance.choice((1, 320, 320, 2_000))
        speaking.assembly.feed(HEADER.pack(7, first) + bytes(BYTES_PER_SAMPLE * samples))
        if chance.random() < 0.2:
            speaking.begin_words(first)
        speaking.date(now - speaking.assembly.whole_samples // SAMPLES_A_MS)
        now += chance.choice((0, 20, 20, 20, 500, 10_000, 60_000))
    speaking.date(now - speaking.assembly.whole_samples // SAMPLES_A_MS)
    whole_ms = speaking.assembly.whole_samples // SAMPLES_A_MS
    tally.check(speaking.first_ms >= came - PREROLL_MS, "dated before it came, on a line that was there")
    tally.check(speaking.first_ms >= now - whole_ms - LATE_MS - PREROLL_MS, "dated long before its sound came")
    tally.check(speaking.first_ms <= max(came, now - whole_ms), "dated after it came")
    tally.check(speaking.words_ms >= speaking.first_ms, "a word before its utterance")
    silent = speaking.words_ms - speaking.first_ms
    tally.check(silent == 0 or silent > SILENT_MS - PREROLL_MS, "a pause between two words is no silence")
    tally.seen["dated"] += 1
