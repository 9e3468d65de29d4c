"""Natural phrases in six languages are words of the ears, where they can be said at all.

How they are heard: `python -m tests.bench.command_words --phrases ../shared/reference/phrases-not-understood.tsv`.
"""

from __future__ import annotations

import pytest

from speech.words.config_file import language_tags
from tests.speech.hearing.spoken_phrases import are_words, said_phrases, scheme_of_phrase
from tests.wording.test_typed_phrases import REFERENCE

SOUND_ALIKE = {("de", "aufgeben"), ("de", "wieviel Zeit habe ich noch?"), ("de", "Gegner Zeit")}
"""Left out of the ears ("aufgeben" is "auf g7"), or written otherwise and said alike."""


@pytest.mark.skipif(not REFERENCE.exists(), reason="the table of phrases is not here")
@pytest.mark.parametrize("language", language_tags())
def test_what_players_say_is_listened_for(language: str) -> None:
    said = said_phrases(REFERENCE, language)
    missing = {
        (language, text) for text, meant in said if not are_words(text, meant, scheme_of_phrase(text, meant, language))
    }
    assert len(said) > 40 and missing - SOUND_ALIKE == set()
