"""A complaint is told in the reader's language (`complaint` of the messages), unless it is an English sentence."""

from __future__ import annotations

from server.wording.refusals import messages_for
from speech.complaint import Phrase


def translated(told: str | Phrase, language: str) -> str:
    """Return a phrase in a language, with the phrases in its places; a sentence stays as it is.

    >>> translated(Phrase("trf_no_name", line=7), "de")
    'Zeile 7 dieser TRF hat in den Spalten 15 bis 47 keinen Namen.'
    """
    if isinstance(told, str):
        return told
    values = {
        place: translated(value, language) if isinstance(value, Phrase) else value
        for place, value in told.values.items()
    }
    return messages_for(language).text(f"complaint.{told.key}", **values)
