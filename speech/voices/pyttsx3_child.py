"""The process in which pyttsx3 speaks: `python -P -m speech.voices.pyttsx3_child`.

`speech.process` starts it. It says one phrase a request, through `save_to_file` and `runAndWait`; nothing is
ever played here. Requests:
`{"text", "voice", "variant" or None, "rate" (words a minute), "pitch" (0 to 99)}`, answers `{"pcm", "sample_rate"}`.

What pyttsx3 2.99 does on Linux, and what is done about it here:
- it looks for an eSpeak NG of the system, by names that the wheel of espeakng-loader has on no system but Linux: it is
  given that wheel's library, on every system;
- eSpeak NG breaks off where its data folder has a path of about 155 characters: it is given a relative one;
- the eSpeak NG of the wheel for Windows has no thread of its own: it tells the end of a phrase by a callback without
  samples, and never by the event that pyttsx3 waits for. It is given that event;
- rate and pitch wait in a queue that the next command may empty: `espeak_Synchronize` lets the queue run dry. It looks
  every 20 ms only, so nothing is set that is in force already;
- `runAndWait` may return before the sound is written: its own event "finished-utterance" is waited for;
- an unknown voice or variant silently leaves another: names are checked before, and the voice in force after;
- breath and whisper are noise seeded by the clock: the seed is set, so that a fresh process gives the same bytes;
- on a busy machine the first phrase after a change of voice came out empty in 3 of 125 new processes: a phrase with
  letters that has no sound is said again, so that no word of a move is lost in silence;
- a phrase is written to a file: it is one in the memory of this process, so that no word touches the disk.
"""

from __future__ import annotations

import ctypes
import io
import os
import threading
import wave
from pathlib import Path
from typing import Any
from unittest import mock

import espeakng_loader
import msgspec

from speech.complaint import Complaint, Phrase
from speech.process import serve_child

_RATE = 1
_PITCH = 3
_CURRENT = 1
MOST_TRIES = 3
"""How often one phrase is tried where it comes out without a sound."""


class Request(msgspec.Struct, frozen=True):
    """One phrase: `rate` in words a minute, `pitch` 0 to 99."""

    text: str
    voice: str
    variant: str | None
    rate: int
    pitch: int


class RenderedSpeech(msgspec.Struct, frozen=True):
    """Sound of one phrase: mono samples of 16 bits."""

    pcm: bytes
    sample_rate: int


class EspeakEngine:
    """The engine: pyttsx3 with eSpeak NG, loaded once for this process."""

    def __init__(self) -> None:
        library, data = Path(espeakng_loader.get_library_path()), Path(espeakng_loader.get_data_path())
        os.chdir(data.parent)
        os.environ["ESPEAK_DATA_PATH"] = data.name
        self._library = ctypes.CDLL(str(library))
        self._engine: Any = _pyttsx3_with(self._library)
        _let_each_end_be_told(self._engine.proxy._driver)
        # A new engine holds back every property until its loop has run once.
        self._engine.runAndWait()
        self._finished = threading.Event()
        self._errors: list[str] = []
        self._engine.connect("finished-utterance", self._on_finished)
        self._engine.connect("error", self._on_error)
        self._identifiers = self._names_of_voices()
        self._variants = {entry.name for entry in (data / "voices" / "!v").iterdir()}

    def hello(self) -> dict[str, object]:
        """Return the greeting to the parent: the names of voices and variants there are."""
        return {"voices": sorted(self._identifiers), "variants": sorted(self._variants)}

    def handle(self, message: dict[str, object]) -> dict[str, object]:
        """Render one phrase. Raises `Complaint` for an unknown voice or variant."""
        request = msgspec.convert(message, Request)
        voice = self._identifier(request.voice, request.variant)
        wanted = (voice.lower(), request.rate, request.pitch)
        if self._in_force() != wanted:
            self._errors.clear()
            self._library.espeak_Synchronize()
            self._engine.setProperty("voice", voice)
            self._engine.setProperty("rate", request.rate)
            self._engine.setProperty("pitch", request.pitch)
            self._library.espeak_Synchronize()
        in_force = self._in_force()
        if in_force[0] != wanted[0] or self._errors:
            raise Complaint(f'The voice "{request.voice}" cannot be used: eSpeak NG took {in_force[0]} for {voice}.')
        if in_force != wanted:
            raise RuntimeError(f"rate and pitch are {in_force[1:]}, not {wanted[1:]}")
        for _ in range(MOST_TRIES):
            said = self._say(request.text)
            if any(said.pcm) or not any(letter.isalnum() for letter in request.text):
                return {"pcm": said.pcm, "sample_rate": said.sample_rate}
        raise RuntimeError("the phrase came out without a sound")

    def _say(self, text: str) -> RenderedSpeech:
        # The engine's thread may still be putting the last phrase away; pyttsx3 would cancel it, at some chance moment.
        self._library.espeak_Synchronize()
        # Breath and whisper are noise, which eSpeak NG seeds by the clock where nobody else does.
        self._library.espeak_ng_SetRandSeed(ctypes.c_long(1))
        self._finished.clear()
        file = io.BytesIO()
        self._engine.save_to_file(text, file)
        self._engine.runAndWait()
        if self._errors:
            raise RuntimeError(f"the phrase was not said: {self._errors}")
        self._finished.wait()  # the deadline of the request ends this process where nothing comes
        file.seek(0)
        with wave.open(file, "rb") as phrase:
            if phrase.getnchannels() != 1 or phrase.getsampwidth() != 2:
                raise RuntimeError("the phrase is not mono with 16 bits")
            return RenderedSpeech(phrase.readframes(phrase.getnframes()), phrase.getframerate())

    def _identifier(self, voice: str, variant: str | None) -> str:
        """Return eSpeak NG's own name for the voice: "de" and "f2" -> "gmw/de+f2"."""
        identifier = self._identifiers.get(voice.lower())
        if identifier is None:
            raise Complaint(Phrase("voice.unknown", voice=voice))
        if variant is not None and variant not in self._variants:
            raise Complaint(Phrase("voice.no_variant", variant=variant))
        return identifier if variant is None else f"{identifier}+{variant}"

    def _in_force(self) -> tuple[str, int, int]:
        """Return voice, rate and pitch as eSpeak NG has them now."""
        return (
            self._engine.getProperty("voice"),
            self._library.espeak_GetParameter(_RATE, _CURRENT),
            self._library.espeak_GetParameter(_PITCH, _CURRENT),
        )

    def _names_of_voices(self) -> dict[str, str]:
        """Return every name of a voice, and the identifier that eSpeak NG takes for it.

        For instance "de" -> "gmw/de", "en-gb" -> "gmw/en".
        """
        names: dict[str, str] = {}
        voices = self._engine.getProperty("voices")
        for voice in voices:
            for language in voice.languages:
                names.setdefault(language.lower(), voice.id)
        # The name of the voice's own file goes before a language that several voices share. Windows says "gmw\\de".
        for voice in voices:
            names[voice.id] = names[voice.id.replace("\\", "/").rsplit("/", 1)[-1]] = voice.id
        return names

    def _on_finished(self, name: str | None, completed: bool) -> None:
        self._finished.set()

    def _on_error(self, name: str | None, exception: Exception) -> None:
        self._errors.append(str(exception))


def _pyttsx3_with(library: ctypes.CDLL) -> Any:
    """Return pyttsx3 on this eSpeak NG, whatever name it looks for."""
    with mock.patch.object(ctypes.cdll, "LoadLibrary", lambda name: library):
        import pyttsx3

        return pyttsx3.init("espeak")


def _let_each_end_be_told(driver: Any) -> None:
    """Let the end of the sound end a phrase where it is told in the thread that asked: nothing comes after it."""
    from pyttsx3.drivers import _espeak

    asking = threading.get_ident()
    ended = (_espeak.EVENT * 2)()
    ended[0].type, ended[1].type = _espeak.EVENT_MSG_TERMINATED, _espeak.EVENT_LIST_TERMINATED

    def on_synth(sound: Any, samples: int, events: Any) -> int:
        without_thread = not sound and threading.get_ident() == asking
        code: int = driver._onSynth(sound, samples, ended if without_thread else events)
        return code

    _espeak.SetSynthCallback(on_synth)


def main() -> None:
    """Serve phrases until the parent goes."""
    speaker: list[EspeakEngine] = []

    def hello() -> dict[str, object]:
        speaker.append(EspeakEngine())
        return speaker[0].hello()

    serve_child(lambda message: speaker[0].handle(message), hello)


if __name__ == "__main__":
    main()
