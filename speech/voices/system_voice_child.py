"""The process in which the system's own voices speak, through pyttsx3.

It is started as `python -P -m speech.voices.system_voice_child`.
SAPI on Windows, NSSpeech on macOS. Requests `{"text", "language", "speed"}`, answers `{"pcm", "sample_rate"}`: mono
16 bit. The engine writes a file, WAV or AIFF, into a folder that nobody else may read; it is removed at once.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
import soundfile

from speech.complaint import Complaint, Phrase
from speech.process import serve_child

DRIVERS = {"darwin": "nsss", "win32": "sapi5"}
WRITTEN_S = 5.0
"""Seconds to wait for the file: `runAndWait` may return before it is whole."""
_SUFFIX = {"nsss": ".aiff", "sapi5": ".wav"}


class SystemEngine(Protocol):
    """The parts of pyttsx3 that are needed here; it has no types of its own."""

    def getProperty(self, name: str) -> Any: ...
    def setProperty(self, name: str, value: Any) -> None: ...
    def save_to_file(self, text: str, filename: str) -> None: ...
    def runAndWait(self) -> None: ...


class Request(msgspec.Struct, frozen=True):
    """One phrase; `speed`: 1.0 is the engine's own."""

    text: str
    language: str
    speed: float


class SystemSpeaker:
    """One engine of the system, loaded once."""

    def __init__(self, engine: SystemEngine, suffix: str = ".wav") -> None:
        self._engine = engine
        self._suffix = suffix
        self._voices = _by_language(engine.getProperty("voices"))
        self._rate = int(engine.getProperty("rate"))
        self._folder = tempfile.TemporaryDirectory(prefix="anna-eins-voice-")  # mode 0700, gone with the process

    def hello(self) -> dict[str, object]:
        """Return the greeting to the parent."""
        return {"languages": sorted(self._voices)}

    def handle(self, message: dict[str, object]) -> dict[str, object]:
        """Render one phrase.

        Raises Complaint where the system has no voice for the language, or gave no sound.
        """
        request = msgspec.convert(message, Request)
        voice = self._voices.get(request.language)
        if voice is None:
            raise Complaint(Phrase("voice.no_language", language=request.language))
        self._engine.setProperty("voice", voice)
        self._engine.setProperty("rate", round(self._rate * request.speed))
        path = Path(self._folder.name) / f"phrase{self._suffix}"
        path.unlink(missing_ok=True)
        try:
            self._engine.save_to_file(request.text, str(path))
            self._engine.runAndWait()
            return _read(path)
        finally:
            path.unlink(missing_ok=True)


def _by_language(voices: Any) -> dict[str, str]:
    """ "de" -> the first voice that says it.

    A tag may be "de-DE", "de_DE" or bytes with a length before it.
    """
    found: dict[str, str] = {}
    for voice in voices:
        for tag in getattr(voice, "languages", None) or ():
            text = tag.decode("ascii", "ignore") if isinstance(tag, bytes) else str(tag)
            language = "".join(letter for letter in text.lower() if letter.isalpha() or letter in "-_")
            found.setdefault(language.replace("_", "-").partition("-")[0], voice.id)
    found.pop("", None)
    return found


def _read(path: Path) -> dict[str, object]:
    """Return the sound, once it is whole: a file that grows no more and can be read."""
    deadline, size = time.monotonic() + WRITTEN_S, -1
    while time.monotonic() < deadline:
        now = path.stat().st_size if path.exists() else 0
        if now and now == size:
            try:
                samples, rate = soundfile.read(path, dtype="int16", always_2d=True)
            except soundfile.LibsndfileError:
                pass
            else:
                if samples.any():
                    mono = samples.astype(np.int32).sum(axis=1) // samples.shape[1]
                    return {"pcm": mono.astype("<i2").tobytes(), "sample_rate": int(rate)}
        size = now
        time.sleep(0.02)
    raise Complaint(Phrase("voice.silent"))


def main() -> None:
    """Serve phrases until the parent goes."""
    driver = DRIVERS.get(sys.platform)
    speaker: list[SystemSpeaker] = []

    def hello() -> dict[str, object]:
        if driver is None:
            return {"languages": []}
        import pyttsx3

        speaker.append(SystemSpeaker(pyttsx3.init(driver), _SUFFIX[driver]))
        return speaker[0].hello()

    def handle(message: dict[str, object]) -> dict[str, object]:
        if not speaker:
            raise Complaint(Phrase("voice.none_of_system"))
        return speaker[0].handle(message)

    serve_child(handle, hello)


if __name__ == "__main__":
    main()
