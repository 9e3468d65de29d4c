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

from speech.audio.devices import Microphone, Player, PlayingIds, _close, available, capture, list_devices
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, write_wav
from speech.complaint import Complaint
from speech.words import catalogue as _words  # noqa: F401  without it a phrase has no words

DEVICE = "pulse"


async def captured_while(sound: Sound, *, stop: bool, muted: bool) -> dict[str, object]:
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

    async def stop_when_heard() -> None:
        """Stop once a fifth of a second of it has really come out."""
        async with arrived:
            await arrived.wait_for(lambda: sum(any(pcm) for _, pcm in pieces) >= 10)
        player.stop()

    async with capture(DEVICE, playing if muted else PlayingIds()) as microphone:
        listener = asyncio.create_task(listen(microphone))
        await wait_for_pieces(1)
        begun = time.monotonic()
        stopping = asyncio.create_task(stop_when_heard()) if stop else None
        how = await player.play(sound, "phrase")
        took_s = time.monotonic() - begun
        if stopping is not None:
            await stopping
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
    for name, stop, muted in (("whole", False, False), ("stopped", True, False), ("muted", False, True)):
        result = await captured_while(sound, stop=stop, muted=muted)
        pcm = result.pop("pcm")
        assert isinstance(pcm, bytes)
        write_wav(folder / f"{name}.wav", Sound(pcm, sound.sample_rate))
        told[name] = result
    stream = Player(DEVICE)._open(sound, 0, lambda _whole: None)
    told["ahead_s"] = stream.latency
    _close(stream)
    try:
        await Player("no such card").play(sound, "x")
    except Complaint as wrong:
        told["unknown device"] = str(wrong)
    print(json.dumps(told))


asyncio.run(main(Path(sys.argv[1])))
