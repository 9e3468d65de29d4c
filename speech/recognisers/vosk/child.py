"""The process of Vosk: `python -m speech.recognisers.vosk.child FOLDER`.

The folder is always named and was checked. At the start the model is loaded and tried on a moment of silence: some
broken folders end the process (SIGABRT) only at the first sound, and that must not happen in the middle of a game. One
model serves any number of utterances that are being spoken at the same time, each with a decoder of its own (`begin`,
`feed`, `finish` or `drop`, by its key).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import vosk

from speech.complaint import Complaint, Phrase
from speech.process import serve_child
from speech.recognisers.live_wire import Serving
from speech.recognisers.vosk.model import GARBAGE, checked_model, words_of_model

RATE = 16_000
_CHUNK_BYTES = RATE // 5 * 2


class VoskTask(msgspec.Struct, frozen=True):
    """One utterance and the phrases of the model's bigram grammar.

    The sound is mono s16le 16 kHz; there is none yet in a `begin`.
    """

    pcm: bytes
    phrases: list[str]


class Live:
    """Utterance on its way into a decoder.

    It goes in pieces that do not depend on how it comes.
    """

    def __init__(self, recogniser: Any) -> None:
        self._recogniser = recogniser
        self._waiting = bytearray()
        self._results: list[str] = []

    def feed(self, pcm: bytes) -> None:
        """Take some more samples."""
        self._waiting += pcm
        while len(self._waiting) >= _CHUNK_BYTES:
            self._take(bytes(self._waiting[:_CHUNK_BYTES]))
            del self._waiting[:_CHUNK_BYTES]

    def finish(self) -> dict[str, object]:
        """Return the words as the model spells them, each with its confidence, after the last sample."""
        if self._waiting:
            self._take(bytes(self._waiting))
        results = [*self._results, self._recogniser.FinalResult()]
        return {
            "words": [
                (str(word["word"]), float(word.get("conf", 0.0)))
                for result in results
                for word in json.loads(result).get("result", [])
            ]
        }

    def drop(self) -> None:
        """Drop the utterance; its decoder goes with it."""

    def _take(self, pcm: bytes) -> None:
        if self._recogniser.AcceptWaveform(pcm):
            self._results.append(self._recogniser.Result())


class VoskEngine:
    """The one model of this process; every utterance being spoken has its own decoder."""

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
                raise Complaint(Phrase("model.no_word_list", place=self._folder))
            self._begin_live(VoskTask(bytes(RATE), [some])).finish()
        except Complaint:
            raise
        except Exception as wrong:  # Vosk raises bare Exceptions
            raise Complaint(Phrase("model.unusable", place=self._folder, why=wrong)) from None
        return {"engine": "vosk", "words": len(words)}

    def begin(self, message: dict[str, object]) -> Live:
        """Begin an utterance, with the sound that came with the request. Raises `Complaint`."""
        try:
            return self._begin_live(msgspec.convert(message, VoskTask))
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to Vosk is not well-formed ({wrong}).") from None

    def _begin_live(self, ask: VoskTask) -> Live:
        grammar = [*ask.phrases, GARBAGE] if self._garbage else ask.phrases
        recogniser = vosk.KaldiRecognizer(self._model, RATE, json.dumps(grammar, ensure_ascii=False))
        recogniser.SetWords(True)
        live = Live(recogniser)
        live.feed(ask.pcm)
        return live


if __name__ == "__main__":
    engine = VoskEngine(Path(sys.argv[1]))
    serve_child(Serving(engine.begin).answer, hello=engine.hello)
