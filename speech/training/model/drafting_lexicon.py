"""The draft of a lexicon: how eSpeak NG reads a language's words, in our phones.

    python -m speech.training.model.drafting_lexicon hu

A person corrects the draft in `config/languages/TAG/lexicon.toml`.
"""

from __future__ import annotations

import sys
from itertools import groupby

from speech.training.model.corpora.espeak_speech import Espeak
from speech.training.model.corpora.voices.espeak_phones import of_espeak
from speech.words.loading import load_scheme


def draft_lexicon(language: str) -> dict[str, list[str]]:
    """Return the ways to say each word id.

    The form as respelled for eSpeak NG comes first, then every other form; doubled sounds count once.
    """
    espeak, scheme = Espeak(), load_scheme("national", language)
    found: dict[str, list[str]] = {}
    for word in scheme.words:
        respelt = (scheme.text(word), scheme.words[word].voice_text)
        others = (form for form in scheme.forms_spoken(word) if form not in respelt)
        for form in (scheme.spelling(word, "espeak"), *others):
            spoken = espeak.speak(form, language)
            if spoken is not None:
                phones = [phone for one in spoken.phonemes for phone in of_espeak(one.mnemonic) or ()]
                way = " ".join(phone for phone, _ in groupby(phones))
                if way not in found.setdefault(word, []):
                    found[word].append(way)
    return found


if __name__ == "__main__":
    for word, ways in draft_lexicon(sys.argv[1]).items():
        listed = ", ".join(f'"{way}"' for way in ways)
        sys.stdout.write(f'"{word}" = [{listed}]\n')
