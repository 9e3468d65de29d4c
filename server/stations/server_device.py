"""A headset at the server is a player's station in this process, on the same paths as a browser's.

What is said to the player comes over the table's line and is played on the headset. What the player says is taken
while the talk key of a page of the seat is down, or by voice activity, and goes through the same microphone code as a
browser's.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Literal

from server.game.decide.set_up.sound import opens_by_voice
from server.game.values.saying import Saying, saying
from server.game.values.words import Role, Seat, SoundDevices, station_of_devices
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.tasks import Work, lasting, passing
from server.protocol import AtEar, Hush, LevelFound, Outgoing, SoundReady
from server.stations.microphone import DeviceReport, Microphone
from server.table.connections import Attachment
from speech.audio.devices import Player, PlayingIds, capture
from speech.audio.frames import FRAME_SAMPLES, HEADER, LONGEST_SAMPLES
from speech.audio.sound import Sound
from speech.complaint import Complaint

PREROLL_FRAMES = 15
"""0.3 s of sound from before the key was fully down."""
HELD_FRAMES = 30
"""0.6 s of an open microphone: a page tells only then that the key is held, and not pressed shortly."""
DEAF_S = 2.0
"""A microphone that gives no sound for this long has failed."""
CHECK_FRAMES, HEADSET_FRAMES = 150, 225
"""3 s of the player's voice; to prove a headset, tones come before it."""
SILENCE = Sound(bytes(640), 16_000)

Key = Literal["talk", "let_go", "check"]
Frames = AsyncIterator[tuple[int, bytes]]
OpenCapture = Callable[[str | None], AbstractAsyncContextManager[Frames]]
_log = logging.getLogger(__name__)


def _capture_frames(device: str | None) -> AbstractAsyncContextManager[Frames]:
    # The station's microphone mutes what sounds in the headphones, but keeps it as evidence.
    return capture(device, PlayingIds())


class DeviceStation:
    """One seat's microphone and headphones at the server.

    A fault of theirs is told once to `fault`, and ends the station.
    """

    def __init__(
        self,
        hall: Hall,
        table: LiveTable,
        seat: Seat,
        devices: SoundDevices,
        fault: Callable[[Saying], None],
        open_capture: OpenCapture = _capture_frames,
    ) -> None:
        self.devices = devices
        self._table = table
        self._seat = seat
        self._fault = fault
        self._station = station_of_devices(seat)
        self._open_capture = open_capture
        self._microphone = Microphone(hall, table, self._station.id, self._take_outgoing, paced=False)
        self._player = Player(devices.headphones)
        self._attachment: Attachment | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._sounds: asyncio.Queue[SoundReady] = asyncio.Queue()
        self._wanted: str | None = None  # the sound to play now
        self._key_down = False
        self._held = False  # the key, over a microphone that voice activity has open
        self._checking = 0  # frames of a check that are still to come
        self._own_dbfs: float | None = None
        self._wants_open = False  # voice activity waits for the check

    async def open(self) -> None:
        """Admit the station, take its line, and hear and play from now on."""
        if self._table.state.stations.find(self._station.id) is None:
            outcome = await self._table.admit(self._station)
            if not outcome.outcome.ok:
                self._fault(saying("as_written", text=outcome.text))
                return
        await self._microphone.take_report(DeviceReport(headset=self.devices.headset))
        self._hearing = lasting("A microphone at the server", self._microphone.hear_all, self._table.note_fault)
        if self.devices.headphones is not None:
            # Only what comes from now on is played, no old messages.
            self._attachment = self._table.attach(self._station.id, 2**53, self._take)
            self._tasks.append(passing("Headphones at the server", partial(self._guard_work, self._play_all)))
        if self.devices.microphone is not None:
            self._tasks.append(passing("A microphone at the server", partial(self._guard_work, self._listen)))

    async def close(self) -> None:
        """Stop playing and listening; half an utterance is kept, and all of it is asked for."""
        if self._attachment is not None:
            self._attachment.close()
        self._player.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._hearing is not None:
            await self._microphone.finish(cut=True)
            await self._microphone.close()
            await self._hearing

    async def works(self) -> bool:
        """Say whether its devices work now; to be asked once it is closed. Nobody hears anything of it."""
        try:
            if self.devices.headphones is not None:
                await self._player.play(SILENCE, "silence")
            if self.devices.microphone is not None:
                async with self._open_capture(self.devices.microphone) as frames, asyncio.timeout(DEAF_S):
                    await anext(frames)
        except (TimeoutError, StopAsyncIteration, Complaint):
            return False
        return True

    def key(self, key: Key) -> None:
        """Take the talk key of one of the seat's pages: pressed, let go, or a check of the microphone."""
        if key == "check":
            self._checking = self._check_frames
            return
        if key == "let_go":
            self._wants_open = False  # shut again before the check was over
        down = key == "talk"
        if down:
            self._player.stop()
            self._table.teller.at_ear(self._station.id, AtEar("talk"))
        if down and opens_by_voice(self._table.state, self._seat) and self._own_dbfs is None:
            self._wants_open = True
            self._checking = self._check_frames
            return
        if down and not self._key_down and self._checking:
            self._checking, self._wanted = 0, None  # what is said now is for the game: no check, and no tones of one
        if opens_by_voice(self._table.state, self._seat) and (down or self._held):
            self._held = down and self._key_down
            self._key_down = True
            return
        self._key_down, self._held = down, False

    @property
    def _check_frames(self) -> int:
        return HEADSET_FRAMES if self._proves_headset else CHECK_FRAMES

    @property
    def _proves_headset(self) -> bool:
        return self.devices.headset and self.devices.headphones is not None

    # what is said to the player

    def _take(self, outgoing: Outgoing) -> None:
        if isinstance(outgoing, SoundReady):
            self._wanted = outgoing.id
            self._sounds.put_nowait(outgoing)
        elif isinstance(outgoing, Hush) and self._wanted == outgoing.id:
            self._wanted = None
            self._player.stop(outgoing.id)

    async def _play_all(self) -> None:
        await self._player.play(SILENCE, "silence")  # missing headphones are reported now, not at a move
        while True:
            ready = await self._sounds.get()
            sound = self._table.teller.sounds.find(self._station.id, ready.id)
            if self._wanted != ready.id:
                continue  # silenced before it began
            if sound is None or await self._play(ready.id, sound) == "played":
                self._table.teller.at_ear(self._station.id, AtEar("ended", ready.id))

    async def _play(self, id: str, sound: Sound) -> Literal["played", "stopped"]:
        await self._microphone.take_report(DeviceReport(playing=id))
        self._table.teller.at_ear(self._station.id, AtEar("began", id))
        try:
            return await self._player.play(sound, id, self._table.state.sound.of(self._seat).ear.balance)
        finally:
            await self._microphone.take_report(DeviceReport(played=id))

    # what the player says

    async def _listen(self) -> None:
        async with self._open_capture(self.devices.microphone) as frames:
            before: deque[bytes] = deque(maxlen=PREROLL_FRAMES)
            while True:
                pcm = await self._next_piece(frames)
                if self._key_down:
                    await self._utterance(frames, [*before, pcm])
                    before.clear()
                elif self._checking:
                    await self._check(frames, pcm, before)
                else:
                    before.append(pcm)

    @staticmethod
    async def _next_piece(frames: Frames) -> bytes:
        """Return the next sound of the microphone. Raises TimeoutError where it gives none."""
        async with asyncio.timeout(DEAF_S):
            return (await anext(frames))[1]

    async def _check(self, frames: Frames, pcm: bytes, before: deque[bytes]) -> None:
        """Judge some seconds of the player's voice, kept nowhere; the talk key ends it, and nothing is judged.

        `before`: takes the sound of the moment before that key.
        """
        utterance, number = secrets.randbits(63), 0
        back = self.devices.headphones is not None
        await self._microphone.take_report(DeviceReport(check=utterance, back=back, echo=self._proves_headset))
        while number < self._checking:
            await self._microphone.take(HEADER.pack(utterance, number * FRAME_SAMPLES) + pcm)
            before.append(pcm)
            pcm = await self._next_piece(frames)
            number += 1
        if self._checking:
            self._checking = 0
            before.clear()
            await self._microphone.take_report(DeviceReport(end=utterance))
        else:
            self._microphone.leave_check()
        before.append(pcm)

    async def _utterance(self, frames: Frames, pieces: list[bytes]) -> None:
        """Take sound while the key is down, or while voice activity has the microphone open.

        Over an open microphone, what is said while the key is held is an utterance of the key.
        """
        utterance = secrets.randbits(63)
        by_voice = opens_by_voice(self._table.state, self._seat)
        if by_voice:
            await self._microphone.take_report(DeviceReport(stream=utterance, own_dbfs=self._own_dbfs))
        sample, by_key, spoken = 0, 0, 0
        recent: deque[bytes] = deque(maxlen=HELD_FRAMES)
        while self._key_down and (by_voice or sample < LONGEST_SAMPLES):
            if self._held and not by_key:
                by_key, spoken, said = secrets.randbits(63), 0, [*recent, *pieces]
            else:
                said = pieces if by_key else []
            for pcm in said:
                await self._microphone.take(HEADER.pack(by_key, spoken) + pcm)
                spoken += len(pcm) // 2
            if by_key and not self._held:
                await self._microphone.take_report(DeviceReport(end=by_key))
                by_key = 0
            for pcm in pieces:
                await self._microphone.take(HEADER.pack(utterance, sample) + pcm)
                sample += len(pcm) // 2
            recent.extend(pieces)
            pieces = [await self._next_piece(frames)]
            if by_voice and not opens_by_voice(self._table.state, self._seat):
                break
        self._key_down = self._held = False
        if by_key:
            await self._microphone.take_report(DeviceReport(end=by_key))
        await self._microphone.take_report(DeviceReport(end=utterance))

    # what comes back

    def _take_outgoing(self, outgoing: Outgoing) -> None:
        """Take what a browser's line would be told: the check's outcome goes to the seat's own pages."""
        if not isinstance(outgoing, LevelFound):
            return
        if outgoing.finding in ("good", "noisy"):
            self._own_dbfs = max(-60.0, min(0.0, outgoing.speech_dbfs))
            if self._wants_open:
                self._key_down, self._checking = True, 0  # another check is not asked for any more
        self._wants_open = False
        for station in self._table.state.stations.admitted:
            if station.role is Role.PLAYER and station.seat is self._seat and station.id != self._station.id:
                self._table.push(station.id, outgoing)

    async def _guard_work(self, work: Work) -> None:
        try:
            await work()
        except TimeoutError:
            _log.warning("The devices of %s at table %s are silent", self._seat.value, self._table.id)
            self._fault(saying("device_silent", device=str(self.devices.microphone)))
        except Complaint as wrong:
            _log.warning("The devices of %s at table %s: %s", self._seat.value, self._table.id, wrong)
            self._fault(saying("as_written", text=str(wrong)))
        except Exception:  # after any failure the seat goes on with its pages
            _log.exception("The devices of %s at table %s", self._seat.value, self._table.id)
            self._fault(saying("devices_broken"))
