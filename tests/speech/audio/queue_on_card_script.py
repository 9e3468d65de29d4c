"""Run by test_queue_on_the_card.py in a process of its own: one ear's queue plays through the card of the environment.

Writes what the card's own microphone heard, and prints one JSON object: what was started and stopped, and when.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from speech.audio.devices import Player, PlayingIds, capture
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, write_wav
from speech.channels.channel import Channel
from speech.channels.ear import Act, Enqueue, Event, Kind, Phrase, PhraseEnded, Start, Stop, VoiceBegan, VoiceEnded

DEVICE = "pulse"


class RealClock:
    def mono_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def sleep_until(self, mono_ms: int) -> None:
        while (left := mono_ms - self.mono_ms()) > 0:
            await asyncio.sleep(left / 1000)


class Headset:
    """A sink: the queue's acts on a real player."""

    def __init__(self, sounds: dict[str, Sound]) -> None:
        self.clock = RealClock()
        self.acts: list[tuple[int, str, str]] = []
        self.channel = Channel(self.clock, self.perform)
        self.idle = asyncio.Event()
        self._sounds = sounds
        self._player = Player(DEVICE)
        self._tasks: set[asyncio.Task[None]] = set()

    def perform(self, act: Act) -> None:
        self.acts.append((self.clock.mono_ms(), type(act).__name__, act.phrase.id))
        if isinstance(act, Start):
            task = asyncio.create_task(self._play(act.phrase))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif isinstance(act, Stop):
            self._player.stop(act.phrase.id)

    def tell(self, event: Event) -> None:
        self.channel.tell(event)

    async def _play(self, phrase: Phrase) -> None:
        if await self._player.play(self._sounds[phrase.id], phrase.id) == "played":
            self.channel.tell(PhraseEnded(phrase.id))
        if self.channel.ear.playing is None and not self.channel.ear.waiting:
            self.idle.set()


async def main(folder: Path) -> None:
    plan: list[tuple[str, str]] = json.loads((folder / "plan.json").read_text())
    sounds = {id: read_wav(folder / f"{id}.wav") for id, _ in plan}
    pieces: list[bytes] = []
    arrived = asyncio.Condition()
    async with capture(DEVICE, PlayingIds()) as microphone:

        async def listen() -> None:
            async for _, pcm in microphone:
                async with arrived:
                    pieces.append(pcm)
                    arrived.notify_all()

        async def frames(count: int) -> None:
            async with arrived:
                goal = len(pieces) + count
                await arrived.wait_for(lambda: len(pieces) >= goal)

        listener = asyncio.create_task(listen())
        await frames(1)
        headset = Headset(sounds)
        headset.tell(VoiceBegan("opponent"))
        for id, kind in plan[:-1]:
            headset.tell(Enqueue(Phrase(id, Kind(kind), 60_000)))  # its end is told, never guessed
        headset.tell(VoiceEnded("opponent"))
        await headset.idle.wait()
        # The last one is interrupted by a voice once it is really heard, and said again when there is silence.
        headset.idle.clear()
        id, kind = plan[-1]
        heard = len(pieces)
        headset.tell(Enqueue(Phrase(id, Kind(kind), 60_000)))
        async with arrived:
            await arrived.wait_for(lambda: any(any(piece) for piece in pieces[heard:]))
        headset.tell(VoiceBegan("opponent"))
        await frames(25)
        headset.tell(VoiceEnded("opponent"))
        await headset.idle.wait()
        await frames(25)
        listener.cancel()
        await headset.channel.close()
    rate = next(iter(sounds.values())).sample_rate
    write_wav(folder / "heard.wav", Sound(b"".join(pieces), rate))
    print(json.dumps({"acts": headset.acts, "overflows": microphone.overflows}))


asyncio.run(main(Path(sys.argv[1])))
