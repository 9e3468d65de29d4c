"""Letters in doubt between two squares: who measures is asked which, and answers; who tunes says when to ask.

The first table asks as the program does. The answer names the square in plain words ("Berta vier"): its rank by the
same person, its file by a reserved variant of eSpeak NG, because no recording of a file's name is there. The second
table is for those who choose `two_squares` and `two_squares_below` of `config/hearing.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from server.cli.measure import meaning_of
from speech.hearing.hearing import Verdict
from speech.hearing.settings import load_hearing
from speech.hearing.two_squares import in_plain_names, which_of_two
from speech.hearing.verdict import judge_utterance
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.curves.hall_people import PAIR
from speech.training.model.corpora.espeak import HELD_OUT
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import Words
from tests.bench.listening.judging import BOTH, Ears, Tally, note, truth_of
from tests.bench.listening.keeping import Kept
from tests.bench.listening.shares import percent, rare, table
from tests.bench.listening.surroundings import Change
from tests.bench.listening.unknown_voices import people
from tests.bench.listening.unknown_voices.people import Pasted
from tests.bench.listening.voices import ESPEAK, recorded_letters

TUNED_IN = ("clean", "babble 20 dB", "white 20 dB", "room")
OFFICERS = ("king", "queen", "rook", "bishop", "knight")
SHARES = (None, 0.5, 0.6, 0.7, 0.8)
BELOW = (0.5, 0.65, 0.75, 0.8)


class Asked(msgspec.Struct, frozen=True):
    """An announcement with a letter, how it sounds, and how its plain name sounds."""

    words: Words
    pcm: bytes
    answer: bytes


async def told(ears: Ears, kept: Kept, changes: Mapping[str, Change], count: int) -> str:
    """Both tables, as far as the recordings are there. `count`: of the recorded letters."""
    scheme = load_scheme("letters", "de")
    rows: list[list[str]] = []
    if people.HUMAN.is_dir():
        rows += await _rows(ears, "a letter and a rank by one person", await _by_people(kept, scheme), scheme)
    for where in TUNED_IN[:2]:
        some = await _recorded(kept, scheme, count, changes[where])
        rows += await _rows(ears, f"recorded letters, {where}", some, scheme) if some else []
    shown = ("n", "right at once", "asked which, rightly", "asked, neither", "right then", "recorded wrong then")
    head = ("who, engine", *shown, "read back wrong", "accepted wrong", "asked again")
    parts = [table(head, rows)]
    if people.HUMAN.is_dir():
        parts += [f"By those who tune ({PAIR}):", await _choices(ears, kept, changes, scheme)]
    return "\n\n".join(parts)


async def _by_people(kept: Kept, scheme: Scheme) -> list[Asked]:
    plan = [one for one in people.letters_plan() if people.is_announcement(one.words)]
    answers = [_answer(one.words, one.speaker, scheme, place) for place, one in enumerate(plan)]
    both = zip(await people.pasted(kept, plan), await people.pasted(kept, answers), strict=True)
    return [Asked(one.words, *sounds) for one, sounds in zip(plan, both, strict=True)]


async def _recorded(kept: Kept, scheme: Scheme, count: int, change: Change) -> list[Asked]:
    said = recorded_letters(count)
    answers = [_answer(words, "", scheme, place) for place, (_, words, _) in enumerate(said)]
    sounds = await people.pasted(kept, answers)
    return [
        Asked(words, change(pcm, place), change(answer, 20_000 + place))
        for place, ((_, words, pcm), answer) in enumerate(zip(said, sounds, strict=True))
    ]


def _answer(words: Words, speaker: str, scheme: Scheme, place: int) -> Pasted:
    (plain,) = in_plain_names((words,), scheme)
    return Pasted(speaker, plain, ESPEAK[place % len(ESPEAK)], 3_000 + place)


async def _rows(ears: Ears, title: str, every: Sequence[Asked], scheme: Scheme) -> list[list[str]]:
    await ears.listen([one.pcm for one in every], scheme)
    rows: list[list[str]] = []
    for name in ears.names:
        tally = Tally()
        asked: list[tuple[Asked, Verdict]] = []
        for one in every:
            verdict = await ears.verdict(name, one.pcm, scheme)
            note(tally, verdict, truth_of(one.words))
            asked += [(one, verdict)] if verdict.two_squares else []
        await ears.listen([one.answer for one, _ in asked], scheme, () if name == BOTH else (name,))
        for one, first in asked:
            verdict = await ears.verdict(name, one.answer, scheme, after=first)
            right = meaning_of(verdict.heard) == truth_of(one.words)
            one_of_two = which_of_two(verdict.heard, first.two_squares) is not None
            taken = verdict.verdict == "accept" or (verdict.verdict == "confirm" and one_of_two)
            tally.counts["right then"] += taken and right
            tally.counts["wrong then"] += taken and not right
        n = tally["n"]
        shares = [percent(tally[key], n) for key in ("right", "one of the two", "neither", "right then")]
        wrong = [rare(tally[key], n) for key in ("wrong then", "read back wrong", "accepted wrong")]
        rows.append([f"{title}, {name}", str(n), *shares, *wrong, percent(tally["asked"], n)])
    return rows


async def _choices(ears: Ears, kept: Kept, changes: Mapping[str, Change], scheme: Scheme) -> str:
    """What each choice of the two thresholds does with letters by those who tune, our own model alone."""
    squares = people.letters_plan(PAIR)
    plan = [one for one in squares if people.is_announcement(one.words)]
    for place, one in enumerate(squares):
        words = (f"piece.{OFFICERS[place % len(OFFICERS)]}", *one.words)
        plan.append(Pasted(PAIR, words, HELD_OUT[place % len(HELD_OUT)], one.seed + 500))
    sounds = [
        (one.words, changes[where](pcm, place))
        for take in (0, 1)
        for place, (one, pcm) in enumerate(zip(plan, await people.pasted(kept, plan, take), strict=True))
        for where in TUNED_IN
    ]
    vocabulary, settings = vocabulary_of(scheme), load_hearing()
    heard = [(words, await ears.engines["own"].recognise(pcm, vocabulary)) for words, pcm in sounds]
    rows: list[list[str]] = []
    for share in SHARES:
        for below in BELOW if share is not None else (0.0,):
            steps = msgspec.structs.replace(settings.thresholds, two_squares=share, two_squares_below=below)
            at, tally = msgspec.structs.replace(settings, thresholds=steps), Tally()
            for words, found in heard:
                done = judge_utterance((found,), at)
                verdict = Verdict((), done.heard, done.confidence, done.verdict, (), "own", 0)
                note(tally, msgspec.structs.replace(verdict, two_squares=done.two_squares), truth_of(words))
            keys = ("right", "one of the two", "neither", "read back wrong", "accepted wrong", "asked")
            title = "never asked" if share is None else f"from {share}, the likelier below {below}"
            rows.append([title, str(tally["n"]), *(str(tally[key]) for key in keys)])
    head = ("two_squares", "n", "right at once", "asked which, rightly", "asked, neither")
    return table((*head, "read back wrong", "accepted wrong", "asked again"), rows)
