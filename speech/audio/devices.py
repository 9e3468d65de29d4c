"""The sound card and its microphone, where there is one.

Playing can be stopped; the microphone gives 16 kHz. PortAudio is optional at run time: without it, or without a card,
`available()` says so and how to get it, and browsers go on.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any, Literal

import msgspec
import numpy as np
import soxr

from speech.audio.frames import FRAME_BYTES, FRAME_SAMPLES, WIRE_RATE
from speech.audio.hearing_aid import both_ears
from speech.audio.sound import BYTES_PER_SAMPLE, Sound
from speech.audio.wav import resample_sound
from speech.complaint import Complaint, Phrase

_NO_PORTAUDIO = Phrase("sound.no_portaudio")
_MEND_PORTAUDIO = "apt-get install libportaudio2"
_NO_CARD = Phrase("sound.no_card")
MEND_CARD = Phrase("sound.mend_card", command="apt-get install pulseaudio libasound2-plugins")
_QUEUED_FRAMES = 500
"""10 s of microphone sound; older sound is dropped when nobody listens."""


_TAIL_MS = 150
"""Silence played after a sound. PortAudio calls a stream finished when its last buffer is handed over, not when it was
heard, and closing it then cuts the end off (30 ms through PulseAudio). The microphone stays deaf during it too."""
AHEAD_S = 0.1
"""Sound that the card holds ahead, so that a busy machine leaves no gaps in a phrase: PortAudio's own choice, 35 ms,
left one in every second phrase where other programs kept all cores busy."""
_ONE_AT_A_TIME = threading.Lock()
"""Two threads must not open or close PortAudio streams at once."""


class Availability(msgspec.Struct, frozen=True):
    """Whether there is sound on this machine; if not, why, and how to get it.

    `mend`: a command where it is a text.
    """

    ok: bool
    reason: str | Phrase = ""
    mend: str | Phrase = ""


class Device(msgspec.Struct, frozen=True):
    """Sound device as PortAudio names it.

    `inputs` and `outputs` are channels, `sample_rate` the device's own rate in Hz.
    """

    index: int
    name: str
    inputs: int
    outputs: int
    sample_rate: int


class PlayingIds:
    """Ids of what is sounding now; meanwhile the microphone hears nothing.

    It is a set and not a counter: a sound that ends twice, or is stopped and ends, leaves it right.
    """

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def begin(self, sound_id: str) -> None:
        """Note that this sound begins (again)."""
        self._ids.add(sound_id)

    def end(self, sound_id: str) -> None:
        """Note that this sound is over; it may be over already."""
        self._ids.discard(sound_id)

    @property
    def muted(self) -> bool:
        """Return whether the microphone must hear nothing now."""
        return bool(self._ids)

    def __contains__(self, sound_id: str) -> bool:
        return sound_id in self._ids


def available() -> Availability:
    """Return whether sound can be played or captured here."""
    try:
        devices = list_devices()
    except Complaint:
        return Availability(False, _NO_PORTAUDIO, _MEND_PORTAUDIO)
    return Availability(True) if devices else Availability(False, _NO_CARD, MEND_CARD)


def list_devices() -> tuple[Device, ...]:
    """Return the devices PortAudio saw when this process first asked.

    Raises `Complaint` where PortAudio is missing or does not work.
    """
    sounddevice = _sounddevice()
    try:
        entries = sounddevice.query_devices()
    except (sounddevice.PortAudioError, ValueError) as trouble:
        raise Complaint(Phrase("sound.device_cannot_list", why=_short(trouble), mend=MEND_CARD)) from None
    return tuple(
        Device(
            int(entry["index"]),
            str(entry["name"]),
            int(entry["max_input_channels"]),
            int(entry["max_output_channels"]),
            int(entry["default_samplerate"]),
        )
        for entry in entries
    )


class Player:
    """Player of sounds on one device.

    The device is its name or index; None is the machine's own choice.
    """

    def __init__(self, device: str | int | None = None, playing: PlayingIds | None = None) -> None:
        self._device = device
        self.playing = PlayingIds() if playing is None else playing
        self._stops: dict[str, asyncio.Event] = {}

    async def play(self, sound: Sound, sound_id: str, balance: int = 0) -> Literal["played", "stopped"]:
        """Play the sound to its end, or until `stop`.

        A sound of the same id that is playing is stopped first. `balance`: -100 left ear alone, 0 the same in both, 100
        right; a device of one channel has none. If the caller is cancelled, the sound stops. Raises `Complaint` where
        the device cannot play, or stopped by itself before the sound was over.
        """
        self.stop(sound_id)
        stop = self._stops[sound_id] = asyncio.Event()
        self.playing.begin(sound_id)
        try:
            return await self._sound_out(sound, stop, balance)
        finally:
            # A newer sound of the same id has taken the entry, and is what is playing now.
            if self._stops.get(sound_id) is stop:
                del self._stops[sound_id]
                self.playing.end(sound_id)

    def stop(self, sound_id: str | None = None) -> None:
        """Stop one sound, or all; it falls silent at once."""
        for playing_id, stop in self._stops.items():
            if sound_id in (None, playing_id):
                stop.set()

    async def _sound_out(self, sound: Sound, stop: asyncio.Event, balance: int) -> Literal["played", "stopped"]:
        loop = asyncio.get_running_loop()
        ended, whole = asyncio.Event(), False

        def end(to_its_end: bool) -> None:  # cffi wants nothing back
            nonlocal whole
            whole = to_its_end
            loop.call_soon_threadsafe(ended.set)

        stream = await asyncio.to_thread(self._open, sound, balance, end)
        waiting = [asyncio.create_task(ended.wait()), asyncio.create_task(stop.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if not ended.is_set():
                return "stopped"
            if not whole:
                raise Complaint(_cannot("play", self._device, Phrase("sound.stopped")))
            return "played"
        finally:
            for task in waiting:
                task.cancel()
            # Closing throws away what the device has not played yet; it blocks for some ms.
            await asyncio.shield(asyncio.to_thread(_close, stream))

    def _open(self, sound: Sound, balance: int, ended: Callable[[bool], None]) -> Any:
        """Return a running stream that calls `ended`, from its own thread, with whether its last sample was played."""
        sounddevice = _sounddevice()
        try:
            channels = _channels_for(sounddevice, self._device, balance)
            rate = _rate_for(sounddevice, "output", self._device, sound.sample_rate, channels)
            sound = resample_sound(sound, rate)
            samples = sound.pcm if channels == 1 else both_ears(sound, balance).astype("<i2").tobytes()
            pcm = samples + bytes(channels * rate * _TAIL_MS // 1000 * BYTES_PER_SAMPLE)
            place = 0

            def fill(out: Any, _frames: int, _time: object, _status: object) -> None:
                nonlocal place
                part = pcm[place : place + len(out)]
                place += len(part)
                out[: len(part)] = part
                if len(part) < len(out):
                    out[len(part) :] = bytes(len(out) - len(part))
                    raise sounddevice.CallbackStop

            with _ONE_AT_A_TIME:
                stream = sounddevice.RawOutputStream(
                    samplerate=rate,
                    channels=channels,
                    dtype="int16",
                    device=self._device,
                    latency=AHEAD_S,
                    callback=fill,
                    finished_callback=lambda: ended(place >= len(pcm)),
                )
                stream.start()
        except (sounddevice.PortAudioError, ValueError) as trouble:
            raise Complaint(_cannot("play", self._device, trouble)) from None
        return stream


class Microphone:
    """Open microphone; iterate it for `(first sample, pcm)` of 20 ms each, mono s16le at 16 kHz.

    While something of `playing` sounds, frames are left out; their sample numbers are not used again, so a gap shows.
    """

    def __init__(self, playing: PlayingIds) -> None:
        self.overflows = 0
        """How often sound was lost because nobody took it, or because the machine was too slow."""
        self._playing = playing
        self._frames: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(_QUEUED_FRAMES)
        self._rest = b""
        self._next_sample = 0

    def take(self, pcm: bytes, lost: bool) -> None:
        """Take what the device delivered, at 16 kHz, of any length; this is called in the event loop."""
        self.overflows += lost
        self._rest += pcm
        while len(self._rest) >= FRAME_BYTES:
            frame, self._rest = self._rest[:FRAME_BYTES], self._rest[FRAME_BYTES:]
            if not self._playing.muted:
                if self._frames.full():
                    self._frames.get_nowait()
                    self.overflows += 1
                self._frames.put_nowait((self._next_sample, frame))
            self._next_sample += FRAME_SAMPLES

    def __aiter__(self) -> AsyncIterator[tuple[int, bytes]]:
        return self

    async def __anext__(self) -> tuple[int, bytes]:
        return await self._frames.get()


@asynccontextmanager
async def capture(device: str | int | None = None, playing: PlayingIds | None = None) -> AsyncIterator[Microphone]:
    """Open a microphone for the duration of the `async with`.

    Raises `Complaint` where the device cannot capture.
    """
    loop = asyncio.get_running_loop()
    microphone = Microphone(PlayingIds() if playing is None else playing)
    stream = await asyncio.to_thread(_open_microphone, device, microphone, loop)
    try:
        yield microphone
    finally:
        await asyncio.shield(asyncio.to_thread(_close, stream))


def check_microphone(device: str | int | None = None) -> None:
    """See that a microphone could be opened, without hearing anything. Raises `Complaint`."""
    sounddevice = _sounddevice()
    try:
        _rate_for(sounddevice, "input", device, WIRE_RATE)
    except (sounddevice.PortAudioError, ValueError) as trouble:
        raise Complaint(_cannot("record", device, trouble)) from None


def _open_microphone(device: str | int | None, microphone: Microphone, loop: asyncio.AbstractEventLoop) -> Any:
    sounddevice = _sounddevice()
    try:
        rate = _rate_for(sounddevice, "input", device, WIRE_RATE)
        change = None if rate == WIRE_RATE else soxr.ResampleStream(rate, WIRE_RATE, 1, dtype="int16")

        def take_frames(data: Any, _frames: int, _time: object, status: Any) -> None:
            pcm = bytes(data)
            if change is not None:
                pcm = change.resample_chunk(np.frombuffer(pcm, "<i2")).astype("<i2").tobytes()
            loop.call_soon_threadsafe(microphone.take, pcm, bool(status.input_overflow))

        with _ONE_AT_A_TIME:
            stream = sounddevice.RawInputStream(
                samplerate=rate,
                channels=1,
                dtype="int16",
                device=device,
                blocksize=math.ceil(rate * FRAME_SAMPLES / WIRE_RATE),
                callback=take_frames,
            )
            stream.start()
    except (sounddevice.PortAudioError, ValueError) as trouble:
        raise Complaint(_cannot("record", device, trouble)) from None
    return stream


def _channels_for(sounddevice: ModuleType, device: str | int | None, balance: int) -> int:
    """Return how many channels to open, one where the device takes that.

    Two are needed where one ear must hear less, or where the device takes nothing else.
    """
    most = int(sounddevice.query_devices(device, "output")["max_output_channels"])
    if most < 2:
        return 1
    if balance:
        return 2
    try:
        sounddevice.check_output_settings(device=device, channels=1, dtype="int16")
    except sounddevice.PortAudioError:
        return 2
    return 1


def _rate_for(
    sounddevice: ModuleType,
    way: Literal["input", "output"],
    device: str | int | None,
    wanted: int,
    channels: int = 1,
) -> int:
    """Return the wanted sample rate where the device takes it, else its own."""
    check = sounddevice.check_input_settings if way == "input" else sounddevice.check_output_settings
    try:
        check(device=device, channels=channels, dtype="int16", samplerate=wanted)
    except sounddevice.PortAudioError:
        own = int(sounddevice.query_devices(device, way)["default_samplerate"])
        if own == wanted:
            raise
        return own
    return wanted


def _close(stream: Any) -> None:
    with _ONE_AT_A_TIME:
        stream.abort(ignore_errors=True)
        stream.close(ignore_errors=True)


def _cannot(do: Literal["play", "record"], device: str | int | None, trouble: Exception | Phrase) -> Phrase:
    place = Phrase("sound.of_the_system") if device is None else f'"{device}"'
    why = trouble if isinstance(trouble, Phrase) else _short(trouble)
    return Phrase(f"sound.device_cannot_{do}", device=place, why=why, mend=MEND_CARD)


def _short(trouble: Exception) -> str:
    return " ".join(str(trouble).split()).rstrip(".")


def _sounddevice() -> ModuleType:
    try:
        import sounddevice
    except Exception:  # OSError is its word for "PortAudio library not found"; a broken PortAudio raises others
        raise Complaint(Phrase("sound.no_sound_here", command=_MEND_PORTAUDIO)) from None
    module: ModuleType = sounddevice
    return module
