"""The wire of /audio: what is sent comes together again, whatever order, gaps and nonsense come on the way."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.audio.frames import (
    FRAME_BYTES,
    HEADER,
    LONGEST_SAMPLES,
    WIRE_RATE,
    Fed,
    UtteranceAssembly,
    decode_frame,
    encode_frames,
)
from speech.complaint import Complaint


def noise(samples: int, seed: int = 0) -> bytes:
    return np.random.default_rng(seed).integers(-32768, 32767, samples).astype("<i2").tobytes()


def test_the_bytes_on_the_wire() -> None:
    frames = list(encode_frames(noise(700), 2**64 - 1))
    assert [len(frame) for frame in frames] == [656, 656, 16 + 120]
    assert frames[1][:16] == struct.pack("<QQ", 2**64 - 1, 320)
    assert decode_frame(frames[2]).end_sample == 700
    assert list(encode_frames(b"", 1)) == []
    with pytest.raises(Complaint, match="even number"):
        list(encode_frames(b"abc", 1))


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 16 + 641, 16 + 642, 100_000])
def test_bad_frames_end_the_utterance_and_nothing_else(length: int) -> None:
    pcm = noise(640)
    assembly = UtteranceAssembly(7)
    for frame in encode_frames(pcm, 7):
        assert assembly.feed(frame) == Fed("grown", 320)
    bad = assembly.feed((HEADER.pack(7, 640) + bytes(100_000))[:length])
    assert bad.outcome == "ended" and bad.reason and bad.reason == assembly.ended
    assert assembly.feed(next(encode_frames(pcm, 7))).outcome == "over"
    assert assembly.sound.pcm == pcm
    following = UtteranceAssembly(8)
    assert following.feed(next(encode_frames(pcm, 8))).outcome == "grown"


def test_another_utterance_is_told_apart() -> None:
    assembly = UtteranceAssembly(1)
    assert assembly.feed(next(encode_frames(noise(320), 2))) == Fed("other")
    assert assembly.received_samples == 0 and assembly.sound.pcm == b"" and assembly.gaps == ()


@given(st.integers(1, 5000), st.randoms(use_true_random=False), st.integers(0, 5))
def test_any_order_and_repetition_gives_the_same_sound(samples: int, chance: random.Random, repeats: int) -> None:
    pcm = noise(samples)
    frames = list(encode_frames(pcm, 3))
    sent = frames + [chance.choice(frames) for _ in range(repeats)]
    chance.shuffle(sent)
    assembly = UtteranceAssembly(3)
    outcomes = [assembly.feed(frame) for frame in sent]
    assert assembly.sound.pcm == pcm
    assert assembly.gaps == ()
    assert assembly.whole_samples == assembly.received_samples == samples
    assert sum(outcome.new_samples for outcome in outcomes) == samples
    assert [outcome.outcome for outcome in outcomes].count("repeated") == repeats
    assert assembly.conflicting_frames == 0


@given(st.sets(st.integers(0, 19)))
def test_gaps_are_named_and_silent(lost: set[int]) -> None:
    pcm = noise(6400)
    frames = list(encode_frames(pcm, 3))
    assembly = UtteranceAssembly(3)
    for number, frame in enumerate(frames):
        if number not in lost:
            assembly.feed(frame)
    there = [number for number in range(20) if number not in lost]
    expected = bytearray(pcm[: (max(there) + 1) * FRAME_BYTES] if there else b"")
    for number in lost:
        if there and number < max(there):
            expected[number * FRAME_BYTES : (number + 1) * FRAME_BYTES] = bytes(FRAME_BYTES)
    assert assembly.sound.pcm == bytes(expected)
    missing = {sample // 320 for begin, end in assembly.gaps for sample in range(begin, end, 320)}
    assert missing == {number for number in lost if there and number < max(there)}
    assert assembly.received_samples == 320 * len(there)
    first_lost = min(lost, default=20)
    assert assembly.whole_samples == 320 * first_lost


def test_a_late_frame_fills_its_gap() -> None:
    frames = list(encode_frames(noise(960), 3))
    assembly = UtteranceAssembly(3)
    assembly.feed(frames[0])
    assembly.feed(frames[2])
    assert assembly.gaps == ((320, 640),) and assembly.whole_samples == 320
    assert assembly.feed(frames[1]) == Fed("grown", 320)
    assert assembly.gaps == () and assembly.late_frames == 1 and assembly.whole_samples == 960


def test_what_came_first_stays() -> None:
    first, other = noise(320, 1), noise(320, 2)
    assembly = UtteranceAssembly(3)
    assembly.feed(next(encode_frames(first, 3)))
    assert assembly.feed(next(encode_frames(other, 3))) == Fed("repeated")
    assert assembly.sound.pcm == first
    assert assembly.conflicting_frames == 1 and assembly.repeated_samples == 320
    # half new, half known
    assert assembly.feed(next(encode_frames(first[320:] + other[:320], 3, 160))) == Fed("grown", 160)
    assert assembly.sound.pcm == first + other[:320]
    assert assembly.conflicting_frames == 1


def test_thirty_seconds_and_no_more() -> None:
    pcm = noise(LONGEST_SAMPLES + 800)
    assembly = UtteranceAssembly(3)
    outcomes = [assembly.feed(frame) for frame in encode_frames(pcm, 3)]
    assert [outcome.outcome for outcome in outcomes] == ["grown"] * 1500 + ["ended", "over", "over"]
    assert assembly.sound.duration_ms == 30_000
    assert assembly.sound.pcm == pcm[: LONGEST_SAMPLES * 2]
    straddling = UtteranceAssembly(3)
    assert straddling.feed(next(encode_frames(pcm[:640], 3, LONGEST_SAMPLES - 100))).new_samples == 100
    assert straddling.ended is not None
    far = UtteranceAssembly(3)
    assert far.feed(next(encode_frames(pcm[:640], 3, 2**64 - 320))).outcome == "ended"
    assert far.sound.pcm == b""
    assert far.sound.sample_rate == WIRE_RATE


@given(st.lists(st.binary(max_size=700), max_size=20))
def test_nothing_a_stranger_sends_raises(messages: list[bytes]) -> None:
    assembly = UtteranceAssembly(0)
    for message in messages:
        assembly.feed(message)
    assert len(assembly.sound.pcm) <= LONGEST_SAMPLES * 2
