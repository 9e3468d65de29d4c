"""The process of Whisper: `python -m speech.recognisers.whisper.child FOLDER`.

CTranslate2 encodes the sound, in bytes where the model is to be small and fast. Our own decoder (`text_decoder`) goes
along the word graph; on the other core CTranslate2 meanwhile writes what it would say freely, and then tells how likely
our words are beside it. A fixed count of threads, one type of numbers and no chance: the same samples give the same
answer, however they came and whatever else the machine does. Nothing is fetched: the folder is complete, or it is
refused.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import ctranslate2
import msgspec
import numpy as np

from speech.complaint import Complaint, Phrase
from speech.process import serve_child
from speech.recognisers.preparing import prepare_speech
from speech.recognisers.recogniser import SAMPLE_RATE
from speech.recognisers.whisper.features import Floats, log_mel, without_long_pauses
from speech.recognisers.whisper.search import Beam, Graph, Search, Signs, Tokens
from speech.recognisers.whisper.spellings import known_tokens
from speech.recognisers.whisper.text_decoder import TextDecoder
from speech.recognisers.whisper.weights import read_weights

_MOST_VOCABULARIES = 8
_LEAD_S = 0.2
"""Silence before and after the speech (s)."""
_COMMA, _FULL_STOP = 11, 13
_TEXT_TOKENS = 50257
"""Tokens of text in every Whisper model that knows many languages; ours are numbered by these."""
_COMPUTE = "int8"
_THREADS = 2
"""Threads that encode and write, the same on any machine: another count might change the last places of a figure."""
_END, _START, _TASK, _PLAIN = "<|endoftext|>", "<|startoftranscript|>", "<|transcribe|>", "<|notimestamps|>"
_FRAMES_IN_ONE = 2
"""Frames of the spectrogram in one of the encoder's."""


class Words(msgspec.Struct, frozen=True):
    """One vocabulary: its graph, how each word may be written, and the languages of its prompts."""

    graph: Graph
    ways: Mapping[str, list[Tokens]]
    languages: list[str]
    beam: Beam


class WhisperTask(msgspec.Struct, frozen=True):
    """One utterance (mono s16le 16 kHz) with all that its answer depends on."""

    pcm: bytes
    words: Words
    windows_s: list[int]
    pause_s: float


class WhisperEngine:
    """The one model of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: Any = None
        self._decoder: TextDecoder | None = None
        self._names: dict[str, int] = {}
        self._bands = 80
        self._searches: dict[bytes, Search] = {}
        self._aside = ThreadPoolExecutor(1)

    def hello(self) -> dict[str, object]:
        """Load the model and try it on a moment of silence. Raises `Complaint` where the folder is not one."""
        try:
            names = _vocabulary(self._folder)
            self._names = {name: number for number, name in enumerate(names) if name.startswith("<|")}
            self._model = ctranslate2.models.Whisper(
                str(self._folder), device="cpu", compute_type=_COMPUTE, inter_threads=1, intra_threads=_THREADS
            )
            if not self._model.is_multilingual:
                raise Complaint(Phrase("whisper.english_only", place=self._folder))
            if self._names[_END] != _TEXT_TOKENS or (names[_COMMA], names[_FULL_STOP]) != (",", "."):
                raise ValueError("its tokens are not those of Whisper")
            self._bands = int(self._model.n_mels)
            self._decoder = TextDecoder(read_weights(self._folder / "model.bin", "decoder/"), self._tokens())
            self._encode(np.zeros(SAMPLE_RATE, np.float32), 2)
        except Complaint:
            raise
        except (OSError, RuntimeError, ValueError, LookupError, TypeError) as wrong:
            raise Complaint(Phrase("whisper.unusable", place=self._folder, why=wrong)) from None
        _give_memory_back()
        return {"engine": "whisper"}

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """Return the hypotheses on one utterance. Raises `Complaint` where the request is not one."""
        try:
            ask = msgspec.convert(message, WhisperTask)
            search = self._search(ask.words)
            prompts = [
                [self._names[name] for name in (_START, f"<|{language}|>", _TASK, _PLAIN)]
                for language in ask.words.languages
            ]
        except (msgspec.ValidationError, KeyError) as wrong:
            raise Complaint(f"The request to Whisper is not well-formed ({wrong}).") from None
        speech = prepare_speech(ask.pcm)
        if speech is None:
            return {"ranked": [], "frames": 0, "score": 0.0, "plain": 0.0, "free": 0.0, "written": 0, "shares": []}
        shortened = without_long_pauses(speech, ask.pause_s)
        frames = len(shortened) * 100 // SAMPLE_RATE
        sound = np.pad(shortened, round(_LEAD_S * SAMPLE_RATE))
        seconds = next((one for one in ask.windows_s if len(sound) <= one * SAMPLE_RATE), ask.windows_s[-1])
        try:
            return {
                "frames": frames,
                **self._hear_encoded(self._encode(sound, seconds), search, prompts, ask.words.beam),
            }
        finally:
            _give_memory_back()

    def _hear_encoded(
        self, encoded: Floats, search: Search, prompts: Sequence[Sequence[int]], beam: Beam
    ) -> dict[str, object]:
        decoder = self._decoder
        assert decoder is not None, "hello comes first"
        view = ctranslate2.StorageView.from_array(np.ascontiguousarray(encoded[None]))
        # CTranslate2 writes on the other core meanwhile. Which language it would write in is known if there is but one.
        early = self._aside.submit(self._free_text, view, prompts[0], beam.longest) if len(prompts) == 1 else None
        try:
            decoder.listen(encoded)
            found = search.chains_in(decoder, prompts)
            decoder.forget()
        finally:
            if early is not None:
                wait([early])
        plain, free, written = self._beside_free_text(
            view,
            found.text,
            prompts[found.prompt],
            early.result() if early is not None else self._free_text(view, prompts[found.prompt], beam.longest),
            len(encoded),
        )
        return {
            "ranked": [(list(chain), score) for chain, score in found.ranked],
            "score": max(found.plain, -1e6),
            "plain": plain,
            "free": free,
            "written": written,
            "shares": list(found.shares),
        }

    def _free_text(self, view: Any, prompt: Sequence[int], longest: int) -> tuple[Tokens, float]:
        """Return the text that the model would write, and its log probability; both are among all tokens."""
        written = self._model.generate(
            view, [list(prompt)], beam_size=1, length_penalty=0.0, return_scores=True, max_length=len(prompt) + longest
        )[0]
        return tuple(written.sequences_ids[0]), float(written.scores[0])

    def _beside_free_text(
        self, view: Any, text: Tokens, prompt: Sequence[int], free_text: tuple[Tokens, float], frames: int
    ) -> tuple[float, float, int]:
        """Return the log probability of our text, and of the text that the model would write, and its count of tokens.

        They are among all tokens. How far the first lies below the second tells speech that is for the program from any
        other.
        """
        written, free = free_text
        if not text:
            return 0.0, free, len(written)
        ours = self._log_share(view, text, prompt, frames)
        return ours, ours if written == text else self._log_share(view, written, prompt, frames), len(written)

    def _log_share(self, view: Any, text: Tokens, prompt: Sequence[int], frames: int) -> float:
        if not text:
            return 0.0
        aligned = self._model.align(view, list(prompt[:-1]), [list(text)], [frames * _FRAMES_IN_ONE])[0]
        return sum(math.log(max(share, 1e-12)) for share in aligned.text_token_probs)

    def _encode(self, sound: Floats, seconds: int) -> Floats:
        spectrogram = ctranslate2.StorageView.from_array(log_mel(sound, seconds, self._bands)[None])
        encoded: Floats = np.asarray(self._model.encode(spectrogram, to_cpu=True), np.float32)[0]
        return encoded

    def _search(self, words: Words) -> Search:
        key = hashlib.sha256(msgspec.msgpack.encode(words)).digest()
        signs = Signs(self._names[_END], (_COMMA, _FULL_STOP))
        search = self._searches.pop(key, None) or Search(words.graph, words.ways, signs, words.beam)
        self._searches[key] = search
        while len(self._searches) > _MOST_VOCABULARIES:
            del self._searches[next(iter(self._searches))]
        return search

    def _tokens(self) -> Iterable[int]:
        """Return every token that a word of any scheme may be written with, and all that are no text."""
        written = {token for way in known_tokens().values() for token in way}
        return {*written, _COMMA, _FULL_STOP, *self._names.values()}


def _vocabulary(folder: Path) -> list[str]:
    """Return the model's list of tokens."""
    listed = folder / "vocabulary.json"
    if listed.exists():
        names: list[str] = json.loads(listed.read_text("utf-8"))
        return names
    return (folder / "vocabulary.txt").read_text("utf-8").split("\n")


def _give_memory_back() -> None:
    """Give the system what was needed for one sound alone, where the C library would keep it (Linux)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


if __name__ == "__main__":
    engine = WhisperEngine(Path(sys.argv[1]))
    serve_child(engine.answer, hello=engine.hello)
