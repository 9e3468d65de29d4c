"""Free text respelt for a voice, where the engine would misread words of the scheme.

"Cesar fuenf, Remis" becomes "Zesar fünf, Remie" for eSpeak NG's German voice. The spellings are those of
`config/pronunciations`; an entry of several words ("Remis angenommen") also corrects its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from speech.voices.voice import Segment
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from speech.words.said import Token
from speech.words.scheme import Scheme

_SHORTEST_PART = 4
"""Parts of a longer name that are shorter ("en" of "en passant") are left alone: they are words of their own."""


def segments_of(tokens: Iterable[Token], scheme: Scheme, engine: str = "espeak") -> tuple[Segment, ...]:
    """Return an announcement for a `Voice`: every token in the spelling that the engine says right. Pure."""
    return tuple(Segment(scheme.spelling(token.id, engine), token.voice_language) for token in tokens)


def respellings(language: str, engine: str = "espeak") -> dict[str, str]:
    """Return word or phrase in small letters -> spelling, for a language of ours.

    There is nothing for any other language. Raises `Complaint` where the data in `config` is wrong.
    """
    if language not in language_tags():
        return {}
    found: dict[str, str] = {}
    scheme = load_scheme("national", language)
    for word, entry in scheme.words.items():
        # A bare letter is also a word of many languages ("a" in Hungarian).
        if word.startswith("letter.") or entry.voice_language != language:
            continue
        written, spelling = entry.voice_text, scheme.spelling(word, engine)
        if written.casefold() == spelling.casefold():
            continue
        found[written.casefold()] = spelling
        parts = list(zip(written.split(), spelling.split(), strict=False))
        if len(written.split()) == len(spelling.split()) > 1:
            for part, said in parts:
                if part.casefold() != said.casefold() and len(part) >= _SHORTEST_PART:
                    found.setdefault(part.casefold(), said)
    return found


def respell_words(text: str, spellings: Mapping[str, str]) -> str:
    """Return the text with every whole word or phrase of `spellings` replaced, the longest first. Pure."""
    if not spellings:
        return text
    longest_first = sorted(spellings, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest_first)
    return re.sub(
        rf"(?<!\w)(?:{either})(?!\w)",
        lambda match: spellings[" ".join(match[0].split()).casefold()],
        text,
        flags=re.IGNORECASE,
    )
