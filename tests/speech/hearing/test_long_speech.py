"""What is long is handed to the decoders in steps, the same however the steps fall; 12 s of speech are heard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from speech.recognisers import live_speech
from speech.recognisers.levelling import Estimate
from speech.recognisers.live_speech import LONGEST_SPEECH, LiveSpeech, Span
from speech.recognisers.live_wire import GOES_ON, Serving
from speech.recognisers.warp import Warp


class Written:
    """A decoder that keeps what it is given, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def process_raw(self, pcm: bytes) -> None:
        self.pieces.append(pcm)


class Noted(LiveSpeech):
    """An utterance at one decoder, and what it was given at the end."""

    def __init__(self) -> None:
        super().__init__((1.0,))
        self.decoder = Written()

    def drop(self) -> None:
        self.warps = ()

    def _open(self, span: Span, estimate: Estimate) -> Sequence[Warp]:
        self.decoder = Written()
        return (Warp(1.0, [self.decoder]),)

    def finish(self) -> dict[str, object]:
        self._over()
        return {"pieces": self.decoder.pieces}


def loud_at_last(seconds: float) -> bytes:
    """Speech whose end is so much louder that all of it must be heard again."""
    at = np.arange(int(seconds * 16_000))
    sound = np.sin(at * 0.1) * np.where(at % 8_000 < 6_000, 3_000.0, 20.0) * np.where(at > len(at) * 0.7, 5.0, 0.5)
    return sound.astype("<i2").tobytes()


def ended(pcm: bytes, piece: int) -> tuple[list[bytes], int]:
    """What the decoder was given, and in how many steps the end was told."""
    spoken: list[Noted] = []

    def begin(_: dict[str, object]) -> Any:
        spoken.append(Noted())
        return spoken[0]

    serving = Serving(begin)
    serving.answer({"do": "begin", "key": 1})
    for first in range(0, len(pcm), piece):
        serving.answer({"do": "feed", "key": 1, "pcm": pcm[first : first + piece]})
    steps = 1
    while serving.answer({"do": "finish", "key": 1}) == GOES_ON:
        steps += 1
    return spoken[0].decoder.pieces, steps


@pytest.mark.parametrize("seconds", [3.0, 10.0, 29.0])
def test_the_decoders_are_given_the_same_whatever_time_it_takes(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pcm = loud_at_last(seconds)
    monkeypatch.setattr(live_speech, "WORK_S", 1_000.0)
    at_once, _ = ended(pcm, len(pcm))
    monkeypatch.setattr(live_speech, "WORK_S", 0.0)
    for piece in (640, 8_000, len(pcm)):
        in_steps, steps = ended(pcm, piece)
        assert in_steps == at_once
        assert steps > 20 or seconds < 4 or piece < len(pcm), "each step is one piece of 50 ms"
    frames = sum(map(len, at_once)) // 320
    assert frames <= LONGEST_SPEECH + 200, "twelve seconds, and the floor behind it"
