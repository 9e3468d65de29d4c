"""A whole game by ear in each language: every act is answered, as the files in `by_ear` have it, and soon."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from server.wording.words import scheme_of
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.config_file import language_tags
from tests.wording.whole_game_by_ear import (
    FOLDER,
    LONGEST_ASKED_MS,
    LONGEST_MS,
    WITHOUT_AN_ANSWER,
    heard_in,
    lengths_of,
    page_in,
    page_of,
    texts_of,
)

MOST_OFF_S = 0.25
"""By how much another release of the voice may be slower or faster in one phrase."""


@pytest.mark.law("L182")
@pytest.mark.parametrize("language", language_tags())
async def test_what_white_hears_of_a_whole_game_is_what_was_looked_at(language: str, tmp_path: Path) -> None:
    looked_at = (FOLDER / f"{language}.txt").read_text("utf-8")
    again = f"python -m tests.wording.whole_game_by_ear {language} writes it anew"
    assert texts_of(await page_in(language, tmp_path)) == texts_of(looked_at), again


@pytest.mark.parametrize("language", language_tags())
def test_the_own_time_takes_a_second_and_a_half(language: str) -> None:
    """Of the seconds that are written; a thorough run listens again."""
    asked = f"white says: {scheme_of('d21', language).text('cmd.time')}\n"
    steps = (FOLDER / f"{language}.txt").read_text("utf-8").split("\n\n")
    own = [lengths_of(step)[0][1] for step in steps if step.startswith(asked)]
    assert len(own) == 2 and statistics.median(own) <= 1.5


@pytest.mark.thorough
@pytest.mark.parametrize("language", language_tags())
async def test_no_act_is_answered_by_silence_no_phrase_is_long_and_the_seconds_are_those_written(
    language: str, tmp_path: Path
) -> None:
    voice = Pyttsx3Voice()
    try:
        steps = await heard_in(language, tmp_path, voice)
    finally:
        await voice.close()
    silent = [step.done for step in steps if step.done.startswith("white says") and not step.heard]
    assert silent == []
    assert {step.done for step in steps if not step.heard} <= WITHOUT_AN_ANSWER | {
        step.done for step in steps if step.done.startswith("black says")
    }
    long = {
        phrase.text: phrase.length_ms
        for step in steps
        for phrase in step.heard
        if phrase.length_ms > (LONGEST_ASKED_MS if step.asked or set("?؟՞").intersection(phrase.text) else LONGEST_MS)
    }
    assert long == {}
    own_time = [step.heard[0].length_ms for step in steps if step.done.startswith("white says") and step.time]
    assert statistics.median(own_time) <= 1_500
    now, written = lengths_of(page_of(language, steps)), lengths_of((FOLDER / f"{language}.txt").read_text("utf-8"))
    assert [text for text, _ in now] == [text for text, _ in written]
    off = {text: (s, there) for (text, s), (_, there) in zip(now, written, strict=True) if abs(s - there) > MOST_OFF_S}
    assert off == {}
