"""A station's usual speaker: what is softer or in another voice is asked again, and that speaker is never shut out."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.speakers.features import SIZE, VoiceSketch
from speech.speakers.likeness import Likeness, load_background, print_of
from speech.speakers.usual_speaker import MOST_DOUBTED, MOST_VOICES, UsualSpeaker, Utterance
from speech.words.voice_profile import VoicePrint

LIKENESS = Likeness(load_background())
FAR_DB = 4.5


def sketch(away: float, hertz_log: float = 5.0, jitter: float = 0.0) -> VoiceSketch:
    """A voice that lies so many of its own spreads from the middle of all voices, along every fifth axis."""
    timbre = load_background().timbre
    wanted = [away if place % 5 == 0 else jitter for place in range(len(timbre.axes))]
    # The least change of the timbre that is seen so along the axes.
    import numpy as np

    moved = np.linalg.lstsq(np.array(timbre.axes), np.array(wanted), rcond=None)[0] + np.array(timbre.mean)
    assert len(moved) == SIZE
    return VoiceSketch(tuple(float(one) for one in moved), hertz_log)


OWN, OTHER = sketch(4.0, 4.7), sketch(-4.0, 5.3)


def known(dbfs: float = -20.0, voice: VoiceSketch | None = None) -> UsualSpeaker:
    usual = UsualSpeaker()
    for _ in range(4):
        ruling, usual = usual.ruled(Utterance(dbfs, voice), LIKENESS)
        assert ruling == "usual"
    return usual


def ruling(usual: UsualSpeaker, dbfs: float, voice: VoiceSketch | None = None) -> str:
    return usual.ruled(Utterance(dbfs, voice), LIKENESS)[0]


def test_another_table_is_softer_than_the_player() -> None:
    assert ruling(UsualSpeaker(), -40.0) == "usual", "nothing is known of the speaker yet"
    usual = known()
    assert ruling(usual, -26.0) == ruling(usual, -32.0) == "doubted"
    assert ruling(usual, -20.0 - FAR_DB + 0.2) == ruling(usual, -12.0) == "usual"
    assert ruling(usual, -20.0 - FAR_DB - 0.2) == "doubted"
    assert ruling(usual, -96.0) == "usual", "no level was measured"


def test_who_speaks_more_softly_now_is_asked_once() -> None:
    _, usual = known().ruled(Utterance(-27.0, None), LIKENESS)
    told, usual = usual.ruled(Utterance(-26.0, None), LIKENESS)
    assert told == "usual"
    assert ruling(usual, -29.0) == "usual" and ruling(usual, -34.0) == "doubted"


def test_the_players_own_voice_may_be_softer_and_another_must_not_even_be_a_little() -> None:
    usual = known(voice=OWN)
    assert ruling(usual, -20.0, OWN) == ruling(usual, -25.5, OWN) == "usual"
    assert ruling(usual, -32.0, OWN) == "doubted", "so far below no voice is believed"
    assert ruling(usual, -23.0, OTHER) == "doubted"
    assert ruling(usual, -20.0, OTHER) == "doubted", "as loud as the usual speaker, and altogether another"
    assert ruling(usual, -12.0, OTHER) == "doubted", "nearer than the usual speaker"
    assert ruling(usual, -20.0) == "usual", "too little of it was voiced"


def test_a_cold_is_asked_twice_then_taken_and_told_to_the_arbiter_and_then_known() -> None:
    usual = known(voice=OWN)
    found: list[str] = []
    for _ in range(6):
        told, usual = usual.ruled(Utterance(-20.0, OTHER), LIKENESS)
        found.append(told)
    assert found == ["doubted", "doubted", "another", "usual", "usual", "usual"]
    assert ruling(usual, -20.0, OWN) == "usual", "well again"


def test_after_the_players_own_words_the_questions_are_counted_anew() -> None:
    usual = known(voice=OWN)
    for voice, wanted in ((OTHER, "doubted"), (OTHER, "doubted"), (OWN, "usual"), (OTHER, "doubted")):
        told, usual = usual.ruled(Utterance(-20.0, voice), LIKENESS)
        assert told == wanted


def test_two_who_share_a_microphone_from_the_beginning_are_both_known() -> None:
    usual = UsualSpeaker()
    for _ in range(5):
        for voice in (OWN, OTHER):
            told, usual = usual.ruled(Utterance(-20.0, voice), LIKENESS)
            assert told == "usual"
    assert len(usual.voices) == 2


def test_an_enrolled_voice_is_known_before_its_first_word() -> None:
    enrolled = print_of([OWN] * 10)
    assert enrolled is not None
    assert UsualSpeaker().ruled(Utterance(-20.0, OWN), LIKENESS, enrolled)[0] == "usual"
    assert UsualSpeaker().ruled(Utterance(-20.0, OTHER), LIKENESS, enrolled)[0] == "doubted"
    older = msgspec.structs.replace(enrolled, features=0)
    assert UsualSpeaker().ruled(Utterance(-20.0, OTHER), LIKENESS, older)[0] == "usual", "made by other features"
    assert print_of([]) is None
    assert msgspec.json.decode(msgspec.json.encode(enrolled), type=VoicePrint) == enrolled


sounds = st.builds(
    Utterance,
    st.floats(-60.0, 0.0) | st.just(-96.0),
    st.none() | st.builds(sketch, st.floats(-6.0, 6.0), st.floats(4.3, 5.8), st.floats(-2.0, 2.0)),
)


@given(st.lists(sounds, max_size=20), sounds)
def test_nobody_is_asked_more_than_three_times_in_a_row(before: list[Utterance], now: Utterance) -> None:
    usual = UsualSpeaker()
    for one in before:
        _, usual = usual.ruled(one, LIKENESS)
    asked = 0
    while (told := usual.ruled(now, LIKENESS))[0] == "doubted":
        asked, usual = asked + 1, told[1]
        assert asked <= MOST_DOUBTED + 1
    assert len(told[1].voices) <= MOST_VOICES


@given(st.lists(st.floats(-60.0, 0.0), max_size=30), st.floats(-60.0, 0.0))
def test_of_an_unknown_voice_the_same_level_is_taken_at_the_second_time(before: list[float], now: float) -> None:
    usual = UsualSpeaker()
    for dbfs in before:
        _, usual = usual.ruled(Utterance(dbfs, None), LIKENESS)
    told, usual = usual.ruled(Utterance(now, None), LIKENESS)
    if told == "doubted":
        assert ruling(usual, now) == "usual"


@pytest.mark.parametrize("softer", [0.0, 3.0, 6.0, 9.0])
def test_the_softer_the_less_of_a_strange_voice_is_needed(softer: float) -> None:
    usual = known(voice=OWN)
    shares = [step / 10 for step in range(41)]
    asked = [ruling(usual, -20.0 - softer, sketch(4.0 - 8 * one, 4.7)) == "doubted" for one in shares]
    assert asked == sorted(asked), "once strange enough, always"
    louder = [ruling(usual, -20.0 - softer + 1.0, sketch(4.0 - 8 * one, 4.7)) == "doubted" for one in shares]
    assert sum(louder) <= sum(asked)
