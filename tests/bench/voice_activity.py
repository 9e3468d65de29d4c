"""Voice activity: how many utterances are taken whole and each by itself, beside pocketsphinx's own detector.

    python -m tests.bench.voice_activity [--utterances 40]

Announcements of twelve synthetic voices (none of them reserved) with pauses of 1.5 s, under hiss, babble of six, and
one neighbour who talks all the time. The detectors have the same begins and hang-over; only what counts as speech in a
frame of 20 ms differs.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pocketsphinx
from rich.console import Console
from rich.table import Table

from speech.audio.level import levels
from speech.audio.sound import Sound
from speech.audio.vad import Activity, ActivitySettings, load_activity
from speech.voices.joining import trimmed
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import SPEAKERS, announcements, phrase, rendered

PAUSE = 24_000
FRAME = 320
Span = tuple[int, int]


class Sphinx(Activity):
    """The same, with pocketsphinx's word for each frame in place of the levels."""

    def __init__(self, mode: int, settings: ActivitySettings) -> None:
        super().__init__(0.0, settings)
        self._vad = pocketsphinx.Vad(mode, 16_000, 0.02)

    def _frame(self, frame: bytes, muted: bool) -> list[object]:  # type: ignore[override]
        self._speech = self._vad.is_speech(frame)
        return super()._frame(frame, muted)  # type: ignore[return-value]

    def _loud(self, level: float) -> bool:
        return bool(self._speech)


def streams(count: int) -> tuple[np.ndarray, list[Span], list[np.ndarray]]:
    """The utterances with their pauses, where each lies, and six other talkers."""
    scheme = load_scheme("d21", "de")
    chosen = [phrase(words, scheme, SPEAKERS[n % len(SPEAKERS)]) for n, words in enumerate(announcements(count, 11))]
    others = [phrase(w, scheme, who) for who in ("m1", "f2", "m5", "adam", "f3", "m8") for w in announcements(6, 21)]
    sounds = asyncio.run(rendered(chosen))
    talk = [np.frombuffer(pcm, "<i2").astype(float) for pcm in asyncio.run(rendered(others))]
    parts, spans, place = [], [], 0
    for pcm in sounds:
        said = np.frombuffer(trimmed(Sound(pcm, 16_000)).pcm, "<i2").astype(float)
        parts += [np.zeros(PAUSE), said]
        spans.append((place + PAUSE, place + PAUSE + len(said)))
        place += PAUSE + len(said)
    talkers = [np.concatenate(talk[one * 6 : one * 6 + 6]) for one in range(6)]
    return np.concatenate([*parts, np.zeros(PAUSE)]), spans, talkers


def surroundings(stream: np.ndarray, rms: float, talkers: list[np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """The stream as it sounds in each place."""
    chance = np.random.default_rng(5)
    hiss = chance.normal(0.0, 1.0, len(stream))
    babble = sum(np.resize(np.roll(one, int(chance.integers(len(one)))), len(stream)) for one in talkers)
    assert isinstance(babble, np.ndarray)
    neighbour = np.resize(talkers[0], len(stream))
    yield "clean", stream + hiss * 8
    for name, other in (("hiss", hiss), ("babble", babble), ("one neighbour", neighbour)):
        for ratio in (20, 10) if name != "one neighbour" else (20, 16, 12):
            yield f"{name} {ratio} dB", stream + other * rms / 10 ** (ratio / 20) / np.sqrt((other**2).mean())


def cut(activity: Activity, samples: np.ndarray) -> list[Span]:
    """Begin and end of every utterance found."""
    found, begin = [], 0
    pcm = np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()
    for place in range(0, len(pcm) - 639, 640):
        pieces = activity.take(pcm[place : place + 640])
        end = place // 2 + FRAME
        if pieces and pieces[0].begins:
            begin = end - FRAME * len(pieces)
        if pieces and pieces[-1].ends:
            found.append((begin, end))
    return found


def counted(found: list[Span], spans: list[Span]) -> tuple[int, int, float]:
    """Taken whole and by itself; found where nobody spoke; how late the end was found, ms on average."""
    whole, late = 0, []
    for begin, end in spans:
        over = [one for one in found if one[0] < end and one[1] > begin]
        if len(over) != 1 or over[0][0] > begin + 480 or over[0][1] < end - 960:
            continue
        if sum(over[0][0] < last and over[0][1] > first for first, last in spans) == 1:
            whole += 1
            late.append((over[0][1] - end) / 16)
    nobody = sum(not any(first < end and last > begin for begin, end in spans) for first, last in found)
    return whole, nobody, float(np.mean(late)) if late else 0.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Voice activity over real synthesised speech.")
    parser.add_argument("--utterances", type=int, default=40)
    stream, spans, talkers = streams(parser.parse_args().utterances)
    said = np.concatenate([stream[begin:end] for begin, end in spans])
    rms, settings = float(np.sqrt((said**2).mean())), load_activity()
    own = levels(said.astype("<i2").tobytes()).speech_dbfs
    detectors: dict[str, Callable[[], Activity]] = {
        "ours": lambda: Activity(own, settings),
        "ours, floor alone": lambda: Activity(0.0, msgspec.structs.replace(settings, below_own_db=60.0)),
        "pocketsphinx, strictest": lambda: Sphinx(3, settings),
    }
    table = Table(
        "surroundings", *detectors, title=f"Whole and by itself, of {len(spans)} (where nobody spoke) ms late"
    )
    for name, sound in surroundings(stream, rms, talkers):
        row = []
        for make in detectors.values():
            whole, nobody, late = counted(cut(make(), sound), spans)
            row.append(f"{whole} ({nobody}) {late:.0f}")
        table.add_row(name, *row)
    Console().print(table)


if __name__ == "__main__":
    main()
