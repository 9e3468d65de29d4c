"""A reader's profile, made from readings of known words.

Every ear of this machine hears each reading with all that may be said. A reading counts where the first ear finds its
words in the sound: it names them hardly worse than what it likes best. Other words, talk and noise are left out. From
what counts it is learnt what is to be put right in the scores of each ear for this voice and how far the ear may be
trusted (`corrections`), which words are misheard, and what the voice sounds like. Where PyTorch is installed, our own
model is fitted to the voice as well.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

from speech.announcements.understand import understand
from speech.complaint import Complaint, Phrase
from speech.enrolment.corrections import HeardReading, correction_of
from speech.hearing.confidence import meaning
from speech.hearing.hearing import recognisers
from speech.hearing.settings import load_hearing
from speech.process import Child, ChildFailed
from speech.recognisers.own.model import shipped_model
from speech.recognisers.recogniser import Hypotheses, Recogniser, Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.speakers.features import sketch_of
from speech.speakers.likeness import print_of
from speech.words.scheme import Scheme
from speech.words.voice_profile import Adaptation, Correction, VoiceProfile

LEAST_READINGS = 10
NEAR = 4.0
"""A reading holds its words where an ear names them so little worse (log units) than what it likes best. By our own
model 146 of 148 readings by people in quiet count so; of 102 announcements in place of which another was said none, of
92 with one other word none, and of 46 Arabic answers in place of another one 8 (speech/training/notebook.md)."""
_LONGEST_FIT_S = 600.0


class Reading(msgspec.Struct, frozen=True):
    """One recording (mono s16le 16 kHz) of a prompt (word ids)."""

    words: tuple[str, ...]
    pcm: bytes


async def learnt(
    name: str, scheme: Scheme, readings: Sequence[Reading], ears: Sequence[Recogniser] | None = None
) -> VoiceProfile:
    """Return the profile of a reader.

    `ears`: what hears the readings (default: what would hear the reader's game), and is ended then. Raises Complaint
    where too few readings hold what was to be read, and where no ear works.
    """
    if len(readings) < LEAST_READINGS:
        raise Complaint(Phrase("enrol.few", number=len(readings), least=LEAST_READINGS))
    plain = msgspec.structs.replace(scheme, voice=None)
    vocabulary = vocabulary_of(plain)
    lists = await _heard_by_all(vocabulary, readings, recognisers() if ears is None else ears)
    first = next(iter(lists.values()))
    counting = [place for place, reading in enumerate(readings) if holds(first[place], reading)]
    if len(counting) < LEAST_READINGS:
        raise Complaint(Phrase("enrol.other_words", number=len(counting), of=len(readings), least=LEAST_READINGS))
    used = [readings[place] for place in counting]
    heard_by = {
        ear: [HeardReading(readings[place].words, heard[place]) for place in counting] for ear, heard in lists.items()
    }
    curves, words = load_hearing().right, vocabulary.grammar.words()
    put_right: dict[str, Correction] = {}
    for ear, heard in heard_by.items():
        correction = await asyncio.to_thread(correction_of, ear, heard, curves[ear], words)
        if correction is not None:
            put_right[ear] = correction
    return VoiceProfile(
        name,
        scheme.language,
        scheme.name,
        readings=len(used),
        ears=put_right,
        confusions=misheard(next(iter(heard_by.values()))),
        own=await adaptation(plain, used),
        voice=print_of([one for reading in used if (one := sketch_of(reading.pcm)) is not None]),
    )


def holds(found: Hypotheses, reading: Reading) -> bool:
    """Return whether an ear found in the sound what was to be read."""
    wanted = meaning(understand(reading.words))
    return any(
        found.ranked[0].score - one.score <= NEAR and meaning(understand(one.ids)) == wanted for one in found.ranked
    )


def misheard(heard: Sequence[HeardReading]) -> dict[str, dict[str, int]]:
    """Return how often which word was heard for another, where as many words were heard as read."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in heard:
        ids = one.found.ranked[0].ids if one.found.ranked else ()
        if len(ids) == len(one.words) and meaning(understand(ids)) != meaning(understand(one.words)):
            for said, other in zip(one.words, ids, strict=True):
                if said != other:
                    found[said][other] += 1
    return {word: dict(others) for word, others in sorted(found.items())}


async def _heard_by_all(
    vocabulary: Vocabulary, readings: Sequence[Reading], ears: Sequence[Recogniser]
) -> Mapping[str, list[Hypotheses]]:
    """Return every working ear's hypotheses on every reading. Raises Complaint or ChildFailed where none works."""

    async def heard_by(ear: Recogniser) -> list[Hypotheses]:
        try:
            await ear.start()
            return [await ear.recognise(reading.pcm, vocabulary) for reading in readings]
        finally:
            await ear.close()

    found: dict[str, list[Hypotheses]] = {}
    wrong: list[Complaint | ChildFailed] = []
    for ear, one in zip(ears, await asyncio.gather(*map(heard_by, ears), return_exceptions=True), strict=True):
        if isinstance(one, Complaint | ChildFailed):
            wrong.append(one)
        elif isinstance(one, BaseException):
            raise one
        else:
            found[ear.name] = one
    if not found:
        raise wrong[0] if wrong else Complaint(Phrase("hearing.none"))
    return found


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
