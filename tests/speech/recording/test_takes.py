"""A take at the microphone: where it begins and ends, and the word about it."""

from __future__ import annotations

import numpy as np
import pytest

from speech.audio.frames import FRAME_BYTES
from speech.audio.vad import load_activity
from speech.recording.take import KEPT_PAUSE_MS, Judgement, Patience, Take, Talk, judge, take_activity

RATE = 16_000
SETTINGS = load_activity()
PATIENCE = Patience(silent_ms=2_000, longest_ms=5_000)


def room(ms: int, dbfs: float = -70.0) -> bytes:
    return noise(ms, dbfs, 1)


def noise(ms: int, dbfs: float, seed: int = 2) -> bytes:
    samples = np.random.default_rng(seed).normal(0, 32_768 * 10 ** (dbfs / 20), RATE * ms // 1000)
    return np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()


def voice(ms: int, dbfs: float) -> bytes:
    """Syllables of 200 ms with 60 ms between them, at this level."""
    one = noise(200, dbfs) + room(60)
    return (one * (ms // 260 + 1))[: ms * 32]


def fed(take: Take, pcm: bytes) -> int:
    """Feed the sound; return after how many ms the take was over, or -1."""
    for place in range(0, len(pcm), FRAME_BYTES):
        if take.feed(pcm[place : place + FRAME_BYTES]):
            return place // 32 + 20
    return -1


def new_take() -> Take:
    activity = take_activity(SETTINGS, PATIENCE)
    activity.take(room(1_500))
    return Take(activity, PATIENCE)


@pytest.mark.parametrize(
    ("pcm", "word"),
    [
        (voice(1_000, -20) + room(600), "good"),
        (voice(1_000, -45) + room(600, -80), "soft"),
        (voice(1_000, 0) + room(600), "loud"),
        (room(1_600), "empty"),
        (bytes(51_200), "empty"),
        (b"", "empty"),
        (room(500) + noise(60, -15) + room(500), "empty"),
        (voice(1_000, -28)[: 32 * 200] * 5 + room(600, -38), "noisy"),
    ],
    ids=["good", "soft", "clipped", "the room alone", "digital silence", "nothing", "a knock", "noise around"],
)
def test_one_word_about_a_take(pcm: bytes, word: Judgement) -> None:
    assert judge(pcm) == word


def test_a_pause_ends_a_take_and_half_of_the_pause_stays() -> None:
    take = new_take()
    over = fed(take, room(700) + voice(1_300, -20) + room(3_000))
    assert 3_100 <= over <= 3_300, "1.2 s after the voice"
    length = len(take.pcm) // 32
    assert length == pytest.approx(1_300 + KEPT_PAUSE_MS + SETTINGS.preroll_ms + 80, abs=160)
    assert take.judgement == "good"


def test_a_pause_between_two_words_does_not_cut_an_announcement_in_two() -> None:
    take = new_take()
    fed(take, voice(500, -20) + room(900) + voice(500, -20) + room(3_000))
    assert len(take.pcm) // 32 >= 1_900


def test_nothing_said_is_an_empty_take_when_patience_ends() -> None:
    take = new_take()
    assert fed(take, room(4_000)) == PATIENCE.silent_ms
    assert take.judgement == "empty"


def test_a_key_ends_a_take_and_keeps_what_the_voice_activity_had_not_noticed() -> None:
    take = new_take()
    assert fed(take, room(200) + voice(800, -53)) == -1
    take.end()
    assert take.over and len(take.pcm) // 32 == 1_000 and take.judgement == "soft"


def test_what_has_no_end_is_told_as_such() -> None:
    take = new_take()
    assert fed(take, voice(8_000, -20)) > 0
    assert take.judgement == "long"


def test_what_was_said_before_the_take_is_not_in_it() -> None:
    activity = take_activity(SETTINGS, PATIENCE)
    activity.take(room(1_500) + voice(700, -20))  # under way, as when somebody speaks into the prompt
    assert activity.open
    take = Take(activity, PATIENCE)
    assert fed(take, room(4_000)) == PATIENCE.silent_ms and take.judgement == "empty"


def test_talk_is_cut_at_its_pauses_and_its_rest_is_not_lost() -> None:
    talk = Talk(SETTINGS)
    sound = room(1_500) + voice(2_000, -20) + room(1_000) + voice(1_000, -20) + room(1_000) + voice(500, -20)
    found = [talk.feed(sound[place : place + FRAME_BYTES]) for place in range(0, len(sound), FRAME_BYTES)]
    utterances = [one for one in found if one]
    rest = talk.rest()
    assert [round(len(one) / 32_000) for one in utterances] == [3, 2]
    assert rest is not None and 500 <= len(rest) // 32 <= 1_000 and talk.rest() is None
