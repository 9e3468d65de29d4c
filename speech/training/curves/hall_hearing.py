"""The hall plan spoken to all engines, with each one's whole list kept.

    python -m speech.training.curves.hall_hearing --out build/heard.jsonl [--size N] [--human N] [--people N]
                                                   [--readers N] [--seed N] [--without FAMILY] [--model FOLDER]

The curves and the confusions are made from these lists. People who tune speak, where their recordings are there
(`shared/data/human`). At the end human voices say letters, and a fifth as many announcements as all the rest are heard
once more with another table's under them. It takes three quarters of an hour on two cores. What was heard is kept, so
that fitting it again costs seconds.

With `--without FAMILY` that synthesiser is heard nowhere, not beside people's words and not in the babble either; then
nothing that is fitted on the lists, curves or confusions, has met it (`speech.training.model.making --without`).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from speech.audio.wav import HEARING_RATE
from speech.complaint import Complaint
from speech.hearing.hearing import recognisers
from speech.process import ChildFailed
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.recogniser import Hypotheses, Recogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.common.people_speech import INDEX, recordings_folder
from speech.training.common.planned_utterances import RESERVED
from speech.training.curves.hall_human_voices import human_letters, human_plan, human_sounds, synthesiser_of
from speech.training.curves.hall_people import PUPILS, people_plan, people_sounds, squares_plan
from speech.training.curves.hall_plan import CUT, PERSON, HallUtterance, beside_plan, hall_plan, scheme_of
from speech.training.curves.hall_readers import readers_plan, readers_sounds
from speech.training.curves.hall_sound import beside_another, in_surroundings, voices_of
from speech.training.model.corpora.espeak import HELD_OUT
from speech.training.model.corpora.plan import FAMILIES

AT_ONCE = 5


class HeardByEngines(msgspec.Struct, frozen=True):
    """One utterance and what each engine heard; `number`: its place in the plan."""

    number: int
    said: HallUtterance
    heard: Mapping[str, Hypotheses]


async def heard_by_all(
    plan: Sequence[HallUtterance],
    sounds: Sequence[bytes | None],
    engines: Sequence[Recogniser],
    out: BinaryIO,
    fewer: int = 1,
) -> int:
    """Write every utterance that could be said as it was heard.

    `fewer`: as for `order`. Returns how many killed an engine twice.
    """
    for engine in engines:
        await engine.start()
    room = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> bool:
        said, pcm = plan[number], sounds[number]
        assert pcm is not None
        vocabulary = vocabulary_of(scheme_of(said.scheme, said.language))
        async with room:
            listening = [engine for engine in engines if not taught(engine.name, said)]
            try:
                found = await asyncio.gather(*(engine.recognise(pcm, vocabulary) for engine in listening))
            except ChildFailed:
                return False
        heard = HeardByEngines(number, said, {engine.name: what for engine, what in zip(listening, found, strict=True)})
        out.write(msgspec.json.encode(heard) + b"\n")
        out.flush()
        return True

    done = await asyncio.gather(*(one(number) for number in order(plan, fewer) if sounds[number] is not None))
    return done.count(False)


def taught(engine: str, said: HallUtterance) -> bool:
    """Return whether who speaks taught this engine's network, so that its confidence would be trusted too far."""
    return engine == "own" and said.speaker in PUPILS


def order(plan: Sequence[HallUtterance], fewer: int = 1) -> list[int]:
    """Return the numbers of the plan in an order of which any beginning is a fair sample.

    What is said twice stays together. `fewer`: all that people say, all commands, and so much less of all else; where
    it is above 1, nothing that another table is heard under.
    """
    first = [number for number, one in enumerate(plan) if one.again is None]
    if fewer > 1:
        alone = [number for number in first if plan[number].beside is None]
        whole = [number for number in alone if plan[number].kind == "command" or _by_a_person(plan[number])]
        first = sorted({*whole, *alone[::fewer]})
    random.Random(1).shuffle(first)  # noqa: S311
    again = {one.again: number for number, one in enumerate(plan) if one.again is not None}
    return [number for one in first for number in (one, again.get(one)) if number is not None]


def read_heard(paths: Sequence[Path]) -> list[HeardByEngines]:
    """Return the utterances that were kept, the files one after the other.

    Where several files are of one plan, each by another engine, an utterance has what all of them heard.
    """
    found: dict[tuple[int, HallUtterance], HeardByEngines] = {}
    for path in paths:
        for line in path.read_bytes().splitlines():
            one = msgspec.json.decode(line, type=HeardByEngines)
            known = found.get((one.number, one.said))
            found[one.number, one.said] = (
                one if known is None else HeardByEngines(one.number, one.said, {**known.heard, **one.heard})
            )
    return list(found.values())


def _by_a_person(said: HallUtterance) -> bool:
    return said.voice.startswith(f"{PERSON}+")


class Sizes(msgspec.Struct, frozen=True):
    """Number of utterances of each part of the hall; 0: none.

    `size`: announcements in the German words by eSpeak NG. `human`: by each human voice cut into sounds. `people`: by
    people. `readers`: by each voice that reads respelled German. `squares`: squares as people spell them.
    """

    size: int
    human: int
    people: int
    readers: int
    squares: int = 0


def join_plans(plans: Sequence[Sequence[HallUtterance]]) -> list[HallUtterance]:
    """Return the plans one after the other; what is said again is still said again."""
    found: list[HallUtterance] = []
    for plan in plans:
        shift = len(found)
        found += [one if one.again is None else msgspec.structs.replace(one, again=one.again + shift) for one in plan]
    return found


_BY_PEOPLE = ("letter.", "rank.", "cmd.")
"""The words that people say in the hall; the others beside these are eSpeak NG's."""


def families_of(said: HallUtterance) -> frozenset[str]:
    """Return every synthesiser that is heard in an utterance, "people" where one is; in a noise nobody is."""
    kin, _, name = said.voice.partition("+")
    if kin == CUT:
        return frozenset({synthesiser_of(name)})
    if kin == PERSON:
        alone = all(word.startswith(_BY_PEOPLE) for word in said.words)
        return frozenset({"people"} if alone else {"people", "eSpeak NG"})
    return frozenset({"eSpeak NG"} if said.voice else ())


def without(plan: Sequence[HallUtterance], family: str) -> list[HallUtterance]:
    """Return the plan without what this family is heard in; what is said again is still said again."""
    places = [place for place, one in enumerate(plan) if family not in families_of(one)]
    now = {old: new for new, old in enumerate(places)}
    return [
        one if one.again is None else msgspec.structs.replace(one, again=now[one.again])
        for one in (plan[place] for place in places)
    ]


def planned_sounds(
    sizes: Sizes, seed: int, recordings: Path, family: str = ""
) -> tuple[list[HallUtterance], list[bytes | None]]:
    """Return all that is said and how it sounds, the same for the same numbers.

    `family`: the synthesiser that is heard nowhere. Raises `Complaint` where people speak and their recordings cannot
    be read.
    """
    said = without(hall_plan(sizes.size, seed, HELD_OUT) if sizes.size else [], family)
    cut = without(human_plan(sizes.human, seed) if sizes.human else [], family)
    people = without(people_plan(recordings, sizes.people, seed) if sizes.people else [], family)
    read = without(readers_plan(sizes.readers, seed) if sizes.readers else [], family)
    squares = without(squares_plan(sizes.squares, seed), family)
    plan = join_plans([said, cut, people, read, squares])
    voices = [
        *voices_of(said, seed),
        *human_sounds(cut),
        *(people_sounds(recordings, people, seed) if people else []),
        *(readers_sounds(read) if read else []),
        *(people_sounds(recordings, squares, seed + 1) if squares else []),
    ]
    return with_letters_and_another_table(plan, in_surroundings(plan, voices, seed), sizes.human, seed, family)


def with_letters_and_another_table(
    plan: list[HallUtterance], sounds: list[bytes | None], human: int, seed: int, family: str = ""
) -> tuple[list[HallUtterance], list[bytes | None]]:
    """Return the plan, followed by letters by human voices and by what another table is laid under.

    Another table's announcements are laid under what was said before. `family`: as in `planned_sounds`.
    """
    letters = without(human_letters(human, seed) if human else [], family)
    plan, sounds = [*plan, *letters], [*sounds, *in_surroundings(letters, human_sounds(letters), seed + 1)]
    twice = beside_plan(plan, len(plan) // 5, seed)
    return [*plan, *twice], [*sounds, *beside_another(twice, sounds, seed)]


async def _run(
    sizes: Sizes,
    seed: int,
    recordings: Path,
    family: str,
    listening: Sequence[Recogniser],
    out: BinaryIO,
    fewer: int = 1,
) -> int:
    assert not RESERVED.intersection(HELD_OUT)
    plan, sounds = planned_sounds(sizes, seed, recordings, family)
    seconds = sum(len(pcm) for pcm in sounds if pcm) / 2 / HEARING_RATE
    click.echo(f"{len(plan)} utterances, {seconds:.0f} s of sound.")
    try:
        return await heard_by_all(plan, sounds, listening, out, fewer)
    finally:
        for engine in listening:
            await engine.close()


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--size", default=230, show_default=True, help="Announcements in the German words; the rest goes along.")
@click.option("--human", default=24, show_default=True, help="Announcements by each of festival's and flite's voices.")
@click.option("--people", default=48, show_default=True, help="Announcements by people; their talk goes along.")
@click.option(
    "--readers", default=12, show_default=True, help="Announcements by each voice that reads respelled German."
)
@click.option("--squares", default=160, show_default=True, help="Squares as people spell them, a letter and a rank.")
@click.option("--recordings", type=click.Path(path_type=Path), help="Where the people's index.tsv lies.")
@click.option("--seed", default=41, show_default=True)
@click.option("--engine", default="", type=click.Choice(["", "own", "whisper"]), help="Only this one listens.")
@click.option("--without", "family", type=click.Choice(sorted(FAMILIES)), help="A synthesiser that is heard nowhere.")
@click.option("--model", type=click.Path(path_type=Path, exists=True), help="Another model of our own, alone.")
@click.option("--fewer", default=1, show_default=True, help="Of all but people and commands only one of so many.")
@click.option("--beside", type=click.Path(path_type=Path), help="What the other engine heard of the same plan.")
def main(
    out: Path,
    size: int,
    human: int,
    people: int,
    readers: int,
    squares: int,
    recordings: Path | None,
    seed: int,
    engine: str,
    family: str | None,
    model: Path | None,
    fewer: int,
    beside: Path | None,
) -> None:
    """Speak the hall plan to all engines and keep what they heard (JSON lines)."""
    recordings = recordings or recordings_folder()
    if (people or squares) and not (recordings / INDEX).exists():
        click.echo(f"There are no recordings of people at {recordings}; the hall goes on without people.", err=True)
        people = squares = 0
    try:
        listening = recognisers(engine or "auto")
        listening = (OwnRecogniser(model),) if model is not None else listening
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("wb") as file:
            sizes = Sizes(size, human, people, readers, squares)
            lost = asyncio.run(_run(sizes, seed, recordings, family or "", listening, file, fewer))
        if beside is not None:
            both = read_heard([out, beside])
            out.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in both))
    except (Complaint, ChildFailed, OSError) as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(f"Heard and kept in {out}; {lost} lost.")


if __name__ == "__main__":
    main()
