"""Recordings of people, one take a word, and takes pasted into announcements.

The takes are those of `shared/data/human` (`index.tsv`: file, language, words, speaker), 16 kHz mono FLAC. In a pasted
announcement some words are takes of people and the others are another voice's; all are brought to one loudness, and
between the words is as much silence as people leave. Sounds are samples from -1 to 1 at 16 kHz. What is drawn comes
from the `Random` that is given: the same draws give the same sound.
"""

from __future__ import annotations

import csv
import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from speech.audio.flac import decode_flac
from speech.audio.wav import HEARING_RATE, resample_sound
from speech.complaint import Complaint

Samples = npt.NDArray[np.float64]
Say = Callable[[tuple[str, ...]], Samples]
"""Another voice: word ids in a row -> how it says them."""

INDEX = "index.tsv"
PAUSES_S = (0.0, 0.6)
"""Silence that people leave between two words of an announcement."""
LOUDNESS = 0.08
"""Every part of an announcement is brought to this loudness, where it speaks."""
FADE_S = 0.008
"""A part comes and goes in so much time, and so much of two parts lies over each other: nothing clicks."""
_LOUDEST = 0.9
_FRAME = HEARING_RATE // 100
_BEFORE, _AFTER = 4, 8
"""Frames of 10 ms kept before and after the speech: "s" and "t" end softly."""

_DIGITS = {
    "de": ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"),
    "ar": ("واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية"),
    "he": ("אחת", "שתיים", "שלוש", "ארבע", "חמש", "שש", "שבע", "שמונה"),
    "hu": ("egy", "kettő", "három", "négy", "öt", "hat", "hét", "nyolc"),
}
_OTHER_DIGITS = {"null": "digit.0", "neun": "digit.9", "zehn": "digit.10"}
_SPELLING = ("Anton", "Berta", "Cäsar", "Dora", "Emil", "Friedrich", "Gustav", "Heinrich")
_BY_THE_TABLE = " (by the table, not listened to)"
_ANSWERS = {"نعم": "cmd.yes", "لا": "cmd.no", "قف": "cmd.stop"}
_LETTERS = {"de": "abcdefgh", "nds": "abcdefgh", "hu": "ábcdéfgh"}
"""How each language writes the letters that sound as the German names of the files do, a to h."""


class Take(msgspec.Struct, frozen=True):
    """One recording of the index.

    `file`: within the folder, as the index names it. `words`: what is said, in the script of `language`; in brackets
    where only the recording's own name is known. `word`: the word id that it is, None where it is no word of ours.
    """

    file: str
    language: str
    words: str
    speaker: str
    word: str | None


def recordings_folder() -> Path:
    """Return where the recordings of people lie beside the program; they need not be there."""
    beside = Path(__file__).resolve().parents[4] / "shared"
    return Path(os.environ.get("ANNA_EINS_SHARED", beside)) / "data" / "human"


def takes(root: Path, speakers: Iterable[str]) -> list[Take]:
    """Return every take of these speakers, in the order of the index.

    Raises `Complaint` where there is no index, or nothing by one of them.
    """
    wanted = set(speakers)
    try:
        lines = (root / INDEX).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise Complaint(f"The recordings of people are not there: {root / INDEX} cannot be read.") from None
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    found = [
        Take(row["file"], row["language"], row["words"], row["speaker"], word_of(row["language"], row["words"]))
        for row in rows
        if row["speaker"] in wanted
    ]
    if missing := sorted(wanted - {take.speaker for take in found}):
        raise Complaint(f"{root / INDEX} has nothing by {missing[0]}.")
    return found


def word_of(language: str, words: str) -> str | None:
    """Return the word id of what was said.

    It is a rank, another digit, a German letter or its name in the spelling alphabet, yes, no or stop.
    """
    words = words.removesuffix(_BY_THE_TABLE)
    if words in _DIGITS.get(language, ()):
        return f"rank.{_DIGITS[language].index(words) + 1}"
    if words in tuple(_LETTERS.get(language, "")):
        return f"letter.{'abcdefgh'[_LETTERS[language].index(words)]}"
    if language == "de":
        return f"spelling.{words[0].lower()}" if words in _SPELLING else _OTHER_DIGITS.get(words)
    return _ANSWERS.get(words) if language == "ar" else None


def by_word(every: Iterable[Take]) -> dict[str, tuple[Take, ...]]:
    """Return the takes of each word id, in the order in which they came."""
    found: dict[str, list[Take]] = {}
    for take in every:
        if take.word is not None:
            found.setdefault(take.word, []).append(take)
    return {word: tuple(same) for word, same in found.items()}


@lru_cache(maxsize=4096)
def sound_of_file(file: Path) -> Samples:
    """Return a take without the silence before and after it. Raises `Complaint` where it cannot be read."""
    try:
        sound = resample_sound(decode_flac(file.read_bytes()))
    except OSError:
        raise Complaint(f"{file} cannot be read.") from None
    return trim_to_speech(np.frombuffer(sound.pcm, "<i2").astype(np.float64) / 32768)


def trim_to_speech(samples: Samples) -> Samples:
    """Return the samples from a little before the first sound of the speech to a little after its last."""
    powers = _frame_powers(samples)
    if not len(powers) or not powers.max():
        return samples
    loudest = 10 * np.log10(powers.max())
    quiet = 10 * np.log10(np.percentile(powers, 5) + 1e-12)
    least = min(max(loudest - 38.0, quiet + 8.0), loudest - 20.0)
    spoken = np.flatnonzero(10 * np.log10(powers + 1e-12) >= least)
    return samples[max(0, spoken[0] - _BEFORE) * _FRAME : (spoken[-1] + 1 + _AFTER) * _FRAME]


def loudness(samples: Samples) -> float:
    """Return the root mean square of where somebody speaks: the frames within 30 dB of the loudest."""
    powers = _frame_powers(samples)
    return float(np.sqrt(powers[powers >= powers.max() / 1000].mean())) if len(powers) else 0.0


def _frame_powers(samples: Samples) -> Samples:
    powers: Samples = (samples[: len(samples) // _FRAME * _FRAME].reshape(-1, _FRAME) ** 2).mean(axis=1)
    return powers


def level_speech(samples: Samples) -> Samples:
    """Return the samples as loud as every part is to be."""
    own = loudness(samples)
    return samples * (LOUDNESS / own) if own else samples


def paste_parts(parts: Sequence[Samples], chance: random.Random, pauses_s: tuple[float, float] = PAUSES_S) -> Samples:
    """Return the parts one after the other, equally loud, with silences drawn from `pauses_s` (seconds) between them.

    Each part comes and goes in `FADE_S`; where no silence is drawn, the two fades lie over each other.
    """
    fade = round(FADE_S * HEARING_RATE)
    slope = np.sin(np.linspace(0.0, np.pi / 2, fade)) ** 2
    laid: list[tuple[int, Samples]] = []
    place = 0
    for part in parts:
        faded = level_speech(part).copy()
        if len(faded) >= 2 * fade:
            faded[:fade] *= slope
            faded[-fade:] *= slope[::-1]
        start = max(0, place - fade) + round(chance.uniform(*pauses_s) * HEARING_RATE) if laid else 0
        laid.append((start, faded))
        place = start + len(faded)
    whole = np.zeros(place)
    for start, part in laid:
        whole[start : start + len(part)] += part
    peak = float(np.abs(whole).max()) if len(whole) else 0.0
    return whole * (_LOUDEST / peak) if peak > _LOUDEST else whole


def announcement(
    root: Path,
    words: Sequence[str],
    said_by: Mapping[str, Sequence[Take]],
    say: Say | None,
    chance: random.Random,
    pauses_s: tuple[float, float] = PAUSES_S,
) -> Samples:
    """Return the words as sound: those that `said_by` has are takes of people, the others `say` says in a row.

    Raises `Complaint` where a take cannot be read.
    """
    parts: list[Samples] = []
    for theirs, group in groupby(words, lambda word: word in said_by):
        if theirs:
            parts += [sound_of_file(root / chance.choice(said_by[word]).file) for word in group]
        else:
            others = tuple(group)
            assert say is not None, f"Nobody says {others}."
            parts.append(trim_to_speech(say(others)))
    return paste_parts(parts, chance, pauses_s)


def two_ranks(chance: random.Random) -> tuple[str, ...]:
    """Return an announcement in its long form, departure square and arrival square: it has two ranks."""
    piece = chance.choice(("king", "queen", "rook", "bishop", "knight"))
    files, ranks = (chance.choice("abcdefgh"), chance.choice("abcdefgh")), (chance.choice("12345678"), "")
    ranks = ranks[0], chance.choice([rank for rank in "12345678" if files[0] != files[1] or rank != ranks[0]])
    return f"piece.{piece}", f"file.{files[0]}", f"rank.{ranks[0]}", f"file.{files[1]}", f"rank.{ranks[1]}"
