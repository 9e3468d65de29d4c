"""This module reports bad input in one plain sentence."""

from __future__ import annotations


class Phrase:
    """A `Phrase` is English words with places for values ("line {line} of {name}").

    The words are the key by which the phrase is found in another language. Without values the words stand as they are,
    braces and all. A value may be a phrase itself.
    """

    def __init__(self, words: str, **values: object) -> None:
        self.words, self.values = words, values

    def __str__(self) -> str:
        return self.words.format(**self.values) if self.values else self.words


class Complaint(Exception):
    """A `Complaint` says what was wrong and what to do, in one plain sentence.

    It is shown to the person, never with a traceback. `words` are English; `values` stand in its places. What is read
    on a page is told in the reader's language where the messages in config/words have these words (`complaint`).
    """

    def __init__(self, words: str, **values: object) -> None:
        self.phrase = Phrase(words, **values)
        super().__init__(str(self.phrase))
