"""The voices that are reserved for measuring, by family, and how each is asked for German words.

Sound is rendered by a fresh process for each list, in the order of the list (eSpeak NG's samples depend on what its
process said before), and kept. A second take of the same words is slower and, where it can be, lower.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

import msgspec

from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resample_sound
from speech.recognisers.lexicon import load_lexicon, token
from speech.training.model.corpora.contents import Item
from speech.training.model.corpora.espeak import EspeakSpeaker
from speech.training.model.corpora.espeak_speech import Espeak
from speech.training.model.corpora.voices.festival_voices import FLITE
from speech.voices.voice import Manner, Segment
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import SHARED, Words
from tests.bench.listening.keeping import Kept
from tests.speech.hearing.spoken_announcements import rendered

ESPEAK = ("f5", "m7", "klatt2", "Storm")
ACCENTS = ("hu", "hy", "ar", "en", "he")
"""Languages whose eSpeak NG voices say the German words with the sounds they have: listeners of d21 elsewhere."""
FLITE_VOICES = ("slt", "rms")
RECORDED = ("gust", "christina")
VERSION = 1
"""To be raised when anything here changes what is heard."""

# What an Italian and a Finnish voice must read so that it says something like the German words.
_WORDS = (
    *(f"file.{file}" for file in "abcdefgh"),
    *(f"rank.{rank}" for rank in "12345678"),
    *(f"piece.{piece}" for piece in ("king", "queen", "rook", "bishop", "knight", "pawn")),
    *("word.takes", "castle.short", "castle.long"),
)
_ITALIAN = (
    "anna bella zesar david eva felix gustav ettor ains zvai drai fir funf secs siben act "
    "chenig dame turm loifer springher bauer sclect curze-rosciade lanhe-rosciade"
)
_FINNISH = (
    "anna bella tsesar daavid eeva feeliks gustav hektor ains tsvai drai fiir fynf seks siiben aht "
    "köönih daame turm loifer springer bauer sleekt kurtse-rosaade lange-rosaade"
)
FESTIVAL = {"lp": ("lp_diphone", _ITALIAN), "mv": ("hy_fi_mv_diphone", _FINNISH)}
SPEAKABLE = frozenset(_WORDS)
"""The words that every family can say."""


class Voice(msgspec.Struct, frozen=True):
    """A family of voices, and the listener's language under which it is heard."""

    name: str
    kind: str
    detail: str
    language: str = "de"


def families() -> list[Voice]:
    """Those that this machine can speak with."""
    found = [Voice("eSpeak de", "espeak", "de")]
    found += [Voice(f"eSpeak {tag} accent", "accent", tag, tag) for tag in ACCENTS]
    if shutil.which("flite"):
        found += [Voice(f"flite {name}", "flite", name) for name in FLITE_VOICES]
    if shutil.which("festival"):
        found += [Voice(f"festival {name}", "festival", name) for name in FESTIVAL]
    return found


async def said(kept: Kept, voice: Voice, chains: Sequence[Words], take: int = 0) -> list[bytes]:
    """Each chain of word ids as mono s16le at 16 kHz; the speakers of a family take turns."""
    plan = [VERSION, voice.kind, voice.detail, [list(words) for words in chains], take, versions(voice.kind)]

    async def make() -> list[bytes]:
        if voice.kind == "espeak":
            scheme = load_scheme("d21", voice.detail)
            return await rendered([_phrase(words, scheme, place, take) for place, words in enumerate(chains)])
        render = {"accent": _accented, "flite": _flite, "festival": _festival}[voice.kind]
        return await asyncio.to_thread(in_a_fresh_process, render, voice.detail, chains, take)

    return await kept.sounds(plan, make)


async def in_scheme(kept: Kept, scheme: Scheme, chains: Sequence[Words]) -> list[bytes]:
    """Chains of a scheme's words (commands, national words, letters) by the reserved variants of its own voices."""
    texts = [[(one.text, one.voice_language) for one in _segments(words, scheme)] for words in chains]
    plan = [VERSION, "scheme", texts, versions("espeak")]
    phrases = [_phrase(words, scheme, place, 0) for place, words in enumerate(chains)]
    return await kept.sounds(plan, lambda: rendered(phrases))


async def sentences(kept: Kept, texts: Sequence[str], language: str) -> list[bytes]:
    """Each sentence by each of the reserved variants."""
    phrases = [([Segment(text, language)], Manner(who, 0.9)) for text in texts for who in ESPEAK]
    plan = [VERSION, "sentences", language, list(texts), versions("espeak")]
    return await kept.sounds(plan, lambda: rendered(phrases))


async def english_sentences(kept: Kept, texts: Sequence[str]) -> list[bytes]:
    """Each sentence by flite's reserved voices; none where it is not installed."""
    if not shutil.which("flite"):
        return []

    async def make() -> list[bytes]:
        return [of_flite(["-voice", name, "-t", text]) for name in FLITE_VOICES for text in texts]

    return await kept.sounds([VERSION, "flite sentences", list(texts), versions("flite")], make)


def recorded_letters(count: int, take: int = 0) -> list[tuple[str, Words, bytes]]:
    """Recorded German words one after the other: piece, letter, number; (voice, words, sound)."""
    chance, found = random.Random(33), list[tuple[str, Words, bytes]]()
    folder = SHARED / "data" / "voices-de"
    for place in range(count if folder.is_dir() else 0):
        voice = RECORDED[place % len(RECORDED)]
        piece = chance.choice(("king", "queen", "rook", "bishop", "knight", "pawn"))
        file, rank = chance.choice("abcdefgh"), chance.choice("12345678")
        if piece == "pawn" and rank in "18":
            piece = "queen"  # a pawn would have to say what it becomes
        parts = [_recorded(folder / voice, name, take) for name in (piece, file, rank)]
        found.append((voice, (f"piece.{piece}", f"letter.{file}", f"rank.{rank}"), b"".join(parts)))
    return found


def _recorded(folder: Path, name: str, take: int) -> bytes:
    second = folder / f"t_{name}.wav"
    return read_wav(second if take and second.exists() else folder / f"{name}.wav").pcm


def versions(kind: str) -> list[str]:
    """What a kind of voice is, as far as it can be told."""
    if kind in ("flite", "festival"):
        where = shutil.which(kind)
        told = [kind, str(Path(where).stat().st_size if where else 0)]
        # For an hour of 22 November 2026 the table held more than phones, and flite said something else.
        return [*told, "first ways"] if kind == "flite" else told
    return [f"{name} {version(name)}" for name in ("pyttsx3", "espeakng-loader")]


def _segments(words: Words, scheme: Scheme) -> list[Segment]:
    return [Segment(scheme.spelling(word, "espeak"), scheme.voice_language(word)) for word in words]


def _phrase(words: Words, scheme: Scheme, place: int, take: int) -> tuple[list[Segment], Manner]:
    manner = Manner(ESPEAK[place % len(ESPEAK)], 0.85 - 0.1 * take, 50 - 6 * take)
    return _segments(words, scheme), manner


def in_a_fresh_process(render: object, *asked: object) -> list[bytes]:
    """What a function that can be sent to another process makes there."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        made: list[bytes] = pool.submit(render, *asked).result()  # type: ignore[arg-type]
        return made


def _accented(language: str, chains: Sequence[Words], take: int) -> list[bytes]:
    """A foreign voice's reserved variants say the first German way of each word in the phones it has."""
    espeak, lexicon = Espeak(), load_lexicon("de")
    speaker = EspeakSpeaker(espeak)
    found: list[bytes] = []
    for place, words in enumerate(chains):
        items = [Item(token("de", word), lexicon[word][0], 0.0) for word in words]
        asked = speaker.text_asked(items, language, random.Random(place))
        assert asked is not None, f"{language} cannot say {words}"
        who = f"{language}+{ESPEAK[place % len(ESPEAK)]}"
        spoken = espeak.speak(asked[0], who, speed=150 - 18 * take, pitch=50 - 6 * take)
        assert spoken is not None
        pcm = (spoken.samples * 32767).astype("<i2").tobytes()
        found.append(resample_sound(Sound(pcm, spoken.rate)).pcm)
    return found


def _flite(voice: str, chains: Sequence[Words], take: int) -> list[bytes]:
    """The first German way of each word in the American phones that are nearest."""
    lexicon = load_lexicon("de")
    found: list[bytes] = []
    for words in chains:
        phones = [theirs for word in words for phone in lexicon[word][0] for theirs in FLITE.phones[phone].split()]
        text = " ".join([FLITE.silence, *phones, FLITE.silence])
        stretch = f"duration_stretch={1.05 + 0.15 * take:.2f}"
        found.append(of_flite(["-voice", voice, "--setf", stretch, "-p", text]))
    return found


def of_flite(asked: list[str]) -> bytes:
    """What flite says when it is called so."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "said.wav"
        subprocess.run(["flite", *asked, "-o", str(file)], check=True, capture_output=True)
        return read_wav(file).pcm


def _festival(voice: str, chains: Sequence[Words], take: int) -> list[bytes]:
    """A human voice cut into diphones reads respelled German."""
    name, respelled = FESTIVAL[voice]
    spelled = {word: text.replace("-", " ") for word, text in zip(_WORDS, respelled.split(), strict=True)}
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"(voice_{name})", f"(Parameter.set 'Duration_Stretch {1.0 + 0.15 * take:.2f})"]
        for number, words in enumerate(chains):
            text = " ".join(spelled[word] for word in words)
            lines.append(f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{folder}/{number}.wav" \'riff)')
        script = Path(folder) / "say.scm"
        script.write_text("\n".join(lines), encoding="iso-8859-1")
        subprocess.run(["festival", "-b", str(script)], check=True, capture_output=True)
        return [read_wav(Path(folder) / f"{number}.wav").pcm for number in range(len(chains))]
