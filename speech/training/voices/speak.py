"""Many voices, each saying some utterances, for `speech.training.voices.fit`.

Written are WORK/NAME.pcm and .jsonl, only what is not there already. There are eSpeak NG's variants, German and
foreign, at a pitch of their own that wavers a little, and festival's, flite's and Pico's human voices. None is reserved
for measuring. What is not installed is left out.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from speech.recognisers.lexicon import load_all
from speech.training.common.planned_utterances import RESERVED
from speech.training.model.corpora.contents import draw_sentence
from speech.training.model.corpora.corpus import RATE, CorpusWriter
from speech.training.model.corpora.espeak import HELD_OUT, VARIANTS, EspeakSpeaker
from speech.training.model.corpora.espeak_speech import Espeak
from speech.training.model.corpora.festival import festival_corpus
from speech.training.model.corpora.flite import flite_corpus
from speech.training.model.corpora.pico import pico_text as asked_of_pico
from speech.training.model.corpora.voices.festival_voices import FLITE, TUNING, VOICES, HumanVoice
from speech.training.model.corpora.voices.pico_voices import PICO, PICO_TUNING

ESPEAK, ESPEAK_TUNING = "espeak", "espeak-tuning"
TUNING_VOICES = (TUNING.speaker, PICO_TUNING.speaker)
HUMAN = tuple(voice.speaker for voice in (*VOICES, FLITE, *PICO, TUNING, PICO_TUNING))
_OF_ONE_HUMAN, _OF_ONE_VARIANT = 80, 24
_ACCENTS = ("en", "hu", "cs", "it", "pl", "tr", "ru", "es", "fi", "hy", "ar", "he")
_TUNING_ACCENTS = ("de", "hu", "en", "ar", "he")
_SHORTEST = RATE // 4


def speak_missing(work: Path, seed: int) -> None:
    """Speak everything that is missing in `work`."""
    chance = random.Random(seed)  # noqa: S311
    accents = [(language, variant) for language in _ACCENTS for variant in chance.sample(VARIANTS, 7)]
    training = [("de", variant) for variant in VARIANTS] + accents
    tuning = [(language, variant) for language in _TUNING_ACCENTS for variant in HELD_OUT]
    for name, voices in ((ESPEAK, training), (ESPEAK_TUNING, tuning)):
        if not (work / f"{name}.pcm").exists():
            _variants(work / name, voices, seed)
    for place, voice in enumerate((*VOICES, TUNING)):
        if shutil.which("festival") and not (work / f"{voice.speaker}.pcm").exists():
            festival_corpus(work / voice.speaker, voice, _OF_ONE_HUMAN, seed + place)
    if shutil.which("flite") and not (work / f"{FLITE.speaker}.pcm").exists():
        flite_corpus(work / FLITE.speaker, FLITE, _OF_ONE_HUMAN, seed)
    for voice in (*PICO, PICO_TUNING):
        if not (work / f"{voice.speaker}.pcm").exists():
            _pico(work / voice.speaker, voice, seed)


def _variants(stem: Path, voices: Sequence[tuple[str, str]], seed: int) -> None:
    assert not RESERVED.intersection(variant for _, variant in voices)
    espeak, lexicon, chance = Espeak(), load_all(), random.Random(seed)  # noqa: S311
    speaker, writer = EspeakSpeaker(espeak), CorpusWriter(stem)
    for language, variant in voices:
        name = f"{language}+{variant}" if variant else language
        pitch, said = chance.randint(40, 60), 0
        for _ in range(3 * _OF_ONE_VARIANT):
            asked = speaker.text_asked(draw_sentence(chance, lexicon), language, chance)
            if asked is None or said == _OF_ONE_VARIANT:
                continue
            speed, swing = chance.randint(110, 200), chance.randint(30, 70)
            spoken = espeak.speak(asked[0], name, speed=speed, pitch=pitch + chance.randint(-6, 6), swing=swing)
            if spoken is not None and len(spoken.samples) * RATE >= _SHORTEST * spoken.rate:
                writer.add(f"espeak {name}", spoken.samples, spoken.rate, ())
                said += 1
    writer.close()


def _pico(stem: Path, voice: HumanVoice, seed: int) -> None:
    try:
        from ttspico import TtsEngine
    except ImportError:
        return
    engine, lexicon, chance = TtsEngine(voice.name), load_all(), random.Random(seed)  # noqa: S311
    writer, said = CorpusWriter(stem), 0
    while said < _OF_ONE_HUMAN:
        engine.pitch, engine.rate = round(100 * chance.lognormvariate(0.0, 0.06)), chance.randint(80, 150)
        data = engine.speak(asked_of_pico(draw_sentence(chance, lexicon), voice.phones_said(chance), chance)) or b""
        if len(data) >= 2 * _SHORTEST:
            writer.add(voice.speaker, np.frombuffer(data, "<i2").astype(np.float32) / np.float32(32768), RATE, ())
            said += 1
    writer.close()
