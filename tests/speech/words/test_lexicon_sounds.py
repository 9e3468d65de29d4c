"""Our own model's words against how they sound: one way of each as `pronunciations/ipa.toml` of its language has it.

A script that leaves its vowels out once gave rows of consonants ("m s f r" for mispar): words that were never heard.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from speech.recognisers.lexicon import Way, load_lexicon

# Both sides written alike, as coarsely as an accent makes them: one e, i, o, u; Arabic without its throat sounds.
_IPA = (
    (r"[ˈˌːˑ. ʔʕ̯̩͡-]", ""),
    (r"ˤ", ""),
    (r"tʃ|t͡ʃ", "tS"),
    (r"dʒ|d͡ʒ", "dZ"),
    (r"ɔʏ|ɔø|ɔɪ|ɔy", "oi"),
    (r"aɪ", "ai"),
    (r"eɪ", "ei"),
    (r"aʊ", "au"),
    (r"oʊ|əʊ", "o"),
    (r"ɐ", "er"),
    (r"[ɑɒæʌ]", "a"),
    (r"[ɛɜə]", "e"),
    (r"ɪ", "i"),
    (r"[ʊʏ]", "u"),
    (r"ɔ", "o"),
    (r"[øœ]", "2"),
    (r"[ɾɹʁʀɻ]", "r"),
    (r"ɣ", "r"),
    (r"[χx]", "x"),
    (r"ħ", "h"),
    (r"ʃ", "S"),
    (r"ʒ", "Z"),
    (r"ç", "C"),
    (r"ŋɡ?|ŋg?", "N"),
    (r"ɲ|nj", "nj"),
    (r"ɡ", "g"),
    (r"q", "k"),
    (r"c", "tj"),
    (r"ɟ", "dj"),
    (r"θ", "T"),
    (r"ð", "D"),
    (r"ʰ|ʲ", ""),
)
_OURS = {"E": "e", "@": "e", "I": "i", "O": "o", "U": "u", "6": "er"}
_OURS |= {"aI": "ai", "aU": "au", "OY": "oi", "eI": "ei", "oU": "o"}


def coarse(ipa: str) -> str:
    for pattern, plain in _IPA:
        ipa = re.sub(pattern, plain, ipa)
    return _alike(ipa)


def alike_of(way: Way) -> str:
    """A way of the lexicon, written as `coarse` writes IPA."""
    return _alike("".join(_OURS.get(phone, phone) for phone in way))


def _alike(sounds: str) -> str:
    sounds = sounds.replace("j", "i").replace("w", "u").replace("ng", "N").replace("y", "u")
    sounds = re.sub(r"(?<=[aeiou])h$", "", sounds)
    return re.sub(r"(.)\1+", r"\1", sounds)


# English is left out: there the model has American ways, with an r and another o.
@pytest.mark.parametrize("language", ["de", "hu", "hy", "ar", "he"])
def test_a_way_of_each_word_sounds_as_the_word_does(language: str) -> None:
    sounds = tomllib.loads(
        files("config").joinpath("languages", language, "pronunciations", "ipa.toml").read_text("utf-8")
    )
    lexicon = load_lexicon(language)
    wrong = {}
    for word, ipa in sounds["spellings"].items():
        ways = {alike_of(way) for way in lexicon.get(word, ())}
        if coarse(ipa) not in ways:
            wrong[word] = (coarse(ipa), sorted(ways))
    assert not wrong, wrong
