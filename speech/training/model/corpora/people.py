"""People among the synthetic voices: their ranks and letters stand in others' announcements.

The takes are those of the people who train (`speech.training.common.people`). Nobody said where their phones lie, so a
model that is there lays them, and a take whose phones fit badly is given up. Letters come from the alphabets of other
languages too, where they sound as the German ones do. Talk has no phones at all: it teaches the network the unit
`TALK`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
import soundfile
import soxr

from speech.complaint import Complaint
from speech.recognisers.lexicon import TALK, load_all, token
from speech.training.common.people_speech import Samples as SpeechSamples
from speech.training.common.people_speech import Take, recordings_folder, sound_of_file, takes, trim_to_speech
from speech.training.model.corpora.contents import NOTHING, Item
from speech.training.model.corpora.corpus import RATE, CorpusLine, CorpusWriter, Samples, Sounded, utterances

FARTHEST = 2.5
"""A take whose phones fit it so much worse than any would (log units a frame) is given up."""
LONGEST_PAUSE_S = 0.6
"""People leave no longer silence between two words of an announcement."""
LONGEST_S = 6.0
"""Talk is cut to so much."""
OFTEN, SELDOM = 80, 30
"""Nobody talks more often than somebody with so many recordings: who speaks one of our languages, and who another."""
_FADE = RATE // 250
_AROUND_S = 0.1
"""Silence around a take while its phones are laid."""
SHARE = Path("/usr/share")
"""Where Debian puts what people recorded for its programs: KLettres, Asterisk, KTuberling."""


class Alphabet(msgspec.Struct, frozen=True):
    """Recordings of one person of another language: letters that sound as the German ones do.

    A Czech says "bé", "cé", "dé". The alphabets that stand in `shared/data/human` are none of these. `folder`: under
    `SHARE`. `files`: the letter of a file of the board -> the recording's name there.
    """

    speaker: str
    folder: str
    files: Mapping[str, str]
    licence: str


_BY_PLACE = {letter: f"a-{place}.ogg" for place, letter in enumerate("abcdefgh")}
_FROM_ASTERISK = "CC-BY-SA-3.0 (Debian's asterisk-core-sounds)"
_MENARDI = "CC-BY-SA-3.0 (Debian's asterisk-prompt-it-menardi)"
_ARMELLE = "GPL (Debian's asterisk-prompt-fr-armelle)"
_COLOMBIAN = "GPL (Debian's asterisk-prompt-es-co)"
_FROM_KTUBERLING = "GPL-2+ (Debian's ktuberling-data)"


def _klettres(language: str, files: Mapping[str, str]) -> Alphabet:
    """Return an alphabet of KLettres, which does not name who spoke."""
    folder = f"klettres/{language}/alpha"
    return Alphabet(f"klettres-{language}", folder, files, "GPL-2+ (Debian's klettres-data)")


def _asterisk(speaker: str, folder: str, letters: str, ending: str, licence: str = _FROM_ASTERISK) -> Alphabet:
    """Return letters by somebody who speaks for the telephone exchange Asterisk."""
    return Alphabet(speaker, f"asterisk/sounds/{folder}", {letter: f"{letter}.{ending}" for letter in letters}, licence)


def _some(names: Mapping[str, str], letters: str) -> dict[str, str]:
    return {letter: names[letter] for letter in letters}


ALPHABETS = (
    _klettres("cs", _BY_PLACE),
    _klettres("da", _some(_BY_PLACE, "bdefg")),
    _klettres("nb", {letter: f"U00{ord(letter):02X}.ogg" for letter in "abdefg"}),
    _klettres("nl", {"a": "a-0.ogg", "b": "a-1.ogg", "d": "a-2.ogg", "e": "a-3.ogg", "f": "a-4.ogg", "h": "a-6.ogg"}),
    _klettres("lt", {"a": "a-1.ogg", "c": "c-1.ogg", "e": "e-3.ogg", **{one: f"{one}.ogg" for one in "bdfgh"}}),
    _klettres("es", {letter: f"{letter}.ogg" for letter in "abde"}),
    _klettres("fr", _some(_BY_PLACE, "abdf")),
    _klettres("pt_BR", {letter: f"{letter}.ogg" for letter in "abd"}),
    _asterisk("asterisk-es_MX", "es_MX_f_Allison/letters", "abde", "g722"),
    _asterisk("asterisk-fr_CA", "fr_CA_f_June/letters", "abdf", "g722"),
    _asterisk("asterisk-it-Carlo", "it_IT_m_Carlo/letters", "ae", "g722"),
    _asterisk("asterisk-ru", "ru_RU_f_IvrvoiceRU/letters", "f", "g722"),
    _asterisk("asterisk-it-Menardi", "it_IT_f_Menardi/letters", "ae", "wav", _MENARDI),
    _asterisk("asterisk-fr-Armelle", "letters/fr", "abd", "gsm", _ARMELLE),
)


class Talker(msgspec.Struct, frozen=True):
    """Person who recorded words and sentences that are none of ours, in a language of which we have no words.

    `folder`, under `SHARE`, and the names of its recordings, which end in `ending`; letters and digits are left out.
    """

    speaker: str
    folder: str
    ending: str
    licence: str


_OF_KTUBERLING: Mapping[str, Sequence[str]] = {
    "ogg": ("ca", "da", "el", "gl", "lt", "ru", "sl", "sr", "uk", "wa"),
    "wav": ("es", "fi", "fr", "ga", "it", "nl", "pt", "ro", "sv"),
    "opus": ("nn",),
}
TALKERS = (
    Talker("asterisk-es_MX", "asterisk/sounds/es_MX_f_Allison", "g722", _FROM_ASTERISK),
    Talker("asterisk-fr_CA", "asterisk/sounds/fr_CA_f_June", "g722", _FROM_ASTERISK),
    Talker("asterisk-it-Carlo", "asterisk/sounds/it_IT_m_Carlo", "g722", _FROM_ASTERISK),
    Talker("asterisk-ru", "asterisk/sounds/ru_RU_f_IvrvoiceRU", "g722", _FROM_ASTERISK),
    Talker("asterisk-it-Menardi", "asterisk/sounds/it_IT_f_Menardi", "wav", _MENARDI),
    Talker("asterisk-fr-Armelle", "asterisk/sounds/fr", "gsm", _ARMELLE),
    Talker("asterisk-es_CO", "asterisk/sounds/es", "gsm", _COLOMBIAN),
    *(
        Talker(f"ktuberling-{language}", f"ktuberling/sounds/{language}", ending, _FROM_KTUBERLING)
        for ending, languages in _OF_KTUBERLING.items()
        for language in languages
    ),
)
"""No German, English, Hebrew or Hungarian: who recorded these may be somebody who tunes or is measured."""


def licences() -> dict[str, str]:
    """Return whose recordings of installed programs are used, with the licence of each."""
    return {one.speaker: one.licence for one in ALPHABETS} | {one.speaker: one.licence for one in TALKERS}


_NO_TALK = {"letters", "digits", "phonetic", "dictate", "silence"}
"""The folders of recordings that may sound like words of ours, or have nobody in them."""


def read_recording(file: Path) -> SpeechSamples:
    """Return a recording of an installed program, -1 to 1 at 16 kHz, without the silence around it.

    Raises Complaint where it cannot be read. Sound of telephone exchanges (G.722, GSM) needs PyAV.
    """
    try:
        samples, rate = _of_an_exchange(file) if file.suffix in (".g722", ".gsm") else soundfile.read(file)
    except (OSError, ValueError, soundfile.SoundFileError):
        raise Complaint(f"{file} cannot be read: install what speech/training/own-model.md names.") from None
    return trim_to_speech(soxr.resample(samples if samples.ndim == 1 else samples.mean(axis=1), rate, RATE))


def _of_an_exchange(file: Path) -> tuple[SpeechSamples, int]:
    """Return samples and their rate (Hz). Raises OSError or ValueError where they cannot be read."""
    import av

    with av.open(str(file)) as container:
        stream = container.streams.audio[0]
        parts = [frame.to_ndarray().reshape(-1) for frame in container.decode(stream)]
        return np.concatenate(parts).astype(np.float64) / 32768, stream.rate


def letter_of(alphabet: Alphabet, letter: str, folder: Path = SHARE) -> SpeechSamples:
    """Return one letter, as `read_recording` does."""
    return read_recording(folder / alphabet.folder / alphabet.files[letter])


def talk_of(talker: Talker, folder: Path = SHARE) -> list[Samples]:
    """Return the recordings of one talker that are no words of ours, each as `read_recording` returns it.

    Recordings under 0.2 s are left out, and the few of Debian's packages that have nothing in them. Raises Complaint
    where none is left.
    """
    base = folder / talker.folder
    found: list[Samples] = []
    for file in sorted(base.rglob(f"*.{talker.ending}")):
        if _NO_TALK & set(file.parts):
            continue
        with suppress(Complaint):
            found.append(read_recording(file).astype(np.float32))
    found = [sound for sound in found if len(sound) >= RATE // 5]
    if not found:
        raise Complaint(f"{base} has no recordings: install what speech/training/own-model.md names.")
    return found


class AlignedTake(msgspec.Struct, frozen=True):
    """One take, -1 to 1 at 16 kHz: what was said, as a token, and where its phones lie."""

    speaker: str
    token: str
    samples: Samples
    sounded: tuple[Sounded, ...] = ()


def token_of(take: Take) -> str:
    """Return the token of what was said; none where it is no word of ours."""
    if take.word is None:
        return NOTHING
    return token("de" if take.language == "nds" or take.word.startswith("letter.") else take.language, take.word)


def laid_takes(speakers: Sequence[str], model: Path) -> list[AlignedTake]:
    """Return the takes of words that are ours, each with its phones where the model lays them.

    Raises Complaint where the recordings are not there. Needs PyTorch.
    """
    root = recordings_folder()
    named = [(take, token_of(take)) for take in takes(root, speakers)]
    return _lay_takes(((take.speaker, name, sound_of_file(root / take.file)) for take, name in named if name), model)


def laid_alphabets(model: Path) -> list[AlignedTake]:
    """Return the letters of people of other languages in the same way. Raises Complaint where they are not there."""
    return _lay_takes(
        (
            (alphabet.speaker, token("de", f"letter.{letter}"), letter_of(alphabet, letter))
            for alphabet in ALPHABETS
            for letter in alphabet.files
        ),
        model,
    )


def _lay_takes(said: Iterable[tuple[str, str, SpeechSamples]], model: Path) -> list[AlignedTake]:
    """Return what each speaker said, by token, with its phones; what fits none of the token's ways is left out."""
    from speech.training.model.corpora.laying import Layer

    lexicon, layer = load_all(), Layer(model)
    found: list[AlignedTake] = []
    for speaker, name, sound in said:
        speech = sound.astype(np.float32)
        padded = np.pad(speech, round(_AROUND_S * RATE))
        # People say a word in one of its ways: the one that fits best.
        sounded, gap = min(
            (layer.lay(padded, [Item(name, way)]) for way in lexicon[name]), key=lambda one: _cost(one[1])
        )
        if _cost(gap) <= FARTHEST:
            found.append(AlignedTake(speaker, name, speech, tuple(_shift_phones(sounded, -_AROUND_S))))
    return found


def _cost(gap: float) -> float:
    return gap if np.isfinite(gap) else float("inf")


def _shift_phones(sounded: Iterable[Sounded], seconds: float) -> list[Sounded]:
    return [Sounded(one.phone, one.token, one.start + seconds, one.end + seconds) for one in sounded]


def takes_corpus(stem: Path, speakers: Sequence[str], model: Path, *, alphabets: bool = False) -> None:
    """Write each take as an utterance of its own, for `takes_of`; `alphabets`: with the letters of other languages."""
    writer = CorpusWriter(stem)
    for take in [*laid_takes(speakers, model), *(laid_alphabets(model) if alphabets else ())]:
        writer.add(take.speaker, take.samples, RATE, take.sounded)
    writer.close()


def takes_of(stem: Path) -> list[AlignedTake]:
    """Return the takes that `takes_corpus` wrote."""
    return [
        AlignedTake(line.speaker, line.sounded[0].token, samples, line.sounded) for line, samples in utterances(stem)
    ]


class Spliced:
    """Utterance that grows by pieces, with the phones in it."""

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
        self.sounded += _shift_phones(sounded, shift)
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


def _at_level(take: AlignedTake, level: float, chance: random.Random) -> Samples:
    return (take.samples * (level / _level(take.samples)) * chance.lognormvariate(0.0, 0.25)).astype(np.float32)


def _pause(chance: random.Random) -> float:
    """Return how long people wait between two words (s): mostly not at all."""
    draw = chance.random()
    return 0.0 if draw < 0.4 else chance.uniform(0.0, 0.2) if draw < 0.8 else chance.uniform(0.2, LONGEST_PAUSE_S)


def spliced_corpus(
    stem: Path, others: Sequence[Path], own: Sequence[AlignedTake], classes: Sequence[str], count: int, seed: int
) -> None:
    """Write announcements of other corpora in which the words of these classes ("de:rank") are people's takes."""
    chance = random.Random(seed)  # noqa: S311
    lines = [
        (line, samples)
        for other in others
        for line, samples in utterances(other)
        if any(_class(one) in classes for one in line.sounded)
    ]
    by_token: dict[str, dict[str, list[AlignedTake]]] = {}
    for take in own:
        by_token.setdefault(take.token, {}).setdefault(take.speaker, []).append(take)
    writer = CorpusWriter(stem)
    done = tries = 0
    while done < count and tries < 20 * count:
        tries += 1
        line, samples = chance.choice(lines)
        if all(word[0].token in by_token for word in _words(line.sounded) if _class(word[0]) in classes):
            utterance, people = _splice_words(line, samples, by_token, classes, chance)
            writer.add(f"{line.speaker} with {' and '.join(people)}", utterance.samples, RATE, utterance.sounded)
            done += 1
    writer.close()


def _class(sounded: Sounded) -> str:
    return sounded.token.split(".")[0]


def _splice_words(
    line: CorpusLine,
    samples: Samples,
    by_token: dict[str, dict[str, list[AlignedTake]]],
    classes: Sequence[str],
    chance: random.Random,
) -> tuple[Spliced, list[str]]:
    """Return an utterance with the words of these classes by people, and who they are.

    All words of a class are by one person, where that person said them all; the letters may be another's than the
    ranks, for few people said both.
    """
    words = _words(line.sounded)
    people: dict[str, str] = {}
    for kind in classes:
        said = [set(by_token[word[0].token]) for word in words if _class(word[0]) == kind]
        if said and (everybody := set.intersection(*said)):
            people[kind] = chance.choice(sorted(everybody))
    utterance, level, end = Spliced(), _level(samples), 0.0
    for word in words:
        gap = min(word[0].start - end, LONGEST_PAUSE_S)
        if gap > 0.03:
            utterance.pause(gap)
        if _class(word[0]) in classes:
            theirs = by_token[word[0].token]
            take = chance.choice(theirs[people.get(_class(word[0])) or chance.choice(sorted(theirs))])
            if gap <= 0.03:
                utterance.pause(_pause(chance))
            utterance.add(_at_level(take, level, chance), take.sounded)
            utterance.pause(_pause(chance))
        else:
            first = max(0, int((word[0].start - 0.01) * RATE))
            utterance.add(samples[first : int((word[-1].end + 0.01) * RATE)], _shift_phones(word, -first / RATE))
        end = word[-1].end
    return utterance, sorted(set(people.values()))


def alone_corpus(stem: Path, own: Sequence[AlignedTake], count: int, seed: int) -> None:
    """Write words of one person in any order, one to five in a row."""
    chance = random.Random(seed)  # noqa: S311
    by_speaker: dict[tuple[str, str], list[AlignedTake]] = {}
    for take in own:
        by_speaker.setdefault((take.speaker, take.token[:2]), []).append(take)
    writer = CorpusWriter(stem)
    names = sorted(by_speaker)
    for _ in range(count):
        theirs = by_speaker[chance.choice(names)]
        utterance = Spliced()
        for take in chance.choices(theirs, k=chance.randint(1, 5)):
            utterance.add(_at_level(take, 0.05, chance), take.sounded)
            utterance.pause(_pause(chance))
        writer.add(theirs[0].speaker, utterance.samples, RATE, utterance.sounded)
    writer.close()


def talk_corpus(
    stem: Path, speakers: Sequence[str], count: int, seed: int, talkers: Sequence[Talker] = TALKERS
) -> None:
    """Write what these people say that is no word of ours, cut to some seconds, one to three recordings in a row."""
    chance = random.Random(seed)  # noqa: S311
    root = recordings_folder()
    pieces: dict[str, list[Samples]] = {}
    for take in takes(root, speakers):
        # A foreign letter may sound like one of ours.
        if not token_of(take) and not (len(take.words) == 1 and take.language != "de"):
            pieces.setdefault(take.speaker, []).append(sound_of_file(root / take.file).astype(np.float32))
    pieces |= {talker.speaker: talk_of(talker) for talker in talkers}
    writer = CorpusWriter(stem)
    most = dict.fromkeys(pieces, OFTEN) | {talker.speaker: SELDOM for talker in talkers}
    names, shares = sorted(pieces), [min(most[name], len(pieces[name])) for name in sorted(pieces)]
    for _ in range(count):
        (speaker,) = chance.choices(names, shares)
        utterance = Spliced()
        for piece in chance.choices(pieces[speaker], k=chance.choice((1, 1, 1, 2, 3))):
            longest = int(LONGEST_S * RATE)
            first = chance.randrange(max(1, len(piece) - longest))
            cut = piece[first : first + longest]
            cut = (cut * (0.05 / _level(cut)) * chance.lognormvariate(0.0, 0.25)).astype(np.float32)
            utterance.add(cut, stretches_of_speech(cut))
            utterance.pause(_pause(chance))
            if utterance.count > longest:
                break
        writer.add(speaker, utterance.samples, RATE, utterance.sounded)
    writer.close()


def stretches_of_speech(samples: Samples, below_db: float = 38.0, gap: int = 12) -> list[Sounded]:
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
