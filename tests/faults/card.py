"""A sound card is torn out at a random instant of a phrase, and put back: the game is told once and heard again.

The card is a sink of a PulseAudio of our own; without PulseAudio or PortAudio nothing is tried.
"""

from __future__ import annotations

import ctypes.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import REPO
from tests.faults.tally import Tally
from tests.speech.audio.virtual_cards import name_devices, pulseaudio

SCRIPT = REPO / "tests" / "speech" / "audio" / "torn_card_script.py"


def card(count: int, minutes: float, seed: int) -> Tally:
    """One process, in which the same headphones go and come again; some fifteen seconds each time."""
    tally = Tally("sound card torn out")
    if ctypes.util.find_library("portaudio") is None or shutil.which("pulseaudio") is None:
        tally.seen["not tried: there is no PortAudio or no PulseAudio here"] = 1
        return tally
    with tempfile.TemporaryDirectory() as folder, pulseaudio(Path(folder) / "h", ("ear",)) as environment:
        name_devices(Path(folder) / "h", {"white_ear": "ear", "ear_heard": "ear.monitor"})
        with subprocess.Popen(
            [sys.executable, str(SCRIPT), folder, str(count), str(seed)],
            env=environment | {"PYTHONPATH": os.pathsep.join((str(REPO), os.environ.get("PYTHONPATH", "")))},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdout is not None
            try:
                for _ in tally.trials(count, minutes):
                    judge(tally, process.stdout.readline())
                    if process.poll() is not None:
                        break
            finally:
                process.kill()
    return tally


def judge(tally: Tally, line: str) -> None:
    """What one try told. The script ends where it has waited a minute for what must come."""
    if not line:
        tally.check(False, "the headphones did not come back within a minute, or the program ended")
        return
    told = json.loads(line)
    alerts = len(told["alerts"])
    tally.check(alerts == 1 and told["told_again"] == 0, f"the arbiter was told {alerts + told['told_again']} times")
    tally.check(told["sounds"], "nothing was heard afterwards")
    tally.seen["told once, and heard again"] += alerts == 1 and told["told_again"] == 0 and told["sounds"]
