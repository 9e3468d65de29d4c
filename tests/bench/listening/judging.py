"""What the ears make of a sound: each engine alone, and both; right or wrong, taken or asked again."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from server.cli.measure import TAKEN, Meaning, meaning_of
from speech.announcements.understand import understand
from speech.hearing.hearing import Hearing, Verdict
from speech.hearing.second_opinion import first_asked, taken_alone
from speech.hearing.settings import HearingSettings, load_hearing
from speech.recognisers.recogniser import Hypotheses, Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import Words
from tests.bench.listening.remembering import Remembering

BOTH = "both"


class Sounded(msgspec.Struct, frozen=True):
    """One utterance: what was said (nothing: it was none for us), how it sounds, and how it sounds said once more."""

    words: Words
    pcm: bytes
    again: bytes | None = None


def truth_of(words: Words) -> Meaning | None:
    """What a chain of words means."""
    return meaning_of(understand(words)) if words else None


def settings_in(file: Path | None) -> HearingSettings | None:
    """The curves and thresholds that somebody fitted into this file; None where none is named."""
    if file is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(file, Path(folder) / "hearing.toml")
        return load_hearing(Path(folder))


class Ears:
    """Each engine alone and both together, over answers that are kept."""

    def __init__(
        self, engines: Sequence[Remembering], rows: Sequence[str] = (), settings: HearingSettings | None = None
    ) -> None:
        """`rows`: of whom figures are wanted, `BOTH` last (default: of all). An engine without a row of its own hears
        only what both need it for. `settings`: by which all is judged (default: those in force).
        """
        self.engines = {engine.name: engine for engine in engines}
        self._rows = tuple(rows)
        self._settings = settings or load_hearing()
        self._made: dict[tuple[str, float | None], Hearing] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Each engine, and both; or those of them that are wanted."""
        if self._rows:
            return self._rows
        return (*self.engines, BOTH) if len(self.engines) > 1 else tuple(self.engines)

    @property
    def compared(self) -> bool:
        """Whether every engine hears everything."""
        return set(self.engines) <= set(self.names)

    async def start(self) -> None:
        """Start every engine."""
        for engine in self.engines.values():
            await engine.start()

    async def close(self) -> None:
        """End every engine."""
        for engine in self.engines.values():
            await engine.close()

    async def listen(self, sounds: Sequence[bytes], scheme: Scheme, names: Sequence[str] = ()) -> None:
        """Have the engines that have a row hear all of these, as many at once as there are. An engine without a row of
        its own hears, as many at once, what leaves the first in doubt.
        """
        vocabulary = vocabulary_of(scheme)
        asked = names or [name for name in self.names if name != BOTH]
        await asyncio.gather(*(self.engines[name].recognise(pcm, vocabulary) for pcm in sounds for name in asked))
        first = first_asked(list(self.engines), self._settings)
        if not names and BOTH in self.names and first is not None:
            await asyncio.gather(*(self._second_opinion(first, pcm, vocabulary) for pcm in sounds))

    async def _second_opinion(self, first: str, pcm: bytes, vocabulary: Vocabulary) -> None:
        """Have the others hear it where the first is in doubt; what they heard is kept for the verdict."""
        found = await self.engines[first].recognise(pcm, vocabulary)
        if taken_alone(found, self._settings, languages=vocabulary.languages) is None:
            others = [engine for name, engine in self.engines.items() if name != first]
            await asyncio.gather(*(engine.recognise(pcm, vocabulary) for engine in others))

    async def verdict(
        self, name: str, pcm: bytes, scheme: Scheme, threshold: float | None = None, after: Verdict | None = None
    ) -> Verdict:
        """What an engine, or both, say; `threshold`: taken from this P(right) on, in place of what is configured;
        `after`: the verdict that asked for it again.
        """
        return await self._hearing(name, threshold).hear(pcm, scheme, after=after)

    def _hearing(self, name: str, threshold: float | None) -> Hearing:
        key = name, threshold
        if key not in self._made:
            engines = list(self.engines.values()) if name == BOTH else [self.engines[name]]
            self._made[key] = Hearing(engines, _settings_at(self._settings, threshold), patient=True)
        return self._made[key]

    async def first_choice(self, name: str, pcm: bytes, scheme: Scheme) -> Words:
        """The engine's best chain as it is, without understanding and doubt."""
        found: Hypotheses = await self.engines[name].recognise(pcm, vocabulary_of(scheme))
        return found.ranked[0].ids if found.ranked else ()


def _settings_at(settings: HearingSettings, threshold: float | None) -> HearingSettings:
    if threshold is None:
        return settings
    steps = settings.thresholds.all_from(threshold)
    later = msgspec.structs.replace(settings.second_opinion, accept=None, command=None, two_squares_below=None)
    return msgspec.structs.replace(settings, thresholds=steps, second_opinion=later)


class Tally:
    """Counts of what became of utterances, by a name each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def __getitem__(self, key: str) -> int:
        return self.counts[key]

    def __iadd__(self, other: Tally) -> Tally:
        self.counts += other.counts
        return self


def note(tally: Tally, verdict: Verdict, truth: Meaning | None) -> bool:
    """Count one utterance; True where a player would have to say it again."""
    heard = meaning_of(verdict.heard)
    right, taken = heard == truth, verdict.verdict in TAKEN
    tally.counts["n"] += 1
    if verdict.two_squares:
        named = truth in [truth_of(chain) for chain in verdict.two_squares]
        tally.counts["asked which"] += 1
        tally.counts["one of the two" if named else "neither"] += 1
        return True
    tally.counts[verdict.verdict] += 1
    tally.counts["right"] += taken and right
    tally.counts["accepted wrong"] += verdict.verdict == "accept" and not right
    tally.counts["read back wrong"] += verdict.verdict == "confirm" and not right
    tally.counts["asked"] += verdict.verdict in ("repeat", "reject")
    return not taken or (verdict.verdict == "confirm" and not right)


async def _compare(ears: Ears, tally: Tally, sounded: Sequence[Sounded], scheme: Scheme) -> None:
    """Count how often the first choices agree, agree and are wrong, and how often one of them at least is right."""
    for one in sounded:
        told = {truth_of(await ears.first_choice(name, one.pcm, scheme)) for name in ears.engines}
        agreed = len(told) == 1 and None not in told
        tally.counts["agreed"] += agreed
        tally.counts["agreed wrong"] += agreed and truth_of(one.words) not in told
        tally.counts["one right"] += truth_of(one.words) in told


async def tallied(ears: Ears, sounded: Sequence[Sounded], scheme: Scheme) -> Mapping[str, Tally]:
    """What each engine and both make of utterances; who is asked, or says no to what is read back, repeats."""
    await ears.listen([one.pcm for one in sounded], scheme)
    found = {name: Tally() for name in ears.names}
    for name, tally in found.items():
        again: list[tuple[Sounded, Verdict]] = []
        for one in sounded:
            verdict = await ears.verdict(name, one.pcm, scheme)
            if note(tally, verdict, truth_of(one.words)) and one.again is not None:
                again.append((one, verdict))
        await ears.listen([one.again for one, _ in again if one.again], scheme, () if name == BOTH else (name,))
        for one, first in again:
            assert one.again is not None
            after = first if first.verdict == "repeat" and first.heard.unclear is None else None
            verdict = await ears.verdict(name, one.again, scheme, after=after)
            right, taken = meaning_of(verdict.heard) == truth_of(one.words), verdict.verdict in TAKEN
            tally.counts["right the second time"] += taken and right
            tally.counts["accepted wrong the second time"] += verdict.verdict == "accept" and not right
        if name == BOTH and ears.compared:
            await _compare(ears, tally, sounded, scheme)
        for one in sounded if name != BOTH else ():
            words = await ears.first_choice(name, one.pcm, scheme)
            tally.counts["first choice right"] += truth_of(words) == truth_of(one.words)
            tally.counts["first choice the very words"] += words == one.words
            tally.counts["first choice wrong"] += bool(words) and truth_of(words) != truth_of(one.words)
    return found
