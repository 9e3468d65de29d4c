"""The plan of all utterances for all ears at once, to fit how their evidence is combined. Pure.

The plan has six languages and many rooms. People (`hall_people`), human voices cut into sounds (`hall_human_voices`)
and voices that read respelled German (`hall_readers`) have plans of their own beside this one, which uses only eSpeak
NG's variants that tuned nothing of our own model's network and that are not reserved for measuring: what an engine says
of a voice it was trained on would be trusted too far. Every announcement and command is said twice, as by a player who
is asked again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Literal

import msgspec

from speech.training.common.planned_utterances import FOREIGN_SENTENCES, SENTENCES, Kind, drawn_announcement
from speech.words.grammar import announcement_grammar
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

ACCENTS = ("hu", "en", "hy", "ar", "he", "ru", "tr", "fr", "it", "pl", "es", "fi")
"""Voices of other languages that say the German words of D.2.1 with the sounds they have."""
Surrounding = Literal["clean", "white 20", "white 12", "babble 20", "babble 10", "room", "room, babble 20"]
SURROUNDINGS: tuple[Surrounding, ...] = (
    *("clean", "clean", "white 20", "white 12", "babble 20", "babble 20", "babble 10", "room"),
    "room, babble 20",
)
OVER_WHICH: tuple[Surrounding, ...] = ("clean", "white 20", "babble 20", "room")
"""The surroundings in which another table's announcement may be heard under the player's own."""
CUT, PERSON, READ = "human", "person", "read"
"""How the voices begin that are no plain voice of eSpeak NG: a human voice cut into sounds ("human+dita"), a person
("person+hd05"), and a voice that reads respelled German ("read+tr+m4")."""
TALK = {
    "de": SENTENCES,
    "en": (*FOREIGN_SENTENCES, "I had fish for dinner", "Where is the car park", "That was a long day", "Never mind"),
    "hu": ("Jó reggelt kívánok", "Hol van a mosdó", "Holnap esni fog az eső", "Nem tudom pontosan", "Köszönöm szépen"),
    "hy": ("Բարի լույս", "Որտե՞ղ է դահլիճը", "Այսօր շատ շոգ է", "Ես չգիտեմ", "Շնորհակալություն"),
    "ar": ("صباح الخير", "أين موقف السيارات", "الطقس جميل اليوم", "لا أعرف ماذا أقول", "شكرا جزيلا"),
    "he": ("בוקר טוב לכולם", "איפה השירותים", "היום חם מאוד", "אני לא יודע", "תודה רבה"),
}
"""Sentences that are said in a playing hall, and not to the ears."""
LANGUAGES = tuple(TALK)
NAMED = (
    "Anna ist vier Jahre alt",
    "Bella wird am Montag acht",
    "Cäsar lebte vor zwei tausend Jahren",
    "David hat drei Kinder",
    "Felix geht um sechs nach Hause",
    "Gustav kommt mit dem Zug um sieben",
    "Hektor braucht noch fünf Minuten",
    "Eva wohnt in Zimmer zwei",
    "Der Turm ist acht Meter hoch",
    "Die Dame sitzt an Tisch drei",
    "Der Springer sprang fünf Meter weit",
    "Bauer Felix hat sechs Kühe",
    "König David hatte acht Frauen",
    "Anna und Bella teilen sich Zimmer vier",
    "David trinkt zwei Bier",
    "Gustav bezahlt sieben Euro",
    "Hektor frisst drei Würste",
    "Felix, bring uns bitte vier Kaffee",
    "Cäsar spielt heute an Brett sechs",
    "Eva rief um fünf an",
    "Bella hat eins zu null gewonnen",
    "Anna hat zwei Punkte aus drei Partien",
    "David, es ist schon acht",
    "Gustav fährt Linie vier bis zum Ende",
    "Hektor schläft bis sieben",
    "Die Läufer starten um eins",
    "Felix wird Zweiter, Anna wird Vierte",
    "Um drei ruft Bella wieder an",
    "Vier mal hat Eva gefragt",
    "Eva vier Uhr ist zu spät",
)
"""Talk with names of the files, pieces and numbers in it: what comes nearest to an announcement and is none."""


class HallUtterance(msgspec.Struct, frozen=True):
    """One utterance of the plan.

    `words`: what is said (word ids), none where it is nothing for us. `scheme`, `language`: what it is heard by.
    `voice`: eSpeak NG's ("hu+m4"), a stranger's (see `CUT`), or none for a noise. `text`: what it reads, the phones of
    our own lexicon one word after the other where `phones` is set, or the files of a person's talk. `again`: the place
    of the utterance that this one says once more. `beside`: the place of an utterance whose very sound this is, and the
    place of what another table announces at the same time, `below_db` softer.
    """

    kind: Kind
    words: tuple[str, ...]
    scheme: str
    language: str
    voice: str
    surrounding: Surrounding
    text: tuple[str, ...] = ()
    phones: bool = False
    speed: int = 160
    pitch: int = 50
    again: int | None = None
    beside: tuple[int, int] | None = None
    below_db: float = 0.0

    @property
    def speaker(self) -> str:
        """Return who is held out together: a variant in all its languages, a person, all readers of one language."""
        kin, _, name = self.voice.partition("+")
        if kin == READ:
            return f"{name.partition('+')[0]} reading"
        return name or self.voice or "noise"

    @property
    def strange(self) -> bool:
        """Return whether a person speaks, or a voice that is as new to the model as a player's."""
        return self.voice.partition("+")[0] in (CUT, PERSON, READ)


@cache
def scheme_of(name: str, language: str) -> Scheme:
    """Return a scheme, which is read once."""
    return load_scheme(name, language)


class _Drawing:
    """Plan that is being drawn by lot, one kind of utterance after the other."""

    def __init__(self, seed: int, variants: Sequence[str]) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self._variants = variants
        self.drawn: list[HallUtterance] = []

    def add_announcements(self, size: int) -> None:
        """Add so many in the German words, others in proportion."""
        for turn in range(size):
            listener = LANGUAGES[turn % len(LANGUAGES)] if turn % 2 else "de"
            self._announce("d21", listener, self._chance.choice(ACCENTS) if turn % 2 else None, "file")
        for turn in range(size * 5 // 6):
            self._announce("national", LANGUAGES[1 + turn % 5], None, "file")
        for turn in range(size // 6):
            self._announce("letters", LANGUAGES[turn % 6], None, "letter")
            self._announce("d21", "de", None, "nato")

    def add_commands(self, count: int) -> None:
        for turn in range(count):
            language = LANGUAGES[turn % 6]
            scheme = scheme_of("d21", language)
            word = f"cmd.{COMMANDS[(turn // 6) % len(COMMANDS)]}"
            text = (self._chance.choice(scheme.forms_spoken(word)) if turn % 2 else scheme.spelling(word, "espeak"),)
            where = self._chance.choice(SURROUNDINGS)
            self._add(HallUtterance("command", (word,), "d21", language, self._voice(language), where, text))

    def add_talk(self, count: int) -> None:
        """Add sentences of every language that are not said to the ears."""
        for turn in range(count):
            language = LANGUAGES[turn % 6]
            scheme_name = self._chance.choice(("d21", "national"))
            text = (self._chance.choice(TALK[language]),)
            where = self._chance.choice(SURROUNDINGS)
            one = HallUtterance("free", (), scheme_name, language, self._voice(language), where, text)
            self._add(one, twice=False)

    def add_noises(self, count: int) -> None:
        for turn in range(count):
            self._add(HallUtterance("noise", (), "d21", LANGUAGES[turn % 6], "", "clean"), twice=False)

    def add_talk_of_names(self, count: int) -> None:
        """Add German sentences that come nearest to an announcement and are none."""
        for turn in range(count):
            text, where = (NAMED[turn % len(NAMED)],), self._chance.choice(SURROUNDINGS)
            scheme_name = ("d21", "letters")[turn % 2]
            self._add(HallUtterance("free", (), scheme_name, "de", self._voice("de"), where, text), twice=False)

    def _add(self, one: HallUtterance, *, twice: bool = True) -> None:
        speed, pitch = self._chance.randint(115, 205), self._chance.randint(30, 70)
        self.drawn.append(msgspec.structs.replace(one, speed=speed, pitch=pitch))
        if twice:
            slower = round(speed * self._chance.uniform(0.85, 1.0))
            self.drawn.append(msgspec.structs.replace(self.drawn[-1], speed=slower, again=len(self.drawn) - 1))

    def _voice(self, language: str) -> str:
        return f"{language}+{self._chance.choice(self._variants)}"

    def _announce(self, name: str, language: str, accent: str | None, file_names: str) -> None:
        scheme = scheme_of(name, language)
        words = small_words(self._chance, drawn_announcement(self._chance, file_names), file_names)
        spoken_in = accent or scheme.voice_language("piece.king")
        text = _spell_words(scheme, words, phones=accent is not None)
        where = self._chance.choice(SURROUNDINGS)
        kind: Kind = "radio" if file_names == "nato" else "announcement"
        self._add(HallUtterance(kind, words, name, language, self._voice(spoken_in), where, text, accent is not None))


def _spell_words(scheme: Scheme, words: Sequence[str], *, phones: bool) -> tuple[str, ...]:
    if phones:
        return tuple(f"{scheme.voice_language(word)}:{word}" for word in words)
    return tuple(scheme.spelling(word, "espeak") for word in words)


def hall_plan(size: int, seed: int, variants: Sequence[str]) -> list[HallUtterance]:
    """Return the plan.

    `size`: announcements in the German words, all else in proportion. `variants` take turns.
    """
    drawing = _Drawing(seed, variants)
    drawing.add_announcements(size)
    drawing.add_commands(size // 2)
    drawing.add_talk(size // 2)
    drawing.add_noises(max(6, size // 10))
    drawing.add_talk_of_names(size // 2)
    return drawing.drawn


def beside_plan(plan: Sequence[HallUtterance], count: int, seed: int) -> list[HallUtterance]:
    """Return so many announcements of the plan once more, with another speaker's under them; none where one speaks."""
    chance = random.Random(seed)  # noqa: S311
    places = [
        place
        for place, one in enumerate(plan)
        if one.kind == "announcement" and one.again is None and one.surrounding in OVER_WHICH
    ]
    if len({plan[place].speaker for place in places}) < 2:
        return []
    found: list[HallUtterance] = []
    for place in chance.sample(places, min(count, len(places))):
        others = [other for other in places if plan[other].speaker != plan[place].speaker]
        both = place, chance.choice(others)
        found.append(msgspec.structs.replace(plan[place], beside=both, below_db=round(chance.uniform(5.0, 15.0), 1)))
    return found


def small_words(chance: random.Random, words: tuple[str, ...], file_names: str) -> tuple[str, ...]:
    """Return the announcement with the little words that players may add, where they fit."""
    more = list(words)
    ranks = [place for place, word in enumerate(more) if word.startswith("rank.")]
    if len(ranks) == 2 and "word.takes" not in more and chance.random() < 0.2:
        more.insert(ranks[0] + 1, "word.to")
        if chance.random() < 0.4:
            more.insert(ranks[0] - 1, "word.from")
    if more[-1].startswith("piece.") and len(more) > 1 and chance.random() < 0.3:
        more.insert(-1, "word.promotes")
    return tuple(more) if announcement_grammar((file_names,)).accepts(more) else words
