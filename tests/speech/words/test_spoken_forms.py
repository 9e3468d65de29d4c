"""Hebrew and Arabic are written without vowels and said with them: every sentence, number and value that is ever said.

The phones are those of the real eSpeak NG of the wheel. A sentence that was changed is named by its key.
"""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from server.exports.samples import examples_of, messages_said
from server.wording.aloud.spoken import spoken_message
from server.wording.words import scheme_of
from speech.voices.hebrew_points import for_hebrew_voice, syllables
from speech.voices.vowels import for_espeak, with_signs
from speech.words.catalogue import load_messages
from speech.words.spoken_forms import (
    SPOKEN_PARTS,
    WORD,
    load_spoken_forms,
    spoken_forms,
    spoken_texts,
    with_vowels,
    without_signs,
)
from tests.speech.words.test_espeak_spellings import phonemes
from tests.wording.spoken_files import LANGUAGES, guide_texts, is_form_of, unsaid_words, written_texts

VOWELS = "aeiouəɛɪɔʊɑɐɜ"
MAN_OR_WOMAN = {
    "he": "שלך|(?<!מ)לך|אותך|אליך|ממך|עליך|לגביך|קולך|דבריך|אוזנך|אתה|שנגעת|תבעת|ענית|שראית",
    "ar": "أنت|قلته",
}
"""What is said otherwise to a man than to a woman. An Arabic "your" is not, before a pause: its vowel falls away."""
needs_espeak = pytest.mark.skipif(find_spec("espeakng_loader") is None, reason="eSpeak NG is not installed")


@pytest.mark.law("L184")
@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("part", SPOKEN_PARTS)
def test_every_sentence_has_a_spoken_form_that_is_the_sentence_with_its_vowels(tag: str, part: str) -> None:
    """Complete them with `python -m tests.wording.spoken_files`, and give the words that it does not know."""
    written, said = written_texts(part, tag), spoken_texts(part, tag)
    wrong = {key: (text, said.get(key)) for key, text in written.items() if not is_form_of(said.get(key, ""), text)}
    assert wrong == {}, "sentences without a spoken form"
    assert sorted(said.keys() - written.keys()) == [], "spoken forms of no sentence"
    assert {key: unsaid_words(text) for key, text in said.items() if unsaid_words(text)} == {}


@pytest.mark.parametrize("tag", LANGUAGES)
def test_nobody_is_taken_for_a_man(tag: str) -> None:
    """In Hebrew "your" has a form for each: the listener's own time is "own", what is the opponent's is named so."""
    texts = {f"{part} {key}": text for part in SPOKEN_PARTS for key, text in written_texts(part, tag).items()}
    texts |= guide_texts(tag)
    address = re.compile(rf"(?<!\w)[ושהבכלמو]?(?:{MAN_OR_WOMAN[tag]})(?!\w)")
    assert {key: text for key, text in texts.items() if address.search(without_signs(text))} == {}
    yours = re.compile(r"ك[\u064e\u0650](?![\w\u0651])")
    assert {key: text for key, text in spoken_texts("messages", tag).items() if yours.search(text)} == {}


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_guide_read_aloud_has_no_word_without_vowels(tag: str) -> None:
    forms = load_spoken_forms(tag)
    assert forms is not None
    unsaid = {key: unsaid_words(with_vowels(line, forms)) for key, line in guide_texts(tag).items()}
    assert {key: words for key, words in unsaid.items() if words} == {}


def said_in(tag: str) -> list[str]:
    """Return all that the listener's own voice says: messages with their values, and every sentence with samples."""
    scheme = scheme_of("national", tag)
    found = []
    for message in messages_said(scheme):
        told = spoken_message(message, scheme, read_back=True)
        found += [segment.text for segment in (told[1] if told else ()) if segment.voice_language == tag]
    for part in SPOKEN_PARTS[:-1]:
        for key, message in load_messages(tag, part=part).entries.items():
            found += [one for _, one in examples_of(f"{part}.{key}", tag)] or message.forms.values()
    return [*dict.fromkeys(found), *written_texts(SPOKEN_PARTS[-1], tag).values()]


@needs_espeak
@pytest.mark.law("L184")
@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_voice_says_no_word_without_a_vowel_and_names_no_sign(tag: str) -> None:
    """Words in Latin letters, and names that an organiser typed, are the voice's own to read."""
    texts = [re.sub(r"[A-Za-z][\w./-]*", " ", text) for text in said_in(tag)]
    told = phonemes([(tag, for_espeak(text, tag)) for text in texts])
    wrong = {
        text: [word for word in said.split() if _is_mute(word) or "(en)" in word]
        for text, said in zip(texts, told, strict=True)
    }
    assert {text: words for text, words in wrong.items() if words} == {}


def _is_mute(said: str) -> bool:
    """Return whether a word of more than one sound has no vowel."""
    sounds = re.sub(r"[^\w]|[ˈˌːˤ̪]", "", said)
    return len(sounds) > 1 and not any(letter in VOWELS for letter in sounds)


@needs_espeak
def test_without_its_form_the_same_sentence_is_said_without_vowels() -> None:
    """What was wrong: so the test above can fail."""
    bare = "נא לחזור על הדברים"
    said, mended = phonemes([("he", bare), ("he", for_espeak(bare, "he"))])
    assert any(_is_mute(word) for word in said.split()) and not any(_is_mute(word) for word in mended.split())


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_text_that_is_shown_and_felt_has_no_signs_but_its_own(tag: str) -> None:
    """Page, braille and screen reader keep what is written: only a voice is given the vowels."""
    scheme = scheme_of("national", tag)
    own = set().union(*(WORD.findall(text) for part in SPOKEN_PARTS for text in written_texts(part, tag).values()))
    for message in messages_said(scheme):
        told = spoken_message(message, scheme, read_back=True)
        for word in WORD.findall(told[0]) if told else ():
            assert word == without_signs(word) or word in own, (message, word)


@pytest.mark.parametrize(
    ("tag", "text", "said"),
    [
        ("he", "3 דקות", "שָׁלוֹשׁ דַּקּוֹת"),
        ("he", "12 מסעים", "שְׁנֵים עָשָׂר מַסָּעִים"),
        ("he", "23 דקות", "עֶשְׂרִים וְשָׁלוֹשׁ דַּקּוֹת"),
        ("he", "9.5", "תֵּשַׁע נְקֻדָּה חָמֵשׁ"),
        ("ar", "3 دقائق", "ثَلَاثُ دَقَائِق"),
        ("ar", "12 دقيقة", "اِثْنَتَا عَشْرَةَ دَقِيقَة"),
        ("ar", "23 نقلة", "ثَلَاث وَعِشْرُون نَقْلَة"),
        ("ar", "7", "سَبْعَة"),
    ],
)
def test_a_number_is_said_in_the_gender_of_what_is_counted(tag: str, text: str, said: str) -> None:
    assert without_signs(with_signs(text, tag)) == without_signs(said)
    assert unsaid_words(with_signs(text, tag)) == []


def test_a_word_keeps_its_own_signs_and_a_stretch_goes_before_a_word() -> None:
    forms = spoken_forms(["שֵׁם {name}", "שָׁם הַלּוּחַ", "שֵׁם"], {"ה": "הַ"})
    assert with_vowels("שם הלוח, שם, השם", forms) == "שָׁם הַלּוּחַ, שֵׁם, הַשֵׁם"
    assert with_vowels("שָׁם", forms) == "שָׁם"
    assert with_vowels("דנה", forms) == "דנה"


@pytest.mark.parametrize(
    ("word", "sounds"),
    [
        ("שׁוֹפֵט", "shofet"), ("כִּיוּוּן", "kivun"), ("מְדַוֵּוחַ", "medave'ax"), ("רַשַּׁאי", "rashay"), ("כָּל", "kol"),
        ("אֵלֶיהָ", "'eleha"), ("פְּקוּדָה", "pkuda"), ("וּשְׁתֵּי", "'ushtey"), ("הַמִּשְׂחָק", "hamisxak"), ("תָּוִוים", "tavim"),
    ],
)  # fmt: skip
def test_a_pointed_word_is_taken_apart_into_its_sounds(word: str, sounds: str) -> None:
    assert "".join(consonant + vowel for consonant, vowel in syllables(word)) == sounds
    assert for_hebrew_voice("מט 12") == "מט 12"
