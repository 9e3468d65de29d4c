"""People: those who only measure (`speech.training.common.people.MEASURING`), pasted into announcements or as they are.

Two ranks by one person with piece and files by eSpeak NG's reserved variants; a file's letter and a rank by one person;
German words that are no announcement; yes, no and stop in Arabic. No recording of *ja* or *nein* is there.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import soxr

from server.cli.measure import TAKEN, meaning_of
from server.voice.intents import ASKED, SPEED_BY
from speech.announcements.understand import understand
from speech.audio.wav import HEARING_RATE
from speech.training.common.people import MEASURING
from speech.training.common.people_speech import announcement, by_word, sound_of_file, takes, two_ranks
from speech.training.model.corpora.espeak_speech import Espeak
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import NAMED_TALK, SHARED, Words
from tests.bench.listening.judging import Ears, Sounded, Tally, tallied, truth_of
from tests.bench.listening.keeping import Kept
from tests.bench.listening.shares import percent, rare, table
from tests.bench.listening.surroundings import Change
from tests.bench.listening.voices import ESPEAK, in_a_fresh_process, sentences, versions

HUMAN = SHARED / "data" / "human"
COUNTERS = ("hd06", "hd07", "gc-Martin Herweg")
"""They said the German numbers."""
SPELLER = "gc-Martin Herweg"
"""This one said the German letters too."""
TALKER = "gc-Claudia Charruau"
ARABS = tuple(name for name in MEASURING if name.startswith("arcmd-"))
EVERY_ARAB = tuple(f"arcmd-{number:08d}" for number in range(1, 21))
"""All who said the Arabic words; those who train or tune are among them, so this is no figure of strangers."""
TWO_RANKS = 160
VERSION = 1
ONLY_TELLING = frozenset({*ASKED, *SPEED_BY, "read_keys"})
"""Commands that tell a player something or change the voice in that player's ear: they bind nobody to anything."""
_ANSWERS = ("cmd.yes", "cmd.no", "cmd.stop")
_OPPOSITE = {"cmd.yes": "no", "cmd.no": "yes"}


class Pasted(msgspec.Struct, frozen=True):
    """An announcement by one person, and who says the words that the person did not. `speaker`: "" for none; two with
    " and " between them say their words by turns, as one.
    """

    speaker: str
    words: Words
    variant: str
    seed: int


def two_ranks_plan(count: int = TWO_RANKS) -> list[Pasted]:
    """So many announcements in the long form; people and variants take turns."""
    chance = random.Random(71)
    return [
        Pasted(
            COUNTERS[place % len(COUNTERS)],
            two_ranks(chance),
            ESPEAK[place // len(COUNTERS) % len(ESPEAK)],
            1_000 + place,
        )
        for place in range(count)
    ]


def letters_plan(speaker: str = SPELLER) -> list[Pasted]:
    """Every square as one person names it: a letter and a number. Those of the last ranks are no announcements."""
    squares = [(f"letter.{file}", f"rank.{rank}") for file in "abcdefgh" for rank in "12345678"]
    return [Pasted(speaker, words, "", 2_000 + place) for place, words in enumerate(squares)]


def is_announcement(words: Words) -> bool:
    """Whether this is a whole announcement; a pawn's move to the last rank must name the promotion piece (L183)."""
    return understand(words).kind == "move"


async def pasted(kept: Kept, plan: Sequence[Pasted], take: int = 0) -> list[bytes]:
    """Each announcement, mono s16le at 16 kHz; `take`: 1 draws other recordings and silences."""
    key = [VERSION, "people", msgspec.to_builtins(plan), take, versions("espeak"), (HUMAN / "index.tsv").stat().st_size]
    return await kept.sounds(key, lambda: asyncio.to_thread(in_a_fresh_process, _paste, HUMAN, list(plan), take))


def _paste(root: Path, plan: Sequence[Pasted], take: int) -> list[bytes]:
    espeak, scheme = Espeak(), load_scheme("d21", "de")
    speakers = {one.speaker for one in plan}
    said_by = {who: by_word(takes(root, who.split(" and "))) if who else {} for who in speakers}

    def say(words: Words, variant: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        text = " ".join(scheme.spelling(word, "espeak") for word in words)
        spoken = espeak.speak(text, f"de+{variant}", speed=150 - 18 * take, pitch=50 - 6 * take)
        assert spoken is not None
        return np.asarray(soxr.resample(spoken.samples.astype(np.float64), spoken.rate, HEARING_RATE))

    found: list[bytes] = []
    for one in plan:
        chance = random.Random(one.seed + 10_000 * take)
        variant = one.variant
        sound = announcement(root, one.words, said_by[one.speaker], partial(say, variant=variant), chance)
        found.append(_pcm(sound))
    return found


def _pcm(samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bytes:
    padded = np.pad(samples, HEARING_RATE // 4)
    return np.clip(np.round(padded * 32767), -32768, 32767).astype("<i2").tobytes()


def recorded(speakers: Sequence[str], words: Sequence[str] = ()) -> list[tuple[str, bytes]]:
    """What these people said as it was recorded: (word id, sound); `words`: only these."""
    found = [take for take in takes(HUMAN, speakers) if not words or take.word in words]
    return [(take.word or "", _pcm(sound_of_file(HUMAN / take.file))) for take in found]


async def tallies(ears: Ears, kept: Kept, changes: Mapping[str, Change], share: float) -> dict[tuple[str, str], Tally]:
    """(what, engine) -> counts of announcements by people: two ranks in each of the surroundings, letters in quiet."""
    found: dict[tuple[str, str], Tally] = {}
    plan = two_ranks_plan(max(12, round(TWO_RANKS * share)))
    first, second = await pasted(kept, plan), await pasted(kept, plan, take=1)
    for where, change in changes.items():
        sounded = [
            (one.speaker, Sounded(one.words, change(pcm, place), change(again, 10_000 + place)))
            for place, (one, pcm, again) in enumerate(zip(plan, first, second, strict=True))
        ]
        for speaker in COUNTERS:
            told = await tallied(ears, [one for who, one in sounded if who == speaker], load_scheme("d21", "de"))
            for engine, tally in told.items():
                found.setdefault((f"two ranks, {where}", engine), Tally()).counts.update(tally.counts)
                if where == "clean":
                    found[f"of these by {speaker}", engine] = tally
    squares = letters_plan()
    first, second = await pasted(kept, squares), await pasted(kept, squares, take=1)
    letters = [Sounded(one.words, *both) for one, *both in zip(squares, first, second, strict=True)]
    for title, whole in (("letter and rank", True), ("letter and first or eighth rank, no announcement", False)):
        some = [one for one in letters if is_announcement(one.words) is whole]
        for engine, tally in (await tallied(ears, some, load_scheme("letters", "de"))).items():
            found[f"{title}, scheme letters", engine] = tally
    print(f"  people: {found['two ranks, clean', ears.names[-1]]['right']} of {len(plan)} in quiet", flush=True)
    return found


async def letters_under_names(ears: Ears, kept: Kept) -> str:
    """The letters where D.2.1 is spoken: never to be accepted as a name of a file."""
    scheme, squares = load_scheme("d21", "de"), letters_plan()
    sounds = await pasted(kept, squares)
    await ears.listen(sounds, scheme)
    rows: list[list[str]] = []
    for name in ears.names:
        tally = Tally()
        for one, pcm in zip(squares, sounds, strict=True):
            verdict = await ears.verdict(name, pcm, scheme)
            named = any(word.startswith("file.") for word in verdict.heard.words)
            other = meaning_of(verdict.heard) != truth_of(one.words)
            if verdict.two_squares:
                tally.counts["asked which"] += 1
                continue
            tally.counts[verdict.verdict] += 1
            tally.counts["accepted as a name"] += verdict.verdict == "accept" and named
            tally.counts["accepted wrong"] += verdict.verdict == "accept" and other
            tally.counts["read back wrong"] += verdict.verdict == "confirm" and other
            tally.counts["right"] += verdict.verdict in TAKEN and not other
        n = len(squares)
        shown = ("accepted as a name", "accepted wrong", "read back wrong", "right", "asked which")
        rows.append([name, str(n), *(percent(tally[key], n) for key in shown), _asked(tally, n)])
    head = (
        "engine",
        "n",
        "accepted as a name",
        "accepted as another square",
        "read back wrong",
        "right",
        "asked which",
        "asked again",
    )
    return table(head, rows)


def _asked(tally: Tally, n: int) -> str:
    return percent(tally["repeat"] + tally["reject"], n)


async def talk(ears: Ears, kept: Kept, share: float) -> str:
    """Talk that is no announcement: sentences with names and numbers, and words of somebody who only measures.

    The sentences are by eSpeak NG's reserved variants, the words and phrases by a person.
    """
    sounds = [pcm for _, pcm in recorded((TALKER,))]
    rows = await _talked(ears, "names and numbers", await sentences(kept, NAMED_TALK, "de"))
    rows += await _talked(ears, "recorded words", sounds[:: max(1, round(1 / share))])
    head = ("accepted as a move", "read back as a move", "taken for a command", "for one that binds")
    return table(("what, engine", "n", *head, "asked which", "asked again", "ignored"), rows)


async def _talked(ears: Ears, title: str, sounds: Sequence[bytes]) -> list[list[str]]:
    scheme = load_scheme("d21", "de")
    await ears.listen(sounds, scheme)
    rows: list[list[str]] = []
    for name in ears.names:
        tally = Tally()
        for pcm in sounds:
            verdict = await ears.verdict(name, pcm, scheme)
            if verdict.two_squares:
                tally.counts["asked which"] += 1
                continue
            tally.counts[verdict.verdict] += 1
            if verdict.verdict in TAKEN:
                tally.counts[f"{verdict.heard.kind} {verdict.verdict}"] += 1
                tally.counts["bound"] += verdict.heard.kind == "command" and verdict.heard.command not in ONLY_TELLING
        n = len(sounds)
        shown = [rare(tally[f"move {what}"], n) for what in TAKEN]
        commands = tally["command accept"] + tally["command confirm"]
        shown += [rare(commands, n), rare(tally["bound"], n), percent(tally["asked which"], n)]
        rows.append([f"{title}, {name}", str(n), *shown, percent(tally["repeat"], n), percent(tally["reject"], n)])
    return rows


async def answers(ears: Ears) -> str:
    """Yes, no and stop in Arabic: as commands under the national words; yes and no never for each other."""
    scheme = load_scheme("national", "ar")
    rows: list[list[str]] = []
    for title, speakers in (("who measure", ARABS), ("all twenty, who train and tune too", EVERY_ARAB)):
        said = recorded(speakers, _ANSWERS)
        await ears.listen([pcm for _, pcm in said], scheme)
        for name in ears.names:
            tally = await _answered(ears, name, said, scheme)
            n, asked = len(said), sum(word in _OPPOSITE for word, _ in said)
            shown = [percent(tally["right"], n), rare(tally["wrong"], n), rare(tally["swapped"], asked)]
            rows.append([f"{title}, {name}", str(n), *shown, percent(tally["asked"], n)])
    return table(("Arabic yes, no, stop, engine", "n", "right", "wrong", "yes/no swapped", "asked again"), rows)


async def _answered(ears: Ears, name: str, said: Sequence[tuple[str, bytes]], scheme: Scheme) -> Tally:
    tally = Tally()
    for word, pcm in said:
        verdict = await ears.verdict(name, pcm, scheme)
        taken, right = verdict.verdict in TAKEN, meaning_of(verdict.heard) == truth_of((word,))
        tally.counts["right"] += taken and right
        tally.counts["wrong"] += taken and not right
        tally.counts["asked"] += not taken
        tally.counts["swapped"] += taken and verdict.heard.command == _OPPOSITE.get(word, "-")
    return tally
