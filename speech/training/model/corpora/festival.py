"""Sentences spoken with festival's human voices.

The durations come from eSpeak NG and from chance, the places from festival.
"""

from __future__ import annotations

import itertools
import random
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import soundfile
import soxr

from speech.recognisers.lexicon import VOWELS, load_all
from speech.training.model.corpora.contents import Item, accent_now_and_then, as_spoken, draw_sentence
from speech.training.model.corpora.corpus import RATE, CorpusWriter, Samples, Sounded
from speech.training.model.corpora.espeak import EspeakSpeaker, place_phones
from speech.training.model.corpora.espeak_speech import Espeak
from speech.training.model.corpora.voices.festival_voices import HumanVoice

BATCH = 100
"""How many utterances one run of festival speaks."""
_TIME = re.compile(r"^SEG (\d+) (\S+) ([0-9.]+)$")
_MISSING = re.compile(r"default diphone \S+ for (\S+)")


class TargetPhone(Sounded, frozen=True, array_like=True):
    """A phone as it should be, with what the voice calls it."""

    theirs: tuple[str, ...] = ()


def _plan(
    items: Sequence[Item], voice: HumanVoice, speaker: EspeakSpeaker, espeak: Espeak, chance: random.Random
) -> list[TargetPhone] | None:
    """Return the phones with durations like eSpeak NG's, each a little longer or shorter by chance."""
    own = accent_now_and_then(chance)
    items = as_spoken(items, own, chance)
    asked = speaker.text_asked(items, "de", chance)
    spoken = None if asked is None else espeak.speak(asked[0], "de", speed=chance.randint(90, 235))
    sounded = None if asked is None or spoken is None else place_phones(items, asked[1], spoken)
    if sounded is None:
        return None
    ways = voice.phones_said(chance, own)
    # Some speakers draw their vowels out, as people do who dictate.
    drawl = chance.uniform(1.0, 2.2) if chance.random() < 0.3 else 1.0
    found: list[TargetPhone] = []
    now, before = 0.2, 0.0
    for one in sounded:
        gap = one.start - before if found else 0.0
        before = one.end
        if gap > 0.02:
            now += gap
        theirs = ways[one.phone]
        if not theirs:
            continue
        length = max(0.035, (one.end - one.start) * chance.lognormvariate(0.0, 0.2))
        if one.phone in VOWELS and one.phone != "@":
            length *= drawl
        found.append(TargetPhone(one.phone, one.token, now, now + length, theirs))
        now += length
    return found


def _segments(plan: Sequence[TargetPhone], voice: HumanVoice, chance: random.Random) -> str:
    """Return the utterance as festival's (phone duration (place pitch)), with a falling, lively pitch."""
    base = voice.pitch * chance.lognormvariate(0.0, 0.22)
    swing, fall = chance.uniform(0.02, 0.14), chance.uniform(0.0, 0.25)
    total = plan[-1].end
    parts: list[str] = []

    def add(name: str, length: float, at: float) -> None:
        pitch = base * (1 + swing * np.sin(at * 9.0 + base) + fall * (0.5 - at / total)) * chance.gauss(1.0, 0.02)
        parts.append(f"({name} {length:.4f} ({length / 2:.4f} {pitch:.1f}))")

    now = 0.0
    for one in plan:
        if one.start - now > 0.01:
            add(voice.silence, one.start - now, now)
        for name in one.theirs:
            add(name, (one.end - one.start) / len(one.theirs), one.start)
        now = one.end
    add(voice.silence, 0.2, now)
    return f"(Utterance Segments ({' '.join(parts)}))"


def _syllables(theirs: Sequence[str]) -> str:
    """Return phones as one entry of a lexicon: one syllable for each vowel."""
    syllables: list[list[str]] = [[]]
    for phone in theirs:
        vowel = phone[0] in "aeiouEO"
        if vowel and any(one[0] in "aeiouEO" for one in syllables[-1]):
            syllables.append([])
        syllables[-1].append(phone)
    marked = [f"(({' '.join(one)}) {int(any(p.endswith('1') for p in one))})" for one in syllables]
    return f"({' '.join(marked)})"


def _script(plans: Sequence[list[TargetPhone]], voice: HumanVoice, folder: Path, chance: random.Random) -> str:
    lines = [f"(voice_{voice.name})", "(set! saying 0)"]
    for number, plan in enumerate(plans):
        if voice.kind == "diphone":
            utterance = _segments(plan, voice, chance)
        elif voice.kind == "phones":
            names = [name for one in plan for name in one.theirs]
            utterance = f"(Utterance Phones ({voice.silence} {' '.join(names)} {voice.silence}))"
        else:
            words: list[list[str]] = []
            for place, one in enumerate(plan):
                if place == 0 or one.token != plan[place - 1].token or not one.token:
                    words.append([])
                words[-1] += one.theirs
            names = [f"zz{chr(97 + place // 26)}{chr(97 + place % 26)}zz" for place in range(len(words))]
            lines += [
                f'(lex.add.entry \'("{name}" n {_syllables(word)}))' for name, word in zip(names, words, strict=True)
            ]
            utterance = f'(Utterance Text "{" ".join(names)}")'
            lines.append(f"(Parameter.set 'Duration_Stretch {chance.uniform(0.75, 1.25):.2f})")
        lines.append(f"(set! u (utt.synth {utterance}))")
        lines.append(f'(utt.save.wave u "{folder}/{number}.wav" \'riff)')
        lines.append(
            f'(mapcar (lambda (s) (format t "SEG {number} %s %f\\n" (item.name s) (item.feat s \'end)))'
            " (utt.relation.items u 'Segment))"
        )
    return "\n".join(lines)


def _lay_phones(
    plan: Sequence[TargetPhone], segments: Sequence[tuple[str, float]], silence: str, stretch: float
) -> list[Sounded] | None:
    """Return our phones where the voice put its own; None where it said other phones than asked."""
    spans: list[tuple[str, float, float]] = []
    before = 0.0
    for name, end in segments:
        if name != silence:
            spans.append((name, before * stretch, end * stretch))
        before = end
    if [name for name, _, _ in spans] != [name for one in plan for name in one.theirs]:
        return None
    found: list[Sounded] = []
    place = 0
    for one in plan:
        part = spans[place : place + len(one.theirs)]
        place += len(one.theirs)
        found.append(Sounded(one.phone, one.token, part[0][1], part[-1][2]))
    return found


def _render_plans(
    plans: Sequence[list[TargetPhone]], voice: HumanVoice, chance: random.Random
) -> list[tuple[Samples, list[Sounded]] | None]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "say.scm"
        script.write_text(_script(plans, voice, folder, chance), encoding="ascii")
        ended = subprocess.run(["festival", "-b", str(script)], capture_output=True, check=False)  # noqa: S607
        missing = set(_MISSING.findall(ended.stderr.decode("latin-1")))
        segments: dict[int, list[tuple[str, float]]] = {}
        for line in ended.stdout.decode("latin-1").splitlines():
            if found := _TIME.match(line):
                segments.setdefault(int(found[1]), []).append((found[2], float(found[3])))
        results: list[tuple[Samples, list[Sounded]] | None] = []
        for number, plan in enumerate(plans):
            file = folder / f"{number}.wav"
            names = [name for name, _ in segments.get(number, ())]
            lame = any(f"{one}-{two}" in missing for one, two in itertools.pairwise(names))
            if not file.exists() or not names or lame:
                results.append(None)
                continue
            samples, rate = soundfile.read(file, dtype="float32")
            if rate != RATE:
                samples = soxr.resample(samples, rate, RATE)
            stretch = len(samples) / RATE / segments[number][-1][1]
            sounded = _lay_phones(plan, segments[number], voice.silence, stretch) if 0.9 < stretch < 1.2 else None
            results.append(None if sounded is None else (samples, sounded))
        return results


def festival_corpus(stem: Path, voice: HumanVoice, count: int, seed: int) -> int:
    """Write `count` utterances of one voice; return how many were given up.

    Festival must be installed.
    """
    espeak = Espeak()
    speaker = EspeakSpeaker(espeak)
    lexicon = load_all()
    chance = random.Random(seed)  # noqa: S311
    writer = CorpusWriter(stem)
    done = lost = 0
    while done < count:
        plans: list[list[TargetPhone]] = []
        while len(plans) < BATCH:
            plan = _plan(draw_sentence(chance, lexicon), voice, speaker, espeak, chance)
            if plan:
                plans.append(plan)
        for result in _render_plans(plans, voice, chance):
            if result is None:
                lost += 1
            elif done < count:
                writer.add(voice.speaker, result[0], RATE, result[1])
                done += 1
        if lost > 10 * count + 10 * BATCH:
            break
    writer.close()
    return lost
