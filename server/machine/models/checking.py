"""A copied model is loaded and tried in a child process.

Its words are compared with those of this program.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.recognisers.vocabulary import vocabulary
from speech.recognisers.vosk.model import checked_model, known_forms, words_of_model
from speech.recognisers.vosk.recogniser import VoskRecogniser
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

MOST_NAMED = 12


class WordsKnown(msgspec.Struct, frozen=True):
    """How many words of one language a model can hear.

    The words are those of announcements and commands.
    """

    language: str
    words: int
    missing: tuple[str, ...]

    @property
    def known(self) -> int:
        """Return how many it can hear."""
        return self.words - len(self.missing)


def _words_known(known: frozenset[str], scheme: Scheme) -> WordsKnown:
    spoken = vocabulary(scheme, (scheme.file_names,))
    forms = known_forms({word: spoken.forms[word] for word in spoken.grammar.words()}, known)
    return WordsKnown(scheme.language, len(forms), tuple(sorted(word for word, ways in forms.items() if not ways)))


def language_of_model(folder: Path, tags: Sequence[str] = ()) -> WordsKnown:
    """Return the language (of `tags`, or of all) of which the model knows the most words.

    Raises Complaint where it knows no file or no rank of it: then no square could be heard.
    """
    known = words_of_model(folder)
    found = [_words_known(known, load_scheme("national", tag)) for tag in tags or language_tags()]
    best = max(found, key=lambda one: one.known / one.words)
    for head in ("file", "rank"):
        if sum(word.startswith(f"{head}.") for word in best.missing) == 8:
            asked = best.language if len(found) == 1 else ", ".join(one.language for one in found)
            raise Complaint(Phrase(f"model.no_{head}s", language=asked))
    return best


def describe_known_words(known: WordsKnown) -> str:
    """Say in one sentence what the model can hear and what is missing."""
    scheme = load_scheme("national", known.language)
    names = [f'"{scheme.text(word)}"' for word in known.missing]
    start = f"Of the {known.words} words of announcements and commands in {scheme.listener.name} it knows {known.known}"
    if not names:
        return f"{start}: none is missing."
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{start}; missing: {', '.join(names[:MOST_NAMED])}{more}."


async def try_model(folder: Path) -> None:
    """Load the model in a process of its own and let it hear a moment of silence. Raises Complaint."""
    checked_model(folder)
    engine = VoskRecogniser(folder)
    try:
        await engine.start()
    except ChildFailed as wrong:
        raise Complaint(str(wrong)) from None
    finally:
        await engine.close()
