"""Sentences spoken with flite's Scottish voice.

The voice reads phones and says how long each became.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from pathlib import Path

import soundfile

from speech.recognisers.lexicon import load_all
from speech.training.common.planned_utterances import RESERVED
from speech.training.model.corpora.contents import accent_now_and_then, as_spoken, draw_sentence
from speech.training.model.corpora.corpus import CorpusWriter, Sounded
from speech.training.model.corpora.voices.festival_voices import HumanVoice

_RESERVED = RESERVED | {"slt", "rms"}
_END = re.compile(r"(\S+):([0-9.]+)")


def flite_corpus(stem: Path, voice: HumanVoice, count: int, seed: int) -> int:
    """Write `count` utterances; return how many were given up. flite must be installed."""
    assert voice.name not in _RESERVED
    lexicon = load_all()
    chance = random.Random(seed)  # noqa: S311
    writer = CorpusWriter(stem)
    lost = done = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "said.wav"
        while done < count:
            own = accent_now_and_then(chance)
            items = as_spoken(draw_sentence(chance, lexicon), own, chance)
            ways = voice.phones_said(chance, own)
            plan = [(phone, item.token, ways[phone]) for item in items for phone in item.phones]
            names = [name for _, _, theirs in plan for name in theirs]
            text = " ".join([voice.silence, *names, voice.silence])
            stretch = f"duration_stretch={chance.uniform(0.75, 1.5):.2f}"
            asked = ["flite", "-voice", voice.name, "--setf", stretch, "-psdur", "-p", text, "-o", str(file)]
            ended = subprocess.run(asked, capture_output=True, text=True, check=False)
            ends = [(name, float(end)) for name, end in _END.findall(ended.stdout)]
            spans = [
                (name, ends[place - 1][1] if place else 0.0, end)
                for place, (name, end) in enumerate(ends)
                if name != voice.silence
            ]
            if ended.returncode or [name for name, _, _ in spans] != names:
                lost += 1
                continue
            samples, rate = soundfile.read(file, dtype="float32")
            sounded: list[Sounded] = []
            place = 0
            for phone, token, theirs in plan:
                part = spans[place : place + len(theirs)]
                place += len(theirs)
                sounded.append(Sounded(phone, token, part[0][1], part[-1][2]))
            writer.add(voice.speaker, samples, rate, sounded)
            done += 1
    writer.close()
    return lost
