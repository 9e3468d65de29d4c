"""The sentences for refusals are in the reader's language (config/languages/TAG/words/messages.toml, `refusal`)."""

from __future__ import annotations

from functools import cache

from speech.complaint import Complaint
from speech.words.catalogue import MEASURE, known_tag, load_messages
from speech.words.messages import Messages

_SECTION = "refusal"


class Refused(Complaint):
    """Raised where a command is not carried out, with the code of its sentence and the article."""

    def __init__(self, code: str, article: str, language: str = MEASURE) -> None:
        super().__init__(sentence(code, article, language))
        self.code, self.article = code, article


@cache
def messages_for(language: str) -> Messages:
    """Return the sentences of a language that a device named; the English ones where it is unknown."""
    return load_messages(known_tag(language))


def sentence(code: str, article: str, language: str) -> str:
    """Return one plain sentence with its article; the code itself where it has no sentence."""
    messages = messages_for(language)
    key = f"{_SECTION}.{code}"
    return messages.with_article(messages.text(key) if key in messages else code, article)


def in_language(code: str, article: str, language: str, otherwise: str) -> str:
    """Return the sentence in a language that its reader chose; `otherwise` where there is none."""
    messages = messages_for(language)
    known = messages.language == language and f"{_SECTION}.{code}" in messages
    return sentence(code, article, language) if known else otherwise
