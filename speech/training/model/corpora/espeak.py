"""Sentences spoken with eSpeak NG's voices, German and foreign.

Every phone is placed by the engine's own events.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from speech.recognisers.lexicon import VOWELS, Way, load_all
from speech.training.common.planned_utterances import RESERVED
from speech.training.model.corpora.contents import Habits, Item, as_spoken, draw_sentence, habits
from speech.training.model.corpora.corpus import CorpusWriter, Sounded
from speech.training.model.corpora.espeak_speech import Espeak, PhonedSpeech
from speech.training.model.corpora.voices.espeak_phones import of_espeak

HELD_OUT = ("m4", "f3", "edward", "linda")
"""eSpeak NG variants that tune the decoder and never train, besides those reserved for measuring."""
VARIANTS = (
    *("", "f1", "f2", "f4", "m1", "m2", "m3", "m5", "m6", "m8", "klatt", "klatt3", "klatt4", "klatt5", "klatt6"),
    *("Alex", "Alicia", "Andrea", "Andy", "Annie", "Denis", "Diogo", "Gene", "Gene2", "Henrique", "Hugo", "Jacky"),
    *("Lee", "Marco", "Mario", "Michael", "Mike", "Mr serious", "Nguyen", "Reed", "RicishayMax", "RicishayMax2"),
    *("RicishayMax3", "adam", "anika", "antonio", "aunty", "belinda", "benjamin", "boris", "caleb", "david", "ed"),
    *("edward2", "grandma", "grandpa", "gustave", "ian", "iven", "iven2", "iven3", "iven4", "john", "kaukovalta"),
    *("marcelo", "max", "michel", "miguel", "mike2", "norbert", "pablo", "paul", "pedro", "quincy", "rob", "robert"),
    *("sandro", "shelby", "steph", "steph2", "steph3", "travis", "victor", "zac"),
)
"""eSpeak NG variants that train: other throats, not other people."""
ACCENTS = (
    *("en", "en-us", "hu", "cs", "it", "nl", "pl", "tr", "ru", "fr", "es", "sv", "fi", "hy", "ar", "he", "ro"),
    *("pt", "da", "sk", "hr", "lt", "et", "el"),
)
"""Voices of other languages, which say the German words with what sounds they have."""

# How each of our phones may be asked for: the first way whose every mnemonic the voice's language has.
_ASKED: dict[str, tuple[str, ...]] = {
    "a": ("a", "A:", "a:", "A", "aa"),
    "e": ("e:", "e", "eI", "E"),
    "E": ("E", "e"),
    "i": ("i:", "i"),
    "I": ("I", "i", "i:"),
    "o": ("o:", "o", "oU", "O"),
    "O": ("O", "0", "o"),
    "u": ("u:", "u"),
    "U": ("U", "u", "u:"),
    "y": ("y", "y:", "Y", "u", "u:"),
    "2": ("Y:", "Y", "W", "3:", "@", "e"),
    "@": ("@", "E", "e"),
    "6": ("3", "@", "a"),
    "aI": ("aI", "a j", "a I", "a i"),
    "aU": ("aU", "a w", "a U", "a u"),
    "OY": ("OY", "OI", "O j", "o j", "o i"),
    "eI": ("eI", "EI", "e j", "E j", "e:"),
    "oU": ("oU", "o: U", "o:", "o"),
    "C": ("C", "S", "x", "X", "h"),
    "x": ("x", "X", "h", "k"),
    "h": ("h", "H", "x", "X", "x^"),
    "r": ("r", "R", "R2", "*", "r/"),
    "N": ("N", "n g", "n k"),
    "T": ("T", "t", "s"),
    "D": ("D", "d", "z"),
    "w": ("w", "v", "u"),
    "v": ("v", "w", "f"),
    "Z": ("Z", "S"),
    "z": ("z", "s"),
    "j": ("j", "i"),
}


class EspeakSpeaker:
    """One voice of eSpeak NG, which says our phones with the sounds of its language."""

    def __init__(self, espeak: Espeak) -> None:
        self._espeak = espeak
        self._has = cache(self._try_phone)

    def ways(self, phone: str, language: str) -> tuple[str, ...]:
        """Return the mnemonics that stand for a phone in a voice of this language.

        There are none where it cannot be said.
        """
        for asked in _ASKED.get(phone, (phone,)):
            mnemonics = tuple(asked.split())
            if all(self._has(mnemonic, language) for mnemonic in mnemonics):
                return mnemonics
        return ()

    def _try_phone(self, mnemonic: str, language: str) -> bool:
        spoken = (
            self._espeak.speak(f"[[{mnemonic}a]]", language)
            if mnemonic != "a"
            else self._espeak.speak("[[ta]]", language)
        )
        return spoken is not None and any(one.mnemonic.lstrip("',%=") == mnemonic for one in spoken.phonemes)

    def text_asked(
        self, items: Sequence[Item], language: str, chance: random.Random, own: Habits | None = None
    ) -> tuple[str, list[list[int]]] | None:
        """Return the text for eSpeak NG, and for each phone of each word how many phonemes it becomes.

        `own`: the speaker's habits.
        """
        own = own or {}
        words: list[str] = []
        counts: list[list[int]] = []
        for item in items:
            text, stressed, numbers = "", False, list[int]()
            for phone in item.phones:
                mnemonics = self.ways(own.get(phone, phone), language) or self.ways(phone, language)
                if not mnemonics:
                    return None
                if language == "de":
                    mnemonics = (_longer(mnemonics[0], chance), *mnemonics[1:])
                for place, mnemonic in enumerate(mnemonics):
                    mark = ""
                    if phone in VOWELS and phone not in "@6" and not stressed and place == 0:
                        mark, stressed = "'", True
                    text += ("|" if text else "") + mark + mnemonic
                numbers.append(len(mnemonics))
            words.append(("_: " * round(item.pause / 0.06)) + text)
            counts.append(numbers)
        return f"[[{' '.join(words)}]]", counts


def _longer(mnemonic: str, chance: random.Random) -> str:
    """Return a German vowel in the other length now and then, where the phone leaves it open."""
    other = {"a": "A:", "y": "y:", "Y:": "W"}.get(mnemonic)
    return other if other is not None and chance.random() < 0.45 else mnemonic


def place_phones(items: Sequence[Item], counts: Sequence[Sequence[int]], spoken: PhonedSpeech) -> list[Sounded] | None:
    """Return the phones of the items where the engine put them.

    None where it said something other than it was asked.
    """
    heard = [one for one in spoken.phonemes if of_espeak(one.mnemonic) != ()]
    if len(heard) != sum(map(sum, counts)):
        return None
    found: list[Sounded] = []
    place = 0
    for item, numbers in zip(items, counts, strict=True):
        for phone, number in zip(item.phones, numbers, strict=True):
            part = heard[place : place + number]
            place += number
            found.append(Sounded(phone, item.token, part[0].start / spoken.rate, part[-1].end / spoken.rate))
    return found


def speak_corpus(
    stem: Path, count: int, seed: int, *, accents: float = 0.3, variants: Sequence[str] = VARIANTS
) -> Mapping[str, int]:
    """Write `count` utterances; return how many were given up, by language.

    `accents`: share of foreign voices.
    """
    assert not RESERVED.intersection(variants)
    espeak = Espeak()
    speaker = EspeakSpeaker(espeak)
    lexicon: dict[str, tuple[Way, ...]] = load_all()
    chance = random.Random(seed)  # noqa: S311
    writer = CorpusWriter(stem)
    lost: dict[str, int] = {}
    done = 0
    while done < count:
        variant = chance.choice(variants)
        language = chance.choice(ACCENTS) if chance.random() < accents else "de"
        own = habits(chance, foreign=language != "de") if chance.random() < 0.7 else {}
        items = as_spoken(draw_sentence(chance, lexicon), own, chance)
        asked = speaker.text_asked(items, language, chance, own)
        name = f"{language}+{variant}" if variant else language
        settings = {"speed": chance.randint(80, 250), "pitch": chance.randint(25, 75), "swing": chance.randint(20, 80)}
        spoken = None if asked is None else espeak.speak(asked[0], name, **settings)
        sounded = None if asked is None or spoken is None else place_phones(items, asked[1], spoken)
        if spoken is None or sounded is None:
            lost[language] = lost.get(language, 0) + 1
            continue
        writer.add(f"espeak {name}", spoken.samples, spoken.rate, sounded)
        done += 1
    writer.close()
    return lost
