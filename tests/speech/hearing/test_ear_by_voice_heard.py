"""Slower, faster, again and stop through the real recognisers, each engine alone and both as one (German, English)."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import cache

import pytest

from speech.hearing.hearing import Hearing, recognisers
from speech.recognisers.recogniser import Recogniser
from speech.voices.voice import Segment
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered

VOICES = (None, "f2", "m3")
WORDS = ("slower", "faster", "repeat", "stop")
AGAIN = {"de": "noch einmal", "en": "say again"}


@cache
def spoken(language: str) -> tuple[tuple[str, bytes], ...]:
    """Every word of the ear in three voices, and its other way to ask for a repetition; rendered once."""
    scheme = load_scheme("d21", language)
    said = [(word, phrase((f"cmd.{word}",), scheme, voice)) for voice in VOICES for word in WORDS]
    for voice in VOICES:
        one = phrase(("cmd.repeat",), scheme, voice)
        said.append(("repeat", ((Segment(AGAIN[language], language),), one[1])))  # type: ignore[arg-type]
    sounds = asyncio.run(rendered([one for _, one in said]))
    return tuple((word, pcm) for (word, _), pcm in zip(said, sounds, strict=True))


def heard(language: str, engines: tuple[Recogniser, ...]) -> list[tuple[str, str, str | None]]:
    sounds = spoken(language)

    async def all_of_them() -> list[tuple[str, str, str | None]]:
        scheme, hearing = load_scheme("d21", language), Hearing(engines, patient=True)
        await hearing.start()
        try:
            verdicts = [(word, await hearing.hear(pcm, scheme)) for word, pcm in sounds]
        finally:
            await hearing.close()
        return [(word, one.verdict, one.heard.command) for word, one in verdicts]

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("engine", "goal"),
    [("auto", 0.8), *(pytest.param(*one, marks=pytest.mark.thorough) for one in (("own", 0.8),))],
)
def test_the_words_of_the_ear_are_heard(language: str, engine: str, goal: float) -> None:
    found = heard(language, recognisers(engine))
    right = Counter(word for word, verdict, command in found if command == word and verdict != "reject")
    wrong = [one for one in found if one[1] == "accept" and one[2] != one[0]]
    assert wrong == [], "what is not the word is asked again, or was nothing"
    assert sum(right.values()) >= goal * len(found), (right, found)
