"""This module finds known words in a sound with pocketsphinx, in a process of its own.

It is started as `python -m speech.enrolment.align_child`. The answer says of each word which of its ways fitted best,
and which phones free speech would have had there.
"""

from __future__ import annotations

from typing import Any

import msgspec

from speech.complaint import Complaint
from speech.process import serve_child
from speech.recognisers.preparing import prepared, warped
from speech.recognisers.sphinx.dictionary import dictionary_file
from speech.recognisers.sphinx.phones import Settings


class Ask(msgspec.Struct, frozen=True):
    """An `Ask` is a reading (mono s16le 16 kHz), its words, and the ways to say each of them."""

    pcm: bytes
    words: list[str]
    dictionary: dict[str, list[str]]
    settings: Settings


class Placed(msgspec.Struct, frozen=True):
    """A `Placed` is a word of the reading.

    `way`: its place in the dictionary; `phones`: what free speech has there.
    """

    word: str
    way: int
    phones: str


class Answer(msgspec.Struct, frozen=True):
    """An `Answer` is the words in order; none where the sound does not hold them."""

    words: list[Placed] = []


class Aligner:
    """The `Aligner` holds the decoders of this process; each reading has a dictionary of its own."""

    def __init__(self) -> None:
        import pocketsphinx  # the parent, which reads the forms above, must do without it in a slim install

        self._sphinx = pocketsphinx
        self._hmm = pocketsphinx.get_model_path("en-us/en-us")

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """Align one reading."""
        try:
            ask = msgspec.convert(message, Ask)
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to the aligner is not well-formed ({wrong}).") from None
        sound = prepared(ask.pcm)
        answer = Answer() if sound is None else self._aligned(warped(sound, 1.0), ask)
        plain: dict[str, object] = msgspec.to_builtins(answer)
        return plain

    def _aligned(self, pcm: bytes, ask: Ask) -> Answer:
        with dictionary_file(ask.dictionary) as file:
            decoder = self._sphinx.Decoder(
                hmm=self._hmm, dict=file, lm=None, samprate=16000, loglevel="FATAL", bestpath=False,
                beam=1e-80, pbeam=1e-80, wbeam=1e-60, topn=ask.settings.gaussians, lw=ask.settings.language_weight,
                pip=ask.settings.phone_insertion,
            )  # fmt: skip
        arcs = [(place, place + 1, 1.0, word) for place, word in enumerate(ask.words)]
        decoder.add_fsg("reading", decoder.create_fsg("reading", 0, len(ask.words), arcs))
        decoder.activate_search("reading")
        _decode(decoder, pcm)
        if decoder.hyp() is None:
            return Answer()
        parts = [part for part in decoder.seg() if not part.word.startswith(("<", "[", "+", "("))]
        if [part.word.partition("(")[0] for part in parts] != ask.words:
            return Answer()
        free = self._phones(pcm)
        found: list[Placed] = []
        for part in parts:
            word, _, number = part.word.partition("(")
            phones = [name for name, middle in free if part.start_frame <= middle <= part.end_frame]
            found.append(Placed(word, int(number.rstrip(")") or 1) - 1, " ".join(phones)))
        return Answer(found)

    def _phones(self, pcm: bytes) -> list[tuple[str, float]]:
        """Return what a loop of phones hears, each with the frame in its middle."""
        decoder = self._sphinx.Decoder(
            hmm=self._hmm, dict=None, lm=None, samprate=16000, loglevel="FATAL", beam=1e-30, pbeam=1e-30, topn=8,
            allphone_ci=True,
        )  # fmt: skip
        decoder.add_allphone_file("free speech", None)
        decoder.activate_search("free speech")
        _decode(decoder, pcm)
        parts: list[Any] = list(decoder.seg())
        return [(part.word, (part.start_frame + part.end_frame) / 2) for part in parts if part.word.isalpha()]


def _decode(decoder: Any, pcm: bytes) -> None:
    decoder.start_stream()
    decoder.start_utt()
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()


if __name__ == "__main__":
    serve_child(Aligner().answer, hello={"engine": "aligner"})
