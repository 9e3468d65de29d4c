"""A text in the letters and signs that eSpeak NG reads right, in scripts that leave vowels out.

Numbers become words, words get their vowels (`speech/words/spoken_forms.py`), and these are spelled as the engine's
voice of that language can read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from speech.voices.arabic_vowels import for_arabic_voice
from speech.voices.hebrew_points import for_hebrew_voice
from speech.words.config_file import language_tags
from speech.words.loading import load_language
from speech.words.messages import without_isolation
from speech.words.spoken_forms import load_spoken_forms, with_vowels
from speech.words.spoken_numbers import in_words

_NAMED = re.compile(r"[/+=*_#|~<>&^%\\@`״]")
"""Signs that the engine would name in English inside another language."""
_SPELLED: Mapping[str, Callable[[str], str]] = {"ar": for_arabic_voice, "he": for_hebrew_voice}
"""Name of a voice of eSpeak NG -> what a text is spelled by."""


def load_vowels() -> None:
    """Read what the languages need now, not at the first phrase of a game. Raises Complaint."""
    for tag in _SPELLED:
        load_spoken_forms(tag)


def with_signs(text: str, language: str) -> str:
    """Return a text as it is said, in the language's own spelling: with its vowels, and numbers in words."""
    forms = load_spoken_forms(language)
    if forms is None:
        return text
    text = without_isolation(text)
    text = in_words(text, forms.numbers) if forms.numbers else text
    return with_vowels(_NAMED.sub(" ", text), forms)


def for_espeak(text: str, language: str) -> str:
    """Return a text as eSpeak NG's voice of a language is given it; unchanged where that language needs nothing."""
    spelled = _SPELLED.get(load_language(language).voice) if language in language_tags() else None
    return text if spelled is None else spelled(with_signs(text, language))
