"""Whisper as a `Recogniser`, the ear that learnt from people.

It hears an utterance when its last sample is in. It is a function of the sound and the vocabulary alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import msgspec

from speech.complaint import Complaint, Phrase, told_by
from speech.models.whisper import checked_whisper_model
from speech.process import Child, ChildFailed
from speech.recognisers.live import KeptUtterance
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    PART,
    Hypotheses,
    Hypothesis,
    Utterance,
    Vocabulary,
    WordHeard,
    correct_for_voice,
)
from speech.recognisers.whisper.settings import WhisperSettings, load_whisper
from speech.recognisers.whisper.spellings import ways_of

NAME = "whisper"
_MODULE = "speech.recognisers.whisper.child"
_MEMORY_BYTES = 4 * 1024 * 1024 * 1024
_DEADLINE_S = 60.0
_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
_WIDEST = 60.0


class _Reply(msgspec.Struct, frozen=True):
    ranked: list[tuple[list[str], float]]
    frames: int
    score: float
    plain: float
    free: float
    written: int
    shares: list[float]


class WhisperRecogniser:
    """One process with one model; its `name` is "whisper"."""

    def __init__(self, folder: Path, settings: WhisperSettings | None = None) -> None:
        """`folder`: a Whisper model in CTranslate2's form, of any size that knows many languages.

        Raises `Complaint` where the settings are wrong.
        """
        self.folder = folder
        self.settings = settings or load_whisper()
        self._child = Child(
            _MODULE,
            arguments=(str(folder),),
            deadline_s=_DEADLINE_S,
            memory_bytes=_MEMORY_BYTES,
            environment=_ONE_THREAD,
            part=PART,
        )
        self._words: dict[str, dict[str, object]] = {}

    @property
    def name(self) -> str:
        """Return the name of this engine."""
        return NAME

    @property
    def hears_whole(self) -> bool:
        """Say that nothing of an utterance is heard before its last sample is in."""
        return True

    @property
    def pid(self) -> int | None:
        """Return the process id of the child while it lives."""
        return self._child.pid

    async def start(self) -> None:
        """Check every file against its hash, load the model and try it.

        Raises `Complaint`, one sentence, also where the model kills its process.
        """
        await asyncio.to_thread(checked_whisper_model, self.folder)
        try:
            await self._child.start()
        except ChildFailed as died:
            raise Complaint(Phrase("whisper.unusable", place=self.folder, why=told_by(died))) from None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; it is heard when its last sample is in."""
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return the hypotheses on these samples (mono s16le 16 kHz; beyond 30 s nothing is listened to).

        Raises `ChildFailed` where the engine died twice, `Complaint` where it can write none of the words.
        """
        words = self._words.get(vocabulary.name)
        if words is None:
            words = self._words[vocabulary.name] = await asyncio.to_thread(self.request_for, vocabulary)
        message = {
            "pcm": pcm[:LONGEST_UTTERANCE_BYTES],
            "words": words,
            "windows_s": list(self.settings.windows_s),
            "pause_s": self.settings.pause_s,
        }
        return correct_for_voice(
            _hypotheses_in(msgspec.convert(await self._child.request(message), _Reply)), vocabulary.ears
        )

    def missing(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Return the word ids of a vocabulary that the model cannot write."""
        ways = ways_of(vocabulary.forms, vocabulary.languages, self.settings.letter_names)
        return tuple(sorted(word for word in vocabulary.grammar.words() if not ways.get(word)))

    async def close(self) -> None:
        """End the child."""
        await self._child.close()

    def request_for(self, vocabulary: Vocabulary) -> dict[str, object]:
        """Return a vocabulary as the child gets it. Raises `Complaint` where it can write none of the words."""
        grammar = vocabulary.grammar
        ways = ways_of(vocabulary.forms, vocabulary.languages, self.settings.letter_names)
        if not any(ways.values()):
            raise Complaint(Phrase("whisper.no_words_of", scheme=vocabulary.name))
        return {
            "graph": {
                "states": grammar.states,
                "start": grammar.start,
                "finals": sorted(grammar.finals),
                "arcs": [(arc.source, arc.word, arc.target) for arc in grammar.arcs],
            },
            "ways": ways,
            "languages": prompt_languages(vocabulary),
            "beam": msgspec.to_builtins(self.settings.beam),
        }


def prompt_languages(vocabulary: Vocabulary) -> list[str]:
    """Return the languages in which announcements and commands are said: one, or two where they differ.

    Each is that of most of their words.
    """
    commands = [word for word in vocabulary.languages if word.startswith("cmd.")]
    moves = [word for word in vocabulary.languages if not word.startswith(("cmd.", "nato."))]
    most = [
        Counter(vocabulary.languages[word] for word in some).most_common(1)[0][0] for some in (moves, commands) if some
    ]
    return list(dict.fromkeys(most))


def _hypotheses_in(reply: _Reply) -> Hypotheses:
    """Return the answer of the child with the figures that tell how sure it is.

    `garbage`: by how much the best free text is less likely than the best words of ours (log units, mostly below 0);
    `free`: how likely each token of that text is (log); `fit`: the score for each word; `least`, `mean`: of the words'
    own shares among all words that are known.
    """
    evidence = {"words": 0.0, "frames": float(reply.frames)}
    if not reply.ranked:
        return Hypotheses(NAME, evidence=evidence)
    words, shares = reply.ranked[0][0], reply.shares
    evidence |= {
        "words": float(len(words)),
        "fit": max(-_WIDEST, reply.score / len(words)),
        "free": max(-_WIDEST, reply.free / max(1, reply.written)),
        "garbage": max(-_WIDEST, min(_WIDEST, reply.plain - reply.free)),
        "least": min(shares),
        "mean": sum(shares) / len(shares),
    }
    best = tuple(WordHeard(word, share) for word, share in zip(words, shares, strict=True))
    others = [Hypothesis(tuple(WordHeard(word, 0.0) for word in chain), score) for chain, score in reply.ranked[1:]]
    return Hypotheses(NAME, (Hypothesis(best, reply.ranked[0][1]), *others), evidence)
