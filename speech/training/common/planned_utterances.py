"""The plan of utterances on which the ears' confidence is fitted. Pure.

It is drawn from a seed, never with a voice that is reserved. There are announcements (clean, with 20 dB and with 12 dB
white noise), the same with radio names, commands, sentences that are none of it, and sounds that are no speech.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from speech.complaint import Complaint
from speech.voices.voice import Manner, Segment
from speech.words.grammar import announcement_grammar
from speech.words.scheme import Scheme

PLAIN = "plain"
"""The language's own speaker, without a variant."""
RESERVED = frozenset({"f5", "m7", "klatt2", "Storm"})
"""eSpeak NG variants that are kept for measuring; the other reserved voices are of engines that are not used here."""
VARIANTS = (
    *(PLAIN, "f1", "f2", "f3", "f4", "m1", "m2", "m3", "m4", "m5", "m6", "m8", "klatt", "klatt3", "klatt4", "Annie"),
    *("Andrea", "Alex", "linda", "Michael", "anika", "edward", "steph", "benjamin", "Hugo", "Mario", "paul", "shelby"),
    *("adam", "david", "travis", "belinda"),
)
"""eSpeak NG variants that speak here: every fifth is held out of the fit."""

MOVE_WORDS = (
    *(f"file.{file}" for file in "abcdefgh"),
    *(f"rank.{rank}" for rank in "12345678"),
    *(f"piece.{piece}" for piece in ("king", "queen", "rook", "bishop", "knight", "pawn")),
    "word.takes",
)
"""Words that nearly every move is announced with; voices that cannot say everything say these."""
SPEEDS = (0.7, 0.77, 0.86, 0.94)
PITCHES = (40, 50, 60)
NOISES_DB: tuple[float | None, ...] = (None, None, 20.0, 12.0)
"""White noise under the announcements, dB below the speech; half of them are clean."""

# Said in a playing hall and not to the ears; several hold words that an announcement is made of.
SENTENCES = (
    "Guten Morgen, haben Sie gut geschlafen",
    "Ist dieser Stuhl noch frei",
    "Ich nehme einen Tee mit Zitrone",
    "In welchem Saal wird heute gespielt",
    "Wo kann man hier parken",
    "Gestern hat es den ganzen Tag geregnet",
    "Mein Bruder wohnt seit acht Jahren in Hamburg",
    "Anna und Gustav kommen erst zum Abendessen",
    "Wir üben jeden Freitag drei Stunden",
    "Der König hielt eine lange Rede",
    "Die Dame am Empfang hat den Schlüssel",
    "Vom Turm aus sieht man die ganze Stadt",
    "Der Bauer fährt mit dem Traktor nach Hause",
    "Die Läufer haben das Ziel schon erreicht",
    "Der Springer stand lange auf dem Brett im Schwimmbad",
    "Felix sammelt alte Uhren",
    "Hector ist der Hund von nebenan",
    "Eva singt im Chor",
    "David hat sich das Bein gebrochen",
    "Ich glaube, dein Telefon klingelt",
    "Bitte etwas leiser dort hinten",
    "Fünf mal sieben ist fünfunddreißig",
    "Der Zug um sechs fällt heute aus",
    "Das habe ich nicht gemeint",
    "Einen kleinen Moment noch",
    "Kann mir jemand die Tür aufhalten",
    "Unterschreiben Sie bitte unten rechts",
    "Zwei Karten zu je vier Euro",
    "Herzlichen Glückwunsch",
    "Hm, ich bin mir nicht sicher",
    "Ach so",
    "Natürlich",
    "Bis später",
    "Na gut",
)
FOREIGN_SENTENCES = (
    "Is there a lift to the second floor",
    "My opponent has not arrived yet",
    "Could you open the window a little",
    "See you all at the prize giving",
)

Kind = Literal["announcement", "radio", "command", "free", "noise"]


class PlannedUtterance(msgspec.Struct, frozen=True):
    """Utterance to be said to the ears.

    `words`: the word ids that are said, none where it is nothing for us. `speaker`: a variant, or the name of a noise.
    `segments`, `manner`: what to render, empty for a noise. `noise_db`: white noise so far below the speech.
    """

    kind: Kind
    words: tuple[str, ...]
    speaker: str
    segments: tuple[Segment, ...] = ()
    manner: Manner = Manner()
    noise_db: float | None = None


def plan_utterances(
    announcements: int, seed: int, scheme: Scheme, variants: Sequence[str] = VARIANTS
) -> list[PlannedUtterance]:
    """Return a plan of so many announcements, with other utterances in proportion.

    There are a sixth as many with radio names, a third commands, half free speech, a twentieth noises. The variants
    take turns. Raises Complaint for a reserved variant and for fewer than 20 announcements.
    """
    if reserved := sorted(RESERVED.intersection(variants)):
        raise Complaint(f"The voice {reserved[0]} is reserved for measuring; fit with others.")
    if announcements < 20:
        raise Complaint(f"{announcements} announcements are too few to fit anything; give 20 or more.")
    chance = random.Random(seed)  # noqa: S311
    found: list[PlannedUtterance] = []

    def add(kind: Kind, words: tuple[str, ...], segments: tuple[Segment, ...], noise_db: float | None) -> None:
        speaker = variants[len(found) % len(variants)]
        variant = None if speaker == PLAIN else speaker
        manner = Manner(variant, chance.choice(SPEEDS), chance.choice(PITCHES))
        found.append(PlannedUtterance(kind, words, speaker, segments, manner, noise_db))

    for turn in range(announcements):
        words = drawn_announcement(chance, "file")
        add(
            "announcement",
            words,
            _segments_said(words, scheme),
            NOISES_DB[(turn + turn // len(variants)) % len(NOISES_DB)],
        )
    for _ in range(announcements // 6):
        words = drawn_announcement(chance, "nato", squares_only=True)
        add("radio", words, _segments_said(words, scheme), None)
    commands = [word for word in scheme.words if word.startswith("cmd.")]
    for turn in range(announcements // 3):
        command = commands[turn % len(commands)]
        form = scheme.forms_spoken(command)[0] if turn < len(commands) else chance.choice(scheme.forms_spoken(command))
        add("command", (command,), (Segment(form, scheme.voice_language(command)),), 20.0 if turn % 3 == 2 else None)
    sentences = [(text, "de") for text in SENTENCES] + [(text, "en") for text in FOREIGN_SENTENCES]
    chance.shuffle(sentences)
    for turn in range(announcements // 2):
        text, language = sentences[turn % len(sentences)]
        add("free", (), (Segment(text, language),), chance.choice((None, None, None, 20.0)))
    found += [PlannedUtterance("noise", (), f"noise {turn}") for turn in range(max(6, announcements // 20))]
    return found


def drawn_announcement(
    chance: random.Random, file_names: str, *, squares_only: bool = False, only: Collection[str] = ()
) -> tuple[str, ...]:
    """Return a well-formed announcement as players make them.

    `file_names`: how the files are called ("file" or "nato"). `only`: it has no words but these; none: any.
    """
    grammar = announcement_grammar((file_names,))
    pieces = [f"piece.{name}" for name in ("king", "queen", "rook", "bishop", "knight", "pawn")]

    def square(ranks: str = "12345678") -> list[str]:
        return [f"{file_names}.{chance.choice('abcdefgh')}", f"rank.{chance.choice(ranks)}"]

    while True:
        draw = chance.random()
        if draw < 0.06 and not squares_only:
            words = [chance.choice(["castle.short", "castle.long"])]
        elif draw < 0.14:
            words = [*chance.choice([["piece.pawn"], []]), *square("18"), chance.choice(pieces[1:5])]
        else:
            named = chance.choice([*pieces, None])
            words = [named] if named else []
            departure, takes = chance.choice([(True, False)] * 2 + [(True, True), (False, True)] + [(False, False)] * 3)
            words += square() if departure else []
            words += ["word.takes"] if takes else []
            words += square()
        if chance.random() < 0.08:
            words.append("word.check")
        if grammar.accepts(words) and (not only or set(words) <= set(only)):
            return tuple(words)


def _segments_said(words: Sequence[str], scheme: Scheme) -> tuple[Segment, ...]:
    return tuple(Segment(scheme.spelling(word, "espeak"), scheme.voice_language(word)) for word in words)
