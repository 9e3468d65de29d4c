"""Speech of eSpeak NG through ctypes, one voice at a time.

Text or phonemes become sound with the exact place of every phoneme.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import espeakng_loader
import msgspec
import numpy as np
import numpy.typing as npt

_SYNCHRONOUS = 2
_PHONEME_EVENTS = 1
_UTF8_WITH_PHONEMES = 1 | 0x100
_PHONEME = 7
_RATE, _VOLUME, _PITCH, _RANGE = 1, 2, 3, 4


class PlacedPhoneme(msgspec.Struct, frozen=True):
    """A phoneme by its mnemonic, from `start` to `end` (samples)."""

    mnemonic: str
    start: int
    end: int


class PhonedSpeech(msgspec.Struct, frozen=True):
    """Mono samples of -1 to 1 at `rate`, and the phonemes in them."""

    samples: npt.NDArray[np.float32]
    rate: int
    phonemes: tuple[PlacedPhoneme, ...]


class _Id(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class _Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Id),
    ]


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


class Espeak:
    """`Espeak` is the library, loaded once a process."""

    def __init__(self) -> None:
        self._library: Any = ctypes.CDLL(espeakng_loader.get_library_path())
        self.rate: int = self._library.espeak_Initialize(
            _SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), _PHONEME_EVENTS
        )
        self._sound: list[bytes] = []
        self._events: list[tuple[int, str]] = []
        self._callback = _CALLBACK(self._collect)
        self._library.espeak_SetSynthCallback(self._callback)

    def speak(
        self, text: str, voice: str, *, speed: int = 160, pitch: int = 50, swing: int = 50
    ) -> PhonedSpeech | None:
        """Return what the voice ("de", "de+f2") makes of the text. None: there is no such voice.

        `[[...]]` in the text are mnemonics. `speed`: words a minute; `pitch`, `swing` (of the pitch): 0 to 100, as
        eSpeak NG counts.
        """
        if self._library.espeak_SetVoiceByName(voice.encode()) != 0:
            return None
        for setting, value in ((_RATE, speed), (_PITCH, pitch), (_RANGE, swing)):
            self._library.espeak_SetParameter(setting, value, 0)
        self._sound.clear()
        self._events.clear()
        data = text.encode()
        self._library.espeak_Synth(data, len(data) + 1, 0, 1, 0, _UTF8_WITH_PHONEMES, None, None)
        samples = np.frombuffer(b"".join(self._sound), "<i2").astype(np.float32) / np.float32(32768)
        ends = [place for place, _ in self._events[1:]] + [len(samples)]
        placed = [PlacedPhoneme(name, start, end) for (start, name), end in zip(self._events, ends, strict=True)]
        return PhonedSpeech(samples, self.rate, tuple(placed))

    def _collect(self, samples: Any, count: int, events: Any) -> int:
        if count > 0:
            self._sound.append(ctypes.string_at(samples, 2 * count))
        place = 0
        while events[place].type != 0:
            if events[place].type == _PHONEME:
                self._events.append((events[place].sample, events[place].id.string.decode("utf-8", "replace")))
            place += 1
        return 0


def mnemonics(spoken: PhonedSpeech) -> Sequence[str]:
    """Return the names of the phonemes alone."""
    return [one.mnemonic for one in spoken.phonemes]
