"""From a player's question to the first sample in the ear, against pyttsx3's own `say` and an eSpeak process; how fast
the voice falls silent; a hundred listeners at once. All in one run, so that the ratios are of one machine and moment.

    python -m tests.bench.speaking [PHRASES]

Ours is the whole way: command, record on disk, phrase from the cache or rendered, sound on disk as evidence, the offer
to the station, the sound in its hands. The others put nothing on record. "Audible" counts the silence before the first
loud sample too. pyttsx3's `say` ends with `aplay`: here one that notes when its first loud sample would play.
"""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table as Printed

REPO = Path(__file__).resolve().parent.parent.parent

from server.game import acts as cmd
from server.game.acts import Command
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.protocol import AtEar, Hush, Outgoing, SoundReady
from server.stations.microphone import Microphone
from speech.audio.frames import encode_frames
from speech.audio.sound import Sound
from speech.audio.vad import Activity, load_activity
from speech.channels.ear import GAP_MS
from speech.voices.joining import SILENT_BELOW
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import ORDINARY, Manner, Segment

LISTENERS = 100
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# pyttsx3 as its documentation says, with the wheel's eSpeak NG; a line in, the seconds until aplay is loud out.
SAY = """
import ctypes, os, sys, time, espeakng_loader
os.environ["ESPEAK_DATA_PATH"] = espeakng_loader.get_data_path()
library = ctypes.CDLL(espeakng_loader.get_library_path())
tell = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
import pyttsx3
engine = pyttsx3.init("espeak")
engine.setProperty("voice", "de")
engine.setProperty("rate", 175)
engine.runAndWait()
print("ready", file=tell)
for line in sys.stdin:
    begun = time.time()
    engine.say(line.strip())
    engine.runAndWait()
    library.espeak_Synchronize()
    try:
        with open(sys.argv[1]) as noted:
            print(float(noted.read()) - begun, file=tell)
        os.unlink(sys.argv[1])
    except (OSError, ValueError):
        print("nan", file=tell)
"""
APLAY = """#!{python} -S
import struct, sys, time
now = time.time()
data = open(sys.argv[1], "rb").read()[44:]
samples = struct.unpack("<%dh" % (len(data) // 2), data[: len(data) // 2 * 2])
first = next((n for n, one in enumerate(samples) if abs(one) >= {loud}), 0)
open({noted!r}, "w").write(repr(now + first / 22050))
"""
# libespeak-ng in a process that was started before: a line in, the seconds until its first loud sample out.
ESPEAK = """
import ctypes, os, struct, sys, time, espeakng_loader
library = ctypes.CDLL(espeakng_loader.get_library_path())
rate = library.espeak_Initialize(2, 0, os.path.dirname(espeakng_loader.get_data_path()).encode(), 0)
heard = []
def samples(pointer, count, events):
    if pointer and count and not heard:
        some = struct.unpack("<%dh" % count, ctypes.string_at(pointer, 2 * count))
        first = next((n for n, one in enumerate(some) if abs(one) >= LOUD), None)
        if first is not None:
            heard.append(time.perf_counter() + first / rate)
    return 0
callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(samples)
library.espeak_SetSynthCallback(callback)
library.espeak_SetVoiceByName(b"de")
print("ready", flush=True)
for line in sys.stdin:
    heard.clear()
    begun = time.perf_counter()
    text = line.strip().encode()
    library.espeak_Synth(text, len(text) + 1, 0, 0, 0, 1, None, None)
    library.espeak_Synchronize()
    print(heard[0] - begun if heard else "nan", flush=True)
"""

FILES = ["Anna", "Bella", "Zesar", "David", "Eva", "Felix", "Gustav", "Hector"]
RANKS = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"]


def percentile(values: Sequence[float], part: float) -> float:
    """Of seconds, in ms."""
    good = sorted(value for value in values if value == value)
    return good[min(len(good) - 1, round(part * (len(good) - 1)))] * 1000 if good else float("nan")


def lead_s(sound: Sound) -> float:
    """The silence before the first loud sample."""
    loud = np.flatnonzero(np.abs(sound.array.astype(np.int32)) >= SILENT_BELOW)
    return float(loud[0]) / sound.sample_rate if loud.size else 0.0


class Phrases:
    """The house's voice; every answer is said in other words than the last, unless the same are wanted."""

    def __init__(self, voice: Pyttsx3Voice) -> None:
        self.text = ""
        self._voice = voice

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        return await self._voice.render([Segment(self.text, "de")] if self.text else segments, manner, keep=keep)

    async def close(self) -> None:
        await self._voice.close()


class Listener:
    """A tactile player's station in this process."""

    def __init__(self, hall: Hall, table: LiveTable, station: Station) -> None:
        self.hall, self.table, self.station = hall, table, station
        self.ready: asyncio.Future[SoundReady] = asyncio.get_running_loop().create_future()
        self.hushed: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.sound: SoundReady | None = None
        table.attach(station.id, 0, self.take)

    def take(self, outgoing: Outgoing) -> None:
        if isinstance(outgoing, SoundReady):
            self.sound = outgoing
            if not self.ready.done():
                self.ready.set_result(outgoing)
        elif isinstance(outgoing, Hush) and not self.hushed.done():
            self.hushed.set_result(time.perf_counter())

    async def ask(self) -> float:
        """Seconds from the question to the first sample that can be heard."""
        self.ready = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        body = cmd.Ask(what="moves")
        command = Command(id=secrets.token_hex(16), table=self.table.id, station=self.station.id, body=body)
        await self.table.submit(command)
        ready = await self.ready
        sound = self.table.teller.sounds.find(self.station.id, ready.id)
        assert sound is not None
        return time.perf_counter() - begun + lead_s(sound)

    def heard(self) -> None:
        if self.sound is not None:
            self.table.teller.at_ear(self.station.id, AtEar("ended", self.sound.id))

    async def silence(self) -> None:
        self.heard()
        await asyncio.sleep((GAP_MS + 20) / 1000)


@asynccontextmanager
async def listeners(folder: Path, count: int) -> AsyncIterator[tuple[Phrases, list[Listener]]]:
    """A hall whose tables have two tactile players each."""
    own = Pyttsx3Voice(cache=PhraseCache(folder / "phrases"))
    await own.start()
    phrases = Phrases(own)
    with DataFolder.open(folder / "data", lock=True) as data:
        hall = await Hall.open(data, SystemClock(), voice=phrases)
        try:
            found: list[Listener] = []
            for number in range(-(-count // 2)):
                plan = SeatPlan(SeatKind.TACTILE, "", "de")
                control = TimeControl.parse("5400+30")
                table = await hall.open_table(
                    cmd.OpenTable(white=plan, black=plan, control=control, start_fen=START), f"t{number}"
                )
                for seat in Seat:
                    station = Station(f"player-{seat.value}", Role.PLAYER, seat)
                    assert (await table.admit(station)).outcome.ok
                    found.append(Listener(hall, table, station))
            yield phrases, found[:count]
        finally:
            await hall.close()
            await own.close()


def beside(code: str, *arguments: str, path: str = "") -> subprocess.Popen[str]:
    """Another engine in a process of its own, ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", code.replace("LOUD", str(SILENT_BELOW)), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]},
        text=True,
        bufsize=1,
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


async def answered(process: subprocess.Popen[str], phrase: str) -> float:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(phrase + "\n")
    return float(await asyncio.to_thread(process.stdout.readline))


async def first_samples(count: int, folder: Path) -> dict[str, list[float]]:
    """Each phrase by everyone in turn, so that whatever else the machine does falls on all."""
    aplay = folder / "bin" / "aplay"
    aplay.parent.mkdir()
    aplay.write_text(APLAY.format(python=sys.executable, loud=SILENT_BELOW, noted=str(folder / "noted")))
    aplay.chmod(0o700)
    say = beside(SAY, str(folder / "noted"), path=str(aplay.parent))
    espeak = beside(ESPEAK)
    times: dict[str, list[float]] = {"say": [], "espeak": [], "uncached": [], "cached": []}
    async with listeners(folder, 1) as (phrases, (listener,)):
        await listener.ask()
        await listener.silence()
        for number in range(count):
            phrases.text = f"{number} Züge, {FILES[number % 8]} {RANKS[number // 8 % 8]}"
            times["say"].append(await answered(say, phrases.text))
            times["espeak"].append(await answered(espeak, phrases.text))
            for kind in ("uncached", "cached"):
                times[kind].append(await listener.ask())
                await listener.silence()
    for process in (say, espeak):
        process.kill()
        process.communicate()
    return times


async def barge_in(folder: Path) -> dict[str, list[float]]:
    """Seconds until the station is told to be silent: after a key, after the first sound of a held microphone, after
    the onset of a voice at an open one (its sound counted as it would come)."""
    took: dict[str, list[float]] = {"key": [], "held": [], "open": []}
    async with listeners(folder, 1) as (_, (listener,)):
        microphone = Microphone(listener.hall, listener.table, listener.station.id, lambda _: None)
        hearing = asyncio.create_task(microphone.hear_all())
        speech = np.random.default_rng(1).normal(0, 5_000, 16_000).astype("<i2").tobytes()
        for number in range(50):
            await listener.ask()
            listener.hushed = asyncio.get_running_loop().create_future()
            begun = time.perf_counter()
            if number % 2:
                listener.table.teller.at_ear(listener.station.id, AtEar("talk"))
                took["key"].append(await listener.hushed - begun)
                await asyncio.sleep(0.4)
            else:
                await microphone.take(next(iter(encode_frames(speech, number + 1))))
                took["held"].append(await listener.hushed - begun + 0.020)
                await microphone.finish()
            await listener.silence()
        await microphone.close()
        await hearing
    settings = load_activity()
    for level in (-40.0, -30.0, -20.0):
        quiet = np.random.default_rng(2).normal(0, 20, 32_000)
        loud = np.random.default_rng(3).normal(0, 32_768 * 10 ** (level / 20), 16_000)
        pcm = np.clip(np.concatenate([quiet, loud]), -32_768, 32_767).astype("<i2").tobytes()
        activity = Activity(level, settings)
        for at in range(0, len(pcm), 640):
            begun = time.perf_counter()
            if any(piece.begins for piece in activity.take(pcm[at : at + 640])):
                took["open"].append((at + 640) / 32_000 - 2.0 + time.perf_counter() - begun)
                break
    return took


async def hundred(folder: Path) -> dict[str, list[float]]:
    """All ask at the same moment, first in words that nobody has said, then in the same again."""
    times: dict[str, list[float]] = {}
    async with listeners(folder, LISTENERS) as (phrases, all_of_them):
        for kind in ("uncached", "cached", "cached again"):
            phrases.text = "Abgeschlossene Züge: siebenundzwanzig"
            times[kind] = list(await asyncio.gather(*(one.ask() for one in all_of_them)))
            for one in all_of_them:
                one.heard()
            await asyncio.sleep((GAP_MS + 50) / 1000)
    return times


async def measure(count: int, folder: Path) -> None:
    console = Console(width=110)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    times = await first_samples(count, folder)
    table = Printed(title=f"Question to first audible sample, {count} German answers, ms ({machine})")
    for column in ("", "p50", "p99", "to say, p50", "p99", "to eSpeak, p50", "p99"):
        table.add_column(column, justify="left" if not column else "right")
    titles = {
        "say": "pyttsx3's own say, nothing recorded",
        "espeak": "eSpeak NG's library in a process, nothing recorded",
        "uncached": "ours, rendered and recorded",
        "cached": "ours, from the cache and recorded",
    }
    for kind, title in titles.items():
        own = [percentile(times[kind], part) for part in (0.5, 0.99)]
        bases = [percentile(times[base], part) for base in ("say", "espeak") for part in (0.5, 0.99)]
        ratios = [one / base for one, base in zip(own * 2, bases, strict=True)]
        table.add_row(title, *(f"{one:.1f}" for one in own), *(f"{one:.2f}" for one in ratios))
    console.print(table)
    lost = sum(one != one for one in times["say"])
    console.print(f"pyttsx3's say was silent in {lost} of {count}.")

    table = Printed(title="Until the station is told to be silent, ms; its own part: tests/browser/test_ear_page.py")
    for column in ("", "p50", "p99", "goal"):
        table.add_column(column, justify="left" if not column else "right")
    silent = await barge_in(folder / "silence")
    for kind, title, goal in (
        ("key", "a key (the page is silent before it tells)", "50"),
        ("held", "first 20 ms of a held microphone", "250"),
        ("open", "onset of a voice at an open microphone (headset)", "250"),
    ):
        table.add_row(title, f"{percentile(silent[kind], 0.5):.1f}", f"{percentile(silent[kind], 0.99):.1f}", goal)
    console.print(table)

    table = Printed(title=f"{LISTENERS} listeners, {LISTENERS // 2} tables: all ask at once, to the audible sample, ms")
    for column in ("", "p50", "p99", "slowest"):
        table.add_column(column, justify="left" if not column else "right")
    for kind, all_times in (await hundred(folder / "hundred")).items():
        table.add_row(kind, *(f"{percentile(all_times, part):.0f}" for part in (0.5, 0.99, 1.0)))
    console.print(table)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory(prefix="anna-eins-bench-") as folder:
        for name in ("silence", "hundred"):
            (Path(folder) / name).mkdir()
        asyncio.run(measure(count, Path(folder)))


if __name__ == "__main__":
    main()
