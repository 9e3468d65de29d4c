"""Announced moves: right at once, accepted but wrong, right after one repeat; and what becomes of illegal ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import msgspec

from server.cli.measure import TAKEN
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import Announced, meant_in
from tests.bench.listening.judging import BOTH, Ears, Sounded, Tally, tallied, truth_of
from tests.bench.listening.keeping import Kept
from tests.bench.listening.shares import brief, percent, rare, table
from tests.bench.listening.surroundings import Change, babble, clean, room, white
from tests.bench.listening.voices import ESPEAK, Voice, families, said
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered

TALKERS = ("f1", "m1", "f2", "m3", "klatt", "m5", "f4", "m8")
"""Voices of the babble: none of them is reserved or measured."""


class Family(msgspec.Struct, frozen=True):
    """A family's sounds for the announcements in turn, clean, each said twice."""

    voice: Voice
    scheme: Scheme
    first: Sequence[bytes]
    second: Sequence[bytes]


async def spoken(kept: Kept, said_there: Sequence[Announced]) -> list[Family]:
    """Every family says every announcement, twice."""
    chains = [one.words for one in said_there]
    return [
        Family(
            voice,
            load_scheme("d21", voice.language),
            await said(kept, voice, chains),
            await said(kept, voice, chains, take=1),
        )
        for voice in families()
    ]


async def conditions(kept: Kept) -> dict[str, Change]:
    """The surroundings by name."""
    german = load_scheme("d21", "de")
    talk = announcements(24, 61)
    phrases = [phrase(words, german, TALKERS[place % len(TALKERS)]) for place, words in enumerate(talk)]
    others = await kept.sounds(["babble", 1, [list(words) for words in talk], TALKERS], lambda: rendered(phrases))
    assert not set(TALKERS) & set(ESPEAK)
    return {
        "clean": clean,
        "babble 20 dB": babble(others, 20.0),
        "white 20 dB": white(20.0),
        "room": room,
        "babble 10 dB": babble(others, 10.0),
        "white 10 dB": white(10.0),
    }


def in_condition(family: Family, said_there: Sequence[Announced], change: Change) -> list[Sounded]:
    """A family's utterances in some surroundings, the second saying in another moment of them."""
    return [
        Sounded(one.words, change(first, place), change(second, 10_000 + place))
        for place, (one, first, second) in enumerate(zip(said_there, family.first, family.second, strict=True))
    ]


HEAD = ("right at once", "accepted wrong", "read back wrong", "asked again", "right after one repeat", "wrong then")


def cells(tally: Tally) -> list[str]:
    """The figures of one row."""
    n = tally["n"]
    later = tally["right"] + tally["right the second time"]
    wrong = tally["accepted wrong"] + tally["accepted wrong the second time"]
    return [
        percent(tally["right"], n),
        percent(tally["accepted wrong"], n),
        brief(tally["read back wrong"], n),
        brief(tally["asked"], n),
        percent(later, n),
        brief(wrong, n),
    ]


async def tally_of_moves(
    ears: Ears, all_families: Sequence[Family], said_there: Sequence[Announced], changes: Mapping[str, Change]
) -> dict[tuple[str, str, str], Tally]:
    """(condition, family, engine) -> counts."""
    found: dict[tuple[str, str, str], Tally] = {}
    for condition, change in changes.items():
        for family in all_families:
            told = await tallied(ears, in_condition(family, said_there, change), family.scheme)
            found |= {(condition, family.voice.name, name): tally for name, tally in told.items()}
            last = told[ears.names[-1]]
            print(f"  {condition}, {family.voice.name}: {last['right']} of {last['n']}", flush=True)
    return found


def summary(found: Mapping[tuple[str, str, str], Tally]) -> str:
    """All families together, a row an engine in each condition; the first choice of each engine as a baseline."""
    rows: list[list[str]] = []
    for condition in dict.fromkeys(key[0] for key in found):
        for name in dict.fromkeys(key[2] for key in found):
            whole = Tally()
            for (where, _family, engine), tally in found.items():
                if (where, engine) == (condition, name):
                    whole += tally
            first = "" if name == BOTH else brief(whole["first choice right"], whole["n"])
            rows.append([f"{condition}, {name}", str(whole["n"]), *cells(whole), first])
    return table(("surroundings, engine", "n", *HEAD, "first choice right"), rows)


def agreement(found: Mapping[tuple[str, str, str], Tally]) -> str:
    """Where the first choices of both engines agree, how often that is wrong, and how often one of the two is right."""
    rows: list[list[str]] = []
    for condition in dict.fromkeys(key[0] for key in found):
        whole = Tally()
        for (where, _family, engine), tally in found.items():
            if (where, engine) == (condition, BOTH):
                whole += tally
        n, agreed = whole["n"], whole["agreed"]
        rows.append(
            [condition, brief(agreed, n), percent(whole["agreed wrong"], agreed), percent(whole["one right"], n)]
        )
    return table(("surroundings", "both agree", "of these wrong", "one of the two right"), rows)


def by_family(found: Mapping[tuple[str, str, str], Tally]) -> str:
    """Each family in each condition, both engines; and how often each engine alone had it right at once."""
    rows: list[list[str]] = []
    names = list(dict.fromkeys(key[2] for key in found))
    engines = [name for name in names if name != BOTH]
    for (condition, family, name), tally in found.items():
        if name == names[-1]:
            alone = [
                brief(found[condition, family, one]["right"], found[condition, family, one]["n"])
                + " / "
                + brief(found[condition, family, one]["accepted wrong"], found[condition, family, one]["n"])
                for one in engines
            ]
            rows.append([f"{condition}, {family}", str(tally["n"]), *cells(tally), *alone])
    alone_head = [f"{name}: right / accepted wrong" for name in engines]
    return table(("surroundings, family", "n", *HEAD, *alone_head), rows)


async def illegal_moves(
    ears: Ears, all_families: Sequence[Family], said_there: Sequence[Announced], changes: Mapping[str, Change]
) -> str:
    """The same sounds at a table where the announced move is illegal: how often does a legal one come of it?"""
    counts = {name: Tally() for name in ears.names}
    for change in changes.values():
        for family in all_families:
            for one, sounded in zip(said_there, in_condition(family, said_there, change), strict=True):
                board = chess.Board(one.illegal)
                for name, tally in counts.items():
                    verdict = await ears.verdict(name, sounded.pcm, family.scheme)
                    turned = verdict.heard.kind == "move" and meant_in(verdict.heard.words, board) is not None
                    tally.counts["n"] += 1
                    tally.counts["accept"] += turned and verdict.verdict == "accept"
                    tally.counts["confirm"] += turned and verdict.verdict == "confirm"
    rows = [
        [name, rare(tally["accept"], tally["n"]), rare(tally["confirm"], tally["n"])] for name, tally in counts.items()
    ]
    return table(("engine", "accepted as a legal move", "read back as a legal move"), rows)


CURVE = (0.3, 0.5, 0.65, 0.75, 0.87, 0.93, 0.96, 0.98, 0.99)


async def curve(
    ears: Ears, all_families: Sequence[Family], said_there: Sequence[Announced], changes: Mapping[str, Change]
) -> str:
    """Accepted wrong against asked again, for each engine and both: taken from so much P(right) on; clean and 20 dB."""
    tallies = {(name, threshold): Tally() for name in ears.names for threshold in CURVE}
    for condition in ("clean", "babble 20 dB"):
        for family in all_families:
            for one in in_condition(family, said_there, changes[condition]):
                for (name, threshold), tally in tallies.items():
                    verdict = await ears.verdict(name, one.pcm, family.scheme, threshold)
                    fits = truth_of(verdict.heard.words) == truth_of(one.words)
                    tally.counts["n"] += 1
                    tally.counts["asked"] += verdict.verdict not in TAKEN
                    tally.counts["right" if fits else "wrong"] += verdict.verdict in TAKEN
    rows = [
        [
            f"{name}, from {threshold}",
            str(tally["n"]),
            brief(tally["right"], tally["n"]),
            percent(tally["wrong"], tally["n"]),
            brief(tally["asked"], tally["n"]),
        ]
        for (name, threshold), tally in tallies.items()
    ]
    return table(("engine, taken from P(right)", "n", "right", "taken wrong", "asked again"), rows)
