"""How long a phrase takes through our voice, against pyttsx3 alone in a process of its own, in the same run.

    python tests/bench/speaking.py [PHRASES]

The phrases alternate between the two, so that whatever else the machine does falls on both. The last line is the ratio.
"""

from __future__ import annotations

import asyncio
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPO))

from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment

# pyttsx3 as its documentation says, only that the wheel's eSpeak NG is found; one line in, the seconds out.
ALONE = """
import ctypes, os, sys, time, wave, espeakng_loader
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
    begun = time.perf_counter()
    engine.save_to_file(line.strip(), sys.argv[1])
    engine.runAndWait()
    took = time.perf_counter() - begun
    try:
        with wave.open(sys.argv[1]) as file:
            whole = file.getnframes() > 2000
    except (EOFError, OSError, wave.Error):
        whole = False
    library.espeak_Synchronize()
    print(took, int(whole), file=tell)
"""

FILES = ["Anna", "Bella", "Zesar", "David", "Eva", "Felix", "Gustav", "Hector"]
RANKS = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"]
PIECES = ["König", "Dame", "Turm", "Läufer", "Springer", "Bauer"]


def phrase(number: int) -> str:
    """A different announcement for every number under 384."""
    return f"{PIECES[number // 64 % 6]} {FILES[number % 8]} {RANKS[number // 8 % 8]}"


def percentile(values: list[float], part: float) -> float:
    """In ms."""
    return sorted(values)[min(len(values) - 1, round(part * (len(values) - 1)))] * 1000


async def measure(count: int, folder: Path) -> None:
    console = Console()
    with subprocess.Popen(
        [sys.executable, "-c", ALONE, str(folder / "alone.wav")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as alone:
        assert alone.stdin is not None and alone.stdout is not None
        alone.stdout.readline()
        voice = Pyttsx3Voice(cache=PhraseCache(folder / "phrases"))
        begun = time.perf_counter()
        await voice.start()
        start_s = time.perf_counter() - begun
        times: dict[str, list[float]] = {"alone": [], "uncached": [], "cached": []}
        whole = 0
        for number in range(count):
            alone.stdin.write(phrase(number) + "\n")
            took, complete = alone.stdout.readline().split()
            times["alone"].append(float(took))
            whole += int(complete)
            for kind in ("uncached", "cached"):
                begun = time.perf_counter()
                await voice.render([Segment(phrase(number), "de")])
                times[kind].append(time.perf_counter() - begun)
        alone.stdin.close()
        restarts = voice.child.restarts
        await voice.close()

    table = Table(title=f"A German announcement, {count} of them, ms ({platform.machine()}, {os.cpu_count()} cores)")
    for column in ("", "p50", "p99", "ratio p50", "ratio p99"):
        table.add_column(column, justify="left" if not column else "right")
    rows = {
        "alone": "pyttsx3 alone, own process",
        "uncached": "our voice, rendered and kept",
        "cached": "our voice, from the cache",
    }
    for kind, title in rows.items():
        p50, p99 = percentile(times[kind], 0.5), percentile(times[kind], 0.99)
        base50, base99 = percentile(times["alone"], 0.5), percentile(times["alone"], 0.99)
        table.add_row(title, f"{p50:.2f}", f"{p99:.2f}", f"{p50 / base50:.2f}", f"{p99 / base99:.2f}")
    console.print(table)
    console.print(
        f"Engine ready after {start_s * 1000:.0f} ms; restarts {restarts}; "
        f"pyttsx3 alone had the whole file on return in {whole} of {count} phrases (ours waits for it)."
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory(prefix="anna-eins-bench-") as folder:
        asyncio.run(measure(count, Path(folder)))


if __name__ == "__main__":
    main()
