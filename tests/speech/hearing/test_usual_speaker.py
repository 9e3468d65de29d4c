"""A station's usual speaker: what is softer or in another voice is asked again, and a strange voice is never learnt."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from speech.speakers.features import SIZE, VoiceSketch
from speech.speakers.likeness import KnownVoice, Likeness, load_background, print_of
from speech.speakers.usual_speaker import KNOWN_AFTER, MOST_DOUBTED, MOST_VOICES, Ruling, UsualSpeaker, Utterance
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
    """A player whose words were taken and confirmed four times."""
    usual = UsualSpeaker()
    for count in range(4):
        ruling, usual = usual.rule_on(Utterance(dbfs, voice), LIKENESS)
        assert ruling == ("usual" if voice is None or count >= KNOWN_AFTER else "new")
        usual = usual.with_confirmation([] if voice is None else [voice], LIKENESS)
    return usual


def said(usual: UsualSpeaker, voice: VoiceSketch, times: int) -> tuple[list[Ruling], UsualSpeaker]:
    found: list[Ruling] = []
    for _ in range(times):
        told, usual = usual.rule_on(Utterance(-20.0, voice), LIKENESS)
        found.append(told)
    return found, usual


def ruling(usual: UsualSpeaker, dbfs: float, voice: VoiceSketch | None = None) -> str:
    return usual.rule_on(Utterance(dbfs, voice), LIKENESS)[0]


def test_another_table_is_softer_than_the_player() -> None:
    assert ruling(UsualSpeaker(), -40.0) == "usual", "nothing is known of the speaker yet"
    usual = known()
    assert ruling(usual, -26.0) == ruling(usual, -32.0) == "doubted"
    assert ruling(usual, -20.0 - FAR_DB + 0.2) == ruling(usual, -12.0) == "usual"
    assert ruling(usual, -20.0 - FAR_DB - 0.2) == "doubted"
    assert ruling(usual, -96.0) == "usual", "no level was measured"


def test_who_speaks_more_softly_now_is_asked_once() -> None:
    _, usual = known().rule_on(Utterance(-27.0, None), LIKENESS)
    told, usual = usual.rule_on(Utterance(-26.0, None), LIKENESS)
    assert told == "usual"
    assert ruling(usual, -29.0) == "usual" and ruling(usual, -34.0) == "doubted"


def test_the_players_own_voice_may_be_softer_and_another_must_not_even_be_a_little() -> None:
    usual = known(voice=OWN)
    assert ruling(usual, -20.0, OWN) == ruling(usual, -25.5, OWN) == "usual"
    assert ruling(usual, -32.0, OWN) == "doubted", "so far below no voice is believed"
    assert ruling(usual, -23.0, OTHER) == "strange"
    assert ruling(usual, -20.0, OTHER) == "strange", "as loud as the usual speaker, and altogether another"
    assert ruling(usual, -12.0, OTHER) == "strange", "nearer than the usual speaker"
    assert ruling(usual, -20.0) == "usual", "too little of it was voiced"


def test_a_strange_voice_stays_strange_until_the_arbiter_says_that_it_is_the_player() -> None:
    found, usual = said(known(voice=OWN), OTHER, 6)
    assert found == ["strange"] * 6
    assert len(usual.voices) == 1 and usual.voices == known(voice=OWN).voices
    usual = usual.with_acceptance(LIKENESS)
    assert said(usual, OTHER, 2)[0] == ["usual", "usual"], "a cold"
    assert ruling(usual, -20.0, OWN) == "usual", "well again"


def test_what_is_only_taken_teaches_no_voice() -> None:
    found, usual = said(UsualSpeaker(), OWN, 5)
    assert found == ["new"] * 5 and usual.voices == ()
    assert ruling(usual, -20.0, OTHER) == "new", "nothing is known of the player: it is read back"


@pytest.mark.parametrize("softer", [0.0, 3.0, 6.0])
def test_after_one_confirmed_utterance_the_other_player_is_not_taken(softer: float) -> None:
    usual = UsualSpeaker().with_confirmation([OWN], LIKENESS)
    found, after = said(usual, OTHER, 4)
    assert set(found) <= {"doubted", "strange"} and found[-1] == "strange"
    assert ruling(usual, -20.0 - softer, OTHER) in ("doubted", "strange")
    assert ruling(after, -20.0, OWN) == "new", "the player's own words are taken, and read back until they are known"


def test_of_two_known_players_it_must_be_clearly_the_one_who_holds_the_key() -> None:
    mine, near, between = sketch(2.0, 5.0), sketch(-0.5, 5.0), sketch(0.9, 5.0)
    usual, beside = known(voice=mine), [LIKENESS.of_sketches([near] * 4)]
    assert ruling(usual, -20.0, between) == "new", "alone it is alike enough, and read back"
    assert usual.rule_on(Utterance(-20.0, between), LIKENESS, None, beside)[0] == "doubted"
    assert usual.rule_on(Utterance(-20.0, near), LIKENESS, None, beside)[0] == "strange"
    assert usual.rule_on(Utterance(-20.0, mine), LIKENESS, None, beside)[0] == "usual"


def test_of_two_voices_that_cannot_be_told_apart_it_is_asked_and_not_recorded() -> None:
    """The question is in the ear of who holds the key: the other does not hear it, and does not answer."""
    beside = [LIKENESS.of_sketches([OWN] * 4)]
    told, after = known(voice=OWN).rule_on(Utterance(-20.0, OWN), LIKENESS, None, beside)
    assert told == "doubted"
    assert after.rule_on(Utterance(-20.0, OWN), LIKENESS, None, beside)[0] == "new"


def test_before_anything_is_known_of_the_player_the_others_voice_is_not_taken() -> None:
    beside = [LIKENESS.of_sketches([OTHER] * 2)]
    assert UsualSpeaker().rule_on(Utterance(-20.0, OTHER), LIKENESS, None, beside)[0] == "strange"
    assert UsualSpeaker().rule_on(Utterance(-20.0, OWN), LIKENESS, None, beside)[0] == "new"


def test_after_the_players_own_words_the_questions_are_counted_anew() -> None:
    usual = known(voice=OWN)
    for voice, wanted in ((OTHER, "strange"), (OTHER, "strange"), (OWN, "usual"), (OTHER, "strange")):
        told, usual = usual.rule_on(Utterance(-20.0, voice), LIKENESS)
        assert told == wanted


def test_an_enrolled_voice_is_known_before_its_first_word() -> None:
    enrolled = print_of([OWN] * 10)
    assert enrolled is not None
    assert UsualSpeaker().rule_on(Utterance(-20.0, OWN), LIKENESS, enrolled)[0] == "usual"
    assert UsualSpeaker().rule_on(Utterance(-20.0, OTHER), LIKENESS, enrolled)[0] == "strange"
    older = msgspec.structs.replace(enrolled, features=0)
    assert UsualSpeaker().rule_on(Utterance(-20.0, OTHER), LIKENESS, older)[0] == "new", "made by other features"
    assert print_of([]) is None
    assert msgspec.json.decode(msgspec.json.encode(enrolled), type=VoicePrint) == enrolled


sounds = st.builds(
    Utterance,
    st.floats(-60.0, 0.0) | st.just(-96.0),
    st.none() | st.builds(sketch, st.floats(-6.0, 6.0), st.floats(4.3, 5.8), st.floats(-2.0, 2.0)),
)


@given(st.lists(sounds, max_size=20), st.sampled_from([(), (LIKENESS.of_sketches([OTHER] * 3),)]), sounds)
@example(
    [Utterance(-96.0, sketch(-1.0, 5.0, 1.5)), Utterance(-96.0, sketch(0.0, 5.0))],
    (LIKENESS.of_sketches([OTHER] * 3),),
    Utterance(-96.0, sketch(-1.0, 5.0)),
)
def test_nobody_is_asked_more_than_twice_in_a_row_but_a_stranger(
    before: list[Utterance], beside: tuple[KnownVoice, ...], now: Utterance
) -> None:
    usual = UsualSpeaker()
    for one in before:
        told, after = usual.rule_on(one, LIKENESS, None, beside)
        assert after.voices == usual.voices, "no voice is learnt from what was only taken"
        usual = after
        if told in ("usual", "new") and one.sketch is not None:
            usual = usual.with_confirmation([one.sketch], LIKENESS)
    asked, strange = 0, False
    while (found := usual.rule_on(now, LIKENESS, None, beside))[0] in ("doubted", "strange") and not strange:
        asked, usual = asked + (found[0] == "doubted"), found[1]
        assert asked <= MOST_DOUBTED
        strange = found[0] == "strange"
    assert len(found[1].voices) <= MOST_VOICES
    if strange:
        for _ in range(4):
            told, usual = usual.rule_on(now, LIKENESS, None, beside)
            assert told == "strange", "insisting changes nothing"


@given(st.lists(st.floats(-60.0, 0.0), max_size=30), st.floats(-60.0, 0.0))
def test_of_an_unknown_voice_the_same_level_is_taken_at_the_second_time(before: list[float], now: float) -> None:
    usual = UsualSpeaker()
    for dbfs in before:
        _, usual = usual.rule_on(Utterance(dbfs, None), LIKENESS)
    told, usual = usual.rule_on(Utterance(now, None), LIKENESS)
    if told == "doubted":
        assert ruling(usual, now) == "usual"


@pytest.mark.parametrize("softer", [0.0, 3.0, 6.0, 9.0])
def test_the_softer_the_less_of_a_strange_voice_is_needed(softer: float) -> None:
    usual = known(voice=OWN)
    shares = [step / 10 for step in range(41)]
    asked = [ruling(usual, -20.0 - softer, sketch(4.0 - 8 * one, 4.7)) != "usual" for one in shares]
    assert asked == sorted(asked), "once strange enough, always"
    louder = [ruling(usual, -20.0 - softer + 1.0, sketch(4.0 - 8 * one, 4.7)) != "usual" for one in shares]
    assert sum(louder) <= sum(asked)
