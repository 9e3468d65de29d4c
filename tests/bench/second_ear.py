"""Is pocketsphinx worth its work? Our own model beside it, and beside another model of our own kind.

    python -m tests.bench.second_ear [--second FOLDER] [--first FOLDER] [--per-family N] [--people N]
                                     [--where BEGINNING ...] [--folder FOLDER]

Announcements of games by the voices that are reserved for measuring (as `tests.bench.hearing`); two ranks by each
of the people who are only measured, the piece and the files by a reserved voice of eSpeak NG, 100 ms between the words;
and any folder that `anna-eins measure` takes (`--folder`). Each engine hears each sound once, in a process of its own
whose processor time is counted. What they heard is then put together in several ways:

- "own", "second": one model alone.
- "own, sphinx in doubt": as in play, with the curves that were fitted for the two.
- "own, second in doubt": the same order; the second is believed as an engine that was never fitted together with it,
  so that agreement counts as if the two were independent. They are not: with the shipped model twice (no `--second`)
  this row shows how much that flatters, and any gain must be above that.
- "both must agree": who differs is asked again; the less sure of the two counts.
- "mean of P": the mean of what both give to the meaning, nothing where one heard something else.
- "scores averaged": the chains of both with the mean of their scores, as the three hearings of one model are.

The curves of the shipped model judge both models: for figures of new models fit those first (`make curves`). Shares
are percent with Wilson's 95 % interval; processor time is per second of sound.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from server.cli.measure import TAKEN, Meaning, meaning_of, read_table, sound_of
from speech.audio.flac import decode_flac
from speech.audio.level import levels
from speech.audio.sound import Sound
from speech.audio.wav import resampled
from speech.hearing.combine import ear_of
from speech.hearing.confidence import meaning
from speech.hearing.second_opinion import taken_alone, together
from speech.hearing.settings import HearingSettings, load_hearing
from speech.hearing.verdict import Judged, judged, judgement_of
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.own.recogniser import together as averaged
from speech.recognisers.recogniser import SAMPLE_RATE, Hypotheses, Vocabulary
from speech.recognisers.sphinx.recogniser import PocketsphinxRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.common.people import MEASURING
from speech.voices.joining import trimmed
from speech.words.loading import load_scheme
from speech.words.said import Heard
from tests.bench.listening import moves
from tests.bench.listening.at_the_board import Announced, announcements_of_games
from tests.bench.listening.judging import truth_of
from tests.bench.listening.keeping import Kept
from tests.bench.listening.processes import worked_s
from tests.bench.listening.shares import percent, rare, table
from tests.bench.listening.voices import families, said
from tests.speech.hearing.spoken_announcements import phrase, rendered

HUMAN = Path(__file__).resolve().parents[3] / "shared" / "data" / "human"
RANKS = dict(zip(("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"), "12345678", strict=True))
BETWEEN_WORDS = bytes(SAMPLE_RATE // 10 * 2)
LEVEL_DBFS = -24.0
RESERVED = "f5"
GAMES = 168  # of which announcements are drawn, so that a smaller run hears the first of a larger one


class Said(msgspec.Struct, frozen=True):
    """One sound, the vocabulary it is heard with, and what it means; None where it is nothing for the program."""

    pcm: bytes
    vocabulary: Vocabulary
    truth: Meaning | None


class Found(msgspec.Struct, frozen=True):
    """What each engine heard in one sound."""

    own: Hypotheses
    sphinx: Hypotheses
    second: Hypotheses


Rule = Callable[[Found, HearingSettings], tuple[Judged, frozenset[str]]]
"""What is made of one sound, and which engines had to hear it."""


def own_alone(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    return judged((found.own,), settings), frozenset({"own"})


def second_alone(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    return judged((found.second,), settings), frozenset({"second"})


def sphinx_in_doubt(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    done = taken_alone(found.own, settings)
    if done is not None:
        return done, frozenset({"own"})
    return together((found.sphinx, found.own), settings), frozenset({"own", "sphinx"})


def second_in_doubt(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    done = taken_alone(found.own, settings)
    if done is not None:
        return done, frozenset({"own"})
    both = (found.own, msgspec.structs.replace(found.second, engine="second"))
    known = msgspec.structs.replace(
        settings,
        right={**settings.right, "second": settings.right["own"]},
        for_us={**settings.for_us, "second": settings.for_us["own"]},
    )
    return together(both, known), frozenset({"own", "second"})


def both_agree(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    return _put_together(found, settings, min), frozenset({"own", "second"})


def mean_of_both(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    return _put_together(found, settings, lambda chances: sum(chances) / 2), frozenset({"own", "second"})


def _put_together(found: Found, settings: HearingSettings, rule: Callable[[Sequence[float]], float]) -> Judged:
    """The meaning to which both give most; what one of them did not hear has no chance there."""
    alone = [judged((one,), settings) for one in (found.own, found.second)]
    ears = [ear_of(one, settings.right[one.engine], settings.for_us[one.engine]) for one in (found.own, found.second)]
    meant = [meaning(ear.heard) for ear in ears]
    chances = [0.0 if ear.heard.kind == "none" else one.confidence for ear, one in zip(ears, alone, strict=True)]
    given = {
        what: rule([chance if what == other else 0.0 for chance, other in zip(chances, meant, strict=True)])
        for what in meant
    }
    best = max(meant, key=lambda what: given[what])
    place = meant.index(best)
    for_us = [1 / (1 + float(np.exp(-ear.for_us))) for ear in ears]
    verdict = judgement_of(ears[place].heard, given[best], max(for_us), settings.thresholds)
    heard = Heard("none") if verdict == "reject" else ears[place].heard
    return Judged(heard, given[best], verdict, ears[place].found.ranked)


def scores_averaged(found: Found, settings: HearingSettings) -> tuple[Judged, frozenset[str]]:
    hearings = []
    for one in (found.own, found.second):
        scores = {chain.ids: chain.score for chain in one.ranked}
        if scores and one.evidence["garbage"] < 60.0:
            scores["?",] = max(scores.values()) - one.evidence["garbage"]
        hearings.append(scores)
    both = averaged([one for one in hearings if one], int(found.own.evidence["frames"]))
    if both.ranked:
        agreeing = np.mean([one.evidence.get("agreeing", 0.0) for one in (found.own, found.second)])
        same = min(both.evidence["agreeing"], float(agreeing))
        if not all(hearings):  # one of the two heard no words of ours
            same = 0.0
        both = msgspec.structs.replace(both, evidence={**both.evidence, "agreeing": same})
    return judged((both,), settings), frozenset({"own", "second"})


RULES: dict[str, Rule] = {
    "own": own_alone,
    "second": second_alone,
    "own, sphinx in doubt": sphinx_in_doubt,
    "own, second in doubt": second_in_doubt,
    "both must agree": both_agree,
    "mean of P": mean_of_both,
    "scores averaged": scores_averaged,
}


async def sounds(given: argparse.Namespace) -> dict[str, list[Said]]:
    """By row: the reserved voices in their surroundings, people, a folder of recordings."""
    kept = Kept()
    found: dict[str, list[Said]] = {}
    said_there = announcements_of_games(GAMES, 2026)[: given.per_family]
    if said_there:
        all_families = await families_here(kept, said_there)
        for name, change in (await moves.conditions(kept)).items():
            if name.startswith(tuple(given.where)):
                found[name] = [
                    Said(one.pcm, vocabulary_of(family.scheme), truth_of(one.words))
                    for family in all_families
                    for one in moves.in_condition(family, said_there, change)
                ]
    if given.people:
        found["people's ranks"] = await two_ranks(given.people)
    if given.folder is not None:
        vocabularies = {tag: vocabulary_of(load_scheme("d21", tag)) for tag in ("de", "en", "hu", "hy", "ar", "he")}
        found[given.folder.name] = [
            Said(sound_of(one.file), vocabularies[one.language], one.meaning) for one in read_table(given.folder, "d21")
        ]
    return found


async def families_here(kept: Kept, said_there: Sequence[Announced]) -> list[moves.Family]:
    """The families that this machine can speak with; the others are named."""
    chains, found = [one.words for one in said_there], []
    for voice in families():
        try:
            first, second = await said(kept, voice, chains), await said(kept, voice, chains, take=1)
        except subprocess.CalledProcessError:
            print(f"{voice.name} is not installed here and is left out.", flush=True)
        else:
            found.append(moves.Family(voice, load_scheme("d21", voice.language), first, second))
    return found


def takes_of_ranks() -> dict[str, dict[str, list[Path]]]:
    """Person -> rank -> files, of the Germans who are only measured."""
    found: dict[str, dict[str, list[Path]]] = {}
    with (HUMAN / "index.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            rank = RANKS.get(row["words"])
            if row["speaker"] in MEASURING and row["file"].startswith("digits-de/") and rank is not None:
                found.setdefault(row["speaker"], {}).setdefault(rank, []).append(HUMAN / row["file"])
    return {who: takes for who, takes in found.items() if len(takes) == len(RANKS)}


async def two_ranks(count: int) -> list[Said]:
    """So many announcements of each person: piece, file, rank, file, rank, all at one level."""
    scheme, chance = load_scheme("d21", "de"), random.Random(17)
    pieces = [f"piece.{name}" for name in ("king", "queen", "rook", "bishop", "knight")]
    files = [f"file.{name}" for name in "abcdefgh"]
    spoken = await rendered([phrase([word], scheme, RESERVED) for word in (*pieces, *files)])
    by_voice = {word: level(pcm) for word, pcm in zip((*pieces, *files), spoken, strict=True)}
    vocabulary, found = vocabulary_of(scheme), []
    for takes in takes_of_ranks().values():
        for _ in range(count):
            words = [chance.choice(pieces)]
            parts = [by_voice[words[0]]]
            for _ in range(2):
                file, rank = chance.choice(files), chance.choice(sorted(takes))
                take = resampled(decode_flac(chance.choice(takes[rank]).read_bytes())).pcm
                words += [file, f"rank.{rank}"]
                parts += [by_voice[file], level(take)]
            if words[1:3] != words[3:5]:
                found.append(Said(BETWEEN_WORDS.join(parts), vocabulary, truth_of(tuple(words))))
    return found


def level(pcm: bytes) -> bytes:
    """A word without the silence around it, as loud as the others."""
    said = trimmed(Sound(pcm, SAMPLE_RATE)).pcm
    samples = np.frombuffer(said, "<i2") * 10 ** ((LEVEL_DBFS - levels(said).speech_dbfs) / 20)
    return np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()


class Row(msgspec.Struct):
    """Counts of one rule over one kind of sounds; seconds of processor time by the engines that it asked."""

    n: int = 0
    talk: int = 0
    right: int = 0
    accepted_wrong: int = 0
    read_back_wrong: int = 0
    asked: int = 0
    worked: float = 0.0
    second_asked: int = 0

    def note(self, done: Judged, truth: Meaning | None) -> None:
        """Count one sound; what is nothing for the program must not be taken at all."""
        heard, taken = meaning_of(done.heard), done.verdict in TAKEN
        wrong = heard is not None if truth is None else heard != truth
        self.n += truth is not None
        self.talk += truth is None
        self.right += taken and truth is not None and not wrong
        self.accepted_wrong += done.verdict == "accept" and wrong
        self.read_back_wrong += done.verdict == "confirm" and wrong
        self.asked += truth is not None and not taken


async def measured(given: argparse.Namespace) -> None:
    """Hear everything and print the tables."""
    engines = {
        "own": OwnRecogniser(given.first),
        "sphinx": PocketsphinxRecogniser(),
        "second": OwnRecogniser(given.second),
    }
    settings = load_hearing()
    try:
        await asyncio.gather(*(engine.start() for engine in engines.values()))
        for name, every in (await sounds(given)).items():
            began = time.perf_counter()
            rows = {rule: Row() for rule in RULES}
            seconds = sum(len(one.pcm) for one in every) / 2 / SAMPLE_RATE
            for one in every:
                heard, spent = {}, {}
                for which, engine in engines.items():
                    before = worked_s([engine.pid] if engine.pid else [])
                    heard[which] = await engine.recognise(one.pcm, one.vocabulary)
                    spent[which] = worked_s([engine.pid] if engine.pid else []) - before
                found = Found(**heard)
                for rule, row in rows.items():
                    done, asked = RULES[rule](found, settings)
                    row.note(done, one.truth)
                    row.second_asked += len(asked) > 1
                    row.worked += sum(spent[which] for which in asked)
            print(f"\n## {name}: {len(every)} sounds, {seconds:.0f} s ({time.perf_counter() - began:.0f} s)\n")
            print(told(rows, seconds), flush=True)
    finally:
        await asyncio.gather(*(engine.close() for engine in engines.values()))


HEAD = (
    "who hears",
    "right at once",
    "accepted wrong",
    "read back wrong",
    "asked again",
    "two heard it",
    "work a second",
)


def told(rows: dict[str, Row], seconds: float) -> str:
    """Return the table of one kind of sounds."""
    lines = []
    for rule, row in rows.items():
        everything = row.n + row.talk
        lines.append(
            [
                *(rule, percent(row.right, row.n), rare(row.accepted_wrong, everything)),
                *(rare(row.read_back_wrong, everything), percent(row.asked, row.n)),
                *(f"{100 * row.second_asked / everything:.0f} %", f"{row.worked / seconds:.3f} s"),
            ]
        )
    return table(HEAD, lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--second", type=Path, help="another model of our own kind; without it the shipped one twice")
    parser.add_argument("--first", type=Path, help="in place of the shipped model")
    parser.add_argument("--per-family", type=int, default=12, help="announcements of each reserved voice; 0: none")
    parser.add_argument("--people", type=int, default=40, help="announcements of each person; 0: none")
    parser.add_argument("--where", nargs="*", default=["clean", "babble 20", "white 20", "room"])
    parser.add_argument("--folder", type=Path, help="recordings as `anna-eins measure` takes them")
    asyncio.run(measured(parser.parse_args()))
