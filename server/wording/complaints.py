"""A complaint is told in the reader's language, unless it is an English sentence."""

from __future__ import annotations

from speech.complaint import Phrase
from speech.words.catalogue import phrase_in


def translate_phrase(told: str | Phrase, language: str) -> str:
    """Return a phrase in a language, with the phrases in its places; a sentence stays as it is.

    >>> translated(Phrase("trf_no_name", line=7), "de")
    'Zeile 7 dieser TRF hat in den Spalten 15 bis 47 keinen Namen.'
    """
    return told if isinstance(told, str) else phrase_in(told, language)
