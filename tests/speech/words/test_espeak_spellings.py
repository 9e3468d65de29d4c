"""The spellings for eSpeak NG make its voices say the words: asked of the engine itself, as phonemes."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.resources import files

import pytest

from speech.words.config_file import language_tags
from speech.words.language import WORD_IDS
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.speech.words.broad_phones import broad, stressed

# Asks the engine of the wheel, in a process of its own: native code does not share one with the tests.
ASKING = """
import ctypes, json, os, sys
import espeakng_loader
data = espeakng_loader.get_data_path()
os.environ["ESPEAK_DATA_PATH"] = data
engine = ctypes.CDLL(espeakng_loader.get_library_path())
engine.espeak_Initialize(2, 0, data.encode(), 0)
engine.espeak_TextToPhonemes.restype = ctypes.c_char_p
answers = []
for voice, text in json.load(sys.stdin):
    assert engine.espeak_SetVoiceByName(voice.encode()) == 0, voice
    rest = ctypes.pointer(ctypes.c_char_p(text.encode()))
    said = []
    while rest.contents.value is not None:
        said.append(engine.espeak_TextToPhonemes(ctypes.cast(rest, ctypes.POINTER(ctypes.c_void_p)), 1, 2).decode())
    answers.append(" ".join(said))
json.dump(answers, sys.stdout)
"""


def phonemes(asked: list[tuple[str, str]]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", ASKING], input=json.dumps(asked), capture_output=True, text=True, timeout=60, check=True
    )
    answers: list[str] = json.loads(done.stdout)
    return answers


def said_and_meant(language: str, scheme: Scheme | None = None) -> list[tuple[str, str, str]]:
    """Every word id with what eSpeak NG says for it and with the IPA of its language."""
    scheme = scheme or load_scheme("national", language)
    words = [word for word in scheme.words if scheme.voice_language(word) == language]
    said = phonemes([(language, scheme.spelling(word, "espeak")) for word in words])
    return [(word, sound, scheme.spelling(word, "ipa")) for word, sound in zip(words, said, strict=True)]


@pytest.mark.law("L184", "L185", "L186", "L187")
def test_the_german_voice_says_the_words_of_the_laws() -> None:
    """In eSpeak NG's own phonemes, so that nothing is lost in a comparison."""
    wanted = {
        "file.a": "ˈanɑː",
        "file.c": "tsˈeːzɑːɾ",
        "file.d": "dˈɑːvɪt",
        "file.h": "hˈɛktoːɾ",
        "rank.1": "ˈaɪns",
        "rank.5": "fˈʏnf",
        "piece.king": "kˈøːnɪç",
        "piece.bishop": "lˈɔøfɜ",
        "piece.pawn": "bˈaʊɜ",
        "castle.short": "kˈʊɐtsə rˈoːʃˈɑːdə",
        "castle.long": "lˈaŋə rˈoːʃˈɑːdə",
    }
    scheme = load_scheme("d21", "hy")
    said = phonemes([("de", scheme.spelling(word, "espeak")) for word in wanted])
    assert dict(zip(wanted, said, strict=True)) == wanted


@pytest.mark.parametrize("language", language_tags())
def test_every_word_has_its_sounds_written_down_with_origin_and_review(language: str) -> None:
    table = tomllib.loads((files("config") / "languages" / language / "pronunciations" / "ipa.toml").read_text("utf-8"))
    assert set(table["spellings"]) == set(WORD_IDS)
    assert table["origin"] in ("ours", "dictionary") and table["review"] in ("needs native review", "reviewed")
    # Two words that sound alike could not be told apart by ear; a bare letter may sound like a letter's name elsewhere.
    sounds: dict[str, str] = {}
    for word in WORD_IDS:
        if word.split(".")[0] in ("file", "rank", "piece", "castle"):
            told = broad(table["spellings"][word], language)
            assert sounds.setdefault(told, word) == word


@pytest.mark.law("L184", "L185", "L186", "L187")
@pytest.mark.parametrize("language", language_tags())
def test_every_word_of_every_language_is_said_with_its_sounds(language: str) -> None:
    wrong = {
        word: (said, meant)
        for word, said, meant in said_and_meant(language)
        if broad(said, language).replace(" ", "") != broad(meant, language).replace(" ", "")
    }
    assert wrong == {}


@pytest.mark.parametrize("language", ["de", "en", "hu", "hy"])
def test_every_word_is_stressed_where_the_language_stresses_it(language: str) -> None:
    """Not in Arabic and Hebrew, where eSpeak NG lays the stress by a rule of its own that no spelling moves."""
    wrong = {}
    for word, said, meant in said_and_meant(language):
        found, wanted = stressed(said), stressed(meant)
        # A short word may be run into its neighbour ("of a") or bear no mark; no stress is ever elsewhere.
        if len(found) == len(wanted) and not all(
            not places or right <= places or (not right and places == {0})
            for places, right in zip(found, wanted, strict=True)
        ):
            wrong[word] = (said, meant)
    assert wrong == {}


def test_the_comparison_hears_a_wrong_word() -> None:
    assert broad("faraʃ", "he") != broad("paˈraʃ", "he")
    assert broad("ɾ", "de") == broad("ʁ", "de")
    assert broad("ˈanɑː", "de") == broad("ˈana", "de") != broad("ˈɛnɑ", "de")
    assert (stressed("rɔˈʃaːdə"), stressed("rˈɔʃɑːdə"), stressed("aɪns tsvaɪ")) == ([{1}], [{0}], [set(), set()])


@pytest.mark.law("L185", "L187")
@pytest.mark.parametrize("language", ["ar", "en", "he", "hu", "hy"])
def test_the_german_words_inside_another_language_have_german_sounds(language: str) -> None:
    """What reaches the engine for a German word is German, and its own voice would say something else."""
    scheme = load_scheme("d21", language)
    pairs = said_and_meant("de", scheme)
    assert {word.split(".")[0] for word, _, _ in pairs} >= {"file", "rank", "piece", "castle", "word"}
    assert all(broad(said, "de").replace(" ", "") == broad(meant, "de").replace(" ", "") for _, said, meant in pairs)
    words = ("rank.2", "piece.king", "piece.knight")
    own = phonemes([(language, scheme.text(word)) for word in words])
    german = {word: said for word, said, _ in pairs}
    assert all(broad(said, "de") != broad(german[word], "de") for word, said in zip(words, own, strict=True))


@pytest.mark.parametrize("language", language_tags())
def test_no_voice_falls_back_to_naming_letters_in_english(language: str) -> None:
    """eSpeak marks a switch of voice as "(en)": so it says what its own voice has no way to read."""
    scheme = load_scheme("national", language)
    words = list(scheme.words)
    said = phonemes([(language, scheme.spelling(word, "espeak")) for word in words])
    assert {word: sound for word, sound in zip(words, said, strict=True) if "(en)" in sound or not sound} == {}
