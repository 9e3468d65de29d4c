"""Run by test_devices.py in a process of its own, because PortAudio looks for sound cards once a process.

Plays and captures through the virtual card that the environment names; writes what was captured and prints one JSON
object about it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from speech.audio.devices import Microphone, Player, PlayingIds, available, capture, list_devices
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, write_wav
from speech.complaint import Complaint

DEVICE = "pulse"


async def captured_while(sound: Sound, *, stop_after_s: float | None, muted: bool) -> dict[str, object]:
    playing = PlayingIds()
    player = Player(DEVICE, playing)
    pieces: list[tuple[int, bytes]] = []
    arrived = asyncio.Condition()

    async def listen(microphone: Microphone) -> None:
        async for piece in microphone:
            pieces.append(piece)
            async with arrived:
                arrived.notify_all()

    async def wait_for_pieces(count: int) -> None:
        async with arrived:
            await arrived.wait_for(lambda: len(pieces) >= count)

    async with capture(DEVICE, playing if muted else PlayingIds()) as microphone:
        listener = asyncio.create_task(listen(microphone))
        await wait_for_pieces(1)
        begun = time.monotonic()
        if stop_after_s is not None:
            asyncio.get_running_loop().call_later(stop_after_s, player.stop)
        how = await player.play(sound, "phrase")
        took_s = time.monotonic() - begun
        await wait_for_pieces(len(pieces) + 25)
        listener.cancel()
    return {
        "how": how,
        "took_s": took_s,
        "muted_after": playing.muted,
        "overflows": microphone.overflows,
        "first_samples": [first for first, _ in pieces],
        "pcm": b"".join(pcm for _, pcm in pieces),
    }


async def main(folder: Path) -> None:
    sound = read_wav(folder / "played.wav")
    told: dict[str, object] = {
        "available": available().ok,
        "devices": [device.name for device in list_devices()],
    }
    for name, stop_after_s, muted in (("whole", None, False), ("stopped", 0.3, False), ("muted", None, True)):
        result = await captured_while(sound, stop_after_s=stop_after_s, muted=muted)
        pcm = result.pop("pcm")
        assert isinstance(pcm, bytes)
        write_wav(folder / f"{name}.wav", Sound(pcm, sound.sample_rate))
        told[name] = result
    try:
        await Player("no such card").play(sound, "x")
    except Complaint as wrong:
        told["unknown device"] = str(wrong)
    print(json.dumps(told))


asyncio.run(main(Path(sys.argv[1])))
