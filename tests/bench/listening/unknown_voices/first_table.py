"""The first table: people, families never met, strangers, then the voices that our model knows; with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.bench.listening.at_the_board import Announced
from tests.bench.listening.judging import Ears, Tally, tallied
from tests.bench.listening.keeping import Kept
from tests.bench.listening.moves import Family, in_condition
from tests.bench.listening.shares import percent, table
from tests.bench.listening.surroundings import Change
from tests.bench.listening.unknown_voices import never_met, people, readers

HEAD = ("right at once", "accepted wrong", "read back wrong", "asked again", "asked which")
COUNTED = ("right", "accepted wrong", "read back wrong", "asked", "asked which")
KNOWN = ("espeak", "accent")
"""The kinds of families whose synthesiser taught our model."""
Told = Mapping[tuple[str, str], Tally]


ABSENT = "No recordings of people are there (shared/data/human)."


async def of_people(ears: Ears, kept: Kept, changes: Mapping[str, Change], share: float) -> str:
    """What people who only measure announce."""
    wanted = {name: change for name, change in changes.items() if name in readers.WHERE}
    if not people.HUMAN.is_dir():
        return ABSENT
    rows = _rows([("people", await people.tallies(ears, kept, wanted, share))])
    under = await people.letters_under_names(ears, kept)
    told = table(("who, what, engine", "n", *HEAD), rows)
    return "\n\n".join((told, "A letter and a rank by one person, heard under D.2.1:", under))


async def of_talk(ears: Ears, kept: Kept, share: float) -> str:
    """What is said and is no announcement."""
    return await people.talk(ears, kept, share) if people.HUMAN.is_dir() else ABSENT


async def of_answers(ears: Ears) -> str:
    """Yes, no and stop by people."""
    return await people.answers(ears) if people.HUMAN.is_dir() else ABSENT


async def of_others(
    ears: Ears,
    kept: Kept,
    families: Sequence[Family],
    said_there: Sequence[Announced],
    longer: Sequence[Announced],
    changes: Mapping[str, Change],
) -> str:
    """What families never met, strangers and known voices announce. `longer`: announcements for those who read."""
    wanted = {name: change for name, change in changes.items() if name in readers.WHERE}
    parts: list[tuple[str, Told]] = []
    met, missing = await never_met.tallies(ears, kept, longer, changes)
    parts.append(("a family never met", met))
    parts.append(("strangers", await readers.tallies(ears, kept, longer, changes)))
    for title, known in (("strangers", False), ("known voices", True)):
        some = [family for family in families if (family.voice.kind in KNOWN) is known]
        parts.append((title, await _by_kind(ears, some, said_there, wanted)))
    return "\n\n".join((table(("who, what, engine", "n", *HEAD), _rows(parts)), *missing))


async def _by_kind(
    ears: Ears, families: Sequence[Family], said_there: Sequence[Announced], changes: Mapping[str, Change]
) -> dict[tuple[str, str], Tally]:
    """(kind of voice, engine) -> counts, over all of these surroundings."""
    found: dict[tuple[str, str], Tally] = {}
    for family in families:
        kind = {"espeak": "eSpeak NG, German", "accent": "eSpeak NG, accents"}.get(family.voice.kind, "cut voices")
        for change in changes.values():
            for engine, tally in (await tallied(ears, in_condition(family, said_there, change), family.scheme)).items():
                found.setdefault((kind, engine), Tally()).counts.update(tally.counts)
    return found


def _rows(parts: Sequence[tuple[str, Told]]) -> list[list[str]]:
    rows: list[list[str]] = []
    reading: dict[str, Tally] = {}
    for title, tallies in parts:
        for (what, engine), tally in tallies.items():
            rows.append(_row(f"{title}: {what}, {engine}", tally))
            if title == "strangers" and what.endswith("reads"):
                reading.setdefault(engine, Tally()).counts.update(tally.counts)
    rows += [_row(f"strangers: all who read, {engine}", tally) for engine, tally in reading.items()]
    return rows


def _row(title: str, tally: Tally) -> list[str]:
    n = tally["n"]
    return [title, str(n), *(percent(tally[key], n) for key in COUNTED)]
