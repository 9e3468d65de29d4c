"""What the ears make of synthetic speech: right, wrong, asked again, rejected; and the real-time factor.

    python tests/bench/hearing.py [ANNOUNCEMENTS PER ROW] [--engine sphinx|vosk|auto]

Rows: eSpeak NG's German speakers that the pronunciations and the confidence were fitted on ("fitted") and those that
are reserved for measuring, clean and with white noise; flite and festival where they are installed; the recordings in
shared/data/voices-de (letters instead of names, words pasted together); and free speech and noise, where only a
rejection is right. All of it is synthetic: no figure here says anything about a human speaker.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPO), str(REPO / "tests" / "speech_hearing")]

from spoken_announcements import announcements, phrase, rendered, with_noise

from speech.audio.wav import read_wav
from speech.confidence import meaning
from speech.hearing import ENGINES, Hearing, recognisers
from speech.loading import load_scheme
from speech.scheme import Scheme
from speech.understanding import understand
from speech.voices.voice import Manner, Segment

FITTED = (None, "f1", "f2", "f3", "f4", "m1", "m2", "m3", "m5", "m8", "klatt", "klatt3", "edward", "Michael", "adam")
RESERVED = ("f5", "m7", "klatt2", "Storm")
FREE = (
    "Guten Abend, schön dass Sie da sind.",
    "Das Buffet ist ab sieben Uhr geöffnet.",
    "Könnten Sie mir bitte meine Jacke bringen?",
    "Unser Bus fährt erst um halb neun zurück.",
    "Ich war im Sommer vier Wochen in Italien.",
    "Wer hat eigentlich die Heizung abgestellt?",
    "Der zweite Platz ist doch auch nicht schlecht.",
    "Am Dienstag treffen wir uns wieder im Verein.",
    "Meine Tochter studiert jetzt in Leipzig.",
    "Haben Sie den Artikel in der Zeitung gelesen?",
    "Das Licht hier ist viel zu hell.",
    "Danke, das war sehr freundlich von Ihnen.",
)
# How an English or an Italian or a Finnish voice must be asked so that it says something like the German words.
ENGLISH = (
    "ahna bella tsayzar dahveet ayvah faylix goostahf hecktor ines tsvy dry feer foonf zecks zeeben ahkt "
    "kernish dahmuh toorm loyfer shpringer bower shlaykt"
)
ITALIAN = (
    "anna bella zesar david eva felix gustav ettor ains zvai drai fir funf secs siben act "
    "chenig dame turm loifer springher bauer sclect"
)
FINNISH = (
    "anna bella tsesar daavid eeva feeliks gustav hektor ains tsvai drai fiir fynf seks siiben aht "
    "köönih daame turm loifer springer bauer sleekt"
)
WORDS = (
    *(f"file.{file}" for file in "abcdefgh"),
    *(f"rank.{rank}" for rank in "12345678"),
    *(f"piece.{piece}" for piece in ("king", "queen", "rook", "bishop", "knight", "pawn")),
    "word.takes",
)
FESTIVAL = {"lp": ("lp_diphone", ITALIAN), "mv": ("hy_fi_mv_diphone", FINNISH)}
FLITE = ("slt", "rms")
PASTED = {"king": "king", "queen": "queen", "rook": "rook", "bishop": "bishop", "knight": "knight", "pawn": "pawn"}

Words = tuple[str, ...]
Corpus = list[tuple[Words, bytes]]


async def espeak(scheme: Scheme, speakers: Sequence[str | None], count: int, seed: int) -> Corpus:
    """Announcements by eSpeak's German speakers in turn."""
    said = announcements(count, seed)
    phrases = [phrase(words, scheme, speakers[number % len(speakers)]) for number, words in enumerate(said)]
    return list(zip(said, await rendered(phrases), strict=True))


def speakable(count: int, seed: int) -> list[Words]:
    return [words for words in announcements(count * 2, seed) if set(words) <= set(WORDS)][:count]


def flite(voice: str, count: int) -> Corpus:
    """Announcements in a human-derived English voice that reads respelled German."""
    spelled = dict(zip(WORDS, ENGLISH.split(), strict=True))
    found: Corpus = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.wav"
        for words in speakable(count, 31):
            text = " ".join(spelled[word] for word in words)
            subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(file)], check=True)
            found.append((words, read_wav(file).pcm))
    return found


def festival(voice: str, count: int) -> Corpus:
    """Announcements in a human-derived diphone voice; empty where that voice is not installed."""
    name, respelled = FESTIVAL[voice]
    spelled = dict(zip(WORDS, respelled.split(), strict=True))
    said = speakable(count, 32)
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"(voice_{name})"]
        for number, words in enumerate(said):
            text = " ".join(spelled[word] for word in words)
            file = f"{folder}/{number}.wav"
            lines.append(f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{file}" \'riff)')
        script = Path(folder) / "say.scm"
        script.write_text("\n".join(lines), encoding="iso-8859-1")
        subprocess.run(["festival", "-b", str(script)], check=False, stderr=subprocess.DEVNULL)
        files = [(words, Path(folder) / f"{number}.wav") for number, words in enumerate(said)]
        return [(words, read_wav(file).pcm) for words, file in files if file.exists()]


def pasted(folder: Path, count: int) -> Corpus:
    """Recorded German words one after the other: piece, letter, number."""
    chance = random.Random(33)
    found: Corpus = []
    for _ in range(count):
        piece, file, rank = chance.choice(list(PASTED)), chance.choice("abcdefgh"), chance.choice("12345678")
        parts = [read_wav(folder / f"{name}.wav").pcm for name in (PASTED[piece], file, rank)]
        found.append(((f"piece.{piece}", f"letter.{file}", f"rank.{rank}"), b"".join(parts)))
    return found


async def not_for_us() -> Corpus:
    """Free German speech, and noises: silence is the only right answer."""
    talk = await rendered([([Segment(text, "de")], Manner(who)) for text in FREE for who in RESERVED])
    chance = np.random.default_rng(4)
    noises = [chance.normal(0.0, level, 32_000) for level in (3.0, 300.0, 3000.0)]
    noises += [np.cumsum(chance.normal(0.0, 50.0, 32_000)) for _ in range(3)]
    return [((), sound) for sound in talk] + [((), noise.astype("<i2").tobytes()) for noise in noises]


async def measured(hearing: Hearing, corpus: Corpus, scheme: Scheme) -> tuple[Counter[str], float, list[int]]:
    """Counts by outcome, the real-time factor, and ms from the last sample to the verdict; one utterance at a time."""
    counts: Counter[str] = Counter()
    waits: list[int] = []
    begun = time.perf_counter()
    for words, pcm in corpus:
        verdict = await hearing.hear(pcm, scheme)
        waits.append(verdict.ms)
        right = bool(words) and meaning(verdict.heard) == meaning(understand(words))
        counts["exact"] += verdict.words == words and bool(words)
        taken = verdict.verdict in ("accept", "confirm")
        counts["right" if right and taken else "wrong" if taken else verdict.verdict] += 1
        counts["accepted wrong"] += verdict.verdict == "accept" and not right
        counts["accepted"] += verdict.verdict == "accept"
    seconds = sum(len(pcm) for _, pcm in corpus) / 32_000
    return counts, (time.perf_counter() - begun) / seconds, waits


async def run(count: int, engine: str) -> None:
    german, letters = load_scheme("d21", "de"), load_scheme("letters", "de")
    shared = Path(os.environ.get("ANNA_EINS_SHARED", REPO.parent / "shared")) / "data" / "voices-de"
    fitted, reserved = await espeak(german, FITTED, count, 51), await espeak(german, RESERVED, count, 52)
    rows: list[tuple[str, Corpus, Scheme]] = [
        ("eSpeak, fitted, clean", fitted, german),
        ("eSpeak, fitted, 20 dB", [(words, with_noise(pcm, 20.0)) for words, pcm in fitted], german),
        ("eSpeak, reserved, clean", reserved, german),
        ("eSpeak, reserved, 20 dB", [(words, with_noise(pcm, 20.0)) for words, pcm in reserved], german),
    ]
    if shutil.which("flite"):
        rows += [(f"flite {voice}, reserved", flite(voice, count // 2), german) for voice in FLITE]
    if shutil.which("festival"):
        rows += [(f"festival {voice}, reserved", festival(voice, count // 2), german) for voice in FESTIVAL]
    if shared.is_dir():
        rows += [
            (f"{name}, letters, reserved", pasted(shared / name, count // 2), letters) for name in ("gust", "christina")
        ]
    rows.append(("free speech and noise", await not_for_us(), german))
    hearing = Hearing(recognisers(engine))
    await hearing.start()
    table = Table(title=f"Hearing by {'+'.join(hearing.engines)}, whole grammar; {platform.platform()}")
    for column in (
        "voices",
        "n",
        "exact",
        "right",
        "wrong",
        "asked",
        "rejected",
        "accepted",
        "of these wrong",
        "RTF",
        "ms",
    ):
        table.add_column(column, justify="left" if column == "voices" else "right")
    try:
        await hearing.hear(fitted[0][1], german)
        await hearing.hear(fitted[0][1], letters)
        for name, corpus, scheme in rows:
            if not corpus:
                continue
            counts, factor, waits = await measured(hearing, corpus, scheme)
            share = [
                f"{counts[key] / len(corpus):.3f}"
                for key in ("exact", "right", "wrong", "repeat", "reject", "accepted")
            ]
            wrong = f"{counts['accepted wrong'] / max(1, counts['accepted']):.3f}"
            table.add_row(name, str(len(corpus)), *share, wrong, f"{factor:.3f}", str(sorted(waits)[len(waits) // 2]))
    finally:
        await hearing.close()
    Console(width=150).print(table)
    print(
        "right, wrong: taken (accept or confirm). RTF: seconds a second of sound, one utterance at a time. "
        "ms: median, last sample to verdict."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--engine", choices=ENGINES, default="sphinx")
    given = parser.parse_args()
    asyncio.run(run(given.count, given.engine))
