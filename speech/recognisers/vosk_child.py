"""Vosk in a process of its own: `python -m speech.recognisers.vosk_child FOLDER`. Always an explicit, checked folder.

At the start the model is loaded and tried on a moment of silence: some broken folders end the process (SIGABRT) only at
the first sound, and that must not be in the middle of a game.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import vosk

from speech.children import serve_child
from speech.complaint import Complaint
from speech.recognisers.vosk_model import GARBAGE, checked_model, words_of_model

RATE = 16_000
_CHUNK_BYTES = RATE // 5 * 2


class Ask(msgspec.Struct, frozen=True):
    """One utterance (mono s16le 16 kHz) and the phrases that the model's bigram grammar is made of."""

    pcm: bytes
    phrases: list[str]


class Engine:
    """The one model of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: Any = None
        self._garbage = False

    def hello(self) -> dict[str, object]:
        """Load the model and try it. Raises `Complaint` where Vosk refuses the folder."""
        checked_model(self._folder)
        words = words_of_model(self._folder)
        self._garbage = GARBAGE in words
        vosk.SetLogLevel(-1)
        try:
            self._model = vosk.Model(model_path=str(self._folder))
            some = next((word for word in sorted(words) if word.isalpha()), None)
            if some is None:
                raise Complaint(f"The Vosk model in {self._folder} has an empty word list: unpack the model again.")
            self._decoded(bytes(RATE), [some])
        except Complaint:
            raise
        except Exception as wrong:  # Vosk raises bare Exceptions
            raise Complaint(f"Vosk cannot use the model in {self._folder} ({wrong}): unpack it again.") from None
        return {"engine": "vosk", "words": len(words)}

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """Recognise one utterance: the words as the model spells them, each with its confidence."""
        try:
            ask = msgspec.convert(message, Ask)
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to Vosk is not well-formed ({wrong}).") from None
        return {"words": self._decoded(ask.pcm, ask.phrases)}

    def _decoded(self, pcm: bytes, phrases: list[str]) -> list[tuple[str, float]]:
        grammar = [*phrases, GARBAGE] if self._garbage else phrases
        recogniser = vosk.KaldiRecognizer(self._model, RATE, json.dumps(grammar, ensure_ascii=False))
        recogniser.SetWords(True)
        results: list[str] = []
        for start in range(0, len(pcm), _CHUNK_BYTES):
            if recogniser.AcceptWaveform(pcm[start : start + _CHUNK_BYTES]):
                results.append(recogniser.Result())
        results.append(recogniser.FinalResult())
        return [
            (str(word["word"]), float(word.get("conf", 0.0)))
            for result in results
            for word in json.loads(result).get("result", [])
        ]


if __name__ == "__main__":
    engine = Engine(Path(sys.argv[1]))
    serve_child(engine.answer, hello=engine.hello)
