"""Planned announcements -> what the real recogniser makes of them: its whole list, kept for counting confusions.

Only voices that are not reserved for measuring (`planned_utterances`). Half of what was planned clean gets babble of
other planned utterances 20 dB below it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from speech.hearing.settings import HearingSettings
from speech.hearing.verdict import judged
from speech.recognisers.recogniser import Hypothesis, Recogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.common.evidence import sound_of
from speech.training.common.planned_utterances import PlannedUtterance
from speech.training.curves.babble import with_babble
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.scheme import Scheme

BABBLE_DB = 20.0


class HeardUtterance(msgspec.Struct, frozen=True):
    """What was said (word ids), by whom, what was heard (best first) and how sure the best is (P(right), 0 to 1)."""

    said: tuple[str, ...]
    speaker: str
    ranked: tuple[Hypothesis, ...]
    confidence: float


async def heard(
    plan: Sequence[PlannedUtterance], seed: int, scheme: Scheme, recogniser: Recogniser, settings: HearingSettings
) -> list[HeardUtterance]:
    """Every announcement of the plan as heard; raises `Complaint` and `ChildFailed` as voice and recogniser do."""
    plan = [one for one in plan if one.kind == "announcement"]
    voice = Pyttsx3Voice()
    try:
        sounds = [await sound_of(utterance, place, seed, voice) for place, utterance in enumerate(plan)]
    finally:
        await voice.close()
    vocabulary, found = vocabulary_of(scheme), []
    await recogniser.start()
    for place, (utterance, pcm) in enumerate(zip(plan, sounds, strict=True)):
        if utterance.noise_db is None and place % 2:
            pcm = with_babble(pcm, [*sounds[:place], *sounds[place + 1 :]], BABBLE_DB, seed + place)
        hypotheses = await recogniser.recognise(pcm, vocabulary)
        done = judged([hypotheses], settings)
        found.append(HeardUtterance(utterance.words, utterance.speaker, done.hypotheses, done.confidence))
    return found
