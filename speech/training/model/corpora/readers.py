"""Voices of other languages, reading the German words as those languages write them.

A Swede who reads "fynf" says neither our phones nor German ones. eSpeak NG's voices read; where the phones lie, a model
that is there says, along the way of the lexicon that is nearest to what the voice makes of each word. The languages
whose readers tune (`speech.training.curves.hall_readers`) or are measured
(`tests/bench/listening/unknown_voices/readers.py`) do not read here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import soxr

from speech.recognisers.lexicon import Way, load_all
from speech.training.common.planned_utterances import MOVE_WORDS, RESERVED, drawn_announcement
from speech.training.model.corpora.contents import Item
from speech.training.model.corpora.corpus import RATE, CorpusWriter
from speech.training.model.corpora.espeak import VARIANTS
from speech.training.model.corpora.espeak_speech import Espeak, mnemonics
from speech.training.model.corpora.voices.espeak_phones import of_espeak

RESPELLED: Mapping[str, str] = {
    "sv": "Anna Bella Tsesar David Eva Felix Gustaf Hektor ajns tsvaj draj fir fynf seks siben akt "
    "könig dame torm lojfer springer bauer slekt",
    "nl": "Anna Bella Tsezar Davit Eva Feliks Goestaf Hektor ains tswai drai fier funf zeks zieben acht "
    "keunich dame toerm loifer sjpringer bauer sjlekt",
    "da": "Anna Bella Tsesar David Eva Feliks Gustav Hektor ajns tsvaj draj fir fynf seks siben akt "
    "kønig dame turm lojfer springer bauer slekt",
    "ro": "Ana Bela Țezar David Eva Felix Gustav Hector ains țvai drai fir fiunf zecs ziben aht "
    "chionig dame turm loifăr șpringăr bauăr șlect",
    "cs": "Anna Bela Cézar David Éva Félix Gustav Hektor ajns cvaj draj fír fynf zeks zíbn acht "
    "kénik dáme turm lojfr špringr bauer šlékt",
    "sk": "Anna Bela Cézar Dávid Éva Félix Gustáv Hektor ajns cvaj draj fír finf zeks zíben acht "
    "kénig dáme turm lojfer špringer bauer šlekt",
    "pt": "Ana Bela Tsézar David Eva Félix Gustaf Réctor ains tsvai drai fir funf zecs ziben arrt "
    "quénig dame turm loifa xpringa bauer xlect",
    "hr": "Ana Bela Cezar David Eva Feliks Gustav Hektor ajns cvaj draj fir finf zeks ziben aht "
    "kenig dame turm lojfer špringer bauer šlekt",
    "el": "Άννα Μπέλα Τσέζαρ Ντάβιντ Έβα Φέλιξ Γκούσταφ Χέκτορ άινς τσβάι ντράι φίρ φιούνφ ζεκς ζίμπεν αχτ "
    "κένιχ ντάμε τουρμ λόιφερ σπρίνγκερ μπάουερ σλεκτ",
    "fi": "Anna Bella Tsesar Daavid Eeva Feliks Kustaf Hektor ains tsvai drai fiir fynf seks siiben aht "
    "köönih daame turm loifer sprinker bauer slekt",
    "ka": "ანა ბელა ცეზარ დავიდ ევა ფელიქს გუსტაფ ჰექტორ აინს ცვაი დრაი ფირ ფიუნფ ზექს ზიბენ ახთ "
    "კიონიგ დამე თურმ ლოიფერ შპრინგერ ბაუერ შლეკთ",
    "az": "Anna Bella Sezar David Yeva Feliks Qustav Hektor ayns tsvay dray fir fünf zeks ziben axt "
    "könix dame turm loyfer şprinqer bauer şlekt",
    "uk": "Анна Белла Цезар Давід Ева Фелікс Ґустав Гектор айнс цвай драй фір фюнф зекс зібен ахт "
    "кеніх даме турм лойфер шпрінґер бауер шлект",
    "bg": "Анна Бела Цезар Давид Ева Феликс Густав Хектор айнс цвай драй фир фюнф зекс зибен ахт "
    "кьониг даме турм лойфер шпрингер бауер шлект",
    "hi": "आना बेला त्सेज़ार डाविड एवा फेलिक्स गुस्ताफ हेक्टोर आइन्स त्स्वाइ द्राइ फीर फ्युन्फ ज़ेक्स ज़ीबन आख्त "
    "क्योनिग दामे टुर्म लोयफर श्प्रिंगर बाउअर श्लेक्ट",
    "id": "Ana Bela Tsesar Dafid Efa Feliks Gustaf Hektor ains tsfai drai fir funf seks siben akht "
    "kenig dame turm loifer sypringer bauer sylekt",
    "lt": "Ana Bela Cezar David Eva Feliks Gustav Hektor ains cvai drai fyr fiunf zeks zyben acht "
    "kionig dame turm loifer špringer bauer šlekt",
    "lv": "Anna Bella Cēzar David Ēva Fēlikss Gustav Hektor ains cvai drai fīr fjunf zeks zīben aht "
    "kēnig dāme turm loifer špringer bauer šlekt",
    "et": "Anna Bella Tseesar Daavid Eeva Feeliks Gustav Hektor ains tsvai drai fiir fünf zeks ziiben aht "
    "köönig daame turm loifer špringer bauer šlekt",
    "ca": "Anna Bela Tsésar David Eva Fèlix Gústaf Hèctor ains tsvai drai fir funf secs siben act "
    "quènig dame turm loifer xpringuer báuer xlect",
    "sq": "Ana Bela Cezar David Eva Feliks Gustaf Hektor ajns cvaj draj fir fynf zeks ziben aht "
    "kënig dame turm lojfer shpringer bauer shlekt",
}
"""`MOVE_WORDS`, as each language writes what it hears."""
FARTHEST = 4.0
"""An utterance whose phones fit the sound so much worse than any would (log units a frame) is given up."""
_MARKS = ("", "", "", ",", ".")
"""The mark that is written after a word. Three words of five have none, and the voice makes no pause there."""


def nearest(heard: Sequence[str], ways: Sequence[Way]) -> Way:
    """Return the way of the lexicon that differs least from the phones that were said.

    >>> nearest(("s", "E", "k", "s"), [("z", "E", "k", "s"), ("s", "E", "k", "s")])
    ('s', 'E', 'k', 's')
    """
    return min(ways, key=lambda way: _difference(heard, way))


def _difference(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many phones must be put in, left out or exchanged."""
    row = list(range(len(other) + 1))
    for place, phone in enumerate(one, 1):
        before, row[0] = row[0], place
        for there, wanted in enumerate(other, 1):
            before, row[there] = row[there], min(row[there] + 1, row[there - 1] + 1, before + (phone != wanted))
    return row[-1]


def said_by(espeak: Espeak, language: str) -> Mapping[str, tuple[str, Way]]:
    """Return for each word what the readers of a language are given, and the way of the lexicon nearest to it."""
    lexicon = load_all()
    found: dict[str, tuple[str, Way]] = {}
    for word, text in zip(MOVE_WORDS, RESPELLED[language].split(), strict=True):
        spoken = espeak.speak(text, language)
        assert spoken is not None, f"eSpeak NG has no voice for {language}."
        heard = [phone for mnemonic in mnemonics(spoken) for phone in of_espeak(mnemonic) or ()]
        found[word] = text, nearest(heard, lexicon[f"de:{word}"])
    return found


def readers_corpus(stem: Path, count: int, seed: int, model: Path) -> int:
    """Write `count` announcements, the languages by turns; return how many were given up.

    `model`: the folder of the model that lays the phones. Needs PyTorch.
    """
    from speech.training.model.corpora.laying import Layer

    assert not RESERVED.intersection(VARIANTS)
    espeak, layer, writer = Espeak(), Layer(model), CorpusWriter(stem)
    said = {language: said_by(espeak, language) for language in RESPELLED}
    chance = random.Random(seed)  # noqa: S311
    languages, lost, done = sorted(RESPELLED), 0, 0
    while done < count and lost < 2 * count:
        words = drawn_announcement(chance, "file", only=MOVE_WORDS)
        language, variant = languages[(done + lost) % len(languages)], chance.choice(VARIANTS)
        voice = f"{language}+{variant}" if variant else language
        settings = {"speed": chance.randint(90, 210), "pitch": chance.randint(25, 75), "swing": chance.randint(20, 80)}
        text = said[language][words[0]][0]
        for word in words[1:]:
            text += f"{chance.choice(_MARKS)} {said[language][word][0]}"
        spoken = espeak.speak(text, voice, **settings)
        if spoken is None or not len(spoken.samples):
            lost += 1
            continue
        samples = soxr.resample(spoken.samples, spoken.rate, RATE)
        sounded, gap = layer.lay(samples, [Item(f"de:{word}", said[language][word][1]) for word in words])
        if not gap <= FARTHEST:
            lost += 1
            continue
        writer.add(f"espeak {voice} reads", samples, RATE, sounded)
        done += 1
    writer.close()
    return lost
