"""The part of people in the hall plan: real throats, so that confidence is fitted on strangers.

Only people who tune speak here (`speech.training.common.people`). One person says the ranks of an announcement and
eSpeak NG's held-out variants say the rest; or one says a file's letter and another its rank; or Arabic speakers say
yes, no and stop. All else that they said, alone or two or three in a row, is talk that is not for the program. Squares
as one person spells them, a letter and a rank, are also said by two who taught our own network (`PUPILS`): they tune
the ear that never met them, and no other.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import soxr

from speech.audio.wav import HEARING_RATE
from speech.training.common.evidence import SILENCE_S
from speech.training.common.people import TUNING
from speech.training.common.people_speech import (
    Take,
    announcement,
    by_word,
    paste_parts,
    sound_of_file,
    takes,
    two_ranks,
)
from speech.training.curves.hall_plan import PERSON, SURROUNDINGS, HallUtterance, Surrounding, scheme_of
from speech.training.model.corpora.espeak import HELD_OUT
from speech.training.model.corpora.espeak_speech import Espeak
from speech.words.scheme import Scheme

Samples = npt.NDArray[np.float64]

DIGITS, LETTERS = "hd05", "kl-Wiese/Dibbern"
"""Speakers of the German ranks, and of the letters beside them: they are left out together."""
PAIR = f"{DIGITS} and {LETTERS}"
PUPILS = ("kl-Helmut Kriege and hd02", "ast-tootai-de")
SPELLERS = (PAIR, PUPILS[0], PAIR, PUPILS[1])
"""Speakers of squares, by turns."""
ARABS = tuple(name for name in TUNING if name.startswith("arcmd-"))
TALKERS = tuple(name for name in TUNING if name != DIGITS and not name.startswith("arcmd-"))
"""People who said words that are no announcement."""
HOME = {"nds": "de", "de": "de", "en_GB": "en", "ar": "ar", "he": "he", "hu": "hu"}
"""The listener's language of a talker's own language."""
_TALK_PAUSES_S = (0.1, 0.7)
_COMMANDS = ("cmd.yes", "cmd.no", "cmd.stop")


def people_plan(root: Path, size: int, seed: int) -> list[HallUtterance]:
    """Return the plan of what people say.

    `size`: announcements with two ranks in German, each said twice; all else in proportion. Raises `Complaint` where
    the recordings are not there.
    """
    chance = random.Random(seed)  # noqa: S311
    every = takes(root, TUNING)
    found: list[HallUtterance] = []

    def add(one: HallUtterance, *, twice: bool = True) -> None:
        found.append(one)
        if twice:
            found.append(msgspec.structs.replace(one, again=len(found) - 1))

    for _ in range(size):
        add(_utterance_of_people(two_ranks(chance), "d21", "de", PAIR, chance.choice(SURROUNDINGS)))
    for turn in range(size):
        words: tuple[str, ...] = (f"letter.{chance.choice('abcdefgh')}", f"rank.{chance.choice('12345678')}")
        if words[1] in ("rank.1", "rank.8") or chance.random() < 0.4:
            words = (f"piece.{chance.choice(('king', 'queen', 'rook', 'bishop', 'knight'))}", *words)
        add(_utterance_of_people(words, ("letters", "d21")[turn % 2], "de", PAIR, chance.choice(SURROUNDINGS)))
    for turn in range(size // 2):
        who = ARABS[turn % len(ARABS)]
        add(_utterance_of_people(two_ranks(chance), "national", "ar", who, chance.choice(SURROUNDINGS)))
    for turn in range(size):
        who, word = ARABS[turn % len(ARABS)], _COMMANDS[turn // len(ARABS) % len(_COMMANDS)]
        add(HallUtterance("command", (word,), "national", "ar", f"{PERSON}+{who}", chance.choice(SURROUNDINGS)))
    for turn, talk in enumerate(_talk(every, 5 * size, chance)):
        found.append(_free(talk, turn, chance))
    return found


def squares_plan(size: int, seed: int) -> list[HallUtterance]:
    """Return so many squares as people spell them, by turns, in rooms as a player's may be."""
    chance = random.Random(seed)  # noqa: S311
    rooms: tuple[Surrounding, ...] = ("clean", "clean", "babble 20", "white 20", "room")
    return [
        _utterance_of_people(
            (f"letter.{chance.choice('abcdefgh')}", f"rank.{chance.choice('234567')}"),
            "letters",
            "de",
            SPELLERS[turn % len(SPELLERS)],
            chance.choice(rooms),
        )
        for turn in range(size)
    ]


def _utterance_of_people(
    words: tuple[str, ...], scheme: str, language: str, who: str, where: Surrounding
) -> HallUtterance:
    return HallUtterance("announcement", words, scheme, language, f"{PERSON}+{who}", where)


def _talk(every: Sequence[Take], count: int, chance: random.Random) -> list[tuple[Take, ...]]:
    """Return so much talk: every take once, as far as they go, then two or three of one person in a row."""
    of = {name: [take for take in every if take.speaker == name] for name in TALKERS}
    alone = [(take,) for name in TALKERS for take in of[name]]
    chance.shuffle(alone)
    found: list[tuple[Take, ...]] = list(alone[: 2 * count // 3])
    while len(found) < count:
        some = of[chance.choice(TALKERS)]
        found.append(tuple(chance.sample(some, chance.choice((2, 3)))))
    return found


def _free(talk: tuple[Take, ...], turn: int, chance: random.Random) -> HallUtterance:
    """Return talk as it is heard by turns: German names, or the words of the talker's own language."""
    home = HOME[talk[0].language]
    scheme, language = ("d21", "de") if turn % 2 or not _is_strange(talk, home) else ("national", home)
    if home == "de":
        scheme = ("d21", "letters")[turn % 2]
    who = PAIR if talk[0].speaker == LETTERS else talk[0].speaker
    files = tuple(take.file for take in talk)
    return HallUtterance("free", (), scheme, language, f"{PERSON}+{who}", chance.choice(SURROUNDINGS), files)


def _is_strange(talk: Sequence[Take], language: str) -> bool:
    """Return whether none of this may be a command or another word of the language itself.

    What is known only by its recording's name ("help", "quit") may be one; colours and countries are none.
    """
    ours = _words_of(scheme_of("national", language))
    for take in talk:
        named = take.words.startswith("(")
        if named and not take.words.startswith(("(geography:", "(colors:")):
            return False
        if not named and (take.word is not None or _plain(take.words) in ours):
            return False
    return True


def _words_of(scheme: Scheme) -> set[str]:
    return {_plain(form) for word in scheme.words for form in scheme.forms_spoken(word)}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def people_sounds(root: Path, plan: Sequence[HallUtterance], seed: int) -> list[Samples | None]:
    """Return the sounds, -1 to 1 at 16 kHz, in the order of the plan.

    Raises `Complaint` where a recording cannot be read.
    """
    espeak = Espeak()
    said_by = {name: by_word(takes(root, speakers)) for name, speakers in _speakers(plan).items()}
    return [_sound(root, one, said_by, espeak, seed * 1_000_003 + place) for place, one in enumerate(plan)]


def _speakers(plan: Sequence[HallUtterance]) -> Mapping[str, tuple[str, ...]]:
    return {one.speaker: tuple(one.speaker.split(" and ")) for one in plan}


def _sound(
    root: Path, one: HallUtterance, said_by: Mapping[str, Mapping[str, Sequence[Take]]], espeak: Espeak, seed: int
) -> Samples:
    chance = random.Random(seed)  # noqa: S311
    if one.kind == "free":
        found = paste_parts([sound_of_file(root / file) for file in one.text], chance, _TALK_PAUSES_S)
    else:
        scheme = scheme_of(one.scheme, one.language)
        variant, speed, pitch = chance.choice(HELD_OUT), chance.randint(120, 200), chance.randint(30, 70)

        def say(words: tuple[str, ...]) -> Samples:
            voice = f"{scheme.voice_language(words[0])}+{variant}"
            text = " ".join(scheme.spelling(word, "espeak") for word in words)
            spoken = espeak.speak(text, voice, speed=speed, pitch=pitch)
            assert spoken is not None
            return np.asarray(soxr.resample(spoken.samples.astype(np.float64), spoken.rate, HEARING_RATE))

        found = announcement(root, one.words, said_by[one.speaker], say, chance)
    return np.pad(found, round(SILENCE_S * HEARING_RATE))
