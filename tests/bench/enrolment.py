"""What getting to know a voice is worth: the same announcements of one voice, heard without and with its profile.

    python tests/bench/enrolment.py [--count N] [--voices rms,slt,lp,mv] [--noise DB]

The voice reads the prompts of config/enrolment.toml that it can (it is not German: what it reads is respelled for it),
and then says other announcements, none of which is among the prompts. Voices: flite slt and rms, festival lp and mv
(reserved for measuring: these figures may be told, nothing may be tuned on them), and flite awb, kal16 (not reserved).
"""

from __future__ import annotations

import argparse
import asyncio
import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPO), str(REPO / "tests" / "speech_hearing"), str(REPO / "tests" / "bench")]

from hearing import ENGLISH, FESTIVAL, WORDS, speakable
from spoken_announcements import with_noise

from speech.audio.wav import read_wav
from speech.confidence import meaning
from speech.enrolling.learning_voice import Reading, learnt
from speech.enrolling.prompts import load_prompts
from speech.hearing import Hearing, Verdict, recognisers
from speech.loading import load_scheme
from speech.scheme import Scheme
from speech.understanding import understand

Words = tuple[str, ...]


def flite(voice: str, said: Sequence[Words], folder: Path) -> list[tuple[Words, bytes]]:
    """What a flite voice makes of respelled German."""
    spelled = dict(zip(WORDS, ENGLISH.split(), strict=True))
    found: list[tuple[Words, bytes]] = []
    for words in said:
        text = " ".join(spelled[word] for word in words)
        subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(folder / "a.wav")], check=True)
        found.append((words, read_wav(folder / "a.wav").pcm))
    return found


def festival(voice: str, said: Sequence[Words], folder: Path) -> list[tuple[Words, bytes]]:
    """What a festival voice makes of respelled German."""
    name, respelled = FESTIVAL[voice]
    spelled = dict(zip(WORDS, respelled.split(), strict=True))
    lines = [f"(voice_{name})"]
    for number, words in enumerate(said):
        text = " ".join(spelled[word] for word in words)
        lines.append(f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{folder}/{number}.wav" \'riff)')
    (folder / "say.scm").write_text("\n".join(lines), encoding="iso-8859-1")
    subprocess.run(["festival", "-b", str(folder / "say.scm")], check=False, stderr=subprocess.DEVNULL)
    files = [(words, folder / f"{number}.wav") for number, words in enumerate(said)]
    return [(words, read_wav(file).pcm) for words, file in files if file.exists()]


def interval(hits: int, count: int) -> str:
    """Wilson's 95 % interval of a share."""
    share, z = hits / count, 1.96
    middle, spread = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    low, high = (middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count)
    return f"{share:.3f} ({max(0.0, low):.2f}-{high:.2f})"


def gain(before: Sequence[bool], after: Sequence[bool]) -> str:
    """The difference of two shares over the same announcements, with its 95 % interval (paired, normal)."""
    gaps = [int(new) - int(old) for old, new in zip(before, after, strict=True)]
    middle = sum(gaps) / len(gaps)
    spread = 1.96 * math.sqrt(max(1e-12, sum((gap - middle) ** 2 for gap in gaps) / len(gaps) ** 2))
    return f"{middle:+.3f} ({middle - spread:+.2f} to {middle + spread:+.2f})"


async def verdicts(hearing: Hearing, corpus: Sequence[tuple[Words, bytes]], scheme: Scheme) -> list[Verdict]:
    return [await hearing.hear(pcm, scheme) for _, pcm in corpus]


async def run(voices: Sequence[str], count: int, noise: float | None) -> None:
    german = load_scheme("d21", "de")
    prompts = [words for words in load_prompts() if set(words) <= set(WORDS)]
    tested = [words for words in speakable(count * 2, 77) if words not in prompts][:count]
    hearing = Hearing(recognisers("sphinx"))
    await hearing.start()
    table = Table(title=f"Sphinx without and with the voice's profile; {len(prompts)} prompts read once")
    for column in ("voice", "n", "", "first choice right", "taken right", "accepted", "of these wrong"):
        table.add_column(column, justify="left" if column in ("voice", "") else "right")
    try:
        for voice in voices:
            say = festival if voice in FESTIVAL else flite
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
                readings = say(voice, prompts, Path(one))
                corpus = say(voice, tested, Path(two))
            if noise is not None:
                corpus = [(words, with_noise(pcm, noise)) for words, pcm in corpus]
            profile = await learnt(voice, german, [Reading(words, pcm) for words, pcm in readings])
            shares: list[list[bool]] = []
            for title, scheme in (("without", german), ("with", msgspec.structs.replace(german, voice=profile))):
                found = await verdicts(hearing, corpus, scheme)
                meant = [meaning(understand(words)) for words, _ in corpus]
                first = [
                    bool(one.hypotheses) and meaning(understand(one.hypotheses[0].ids)) == truth
                    for one, truth in zip(found, meant, strict=True)
                ]
                right = [meaning(one.heard) == truth for one, truth in zip(found, meant, strict=True)]
                taken = [one.verdict in ("accept", "confirm") for one in found]
                accepted = [one.verdict == "accept" for one in found]
                wrong = sum(yes and not fits for yes, fits in zip(accepted, right, strict=True))
                taken_right = [yes and fits for yes, fits in zip(taken, right, strict=True)]
                size = len(corpus)
                table.add_row(
                    voice, str(size), title, interval(sum(first), size), interval(sum(taken_right), size),
                    str(sum(accepted)), str(wrong),
                )  # fmt: skip
                shares += [first, taken_right]
            table.add_row(
                "", "", "gain", gain(shares[0], shares[2]), gain(shares[1], shares[3]), "", f"bias {profile.bias}"
            )
    finally:
        await hearing.close()
    Console(width=140).print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--voices", default="rms,mv")
    parser.add_argument("--noise", type=float, default=None)
    given = parser.parse_args()
    asyncio.run(run(given.voices.split(","), given.count, given.noise))
