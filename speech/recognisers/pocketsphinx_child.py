"""pocketsphinx in a process of its own: `python -m speech.recognisers.pocketsphinx_child`.

Each request carries all that its answer depends on (sound, dictionary, word graph, settings), so that it can be sent
again to a fresh child. Three passes over the sound: the word graph by beam search, the best chains out of its lattice, and
a loop of phones without context, which says how well *any* speech would explain each stretch (what free speech and noise
are told apart by).
"""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
import pocketsphinx

from speech.children import serve_child
from speech.complaint import Complaint
from speech.recognisers.pocketsphinx_wire import Answer, Ask
from speech.recognisers.preparing import prepared

KEPT_DICTIONARIES = 3
"""Decoders are kept for so many dictionaries; each takes about 30 MB."""

# pocketsphinx scales acoustic scores down by this before it adds them up over words (SENSCR_SHIFT).
_SCALE = 1024.0
_DEEPEST = 60
_ALTERNATIVES = 4


class Engine:
    """The decoders of this process."""

    def __init__(self) -> None:
        self._hmm = pocketsphinx.get_model_path("en-us/en-us")
        self._decoders: OrderedDict[str, Any] = OrderedDict()
        # Dictionary -> the word graph in use; asking a decoder without any graph kills the process.
        self._active: dict[str, str] = {}
        self._loop: Any = None

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """Recognise one utterance."""
        try:
            ask = msgspec.convert(message, Ask)
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to pocketsphinx is not well-formed ({wrong}).") from None
        sound = prepared(ask.pcm)
        answer = Answer() if sound is None else self._heard(sound, ask)
        plain: dict[str, object] = msgspec.to_builtins(answer)
        return plain

    def _heard(self, sound: bytes, ask: Ask) -> Answer:
        decoder = self._decoder(ask)
        _decode(decoder, sound)
        best = decoder.hyp()
        if best is None or best.score <= 0.0:
            return Answer()
        segments = [part for part in decoder.seg() if _is_word(part.word)]
        if not segments:
            return Answer()
        chains: dict[tuple[str, ...], float] = {}
        for place, candidate in enumerate(decoder.nbest()):
            if place >= _DEEPEST:
                break
            if candidate is not None and candidate.score > 0.0:
                words = tuple(_bare(part) for part in candidate.hypstr.split() if _is_word(part))
                chains.setdefault(words, math.log(candidate.score))
        words = tuple(_bare(part.word) for part in segments)
        free = self._free_speech(sound)
        fits = [_fit(part, free) for part in segments]
        frames = sum(part.end_frame - part.start_frame + 1 for part in segments)
        top = math.log(best.score)
        chains.pop(words, None)
        others = sorted(chains.items(), key=lambda entry: -entry[1])[:_ALTERNATIVES]
        ranked = [([(word, _share(fit)) for word, fit in zip(words, fits, strict=True)], top)]
        ranked += [([(word, 0.0) for word in chain], score) for chain, score in others]
        lengths = [part.end_frame - part.start_frame + 1 for part in segments]
        weighed = sum(fit * length for fit, length in zip(fits, lengths, strict=True)) / frames
        evidence = {
            "words": float(len(words)),
            "frames": float(frames),
            "fit": weighed,
            "worst": min(fits),
            "shortest": float(min(lengths)),
            "lead": (top - others[0][1]) * _SCALE if others else math.inf,
            "score": sum(math.log(part.ascore) for part in segments if part.ascore > 0.0) / frames,
        }
        return Answer(ranked, evidence)

    def _decoder(self, ask: Ask) -> Any:
        """A decoder with the dictionary and the word graph of a request, kept for the next one."""
        key = _digest((ask.dictionary, ask.settings))
        decoder = self._decoders.get(key)
        if decoder is None:
            while len(self._decoders) >= KEPT_DICTIONARIES:
                self._active.pop(self._decoders.popitem(last=False)[0], None)
            decoder = self._decoders[key] = self._new_decoder(ask)
        self._decoders.move_to_end(key)
        name = _digest((ask.arcs, ask.finals, ask.start))
        if self._active.get(key) != name:
            graph = [(source, target, weight, word) for source, target, weight, word in ask.arcs]
            end = ask.states
            closing = [(final, end, 1.0) for final in ask.finals]
            decoder.add_fsg(name, decoder.create_fsg(name, ask.start, end, [*graph, *closing]))
            decoder.activate_search(name)
            self._active[key] = name
        return decoder

    def _new_decoder(self, ask: Ask) -> Any:
        settings = ask.settings
        with tempfile.NamedTemporaryFile("w", suffix=".dict", encoding="ascii") as file:
            for word, ways in sorted(ask.dictionary.items()):
                for place, way in enumerate(ways):
                    file.write(f"{word}({place + 1}) {way}\n" if place else f"{word} {way}\n")
            file.flush()
            return pocketsphinx.Decoder(
                hmm=self._hmm,
                dict=file.name,
                lm=None,
                samprate=16000,
                loglevel="FATAL",
                beam=settings.beam,
                pbeam=settings.phone_beam,
                wbeam=settings.word_beam,
                maxhmmpf=-1,
                topn=settings.gaussians,
                lw=settings.language_weight,
                pip=settings.phone_insertion,
                bestpath=True,
            )

    def _free_speech(self, sound: bytes) -> list[float]:
        """For each frame the score of the phone that free speech would have there (log units)."""
        if self._loop is None:
            self._loop = pocketsphinx.Decoder(
                hmm=self._hmm,
                dict=None,
                lm=None,
                samprate=16000,
                loglevel="FATAL",
                beam=1e-30,
                pbeam=1e-30,
                topn=8,
                allphone_ci=True,
            )
            self._loop.add_allphone_file("free speech", None)
            self._loop.activate_search("free speech")
        _decode(self._loop, sound)
        scores: list[float] = []
        for part in self._loop.seg():
            length = part.end_frame - part.start_frame + 1
            each = math.log(max(part.ascore, 1e-300)) * _SCALE / length
            scores += [0.0] * (part.start_frame - len(scores)) + [each] * length
        return scores


def _decode(decoder: Any, sound: bytes) -> None:
    # A stream of its own for each utterance: nothing that was heard before may colour this one.
    decoder.start_stream()
    decoder.start_utt()
    decoder.process_raw(sound, full_utt=True)
    decoder.end_utt()


def _fit(part: Any, free: Sequence[float]) -> float:
    """How much worse than free speech a word explains its stretch of sound, log units a frame (0 is best)."""
    length = part.end_frame - part.start_frame + 1
    own = math.log(max(part.ascore, 1e-300)) / length
    stretch = free[part.start_frame : part.end_frame + 1]
    return own - sum(stretch) / max(1, len(stretch))


def _share(fit: float) -> float:
    """The fit as a number of 0 to 1, for people."""
    return round(min(1.0, math.exp(min(0.0, fit + 0.5))), 4)


def _is_word(word: str) -> bool:
    return not word.startswith(("<", "[", "+", "("))


def _bare(word: str) -> str:
    return word.partition("(")[0]


def _digest(value: object) -> str:
    return hashlib.blake2b(msgspec.msgpack.encode(value), digest_size=12).hexdigest()


if __name__ == "__main__":
    serve_child(Engine().answer, hello={"engine": f"pocketsphinx {getattr(pocketsphinx, '__version__', '')}".strip()})
