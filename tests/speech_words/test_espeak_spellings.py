"""The spellings for eSpeak NG make its voices say the words: asked of the engine itself, as phonemes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from speech.loading import language_tags, load_scheme

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


@pytest.mark.law("L184", "L185", "L186", "L187")
def test_the_german_voice_says_the_words_of_the_laws() -> None:
    wanted = {
        "file.a": "ˈanɑː",
        "file.c": "tsˈeːzɑːɾ",
        "file.h": "hˈɛktoːɾ",
        "rank.1": "ˈaɪns",
        "rank.5": "fˈʏnf",
        "piece.king": "kˈøːnɪç",
        "piece.bishop": "lˈɔøfɜ",
        "piece.pawn": "bˈaʊɜ",
        "castle.short": "kˈʊɐtsə rˈɔʃɑːdə",
        "castle.long": "lˈaŋə rˈɔʃɑːdə",
    }
    scheme = load_scheme("d21", "hy")
    said = phonemes([("de", scheme.spelling(word, "espeak")) for word in wanted])
    assert dict(zip(wanted, said, strict=True)) == wanted


@pytest.mark.parametrize("language", language_tags())
def test_no_voice_falls_back_to_naming_letters_in_english(language: str) -> None:
    """eSpeak marks a switch of voice as "(en)": so it says what its own voice has no way to read."""
    scheme = load_scheme("national", language)
    moves = [word for word in scheme.words if not word.startswith("cmd.")]
    said = phonemes([(language, scheme.spelling(word, "espeak")) for word in moves])
    assert {word: sound for word, sound in zip(moves, said, strict=True) if "(en)" in sound or not sound} == {}
