"""Slower, faster, again and stop through the real recognisers, each engine alone and both as one (German, English)."""

from __future__ import annotations

from collections import Counter

import pytest

from speech.hearing.hearing import Hearing
from speech.voices.voice import Segment
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import heard_by, phrase, rendered

VOICES = (None, "f2", "m3")
GOAL = 0.8
WORDS = ("slower", "faster", "repeat", "stop")
AGAIN = {"de": "noch einmal", "en": "say again"}


async def spoken(language: str, voices: tuple[str | None, ...]) -> list[tuple[str, bytes]]:
    """Every word of the ear in each voice, and its other way to ask for a repetition."""
    scheme = load_scheme("d21", language)
    said = [(word, phrase((f"cmd.{word}",), scheme, voice)) for voice in voices for word in WORDS]
    for voice in voices:
        one = phrase(("cmd.repeat",), scheme, voice)
        said.append(("repeat", ((Segment(AGAIN[language], language),), one[1])))  # type: ignore[arg-type]
    sounds = await rendered([one for _, one in said])
    return [(word, pcm) for (word, _), pcm in zip(said, sounds, strict=True)]


async def heard(language: str, hearing: Hearing, voices: tuple[str | None, ...]) -> list[tuple[str, str, str | None]]:
    scheme = load_scheme("d21", language)
    verdicts = [(word, await hearing.hear(pcm, scheme)) for word, pcm in await spoken(language, voices)]
    return [(word, one.verdict, one.heard.command) for word, one in verdicts]


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("engine", "voices"),
    [
        ("auto", VOICES[:2]),
        *(pytest.param(engine, VOICES, marks=pytest.mark.thorough) for engine in ("auto", "own")),
    ],
)
@pytest.mark.asyncio(loop_scope="session")
async def test_the_words_of_the_ear_are_heard(
    ears: Hearing, language: str, engine: str, voices: tuple[str | None, ...]
) -> None:
    found = await heard(language, heard_by(ears, engine), voices)
    right = Counter(word for word, verdict, command in found if command == word and verdict != "reject")
    wrong = [one for one in found if one[1] == "accept" and one[2] != one[0]]
    assert wrong == [], "what is not the word is asked again, or was nothing"
    assert sum(right.values()) >= GOAL * len(found), (right, found)
