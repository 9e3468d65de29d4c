"""The process of our own model: `python -m speech.recognisers.own.child FOLDER`.

A request is a whole utterance with all that its answer depends on, so that it can be sent again to a fresh child; or
the sound comes while it is spoken, in `begin`, `feed` and `finish`. Words and grammar are part of a Vosk model, so each
vocabulary is a model of its own here: the same network with other graphs, loaded in some ten milliseconds and kept.
All utterances that are being spoken at the same time are served by this one process, with one decoder a speed for each.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import vosk

from speech.complaint import Complaint, Phrase
from speech.process import serve_child
from speech.recognisers.live_wire import Serving
from speech.recognisers.own.adaptation import adapt_network
from speech.recognisers.own.kaldi.folder import Search, write_folder
from speech.recognisers.own.kaldi.fst import Fst, by_input, fst_bytes
from speech.recognisers.own.kaldi.lexicon_graph import lexicon_graph
from speech.recognisers.own.live_hearings import LiveHearings
from speech.recognisers.own.model import NETWORK
from speech.recognisers.recogniser import SAMPLE_RATE
from speech.words.voice_profile import Adaptation

_MOST_VOCABULARIES = 8


class Graphs(msgspec.Struct, frozen=True):
    """Graphs of one vocabulary, for the network.

    They are HCLr.fst and Gr.fst, the words in order, how to search, the phone of silence, and the network fitted to a
    voice.
    """

    lexicon: bytes
    grammar: bytes
    words: list[str]
    search: Search
    silence: int
    adaptation: Adaptation | None = None


class OwnTask(msgspec.Struct, frozen=True):
    """One utterance with all that it is heard with.

    It has the sound (mono s16le 16 kHz; none yet in a `begin`), the graphs, the speeds, and how many chains to name.
    """

    pcm: bytes
    graphs: Graphs
    speeds: list[float]
    alternatives: int


class LiveDecoding:
    """One utterance on its way into the decoders."""

    def __init__(self, hearings: LiveHearings) -> None:
        self._hearings = hearings
        self._decoders: list[Any] | None = None
        self._chains: list[list[tuple[list[str], float]]] = []
        self.drop = hearings.drop

    def feed(self, pcm: bytes) -> dict[str, object] | None:
        """Take some more samples; now and then return `so_far`, what each decoder has heard."""
        self._hearings.feed(pcm)
        heard = self._hearings.so_far()
        return None if heard is None else {"so_far": heard}

    def finish(self) -> dict[str, object]:
        """Return what was heard: at each speed chains of the model's words with their scores, best first.

        `frames`: the length of the speech in 10 ms. There are no hearings where nothing was said.
        """
        while self.goes_on():
            pass
        return {"hearings": self._chains, "frames": self._hearings.frames}

    def goes_on(self) -> bool:
        """Do some of what is left when all sound is in: what is due to the decoders, then the end of each of them."""
        if self._decoders is None:
            if self._hearings.goes_on():
                return True
            self._decoders = self._hearings.finish()
            if self._hearings.is_short:
                self._chains = [_chains(decoder) for decoder in self._decoders]
                self._decoders = []
        elif self._decoders:
            self._chains.append(_chains(self._decoders.pop(0)))
        return bool(self._decoders)


class OwnEngine:
    """The network with each of the vocabularies in use, the latest last."""

    def __init__(self, folder: Path) -> None:
        self._network = folder / NETWORK
        self._models: dict[bytes, Any] = {}

    def hello(self) -> dict[str, object]:
        """Load the network with a word of one phone, and try it.

        Raises `Complaint` where Vosk refuses it.
        """
        vosk.SetLogLevel(-1)
        lexicon = lexicon_graph({1: [(2,)]}, 1, 0, (), 0.0)
        anything = Fst()
        anything.state(1.0)
        anything.arc(0, 0, input=1, output=1)
        graphs = Graphs(lexicon, fst_bytes(anything.states, by_input), ["something"], Search(), 1)
        decoder = self._decoder(self._model(graphs), 1)
        decoder.AcceptWaveform(bytes(SAMPLE_RATE))
        _chains(decoder)
        self._models.clear()
        return {"engine": "own"}

    def begin(self, message: dict[str, object]) -> LiveDecoding:
        """Begin an utterance, with the sound that came with the request. Raises `Complaint`."""
        try:
            ask = msgspec.convert(message, OwnTask)
        except msgspec.ValidationError as wrong:
            raise Complaint(f"The request to our own model is not well-formed ({wrong}).") from None
        model = self._model(ask.graphs)
        spoken = LiveDecoding(LiveHearings(ask.speeds, lambda: self._decoder(model, ask.alternatives)))
        spoken.feed(ask.pcm)
        return spoken

    def _model(self, graphs: Graphs) -> Any:
        key = hashlib.sha256(msgspec.msgpack.encode(graphs)).digest()
        model = self._models.pop(key, None)
        if model is None:
            with tempfile.TemporaryDirectory(prefix="anna-eins-") as name:
                try:
                    write_folder(
                        Path(name),
                        acoustics=self._acoustics(graphs.adaptation),
                        lexicon=graphs.lexicon,
                        grammar=graphs.grammar,
                        words={word: number for number, word in enumerate(graphs.words, 1)},
                        search=graphs.search if graphs.adaptation is None else graphs.search.with_less_room(),
                        silence=graphs.silence,
                    )
                    model = vosk.Model(model_path=name)
                except Exception as wrong:  # Vosk raises bare Exceptions
                    raise Complaint(Phrase("hearing.own_unusable", why=wrong)) from None
        self._models[key] = model
        while len(self._models) > _MOST_VOCABULARIES:
            del self._models[next(iter(self._models))]
        return model

    def _acoustics(self, adaptation: Adaptation | None) -> bytes:
        shipped = self._network.read_bytes()
        return shipped if adaptation is None else adapt_network(shipped, adaptation)

    def _decoder(self, model: Any, alternatives: int) -> Any:
        recogniser = vosk.KaldiRecognizer(model, SAMPLE_RATE)
        recogniser.SetMaxAlternatives(alternatives)
        return recogniser


def _chains(recogniser: Any) -> list[tuple[list[str], float]]:
    """Return the chains of a decoder, best first."""
    found = json.loads(recogniser.FinalResult()).get("alternatives", [])
    return [(str(one["text"]).split(), float(one["confidence"])) for one in found]


if __name__ == "__main__":
    engine = OwnEngine(Path(sys.argv[1]))
    serve_child(Serving(engine.begin).answer, hello=engine.hello)
