"""Bad input reported in one plain sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


class Phrase:
    """A sentence or a part of one that the catalogue has in every language.

    It is named by its key, with values for its places; a value may be a phrase itself. "files.unread" stands in the
    complaints of the catalogue, a key without a dot in `complaint` of the messages. As a string it is English.
    """

    english: ClassVar[Callable[[Phrase], str]] = lambda phrase: f"{phrase.key} {phrase.values}"
    """Says a phrase in English. `speech/words/catalogue.py`, which reads the sentences, puts its own here."""

    key: str
    values: dict[str, object]

    def __init__(self, key: str, /, **values: object) -> None:
        self.key, self.values = key, values

    def __str__(self) -> str:
        return Phrase.english(self)


class Complaint(Exception):
    """Raised for bad input, with one plain sentence on what was wrong and what to do.

    It is shown to the person, never with a traceback. What a person reads is a phrase, told in the reader's language;
    what only a developer or another program reads is an English sentence.
    """

    def __init__(self, told: str | Phrase) -> None:
        super().__init__(told)
        self.told = told


def told_by(wrong: BaseException) -> str | Phrase:
    """Return an exception's words, to stand within a sentence: its phrase, else its text without a full stop."""
    said = wrong.args[0] if len(wrong.args) == 1 else None
    return said if isinstance(said, Phrase) else str(wrong).rstrip(".")
