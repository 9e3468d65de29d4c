"""Phonemes in IPA, made comparable: an engine writes more than a listener tells apart, and each voice in its way."""

from __future__ import annotations

import re

# Written alike for every language: length, ties, one r, one kind of a, e, i, o, u; emphatic t and s in one way.
_ALIKE = (
    (r"[ːˑ.ˌ-]", ""),
    (r"s̪", "sˤ"),
    (r"t̪", "tˤ"),
    (r"d̪", "dˤ"),
    (r"[ɾɹʁʀɻ]", "r"),
    (r"ɜ", "ɐ"),
    (r"[ɑæ]", "a"),
    (r"ɔø|ɔy|ɔʏ|ɔɪ", "oi"),
    (r"ʊɐ", "ur"),
    (r"ɛ", "e"),
    (r"ɪ", "i"),
    (r"ʊ", "u"),
    (r"ʏ", "y"),
    (r"ɔ", "o"),
    (r"χ", "x"),
    (r"ɡ", "g"),
)
_OF: dict[str, tuple[tuple[str, str], ...]] = {
    "de": ((r"ʔ", ""),),
    # "from", "of", "one": the engine writes ɒ where it is weak, and ɐ for a weak schwa; "last" has either a.
    "en": ((r"ɒ", "o"), (r"ɐ", "ə"), (r"ʌ", "o")),
    "hu": ((r"ɒ", "a"),),
    "hy": ((r"ai", "aj"),),
    # The pause form: h for the ending of feminine words; a hamza at the beginning of a word is hardly heard.
    "ar": ((r"(?<=a)h\b", ""), (r"\bʔ", ""), (r"i(?=a)", "ij")),
    "he": ((r"h\b", ""), (r"ʔ", ""), (r"ij", "i")),
}


def broad(ipa: str, language: str) -> str:
    """The sounds alone, without stress: what a listener of the language tells apart."""
    sounds = ipa.replace("ˈ", "")
    for pattern, plain in (*_ALIKE, *_OF[language]):
        sounds = re.sub(pattern, plain, sounds)
    # One long consonant is one consonant: eSpeak NG writes it twice, once, or with a mark.
    return re.sub(r"([^ ])\1+", r"\1", sounds).strip()


def stressed(ipa: str) -> list[set[int]]:
    """For each word the numbers of its stressed vowels (0, 1 ..); a compound may have two, a short word none."""
    vowels = "aeiouyøœɐəɛɪɔʊʏɑɒʌɜæ"
    found = []
    for word in re.sub(r"[ːˌ]", "", ipa).split():
        parts = word.split("ˈ")
        found.append({len(re.findall(f"[{vowels}]+", "ˈ".join(parts[:end]))) for end in range(1, len(parts))})
    return found
