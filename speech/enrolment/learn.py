"""This module makes a reader's profile from readings of known words.

The profile says how the reader says the words, and how much to trust what is heard of them then. The ways of a word
are those that were configured and fitted one of the readings best, and what a loop of phones heard where the reader
said it, if that fits the readings better still. How far to trust the profile is counted on readings that it had not
learnt from: each half of them is heard with what the other half taught. Where PyTorch is installed, our own model is
fitted to the voice as well.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

from speech.announcements.understand import understand
from speech.complaint import Complaint, Phrase
from speech.enrolment.align_child import Answer
from speech.hearing.confidence import certainty, meaning
from speech.hearing.settings import load_hearing
from speech.process import Child, ChildFailed
from speech.recognisers.own.model import shipped_model
from speech.recognisers.sphinx.phones import PHONES, dictionary_of, load_pronunciations
from speech.recognisers.sphinx.recogniser import PocketsphinxRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.speakers.features import sketched
from speech.speakers.likeness import print_of
from speech.words.scheme import Scheme
from speech.words.voice_profile import Adaptation, VoiceProfile

LEAST_READINGS = 10
MOST_HEARD = 2
"""How many ways of one word are kept that only the loop of phones heard."""
_FEWEST_PHONES, _MOST_PHONES = 2, 24
_LONGEST_FIT_S = 600.0
_TRUST_SPREAD = 0.7
"""How far the trust may move (standard deviation of the logit) before anything is known."""


class Reading(msgspec.Struct, frozen=True):
    """A `Reading` is one recording (mono s16le 16 kHz) of a prompt (word ids)."""

    words: tuple[str, ...]
    pcm: bytes


async def learnt(name: str, scheme: Scheme, readings: Sequence[Reading]) -> VoiceProfile:
    """Return the profile of a reader.

    Raises Complaint where there are too few readings, ChildFailed as the engines do.
    """
    if len(readings) < LEAST_READINGS:
        raise Complaint(Phrase("enrol.few", number=len(readings), least=LEAST_READINGS))
    plain = msgspec.structs.replace(scheme, voice=None)
    aligner = Child("speech.enrolment.align_child", deadline_s=20.0, memory_bytes=1024 * 1024 * 1024)
    try:
        halves = [await _ways(plain, readings[place::2], aligner) for place in (0, 1)]
        ways = await _ways(plain, readings, aligner)
    finally:
        await aligner.close()
    if not ways:
        raise Complaint(Phrase("enrol.no_words"))
    blank = VoiceProfile(name, scheme.language, scheme.name, ways, readings=len(readings))
    outcomes: list[tuple[float, bool]] = []
    confusions: dict[str, Counter[str]] = defaultdict(Counter)
    for place in (0, 1):
        other = msgspec.structs.replace(blank, ways=halves[1 - place])
        outcomes += await _outcomes(msgspec.structs.replace(plain, voice=other), readings[place::2], confusions)
    return msgspec.structs.replace(
        blank,
        bias=round(bias_of(outcomes), 3),
        confusions={word: dict(heard) for word, heard in sorted(confusions.items())},
        own=await adaptation(plain, readings),
        voice=print_of([one for reading in readings if (one := sketched(reading.pcm)) is not None]),
    )


def can_adapt() -> bool:
    """Return whether the libraries are installed that fit our own model to a voice.

    speech/training/requirements.txt names them.
    """
    return shipped_model() is not None and all(find_spec(name) for name in ("torch", "kaldi_native_fbank"))


async def adaptation(scheme: Scheme, readings: Sequence[Reading], folder: Path | None = None) -> Adaptation | None:
    """Return our own model (or another like it in `folder`) fitted to a reader, or None.

    It is None where that cannot be done, or where readings that it had not learnt from are not heard better with it.
    Its failure never makes the rest fail.
    """
    model = folder or shipped_model()
    if model is None or not can_adapt():
        return None
    child = Child("speech.enrolment.adapt_child", deadline_s=_LONGEST_FIT_S, memory_bytes=4 * 1024 * 1024 * 1024)
    asked = [
        (list(reading.words), [scheme.voice_language(word) for word in reading.words], reading.pcm)
        for reading in readings
    ]
    try:
        answer = await child.request({"folder": str(model), "readings": asked}, again=False)
    except (ChildFailed, Complaint):
        return None
    finally:
        await child.close()
    found = answer.get("adaptation")
    return None if found is None else msgspec.convert(found, Adaptation)


def bias_of(outcomes: Sequence[tuple[float, bool]]) -> float:
    """Return the shift of the logit that makes these outcomes likeliest.

    An outcome is P(right) as it was thought, and whether it was right. The shift is never far from 0 on few outcomes,
    and never above it by more than a little: too much trust costs a game.
    """
    steps = [step / 20 for step in range(-40, 11)]

    def cost(shift: float) -> float:
        total = shift * shift / (2 * _TRUST_SPREAD**2)
        for thought, right in outcomes:
            share = min(max(thought, 1e-6), 1 - 1e-6)
            logit = math.log(share / (1 - share)) + shift
            total += math.log1p(math.exp(-logit if right else logit))
        return total

    return min(steps, key=cost)


async def _ways(scheme: Scheme, readings: Sequence[Reading], aligner: Child) -> dict[str, tuple[str, ...]]:
    """Return, by word id, the ways that fitted these readings, the most frequent first."""
    pronunciations = load_pronunciations()
    vocabulary = vocabulary_of(scheme)
    english = PocketsphinxRecogniser.english(vocabulary)
    configured = dictionary_of(vocabulary, pronunciations, english)
    settings = msgspec.to_builtins(pronunciations.decoder)

    async def aligned(dictionary: Mapping[str, Sequence[str]]) -> list[Answer]:
        found: list[Answer] = []
        for reading in readings:
            if not all(word in dictionary for word in reading.words):
                continue
            known = {word: list(dictionary[word]) for word in reading.words}
            message: dict[str, object] = {
                "pcm": reading.pcm,
                "words": list(reading.words),
                "dictionary": known,
                "settings": settings,
            }
            found.append(msgspec.convert(await aligner.request(message), Answer))
        return found

    heard: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in await aligned(configured):
        for placed in answer.words:
            phones = placed.phones.split()
            if _FEWEST_PHONES <= len(phones) <= _MOST_PHONES and PHONES.issuperset(phones):
                heard[placed.word][placed.phones] += 1
    wider = {word: tuple(dict.fromkeys((*ways, *heard[word]))) for word, ways in configured.items()}
    chosen: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in await aligned(wider):
        for placed in answer.words:
            chosen[placed.word][wider[placed.word][placed.way]] += 1
    found: dict[str, tuple[str, ...]] = {}
    for word, counts in chosen.items():
        best = [way for way, _ in counts.most_common()]
        own = [way for way in best if way not in configured[word]][:MOST_HEARD]
        kept = [way for way in best if way in configured[word]]
        # The nearest configured way stays: a word is not always said as it was read.
        found[word] = tuple(dict.fromkeys((*kept, *own, configured[word][0])))
    return found


async def _outcomes(
    scheme: Scheme, readings: Sequence[Reading], confusions: dict[str, Counter[str]]
) -> list[tuple[float, bool]]:
    """Return P(right) as thought, and whether it was right, of each reading in which something was heard."""
    curve = load_hearing().right["sphinx"]
    vocabulary = vocabulary_of(scheme)
    recogniser = PocketsphinxRecogniser()
    found: list[tuple[float, bool]] = []
    try:
        for reading in readings:
            hypotheses = await recogniser.recognise(reading.pcm, vocabulary)
            ids = hypotheses.ranked[0].ids if hypotheses.ranked else ()
            understood = understand(ids)
            right = meaning(understood) == meaning(understand(reading.words))
            if understood.kind != "none":
                found.append((certainty(hypotheses, understood, curve), right))
            if not right and len(ids) == len(reading.words):
                for said, other in zip(reading.words, ids, strict=True):
                    if said != other:
                        confusions[said][other] += 1
    finally:
        await recogniser.close()
    return found
