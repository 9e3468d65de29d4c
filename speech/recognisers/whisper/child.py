"""This module runs Whisper in a process of its own: `python -m speech.recognisers.whisper.child FOLDER`.

CTranslate2 encodes the sound, in bytes where the model is to be small and fast; our own decoder (`text_decoder`) goes
along the word graph. One thread, one type of numbers and no chance: the same samples give the same answer, however they
came and whatever else the machine does. Nothing is fetched: the folder is complete, or it is refused.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ctranslate2
import msgspec
import numpy as np

from speech.complaint import Complaint, Phrase
from speech.process import serve_child
from speech.recognisers.preparing import prepared
from speech.recognisers.recogniser import SAMPLE_RATE
from speech.recognisers.whisper.features import Floats, log_mel, without_long_pauses
from speech.recognisers.whisper.search import Beam, Graph, Search, Signs, Tokens
from speech.recognisers.whisper.text_decoder import TextDecoder
from speech.recognisers.whisper.weights import read_weights

_MOST_VOCABULARIES = 8
_LEAD_S = 0.2
"""Silence before and after the speech (s)."""
_COMMA, _FULL_STOP = 11, 13
_COMPUTE = "int8"


class Words(msgspec.Struct, frozen=True):
    """The `Words` are one vocabulary: its graph, how each word may be written, and the languages of its prompts."""

    graph: Graph
    ways: Mapping[str, list[Tokens]]
    languages: list[str]
    beam: Beam


class Ask(msgspec.Struct, frozen=True):
    """An `Ask` is one utterance (mono s16le 16 kHz) with all that its answer depends on."""

    pcm: bytes
    words: Words
    windows_s: list[int]
    pause_s: float


class Engine:
    """The `Engine` is the one model of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: Any = None
        self._decoder: TextDecoder | None = None
        self._names: dict[str, int] = {}
        self._suppressed: list[int] = []
        self._bands = 80
        self._searches: dict[bytes, Search] = {}

    def hello(self) -> dict[str, object]:
        """Load the model and try it on a moment of silence. Raises `Complaint` where the folder is not one."""
        try:
            self._names = _names(self._folder)
            self._suppressed = [
                int(one) for one in json.loads((self._folder / "config.json").read_bytes())["suppress_ids"]
            ]
            self._model = ctranslate2.models.Whisper(
                str(self._folder), device="cpu", compute_type=_COMPUTE, inter_threads=1, intra_threads=1
            )
            self._bands = int(self._model.n_mels)
            self._decoder = TextDecoder(read_weights(self._folder / "model.bin", "decoder/"))
            self._encoded(np.zeros(SAMPLE_RATE, np.float32), 2)
        except Complaint:
            raise
        except (OSError, RuntimeError, ValueError, KeyError, TypeError) as wrong:
            raise Complaint(Phrase("whisper.unusable", place=self._folder, why=wrong)) from None
        return {"engine": "whisper"}

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """Return what was said. Raises `Complaint` where the request is not one."""
        try:
            ask = msgspec.convert(message, Ask)
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to Whisper is not well-formed ({wrong}).") from None
        speech = prepared(ask.pcm)
        if speech is None:
            return {"ranked": [], "frames": 0, "plain": 0.0, "free": 0.0, "shares": []}
        shortened = without_long_pauses(speech, ask.pause_s)
        frames = len(shortened) * 100 // SAMPLE_RATE
        sound = np.pad(shortened, round(_LEAD_S * SAMPLE_RATE))
        seconds = next((one for one in ask.windows_s if len(sound) <= one * SAMPLE_RATE), ask.windows_s[-1])
        decoder = self._decoder
        assert decoder is not None, "hello comes first"
        decoder.listen(self._encoded(sound, seconds))
        prompts = [
            [self._names[f"<|{one}|>"] for one in ("startoftranscript", language, "transcribe", "notimestamps")]
            for language in ask.words.languages
        ]
        found = self._search(ask.words).chains_in(decoder, prompts)
        return {
            "ranked": [(list(chain), score) for chain, score in found.ranked],
            "frames": frames,
            "plain": max(found.plain, -1e6),
            "free": max(found.free, -1e6),
            "shares": list(found.shares),
        }

    def _encoded(self, sound: Floats, seconds: int) -> Floats:
        spectrogram = ctranslate2.StorageView.from_array(log_mel(sound, seconds, self._bands)[None])
        encoded: Floats = np.asarray(self._model.encode(spectrogram, to_cpu=True), np.float32)[0]
        return encoded

    def _search(self, words: Words) -> Search:
        key = hashlib.sha256(msgspec.msgpack.encode(words)).digest()
        search = self._searches.pop(key, None) or Search(words.graph, words.ways, self._signs(), words.beam)
        self._searches[key] = search
        while len(self._searches) > _MOST_VOCABULARIES:
            del self._searches[next(iter(self._searches))]
        return search

    def _signs(self) -> Signs:
        end = self._names["<|endoftext|>"]
        special = [number for number in self._names.values() if number > end]
        return Signs(end, (_COMMA, _FULL_STOP), tuple(sorted({*self._suppressed, *special} - {end})))


def _names(folder: Path) -> dict[str, int]:
    """Return the number of each token by its name, as the model's list of tokens has it."""
    listed = folder / "vocabulary.json"
    if listed.exists():
        names = json.loads(listed.read_text("utf-8"))
    else:
        names = (folder / "vocabulary.txt").read_text("utf-8").split("\n")
    return {name: number for number, name in enumerate(names) if name.startswith("<|")}


if __name__ == "__main__":
    engine = Engine(Path(sys.argv[1]))
    serve_child(engine.answer, hello=engine.hello)
