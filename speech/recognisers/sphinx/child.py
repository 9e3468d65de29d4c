"""This module runs pocketsphinx in its own process: `python -m speech.recognisers.sphinx.child`.

A request carries all that its answer depends on (sound, dictionary, word graph, settings), so that it can be sent
again to a fresh child; or the sound comes while it is spoken, in `begin`, `feed` and `finish`, and is searched while
it comes. It is searched for chains of the word graph at three speeds, whose n-best lists are added up. Beside them a
loop of phones without context says how well *any* speech would explain each stretch: this tells free speech and noise
from announcements.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pocketsphinx

from speech.complaint import Complaint
from speech.process import serve_child
from speech.recognisers.live_wire import Serving
from speech.recognisers.sphinx.dictionary import dictionary_file
from speech.recognisers.sphinx.passes import LivePasses
from speech.recognisers.sphinx.wire import Answer, Ask

KEPT_DICTIONARIES = 2
"""Decoders (one a speed) are kept for so many dictionaries."""

# pocketsphinx scales acoustic scores down by this before it adds them up over words (SENSCR_SHIFT).
_SCALE = 1024.0
_DEEPEST = 60
_ALTERNATIVES = 8

WARPS = (1.0, 0.92, 1.08)
"""Each utterance is heard at these speeds, which stand for other lengths of the throat than those that the model learnt
from. What is heard at all of them is hardly ever wrong."""

_ABSENT = -60.0


class Spoken:
    """A `Spoken` is the one utterance being spoken; the decoders of the process are its own meanwhile."""

    def __init__(self, engine: Engine, ask: Ask) -> None:
        self._engine = engine
        self._ask = ask
        self._passes = engine.passes(ask)
        self.feed, self.drop, self.goes_on = self._passes.feed, self._passes.drop, self._passes.goes_on

    def finish(self) -> dict[str, object]:
        """Return what was heard."""
        answer = self._engine.heard(self._passes, self._ask) if self._passes.finish() else Answer()
        plain: dict[str, object] = msgspec.to_builtins(answer)
        return plain


class Engine:
    """The `Engine` holds the decoders of this process."""

    def __init__(self) -> None:
        self._hmm = pocketsphinx.get_model_path("en-us/en-us")
        self._decoders: OrderedDict[str, list[Any]] = OrderedDict()
        # Dictionary -> the word graph in use; asking a decoder without any graph kills the process.
        self._active: dict[str, str] = {}
        self._loop: Any = None
        self._means: Any = None

    def begin(self, message: dict[str, object]) -> Spoken:
        """Begin an utterance, with the sound that came with the request.

        An utterance that was not finished is over by then.
        """
        try:
            ask = msgspec.convert(message, Ask)
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to pocketsphinx is not well-formed ({wrong}).") from None
        spoken = Spoken(self, ask)
        spoken.feed(ask.pcm)
        return spoken

    def passes(self, ask: Ask) -> LivePasses:
        """Return what takes the sound of one utterance."""
        return LivePasses(WARPS, self._decoders_for(ask), self._free_loop(), self._means)

    def heard(self, live: LivePasses, ask: Ask) -> Answer:
        """Return what the decoders made of an utterance that is over and had speech in it."""
        decoders = self._decoders_for(ask)
        found = [(place, heard) for place, one in enumerate(decoders) if (heard := _pass(one)) is not None]
        passes = [heard for _place, heard in found]
        if not passes:
            return Answer()
        ranked = _agreed(passes, ask)
        words = ranked[0][0]
        # The pass that heard just this, the one at the sound's own speed before the others.
        place, own = next(((place, heard) for place, heard in found if heard.words == words), found[0])
        if place:  # the loop listened at the sound's own speed
            _decode(self._loop, bytes(live.warps[place].pcm))
        fits = _fits(own, self._free_speech())
        if place:
            # A decoder that was given a whole sound keeps buffers for it, longer than pocketsphinx 5.1.1 can stream
            # through: then it reads beyond them, hears another free speech by what was heard before, or dies.
            self._loop = None
        lengths = [end - start + 1 for start, end, _ in own.stretches]
        frames = sum(lengths)
        evidence = {
            "agreeing": sum(heard.words == words for heard in passes) / len(WARPS),
            "fit": sum(fit * length for fit, length in zip(fits, lengths, strict=True)) / frames,
            "worst": min(fits),
            "shortest": float(min(lengths)),
            "frames": float(frames),
            "words": float(len(words)),
            **({"bias": ask.bias} if ask.bias else {}),
        }
        shares = [_share(fit) for fit in fits] if own.words == words else [0.0] * len(words)
        first = (list(zip(words, shares, strict=True)), ranked[0][1])
        others = [([(word, 0.0) for word in chain], score) for chain, score in ranked[1 : 1 + _ALTERNATIVES]]
        return Answer([first, *others], evidence)

    def _decoders_for(self, ask: Ask) -> list[Any]:
        """Return a decoder for each speed, with the dictionary and the word graph of a request.

        They are kept for the next request.
        """
        key = _digest((ask.dictionary, ask.settings))
        decoders = self._decoders.get(key)
        if decoders is None:
            while len(self._decoders) >= KEPT_DICTIONARIES:
                self._active.pop(self._decoders.popitem(last=False)[0], None)
            decoders = self._decoders[key] = [self._new_decoder(ask) for _speed in WARPS]
        self._decoders.move_to_end(key)
        name = _digest((ask.arcs, ask.finals, ask.start))
        if self._active.get(key) != name:
            graph = [(source, target, weight, word) for source, target, weight, word in ask.arcs]
            end = ask.states
            closing = [(final, end, 1.0) for final in ask.finals]
            for decoder in decoders:
                decoder.add_fsg(name, decoder.create_fsg(name, ask.start, end, [*graph, *closing]))
                decoder.activate_search(name)
            self._active[key] = name
        return decoders

    def _new_decoder(self, ask: Ask) -> Any:
        settings = ask.settings
        with dictionary_file(ask.dictionary) as file:
            return pocketsphinx.Decoder(
                hmm=self._hmm,
                dict=file,
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

    def _free_loop(self) -> Any:
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
        if self._means is None:
            with dictionary_file({"a": ("AH",)}) as file:
                self._means = pocketsphinx.Decoder(
                    hmm=self._hmm, dict=file, lm=None, samprate=16000, loglevel="FATAL", beam=1e-10
                )
            self._means.add_fsg("a", self._means.create_fsg("a", 0, 1, [(0, 1, 1.0, "a")]))
            self._means.activate_search("a")
        return self._loop

    def _free_speech(self) -> list[float]:
        """Return for each frame the score of the phone that free speech would have there (log units)."""
        scores: list[float] = []
        for part in self._loop.seg():
            length = part.end_frame - part.start_frame + 1
            each = math.log(max(part.ascore, 1e-300)) * _SCALE / length
            scores += [0.0] * (part.start_frame - len(scores)) + [each] * length
        return scores


class _Pass(msgspec.Struct, frozen=True):
    """What one pass heard.

    It has its words, where each lies (first frame, last frame, log score), and other chains.
    """

    words: tuple[str, ...]
    stretches: list[tuple[int, int, float]]
    # Chain -> how much worse than the best of this pass, log units (0 for the best).
    chains: dict[tuple[str, ...], float]


def _pass(decoder: Any) -> _Pass | None:
    best = decoder.hyp()
    if best is None or best.score <= 0.0:
        return None
    parts = [part for part in decoder.seg() if _is_word(part.word)]
    if not parts:
        return None
    words = tuple(_bare(part.word) for part in parts)
    chains = {words: 0.0}
    top = math.log(best.score)
    for place, candidate in enumerate(decoder.nbest()):
        if place >= _DEEPEST:
            break
        if candidate is not None and candidate.score > 0.0:
            chain = tuple(_bare(part) for part in candidate.hypstr.split() if _is_word(part))
            chains.setdefault(chain, (math.log(candidate.score) - top) * _SCALE)
    stretches = [(part.start_frame, part.end_frame, math.log(max(part.ascore, 1e-300))) for part in parts]
    return _Pass(words, stretches, chains)


def _agreed(passes: Sequence[_Pass], ask: Ask) -> list[tuple[tuple[str, ...], float]]:
    """Return the chains of all passes with their mean scores, best first.

    A chain that a pass does not have costs as its worst. Where the search lost its way before the end of the graph,
    what it gives is a beginning: whole chains come first.
    """
    table = {(source, word): target for source, target, _weight, word in ask.arcs}
    finals = set(ask.finals)
    totals: dict[tuple[str, ...], float] = {}
    for chain in dict.fromkeys(chain for heard in passes for chain in heard.chains):
        scores = [heard.chains.get(chain, _ABSENT) for heard in passes]
        totals[chain] = sum(max(score, _ABSENT) for score in scores) / len(passes)
    return sorted(totals.items(), key=lambda entry: (not _whole(entry[0], table, ask.start, finals), -entry[1]))


def _whole(chain: Sequence[str], table: Mapping[tuple[int, str], int], start: int, finals: set[int]) -> bool:
    """Return whether a chain reaches an end of the graph."""
    state: int | None = start
    for word in chain:
        state = table.get((state, word)) if state is not None else None
    return state in finals


def _decode(decoder: Any, pcm: bytes) -> None:
    # A stream of its own for each utterance: nothing that was heard before may colour this one.
    decoder.start_stream()
    decoder.start_utt()
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()


def _fits(heard: _Pass, free: Sequence[float]) -> list[float]:
    """Return for each word how much worse than free speech it explains its sound.

    In log units a frame (0 is best).
    """
    fits: list[float] = []
    for start, end, score in heard.stretches:
        stretch = free[start : end + 1]
        fits.append(score / (end - start + 1) - sum(stretch) / max(1, len(stretch)))
    return fits


def _share(fit: float) -> float:
    """Return the fit as a number of 0 to 1, for people."""
    return round(min(1.0, math.exp(min(0.0, fit + 0.5))), 4)


def _is_word(word: str) -> bool:
    return not word.startswith(("<", "[", "+", "("))


def _bare(word: str) -> str:
    return word.partition("(")[0]


def _digest(value: object) -> str:
    return hashlib.blake2b(msgspec.msgpack.encode(value), digest_size=12).hexdigest()


if __name__ == "__main__":
    serve_child(
        Serving(Engine().begin).answer,
        hello={"engine": f"pocketsphinx {getattr(pocketsphinx, '__version__', '')}".strip()},
    )
