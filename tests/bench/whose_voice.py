"""Whose voice is it? Our comparison of voices beside a speaker embedding of others, on people.

    python -m tests.bench.whose_voice [--known 5] [--tried 10]

The people are those who are only measured. Each is known by some sounds, and then some of theirs and of the others' are
compared with that; a sound is two recordings of one person, 100 ms apart, about as long as an announcement. "Within one
collection" compares only people who were recorded in the same way; across collections the microphone alone tells much.
Resemblyzer's embedding (its package carries the network, and needs PyTorch and librosa) only where it is installed.

Equal error: where as many of the others are taken as of their own refused. "own refused", "others taken": by our odds
at 0.
"""

from __future__ import annotations

import argparse
import csv
import random
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from speech.audio.flac import decode_flac
from speech.audio.wav import resample_sound
from speech.recognisers.recogniser import SAMPLE_RATE
from speech.speakers.features import sketch_of
from speech.speakers.likeness import Likeness, load_background
from speech.training.common.people import MEASURING
from speech.voices.joining import trim_silence
from tests.bench.listening.shares import percent, table

HUMAN = Path(__file__).resolve().parents[3] / "shared" / "data" / "human"
PAUSE = bytes(SAMPLE_RATE // 10 * 2)

Compared = Callable[[Sequence[bytes]], Callable[[bytes], float | None]]
"""Known sounds of one voice -> how much another sound is like them; None where nothing can be said."""
Score = tuple[str, str, float | None]
"""Who is known, who speaks, how alike."""
sketch = cache(sketch_of)
"""Each sound is looked at once."""


def sounds(count: int) -> dict[str, list[bytes]]:
    """So many sounds of each person, none of whose recordings serves twice."""
    found: dict[str, list[bytes]] = {}
    with (HUMAN / "index.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    for person in MEASURING:
        files = [HUMAN / row["file"] for row in rows if row["speaker"] == person]
        random.Random(person).shuffle(files)
        words = [trim_silence(resample_sound(decode_flac(file.read_bytes()))).pcm for file in files[: 2 * count]]
        found[person] = [PAUSE.join(words[place : place + 2]) for place in range(0, len(words) - 1, 2)]
    return found


def ours(known: Sequence[bytes]) -> Callable[[bytes], float | None]:
    """The odds of `speech.speakers`."""
    likeness = Likeness(load_background())
    sketches = [one for pcm in known if (one := sketch(pcm)) is not None]
    voice = likeness.of_sketches(sketches)

    def alike(pcm: bytes) -> float | None:
        heard = sketch(pcm)
        return None if heard is None or not sketches else likeness.odds(voice, heard)

    return alike


def resemblyzer() -> Compared | None:
    """The cosine of Resemblyzer's embeddings, where it is installed."""
    try:
        from resemblyzer import VoiceEncoder  # type: ignore[import-not-found]
    except ImportError:
        return None
    encoder = VoiceEncoder("cpu", verbose=False)

    @cache
    def embedded(pcm: bytes) -> np.ndarray:
        return np.asarray(encoder.embed_utterance(np.frombuffer(pcm, "<i2").astype(np.float32) / 32_768))

    def compared(known: Sequence[bytes]) -> Callable[[bytes], float | None]:
        middle = np.mean([embedded(pcm) for pcm in known], axis=0)
        middle /= np.linalg.norm(middle)
        return lambda pcm: float(embedded(pcm) @ middle)

    return compared


def scored(how: Compared, said: dict[str, list[bytes]], known: int) -> tuple[list[Score], float]:
    """Every person's other sounds against every person; seconds of processor time a sound."""
    began, found = time.process_time(), []
    voices = {person: how(sounds[:known]) for person, sounds in said.items()}
    for speaker, sounds in said.items():
        for pcm in sounds[known:]:
            found += [(person, speaker, alike(pcm)) for person, alike in voices.items()]
    return found, (time.process_time() - began) / sum(len(sounds) for sounds in said.values())


def collection(person: str) -> str:
    """Where a person was recorded; one of a kind by themselves are compared with nobody."""
    return next((start for start in ("hd", "arcmd") if person.startswith(start)), person)


def equal_error(own: Sequence[float], others: Sequence[float]) -> float:
    """The share of errors where both kinds are alike, in percent."""
    steps = np.unique([*own, *others])
    refused = np.array([np.mean(np.array(own) < step) for step in steps])
    taken = np.array([np.mean(np.array(others) >= step) for step in steps])
    nearest = int(np.argmin(np.abs(refused - taken)))
    return float(100 * (refused[nearest] + taken[nearest]) / 2)


def row(name: str, scores: Sequence[Score], work: float, *, at_zero: bool) -> list[str]:
    """One line of the table."""
    told = [one for one in scores if one[2] is not None]
    own = [score for known, speaker, score in told if known == speaker and score is not None]
    others = [score for known, speaker, score in told if known != speaker and score is not None]
    cells = [name, str(len(own)), str(len(others)), str(len(scores) - len(told)), f"{equal_error(own, others):.1f} %"]
    if at_zero:
        cells += [percent(sum(x < 0 for x in own), len(own)), percent(sum(x >= 0 for x in others), len(others))]
    else:
        cells += ["-", "-"]
    return [*cells, f"{1000 * work:.1f} ms"]


HEAD = (
    "comparison",
    "own",
    "others",
    "nothing said",
    "equal error",
    "own refused at 0",
    "others taken at 0",
    "work a sound",
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--known", type=int, default=5)
    parser.add_argument("--tried", type=int, default=10)
    given = parser.parse_args()
    said = sounds(given.known + given.tried)
    ways: dict[str, Compared | None] = {"ours": ours, "Resemblyzer": resemblyzer()}
    rows = []
    for name, how in ways.items():
        if how is not None:
            scores, work = scored(how, said, given.known)
            near = [one for one in scores if collection(one[0]) == collection(one[1])]
            rows.append(row(f"{name}, all", scores, work, at_zero=how is ours))
            rows.append(row(f"{name}, within one collection", near, work, at_zero=how is ours))
    print(table(HEAD, rows))


if __name__ == "__main__":
    main()
