"""What a player would say: every form of a command has a way to be heard, and a share of the forms is heard here.

All of them are heard by `python -m tests.bench.command_words --forms`.
"""

from __future__ import annotations

import pytest

from speech.hearing.hearing import Hearing
from speech.recognisers.lexicon import load_lexicon
from speech.training.voices.readings import load_readings
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_commands import BINDING, SPEAKERS, Form, forms_of, heard
from tests.speech.words.test_commands_unlike import apart
from tests.speech.words.test_espeak_spellings import phonemes
from tests.speech.words.test_lexicon_sounds import alike_of, coarse

FARTHEST = 0.35
"""Of what eSpeak NG says from the nearest way of the command, as a share of the longer one."""
SHARE = 6
"""One form in so many is heard here."""
ASKED_AGAIN = {
    ("ar", "أعد"),
    ("ar", "موافق"),
    ("ar", "أرفض"),
    ("ar", "أرفض العرض"),
    ("ar", "نعم"),
    ("ar", "أقبل التعادل"),
    ("ar", "ضبط الساعة"),
    ("en", "moves"),
    ("en", "I accept"),
    ("en", "call the arbiter"),
    ("en", "resigns"),
    ("he", "עוד פעם בבקשה"),
    ("he", "לדבר לאט יותר"),
    ("he", "עזרה בבקשה"),
    ("he", "די"),
    ("hu", "állj"),
    ("hu", "elég"),
    ("hu", "mindkét idő"),
    ("hu", "előző bejegyzés"),
    ("hu", "az előző bejegyzés"),
    ("hy", "քանի քայլ"),
    ("hy", "դրանից հետո"),
}
"""Forms that our own model alone takes for something else or for nothing in one voice: never surely."""


@pytest.mark.parametrize("language", language_tags())
def test_no_form_is_without_its_reading(language: str) -> None:
    """Where the script leaves the vowels out, a form without a reading would reach neither the voice nor an engine."""
    scheme = load_scheme("d21", language)
    forms = [form for command in COMMANDS for form in scheme.forms_spoken(f"cmd.{command}")]
    assert [one.form for one in forms_of(language)] == forms and len(forms) > 80
    readings = load_readings().get(language, {})
    usable = {form for word in load_scheme("national", language).words.values() for form in word.spoken}
    assert set(readings) <= {*forms, *usable}, "a reading of a form that nobody may use"


@pytest.mark.parametrize("language", language_tags())
def test_every_form_has_a_way_in_our_own_model(language: str) -> None:
    lexicon = load_lexicon(language)
    ways = {command: {tuple(alike_of(way)) for way in lexicon[f"cmd.{command}"]} for command in COMMANDS}
    forms = forms_of(language)
    said = phonemes([(language, one.text) for one in forms])
    far = {}
    for one, sound in zip(forms, said, strict=True):
        share = min(apart(tuple(coarse(sound)), way) for way in ways[one.command])
        if share > FARTHEST:
            far[one.command, one.form] = (round(share, 2), coarse(sound))
    assert far == {}


@pytest.mark.needs("vosk")
@pytest.mark.parametrize("language", language_tags())
@pytest.mark.asyncio(loop_scope="session")
async def test_a_share_of_the_forms_is_heard_and_none_as_another_word_that_binds(ears: Hearing, language: str) -> None:
    forms = forms_of(language)
    said: list[tuple[Form, str | None]] = [
        (form, SPEAKERS[number % len(SPEAKERS)]) for number, form in enumerate(forms[::SHARE])
    ]
    found = await heard(language, said, ears.engine("own"))
    assert len(found) == len(said) > 12
    assert [one for one in found if one.taken and one.taken != one.form.command] == []
    assert [one for one in found if not one.right and one.best in BINDING] == []
    assert [one for one in found if not one.right and (language, one.form.form) not in ASKED_AGAIN] == []
