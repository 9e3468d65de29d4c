"""German words inside another language's sentence: a German voice says them, one voice at a time, with even gaps."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game.views.messages import Question
from server.wording.aloud.spoken import spoken_message
from speech.audio.sound import Sound
from speech.voices.joining import GAP_MS, LEAD_MS, TAIL_MS, join_sounds, merge_segments, trim_silence
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import segments_of
from speech.voices.voice import Segment
from speech.voices.vowels import for_espeak
from speech.words.loading import load_scheme
from speech.words.said import Token
from speech.words.scheme import Scheme

LISTENERS = ("hu", "ar", "he", "hy", "en")
# The own language's piece and the squares of D.2.1 in German: two changes of voice in one announcement.
MIXED = "d21+pieces=listener+connecting=listener"
WORDS = ("piece.knight", "file.g", "rank.1", "word.takes", "file.f", "rank.5")


class Overheard(Pyttsx3Voice):
    """Writes down what is asked of the engine, and what it gives."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []
        self.heard: list[Sound] = []
        real = self.child.request

        async def request(message: dict[str, Any]) -> Any:
            self.asked.append((message["voice"], message["text"]))
            answer = await real(message)
            self.heard.append(Sound(answer["pcm"], answer["sample_rate"]))
            return answer

        self.child.request = request  # type: ignore[method-assign,assignment]


@pytest.fixture
async def overheard() -> AsyncIterator[Overheard]:
    voice = Overheard()
    yield voice
    await voice.close()


def tokens_of(scheme: Scheme) -> tuple[Token, ...]:
    return scheme.tokens(WORDS)


@pytest.mark.law("L185", "L187")
@pytest.mark.parametrize("language", LISTENERS)
async def test_each_word_reaches_the_voice_of_its_language(overheard: Overheard, language: str) -> None:
    scheme, german = load_scheme(MIXED, language), load_scheme("d21", "de")
    sound = await overheard.render(segments_of(tokens_of(scheme), scheme))
    said_in_german = [german.spelling(word, "espeak") for word in WORDS]
    own = [for_espeak(scheme.spelling(word, "espeak"), language) for word in ("piece.knight", "word.takes")]
    assert overheard.asked == [
        (language, own[0]),
        ("de", " ".join(said_in_german[1:3])),
        (language, own[1]),
        ("de", " ".join(said_in_german[4:])),
    ]
    # What came out is what the engine gave for those four and nothing else, in order, none over another.
    assert sound == join_sounds(overheard.heard)
    gaps = [GAP_MS] * 3
    lengths = [len(trim_silence(part).array) for part in overheard.heard]
    assert len(sound.array) == sum(lengths) + sum(sound.sample_rate * ms // 1000 for ms in (LEAD_MS, *gaps, TAIL_MS))
    assert min(lengths) > sound.sample_rate // 5


@pytest.mark.law("L185", "L187")
@pytest.mark.parametrize("language", LISTENERS)
async def test_a_whole_announcement_of_d21_is_one_german_phrase(overheard: Overheard, language: str) -> None:
    scheme, german = load_scheme("d21", language), load_scheme("d21", "de")
    await overheard.render(segments_of(tokens_of(scheme), scheme))
    assert overheard.asked == [("de", " ".join(german.spelling(word, "espeak") for word in WORDS))]


@pytest.mark.parametrize("language", LISTENERS)
async def test_a_question_in_the_players_language_names_the_squares_in_german(
    overheard: Overheard, language: str
) -> None:
    scheme = load_scheme("d21", language)
    told = spoken_message(
        Question(utterance="u1", ask="which", piece="knight", choices=("b1", "f3")), scheme, read_back=False
    )
    assert told is not None
    await overheard.render(told[1])
    voices = [voice for voice, _ in overheard.asked]
    assert voices == ["de", language, "de"]
    assert overheard.asked[1][1] == for_espeak(scheme.phrase("or"), language)


loud = st.lists(st.integers(200, 20_000), min_size=1, max_size=40)


@settings(max_examples=200, deadline=None)
@given(phrases=st.lists(loud, min_size=1, max_size=6), quiet=st.integers(0, 50))
def test_joined_phrases_come_once_each_in_order_with_the_announced_gaps(phrases: list[list[int]], quiet: int) -> None:
    rate = 22_050
    sounds = [Sound(np.array([0] * quiet + samples + [0] * quiet, dtype="<i2").tobytes(), rate) for samples in phrases]
    out = join_sounds(sounds).array
    lead, gap, tail = (rate * ms // 1000 for ms in (LEAD_MS, GAP_MS, TAIL_MS))
    expected: list[int] = [0] * lead
    for number, samples in enumerate(phrases):
        expected += ([0] * gap if number else []) + samples
    assert out.tolist() == expected + [0] * tail


@given(
    st.lists(st.tuples(st.sampled_from(["Turm", "eins", " ", ""]), st.sampled_from(["de", "hu", "ar"])), max_size=12)
)
def test_no_word_is_lost_or_said_twice_and_neighbours_never_share_a_voice(pairs: Sequence[tuple[str, str]]) -> None:
    segments = [Segment(text, tag) for text, tag in pairs]
    phrases = merge_segments(segments)
    assert [(word, phrase.voice_language) for phrase in phrases for word in phrase.text.split()] == [
        (word, tag) for text, tag in pairs for word in text.split()
    ]
    assert all(one.voice_language != other.voice_language for one, other in itertools.pairwise(phrases))
