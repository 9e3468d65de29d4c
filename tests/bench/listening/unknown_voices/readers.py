"""Strangers: voices whose way of saying the German words our model has not learnt.

They read the words as text written for their own language, not our phones: eSpeak NG's Arabic, Armenian and Hebrew
voices the transliterations that the program shows (Arabic has none for the pieces; those are ours), its Hungarian and
English voices, and flite's, the sound as their language spells it. The throats of eSpeak NG are known to the model.

Arabic and Hebrew are pointed, because eSpeak NG leaves out every vowel that is not written, which no reader does; and
nothing is written that it would spell out letter by letter ("tsvy"). Until 24 November 2026 both were so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from speech.audio.sound import Sound
from speech.audio.wav import resample_sound
from speech.training.common.planned_utterances import MOVE_WORDS
from speech.training.model.corpora.espeak_speech import Espeak
from speech.words.loading import load_scheme
from tests.bench.listening.at_the_board import Announced, Words
from tests.bench.listening.judging import Ears, Sounded, Tally, tallied
from tests.bench.listening.keeping import Kept
from tests.bench.listening.surroundings import Change
from tests.bench.listening.voices import ESPEAK, in_a_fresh_process, of_flite, versions

WHERE = ("clean", "white 20 dB", "babble 20 dB", "room")
EACH = 39
"""So many announcements each reader says; with six readers some 230."""
VERSION = 2


class Reader(msgspec.Struct, frozen=True):
    """A voice and how it is asked for `MOVE_WORDS`; `kind`: eSpeak NG's or flite's; `language`: the listener's too."""

    name: str
    kind: str
    language: str
    respelled: str

    def spelled(self) -> Mapping[str, str]:
        """What it reads for each word."""
        return dict(zip(MOVE_WORDS, self.respelled.split(), strict=True))


READING = (
    Reader(
        "Arabic reads",
        "espeak",
        "ar",
        "أنا بيللا سيزَر ديفيد إيفا فيلِكس جوستاف هيكتور آينس زفاي دراي فير فونف زيكس زيبِن آخت "
        "كونيغ دَامَه تُورْم لويفَر شبرِنغَر باوَر شليغت",
    ),
    Reader(
        "Armenian reads",
        "espeak",
        "hy",
        "Աննա Բելլա Սեզար Դավիթ Եվա Ֆելիքս Գուստավ Հեկտոր այնս ցվայ դրայ ֆիր ֆյունֆ զեքս զիբն ախտ "
        "քյոնեյ դամ թում լոյֆը շպղինգը բաուը շլեգտ",
    ),
    Reader(
        "Hebrew reads",
        "espeak",
        "he",
        "אָנָה בֶּלָה צֵזָר דָוִד אֶוָה פֶלִקס גוּסטָב הֶקטוֹר אַינס צבַי דרַי פִר פִנף זֶקס זִבֶּנ אַכט קֶנִג דָמֶה טוּרם לוֹיפֶר שפּרינגר בָּוּאֶר שלֶגט",
    ),
    Reader(
        "Hungarian reads",
        "espeak",
        "hu",
        "Anna Bella Cézár Dávid Éva Félix Gusztáf Hektor ájnsz cváj dráj fír fünf zeksz zíben áht "
        "kőnig dáme turm lojfer springer bauer slekt",
    ),
    Reader(
        "English reads",
        "espeak",
        "en",
        "Anna Bella Tsayzar Daveed Ayva Faylix Goostahf Hector eyence zwye dry fear foonf zex zeeben akt "
        "kernig dahma toorm loyfer schpringer bower shlekt",
    ),
    Reader(
        "flite reads",
        "flite",
        "en",
        "anna bella tsayzar daveed ayva feliks goostaff hector eyence svy dry fear foonf zex zeeben akt "
        "kernig dama toorm loyfer springer bower schlect",
    ),
)


async def read(kept: Kept, reader: Reader, chains: Sequence[Words], take: int = 0) -> list[bytes]:
    """Each chain of word ids as the reader reads it, mono s16le at 16 kHz; of several throats each takes a turn."""
    plan = [VERSION, "reads", msgspec.to_builtins(reader), [list(words) for words in chains], take]
    plan.append(versions(reader.kind))
    make = _by_flite if reader.kind == "flite" else _by_espeak
    return await kept.sounds(plan, lambda: asyncio.to_thread(in_a_fresh_process, make, reader, chains, take))


def _by_espeak(reader: Reader, chains: Sequence[Words], take: int) -> list[bytes]:
    espeak, spelled = Espeak(), reader.spelled()
    found: list[bytes] = []
    for place, words in enumerate(chains):
        text = " ".join(spelled[word] for word in words)
        voice = f"{reader.language}+{ESPEAK[place // len(WHERE) % len(ESPEAK)]}"
        spoken = espeak.speak(text, voice, speed=150 - 18 * take, pitch=50 - 6 * take)
        assert spoken is not None
        found.append(resample_sound(Sound((spoken.samples * 32767).astype("<i2").tobytes(), spoken.rate)).pcm)
    return found


def _by_flite(reader: Reader, chains: Sequence[Words], take: int) -> list[bytes]:
    spelled = reader.spelled()
    stretch = f"duration_stretch={1.05 + 0.15 * take:.2f}"
    return [
        of_flite(["-voice", "slt", "--setf", stretch, "-t", " ".join(spelled[word] for word in words)])
        for words in chains
    ]


def sayable(said_there: Sequence[Announced]) -> list[Words]:
    """The announcements that every reader can say."""
    return [one.words for one in said_there if set(one.words) <= set(MOVE_WORDS)]


async def tallies(
    ears: Ears, kept: Kept, said_there: Sequence[Announced], changes: Mapping[str, Change]
) -> dict[tuple[str, str], Tally]:
    """(reader, engine) -> counts; those of the surroundings that are wanted take turns."""
    chains, found = sayable(said_there)[:EACH], dict[tuple[str, str], Tally]()
    turns = [name for name in WHERE if name in changes]
    for reader in READING:
        first, second = [await read(kept, reader, chains, take) for take in (0, 1)]
        sounded = [
            Sounded(
                words,
                changes[turns[place % len(turns)]](one, place),
                changes[turns[place % len(turns)]](other, 10_000 + place),
            )
            for place, (words, one, other) in enumerate(zip(chains, first, second, strict=True))
        ]
        told = await tallied(ears, sounded, load_scheme("d21", reader.language))
        found |= {(reader.name, engine): tally for engine, tally in told.items()}
        last = told[ears.names[-1]]
        print(f"  {reader.name}: {last['right']} of {last['n']}", flush=True)
    return found
