"""The engines as they are, except that each hears each sound once: the answers are kept across runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path

import msgspec

from speech.models.whisper import digests_of_model, whisper_folder
from speech.process import ChildFailed
from speech.recognisers.live import KeptUtterance
from speech.recognisers.own.inventory import read_outputs
from speech.recognisers.own.model import OUTPUTS, load_own_settings, shipped_model, strict_model
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.pool import RecogniserPool
from speech.recognisers.recogniser import Hypotheses, Recogniser, Utterance, Vocabulary
from speech.recognisers.whisper.recogniser import WhisperRecogniser
from speech.recognisers.whisper.settings import load_whisper
from tests.bench.listening.keeping import Kept, digest, digest_of_code

_PATIENCE_S = 300.0
PLACE = Path(__file__).resolve().parents[3] / "speech" / "recognisers"
# What decides over an engine's answer, besides its data. The parents only carry.
_SOUND_CODE = ("levelling.py", "live_speech.py", "preparing.py", "warp.py")
_OWN_CODE = (
    "own/recogniser.py",
    "own/child.py",
    "own/live_hearings.py",
    "own/kaldi/folder.py",
    *_SOUND_CODE,
)


class Remembering:
    """An engine that is asked only about what it was never asked before."""

    def __init__(
        self, engine: Recogniser, kept: Kept, model: bytes, vocabulary_digest: Callable[[Vocabulary], Awaitable[bytes]]
    ) -> None:
        """`model`: what the engine is; `vocabulary_digest`: what it makes of a vocabulary."""
        self.engine = engine
        self.name = engine.name
        self.start, self.close = engine.start, engine.close
        self._kept = kept
        self._model = model
        self._digest_of = vocabulary_digest
        self._vocabularies: dict[str, bytes] = {}
        self._now: dict[bytes, asyncio.Task[Hypotheses]] = {}

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """An utterance that is heard as a whole; the same samples give the same answer however they come."""
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """What was heard then, or is now."""
        key = await self.key(pcm, vocabulary)
        found = self._kept.find(key)
        if found is not None:
            return found
        if key not in self._now:
            self._now[key] = asyncio.create_task(self._asked(pcm, vocabulary))
        answer = await self._now[key]
        if self._now.pop(key, None) is not None:
            self._kept.keep(key, answer)
        return answer

    async def key(self, pcm: bytes, vocabulary: Vocabulary) -> bytes:
        """A digest of all that the answer depends on."""
        if vocabulary.name not in self._vocabularies:
            self._vocabularies[vocabulary.name] = await self._digest_of(vocabulary)
        return digest(self._model, self._vocabularies[vocabulary.name], pcm)

    async def _asked(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """On a machine with much else to do an engine may miss its deadline: it is asked again."""
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return await self.engine.recognise(pcm, vocabulary)
            except ChildFailed:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(1.0)


def remembering_whisper(kept: Kept, size: int, folder: Path | None = None) -> Remembering:
    """The ear that learnt from people, so many at once, by the model that is in force or another."""
    place = folder or whisper_folder()
    assert place is not None, "no model of Whisper is here: anna-eins models get whisper-base"
    settings = load_whisper()
    code = digest_of_code([*sorted((PLACE / "whisper").glob("*.py")), PLACE / "preparing.py"])
    asker = WhisperRecogniser(place, settings)
    model = digest("whisper", version("ctranslate2"), sorted(digests_of_model(place).items()), code)

    async def digest_of(vocabulary: Vocabulary) -> bytes:
        asked = asker.request_for(vocabulary)
        return digest(msgspec.json.encode(asked, order="deterministic"), msgspec.to_builtins(settings))

    return Remembering(RecogniserPool(lambda: WhisperRecogniser(place, settings), size), kept, model, digest_of)


def remembering_own(kept: Kept, size: int, folder: Path | None = None) -> Remembering:
    """Our own model, the one that is shipped or another, so many at once."""
    place = folder or shipped_model()
    assert place is not None
    settings = load_own_settings()
    outputs = read_outputs(place / OUTPUTS)
    files = [(file.name, digest(file.read_bytes())) for file in sorted(place.iterdir()) if file.suffix != ".md"]
    code = digest_of_code(PLACE / name for name in _OWN_CODE)
    model = digest("own", version("vosk"), files, code, msgspec.to_builtins(settings))

    async def digest_of(vocabulary: Vocabulary) -> bytes:
        made = await asyncio.to_thread(strict_model, vocabulary, outputs, settings)
        return digest(made.lexicon, made.grammar, made.words)

    return Remembering(RecogniserPool(lambda: OwnRecogniser(place), size), kept, model, digest_of)
