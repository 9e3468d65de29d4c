"""Run by test_devices.py in a process of its own: the same sound for both ears, the left one, the right one."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from speech.audio.devices import Player
from speech.audio.wav import read_wav


async def main(folder: Path) -> None:
    sound = read_wav(folder / "played.wav")
    player = Player()
    for balance in (0, -100, 100):
        assert await player.play(sound, "phrase", balance) == "played"
        await asyncio.sleep(0.8)  # longer than a machine that is too busy leaves a sound without samples


asyncio.run(main(Path(sys.argv[1])))
