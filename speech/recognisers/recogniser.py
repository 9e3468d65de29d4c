"""The Protocol of every recogniser: sound and a vocabulary in, a few ranked chains out.

A chain is of word ids. A vocabulary is a word graph of everything well-formed (`speech.words.grammar`). Nothing here
knows a position, so nothing that is heard can depend on one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from speech.words.grammar import Grammar
from speech.words.voice_profile import Adaptation, Correction

SAMPLE_RATE = 16_000
"""Hz; all sound that is heard is mono s16le at this rate."""

PART = "A recogniser of the server"
"""Name for people of the process of an engine."""

PIECE_BYTES = SAMPLE_RATE // 2
"""At most a quarter of a second of sound goes to an engine in one message: an engine that has to catch up answers in
between, and can be taken away."""

LONG_BYTES = 4 * SAMPLE_RATE * 2
"""Length of four seconds, in bytes; a longer sound gives way to others in its middle, and begins anew."""

MOST_WAYS = 2
"""Times that it gives way: two that are long do not take the engine from each other for ever."""

LONGEST_UTTERANCE_S = 30
"""Seconds of one utterance that are listened to; the rest is not."""

LONGEST_UTTERANCE_BYTES = LONGEST_UTTERANCE_S * SAMPLE_RATE * 2


class Vocabulary(msgspec.Struct, frozen=True):
    """Everything that may be said, as a word graph.

    It has the graph, and for each word id its language (tag) and the forms a speaker may use. Of one known speaker:
    `own`: our own model fitted to that speaker; `ears`: what is put right in what an ear heard.
    """

    name: str
    grammar: Grammar
    languages: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    own: Adaptation | None = None
    ears: Mapping[str, Correction] = msgspec.field(default_factory=dict)
    scheme: str = ""
    language: str = ""


class WordHeard(msgspec.Struct, frozen=True):
    """Word id and how well its stretch of sound fits it.

    The fit is 0 (not at all) to 1 (as well as any speech could).
    """

    id: str
    confidence: float


class Hypothesis(msgspec.Struct, frozen=True):
    """Chain of words and the engine's score for it.

    The score is in log units of that engine; larger is better.
    """

    words: tuple[WordHeard, ...]
    score: float

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the word ids alone."""
        return tuple(word.id for word in self.words)


class Hypotheses(msgspec.Struct, frozen=True):
    """Hypotheses of a recogniser on one utterance, best first.

    There are none where it heard no words of the vocabulary. `evidence` holds named figures of this engine, from which
    `speech.hearing.confidence` computes the probability of being right. `elsewhere`: the machine that heard this, ""
    for this one.
    """

    engine: str
    ranked: tuple[Hypothesis, ...] = ()
    evidence: Mapping[str, float] = msgspec.field(default_factory=dict)
    elsewhere: str = ""


def correct_for_voice(found: Hypotheses, ears: Mapping[str, Correction]) -> Hypotheses:
    """Return what an ear heard of a voice that it knows: its chains by the scores that are put right for that voice.

    The figures that tell how sure it is go on about the best chain; where another one leads now, they are those of the
    former best, less what lies between the two.
    """
    known = ears.get(found.engine)
    if known is None or not found.ranked:
        return found
    scored = [
        msgspec.structs.replace(one, score=one.score + sum(known.words.get(word, 0.0) for word in one.ids))
        for one in found.ranked
    ]
    order = sorted(range(len(scored)), key=lambda place: -scored[place].score)
    ranked = [scored[place] for place in order]
    evidence = {**found.evidence, **({"bias": known.trust} if known.trust else {})}
    if order[0] != 0:
        before, best = found.ranked[0], found.ranked[order[0]]
        behind = before.score - best.score
        evidence |= {"words": float(len(best.words)), "agreeing": 0.0}
        evidence["garbage"] = evidence.get("garbage", 0.0) - behind
        evidence["fit"] = evidence.get("fit", 0.0) - behind / len(best.words)
        if not any(word.confidence for word in best.words):  # this ear says of its best alone how its words fit
            least = min(word.confidence for word in before.words)
            words = tuple(WordHeard(word.id, least) for word in best.words)
            ranked[0] = msgspec.structs.replace(ranked[0], words=words)
        evidence["least"] = min(word.confidence for word in ranked[0].words)
    return msgspec.structs.replace(found, ranked=tuple(ranked), evidence=evidence)


class Utterance(Protocol):
    """Utterance that is fed while it is being spoken, and then gives the words heard."""

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""

    async def finish(self) -> Hypotheses:
        """Return the hypotheses, after the last sample. Raises `ChildFailed` where the engine died, twice."""

    async def abandon(self) -> None:
        """Drop the utterance, because nobody waits for its result any more."""


class Recogniser(Protocol):
    """Engine that works in a child process, so that its crash ends no game."""

    @property
    def name(self) -> str:
        """Return the name of this engine, such as own or whisper."""

    async def start(self) -> None:
        """Load the model.

        Raises `Complaint` where it is missing or broken, `ChildFailed` where its process dies.
        """

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance; it keeps its own samples, so that a crash of the engine loses none."""

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return the hypotheses on these samples, mono s16le at 16 kHz."""

    async def close(self) -> None:
        """End the child."""
