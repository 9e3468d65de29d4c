"""This module lets people speak among the synthetic voices: their ranks and letters stand in others' announcements.

The takes are those of the people who train (`speech.training.common.people`). Nobody said where their phones lie, so a
model that is there lays them, and a take whose phones fit badly is given up. Talk has no phones at all: it teaches the
network the unit `TALK`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import soundfile

from speech.complaint import Complaint
from speech.recognisers.lexicon import TALK, Way, load_all
from speech.training.model.corpora.contents import NOTHING, Item
from speech.training.model.corpora.corpus import RATE, CorpusWriter, Samples, Sounded, utterances
from speech.training.model.laying import Layer

HUMAN = Path(__file__).resolve().parents[5] / "shared" / "data" / "human"
FARTHEST = 2.5
"""A take whose phones fit it so much worse than any would (log units a frame) is given up."""
_FADE = RATE // 250
_RANKS = ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht")
_SPELLING = ("Anton", "Berta", "Cäsar", "Dora", "Emil", "Friedrich", "Gustav", "Heinrich")
_ARABIC = {
    **dict(zip(("واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية"), range(1, 9), strict=True)),
    "نعم": "yes",
    "لا": "no",
}


class Take(msgspec.Struct, frozen=True):
    """A `Take` is one recording of one person, -1 to 1 at 16 kHz.

    It says what was said, as a token, and where its phones lie.
    """

    speaker: str
    token: str
    samples: Samples
    sounded: tuple[Sounded, ...] = ()


def token_of(language: str, words: str) -> str:
    """Return the token of what was said by the index of the recordings; none where it is no word of ours."""
    said = words.partition(" (by the table")[0]
    if language == "de" and said in _RANKS:
        return f"de:rank.{_RANKS.index(said) + 1}"
    if language == "de" and said in ("null", "neun", "zehn"):
        return f"de:digit.{ {'null': 0, 'neun': 9, 'zehn': 10}[said] }"
    if language in ("de", "nds") and len(said) == 1 and said in "abcdefgh":
        return f"de:letter.{said}"
    if language == "de" and said in _SPELLING:
        return f"de:spelling.{said[0].lower()}"
    if language == "ar" and said in _ARABIC:
        found = _ARABIC[said]
        return f"ar:rank.{found}" if isinstance(found, int) else f"ar:cmd.{found}"
    return NOTHING


def recorded(speakers: Sequence[str]) -> Iterator[tuple[str, str, str, Samples]]:
    """Yield speaker, language, words and samples of every recording of these people.

    Raises Complaint where the recordings are not there.
    """
    index = HUMAN / "index.tsv"
    if not index.exists():
        raise Complaint("The recordings of people (shared/data/human) are not there; without them no model is made.")
    for line in index.read_text("utf-8").splitlines()[1:]:
        file, language, words, speaker, *_ = line.split("\t")
        if speaker in speakers:
            samples, rate = soundfile.read(HUMAN / file, dtype="float32")
            assert rate == RATE
            yield speaker, language, words, samples


def trimmed(samples: Samples) -> Samples:
    """Return the samples without the quiet before and after the speech."""
    first, last = _loud(samples)
    return samples[first:last]


def _loud(samples: Samples, below_db: float = 34.0) -> tuple[int, int]:
    frame = RATE // 100
    count = len(samples) // frame
    power = 10 * np.log10((samples[: count * frame].reshape(count, frame) ** 2).mean(axis=1) + 1e-10)
    (loud,) = np.nonzero(power > power.max() - below_db)
    return max(0, int(loud[0]) - 3) * frame, min(count, int(loud[-1]) + 4) * frame


def laid_takes(speakers: Sequence[str], model: Path) -> list[Take]:
    """Return the takes of words that are ours, each with its phones where the model lays them."""
    lexicon, layer = load_all(), Layer(model)
    found: list[Take] = []
    for speaker, language, words, samples in recorded(speakers):
        token = token_of(language, words)
        if not token or len(samples) < RATE // 8:
            continue
        speech = trimmed(samples)
        padded = np.pad(speech, RATE // 10)
        ways = [(layer.laid(padded, [Item(token, way)]), way) for way in _ways(lexicon, token)]
        ways = [one for one in ways if np.isfinite(one[0][1])]
        if not ways:
            continue
        (sounded, gap), _ = min(ways, key=lambda one: one[0][1])
        if gap > FARTHEST:
            continue
        shift = 0.1
        placed = tuple(Sounded(one.phone, one.token, one.start - shift, one.end - shift) for one in sounded)
        found.append(Take(speaker, token, speech, placed))
    return found


def _ways(lexicon: Mapping[str, tuple[Way, ...]], token: str) -> tuple[Way, ...]:
    return lexicon[token]


def takes_corpus(stem: Path, speakers: Sequence[str], model: Path) -> None:
    """Write each take as an utterance of its own, for `takes_of`."""
    writer = CorpusWriter(stem)
    for take in laid_takes(speakers, model):
        writer.add(take.speaker, take.samples, RATE, take.sounded)
    writer.close()


def takes_of(stem: Path) -> list[Take]:
    """Return the takes that `takes_corpus` wrote."""
    return [Take(line.speaker, line.sounded[0].token, samples, line.sounded) for line, samples in utterances(stem)]


class Spliced:
    """A `Spliced` is an utterance that grows by pieces, with the phones in it."""

    def __init__(self) -> None:
        self.parts: list[Samples] = []
        self.sounded: list[Sounded] = []
        self.count = 0

    def add(self, samples: Samples, sounded: Sequence[Sounded]) -> None:
        """Add a piece; `sounded` counts from its first sample."""
        shift = self.count / RATE
        piece = samples.copy()
        fade = min(_FADE, len(piece) // 2)
        if fade:
            ramp = np.linspace(0.0, 1.0, fade, dtype=np.float32)
            piece[:fade] *= ramp
            piece[-fade:] *= ramp[::-1]
        self.parts.append(piece)
        self.sounded += [Sounded(one.phone, one.token, one.start + shift, one.end + shift) for one in sounded]
        self.count += len(piece)

    def pause(self, seconds: float) -> None:
        """Add silence."""
        self.parts.append(np.zeros(int(seconds * RATE), np.float32))
        self.count += len(self.parts[-1])

    @property
    def samples(self) -> Samples:
        """Return all of it."""
        return np.concatenate(self.parts)


def _words(sounded: Sequence[Sounded]) -> list[list[Sounded]]:
    """Return the phones by word: a new token, the same phones begun again, or a gap begins another."""
    found: list[list[Sounded]] = []
    for one in sounded:
        if found and found[-1][-1].token == one.token and one.start - found[-1][-1].end < 0.02:
            found[-1].append(one)
        else:
            found.append([one])
    return found


def _level(samples: Samples) -> float:
    return float(np.sqrt((samples**2).mean() + 1e-9))


def _at_level(take: Take, level: float, chance: random.Random) -> Samples:
    return (take.samples * (level / _level(take.samples)) * chance.lognormvariate(0.0, 0.25)).astype(np.float32)


def _pause(chance: random.Random) -> float:
    """Return how long people wait between two words (s): mostly not at all."""
    draw = chance.random()
    return 0.0 if draw < 0.4 else chance.uniform(0.0, 0.2) if draw < 0.8 else chance.uniform(0.2, 0.6)


def spliced_corpus(
    stem: Path, others: Sequence[Path], takes: Sequence[Take], classes: Sequence[str], count: int, seed: int
) -> None:
    """Write announcements of other corpora in which the words of these classes ("de:rank") are people's takes.

    All of them are by one person in an utterance, where that person said them all.
    """
    chance = random.Random(seed)  # noqa: S311
    lines = [
        (line, samples)
        for other in others
        for line, samples in utterances(other)
        if any(one.token.split(".")[0] in classes for one in line.sounded)
    ]
    by_token: dict[str, dict[str, list[Take]]] = {}
    for take in takes:
        by_token.setdefault(take.token, {}).setdefault(take.speaker, []).append(take)
    writer = CorpusWriter(stem)
    done = tries = 0
    while done < count and tries < 20 * count:
        tries += 1
        line, samples = chance.choice(lines)
        words = _words(line.sounded)
        replaced = [word[0].token for word in words if word[0].token.split(".")[0] in classes]
        if any(token not in by_token for token in replaced):
            continue
        # The letters may be one person's and the ranks another's: few people said both.
        speakers: dict[str, str] = {}
        for kind in sorted({token.split(".")[0] for token in replaced}):
            said = [set(by_token[token]) for token in replaced if token.startswith(f"{kind}.")]
            if everybody := set.intersection(*said):
                speakers[kind] = chance.choice(sorted(everybody))
        utterance, level = Spliced(), _level(samples)
        end = 0.0
        for word in words:
            token = word[0].token
            start = min(word[0].start, len(samples) / RATE)
            if token.split(".")[0] in classes:
                whole = by_token[token]
                speaker = speakers.get(token.split(".")[0]) or chance.choice(sorted(whole))
                take = chance.choice(whole[speaker])
                utterance.pause(max(0.0, min(start - end, 0.6)) if start - end > 0.03 else _pause(chance))
                utterance.add(_at_level(take, level, chance), take.sounded)
                utterance.pause(_pause(chance))
            else:
                first, last = int((start - 0.01) * RATE), int((word[-1].end + 0.01) * RATE)
                first = max(0, first)
                if start - end > 0.03:
                    utterance.pause(min(start - end, 0.6))
                piece = samples[first:last]
                if len(piece) == 0:
                    break
                utterance.add(
                    piece, [Sounded(o.phone, o.token, o.start - first / RATE, o.end - first / RATE) for o in word]
                )
            end = word[-1].end
        else:
            writer.add(
                f"{line.speaker} with {' and '.join(sorted(set(speakers.values())))}",
                utterance.samples,
                RATE,
                utterance.sounded,
            )
            done += 1
    writer.close()


def alone_corpus(stem: Path, takes: Sequence[Take], count: int, seed: int) -> None:
    """Write words of one person in any order, one to five in a row."""
    chance = random.Random(seed)  # noqa: S311
    by_speaker: dict[tuple[str, str], list[Take]] = {}
    for take in takes:
        by_speaker.setdefault((take.speaker, take.token[:2]), []).append(take)
    writer = CorpusWriter(stem)
    names = sorted(by_speaker)
    for _ in range(count):
        own = by_speaker[chance.choice(names)]
        utterance = Spliced()
        for take in chance.choices(own, k=chance.randint(1, 5)):
            utterance.add(_at_level(take, 0.05, chance), take.sounded)
            utterance.pause(_pause(chance))
        writer.add(own[0].speaker, utterance.samples, RATE, utterance.sounded)
    writer.close()


LONGEST_S = 6.0


def talk_corpus(stem: Path, speakers: Sequence[str], count: int, seed: int) -> None:
    """Write what these people say that is no word of ours, cut to some seconds, one to three recordings in a row."""
    chance = random.Random(seed)  # noqa: S311
    pieces: dict[str, list[Samples]] = {}
    for speaker, language, words, samples in recorded(speakers):
        if token_of(language, words) or (len(words) == 1 and language != "de") or re.match(r"\(digits", words):
            continue
        if len(samples) >= RATE // 5 and float(np.abs(samples).max()) > 0.01:
            pieces.setdefault(speaker, []).append(trimmed(samples))
    writer = CorpusWriter(stem)
    names, shares = sorted(pieces), [min(80, len(pieces[name])) for name in sorted(pieces)]
    for _ in range(count):
        (speaker,) = chance.choices(names, shares)
        utterance = Spliced()
        for piece in chance.choices(pieces[speaker], k=chance.choice((1, 1, 1, 2, 3))):
            longest = int(LONGEST_S * RATE)
            first = chance.randrange(max(1, len(piece) - longest))
            cut = piece[first : first + longest]
            cut = (cut * (0.05 / _level(cut)) * chance.lognormvariate(0.0, 0.25)).astype(np.float32)
            utterance.add(cut, talked(cut))
            utterance.pause(_pause(chance))
            if utterance.count > longest:
                break
        writer.add(speaker, utterance.samples, RATE, utterance.sounded)
    writer.close()


def talked(samples: Samples, below_db: float = 38.0, gap: int = 12) -> list[Sounded]:
    """Return the stretches of speech as one unit each; pauses of `gap` frames (10 ms) or more lie between them."""
    frame = RATE // 100
    count = len(samples) // frame
    power = 10 * np.log10((samples[: count * frame].reshape(count, frame) ** 2).mean(axis=1) + 1e-10)
    (loud,) = np.nonzero(power > power.max() - below_db)
    found: list[Sounded] = []
    for run in np.split(loud, np.nonzero(np.diff(loud) > gap)[0] + 1):
        if len(run) > 3:
            found.append(Sounded(TALK, NOTHING, float(run[0]) / 100, float(run[-1] + 1) / 100))
    return found
