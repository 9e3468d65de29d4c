"""Two players in one room: whose words are recorded while one holds the key and the other speaks.

    python -m tests.bench.two_in_a_room [--people measuring|all|espeak] [--known 1 3 5] [--pairs 40]

Both are known by so many confirmed announcements (`--known`), as after that many rounds; "holder alone" knows nothing
of the other. Under the holder's key then sound: the other alone, at 0 to 20 dB below the holder; the holder alone; and
the holder with the other speaking at once, so far below. An announcement is three recordings of one person, 100 ms
apart; people are compared within one collection, recorded alike. `espeak`: variants of eSpeak NG instead, where the
library of the voices is installed. No recogniser takes part: every sound counts as understood, which is the worst case.

recorded: taken at once; read back: of all, what was taken and said back to the player. asked: the player is asked to
repeat. contested: asked, and the arbiter told. twice: not
recorded either when the holder said it once more, alone (another recording); lost: nor when they said it a third time.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from speech.announcements.understand import understand
from speech.audio.flac import decode_flac
from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.hearing.hearing import Hearing, recognisers
from speech.recognisers.recogniser import SAMPLE_RATE
from speech.speakers.features import sketch_of
from speech.speakers.likeness import KnownVoice, Likeness, load_background
from speech.speakers.usual_speaker import KNOWN_AFTER, UsualSpeaker, Utterance
from speech.training.common.people import MEASURING
from speech.training.model.corpora.espeak_speech import Espeak
from speech.voices.joining import trim_silence
from speech.words.loading import load_scheme
from tests.bench.listening.at_the_board import Words, announcements_of_games
from tests.bench.listening.shares import percent, table

HUMAN = Path(__file__).resolve().parents[3] / "shared" / "data" / "human"
LOUD = 3_000.0
LEVEL_DBFS = -20.0
WAVERS_DB = 2.0
BELOW = (0.0, 3.0, 6.0, 10.0, 20.0)
TRIED = 4
"""So many announcements of each are tried in a pair."""
VARIANTS = ("m1", "m2", "m3", "m4", "m5", "m6", "m7", "f1", "f2", "f3", "f4", "f5", "croak", "klatt", "linda", "edward")
ESPEAK_WORDS = ("eva", "vier", "bauer", "springer", "felix", "drei", "dame", "dora", "fünf", "läufer", "cäsar", "zwei")

Wave = npt.NDArray[np.float64]
TAKEN = ("usual", "new", "another")


def announcements(words: Sequence[bytes]) -> list[Wave]:
    """Announcements of three recordings each, all as loud; no recording serves twice."""
    pause = np.zeros(SAMPLE_RATE // 10)
    waves = [np.frombuffer(one, "<i2").astype(float) for one in words if one]
    waves = [one * LOUD / (np.sqrt((one**2).mean()) + 1e-9) for one in waves]
    return [
        np.concatenate([waves[at], pause, waves[at + 1], pause, waves[at + 2]]) for at in range(0, len(waves) - 2, 3)
    ]


def people(names: Sequence[str] | None, count: int) -> dict[str, list[Wave]]:
    """So many announcements of each person of a collection (`names` None: of everybody in it)."""
    with (HUMAN / "index.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = {}
    for person in sorted({row["speaker"] for row in rows if row["speaker"].startswith(("hd0", "arcmd"))}):
        if names is not None and person not in names:
            continue
        files = [HUMAN / row["file"] for row in rows if row["speaker"] == person]
        random.Random(person).shuffle(files)
        found[person] = announcements(
            [trim_silence(resample_sound(decode_flac(one.read_bytes()))).pcm for one in files[: 3 * count]]
        )
    return found


def variants(count: int) -> dict[str, list[Wave]]:
    """So many announcements of each variant of eSpeak NG, at a pitch that wavers."""
    speaker, found = Espeak(), dict[str, list[Wave]]()
    for name in VARIANTS:
        chance = random.Random(name)
        words = []
        for _ in range(3 * count):
            text, pitch, speed = chance.choice(ESPEAK_WORDS), chance.randint(42, 58), chance.randint(145, 175)
            spoken = speaker.speak(text, f"de+{name}", speed=speed, pitch=pitch)
            if spoken is not None:
                pcm = (spoken.samples * 32_767).astype("<i2").tobytes()
                words.append(trim_silence(resample_sound(Sound(pcm, speaker.rate))).pcm)
        if words:
            found[f"espeak-{name}"] = announcements(words)
    return found


def together(mine: Wave, other: Wave, below_db: float) -> bytes:
    """Both at once, the other so far below."""
    both = np.zeros(max(len(mine), len(other)))
    both[: len(mine)] += mine
    both[: len(other)] += other * 10 ** (-below_db / 20)
    return pcm_of(both)


def pcm_of(wave: Wave) -> bytes:
    """A wave as mono s16le."""
    return wave.clip(-32_768, 32_767).astype("<i2").tobytes()


sketch = cache(sketch_of)


class Tried:
    """The counts of one table: how each kind of sound was ruled on."""

    def __init__(self, known: int, beside: bool) -> None:
        self.known, self._beside = known, beside
        self.found: dict[str, Counter[str]] = {}
        self._likeness = Likeness(load_background())
        self._chance = random.Random(known)

    def _voice(self, said: Sequence[Wave]) -> KnownVoice:
        return self._likeness.of_sketches([one for wave in said if (one := sketch(pcm_of(wave))) is not None])

    def pair(self, mine: Sequence[Wave], other: Sequence[Wave]) -> None:
        """Try one holder beside one other."""
        usual = UsualSpeaker((LEVEL_DBFS,) * KNOWN_AFTER, (self._voice(mine[: self.known]),))
        others = (self._voice(other[: self.known]),) if self._beside else ()
        own_said, other_said = mine[self.known :], other[self.known :]
        for at in range(min(TRIED, len(own_said) - 1, len(other_said))):
            again = [pcm_of(own_said[(at + more) % len(own_said)]) for more in (1, 2)]
            self._note("the holder alone", usual, others, pcm_of(own_said[at]), 0.0, again)
            for below in BELOW:
                self._note(f"the other alone, -{below:g} dB", usual, others, pcm_of(other_said[at]), below, ())
                both = together(own_said[at], other_said[at], below)
                self._note(f"both at once, the other -{below:g} dB", usual, others, both, 0.0, again)

    def _note(
        self,
        kind: str,
        usual: UsualSpeaker,
        others: Sequence[KnownVoice],
        pcm: bytes,
        below: float,
        again: Sequence[bytes],
    ) -> None:
        counts = self.found.setdefault(kind, Counter())
        level = LEVEL_DBFS - below + self._chance.gauss(0.0, WAVERS_DB)
        ruling, after = usual.rule_on(Utterance(level, sketch(pcm)), self._likeness, None, others)
        counts["tried"] += 1
        counts["read back"] += ruling in ("new", "another")
        counts["recorded" if ruling in TAKEN else "contested" if ruling == "strange" else "asked"] += 1
        for more, name in zip(again, ("twice", "lost"), strict=False):
            if ruling in TAKEN:
                return
            level = LEVEL_DBFS + self._chance.gauss(0.0, WAVERS_DB)
            ruling, after = after.rule_on(Utterance(level, sketch(more)), self._likeness, None, others)
            counts[name] += ruling not in TAKEN


def rows(tried: Tried) -> list[list[str]]:
    """The lines of a table."""
    found = []
    for kind, counts in sorted(tried.found.items()):
        cells = [percent(counts[name], counts["tried"]) for name in ("recorded", "read back", "asked", "contested")]
        if kind.startswith("the other"):
            cells += ["-", "-"]
        else:
            cells += [percent(counts[name], counts["tried"]) for name in ("twice", "lost")]
        found.append([kind, str(counts["tried"]), str(counts["recorded"]), *cells])
    return found


async def heard(count: int) -> list[list[str]]:
    """Have the ears hear whole announcements of eSpeak NG's voices under others', and say whose were recorded."""
    speaker, chance, scheme = Espeak(), random.Random(5), load_scheme("d21", "de")
    likeness, found = Likeness(load_background()), dict[str, Counter[str]]()
    said = announcements_of_games(4 * count, 7)
    hearing = Hearing(recognisers("auto"), patient=True)

    def spoken(words: Words, voice: str) -> Wave:
        text = " ".join(scheme.text(word) for word in words)
        sound = speaker.speak(text, f"de+{voice}", pitch=chance.randint(42, 58), speed=chance.randint(140, 170))
        assert sound is not None
        pcm = (sound.samples * 32_767).astype("<i2").tobytes()
        wave = np.frombuffer(trim_silence(resample_sound(Sound(pcm, speaker.rate))).pcm, "<i2").astype(float)
        return np.asarray(wave * LOUD / np.sqrt((wave**2).mean()))

    def voice_of(voice: str) -> KnownVoice:
        sketches = [sketch_of(pcm_of(spoken(chance.choice(said).words, voice))) for _ in range(KNOWN_AFTER)]
        return likeness.of_sketches([one for one in sketches if one is not None])

    try:
        for at in range(count):
            mine, near = chance.sample(VARIANTS, 2)
            usual, beside = UsualSpeaker((LEVEL_DBFS,) * KNOWN_AFTER, (voice_of(mine),)), (voice_of(near),)
            own_words, other_words = said[2 * at].words, said[2 * at + 1].words
            own, other = spoken(own_words, mine), spoken(other_words, near)
            sounds = {f"both at once, the other -{below:g} dB": together(own, other, below) for below in BELOW}
            for kind, pcm in {
                **sounds,
                "the holder alone": pcm_of(own),
                "the other alone, -0 dB": pcm_of(other),
            }.items():
                counts, verdict = found.setdefault(kind, Counter()), await hearing.hear(pcm, scheme)
                ruling, _ = usual.rule_on(Utterance(LEVEL_DBFS, sketch_of(pcm)), likeness, None, beside)
                understood = verdict.verdict in ("accept", "confirm") and verdict.heard.kind == "move"
                counts["tried"] += 1
                if understood:
                    whose = {understand(own_words).said: "own", understand(other_words).said: "other's"}
                    name = whose.get(verdict.heard.said, "neither's")
                    counts[name] += ruling in TAKEN
                    counts[f"{name} heard"] += 1
    finally:
        await hearing.close()
    names = ("own heard", "own", "other's heard", "other's", "neither's heard", "neither's")
    return [[kind, str(one["tried"]), *(str(one[name]) for name in names)] for kind, one in sorted(found.items())]


def main() -> None:
    """Print a table for each number of rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", choices=("measuring", "all", "espeak"), default="measuring")
    parser.add_argument("--known", type=int, nargs="+", default=(1, 3, 5))
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--hear", type=int, default=0, help="so many pairs of eSpeak NG's voices through the ears too")
    given = parser.parse_args()
    if given.hear:
        head = ("heard (as move)", "tried", "own", "recorded", "other's", "recorded", "neither's", "recorded")
        print(table(head, asyncio.run(heard(given.hear))))
        return
    count = max(given.known) + TRIED + 1
    names = MEASURING if given.people == "measuring" else None
    said = variants(count) if given.people == "espeak" else people(names, count)
    pairs = [(one, two) for one in said for two in said if one != two and one[:2] == two[:2]]
    random.Random(1).shuffle(pairs)
    for known in given.known:
        for beside in (True, False):
            tried = Tried(known, beside)
            for one, two in pairs[: given.pairs]:
                tried.pair(said[one], said[two])
            print(f"\nKnown by {known}, {'both' if beside else 'the holder alone'}:\n")
            columns = (
                "under the key",
                "tried",
                "recorded",
                "%",
                "read back %",
                "asked %",
                "contested %",
                "twice %",
                "lost %",
            )
            print(table(columns, rows(tried)), flush=True)


if __name__ == "__main__":
    main()
