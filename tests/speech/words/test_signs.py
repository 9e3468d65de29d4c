"""Signs are said as words, in six languages; nothing else of a sentence changes."""

from __future__ import annotations

import pytest

from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.signs import RESULTS, result_said, signs_said


@pytest.mark.parametrize(
    ("tag", "written", "said"),
    [
        ("de", "Beginn: 15:00 Uhr.", "Beginn: 15 Uhr."),
        ("de", "Beginn: 15:30 Uhr.", "Beginn: 15 Uhr 30."),
        ("de", "24:00", "24 Uhr"),
        ("en", "Play begins at 9:05.", "Play begins at 9 05."),
        ("de", "Richtlinien III.6", "Richtlinien 3.6"),
        ("en", "Guidelines III, and I resign (I.8).", "Guidelines 3, and I resign (1.8)."),
        ("en", "Result 1/2-1/2", "Result Draw"),
        ("de", "0-1", "Schwarz gewinnt"),
        ("de", "höchstens 1/2 Punkt", "höchstens ein halb Punkt"),
        ("en", "1:30:00 and 0-0-0 and 9.2.1", "1:30:00 and 0-0-0 and 9.2.1"),
        ("en", "e2-e4, 3-1 and the MIX", "e2-e4, 3-1 and the MIX"),
    ],
)
def test_a_sign_is_said_as_words(tag: str, written: str, said: str) -> None:
    assert signs_said(written, load_messages(tag)) == said


@pytest.mark.parametrize("tag", language_tags())
def test_words_without_signs_stay_as_they_are(tag: str) -> None:
    texts = load_messages(tag)
    for key in ("say.ask_from", "refusal.nothing_asked", "say.review_shut"):
        assert signs_said(texts.text(key), texts) == texts.text(key)
    assert all(result_said(one, texts) != one for one in RESULTS)
