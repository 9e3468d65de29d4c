"""Spellings of the forms of a word, with which eSpeak NG says them right (`readings.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from speech.words.config_file import source_of
from speech.words.scheme import Scheme

_TABLE = Path(__file__).with_name("readings.toml")
WITHOUT_VOWELS = ("ar", "he")
"""The languages whose script leaves the vowels out: eSpeak NG needs a reading of each form."""

Readings = Mapping[str, Mapping[str, str]]
"""Language -> form -> how it is written for eSpeak NG."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    readings: Readings


def load_readings() -> Readings:
    """Return the readings of all languages. Raises Complaint."""
    return source_of(_TABLE.read_bytes(), _TABLE.name).in_shape(_File).readings


def texts_of_word(word: str, scheme: Scheme, readings: Readings) -> dict[str, str]:
    """Return every form of a word with the text from which eSpeak NG's voice of the language says it right.

    A form of a script that leaves the vowels out cannot be read without them: it is left out where it has no reading.
    """
    known = readings.get(scheme.language, {})
    texts = {form: known.get(form, form) for form in scheme.forms_spoken(word)}
    texts |= dict.fromkeys((scheme.text(word), scheme.words[word].voice_text), scheme.spelling(word, "espeak"))
    if scheme.language in WITHOUT_VOWELS:
        texts = {form: text for form, text in texts.items() if form == scheme.text(word) or form in known}
    return texts
