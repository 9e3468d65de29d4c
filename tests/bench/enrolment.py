"""What getting to know a voice is worth: the same announcements of one voice, heard without and with its profile.

    python -m tests.bench.enrolment [--count N] [--voices rms,slt,lp,mv] [--noise DB] [--engine own|whisper|auto]
        [--fit] [--model FOLDER]

The voice reads the prompts of config/enrolment.toml that it can (it is not German: what it reads is respelled for it),
and then says other announcements, none of which is among the prompts. Voices: flite slt and rms, festival lp and mv
(reserved for measuring: these figures may be told, nothing may be tuned on them), and flite awb, kal16 (not reserved).
With `--fit` nothing but our own model is fitted to the
voice: that needs speech/training/requirements.txt.
"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections.abc import Sequence
from pathlib import Path

import msgspec

REPO = Path(__file__).resolve().parent.parent.parent

from speech.announcements.understand import understand
from speech.enrolment.learn import Reading, adaptation, learnt
from speech.enrolment.prompts import load_prompts
from speech.hearing.confidence import meaning
from speech.hearing.hearing import Hearing, Verdict, recognisers
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from speech.words.voice_profile import VoiceProfile
from tests.bench.listening.keeping import Kept
from tests.bench.listening.shares import percent, table
from tests.bench.listening.voices import FESTIVAL, SPEAKABLE, Voice, said
from tests.speech.hearing.spoken_announcements import announcements, with_noise

Words = tuple[str, ...]


def gain(before: Sequence[bool], after: Sequence[bool]) -> str:
    """The difference of two shares over the same announcements, with its 95 % interval (paired, normal)."""
    gaps = [int(new) - int(old) for old, new in zip(before, after, strict=True)]
    middle = sum(gaps) / len(gaps)
    spread = 1.96 * math.sqrt(max(1e-12, sum((gap - middle) ** 2 for gap in gaps) / len(gaps) ** 2))
    return f"{middle:+.3f} ({middle - spread:+.2f} to {middle + spread:+.2f})"


async def verdicts(hearing: Hearing, corpus: Sequence[tuple[Words, bytes]], scheme: Scheme) -> list[Verdict]:
    return [await hearing.hear(pcm, scheme) for _, pcm in corpus]


async def profile_of(
    voice: str, readings: Sequence[Reading], engine: str, fit: bool, model: Path | None
) -> VoiceProfile:
    """What the voice's readings teach the ears."""
    german = load_scheme("d21", "de")
    if not fit:
        return await learnt(voice, german, readings, recognisers(engine))
    return VoiceProfile(voice, "de", "d21", own=await adaptation(german, readings, model))


async def run(
    voices: Sequence[str], count: int, noise: float | None, engine: str, fit: bool, model: Path | None
) -> None:
    german, kept = load_scheme("d21", "de"), Kept()
    prompts = [words for words in load_prompts() if set(words) <= SPEAKABLE]
    others = [words for words in announcements(count * 4, 77) if set(words) <= SPEAKABLE and words not in prompts]
    tested = others[:count]
    hearing = Hearing([OwnRecogniser(model)] if fit else recognisers(engine), patient=True)
    await hearing.start()
    lines: list[list[str]] = []
    try:
        for name in voices:
            voice = Voice(name, "festival" if name in FESTIVAL else "flite", name)
            readings = zip(prompts, await said(kept, voice, prompts), strict=True)
            corpus = list(zip(tested, await said(kept, voice, tested), strict=True))
            if noise is not None:
                corpus = [(words, with_noise(pcm, noise)) for words, pcm in corpus]
            profile = await profile_of(name, [Reading(words, pcm) for words, pcm in readings], engine, fit, model)
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
                cells = percent(sum(first), size), percent(sum(taken_right), size), str(sum(accepted)), str(wrong)
                lines.append([f"{name}, {title}", str(size), *cells])
                shares += [first, taken_right]
            gains = gain(shares[0], shares[2]), gain(shares[1], shares[3])
            put_right = ", ".join(
                f"{ear}: {len(one.words)} words, trust {one.trust}" for ear, one in profile.ears.items()
            )
            told = put_right or ("fitted" if profile.own else "nothing learnt")
            lines.append([f"{name}, gain", "", *gains, "", told])
    finally:
        await hearing.close()
    print(f"{engine.title()} without and with the voice's profile; {len(prompts)} prompts read once\n")
    print(table(("voice", "n", "first choice right", "taken right", "accepted", "of these wrong"), lines))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--voices", default="rms,mv")
    parser.add_argument("--noise", type=float, default=None)
    parser.add_argument("--engine", choices=("own", "whisper", "auto"), default="own")
    parser.add_argument("--fit", action="store_true", help="Fit our own model to the voice, and nothing else.")
    parser.add_argument("--model", type=Path, help="Another model of our own kind.")
    given = parser.parse_args()
    asyncio.run(run(given.voices.split(","), given.count, given.noise, given.engine, given.fit, given.model))
