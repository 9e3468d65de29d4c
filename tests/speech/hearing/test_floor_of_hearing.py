"""A floor under the hearing: a few announcements by voices that are not reserved. The bench says how high it is."""

from __future__ import annotations

import pytest

from speech.announcements.understand import understand
from speech.hearing.confidence import meaning
from speech.hearing.hearing import Hearing
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import SPEAKERS, announcements, phrase, rendered, with_noise


@pytest.mark.asyncio(loop_scope="session")
async def test_plain_announcements_are_heard_and_none_is_accepted_wrong(ears: Hearing, german: Scheme) -> None:
    said = announcements(10, 404)
    clean = await rendered([phrase(words, german, SPEAKERS[place]) for place, words in enumerate(said)])
    right = wrong = 0
    for place, (words, pcm) in enumerate(zip(said, clean, strict=True)):
        for sound in (pcm, with_noise(pcm, 20.0, place)):
            verdict = await ears.hear(sound, german)
            fits = meaning(verdict.heard) == meaning(understand(words))
            right += fits and verdict.verdict in ("accept", "confirm")
            wrong += verdict.verdict == "accept" and not fits
    assert ears.engines[0] == "own"
    assert right >= 18, f"{right} of 20 taken as what was said"
    assert wrong == 0, f"{wrong} of 20 accepted as something else"
