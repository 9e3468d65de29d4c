"""A complaint made in English words is told in the reader's language (`complaint` in the messages)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from server.wording.refusals import messages_for
from speech.complaint import Phrase
from speech.words.catalogue import MEASURE, load_messages
from speech.words.messages import ONLY

_SECTION = "complaint."


@cache
def known_phrases() -> Mapping[str, str]:
    """Return English words, with their places -> the key that they have in every language."""
    entries = load_messages(MEASURE).entries
    return {one.forms[ONLY]: key for key, one in entries.items() if key.startswith(_SECTION)}


def translated(phrase: Phrase, language: str) -> str:
    """Return the phrase in a language; English words that are not known stay English.

    Values that are phrases are translated too.

    >>> translated(Phrase("Line {line} of this TRF has no name in columns 15 to 47.", line=7), "de")
    'Zeile 7 dieser TRF hat in den Spalten 15 bis 47 keinen Namen.'
    """
    key = known_phrases().get(phrase.words)
    if key is None:
        return str(phrase)
    values = {
        name: translated(value, language) if isinstance(value, Phrase) else value
        for name, value in phrase.values.items()
    }
    return messages_for(language).text(key, **values)
