"""Families that the bench measures as never met have taught and fitted nothing; one that is missing is said so."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import config
import speech
from speech.training.common.planned_utterances import MOVE_WORDS
from speech.training.curves.fit_together import family_of
from speech.training.curves.hall_hearing import HeardByEngines
from speech.training.curves.hall_human_voices import human_letters, human_plan
from speech.training.curves.hall_plan import hall_plan
from speech.training.curves.hall_readers import readers_plan
from speech.training.model.corpora.espeak import HELD_OUT
from speech.training.model.corpora.plan import TRAINING
from tests.bench.listening.judging import Ears
from tests.bench.listening.keeping import Kept
from tests.bench.listening.unknown_voices import never_met
from tests.bench.listening.unknown_voices.never_met import FAMILIES, american, german

PLACES = (
    *(Path(part) / "training" for part in speech.__path__),
    *(Path(part) / "models" for part in speech.__path__),
    *(Path(part) / name for part in config.__path__ for name in ("hearing.toml", "voices.toml", "confusions")),
)
"""All that says who taught the network, and what fitted its confidence, what is misheard and how voices differ."""
NOTEBOOK = "notebook.md"
"""It tells in prose how all voices were heard, those never met among them."""


def test_nothing_that_trains_or_tunes_names_a_family_that_was_never_met() -> None:
    names = {name for family in FAMILIES for name in (*family.name.split(), *family.packages, *family.voices)}
    named = re.compile(rf"\b({'|'.join(sorted(names - {'Piper' + chr(39) + 's', 'onnxruntime'}))}|piper|onnx)\b", re.I)
    looked = 0
    for place in PLACES:
        for file in [place] if place.is_file() else sorted(place.rglob("*")):
            if file.name != NOTEBOOK and file.suffix in (".py", ".toml", ".txt", ".md", ".json"):
                looked += 1
                assert (found := named.search(file.read_text("utf-8"))) is None, f"{file} names {found}"
    assert looked > 50


def test_all_that_speaks_in_the_plans_is_of_five_other_families() -> None:
    plan = [*hall_plan(24, 3, HELD_OUT), *human_plan(1, 3), *human_letters(2, 3), *readers_plan(1, 3)]
    heard = {family_of(HeardByEngines(number, said, {})) for number, said in enumerate(plan)}
    assert heard == {"eSpeak NG", "festival", "flite", "Pico", ""}
    assert not {part.name for part in TRAINING}.intersection(voice for family in FAMILIES for voice in family.voices)


@pytest.mark.parametrize(
    ("ipa", "american_sounds"),
    [("ˈʃprɪŋɐ", "ˈʃpɹɪŋɚ"), ("ˈkøːnɪç", "ˈkɜːnɪk"), ("draɪ axt", "dɹaɪ ɑːkt"), ("fʏnf ˈfeːlɪks", "fʊnf ˈfeɪlɪks")],
)
def test_an_american_says_the_nearest_sounds(ipa: str, american_sounds: str) -> None:
    assert american(ipa) == american_sounds


def test_every_word_that_is_read_has_its_sounds() -> None:
    assert set(MOVE_WORDS) <= set(german())
    assert not set("øyʏçxrɐ").intersection("".join(american(german()[word]) for word in MOVE_WORDS))


async def test_a_family_that_is_not_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gone = tuple(msgspec.structs.replace(family, packages=("no-such-voices",)) for family in FAMILIES)
    monkeypatch.setattr(never_met, "FAMILIES", gone)
    found, missing = await never_met.tallies(Ears([]), Kept(tmp_path), [], {})
    assert found == {} and len(missing) == len(FAMILIES)
    assert all("no-such-voices is not installed" in sentence for sentence in missing)
